"""HG703 unproved-removal: messages of real changes, judged by the engine."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import pytest

from hoard_git.core.changelist import expected_trailers
from hoard_git.core.trailers import Trailer
from hoard_git.lint.scene import CommitText, FileView, NoLookup, Scene
from tests.support.scenes import change_scene, findings, view

PARENT = "0123456789" * 4
TAG = "<!-- src:agent ts:2026-06-05 ttl:90d -->"
BEFORE = {"MEMORY.md": f"# Memory\n\n## Infrastructure {TAG}\n\n- Node-2 is online\n- The wiki runs on node three behind the proxy\n"}
AFTER = {"MEMORY.md": BEFORE["MEMORY.md"].replace("- The wiki runs on node three behind the proxy\n", "")}
ARCHIVE = "memory/archive/2026-06-15.md"
LINE = f"- history {PARENT}:MEMORY.md#L6-L6"
HINT = "hoard trailers --repair RANGE, or hoard restore what should not have gone"


class Repository(NoLookup):
    """Unchanged files, and the lines of earlier commits."""

    def __init__(self, files: Mapping[str, str] | None = None, commits: Mapping[str, Mapping[str, str]] | None = None) -> None:
        self.files = files or {}
        self.commits = {PARENT: BEFORE, **(commits or {})}
        self.asked: list[str] = []

    def views_with(self, needles: Sequence[str]) -> list[FileView]:
        return [view(path, text) for path, text in self.files.items() if any(needle in text for needle in needles)]

    def lines_at(self, oid: str, path: str, first: int, last: int) -> Sequence[str] | None:
        self.asked.append(oid)
        lines = self.commits.get(oid, {}).get(path, "").split("\n")
        return lines[first - 1 : last] if last <= len(lines) else None


def scene(
    op: str,
    values: Sequence[str],
    *,
    before: Mapping[str, str] = BEFORE,
    after: Mapping[str, str] = AFTER,
    lookup: Repository | None = None,
    complete: bool = True,
) -> Scene:
    change = change_scene(before, after, lookup=lookup or Repository())
    documents = [{each.path: each.document for each in views} for views in (change.before.values(), change.files)]
    expected = expected_trailers(change.changes, *documents, op=op, parent=PARENT) if change.changes else ()
    trailers = (Trailer("Memory-Op", op), *[Trailer("Memory-Removed", value) for value in values])
    return change._replace(text=CommitText(b"", trailers, expected, complete))


def said(op: str, values: Sequence[str], **options: Any) -> list[tuple[str, int, str]]:
    return [(f.path, f.line, f.message) for f in findings(scene(op, values, **options), "HG703")]


LOST = ("MEMORY.md", 6, "an entry leaves the memory, and neither a file nor a Memory-Removed line has it")


# -------------------------------------------------------------------- the page


def examples() -> list[tuple[str, str]]:
    page = import_module("hoard_git.lint.rules.hg703_unproved_removal").__doc__ or ""
    return [
        (part.split()[0], text)
        for part in page.split("\n## ")[1:]
        for text in re.findall(r"^```text\n(.*?)^```$", part, re.MULTILINE | re.DOTALL)
    ]


@pytest.mark.parametrize(("part", "text"), examples())
def test_the_examples_on_the_page(part: str, text: str) -> None:
    rows = dict.fromkeys(re.findall(r"^(Memory-\w+): (.*)$", text.replace("PARENT", PARENT), re.MULTILINE))
    op = next(value for key, value in rows if key == "Memory-Op")
    values = [value for key, value in rows if key == "Memory-Removed"]
    assert bool(said(op, values)) is (part == "Bad")


def test_the_page_shows_both() -> None:
    assert {part for part, _text in examples()} == {"Bad", "Good"}


# -------------------------------------------------------------------- the proof


@pytest.mark.parametrize("op", ["consolidate", "archive"])
def test_upkeep_names_every_entry(op: str) -> None:
    assert said(op, []) == [LOST]
    assert said(op, [LINE]) == []


@pytest.mark.parametrize("op", ["write", "restore", "merge", "adopt", "policy", "anything"])
def test_other_operations_need_not(op: str) -> None:
    assert said(op, []) == []
    assert said(op, [LINE]) == []


@pytest.mark.parametrize(
    "after",
    [
        pytest.param({**AFTER, ARCHIVE: f"## Infrastructure\n\n- The wiki runs on node three behind the proxy {TAG}\n"}, id="archived"),
        pytest.param({**AFTER, "memory/a.md": f"# A {TAG}\n\n- The wiki runs on node three behind the proxy\n"}, id="offloaded"),
        pytest.param({"MEMORY.md": BEFORE["MEMORY.md"].replace("-->", "\u26a0\ufe0f stale -->")}, id="marked stale"),
        pytest.param({"MEMORY.md": BEFORE["MEMORY.md"].replace("- Node-2 is online\n", "") + "- Node-2 is online\n"}, id="another order"),
    ],
)
def test_what_is_elsewhere_needs_no_line(after: Mapping[str, str]) -> None:
    assert said("consolidate", [], after=after) == []


def test_a_twin_that_stays_needs_no_line() -> None:
    before = {"MEMORY.md": BEFORE["MEMORY.md"] + "- **The wiki runs on node three behind the proxy.**\n"}
    assert said("consolidate", [], before=before, after=BEFORE) == []
    elsewhere = Repository({"memory/a.md": f"- The wiki runs on node three behind the proxy {TAG}\n"})
    assert said("consolidate", [], lookup=elsewhere) == []
    lower = Repository({"memory/a.md": "- The wiki runs on node three behind the proxy <!-- src:web ts:2026-06-05 -->\n"})
    assert said("consolidate", [], lookup=lower) == [LOST]


def test_a_fact_that_becomes_another_is_lost() -> None:
    after = {"MEMORY.md": BEFORE["MEMORY.md"].replace("node three", "node four")}
    assert said("consolidate", [], after=after) == [LOST]
    assert said("consolidate", [LINE], after=after) == []
    assert said("write", [], after=after) == []


def test_a_line_covers_what_it_names_and_no_more() -> None:
    assert said("consolidate", [f"- history {PARENT}:MEMORY.md#L5-L6"], after={"MEMORY.md": "# Memory\n"}) == []
    assert said("consolidate", [f"- history {PARENT}:MEMORY.md#L5-L5"], after={"MEMORY.md": "# Memory\n"}) == [LOST]


def test_one_finding_for_what_left_one_block() -> None:
    found = findings(scene("consolidate", [], after={"MEMORY.md": "# Memory\n"}), "HG703")
    assert [(f.path, f.line, f.end_line, f.block, f.severity, f.hint) for f in found] == [
        ("MEMORY.md", 5, 0, "infrastructure", "error", HINT)
    ]
    assert found[0].message == "2 entries leave the memory, and neither a file nor a Memory-Removed line has them"


def test_a_missing_message_is_not_this_rules() -> None:
    assert findings(change_scene(BEFORE, AFTER), "HG703") == []
    assert said("consolidate", [], complete=False) == []


# -------------------------------------------------------------------- the lines


def test_the_older_form_stays_valid() -> None:
    values = [f"- history {PARENT}:MEMORY.md#L5-L5", LINE]
    lookup = Repository()
    assert said("write", values, after={"MEMORY.md": "# Memory\n"}, lookup=lookup) == []
    assert lookup.asked == [], "what the trees call for is not looked up"
    assert said("consolidate", values, after={"MEMORY.md": "# Memory\n"}) == []


def test_the_older_form_of_a_move_with_an_edit_stays_valid() -> None:
    after = {**AFTER, "memory/a.md": f"# A {TAG}\n\n- The wiki runs on node four behind the proxy\n"}
    assert said("write", ["- offload memory/a.md"], after=after) == []
    assert said("consolidate", ["- offload memory/a.md"], after=after) == [LOST], "it is not a lie, but it proves nothing"


def test_an_earlier_commit_that_had_the_words() -> None:
    older = "9" * 40
    lookup = Repository(commits={older: {"MEMORY.md": "# M\n- The wiki runs on node three behind the proxy\n"}})
    assert said("consolidate", [f"- history {older}:MEMORY.md#L2-L2"], lookup=lookup) == []
    assert len(said("write", [f"- history {older}:MEMORY.md#L1-L1"], lookup=lookup)) == 1


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (f"- archive {ARCHIVE}", "names a file that is no archive after the change"),
        ("- offload memory/a.md", "names a file that is no active memory after the change"),
        ("- offload MEMORY.md", "names a file that does not hold what left"),
        ("- duplicate k3f9q2", "names a twin that is not there"),
        (f"- history {PARENT}:MEMORY.md#L1-L3", "names lines that do not hold what left"),
        (f"- history {PARENT}:MEMORY.md#L6-L99", "names lines that no commit before this one has"),
        (f"- history {'8' * 40}:MEMORY.md#L6-L6", "names lines that no commit before this one has"),
        ("somewhere", "is not of the form that says where an entry went"),
    ],
)
@pytest.mark.parametrize("op", ["write", "consolidate"])
def test_a_line_that_is_not_so(op: str, value: str, problem: str) -> None:
    assert said(op, [LINE, value]) == [("", 0, f"Memory-Removed line 2 of 2 {problem}")]


def test_a_false_line_proves_nothing() -> None:
    assert [message for _path, _line, message in said("consolidate", ["- duplicate k3f9q2"])] == [
        "Memory-Removed line 1 of 1 names a twin that is not there",
        LOST[2],
    ]


def test_what_is_not_printable_reaches_no_message() -> None:
    found = said("write", ["- offload \u202ememory/\x1b[2J.md", "\u200b"])
    assert len(found) == 2
    assert all(message.isprintable() and message.isascii() for _path, _line, message in found)
