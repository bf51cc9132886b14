"""What becomes of one node that both sides have: words, tag and source, each from the side that changed it, and of two changes the more trusted."""

from __future__ import annotations

from hoard_git.core.dates import parse_day, ttl_days
from hoard_git.core.merging.matching import are_alike
from hoard_git.core.merging.nodes import OTHER, REGION, SECTION, CannotMerge
from hoard_git.core.model import RANK, UNTAGGED
from hoard_git.core.record import Record
from hoard_git.core.tags import Tag, render_tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.merging.nodes import Node
    from hoard_git.core.provenance import Provenance

TRUST, DATE, CHOICE = "trust", "date", "choice"
"""By what one of two changed texts was taken: the more trusted source, the newer date, or, with both equal, the smaller bytes."""


class Weighed(Record):
    """What is left of one node: the lines, and the words they hold.

    `also` is the other side's node where both stay, `lost` where its words do not, and then `by` says why. `src` is the source that the
    entry may have at most.
    """

    raw: tuple[str, ...]
    words: str
    tag: Tag | None
    src: str
    also: Node | None = None
    lost: Node | None = None
    by: str = ""


def weigh(base: Node | None, one: Node, other: Node) -> Weighed:
    """Merge one node that both sides have; `base` is None where both added it. Raises CannotMerge where only a person can tell."""
    if one.raw == other.raw:
        return _taken(one, base, one, other)
    if base is not None and one.raw == base.raw:
        return _taken(other, base, one, other)
    if base is not None and other.raw == base.raw:
        return _taken(one, base, one, other)
    if not one.is_fact and one.kind != SECTION:
        raise CannotMerge("both sides changed the same front matter, managed region or comment")
    if one.words == other.words:
        return _with_tag(_first(one, other), base, one, other)
    if base is not None and base.words in (one.words, other.words):
        changed, kept = (other, one) if one.words == base.words else (one, other)
        if _rank(kept) > _rank(base) and _rank(kept) > _rank(changed):
            return _decide(base, one, other)  # what one side confirms is not what the other one has written
        return _with_tag(changed, base, one, other)
    return _decide(base, one, other)


def _taken(node: Node, base: Node | None, one: Node, other: Node) -> Weighed:
    return Weighed(node.raw, node.words, node.tag, ceiling(node.words, base, one, other))


def ceiling(words: str, base: Node | None, one: Node | None, other: Node | None) -> str:
    """The source that these words get: merged like any other field, but no higher than on the sides that say just this."""
    sides = [side for side in (one, other) if side is not None]
    highest = max((side.claim.src for side in sides if side.words == words), key=RANK.__getitem__, default=UNTAGGED)
    if base is None or len(sides) < 2:
        return highest
    sources = [side.claim.src for side in sides]
    changed = [src for src in sources if src != base.claim.src]
    wanted = max(changed, key=RANK.__getitem__) if changed else base.claim.src
    return min(wanted, highest, key=RANK.__getitem__)


def _rank(node: Node) -> int:
    return RANK[node.claim.src]


def _day(provenance: Provenance | Tag) -> int:
    day = parse_day(provenance.ts)
    return -1 if day is None else day


def _first(one: Node, other: Node) -> Node:
    """Of two nodes the more trusted, else the newer, else the one of the smaller bytes."""
    return min(one, other, key=_order)


def _order(node: Node) -> tuple[int, int, bytes]:
    return (-_rank(node), -_day(node.claim), "\n".join(node.raw).encode("utf-8", "surrogateescape"))


def _decide(base: Node | None, one: Node, other: Node) -> Weighed:
    """Both sides say something else: one of them stays, or both where they are not about the same."""
    first = _first(one, other)
    second = other if first is one else one
    same_id = one.claim.id and one.claim.id == other.claim.id
    kept = _taken(first, None, one, other)
    if base is not None and _rank(base) > _rank(first) and RANK["user"] == _rank(base):
        raise CannotMerge("both sides changed a user's fact and lowered its source")
    if first.kind not in (SECTION, OTHER, REGION) and not same_id and not are_alike(one, other):
        return kept._replace(also=second)
    by = TRUST if _rank(first) > _rank(second) else DATE if _day(first.claim) > _day(second.claim) else CHOICE
    return kept._replace(lost=second, by=by)


# ---------------------------------------------------------------- tags


def _with_tag(source: Node, base: Node | None, one: Node, other: Node) -> Weighed:
    """The words of one node with a tag merged field by field."""
    tag = _merge_tags(base, one, other)
    highest = ceiling(source.words, base, one, other)
    if tag is not None and RANK[tag.src] > RANK[highest] and highest != UNTAGGED:
        tag = tag._replace(src=highest)
    return Weighed(put_tag(source, tag), source.words, tag, highest)


def _merge_tags(base: Node | None, one: Node, other: Node) -> Tag | None:
    old = base.tag if base is not None else None
    if one.tag == other.tag:
        return one.tag
    if base is not None and one.tag == old:
        return other.tag
    if base is not None and other.tag == old:
        return one.tag
    if one.tag is None or other.tag is None:
        return _first(one, other).tag
    best = _first(one, other).tag or one.tag
    newer = max(one.tag, other.tag, key=lambda tag: (_day(tag), tag == best))
    if old is None:
        return best
    a, b = one.tag, other.tag
    return Tag(
        _field(old.src, a.src, b.src) or best.src,
        _field(old.ts, a.ts, b.ts) or newer.ts,
        _merge_ttl(old.ttl, a, b),
        best.id if a.id != old.id != b.id else _pick(old.id, a.id, b.id),
        newer.ev if a.ev != old.ev != b.ev else _pick(old.ev, a.ev, b.ev),
        a.stale if b.stale == old.stale else b.stale,
        best.extra if a.extra != old.extra != b.extra else a.extra if b.extra == old.extra else b.extra,
    )


def _pick(old: str, one: str, other: str) -> str:
    return other if one == old else one


def _field(old: str, one: str, other: str) -> str:
    """The value that one side changed or both agree on; '' where they disagree."""
    return one if one == other else other if one == old else one if other == old else ""


def _merge_ttl(old: str, one: Tag, other: Tag) -> str:
    """The ttl that one side changed; of two changes the shorter life."""
    if one.ttl in (old, other.ttl):
        return other.ttl
    return one.ttl if other.ttl == old else min(one.ttl, other.ttl, key=_life)


def _life(ttl: str) -> tuple[float, str]:
    days = ttl_days(ttl) if ttl else None
    return (float("inf") if days is None else days, ttl)


def put_tag(node: Node, tag: Tag | None) -> tuple[str, ...]:
    """A node's lines with another tag of its own, or without one. Raises CannotMerge where there is no place for it."""
    lines = list(node.raw)
    if node.span is not None:
        if tag == node.tag:
            return node.raw
        at, first, last = node.span
        if tag is not None:
            lines[at] = lines[at][:first] + render_tag(tag) + lines[at][last:]
            return tuple(lines)
        lines[at] = (lines[at][:first].rstrip(" \t") + lines[at][last:]).rstrip(" \t")
        return tuple(lines) if lines[at].strip() else (*lines[:at], *lines[at + 1 :])
    if tag is None:
        return node.raw
    at = 0 if node.kind in (SECTION, "item") else len(lines) - 1
    if node.kind not in (SECTION, "item", "text", "row", "quote"):
        raise CannotMerge("an entry needs a tag of its own and has no place for one")
    lines[at] = lines[at].rstrip(" \t") + " " + render_tag(tag)
    return tuple(lines)
