"""The memory of the work tree, found on disk: what an agent would read, whether git knows it or not."""

# ruff: noqa: PTH112, PTH118 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import os
import re
import stat

from hoard_git.app.policies import Policies, check_data, load_yaml
from hoard_git.core.files import OTHER, classify
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, MODE_LINK, RepoPath
from hoard_git.core.policy import FILE_NAME
from hoard_git.core.record import Record
from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError
from hoard_git.gitio.bare import require_files
from hoard_git.gitio.process import decode_path
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hoard_git.gitio.plumbing import PlumbingReader

WHAT_IS_MEMORY = "hoard rule HG412    (what counts stands under memory: in .hoard.yaml; without it MEMORY.md and memory/*.md)"
"""The next command where a path is no memory."""

_OF_TOOLS = frozenset({"node_modules", ".venv", "venv", ".tox", "__pycache__"})
"""Left out of a search through the whole work tree (a glob such as `**/*.md`), where they would cost minutes; not below memory directories."""


class OnDisk(Record):
    """One file of the memory: its class and git's mode for it, MODE_LINK for a symlink, which is never followed."""

    file_class: str
    mode: int


def list_worktree(reader: PlumbingReader, *pathspecs: str) -> list[str]:
    """The paths of the work tree as git sees it: tracked and untracked files, ignored ones excepted."""
    require_files(reader)
    out = reader.git(("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *pathspecs), at_root=True).finish()
    return [decode_path(name) for name in out.split(b"\0") if name]


def read_policies_of_worktree(reader: PlumbingReader, listed: Iterable[str] | None = None) -> Policies:
    """Read the policy files that lie in the work tree now, at the top level and in directories below, ignored ones excepted.

    `listed` is what `list_worktree` gave for everything, where somebody has asked already.
    """
    require_files(reader)
    root = reader.root()
    if listed is None:
        listed = list_worktree(reader, f":(glob)**/{FILE_NAME}")
    names = {FILE_NAME, *(name for name in listed if name.rpartition("/")[2] == FILE_NAME)}
    found = []
    for name in sorted(names):
        raw = read_file(root, RepoPath(name))
        if raw is not None:
            found.append((name.removesuffix(FILE_NAME), check_data(load_yaml(raw, name), name)))
    return Policies(tuple(found))


def is_markdown(path: str) -> bool:
    """Whether a program may put comments into a file: by its name, for an archive may hold anything."""
    return path.lower().endswith((".md", ".markdown", ".mdown"))


def find_memory_files(root: str, policies: Policies, only: Sequence[str] = ()) -> dict[str, str]:
    """Map the path of every memory file to its class; otherwise as `find_memory`."""
    return {path: found.file_class for path, found in find_memory(root, policies, only).items()}


def find_memory(root: str, policies: Policies, only: Sequence[str] = ()) -> dict[str, OnDisk]:
    """Map the path of everything on disk that is memory or stands where memory is, sorted by path.

    `only` limits this to files and directories; a file named there that is no memory is an error. Raises HoardError for a directory where a
    memory file should be.
    """
    found: dict[str, OnDisk] = {}
    for start, deep in _starts(policies).items():
        for path, mode in _walk(root, start, deep=deep):
            file_class = classify(path, policies.govern(path)) or (
                OTHER if mode == MODE_LINK and _stands_in_for_memory(path, policies) else ""
            )
            if file_class:
                found[path] = OnDisk(file_class, mode)
    if not only or "" in only:
        return dict(sorted(found.items()))
    chosen: dict[str, OnDisk] = {}
    for wanted in only:
        below = {path: name for path, name in found.items() if path == wanted or path.startswith(wanted + "/")}
        if not below and not os.path.isdir(os.path.join(root, wanted)):
            raise HoardError(
                f"{wanted!r} is no memory file under this policy.",
                WHAT_IS_MEMORY,
            )
        chosen |= below
    return dict(sorted(chosen.items()))


def _stands_in_for_memory(path: str, policies: Policies) -> bool:
    """Whether a link's name is that of a directory in which memory is looked for."""
    policy = policies.govern(path)
    return any(classify(f"{path}/{name}", policy) for name in ("x.md", "2026-01-01.md"))


def _starts(policies: Policies) -> dict[str, bool]:
    """Where the globs can match: each up to its first wildcard, and whether directories below that count."""
    starts: dict[str, bool] = {}
    for prefix, policy in [*policies.by_prefix] or [("", policies.default)]:
        for base in policy.roots or ("",):
            top = prefix + (base + "/" if base and base != "." else "")
            starts[top + "memory/"] = True
            for _name, globs in policy.globs:
                for glob in globs:
                    fixed = re.split(r"[*?]|YYYY", glob, maxsplit=1)[0]
                    start = top + (fixed if fixed == glob else fixed[: fixed.rfind("/") + 1])
                    starts[start] = starts.get(start, False) or "/" in glob[fixed.rfind("/") + 1 :] or start.endswith("memory/")
    return dict(sorted(starts.items()))


def _walk(root: str, start: str, *, deep: bool) -> Iterator[tuple[str, int]]:
    """Yield (path, mode) of files and links at or below `start`, which ends in '/' (or is '') when it names a directory."""
    top = os.path.join(root, start.rstrip("/"))
    try:
        status = os.lstat(top)
    except OSError:
        return
    if not stat.S_ISDIR(status.st_mode):
        yield start.rstrip("/"), _mode(status)
        return
    if start and not start.endswith("/"):
        raise HoardError(f"{start!r} is a directory where a memory file should be.", f"ls -la {shell_word(start)}")
    skipped = {".git"} if start else {".git", *_OF_TOOLS}
    todo = [top]
    while todo:
        for entry in sorted(_scan(todo.pop(), root), key=lambda e: e.name):
            if not entry.is_dir(follow_symlinks=False):
                yield os.path.relpath(entry.path, root).replace(os.sep, "/"), _mode(entry.stat(follow_symlinks=False))
            elif deep and entry.name not in skipped:
                todo.append(entry.path)


def _scan(directory: str, root: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as entries:
            return list(entries)
    except OSError as error:
        shown = os.path.relpath(directory, root)
        raise HoardError(f"{shown!r} cannot be looked into: {error.strerror}.", f"ls -ld {shell_word(shown)}") from error


def _mode(status: os.stat_result) -> int:
    if stat.S_ISLNK(status.st_mode):
        return MODE_LINK
    return MODE_EXECUTABLE if status.st_mode & stat.S_IXUSR else MODE_FILE
