"""hidden-files: memory that an agent reads and git does not know, so that no gate has ever seen it."""

from __future__ import annotations

from hoard_git.app.checks.base import FAIL, OK, WARN, Check, count, several
from hoard_git.app.write import find_ignored, find_nested
from hoard_git.core.files import OTHER, file_default
from hoard_git.core.shellwords import shell_word
from hoard_git.gitio.process import decode_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.checks.base import Look


def check(look: Look) -> Check:
    """Ignored memory stays outside for good, so it fails; untracked memory may be new. State of tools under memory/ is only counted."""
    tracked = {decode_path(name) for name in look.reader.git(("ls-files", "-z"), at_root=True).finish().split(b"\0")}
    unknown = [path for path in look.memory if path not in tracked]
    elsewhere = tuple(f"{path}/" for path in find_nested(look.reader))
    nested = [path for path in unknown if path.startswith(elsewhere)]
    if nested:
        what = f"in a repository inside this one, where no gate of ours looks: {several(nested)}"
        return Check("hidden-files", FAIL, what, f"move them out, or: git rm --cached {shell_word(_link(nested[0], elsewhere))}")
    ignored = set(find_ignored(look.reader, unknown))
    read = [path for path in unknown if look.memory[path].file_class != OTHER or path.lower().endswith(".md")]
    hidden = [path for path in read if path in ignored]
    if hidden:
        return Check(
            "hidden-files", FAIL, f"ignored by git, and read by agents: {several(hidden)}", f"git check-ignore -v {shell_word(hidden[0])}"
        )
    if read:
        return Check("hidden-files", WARN, f"untracked: {several(read)}", _first_commit(read[0], look))
    others = len(unknown) - len(read)
    more = f"; {count(others, 'other file')} under memory/ {'is' if others == 1 else 'are'} not memory" if others else ""
    return Check("hidden-files", OK, f"git knows every memory file{more}")


def _first_commit(path: str, look: Look) -> str:
    """What brings a file under the gate: a tag first where it needs one, and by the user what counts as the user's without a tag."""
    counts_as = file_default(path, look.memory[path].file_class, look.policies.govern(path))
    if counts_as is None:
        return f"hoard tag {shell_word(path)} && hoard commit {shell_word(path)}"
    return f"hoard commit --human {shell_word(path)}" if counts_as.src == "user" else f"hoard commit {shell_word(path)}"


def _link(path: str, links: tuple[str, ...]) -> str:
    """The recorded repository that a path lies in."""
    return next(link for link in links if path.startswith(link)).rstrip("/")
