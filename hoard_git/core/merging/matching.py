"""Which node of one version is which node of another: a key for every node, the same for the same fact."""

from __future__ import annotations

from itertools import count

from hoard_git.core.likeness import count_words, dice
from hoard_git.core.merging.nodes import FRONT, REGION, ROOT, SECTION
from hoard_git.core.sections import File, Matching, best_first, neighbours
from hoard_git.core.units import Side, core_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hoard_git.core.merging.nodes import Node, Tree

LIKE = 0.5
"""Dice coefficient over words from which two texts of one section are versions of one entry, as in core.pairing."""

_SHORTEST = 12
"""Characters of a text that is known again under another heading: `port 8080` under two headings is two facts."""


def number_nodes(base: Tree, one: Tree, other: Tree) -> None:
    """Give every node its key: that of the node of `base` that it is a version of, or a new one, shared by what both sides added alike."""
    numbers = count(1)
    for tree in (base, one, other):
        tree.root.key = 0
    for node in base.nodes:
        node.key = next(numbers)
    for side in (one, other):
        _take_over(base, side)
    _part_doubtful(base, one, other)
    for node in one.nodes:
        node.key = node.key or next(numbers)
    _pair_added(one, other)
    for node in other.nodes:
        node.key = node.key or next(numbers)


def _take_over(base: Tree, side: Tree) -> None:
    """Give the nodes of one side the keys that they have in the base."""
    old, new = File(Side("", "", base.document), 0), File(Side("", "", side.document), 0)
    Matching([old], [new])
    taken = set()
    for at, node in enumerate(side.sections, 1):
        partner = new.partner[at]
        if partner is not None and partner[1]:
            before = base.sections[partner[1] - 1]
            if before.kind == node.kind == SECTION and before.key not in taken:
                node.key = before.key
                taken.add(before.key)
    left = [node for node in base.nodes if node.kind != SECTION]
    fresh = [node for node in side.nodes if node.kind != SECTION]
    for key in _KEYS:
        left, fresh = _pair(left, fresh, key)
    _by_likeness(left, fresh)


def _part_doubtful(base: Tree, one: Tree, other: Tree) -> None:
    """Take keys back that came from likeness alone where the sides disagree: a text that both have in one place is one fact to both.

    One side may take it for a rewording of an entry that the other side still has, and it would stand in the result twice.
    """
    old = {node.key: node for node in base.nodes}
    there = [
        {(node.kind, node.words, _place(node)): node for node in tree.nodes if node.is_fact and _place(node) >= 0} for tree in (one, other)
    ]
    for spot, node in there[0].items():
        twin = there[1].get(spot)
        if twin is None or twin.key == node.key:
            continue
        for version in (node, twin):
            before = old.get(version.key)
            if before is not None and before.words != version.words and (_id(before) is None or _id(before) != _id(version)):
                version.key = 0


def _place(node: Node) -> int:
    """The key of the section that a node stands in, -1 for one that has none yet."""
    above = node.parent
    while above.kind not in (SECTION, REGION, ROOT):
        above = above.parent
    return above.key or (0 if above.kind == ROOT else -1)


def _id(node: Node) -> object:
    return node.tag.id if node.tag is not None and node.tag.id else None


_KEYS: tuple[Callable[[Node], object], ...] = (
    lambda n: (n.kind, n.words, n.claim.claim, _place(n), n.raw) if n.kind != REGION else (n.kind, n.words),
    lambda n: (n.kind, n.words, n.claim.id, _place(n)) if n.is_fact else None,
    _id,
    lambda n: (n.words, _place(n)) if n.is_fact else None,
    lambda n: n.kind if n.kind == FRONT else None,
    lambda n: (n.words, n.claim.claim) if n.is_fact and len(core_of(n.words)) >= _SHORTEST else None,
    lambda n: n.words if n.is_fact and len(core_of(n.words)) >= _SHORTEST else None,
)


def _pair(old: Sequence[Node], new: Sequence[Node], key: Callable[[Node], object]) -> tuple[list[Node], list[Node]]:
    """Pair nodes of one key in their order; return what is left of both. A new node is asked for its key when those before it are paired."""
    waiting: dict[object, list[Node]] = {}
    for node in reversed(old):
        value = key(node)
        if value is not None:
            waiting.setdefault(value, []).append(node)
    taken = set()
    rest = []
    for node in new:
        stack = waiting.get(key(node))
        if stack:
            node.key = stack.pop().key
            taken.add(node.key)
        else:
            rest.append(node)
    return [node for node in old if node.key not in taken], rest


def _by_likeness(old: Sequence[Node], new: Sequence[Node]) -> None:
    """Pair what was reworded where it stands: entries of one kind in one section that share a neighbour, the likest first.

    A rewording keeps its place. What is like a removed entry and stands elsewhere is a fact of its own, and taking the two for one could cost it.
    """
    groups: dict[object, tuple[list[Node], list[Node]]] = {}
    for at, nodes in enumerate((old, new)):
        for node in nodes:
            if node.is_fact:
                groups.setdefault((_place(node), node.kind), ([], []))[at].append(node)
    scored: list[tuple[float, Node, Node]] = []
    for olds, news in groups.values():
        words = [count_words(node.words) for node in olds], [count_words(node.words) for node in news]
        pairs = neighbours(range(len(olds)), range(len(news)))
        found = [(score, i, j) for i, j in pairs if (score := dice(words[0][i], words[1][j])) >= LIKE]
        scored += [(score, olds[i], news[j]) for score, i, j in best_first(found)]
    beside = {id(node): _neighbours(node) for _score, one, other in scored for node in (one, other)}
    used: set[int] = set()
    while True:
        rest = []
        for score, before, after in scored:
            if after.key or before.key in used:
                continue
            pairs_beside = zip(beside[id(before)], beside[id(after)], strict=True)
            if any(_same_place(one, other) for one, other in pairs_beside):
                after.key = before.key
                used.add(before.key)
            else:
                rest.append((score, before, after))
        if len(rest) == len(scored):
            return
        scored = rest


def _neighbours(node: Node) -> tuple[Node | None, Node | None]:
    """What stands before and behind a node under the same heading or item; None at the ends."""
    siblings = node.parent.children
    at = next(index for index, other in enumerate(siblings) if other is node)
    behind = siblings[at + 1] if at + 1 < len(siblings) and siblings[at + 1].kind != SECTION else None
    return (siblings[at - 1] if at else None), behind


def _same_place(one: Node | None, other: Node | None) -> bool:
    return one is other if one is None or other is None else one.key == other.key


def are_alike(one: Node, other: Node) -> bool:
    """Whether two texts are versions of one claim."""
    return dice(count_words(one.words), count_words(other.words)) >= LIKE


def _pair_added(one: Tree, other: Tree) -> None:
    """Give what the other side has added the keys of what this side has added alike; outer headings come before what stands under them."""
    known = {node.key for node in other.nodes if node.key}
    fresh = [node for node in one.nodes if node.key not in known]
    rest = [node for node in other.nodes if not node.key]
    for key in _ADDED_KEYS:
        fresh, rest = _pair(fresh, rest, key)


_ADDED_KEYS: tuple[Callable[[Node], object], ...] = (
    lambda n: (_place(n), n.words, n.claim.src) if n.kind == SECTION and _place(n) >= 0 else None,
    _id,
    lambda n: (n.kind, n.words, _place(n)) if n.kind not in (SECTION, REGION) and _place(n) >= 0 else None,
    lambda n: (n.kind, n.words) if n.kind == REGION else None,
    lambda n: n.kind if n.kind == FRONT else None,
)
