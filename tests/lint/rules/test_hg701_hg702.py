"""HG701 missing-trailers and HG702 false-trailers: messages of real changes, judged by the engine."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from hoard_git.core.changelist import expected_trailers
from hoard_git.core.model import Finding
from hoard_git.core.policy import DEFAULT
from hoard_git.core.trailers import append_trailers, parse_trailers
from hoard_git.lint.scene import CommitText, Scene
from tests.support.scenes import change_scene, findings, state_scene

BEFORE = {"MEMORY.md": "# Memory\n\n## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->\n\n- Node-2 is online\n"}
AFTER = {"MEMORY.md": BEFORE["MEMORY.md"] + "- The wiki runs on node-3\n"}
RULES = ("HG701", "HG702")


def scene(message: bytes, *, complete: bool = True, after: dict[str, str] | None = None) -> Scene:
    """The addition of one agent's entry, under this message; `DIGEST` in it stands for the right one."""
    change = change_scene(BEFORE, AFTER if after is None else after)
    documents = [{view.path: view.document for view in views} for views in (change.before.values(), change.files)]
    expected = expected_trailers(change.changes, *documents) if change.changes else ()
    right = {trailer.key: trailer.value for trailer in expected}.get("Memory-Digest", "sha256:DIGEST").removeprefix("sha256:")
    message = message.replace(b"DIGEST", right.encode())
    return change._replace(text=CommitText(message, parse_trailers(message), expected, complete))


def judged(message: bytes) -> list[Finding]:
    return findings(scene(message), *RULES)


def examples(code: str) -> list[tuple[str, bytes]]:
    """(section, message) of each fenced example on a rule's page."""
    module = {"HG701": "hg701_missing_trailers", "HG702": "hg702_false_trailers"}[code]
    page = import_module(f"hoard_git.lint.rules.{module}").__doc__ or ""
    return [
        (section.split()[0], text.encode())
        for section in page.split("\n## ")[1:]
        for text in re.findall(r"^```text\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    ]


CASES = [
    pytest.param(code, section, text, id=f"{code} {section} {n}") for code in RULES for n, (section, text) in enumerate(examples(code))
]


@pytest.mark.parametrize(("code", "section", "message"), CASES)
def test_the_examples_on_the_page(code: str, section: str, message: bytes) -> None:
    assert {finding.code for finding in judged(message)} == ({code} if section == "Bad" else set())


def test_each_page_shows_both() -> None:
    for code in RULES:
        assert {section for section, _text in examples(code)} == {"Bad", "Good"}


def test_what_the_writer_writes_passes() -> None:
    expected = scene(b"").text
    assert expected is not None
    for message in (b"Subject\n", b"Subject\n\nBody.\n---\n", b"Subject\n\nSigned-off-by: A <a@example.org>\n", b"Subject\r\n\r\nBody\r\n"):
        assert judged(append_trailers(message, expected.expected, None)) == []


def test_missing_is_a_warning_with_the_way_out() -> None:
    (found,) = judged(b"Subject\n")
    assert (found.code, found.name, found.severity, found.path, found.line) == ("HG701", "missing-trailers", "warn", "", 0)
    assert found.hint == "hoard trailers --repair RANGE"


def test_false_is_an_error_and_a_line_in_the_body_a_warning() -> None:
    good = b"Memory-Op: write\nMemory-Source: agent\nMemory-Digest: sha256:DIGEST\n"
    (lie,) = judged(b"Subject\n\n" + good.replace(b"agent", b"user"))
    assert (lie.code, lie.name, lie.severity) == ("HG702", "false-trailers", "error")
    assert lie.message == "Memory-Source says user; the change touches agent"
    (stray,) = judged(b"Subject\n\nMemory-Source: user\n\n" + good)
    assert (stray.code, stray.severity) == ("HG702", "warn")


def test_a_digest_of_another_change_is_false() -> None:
    message = b"Subject\n\nMemory-Op: write\nMemory-Source: agent\nMemory-Digest: sha256:" + b"0" * 64 + b"\n"
    assert [finding.code for finding in judged(message)] == ["HG702"]


def test_one_trailer_short_is_a_warning() -> None:
    (found,) = judged(b"Subject\n\nMemory-Op: write\nMemory-Source: agent\n")
    assert (found.code, found.message) == ("HG701", "Memory-Digest is missing")


def test_a_commit_that_touches_no_memory_is_not_judged() -> None:
    assert findings(scene(b"Subject\n", after={**BEFORE, "src/a.py": "x = 1\n"}), *RULES) == []
    assert findings(scene(b"Subject\n\nMemory-Op: lies\n", after=BEFORE), *RULES) == []


def test_without_a_message_nothing_is_judged() -> None:
    assert findings(change_scene(BEFORE, AFTER), *RULES) == []
    assert findings(state_scene(AFTER), *RULES) == []
    for code in ("hg701_missing_trailers", "hg702_false_trailers"):
        assert list(import_module(f"hoard_git.lint.rules.{code}").check_change(change_scene(BEFORE, AFTER))) == []


def test_trees_that_could_not_be_compared_prove_no_lie() -> None:
    assert findings(scene(b"Subject\n\nMemory-Op: write\nMemory-Source: user\n", complete=False), *RULES) == []


def test_the_policy_may_turn_them_off() -> None:
    policy = DEFAULT._replace(rules=(("HG701", "off"), ("HG702", "off")))
    assert findings(scene(b"Subject\n\nMemory-Op: lies\n")._replace(policy=policy), *RULES) == []
