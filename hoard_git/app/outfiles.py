"""Where a command may write a file that somebody names: never over memory, what steers the gate, git's own files, or a file of another kind."""

# ruff: noqa: PTH113, PTH114, PTH118, PTH119, PTH120, PTH123 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import os

from hoard_git.app.workspace import read_policies_of_worktree
from hoard_git.core.files import OTHER, classify, is_protected
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.gitio.plumbing import PlumbingReader

_HEAD = 64


def check_output(reader: PlumbingReader, path: str, instead: str, begins: tuple[bytes, ...] = ()) -> None:
    """Raise HoardError when writing to `path` would take away something that is no earlier output.

    `begins` are the first bytes, in lower case, of which an existing file has to have one; empty files and links, which are replaced and not
    followed, pass. `instead` is the command that writes somewhere else.
    """
    place = os.path.join(os.path.realpath(os.path.dirname(path) or "."), os.path.basename(path))
    gits = "one of git's own files"
    for top, what in {reader.root(): "", reader.common_dir(): gits, reader.git_dir(): gits}.items():
        inside = os.path.relpath(place, os.path.realpath(top)).replace(os.sep, "/")
        if inside.startswith("../"):
            continue
        if what or _matters(reader, inside):
            raise HoardError(f"{path!r} is {what or 'memory or steers the gate'}, and would be lost; nothing was written.", instead)
    if begins and os.path.isfile(path) and not os.path.islink(path):
        with open(path, "rb") as file:
            head = file.read(_HEAD).lstrip().lower()
        if head and not head.startswith(begins):
            raise HoardError(f"{path!r} is there already and was not written by this command; nothing was written.", instead)


def _matters(reader: PlumbingReader, path: str) -> bool:
    return is_protected(path) or classify(path, read_policies_of_worktree(reader).govern(path)) not in ("", OTHER)
