"""A file that is read piece by piece is the same as one that is read in one go."""

from __future__ import annotations

import time

from hypothesis import given, settings
from hypothesis import strategies as st

from hoard_git.core.blocks import Scanner
from hoard_git.core.document import Document
from hoard_git.core.markdown import parse
from hoard_git.core.marks import place_tags

LINES = (
    "# a", "## b", "### c <!-- src:agent ts:2026-01-01 -->", "#x", "```", "~~~", "- item", "  - nested", "    code", "> quote", "> ```", "- ```", "  ```", "<div>",
    "</div>", "<!-- open", "-->", "<!-- src:web ts:2026-01-02 -->", "", "---", "--- ", "===", "text", "| a | b |", "|---|---|", "| 1 | 2 |", "[ref]: x", "\t# tab",
    " # space", "<pre>", "</pre>", "<!-- x:start -->", "<!-- x:end -->", "- # in an item", "1. one", "User: hi", "Assistant: yo", "\ufeff# mark", "\ufeff---",
    "key: value", "\r", "# return\r", "\u00a7", "\u2022 sign", "`a <!-- b", "c` -->", "- <!--",
)  # fmt: skip


def whole(data: bytes) -> Document:
    scanner = Scanner(data.decode("utf-8", "surrogateescape").split("\n"))
    scanner.run()
    return place_tags(scanner)


@settings(max_examples=2000, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=16))
def test_pieces_make_the_same_document(lines: list[str]) -> None:
    data = "\n".join(lines).encode()
    assert parse(data) == whole(data)


def test_a_script_of_many_comments_in_a_fence_takes_no_square_of_time() -> None:
    data = b"```sh\n" + b"# a comment\n" * 20_000
    start = time.process_time()
    assert parse(data) == whole(data)
    assert time.process_time() - start < 20


def test_two_versions_share_what_did_not_change() -> None:
    text = "# Memory\n\n" + "".join(f"## Topic {n}\n\n- fact {n}\n\n" for n in range(50))
    old, new = parse(text.encode()), parse(("## New\n\n- first\n\n" + text).encode())
    assert new == whole(("## New\n\n- first\n\n" + text).encode())
    assert new.entries[-1].text is old.entries[-1].text
    assert new.lines[-20] is old.lines[-20]
