"""A report of an internal error that is safe to paste: where it happened, never with which data."""

# ruff: noqa: PTH103, PTH118, PTH119, PTH120 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import os
import sys
import tempfile

from hoard_git import __version__
from hoard_git.errors import HoardError
from hoard_git.gitio.layout import find_git_dir


def write_crash(command: str, error: BaseException, directory: str = ".") -> str:
    """Write the report to a new file and return its path: under the git dir of the repository there, else in the temporary directory."""
    lines = [
        f"hoard-git {__version__}, python {sys.version.split()[0]}, {sys.platform}",
        f"command: {command}",
        f"error: {type(error).__name__}",
    ]
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        lines.append(
            f"  {os.path.basename(os.path.dirname(code.co_filename))}/{os.path.basename(code.co_filename)}:{trace.tb_lineno} {code.co_name}"
        )
        trace = trace.tb_next
    handle, path = tempfile.mkstemp(prefix="hoard-crash-", suffix=".log", dir=_folder(directory))
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


def _folder(directory: str) -> str | None:
    """Where it is found again and nobody else looks; None for the temporary directory."""
    try:
        git_dir = find_git_dir(directory, os.environ)
        if not git_dir:
            return None
        folder = os.path.join(git_dir, "hoard")
        os.makedirs(folder, exist_ok=True)
    except (OSError, HoardError):
        return None
    return folder
