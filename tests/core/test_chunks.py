"""Pieces parsed alone read as they read in their file, and a spliced version is the version cut anew."""

from __future__ import annotations

import random

import pytest

from hoard_git.core.attribution import rows_of
from hoard_git.core.chunks import Chunk, Chunks
from hoard_git.core.markdown import parse
from hoard_git.core.murmur import murmur3
from hoard_git.core.plainlists import PlainLists, _plain_heading
from hoard_git.core.quickpair import find_pairs
from hoard_git.core.versions import Piece, Version, splice

LINES = [
    "# Top <!-- src:agent ts:2026-06-01 -->", "## Two", "### Three `# no`", "- item one", "- item <!-- src:web ts:2026-06-02 id:abc123 -->", "  - nested", "text",
    "", "", "```", "# in a fence", "~~~", "<div>", "</div>", "<!-- open", "closed -->", "> quote", "> # quoted", "| a | b |", "|---|---|", "===", "---", "1. one",
    "    code", "\u2022 sign", "#no heading", "[ref]: x", "key: value", "- [x] done", "\ttab",
]  # fmt: skip


def _units(data: bytes) -> tuple[list[object], list[object]]:
    document = parse(data)
    return [(h.level, h.title, h.tag) for h in document.headings], [(e.kind, e.text, e.tag) for e in document.entries]


def _joined(version: Version) -> tuple[list[object], list[object]]:
    documents = [piece.chunk.document for piece in version.pieces]
    headings: list[object] = [(h.level, h.title, h.tag) for document in documents for h in document.headings]
    entries: list[object] = [(e.kind, e.text, e.tag) for document in documents for e in document.entries]
    return headings, entries


def _version(data: bytes, chunks: Chunks) -> Version:
    return Version("", data, [Piece(chunk, ()) for chunk in chunks.cut(data)])


def _text(chance: random.Random, count: int, last: bool) -> bytes:
    return ("\n".join(chance.choice(LINES) for _ in range(count)) + "\n" * last).encode()


@pytest.mark.parametrize("seed", range(40))
def test_cutting_and_splicing_change_nothing(seed: int) -> None:
    chance, chunks = random.Random(seed), Chunks()
    data = _text(chance, chance.randrange(1, 40), seed % 3 > 0)
    version = _version(data, chunks)
    for _ in range(12):
        assert b"".join(piece.chunk.data for piece in version.pieces) == version.data
        assert _joined(version) == _units(version.data)
        rows = rows_of(version.data)
        assert [version.above(number) for number in range(len(version.pieces))] == [
            sum(piece.chunk.lines for piece in version.pieces[:number]) for number in range(len(version.pieces))
        ]
        assert sum(piece.chunk.lines for piece in version.pieces) == len(rows)
        lines = version.data.split(b"\n")
        at = chance.randrange(len(lines) + 1)
        lines[at : at + chance.randrange(4)] = (
            _text(chance, chance.randrange(1, 4), last=False).split(b"\n") if chance.random() < 0.7 else []
        )
        fresh = b"\n".join(lines)
        cut = splice(version, fresh, chunks)
        pieces = [*version.pieces[: cut.first], *[Piece(chunk, ()) for chunk in cut.new], *version.pieces[cut.stop :]]
        version = Version("", fresh, pieces)
        assert [p.chunk.data for p in pieces] == [c.data for c in Chunks().cut(fresh)]


@pytest.mark.parametrize(
    "text",
    [
        "---\nsrc: agent\n# comment\nts: 2026-06-01\n---\n# Title\n- x\n",
        "\ufeff# Title\n\n- x\n",
        "",
        "# a",
        "\n\n# a\n",
        "---\na: 1\n# b\n\n---\n# c\n",
        "## A\n\n- one <!-- over\n- two lines -->\n- three\n",
    ],
)
def test_front_matter_odd_beginnings_and_comments_in_bullets(text: str) -> None:
    version = _version(text.encode(), Chunks())
    assert _joined(version) == _units(text.encode())


def test_a_heading_that_runs_into_the_line_above_is_no_piece_any_more() -> None:
    old = _version(b"## A\n\n- one\n## B\n\n- two\n## C\n\n- three\n", chunks := Chunks())
    cut = splice(old, b"## A\n\n- one## B\n\n- two\n## C\n\n- three\n", chunks)
    assert (cut.first, cut.stop, [chunk.data for chunk in cut.new]) == (0, 2, [b"## A\n\n- one## B\n\n- two\n"])


@pytest.mark.parametrize("text", ["## A\n\n- one\n- two\n", "## A\n\nProse.\n\n- one\n", "Prose.\n"])
def test_a_piece_that_was_read_elsewhere_is_read_when_it_is_asked_for(text: str) -> None:
    """Another process has counted its lines and units; what they say is read here, once."""
    chunks, reads = Chunks(), []

    def read(data: bytes) -> Chunk:
        reads.append(data)
        return chunks.read(data)

    whole = Chunks().cut(text.encode())[0]
    late = Chunk.unread(whole.data, whole.lines, whole.heads, whole.size, read)
    assert (late.data, late.lines, late.level, reads) == (whole.data, whole.lines, whole.level, [])
    assert late.headings == whole.headings
    assert late.document == whole.document
    assert [late.entry(at) for at in range(late.size - late.heads)] == list(whole.document.entries)
    assert reads == [text.encode()]


def test_a_version_is_the_bytes_of_its_pieces() -> None:
    data = b"# A\n\n- one\n\n## B\n\n- two"
    assert Version("", None, [Piece(chunk, ()) for chunk in Chunks().cut(data)]).data == data


def test_pieces_and_lines_are_forgotten_when_they_are_many_and_read_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoard_git.core.chunks._MOST_KEPT", 3)
    monkeypatch.setattr("hoard_git.core.plainlists._MOST_KEPT", 3)
    chunks = Chunks()
    for number in (*range(9), *range(9)):
        text = f"## Block {number}\n\n- one of {number}\n- two <!-- src:web ts:2026-06-0{number + 1} -->\n"
        assert chunks.cut(text.encode())[0].document == Chunks().cut(text.encode())[0].document
        assert _units(text.encode())[1] == [(e.kind, e.text, e.tag) for e in chunks.cut(text.encode())[0].document.entries]


@pytest.mark.parametrize("seed", range(30))
def test_plain_pieces_read_as_the_scanner_reads_them(seed: int) -> None:
    chance, plain = random.Random(seed), PlainLists()
    taken = 0
    for _ in range(40):
        text = "\n".join(["## Two", *(chance.choice(LINES[3:9]) for _ in range(chance.randrange(6)))])
        found = plain.read(text)
        if found is not None:
            taken += 1
            whole, document = parse(text.encode()), found.document()
            assert (document.lines, document.headings, document.entries) == (whole.lines, whole.headings, whole.entries)
            assert tuple(found.lines) == whole.lines
            assert found.headings == whole.headings
            assert tuple(found.entry(number) for number in range(len(found.items))) == whole.entries
    assert taken


def test_a_bullet_in_which_a_comment_stays_open_is_not_plain() -> None:
    plain = PlainLists()
    assert plain.read("## A\n\n- one <!-- over\n- two lines -->\n- three\n") is None
    assert plain.read("## A\n\n- one <!-- on one line -->\n- three\n") is not None


@pytest.mark.parametrize(
    "title", ["Two", "Two words, 2026-06-05: a/b", "A  b", "A -", "A #", "A `b`", "A *b*", "A\\", "\u4e2d", "A &amp; b", "[a]"]
)
@pytest.mark.parametrize(
    "comment",
    [
        "<!-- src:agent ts:2026-06-05 ttl:90d id:b00001 -->",
        "<!-- src:user ts:unknown \u26a0\ufe0f stale -->",
        "<!--  ts:2026-06-05  src:web x:y  -->",
        "<!-- src:nobody ts:2026-06-05 -->",
        "<!-- src:agent ts:2026-06-05 --->",
        "<!-- src:agent <b> ts:2026-06-05 -->",
        "<!-- trigger:daily -->",
        "<!-- src:agent ts:2026-06-05 --> more",
        "<!-- src:agent ts:2026-06-05 --> <!-- src:user ts:2026-06-05 -->",
        "<!-- src:agent",
        "",
    ],
)
def test_a_tagged_heading_reads_as_the_scanner_reads_it(title: str, comment: str) -> None:
    text = f"## {title} {comment}\n\n- an item\n"
    found = PlainLists().read(text)
    assert found is None or found.headings == parse(text.encode()).headings
    assert _plain_heading(f"## {title} {comment}") in ((), parse(text.encode()).headings)


@pytest.mark.parametrize("seed", range(30))
def test_one_changed_item_is_found_as_the_comparison_of_both_pieces_finds_it(seed: int) -> None:
    chance, chunks = random.Random(seed), Chunks()
    items = ["- one", "- two", "- two <!-- src:web ts:2026-06-02 -->", "- three `code`", "- four & <b>", "- five \u4e2d", ""]
    blocks = [[f"## Block {n}", "", *(chance.choice(items) for _ in range(chance.randrange(6)))] for n in range(4)]
    version = _version(_lines(blocks), chunks)
    found = 0
    for _ in range(30):
        block = chance.choice(blocks)
        at = chance.randrange(2, len(block) + 1)
        block[at : at + chance.randrange(2)] = [chance.choice(items)] if chance.random() < 0.6 else []
        fresh = _lines(blocks)
        cut = splice(version, fresh, chunks)
        if cut.entry is not None:
            found += 1
            whole = Chunks().cut(fresh)[cut.first]
            pairs = find_pairs(version.pieces[cut.first].chunk, whole)
            assert pairs is not None
            assert (pairs.gone, pairs.came) == cut.entry
            assert cut.new[0].data == whole.data
            assert cut.new[0].document == whole.document
            assert (cut.new[0].heads, cut.new[0].size) == (whole.heads, whole.size)
        version = _version(fresh, chunks)
    assert found > 3


def _lines(blocks: list[list[str]]) -> bytes:
    return "".join(f"{line}\n" for block in [["# Top"], *blocks] for line in block).encode()


def test_murmur3_gives_the_published_values() -> None:
    assert [murmur3(text) for text in (b"", b"hello", b"hello, world")] == [0, 0x248BFA47, 0x149BBB7F]
    assert murmur3(b"The quick brown fox jumps over the lazy dog", 0x9747B28C) == 0x2FA826CD
