"""worktree-flags: whether an agent reads what git has committed, and whether git would say so if it did not."""

from __future__ import annotations

from hoard_git.app.checks.base import FAIL, OK, WARN, Check, several
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, MODE_LINK, RepoPath
from hoard_git.core.policy import FILE_NAME
from hoard_git.core.shellwords import shell_word
from hoard_git.gitio.process import decode_path
from hoard_git.gitio.reader import WORKTREE
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.app.checks.base import Look
    from hoard_git.core.model import Oid


def check(look: Look) -> Check:
    """Files are compared byte by byte: flags, filters and ident hide a difference from `git status`, and the agent reads the bytes."""
    if look.head is None:
        return Check("worktree-flags", OK, "no commit to compare with yet")
    flagged = _flagged(look)
    here = [path for path, _class in look.active()] + [path for path in look.policies_paths() if path not in look.memory]
    entries = look.reader.tree(look.head, [RepoPath(path) for path in here]) if here else {}
    differing = _differing(look, entries)
    told = {str(change.path) for change in look.reader.changes(look.head, WORKTREE)}
    hidden = sorted(path for path in differing if path not in told or path in flagged)
    if hidden:
        flag = flagged.get(hidden[0], "")
        why = f"{flag} hides it" if flag else "a filter or an attribute hides it"
        fix = f"git update-index --no-{flag} -- {shell_word(hidden[0])}" if flag else f"git check-attr -a -- {shell_word(hidden[0])}"
        return Check("worktree-flags", FAIL, f"not what HEAD has, and {why} from git status: {several(hidden)}", fix)
    mine = {path: flag for path, flag in flagged.items() if path in look.memory or path.rsplit("/", 1)[-1] == FILE_NAME}
    if mine:
        path, flag = next(iter(mine.items()))
        return Check(
            "worktree-flags",
            WARN,
            f"{flag} is set, so changes would be overlooked: {several(sorted(mine))}",
            f"git update-index --no-{flag} -- {shell_word(path)}",
        )
    changed = sorted(differing)
    if changed:
        return Check("worktree-flags", WARN, f"read by agents as it stands, and not committed: {several(changed)}", "hoard commit")
    return Check("worktree-flags", OK, "the memory is what HEAD has")


def _flagged(look: Look) -> Mapping[str, str]:
    """Paths that git has been told not to look at, with the flag's name."""
    found = {}
    for field in look.reader.git(("ls-files", "-z", "-v"), at_root=True).finish().split(b"\0"):
        tag, path = field[:1].decode("ascii", "replace"), decode_path(field[2:])
        if tag in ("S", "s"):
            found[path] = "skip-worktree"
        elif tag.islower():
            found[path] = "assume-unchanged"
    return found


def _differing(look: Look, entries: Mapping[RepoPath, tuple[int, Oid]]) -> set[str]:
    """The files whose bytes are not those of HEAD; line ends alone are no difference."""
    files = {path: oid for path, (mode, oid) in entries.items() if mode in (MODE_FILE, MODE_EXECUTABLE)}
    old = look.reader.blobs(dict.fromkeys(files.values()))
    found = set()
    for path, oid in files.items():
        is_link = str(path) in look.memory and look.memory[path].mode == MODE_LINK
        data = None if is_link else read_file(look.reader.root(), path)
        before = old[oid]
        if data is None or (data != before and data.replace(b"\r\n", b"\n") != before.replace(b"\r\n", b"\n")):
            found.add(str(path))
    return found
