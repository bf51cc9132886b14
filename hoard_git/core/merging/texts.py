"""A version as text with its line ends, byte order mark and last newline set aside, and what git's conflict markers do to it."""

from __future__ import annotations

from hoard_git.core.merging.nodes import CannotMerge
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_BOM = "\ufeff"
_SHORTEST = 7  # git writes two more for each level of a merge of several bases


class Form(Record):
    """A text with line feeds only and no last one, and what was taken off: its line end, byte order mark and whether it ends in a newline."""

    text: str
    end: str = "\n"
    mark: str = ""
    closed: bool = True

    def render(self) -> bytes:
        """The bytes of the file."""
        text = self.text + ("\n" if self.closed and self.text else "")
        return (self.mark + (text.replace("\n", "\r\n") if self.end == "\r\n" else text)).encode("utf-8")


def form_of(data: bytes) -> Form:
    """Take a version apart. Raises CannotMerge for what is no text. Where line ends differ within it, carriage returns are content."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise CannotMerge("a version is not UTF-8") from None
    if "\0" in text:
        raise CannotMerge("a version is binary")
    mark = _BOM if text.startswith(_BOM) else ""
    text = text[len(mark) :]
    feeds, pairs = text.count("\n"), text.count("\r\n")
    end = "\r\n" if feeds and feeds == pairs and text.count("\r") == pairs else "\n"
    text = text.replace("\r\n", "\n") if end == "\r\n" else text
    closed = text.endswith("\n") or not text
    return Form(text.removesuffix("\n"), end, mark, closed)


def merge_forms(base: Form | None, one: Form, other: Form) -> Form:
    """Merge what was taken off like any other field; without a base the plainer way wins."""
    if base is None:
        mark = "" if one.mark != other.mark else one.mark
        return Form("", one.end if one.end == other.end else "\n", mark, one.closed or other.closed)
    end = other.end if one.end == base.end else one.end
    mark = other.mark if one.mark == base.mark else one.mark
    return Form("", end, mark, other.closed if one.closed == base.closed else one.closed)


def has_markers(lines: Iterable[str]) -> bool:
    """Whether any line is a conflict marker that stands for itself in no other text."""
    return any(_is_marker(line, "<") or _is_marker(line, ">") or _is_marker(line, "|") for line in lines)


def _is_marker(line: str, sign: str) -> bool:
    if not line.startswith(sign * _SHORTEST):
        return False
    rest = line.lstrip(sign)
    return not rest.strip() or rest[0] == " "


def clean_base(data: bytes) -> bytes:
    """Take conflicts out of the base that git made from several bases: about what stands between the markers nothing is known."""
    if b"<" * _SHORTEST not in data:
        return data
    kept: list[bytes] = []
    held: list[bytes] = []
    depth = 0
    for line in data.split(b"\n"):
        text = line.decode("utf-8", "surrogateescape")
        if _is_marker(text, "<"):
            depth += 1
        if depth:
            held.append(line)
        else:
            kept.append(line)
        if depth and _is_marker(text, ">"):
            depth -= 1
            if not depth:
                held.clear()
    return b"\n".join(kept + held)
