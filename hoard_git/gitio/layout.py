"""Where a repository keeps things, told from the environment and the file system without starting git."""

# ruff: noqa: PTH110, PTH112, PTH113, PTH118, PTH120, PTH123 -- importing pathlib costs 8 ms where a bare interpreter starts in 6

from __future__ import annotations

import os

from hoard_git.errors import HoardError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Mapping


def find_git_dir(directory: str, env: Mapping[str, str]) -> str:
    """Give the absolute git dir for `directory` as git would find it, "" when only git itself can tell.

    Raises HoardError when the current directory, which `directory` goes out from, was deleted.
    """
    try:
        return _find_git_dir(directory, env)
    except FileNotFoundError:
        raise HoardError("The current directory is not there any more.", "go to one that is: cd") from None


def _find_git_dir(directory: str, env: Mapping[str, str]) -> str:
    named = env.get("GIT_DIR")
    if named:
        path = os.path.realpath(named)
        return path if _is_git_dir(path) else ""
    if env.get("GIT_CEILING_DIRECTORIES") or env.get("GIT_COMMON_DIR"):
        return ""
    here = os.path.realpath(directory)
    while True:
        entry = os.path.join(here, ".git")
        if os.path.isdir(entry):
            return entry if _is_git_dir(entry) else ""
        if os.path.isfile(entry):
            return _from_file(entry)
        above = os.path.dirname(here)
        if above == here or os.path.exists(os.path.join(here, "HEAD")):  # perhaps a bare repository
            return ""
        here = above


def find_common_dir(git_dir: str, env: Mapping[str, str]) -> str:
    """Give the git dir that linked worktrees share."""
    named = env.get("GIT_COMMON_DIR")
    if named:
        return os.path.realpath(named)
    try:
        text = read_small(os.path.join(git_dir, "commondir"))
    except OSError:
        return git_dir
    return os.path.realpath(os.path.join(git_dir, os.fsdecode(text.strip(b"\r\n"))))


def find_root(directory: str, env: Mapping[str, str]) -> str:
    """Give the absolute top level of the work tree where nothing but `.git` decides it, else ""."""
    if any(env.get(name) for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_CEILING_DIRECTORIES")):
        return ""
    git_dir = find_git_dir(directory, env)
    if not git_dir:
        return ""
    here = os.path.realpath(directory)
    while not os.path.lexists(os.path.join(here, ".git")):
        if os.path.dirname(here) == here:
            return ""
        here = os.path.dirname(here)
    if here == git_dir or here.startswith(git_dir + os.sep):
        return ""
    try:
        config = read_small(os.path.join(find_common_dir(git_dir, env), "config")).lower()
    except OSError:
        return ""
    # core.worktree, core.bare and extensions.worktreeConfig move the top level; each of them needs one of these words.
    odd = b"worktree" in config or (b"bare" in config and b"bare = false" not in config)
    return "" if odd else here


def read_small(path: str) -> bytes:
    """Read one of git's own small files; raises OSError."""
    with open(path, "rb") as file:
        return file.read(1 << 20)


def _is_git_dir(path: str) -> bool:
    return os.path.lexists(os.path.join(path, "HEAD"))


def _from_file(entry: str) -> str:
    try:
        text = read_small(entry)
    except OSError:
        return ""
    if not text.startswith(b"gitdir: "):
        return ""
    path = os.path.realpath(os.path.join(os.path.dirname(entry), os.fsdecode(text[8:].rstrip(b"\r\n"))))
    return path if _is_git_dir(path) else ""
