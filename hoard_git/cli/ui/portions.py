"""The portions of a plan as a page shows them: what is done and why, the text before, and where it is afterwards; credentials are masked."""

from __future__ import annotations

from hoard_git.cli.render.cleaning import clean_text
from hoard_git.cli.render.columns import plain
from hoard_git.cli.render.masking import Sheet, mask_secrets
from hoard_git.cli.render.text import path_text, safe
from hoard_git.cli.render.upkeep import KINDS
from hoard_git.cli.ui.asking import address, may_link
from hoard_git.core.model import RepoPath
from hoard_git.core.plantext import headings, quote
from hoard_git.core.portions import Excerpt, take_apart
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hoard_git.app.consolidate import Outcome
    from hoard_git.cli.ui.asking import Review
    from hoard_git.core.actions import Action
    from hoard_git.core.actions import Review as Left
    from hoard_git.core.model import Oid
    from hoard_git.core.portions import Portion
    from hoard_git.gitio.plumbing import PlumbingReader

_MOST_ROWS = 60
_MOST_ITEMS = 30
_VERBS = {
    "stale": "Mark stale",
    "archive": "Archive",
    "dedupe": "Remove the duplicate",
    "offload": "Move to a topic file",
    "promote": "Promote",
    "warm": "Shorten the log",
    "cold": "Put the log away",
}


class Shown(Record):
    """Rows of one file, with where they stand; `more` rows were left out."""

    where: str
    rows: tuple[str, ...]
    more: int


class Row(Record):
    """One portion: what it does, in words, with its texts. `accepted` is whether its box is ticked to begin with."""

    id: str
    verb: str
    title: str
    where: str
    place: str
    to: str
    src: str
    reasons: tuple[str, ...]
    before: tuple[Shown, ...]
    after: tuple[Shown, ...]
    stays: Shown | None
    ending: str
    accepted: bool


def shown_groups(reader: PlumbingReader, review: Review, outcome: Outcome) -> list[tuple[str, list[Row]]]:
    """The portions of a review by kind, in the order of the steps; what was dropped before is shown by its words alone."""
    planned = {portion.id: portion for plan in outcome.plans for portion in take_apart(plan)}
    texts = _Texts(reader, review, outcome, planned.values())
    rows: dict[str, list[Row]] = {}
    for portion in review.portions.values():
        rows.setdefault(portion.actions[0].kind, []).append(_row(portion, texts, review, planned=portion.id in planned))
    heads = headings(action for portion in review.portions.values() for action in portion.actions)
    return [(f"{head.number} {head.words}", rows[head.kind]) for head in heads]


def _row(portion: Portion, texts: _Texts, review: Review, *, planned: bool) -> Row:
    """`planned` is false for what was dropped: where its lines would be, the plan that is shown does not say."""
    first = portion.actions[0]
    before = tuple(texts.before(part) for part in portion.before)
    after = tuple(texts.after(part) for part in portion.after) if planned else ()
    stays = texts.line(portion.stays.path, portion.stays.line) if portion.stays is not None else None
    return Row(
        portion.id,
        _VERBS[first.kind],
        safe(mask_secrets(quote(first.text)[1:-1])) or path_text(first.path),
        _where(first),
        address("/file", path=first.path) + (f"#L{first.line}" if first.line else "") if may_link(first.path) else "",
        plain(first.to),
        first.src or "untagged",
        tuple(dict.fromkeys(clean_text(action.reason) for action in portion.actions)),
        before,
        after,
        stays,
        _ending(first, portion) if planned else "Dropped before: it would stay as it is.",
        portion.id in review.accepted,
    )


def _where(action: Action) -> str:
    return f"{path_text(action.path)}:{action.line}" if action.line else path_text(action.path)


def _ending(action: Action, portion: Portion) -> str:
    """What is left where no lines can be shown."""
    if portion.after:
        return ""
    if action.kind == "dedupe":
        return "Nothing is left of this one; its twin stays."
    if action.to.lower().endswith(".gz"):
        return f"Packed into {path_text(action.to)}, which check and search read as well."
    return "" if not action.gone else "In no file afterwards; history keeps it, and the commit says where."


class _Texts:
    """The lines of the files before and after, as a page shows them; looked at for credentials all at once, and only where they are shown."""

    def __init__(self, reader: PlumbingReader, review: Review, outcome: Outcome, planned: Iterable[Portion]) -> None:
        portions = review.portions.values()
        before = [part for portion in portions for part in portion.before]
        stays = [Excerpt(portion.stays.path, (portion.stays.line,)) for portion in portions if portion.stays is not None]
        self._old = _versions(_read(reader, outcome.base, {part.path for part in before + stays}), before + stays)
        edits = {path: data for plan in outcome.plans for path, data in plan.edits.items() if data is not None}
        self._new = _versions(edits, [part for portion in planned for part in portion.after])

    def before(self, part: Excerpt) -> Shown:
        """Lines of the snapshot."""
        return self._old[part.path].show(part)

    def after(self, part: Excerpt) -> Shown:
        """Lines of a file as the plan leaves it."""
        return self._new[part.path].show(part)

    def line(self, path: str, number: int) -> Shown:
        """One line of the snapshot."""
        return self._old[path].show(Excerpt(path, (number,)))._replace(where=f"{path_text(path)}:{number}")


class _Version:
    """One version of a file."""

    def __init__(self, data: bytes) -> None:
        self._lines = data.decode("utf-8", "surrogateescape").split("\n")
        self._sheet = Sheet(self._lines)

    def look(self, parts: Iterable[Excerpt]) -> None:
        """Look for credentials in what is shown of some excerpts."""
        self._sheet.look_at(number for part in parts for number in self._numbers(part)[:_MOST_ROWS])

    def _numbers(self, part: Excerpt) -> list[int]:
        numbers = [number for number in part.numbers if number <= len(self._lines)]
        while len(numbers) > 1 and not self._lines[numbers[-1] - 1].strip():
            numbers.pop()
        return numbers

    def show(self, part: Excerpt) -> Shown:
        """An excerpt that was looked at."""
        numbers = self._numbers(part)
        rows = tuple(_text(self._sheet.line(number)) for number in numbers[:_MOST_ROWS])
        where = f"{path_text(part.path)}:{numbers[0]}" + (f"\u2013{numbers[-1]}" if len(numbers) > 1 else "")
        return Shown(where, rows, max(0, len(numbers) - _MOST_ROWS))


def _read(reader: PlumbingReader, base: Oid, paths: set[str]) -> dict[str, bytes]:
    entries = reader.tree(base, [RepoPath(path) for path in sorted(paths)]) if paths else {}
    blobs = reader.blobs([oid for _mode, oid in entries.values()])
    return {str(path): blobs[oid] for path, (_mode, oid) in entries.items()}


def _versions(contents: Mapping[str, bytes], parts: Iterable[Excerpt]) -> dict[str, _Version]:
    wanted: dict[str, list[Excerpt]] = {}
    for part in parts:
        wanted.setdefault(part.path, []).append(part)
    found = {path: _Version(data) for path, data in contents.items() if path in wanted}
    for path, version in found.items():
        version.look(wanted[path])
    return found


def _text(line: str) -> str:
    return safe(line.removesuffix("\r").replace("\t", "    "))


def left_to_a_person(outcome: Outcome) -> list[tuple[str, list[tuple[str, list[tuple[str, str, str]]]], int]]:
    """What the plan leaves to a person: by kind a heading, the reasons each with its entries (address, place, words), and how many were left out."""
    found = []
    items = [item for plan in outcome.plans for item in plan.review]
    for kind, words in KINDS.items():
        mine = [item for item in items if item.kind == kind]
        if mine:
            told = [(clean_text(item.reason), list(_sightings(item))) for item in mine[:_MOST_ITEMS]]
            found.append((f"{words[0].upper()}{words[1:]} ({len(mine)})", told, max(0, len(mine) - _MOST_ITEMS)))
    return found


def _sightings(item: Left) -> Iterator[tuple[str, str, str]]:
    for entry in item.entries[:4]:
        where = f"{path_text(entry.path)}:{entry.line}" if entry.line else path_text(entry.path)
        place = address("/file", path=entry.path) + (f"#L{entry.line}" if entry.line else "") if may_link(entry.path) else ""
        yield place, where, safe(mask_secrets(quote(entry.text)[1:-1]))
