"""What a change does to a user's content: the one place that HG301 and HG308 both ask."""

from __future__ import annotations

from hoard_git.core.dates import parse_day
from hoard_git.core.model import RANK
from hoard_git.core.provenance import file_provenance
from hoard_git.core.record import Record
from hoard_git.core.slugs import slug
from hoard_git.core.units import Side, units
from hoard_git.lint.elsewhere import MEMORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.align import Change, Unit
    from hoard_git.core.tags import Tag
    from hoard_git.lint.scene import FileView, Scene

USER = "user"


class UserChange(Record):
    """One act on a user's content, which may take in several units.

    `unit` is the first of them, before the change when `gone`, and `end_line` the end of the last one. `what` is `fact` or `heading`, for
    what is gone `content` or `file`, and `setting` for what the user's facts stand under. `facts` and `headings` count what the act takes in.
    """

    verb: str
    what: str
    unit: Unit
    gone: bool
    end_line: int
    facts: int
    headings: int

    @property
    def sentence(self) -> str:
        """A clause such as `edits a user's heading and 40 facts`.

        For what is gone it holds no number: a merge is judged against each parent, and its findings are recognised by these words.
        """
        if self.what == "setting":
            return f"{self.verb} what a user's fact stands under"
        if self.gone:
            return f"{self.verb} a file with a user's content" if self.what == "file" else f"{self.verb} a user's content"
        if self.what == "heading":
            return f"{self.verb} a user's heading" + (f" and {_count(self.facts, 'fact')}" if self.facts else "")
        return f"{self.verb} a user's fact" + (f" and {self.facts - 1} more" if self.facts > 1 else "")

    @property
    def loss(self) -> str:
        """What is gone, in numbers, such as `a heading and 40 facts`; '' where nothing is."""
        if not self.gone:
            return ""
        parts = [_count(self.headings, "heading")] * bool(self.headings) + [_count(self.facts, "fact")] * bool(self.facts)
        return " and ".join(parts)

    @property
    def block(self) -> str:
        """The slug of the heading under which something is gone, '' for a whole file and for what is still there."""
        if not self.gone or self.what == "file":
            return ""
        return slug(self.unit.text.lstrip("#") if self.unit.is_heading else self.unit.title)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number > 1 else ''}"


def find_user_changes(scene: Scene) -> list[UserChange]:
    """List what the change does to a user's entries and headings, one item an act.

    A heading stands for what went with it and a file's tag for the entries that had nothing but it. What is gone is one act for each
    heading that it stood under, or for a file that is gone as a whole.
    """
    found = []
    for change in scene.changes:
        verb = find_verb(change) or _verb_in_users_file(scene, change)
        if verb:
            found.append((verb, change))
    acts = _collapse(scene, found) if found else []
    return acts + _find_turned(scene, {(c.unit.path, c.unit.line) for _verb, c in found if c.after is not None})


def _find_turned(scene: Scene, known: set[tuple[str, int]]) -> list[UserChange]:
    """User facts whose own words stayed while what they stand under, or their tag's further keys, changed.

    "Never do" over a user's list, turned to "Always do", changes what the user said; so does a heading or list item put above it, or one
    taken away. A heading's leading date does not count. One item for each heading under which it happened.
    """
    found: dict[tuple[str, int], list[Unit]] = {}
    for file in scene.files:
        old = scene.before.get(file.path)
        if old is None or file.file_class not in MEMORY or not _holds_user(file):
            continue
        settings: dict[str, set[tuple[str, ...]]] = {}
        for unit, setting in _settings(old):
            settings.setdefault(unit.text, set()).add(setting)
        for unit, setting in _settings(file):
            if setting not in settings.get(unit.text, {setting}) and (file.path, unit.line) not in known:
                found.setdefault((file.path, unit.heading), []).append(unit)
    return [_turning(units) for units in found.values()]


def _holds_user(file: FileView) -> bool:
    """Whether anything in a file can be the user's."""
    document = file.document
    if file.default is not None and file.default.src == USER:
        return True
    return any(mark.tag is not None and mark.tag.src == USER for mark in document.marks) or any(
        key == "src" for key, *_rest in document.front
    )


def _settings(file: FileView) -> Iterator[tuple[Unit, tuple[str, ...]]]:
    """Yield the user's entries and headings with what they stand under: titles and list items from outside in, and own further keys."""
    headings, entries = units(Side(file.path, file.file_class, file.document, file.default))
    titles: list[tuple[str, ...]] = []
    for unit in headings:
        above = titles[unit.heading] if unit.heading >= 0 else ()
        titles.append((*above, _undated(unit.text.lstrip("#").strip())))
        if unit.provenance.src == USER and unit.provenance.origin == "own":
            yield unit, (*above, *_further_keys(file.document.headings[unit.index].tag))
    for unit in entries:
        if unit.provenance.src != USER or unit.kind == "front":
            continue
        outer = titles[unit.heading] if unit.heading >= 0 else ()
        items: tuple[str, ...] = ()
        at = unit.parent
        while at >= 0:
            items = (entries[at].text, *items)
            at = entries[at].parent
        yield unit, (*outer, *items, *_further_keys(file.document.entries[unit.index].tag))


def _further_keys(tag: Tag | None) -> tuple[str, ...]:
    return tuple(f"{key}:{value}" for key, value in tag.extra) if tag is not None else ()


def _undated(title: str) -> str:
    return title[10:].lstrip(" :-") if parse_day(title[:10]) is not None else title


def _turning(turned: list[Unit]) -> UserChange:
    first = min(turned, key=lambda unit: unit.line)
    last = max(unit.end_line for unit in turned)
    facts = sum(not unit.is_heading for unit in turned)
    return UserChange("changes", "setting", first, gone=False, end_line=last, facts=facts, headings=len(turned) - facts)


def _verb_in_users_file(scene: Scene, change: Change) -> str:
    """An identity file of the user's is theirs as a whole: a tag of its own makes nobody else's line welcome there."""
    after = change.after
    if after is None or after.file_class != "identity" or not change.has("add", "edit"):
        return ""
    old = scene.before.get(after.path)
    if old is None or file_provenance(old.document, old.default).origin != "class":
        return ""
    return ("adds" if change.before is None else "edits") if old.default is not None and old.default.src == USER else ""


def find_verb(change: Change) -> str:
    """Return what a change does to a user's content, '' when it does nothing to it.

    A raise to `user` by its own or an inherited tag is HG302's or HG304's as long as the words are the same; what becomes the user's
    only by lying in a file of the user's is judged here.
    """
    before, after = change.before, change.after
    if before is None or before.provenance.src != USER:
        if after is None or after.provenance.src != USER:
            return ""
        return "adds" if before is None or change.has("edit") or after.provenance.origin == "class" else ""
    if after is None:
        return "deletes"
    if change.kind in ("archive", "restore"):
        return change.kind + "s"
    if RANK[after.provenance.src] < RANK[USER]:
        return "demotes"
    if change.has("edit"):
        return "edits"
    if change.has("retime"):
        return "re-dates"
    if change.has("retag"):
        return "retags"
    # A heading that went to another file took its entries along; inside one file another heading gives it another meaning.
    return "" if change.carried or (before.is_heading and before.path != after.path) else "moves"


def _collapse(scene: Scene, found: list[tuple[str, Change]]) -> list[UserChange]:
    after = {file.path for file in scene.files}
    heads = {(verb, c.unit.path, c.unit.index): c for verb, c in found if c.after is not None and c.unit.is_heading}
    groups: dict[tuple[object, ...], list[Unit]] = {}
    for verb, change in found:
        groups.setdefault(_group(scene, verb, change, heads, after), []).append(change.unit)
    return [_act(key, units) for key, units in groups.items()]


def _act(key: tuple[object, ...], units: list[Unit]) -> UserChange:
    first = min(units, key=lambda unit: unit.line)
    gone = key[0] in ("file", "content")
    what = str(key[0]) if gone else "heading" if first.is_heading else "fact"
    headings = sum(unit.is_heading for unit in units)
    return UserChange(str(key[1]), what, first, gone, max(unit.end_line for unit in units), len(units) - headings, headings)


def _group(scene: Scene, verb: str, change: Change, heads: dict[tuple[str, str, int], Change], after: set[str]) -> tuple[object, ...]:
    """What one act takes in."""
    unit = change.unit
    if change.after is None:
        if unit.path not in after:
            return ("file", verb, unit.path)
        return ("content", verb, unit.path, unit.index if unit.is_heading else unit.heading)
    while (above := heads.get((verb, unit.path, unit.heading))) is not None:
        unit = above.unit
    before = change.before
    if before is None and unit.path not in scene.before and unit.provenance.origin in ("class", "file"):
        return ("tag", verb, unit.path)
    if not unit.is_heading and verb in ("demotes", "re-dates", "retags") and before is not None and before.provenance.origin != "own":
        return ("tag", verb, unit.path, before.path, before.provenance.line)
    return ("unit", verb, unit.path, unit.is_heading, unit.index)
