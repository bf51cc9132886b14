"""HG309 and HG314: what was taken away and comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from hoard_git.lint.scene import FileView, NoLookup, Past
from tests.support.scenes import Files, change_scene, findings, view

FACT = "- The deploy key of the shop is K1"
CORE = "The deploy key of the shop is K1"


class Memory(NoLookup):
    """Unchanged files and a history, as a rule may ask for them."""

    def __init__(self, past: Mapping[str, Past] | None = None, files: Mapping[str, str] | None = None) -> None:
        self.known = past
        self.files = files or {}

    def views_with(self, needles: Sequence[str]) -> list[FileView]:
        return [view(path, text) for path, text in self.files.items() if any(needle in text for needle in needles)]

    def past(self, texts: Sequence[str]) -> Mapping[str, Past] | None:
        return None if self.known is None else {text: self.known[text] for text in texts if text in self.known}


def tag(source: str, ts: str = "2026-06-15") -> str:
    return f" <!-- src:{source} ts:{ts} -->" if source else ""


def said(code: str, before: Files | str, after: Files | str, lookup: Memory | None = None, actor: str = "agent") -> list[str]:
    old = {"MEMORY.md": before} if isinstance(before, str) else before
    new = {"MEMORY.md": after} if isinstance(after, str) else after
    return [finding.message for finding in findings(change_scene(old, new, actor=actor, lookup=lookup), code)]


GONE = {CORE: Past("user", user_gone=True, retired=True, commit="abcdef0123456789" + "0" * 24)}

# ---------------------------------------------------------------- HG309


@pytest.mark.parametrize("source", ["user", "agent", "tool", "web", "dig", ""])
def test_a_users_old_words_under_any_source(source: str) -> None:
    found = said("HG309", "# M\n", f"# M\n{FACT}{tag(source)}\n", Memory(GONE))
    assert found == ["agent brings back what a user took away (commit abcdef012345)"]


def test_by_an_edit() -> None:
    current = f"- The deploy key of the shop is K2{tag('user')}\n"
    assert len(said("HG309", current, current.replace("K2", "K1"), Memory(GONE))) == 1


@pytest.mark.parametrize("shape", ["* {}", "1. {}", "- [ ] {}", "  - {}", "{}", "-   {}"])
def test_in_any_shape(shape: str) -> None:
    assert len(said("HG309", "# M\n", f"# M\n{shape.format(CORE)}{tag('agent')}\n", Memory(GONE))) == 1


def test_short_words_of_the_user_count_as_well() -> None:
    known = {"Use tabs": GONE[CORE]}
    assert len(said("HG309", "# M\n", f"# M\n- Use tabs{tag('agent')}\n", Memory(known))) == 1


@pytest.mark.parametrize(("words", "found"), [("**Example:**", 0), ("Example:", 0), ("K1", 1), ("Never deploy on Fridays:", 1)])
def test_a_label_says_nothing(words: str, found: int) -> None:
    core = words.strip("*")
    gone = {key: Past("user", user_gone=True, retired=True, commit="ab" * 20) for key in (core, words)}
    assert len(said("HG309", "# M\n", f"# M\n\n{words}\n", Memory(gone))) == found


@pytest.mark.parametrize(
    "memory",
    [
        Memory(None),
        Memory({}),
        Memory({CORE: Past("agent", user_gone=False, retired=True, commit="a" * 40)}),
        Memory({"other words": GONE[CORE]}),
    ],
)
def test_silent_without_history_or_a_users_past(memory: Memory) -> None:
    assert said("HG309", "# M\n", f"# M\n{FACT}{tag('agent')}\n", memory) == []


def test_what_only_moves_or_gets_a_tag_is_not_brought_in() -> None:
    assert said("HG309", f"## A\n{FACT}\n## B\n", f"## A\n## B\n{FACT}{tag('agent')}\n", Memory(GONE)) == []


def test_a_human_may_bring_it_back() -> None:
    assert said("HG309", "# M\n", f"# M\n{FACT}{tag('user')}\n", Memory(GONE), "human") == []


# ---------------------------------------------------------------- HG314

ARCHIVE = "memory/archive/2026-05-01.md"
OLD = f"{FACT}{tag('web', '2026-02-01')}\n"


@pytest.mark.parametrize(("ts", "found"), [("2026-02-01", 0), ("2026-01-01", 0), ("2026-02-02", 1), ("2026-06-15", 1), ("unknown", 1)])
def test_out_of_the_archive_with_a_newer_date(ts: str, found: int) -> None:
    after = {"MEMORY.md": f"# M\n{FACT}{tag('web', ts)}\n"}
    assert len(said("HG314", {ARCHIVE: OLD, "MEMORY.md": "# M\n"}, after)) == found


def test_an_undated_entry_has_no_older_date() -> None:
    before = {ARCHIVE: f"{FACT}{tag('web', 'unknown')}\n", "MEMORY.md": "# M\n"}
    assert said("HG314", before, {"MEMORY.md": f"# M\n{FACT}{tag('web')}\n"}) == []


def test_one_finding_for_a_restored_heading() -> None:
    heading = "## Mirrors <!-- src:web ts:{} -->\n- one\n- two\n- three\n"
    before = {ARCHIVE: heading.format("2026-02-01"), "MEMORY.md": "# M\n"}
    assert said("HG314", before, {"MEMORY.md": "# M\n" + heading.format("2026-06-15")}) == [
        "archived content is active again with a newer date"
    ]


@pytest.mark.parametrize("inside", [True, False])
def test_a_copy_of_what_lies_in_the_archive(inside: bool) -> None:
    base = {"MEMORY.md": "# M\n", **({ARCHIVE: OLD} if inside else {})}
    memory = Memory(files={} if inside else {ARCHIVE: OLD})
    other = {ARCHIVE: OLD + "- x\n"} if inside else {}
    fresh = {**base, **other, "MEMORY.md": f"# M\n{FACT}{tag('web')}\n"}
    assert said("HG314", base, fresh, memory) == [f"these words lie in the archive ({ARCHIVE} line 1)"]
    kept = {**base, **other, "MEMORY.md": f"# M\n{FACT}{tag('web', '2026-02-01')}\n"}
    assert said("HG314", base, kept, memory) == []


def test_words_that_were_active_as_well_are_not_brought_back() -> None:
    memory = Memory(files={ARCHIVE: OLD, "memory/a.md": OLD})
    assert said("HG314", "# M\n", f"# M\n{FACT}{tag('web')}\n", memory) == []


def test_generic_words_are_not_recognised() -> None:
    memory = Memory(files={ARCHIVE: f"- all is well{tag('web')}\n"})
    assert said("HG314", "# M\n", f"# M\n- all is well{tag('web')}\n", memory) == []


@pytest.mark.parametrize(("ts", "found"), [("2026-06-15", 1), ("2026-06-14", 1), ("unknown", 1), ("2026-02-01", 0)])
def test_what_history_knows_as_retired(ts: str, found: int) -> None:
    known = {CORE: Past("web", user_gone=False, retired=True, commit="a" * 40)}
    assert len(said("HG314", "# M\n", f"# M\n{FACT}{tag('web', ts)}\n", Memory(known))) == found


def test_what_history_knows_as_alive() -> None:
    known = {CORE: Past("web", user_gone=False, retired=False, commit="a" * 40)}
    assert said("HG314", "# M\n", f"# M\n{FACT}{tag('web')}\n", Memory(known)) == []


def test_additions_to_the_archive_are_its_own_business() -> None:
    known = {CORE: Past("web", user_gone=False, retired=True, commit="a" * 40)}
    assert said("HG314", {ARCHIVE: "# A\n"}, {ARCHIVE: f"# A\n{OLD}"}, Memory(known)) == []


def test_a_human_may_revive() -> None:
    assert said("HG314", {ARCHIVE: OLD}, {"MEMORY.md": f"{FACT}{tag('web')}\n"}, actor="human") == []
