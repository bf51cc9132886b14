"""Which lines differ, as git says it: the values are those of `git diff -U0`, which tests/compat asks anew for many more."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from hoard_git.core.attribution import rows_of
from hoard_git.core.linediff import diff_lines

FAR = " " * 250 + "- far\n"

Hunk = tuple[int, int, int, int]

CASES = [
    pytest.param(
        ["- b\n", "- b\n", "- a\n", "    code\n"],
        ["- b\n", "- b\n", "- b\n"],
        [(2, 4, 2, 3)],
        id="a frequent line among lines without a partner",
    ),
    pytest.param(
        ["\n", "- c\n", "- b\n", "- b\n", "- b\n", "- b\n", "  - d\n", "\n"],
        ["\n", "- c\n", "## H\n", "- b\n", "- b\n", "- b\n", "- b\n", "\n", "- c\n", "- b\n", "- b\n", "  - d\n", "\n"],
        [(2, 2, 2, 3), (5, 5, 6, 10)],
        id="frequent lines on both sides of it",
    ),
    pytest.param(
        ["- a\n", "- x\n", "- y\n", "- z\n", "- b\n", "- u\n", "- v\n", "- w\n", "- c\n"],
        ["- a\n", "- 1\n", "- b\n", "- b\n", "- b\n", "- b\n", "- 2\n", "- c\n"],
        [(1, 4, 1, 2), (5, 8, 3, 7)],
        id="a line that is lost among strangers",
    ),
    pytest.param(
        ["- c\n", "- b\n", "  - d\n", "  - d\n", "- c\n", "- c\n", "  - d\n", "  - d\n"],
        ["- c\n", "\t- deep\n", "## H\n", "  - d\n", "- c\n", "- c\n", "- b\n", "- c\n", "- a\n", "  - d\n", "- b\n", "  - d\n", "  - d\n"],
        [(1, 3, 1, 3), (6, 6, 6, 11)],
        id="a group that meets the next one below",
    ),
    pytest.param(
        ["\t- deep\n", "- b\n", "    code\n", "- b\n"],
        ["\t- deep\n", "- c\n", "- b\n", "- b\n", "    code\n", "\t- deep\n", "- b\n", "- b\n", "- a\n", "\n"],
        [(1, 1, 1, 3), (3, 3, 5, 7), (4, 4, 8, 10)],
        id="a group that meets the next one above",
    ),
    pytest.param(
        [*["\n"] * 18, "  - d\n", "  - d\n", "- a\n", "- c\n"],
        [*["\n"] * 14, "  - d\n", "  - d\n", "- a\n", "- c\n"],
        [(14, 18, 14, 14)],
        id="a group that slides to the first line",
    ),
    pytest.param(
        [*["\n"] * 18, "  - d\n", "## H\n", "- a\n", "- c\n"],
        [*["\n"] * 18, "  - d\n", "## H\n", "\n", "\n", "\n", "- a\n", "- b\n", "- c\n", "- c\n"],
        [(20, 20, 20, 23), (21, 21, 24, 26)],
        id="a group that stays far from the first line",
    ),
    pytest.param(
        [*["\n"] * 20, "- c\n", "  - d\n", "\n", "- c\n"],
        [*["\n"] * 16, "- c\n", "  - d\n", "\n", "- c\n"],
        [(16, 20, 16, 16)],
        id="more blank lines than are counted",
    ),
    pytest.param(
        ["- a\n", "\t- deep\n", "- a\n", "- a\n"], ["- a\n", "- a\n"], [(0, 2, 0, 0)], id="a tab counts to the next eighth column"
    ),
    pytest.param(
        ["\n", "\n", "- c\n", "\t- deep\n"],
        ["\n", "\n", "\n", "- c\n", "\t- deep\n", "\n", "- c\n", "\t- deep\n"],
        [(2, 2, 2, 6)],
        id="text that comes up",
    ),
    pytest.param(
        ["    - a\n", "      - b\n", "  - c\n", "- d\n"],
        ["    - a\n", "      - b\n", "  - c\n", "      - b\n", "  - c\n", "- d\n"],
        [(2, 2, 2, 4)],
        id="text that sinks and comes up again",
    ),
    pytest.param(
        ["- a\n", FAR, "- b\n"], ["- a\n", FAR, "- b\n", FAR, "- b\n"], [(2, 2, 2, 4)], id="a line farther to the right than is counted"
    ),
    pytest.param(
        ["  - d\n", "- a\n", "    code\n", "## H\n", "\n", "- a\n", "## H\n", "## H\n"],
        ["  - d\n", "- a\n", "    code\n", "## H\n", "\n", "\n", "- b\n", "- b\n", "## H\n"],
        [(5, 7, 5, 8)],
        id="two ways of one length",
    ),
    pytest.param(
        ["  - d\n", "  - d\n", "- c\n", "\n"],
        ["  - d\n", "  - d\n", "  - d\n", "  - d\n", "  - d\n", "- c\n", "\n", "\n"],
        [(2, 2, 2, 5), (4, 4, 7, 8)],
        id="more of the same behind",
    ),
    pytest.param(
        [*["\n"] * 19, "- b\n", "\n", "- c\n", "    code\n"],
        ["\n", "\n", "    code\n", "- c\n", "## H\n", *["\n"] * 7, "- b\n", "\n", "- c\n", "    code\n"],
        [(2, 12, 2, 5)],
        id="blocks that changed places",
    ),
    pytest.param(
        ["## H\n", *["- a\n"] * 300], ["## H\n", *["- a\n"] * 301], [(46, 46, 46, 47)], id="an end of a kilobyte that is not looked at"
    ),
    pytest.param(
        ["## H\n", *["- a\n"] * 85, "- z"],
        ["## H\n", *["- a\n"] * 86, "- z"],
        [(86, 86, 86, 87)],
        id="an end that is looked at from a line of its own",
    ),
    pytest.param(
        ["- a\n", "- b" + "x" * 30 + "\n", *["- a\n"] * 247],
        ["- a\n", "- a\n", "- c" + "x" * 30 + "\n", *["- a\n"] * 248],
        [(1, 2, 1, 4)],
        id="a changed line whose end counts for the last kilobyte, 990",
    ),
    pytest.param(
        ["- a\n", "- b" + "x" * 30 + "\n", *["- a\n"] * 252],
        ["- a\n", "- a\n", "- c" + "x" * 30 + "\n", *["- a\n"] * 253],
        [(1, 2, 1, 4)],
        id="a changed line whose end counts for the last kilobyte, 1010",
    ),
    pytest.param(
        ["- a\n", "- b" + "x" * 30 + "\n", *["- a\n"] * 252],
        ["- a\n", "- a\n", "- c" + "x" * 30 + "\n", *["- a\n"] * 252],
        [(1, 2, 1, 3)],
        id="a last kilobyte that begins in a changed line",
    ),
    pytest.param(["- a\n", "\f  - deep\n", "- a\n", "- a\n"], ["- a\n", "- a\n"], [(1, 3, 1, 1)], id="a form feed is text"),
    pytest.param(
        ["- a\r\n", "\r\n", "  - d\r\n", "- a\r\n"],
        ["- a\r\n", "\r\n", "  - d\r\n", "- a\r\n", "\r\n", "  - d\r\n", "- a\r\n"],
        [(4, 4, 4, 7)],
        id="a carriage return is blank",
    ),
    pytest.param(["- a\n", *["\n"] * 40], ["- a\n", *["\n"] * 42], [(38, 38, 38, 40)], id="nothing but blank lines around"),
]


def hunks_of(old: Sequence[str], new: Sequence[str]) -> list[Hunk]:
    return diff_lines(rows_of("".join(old).encode()), rows_of("".join(new).encode()))


@pytest.mark.parametrize(("old", "new", "hunks"), CASES)
def test_the_hunks_are_those_of_git(old: list[str], new: list[str], hunks: list[Hunk]) -> None:
    assert hunks_of(old, new) == hunks


def longest_common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence, line by line."""
    row = [0] * (len(other) + 1)
    for line in one:
        before = 0
        for at, there in enumerate(other, 1):
            before, row[at] = row[at], before + 1 if line == there else max(row[at], row[at - 1])
    return row[-1]


def test_of_a_long_difference_a_short_way_is_found_though_not_the_shortest() -> None:
    dice = random.Random(5)
    old, new = ([f"{dice.randint(0, 40)}\n" for _ in range(count)] for count in (700, 650))
    at, made, kept = 0, list[str](), 0
    for first, last, start, stop in hunks_of(old, new):
        kept += first - at
        made += old[at:first] + new[start:stop]
        at = last
    assert made + old[at:] == new
    assert longest_common(old, new) >= kept + len(old) - at >= 0.9 * longest_common(old, new)
