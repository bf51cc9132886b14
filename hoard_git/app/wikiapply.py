"""`hoard wiki apply`: operations on pages through the gate, all of a batch or nothing of it, in one commit."""

from __future__ import annotations

from hoard_git.app.filewriting import FileWriting
from hoard_git.app.proposal import judge_paths
from hoard_git.app.wikibook import Book
from hoard_git.app.wikiyaml import check_front_matter
from hoard_git.app.write import commit_judged, find_author, find_changed, refuse_errors, writing
from hoard_git.core import wikiops
from hoard_git.core.dates import format_day
from hoard_git.core.files import file_default
from hoard_git.core.model import Actor, Oid, RepoPath
from hoard_git.core.record import Record
from hoard_git.core.shellwords import shell_word
from hoard_git.core.wikiedit import Writing, apply_operation
from hoard_git.errors import HoardError
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.app.wikibook import Place
    from hoard_git.app.write import Wish
    from hoard_git.core.model import Finding
    from hoard_git.core.wikiops import Batch, Operation


class Written(Record):
    """What was written: the commit (None when there was nothing to change), each page with how many operations changed it, and a new page's id."""

    oid: Oid | None
    pages: tuple[tuple[str, int], ...] = ()
    findings: tuple[Finding, ...] = ()
    id: str = ""


def apply_batch(place: Place, batch: Batch, wish: Wish) -> Written:
    """Apply every operation or none, and commit what changed at once; no commit when nothing would.

    The change counts as an agent's whoever makes it: nothing is raised, and nothing of the user's is touched. Raises HoardError that names the
    operation, and Refused when the gate objects, in mode warn too.
    """
    reader = place.reader
    wish = wish._replace(message=wish.message or batch.message, reason=wish.reason or batch.reason)
    with writing(reader):
        book = Book(reader)
        before: dict[str, bytes | None] = {}
        now: dict[str, bytes] = {}
        counts: dict[str, int] = {}
        for number, operation in enumerate(batch.operations, 1):
            path = _named(book, operation, operation.page, place.directory, number)
            if path not in now:
                before[path] = now[path] = read_file(reader.root(), RepoPath(path)) or b""
            fresh = _apply(place, book, now[path], operation, path, number)
            counts[path] = counts.get(path, 0) + (fresh != now[path])
            now[path] = fresh
        contents = {path: data for path, data in now.items() if data != before[path]}
        if not contents:
            return Written(None)
        uncommitted = find_changed(reader, list(contents)).paths
        for path, data in contents.items():
            if path in uncommitted:
                raise HoardError(f"{path} has changes that are not committed; nothing was applied.", f"hoard commit {shell_word(path)}")
            check_front_matter(data, path)
        names = ", ".join(path.rpartition("/")[2] for path in list(contents)[:3])
        more = f" and {len(contents) - 3} more" if len(contents) > 3 else ""
        wish = wish._replace(human=False, message=wish.message or f"Wiki: change {names}{more}")
        written = commit_pages(place, contents, before, wish, as_agent=True)
    return written._replace(pages=tuple((path, counts[path]) for path in sorted(contents)))


def _apply(place: Place, book: Book, data: bytes, operation: Operation, path: str, number: int) -> bytes:
    policy = book.policies.govern(path)
    if operation.op == wikiops.LINK:
        target = _named(book, operation, operation.to, path.rpartition("/")[0], number)
        if target == path:
            raise _refused(operation, number, HoardError(f"{path!r} would link to itself.", "Give to: the name of another page."))
        operation = operation._replace(to=book.short_name(target, path))
    today = format_day(place.days(policy).today)
    try:
        return apply_operation(data, operation, path, Writing(today, file_default(path, "wiki", policy)))
    except HoardError as error:
        raise _refused(operation, number, error) from None


def _named(book: Book, operation: Operation, name: str, directory: str, number: int) -> str:
    try:
        return book.find(name, directory)
    except HoardError as error:
        raise _refused(operation, number, error) from None


def _refused(operation: Operation, number: int, error: HoardError) -> HoardError:
    return HoardError(f"Nothing was applied: operation {number}, {operation.op}: {error.message}", error.hint)


def commit_pages(
    place: Place, contents: Mapping[str, bytes], before: Mapping[str, bytes | None], wish: Wish, *, as_agent: bool = False
) -> Written:
    """Judge pages as they will be, write them and commit them; everything is as it was before when anything refuses.

    `as_agent` judges the change as an agent's, whoever the author is, and refuses on errors in mode warn, too.
    """
    reader = place.reader
    paths = sorted(contents)
    author = find_author(reader, paths, human=wish.human, agent=wish.agent)
    actor = Actor("agent") if as_agent else wish.actor
    judgement = judge_paths(reader, paths, author, place.days, place.environ, contents, actor=actor)
    refuse_errors(judgement, always=as_agent or wish.agent)
    with FileWriting(reader.root(), contents, before) as files:
        files.write()
        oid = commit_judged(reader, judgement, paths, wish, author)
    return Written(oid, tuple((path, 1) for path in paths), judgement.findings)
