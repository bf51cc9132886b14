"""What one line starts: pure questions about a line, asked by the scanner (CommonMark 0.31, chapter 4, and GFM tables).

Functions take a line and an offset instead of a cut line, so that thousands of nested markers on one line stay linear. What nearly
every line is asked is plain string work; patterns for rare lines are compiled when the first such line comes.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

SIGNS = "\u2022\u25e6\u25aa\u2023\u00b7"
"""Bullets that people paste and CommonMark does not know."""

UNTIL_BLANK = ""
"""The end of an HTML block that a blank line ends."""
RAW_END = "</"
"""The end of a `<script>`, `<pre>`, `<style>` or `<textarea>` block: the end tag of any of them."""

_ROLES = ("user", "assistant", "human", "system", "tool")
_RAW = ("script", "pre", "style", "textarea")
_RAW_ENDS = ("</script>", "</pre>", "</style>", "</textarea>")
_BLOCK_NAMES = (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link main menu menuitem nav noframes ol "
    "optgroup option p param search section summary table tbody td tfoot th thead title tr track ul"
)
_BLOCK_TAGS = frozenset(_BLOCK_NAMES.split())
_DELIMITER = r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t\r]*+$"
_REFERENCE = (
    r"\[(?!\^)(?=[^\]]*[^\]\s])(?:[^\[\]\\]|\\.){1,999}+\]:[ \t]*+(?:<(?:[^<>\\]|\\.)*+>|[^\s<]\S*+)"
    r"""(?:[ \t\r]*+$|[ \t]++(?:"(?:[^"\\]|\\.)*+("?)|'(?:[^'\\]|\\.)*+('?)|\((?:[^()\\]|\\.)*+(\)?))[ \t\r]*+$)"""
)
_TAG_NAME = r"</?([A-Za-z][A-Za-z0-9-]*+)(?=([\s>]|/>|$)?)"
_LONE_TAG = (
    r"(?:<[A-Za-z][A-Za-z0-9-]*+(?:\s++[A-Za-z_:][A-Za-z0-9:._-]*+(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\"'=<>`\x00-\x20]++))?+)*+\s*+/?+>"
    r"|</[A-Za-z][A-Za-z0-9-]*+\s*+>)\s*+$"
)
_COMPILED: dict[str, re.Pattern[str]] = {}


def _matcher(source: str) -> Callable[[str, int], re.Match[str] | None]:
    pattern = _COMPILED.get(source)
    if pattern is None:
        pattern = _COMPILED[source] = re.compile(source)
    return pattern.match


def skip_blanks(line: str, at: int, column: int) -> tuple[int, int]:
    """Skip spaces and tabs from an offset that stands at a column; return the new offset and column (tab stops every 4)."""
    end = len(line)
    while at < end:
        character = line[at]
        if character == " ":
            column += 1
        elif character == "\t":
            column += 4 - column % 4
        else:
            break
        at += 1
    return at, column


def first_character(line: str) -> tuple[int, int]:
    """Return the offset and the column of the first character that is neither space nor tab."""
    at = len(line) - len(line.lstrip(" \t"))
    if at and "\t" in line[:at]:
        return skip_blanks(line, 0, 0)
    return at, at


def is_blank(line: str, at: int) -> bool:
    """Whether nothing but spaces, tabs and carriage returns is left."""
    return at >= len(line) or (line[at] == "\r" and not line[at:].strip(" \t\r"))


def heading_level(line: str, at: int) -> int:
    """Return the level of an ATX heading whose first `#` stands at an offset, or 0."""
    end = at
    while line.startswith("#", end):
        end += 1
        if end - at > 6:
            return 0
    return end - at if line[end : end + 1] in ("", " ", "\t", "\r") else 0


def heading_title(text: str) -> str:
    """Return the title of an ATX heading's line: without marker, closing hashes and outer blanks."""
    title = text.removeprefix("\ufeff").lstrip(" \t")
    title = title[len(title) - len(title.lstrip("#")) :].strip(" \t\r")
    bare = title.rstrip("#")
    if bare != title and (not bare or bare[-1] in " \t"):
        return bare.rstrip(" \t")
    return title


def fence_run(line: str, at: int) -> int:
    """Return the length of the run that opens a fence at an offset, or 0; a backtick fence has no backtick in its info text."""
    sign = line[at]
    if not line.startswith(sign * 3, at):
        return 0
    rest = line[at:]
    run = len(rest) - len(rest.lstrip(sign))
    return 0 if sign == "`" and "`" in rest[run:] else run


def closes_fence(line: str, at: int, sign: str, run: int) -> bool:
    """Whether a line, from its first character on, ends a fence that was opened by `run` signs."""
    body = line[at:].rstrip(" \t\r")
    return len(body) >= run and not body.strip(sign)


def item_marker(line: str, at: int) -> int:
    """Return the length of a list item's marker at an offset, or 0; a blank or the end of the line follows it."""
    end = at + 1
    if line[at] not in "-+*":
        while line[end : end + 1] in _DIGITS:
            end += 1
        if end - at > 9 or line[end : end + 1] not in (".", ")"):
            return 0
        end += 1
    return end - at if line[end : end + 1] in ("", " ", "\t", "\r") else 0


_DIGITS = frozenset("0123456789")


class Rules:
    """Looks for thematic breaks; a line's end is looked at once for each sign, however many markers stand before it."""

    def __init__(self) -> None:
        self._line = 0
        self._tails: dict[str, int] = {}

    def starts_at(self, number: int, line: str, at: int, sign: str) -> bool:
        """Whether three or more of the sign at an offset, and blanks, are all that is left of the line with this number."""
        if line[at + 1 : at + 2] not in (sign, " ", "\t"):
            return False
        if self._line != number:
            self._line = number
            self._tails.clear()
        tail = self._tails.get(sign)
        if tail is None:
            tail = self._tails[sign] = len(line.rstrip(sign + " \t\r"))
        return tail <= at and line.count(sign, at) >= 3


def html_end(line: str, at: int) -> tuple[str, bool] | None:
    """Return what ends the HTML block that starts at an offset, and whether it may interrupt a paragraph; None when none starts."""
    if line.startswith("<!--", at):
        return "-->", True
    if line.startswith("<?", at):
        return "?>", True
    if line.startswith("<![CDATA[", at):
        return "]]>", True
    if line.startswith("<!", at):
        return (">", True) if line[at + 2 : at + 3].isascii() and line[at + 2 : at + 3].isalpha() else None
    match = _matcher(_TAG_NAME)(line, at)
    if match is None:
        return None
    name, after = match.group(1).lower(), match.group(2)
    if name in _RAW and line[at + 1] != "/" and after is not None and after != "/>":
        return RAW_END, True
    if name in _BLOCK_TAGS and after is not None:
        return UNTIL_BLANK, True
    return (UNTIL_BLANK, False) if _matcher(_LONE_TAG)(line, at) else None


def ends_html(end: str, line: str, at: int) -> bool:
    """Whether a line, from an offset on, ends an HTML block."""
    if end == RAW_END:
        rest = line[at:].lower()
        return any(tag in rest for tag in _RAW_ENDS)
    return line.find(end, at) >= 0


def only_comments(text: str) -> bool:
    """Whether a text is empty or whole HTML comments with blanks around them."""
    rest = text.strip(" \t\r")
    at = 0
    while at < len(rest):
        if not rest.startswith("<!--", at) or rest.startswith(("<!-->", "<!--->"), at):
            return False
        close = rest.find("-->", at + 4)
        if close < 0:
            return False
        at = close + 3
        while rest.startswith((" ", "\t"), at):
            at += 1
    return True


def is_table_head(line: str, at: int, head: str) -> bool:
    """Whether a line is the delimiter row of a table whose head is the line above: as many cells, and a pipe in the head (GFM)."""
    if "|" not in head or line[at : at + 2] in ("- ", "-\t", "-", ":", "|", "-\r", ":\r", "|\r") or not _matcher(_DELIMITER)(line, at):
        return False
    return _cells(head) == len([cell for cell in line[at:].split("|") if cell.strip(" \t\r")])


def _cells(line: str) -> int:
    """Count the cells of a table's head; escaped pipes do not split, and a code span does not protect them (GFM)."""
    cells = line.strip(" \t\r").replace("\\|", "/").split("|")
    if cells and not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    return len(cells)


def reference(line: str, at: int) -> str | None:
    """Read a link reference definition: an empty string when it is whole, the sign that its title still needs, or None for other text.

    A footnote (`[^1]: …`) is text: people read it.
    """
    match = _matcher(_REFERENCE)(line, at) if line.find("]:", at) > 0 else None
    if match is None:
        return None
    return {1: '"', 2: "'", 3: ")"}[match.lastindex] if match.lastindex and not match.group(match.lastindex) else ""


def role_of(line: str) -> str:
    """Return the speaker of a chat line such as `user: hello`, in lower case, or an empty string."""
    head, colon, _rest = line[:12].partition(":")
    role = head.strip(" \t").lower()
    return role if colon and role in _ROLES and line[len(head) + 1 : len(head) + 2] in ("", " ", "\t", "\r") else ""


_KEY_LINE = r"""(?:[A-Za-z0-9_][\w.-]{0,60}+(?: [\w.-]{1,60}+){0,2}+|"[^"]{1,200}+"|'[^']{1,200}+'):(?:[ \t](.*)|\r?$)"""
_FRONT_LIMIT = 400


def read_front(lines: list[str]) -> tuple[int, int, list[tuple[str, str, int]]] | None:
    """Read front matter: first and last line, 1-based, and the top-level (key, value, line) pairs; None when there is none.

    It counts when it is closed within 400 lines and every line is YAML-like: a key of at most three words, a list under a key, indented
    text under either, or a comment. Anything else between two `---` is text between two rules (one real MEMORY.md begins so).
    """
    start = 0
    line = lines[0].removeprefix("\ufeff")
    while not line.strip(" \t\r") and start + 1 < len(lines):
        start += 1
        line = lines[start]
    if line.rstrip(" \t\r") != "---":
        return None
    match_key = _matcher(_KEY_LINE)
    pairs: list[tuple[str, str, int]] = []
    takes_list = False
    for at in range(start + 1, min(len(lines), start + _FRONT_LIMIT)):
        line = lines[at].rstrip(" \t\r")
        if line in ("---", "..."):
            return (start + 1, at + 1, pairs) if pairs else None
        if not line or line[0] == "#" or (line[0] in " \t" and pairs):
            continue
        if line[0] == "-" and line[1:2] in ("", " ", "\t") and takes_list:
            continue
        if line[0] in "]}" and pairs and not line.strip("]}, "):
            continue
        key = match_key(lines[at], 0)
        if key is None:
            return None
        value = (key.group(1) or "").strip(" \t\r")
        takes_list = not value or value[0] in "#&!"
        pairs.append((_unquoted(lines[at][: lines[at].find(":", _key_end(line))]), _unquoted(value), at + 1))
    return None


def _key_end(line: str) -> int:
    """Where to look for the colon behind a key: behind the closing quote of a quoted one."""
    return line.find(line[0], 1) if line[0] in "\"'" else 0


def _unquoted(text: str) -> str:
    text = text.strip(" \t\r")
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
