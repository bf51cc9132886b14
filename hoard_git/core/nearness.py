"""Entries that look alike and may not be the same: what a person should look at, each with one reason (DESIGN §9).

Nothing here changes an entry. Candidates share a word that is rare at their place, so the time grows with the number of entries and not with
their pairs. Daily logs are left out: what repeats there with other numbers is what a log is for.
"""

from __future__ import annotations

from bisect import bisect_left

from hoard_git.core.duplicates import trust_order
from hoard_git.core.guards import HEDGE, NEGATION, ONE_WORD, OPPOSITE, ORDER, SAME, TENSE, find_reason, is_conflict
from hoard_git.core.model import RANK
from hoard_git.core.negations import locate_wide_negations
from hoard_git.core.record import Record
from hoard_git.core.sameness import is_sentence
from hoard_git.core.wording import compare, tokens_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from hoard_git.core.duplicates import Statement
    from hoard_git.core.wording import Difference, Token

NEAR, CONFLICT = "near", "conflict"

MOST = 200
"""Items that are listed; the most certain ones."""

MOST_TOGETHER = 10
"""Entries of one item: a counter that is written down every day makes one item and not hundreds."""

LIKE, VERY_LIKE = 0.6, 0.75
"""Dice coefficients of the words of two entries from which they are looked at, and from which they are listed without a strong reason."""

_MOST_TOKENS, _FEWEST_SHARED = 80, 2
_KEYS, _POSTINGS = 6, 40
_MOST_APART = 3
_ROUGH = 0.56
"""The same before repeated words are counted, which can only make two entries more alike."""


class Near(Record):
    """One review item: `near` or `conflict`, a reason, and the statements, the most trusted and then the newest first."""

    kind: str
    reason: str
    statements: tuple[Statement, ...]
    score: float = 0.0


class _Cut(Record):
    """A statement with its tokens and their keys."""

    statement: Statement
    tokens: tuple[Token, ...]
    keys: frozenset[str]


def find_near(statements: Iterable[Statement], most: int = MOST, about: Collection[tuple[str, int]] | None = None) -> list[Near]:
    """The review items about these statements, conflicts first, then by likeness; deterministic. What is beyond `most` is left out.

    `about` limits them to pairs that hold one of these entries (path and index).
    """
    cuts = []
    for one in statements:
        if one.leaf and one.file_class != "daily":
            tokens = tokens_of(one.text) if len(one.text) <= _MOST_TOKENS * 12 else ()
            if 0 < len(tokens) <= _MOST_TOKENS:
                cuts.append(_Cut(one, tokens, frozenset([token.key for token in tokens])))
    pairs: dict[tuple[str, str], list[tuple[int, int, float]]] = {}
    judged = None if about is None else {number for number, cut in enumerate(cuts) if _spot(cut.statement) in about}
    for low, high in sorted(_candidates(cuts, judged)):
        first, second = cuts[low], cuts[high]
        found = judge_pair(first.tokens, second.tokens, first.statement.text)
        if found is not None and first.statement.form != second.statement.form:
            kind, reason, score = found
            pairs.setdefault((kind, reason), []).append((low, high, score))
    items = [item for key, linked in pairs.items() for item in _together(key, linked, cuts)]
    ranked = sorted(items, key=lambda item: (item.kind != CONFLICT, -item.score, trust_order(item.statements[0]), item.reason))
    return _without_parts(ranked)[:most]


def _spot(one: Statement) -> tuple[str, int]:
    return one.path, one.number


def judge_pair(left: Sequence[Token], right: Sequence[Token], text: str) -> tuple[str, str, float] | None:
    """Kind, reason and likeness of two entries, None when they are not alike enough; `text` is what `left` was cut from."""
    difference = compare(left, right)
    shared = len(left) - len(difference.left)
    ours, theirs = _negating(left, right, difference)
    score = 2 * shared / (len(left) + len(right) - ours - theirs)
    apart = max(len(difference.left) - ours, len(difference.right) - theirs)
    short = shared == 1 and apart == 1 and len(left) == len(right)  # `The build passed`, `The build failed`
    if (not short and (shared < _FEWEST_SHARED or score < LIKE)) or apart > _room(left, right):
        return None
    reason = find_reason(left, right, difference)
    if not _is_telling(reason, score, shared, difference) or (short and reason not in (NEGATION, OPPOSITE) and not _is_label(left, text)):
        return None
    return (CONFLICT if is_conflict(left, text, difference, reason) else NEAR), reason, score


def _negating(left: Sequence[Token], right: Sequence[Token], difference: Difference) -> tuple[int, int]:
    """How many tokens that the other lacks only negate, where a Chinese, Japanese or Korean negation came or went: it takes up to seven signs."""
    ours, theirs = locate_wide_negations(left), locate_wide_negations(right)
    if len(ours) == len(theirs):
        return 0, 0
    counts = []
    for side, negations, rest in ((left, ours, difference.left), (right, theirs, difference.right)):
        covered = {side[number].start for negation in negations for number in negation}
        counts.append(sum(token.start in covered for token in rest))
    return counts[0], counts[1]


def _is_label(tokens: Sequence[Token], text: str) -> bool:
    """Whether a text has the form `Owner: …`."""
    return text[tokens[0].start + len(tokens[0].raw) :].lstrip("*_`")[:1] in (":", "=", "\uff1a")


def _room(left: Sequence[Token], right: Sequence[Token]) -> int:
    """How many words either may have that the other lacks."""
    return max(_MOST_APART, max(len(left), len(right)) // 5)


def _is_telling(reason: str, score: float, shared: int, difference: Difference) -> bool:
    """Weak reasons need more likeness: lists of like things (`Ann likes tea`, `Bob likes tea`) are what memory is full of."""
    if reason == SAME:
        return score >= VERY_LIKE and shared > _FEWEST_SHARED
    if reason == ONE_WORD:
        return shared > _FEWEST_SHARED or score >= VERY_LIKE
    if reason in (ORDER, TENSE, HEDGE):
        return True
    return bool(difference.left or difference.right)


def origin_of(statement: Statement) -> str:
    """Where a statement comes from, as it counts for support: ten notes from one web site are one origin, as are all that name none."""
    if statement.src == "user":
        return "user"
    site = statement.ev.partition("://")[2] or statement.ev
    site = site.partition("/")[0].lower().removeprefix("www.")
    return f"{statement.src} {site}".strip()


# -------------------------------------------------------------------- candidates


def _candidates(cuts: Sequence[_Cut], judged: Collection[int] | None) -> set[tuple[int, int]]:
    """Pairs of indices that share a rare word at one place, or anywhere when both are sentences that stand alone.

    `judged` limits them to pairs that hold one of these.
    """
    if judged is not None and not judged:
        return set()
    posted: dict[object, dict[str, list[int]]] = {}
    rooms: list[list[dict[str, list[int]]]] = []
    for number, cut in enumerate(cuts):
        rooms.append([posted.setdefault(room, {}) for room in _rooms(cut.statement)])
        for room in rooms[-1]:
            for key in cut.keys:
                if key in room:
                    room[key].append(number)
                else:
                    room[key] = [number]
    found: set[tuple[int, int]] = set()
    for number, cut in enumerate(cuts):
        few = None
        if judged is not None and number not in judged:
            few = {other for other in judged if other < number and _is_close(cut, cuts[other])}
            if not few:
                continue
        others: set[int] = set()
        for room in rooms[number]:
            rare = sorted([(len(room[key]), key) for key in cut.keys if 1 < len(room[key]) <= _POSTINGS])[:_KEYS]
            for _count, key in rare:
                others.update(room[key][: bisect_left(room[key], number)])
        near = others & few if few is not None else (other for other in others if _is_close(cut, cuts[other]))
        found.update([(other, number) for other in near])
    return found


def _is_close(one: _Cut, other: _Cut) -> bool:
    """Whether two entries share enough words to be looked at."""
    mine, theirs = len(one.keys), len(other.keys)
    if 2 * min(mine, theirs) < _ROUGH * (mine + theirs):  # however many they share
        return False
    shared = len(one.keys & other.keys)
    if mine == theirs == shared + 1 == 2:  # `The build passed`, `The build failed`
        return True
    return 2 * shared >= _ROUGH * (mine + theirs) and max(mine, theirs) - shared <= _room(one.tokens, other.tokens)


def _rooms(one: Statement) -> Iterator[object]:
    """Where else the same would be spoken of: at its place, under headings of the same name, and anywhere for a sentence that stands alone."""
    yield one.place[:-1]
    if one.alone:
        if one.topic:
            yield f"#{one.topic}"
        if is_sentence(one.form):
            yield ""


# -------------------------------------------------------------------- items


def _together(key: tuple[str, str], linked: Sequence[tuple[int, int, float]], cuts: Sequence[_Cut]) -> Iterator[Near]:
    """Join pairs of one kind and reason that share an entry into one item."""
    root: dict[int, int] = {}

    def top(number: int) -> int:
        while root.setdefault(number, number) != number:
            number = root[number]
        return number

    best: dict[int, float] = {}
    for one, two, score in linked:
        low, high = sorted((top(one), top(two)))
        root[high] = low
        best[low] = max(best.get(low, 0), best.get(high, 0), score)
    members: dict[int, list[int]] = {}
    for number in sorted(root):
        members.setdefault(top(number), []).append(number)
    for first, numbers in members.items():
        together = sorted((cuts[number].statement for number in numbers), key=trust_order)
        yield Near(key[0], _reason(key[1], together), tuple(together[:MOST_TOGETHER]), best[first])


def _without_parts(items: Sequence[Near]) -> list[Near]:
    """Leave out near pairs whose entries stand together in a larger item already."""
    larger: dict[tuple[str, int], list[int]] = {}
    for number, item in enumerate(items):
        if len(item.statements) > 2:
            for one in item.statements:
                larger.setdefault((one.path, one.number), []).append(number)

    def is_part(item: Near) -> bool:
        holders = [set(larger.get((one.path, one.number), ())) for one in item.statements]
        return item.kind == NEAR and len(holders) == 2 and bool(holders[0] & holders[1])

    return [item for item in items if not is_part(item)]


def _reason(reason: str, together: Sequence[Statement]) -> str:
    """The reason, and with it what may not be counted as support, and how many are not shown."""
    parts = [reason]
    told = [one for one in together if one.src != "user"]
    origins = {origin_of(one) for one in told}
    if len(told) > 1 and len(origins) == 1 and RANK[told[0].src] <= RANK["tool"]:
        parts.append(f"{len(told)} entries from one origin count once")
    if len(together) > MOST_TOGETHER:
        parts.append(f"{len(together) - MOST_TOGETHER} more like these are not shown")
    return "; ".join(parts)
