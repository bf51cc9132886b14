"""Records behave as named tuples do."""

from __future__ import annotations

import copy
import pickle

import pytest

from hoard_git.core.model import Actor


def test_values_by_place_name_and_default() -> None:
    assert Actor("human", email="a@example.org") == Actor(kind="human", name="", email="a@example.org", claimed="", why="")
    assert Actor("agent").name == ""
    assert tuple(Actor("agent", "clawd")) == ("agent", "clawd", "", "", "", False)


@pytest.mark.parametrize(
    ("values", "named"), [((), {}), (("a", "b", "c", "d", "e", "f", "g"), {}), (("a",), {"kind": "b"}), (("a",), {"colour": "red"})]
)
def test_wrong_values_are_refused(values: tuple[str, ...], named: dict[str, str]) -> None:
    with pytest.raises(TypeError):
        Actor(*values, **named)  # type: ignore[arg-type]


def test_a_record_is_frozen_and_replaced() -> None:
    actor = Actor("agent")
    with pytest.raises(AttributeError):
        actor.kind = "human"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        actor.colour = "red"  # type: ignore[attr-defined]
    assert actor._replace(kind="tool").kind == "tool"
    with pytest.raises(ValueError, match="colour"):
        actor._replace(colour="red")  # type: ignore[call-arg]


def test_copies_pickles_and_shows() -> None:
    actor = Actor("agent", "clawd")
    assert copy.deepcopy(actor) == pickle.loads(pickle.dumps(actor)) == actor
    assert repr(actor) == "Actor(kind='agent', name='clawd', email='', claimed='', why='', verified=False)"
    assert not actor.is_human
    match actor:
        case Actor(kind="agent", name=name):
            assert name == "clawd"
        case _:
            pytest.fail("no match")
