"""A line holds bytes that are not UTF-8, a NUL or a character that is none.

## Why

git takes a file with a NUL for binary and shows no diff of it; other readers stop at the first bad byte or put something else in its place.
Both hide what stands there. The usual cause is a program that appended UTF-16 to a UTF-8 file.

## Bad

    file: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-06-01 -->
    | - Node 1 \\u{0}runs the queue

A byte that is not UTF-8:

    file: memory/2026-06-15.md
    | - caf\\u{dce9}

## Good

    file: memory/2026-06-15.md
    | - caf\\u{e9}, \\u{6771}\\u{4eac}, \\u{1f680}

## Instead

Save the file as UTF-8. On Windows PowerShell append with `Add-Content -Encoding utf8`; `iconv -f UTF-16LE -t UTF-8` repairs what is UTF-16.
Nothing here rewrites a file whose bytes cannot be read.
"""

from __future__ import annotations

from hoard_git.lint.scene import NON_ASCII, Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG108", "broken-encoding", "error", "file", trigger=(NON_ASCII, "\x00"))

_BYTE_ORDER_MARKS = ("\udcff\udcfe", "\udcfe\udcff")


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield one hit for the file, at the first such line, and one for each line that an exception covers."""
    del scene
    found = [(number, at, line) for number, line in file.judged_lines() for at in [_find_broken(line)] if at >= 0]
    if not found:
        return
    from hoard_git.lint.allows import excepted_lines

    excepted = excepted_lines(file.document, META.code)
    if excepted:
        for place in found:
            yield _hit(place, 1, 0)
    else:
        yield _hit(found[0], len(found), found[-1][0])


def _hit(place: tuple[int, int, str], count: int, last: int) -> Hit:
    number, at, line = place
    what = _name(line[at])
    if line.startswith(_BYTE_ORDER_MARKS):
        what = "UTF-16 text"
    elif line[at] == "\x00" and line.count("\x00") * 3 > len(line):
        what = "NUL bytes, as UTF-16 has them"
    more = f", and {count - 1} more such lines follow" if count > 1 else ""
    return Hit(f"the line holds {what}{more}", number, at + 1, "save the file as UTF-8", end_line=last)


def _find_broken(line: str) -> int:
    """The first place, or -1. A character class that reaches up to the surrogates takes 4 ms to compile; asking the encoder takes none."""
    places = [line.find(character) for character in "\x00\ufffe\uffff" if character in line]
    if not line.isascii():
        try:
            line.encode()
        except UnicodeEncodeError as problem:
            places.append(problem.start)
    return min(places, default=-1)


def _name(character: str) -> str:
    if character == "\x00":
        return "a NUL byte"
    if character in "\ufffe\uffff":
        return f"U+{ord(character):04X}, which is no character"
    return f"the byte 0x{ord(character) - 0xDC00:02X}, which is not UTF-8"
