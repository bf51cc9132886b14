"""Reading trailers: which lines of a message git takes for them. tests/compat/test_trailers_git.py asks git the same questions."""

from __future__ import annotations

import pytest

from hoard_git.core.trailers import Trailer, has_text, parse_trailers, sanitise, split_block

GOOD = b"Subject\n\nBody.\n\nMemory-Op: write\nMemory-Source: agent\n"
PAIR = [("Memory-Op", "write"), ("Memory-Source", "agent")]


def parsed(message: bytes, comment: bytes = b"#") -> list[tuple[str, str]]:
    return [(trailer.key, trailer.value) for trailer in parse_trailers(message, comment)]


def test_the_last_paragraph_is_read() -> None:
    assert parse_trailers(GOOD) == (Trailer("Memory-Op", "write"), Trailer("Memory-Source", "agent"))


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"\n",
        b"Memory-Op: write\n",
        b"Subject\nMemory-Op: write\n",
        b"Subject\n\nMemory-Op: write\n\nLast words.\n",
        b"Subject\n\nMemory-Op: write\n\n(cherry picked from commit 1234)\n",
        b"Subject\n\nprose\nMemory-Op: write\n",
        b"Subject\n\n  Memory-Op: write\n",
        b"Subject\n\nMemory_Op: write\n",
        b"Subject\n\nMemory Op: write\n",
        b"Subject\n\nM\xc3\xa9moire: write\n",
        b"Subject\n\n: write\n",
        b"Subject\n\n# Memory-Op: write\n",
        b"Subject\n\nprose\nprose\nprose\nprose\nSigned-off-by: A\n",
        b"Subject\n\x00\nMemory-Op: write\n",
    ],
)
def test_what_is_no_trailer_block(message: bytes) -> None:
    assert parsed(message) == []


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param(b"Subject\n\nK: a\nK: a\nK: b\n", [("K", "a"), ("K", "a"), ("K", "b")], id="repeats stay"),
        pytest.param(
            b"Subject\n\nMemory-Reason: long\n  and longer\n\tand done\n", [("Memory-Reason", "long and longer and done")], id="folded"
        ),
        pytest.param(b"Subject\r\n\r\nMemory-Op: write\r\n", [("Memory-Op", "write")], id="crlf"),
        pytest.param(b"Subject\n\nK \t: v \n", [("K", "v")], id="blanks around"),
        pytest.param(b"Subject\n\nK:\n", [("K", "")], id="empty value"),
        pytest.param(b"Subject\n\nhttps://example.org\n", [("https", "//example.org")], id="an address"),
        pytest.param(b"Subject\n\nNote: it failed again.\n", [("Note", "it failed again.")], id="prose with a colon"),
        pytest.param(b"Subject\n\nMemory-Op: write\n---\n\nMemory-Source: agent\n", [("Memory-Source", "agent")], id="no divider"),
        pytest.param(b"Subject\n\ntext\nSigned-off-by: A\nK: v\n", [("Signed-off-by", "A"), ("K", "v")], id="a quarter"),
        pytest.param(b"Subject\n\na\nb\nc\nSigned-off-by: A\n", [("Signed-off-by", "A")], id="exactly a quarter"),
        pytest.param(b"Subject\n\n(cherry picked from commit 12)\nK: v\n", [("K", "v")], id="picked"),
        pytest.param(GOOD + b"\n# Please enter\n#\n# more\n", PAIR, id="editor comments"),
        pytest.param(GOOD + b"# ------------------------ >8 ------------------------\ndiff --git a b\n+K: v\n", PAIR, id="scissors"),
        pytest.param(b"Subject\n\nMemory-Op: write\n# aside\nMemory-Source: agent\n", PAIR, id="a comment between"),
        pytest.param(b"\nMemory-Op: write\n", [("Memory-Op", "write")], id="an empty first line"),
        pytest.param(b"# A comment\nSubject\n\nK: v", [("K", "v")], id="no final newline"),
        pytest.param(b"Subject\n\nK: \xff\xc3\xa9\n", [("K", "\udcff\u00e9")], id="not UTF-8"),
        pytest.param(b"Subject\n\nK: v\n \n\t\n", [("K", "v")], id="blank lines with blanks"),
    ],
)
def test_what_git_takes_for_trailers(message: bytes, expected: list[tuple[str, str]]) -> None:
    assert parsed(message) == expected


def test_the_comment_character_is_configurable() -> None:
    message = b"Subject\n\nK: v\n; note: this\n"
    assert parsed(message, b";") == [("K", "v")]
    assert parsed(message) == []


def test_a_continuation_does_not_reach_over_a_comment() -> None:
    assert parsed(b"Subject\n\nSigned-off-by: A\n# aside\n  more\n") == [("Signed-off-by", "A")]


def test_bytes_survive_a_round_trip() -> None:
    value = parse_trailers(b"Subject\n\nK: \xff\xfe\x80\n")[0].value
    assert value.encode("utf-8", "surrogateescape") == b"\xff\xfe\x80"


def test_a_message_of_many_lines_is_read_in_linear_time() -> None:
    message = b"Subject\n\n" + b"K: v\n x\n" * 20_000
    (*_, last) = parse_trailers(message)
    assert last == Trailer("K", "v x")


def test_a_long_line_is_read_in_linear_time() -> None:
    assert parsed(b"Subject\n\n" + b"a-" * 200_000 + b"\n") == []


def test_the_block_and_what_is_above() -> None:
    assert split_block(GOOD) == ([b"Subject", b"", b"Body.", b""], [b"Memory-Op: write", b"Memory-Source: agent"])
    assert split_block(b"Subject\n") == ([b"Subject"], [])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("plain", "plain"),
        ("  two \t words ", "two words"),
        ("ok\nMemory-Source: user", "ok Memory-Source: user"),
        ("ok\r\nMemory-Source: user", "ok Memory-Source: user"),
        ("a\x00b\x1b[31mc\x7fd\x85e\u2028f", "a b [31mc d e f"),
        ("zero\u200bwidth \u202ertl", "zero width rtl"),
        ("\udcff", ""),
        ("\n", ""),
        ("Zoë wants 日本語 😀", "Zoë wants 日本語 😀"),
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 199 + "…"),
        ("x" * 198 + "  " + "y" * 50, "x" * 198 + "…"),
    ],
)
def test_free_text_becomes_one_clean_line(value: str, expected: str) -> None:
    assert sanitise(value) == expected
    assert len(sanitise(value)) <= 200
    assert sanitise(sanitise(value)) == sanitise(value)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (b"", False),
        (b"\n# Please enter\n", False),
        (b"\n\nMemory-Op: write\nmemory-source: agent\n\n# Please enter\n", False),
        (b"\n\nSigned-off-by: A <a@example.org>\n", False),
        (b"Subject\n", True),
        (b"\n\nMemory-Op: write\n\ntext\n", True),
        (b"\n\nReviewed-by: A\n", True),
    ],
)
def test_a_message_of_our_trailers_alone_has_no_text(message: bytes, expected: bool) -> None:
    assert has_text(message) is expected


def test_hash_lines_are_text_where_no_editor_is() -> None:
    assert has_text(b"# Heading\n", None)
    assert not has_text(b"\n# Heading\n")
