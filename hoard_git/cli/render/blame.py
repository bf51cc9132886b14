"""The lines of `hoard blame`, for people and as JSON."""

from __future__ import annotations

from hoard_git.cli.render.columns import cut, fill, plain, width
from hoard_git.cli.render.history import author_data, paint, whole
from hoard_git.cli.render.text import safe
from hoard_git.core.moments import iso_day, iso_moment
from hoard_git.core.verdict import AGREE, DISAGREE, UNVERIFIED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.app.history_blame import BlameLine

_COLOURS = {AGREE: "32", DISAGREE: "31", UNVERIFIED: "33"}
_LONGEST_NAME = 14
_NOBODY = "not committed"


def render_lines(found: Sequence[BlameLine], texts: Sequence[str], columns: int, *, color: bool) -> Iterator[str]:
    """One line each: commit, day, author, source, verdict, number, text. Columns are as wide as what stands in them.

    `texts` are the lines' texts, masked.
    """
    names = {line.node.name: plain(line.node.name) for line in found if line.node is not None}
    name_width = min(
        _LONGEST_NAME if columns < 120 else 24,
        max([width(name) for name in names.values()] + ([len(_NOBODY)] if any(line.node is None for line in found) else [1])),
    )
    number_width = len(str(found[-1].line)) if found else 1
    for line, text in zip(found, texts, strict=True):
        node = line.node
        commit, day, name = (node.oid[:8], iso_day(node.date), names[node.name]) if node is not None else ("0" * 8, "", _NOBODY)
        src = line.provenance.src or "-"
        blank = not line.text.strip()
        verdict = " " * 10 if blank else paint(f"{line.verdict:<10}", _COLOURS[line.verdict], on=color)
        head = f"{commit} {day:<10} {fill(name, name_width)} {'' if blank else src:<5} "
        number = f"{line.line:>{number_width}}) "
        room = max(20, columns - width(head) - 10 - 1 - len(number))
        yield f"{head}{verdict} {number}{cut(safe(text), room)}".rstrip()


def lines_data(found: Sequence[BlameLine], texts: Sequence[str]) -> Iterator[dict[str, object]]:
    """One JSON object a line; `texts` are masked."""
    for line, text in zip(found, texts, strict=True):
        yield line_data(line, text)


def line_data(line: BlameLine, text: str) -> dict[str, object]:
    """The JSON object of a line whose text is masked already; null for what is not there."""
    node, actor = line.node, line.actor
    return {
        "line": line.line,
        "text": text.encode("utf-8", "backslashreplace").decode(),
        "commit": node.oid if node is not None else None,
        "date": iso_moment(node.date) if node is not None else None,
        "author": author_data(node, actor) if node is not None and actor is not None else None,
        "src": line.provenance.src or None,
        "ts": line.provenance.ts if line.provenance.src else None,
        "expires": line.expires or None,
        "block": whole(line.block) or None,
        "verdict": line.verdict,
    }
