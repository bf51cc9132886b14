"""The lines of `hoard blame`, for people and as JSON."""

from __future__ import annotations

from hoard_git.cli.render.columns import cut, fill, plain, width
from hoard_git.cli.render.history import author_data, in_json, paint
from hoard_git.cli.render.masking import ALONE
from hoard_git.cli.render.text import safe
from hoard_git.core.moments import iso_day, iso_moment
from hoard_git.core.verdict import AGREE, DISAGREE, UNVERIFIED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.app.history_blame import BlameLine
    from hoard_git.cli.render.masking import View

_COLOURS = {AGREE: "32", DISAGREE: "31", UNVERIFIED: "35"}
_NOBODY, _NOT_YET = "not committed", "not yet"
_WIDE = 120
_VERDICT = 10


def render_lines(found: Sequence[BlameLine], texts: Sequence[str], columns: int, *, color: bool) -> Iterator[str]:
    """One line each: commit, day, author, source, verdict, number, text. Columns are as wide as what stands in them.

    `texts` are the lines' texts, masked. Where there is little room, a verdict stands behind the text, and only where it says more than
    the other columns: neither agree nor, of a line that claims nothing, unverified.
    """
    wide = columns >= _WIDE
    nobody = _NOBODY if wide else _NOT_YET
    names = {line.node.name: plain(line.node.name) for line in found if line.node is not None}
    longest = max([*map(width, names.values()), *([len(nobody)] if any(line.node is None for line in found) else []), 1])
    name_width = min(24 if wide else 12, longest)
    number_width = len(str(found[-1].line)) if found else 1
    for line, text in zip(found, texts, strict=True):
        node = line.node
        commit, day, name = (node.oid[:8], iso_day(node.date), names[node.name]) if node is not None else ("0" * 8, "", nobody)
        blank = not line.text.strip()
        src = "" if blank else line.provenance.src or "-"
        verdict = "" if blank else line.verdict
        head = f"{commit} {day:<10} {fill(name, name_width)} {src:<5} "
        number = f"{line.line:>{number_width}}) "
        shown = safe(text.removesuffix("\r"))
        coloured = paint(verdict, _COLOURS.get(verdict, ""), on=color)
        room = columns - width(head) - len(number)
        if wide:
            row = f"{head}{coloured}{' ' * (_VERDICT + 1 - len(verdict))}{number}{cut(shown, room - _VERDICT - 1)}"
        elif verdict in ("", AGREE) or verdict == UNVERIFIED and not line.provenance.src and node is not None:
            row = f"{head}{number}{cut(shown, room)}"
        else:
            row = f"{head}{number}{fill(shown, max(12, room - len(verdict) - 2))}  {coloured}"
        yield row.rstrip()


def lines_data(found: Sequence[BlameLine], texts: Sequence[str], view: View = ALONE) -> Iterator[dict[str, object]]:
    """One JSON object a line; `texts` are masked, `view` does so for names of blocks."""
    names = {name: in_json(view.name(name)) or None for name in {line.block for line in found}}
    for line, text in zip(found, texts, strict=True):
        yield _line_data(line, text, names[line.block])


def _line_data(line: BlameLine, text: str, block: str | None) -> dict[str, object]:
    """The JSON object of a line whose text is masked already; null for what is not there."""
    node, actor = line.node, line.actor
    return {
        "line": line.line,
        "text": in_json(text),
        "commit": node.oid if node is not None else None,
        "date": iso_moment(node.date) if node is not None else None,
        "author": author_data(node, actor) if node is not None and actor is not None else None,
        "src": line.provenance.src or None,
        "ts": line.provenance.ts if line.provenance.src else None,
        "expires": line.expires or None,
        "block": block,
        "verdict": line.verdict,
    }
