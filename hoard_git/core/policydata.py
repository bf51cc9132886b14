"""Strict reading of plain data: each value is asked for by name and kind, and what nobody asked for is an error."""

from __future__ import annotations

import re

from hoard_git.core.tags import is_ttl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_SIZE = re.compile(r"([0-9]{1,12}) ?(KB|bytes|chars|lines)?", re.ASCII)


class PolicyProblem(Exception):  # noqa: N818 - it is a problem with a place, which a caller turns into a HoardError with the line
    """A bad policy: the path of keys that leads to the place, and one clause about it."""

    def __init__(self, at: tuple[str | int, ...], what: str) -> None:
        """Name the place and the fault."""
        super().__init__(what)
        self.at = at
        self.what = what


class Reader:
    """One mapping of the policy while it is read."""

    def __init__(self, data: Any, at: tuple[str | int, ...]) -> None:
        """Take the mapping at a path of keys; anything but a mapping with text keys is a problem."""
        if not hasattr(data, "keys"):
            raise PolicyProblem(at, "this must be a mapping of keys and values")
        for key in data:
            if not isinstance(key, str):
                raise PolicyProblem(at, "keys are texts")
        self.data: Mapping[str, Any] = data
        self.at = at
        self._asked: set[str] = set()

    def raw(self, key: str) -> Any:
        """The value as it is, None when absent."""
        self._asked.add(key)
        return self.data.get(key)

    def names(self) -> tuple[str, ...]:
        """All keys, in order."""
        return tuple(self.data)

    def close(self) -> None:
        """Refuse keys that nothing asked for."""
        for key in self.data:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked))
                raise PolicyProblem((*self.at, key), f"unknown key {key[:60]!r}; known here: {known}")

    def fail(self, key: str, what: str) -> PolicyProblem:
        """A problem at one key of this mapping."""
        return PolicyProblem((*self.at, key), f"{key}: {what}")

    def text(self, key: str, default: str, form: re.Pattern[str] | None = None) -> str:
        """A text on one line."""
        value = self.raw(key)
        if value is None:
            return default
        if not isinstance(value, str) or not value.isprintable() or (form is not None and not form.fullmatch(value)):
            raise self.fail(key, "this is not a text of the expected form")
        return str(value)

    def choice(self, key: str, options: Sequence[str], default: str) -> str:
        """One of several words; YAML's true, false and off are read as those words."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, bool):
            value = ("true" if value else "false") if "true" in options else ("on" if value else "off")
        if not isinstance(value, str) or value not in options:
            raise self.fail(key, f"one of {', '.join(options)}")
        return str(value)

    def integer(self, key: str, default: int, low: int, high: int) -> int:
        """A whole number in a range, both ends included."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.fail(key, f"a whole number from {low} to {high}" if low != high else f"only {low} is known")
        return int(value)

    def number(self, key: str, default: float, low: float, high: float) -> float:
        """A number in a range, both ends included."""
        value = self.raw(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
            raise self.fail(key, f"a number from {low:g} to {high:g}")
        return float(value)

    def texts(self, key: str, default: tuple[str, ...], breaks: str = "") -> tuple[str, ...]:
        """A list of texts, each on one line unless `breaks` names line breaks that may stand in it; one text stands for a list of one."""
        value = self.raw(key)
        if value is None:
            return default
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not all(_is_text(item, breaks) for item in items):
            raise self.fail(key, "a list of texts")
        return tuple(str(item) for item in items)

    def map(self, key: str) -> Reader:
        """A mapping below this one; absent means empty."""
        value = self.raw(key)
        return Reader({} if value is None else value, (*self.at, key))

    def maps(self, key: str) -> list[Reader]:
        """A list of mappings."""
        value = self.raw(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.fail(key, "a list")
        return [Reader(item, (*self.at, key, index)) for index, item in enumerate(value)]

    def ttl(self, key: str, default: str = "") -> str:
        """A ttl in the tag's grammar."""
        value = self.raw(key)
        if value is None and default:
            return default
        if not isinstance(value, str) or not is_ttl(value):
            raise self.fail(key, "a ttl such as 30d, 2w, 1y or never")
        return str(value)

    def size(self, key: str) -> str:
        """A number with a unit (KB, bytes, chars, lines), kept as text; a bare number means chars."""
        value = self.raw(key)
        text = f"{value} chars" if isinstance(value, int) and not isinstance(value, bool) else value
        if not isinstance(text, str) or not _SIZE.fullmatch(text):
            raise self.fail(key, "a number with a unit: KB, bytes, chars or lines")
        return str(text)

    def byte_size(self, key: str, default: int) -> int:
        """A size in bytes: a whole number, or a number with KB (1,024 bytes)."""
        value = self.raw(key)
        if value is None:
            return default
        match = _SIZE.fullmatch(value if isinstance(value, str) else str(value))
        if isinstance(value, bool) or match is None or match[2] in ("chars", "lines"):
            raise self.fail(key, "a size such as 15KB")
        return int(match[1]) * (1024 if match[2] == "KB" else 1)

    def percent(self, key: str, default: float) -> float:
        """A share such as 25%, as a fraction."""
        value = self.raw(key)
        if value is None:
            return default
        match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,3})?)%", value) if isinstance(value, str) else None
        if match is None or float(match[1]) > 100:
            raise self.fail(key, "a share such as 25%")
        return float(match[1]) / 100


def _is_text(item: object, breaks: str) -> bool:
    """Whether this is a text of printable characters; those in `breaks` may stand in it, too."""
    return isinstance(item, str) and bool(item) and item.translate(dict.fromkeys(map(ord, breaks))).isprintable()
