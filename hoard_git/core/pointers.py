"""The line that a section leaves in the index when it moves to a file of its own: how many facts went, and where they are.

It is no fact: two sections that hand equally many facts to one file leave equal lines, and each of them is needed.
"""

from __future__ import annotations

from hoard_git.core.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

_POINTER = lazy(r"\A- \u2192 ([0-9]{1,6}) facts? in \[([^\]\n]{1,400})\]\(<?([^)>\n]{1,400})>?\)\s*\Z")
_COUNTED = lazy("\u2192 [0-9]{1,6} facts? in \\[")


def is_pointer(text: str) -> bool:
    """Whether an entry is such a line."""
    return read_pointer(text) is not None


def read_pointer(text: str) -> re.Match[str] | None:
    """What such a line says: the number of facts, the name that it shows and the path that it links to, as groups 1 to 3."""
    return _POINTER.match(text.replace("\r", ""))


def without_count(text: str) -> str:
    """A text without the number of facts of such a line: a new count is no new fact."""
    return _COUNTED.sub("\u2192 facts in [", text, count=1)
