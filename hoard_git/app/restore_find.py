"""Which block `hoard restore` is asked for, and which of its versions: anywhere behind a commit, side branches and deleted archives included."""

from __future__ import annotations

from hoard_git.app.history import Authors
from hoard_git.app.history_query import candidate, meant_path, title_of, unit_facts
from hoard_git.app.restore_same import Trace, distinct
from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Oid, RepoPath
from hoard_git.core.provenance import Provenance
from hoard_git.core.record import Record
from hoard_git.core.restoring import Kept
from hoard_git.core.shellwords import shell_word
from hoard_git.core.slugs import slug, slugs
from hoard_git.core.units import core_of, heading_text, plain_text
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hoard_git.app.history import MemoryRules
    from hoard_git.core.document import Document
    from hoard_git.core.tags import Tag
    from hoard_git.gitio.blockindex import BlockIndex, EventRow
    from hoard_git.gitio.blockindex import Side as EventSide
    from hoard_git.gitio.plumbing import PlumbingReader

_ARCHIVE = "archive"
_MOST_PARENTS = 16
_MOST_SHOWN = 12
_MOST_COMPARED = 24
_SHORTEST_PREFIX = 3


class Made(Record):
    """One commit that had a hand in a block: what it did, where the block stood then, and who made it. `kind` is human, agent or tool."""

    commit: str
    date: str
    name: str
    email: str
    kind: str
    event: str
    path: str
    line: int
    title: str
    text: str
    provenance: Provenance
    verified: bool = False


class Found(Record):
    """What is to come back. `files` are whole files by path, with `kept` None; else the block `kept` stood in `path` at `commit`.

    `standing` is where it stands in active memory (path), `archived` where a copy lies in the archive (path, line), both at the commit
    that was asked about. `versions` are newest first, `others` wrote in a section besides `writer` (name, kind). `gone` are the words of entries that were taken out of a standing block.
    """

    title: str
    name: str = ""
    path: str = ""
    commit: str = ""
    kept: Kept | None = None
    files: Mapping[str, bytes] = {}
    standing: str = ""
    line: int = 0
    archived: tuple[str, int] = ("", 0)
    versions: tuple[Made, ...] = ()
    writer: Made | None = None
    others: tuple[tuple[str, str], ...] = ()
    taken: Made | None = None
    gone: tuple[str, ...] = ()
    is_heading: bool = False


class Finder:
    """Answers for the commit that an index was opened for. `at_tip` asks for the block as it is there, should it still stand."""

    def __init__(self, index: BlockIndex, reader: PlumbingReader, rules: MemoryRules, *, at_tip: bool) -> None:
        """Nothing is read before the first question."""
        self._index = index
        self._reader = reader
        self._rules = rules
        self._at_tip = at_tip
        self._authors = Authors(reader)
        self._alive: dict[int, str] = {}
        self._entries: dict[tuple[str, str], tuple[int, Oid] | None] = {}
        self._documents: dict[tuple[str, str], Document | None] = {}

    def find(self, argument: str, path: str | None) -> Found | None:
        """The file, block or text that an argument names, tried in that order; None when history knows nothing like it.

        Raises HoardError when it may mean several that are gone.
        """
        path = meant_path(self._index, path, argument)
        if path and self._index.knows_path(path):
            return self._find_files(path)
        for number, facts in enumerate(self._candidates(argument, path)):
            if facts:
                return self._describe(self._choose(argument, facts, whole=number > 0))
        return None

    # ---------------------------------------------------------------- which block

    def _candidates(self, name: str, path: str | None) -> Iterator[tuple[int, ...]]:
        """Facts of this name: by id, beginning of an id, `PATH#slug`, heading, slug of a heading, words."""
        index = self._index
        yield index.facts_with_id(name).get(name, ())
        if len(name) >= _SHORTEST_PREFIX:
            yield tuple(fact for facts in index.facts_with_id(name, prefix=True).values() for fact in facts)
        if "#" in name.strip("#"):
            file, _, wanted = name.rpartition("#")
            for place in dict.fromkeys(((path or "").rpartition("#")[0] or file, file)):
                yield self._by_slug(place, wanted.lower())
        yield index.facts_with_heading(name)
        wanted = slug(name)
        if wanted:
            titles = index.heading_titles(max(wanted.split("-"), key=len))
            yield tuple(dict.fromkeys(fact for title, facts in titles.items() if slug(title) == wanted for fact in facts))
        yield index.facts_with_text(name)

    def _by_slug(self, path: str, wanted: str) -> tuple[int, ...]:
        found = [row.fact for row in self._index.path_events(path) if row.kind == "heading" and _slug_of(row) == wanted]
        version = self._index.version(path)
        if version is not None:
            document = parse(self._blob(Oid(version.oid)))
            numbers = [fact for fact, _ in unit_facts(version, document)[0]]
            exact = tuple(fact for known, fact in zip(slugs(document), numbers, strict=False) if known == wanted)
            if exact:  # `-1` and `-2` of repeats are known for the standing file alone
                return tuple(dict.fromkeys((*exact, *found)))
        return tuple(dict.fromkeys(found))

    def _choose(self, name: str, facts: Sequence[int], *, whole: bool) -> int:
        """The one that is meant: of several those that need to be brought back, or, with a commit given, those that stand there.

        Of one id the newest, since an id names one block (`whole` is false); of words, those that are an entry as a whole.
        """
        facts = tuple(dict.fromkeys(facts))
        if self._at_tip:
            facts = tuple(fact for fact in facts if self.alive(fact)) or facts
        else:
            facts = tuple(fact for fact in facts if not self._is_active(self.alive(fact))) or facts
        if len(facts) > 1:
            last = {fact: next(iter(self._index.events((fact,), owned=False))) for fact in facts}
            if not whole:
                facts = (max(facts, key=lambda fact: last[fact].when),)
            exact = core_of(name).casefold()
            facts = tuple(fact for fact in facts if core_of(last[fact].side.text).casefold() == exact) or facts
        if len(facts) == 1 or not self._at_tip and all(self._is_active(self.alive(fact)) for fact in facts):
            return facts[0]
        found = {fact: self._describe(fact) for fact in facts[:_MOST_COMPARED]}
        outside = [
            fact for fact in found if self._at_tip or self._is_active(found[fact].path)
        ] or found  # what never stood outside the archive
        traces = [Trace(fact, last[fact].when, found[fact].kept) for fact in outside]
        different = [trace.fact for trace in distinct(traces)]
        if len(different) == 1 and len(found) == len(facts):
            return different[0]
        count = len(different) + len(facts) - len(found)
        shown = [self._line(found[fact], last[fact]) for fact in different[:_MOST_SHOWN]]
        more = [f"and {count - len(shown)} more"] if count > len(shown) else []
        hint = ["Say which, by an id, by more of its words, or by the commit before it went (--from COMMIT~):", *shown, *more]
        raise HoardError(f"{name[:80]!r} fits {count} blocks.", "\n".join(hint))

    def _line(self, found: Found, last: EventRow) -> str:
        """A candidate: what to type for it, its words, where it stood last and which commit had the last hand in it."""
        named = candidate(self._index, last.fact, self._reader)
        path = found.path or last.side.path
        where = f"removed from {path}" if found.path and found.taken is not None else f"in {path}"
        return f"{named.name}  {named.title}  ({where}; {self._index.node(last.seq).oid[:12]})"

    def alive(self, fact: int) -> str:
        """The path at which a fact stands at the commit asked about, '' when it does not."""
        if fact not in self._alive:
            path = self._index.alive(fact)
            self._alive[fact] = path if path and self._spot(path, fact) is not None else ""
        return self._alive[fact]

    def _is_active(self, path: str) -> bool:
        return bool(path) and self._rules.classify(path) != _ARCHIVE

    # ---------------------------------------------------------------- which version

    def _describe(self, fact: int) -> Found:
        rows = list(self._index.events((fact,), owned=False))
        is_heading = rows[0].kind == "heading"
        versions = tuple(self._versions(fact, rows))
        title, name = title_of(rows[0]), rows[0].side.provenance.id
        place = self.alive(fact)
        spot = self._spot(place, fact) if place else None
        found = Found(title, name, place, versions=versions, is_heading=is_heading)
        if spot is not None and self._is_active(place) and not self._at_tip:
            gone = tuple(self._gone_from(place, title)) if is_heading else ()
            return found._replace(standing=place, line=spot.line, gone=gone)
        if spot is not None and self._at_tip:
            return found._replace(kept=spot, commit=self._index.tip, writer=self._writer(rows))
        at = self._last_active(rows)
        row = rows[at]
        commit, kept = self._locate(row)
        taken = self._made(row, row.op) if row.before is not None and not self._leads(row) else None
        rest = rows[at:] if self._leads(row) else rows[at + 1 :]
        path = row.after.path if self._leads(row) and row.after is not None else row.before.path if row.before is not None else ""
        writer = self._writer(rest)
        found = found._replace(path=path, commit=commit, kept=kept, writer=writer, taken=taken)
        found = found._replace(others=self._others(fact, writer)) if is_heading else found
        return found._replace(archived=(place, spot.line)) if spot is not None and not self._is_active(place) else found

    def _leads(self, row: EventRow) -> bool:
        """Whether the version wanted is the one after the event rather than the one before it."""
        return row.after is not None and (self._is_active(row.after.path) or row.before is None)

    def _last_active(self, rows: Sequence[EventRow]) -> int:
        """The newest event with the block in active memory on either side; the newest of all when it never stood there."""
        for at, row in enumerate(rows):
            if any(side is not None and self._is_active(side.path) for side in (row.after, row.before)):
                return at
        return 0

    def _locate(self, row: EventRow) -> tuple[str, Kept]:
        """The commit and the version that an event speaks of. Raises HoardError when no commit has it."""
        oid = Oid(self._index.node(row.seq).oid)
        after = self._leads(row)
        side = row.after if after else row.before
        commits = (oid,) if after else self._reader.commit(oid).parents[:_MOST_PARENTS]
        for commit in commits:
            if side is None:
                break
            document = self._document(commit, side.path)
            at = _unit_at(document, side, heading=row.kind == "heading") if document is not None else -1
            if document is not None and at >= 0:
                return commit, Kept(document, self._default(side.path), row.kind == "heading", at)
        raise HoardError(f"No commit has the text that {oid[:12]} took out.", f"git log -p -m -1 {oid[:12]}")

    def _spot(self, path: str, fact: int) -> Kept | None:
        """A fact where it stands at the commit asked about. The tree decides, not the index, which is a cache."""
        version = self._index.version(path)
        document = self._document(Oid(self._index.tip), path)
        row = next(iter(self._index.events((fact,), owned=False)), None)
        if version is None or document is None or row is None:
            return None
        entry = self._entry(Oid(self._index.tip), path)
        if entry is None or version.oid != entry[1]:
            at = _unit_at(document, row.side, heading=row.kind == "heading")
            return Kept(document, self._default(path), row.kind == "heading", at) if at >= 0 else None
        for is_heading, facts in zip((True, False), unit_facts(version, document), strict=True):
            at = next((n for n, (number, _) in enumerate(facts) if number == fact), -1)
            if at >= 0:
                return Kept(document, self._default(path), is_heading, at)
        return None

    def _gone_from(self, path: str, title: str) -> Iterator[str]:
        """Words of entries that were taken out from below a heading and stand nowhere now."""
        seen: set[int] = set()
        for row in self._index.path_events(path):
            if (
                row.op == "remove"
                and row.kind != "heading"
                and row.before is not None
                and row.before.title == title
                and row.fact not in seen
            ):
                seen.add(row.fact)
                if not self.alive(row.fact):
                    yield title_of(row)

    # ---------------------------------------------------------------- whole files

    def _find_files(self, path: str) -> Found:
        """A file that is gone; of a folder, the files that its newest removal took."""
        index = self._index
        there = {str(name) for name in self._reader.tree(Oid(index.tip), [RepoPath(path)])}
        if path in there or (self._at_tip and there):
            found = Found(path, path=path, commit=index.tip)
            if not self._at_tip:
                return found._replace(standing=path)
            return found._replace(files={name: self._file(Oid(index.tip), name) for name in sorted(there) if self._rules.classify(name)})
        for row in index.path_events(path):
            before = row.before
            if before is None or before.path in there or (before.path != path and not before.path.startswith(path + "/")):
                continue
            node = index.node(row.seq)
            gone = {r.before.path for r in index.path_events(path) if r.seq == row.seq and r.before is not None} - there
            for parent in self._reader.commit(Oid(node.oid)).parents[:_MOST_PARENTS]:
                listed = self._reader.tree(parent, [RepoPath(path)])
                names = sorted(name for name in gone if RepoPath(name) in listed)
                if names:
                    made = self._made(row, "remove")
                    return Found(path, path=path, commit=parent, files={name: self._file(parent, name) for name in names}, taken=made)
        raise HoardError(f"No file of {path!r} is gone that history could bring back.", f"hoard log -- {shell_word(path)}")

    def _file(self, commit: Oid, path: str) -> bytes:
        mode, oid = self._reader.tree(commit, [RepoPath(path)])[RepoPath(path)]
        if mode not in (MODE_FILE, MODE_EXECUTABLE):
            raise HoardError(f"{path!r} was no regular file in {commit[:12]}.", f"git ls-tree {commit[:12]} -- {shell_word(path)}")
        return self._blob(oid)

    def _document(self, commit: Oid, path: str) -> Document | None:
        if (commit, path) not in self._documents:
            entry = self._entry(commit, path)
            good = entry is not None and entry[0] in (MODE_FILE, MODE_EXECUTABLE)
            self._documents[commit, path] = parse(self._blob(entry[1])) if good and entry is not None else None
        return self._documents[commit, path]

    def _entry(self, commit: Oid, path: str) -> tuple[int, Oid] | None:
        if (commit, path) not in self._entries:
            self._entries[commit, path] = self._reader.tree(commit, [RepoPath(path)]).get(RepoPath(path))
        return self._entries[commit, path]

    def _blob(self, oid: Oid) -> bytes:
        return self._reader.blobs([oid])[oid]

    def _default(self, path: str) -> Tag | None:
        return self._rules.default(path, self._rules.classify(path))

    # ---------------------------------------------------------------- who and when

    def _writer(self, rows: Sequence[EventRow]) -> Made | None:
        """Who wrote a block's words: the newest event that changed them, moves, returns and merges that went back to them left out."""
        wrote = [
            row
            for row in rows
            if row.after is not None and row.op != "restore" and (row.before is None or row.before.text != row.after.text)
        ]
        if not wrote:
            return self._made(rows[-1], rows[-1].op) if rows else None
        newest, *others = wrote
        older = next((row for row in others if row.side.text == newest.side.text), None)
        if older is not None and len(self._reader.commit(Oid(self._index.node(newest.seq).oid)).parents) > 1:
            newest = older
        return self._made(newest, newest.op)

    def _made(self, row: EventRow, event: str, side: EventSide | None = None) -> Made:
        node, side = self._index.node(row.seq), side or row.side
        actor = self._authors.actor(node.email, node.policy, side.path, node.oid)
        text = side.text if row.kind != "heading" or row.side is side else ""
        return Made(
            node.oid, node.date, node.name, node.email, actor.kind, event, side.path, side.line, side.title, text, side.provenance, actor.verified
        )  # fmt: skip

    def _versions(self, fact: int, rows: Sequence[EventRow]) -> Iterator[Made]:
        """Every version of a block, newest first: each commit that changed it, its place, its claim or, for a heading, what stood under it."""
        own = {row.seq: row for row in rows}
        if rows[0].kind != "heading":
            for row in rows:
                yield self._made(row, row.op)
            return
        inside: dict[int, list[EventRow]] = {}
        for row in self._index.events((fact,), owned=True):
            inside.setdefault(row.seq, []).append(row)
        for seq, changed in inside.items():
            if seq in own:
                yield self._made(own[seq], own[seq].op)
                continue
            older = next((row for row in rows if row.when < changed[0].when and row.after is not None), None)
            if older is not None and older.after is not None:
                made = self._made(changed[0], "edit")._replace(line=0, text=_sum_of(changed))
                yield made._replace(path=older.after.path, title=older.after.title, provenance=older.after.provenance)

    def _others(self, fact: int, writer: Made | None) -> tuple[tuple[str, str], ...]:
        """Name and kind of everybody else who wrote something that stood under a heading."""
        names: dict[tuple[str, str], None] = {}
        for row in self._index.events((fact,), owned=True):
            if row.after is not None and row.op != "restore" and (row.before is None or row.before.text != row.after.text):
                made = self._made(row, row.op)
                names[made.name, made.kind] = None
        return tuple(name for name in sorted(names) if writer is None or name != (writer.name, writer.kind))


def _sum_of(rows: Sequence[EventRow]) -> str:
    """What a commit did to the entries under a heading, a line each, in the order of the file."""
    lines = []
    for row in rows[::-1]:
        old = row.before.text if row.before is not None else None
        new = row.after.text if row.after is not None else None
        lines += [f"- {old}"] if old is not None and old != new else []
        lines += [f"+ {new}"] if new is not None and old != new else []
    return "\n".join(lines)


def _slug_of(row: EventRow) -> str:
    return slug(row.side.text.lstrip("#").strip())


def _unit_at(document: Document, side: EventSide, *, heading: bool) -> int:
    """The heading or entry of an event's side: at its line, or the only one of its words."""
    headings = [(h.line, heading_text(h)) for h in document.headings]
    rows = headings if heading else [(e.line, plain_text(e)) for e in document.entries]
    same = [n for n, (_line, words) in enumerate(rows) if words == side.text]
    return next((n for n in same if rows[n][0] == side.line), same[0] if len(same) == 1 else -1)
