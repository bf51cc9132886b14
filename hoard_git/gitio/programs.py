"""Running other programs in a directory: for the tour, and for helpers that the user named."""

from __future__ import annotations

import subprocess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def run_program(
    words: Sequence[str], directory: str, environment: Mapping[str, str], *, stdin: bytes = b"", seconds: float = 60.0
) -> tuple[int, bytes]:
    """Run a program without a shell; return its exit status and its output, stdout before stderr. Raises OSError and TimeoutExpired."""
    done = subprocess.run(list(words), cwd=directory, env=dict(environment), input=stdin, capture_output=True, check=False, timeout=seconds)
    return done.returncode, done.stdout + done.stderr
