"""A check's report as workflow commands."""

from __future__ import annotations

import re
from urllib.parse import unquote

import pytest

from hoard_git.app.check import Report
from hoard_git.cli.render.github import render_github
from hoard_git.core.model import Finding
from tests.cli.render.reports import ALLOWED, EVERY, GONE, HOSTILE, NOTHING, OF_COMMIT, PLAIN, obeyed


def command(finding: Finding) -> tuple[str, dict[str, str], str]:
    """A finding's command as a runner reads it: what it is, its properties and its message, unescaped."""
    (line,) = render_github(Report((finding,), 1, 1, 1)).splitlines()
    match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
    assert match is not None, line
    properties = dict(pair.split("=", 1) for pair in match[2].split(","))
    return match[1], {key: unquote(value) for key, value in properties.items()}, unquote(match[3])


def test_nothing_is_printed_for_nothing() -> None:
    assert render_github(NOTHING) == ""


@pytest.mark.parametrize(
    ("finding", "line"),
    [
        (
            PLAIN,
            "::error file=memory/a.md,line=3,endLine=4,col=5,title=HG101 untagged-content::an entry has no provenance%0Ahoard tag\n",
        ),
        (
            GONE,
            (
                "::error file=MEMORY.md,line=8,col=1,title=HG301 user-content-changed-by-non-human::"
                "0123456789ab: agent deletes a user's content: 1 fact\n"
            ),
        ),
        (OF_COMMIT, "::warning title=HG701 missing-trailers::0123456789ab: the commit has no Memory trailers\n"),
        (ALLOWED, "::notice file=memory/b.md,line=2,col=1,title=HG405 instruction::an instruction to the reader (allowed here)\n"),
        (
            PLAIN._replace(line=0, column=0, end_line=0, hint=""),
            "::error file=memory/a.md,title=HG101 untagged-content::an entry has no provenance\n",
        ),
    ],
)
def test_a_finding_as_a_command(finding: Finding, line: str) -> None:
    assert render_github(Report((finding,), 1, 1, 1)) == line


def test_escapes_are_those_that_a_runner_undoes() -> None:
    finding = PLAIN._replace(path="a,b:c%2C.md", message="100% of a, b: c", hint="")
    kind, properties, message = command(finding)
    assert (kind, properties["file"], message) == ("error", "a,b:c%2C.md", "100% of a, b: c")
    raw = render_github(Report((finding,), 1, 1, 1))
    assert "file=a%2Cb%3Ac%252C.md," in raw
    assert raw.endswith("::100%25 of a, b: c\n")


def test_no_text_starts_a_command_of_its_own() -> None:
    text = render_github(EVERY)
    assert text.count("\n") == len(EVERY.findings)
    assert obeyed(text) == []
    kind, properties, message = command(HOSTILE)
    assert (kind, properties["line"]) == ("error", "3")
    assert properties["file"].startswith("a,b:c%\\x1b[2J\\n::stop-commands::x/\\udcff ")
    assert message.count("\n") == 1
    assert "\\r\\n::error::forged" in message
