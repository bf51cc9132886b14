"""The hunks of `diff_lines` held against those of `git diff`, line for line."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from hoard_git.core import linediff
from hoard_git.core.attribution import rows_of
from tests.support.repo import run

PARTS = [
    "- a\n",
    "- b\n",
    "- c\n",
    "  - d\n",
    "\tdeep\n",
    "\n",
    "## H\n",
    "    code\n",
    "- a very long entry that is kept\n",
    " " * 250 + "far\n",
    "\f  - fed\n",
    "\r\n",
]


def diff_lines(old: list[str], new: list[str], head: int = 0, tail: int = 0) -> list[tuple[int, int, int, int]]:
    return linediff.diff_lines(rows_of("".join(old).encode()), rows_of("".join(new).encode()), head, tail)


def by_git(old: list[str], new: list[str], folder: Path) -> list[tuple[int, int, int, int]]:
    (folder / "old").write_text("".join(old), encoding="utf-8")
    (folder / "new").write_text("".join(new), encoding="utf-8")
    words = ["git", "diff", "--no-index", "--text", "--no-ext-diff", "--no-textconv", "--no-color", "-U0", "--", "old", "new"]
    found = []
    for head in re.findall(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", run(words, cwd=folder).stdout.decode(), re.MULTILINE):
        first, count, start, size = int(head[0]), int(head[1] or 1), int(head[2]), int(head[3] or 1)
        at, to = first - (count > 0), start - (size > 0)
        found.append((at, at + count, to, to + size))
    return found


def is_edit(old: list[str], new: list[str], hunks: list[tuple[int, int, int, int]]) -> bool:
    """Whether the hunks, in order, make one of the other, and all that stands between them is the same."""
    made: list[str] = []
    at = 0
    for first, last, start, stop in hunks:
        made += old[at:first] + new[start:stop]
        at = last
    return made + old[at:] == new


@pytest.mark.parametrize("seed", range(40))
def test_the_hunks_are_those_of_git(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    old = [dice.choice(PARTS) for _ in range(dice.randint(0, 60))]
    new = list(old)
    for _ in range(dice.randint(1, 8)):
        at = dice.randint(0, len(new))
        new[at : at + dice.choice((0, 1, 3))] = [dice.choice(PARTS) for _ in range(dice.choice((0, 1, 2, 5)))]
    hunks = diff_lines(old, new)
    assert is_edit(old, new, hunks)
    assert hunks == by_git(old, new, tmp_path)


def test_blank_lines_without_end_and_text_that_sinks(tmp_path: Path) -> None:
    old = ["## H\n", *["\n"] * 30, "- a\n", *["\n"] * 30, "- z\n"]
    new = ["## H\n", *["\n"] * 30, "- a\n", *["\n"] * 55, "- z\n"]
    assert diff_lines(old, new) == by_git(old, new, tmp_path)
    old = ["    - a\n", "      - b\n", "  - c\n", "- d\n"]
    new = ["    - a\n", "      - b\n", "  - c\n", "      - b\n", "  - c\n", "- d\n"]
    assert diff_lines(old, new) == by_git(old, new, tmp_path)


def test_a_difference_that_is_too_long_to_be_the_shortest(monkeypatch: pytest.MonkeyPatch) -> None:
    dice = random.Random(5)
    old = [f"{dice.randint(0, 40)}\n" for _ in range(700)]
    new = [f"{dice.randint(0, 40)}\n" for _ in range(650)]
    shortest = diff_lines(old, new)
    monkeypatch.setattr(linediff, "_MOST", 0)
    assert is_edit(old, new, shortest)
    hunks = diff_lines(old, new)
    assert is_edit(old, new, hunks)


@pytest.mark.parametrize("end", ["", "- z\n", "- z", "- \u00e9\u00e9\u00e9\n"])
@pytest.mark.parametrize("count", [10, 85, 127, 128, 129, 300, 900])
def test_what_repeats_slides_no_further_than_git_looks(count: int, end: str, tmp_path: Path) -> None:
    for first, rest in ((["- a\n"], 1), (["- a\n", "- b\n"], 2), (["- long enough to matter\n", "\n"], 3)):
        old = ["## H\n", *first * count, end]
        new = ["## H\n", *first * (count + rest), end]
        expected = by_git(old, new, tmp_path)
        assert diff_lines(old, new) == expected
        assert diff_lines(new, old) == by_git(new, old, tmp_path)
        assert diff_lines(old, new, head=1 + len(first) * count) == expected
        assert diff_lines(old, new, tail=1 if end else 0) == expected


def test_a_shared_end_of_a_changed_line_counts_for_the_last_block(tmp_path: Path) -> None:
    for size in range(960, 1060, 7):
        old = ["- a\n", "- b" + "x" * 30 + "\n", *["- a\n"] * (size // 4)]
        new = ["- a\n", "- a\n", "- c" + "x" * 30 + "\n", *["- a\n"] * (size // 4 + 1)]
        assert diff_lines(old, new) == by_git(old, new, tmp_path), size


@pytest.mark.parametrize(("seed", "before", "after"), [(5, 600, 120), (6, 120, 600), (9, 200, 700), (9, 700, 200)])
def test_where_git_gives_up_the_shortest_way_the_hunks_are_its_own(seed: int, before: int, after: int, tmp_path: Path) -> None:
    """After 256 steps it takes the farthest point that it has come to, which may lie beyond the end of the shorter side."""
    dice = random.Random(seed)
    old, new = ([f"{dice.randint(0, 40)}\n" for _ in range(count)] for count in (before, after))
    assert diff_lines(old, new) == by_git(old, new, tmp_path)
