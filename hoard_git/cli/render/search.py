"""The hits of a search: for people, and as JSON (INTERFACE, "JSON"). Credentials are masked by the whole version that a hit stands in."""

from __future__ import annotations

from hoard_git.cli.render.columns import cut, plain, width, wrap
from hoard_git.cli.render.history import paint
from hoard_git.cli.render.masking import Sheet, View, mask_secrets
from hoard_git.cli.render.text import encodable, path_text, safe
from hoard_git.cli.render.whose import short
from hoard_git.core.discreet import quiet_path
from hoard_git.core.passages import bare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.app.recall import Answer, Hit

_MOST_TEXT = 2000
"""Characters of a text in JSON; `hoard get` gives the rest."""
_MOST_SHOWN = 400
_BEFORE = 80


def shown_texts(answer: Answer, most: int) -> list[tuple[str, View]]:
    """The text of every hit, credentials masked, at most so many characters of it, around the first word that was asked for."""
    sheets = {hit.lines: Sheet(hit.lines) for hit in answer.hits}
    views = {lines: View([sheet]) for lines, sheet in sheets.items()}
    for lines, view in views.items():
        view.look([line for hit in answer.hits if hit.lines == lines for line in _rows(hit)])
    return [(_around(_text(hit, sheets[hit.lines]), answer, most), views[hit.lines]) for hit in answer.hits]


def _rows(hit: Hit) -> tuple[str, ...]:
    return hit.lines[hit.line - 1 : hit.end_line]


def _text(hit: Hit, sheet: Sheet) -> str:
    lines = [sheet.line(number) for number in range(hit.line, hit.line + len(_rows(hit)))]
    # a file that has changed or gone since it was read has other lines there
    return bare("\n".join(lines)) if hit.kind != "heading" and bare("\n".join(_rows(hit))) == hit.text else mask_secrets(hit.text)


def _around(text: str, answer: Answer, most: int) -> str:
    """A part of a long text with the first of its words that was asked for."""
    if len(text) <= most:
        return text
    places = [at for term in answer.terms if (at := text.casefold().find(term.text[:4])) >= 0]
    start = max(0, min(places, default=0) - _BEFORE)
    start = 0 if start < _BEFORE else text.find(" ", start) + 1 or start
    part = text[start : start + most]
    return ("\u2026 " if start else "") + part.rstrip() + (" \u2026" if start + most < len(text) else "")


def answer_data(query: str, answer: Answer) -> dict[str, object]:
    """The answer as JSON data; `unread` names files that could not be looked into."""
    hits = []
    for hit, (text, view) in zip(answer.hits, shown_texts(answer, _MOST_TEXT), strict=True):
        parts = {name: None if value is None else round(value, 4) for name, value in hit.parts._asdict().items()}
        hits.append(
            {
                "path": encodable(quiet_path(hit.path)),
                "line": hit.line,
                "end_line": hit.end_line,
                "block": encodable(view.name(hit.block)),
                "text": text,
                "src": hit.src or None,
                "ts": hit.ts,
                "score": round(hit.score, 4),
                "parts": parts,
                "flags": list(hit.flags),
                "commit": hit.commit or None,
            }
        )
    unread = [{"path": encodable(quiet_path(path)), "reason": reason} for path, reason in answer.unread]
    return {"schema": 1, "query": mask_secrets(query), "vector": answer.vector, "hits": hits, "unread": unread}


def render_answer(answer: Answer, columns: int, *, color: bool) -> Iterator[str]:
    """Two or three lines a hit: where it stands and what it is worth, then its words."""
    for hit, (text, view) in zip(answer.hits, shown_texts(answer, _MOST_SHOWN), strict=True):
        where = f"{path_text(hit.path)}:{hit.line}"
        name = plain(view.title(hit.slug)) if hit.slug and not hit.id else plain(hit.id)
        at = f"  in {hit.commit[:10]}" if hit.commit else ""
        flags = [flag for flag in hit.flags if flag != "untagged"]
        head = f"{where}{at}  {short(hit.src, hit.ts)}"
        rest = f"  ({name})" if name else ""
        warn = f"  {', '.join(flags)}" if flags else ""
        room = columns - width(head) - width(warn)
        yield paint(head, "1", on=color) + paint(warn, "31", on=color) + (cut(rest, room) if room > 8 else "")
        for line in wrap("    " + safe(text), columns):
            yield line if line.startswith("    ") else "    " + line
