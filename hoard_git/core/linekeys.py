"""The words of one line, so that the same fact is recognised whatever its list marker, emphasis, final stop and tag."""

from __future__ import annotations

from hoard_git.core.lazy import lazy

_MARKER = lazy(r"\s*(?:[-+*\u2022]|[0-9]{1,9}[.)]|#{1,6}|>)\s+(?:\[[ xX~]\]\s+)?")
_TAG = lazy(r"\s*<!--[^>]{0,800}-->\s*$")


def line_key(line: str) -> str:
    """The line without marker, emphasis around it, final stop and trailing comment, white space folded; '' for a line without words."""
    if "<!--" in line:
        line = _TAG.sub("", line)
    return " ".join(_MARKER.sub("", line, count=1).strip("*_ .\t\r").split())
