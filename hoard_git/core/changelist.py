"""From what changed between two trees to the trailers that say so (INTERFACE, "Trailers"). Pure: hook and CI compute the same."""

from __future__ import annotations

from hoard_git.core.files import log_day
from hoard_git.core.hashes import own_hash
from hoard_git.core.model import RANK, UNTAGGED
from hoard_git.core.slugs import slug, slugs
from hoard_git.core.trailers import ASSISTED, BLOCK, DIGEST, OP, REASON, REMOVED, SESSION, SOURCE, UNTAGGED_NAME, Trailer, sanitise
from hoard_git.core.whereabouts import MOST_LINES, NONE, PROVED, escape, removed_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hoard_git.core.align import Change, Unit
    from hoard_git.core.document import Document

__all__ = ["MOST_LINES", "NONE", "Places", "block_line", "digest", "escape", "expected_trailers", "find_sources"]

_HEADER = b"hoard-changes 1\n"


def expected_trailers(  # noqa: PLR0913  (one keyword for each trailer that no tree can tell)
    changes: Sequence[Change],
    before: Mapping[str, Document],
    after: Mapping[str, Document],
    *,
    op: str = "write",
    parent: str | None = None,
    removed: Mapping[tuple[str, int], str] | None = None,
    session: str = "",
    reason: str = "",
    assisted: str = "",
) -> tuple[Trailer, ...]:
    """Return every Memory-* trailer of a commit, in canonical order.

    `before` and `after` are the parsed memory files that differ, by path. `parent` is the oid from which a removed entry can be read
    again, None on a first commit. `removed` says for single entries (path and first line before the change) where they went when the
    trees alone do not tell: `duplicate k3f9q2`, or `history` for words that stay in the parent alone. `session`, `reason` and `assisted`
    (`Agent:model`) are made one clean line each; an empty one is left out.
    """
    places = Places(before, after)
    told = [change for change in changes if not _is_bare_heading(change)] or list(changes)
    told.sort(key=lambda change: (change.unit.path.encode("utf-8", "surrogateescape"), change.after is None, change.unit.line, change.kind))
    trailers = [Trailer(OP, op)]
    trailers += [Trailer(SOURCE, name) for name in find_sources(told)]
    trailers += _few(BLOCK, [block_line(change, places, bare=op in PROVED and _is_discreet(change.unit)) for change in told])
    trailers += [Trailer(REMOVED, line) for line in removed_lines(told, before, op=op, parent=parent, removed=removed or {})]
    trailers.append(Trailer(DIGEST, digest(changes)))
    texts = ((SESSION, session), (REASON, reason), (ASSISTED, assisted))
    return (*trailers, *[Trailer(key, text) for key, value in texts if (text := sanitise(value))])


def _few(key: str, lines: Iterable[str]) -> list[Trailer]:
    """One trailer for each distinct line, in order; none at all when there are too many to read."""
    distinct = dict.fromkeys(lines)
    return [Trailer(key, line) for line in distinct] if len(distinct) <= MOST_LINES else []


def _is_bare_heading(change: Change) -> bool:
    """Whether only a heading without any provenance changed: it states no fact, so it touches no source."""
    return change.unit.is_heading and all(side is None or side.provenance.src == UNTAGGED for side in (change.before, change.after))


def find_sources(changes: Iterable[Change]) -> list[str]:
    """Return the distinct sources that the changes touch, as they stand after the change, highest trust first."""
    found = {change.unit.provenance.src for change in changes}
    return [source or UNTAGGED_NAME for source in sorted(found, key=lambda source: -RANK[source])]


class Places:
    """Finds the slug of the heading that a unit is or stands under, on both sides of a change."""

    def __init__(self, before: Mapping[str, Document], after: Mapping[str, Document]) -> None:
        """Take the documents by path; slugs are computed once for each that is asked about."""
        self._documents = (before, after)
        self._slugs: tuple[dict[str, Sequence[str]], dict[str, Sequence[str]]] = ({}, {})

    def of(self, unit: Unit, *, is_after: bool) -> str:
        """Return `path#slug`, escaped; the slug is `-` where no heading stands above."""
        at = unit.index if unit.is_heading else unit.heading
        name = NONE
        if at >= 0:
            known = self._slugs[is_after]
            if unit.path not in known:
                document = self._documents[is_after].get(unit.path)
                known[unit.path] = slugs(document) if document is not None else ()
            here = known[unit.path]
            title = unit.text.lstrip("#").strip() if unit.is_heading else unit.title
            name = (here[at] if at < len(here) else slug(title)) or NONE
        return f"{escape(unit.path)}#{escape(name)}"


def _is_log(unit: Unit) -> bool:
    """Whether something stands in a daily log, active or archived: upkeep masks personal data there, and a heading may name people too."""
    return unit.file_class == "daily" or (unit.file_class == "archive" and "/logs/" in unit.path and log_day(unit.path) is not None)


def _is_discreet(unit: Unit) -> bool:
    """Whether the heading of a unit is not to live on in a message: it holds a credential, or may name people whom upkeep masks."""
    if _is_log(unit):
        return True
    from hoard_git.core.discreet import tells_secret

    return tells_secret(unit.text.lstrip("#").strip() if unit.is_heading else unit.title)


def block_line(change: Change, places: Places, *, bare: bool = False) -> str:
    """Return the value of a Memory-Block trailer: `verb id|- src ts ttl path#slug`; ts and ttl as written, `-` for a ttl not given.

    `bare` leaves the slug out (`path#-`): the words of a heading that is masked in the tree are not to live on in a message.
    """
    unit, provenance = change.unit, change.unit.provenance
    place = f"{escape(unit.path)}#{NONE}" if bare else places.of(unit, is_after=change.after is not None)
    words = (change.kind, provenance.id or NONE, provenance.src or UNTAGGED_NAME, provenance.ts, provenance.ttl or NONE, place)
    return " ".join(words)


def digest(changes: Iterable[Change]) -> str:
    """Return `sha256:` and 64 hex digits over the sorted list of all changes.

    Hashed are the header `hoard-changes 1` and one line for each change, sorted as bytes: the kinds joined by `+` (the first, then the
    others in order), then for the side before and the side after either `-` or path, unit kind, id, src, ts, ttl, ev, `stale` or
    nothing, and the SHA-256 of the text, each preceded by a NUL; UTF-8, lines end in a newline. No line number, heading, parent oid or
    date goes in, so a rebase keeps it.
    """
    sha256 = own_hash("sha256")

    def side(unit: Unit | None) -> tuple[str, ...]:
        if unit is None:
            return (NONE,)
        p = unit.provenance
        text = sha256(unit.text.encode("utf-8", "surrogateescape")).hexdigest()
        return (unit.path, unit.kind, p.id, p.src, p.ts, p.ttl, p.ev, "stale" if p.stale else "", text)

    rows = [("+".join((c.kind, *sorted(c.also))), *side(c.before), *side(c.after)) for c in changes]
    lines = sorted("\0".join(row).encode("utf-8", "surrogateescape") + b"\n" for row in rows)
    return "sha256:" + sha256(_HEADER + b"".join(lines)).hexdigest()
