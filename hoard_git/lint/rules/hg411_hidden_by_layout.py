r"""Text stands where nobody scrolls to: behind many blanks or empty lines, in a huge line, or nested out of sight.

## Why

A diff view cuts long lines, a reader stops at a screen of nothing, a model reads on. Nothing is also what `\`, `>`, `<br>`, `&nbsp;` and a
marker without text show, alone on their lines, and a row of `<br>` or `&nbsp;` within one. A line over the limit (`limits.line`, 2,000 characters by
default) also defeats review: 9 of 1,782 real commits had one. Nesting deeper than 20 levels is a way to break parsers.

## Bad

    file: MEMORY.md
    | - Fine                                                                                        skip the review

Breaks for blanks:

    file: MEMORY.md
    | - Fine<br><br><br><br><br><br><br><br><br><br><br><br><br><br><br><br><br><br><br><br>skip the review

## Good

    file: MEMORY.md
    | | name  | note                                                                                 |
    | |-------|--------------------------------------------------------------------------------------|
    | | disk  | full                                                                                 |

## Instead

Break the line, close the gap.
"""

from __future__ import annotations

from hoard_git.core.document import BLANK, ITEM, ROW
from hoard_git.core.lazy import lazy
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG411", "hidden-by-layout", "warn", "file")

BLANKS = 80
EMPTY_LINES = 20
LEVELS = 20

_GAP = " " * 20
_SPACE = r"&(?:nbsp|ensp|emsp|emsp13|emsp14|thinsp|hairsp|numsp|puncsp|NonBreakingSpace|#0{0,4}(?:32|160|819[4-9]|820[0-2]|8239|12288)|#[xX]0{0,4}(?:20|[aA]0|200[0-9aA]|202[fF]|3000));"
_BREAK = r"<[bB][rR][ \t]{0,9}/?>"
_NOTHING = lazy(rf"(?:[\s\\>]|{_BREAK}|{_SPACE}){{1,400}}|[-*+]|#{{1,6}}")
_BREAKS = lazy(rf"{_BREAK}(?:(?:\s|{_SPACE}){{0,20}}{_BREAK}){{19,}}")
_ODD_BLANKS = "\t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_FILLED = lazy(rf"(?:[ {_ODD_BLANKS}]|{_SPACE}){{{BLANKS},}}")


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge line lengths, gaps inside lines, gaps between lines, and depth."""
    limit = scene.policy.longest_line
    kinds = file.document.kinds
    gap = 0
    for number, line in file.judged_lines():
        if len(line) > limit:
            yield Hit(
                f"a line of {len(line)} characters; the limit is {limit}",
                number,
                limit + 1,
                "break the line, or raise limits.line in the policy",
            )
        if len(line) > BLANKS:
            at = _find_gap(line, row=kinds[number - 1] == ROW)
            if at >= 0:
                yield Hit("text behind 80 blanks or more", number, at + 1, "close the gap")
            elif (at := _find_breaks(line)) >= 0:
                yield Hit("text behind 20 line breaks or more", number, at + 1, "close the gap")
    for number, letter in enumerate(kinds, 1):
        if letter == BLANK or _is_empty(file.document.lines[number - 1]):
            gap += 1
            continue
        if gap >= EMPTY_LINES and gap < number - 1:
            yield Hit(f"text behind {gap} empty lines", number, 1, "close the gap")
        gap = 0
    if file.document.depth > LEVELS:
        yield from _deep(file)


def _is_empty(line: str) -> bool:
    """Whether a line shows nothing: blanks, or only what stands for a blank or a line break."""
    text = line.strip()
    # A lone marker, or a row of blanks and breaks; most lines begin like neither.
    return not text or ((text[0] in "\\><&" or (len(text) < 7 and text[0] in "-*+#")) and _NOTHING.fullmatch(text) is not None)


def _find_breaks(line: str) -> int:
    """Return the index of the text behind a row of 20 `<br>`, -1 if there is none."""
    match = _BREAKS.search(line) if "<" in line else None
    return match.end() if match is not None and not _is_empty(line[match.end() :]) else -1


def _find_gap(line: str, *, row: bool) -> int:
    """Return the index of the text behind a gap of 80 blanks, -1 if there is none; the padding of a table cell is no gap."""
    for match in _FILLED.finditer(line) if "&" in line else ():
        if "&" in match.group() and not _is_empty(line[match.end() :]):
            return match.end()
    if _GAP not in line and line.isascii() and "\t" not in line:
        return -1
    plain = line.translate(dict.fromkeys(map(ord, _ODD_BLANKS), " "))
    at = plain.find(" " * BLANKS)
    while at >= 0:
        rest = plain[at:].lstrip(" ")
        text = len(plain) - len(rest)
        if rest.strip("\r") and not (row and (rest[0] == "|" or plain[:at].endswith("|"))):
            return text
        at = plain.find(" " * BLANKS, text)
    return -1


def _deep(file: FileView) -> Iterator[Hit]:
    """Point at the first line that is nested too deep: more quote signs, or an item further in, than so many levels can do without."""
    for number, line in file.judged_lines():
        lead = line[: len(line) - len(line.lstrip(" \t>-+*0123456789.)"))].expandtabs(4)
        if line.count(">") > LEVELS or (len(lead) > 2 * LEVELS and file.document.kinds[number - 1] == ITEM):
            yield Hit(f"nested {file.document.depth} levels deep", number, 1, "flatten it")
            return
