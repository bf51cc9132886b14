"""Fitting parts into a budget: nothing is over it, small parts stay whole, and cuts are at line ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.bundling import Piece, fit

LINES = st.lists(st.text(alphabet="ab ", max_size=60), max_size=40).map(tuple)
PIECES = st.lists(st.builds(Piece, st.just("x"), LINES, st.integers(1, 2), st.booleans()), max_size=7)


@given(PIECES, st.integers(0, 6000))
def test_the_budget_holds_and_order_stays(pieces: list[Piece], budget: int) -> None:
    fitted = fit(pieces, budget, 30)
    assert [one.piece for one in fitted] == pieces
    shown = sum(one.chars for one in fitted)
    assert shown == 0 or shown + 30 * len(pieces) <= budget


@given(PIECES)
def test_with_room_everything_is_whole(pieces: list[Piece]) -> None:
    assert all(one.is_whole for one in fit(pieces, 30 * len(pieces) + sum(piece.chars for piece in pieces), 30))


def test_a_small_part_is_whole_beside_a_large_one_which_is_cut_at_its_start_or_its_end() -> None:
    large = tuple(f"line {number:03d}" for number in range(500))
    small, head, tail = fit([Piece("s", ("one line",)), Piece("h", large, 2), Piece("t", large, 1, tail=True)], 3000, 0)
    assert small.is_whole
    assert (head.first, tail.last) == (1, 500)
    assert head.chars > tail.chars > 900
    assert 2980 <= small.chars + head.chars + tail.chars <= 3000


def test_scraps_are_left_out() -> None:
    (one,) = fit([Piece("s", ("x" * 60,) * 9)], 70, 0)
    assert one.is_out
