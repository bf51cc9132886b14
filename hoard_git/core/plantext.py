"""A plan in words: the commit message that reports it, and the lines that a terminal shows."""

from __future__ import annotations

from collections import Counter

from hoard_git.core.discreet import quiet_path, quiet_words
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from hoard_git.core.actions import Action
    from hoard_git.core.plan import Plan

_VERBS = {
    "stale": ("marked stale", "marked stale"),
    "archive": ("archived", "archived"),
    "dedupe": ("removed as a duplicate", "removed as duplicates"),
    "offload": ("moved to a topic file", "moved to topic files"),
    "promote": ("promoted", "promoted"),
    "warm": ("log shortened", "logs shortened"),
    "cold": ("log put away", "logs put away"),
}
_STEPS = {
    "stale": "expire",
    "archive": "expire",
    "dedupe": "dedupe",
    "offload": "compress",
    "promote": "promote",
    "warm": "tiers",
    "cold": "tiers",
}
_MOST_LINES = 25
"""Actions of one kind that the commit message tells; the trailers name what left."""

_WIDTH = 72


class Heading(Record):
    """One kind of action with its count, as the summary tells it."""

    kind: str
    number: int
    words: str


def headings(actions: Iterable[Action]) -> list[Heading]:
    """The kinds of actions that occur, with counts, in the order of the steps."""
    # a log that turns cold may take two actions, one for each file that it stood in
    distinct = {(a.kind, a.to) if a.kind == "cold" and a.to else (a.kind, a.path, a.line) for a in actions}
    counts = Counter(kind for kind, *_where in distinct)
    return [Heading(kind, counts[kind], words[counts[kind] > 1]) for kind, words in _VERBS.items() if counts[kind]]


def subject(plan: Plan) -> str:
    """The first line of the commit message."""
    parts = [f"{heading.number} {heading.words}" for heading in headings(plan.actions)]
    text = f"Consolidate memory {plan.day}: {', '.join(parts)}"
    return text if len(text) <= 100 else f"Consolidate memory {plan.day}: {len(plan.actions)} actions"


def message(plans: Iterable[Plan], mute: Callable[[str], bool]) -> str:
    """A commit message that reads as a report: what was done, where it went and why, then what a person should look at.

    `mute` says which texts are not to live on in a message, such as one that holds a secret.
    """
    told = [plan for plan in plans if not plan.is_empty]
    whole = told[0]._replace(actions=tuple(action for plan in told for action in plan.actions))
    lines = [subject(whole), ""]
    for heading in headings(whole.actions):
        lines.append(f"{heading.number} {heading.words}:")
        mine = [action for action in whole.actions if action.kind == heading.kind]
        lines += [f"- {line}" for action in mine[:_MOST_LINES] for line in [describe(_muted(action, mute))]]
        if len(mine) > _MOST_LINES:
            lines.append(f"- and {len(mine) - _MOST_LINES} more")
        lines.append("")
    reviews = [item for plan in told for item in plan.review]
    if reviews:
        counts = Counter(item.kind for item in reviews)
        lines += ["Left to a person: " + ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items())) + ".", ""]
    lines += [quiet_words(note) for plan in told for note in plan.notes]
    return "\n".join(lines).rstrip() + "\n"


def steps_told(text: bytes) -> set[str]:
    """The steps of whose actions a commit message tells, by the lines that `message` writes above each kind of action."""
    kinds = {words.encode(): kind for kind, pair in _VERBS.items() for words in pair}
    lines = [line.removesuffix(b":").partition(b" ") for line in text.split(b"\n") if line.endswith(b":")]
    return {_STEPS[kinds[words]] for number, _blank, words in lines if number.isdigit() and words in kinds}


def _muted(action: Action, mute: Callable[[str], bool]) -> Action:
    return action._replace(text="(not shown)") if mute(action.text) else action


def describe(action: Action) -> str:
    """One action on one line: where it stands, its first words, where it goes and why. Nothing in it can act on a terminal; no path tells a secret."""
    where = f"{_path(action.path)}:{action.line}" if action.line else _path(action.path)
    to = f" -> {_path(action.to)}" if action.to else ""
    twin = f" (stays: {_path(action.survivor.path)}:{action.survivor.line})" if action.survivor is not None else ""
    return f"{where} {quote(action.text)}{to}{twin}: {_plain(quiet_words(action.reason))}"


def quote(text: str) -> str:
    """The first line of a text, without its markers, cut to a width, in quotation marks."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    first = first.split("<!--", 1)[0].strip()
    while first[:2] in ("- ", "* ", "+ ", "# ", "> ") or first.startswith("##"):
        first = first[1:].lstrip() if not first.startswith("##") else first.lstrip("#").strip()
    shown = _plain(first)
    return f"'{shown if len(shown) <= _WIDTH else shown[: _WIDTH - 1].rstrip() + chr(0x2026)}'"


def _path(path: str) -> str:
    return _plain(quiet_path(path))


def _plain(text: str) -> str:
    return "".join(_safe(text))


def _safe(text: str) -> Iterator[str]:
    for char in text:
        yield char if char.isprintable() else "?"
