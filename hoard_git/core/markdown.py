"""Byte-exact reading of a memory file: bytes in, a Document out, and `render(parse(data)) == data` for any bytes.

The scanner follows CommonMark 0.31 block structure line by line, in linear time, with the deviations that DESIGN names: `---` under
text is a rule and not a heading, headings inside quotes and list items are text, and a line that starts with a bullet sign such as
U+2022 is an item. Content is split at `\\n` only; a carriage return stays at the end of its line.

A `#` heading at the start of a line closes everything but a fence, comment or HTML block outside of lists and quotes. So a file is read piece by
piece, and the last pieces are remembered: two versions of a file share nearly all of them, and so do the versions of a history.
"""

from __future__ import annotations

from hoard_git.core import starts
from hoard_git.core.blocks import Scanner
from hoard_git.core.document import NO_PARENT, Document
from hoard_git.core.marks import place_tags
from hoard_git.core.record import Record
from hoard_git.core.regions import find_regions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.core.document import Comment, Entry, Heading, TagMark

KEPT = 2 << 20
"""Characters of pieces that are remembered; each holds its text about three times."""

_ONE_OF, _LONG = 4, 60
"""A piece ends before one heading in four, chosen by its letters so that an insertion moves no other end, and before any after 60 lines: pieces of
one short section each would cost more to put together than they save."""

_pieces: dict[tuple[str, bool, bool], Piece] = {}
_kept = 0


class Piece(Record):
    """A piece of a file, read as if it stood alone; `goes_on` when the next piece belongs to what is open at its end."""

    document: Document
    goes_on: bool


def parse(data: bytes) -> Document:
    """Parse one file's bytes. Never fails: what is wrong with a file is a finding of a rule, not an exception.

    Bytes that are not UTF-8 are kept as lone surrogates (`surrogateescape`).
    """
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    pieces = list(_read_pieces(lines))
    return pieces[0] if len(pieces) == 1 else _join(pieces)


def render(document: Document) -> bytes:
    """Return the bytes that `parse` was given."""
    return "\n".join(document.lines).encode("utf-8", "surrogateescape")


def _read_pieces(lines: list[str]) -> Iterator[Document]:
    """Read the pieces between headings.

    What goes on behind a heading is read again together with one more piece, then two, four and so on, so that the time stays linear but for
    a logarithm where a fence holds many comments of a shell script.
    """
    front = starts.read_front(lines)
    after = front[1] if front is not None else 1
    cuts: list[int] = []
    for number, line in enumerate(lines):
        if line[:1] != "#" or number < after or not starts.heading_level(line, 0):
            continue
        if sum(map(ord, line)) % _ONE_OF == 0 or number - (cuts[-1] if cuts else 0) >= _LONG:
            cuts.append(number)
    cuts.append(len(lines))
    begin = at = 0
    step = 1
    while begin < len(lines):
        stop = cuts[at]
        piece = _piece(lines[begin:stop], first=begin == 0, last=stop == len(lines))
        if piece.goes_on and stop < len(lines):
            at = min(at + step, len(cuts) - 1)
            step *= 2
            continue
        yield piece.document
        begin, at, step = stop, at + 1, 1


def read_piece(lines: list[str], *, first: bool = True, last: bool = True) -> Piece:
    """Read lines that stand between two headings, or make up a whole file; nothing is remembered. `first` and `last` say where they stand."""
    scanner = Scanner(lines, first=first, last=last)
    scanner.run()
    return Piece(place_tags(scanner), scanner.goes_on)


def _piece(lines: list[str], *, first: bool, last: bool) -> Piece:
    """Read one piece, or remember it."""
    global _kept
    key = ("\n".join(lines), first, last)
    known = _pieces.pop(key, None)
    if known is None:
        known = read_piece(lines, first=first, last=last)
        _kept += len(key[0])
    _pieces[key] = known  # the last one used stands last
    while _kept > KEPT:
        oldest = next(iter(_pieces))
        del _pieces[oldest]
        _kept -= len(oldest[0])
    return known


def _join(pieces: Sequence[Document]) -> Document:
    """Put pieces together: lines and indices move on, headings find their parents, regions their ends."""
    lines: list[str] = []
    headings: list[Heading] = []
    entries: list[Entry] = []
    marks: list[TagMark] = []
    comments: list[Comment] = []
    nested: list[int] = []
    outline: list[int] = []
    for piece in pieces:
        down, before, above = len(lines), len(headings), len(entries)
        lines += piece.lines
        for heading in piece.headings:
            while outline and headings[outline[-1]].level >= heading.level:
                outline.pop()
            headings.append(heading._replace(line=heading.line + down, parent=outline[-1] if outline else NO_PARENT))
            outline.append(len(headings) - 1)
        entries += [_moved(entry, down, before, above) for entry in piece.entries] if down else piece.entries
        marks += [mark._replace(line=mark.line + down, end_line=mark.end_line + down) for mark in piece.marks]
        comments += [comment._replace(line=comment.line + down, end_line=comment.end_line + down) for comment in piece.comments]
        nested += [number + down for number in piece.nested_headings]
    return Document(
        tuple(lines),
        "".join([piece.kinds for piece in pieces]),
        tuple(headings),
        tuple(entries),
        tuple(marks),
        tuple(comments),
        find_regions(comments),
        pieces[0].front,
        pieces[-1].unclosed_fence and pieces[-1].unclosed_fence + len(lines) - len(pieces[-1].lines),
        tuple(nested),
        max([piece.depth for piece in pieces]),
    )


def _moved(entry: Entry, down: int, before: int, above: int) -> Entry:
    """An entry of a piece with `down` lines, `before` headings and `above` entries in front of it."""
    kind, line, end_line, text, heading, parent, tag, tag_line = entry
    values = (
        kind,
        line + down,
        end_line + down,
        text,
        heading + before if heading >= 0 else heading,
        parent + above if parent >= 0 else parent,
        tag,
        tag_line + down if tag_line else 0,
    )
    return tuple.__new__(type(entry), values)  # one for each entry of each version: the constructor would look at its arguments first
