"""Whose each line is, one commit at a time: kept, moved within a file, moved between files, followed with an entry, settled."""

from __future__ import annotations

import random

import pytest

from hoard_git.core.attribution import Move, Page, attribute, rows_of, settle
from hoard_git.core.linediff import diff_lines

LONG = "- The deploy job of the garden house runs at noon every weekday."
OTHER = "- Tomatoes are watered on Monday and Thursday by the neighbour."


def page(text: str, *origins: int) -> Page:
    """A page whose lines have these origins."""
    return Page(f"blob of {text}", text.encode(), rows_of(text.encode()), list(origins))


def found(text: str, *parents: dict[str, Page], moves: tuple[Move, ...] = (), path: str = "a.md") -> tuple[list[int], int, int]:
    """The origins of a version that commit 9 makes; those of moves have 100 added."""
    made, head, tail = attribute(9, path, ("blob", text.encode()), parents, moves, lambda _run, _least, origin: 100 + origin)
    return made.origins, head, tail


def test_a_new_file_is_its_commits() -> None:
    assert found("a\nb\n", {}) == ([9, 9], 0, 0)
    assert found("", {}) == ([], 0, 0)


def test_what_git_keeps_keeps_its_origin() -> None:
    old = page("a\nb\nc\n", 1, 2, 3)
    assert found("a\nx\nc\n", {"a.md": old}) == ([1, 9, 3], 1, 1)
    assert found("a\nb\nc\n", {"a.md": old}) == ([1, 2, 3], 3, 0)
    assert found("a\nc\n", {"a.md": old}) == ([1, 3], 1, 1)


def test_a_line_that_loses_its_newline_is_another_one() -> None:
    old = page("a\nb\n", 1, 2)
    assert found("a\nb", {"a.md": old}) == ([1, 9], 1, 0)
    assert found("a\nb\nc", {"a.md": page("a\nb", 1, 2)}) == ([1, 9, 9], 1, 0)


def test_a_merge_takes_from_each_parent() -> None:
    one, other = page("a\nx\n", 1, 2), page("y\na\n", 3, 1)
    assert found("y\na\nx\n", {"a.md": one}, {"a.md": other})[0] == [3, 1, 2]


def test_long_runs_are_found_where_they_moved() -> None:
    old = page(f"{LONG}\nx\ny\nz\n", 1, 2, 3, 4)
    assert found(f"x\ny\nz\n{LONG}\n", {"a.md": old})[0] == [2, 3, 4, 101]
    short = page("- Tea.\nx\ny\nz\n", 1, 2, 3, 4)
    assert found("x\ny\nz\n- Tea.\n", {"a.md": short})[0] == [2, 3, 4, 9]


def test_between_files_a_run_must_be_longer() -> None:
    old = {"a.md": page("x\n", 1), "b.md": page(f"{LONG}\n{OTHER}\n- Tea.\n", 2, 3, 4)}
    assert found(f"x\n{OTHER}\n", old)[0] == [1, 103]
    assert found("x\n- Tea.\n", old)[0] == [1, 9]


def test_an_entry_that_moved_takes_short_lines_along() -> None:
    old = {"a.md": page("x\n", 1), "b.md": page("# B\n- Tea.\n- Milk.\n- Milk.\n", 2, 3, 4, 5)}
    move = Move("a.md", 1, 2, "b.md", 1, 2, sure=False)
    assert found("x\n- Tea.\n", old, moves=(move,))[0] == [1, 3]
    twice = Move("a.md", 1, 2, "b.md", 2, 3, sure=False)
    assert found("x\n- Milk.\n", old, moves=(twice,))[0] == [1, 9]
    assert found("x\n- Milk.\n", old, moves=(twice._replace(sure=True),))[0] == [1, 4]


def test_a_lone_blank_line_of_a_move_is_the_movers() -> None:
    traces = {101: (9, 0, 20, 1), 102: (9, 0, 20, 2)}
    assert settle([LONG, ""], [101, 102], traces.get) == [1, 2]
    assert settle(["", "x"], [102, 3], traces.get) == [9, 3]
    assert settle(["Tea", "x"], [101, 3], traces.get) == [1, 3]


def test_what_is_not_read_again_reads_as_the_whole() -> None:
    chance = random.Random(3)
    for _ in range(400):
        lines = [chance.choice(["a", "b", "", "- c", "\u4e2d"]) for _ in range(chance.randrange(8))]
        before = "\n".join(lines)
        at = chance.randrange(len(lines) + 1)
        lines[at : at + chance.randrange(3)] = [chance.choice(["a", "", "x"]) for _ in range(chance.randrange(3))]
        after = "\n".join(lines)
        old = page(before, *range(1, len(rows_of(before.encode())) + 1))
        made, _head, _tail = attribute(99, "a.md", ("", after.encode()), [{"a.md": old}], (), lambda _run, _least, origin: origin)
        assert made.rows == rows_of(after.encode())
        kept = [line for line in made.origins if line != 99]
        assert kept == sorted(kept)
        assert [old.rows[n - 1] for n in kept] == [row for row, n in zip(made.rows, made.origins, strict=True) if n != 99]
        assert len(made.rows) - len(kept) == sum(stop - start for _a, _b, start, stop in diff_lines(old.rows, made.rows))


def test_what_one_parent_explains_is_asked_of_no_other() -> None:
    assert found("a\n", *({"a.md": page("a\n", number)} for number in (1, 2, 3)))[0] == [1]
    move = Move("a.md", 1, 2, "b.md", 0, 1, sure=False)
    assert found("x\n- Tea.\n", {"a.md": page("x\n", 1)}, {"a.md": page("x\n", 2), "b.md": page("- Tea.\n", 3)}, moves=(move,))[0] == [1, 3]


def test_a_line_that_was_not_in_the_moved_entry_is_the_movers() -> None:
    old = {"a.md": page("x\n", 1), "b.md": page("- Tea.\n  Milk.\n", 2, 3)}
    move = Move("a.md", 1, 4, "b.md", 0, 2, sure=True)
    assert found("x\n- Tea.\n  Sugar.\n  Milk.\n", old, moves=(move,))[0] == [1, 2, 9, 3]


def test_a_run_moves_with_the_blank_lines_in_it_and_from_where_most_of_it_stands() -> None:
    third = "- The pond is cleaned in March, before the frogs come back to it."
    old = page(f"{LONG}\n{OTHER}\n\n{third}\na\nb\nc\nd\ne\n{OTHER}\n", *range(1, 11))
    assert found(f"a\nb\nc\nd\ne\n{OTHER}\nx\n{LONG}\n{OTHER}\n\n{third}\n", {"a.md": old})[0] == [5, 6, 7, 8, 9, 10, 9, 101, 102, 103, 104]


def test_a_line_comes_from_its_commit_however_often_it_moved() -> None:
    traces = {1000 + n: (n, 0, 20, 999 + n if n > 1 else 1) for n in range(1, 601)}
    assert settle([LONG], [1600], traces.get) == [1]


def test_a_short_line_that_stands_in_many_places_is_not_followed() -> None:
    """One of sixty equal entries moved: which one cannot be told, unless its id tells."""
    old = {"a.md": page("x\n", 1), "b.md": page("- Milk.\n" * 60, *range(2, 62))}
    move = Move("a.md", 1, 2, "b.md", 30, 31, sure=False)
    assert found("x\n- Milk.\n", old, moves=(move,))[0] == [1, 9]
    assert found("x\n- Milk.\n", old, moves=(move._replace(sure=True),))[0] == [1, 32]


def test_of_many_runs_that_moved_so_many_are_looked_for_from_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each costs a comparison with the old version; the others are their mover's, as lines are that nobody knows."""
    monkeypatch.setattr("hoard_git.core.attribution._MOST_RUNS", 3)
    kept = [f"- a{n}\n- b{n}\n" for n in range(5)]
    moved = [f"- The bed number {n} of the garden house gets water.\n" for n in range(5)]
    old = page("".join([*kept, "- end\n- stop\n", *moved]), *range(1, 18))
    new = "".join(line for pair in zip(kept, moved, strict=True) for line in pair) + "- end\n- stop\n"
    assert found(new, {"a.md": old})[0] == [1, 2, 9, 3, 4, 9, 5, 6, 115, 7, 8, 116, 9, 10, 117, 11, 12]
