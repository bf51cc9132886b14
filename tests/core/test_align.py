"""What changed between two snapshots: the examples that people argue about, and laws that hold for any two."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoard_git.core.align import Change, Side, Unit, core_text, find_changes, touched_lines, units
from hoard_git.core.files import classify, file_default
from hoard_git.core.markdown import parse
from hoard_git.core.policy import DEFAULT
from hoard_git.core.provenance import Provenance
from tests.support.effort import count_calls

Files = Mapping[str, str]

USER = "<!-- src:user ts:2026-01-10 -->"
AGENT = "<!-- src:agent ts:2026-06-01 -->"
WEB = "<!-- src:web ts:2026-06-01 -->"


def sides(files: Files) -> list[Side]:
    found = []
    for path, text in files.items():
        file_class = classify(path, DEFAULT)
        found.append(Side(path, file_class, parse(text.encode()), file_default(path, file_class, DEFAULT)))
    return found


def changes(before: Files | str, after: Files | str) -> list[Change]:
    old = {"MEMORY.md": before} if isinstance(before, str) else before
    new = {"MEMORY.md": after} if isinstance(after, str) else after
    return find_changes(sides(old), sides(new))


def kinds(before: Files | str, after: Files | str) -> list[tuple[str, ...]]:
    return [(change.kind, *change.also) for change in changes(before, after)]


def test_nothing_changes() -> None:
    assert kinds("# M\n- a\n- b\n", "# M\n- a\n- b\n") == []


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("- a fact\n", "- a fact\n- more of it\n", [("add",)]),
        ("- a fact\n- more of it\n", "- a fact\n", [("remove",)]),
        (f"- one old fact {AGENT}\n", f"- one new fact {AGENT}\n", [("edit",)]),
        (f"- one {WEB}\n", f"- one {AGENT}\n", [("retag",)]),
        (f"- one {AGENT}\n", f"- one {AGENT.replace('06-01', '06-02')}\n", [("retime",)]),
        (f"- one {AGENT}\n", f"- one {AGENT.replace(' -->', ' ttl:1y -->')}\n", [("retime",)]),
        (f"- one {AGENT}\n", f"- one {AGENT.replace(' -->', ' ⚠️ stale -->')}\n", [("retime",)]),
        (f"- one {AGENT}\n", f"- one {AGENT.replace(' -->', ' ev:page.example -->')}\n", [("retag",)]),
        (f"- one old fact {WEB}\n", f"- one new fact {AGENT}\n", [("retag", "edit")]),
        ("- a fact\n", "-  a fact\n", [("edit",)]),
        ("- [ ] a fact\n", "- [x] a fact\n", [("edit",)]),
        ("- one thing\n- two things\n", "- two things\n- one thing\n", []),
        ("## A\n- one\n## B\n- two\n", "## B\n- two\n## A\n- one\n", []),
        ("## A\n- one\n## B\n- two\n", "## A\n## B\n- two\n- one\n", [("move",)]),
        ("## A\n- one\n- two\n", "## A renamed\n- one\n- two\n", [("edit",)]),
        ("## A\n- one\n- two\n", "### A\n- one\n- two\n", [("edit",)]),
        ("- a\n- b\n", "- a\r\n- b\r\n", []),
        ("# M\r\n\r\n- a\r\n  b\r\n", "# M\n\n- a\n  b\n", []),
        ("- a\n", "- a", []),
        ("", "- a\n", [("add",)]),
    ],
)
def test_one_file(before: str, after: str, expected: list[tuple[str, ...]]) -> None:
    assert kinds(before, after) == expected


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_deleted_heading_gives_its_entries_to_the_one_above(ending: str) -> None:
    before = f"## User {USER}\n- a fact\n\n## Agent {AGENT}\n- b fact\n".replace("\n", ending)
    after = f"## User {USER}\n- a fact\n\n- b fact\n".replace("\n", ending)
    found = changes(before, after)
    assert [(change.kind, change.also, change.unit.text) for change in found] == [
        ("remove", (), "## Agent"),
        ("move", ("retag", "retime"), "- b fact"),
    ]
    assert found[1].before is not None
    assert found[1].after is not None
    assert (found[1].before.provenance.src, found[1].after.provenance.src) == ("agent", "user")


def test_a_retagged_heading_retags_what_has_no_tag_of_its_own() -> None:
    found = changes(f"## N {WEB}\n- a\n- b {AGENT}\n", f"## N {AGENT}\n- a\n- b {AGENT}\n")
    assert [(change.kind, change.unit.text) for change in found] == [("retag", "## N"), ("retag", "- a")]


def test_a_heading_of_like_words_is_followed_under_another_one() -> None:
    before = "# P\n\n## Alpha beta gamma\n- one two three\n\n# Q\n\n- q\n"
    after = "# P\n\n# Q\n\n- q\n\n## Alpha beta delta\n- sun moon star\n"
    assert [(change.kind, change.also, change.unit.text) for change in changes(before, after)] == [
        ("move", ("edit",), "## Alpha beta delta"),
        ("add", (), "- sun moon star"),
        ("remove", (), "- one two three"),
    ]


def test_headings_of_one_name_are_told_apart_by_what_they_hold() -> None:
    before = "## Log\n- early\n- bird\n## Log\n- late\n- owl\n"
    assert kinds(before, "## Log\n- late\n- owl\n") == [("remove",), ("remove",), ("remove",)]
    assert kinds(before, "## Log\n- late\n- owl\n- more\n") == [("remove",), ("add",), ("remove",), ("remove",)]


def test_headings_of_one_name_are_told_apart_by_their_tags() -> None:
    found = changes(f"## Notes {USER}\n## Notes {AGENT}\n", f"## Notes {AGENT}\n")
    assert [(c.kind, c.unit.provenance.src) for c in found] == [("remove", "user")]


def test_of_two_equal_entries_the_one_with_the_same_claim_stays() -> None:
    found = changes(f"- same words {USER}\n- same words {AGENT}\n", f"- same words {AGENT}\n")
    assert [(c.kind, c.unit.provenance.src) for c in found] == [("remove", "user")]


def test_an_id_follows_an_entry_whose_words_are_all_new() -> None:
    tag = "<!-- src:agent ts:2026-06-01 id:k3f9q2 -->"
    assert kinds(f"- alpha beta {tag}\n", f"- gamma delta {tag}\n") == [("edit",)]


def test_unlike_texts_are_a_removal_and_an_addition() -> None:
    assert kinds("- alpha beta gamma\n", "- delta epsilon zeta\n") == [("add",), ("remove",)]


def test_a_move_between_files_with_its_heading_is_carried() -> None:
    before = {"MEMORY.md": f"# M\n## R {USER}\n- a\n- b\n", "memory/r.md": "# R\n"}
    after = {"MEMORY.md": "# M\n", "memory/r.md": f"# R\n## R {USER}\n- a\n- b\n"}
    found = changes(before, after)
    assert [(c.kind, c.also, c.unit.text, c.carried) for c in found] == [
        ("move", (), "## R", False),
        ("move", (), "- a", True),
        ("move", (), "- b", True),
    ]


def test_a_renamed_file_is_carried_as_a_whole_and_its_edit_is_seen() -> None:
    before = {"memory/x.md": f"- one thing {USER}\n- two things {USER}\n- a third fact {USER}\n"}
    after = {"memory/y.md": f"- one thing {USER}\n- two things {USER}\n- a third fiction {USER}\n"}
    found = changes(before, after)
    assert [(c.kind, c.also, c.carried) for c in found] == [("move", (), True), ("move", (), True), ("move", ("edit",), True)]


def test_archive_and_restore() -> None:
    here, there = {"MEMORY.md": f"- one thing {WEB}\n"}, {"memory/archive/2026-06-01.md": f"- one thing {WEB}\n"}
    assert kinds(here, there) == [("archive", "move")]
    assert kinds(there, here) == [("restore", "move")]


def test_an_unclosed_fence_swallows_what_follows() -> None:
    found = kinds("- a fact here\n- b was there\n", "```\n- a fact here\n- b was there\n")
    assert ("remove",) in found
    assert len(found) >= 2


def test_text_of_scripts_without_spaces_is_compared_by_pairs_of_characters() -> None:
    assert kinds("- 服务器每天晚上备份数据\n", "- 服务器每天早上备份数据\n") == [("edit",)]


@pytest.mark.parametrize(
    ("text", "core"),
    [
        ("- a  fact\n  goes on", "a fact goes on"), ("* [ ] a fact", "a fact"), ("1. [x] a fact", "a fact"), ("  12) a fact", "a fact"),
        ("\u2022 a fact", "a fact"), ("## A title", "A title"), ("> quoted", "quoted"), ("plain words", "plain words"), ("-", "-"), ("", ""),
        ("-no marker", "-no marker"), ("- - a", "- a"), ("1234567890. a", "1234567890. a"), ("- [x]", "[x]"), ("####### a", "####### a"),
    ],
)  # fmt: skip
def test_core_text(text: str, core: str) -> None:
    unit = Unit("MEMORY.md", "index", "item", 1, 1, text, "", Provenance(), 0, -1)
    assert core_text(unit) == core


def test_a_change_has_a_side() -> None:
    with pytest.raises(ValueError, match="at least one side"):
        _ = Change("add", None, None).unit


def test_touched_lines() -> None:
    before = {"a.md": parse(b"one\ntwo\nthree\n"), "b.md": parse(b"four\n")}
    after = {"a.md": parse(b"one\nnew\nfour\n"), "c.md": parse(b"two\r\nfive\r\n")}
    assert touched_lines(before, after) == {"a.md": frozenset({2}), "c.md": frozenset({2})}


def test_a_line_end_alone_touches_no_line() -> None:
    assert touched_lines({"a": parse(b"one\ntwo\n")}, {"a": parse(b"one\r\ntwo\r\n")}) == {"a": frozenset()}


# ---------------------------------------------------------------- laws

WORDS = st.sampled_from(["alpha", "beta", "gamma", "node", "port 80", "\u670d\u52a1\u5668", ""])
TAGS = st.sampled_from(["", "", f" {USER}", f" {AGENT}", f" {WEB}", " <!-- src:web ts:2026-06-01 id:abc123 -->"])
LINES = st.one_of(
    st.builds(lambda level, title, tag: f"{'#' * level} {title}{tag}", st.integers(1, 3), st.sampled_from(["A", "B", "Log"]), TAGS),
    st.builds(lambda indent, words, more, tag: f"{indent}- {words} {more}{tag}", st.sampled_from(["", "  "]), WORDS, WORDS, TAGS),
    st.sampled_from(["", "plain words", "| a | b |", "|---|---|", "```", "> quoted", "---", "Title\n===", "<!-- note -->"]),
)
TEXTS = st.lists(LINES, max_size=14).map("\n".join)
TREES = st.dictionaries(
    st.sampled_from(["MEMORY.md", "memory/a.md", "memory/2026-06-01.md", "memory/archive/x.md", "SOUL.md"]), TEXTS, max_size=3
)

Key = tuple[str, bool, int]


def keys(tree: Files) -> Counter[Key]:
    found = [unit for side in sides(tree) for group in units(side) for unit in group]
    return Counter((unit.path, unit.is_heading, unit.index) for unit in found)


def key(unit: Unit) -> Key:
    return unit.path, unit.is_heading, unit.index


@given(TREES)
def test_law_a_snapshot_does_not_differ_from_itself(tree: Files) -> None:
    assert find_changes(sides(tree), sides(tree)) == []


@given(TREES, TREES)
@settings(max_examples=300)
def test_law_every_unit_is_in_one_change_or_unchanged(before: Files, after: Files) -> None:
    found = find_changes(sides(before), sides(after))
    olds = Counter(key(c.before) for c in found if c.before is not None)
    news = Counter(key(c.after) for c in found if c.after is not None)
    assert all(count == 1 for count in (*olds.values(), *news.values()))
    assert not olds - keys(before)
    assert not news - keys(after)
    removed = sum(c.after is None for c in found)
    added = sum(c.before is None for c in found)
    # What is neither removed nor added is paired, one to one.
    assert keys(before).total() - removed == keys(after).total() - added
    assert all(c.kind == ("remove" if c.after is None else "add" if c.before is None else c.kind) for c in found)
    assert all(not {c.kind, *c.also} & {"add", "remove"} for c in found if c.before is not None and c.after is not None)


@given(TREES, TREES)
@settings(max_examples=300)
def test_law_there_and_back_count_the_same(before: Files, after: Files) -> None:
    there, back = find_changes(sides(before), sides(after)), find_changes(sides(after), sides(before))
    turned = {"add": "remove", "remove": "add", "archive": "restore", "restore": "archive"}
    assert Counter(turned.get(c.kind, c.kind) for c in there) == Counter(c.kind for c in back)


@given(TREES, TREES)
def test_law_the_units_of_a_change_are_those_of_the_files(before: Files, after: Files) -> None:
    old = {key(unit): unit for side in sides(before) for group in units(side) for unit in group}
    new = {key(unit): unit for side in sides(after) for group in units(side) for unit in group}
    for change in find_changes(sides(before), sides(after)):
        assert change.before is None or old[key(change.before)] == change.before
        assert change.after is None or new[key(change.after)] == change.after


@given(TREES, TREES)
def test_law_the_order_of_the_files_does_not_matter(before: Files, after: Files) -> None:
    assert find_changes(sides(before), sides(after)) == find_changes(sides(before)[::-1], sides(after)[::-1])


@given(TEXTS)
def test_law_line_ends_are_no_change(text: str) -> None:
    assert kinds(text, text.replace("\n", "\r\n")) == []


# ---------------------------------------------------------------- size


def _memory(entries: int) -> str:
    lines = ["# MEMORY.md"]
    for number in range(entries):
        if number % 12 == 0:
            lines.append(f"\n## Section {number} {AGENT}\n")
        lines.append(f"- {number} the node of rack {number % 7} answers on port {number % 91}")
    return "\n".join(lines) + "\n"


@pytest.mark.slow
@pytest.mark.parametrize("flat", [False, True])
def test_a_long_file_is_compared_in_linear_time(flat: bool) -> None:
    spent = []
    for entries in (10_000, 40_000):
        text = _memory(entries)
        if flat:
            text = "".join(line + "\n" for line in text.split("\n") if line.startswith("- "))
        other = text.replace("- 500 the", "- 500 a").replace(f"- {entries - 1} the", "- one more: the")
        before, after = sides({"MEMORY.md": text}), sides({"MEMORY.md": other})
        found: list[Change] = []
        spent.append(count_calls(lambda before=before, after=after, found=found: found.extend(find_changes(before, after)))[0])  # type: ignore[misc]
        assert [change.kind for change in found] == ["edit", "edit"]
    # Four times the entries; a quadratic step would make sixteen times as many calls.
    assert spent[1] < 5 * spent[0] + 1000, spent


def test_a_rewritten_file_does_not_compare_every_pair() -> None:
    calls = []
    for size in (1000, 2000, 4000):
        before = "".join(f"- alpha {number} beta\n" for number in range(size))
        after = "".join(f"- gamma {number} delta epsilon\n" for number in range(size))
        calls.append(count_calls(lambda before=before, after=after: kinds(before, after))[0])  # type: ignore[misc]
    assert calls[2] - calls[1] < 2.5 * (calls[1] - calls[0]), calls
