"""Plans taken apart, and plans of which a part was dropped."""

from __future__ import annotations

from hoard_git.core.actions import Place
from hoard_git.core.permits import EVERYTHING, Permits
from hoard_git.core.plan import DEFAULT_STEPS, STEPS, Help, Plan, make_plan
from hoard_git.core.policy import DEFAULT
from hoard_git.core.portions import Portion, take_apart
from tests.core.steps.logs import PACKING
from tests.support.upkeep import day_number, kept_files

DAY = "2026-11-30"
SMALL = DEFAULT._replace(compress_at=900, compress_to=500)

MIXED = {
    "MEMORY.md": (
        "# Memory\n\n## Old <!-- src:web ts:2026-01-01 -->\n\n- The library is at version 3\n\n"
        "## Ageing <!-- src:agent ts:2026-08-01 ttl:90d -->\n\n- Node-2 serves the wiki\n\n"
        "## Fresh <!-- src:agent ts:2026-11-20 -->\n\n- Deploys happen on Tuesday after the backup has run\n"
        "- Deploys happen on Tuesday after the backup has run.\n"
    )
}


def plan(files: dict[str, str], steps: tuple[str, ...] = DEFAULT_STEPS, *, accepted: list[Portion] | None = None) -> Plan:
    permits = EVERYTHING if accepted is None else Permits(action for portion in accepted for action in portion.actions)
    return make_plan(kept_files(files, SMALL), SMALL, day_number(DAY), steps, help_from=Help(permits=permits))


def lines(files: dict[str, str], made: Plan, portion: Portion) -> tuple[list[str], list[str]]:
    """The texts of a portion before and after."""
    before = [files[part.path].split("\n")[number - 1] for part in portion.before for number in part.numbers]
    texts = {path: (data or b"").decode().split("\n") for path, data in made.edits.items()}
    return before, [texts[part.path][number - 1] for part in portion.after for number in part.numbers]


def test_each_action_is_shown_with_its_lines_before_and_after() -> None:
    made = plan(MIXED)
    by_kind = {portion.actions[0].kind: portion for portion in take_apart(made)}
    assert sorted(by_kind) == ["archive", "dedupe", "stale"]

    before, after = lines(MIXED, made, by_kind["archive"])
    assert before == ["## Old <!-- src:web ts:2026-01-01 -->", "", "- The library is at version 3"]
    assert after[-3:] == before
    assert "<!-- hoard:archived from:MEMORY.md" in after[0]
    assert {part.path for part in by_kind["archive"].after} == {"memory/archive/2026-11-30.md"}

    before, after = lines(MIXED, made, by_kind["stale"])
    assert before == ["## Ageing <!-- src:agent ts:2026-08-01 ttl:90d -->"]
    assert after == ["## Ageing <!-- src:agent ts:2026-08-01 ttl:90d \u26a0\ufe0f stale -->"]

    before, after = lines(MIXED, made, by_kind["dedupe"])
    assert (before, after) == (["- Deploys happen on Tuesday after the backup has run."], [])
    assert by_kind["dedupe"].stays == Place("MEMORY.md", 13)


def test_what_is_dropped_stays_as_it_is_and_the_rest_is_done() -> None:
    for dropped in ("archive", "dedupe", "stale"):
        kept = [portion for portion in take_apart(plan(MIXED)) if portion.actions[0].kind != dropped]
        made = plan(MIXED, accepted=kept)
        assert list(made.actions) == [action for portion in kept for action in portion.actions]
    assert plan(MIXED, accepted=[]).is_empty


def test_an_archived_section_that_is_dropped_is_not_marked_stale_instead() -> None:
    files = {"MEMORY.md": "# M\n\n## Old <!-- src:web ts:2026-01-01 -->\n\n- The library is at version 3\n"}
    assert [action.kind for action in plan(files).actions] == ["archive"]
    assert plan(files, accepted=[]).edits == {}


def test_a_table_is_one_portion_and_stays_as_a_whole_when_that_is_dropped() -> None:
    rows = ["| a | b |", "|---|---|", "| 1 | 2 |", "| 3 | 4 |"]
    table = "\n".join(["<!-- src:web ts:2026-01-01 -->", *rows, ""])
    files = {"MEMORY.md": f"# M\n\n{table}\n- Node-2 serves the wiki <!-- src:agent ts:2026-11-20 -->\n"}
    made = plan(files)
    (portion,) = take_apart(made)
    assert lines(files, made, portion) == (rows, rows)
    assert plan(files, accepted=[]).is_empty


def test_an_offload_shows_the_pointer_that_stays() -> None:
    facts = "".join(f"- Fact number {n} is long enough to be moved\n" for n in range(40))
    files = {
        "MEMORY.md": f"# M\n\n## Alpha <!-- src:agent ts:2026-11-01 -->\n\n{facts}\n## Beta <!-- src:agent ts:2026-11-02 -->\n\n{facts}"
    }
    made = plan(files, ("compress",))
    alpha, beta = take_apart(made)
    assert [part.path for part in alpha.after] == ["MEMORY.md", "memory/alpha.md"]
    _before, after = lines(files, made, alpha)
    assert "- \u2192 40 facts in [memory/alpha.md](memory/alpha.md)" in after
    only = plan(files, ("compress",), accepted=[beta])
    assert [(action.kind, action.to) for action in only.actions] == [("offload", "memory/beta.md")]
    assert "over the 500" in only.notes[0]


def test_a_promotion_shows_the_line_that_is_new() -> None:
    files = {
        "MEMORY.md": "# M\n",
        "memory/2026-11-29.md": "# L\n\n- #remember Ada moves to Rome in May\n- #remember The office is in the Main Street 5\n",
    }
    made = plan(files, STEPS)
    rome, office = take_apart(made)
    _before, after = lines(files, made, rome)
    assert len(after) == 1
    assert "Ada moves to Rome in May" in after[0]
    only = plan(files, STEPS, accepted=[office])
    assert b"Rome" not in (only.edits["MEMORY.md"] or b"")
    assert b"Main Street" in (only.edits["MEMORY.md"] or b"")


def test_a_log_is_shortened_or_put_away_only_when_that_was_accepted() -> None:
    entries = "".join(f"- Looked at pump {n} and wrote its numbers down for later\n" for n in range(14))
    files = {
        f"memory/2026-11-{day}.md": f"# 2026-11-{day}\n\n## Work\n\n{entries}- Decided: pump {day} is bought\n" for day in (10, 11)
    } | {"memory/2026-05-05.md": f"# 2026-05-05\n\n## Work\n\n{entries}"}
    made = plan(files, ("tiers",))
    portions = take_apart(made)
    assert [(p.actions[0].kind, p.actions[0].path) for p in portions] == [
        ("cold", "memory/2026-05-05.md"),
        ("warm", "memory/2026-11-10.md"),
        ("warm", "memory/2026-11-11.md"),
    ]
    assert {part.path for part in portions[1].after} == {"memory/2026-11-10.md", "memory/archive/logs/2026-11-10.md"}
    for portion in portions:
        assert list(plan(files, ("tiers",), accepted=[portion]).actions) == list(portion.actions)


def test_both_files_of_a_cold_log_go_together() -> None:
    entries = "".join(f"- Call Ada at ada@mail.invalid about pump {n}, as was decided\n" for n in range(14))
    first = {"memory/2026-05-05.md": f"# 2026-05-05\n\n{entries}"}
    warm = make_plan(kept_files(first, SMALL), SMALL, day_number("2026-05-20"), ("tiers",))
    assert [action.kind for action in warm.actions] == ["warm"]
    files = {path: (data or b"").decode() for path, data in warm.edits.items()}
    made = plan(files, ("tiers",))
    assert [action.kind for action in made.actions] == ["cold", "cold"]
    (portion,) = take_apart(made)
    assert len(portion.actions) == 2
    assert plan(files, ("tiers",), accepted=[]).is_empty
    assert plan(files, ("tiers",), accepted=[portion]).edits == made.edits


def test_an_item_that_goes_with_its_parent_is_no_portion_of_its_own() -> None:
    item = "- The printer is on the second floor of the house\n  - its name is heron and it prints on both sides\n"
    files = {"MEMORY.md": f"# M\n\n## A <!-- src:agent ts:2026-11-20 -->\n\n{item}\ntext\n\n{item}"}
    made = plan(files)
    portions = take_apart(made)
    assert len(portions) == 1
    assert plan(files, accepted=portions).edits == made.edits


def test_a_packed_log_has_no_lines_to_show() -> None:
    entries = "".join(f"- Looked at pump {n} and wrote its numbers down for later\n" for n in range(14))
    files = {f"memory/archive/logs/2026-05-{day}.md": f"# 2026-05-{day}\n\n{entries}" for day in ("05", "06")}

    def packing(*accepted: Portion) -> Plan:
        permits = Permits(action for portion in accepted for action in portion.actions) if accepted else EVERYTHING
        return make_plan(kept_files(files, PACKING), PACKING, day_number("2026-08-15"), ("tiers",), help_from=Help(permits=permits))

    first, second = take_apart(packing())
    assert [(a.kind, a.to) for a in first.actions] == [("archive", "memory/archive/logs/2026-05-05.md.gz")]
    assert (len(first.before[0].numbers), first.after) == (16, ())
    only = packing(second)
    assert list(only.actions) == list(second.actions)
    assert sorted(only.edits) == ["memory/archive/logs/2026-05-06.md", "memory/archive/logs/2026-05-06.md.gz"]
