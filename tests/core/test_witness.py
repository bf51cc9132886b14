"""The witness file: written one way, read strictly, damage noticed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hoard_git.core.model import Oid
from hoard_git.core.witness import Tip, WitnessProblem, append_tips, compare, parse_witness

A, B, C = (Oid(c * 40) for c in "abc")
GONE = Oid("0" * 40)
MAIN, SIDE = "refs/heads/main", "refs/heads/sîde"
TIPS = [Tip("2026-06-05T12:00:00Z", A, MAIN), Tip("2026-06-05T12:00:00Z", B, SIDE), Tip("2026-06-06T12:00:00Z", C, MAIN)]


def test_what_is_written_is_read_back() -> None:
    raw = append_tips(append_tips(b"", TIPS[:2]), TIPS[2:])
    assert parse_witness(raw) == TIPS
    assert raw == append_tips(b"", TIPS)
    assert raw.startswith(b"hoard-witness 1\n")
    assert parse_witness(append_tips(b"", [])) == []


def test_it_is_only_ever_added_to() -> None:
    before = append_tips(b"", TIPS[:2])
    assert append_tips(before, TIPS[2:]).startswith(before)


def test_a_ref_that_is_no_utf_8_is_kept() -> None:
    odd = [Tip("2026-06-05T12:00:00Z", A, b"refs/heads/\xff".decode("utf-8", "surrogateescape"))]
    assert parse_witness(append_tips(b"", odd)) == odd


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (lambda _raw: b"", 1),
        (lambda _raw: b"# notes\n", 1),
        (lambda raw: raw.replace(b"witness 1", b"witness 2"), 1),
        (lambda raw: raw[:-1], 4),
        (lambda raw: raw[:-20], 4),
        (lambda raw: raw + b"\n", 5),
        (lambda raw: raw.replace(b"aaaa", b"baaa", 1), 2),
        (lambda raw: raw.replace(b"2026-06-06", b"2026-06-07"), 4),
        (lambda raw: b"\n".join(raw.split(b"\n")[:1] + raw.split(b"\n")[2:]), 2),
        (lambda raw: b"\n".join([*raw.split(b"\n")[:2], *raw.split(b"\n")[3:]]), 3),
        (lambda raw: raw.replace(b"\n", b"\r\n"), 1),
        (lambda raw: raw.replace(b"refs/heads/main", b"refs heads/main", 1), 2),
        (lambda raw: raw.replace(b"aaaa", b"AAAA", 1), 2),
    ],
)
def test_damage_is_found_with_its_line(damage: Callable[[bytes], bytes], line: int) -> None:
    raw = append_tips(b"", TIPS)
    with pytest.raises(WitnessProblem) as caught:
        parse_witness(damage(raw))
    assert caught.value.line == line


BEHIND = {(B, A), (C, A), (C, B)}


def builds_on(new: Oid, old: Oid) -> bool:
    return new == old or (new, old) in BEHIND


@pytest.mark.parametrize(
    ("known", "now", "state"),
    [
        ([], {MAIN: A}, "new"),
        ([Tip("", A, MAIN)], {MAIN: A}, "same"),
        ([Tip("", A, MAIN)], {MAIN: B}, "advanced"),
        ([Tip("", B, MAIN)], {MAIN: A}, "rolled-back"),
        ([Tip("", B, MAIN)], {MAIN: Oid("d" * 40)}, "rewritten"),
        ([Tip("", B, MAIN)], {}, "vanished"),
        ([Tip("", B, MAIN)], {SIDE: A}, "vanished"),
        ([Tip("", B, MAIN)], {SIDE: C}, "merged"),
        ([Tip("", A, MAIN), Tip("", B, MAIN)], {MAIN: A}, "rolled-back"),  # the last line about a ref counts
        ([Tip("", B, MAIN), Tip("", GONE, MAIN)], {MAIN: A}, "new"),
    ],
)
def test_then_and_now(known: list[Tip], now: dict[str, Oid], state: str) -> None:
    seen = {one.ref: one for one in compare(known, now, builds_on)}
    assert seen[MAIN].state == state
    assert seen[MAIN].is_alarm is (state in ("rolled-back", "rewritten", "vanished"))


def test_what_was_agreed_to_be_gone_is_told_no_more() -> None:
    assert compare([Tip("", B, MAIN), Tip("", GONE, MAIN)], {}, builds_on) == []
