"""`hoard blame`: for every line of a memory file who wrote it, when, what it claims, and whether the two fit."""

from __future__ import annotations

from hoard_git.app.history import Authors, read_version
from hoard_git.core.chunks import NO_END
from hoard_git.core.freshness import expiry_day
from hoard_git.core.markdown import parse
from hoard_git.core.model import RepoPath
from hoard_git.core.provenance import NOTHING, heading_provenances, provenances
from hoard_git.core.record import Record
from hoard_git.core.shellwords import shell_word
from hoard_git.core.slugs import slugs
from hoard_git.core.verdict import judge_line
from hoard_git.errors import HoardError
from hoard_git.gitio.blockindex_store import damaged
from hoard_git.gitio.reader import WORKTREE
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.document import Document
    from hoard_git.core.model import Actor
    from hoard_git.core.provenance import Provenance
    from hoard_git.core.tags import Tag
    from hoard_git.gitio.blockindex import BlockIndex
    from hoard_git.gitio.blockindex_store import NodeRow
    from hoard_git.gitio.plumbing import PlumbingReader


class BlameLine(Record):
    """One line. `node` and `actor` are None for a line that is not committed. `block` is an id or `path#slug`; `why` explains the verdict."""

    line: int
    text: str
    node: NodeRow | None
    actor: Actor | None
    provenance: Provenance
    expires: str
    block: str
    verdict: str
    why: str


class Blame(Record):
    """The attributed lines of a file. `oid` is the blob that they are the whole of, '' for a part, or a file that differs from it."""

    lines: tuple[BlameLine, ...]
    oid: str


def _not_there(index: BlockIndex, path: str) -> HoardError:
    """Why a path has no lines to attribute: a folder, a file that was removed, or none that is memory."""
    if not path or (index.knows_path(path) and not any(True for _ in index.store.versions(path))):
        return HoardError(f"{path or '.'!r} is a folder.", f"hoard log -- {shell_word(path or '.')}")
    if index.knows_path(path):
        return HoardError(
            f"{path!r} is not at this commit; it was removed or has moved.",
            f"the commit that removed it, for --at COMMIT~: hoard log -n 5 -- {shell_word(path)}",
        )
    return HoardError(f"{path!r} is no committed memory file at this commit.", "what is not committed yet: git status")


def read_blame(index: BlockIndex, reader: PlumbingReader, path: str, *, work_tree: bool, first: int = 1, last: int = 0) -> Blame:
    """Attribute the lines `first` to `last` (0: the end) of a file. With `work_tree`, as it lies on disk: changed lines belong to nobody yet.

    Raises HoardError when the file is not there or has not so many lines.
    """
    version = index.version(path)
    if version is None:
        raise _not_there(index, path)
    data = committed = read_version(reader, path, version.oid)
    origins = index.origins(version, _rows(data))
    if work_tree:
        data, origins = _as_on_disk(reader, path, data, origins)
    document = parse(data)
    rows = _rows(data)
    if len(rows) != len(origins):
        raise damaged()
    last = last or len(rows)
    if rows and not 1 <= first <= last <= len(rows):
        raise HoardError(f"{path!r} has {len(rows)} line{'s' * (len(rows) != 1)}.", f"hoard blame {shell_word(path)} -L 1,{len(rows)}")
    authors = Authors(reader)
    policies = authors.policies(index.node(index.seq).policy) if index.seq else None
    from hoard_git.core.files import classify, file_default
    from hoard_git.core.policy import DEFAULT

    policy = policies.govern(path) if policies is not None else DEFAULT
    claims, blocks = _claims(path, document, file_default(path, classify(path, policy), policy))
    days = {claim: expiry_day(claim, policy) for claim in dict.fromkeys(claims[first : last + 1])}
    index.read_nodes(origins[first - 1 : last])
    found = []
    for number in range(first, last + 1):
        origin = origins[number - 1]
        node = index.node(origin) if origin else None
        actor, verdict, why = _judge(authors, node, claims[number], path)
        text = rows[number - 1].removesuffix(NO_END)
        found.append(BlameLine(number, text, node, actor, claims[number], days[claims[number]], blocks[number], verdict, why))
    unchanged = data is committed and first == 1 and last == len(rows)
    return Blame(tuple(found), version.oid if unchanged else "")


def _judge(authors: Authors, node: NodeRow | None, claim: Provenance, path: str) -> tuple[Actor | None, str, str]:
    """Who wrote a line, the verdict about it, and why."""
    if node is None:
        return (None, *judge_line(claim.src, None, None, known=False))
    actor = authors.actor(node.email, node.policy, path, node.oid)
    sources = None if node.sources in ("-", "") else node.sources.split(",")
    known = authors.policies(node.policy) is not None and bool(actor.name or not actor.why)
    return (actor, *judge_line(claim.src, actor, sources, known=known))


def _rows(data: bytes) -> list[str]:
    rows = data.decode("utf-8", "surrogateescape").split("\n")
    if not rows[-1]:
        return rows[:-1]
    return [*rows[:-1], rows[-1] + NO_END]


def _as_on_disk(reader: PlumbingReader, path: str, data: bytes, origins: list[int]) -> tuple[bytes, list[int]]:
    """The file's bytes on disk, with 0 for every line that the last commit does not have."""
    now = read_file(reader.root(), RepoPath(path))
    if now is None or now == data:
        return data, origins
    head = reader.head()
    if head is not None and not any(change.path == path for change in reader.changes(head, WORKTREE)):
        return data, origins  # only line ends or a filter differ
    from hoard_git.core.linediff import diff_lines

    new = _rows(now)
    found: list[int] = []
    at = 0
    for old_start, old_stop, new_start, new_stop in diff_lines(_rows(data), new):
        found += origins[at:old_start] + [0] * (new_stop - new_start)
        at = old_stop
    return now, found + origins[at:]


def _claims(path: str, document: Document, default: Tag | None) -> tuple[list[Provenance], list[str]]:
    """For each line (place 0 unused) what it claims and to which block it belongs; blank lines claim nothing."""
    count = len(document.lines) + 1
    claims = [NOTHING] * count
    blocks = [""] * count
    heads = heading_provenances(document, default)
    names = slugs(document)
    at = 0
    calls = [found.id or f"{path}#{name}" for found, name in zip(heads, names, strict=True)]
    for index, heading in enumerate(document.headings):
        stop = document.headings[index + 1].line if index + 1 < len(document.headings) else count
        blocks[heading.line : stop] = [calls[index]] * (stop - heading.line)
        claims[heading.line] = heads[index]
    for entry, found in zip(document.entries, provenances(document, default), strict=True):
        for at in range(min(entry.line, entry.tag_line or entry.line), entry.end_line + 1):
            claims[at] = found
            if found.id:
                blocks[at] = found.id
    return claims, blocks
