"""`hoard show` and `hoard why`: a block as it stands or last stood, and the whole story of a fact."""

from __future__ import annotations

from hoard_git.app.history import Authors, read_version
from hoard_git.app.history_copies import find_originals
from hoard_git.app.history_query import title_of, unit_facts
from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, UNTAGGED, Oid, RepoPath
from hoard_git.core.record import Record
from hoard_git.core.shellwords import shell_word
from hoard_git.core.slugs import slugs
from hoard_git.core.trust import is_raised
from hoard_git.errors import HoardError
from hoard_git.gitio.blockindex_store import damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hoard_git.core.document import Document
    from hoard_git.core.model import Actor
    from hoard_git.core.provenance import Provenance
    from hoard_git.gitio.blockindex import BlockIndex, EventRow, Side
    from hoard_git.gitio.blockindex_store import NodeRow
    from hoard_git.gitio.plumbing import PlumbingReader

_MOST_PARENTS = 16


class Standing(Record):
    """A block with its text. `name` is what other commands know it by.

    `alive` is false for one that was removed: then path, lines and text are those of its last version, which `commit` still has.
    """

    fact: int
    name: str
    title: str
    path: str
    line: int
    end: int
    text: str
    provenance: Provenance
    alive: bool
    commit: str


class Telling(Record):
    """One chapter of a story: what a commit did to the fact, and by whom. `rose` says that its source got a higher rank there.

    `original` is what the words were elsewhere, of an entry that came in as a copy under a higher source.
    """

    node: NodeRow
    actor: Actor
    row: EventRow
    rose: bool
    original: Side | None = None


class Story(Record):
    """A fact from its first appearance on, oldest chapter first. `path` is where it stands, '' when it was removed."""

    fact: int
    title: str
    path: str
    chapters: tuple[Telling, ...]

    @property
    def rises(self) -> tuple[Telling, ...]:
        """The chapters in which the source rose."""
        return tuple(chapter for chapter in self.chapters if chapter.rose)


def find_standing(index: BlockIndex, reader: PlumbingReader, fact: int) -> Standing:
    """A block as it stands at the tip, or as it was before its removal. Raises HoardError when no commit has its text any more."""
    rows = list(index.events((fact,), owned=False))
    if not rows:
        raise damaged()
    path = index.alive(fact)
    if path:
        version = index.version(path)
        if version is None:
            raise damaged()
        document = parse(read_version(reader, path, version.oid))
        headings, entries = unit_facts(version, document)
        for facts, heading in ((headings, True), (entries, False)):
            at = next((n for n, (number, _heading) in enumerate(facts) if number == fact), -1)
            if at >= 0:
                return _standing(rows[0], path, document, at, index.tip, heading=heading, alive=True)
    gone = next((row for row in rows if row.op == "remove"), rows[0])
    return _removed(index, reader, gone)


def _removed(index: BlockIndex, reader: PlumbingReader, row: EventRow) -> Standing:
    """Find the text that a removal took away, in the parents of its commit."""
    before = row.before
    if before is None:
        raise damaged()
    node = index.node(row.seq)
    for parent in reader.commit(Oid(node.oid)).parents[:_MOST_PARENTS]:
        entry = reader.tree(parent, [RepoPath(before.path)]).get(RepoPath(before.path))
        if entry is None or entry[0] not in (MODE_FILE, MODE_EXECUTABLE):
            continue
        document = parse(reader.blobs([entry[1]])[entry[1]])
        lines = (
            [(heading.line, n) for n, heading in enumerate(document.headings)]
            if row.kind == "heading"
            else [(e.line, n) for n, e in enumerate(document.entries)]
        )
        at = next((n for line, n in lines if line == before.line), -1)
        if at >= 0:
            return _standing(row, before.path, document, at, parent, heading=row.kind == "heading", alive=False)
    raise HoardError(
        f"No parent of {node.oid[:12]} has the text that it removed.", f"git log -p {node.oid[:12]} -- {shell_word(before.path)}"
    )


def _standing(row: EventRow, path: str, document: Document, at: int, commit: str, *, heading: bool, alive: bool) -> Standing:
    if heading:
        first, last = section_lines(document, at)
        place = f"{path}#{slugs(document)[at]}"
    else:
        entry = document.entries[at]
        first, last = min(entry.line, entry.tag_line or entry.line), entry.end_line
        place = f"{path}#{slugs(document)[entry.heading]}" if entry.heading >= 0 else path
    provenance = row.side.provenance
    text = "\n".join(document.lines[first - 1 : last])
    return Standing(row.fact, provenance.id or place, title_of(row), path, first, last, text, provenance, alive, commit)


def section_lines(document: Document, at: int) -> tuple[int, int]:
    """First and last line, 1-based, of a heading with all that stands under it; blank lines at the end left out."""
    heading = document.headings[at]
    stop = len(document.lines)
    for other in document.headings[at + 1 :]:
        if other.level <= heading.level:
            stop = other.line - 1
            break
    while stop > heading.line and not document.lines[stop - 1].strip():
        stop -= 1
    return heading.line, stop


def tell_story(index: BlockIndex, reader: PlumbingReader, fact: int) -> Story:
    """Everything that happened to one fact; for a heading, to all that stands or stood under it, too."""
    return _tell(index, fact, Authors(reader), find_originals(index, index.events((fact,), owned=False)))


def _tell(index: BlockIndex, fact: int, authors: Authors, originals: Mapping[int, Side]) -> Story:
    chapters: list[Telling] = []
    own = list(index.events((fact,), owned=False))
    rows = own if not own or own[0].kind != "heading" else list(index.events((fact,)))
    sources: dict[int, str] = {}
    of_block = {row.seq: row for row in own}
    for row in sorted(rows, key=lambda row: (row.when, row.side.line)):
        if row.fact != fact and _follows(row, of_block.get(row.seq)):
            continue
        node = index.node(row.seq)
        actor = authors.actor(node.email, node.policy, row.side.path, node.oid)
        original = originals.get(row.fact) if row.op == "add" else None
        rose = original is not None or _rose(row, actor, sources.get(row.fact, UNTAGGED))
        if row.after is not None and row.after.provenance.src != UNTAGGED:
            sources[row.fact] = row.after.provenance.src
        chapters.append(Telling(node, actor, row, rose, original))
    title = title_of(own[0]) if own else ""
    return Story(fact, title, index.alive(fact), tuple(chapters))


def _rose(row: EventRow, actor: Actor, last: str) -> bool:
    """Whether a commit gave a fact a higher source than it had, or had when it went: `last`, its source before; a first one may be given."""
    if row.after is None:
        return False
    if row.before is not None:
        return is_raised(row.before.provenance.src, row.after.provenance.src, actor.kind)
    return row.op == "restore" and last != UNTAGGED and is_raised(last, row.after.provenance.src, actor.kind)


def _follows(row: EventRow, block: EventRow | None) -> bool:
    """Whether an entry only did what its block did in the same commit: it went with it, or got the claim that it inherits."""
    if block is None:
        return False
    before, after, block_before, block_after = row.before, row.after, block.before, block.after
    if before is None or after is None or block_before is None or block_after is None:
        return False
    own = "own" in (before.provenance.origin, after.provenance.origin)
    went = (before.path, after.path) == (block_before.path, block_after.path)
    same = before.title == after.title or block_before.text != block_after.text
    return not own and went and same and before.text == after.text


def tell_stories(index: BlockIndex, reader: PlumbingReader, facts: Sequence[int]) -> list[Story]:
    """The stories of several facts, those that stand first."""
    authors = Authors(reader)
    originals = find_originals(index, index.events(facts, owned=False))
    stories = [_tell(index, fact, authors, originals) for fact in facts]
    return sorted(stories, key=lambda story: not story.path)
