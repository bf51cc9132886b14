"""The command that shows why a file cannot be had."""

# ruff: noqa: PTH100, PTH118, PTH120 -- pathlib costs 8 ms, and a hook says this, too

from __future__ import annotations

import os

from hoard_git.core.shellwords import shell_word


def look_command(path: str, directory: str = ".") -> str:
    """`ls` of a path below `directory`, from anywhere; of the nearest folder above it that is there, where it is not."""
    full = os.path.abspath(os.path.join(directory, path))
    if os.path.lexists(full):
        return f"ls -ld {shell_word(full)}"
    while not os.path.lexists(full):
        full = os.path.dirname(full)
    return f"ls -la {shell_word(full)}"
