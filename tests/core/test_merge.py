"""The merge of single files: what becomes of additions, edits, deletions, tags, headings, order and bytes."""

from __future__ import annotations

import pytest

from hoard_git.core.markdown import parse
from hoard_git.core.merge import LARGEST, CannotMerge, merge
from hoard_git.core.provenance import provenances
from hoard_git.core.tags import Tag

BASE = """\
# Memory

## Preferences <!-- src:user ts:2026-06-01 -->

- Answers are short.
- Mail goes out on Tuesdays.

## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->

- Node-2 serves the wiki.
- Backups run at 03:30.
"""
NODE, BACKUP = "- Node-2 serves the wiki.\n", "- Backups run at 03:30.\n"


def both(base: str | None, one: str, other: str) -> str:
    """Merge in both directions, which has to give the same bytes."""
    old = None if base is None else base.encode()
    found = merge(old, one.encode(), other.encode())
    assert merge(old, other.encode(), one.encode()).data == found.data
    return found.data.decode()


def sources(text: str) -> dict[str, str]:
    document = parse(text.encode())
    return {e.text: p.src for e, p in zip(document.entries, provenances(document, None), strict=True)}


def test_one_side_alone() -> None:
    assert both(BASE, BASE, BASE + "- x\n") == BASE + "- x\n"
    assert both(BASE, BASE + "- x\n", BASE + "- x\n") == BASE + "- x\n"


def test_changes_at_different_places() -> None:
    one, other = BASE.replace(NODE, NODE + "- New one.\n"), BASE.replace("Tuesdays", "Mondays")
    assert both(BASE, one, other) == one.replace("Tuesdays", "Mondays")


def test_neighbouring_lines_are_no_conflict() -> None:
    one, other = BASE.replace("wiki.", "wiki and mail."), BASE.replace("03:30", "04:30")
    assert both(BASE, one, other) == one.replace("03:30", "04:30")


def test_the_same_addition_is_one() -> None:
    one, other = BASE + "- Red.\n- Blue.\n", BASE + "- Blue.\n- Green.\n"
    assert both(BASE, one, other) == BASE + "- Red.\n- Blue.\n- Green.\n"


def test_the_same_addition_is_one_where_a_side_takes_it_for_a_rewording() -> None:
    """On the second side the new entry stands where the like one stood, which was reworded and moved up."""
    tag = "<!-- src:user ts:2026-06-10 -->"
    base = f"# M\n\n- mail green wiki {tag}\n- queue red fast north mail {tag}\n- wiki port {tag}\n"
    one = f"# M\n\n- mail green wiki {tag}\n- queue red fast north mail {tag}\n- north queue red green {tag}\n- wiki port {tag}\n"
    other = f"# M\n\n- fast node {tag}\n- queue red fast north mail port {tag}\n- north queue red green {tag}\n- wiki port {tag}\n"
    merged = both(base, one, other)
    assert merged.count("- north queue red green ") == 1
    assert merged.count("- queue red fast north mail") == 1
    assert "- queue red fast north mail port " in merged


def test_a_deletion_against_nothing_and_against_an_edit() -> None:
    gone = BASE.replace(BACKUP, "")
    assert both(BASE, gone, BASE + "- x\n") == gone + "- x\n"
    assert both(BASE, gone, BASE.replace("03:30", "04:30")) == BASE.replace("03:30", "04:30")


def test_a_mark_of_age_does_not_undo_a_deletion() -> None:
    """Two clones consolidate on different days: one marks an entry as stale, the other has archived it by then."""
    base = BASE.replace("03:30.", "03:30. <!-- src:agent ts:2026-01-05 -->")
    stale = base.replace("2026-01-05 -->", "2026-01-05 ⚠️ stale -->")
    gone = BASE.replace(BACKUP, "")
    assert both(base, stale, gone + "- x\n") == gone + "- x\n"
    assert both(stale, base, gone + "- x\n") == base + "- x\n"  # somebody has taken the mark away: it holds still
    assert both(base, stale.replace("03:30", "04:30"), gone) == stale.replace("03:30", "04:30")


def test_a_deleted_heading_comes_back_for_what_was_added_under_it() -> None:
    head = BASE.partition("## Infrastructure")[0]
    assert both(BASE, head, BASE + "- x\n") == head + "## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->\n\n- x\n"


@pytest.mark.parametrize(
    ("one", "other", "kept", "by"),
    [
        ("- Backups run at 04:30. <!-- src:agent ts:2026-06-09 -->", "- Backups run at 05:30. <!-- src:user ts:2026-06-01 -->", 1, "trust"),
        ("- Backups run at 04:30. <!-- src:web ts:2026-06-09 -->", "- Backups run at 05:30. <!-- src:dig ts:2026-06-10 -->", 0, "trust"),
        ("- Backups run at 04:30. <!-- src:agent ts:2026-06-09 -->", "- Backups run at 05:30. <!-- src:agent ts:2026-06-08 -->", 0, "date"),
        ("- Backups run at 04:30. <!-- src:agent ts:unknown -->", "- Backups run at 05:30. <!-- src:agent ts:2026-06-08 -->", 1, "date"),
        ("- Backups run at 05:30.", "- Backups run at 04:30.", 1, "choice"),
    ],
)
def test_of_two_edits_the_more_trusted_then_the_newer_then_the_smaller(one: str, other: str, kept: int, by: str) -> None:
    texts = [BASE.replace(BACKUP, line + "\n") for line in (one, other)]
    assert both(BASE, *texts) == texts[kept]
    (lost,) = merge(BASE.encode(), texts[0].encode(), texts[1].encode()).lost
    assert lost.by == by
    assert lost.words == (other, one)[kept].partition(" <!--")[0]


def test_two_edits_that_have_nothing_in_common_both_stay() -> None:
    base = "- The old printer stands in the kitchen upstairs\n"
    one, other = base.replace("kitchen upstairs", "cellar now"), base.replace("The old printer stands", "A fridge hums")
    assert both(base, one, other) == "- A fridge hums in the kitchen upstairs\n- The old printer stands in the cellar now\n"


def test_two_edits_of_one_id_are_one_fact() -> None:
    line = "- {} <!-- src:agent ts:2026-06-0{} id:k3f9q2 -->\n"
    base, one, other = line.format("Port 1", 1), line.format("A whole new sentence", 2), line.format("Something else", 3)
    assert both(base, one, other) == other


def test_what_is_like_a_removed_entry_and_stands_elsewhere_is_a_fact_of_its_own() -> None:
    base = "- node red fast\n- a\n- b\n- c\n"
    removed = "- a\n- b\n- node red fast disk\n- c\n"
    assert both(base, removed, base.replace("red fast", "red slow fast")).count("node") == 2


@pytest.mark.parametrize(
    ("one", "other", "merged"),
    [
        ("src:agent ts:2026-06-05 ttl:30d", "src:agent ts:2026-06-09", "src:agent ts:2026-06-09 ttl:30d"),
        ("src:web ts:2026-06-05", "src:agent ts:2026-06-05 ttl:30d", "src:web ts:2026-06-05 ttl:30d"),
        ("src:agent ts:2026-06-05 ⚠️ stale", "src:agent ts:2026-06-05 id:k3f9q2", "src:agent ts:2026-06-05 id:k3f9q2 ⚠️ stale"),
        ("src:agent ts:2026-06-05 ttl:1y", "src:agent ts:2026-06-05 ttl:30d", "src:agent ts:2026-06-05 ttl:30d"),
        ("src:agent ts:2026-06-07", "src:agent ts:2026-06-08 ev:log", "src:agent ts:2026-06-08 ev:log"),
        ("src:agent ts:2026-06-05 x:1", "src:agent ts:2026-06-06", "src:agent ts:2026-06-06 x:1"),
    ],
)
def test_tags_merge_field_by_field(one: str, other: str, merged: str) -> None:
    line = "- a <!-- {} -->\n".format
    assert both(line("src:agent ts:2026-06-05"), line(one), line(other)) == line(merged)


def test_a_tag_on_one_side_and_new_words_on_the_other() -> None:
    one, other = BASE.replace("03:30.", "03:30. <!-- src:agent ts:2026-06-09 -->"), BASE.replace("03:30", "04:30")
    assert both(BASE, one, other) == one.replace("03:30", "04:30")


def test_what_a_user_confirms_is_not_what_the_agent_wrote_meanwhile() -> None:
    one, other = BASE.replace("03:30.", "03:30. <!-- src:user ts:2026-06-09 -->"), BASE.replace("03:30", "04:30")
    assert both(BASE, one, other) == one


def test_an_addition_keeps_its_source_under_a_heading_that_was_raised() -> None:
    one = BASE.replace("src:agent ts:2026-06-05 ttl:90d", "src:user ts:2026-06-09")
    merged = both(BASE, one, BASE + "- x\n")
    assert merged == one + "- x <!-- src:agent ts:2026-06-05 ttl:90d -->\n"
    assert sources(merged)["- Backups run at 03:30."] == "user"


def test_an_addition_of_a_user_keeps_its_source_under_a_heading_that_was_lowered() -> None:
    merged = both(BASE, BASE.replace("src:user ts:2026-06-01", "src:web ts:2026-06-01"), BASE.replace("- Mail", "- Call me Sam.\n- Mail"))
    assert sources(merged)["- Call me Sam."] == "user"
    assert sources(merged)["- Answers are short."] == "web"


def test_what_was_untagged_gets_the_lowest_source_and_no_higher_one() -> None:
    base = "# M\n\n- a\n"
    one = "# M <!-- src:agent ts:2026-06-05 -->\n\n- a\n"
    assert both(base, one, base + "- b\n") == one + "- b <!-- src:dig ts:unknown -->\n"


def test_a_renamed_heading_takes_what_was_added_under_it() -> None:
    one = BASE.replace("## Infrastructure", "## Machines")
    assert both(BASE, one, BASE + "- x\n") == one + "- x\n"


def test_dated_headings_that_both_added_are_in_order() -> None:
    day = "\n## 2026-06-0{0} <!-- src:agent ts:2026-06-0{0} -->\n\n- on day {0}\n".format
    assert both(BASE, BASE + day(7), BASE + day(6)) == BASE + day(6) + day(7)
    assert both(BASE, BASE + day(6) + "- more\n", BASE + day(6)) == BASE + day(6) + "- more\n"


def test_an_addition_goes_into_its_section_before_new_sections() -> None:
    section = "\n## New <!-- src:tool ts:2026-06-09 -->\n\n- n\n"
    assert both(BASE, BASE + section, BASE + "- x\n") == BASE + "- x\n" + section


def test_an_entry_that_moved_and_was_edited() -> None:
    one = BASE.replace(BACKUP, "").replace("- Mail", BACKUP + "- Mail")
    merged = both(BASE, one, BASE.replace(BACKUP, "- Backups run at 03:30. <!-- src:agent ts:2026-06-09 -->\n"))
    assert merged.count("03:30") == 1
    assert merged.index("03:30") < merged.index("## Infrastructure")


def test_nested_items_and_tables() -> None:
    base = "- a\n  - a1\n- b\n\n| n | v |\n|---|---|\n| 1 | x |\n"
    one, other = base.replace("- b", "  - a2\n- b"), base.replace("a1", "a1\n    - deep") + "| 2 | y |\n"
    assert both(base, one, other) == "- a\n  - a1\n    - deep\n  - a2\n- b\n\n| n | v |\n|---|---|\n| 1 | x |\n| 2 | y |\n"


def test_foreign_comments_rules_and_regions_stay() -> None:
    base = "# M\n\n<!-- importance: 3 -->\n- a\n\n---\n\n<!-- x:start -->\n- theirs\n<!-- x:end -->\n\n- z\n"
    one, other = base.replace("- a", "- a\n- b"), base.replace("- theirs", "- theirs, newer")
    assert both(base, one, other) == one.replace("- theirs", "- theirs, newer")


def test_line_ends_byte_order_mark_and_last_newline() -> None:
    old = BASE.encode()
    crlf = old.replace(b"\n", b"\r\n")
    assert merge(old, crlf, old + b"- x\n").data == crlf + b"- x\r\n"
    assert merge(crlf, crlf + b"- a\r\n", crlf + b"- b\r\n").data == crlf + b"- a\r\n- b\r\n"
    assert merge(old, b"\xef\xbb\xbf" + old, old + b"- x\n").data == b"\xef\xbb\xbf" + old + b"- x\n"
    assert merge(old[:-1], old[:-1] + b"\n- x", b"- y\n" + old[:-1]).data == b"- y\n" + old[:-1] + b"\n- x"


def test_no_base() -> None:
    assert both(None, "# M\n\n- a\n- c\n", "# M\n\n- b\n- c\n") == "# M\n\n- a\n- b\n- c\n"


def test_a_base_with_conflict_markers_knows_nothing_about_what_is_between_them() -> None:
    base = "- a\n<<<<<<<<< one\n- x\n||||||||| base\n- w\n=========\n- y\n>>>>>>>>> two\n- b\n"
    assert both(base, "- a\n- x\n- b\n", "- a\n- y\n") == "- a\n- x\n- y\n"


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (b"- \xff\n", b"- b\n", "UTF-8"),
        (b"- a\0\n", b"- b\n", "binary"),
        (b"```\na\n", b"- b\n", "fence"),
        (b"<!-- a\n", b"- b\n", "comment"),
        (b"<<<<<<< HEAD\n- a\n", b"- b\n", "markers"),
        (b"---\na: 1\n---\n", b"---\na: 2\n---\n", "front matter"),
        (b"- " * 200 + b"a\n", b"- b\n", "deep"),
        (b"- " + b"a" * LARGEST, b"- b\n", "large"),
    ],
)
def test_what_is_left_to_lines(one: bytes, other: bytes, why: str) -> None:
    for pair in ((one, other), (other, one)):
        with pytest.raises(CannotMerge, match=why):
            merge(b"- o\n", *pair)


def test_a_default_of_the_file_counts() -> None:
    one, other = b"- Backups run at 04:30\n", b"- Backups run at 05:30 <!-- src:web ts:2026-06-09 -->\n"
    assert merge(b"- Backups run at 03:30\n", one, other, Tag("agent", "2026-06-01")).data == one
    assert merge(b"- Backups run at 03:30\n", one, other).data == other


USER, AGENT, WEB, TOOL = (f"<!-- src:{src} ts:2026-06-0{day} -->" for src, day in (("user", 1), ("agent", 2), ("web", 3), ("tool", 4)))


def test_a_tag_with_a_blank_line_below_it_stays_where_it_is() -> None:
    base = f"# M\n\n{USER}\n\nThe house has a garden.\n"
    merged = both(base, base.replace("a garden", "two gardens"), base + "\n- x\n")
    assert merged == base.replace("a garden", "two gardens") + "\n- x\n"
    assert sources(merged)["The house has two gardens."] == "user"


def test_of_two_tags_for_what_had_none_the_more_trusted() -> None:
    line = "- The house has a garden.{}\n".format
    assert both(line(""), line(f" {WEB}"), line(f" {AGENT}")) == line(f" {AGENT}")


def test_the_order_is_that_of_the_side_that_changed_it() -> None:
    base = "- A one\n- B two\n- C three\n"
    assert both(base, base + "- D four\n", "- C three\n- A one\n- B two\n") == "- C three\n- D four\n- A one\n- B two\n"
    assert both(base, "- 0 zero\n" + base, "- B two\n- C three\n- A one\n") == "- 0 zero\n- B two\n- C three\n- A one\n"


def test_nothing_is_known_about_what_stands_in_conflicts_of_a_base() -> None:
    """git merges several bases into one and leaves its conflicts in, those of an older merge with longer markers."""
    conflict = "<<<<<<< one\n- a\n<<<<<<<<< older\n- b\n=========\n- c\n>>>>>>>>> newer\n=======\n- d\n>>>>>>> other\n"
    base = f"- first\n{conflict}- last\n"
    assert both(base, "- first\n- b\n- last\n", "- first\n- last\n- d\n") == "- first\n- b\n- last\n- d\n"
    assert both(base, "- b\n- last\n", "- first\n- b\n- last\n- e\n") == "- b\n- last\n- e\n"


def test_words_keep_the_source_of_the_side_that_wrote_them() -> None:
    base = f"- Backups run at 03:30 {USER}\n"
    one, other = f"- Backups run at 04:30 {WEB}\n", f"- Backups run at 03:30 {AGENT}\n"
    assert both(base, one, other) == one


@pytest.mark.parametrize("words", ["- a fact", "- the fact"])
def test_other_spaces_and_another_tag_are_one_entry(words: str) -> None:
    base = f"{words} {AGENT}\n"
    assert both(base, f"* {words[2:]} {AGENT}\n", f"{words}  {AGENT}\n") in (f"* {words[2:]} {AGENT}\n", f"{words}  {AGENT}\n")
    assert both(base, f"{words} {WEB}\n", f"* {words[2:]} {AGENT}\n") == f"* {words[2:]} {WEB}\n"
    assert both(base, f"{words} {WEB}\n", f"{words} on node-2 {AGENT}\n") == f"{words} on node-2 {WEB}\n"


def test_an_addition_of_both_sides_has_the_tag_of_the_one_that_gave_it() -> None:
    assert both("# M\n", "# M\n\n- a fact\n", f"# M\n\n- a fact {AGENT}\n") == f"# M\n\n- a fact {AGENT}\n"


def test_a_tag_that_was_taken_out_is_out_of_the_new_words_too() -> None:
    base = f"- Backups run at 03:30 {AGENT}\n"
    assert both(base, "- Backups run at 03:30\n", base.replace("03", "04")) == "- Backups run at 04:30\n"
    above = f"# M\n\n{AGENT}\nBackups run at 03:30\n"
    assert both(above, "# M\n\nBackups run at 03:30\n", above.replace("03", "04")) == "# M\n\nBackups run at 04:30\n"


def test_underlined_titles_and_headings_in_regions_stay_as_they_are() -> None:
    base = "Memory\n======\n\n## A\n\n<!-- x:start -->\n### In\n- old\n<!-- x:end -->\n\n## B\n\n- one\n"
    one, other = base + "- two\n", base.replace("- old", "- new")
    assert both(base, one, other) == other + "- two\n"


@pytest.mark.parametrize(
    ("base", "one", "other", "why"),
    [
        pytest.param(
            f"- Backups run at 03:30 {USER}\n",
            f"- Backups run at 04:30 {AGENT}\n",
            f"- Backups run at 05:30 {WEB}\n",
            "changed a user's fact",
            id="a user's fact that nobody vouches for any more",
        ),
        pytest.param(
            f"# M {AGENT}\n\n```\nport = 8080\nuser = wiki\n```\n",
            f"# M {AGENT}\n\n{AGENT.replace('02', '05')}\n```\nport = 8080\nuser = wiki\n```\n",
            f"# M {AGENT}\n\n```\nport = 9090\nuser = wiki\n```\n",
            "no place for one",
            id="code that gets a tag",
        ),
        pytest.param(
            "- a\n<!-- x:start -->\n- b\n<!-- y:start -->\n<!-- x:end -->\n- c\n<!-- y:end -->\n",
            None,
            None,
            "overlap",
            id="regions that overlap",
        ),
        pytest.param(
            "<!-- x:start -->\n<div>\nx\n<!-- x:end -->\nmore\n</div>\n", None, None, "cuts through an entry", id="HTML out of a region"
        ),
        pytest.param(
            f"  - sub {AGENT}\n|---|---|\n  - sub\n",
            f"- x {WEB}\n|---|---|\n  - sub\n",
            f"  - sub {AGENT}\n<!-- x:end -->\n  - sub\n",
            "read differently",
            id="what would join a list",
        ),
        pytest.param(
            f"{AGENT}\nThe pump runs at noon. {AGENT}\n",
            f"The pump runs at noon. {AGENT}\n",
            f"{AGENT}\n{AGENT}\nThe pump runs at noon. {AGENT}\n",
            "read differently",
            id="a tag above and one behind, one taken away and one added",
        ),
        pytest.param(
            "- The garden needs water.\n- The pond needs fish.\n",
            "- The pond needs fish.\n  - The garden needs water.\n",
            "- The garden needs water.\n  - The pond needs fish.\n",
            "into each other",
            id="each under the other",
        ),
        pytest.param(
            "# M\n\n<!-- disk:start -->\n- The disk is 40 % full.\n<!-- disk:end -->\n",
            f"# M {AGENT}\n\n<!-- disk:start -->\n- The disk is 40 % full.\n<!-- disk:end -->\n",
            "# M\n\n<!-- disk:start -->\n- The disk is 50 % full.\n<!-- disk:end -->\n",
            "managed region would get another source",
            id="a heading gets a tag, and another program has written new lines below it",
        ),
        pytest.param(
            "<!-- x:start -->\n- a\n  <!-- x:end -->\n  - c\n",
            None,
            None,
            "cuts through a list",
            id="an item of a region with one outside of it",
        ),
        pytest.param(
            "- a\n  - b\n\n  <!-- x:start -->\n  <!-- x:end -->\n\n  text\n",
            None,
            None,
            "between a list item and what belongs to it",
            id="a region within an item",
        ),
        pytest.param(
            f"# M\n\n## B {WEB}\n\n## Z {TOOL}\n\n### C\n\n- The pump runs at noon every day\n",
            f"# M\n\n## B {WEB}\n\n### C\n\n#### D\n\n- The pump runs at noon every day\n  - It is the blue one\n\n## Z {TOOL}\n",
            f"# M\n\n## B {WEB}\n\n## Z {USER}\n\n### C\n\n- The pump runs at noon every day\n",
            "cannot be kept",
            id="sources that would need a tag in every second line",
        ),
    ],
)
def test_what_only_a_person_can_merge(base: str, one: str | None, other: str | None, why: str) -> None:
    one, other = one or f"{base}\n- x\n", other or f"- y\n{base}"
    for pair in ((one, other), (other, one)):
        with pytest.raises(CannotMerge, match=why):
            merge(base.encode(), pair[0].encode(), pair[1].encode())
