"""Whole plans over workspaces in which one step gets in another's way."""

from __future__ import annotations

import pytest

from hoard_git.core.actions import Action
from hoard_git.core.drafts import Drafts
from hoard_git.core.plan import DEFAULT_STEPS, STEPS, Help, Plan, make_plan
from hoard_git.core.policy import DEFAULT, Policy
from hoard_git.core.summary import Operation, Operations, Rejection, Request, check_operations
from hoard_git.errors import HoardError
from tests.support.upkeep import day_number, kept_files

DAY = "2026-11-30"
FACTS = "".join(f"- Fact number {n} is long enough to be moved\n" for n in range(400))


def plan(files: dict[str, str], steps: tuple[str, ...] = DEFAULT_STEPS, policy: Policy = DEFAULT, helper: Help | None = None) -> Plan:
    return make_plan(kept_files(files, policy), policy, day_number(DAY), steps, help_from=helper)


def after(files: dict[str, str], made: Plan) -> dict[str, str]:
    texts = {**files, **{path: data.decode() for path, data in made.edits.items() if data is not None}}
    return {path: text for path, text in texts.items() if made.edits.get(path, b"") is not None}


def test_a_log_that_ends_in_a_repeat_turns_cold_all_the_same() -> None:
    lines = "".join(f"- item {n} was moved to the shelf there\n" for n in range(1, 15))
    made = plan({"memory/2026-05-05.md": f"# 2026-05-05\n\n## Work\n\n{lines}- item 14 was moved to the shelf there\n"})
    assert {"dedupe", "cold"} <= {action.kind for action in made.actions}
    assert made.edits["memory/2026-05-05.md"] is None


def test_a_promotion_into_a_file_that_stays_too_large() -> None:
    ours = "".join(f"- The user said thing number {n} which is long enough to matter\n" for n in range(400))
    files = {
        "MEMORY.md": f"# M\n\n## U <!-- src:user ts:2026-11-01 -->\n\n{ours}",
        "memory/2026-11-29.md": "# L\n\n- #remember Ada moves to Rome in May\n- #remember The office is in the Main Street 5\n",
    }
    made = plan(files, STEPS)
    text = after(files, made)
    assert [action.kind for action in made.actions].count("promote") == 2
    assert any("Ada moves to Rome" in content for path, content in text.items() if "2026-11-29" not in path)
    assert "which only the user may move" in made.notes[0]


def test_what_is_past_its_ttl_is_not_promoted() -> None:
    files = {"MEMORY.md": "# M\n", "memory/2026-05-20.md": "# L\n\n- #remember Ada moves to Rome in May\n"}
    assert "promote" not in {action.kind for action in plan(files, STEPS).actions}


def test_nothing_is_promoted_into_an_open_fence() -> None:
    files = {"MEMORY.md": "# M\n\n- fact\n\n```sh\nls\n", "memory/2026-11-29.md": "# L\n\n- #remember Ada moves to Rome in May\n"}
    made = plan(files, STEPS)
    assert made.edits == {}
    assert "an open fence" in made.notes[0]


def test_links_do_not_count_as_leaving_when_they_are_written_for_the_new_place() -> None:
    facts = "".join(f"- Fact number {n} stands in [b](memory/beta.md), see there for more words\n" for n in range(300))
    made = plan({"MEMORY.md": f"# M\n\n## Alpha <!-- src:agent ts:2026-11-01 -->\n\n{facts}"})
    assert [action.kind for action in made.actions] == ["offload"]
    assert (made.leaving, made.is_mass) == (0, False)


def test_sections_that_leave_equal_pointers_keep_both() -> None:
    def facts(what: str) -> str:
        return "".join(f"- {what} number {n} is long enough to be moved\n" for n in range(400))

    head = "## Notes <!-- src:agent ts:2026-11-01 -->\n\n"
    files = {"MEMORY.md": f"# M\n\n{head}{facts('Fact')}\n{head}{facts('Thing')}"}
    made = plan(files)
    assert [(action.kind, action.to) for action in made.actions] == [("offload", "memory/notes.md")] * 2
    there = after(files, made)
    assert there["MEMORY.md"].count("- \u2192 400 facts in [memory/notes.md](memory/notes.md)") == 2
    again = plan(there)
    assert again.is_empty
    assert not [one for found in again.review for one in found.entries if "\u2192" in one.text]


def test_what_a_first_cold_log_leaves_to_history_counts_as_leaving() -> None:
    logs = {
        f"memory/2026-05-{day:02d}.md": "# L\n\n" + "".join(f"- Looked at pump {day} and {n}\n" for n in range(12)) for day in range(1, 5)
    }
    made = plan(logs)
    assert made.active == 48
    assert made.is_mass


def test_a_moved_link_is_archived_in_the_same_run() -> None:
    policy = DEFAULT._replace(compress_at=300, compress_to=100)
    text = "# M\n\n## Plain <!-- src:web ts:unknown -->\n\n" + "- A fact that is long enough to be moved somewhere else\n" * 5
    text += "- see [y](#alpha) <!-- src:agent ts:2026-04-01 -->\n"
    made = plan({"MEMORY.md": text}, ("expire", "compress"), policy)
    assert {action.kind for action in made.actions} == {"archive", "offload"}


def test_a_very_long_title_makes_a_name_that_can_be_written() -> None:
    title = "\U00020000" * 90
    made = plan({"MEMORY.md": f"# M\n\n## {title} <!-- src:agent ts:2026-11-01 -->\n\n" + FACTS})
    (target,) = [path for path in made.edits if path != "MEMORY.md"]
    assert len(target.rpartition("/")[2].encode()) <= 200


def test_other_globs_have_their_own_folder() -> None:
    globs = tuple((name, ("notes/*.md",) if name == "topic" else of_class) for name, of_class in DEFAULT.globs)
    made = plan(
        {"MEMORY.md": "# M\n\n## Alpha <!-- src:agent ts:2026-11-01 -->\n\n" + FACTS},
        policy=DEFAULT._replace(globs=globs),
    )
    assert [action.to for action in made.actions] == ["notes/alpha.md"]


def test_the_title_of_a_cold_log_is_not_told() -> None:
    made = plan({"memory/2026-05-05.md": "# 2026-05-05 Call with Berta Zimmermann\n\n" + "- Looked at the pump\n- Saw it\n" * 8})
    assert [action.text for action in made.actions if action.kind == "cold"] == ["2026-05-05"]


def _twice(files: dict[str, str], steps: tuple[str, ...] = STEPS) -> tuple[Plan, Plan]:
    made = plan(files, steps)
    return made, plan(after(files, made), steps)


def test_what_a_cold_log_masks_does_not_let_the_next_run_promote() -> None:
    said = "The landlord of the cellar answers at jo@kouter.be within a day"
    quiet = "".join(f"- Looked at pump number {n} in the cellar\n" for n in range(12))
    files = {
        "MEMORY.md": "# M\n\n- Something else <!-- src:agent ts:2026-11-01 -->\n",
        "memory/2026-07-15.md": f"# L\n\n## Web <!-- src:web ts:2026-07-15 ttl:never -->\n\n- {said}\n\n## Day\n\n{quiet}",
        "memory/2026-11-28.md": f"# L\n\n- {said}\n",
        "memory/2026-11-29.md": f"# L\n\n- {said}\n",
    }
    made, again = _twice(files)
    assert "cold" in {action.kind for action in made.actions}
    assert (again.actions, again.edits) == ((), {})


def test_ten_promotions_a_day_are_ten_however_often_it_runs() -> None:
    marked = "".join(f"- #remember The person at desk number {n} moves to room {n}\n" for n in range(15))
    made, again = _twice({"MEMORY.md": "# M\n", "memory/2026-11-29.md": f"# L\n\n{marked}"})
    assert [action.kind for action in made.actions] == ["promote"] * 10
    assert (again.actions, again.edits) == ((), {})


TWICE = "# T <!-- src:agent ts:2026-11-01 -->\n\n- The pump runs at noon\n- The pump runs at noon\n"


def test_a_file_of_which_a_step_loses_an_entry_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """No step is known that does; should one, the rest of the plan still holds."""

    def lose(drafts: Drafts) -> list[Action]:
        for draft in drafts.of_class("index"):
            draft.cut([(3, 3)])
        return []

    monkeypatch.setattr("hoard_git.core.steps.expire.expire", lose)
    made = plan({"MEMORY.md": "# M <!-- src:agent ts:2026-11-01 -->\n\n- A fact\n- Another one\n", "memory/t.md": TWICE})
    assert made.edits == {"memory/t.md": b"# T <!-- src:agent ts:2026-11-01 -->\n\n- The pump runs at noon\n"}
    assert made.notes == ("'MEMORY.md' was left as it is: not all of its entries could be followed through the steps.",)


def test_a_plan_that_loses_an_entry_whatever_is_left_out_is_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(drafts: Drafts) -> list[Action]:
        for draft in drafts:
            draft.cut([(3, 3)])
        return []

    monkeypatch.setattr("hoard_git.core.steps.expire.expire", lose)
    with pytest.raises(HoardError, match=r"does not account for every entry of 'MEMORY\.md'; nothing was written") as found:
        plan({"MEMORY.md": "# M <!-- src:agent ts:2026-11-01 -->\n\n- A fact\n- Another one\n"})
    assert "hoard consolidate --steps" in found.value.hint


def test_steps_that_never_come_to_an_end_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoard_git.core.steps.expire.expire", lambda _drafts: [Action("stale", "MEMORY.md", 3, "- A fact", "it is old")])
    made = plan({"MEMORY.md": "# M <!-- src:agent ts:2026-11-01 -->\n\n- A fact\n"})
    assert (len(made.actions), made.edits) == (8, {})


def test_a_summariser_goes_before_sections_are_moved() -> None:
    def shorten(request: Request) -> Operations | Rejection:
        one, other, *rest = [block.id for block in request.blocks]
        told = [Operation("merge", (one, other), "Node-2 and Node-3 are online"), Operation("keep", tuple(rest))]
        return check_operations(request._replace(max_bytes=10_000), told)

    text = (
        "# M\n\n## Infra <!-- src:agent ts:2026-11-05 -->\n\n- Node-2 is online\n- Node-3 is online\n- The disk is full\n- Web port: 8080\n"
    )
    policy = DEFAULT._replace(compress_at=100, compress_to=90, max_loss=0.5)
    made = plan({"MEMORY.md": text}, ("compress",), policy, Help(summarise=shorten))
    assert [action.kind for action in made.actions] == ["archive", "archive", "offload"]
    assert "- Node-2 and Node-3 are online" in (made.edits["memory/infra.md"] or b"").decode()
    assert "- Node-3 is online" in (made.edits["memory/archive/2026-11-30.md"] or b"").decode()
