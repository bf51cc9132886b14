"""What pre-commit found out about the message, left for the message hooks of the same commit.

Kept in `<git dir>/hoard/pending`, keyed by the git process and the state of its index, so that it can never serve another commit.
"""

# ruff: noqa: PTH103, PTH118, PTH123 -- importing pathlib costs 8 ms where a bare interpreter starts in 6

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def _key(git_dir: str, environ: Mapping[str, str]) -> bytes:
    """The parent process and the index file's identity: its size, times and trailing checksum."""
    path = environ.get("GIT_INDEX_FILE") or os.path.join(git_dir, "index")
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        file.seek(-min(32, status.st_size), os.SEEK_END)
        tail = file.read().hex()
    words = (os.getppid(), status.st_size, status.st_mtime_ns, tail, environ.get("HOARD_OP", ""))
    return " ".join(str(word) for word in words).encode() + b"\n"


def leave(git_dir: str, environ: Mapping[str, str], lines: bytes) -> None:
    """Leave trailer lines; a git dir that cannot be written only makes the next hook compute them again."""
    try:
        path = os.path.join(git_dir, "hoard")
        os.makedirs(path, exist_ok=True)
        with open(os.path.join(path, "pending"), "wb") as file:
            file.write(_key(git_dir, environ) + lines)
    except OSError:
        return


def take(git_dir: str, environ: Mapping[str, str]) -> bytes | None:
    """Return the lines left for this very commit, or None."""
    try:
        with open(os.path.join(git_dir, "hoard", "pending"), "rb") as file:
            raw = file.read(1 << 20)
        key = _key(git_dir, environ)
    except OSError:
        return None
    return raw[len(key) :] if raw.startswith(key) else None
