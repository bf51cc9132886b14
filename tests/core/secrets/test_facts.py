"""What is known of a line holds wherever the line stands."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoard_git.core.secrets import blocks, detect, facts
from hoard_git.core.secrets._labels import PARTS
from hoard_git.core.secrets.labels import find_labels
from hoard_git.core.secrets.text import lower, plain

WORDS = (
    "password", "apiKey", "the", "is", ":", "user", "login", "wifi", "sk-", "ghp_", "xghp_", "glpat-", "GITHUB_PAT_", "aB3dE5gH7jK9", "12345678", "abcdefghij",
    "https://a.example/x?key=1", "\u5bc6\u7801", "Passwort", "Datenbankpasswort", "\u0130", "\u03a3", "backup", "codes", "db_pass", "k\u00e9y", "openweather", "Token",
)  # fmt: skip
LINES = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), min_size=1, max_size=8)


@settings(max_examples=600, deadline=None)
@given(LINES)
def test_lines_give_the_labels_of_the_whole(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = []
    at = 0
    for line, known in zip(lines, facts.facts_of(lines), strict=True):
        found += [(start + at, end + at, kind) for start, end, kind in known.hits]
        at += len(line) + 1
    assert found == find_labels(text, lower(text))


@settings(max_examples=300, deadline=None)
@given(LINES, LINES)
def test_what_is_remembered_changes_nothing(lines: list[str], others: list[str]) -> None:
    facts._known.clear()
    fresh = [(set(f.heads), set(f.words), set(f.names), f.runs, f.hits) for f in facts.facts_of(lines)]
    facts.facts_of([*others, *lines, *others])
    again = [(set(f.heads), set(f.words), set(f.names), f.runs, f.hits) for f in facts.facts_of(lines)]
    alone = [(set(f.heads), set(f.words), set(f.names), f.runs, f.hits) for line in lines for f in facts.facts_of([line])]
    assert fresh == again == alone


def test_a_text_is_scanned_once_and_forgotten_in_time() -> None:
    detect._scanned.clear()
    secret = "tR7#mQ2v" + "-Lx9pWz"
    first = detect.find_secrets([f"The database password is {secret}"])
    assert first == detect.find_secrets([f"The database password is {secret}"])
    assert len(detect._scanned) == 1
    assert [match.value for match in first] == [secret]


def test_the_oldest_lines_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "_known", {})
    monkeypatch.setattr(facts, "_kept", 0)
    monkeypatch.setattr(facts, "KEPT", 50)
    lines = [f"password {number:03}" for number in range(10)]
    together = [found.hits for found in facts.facts_of(lines)]
    assert list(facts._known) == lines[-4:]
    assert facts._kept == sum(map(len, facts._known))
    assert [found.hits for line in lines for found in facts.facts_of([line])] == together == [((0, 8, 0),)] * 10


def test_plain_text_keeps_places_and_ascii_words() -> None:
    low = lower("Pa\u00dfwort \u5bc6\u7801 KEY \ud800 \u0130x")
    assert len(plain(low)) == len(low)
    assert plain(low).find("key") == low.find("key")
    assert all(row[0] == lower(row[0]) for row in PARTS)


def test_every_name_of_recovery_codes_holds_a_noun() -> None:
    source = blocks._RECOVERY.pattern
    assert isinstance(source, str)
    depth, start, pieces = 0, 0, []
    for at, char in enumerate(source):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "|" and not depth:
            pieces.append(source[start:at])
            start = at + 1
    pieces.append(source[start:])
    loose = [re.sub(r"c\[óo\]d", "cód", piece) for piece in pieces]
    assert len(pieces) > 15
    assert [piece for piece in loose if not any(noun in piece for noun in blocks._RECOVERY_NOUNS)] == []
