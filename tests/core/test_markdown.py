"""Bytes in, bytes out, in time that grows with the size."""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable

import pytest

from hoard_git.core.markdown import parse, render
from tests.support.environment import ROOT

TAG = b" <!-- src:agent ts:2026-06-05 -->"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"\n\n\n",
        b"- a\r\n- b\n- c\r- d",
        b"\xef\xbb\xbf# a\n",
        b"\xef\xbb\xbf",
        b"- ok\n-\x00 \x00h\x00i\x00\n\x00",
        b"caf\xe9 \xff\xfe\n",
        b"\xed\xa0\x80\n\xf8\x88\x80\x80\x80",
        "a\x0bb\x0cc\x85d\u2028e\u2029f".encode(),
        b"trailing  \n\ttabs\t\n",
        b"\x1b[31mred\x1b[0m\n",
    ],
)
def test_what_was_read_is_written(data: bytes) -> None:
    document = parse(data)
    assert render(document) == data
    assert len(document.kinds) == len(document.lines) == data.count(b"\n") + 1


def test_only_a_newline_ends_a_line() -> None:
    document = parse("- a\u2028- b\x0b- c\x0c- d\x85- e\r- f\n".encode())
    assert [(entry.kind, entry.line, entry.end_line) for entry in document.entries] == [("item", 1, 1)]


def test_carriage_returns_stay_with_their_line_and_mean_nothing() -> None:
    document = parse(b"# a\r\n\r\n- b\r\n  c\r\n---\r\n```\r\nx\r\n```\r\n| a |\r\n|---|\r\n<!-- c -->\r\n")
    assert document.kinds == "hbitRcccrrmb"
    assert document.headings[0].title == "a"
    assert document.entries[0].text == "- b\r\n  c\r"


def test_text_that_turns_into_utf_16_is_still_text() -> None:
    tail = "- b\n- c\n".encode("utf-16-le")
    document = parse(b"- a\n" + tail)
    assert render(document) == b"- a\n" + tail
    assert [(entry.line, entry.end_line) for entry in document.entries] == [(1, 4)]  # NULs make no item: it is lazy text


def test_the_items_of_an_empty_file_are_none() -> None:
    document = parse(b"")
    assert (document.lines, document.kinds, document.entries, document.headings) == (("",), "b", (), ())


# ---------------------------------------------------------------- size

_SHAPES: dict[str, Callable[[int], bytes]] = {
    "one long line": lambda n: b"- " + b"word " * n + TAG,
    "many lines": lambda n: b"- item of text\n  more\n\n## h\n" * n,
    "quotes on a line": lambda n: b">" * n + b"\nx\n> y\n",
    "items on a line": lambda n: b"- " * n + b"x\n" + b"lazy\n" * n,
    "items and blank lines": lambda n: b"- " * n + b"x\n" + b"\n" * n + b"y\n",
    "items in a quote": lambda n: b"> " + b"- " * n + b"x\n" + b">\n" * n,
    "markers like rules": lambda n: b"* - " * n + b"\n" + b"- " * n + b"x\n",
    "deep list": lambda n: b"".join(b" " * 2 * k + b"- x\n" for k in range(int(n**0.5))),
    "backticks": lambda n: b"x " + b"`" * n + TAG,
    "backtick runs": lambda n: b" ".join(b"`" * (k % 40 + 1) for k in range(n)) + TAG,
    "openers on a line": lambda n: b"x " + b"<!--" * n,
    "openers on lines": lambda n: b"a <!--\n" * n,
    "comments": lambda n: b"a" + TAG * n,
    "escaped openers": lambda n: b"x " + b"\\<!-- src:" * n,
    "entity openers": lambda n: b"x " + b"&lt;!-- src:" * n,
    "brackets": lambda n: b"[" * n + TAG,
    "links without end": lambda n: b"[" * n + b'](a "' * n + TAG,
    "nested targets": lambda n: b"[](a" * n + TAG,
    "instructions": lambda n: b"x " + b"<?" * n + b"<!A" * n + b"<![CDATA[" * n + TAG,
    "attributes": lambda n: b"x <a" + b" b" * n + b"<a b='" * n + TAG,
    "quotes in attributes": lambda n: b"x " + b"<a b=\"<a c='" * n + TAG,
    "tags above nothing": lambda n: (TAG[1:] + b"\n") * n,
    "tables": lambda n: (TAG[1:] + b"\n|a|\n|-|\n|1|\n\n") * n,
    "table head": lambda n: b"|" * n + b"\n" + b"|-" * n + b"\n",
    "headings": lambda n: (b"# h" + TAG + b"\n") * n,
    "underlined headings": lambda n: b"a <!-- x -->\n===\n" * n,
    "regions": lambda n: b"".join(b"<!-- x%d:start -->\n" % k for k in range(n)),
    "blanks in a region": lambda n: b"<!-- x" + b" " * n + b"start" + b" " * n + b"-->\n",
    "references": lambda n: b"[" + b"a" * n + b"]: x\n" + b"[" * n + b"]:\n" + b"[a]: x '" + b"\\" * n + b"\n",
    "front matter": lambda n: b"---\n" + b"a: b\n" * n,
    "blanks": lambda n: b" " * n + b"x\n-" + b" " * n + b"x\n#" + b" " * n + b"#\n" + b"\t" * n + b"x",
    "lone tags": lambda n: b"<a" + b" b=c" * n + b"\n\n<a" + b" " * n + b"\n\n<a b=" + b" " * n,
    "a chat": lambda n: b"user: a\n\nassistant: b\n\n" * n,
}


def _seconds(data: bytes) -> float:
    """Processor time of one reading, not below what the clock and the caches of a machine can tell apart."""
    start = time.process_time()
    parse(data)
    return max(time.process_time() - start, 0.003)


@pytest.mark.parametrize("shape", _SHAPES)
def test_ten_times_the_size_takes_about_ten_times_as_long(shape: str) -> None:
    small, large = _SHAPES[shape](800), _SHAPES[shape](8000)
    # A quadratic reader takes a hundred times as long each time; a busy machine does so once.
    assert any(_seconds(large) < 25 * _seconds(small) for _ in range(4))


@pytest.mark.parametrize(
    ("data", "depth"),
    [
        (b">" * 10_000 + b" x\n", 10_000),
        (b"- " * 5_000 + b"x\n", 5_000),
        (b"> - " * 3_000 + b"x\n", 6_000),
    ],
)
def test_deep_nesting_is_counted_and_needs_no_recursion(data: bytes, depth: int) -> None:
    document = parse(data)
    assert document.depth == depth
    assert len(document.entries) == 1


def test_a_hundred_thousand_lines_fit_in_memory() -> None:
    data = b"".join(b"- line %d of a log\n" % k if k % 5 else b"## heading %d\n" % k for k in range(100_000))
    tracemalloc.start()
    try:
        document = parse(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (len(document.headings), len(document.entries)) == (20_000, 80_000)
    assert peak < 150 * 2**20


def test_reading_starts_with_cheap_modules_and_compiles_nothing() -> None:
    program = (
        f"import re, sys; sys.path.insert(0, {str(ROOT)!r}); made = []; real = re.compile;"
        "re.compile = lambda *a: made.append(a) or real(*a);"
        "before = set(sys.modules); import hoard_git.core.markdown as m;"
        "print(sorted(n for n in set(sys.modules) - before if not n.startswith('hoard_git')), len(made));"
        "m.parse(b'# a <!-- note -->\\n\\n- b\\n  c\\n\\n```\\nx\\n```\\n> q\\n'); print(len(made))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True, timeout=60)
    loaded, after = done.stdout.splitlines()
    assert loaded.endswith("] 0")
    assert set(loaded[1:-3].replace("'", "").split(", ")) <= {"__future__", "_bisect", "bisect", "collections", "reprlib"}
    assert int(after) <= 2
