"""Cuts a memory file into pieces that are kept apart, so that a changed version of it costs its changed pieces only.

core.markdown reads files in pieces, too, and says why a heading may end one; it reads these. But it puts them together to one Document,
and cuts at few headings to make that cheap. A history never puts its versions together: here every line that starts with `#` and a blank
begins a piece, and a piece is known by its bytes. Where a fence, comment or HTML block is still open the next piece is joined to it.
"""

from __future__ import annotations

import re

from hoard_git.core import starts
from hoard_git.core.markdown import read_piece
from hoard_git.core.plainlists import Plain, PlainLists

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hoard_git.core.document import Document, Entry, Heading

NO_END = "\x00"
"""What a last line without a newline gets appended: git, too, holds `a` and `a<newline>` for two lines."""

_HEADING = re.compile(rb"^#{1,6}[ \t]", re.MULTILINE)
_MOST_KEPT = 4_000
_BODY = (b"#", b"")  # what almost every file begins with that has no front matter


class Chunk:
    """One piece: its bytes and what was read in them; line numbers count from the piece's first line.

    `heads` is the number of its headings, `size` that of its units, `lines` that of its lines, as git counts them.
    """

    __slots__ = ("_document", "_found", "_read", "data", "heads", "lines", "size")

    def __init__(self, data: bytes, found: Document | Plain) -> None:
        """Keep a piece that was read; of a plain one the Document is made when it is asked for."""
        self.data = data
        self.lines = data.count(b"\n") + (not data.endswith(b"\n"))
        self._found = found
        self._document: Document | None = None
        self._read: Callable[[bytes], Chunk] | None = None
        if isinstance(found, Plain):
            self.heads, self.size = 1, 1 + len(found.items)
        else:
            self.heads = len(found.headings)
            self.size = self.heads + len(found.entries)

    @classmethod
    def unread(cls, data: bytes, lines: int, heads: int, size: int, read: Callable[[bytes], Chunk]) -> Chunk:
        """A piece that was read elsewhere; `read` reads it again when its content is asked for."""
        found = cls.__new__(cls)
        found.data, found.lines, found.heads, found.size = data, lines, heads, size
        found._document, found._read = None, read  # noqa: SLF001 - its own class
        return found

    @property
    def level(self) -> int:
        """The level of its heading where it is one heading with what stands under it, else 0; nothing needs to be read for that."""
        match = _HEADING.match(self.data) if self.heads == 1 else None
        return match.end() - 1 if match is not None else 0

    @property
    def plain(self) -> Plain | None:
        """Its content where it is plain, else None."""
        found = self._found if self._read is None else self._content()
        return found if isinstance(found, Plain) else None

    @property
    def document(self) -> Document:
        """All of it."""
        found = self._content()
        if not isinstance(found, Plain):
            return found
        if self._document is None:
            self._document = found.document()
        return self._document

    def _content(self) -> Plain | Document:
        if self._read is not None:
            self._found = self._read(self.data)._content()  # noqa: SLF001 - its own class
            self._read = None
        return self._found

    @property
    def headings(self) -> tuple[Heading, ...]:
        """Its headings: at most the one at its top, unless a fence or the like was open in a longer piece."""
        plain = self.plain
        return plain.headings if plain is not None else self.document.headings

    def entry(self, number: int) -> Entry:
        """One of its entries."""
        plain = self.plain
        return plain.entry(number) if plain is not None else self.document.entries[number]


class Chunks:
    """A memory of parsed pieces, by their bytes."""

    def __init__(self) -> None:
        """Start empty; the memory is emptied when it holds 4,000 pieces."""
        self._known: dict[bytes, tuple[Chunk, bool]] = {}
        self._plain = PlainLists()

    def cut(self, data: bytes, more: Iterator[bytes] | None = None, *, top: bool = True) -> list[Chunk]:
        """Cut `data` into pieces. `more` gives what follows in the file, piece by piece, for a piece that stays open.

        `top` says that `data` begins at the top of the file, where front matter and a byte order mark count.
        """
        found: list[Chunk] = []
        places = [match.start() for match in _HEADING.finditer(data) if match.start()] if data else []
        if top and places and may_have_front(data):
            end = _front_end(data)
            places = [place for place in places if place >= end]
        at = number = 0
        while at < len(data):
            stop = places[number] if number < len(places) else len(data)
            number += 1
            chunk, is_open = self._parse(data[at:stop])
            while is_open:
                if stop == len(data):
                    following = next(more, b"") if more is not None else b""
                    if not following:
                        break
                    # It may hold headings of its own, where a piece that was open before it is no longer.
                    places += [stop, *(stop + match.start() for match in _HEADING.finditer(following) if match.start())]
                    number = places.index(stop) + 1
                    data += following
                stop = places[number] if number < len(places) else len(data)
                number += 1
                chunk, is_open = self._parse(data[at:stop])
            found.append(chunk)
            at = stop
        return found

    def change(self, old: Chunk, data: bytes) -> tuple[Chunk, int, int] | None:
        """The piece `data` if it differs from a plain one by an item alone, see `PlainLists.change`."""
        if old.plain is None:
            return None
        found = self._plain.change(old.plain, data.decode("utf-8", "surrogateescape"))
        return (Chunk(data, found[0]), found[1], found[2]) if found is not None else None

    def read(self, piece: bytes) -> Chunk:
        """Read one piece that was cut before."""
        return self._parse(piece)[0]

    def _parse(self, piece: bytes) -> tuple[Chunk, bool]:
        known = self._known.get(piece)
        if known is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            text = piece.decode("utf-8", "surrogateescape")
            plain = self._plain.read(text)
            if plain is not None:
                known = Chunk(piece, plain), False
            else:
                read = read_piece(text.split("\n"))
                known = Chunk(piece, read.document), read.goes_on
            self._known[piece] = known
        return known


def may_have_front(data: bytes) -> bool:
    """Whether a file begins as one with front matter does."""
    return data[:1] not in _BODY and data[:400].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"---")


def _front_end(data: bytes) -> int:
    """The offset behind a front matter, 0 where there is none."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    found = starts.read_front(lines)
    if found is None:
        return 0
    return len("\n".join(lines[: found[1]]).encode("utf-8", "surrogateescape"))
