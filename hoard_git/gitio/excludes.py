"""`info/exclude`: what this clone alone keeps out of `git add`."""

# ruff: noqa: PTH103, PTH120, PTH123 -- os is what the readers use

from __future__ import annotations

import os

from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.gitio.plumbing import PlumbingReader


def exclude(reader: PlumbingReader, pattern: str) -> bool:
    """Add a pattern (gitignore's grammar) to the clone's own list and say whether it was new; what stands there is kept byte by byte.

    Raises HoardError when the list cannot be written.
    """
    path = reader.git_path("info/exclude")
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "ab+") as file:
            file.seek(0)
            old = file.read()
            if pattern.encode() in old.split(b"\n"):
                return False
            file.write((b"" if not old or old.endswith(b"\n") else b"\n") + pattern.encode() + b"\n")
    except OSError as error:
        raise HoardError(f"{path!r} could not be written: {error.strerror}.", "name another place: hoard report --out FILE.html") from None
    return True
