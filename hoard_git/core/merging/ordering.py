"""In which order the merged nodes stand, and how many blank lines part them."""

from __future__ import annotations

from hoard_git.core.merging.nodes import OTHER, SECTION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hoard_git.core.merging.nodes import Node, Tree

END = -1
"""Stands for the end of the file where neighbours are looked up."""


def merge_order(base: Sequence[int], one: Sequence[int], other: Sequence[int], nodes: Mapping[int, Node]) -> list[int]:
    """Merge the order of what stands under one node.

    A side that kept the base's order yields to one that did not. What only one side has follows what it follows there.
    """
    in_one, in_other = set(one), set(other)
    common = [key for key in one if key in in_other]
    theirs = [key for key in other if key in in_one]
    frame, guest = one, other
    if common != theirs and [key for key in base if key in in_one and key in in_other] == common:
        frame, guest = other, one
    shared = set(common)
    runs = _runs(frame, shared), _runs(guest, shared)
    merged: list[int] = []
    for anchor in (None, *(key for key in frame if key in shared)):
        if anchor is not None:
            merged.append(anchor)
        merged += _merge_runs(runs[0].get(anchor, []), runs[1].get(anchor, []), nodes)
    return merged


def _runs(order: Sequence[int], shared: set[int]) -> dict[int | None, list[int]]:
    """What only this side has, by the shared key that it stands behind."""
    found: dict[int | None, list[int]] = {}
    anchor = None
    for key in order:
        if key in shared:
            anchor = key
        else:
            found.setdefault(anchor, []).append(key)
    return found


def _merge_runs(one: list[int], other: list[int], nodes: Mapping[int, Node]) -> list[int]:
    """Put what both sides added at one place behind each other: entries before headings, then by their bytes, so that dates are in order."""
    merged = []
    for is_section in (False, True):
        parts = [[key for key in run if (nodes[key].kind == SECTION) is is_section] for run in (one, other)]
        parts.sort(key=lambda run: (_leads(run, nodes), [nodes[key].raw for key in run]))
        merged += parts[0] + parts[1]
    return merged


def _leads(run: Sequence[int], nodes: Mapping[int, Node]) -> bool:
    """Whether a run ends in a comment, which may be about what follows it."""
    return bool(run) and nodes[run[-1]].kind == OTHER


class Gaps:
    """The blank lines between neighbours, as the sides have them."""

    def __init__(self, base: Tree, one: Tree, other: Tree) -> None:
        """Note who stands beside whom in each version."""
        self._sides = [_neighbours(tree) for tree in (base, one, other)]
        self._below = {pair[0]: blanks for side in reversed(self._sides) for pair, blanks in side.items() if pair[1] != END}

    def between(self, before: Node | None, after: Node | None) -> tuple[str, ...]:
        """The blank lines between two nodes; None is the start or the end of the file."""
        pair = (before.key if before is not None else 0, after.key if after is not None else END)
        old, one, other = (side.get(pair) for side in self._sides)
        if one is not None and other is not None:
            return other if one == old else one
        known = one if one is not None else other
        if known is not None:
            return known
        if before is None or after is None or _is_tight(before, after):
            return ()
        return self._below.get(before.key, ()) if before.kind == SECTION else after.blanks or ("",)


def _is_tight(before: Node, after: Node) -> bool:
    """Whether two nodes that no side has as neighbours need no blank line."""
    if before.kind == "item":
        return after.kind == "item"
    return before.kind == after.kind == "row" and len(after.raw) == 1


def _neighbours(tree: Tree) -> dict[tuple[int, int], tuple[str, ...]]:
    found = {}
    last = 0
    for node in tree.nodes:
        found[last, node.key] = node.blanks
        last = node.key
    found[last, END] = tree.tail
    return found
