from __future__ import annotations

import pytest

from hoard_git.core.tags import STALE, Tag, find_value_problem, is_ttl, looks_like_tag, parse_tag, render_tag


@pytest.mark.parametrize(
    ("inner", "tag"),
    [
        (" src:agent ts:2026-06-05 ttl:90d ", Tag("agent", "2026-06-05", "90d")),
        ("src:user ts:unknown", Tag("user", "unknown")),
        (" ttl:never ts:2026-06-05 src:web ", Tag("web", "2026-06-05", "never")),
        (
            " src:tool  ts:2026-06-05 id:k3f9q2 ev:memory/2026-06-04.md:7 ",
            Tag("tool", "2026-06-05", "", "k3f9q2", "memory/2026-06-04.md:7"),
        ),
        (f" src:dig ts:2026-06-05 ttl:2w {STALE} ", Tag("dig", "2026-06-05", "2w", stale=True)),
        (" src:agent ts:2026-06-05 conf:low keep:1 ", Tag("agent", "2026-06-05", extra=(("conf", "low"), ("keep", "1")))),
    ],
)
def test_a_tag_is_read(inner: str, tag: Tag) -> None:
    assert looks_like_tag(inner)
    assert parse_tag(inner) == tag


@pytest.mark.parametrize(
    "tag",
    [
        Tag("agent", "2026-06-05", "90d", "k3f9q2", "pr/465", stale=True, extra=(("keep", "1"),)),
        Tag("user", "unknown"),
    ],
)
def test_what_is_written_is_read_back(tag: Tag) -> None:
    text = render_tag(tag)
    assert parse_tag(text.removeprefix("<!--").removesuffix("-->")) == tag


def test_keys_are_written_in_their_order() -> None:
    assert render_tag(Tag("web", "2026-06-05", "30d", "abc123", "x.md", stale=True, extra=(("a", "b"),))) == (
        f"<!-- src:web ts:2026-06-05 ttl:30d id:abc123 ev:x.md a:b {STALE} -->"
    )


@pytest.mark.parametrize(
    ("inner", "problem"),
    [
        ("", "src and ts are missing"),
        (f" {STALE} ", "src and ts are missing"),
        (" src:user ", "ts is missing"),
        (" ts:2026-06-05 ", "src is missing"),
        (" src:root ts:2026-06-05 ", "src is one of user, agent, tool, web, dig, not 'root'"),
        (" src:user src:web ts:2026-06-05 ", "src stands twice"),
        (" src:user ts:20260605 ", "ts is a date YYYY-MM-DD or unknown, not '20260605'"),
        (" src:user ts:2026-02-30 ", "ts is a date YYYY-MM-DD or unknown, not '2026-02-30'"),
        (" src:user ts: ", "ts has no value"),
        (" src:user, ts:2026-06-05 ", "src is one of user, agent, tool, web, dig, not 'user,'"),
        (" src=user ts:2026-06-05 ", "'src=user' is not a key:value pair"),
        (" SRC:user ts:2026-06-05 ", "'SRC:user' is not a key:value pair"),
        (" src : user ts:2026-06-05 ", "'src' is not a key:value pair"),
        (" src:user ts:2026-06-05 note ", "'note' is not a key:value pair"),
        (" src:agent ts:2026-06-05 -- src:user ", "a tag holds no --"),
        (" src:agent ts:2026-06-05 ev:a--b ", "a tag holds no --"),
        (" src:agent ts:2026-06-05 ev:<b> ", "a tag holds no <"),
        (" src:agent ts:2026-06-05 ev:a>b ", "a tag holds no >"),
        (" src:us\x00er ts:2026-06-05 ", "a tag holds no control characters"),
        (" src:user\tts:2026-06-05 ", "a tag holds no control characters"),
        (" src:user\nts:2026-06-05 ", "a tag holds no control characters"),
        (" \u0455rc:user ts:2026-06-05 ", "a tag is printable ASCII"),
        (" \u017frc:u\u017fer ts:2026-06-05 ", "a tag is printable ASCII"),
        (" src:user\u00a0ts:2026-06-05 ", "a tag is printable ASCII"),
        (" src:user ts:2026-06-05\u2028 ", "a tag is printable ASCII"),
        (" src:user ts:2026-06-05\u26a0\ufe0f stale ", "a tag is printable ASCII"),
        (" src:user ts:2026-06-05 \u26a0 stale ", "a tag is printable ASCII"),
        (" src:user ts:2026-06-05 ttl:09d ", "ttl is a number of 1 to 4 digits with d, w or y, or never, not '09d'"),
        (" src:user ts:2026-06-05 id:ABC123 ", "id is 6 to 12 lower-case letters and digits, not 'ABC123'"),
        (" src:user ts:2026-06-05 ev:" + "x" * 513, "ev is longer than 512 characters"),
        (" src:user ts:2026-06-05 " + "k" * 65 + ":v", "'" + "k" * 39 + "\\u2026' is not a key:value pair"),
    ],
)
def test_a_broken_tag_says_what_is_wrong(inner: str, problem: str) -> None:
    assert parse_tag(inner) == problem


def test_what_would_end_a_comment_is_refused_before_it_is_written() -> None:
    good = {"src": "user", "ts": "unknown", "ev": "a-b.md:7"}
    assert find_value_problem(good) == ""
    assert [find_value_problem(good | {"ev": ev}) for ev in ("a--b", "a>", "<a")] == ["ev holds no --", "ev holds no >", "ev holds no <"]


def test_a_problem_shows_no_control_characters() -> None:
    assert find_value_problem({"src": "\x1b[31m\u202e"}) == "src is one of user, agent, tool, web, dig, not '\\x1b[31m\\u202e'"


@pytest.mark.parametrize("ttl", ["1d", "9999y", "90d", "2w", "never"])
def test_a_ttl(ttl: str) -> None:
    assert is_ttl(ttl)


@pytest.mark.parametrize(
    "ttl", ["", "d", "90", "09d", "0d", "10000d", "1m", "infinite", "infinitee", "forever", "-1d", "९d", "1 d", "Never"]
)
def test_not_a_ttl(ttl: str) -> None:
    assert not is_ttl(ttl)


@pytest.mark.parametrize(
    "inner",
    [
        "src:x",
        " ttl:90d ",
        "SRC:user",
        "ts=2026-06-05",
        "src :user",
        "\u0455rc:user",
        "\u017frc:user",
        "\uff53\uff52\uff43\uff1auser",
        "s\u200brc:user",
        "s\x00rc:user",
        "src\uff1auser",
        "note src:user",
    ],
)
def test_even_a_disguised_tag_looks_like_one(inner: str) -> None:
    assert looks_like_tag(inner)


@pytest.mark.parametrize(
    "inner",
    [
        "",
        " note ",
        " trigger: on deploy ",
        " importance:high ",
        " project: x ",
        " openclaw-memory-promotion:memory:memory/2026-04-17.md:7:9 ",
        " openclaw:dreaming:light:start ",
        " id:8f3a2c ",
        " tests: 12 ",
        " my_src:x ",
        " \u65e5\u8a18 ",
    ],
)
def test_other_peoples_comments_do_not(inner: str) -> None:
    assert not looks_like_tag(inner)
