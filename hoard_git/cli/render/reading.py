"""A part of a memory file for a person and for a program."""

from __future__ import annotations

from hoard_git.cli.render.history import provenance_data
from hoard_git.cli.render.masking import Sheet
from hoard_git.cli.render.text import encodable
from hoard_git.core.discreet import quiet_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.reading import Reading


def shown_lines(found: Reading) -> list[str]:
    """The lines without credentials; what a line hides may be decided above it."""
    if found.last < found.first:
        return []
    sheet = Sheet(found.whole)
    sheet.scan()
    return [sheet.line(number) for number in range(found.first, found.last + 1)]


def reading_data(found: Reading, lines: list[str]) -> dict[str, object]:
    """The JSON object of a reading; `provenance` are the entries that stand on these lines."""
    text = encodable("\n".join(lines))
    return {
        "schema": 1,
        "path": encodable(quiet_path(found.path)),
        "commit": found.commit or None,
        "from": found.first,
        "lines": len(lines),
        "total": len(found.whole),
        "text": text + "\n" if lines else "",
        "note": found.note or None,
        "provenance": [{"line": line, "end_line": end, **provenance_data(claim)} for line, end, claim in found.claims],
    }
