"""The same messages to git itself: `interpret-trailers`, `log --format=%(trailers)`, `stripspace`, `commit`."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from hoard_git.core.trailers import Trailer, append_trailers, parse_trailers, render
from tests.support.repo import Repo, run

NEW = (
    Trailer("Memory-Op", "write"),
    Trailer("Memory-Source", "agent"),
    Trailer("Memory-Source", "web"),
    Trailer("Memory-Digest", "sha256:11"),
)
LINES = b"".join(render(trailer) + b"\n" for trailer in NEW)

FRAGMENTS = [
    b"Subject",
    b"fix: subject",
    b"prose line here",
    b"",
    b" ",
    b"\t",
    b"\r",
    b"K: v",
    b"K: v  \r",
    b"Key-2 : value",
    b"K:",
    b"--: x",
    b"-: y",
    b": v",
    b"K_x: v",
    b"a b: c",
    b"a  \t: c",
    b"a\x0bb: c",
    b"\x0b",
    b"\x0c",
    b"K: a:b ",
    b"K: \xff\xc3\xa9",
    b"\xff\xfe: x",
    b"Signed-off-by: A <a@example.org>",
    b"Signed-off-by:x",
    b"(cherry picked from commit 123)",
    b"(cherry picked from commit 123",
    b"Memory-Op: write",
    b"memory-source:agent",
    b"Memory-Source: user\r",
    b"# comment",
    b"#",
    b"; semicolon",
    b"# ------------------------ >8 ------------------------",
    b"; ------------------------ >8 ------------------------",
    b"---",
    b"--- a/x",
    b" cont",
    b"\tcont: x",
    b"https://example.org",
    b"Note: a long line of prose.",
    b"Conflicts:",
    b"\tMEMORY.md",
    b"K: v\x00",
]

messages = st.builds(
    lambda lines, end: b"\n".join(lines) + end,
    st.lists(st.sampled_from(FRAGMENTS), max_size=10),
    st.sampled_from([b"", b"\n", b"\n\n"]),
)
slow = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def git_trailers(repo: Repo, message: bytes, comment: str = "#") -> bytes:
    """What git reads, one unfolded trailer a line."""
    return repo.git("-c", f"core.commentChar={comment}", "interpret-trailers", "--parse", "--no-divider", input=message).stdout


def as_git_prints(trailers: tuple[Trailer, ...]) -> bytes:
    return b"".join(f"{key}: {value}\n".encode("utf-8", "surrogateescape") for key, value in trailers)


def ours(printed: bytes) -> bytes:
    return b"".join(line + b"\n" for line in printed.split(b"\n") if line.lower().startswith(b"memory-"))


@pytest.mark.parametrize(
    "message",
    [
        b"Subject\n",
        b"Subject\n\nAbove the rule.\n\n---\n\nBelow the rule.\n",
        b"Subject\n\nMemory-Source: user\n---\n\ntext\n",
        b"Subject\n\nNote: the backup failed again.\n",
        b"Subject\n\nSigned-off-by: A <a@example.org>\n",
        b"Subject\n\nBody.\nSigned-off-by: A <a@example.org>\n",
        b"Subject\r\n\r\nBody.\r\n",
        b"Subject\n\n\xff\xfe\n",
        b"Subject\n\nMemory-Op: write\n\n(cherry picked from commit 12)\n",
    ],
)
def test_git_log_reads_what_we_write(repo: Repo, message: bytes) -> None:
    written = append_trailers(message, NEW, None)
    repo.git("commit", "-q", "--allow-empty", "--cleanup=whitespace", "-F", "-", input=written)
    shown = repo.git("log", "-1", "--format=%(trailers:only,unfold)").stdout
    assert ours(shown) == LINES
    stored = repo.git("cat-file", "commit", "HEAD").stdout.partition(b"\n\n")[2]
    assert as_git_prints(parse_trailers(stored)) == shown.removesuffix(b"\n")


def test_trailers_shown_in_an_editor_are_committed(repo: Repo) -> None:
    shown = append_trailers(b"\n# Please enter the commit message\n# ------------------------ >8 ------------------------\ndiff\n", NEW)
    repo.git("commit", "-q", "--allow-empty", "--cleanup=scissors", "-F", "-", input=b"Subject" + shown)
    assert ours(repo.git("log", "-1", "--format=%(trailers:only,unfold)").stdout) == LINES
    assert repo.line("log", "-1", "--format=%s") == "Subject"


def test_a_cherry_pick_keeps_them_readable(repo: Repo) -> None:
    repo.git("commit", "-q", "--allow-empty", "-m", "base")
    repo.write("a", "1")
    repo.git("add", "a")
    repo.git("commit", "-q", "-F", "-", input=append_trailers(b"Subject\n", NEW, None))
    repo.git("checkout", "-q", "-b", "other", "HEAD~1")
    repo.git("cherry-pick", "-x", "main")
    stored = repo.git("cat-file", "commit", "HEAD").stdout.partition(b"\n\n")[2]
    assert b"(cherry picked from commit " in stored
    assert parse_trailers(stored) == NEW
    assert append_trailers(stored, NEW, None).count(b"Memory-Op") == 1


def test_user_configuration_of_trailers_does_not_reach_the_writer(repo: Repo) -> None:
    for key, value in [("trailer.ifexists", "replace"), ("trailer.ifmissing", "doNothing"), ("trailer.separators", "=")]:
        repo.git("config", key, value)
    repo.git("commit", "-q", "--allow-empty", "-F", "-", input=append_trailers(b"Subject\n", NEW, None))
    assert parse_trailers(repo.git("cat-file", "commit", "HEAD").stdout.partition(b"\n\n")[2]) == NEW


def test_what_git_calls_an_empty_message_stays_one(repo: Repo) -> None:
    empty = b"\n# Please enter\n"
    refused = run(["git", "commit", "-q", "--allow-empty", "--cleanup=strip", "-F", "-"], cwd=repo, input=empty)
    assert refused.returncode == 1
    assert b"empty commit message" in refused.stderr
