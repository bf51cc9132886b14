"""Writing trailers: one pure last paragraph, whatever the message looks like."""

from __future__ import annotations

import pytest

from hoard_git.core.trailers import Trailer, append_trailers, parse_trailers, render, replace_memory_trailers

NEW = (Trailer("Memory-Op", "write"), Trailer("Memory-Source", "agent"), Trailer("Memory-Digest", "sha256:11"))
LINES = b"Memory-Op: write\nMemory-Source: agent\nMemory-Digest: sha256:11\n"
OLD = b"Memory-Op: consolidate\nMemory-Source: user\nMemory-Block: add - user 2026-01-01 - MEMORY.md#a\nMemory-Digest: sha256:00\n"
SIGNED = b"Signed-off-by: Ada Example <ada@example.org>\n"
EDITOR = b"\n# Please enter the commit message for your changes.\n#\n#\tmodified:   MEMORY.md\n"
DIFF = b"# ------------------------ >8 ------------------------\n# Do not modify\ndiff --git a/M b/M\n+Memory-Op: policy\n\n"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param(b"Subject\n", b"Subject\n\n" + LINES, id="subject only"),
        pytest.param(b"Subject", b"Subject\n\n" + LINES, id="no final newline"),
        pytest.param(b"Subject\n\nBody.\n", b"Subject\n\nBody.\n\n" + LINES, id="body"),
        pytest.param(b"Subject\n\nBody.\n\n\n", b"Subject\n\nBody.\n\n" + LINES + b"\n\n", id="trailing blank lines"),
        pytest.param(b"Subject\n\n" + SIGNED, b"Subject\n\n" + SIGNED + LINES, id="joins a sign-off"),
        pytest.param(
            b"Subject\n\nCo-authored-by:B <b@example.org>\n",
            b"Subject\n\nCo-authored-by:B <b@example.org>\n" + LINES,
            id="joins a co-author",
        ),
        pytest.param(b"Subject\n\nText.\n" + SIGNED, b"Subject\n\nText.\n\n" + SIGNED + LINES, id="a sign-off right under prose"),
        pytest.param(b"Subject\n\nFixes: #12\n", b"Subject\n\nFixes: #12\n" + LINES, id="joins a tracker's key"),
        pytest.param(b"Subject\n\nTicket: HB-12\n", b"Subject\n\nTicket: HB-12\n" + LINES, id="joins a short value"),
        pytest.param(
            b"Subject\n\nNote: the backup failed again.\n",
            b"Subject\n\nNote: the backup failed again.\n\n" + LINES,
            id="prose with a colon",
        ),
        pytest.param(b"Subject\n\nhttps://example.org/x\n", b"Subject\n\nhttps://example.org/x\n\n" + LINES, id="a bare address"),
        pytest.param(b"fix: the port\n", b"fix: the port\n\n" + LINES, id="a subject with a colon"),
        pytest.param(b"Subject\n\nAbove.\n\n---\n\nBelow.\n", b"Subject\n\nAbove.\n\n---\n\nBelow.\n\n" + LINES, id="a rule in the body"),
        pytest.param(b"Subject\n---\n", b"Subject\n---\n\n" + LINES, id="a rule at the end"),
        pytest.param(
            b"Subject\n\n(cherry picked from commit 12)\n",
            b"Subject\n\n(cherry picked from commit 12)\n" + LINES,
            id="joins a cherry-pick line",
        ),
        pytest.param(b"Subject\r\n\r\nBody.\r\n", b"Subject\r\n\r\nBody.\r\n\r\n" + LINES.replace(b"\n", b"\r\n"), id="crlf"),
        pytest.param(b"", b"\n\n" + LINES, id="empty"),
        pytest.param(EDITOR, b"\n\n" + LINES + EDITOR, id="empty, in an editor"),
        pytest.param(b"\n" + DIFF, b"\n\n" + LINES + b"\n" + DIFF, id="empty, verbose"),
        pytest.param(b"\n\n" + SIGNED + EDITOR, b"\n\n" + SIGNED + LINES + EDITOR, id="commit --signoff in an editor"),
        pytest.param(b"Subject\n" + EDITOR, b"Subject\n\n" + LINES + EDITOR, id="editor"),
        pytest.param(b"Subject\n" + EDITOR + DIFF, b"Subject\n\n" + LINES + EDITOR + DIFF, id="verbose"),
        pytest.param(b"Subject\n\n" + SIGNED + EDITOR, b"Subject\n\n" + SIGNED + LINES + EDITOR, id="sign-off in an editor"),
        pytest.param(b"Subject\n\n" + OLD, b"Subject\n\n" + LINES, id="replaces"),
        pytest.param(b"Subject\n\n" + OLD + SIGNED, b"Subject\n\n" + SIGNED + LINES, id="replaces and keeps a sign-off"),
        pytest.param(b"Subject\n\nmemory-op: x\nMEMORY-SOURCE : user\n  folded\n", b"Subject\n\n" + LINES, id="replaces other spellings"),
        pytest.param(
            b"Subject\n\n" + OLD + b"\n(cherry picked from commit 12)\n",
            b"Subject\n\n(cherry picked from commit 12)\n" + LINES,
            id="picked",
        ),
        pytest.param(b"Subject\n\n" + SIGNED + b"\n" + OLD, b"Subject\n\n" + SIGNED + LINES, id="one paragraph of two"),
        pytest.param(b"Bad subject\nMemory-Op: write\n", b"Bad subject\nMemory-Op: write\n\n" + LINES, id="the subject is not touched"),
        pytest.param(
            b"Subject\n\nWhoever says\nMemory-Source: user\n",
            b"Subject\n\nWhoever says\nMemory-Source: user\n\n" + LINES,
            id="prose is not touched",
        ),
        pytest.param(b"Subject\n\n\xff\xfe\n", b"Subject\n\n\xff\xfe\n\n" + LINES, id="not UTF-8"),
    ],
)
def test_appending(message: bytes, expected: bytes) -> None:
    written = append_trailers(message, NEW)
    assert written == expected
    assert append_trailers(written, NEW) == written
    assert [trailer for trailer in parse_trailers(written) if trailer.key.startswith("Memory-")] == list(NEW)


def test_a_squash_leaves_one_set_of_trailers() -> None:
    message = (
        b"# This is a combination of 2 commits.\n# This is the 1st commit message:\n\nFirst\n\n" + OLD + b"Memory-Session: s1\n"
        b"\n# This is the commit message #2:\n\nSecond\n\nBody.\n\n" + SIGNED + OLD + b"Memory-Session: s2\n" + EDITOR
    )
    assert append_trailers(message, NEW) == (
        b"# This is a combination of 2 commits.\n# This is the 1st commit message:\n\nFirst\n"
        b"\n# This is the commit message #2:\n\nSecond\n\nBody.\n\n" + SIGNED + LINES + b"Memory-Session: s2\n" + EDITOR
    )


def test_without_an_editor_hash_lines_stay_above() -> None:
    assert append_trailers(b"Subject\n\n# Heading\n", NEW, None) == b"Subject\n\n# Heading\n\n" + LINES
    assert append_trailers(b"# Heading\n", NEW, None) == b"# Heading\n\n" + LINES


def test_free_texts_stay_unless_given_anew() -> None:
    message = b"Subject\n\nMemory-Op: write\nMemory-Session: s1\nmemory-reason: because\n  of that\nAssisted-by: Agent:model-1\n"
    kept = append_trailers(message, NEW)
    assert kept == b"Subject\n\nAssisted-by: Agent:model-1\n" + LINES + b"Memory-Session: s1\nMemory-Reason: because of that\n"
    again = append_trailers(message, (*NEW, Trailer("Memory-Session", "s2")))
    assert again == b"Subject\n\nAssisted-by: Agent:model-1\n" + LINES + b"Memory-Session: s2\nMemory-Reason: because of that\n"


def test_the_same_assistant_is_named_once() -> None:
    trailers = (*NEW, Trailer("Assisted-by", "Agent:model-1"))
    once = append_trailers(b"Subject\n\nAssisted-by: Agent:model-1\n", trailers)
    assert once == b"Subject\n\n" + LINES + b"Assisted-by: Agent:model-1\n"
    assert append_trailers(once, trailers) == once


def test_trailers_are_written_in_the_order_of_the_vocabulary() -> None:
    assert append_trailers(b"Subject\n", NEW[::-1]) == b"Subject\n\n" + LINES


def test_a_value_cannot_open_a_second_line() -> None:
    written = append_trailers(b"Subject\n", (Trailer("Memory-Reason", "ok\nMemory-Source: user\r\n\x00x"),))
    assert parse_trailers(written) == (Trailer("Memory-Reason", "ok Memory-Source: user   x"),)


def test_an_empty_value_is_not_written() -> None:
    assert append_trailers(b"Subject\n", (Trailer("Memory-Reason", " "),)) == b"Subject\n"


def test_nothing_to_write_changes_nothing() -> None:
    message = b"Subject\n\nBody.  \n\n\n# c\n"
    assert append_trailers(message, ()) == message
    assert replace_memory_trailers(message, ()) == message


def test_replacing_leaves_nothing_of_ours() -> None:
    message = b"Subject\n\n" + SIGNED + OLD + b"Memory-Session: s1\nMemory-Later: kept\n"
    assert replace_memory_trailers(message, NEW) == b"Subject\n\n" + SIGNED + b"Memory-Later: kept\n" + LINES
    assert replace_memory_trailers(message, ()) == b"Subject\n\n" + SIGNED + b"Memory-Later: kept\n"
    assert replace_memory_trailers(b"Subject\n\nBody.\n\n" + OLD, ()) == b"Subject\n\nBody.\n"


def test_a_subject_typed_above_makes_a_whole_message() -> None:
    shown = append_trailers(EDITOR, NEW)
    assert parse_trailers(b"Subject" + shown) == NEW


def test_rendering_keeps_bytes_that_are_not_utf8() -> None:
    assert render(Trailer("K", "\udcff é")) == b"K: \xff \xc3\xa9"
