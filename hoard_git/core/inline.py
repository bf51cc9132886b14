"""HTML comments inside running text, told apart from those in code spans, escapes, links and tags (CommonMark 0.31, chapter 6).

What binds tighter than a comment is read as CommonMark reads it, left to right, because a tag that only looks like a comment must give no
trust: backslash escapes, code spans, autolinks, HTML tags, and links with their destinations and titles. Reference labels are not looked
up.
"""

from __future__ import annotations

import re

from hoard_git.core.record import Record

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

_NEXT = r"[\\`<\[\]]|&(?:lt|LT|#0{0,5}60|#[xX]0{0,5}3[cC]);!--"
_AUTOLINK = (
    r"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>\x00-\x1f\x7f]*+"
    r"|[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]++@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,500}[A-Za-z0-9])?)>"
)
_HTML_TAG = (
    r"""<[A-Za-z][A-Za-z0-9-]*+(?:\s++[A-Za-z_:][A-Za-z0-9_.:-]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\x00-\x20"'=<>`]++))?+){0,400}+\s*+/?+>"""
    r"|</[A-Za-z][A-Za-z0-9-]*+\s*+>"
)
_TARGET = r"\s*+(?:<(?:[^<>\n\\]|\\.)*+>|(?!<))"
_TITLE = r"""\s++("(?:[^"\\]|\\[\s\S])*+"|'(?:[^'\\]|\\[\s\S])*+'|\((?:[^()\\]|\\[\s\S])*+\))"""
_DEEPEST = 32
"""Nested parentheses that a link's destination may hold, as in cmark and markdown-it."""
_LONGEST_LOOK = 600
"""Characters that a look-alike is followed for; without a bound, 20,000 escaped openers on one line take quadratic time."""
_COMPILED: dict[str, re.Pattern[str]] = {}


class InlineComment(Record):
    """One comment, or text that looks like one, in a run of text.

    `start` and `end` are character offsets of the whole thing, `inner` is what stands between the delimiters. `place` is `plain` for a
    real comment; `code`, `escaped`, `title`, `attribute` or `html` where a careless reader would see one; `open` for `<!--` without an
    end; `empty` for `<!-->` and `<!--->`, on which parsers disagree.
    """

    start: int
    end: int
    inner: str
    place: str


def find_comments(text: str) -> list[InlineComment]:
    """Find comments in one paragraph's text, left to right; linear in its length."""
    if "<!--" not in text and ";!--" not in text:
        return []
    return _Reader(text).read()


def find_raw_comments(text: str) -> list[InlineComment]:
    """Find what looks like a comment in raw HTML, where code spans and escapes mean nothing."""
    return _inside(text, 0, len(text), "html")


def _matcher(source: str) -> Callable[[str, int], re.Match[str] | None]:
    pattern = _COMPILED.get(source)
    if pattern is None:
        pattern = _COMPILED[source] = re.compile(source)
    return pattern.match


class _Reader:
    """Walks one text once; what it has to remember keeps the walk linear."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.found: list[InlineComment] = []
        self.runs = _code_runs(text)
        self.brackets: list[bool] = []  # open ones; true for an image's
        self.used = 0  # brackets below this depth can no longer become links: no link inside a link
        self.absent: set[str] = set()  # closing delimiters that do not occur any more

    def read(self) -> list[InlineComment]:
        """Return the comments."""
        _matcher(_NEXT)
        search = _COMPILED[_NEXT].search
        position = 0
        while True:
            match = search(self.text, position)
            if match is None:
                return self.found
            position = self._step(match.start(), match.group())

    def _step(self, start: int, what: str) -> int:
        """Handle one special character and return where to go on."""
        text = self.text
        if what == "\\":
            if text.startswith("<!--", start + 1):
                self.found.append(_looks(text, start + 1, "<!--"))
            return start + 2
        if what == "`":
            return self._code(start)
        if what == "[":
            self.brackets.append(start > 0 and text[start - 1] == "!" and not text.startswith("\\!", max(start - 2, 0)))
            return start + 1
        if what == "]":
            return self._close_bracket(start)
        if what == "<":
            return self._angle(start)
        self.found.append(_looks(text, start, what))
        return start + len(what)

    def _angle(self, start: int) -> int:
        text = self.text
        if text.startswith("<!--", start):
            if text.startswith(("<!-->", "<!--->"), start):
                end = text.index(">", start) + 1
                self.found.append(InlineComment(start, end, "", "empty"))
                return end
            close = text.find("-->", start + 4)
            if close < 0:
                self.found.append(InlineComment(start, len(text), text[start + 4 :], "open"))
                return len(text)
            self.found.append(InlineComment(start, close + 3, text[start + 4 : close], "plain"))
            return close + 3
        for opener, closer in (("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">")):
            if text.startswith(opener, start):
                if opener == "<!" and not text[start + 2 : start + 3].isalpha():
                    return start + 1
                end = self._behind(closer, start + len(opener))
                self.found += _inside(text, start + 2, end, "html")
                return max(end, start + 1)
        if _matcher(_AUTOLINK)(text, start):
            return text.index(">", start) + 1
        tag = _matcher(_HTML_TAG)(text, start)
        if tag is None:
            return start + 1
        self.found += _inside(text, start, tag.end(), "attribute")
        return tag.end()

    def _behind(self, closer: str, start: int) -> int:
        """Return the offset behind the next closing delimiter, or 0 when there is none."""
        if closer in self.absent:
            return 0
        at = self.text.find(closer, start)
        if at < 0:
            self.absent.add(closer)
            return 0
        return at + len(closer)

    def _close_bracket(self, start: int) -> int:
        if not self.brackets:
            return start + 1
        image = self.brackets.pop()
        used = len(self.brackets) < self.used
        self.used = min(self.used, len(self.brackets))
        if (used and not image) or not self.text.startswith("(", start + 1):
            return start + 1
        end, title, title_end = _link_tail(self.text, start + 2)
        if not end:
            return start + 1
        if not image:
            self.used = len(self.brackets)
        self.found += _inside(self.text, start, title, "target") + _inside(self.text, title, title_end, "title")
        return end

    def _code(self, start: int) -> int:
        text = self.text
        end = start
        while end < len(text) and text[end] == "`":
            end += 1
        same = self.runs.get(end - start, [])
        while same and same[-1] < end:
            same.pop()
        if not same:
            return end
        close = same.pop()
        self.found += _inside(text, end, close, "code")
        return close + (end - start)


def _link_tail(text: str, start: int) -> tuple[int, int, int]:
    """Read destination and title behind `](`; return the offset behind `)` and the title's bounds, or zeros when this is no link."""
    target = _matcher(_TARGET)(text, start)
    if target is None:
        return 0, 0, 0
    at = target.end()
    if text[at - 1] != ">":
        at = _bare_target(text, at)
    if at < 0:
        return 0, 0, 0
    title = _matcher(_TITLE)(text, at)
    stop = title.end() if title else at
    while text[stop : stop + 1] in (" ", "\t", "\n", "\r"):
        stop += 1
    if not text.startswith(")", stop):
        return 0, 0, 0
    return stop + 1, title.start(1) if title else stop, title.end(1) if title else stop


def _bare_target(text: str, at: int) -> int:
    """Return the end of a link destination that is not in angle brackets, or -1."""
    depth = 0
    while at < len(text):
        character = text[at]
        if character <= " " or character == "\x7f":
            break
        if character == "\\" and at + 1 < len(text) and text[at + 1] > " ":
            at += 1
        elif character == "(":
            depth += 1
            if depth > _DEEPEST:
                return -1
        elif character == ")":
            if depth == 0:
                break
            depth -= 1
        at += 1
    return at if depth == 0 else -1


def _inside(text: str, start: int, end: int, place: str) -> list[InlineComment]:
    found = []
    at = text.find("<!--", start, end)
    while at >= 0:
        close = text.find("-->", at + 4, end)
        stop = end if close < 0 else close + 3
        found.append(InlineComment(at, stop, text[at + 4 : stop if close < 0 else close], place))
        at = text.find("<!--", stop, end)
    return found


def _looks(text: str, start: int, opener: str) -> InlineComment:
    """Return what a careless reader would take for a comment behind an escaped or entity-coded opener."""
    limit = min(len(text), start + _LONGEST_LOOK)
    closer = "-->" if opener == "<!--" else "--&gt;"
    end = text.find(closer, start + len(opener), limit)
    line_end = text.find("\n", start, limit)
    stop = min(at for at in (limit, end, line_end) if at >= 0)
    return InlineComment(start, stop + (len(closer) if stop == end else 0), text[start + len(opener) : stop], "escaped")


def _code_runs(text: str) -> dict[int, list[int]]:
    """Map a backtick run's length to the offsets where runs of that length start, last first, so that pairing stays linear."""
    runs: dict[int, list[int]] = {}
    at = text.find("`")
    while at >= 0:
        end = at + 1
        while text.startswith("`", end):
            end += 1
        runs.setdefault(end - at, []).append(at)
        at = text.find("`", end)
    for same in runs.values():
        same.reverse()
    return runs
