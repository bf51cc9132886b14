"""Dates as people write them."""

from __future__ import annotations

import pytest

from hoard_git.core.written_dates import file_date, find_date, own_date


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ("- 2026-02-14: the lease ends", "2026-02-14"),
        ("- [2026-02-14] the lease ends", "2026-02-14"),
        ("- [2026-08-02 06:08] **Title** and more", "2026-08-02"),
        ("- [x] 2026-02-14 done", "2026-02-14"),
        ("- **2026-02-14** done", "2026-02-14"),
        ("12. 2026-02-14 done", "2026-02-14"),
        ("2026-02-14T06:08Z done", "2026-02-14"),
        ("- the lease ends (2026-02-14)", "2026-02-14"),
        ("- the lease ends (2026-02-14).", "2026-02-14"),
        ("- the lease ends [2026-02-14]\r", "2026-02-14"),
        ("- 2026/2/4 done", "2026-02-04"),
        ("- Feb 14, 2026: done", "2026-02-14"),
        ("- 14 February 2026: done", "2026-02-14"),
        ("- 2026\u5e742\u670814\u65e5 done", "2026-02-14"),
        ("- the lease of 2026-02-14 ends", ""),
        ("- 03/04/2026 done", ""),
        ("- 2026.2.14 released", ""),
        ("- 2026-02-30 done", ""),
        ("- 2026-02-145 done", ""),
        ("- 1985-02-14 born", ""),
        ("- Feb 14: done", ""),
        ("- yesterday", ""),
        ("- May 2026 be better", ""),
        ("- `2026-02-14` done", "2026-02-14"),
    ],
)
def test_own_date(first: str, expected: str) -> None:
    assert own_date(first) == expected


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Sprint of 2026-02-14", "2026-02-14"),
        ("Promoted From Short-Term Memory (2026-02-14)", "2026-02-14"),
        ("Notes, 14th March 2026", "2026-03-14"),
        ("Sept. 3, 2026", "2026-09-03"),
        ("v12026-02-14", ""),
        ("2026.02.14", ""),
        ("Week 7 of 2026", ""),
    ],
)
def test_find_date(title: str, expected: str) -> None:
    assert find_date(title) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2026-02-14.md", "2026-02-14"),
        ("2026-02-14-1430.md", "2026-02-14"),
        ("log_2026-02-14_x.md", "2026-02-14"),
        ("2026-02-31.md", ""),
        ("a.md", ""),
    ],
)
def test_file_date(name: str, expected: str) -> None:
    assert file_date(name) == expected
