"""What an argument of the history commands means: a path, a block, or a text, in that order (INTERFACE, "Commands")."""

from __future__ import annotations

from hoard_git.app.history import read_version
from hoard_git.core.model import Oid, RepoPath
from hoard_git.core.record import Record
from hoard_git.core.shellwords import shell_word
from hoard_git.core.slugs import slug, slugs
from hoard_git.core.units import core_of
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.document import Document
    from hoard_git.gitio.blockindex import BlockIndex, EventRow, StoredVersion
    from hoard_git.gitio.plumbing import PlumbingReader

PATH, BLOCK, TEXT, ALL = "path", "block", "text", "all"
"""What a target is."""

_SHORTEST_PREFIX = 3
_MOST_CANDIDATES = 12
_HIDDEN = "(its words hold a secret)"


class Target(Record):
    """What a question is about. `facts` are those of a block (one, mostly) or of a text; `path` that of a file or folder."""

    kind: str
    facts: tuple[int, ...] = ()
    path: str = ""


class Candidate(Record):
    """One of several blocks that a name may mean. `path` is where it stands or stood last, `until` the commit that removed it, if one did."""

    fact: int
    name: str
    title: str
    where: str
    path: str
    until: str


def find_target(index: BlockIndex, reader: PlumbingReader, argument: str, path: str | None, *, kind: str = "") -> Target:
    """Resolve an argument. `path` is it as a repository path, None when it cannot be one; `kind` forces PATH, BLOCK or TEXT.

    Raises HoardError for a name that several blocks have, with the candidates, and for what nothing in history matches.
    """
    path = meant_path(index, path, argument)
    if kind in ("", PATH) and path is not None and (path == "" or index.knows_path(path)):
        return Target(PATH, path=path) if path else Target(ALL)
    if kind == PATH:
        raise HoardError(f"{argument!r} is and was no memory file here.", "hoard log")
    if kind in ("", BLOCK):
        facts = find_block(index, reader, argument, path)
        if facts:
            return Target(BLOCK, facts)
    if kind in ("", TEXT):
        facts = index.facts_with_text(argument)
        if facts:
            return Target(TEXT, facts)
    what = "text" if kind == TEXT else "block" if kind == BLOCK else "path, block or text"
    raise HoardError(
        f"No {what} in the history of this memory matches {argument[:80]!r}.",
        "hoard log        one block, by its id, its heading or PATH#heading: hoard show BLOCK",
    )


def meant_path(index: BlockIndex, path: str | None, argument: str) -> str | None:
    """The repository path that an argument means: `path`, seen from the current directory, unless only the argument itself was ever memory.

    Everything that is printed names files from the top, and is typed again in whatever directory.
    """
    if path and path != argument and not index.knows_path(path) and index.knows_path(argument):
        return argument
    return path


def find_block(index: BlockIndex, reader: PlumbingReader, name: str, path: str | None = None) -> tuple[int, ...]:
    """Find a block by id, beginning of an id, `PATH#slug` or heading; () when there is none. Raises HoardError when it is ambiguous."""
    exact = index.facts_with_id(name).get(name, ())
    if exact:
        return _single(index, reader, name, exact)
    if len(name) >= _SHORTEST_PREFIX:
        by_prefix = index.facts_with_id(name, prefix=True)
        if by_prefix:
            return _single(index, reader, name, [fact for facts in by_prefix.values() for fact in facts])
    if "#" in name.strip("#"):
        place, _, anchor = name.rpartition("#")
        by_slug = _by_slug(index, reader, place, anchor, path.rsplit("#", 1)[0] if path else None)
        if by_slug:
            return _single(index, reader, name, by_slug)
    found = index.facts_with_heading(name) or _by_heading_slug(index, name)
    return _single(index, reader, name, found) if found else ()


def _single(index: BlockIndex, reader: PlumbingReader, name: str, facts: Sequence[int]) -> tuple[int, ...]:
    """One fact: the only one, or the only one that stands now."""
    facts = tuple(dict.fromkeys(facts))
    if len(facts) == 1:
        return facts
    standing = tuple(fact for fact in facts if index.alive(fact))
    if len(standing) == 1:
        return standing
    shown = [candidate(index, fact, reader) for fact in (standing or facts)[:_MOST_CANDIDATES]]
    lines = [f"{c.name}  {c.title}{_whereabouts(c)}" for c in shown]
    left = len(standing or facts) - len(shown)
    more = [f"and {left} more; by its words: hoard log --text {shell_word(name[:80])}"] if left > 0 else []
    how = "Say which one:" if standing else "Say which one, and a commit that has it, with --at:"
    raise HoardError(f"{name[:80]!r} is the name of {len(standing or facts)} blocks.", "\n".join([how, *lines, *more]))


def _whereabouts(found: Candidate) -> str:
    """Where a block stands, unless its name says so, or up to which commit it stood."""
    if found.until:
        return f"  ({found.where}: --at {found.until[:12]}~)"
    return "" if found.name.startswith(found.path + "#") else f"  ({found.where})"


def without_secret(title: str, lines: Sequence[str] = (), first: int = 0, last: int = 0) -> str:
    """A title for a message, unless it holds a credential; by the whole version where that is given, with the unit's first and last line.

    A value that stands alone is known for a credential by the label above it only.
    """
    from hoard_git.core.secrets import find_secrets

    hidden = find_secrets([title]) or any(found.line <= last and found.end_line >= first for found in find_secrets(lines))
    return _HIDDEN if hidden else title


def candidate(index: BlockIndex, fact: int, reader: PlumbingReader) -> Candidate:
    """How to call a fact: its id, else its place; and where it stands or stood. Credentials are left out."""
    row = last_event(index, fact)
    if row is None:
        return Candidate(fact, "?", "", "", "", "")
    side, path = row.side, index.alive(fact)
    then = _version_with(reader, row, Oid(index.node(row.seq).oid))
    title = without_secret(title_of(row), then.lines, side.line, side.end) if then is not None else _HIDDEN
    heading = side.text.lstrip("#").strip() if row.kind == "heading" else side.title
    hidden = without_secret(heading) == _HIDDEN or (row.kind == "heading" and title == _HIDDEN)
    anchor = _anchor(index, reader, row, then, path) if row.kind == "heading" else ""
    place = side.path if hidden else f"{path or side.path}#{anchor or slug(heading)}"
    own = side.provenance.id
    name = own if own and (row.kind != "heading" or len(index.facts_with_id(own).get(own, ())) < 2) else place
    until = "" if path or row.after is not None else index.node(row.seq).oid
    return Candidate(fact, name, title, f"in {path}" if path else f"removed from {side.path}", path or side.path, until)


def _version_with(reader: PlumbingReader, row: EventRow, oid: Oid) -> Document | None:
    """The file with an event's unit: that of its commit, of a removal that of a parent; None where it cannot be read."""
    from hoard_git.core.markdown import parse

    found = None
    for commit in (oid,) if row.after is not None else reader.commit(oid).parents:
        entry = reader.tree(commit, [RepoPath(row.side.path)]).get(RepoPath(row.side.path))
        if entry is None:
            continue
        found = parse(reader.blobs([entry[1]])[entry[1]])
        if row.side.line in (unit.line for units in (found.headings, found.entries) for unit in units):
            break
    return found


def _anchor(index: BlockIndex, reader: PlumbingReader, row: EventRow, then: Document | None, path: str) -> str:
    """A heading's slug among those of its file, as that stands or last had it; '' when it is not found there."""
    from hoard_git.core.markdown import parse

    version = index.version(path) if path else None
    document = parse(read_version(reader, path, version.oid)) if version is not None else then
    if document is None:
        return ""
    here = [row.fact if heading.line == row.side.line else 0 for heading in document.headings]
    numbers = heading_facts(version, document) if version is not None else here
    return next((known for known, fact in zip(slugs(document), numbers, strict=False) if fact == row.fact), "")


def last_event(index: BlockIndex, fact: int) -> EventRow | None:
    """The newest event of a fact, None when it has none."""
    return next(iter(index.events((fact,), owned=False)), None)


def title_of(row: EventRow) -> str:
    """A heading's title, or the first words of an entry."""
    text = row.side.text
    if row.kind == "heading":
        return text.lstrip("#").strip()
    core = core_of(text)
    return core if len(core) <= 60 else core[:59] + "\u2026"


def _by_slug(index: BlockIndex, reader: PlumbingReader, path: str, name: str, real_path: str | None) -> list[int]:
    """Headings of a file by slug: as it stands at the tip, else any that it ever had."""
    from hoard_git.core.markdown import parse

    for place in dict.fromkeys((real_path or path, path)):
        version = index.version(place)
        if version is not None:
            document = parse(read_version(reader, place, version.oid))
            numbers = heading_facts(version, document)
            found = [fact for known, fact in zip(slugs(document), numbers, strict=False) if known == name.lower()]
            if found:
                return found
        old = {
            row.fact
            for row in index.path_events(place)
            if row.kind == "heading" and slug(row.side.text.lstrip("#").strip()) == name.lower()
        }
        if old:
            return sorted(old)
    return []


def _by_heading_slug(index: BlockIndex, name: str) -> tuple[int, ...]:
    """Headings called so apart from a leading date, markup and case."""
    wanted = slug(name)
    if not wanted:
        return ()
    word = max((w for w in wanted.split("-") if w), key=len, default="")
    titles = index.heading_titles(word)
    return tuple(dict.fromkeys(fact for title, facts in titles.items() if slug(title) == wanted for fact in facts))


def heading_facts(version: StoredVersion, document: Document) -> list[int]:
    """The facts of a file's headings in their order."""
    return [fact for fact, _is_heading in unit_facts(version, document)[0]]


def unit_facts(version: StoredVersion, document: Document) -> tuple[list[tuple[int, bool]], list[tuple[int, bool]]]:
    """The facts of a version's headings and of its entries, each in the document's order."""
    headings: list[tuple[int, bool]] = []
    entries: list[tuple[int, bool]] = []
    line = 0
    for facts, origins in version.pieces:
        last = line + len(origins)
        count = sum(1 for heading in document.headings if line < heading.line <= last)
        headings += [(fact, True) for fact in facts[:count]]
        entries += [(fact, False) for fact in facts[count:]]
        line = last
    return headings, entries
