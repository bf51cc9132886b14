"""JSON5 (json5.org, version 1.0.0) to plain values, for host configurations that people write by hand.

A reader of our own, since it is one page and the parsers on offer recurse without bound or need a compiler. What it refuses it refuses with the
line alone: a configuration holds keys and passwords, so no message repeats any of its text.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEEPEST = 64
"""Levels of brackets."""

_SKIP = re.compile(
    r"(?:[\t\v\f \u00a0\ufeff\n\r\u2028\u2029\u1680\u2000-\u200a\u202f\u205f\u3000]++|//[^\n\r\u2028\u2029]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+"
)
_NUMBER = re.compile(
    r"([+-]?)(?:(0[xX][0-9a-fA-F]{1,64})|((?:(?:0|[1-9][0-9]{0,400})(?:\.[0-9]{0,400})?|\.[0-9]{1,400})(?:[eE][+-]?[0-9]{1,6})?)|(Infinity)|(NaN))"
    r"(?![\w$.])",
    re.ASCII,
)
_WORD = re.compile(r"(?:null|true|false)(?![\w$\\])")
_PLAIN = {'"': re.compile(r'[^"\\\n\r]++'), "'": re.compile(r"[^'\\\n\r]++")}
_KEY = re.compile(r"(?:[^\W\d]|[$]|\\u[0-9a-fA-F]{4})(?:[\w$\u200c\u200d]|\\u[0-9a-fA-F]{4})*+")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_WORDS = {"null": None, "true": True, "false": False}


class Json5Error(ValueError):
    """A text is no JSON5; `line` is 1-based. The message says what was expected, and nothing of what was found."""

    def __init__(self, what: str, line: int) -> None:
        """Name the fault in one clause."""
        super().__init__(what)
        self.what = what
        self.line = line


def parse_json5(text: str) -> Any:
    """Read one value: dict, list, str, int, float, bool or None. Of a key given twice the last counts. Raises Json5Error."""
    reader = _Reader(text)
    value = reader.value(0)
    reader.skip()
    if reader.at < len(text):
        raise reader.fault("something follows the value")
    return value


class _Reader:
    """A text and how far it has been read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fault(self, what: str) -> Json5Error:
        return Json5Error(what, self.text.count("\n", 0, self.at) + 1)

    def skip(self) -> str:
        """Go past blanks and comments; return the next character, '' at the end."""
        found = _SKIP.match(self.text, self.at)
        self.at = found.end() if found else self.at
        if self.text.startswith("/*", self.at):
            raise self.fault("a comment is not closed")
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> Any:
        c = self.skip()
        if depth > DEEPEST:
            raise self.fault(f"it is nested more than {DEEPEST} levels deep")
        if c == "{":
            return self.object(depth)
        if c == "[":
            return self.array(depth)
        if c in ('"', "'"):
            return self.string()
        word = _WORD.match(self.text, self.at)
        if word is not None:
            self.at = word.end()
            return _WORDS[word.group()]
        number = _NUMBER.match(self.text, self.at)
        if number is None:
            raise self.fault("a value is missing" if c else "it ends too early")
        self.at = number.end()
        return _number(number)

    def object(self, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self.at += 1
        while self.skip() != "}":
            key = self.key()
            if self.skip() != ":":
                raise self.fault("a colon is missing after a key")
            self.at += 1
            found[key] = self.value(depth + 1)
            self.separator("}")
        self.at += 1
        return found

    def array(self, depth: int) -> list[Any]:
        found = []
        self.at += 1
        while self.skip() != "]":
            found.append(self.value(depth + 1))
            self.separator("]")
        self.at += 1
        return found

    def separator(self, end: str) -> None:
        c = self.skip()
        if c == ",":
            self.at += 1
        elif c != end:
            raise self.fault("it ends too early" if not c else f"a comma or {end} is missing")

    def key(self) -> str:
        if self.text[self.at : self.at + 1] in ('"', "'"):
            return self.string()
        name = _KEY.match(self.text, self.at)
        if name is None:
            raise self.fault("a key is missing" if self.at < len(self.text) else "it ends too early")
        self.at = name.end()
        return re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), name.group())

    def string(self) -> str:
        quote = self.text[self.at]
        plain = _PLAIN[quote]
        parts: list[str] = []
        self.at += 1
        while True:
            run = plain.match(self.text, self.at)
            if run is not None:
                parts.append(run.group())
                self.at = run.end()
            c = self.text[self.at : self.at + 1]
            if c == quote:
                self.at += 1
                return "".join(parts).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
            if c != "\\":
                raise self.fault("a text is not closed on its line")
            parts.append(self.escape())

    def escape(self) -> str:
        """Read what follows a backslash; a line end there is left out."""
        self.at += 2
        c = self.text[self.at - 1 : self.at]
        if c == "\r" and self.text[self.at : self.at + 1] == "\n":
            self.at += 1
        if c in ("\n", "\r", "\u2028", "\u2029"):
            return ""
        if c in ("x", "u"):
            length = 2 if c == "x" else 4
            digits = self.text[self.at : self.at + length]
            if not re.fullmatch(rf"[0-9a-fA-F]{{{length}}}", digits, re.ASCII):
                raise self.fault(f"\\{c} needs {length} hex digits")
            self.at += length
            return chr(int(digits, 16))
        if c == "0" and not self.text[self.at : self.at + 1].isdigit():
            return "\0"
        if not c or c.isdigit():
            raise self.fault("a backslash is followed by a digit" if c else "it ends too early")
        return _ESCAPES.get(c, c)


def _number(match: re.Match[str]) -> int | float:
    sign, hexadecimal, decimal, infinity, _nan = match.groups()
    if hexadecimal:
        value: int | float = int(hexadecimal, 16)
    elif decimal:
        value = int(decimal) if decimal.isdigit() else float(decimal)
    else:
        value = float("inf") if infinity else float("nan")
    return -value if sign == "-" else value
