"""Who may do what: actor x operation x source -> the codes of the trust gate (docs: who may change what)."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from hoard_git.core.model import SOURCES
from tests.support.scenes import change_scene, codes

GATE = tuple(f"HG3{number:02}" for number in range(1, 15))
ARCHIVE = "memory/archive/2026-06-15.md"


Tree = dict[str, str]


class Operation(NamedTuple):
    """One thing that can be done to an entry of a source; `%s` is the source."""

    before: Tree
    after: Tree


def _one(before: str, after: str) -> Operation:
    return Operation({"MEMORY.md": "# M\n" + before}, {"MEMORY.md": "# M\n" + after})


ENTRY = "- the queue runs on node two <!-- src:%s ts:2026-06-01 -->\n"
OPERATIONS = {
    "add": _one("", ENTRY),
    "edit": _one(ENTRY, ENTRY.replace("two", "three")),
    "delete": _one(ENTRY, ""),
    "split": _one(ENTRY, "- the queue runs <!-- src:%s ts:2026-06-01 -->\n" + ENTRY.replace("the queue runs ", "")),
    "lower": _one(ENTRY, ENTRY.replace(" <!-- src:%s ts:2026-06-01 -->", "")),
    "re-date": _one(ENTRY, ENTRY.replace("06-01", "06-10")),
    "lengthen": _one(ENTRY, ENTRY.replace(" -->", " ttl:9y -->")),
    "shorten": _one(ENTRY, ENTRY.replace(" -->", " ttl:1d -->")),
    "reorder": _one("- x\n" + ENTRY, ENTRY + "- x\n"),
    "move to another heading": _one("## A\n" + ENTRY + "## B\n", "## A\n## B\n" + ENTRY),
    "move with its heading": Operation(
        {"MEMORY.md": "# M\n## A <!-- src:%s ts:2026-06-01 -->\n- the queue\n", "memory/a.md": "# A\n"},
        {"MEMORY.md": "# M\n", "memory/a.md": "# A\n## A <!-- src:%s ts:2026-06-01 -->\n- the queue\n"},
    ),
    "archive": Operation({"MEMORY.md": "# M\n" + ENTRY}, {"MEMORY.md": "# M\n", ARCHIVE: ENTRY}),
    "restore": Operation({ARCHIVE: ENTRY, "MEMORY.md": "# M\n"}, {"MEMORY.md": "# M\n" + ENTRY}),
    "restore with a new date": Operation({ARCHIVE: ENTRY, "MEMORY.md": "# M\n"}, {"MEMORY.md": "# M\n" + ENTRY.replace("06-01", "06-15")}),
}

# What an agent gets for each operation: on a user's entry, on an agent's or tool's, on one from the web or a dig.
AGENT = {
    "add": ("HG301", "", ""),
    "edit": ("HG301", "", ""),
    "delete": ("HG301", "", ""),
    "split": ("HG301", "", ""),
    "lower": ("HG301", "", ""),
    "re-date": ("HG301", "HG306", "HG306"),
    "lengthen": ("HG301", "HG306", "HG305 HG306"),
    "shorten": ("HG301", "", ""),
    "reorder": ("", "", ""),
    "move to another heading": ("HG301", "", ""),
    "move with its heading": ("", "", ""),
    "archive": ("HG301", "", ""),
    "restore": ("HG301", "", ""),
    "restore with a new date": ("HG301 HG314", "HG306 HG314", "HG306 HG314"),
}
COLUMN = {"user": 0, "agent": 1, "tool": 1, "web": 2, "dig": 2}

# A raise from one source to another by an agent, and by inheritance.
RAISES = {(low, high): SOURCES.index(high) < SOURCES.index(low) for low in SOURCES for high in SOURCES if low != high}


def judged(operation: Operation, source: str, actor: str) -> set[str]:
    before = {path: text.replace("%s", source) for path, text in operation.before.items()}
    after = {path: text.replace("%s", source) for path, text in operation.after.items()}
    return set(codes(change_scene(before, after, actor=actor), *GATE))


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", OPERATIONS)
def test_what_an_agent_may_do(name: str, source: str) -> None:
    assert judged(OPERATIONS[name], source, "agent") == set(AGENT[name][COLUMN[source]].split())


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_human_may_do_all_of_it(name: str, source: str) -> None:
    assert judged(OPERATIONS[name], source, "human") == set()


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_tool_may_do_none_of_it(name: str, source: str) -> None:
    assert "HG303" in judged(OPERATIONS[name], source, "tool")


@pytest.mark.parametrize(("low", "high"), RAISES)
@pytest.mark.parametrize("actor", ["agent", "tool", "human"])
def test_a_source_only_falls(low: str, high: str, actor: str) -> None:
    before, after = (f"- the queue runs on node two <!-- src:{source} ts:2026-06-01 -->\n" for source in (low, high))
    found = set(codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": after}, actor=actor), "HG301", "HG302", "HG304"))
    expected = "" if actor == "human" else "HG301" if low == "user" else "HG302" if RAISES[low, high] else ""
    assert found == set(expected.split())


@pytest.mark.parametrize(("low", "high"), RAISES)
def test_a_source_only_falls_under_another_heading(low: str, high: str) -> None:
    heads = {source: f"## {source} <!-- src:{source} ts:2026-06-01 -->\n" for source in (low, high)}
    before = f"{heads[high]}- x\n{heads[low]}- the queue runs on node two\n"
    after = f"{heads[high]}- x\n- the queue runs on node two\n{heads[low]}"
    found = set(codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": after}), "HG301", "HG302", "HG304"))
    expected = "HG301" if low == "user" else "HG304" if RAISES[low, high] else ""
    assert found == set(expected.split())
