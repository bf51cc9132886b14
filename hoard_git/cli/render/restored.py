"""The output of `hoard restore`: the versions of a lost block, and what came back."""

from __future__ import annotations

import shlex

from hoard_git.cli.render.columns import cut, fill, indented, mask_secrets, plain
from hoard_git.cli.render.history import COLOURS, describe, in_json, paint, provenance_data, render_text, whole
from hoard_git.cli.render.masking import ALONE, Sheet, View
from hoard_git.cli.render.text import path_data, path_text, safe
from hoard_git.core.moments import iso_day, iso_moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.app.restore import Present, Restored
    from hoard_git.app.restore_find import Found, Made

_FEW = 5
_ORIGINS = {
    "own": "its own tag",
    "item": "from the item above",
    "heading": "from its heading",
    "file": "from its file",
    "class": "from its kind of file",
}


def render_version(made: Made, columns: int, *, color: bool, view: View = ALONE) -> Iterator[str]:
    """One version of a lost block, as `--list` shows it. `view` masks what its commit changed."""
    view.look([made.text])
    word = paint(fill(made.event, 8), COLOURS.get(made.event, ""), on=color)
    place = path_text(made.path) + (f":{made.line}" if made.line else "")
    head = f"{made.commit[:10]}  {iso_day(made.date) or '-':<10}  {word}  "
    yield (head + cut(f"{place}  {safe(view.title(made.title))}", max(20, columns - 34))).rstrip()
    yield f"    {describe(made.provenance)}; {plain(made.name) or '-'} ({made.kind})"
    if made.text:
        sign = " " if not made.line else "-" if made.event == "remove" else "+"
        yield from render_text(made.text, sign, columns, view=view)


def version_data(made: Made, title: str, view: View = ALONE) -> dict[str, object]:
    """The JSON object of a version; `title` is masked already."""
    view.look([made.text])
    return {
        "commit": made.commit,
        "date": iso_moment(made.date),
        "author": {"name": whole(made.name), "email": whole(made.email), "kind": made.kind, "verified": made.verified},
        "event": made.event,
        "title": title,
        "path": path_data(made.path),
        "line": made.line or None,
        "heading": in_json(view.title(made.title)) or None,
        "provenance": provenance_data(made.provenance),
        "text": in_json(view.hide(made.text)),
    }


def view_of(found: Found) -> View:
    """What may be shown of the version that comes back."""
    return View([Sheet(found.kept.document.lines)]) if found.kept is not None else ALONE


def render_restored(done: Restored, columns: int) -> Iterator[str]:
    """What came back, and what it is worth: its claim, who wrote it, whether that is proved, and who took it away."""
    view = view_of(done.found)
    place = f"{path_text(done.path)}:{done.line}" if done.found.kept is not None else plain(done.text)
    yield f"{done.oid or '-'} {done.found.name or '-'} {place}"
    if done.found.kept is not None:
        yield from render_text(done.text, "+", columns, view=view)
    for line in _trust(done, view):
        yield f"  {line}"
    if done.expired:
        yield from indented(f"expired  {done.expired}: the next consolidation will archive it again", columns, 2, 11)
        told = f"edit its tag in {done.path}: a longer ttl:, or a new ts: with ev: for where you looked"
        yield from indented(f"to keep  {mask_secrets(told)}", columns, 2, 11)


def _trust(done: Restored, view: View) -> Iterator[str]:
    found = done.found
    if found.kept is not None:
        claim = found.kept.provenance
        yield f"claims   {describe(claim)}" + (f", {_ORIGINS[claim.origin]}" if claim.origin in _ORIGINS else "")
    else:
        yield f"from     {found.commit[:12]}, as it was there"
    if found.writer is not None:
        yield f"written  {_who(found.writer)}; {'its signature is good' if found.writer.verified else 'no signature was verified'}"
    if found.others:
        yield "         what stands under it also by " + ", ".join(f"{plain(name)} ({kind})" for name, kind in found.others)
    if found.taken is not None:
        yield f"{'archived' if found.taken.event == 'archive' else 'removed'.ljust(8)} {_who(found.taken)}"
    if done.along:
        yield "with it  " + ", ".join(safe(view.title(title)) for title in done.along) + ", gone as well"
    if done.tagged:
        yield "tag      added: what it inherits there now differs from what it claimed"
    if done.archive:
        yield f"archive  taken out of {plain(done.archive)}"


def _who(made: Made) -> str:
    return f"{iso_day(made.date) or '-'} by {plain(made.name) or '-'} ({made.kind}) in {made.commit[:10]}"


def render_present(done: Present) -> str:
    """That nothing had to be done, and where the block stands."""
    where = path_text(done.path) + (f":{done.line}" if done.line else "")
    return f"'{safe(ALONE.title(done.found.title))}' stands in {where}; nothing was restored."


def present_hints(done: Present) -> Iterator[str]:
    """What else the user may have meant: entries that are gone from it."""
    if done.gone:
        yield "hoard: entries that were once in it are gone; bring one back by its words:"
        for words in done.gone[:_FEW]:
            yield f"  hoard restore {shlex.quote(safe(ALONE.title(words)).removesuffix(chr(0x2026)))}"
        if len(done.gone) > _FEW:
            yield f"  and {len(done.gone) - _FEW} more: hoard log --op remove {path_text(done.path)}"
    elif not done.line:
        yield f"hoard: what was taken out of it: hoard log --op remove {path_text(done.path)}"


def present_data(done: Present) -> dict[str, object]:
    """The JSON object of a block that stands already."""
    return {**_data(done, ALONE, restored=False), "gone": [in_json(ALONE.title(words)) for words in done.gone]}


def restored_data(done: Restored) -> dict[str, object]:
    """The JSON object of what came back."""
    found = done.found
    view = view_of(found)
    title = in_json(view.title(found.title))
    return {
        **_data(done, view, restored=True),
        "commit": done.oid,
        "text": in_json(view.hide(done.text)),
        "provenance": provenance_data(found.kept.provenance) if found.kept is not None else None,
        "files": [path_data(path) for path in found.files],
        "source": found.commit,
        "others": [{"name": whole(name), "kind": kind} for name, kind in found.others],
        "written": version_data(found.writer, title, view) if found.writer is not None else None,
        "removed": version_data(found.taken, title, view) if found.taken is not None else None,
        "along": [in_json(view.title(words)) for words in done.along],
        "tagged": done.tagged,
        "archive": whole(done.archive) or None,
        "expired": done.expired or None,
    }


def _data(done: Restored | Present, view: View, *, restored: bool) -> dict[str, object]:
    title = in_json(view.title(done.found.title))
    return {
        "schema": 1,
        "restored": restored,
        "title": title,
        "id": done.found.name or None,
        "path": path_data(done.path),
        "line": done.line or None,
    }
