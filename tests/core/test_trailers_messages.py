"""What git takes out of a commit message; every answer is git's own, checked against it in tests/compat/test_trailers_git.py."""

from __future__ import annotations

import pytest

from hoard_git.core.messages import COMMENT, comment_char, cut_scissors, has_scissors, message_end, text_end

SCISSORS = b"# ------------------------ >8 ------------------------\n"


def test_scissors_cut_the_diff_off() -> None:
    assert cut_scissors(b"Subject\n\n" + SCISSORS + b"# Do not touch\ndiff --git a/x b/x\n") == b"Subject\n\n"


@pytest.mark.parametrize("message", [SCISSORS + b"diff\n", SCISSORS[:-1]])
def test_a_message_of_scissors_alone_is_empty(message: bytes) -> None:
    assert cut_scissors(message) == b""


@pytest.mark.parametrize("line", [b" " + SCISSORS, SCISSORS[2:], SCISSORS.replace(b"#", b";"), SCISSORS.replace(b"\n", b" \n")])
def test_what_only_resembles_scissors_cuts_nothing(line: bytes) -> None:
    message = b"Subject\n\n" + line + b"text\n"
    assert cut_scissors(message) == message


def test_scissors_follow_the_comment_character() -> None:
    assert cut_scissors(b"Subject\n" + SCISSORS.replace(b"#", b";") + b"diff\n", b";") == b"Subject\n"


@pytest.mark.parametrize(
    ("text", "tail"),
    [
        (b"Subject\n", b""),
        (b"Subject\n", b"\n# Please enter\n#\n"),
        (b"Subject\n", b"\n\n"),
        (b"Subject\n# kept\ntext\n", b"# gone\n"),
        (b"Subject\n", b"\nConflicts:\n\tMEMORY.md\n"),
        (b"Subject\n\nConflicts:\n\tMEMORY.md\nmore text\n", b"\n"),
        (b"Subject\n", b"\n" + SCISSORS + b"not a comment\n"),
        (b"Subject without newline", b""),
    ],
)
def test_the_tail_is_what_git_ignores(text: bytes, tail: bytes) -> None:
    assert message_end(text + tail) == len(text)


def test_git_keeps_the_first_line_of_a_message_of_comments() -> None:
    assert message_end(b"\n# Please enter\n") == 1
    assert message_end(b"# Please enter\n#\n") == 15


@pytest.mark.parametrize(
    ("text", "tail"),
    [
        (b"", b"\n# Please enter\n"),
        (b"", SCISSORS + b"diff\n"),
        (b"Subject\r\n", b"\r\n \n# Please enter\n"),
        (b"Subject\n\nConflicts:\n\tMEMORY.md\n", b"\n#\n"),
        (b"Subject", b""),
        (b"Subject\n\nlast", b""),
        (b"Subject\n", b"\n# no final newline"),
    ],
)
def test_the_text_ends_above_what_an_editor_shows(text: bytes, tail: bytes) -> None:
    assert text_end(text + tail) == len(text)


def test_without_an_editor_hash_lines_are_text() -> None:
    message = b"Subject\n\n# Heading\n"
    assert text_end(message, None) == len(message)
    assert text_end(message) == len(b"Subject\n")


@pytest.mark.parametrize(
    ("setting", "message", "expected"),
    [
        ("", b"x", b"#"),
        (";", b"x", b";"),
        ("auto", b"# Heading\n\n; Please enter the message\n; more\n", b";"),
        ("auto", b"# Heading\n\n% ------------------------ >8 ------------------------\n% Do not\ndiff\n", b"%"),
        ("auto", b"Subject\n", b"#"),
        ("auto", b"", b"#"),
    ],
)
def test_the_comment_character(setting: str, message: bytes, expected: bytes) -> None:
    assert comment_char(setting, message) == expected


def test_the_usual_comment_character_is_a_hash() -> None:
    assert COMMENT == b"#"


def test_scissors_are_seen_whatever_begins_a_comment() -> None:
    line = b" ------------------------ >8 ------------------------"
    assert has_scissors(b"One\n\n;" + line + b"\ndiff\n")
    assert has_scissors(b"One\n#" + line)
    assert not has_scissors(b"One\n# 8< ------\n")
