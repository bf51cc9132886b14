"""What changed between two snapshots, entry by entry: added, edited, moved, retagged, re-dated, removed (DESIGN, "Words").

It looks at all changed files at once, so a move between files is a move. core.sections pairs headings, core.pairing the entries.
"""

from __future__ import annotations

from hoard_git.core.pairing import LIKE, Alignment
from hoard_git.core.units import Change, Side, Unit, core_text, units

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hoard_git.core.document import Document

__all__ = ["LIKE", "Alignment", "Change", "Side", "Unit", "core_text", "find_changes", "touched_lines", "units"]


def find_changes(before: Iterable[Side], after: Iterable[Side]) -> list[Change]:
    """Compare two snapshots' changed memory files; a file that exists on one side only is simply absent from the other."""
    return Alignment(before, after).run()


def touched_lines(before: Mapping[str, Document], after: Mapping[str, Document]) -> dict[str, frozenset[int]]:
    """For each after file the 1-based numbers of lines that the change adds or alters.

    A line that stood in any of the before files and moved is not touched, nor is one whose line end alone changed. Linear: common head
    and tail first, then a multiset.
    """
    pool: dict[str, int] = {}
    middles: dict[str, tuple[Sequence[str], int, int]] = {}
    for path in set(before) | set(after):
        old = _lines(before[path]) if path in before else ()
        new = _lines(after[path]) if path in after else ()
        head = 0
        most = min(len(old), len(new))
        while head < most and old[head] == new[head]:
            head += 1
        tail = 0
        while tail < most - head and old[-1 - tail] == new[-1 - tail]:
            tail += 1
        for line in old[head : len(old) - tail]:
            pool[line] = pool.get(line, 0) + 1
        middles[path] = (new, head, len(new) - tail)
    found: dict[str, frozenset[int]] = {}
    for path in sorted(after):
        lines, head, stop = middles[path]
        numbers = []
        for index in range(head, stop):
            line = lines[index]
            if pool.get(line, 0):
                pool[line] -= 1
            else:
                numbers.append(index + 1)
        found[path] = frozenset(numbers)
    return found


def _lines(document: Document) -> Sequence[str]:
    lines = document.lines
    if "\r" in "".join(lines):
        return [line.removesuffix("\r") for line in lines]
    return lines
