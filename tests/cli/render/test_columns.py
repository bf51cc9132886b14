"""Columns, cutting and wrapping by what a terminal draws, and texts that no terminal obeys."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hoard_git.cli.render.columns import cut, fill, wrap
from hoard_git.cli.render.text import safe
from hoard_git.cli.render.width import clusters, width

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
GERMANY, JAPAN = "\U0001f1e9\U0001f1ea", "\U0001f1ef\U0001f1f5"
ENGLAND = "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
THUMB = "\U0001f44d\U0001f3fd"
CODER = "\U0001f9d1\U0001f3fd\u200d\U0001f4bb"
WARNING = "\u26a0\ufe0f"
KEYCAP = "1\ufe0f\u20e3"


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("", 0),
        ("abc", 3),
        ("\u4e2d\u6587", 4),
        ("\u65e5\u672c\u8a9e\u30c6\u30b9\u30c8", 12),
        ("\ud55c\uad6d\uc5b4", 6),
        ("\u1112\u1161\u11ab", 2),
        ("\uff21\uff22", 4),
        ("\uff71", 1),
        ("\u3000", 2),
        ("caf\u00e9", 4),
        ("cafe\u0301", 4),
        ("a\u0300\u0301\u0302", 1),
        ("\u0e01\u0e34\u0e19", 2),
        ("\u0939\u093f\u0928\u094d\u0926\u0940", 5),
        ("\u05e9\u05b8\u05dc\u05d5\u05b9\u05dd", 4),
        ("\U0001f680", 2),
        ("\u231a", 2),
        ("\u26a0", 1),
        (WARNING, 2),
        ("\u2764\ufe0f\u200d\U0001f525", 2),
        (KEYCAP, 2),
        ("12", 2),
        (FAMILY, 2),
        (CODER, 2),
        (THUMB, 2),
        ("\U0001f3fd", 2),
        (GERMANY, 2),
        (GERMANY + JAPAN, 4),
        (ENGLAND, 2),
        ("\U0001fae8", 2),
        ("\u2192\u2026\u2014", 3),
        ("\u2500\u2588", 2),
        ("\U00020000", 2),
    ],
    ids=ascii,
)
def test_widths(text: str, columns: int) -> None:
    assert width(text) == columns
    assert sum(size for _cluster, size in clusters(text)) == columns


@pytest.mark.parametrize("whole", [FAMILY, GERMANY, ENGLAND, THUMB, CODER, WARNING, KEYCAP, "e\u0301", "\u0e01\u0e34"], ids=ascii)
def test_what_is_one_character_to_a_reader_is_never_broken(whole: str) -> None:
    assert [cluster for cluster, _size in clusters(whole * 3)] == [whole] * 3
    columns = width(whole)
    assert cut(whole * 9, columns * 4 + 1) == whole * 4 + "\u2026"
    assert "".join(wrap(whole * 9, columns * 4)) == whole * 9
    assert set(wrap(whole * 8, columns * 4)) == {whole * 4}


def test_filled_columns_end_where_they_should() -> None:
    for text in ("abc", "\u4e2d\u6587\u4e2d\u6587\u4e2d\u6587", FAMILY * 7, GERMANY * 7, "e\u0301" * 20, WARNING * 7, ""):
        assert width(fill(text, 9)) == 9
    assert fill("\u4e2d\u6587\u4e2d\u6587", 6) == "\u4e2d\u6587\u2026 "


def test_wrapped_lines_hang_behind_the_marker() -> None:
    assert list(wrap("  - one two three four", 14)) == ["  - one two", "    three four"]
    assert list(wrap("1. [x] one two three four", 21)) == ["1. [x] one two three", "       four"]
    assert list(wrap("> - one two three", 12)) == ["> - one two", "    three"]
    assert list(wrap("a" * 25, 10)) == ["a" * 10, "a" * 10, "a" * 5]


def test_chinese_breaks_anywhere_but_before_a_full_stop_and_behind_a_bracket() -> None:
    assert list(wrap("Leo \u559c\u6b61\u96ea\u82b1\u7cd5", 10)) == ["Leo \u559c\u6b61\u96ea", "\u82b1\u7cd5"]
    assert list(wrap("\u559c\u6b61\u96ea\u82b1\u3002", 8)) == ["\u559c\u6b61\u96ea", "\u82b1\u3002"]
    assert list(wrap("\u559c\u6b61\u96ea\uff08\u82b1\uff09", 8)) == ["\u559c\u6b61\u96ea", "\uff08\u82b1\uff09"]


PARTS = ["a", "b ", " ", "\u4e2d", "\u3002", "\uff08", "e\u0301", FAMILY, GERMANY, WARNING, "- ", "\ufe0f", "\u200d"]


@example("aaaaab \u200d\u26a0\ufe0fab b ")
@example(f"aaaaab b \u200d{GERMANY}\u200d{GERMANY}")
@given(st.lists(st.sampled_from(PARTS)).map("".join))
def test_no_line_is_too_wide_and_nothing_is_lost(text: str) -> None:
    for columns in (12, 40):
        lines = list(wrap(text, columns))
        assert max(map(width, lines)) <= columns
        assert "".join("".join(lines).split()) == "".join(text.split())
        assert width(cut(text, columns)) <= columns
    assert "".join(cluster for cluster, _size in clusters(text)) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("a\x9b31mb", "a\\x9b31mb"),
        ("a\rb\x08c\x00", "a\\rb\\x08c\\x00"),
        ("a\nb\x85c\u2028d", "a\\nb\\x85c\\u2028d"),
        ("\u202eabc\u2066", "\\u202eabc\\u2066"),
        ("a\u200eb\u061cc", "a\\u200eb\\u061cc"),
        ("a\u200bb\u2060c\ufeffd", "a\\u200bb\\u2060c\\ufeffd"),
        ("pass\u200dword", "pass\\u200dword"),
        ("a\ufe0fb", "a\\ufe0fb"),
        ("so\u00adft", "so\\xadft"),
        ("a\u3164b\u2800c\uffa0", "a\\u3164b\\u2800c\\uffa0"),
        ("a\u2003b\u202fc", "a\\u2003b\\u202fc"),
        ("a" + "\U000e0068\U000e0069", "a\\U000e0068\\U000e0069"),
        ("a\ue000b\U000f0000", "a\\ue000b\\U000f0000"),
        ("a\udcffb", "a\\udcffb"),
        ("Z" + "\u0300" * 7, "Z" + "\u0300" * 4 + "\\u0300" * 3),
        ("10\u00a0km \u4e2d\u3000\u6587", "10\u00a0km \u4e2d\u3000\u6587"),
        (f"{FAMILY} {GERMANY} {ENGLAND} {THUMB} {WARNING} {KEYCAP}", f"{FAMILY} {GERMANY} {ENGLAND} {THUMB} {WARNING} {KEYCAP}"),
        ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0915\u094d\u200d\u0937", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u0915\u094d\u200d\u0937"),
        ("cafe\u0301 \U0001fae8", "cafe\u0301 \U0001fae8"),
    ],
    ids=ascii,
)  # fmt: skip
def test_what_moves_hides_or_reorders_is_printed_as_an_escape(text: str, shown: str) -> None:
    assert safe(text) == shown
