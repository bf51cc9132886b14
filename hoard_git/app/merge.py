"""What git's merge driver does with one file: merges it by entry, or leaves it to git's merge of lines, with conflict markers and a non-zero exit."""

# ruff: noqa: PTH105, PTH108, PTH118, PTH119, PTH120, PTH123 -- git names these files relative to where it runs, and pathlib costs 8 ms

from __future__ import annotations

import os

from hoard_git.core.files import OTHER, classify, file_default
from hoard_git.core.merge import CannotMerge, merge
from hoard_git.core.policy import DEFAULT
from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.gitio.process import start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.core.merge import Merged
    from hoard_git.core.tags import Tag

SECONDS = 20
"""Time for one file; a merge by entry of 1 MB takes about four."""

_CONFLICTS = tuple(range(128))


class Files(Record):
    """What git hands over: the file names of base, ours and theirs, the length of the markers, and the path in the repository."""

    base: str
    ours: str
    theirs: str
    size: str
    path: str


class Outcome(Record):
    """What happened: 0 merged, 1 conflict. `note` is one line for people, without any content of the files; '' when there is nothing to say."""

    status: int
    note: str = ""


def merge_files(files: Files, environ: Mapping[str, str]) -> Outcome:
    """Merge three files and write the result over `files.ours`, all of it or nothing."""
    base, ours, theirs = (_read(name) for name in (files.base, files.ours, files.theirs))
    name = repr(files.path)[1:-1]
    try:
        merged = merge(base or None, ours, theirs, _default(files.path))
    except CannotMerge as reason:
        return fall_back(files, f"{name} is merged by lines, not by entry: {reason}")
    if any(lost.by != "trust" or lost.kept_src != "user" for lost in merged.lost) and not is_merge(environ):
        return fall_back(files, f"{name} has an entry that both sides changed; only a merge would keep both in the history")
    _write(files.ours, merged.data)
    return Outcome(0, _told(name, merged))


def _default(path: str) -> Tag | None:
    """What an untagged file of this path counts as, in the outermost folder where it would be memory: a workspace may lie below the root."""
    while path:
        file_class = classify(path, DEFAULT)
        if file_class not in ("", OTHER):
            return file_default(path, file_class, DEFAULT)
        path = path.partition("/")[2]
    return None


def is_merge(environ: Mapping[str, str]) -> bool:
    """Whether both sides become parents, so that what gives way stays in the history: git names the other one in the environment.

    A rebase, a cherry-pick and a stash replay one side, and its text would be nowhere. Only a user's words settle it there, against
    somebody else's.
    """
    return any(name.startswith("GITHEAD_") for name in environ)


def _told(name: str, merged: Merged) -> str:
    if not merged.lost:
        return ""
    ways = {"trust": "the more trusted source", "date": "the newer date", "choice": "neither date nor source, so by the text itself"}
    told = ", ".join(dict.fromkeys(ways[lost.by] for lost in merged.lost))
    count = len(merged.lost)
    entries = "1 entry" if count == 1 else f"{count} entries"
    return f"{name}: both sides changed {entries}; decided by {told}. The other text is in the history: hoard log {name}"


def fall_back(files: Files, why: str) -> Outcome:
    """Let git merge by lines; the markers stand in the file, or for binary files ours as it was. Never clean: somebody has to look."""
    size = files.size if files.size.isdigit() and files.size.isascii() else "7"
    labels = ("-L", "ours", "-L", "base", "-L", "theirs")
    args = ("merge-file", "-p", "-q", f"--marker-size={size}", *labels, "--", files.ours, files.base, files.theirs)
    try:
        merged = start(args).finish(_CONFLICTS)
    except HoardError:
        return Outcome(1, f"{why}; git cannot merge it either, so ours is left as it was")
    _write(files.ours, merged)
    return Outcome(1, f"{why}; look at it, then: git add")


def _read(name: str) -> bytes:
    try:
        with open(name, "rb") as file:
            return file.read()
    except OSError as error:
        raise HoardError(f"A file that git wants merged cannot be read: {error.strerror}.", "git merge --abort") from error


def _write(name: str, data: bytes) -> None:
    """Put new content in place of a file at once: after a crash it holds either version, never half of one."""
    fresh = os.path.join(os.path.dirname(name), f"{os.path.basename(name)}.hoard-{os.getpid()}")
    try:
        with open(fresh, "wb") as file:
            file.write(data)
        os.replace(fresh, name)
    except OSError as error:
        if os.access(fresh, os.F_OK):
            os.unlink(fresh)
        raise HoardError(f"The merged file cannot be written: {error.strerror}.", "git merge --abort") from error
