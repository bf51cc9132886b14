"""Several files of the work tree written together: all of them, or none."""

# ruff: noqa: PTH106, PTH118, PTH120 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import contextlib
import os

from hoard_git.core.model import RepoPath
from hoard_git.errors import HoardError
from hoard_git.gitio.worktree import remove_file, write_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self


class FileWriting:
    """Writes files, and on an exception puts back what was there, unless somebody else has written since."""

    def __init__(self, root: str, contents: Mapping[str, bytes | None], before: Mapping[str, bytes | None]) -> None:
        self._root = root
        self._contents = contents
        self._before = before
        self._done: list[tuple[RepoPath, bytes | None]] = []
        self._folders: list[str] = []

    def __enter__(self) -> Self:
        return self

    def write(self) -> None:
        """Write or delete every file."""
        for name, data in self._contents.items():
            path = RepoPath(name)
            old = self._before[name]
            self._folders += self._missing_folders(name)
            if data is not None:
                write_file(self._root, path, data, old)
            elif old is not None:
                remove_file(self._root, path, old)
            self._done.append((path, old))

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if kind is None:
            return
        for path, old in reversed(self._done):
            with contextlib.suppress(HoardError):  # changed by somebody else since: theirs stays
                data = self._contents[path]
                if old is None and data is not None:
                    remove_file(self._root, path, data)
                elif old is not None:
                    write_file(self._root, path, old, data)
        for folder in self._folders:
            with contextlib.suppress(OSError):
                os.rmdir(folder)

    def _missing_folders(self, path: str) -> list[str]:
        """Folders that writing this file will make, innermost first."""
        found = []
        folder = os.path.dirname(path)
        while folder and not os.path.lexists(os.path.join(self._root, folder)):
            found.append(os.path.join(self._root, folder))
            folder = os.path.dirname(folder)
        return found
