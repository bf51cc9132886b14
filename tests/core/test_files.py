"""What a path is, and what steers the gate."""

from __future__ import annotations

import pytest

from hoard_git.core.dates import format_day
from hoard_git.core.files import classify, file_default, is_policy, is_protected, local_path, log_day
from hoard_git.core.policy import DEFAULT


@pytest.mark.parametrize(
    ("path", "file_class"),
    [
        ("MEMORY.md", "index"), ("memory.md", ""), ("sub/MEMORY.md", ""), ("HEARTBEAT.md", "heartbeat"), ("SOUL.md", "identity"),
        ("USER.md", "identity"), ("memory/a.md", "topic"), ("memory/2026-06-01.md", "daily"), ("memory/2026-06-01-trip.md", "daily"),
        ("memory/2026-06-01_0930.md", "daily"), ("memory/archive/a.md", "archive"), ("memory/archive/2026-06-01.md", "archive"),
        ("memory/archive/deep/a.md.gz", "other"), ("memory/deep/a.md", "other"), ("memory/state.json", "other"),
        ("memory/.dreams/x.json", "other"), ("wiki/a.md", "wiki"), ("wiki/deep/a.md", "wiki"), ("wiki/a.txt", ""), ("README.md", ""),
        ("memory", ""), ("", ""),
    ],
)  # fmt: skip
def test_classes(path: str, file_class: str) -> None:
    assert classify(path, DEFAULT) == file_class


def test_roots_and_prefix() -> None:
    policy = DEFAULT._replace(prefix="team/", roots=("agents/a", "agents/a/deep", "."))
    assert local_path("team/agents/a/MEMORY.md", policy) == "MEMORY.md"
    assert local_path("team/agents/a/deep/MEMORY.md", policy) == "MEMORY.md"
    assert local_path("team/MEMORY.md", policy) == "MEMORY.md"
    assert local_path("MEMORY.md", policy) is None
    assert classify("team/agents/a/memory/2026-06-01.md", policy) == "daily"
    assert classify("team/MEMORY.md", policy) == "index"
    assert classify("MEMORY.md", policy) == ""
    deep_last = policy._replace(roots=("agents/a/deep", "agents/a"))
    assert local_path("team/agents/a/deep/MEMORY.md", deep_last) == "MEMORY.md"
    assert local_path("team/agents/b/MEMORY.md", deep_last) is None


@pytest.mark.parametrize(
    ("path", "file_class", "expected"),
    [
        ("memory/2026-06-01-x.md", "daily", ("agent", "2026-06-01")),
        ("memory/2026-02-30.md", "daily", ("agent", "unknown")),
        ("SOUL.md", "identity", ("user", "unknown")),
        ("agents/a/USER.md", "identity", ("agent", "unknown")),
        ("persona/voice.md", "identity", ("user", "unknown")),
        ("HEARTBEAT.md", "heartbeat", ("agent", "unknown")),
        ("MEMORY.md", "index", None),
        ("memory/a.md", "topic", None),
        ("memory/archive/a.md", "archive", None),
    ],
)
def test_what_an_untagged_file_counts_as(path: str, file_class: str, expected: tuple[str, str] | None) -> None:
    tag = file_default(path, file_class, DEFAULT)
    assert (None if tag is None else (tag.src, tag.ts)) == expected


def test_an_owner_may_be_named_by_its_path() -> None:
    policy = DEFAULT._replace(roots=("agents/a",), owners=(*DEFAULT.owners, ("persona/voice.md", "agent")))
    tag = file_default("agents/a/persona/voice.md", "identity", policy)
    assert tag is not None
    assert tag.src == "agent"


def test_the_day_of_a_log() -> None:
    day = log_day("memory/2026-06-01-trip.md")
    assert day is not None
    assert format_day(day) == "2026-06-01"
    assert log_day("memory/notes.md") is None


def test_the_policy_is_known_by_its_name() -> None:
    assert is_policy(".hoard.yaml")
    assert is_policy("a/b/.hoard.yaml")
    assert is_policy("a/.Hoard.YAML")
    assert not is_policy("a/hoard.yaml")


def test_what_is_protected() -> None:
    # tests/lint/rules/test_hg307.py has the list; here the edges.
    assert is_protected(".github/CODEOWNERS")
    assert not is_protected(".githubby/x")
    assert not is_protected("docs/gitattributes.md")
