"""What of a plan and of a text may stand in a commit message."""

from __future__ import annotations

from hoard_git.core.actions import Action, Review, Sighting
from hoard_git.core.plan import STEPS, Plan, make_plan
from hoard_git.core.plantext import _plain, message, steps_told
from hoard_git.core.policy import DEFAULT
from tests.core.steps.logs import FULL
from tests.support.upkeep import day_number, kept_files


def test_what_nobody_could_see_is_a_question_mark() -> None:
    assert _plain("caf\u00e9 \x1b[31m \u202eab\u200b\n") == "caf\u00e9 ?[31m ?ab??"


def test_of_many_actions_of_a_kind_so_many_are_told_and_what_is_left_to_a_person_is_counted() -> None:
    one, other = (Sighting("MEMORY.md", line, f"- The port is {line}", "agent", "2026-11-01") for line in (3, 4))
    actions = tuple(Action("stale", "MEMORY.md", line, f"- Fact {line}", "past its ttl", "m") for line in range(10, 40))
    reviews = tuple(Review(kind, "a number differs", (one, other)) for kind in ("near", "conflict", "near"))
    plans = [Plan("2026-11-30"), Plan("2026-11-30", actions, reviews, ("One file was left as it was.",), {"MEMORY.md": b"x"})]
    lines = message(plans, lambda text: "Fact 11" in text).split("\n")
    assert lines[:3] == ["Consolidate memory 2026-11-30: 30 marked stale", "", "30 marked stale:"]
    told = [line for line in lines if line.startswith("- ")]
    assert len(told) == 26
    assert told[-1] == "- and 5 more"
    assert "Fact 10" in told[0]
    assert "Fact 11" not in "\n".join(lines)
    assert lines[-4:] == ["Left to a person: 1 conflict, 2 near.", "", "One file was left as it was.", ""]


def test_the_steps_that_a_message_tells_of_are_those_that_acted() -> None:
    for name in STEPS:
        old = "## Old <!-- src:web ts:2026-01-01 -->\n\n- The library is at version 3\n\n## Ageing <!-- src:agent ts:2026-08-01 ttl:90d -->\n\n"
        twice = "- Deploys happen on Tuesday after the backup has run\n" * 2 + "".join(f"- Fact {n} of the cellar\n" for n in range(40))
        files = {"MEMORY.md": f"# M\n\n{old}{twice}", "memory/2026-11-01.md": FULL, "memory/2026-11-02.md": FULL}
        policy = DEFAULT._replace(compress_at=900, compress_to=500)
        plan = make_plan(kept_files(files, policy), policy, day_number("2026-11-30"), (name,))
        told = message([plan], lambda _text: False).encode()
        assert plan.actions, name
        assert steps_told(told) == {name}


def test_lines_that_look_like_that_by_chance_tell_of_nothing() -> None:
    assert steps_told(b"Consolidate memory 2026-11-30: 1 archived\n\n- 2 archived:\nx archived:\n2 archived: more\n3 eaten:\n") == set()
