"""Times of the secret detector: import, first scan, warm scan of an ordinary file and of the second corpus.

    python tests/bench/secrets_scan.py

Prints milliseconds of processor time; run it a few times, the first run compiles bytecode.
"""

from __future__ import annotations

import re  # the detector needs it, and so does any hook
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

BEFORE = time.process_time()
from hoard_git.core.secrets import find_secrets  # noqa: E402  # its import is what is measured

IMPORTED = time.process_time()
ORDINARY = """
## {n}. Notes on the release
- 2026-03-{d:02d}: moved the index build to CI, took 12.5 s on the small runner (was 41 s)
- user prefers short answers; see [the guide](https://docs.acme.test/guide/v2/intro.html#start) before editing `src/index/build.py`
- the token budget per session stays at 200000, the password policy asks for 14 characters
| host | role | since |
|---|---|---|
| nas-2 | backup target, zfs, 8 TB | 2024-11 |
Keep `config/main.toml` in step with commit 1f6feb{n:02d}; next review on Friday.
"""


def milliseconds(lines: list[str], rounds: int) -> float:
    """Return the best time of a few scans."""
    best = 1e9
    for _ in range(rounds):
        start = time.process_time()
        find_secrets(lines)
        best = min(best, time.process_time() - start)
    return best * 1000


def main() -> None:
    """Print one line a measurement."""
    page = "\n".join(ORDINARY.format(n=n, d=n + 1) for n in range(22)).split("\n")[:200]
    print(f"import beyond re     {(IMPORTED - BEFORE) * 1000:7.2f} ms  ({re.__name__} was there)")
    print(f"first scan, 200 lines {milliseconds(page, 1):6.2f} ms")
    print(f"warm scan, 200 lines {milliseconds(page, 20):7.2f} ms")
    print(f"warm scan, 20 lines of them {milliseconds(page[90:110], 20):.2f} ms")
    from tests.core.secrets.second_set import as_page, build

    lines, _ = as_page(build(1), 1)
    find_secrets(lines)
    print(f"second corpus, {len(lines)} lines, every third with a secret {milliseconds(lines, 5):.2f} ms")


if __name__ == "__main__":
    main()
