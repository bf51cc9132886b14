"""False alarms over real memory: how many lines of markdown there are, and how often the detector speaks.

    python tests/bench/secrets_real.py CLONE...

Each argument is a folder that git has cloned, or any other; its markdown files are read as they lie there. Only counts are printed: no text, no
value and no name of a file. Whether a finding is wrong is for a person to say, who looks at it with `hoard check` in that folder.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hoard_git.core.secrets import find_secrets

_ENDINGS = (".md", ".markdown", ".mdown", ".mdx")


def pages(folder: str) -> Iterator[list[str]]:
    """The lines of every markdown file below the folder, links and git's own directory left out."""
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != ".git")
        for name in sorted(names):
            path = Path(top, name)
            if name.lower().endswith(_ENDINGS) and path.is_file() and not path.is_symlink():
                yield path.read_bytes().decode("utf-8", "surrogateescape").removesuffix("\n").split("\n")


def main() -> int:
    """Print one row a folder and their sum."""
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    print(f"{'files':>7} {'lines':>9} {'certain':>8} {'possible':>8} {'lines a certain one':>20}")
    total = [0, 0, 0, 0]
    for folder in sys.argv[1:]:
        counts = [0, 0, 0, 0]
        for lines in pages(folder):
            found = find_secrets(lines)
            certain = sum(match.certain for match in found)
            for place, value in enumerate((1, len(lines), certain, len(found) - certain)):
                counts[place] += value
        if not counts[0]:
            print(f"{folder}: no markdown files", file=sys.stderr)
        show(counts)
        total = [one + other for one, other in zip(total, counts, strict=True)]
    if len(sys.argv) > 2:
        show(total)
    return 0 if total[0] else 2


def show(counts: list[int]) -> None:
    files, lines, certain, possible = counts
    print(f"{files:7,} {lines:9,} {certain:8,} {possible:8,} {lines // certain if certain else lines:>19,}{' ' if certain else '+'}")


if __name__ == "__main__":
    sys.exit(main())
