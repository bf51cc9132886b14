"""`hoard get`: a part of one memory file, as it stands or at a commit. Nothing outside of the memory is read, whatever the path says."""

from __future__ import annotations

from hoard_git.app.recall_sync import policies_at, read_text, search_class
from hoard_git.app.workspace import read_policies_of_worktree
from hoard_git.core.files import classify, file_default
from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Oid, RepoPath
from hoard_git.core.provenance import provenances
from hoard_git.core.record import Record
from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.document import Document
    from hoard_git.core.provenance import Provenance
    from hoard_git.core.tags import Tag
    from hoard_git.gitio.plumbing import PlumbingReader


class Reading(Record):
    """The lines `first` to `last` of a file, 1-based and inclusive, of `whole`; `last` is below `first` when there are none.

    `commit` is '' for the work tree. `note` says why there is nothing, '' otherwise. `claims` are the entries that stand on these lines, wholly or
    in part, with first and last line and what they claim.
    """

    path: str
    commit: str
    first: int
    last: int
    whole: tuple[str, ...]
    note: str = ""
    claims: tuple[tuple[int, int, Provenance], ...] = ()


def read_part(reader: PlumbingReader, path: str, rev: str, first: int, count: int) -> Reading:
    """Read `count` lines (0: all) from the line `first` on; a file or line that is not there gives none, with a note.

    `path` is a repository path. Raises HoardError for what is no memory file, a symlink, an unknown revision, and what cannot be read.
    """
    on_disk = not rev and reader.root() != reader.git_dir()
    commit = "" if on_disk else str(reader.resolve(rev or "HEAD"))
    policies = read_policies_of_worktree(reader) if on_disk else policies_at(reader, Oid(commit))
    raw = _at_commit(reader, path, commit) if commit else read_file(reader.root(), RepoPath(path))
    if raw is None:
        where = f" at {commit[:10]}" if commit else ""
        return Reading(path, commit, first, first - 1, (), f"there is no {path!r}{where}")
    policy = policies.govern(path)
    file_class = classify(path, policy)
    if not file_class:
        raise HoardError(
            f"{path!r} is no memory file under this policy.",
            "hoard get MEMORY.md        what counts as memory stands under memory: in .hoard.yaml",
        )
    text = read_text(raw, path)
    lines = text.decode("utf-8", "surrogateescape").split("\n")
    if lines[-1] == "":
        lines.pop()
    last = len(lines) if not count else min(len(lines), first + count - 1)
    note = f"{path!r} has {len(lines)} line{'' if len(lines) == 1 else 's'}" if first > max(1, len(lines)) else ""
    if not lines:
        note = f"{path!r} is empty"
    here = claims_of(parse(text), file_default(path, search_class(path, file_class, policy), policy))
    claims = tuple(claim for claim in here if claim[0] <= last and claim[1] >= first)
    return Reading(path, commit, first, max(last, first - 1), tuple(lines), note, claims)


def claims_of(document: Document, default: Tag | None) -> tuple[tuple[int, int, Provenance], ...]:
    """The entries of a file in order: first and last line, and what they claim."""
    both = zip(document.entries, provenances(document, default), strict=True)
    return tuple([(entry.line, entry.end_line, claim) for entry, claim in both])


def split_revision(argument: str) -> tuple[str, str]:
    """Cut `PATH@REV` at its last @; the revision is '' when there is none. `HEAD@{1}` is one."""
    at = argument.rfind("@")
    if at > 0 and argument[at + 1 : at + 2] == "{":
        at = argument.rfind("@", 0, at)
    return (argument, "") if at <= 0 or at == len(argument) - 1 else (argument[:at], argument[at + 1 :])


def _at_commit(reader: PlumbingReader, path: str, commit: str) -> bytes | None:
    entry = reader.tree(Oid(commit), [RepoPath(path)]).get(RepoPath(path))
    if entry is None:
        return None
    if entry[0] not in (MODE_FILE, MODE_EXECUTABLE):
        raise HoardError(f"{path!r} is not a regular file at {commit[:10]}.", f"git ls-tree {commit[:10]} -- {shell_word(path)}")
    return reader.blobs([entry[1]])[entry[1]]
