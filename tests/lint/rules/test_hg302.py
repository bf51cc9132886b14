"""HG302: a source that rises, by a retag, by a copy, or compared with history."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

import pytest

from hoard_git.core.model import RANK, SOURCES
from hoard_git.lint.scene import FileView, NoLookup, Past, Scene
from tests.support.scenes import Files, change_scene, codes, findings, view


class Memory(NoLookup):
    """Unchanged files and a history, as a rule may ask for them; notes what it was asked."""

    def __init__(self, files: Mapping[str, str] | None = None, past: Mapping[str, Past] | None = None) -> None:
        self.files = files or {}
        self.known = past
        self.needles: list[Sequence[str]] = []

    def paths(self) -> Collection[str]:
        return list(self.files)

    def views_with(self, needles: Sequence[str]) -> list[FileView]:
        self.needles.append(needles)
        return [view(path, text) for path, text in self.files.items() if any(needle in text for needle in needles)]

    def past(self, texts: Sequence[str]) -> Mapping[str, Past] | None:
        return None if self.known is None else {text: self.known[text] for text in texts if text in self.known}


def tag(source: str, ts: str = "2026-06-01") -> str:
    return f" <!-- src:{source} ts:{ts} -->" if source else ""


def scene(before: Files | str, after: Files | str, lookup: Memory | None = None, actor: str = "agent") -> Scene:
    old = {"MEMORY.md": before} if isinstance(before, str) else before
    new = {"MEMORY.md": after} if isinstance(after, str) else after
    return change_scene(old, new, actor=actor, lookup=lookup)


def said(judged: Scene) -> list[str]:
    return [finding.message for finding in findings(judged, "HG302")]


@pytest.mark.parametrize("old", SOURCES)
@pytest.mark.parametrize("new", SOURCES)
def test_a_source_may_fall_and_never_rise(old: str, new: str) -> None:
    found = said(scene(f"# M\n- the mirror{tag(old)}\n", f"# M\n- the mirror{tag(new)}\n"))
    assert found == ([f"raises {old} to {new} (line 2)"] if RANK[new] > RANK[old] else [])


@pytest.mark.parametrize(("low", "high"), list(pairwise(reversed(SOURCES))))
def test_one_step_is_a_raise_even_with_new_words(low: str, high: str) -> None:
    assert len(said(scene(f"- the old mirror{tag(low)}\n", f"- the new mirror{tag(high)}\n"))) == 1


@pytest.mark.parametrize("source", ["agent", "tool", "web", "dig"])
def test_a_first_tag_is_no_raise(source: str) -> None:
    assert said(scene("- the mirror of packages is fast\n", f"- the mirror of packages is fast{tag(source)}\n")) == []


def test_a_first_tag_of_the_user_is_one() -> None:
    assert said(scene("- the mirror\n", f"- the mirror{tag('user')}\n")) == ["raises untagged to user (line 1)"]


def test_a_tool_vouches_for_less() -> None:
    assert said(scene("- the mirror\n", f"- the mirror{tag('agent')}\n", actor="tool")) == ["raises untagged to agent (line 1)"]


def test_a_human_may_raise() -> None:
    assert said(scene(f"- the mirror{tag('web')}\n", f"- the mirror{tag('user')}\n", actor="human")) == []


def test_headings_and_front_matter_carry_tags_of_their_own() -> None:
    assert said(scene(f"## A{tag('web')}\n- a\n", f"## A{tag('agent')}\n- a\n")) == ["raises web to agent (line 1)"]
    front = "---\nsrc: web\nts: 2026-06-01\n---\nwords\n"
    assert said(scene(front, front.replace("web", "agent"))) == ["raises web to agent (line 1)"]
    assert said(scene(f"# A{tag('web')}\n- a\n", f"# A{tag('agent')}\n- a\n")) == ["raises web to agent (line 1)"]


def test_the_line_in_another_file_is_named() -> None:
    before = {"memory/a.md": f"# A\n- the mirror is fast{tag('web')}\n", "MEMORY.md": "# M\n"}
    after = {"memory/a.md": "# A\n", "MEMORY.md": f"# M\n- the mirror is fast{tag('agent')}\n"}
    assert said(scene(before, after)) == ["raises web to agent (memory/a.md line 2)"]


# ---------------------------------------------------------------- copies

CORE = "The mirror for packages is pkg.fast.example"
FACT = f"- {CORE}"


@pytest.mark.parametrize(
    "copy",
    [
        FACT,
        FACT.upper(),
        FACT + ".",
        "* **The mirror for packages is pkg.fast.example**",
        "1. [ ] The  mirror for packages is pkg.fast.example",
    ],
)
def test_a_copy_under_a_higher_source_is_a_raise(copy: str) -> None:
    before = f"{FACT}{tag('web')}\n"
    assert said(scene(before, f"{before}\n## Notes\n{copy}{tag('agent')}\n")) == ["raises web to agent by a copy (line 1)"]


PLACES = [
    "| what | since |\n|---|---|\n| %s | May |",
    "| what |\n|---|\n| **%s.** |",
    "### %s",
    f"%s{tag('agent')}\n===",
    "- 10:30 %s",
    "- [10:30] %s",
    "- **10:30** \u2013 %s",
    "- 2026-06-15: %s",
    "- 2026-06-15 10:30 | %s",
    "- (2026-06-15T10:30) - %s.",
    "10:30:05 UTC %s",
]


@pytest.mark.parametrize("place", PLACES)
def test_a_copy_in_another_place_is_a_copy(place: str) -> None:
    before = f"{FACT}{tag('web')}\n\n## Notes{tag('agent')}\n"
    copy = place % CORE
    assert said(scene(before, f"{before}\n{copy}\n")) == ["raises web to agent by a copy (line 1)"]
    memory = Memory({"memory/links.md": f"# Links\n{FACT}{tag('web')}\n"})
    assert said(scene(f"## N{tag('agent')}\n", f"## N{tag('agent')}\n\n{copy}\n", memory)) == [
        "raises web to agent by a copy (memory/links.md line 2)"
    ]
    past = Memory(past={CORE: Past("web", user_gone=False, retired=True, commit="abcdef0123456789")})
    assert len(said(scene(f"## N{tag('agent')}\n", f"## N{tag('agent')}\n\n{copy}\n", past))) == 1


@pytest.mark.parametrize("place", PLACES[:2] + PLACES[4:])
def test_a_copy_out_of_another_place_is_a_copy(place: str) -> None:
    before = f"## Links{tag('web')}\n\n{place % CORE}\n\n## Notes{tag('agent')}\n"
    assert len(said(scene(before, f"{before}\n{FACT}\n"))) == 1


@pytest.mark.parametrize(
    "text", ["### Lessons", "- 10:30 done", "| a | b |\n|---|---|\n| Lessons | done |", "- 10:30 The mirror for packages is down"]
)
def test_what_is_short_or_says_something_else_is_no_copy(text: str) -> None:
    before = f"- Lessons{tag('web')}\n- done{tag('web')}\n{FACT}{tag('web')}\n\n## Notes{tag('agent')}\n"
    assert said(scene(before, f"{before}\n{text}\n")) == []


@pytest.mark.parametrize("source", ["agent", "tool"])
def test_a_copy_of_what_an_unchanged_file_holds(source: str) -> None:
    memory = Memory({"memory/links.md": f"# Links\n{FACT}{tag('web')}\n"})
    found = said(scene("# M\n", f"# M\n{FACT}{tag(source)}\n", memory))
    assert found == [f"raises web to {source} by a copy (memory/links.md line 2)"]
    assert memory.needles == [["The mirror for packages is pkg.fast.example"]]


def test_a_copy_that_inherits_its_source() -> None:
    memory = Memory({"memory/links.md": f"{FACT}{tag('web')}\n"})
    assert len(said(scene(f"## Notes{tag('agent')}\n", f"## Notes{tag('agent')}\n{FACT}\n", memory))) == 1


@pytest.mark.parametrize("source", ["web", "dig"])
def test_a_copy_at_the_same_or_a_lower_source_is_none(source: str) -> None:
    memory = Memory({"memory/links.md": f"{FACT}{tag('web')}\n"})
    assert said(scene("# M\n", f"# M\n{FACT}{tag(source)}\n", memory)) == []


def test_a_copy_of_untagged_words_is_a_first_tag() -> None:
    assert said(scene("# M\n", f"# M\n{FACT}{tag('agent')}\n", Memory({"memory/links.md": f"{FACT}\n"}))) == []


def test_nothing_is_gained_where_a_copy_of_that_source_stands_already() -> None:
    memory = Memory({"memory/a.md": f"{FACT}{tag('web')}\n", "memory/b.md": f"{FACT}{tag('agent')}\n"})
    assert said(scene("# M\n", f"# M\n{FACT}{tag('agent')}\n", memory)) == []


@pytest.mark.parametrize("text", ["- done", "- all is well", "- 8080"])
def test_generic_words_are_no_copy(text: str) -> None:
    memory = Memory({"memory/links.md": f"{text}{tag('web')}\n"})
    assert said(scene("# M\n", f"# M\n{text}{tag('agent')}\n", memory)) == []
    assert memory.needles == []


def test_an_edit_into_the_words_of_another_entry() -> None:
    before = f"{FACT}{tag('web')}\n\n## N\n- The mirror for packages is down{tag('agent')}\n"
    found = said(scene(before, before.replace("is down", "is pkg.fast.example")))
    assert found == ["raises web to agent by a copy (line 1)"]


def test_a_restore_keeps_the_archived_source() -> None:
    before = {"memory/archive/a.md": f"{FACT}{tag('web')}\n", "MEMORY.md": "# M\n"}
    assert said(scene(before, {"MEMORY.md": f"# M\n{FACT}{tag('web')}\n"})) == []
    assert said(scene(before, {"MEMORY.md": f"# M\n{FACT}{tag('agent')}\n"})) == ["raises web to agent (memory/archive/a.md line 1)"]


def test_nobody_is_asked_when_nothing_comes_in() -> None:
    memory = Memory()
    assert said(scene(f"{FACT}{tag('agent')}\n", "# M\n", memory)) == []
    assert memory.needles == []


# ---------------------------------------------------------------- history


def test_words_that_history_knows_from_a_lower_source() -> None:
    memory = Memory(past={CORE: Past("web", user_gone=False, retired=True, commit="abcdef0123456789")})
    for before in ("# M\n", f"# M\n{FACT}\n"):  # added anew, or left without a tag one commit ago
        found = said(scene(before, f"# M\n{FACT}{tag('agent')}\n", memory))
        assert found == ["raises web to agent: commit abcdef012345 knows these words from web"]


@pytest.mark.parametrize("lowest", ["", "agent", "user"])
def test_words_that_history_knows_from_nowhere_lower(lowest: str) -> None:
    memory = Memory(past={CORE: Past(lowest, user_gone=False, retired=True, commit="a" * 40)})
    assert said(scene("# M\n", f"# M\n{FACT}{tag('agent')}\n", memory)) == []


def test_a_local_hook_has_no_history() -> None:
    assert codes(scene("# M\n", f"# M\n{FACT}{tag('agent')}\n", Memory()), "HG302") == []


def test_a_heading_that_only_looks_another_way_brings_no_words() -> None:
    title, fact = "The mirror for packages is pkg.fast.example", "- The mirror for packages is pkg.fast.example"
    lookup = Memory(files={"memory/a.md": f"{fact}{tag('web')}\n"})
    old = f"## {title}{tag('agent')}\n"
    assert said(scene(old, old.replace(title, f"**{title}**"), lookup)) == []
    assert len(said(scene("# M\n", f"# M\n{old}", lookup))) == 1
