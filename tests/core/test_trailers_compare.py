"""Found trailers against expected ones: what is missing, what is false, what only looks like a trailer."""

from __future__ import annotations

import pytest

from hoard_git.core.trailercheck import ASTRAY, Problem, compare_trailers, verdict
from hoard_git.core.trailers import Trailer, parse_trailers

DIGEST = "sha256:" + "1" * 64
BLOCK = "add - agent 2026-06-05 90d MEMORY.md#infrastructure"
EXPECTED = (
    Trailer("Memory-Op", "write"),
    Trailer("Memory-Source", "agent"),
    Trailer("Memory-Source", "web"),
    Trailer("Memory-Block", BLOCK),
    Trailer("Memory-Digest", DIGEST),
)
GOOD = f"Memory-Op: write\nMemory-Source: agent\nMemory-Source: web\nMemory-Block: {BLOCK}\nMemory-Digest: {DIGEST}\n"


def problems(message: str, *, complete: bool = True) -> list[tuple[str, str]]:
    data = message.encode("utf-8", "surrogateescape")
    return [(problem.kind, problem.message) for problem in compare_trailers(parse_trailers(data), EXPECTED, data, complete=complete)]


def body(*changes: tuple[str, str]) -> str:
    text = GOOD
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return "Subject\n\nBody.\n\n" + text


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(body(), id="as written"),
        pytest.param(body(("Memory-Op: write\n", "Memory-Op: consolidate\n")), id="the operation is the writer's word"),
        pytest.param(body() + "Memory-Session: s1\nMemory-Reason: anything\nAssisted-by: A:b\nAssisted-by: C:d\n", id="free texts"),
        pytest.param(body() + "Memory-Later: unknown\n", id="a later version's key"),
        pytest.param(body() + "Memory-Removed: - history " + "0" * 40 + ":MEMORY.md#L1-L1\n", id="removals are HG703's"),
        pytest.param(
            body() + "Co-authored-by:Ada Example <ada@example.org>\nReviewed-by: Ada Example <ada@example.org>\n", id="other people's"
        ),
        pytest.param(body((f"Memory-Block: {BLOCK}\n", "")), id="block lines may be left out"),
        pytest.param(
            body(("Memory-Source: agent\nMemory-Source: web\n", "Memory-Source: web\nMemory-Source: agent\n")), id="in another order"
        ),
        pytest.param("Subject\n\n" + GOOD, id="no body"),
        pytest.param(body() + "\n# Memory-Op: a comment\n", id="a comment"),
        pytest.param("Subject\n\nWe write Memory-Op: write into commits.\n\n    Memory-Op: quoted\n\n" + GOOD, id="talk about trailers"),
    ],
)
def test_what_is_all_right(message: str) -> None:
    assert problems(message) == []


@pytest.mark.parametrize(
    ("message", "kind", "words"),
    [
        pytest.param("Subject\n", "missing", "has no Memory-* trailers", id="none"),
        pytest.param("Subject\n\nMemory-Reason: because\n", "missing", "has no Memory-* trailers", id="free text alone"),
        pytest.param("Subject\n" + GOOD, "missing", "not in its last paragraph", id="in the subject's paragraph"),
        pytest.param(body() + "\nThe end.\n", "missing", "not in its last paragraph", id="prose below"),
        pytest.param(body() + "\n(cherry picked from commit 12)\n", "missing", "not in its last paragraph", id="a paragraph below"),
        pytest.param(
            body() + "\nCo-authored-by:A <a@example.org>\n", "missing", "not in its last paragraph", id="a forge's paragraph below"
        ),
        pytest.param("Subject\n\n    Subject\n    \n    Memory-Op: write\n", "missing", "not in its last paragraph", id="merge --squash"),
        pytest.param(body((f"Memory-Digest: {DIGEST}\n", "")), "missing", "Memory-Digest is missing", id="no digest"),
        pytest.param(body(("Memory-Op: write\n", "")), "missing", "Memory-Op is missing", id="no operation"),
        pytest.param(body(("Memory-Source: agent\nMemory-Source: web\n", "")), "missing", "Memory-Source is missing", id="no source"),
        pytest.param(body(("1" * 64, "2" * 64)), "false", "Memory-Digest does not fit the change", id="another digest"),
        pytest.param(body(("sha256:", "SHA256:")), "false", "Memory-Digest does not fit the change", id="another spelling of it"),
        pytest.param(body(("Memory-Source: web\n", "")), "false", "says agent; the change touches agent, web", id="a source too few"),
        pytest.param(body(("Memory-Source: web\n", "Memory-Source: user\n")), "false", "says agent, user; the", id="another source"),
        pytest.param(
            body() + "Memory-Source: user\n", "false", "says agent, web, user; the change touches agent, web", id="a source too many"
        ),
        pytest.param(body(("Memory-Source: web\n", "Memory-Source: Web\n")), "false", "says something else", id="not a source"),
        pytest.param(body() + "Memory-Source: web\n", "false", "Memory-Source repeats a value", id="a source twice"),
        pytest.param(body(("MEMORY.md#", "MEMORY.md#other-")), "false", "Memory-Block line 1 of 1 names no change", id="another block"),
        pytest.param(body() + "Memory-Block: x\n", "false", "Memory-Block line 2 of 2 names no change", id="a block too many"),
        pytest.param(
            body(("Memory-Op: write", "Memory-Op: delete")), "false", "Memory-Op is none of write, consolidate", id="another operation"
        ),
        pytest.param(body(("Memory-Op: write", "Memory-Op: Write")), "false", "Memory-Op is none of write, consolidate", id="in capitals"),
        pytest.param(body() + "Memory-Op: write\n", "false", "Memory-Op stands 2 times", id="the operation twice"),
        pytest.param(body() + "Memory-Op: policy\n", "false", "Memory-Op stands 2 times", id="two operations"),
        pytest.param(body() + f"Memory-Digest: {DIGEST}\n", "false", "Memory-Digest stands 2 times", id="the digest twice"),
        pytest.param(body() + "Memory-Session: a\nMemory-Session: b\n", "false", "Memory-Session stands 2 times", id="two sessions"),
        pytest.param(body() + "memory-op: write\n", "false", "Memory-Op stands 2 times", id="twice in two spellings"),
        pytest.param(
            body(("Memory-Source: web", "memory-source: web")), "false", "memory-source is not spelled Memory-Source", id="small letters"
        ),
        pytest.param(body(("Memory-Op:", "MEMORY-OP:")), "false", "MEMORY-OP is not spelled Memory-Op", id="capitals"),
        pytest.param("Subject\n\nfree text\n" + GOOD + "Signed-off-by: A <a@example.org>\n", "false", "prose stands between", id="prose"),
        pytest.param("Subject\n\nMemory-Source: user\n\n" + GOOD, "stray", "a Memory-Source line stands outside", id="in the body"),
        pytest.param("Subject\n\nMemory-Source: user\n---\n\n" + GOOD, "stray", "a Memory-Source line stands outside", id="above a rule"),
        pytest.param("Subject\nmemory-source : user\n\n" + GOOD, "stray", "a Memory-Source line stands outside", id="below the subject"),
        pytest.param(body() + "\x00\nMemory-Source: user\n", "stray", "a Memory-Source line stands outside", id="behind a NUL"),
    ],
)
def test_what_is_wrong(message: str, kind: str, words: str) -> None:
    found = problems(message)
    assert [problem for problem in found if problem[0] == kind and words in problem[1]], found
    assert kind == "missing" or all(problem[0] != "missing" for problem in found)


def test_one_fault_is_one_problem() -> None:
    assert problems(body(("1" * 64, "2" * 64))) == [("false", "Memory-Digest does not fit the change")]
    assert problems("Subject\n") == [("missing", "the commit changes memory and has no Memory-* trailers")]


def test_where_nothing_is_expected_nothing_is_judged() -> None:
    assert compare_trailers(parse_trailers(body().encode()), (), body().encode()) == []


def test_without_the_trees_only_the_form_is_judged() -> None:
    assert problems("Subject\n", complete=False) == []
    assert problems(body(("1" * 64, "2" * 64)), complete=False) == []
    assert problems(body(("Memory-Op:", "memory-op:")), complete=False) == [("false", "memory-op is not spelled Memory-Op")]


def test_a_change_without_entries_needs_no_source() -> None:
    expected = (Trailer("Memory-Op", "write"), Trailer("Memory-Digest", DIGEST))
    assert compare_trailers(expected, expected) == []
    assert compare_trailers((*expected, Trailer("Memory-Source", "user")), expected) == [
        Problem("false", "Memory-Source says user; the change touches no source")
    ]


def test_no_message_repeats_free_text() -> None:
    hidden = "hunter" + "2\u202e\x1b[31m"
    for message in (body(("Memory-Source: web", "Memory-Source: " + hidden)), body() + f"Memory-Block: {hidden}\nMemory-Op: {hidden}\n"):
        shown = " ".join(text for _kind, text in problems(message))
        assert shown
        assert "hunter" not in shown
        assert shown.isprintable()


@pytest.mark.parametrize(
    ("message", "expected"),
    [(body(), "ok"), ("Subject\n", "missing"), (body(("1" * 64, "2" * 64)), "mismatch"), ("Subject\n\nMemory-Op: x\n\n" + GOOD, "ok")],
)
def test_the_verdict_in_one_word(message: str, expected: str) -> None:
    data = message.encode()
    assert verdict(compare_trailers(parse_trailers(data), EXPECTED, data)) == expected


def test_a_removal_read_from_another_commit_is_astray() -> None:
    here, there = "1" * 40, "2" * 40
    expected = (*EXPECTED, Trailer("Memory-Removed", f"- history {here}:MEMORY.md#L1-L1"))

    def found(oid: str) -> list[tuple[str, str]]:
        data = (body() + f"Memory-Removed: - history {oid}:MEMORY.md#L1-L1\n").encode()
        return [(problem.kind, problem.message) for problem in compare_trailers(parse_trailers(data), expected, data, complete=True)]

    assert found(here) == []
    assert found(there) == [(ASTRAY, f"Memory-Removed names commit {there[:12]}, which is not the one before")]
