"""Laws of taking a part of a plan, for any workspace: only what was accepted is done, and all of it accepted is the plan itself."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoard_git.core.actions import Action
from hoard_git.core.permits import Permits
from hoard_git.core.plan import STEPS, Help, Plan, make_plan
from hoard_git.core.portions import take_apart
from tests.properties.test_upkeep import DAY, POLICY, WORKSPACES
from tests.support.upkeep import kept_files


def plan_of(files: dict[str, str], accepted: list[Action] | None = None) -> Plan:
    permits = Help(permits=Permits(accepted)) if accepted is not None else None
    return make_plan(kept_files(files, POLICY), POLICY, DAY, STEPS, help_from=permits)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(WORKSPACES)
def test_a_plan_of_which_everything_is_accepted_is_the_plan(files: dict[str, str]) -> None:
    whole = plan_of(files)
    assert Counter(action for portion in take_apart(whole) for action in portion.actions) == Counter(whole.actions)
    again = plan_of(files, list(whole.actions))
    assert (again.actions, again.edits) == (whole.actions, whole.edits)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(WORKSPACES, st.data())
def test_nothing_is_done_that_was_dropped(files: dict[str, str], data: st.DataObject) -> None:
    # make_plan itself proves that no entry is lost, whatever is left out of it
    portions = take_apart(plan_of(files))
    chosen = [portion for portion in portions if data.draw(st.booleans())]
    accepted = [action for portion in chosen for action in portion.actions]
    permits = Permits(accepted)
    made = plan_of(files, accepted)
    for action in made.actions:
        start = permits.may(action.kind, action.path, action.line, action.text)
        inside = action.kind == "archive" and permits.may_archive(action.path, action.line)
        assert start or inside or (action.kind == "cold" and permits.may_chill(action.to)), action
    if not chosen:
        assert made.is_empty


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(WORKSPACES)
def test_every_excerpt_lies_in_its_file(files: dict[str, str]) -> None:
    whole = plan_of(files)
    for portion in take_apart(whole):
        for excerpt in portion.before:
            assert excerpt.numbers[-1] <= len(files[excerpt.path].split("\n"))
        for excerpt in portion.after:
            data = whole.edits[excerpt.path]
            assert data is not None
            assert excerpt.numbers[-1] <= len(data.decode("utf-8", "surrogateescape").split("\n"))
