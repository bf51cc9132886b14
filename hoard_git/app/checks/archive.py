"""archive: whether what was taken out of the active memory is still there, and kept by git."""

from __future__ import annotations

from hoard_git.app.checks.base import FAIL, OK, WARN, Check, count, several
from hoard_git.core.model import MODE_LINK, RepoPath
from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.app.checks.base import Look
    from hoard_git.core.model import Oid


def check(look: Look) -> Check:
    """An archive file that is a link or cannot be read hides facts; one that git does not know is their only copy."""
    paths = [path for path, found in look.memory.items() if found.file_class == "archive"]
    if not paths:
        return Check("archive", OK, "nothing is archived yet")
    entries, odd = 0, []
    for path in paths:
        try:
            document = look.document(path) if look.memory[path].mode != MODE_LINK else None
        except HoardError:
            document = None
        if document is None or any("\0" in line for line in document.lines):
            odd.append(path)
        else:
            entries += len(document.entries)
    if odd:
        return Check("archive", FAIL, f"cannot be read as text: {several(odd)}", f"ls -l {shell_word(odd[0])}")
    known = look.reader.tree(look.head, [RepoPath(path) for path in paths]) if look.head is not None else {}
    unkept = [path for path in paths if RepoPath(path) not in known]
    if unkept:
        return Check("archive", WARN, f"in no commit, so this is the only copy: {several(unkept)}", f"hoard commit {shell_word(unkept[0])}")
    lost = _lost(look, known)
    if lost:
        return Check("archive", WARN, f"changed since the last commit: {several(lost)}", f"git diff HEAD -- {shell_word(lost[0])}")
    return Check("archive", OK, f"{count(entries, 'entry')} in {count(len(paths), 'file')}; bring one back: hoard restore BLOCK")


def _lost(look: Look, entries: Mapping[RepoPath, tuple[int, Oid]]) -> list[str]:
    """Archive files that are shorter than what the last commit holds of them: an archive only grows."""
    old = look.reader.blobs(oid for _mode, oid in entries.values())
    return [str(path) for path, (_mode, oid) in entries.items() if len(read_file(look.reader.root(), path) or b"") < len(old[oid])]
