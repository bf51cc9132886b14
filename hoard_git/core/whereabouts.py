"""The Memory-Removed lines: where the entries that left a file can be had (INTERFACE, "Trailers"). Written here, and read again."""

from __future__ import annotations

from hoard_git.core.record import Record
from hoard_git.core.units import core_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hoard_git.core.document import Document
    from hoard_git.core.units import Change, Unit

MOST_LINES = 50
"""Memory-Block lines, and Memory-Removed lines, of one commit; beyond that only the digest stands."""

NONE = "-"

ARCHIVE, OFFLOAD, DUPLICATE, HISTORY = "archive", "offload", "duplicate", "history"
"""The words that say where an entry is."""

PROVED = ("consolidate", "archive")
"""Operations whose commits say of every entry that left where it went (HG703)."""


def escape(text: str) -> str:
    """Percent-encode what would end or hide a word of a trailer: blanks, control and invisible characters, `#`, `%`, broken UTF-8."""
    if text.isprintable() and not any(c in text for c in " #%"):
        return text
    parts = []
    for c in text:
        if c.isprintable() and c not in " #%":
            parts.append(c)
        else:
            parts += ["%%%02X" % byte for byte in c.encode("utf-8", "surrogateescape")]
    return "".join(parts)


def unescape(text: str) -> str:
    """Undo `escape`."""
    if "%" not in text:
        return text
    out, at = bytearray(), 0
    data = text.encode("utf-8", "surrogateescape")
    while at < len(data):
        code = data[at + 1 : at + 3]
        if data[at] == 0x25 and len(code) == 2 and not code.strip(b"0123456789ABCDEFabcdef"):
            out.append(int(code, 16))
            at += 3
        else:
            out.append(data[at])
            at += 1
    return out.decode("utf-8", "surrogateescape")


class Gone(Record):
    """Where one entry of a file before the change is to be had: `where` is the end of its line, '' for the parent's own lines."""

    path: str
    first: int
    last: int
    id: str
    where: str


def removed_lines(
    changes: Sequence[Change], before: Mapping[str, Document], *, op: str, parent: str | None, removed: Mapping[tuple[str, int], str]
) -> list[str]:
    """Return the values of the Memory-Removed trailers, in the order of paths and lines, each once.

    Entries without an id that lie side by side in the parent's file, with nothing between them that stays, are one line. When the lines are too
    many to read, ids no longer part them, and then those lines go that the trees prove by themselves; an operation that must prove where
    everything went keeps the rest, however many.
    """
    gone = [found for change in changes if (found := _find_gone(change, parent, removed, proves=op in PROVED)) is not None]
    lines = _joined(gone, before, parent, by_id=True)
    if len(lines) > MOST_LINES:
        lines = _joined(gone, before, parent, by_id=False)
    if len(lines) > MOST_LINES:
        lines = _joined([found for found in gone if not found.where], before, parent, by_id=False)
    return lines if len(lines) <= MOST_LINES or op in PROVED else []


def _find_gone(change: Change, parent: str | None, removed: Mapping[tuple[str, int], str], *, proves: bool) -> Gone | None:
    """What a line says about one change; None when the entry is where it was.

    An archived entry is in the archive, one that moved to another active file there, a removed one in the parent commit. Where everything
    has to be proved, so is one whose words are others now.
    """
    old, new = change.before, change.after
    if old is None or old.is_heading:
        return None
    where = removed.get((old.path, old.line), "")
    if new is not None and not where:
        if not proves or (old.provenance.src == new.provenance.src and _same_words(old, new)):
            where = _moved_to(change, old, new)
            if not where:
                return None
        else:
            where = HISTORY
    where = "" if where == HISTORY else where
    if not where and not parent:
        return None
    return Gone(old.path, old.line, old.end_line, old.provenance.id, where)


def _moved_to(change: Change, old: Unit, new: Unit) -> str:
    if change.has("archive"):
        return f"{ARCHIVE} {escape(new.path)}"
    if old.path != new.path and not change.has("restore"):
        return f"{OFFLOAD} {escape(new.path)}"
    return ""


def _same_words(old: Unit, new: Unit) -> bool:
    """Whether two entries have the same words, links to the same places counted as the same."""
    core = core_text(old)
    if core == core_text(new):
        return True
    if "](" not in core:
        return False
    from hoard_git.core.links import is_same_text

    return is_same_text(core, old.path, core_text(new), new.path)


def _joined(gone: Iterable[Gone], before: Mapping[str, Document], parent: str | None, *, by_id: bool) -> list[str]:
    """Write the lines; what lies side by side in one file is one, entries with an id apart when `by_id`."""
    rows: list[tuple[str, int, str]] = []
    runs: dict[str, list[Gone]] = {}
    for each in gone:
        if each.where or (by_id and each.id):
            rows.append(
                (each.path, each.first, f"{each.id or NONE} {each.where or history_span(parent, each.path, each.first, each.last)}")
            )
        else:
            runs.setdefault(each.path, []).append(each)
    places = {(each.path, each.first) for each in gone}
    for path, found in runs.items():
        document = before.get(path)
        staying = [entry.line for entry in document.entries if (path, entry.line) not in places] if document is not None else []
        for first, last in _ranges(sorted(found, key=lambda each: each.first), staying, apart=document is None):
            rows.append((path, first, f"{NONE} {history_span(parent, path, first, last)}"))
    rows.sort(key=lambda row: (row[0].encode("utf-8", "surrogateescape"), row[1]))
    return list(dict.fromkeys(line for _path, _first, line in rows))


def _ranges(found: Sequence[Gone], staying: Sequence[int], *, apart: bool) -> list[tuple[int, int]]:
    """Join neighbours between which no entry begins that stays."""
    ranges: list[tuple[int, int]] = []
    at = 0
    for each in found:
        while at < len(staying) and ranges and staying[at] < ranges[-1][1]:
            at += 1
        if ranges and not apart and not (at < len(staying) and staying[at] < each.first):
            ranges[-1] = (ranges[-1][0], max(ranges[-1][1], each.last))
        else:
            ranges.append((each.first, each.last))
    return ranges


def history_span(parent: str | None, path: str, first: int, last: int) -> str:
    """The end of a line that names the 1-based lines of a file in an earlier commit."""
    return f"{HISTORY} {parent}:{escape(path)}#L{first}-L{last}"


def removed_line(change: Change, parent: str | None) -> str:
    """Return the value of a Memory-Removed trailer about one change by itself, '' when nothing left.

    Commits that were made before neighbours were joined have one such line for each entry.
    """
    gone = _find_gone(change, parent, {}, proves=False)
    return "" if gone is None else f"{gone.id or NONE} {gone.where or history_span(parent, gone.path, gone.first, gone.last)}"


class Removal(Record):
    """A Memory-Removed trailer as it was read. `id` is the entry's, '' for none given; which of the others count depends on the verb."""

    verb: str
    id: str = ""
    path: str = ""
    oid: str = ""
    lines: tuple[int, int] = (0, 0)
    twin: str = ""


def parse_removal(value: str) -> Removal | None:
    """Read the value of a Memory-Removed trailer; None when it is not of the form that INTERFACE gives it."""
    name, _, rest = value.partition(" ")
    verb, _, where = rest.partition(" ")
    name = "" if name == NONE else name
    if (name and not _is_id(name)) or not where or " " in where:
        return None
    if verb in (ARCHIVE, OFFLOAD):
        path = unescape(where)
        return Removal(verb, name, path) if escape(path) == where else None
    if verb == DUPLICATE:
        return Removal(verb, name, twin=where) if _is_id(where) else None
    oid, colon, place = where.partition(":")
    path, sign, span = place.rpartition("#")
    first, dash, last = span.partition("-")
    if verb != HISTORY or not (colon and sign and dash) or len(oid) not in (40, 64) or oid.strip("0123456789abcdef"):
        return None
    lines = tuple(
        int(word[1:]) for word in (first, last) if word[:1] == "L" and 0 < len(word[1:]) < 10 and not word[1:].strip("0123456789")
    )
    if len(lines) != 2 or not 0 < lines[0] <= lines[1] or escape(unescape(path)) != path:
        return None
    return Removal(verb, name, unescape(path), oid, (lines[0], lines[1]))


def _is_id(text: str) -> bool:
    return 6 <= len(text) <= 12 and not text.strip("abcdefghijklmnopqrstuvwxyz0123456789")
