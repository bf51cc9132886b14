"""A MEMORY.md over its size hands sections to topic files and keeps every entry word for word."""

from __future__ import annotations

from collections import Counter

import pytest

from hoard_git.core.markdown import parse
from hoard_git.core.policy import DEFAULT
from hoard_git.core.provenance import provenances
from hoard_git.core.steps.compress import compress
from hoard_git.core.units import core_of
from tests.support.upkeep import drafts_of, texts

SMALL = DEFAULT._replace(compress_at=1400, compress_to=1250)
POINTER = "\u2192"


def section(title: str, tag: str, count: int = 10) -> str:
    facts = "".join(f"- {title} fact number {number} is long enough to count\n" for number in range(count))
    return f"## {title}{' ' + tag if tag else ''}\n\n{facts}\n"


def facts_of(files: dict[str, str | None]) -> Counter[tuple[str, ...]]:
    found: Counter[tuple[str, ...]] = Counter()
    for text in files.values():
        document = parse((text or "").encode())
        for entry, claim in zip(document.entries, provenances(document, None), strict=True):
            if POINTER not in entry.text:
                found[core_of(entry.text), claim.src, claim.ts, claim.ttl] += 1
    return found


OLD = section("Old", "<!-- src:agent ts:2026-01-05 ttl:1y id:k3f9q2 -->")
MIDDLE = section("Middle", "<!-- src:web ts:2026-03-01 -->")
NEW = section("New", "<!-- src:agent ts:2026-06-01 -->")
OURS = section("Ours", "<!-- src:user ts:2026-01-01 -->")


def test_under_the_limit_nothing_moves() -> None:
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + OLD + MIDDLE}, "2026-06-15", SMALL)
    assert compress(drafts) == []
    assert texts(drafts) == {}


def test_the_oldest_section_moves_first_and_no_more_than_needed() -> None:
    before = {"MEMORY.md": "# M\n\n" + NEW + MIDDLE + OLD + OURS}
    drafts = drafts_of(before, "2026-06-15", SMALL)
    actions = compress(drafts)
    after = texts(drafts)

    assert [(a.kind, a.block, a.to, a.src, a.src_after) for a in actions] == [
        ("offload", "k3f9q2", "memory/old.md", "agent", "agent"),
        ("offload", "middle", "memory/middle.md", "web", "web"),
    ]
    assert "10 facts, the newest of 2026-01-05" in actions[0].reason
    assert after["memory/old.md"] == "# Old\n\n" + OLD.rstrip() + "\n"
    memory = after["MEMORY.md"] or ""
    assert f"## Old <!-- src:agent ts:2026-01-05 ttl:1y -->\n- {POINTER} 10 facts in [memory/old.md](memory/old.md)\n" in memory
    assert f"- {POINTER} 10 facts in [memory/middle.md](memory/middle.md) <!-- src:agent ts:2026-06-15 -->\n" in memory
    assert len(memory.encode()) < 1250
    assert NEW in memory
    assert OURS.rstrip() in memory
    assert facts_of(dict(before)) == facts_of(after)


def test_the_users_facts_stay_and_the_rest_of_their_section_moves() -> None:
    mixed = (
        "## Mixed <!-- src:user ts:2026-01-01 -->\n\n- The user's own\n"
        + "".join(f"- Heard thing number {n} which is long enough <!-- src:web ts:2026-01-0{n + 1} -->\n" for n in range(8))
        + "\n"
    )
    before = {"MEMORY.md": "# M\n\n" + mixed + NEW}
    drafts = drafts_of(before, "2026-06-15", SMALL._replace(compress_at=1000, compress_to=900))
    actions = compress(drafts)
    after = texts(drafts)

    assert [a.to for a in actions] == ["memory/mixed.md"]
    assert "the user's facts stay" in actions[0].reason
    assert (after["MEMORY.md"] or "").startswith(
        "# M\n\n## Mixed <!-- src:user ts:2026-01-01 -->\n\n- The user's own\n"
    ) or f"- {POINTER} 8 facts" in (after["MEMORY.md"] or "")
    assert "- The user's own\n" in (after["MEMORY.md"] or "")
    assert "src:user" not in (after["memory/mixed.md"] or "")
    assert facts_of(dict(before)) == facts_of(after)


def test_what_moves_of_a_mixed_section_keeps_the_headings_inside_of_it() -> None:
    tag = "<!-- src:web ts:2026-01-05 -->"
    upper, lower = ([f"- {name} thing number {n} which is long enough to count" for n in range(6)] for name in ("Upper", "Lower"))
    mine = "- The user's own <!-- src:user ts:2026-01-01 -->"
    mixed = "\n".join([f"## Mixed {tag}", "", mine, *upper, "", "### Below", "", *lower, "", "A paragraph of some length, too.", "", ""])
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + mixed + NEW}, "2026-06-15", SMALL._replace(compress_at=1000, compress_to=900))
    assert [action.to for action in compress(drafts)] == ["memory/mixed.md"]
    tagged = [[f"{line} {tag}" for line in part] for part in (upper, lower)]
    moved = ["## Mixed", "", *tagged[0], "", "### Below", "", *tagged[1], "", tag, "A paragraph of some length, too.", ""]
    assert (texts(drafts)["memory/mixed.md"] or "").endswith("\n".join(moved))


def test_a_table_of_a_mixed_section_stays_one() -> None:
    rows = ["| disk | size |", "|---|---|", *[f"| number {n} is a disk with a long name | {n} TB |" for n in range(12)]]
    tag = "<!-- src:web ts:2026-01-05 -->"
    mixed = "\n".join([f"## Mixed {tag}", "", "- The user's own <!-- src:user ts:2026-01-01 -->", "", *rows, "", ""])
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + mixed + NEW}, "2026-06-15", SMALL._replace(compress_at=1000, compress_to=900))
    assert [action.to for action in compress(drafts)] == ["memory/mixed.md"]
    assert "\n".join(["## Mixed", "", tag, *rows, ""]) in (texts(drafts)["memory/mixed.md"] or "")


def test_what_is_all_the_users_is_left_and_the_reason_is_told() -> None:
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + OURS * 5}, "2026-06-15", SMALL)
    assert compress(drafts) == []
    assert texts(drafts) == {}
    assert len(drafts.notes) == 1
    assert "which only the user may move" in drafts.notes[0]


def test_a_second_offload_counts_on() -> None:
    first = drafts_of({"MEMORY.md": "# M\n\n" + OLD + NEW * 2}, "2026-06-15", SMALL)
    compress(first)
    files = {draft.path: draft.data.decode() for draft in first}
    title = "## Old <!-- src:agent ts:2026-01-05 ttl:1y -->\n"
    grown = files["MEMORY.md"].replace(title, title + "".join(f"- Later fact number {n} that is long enough too\n" for n in range(12)))
    second = drafts_of({**files, "MEMORY.md": grown + section("More", "<!-- src:agent ts:2026-06-10 -->", 4)}, "2026-06-16", SMALL)

    actions = compress(second)
    after = texts(second)

    assert next(a.to for a in actions) == "memory/old.md"
    assert f"- {POINTER} 22 facts in [memory/old.md](memory/old.md)\n" in (after["MEMORY.md"] or "")
    assert (after["MEMORY.md"] or "").count("[memory/old.md]") == 1
    assert (after["memory/old.md"] or "").startswith(files["memory/old.md"].rstrip("\n"))


def test_the_name_of_another_file_is_not_taken() -> None:
    drafts = drafts_of(
        {"MEMORY.md": "# M\n\n" + OLD + NEW * 2, "memory/old.md": "# Old <!-- src:user ts:2026-01-01 -->\n\n- mine\n"}, "2026-06-15", SMALL
    )
    assert compress(drafts)[0].to == "memory/old-2.md"

    other = drafts_of({"MEMORY.md": "# M\n\n" + OLD + NEW * 2}, "2026-06-15", SMALL)
    other.taken = frozenset({"memory/old.md"})
    assert compress(other)[0].to == "memory/old-2.md"


def test_a_topic_file_of_the_name_is_appended_to_whatever_its_case() -> None:
    drafts = drafts_of(
        {"MEMORY.md": "# M\n\n" + OLD + NEW * 2, "memory/Old.md": "# Old\n\n- There <!-- src:agent ts:2026-01-01 -->\n"},
        "2026-06-15",
        SMALL,
    )
    assert compress(drafts)[0].to == "memory/Old.md"
    assert (texts(drafts)["memory/Old.md"] or "").startswith("# Old\n\n- There <!-- src:agent ts:2026-01-01 -->\n\n## Old <!-- ")


def test_links_lead_to_the_same_places() -> None:
    linked = OLD.replace("fact number 0", "fact [zero](memory/zero.md) ![pic](img/a.png) [web](https://example.org/x)")
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + linked + NEW * 2}, "2026-06-15", SMALL)
    compress(drafts)
    assert "fact [zero](zero.md) ![pic](../img/a.png) [web](https://example.org/x)" in (texts(drafts)["memory/old.md"] or "")


def test_a_section_whose_inner_heading_is_linked_stays() -> None:
    inner = OLD.rstrip() + "\n\n### Inner\n\n- Deep fact that is long enough to be one\n\n"
    pointing = section("Top", "<!-- src:agent ts:2026-06-14 -->", 2).replace("fact number 0", "see [inner](#inner) for 0")
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + inner + MIDDLE + NEW + pointing}, "2026-06-15", SMALL)
    assert "memory/old.md" not in [action.to for action in compress(drafts)]


def test_chinese_titles_make_chinese_names() -> None:
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + OLD.replace("## Old", "## \u57fa\u7840\u8bbe\u65bd") + NEW * 2}, "2026-06-15", SMALL)
    assert compress(drafts)[0].to == "memory/\u57fa\u7840\u8bbe\u65bd.md"


@pytest.mark.parametrize(("title", "path"), [("2026-06-05", "memory/notes-2026-06-05.md"), ("!!!", "memory/notes.md")])
def test_a_title_without_a_name(title: str, path: str) -> None:
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + OLD.replace("## Old", f"## {title}") + NEW * 2}, "2026-06-15", SMALL)
    assert compress(drafts)[0].to == path


def test_regions_and_definitions_stay() -> None:
    region = OLD.replace("## Old", "## Managed").rstrip() + "\n\n<!-- x:start -->\n- Theirs\n<!-- x:end -->\n\n"
    defined = MIDDLE.rstrip() + "\n\n[ref]: https://example.org/\n\n"
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + region + defined + NEW}, "2026-06-15", SMALL)
    assert [action.to for action in compress(drafts)] == ["memory/new.md"]


def test_windows_line_ends_stay_in_the_index_and_do_not_spread() -> None:
    drafts = drafts_of({"MEMORY.md": ("# M\n\n" + OLD + NEW * 2).replace("\n", "\r\n")}, "2026-06-15", SMALL)
    assert compress(drafts)
    after = texts(drafts)
    assert (after["MEMORY.md"] or "").count("\n") == (after["MEMORY.md"] or "").count("\r\n")
    assert "\r" not in (after["memory/old.md"] or "")


def test_two_agents_with_their_own_index_keep_apart() -> None:
    policy = SMALL._replace(roots=("a", "b"))
    drafts = drafts_of({"a/MEMORY.md": "# M\n\n" + OLD + NEW * 2}, "2026-06-15", policy)
    drafts.root = "a/"
    actions = compress(drafts)
    assert actions[0].to == "a/memory/old.md"
    assert "[memory/old.md](memory/old.md)" in (texts(drafts)["a/MEMORY.md"] or "")


def test_a_file_without_sections_says_so() -> None:
    drafts = drafts_of({"MEMORY.md": "".join(f"- Loose fact number {n} which is long enough\n" for n in range(60))}, "2026-06-15", SMALL)
    assert compress(drafts) == []
    assert drafts.notes == [
        "MEMORY.md stays at 2630 bytes, over the 1250 that it should come to: it has no sections to move; put its facts under headings."
    ]


def test_a_file_that_is_mostly_the_users_says_how_much() -> None:
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + OURS * 3}, "2026-06-15", SMALL)
    assert compress(drafts) == []
    facts = sum(len(line) + 1 for line in (OURS * 3).split("\n") if line.startswith("- "))
    (note,) = drafts.notes
    assert note.endswith(f": {facts} bytes are the user's, which only the user may move.")


def test_a_move_that_does_not_come_out_right_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoard_git.core.steps.compress._point", lambda *_: False)
    old = "# Middle\n\n- known\n"
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + OLD + MIDDLE + NEW, "memory/middle.md": old}, "2026-06-15", SMALL)
    assert compress(drafts) == []
    assert texts(drafts) == {}


def test_what_a_section_inherits_is_written_at_its_new_place() -> None:
    before = {"MEMORY.md": "# M <!-- src:agent ts:2026-01-05 -->\n\n" + section("Old", "") + MIDDLE + NEW}
    drafts = drafts_of(before, "2026-06-15", SMALL)
    compress(drafts)
    after = texts(drafts)
    assert (after["memory/old.md"] or "").startswith("# Old\n\n## Old  <!-- src:agent ts:2026-01-05 -->\n\n- Old fact number 0")
    assert facts_of(dict(before)) == facts_of(after)


def test_a_paragraph_that_leaves_beside_items_stays_a_paragraph() -> None:
    mixed = OLD.replace(
        "- Old fact number 3", "- Mine <!-- src:user ts:2026-01-05 -->\n\nA paragraph between two lists.\n\n- Old fact number 3"
    )
    before = {"MEMORY.md": "# M\n\n" + mixed + MIDDLE + NEW}
    drafts = drafts_of(before, "2026-06-15", SMALL)
    compress(drafts)
    after = texts(drafts)
    assert facts_of(dict(before)) == facts_of(after)
    tag = "<!-- src:agent ts:2026-01-05 ttl:1y -->"
    assert f"count {tag}\n\n{tag}\nA paragraph between two lists.\n\n- Old fact number 3" in (after["memory/old.md"] or "")
    assert "- Mine <!-- src:user" in (after["MEMORY.md"] or "")


def test_a_section_that_would_win_next_to_nothing_stays() -> None:
    tiny = "## Tiny <!-- src:agent ts:2025-01-01 -->\n\n- one is up\n\n"
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + tiny + OLD + MIDDLE + NEW}, "2026-06-15", SMALL)
    assert "Tiny" not in "".join(action.text for action in compress(drafts))
    assert tiny in (texts(drafts)["MEMORY.md"] or "")


def test_a_new_file_of_a_move_that_does_not_come_out_right_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoard_git.core.steps.compress._point", lambda *_: False)
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + OLD + MIDDLE + NEW}, "2026-06-15", SMALL)
    assert compress(drafts) == []
    assert texts(drafts) == {}


def test_an_entry_that_cannot_be_taken_out_stays_with_its_section() -> None:
    """Between the user's lines stands one whose tag has a line of its own: without it the lines around it would read differently."""
    ours, web = "<!-- src:user ts:2026-01-01 -->", "<!-- src:web ts:2026-01-01 -->"
    fact = "- The pump of the long garden runs every day at noon and that is a fact that is long\n"
    mixed = f"## Mixed <!-- src:agent ts:2026-01-05 -->\n\n- Tea {ours}\n{web}\n{fact}> said so {ours}\n"
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + section("Ours", ours, 30) + mixed}, "2026-06-15", SMALL)
    assert compress(drafts) == []
    assert texts(drafts) == {}


def test_a_link_to_a_heading_of_another_file_holds_nothing_back() -> None:
    memory = "# M\n\n" + OLD + "### Inside\n\n- x\n\n" + MIDDLE + NEW
    for target, moved in (("other.md#inside", "memory/old.md"), ("../MEMORY.md#inside", "memory/middle.md")):
        drafts = drafts_of({"MEMORY.md": memory, "memory/n.md": f"# N\n\n- see [it]({target})\n"}, "2026-06-15", SMALL)
        assert compress(drafts)[0].to == moved


def test_where_no_file_may_be_a_topic_nothing_moves() -> None:
    policy = SMALL._replace(globs=tuple((name, ("memory/fixed.md",) if name == "topic" else of_class) for name, of_class in SMALL.globs))
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + OLD + MIDDLE + NEW}, "2026-06-15", policy)
    assert compress(drafts) == []
    assert texts(drafts) == {}
    (note,) = drafts.notes
    assert note.endswith(": what is left cannot be taken apart.")


def test_a_pointer_to_a_file_that_is_gone_stays_and_leads_nowhere_else() -> None:
    old = OLD.replace("\n\n- Old fact", f"\n- {POINTER} 3 facts in [memory/gone.md](memory/gone.md)\n- Old fact", 1)
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + old + MIDDLE + NEW}, "2026-06-15", SMALL)
    assert compress(drafts)[0].to == "memory/old.md"
    memory = texts(drafts)["MEMORY.md"] or ""
    assert f"- {POINTER} 10 facts in [memory/old.md](memory/old.md)\n" in memory
    assert f"- {POINTER} 3 facts in [memory/gone.md](memory/gone.md)\n" in memory


def test_when_a_hundred_files_have_the_name_another_one_is_found() -> None:
    ours = {f"memory/old{f'-{n}' if n > 1 else ''}.md": "# Old <!-- src:user ts:2026-01-01 -->\n\n- x\n" for n in range(1, 100)}
    drafts = drafts_of({"MEMORY.md": "# M\n\n" + OLD + MIDDLE + NEW, **ours}, "2026-06-15", SMALL)
    assert compress(drafts)[0].to == "memory/notes-old.md"
