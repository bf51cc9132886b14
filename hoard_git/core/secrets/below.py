"""Values on lines of their own, under the label that announces them: `Password:` and the value below, a list under `## Wi-Fi passwords`."""

from __future__ import annotations

from hoard_git.core.lazy import lazy
from hoard_git.core.secrets import _labels as labels
from hoard_git.core.secrets import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Found = tuple[int, int, str, str, bool]
    Hit = tuple[int, int, int]


def single(at: int, value: str, kind: int) -> Iterator[Found]:
    """Judge a value that fills its cell, its list item or its line under a label."""
    end = at + len(value)
    if kind == labels.PASSWORD:
        grade = values.strength(value)
        if grade >= values.PHRASE or values.is_opaque(value, 20) and not values.is_ordinary(value):
            yield at, end, "labelled-password", "password below a label", True
        elif grade == values.WEAK:
            yield at, end, "labelled-password", "password below a label", False
    elif kind in (labels.KEY, labels.TOKEN):
        if values.is_opaque(value, 20) and not values.is_ordinary(value) and (kind == labels.KEY or not values.is_hex(value)):
            yield at, end, "labelled-key", "key or token below a label", True
    elif kind == labels.PIN and value.isdigit() and 4 <= len(value) <= 8:
        yield at, end, "labelled-pin", "PIN or door code below a label", True


_ITEM = lazy(
    r"[\s>]{0,12}(?P<mark>[-*+•]|[0-9]{1,3}[.)])?\s{0,4}(?:(?P<name>[^:=|`\n]{1,40}?)\s{0,2}(?:[:=→]|->|=>|\s[—–-]\s)\s{0,3})?(?P<value>`{1,3}[^`\n]{3,160}`{1,3}|\*\*[^*\n]{3,100}\*\*|\"[^\"\n]{3,120}\"|[^\s`]{4,300})[\s.,;]{0,3}$"
)
_QUOTED = "`*\"'"
_PLURAL = ("s", "n", "i", "w\u00f6rter", "\u0438", "\u044b")
"""How labels for several values end, in most languages that have a form for it."""
LIST_LINES = 13
"""Lines below a label in which its values are looked for, the label's own line among them."""
LONGEST_LIST = 400
"""The same for a list of nothing but values, one below the other."""


def below_label(text: str, lines: list[tuple[int, int]], hits_by_line: dict[int, list[Hit]]) -> Iterator[Found]:
    """Yield values on the lines after one that ends with a label: `Password:` and the value below, a list under `API keys:`."""
    for number, hits in hits_by_line.items():
        first, last = lines[number]
        line = text[first:last].rstrip()
        heading = line.lstrip(" >").startswith("#")
        start, end, kind = hits[-1]
        rest = text[end:last].strip(" *_`\"')")
        opened = line.rstrip("*_ ").endswith((":", "：", "=", "->", "→")) or not rest and len(line) < 60
        if not (heading or opened) or "|" in line or len(line) > 160 or len(rest.split()) > 8:
            continue
        if kind == labels.LOGIN and not any(
            word in text[start:end].lower()
            for word in ("cred", "zugangsdaten", "identifiant", "inloggegevens", "login", "учет", "учёт", "доступ")
        ):
            continue
        if kind in (labels.PIN, labels.CODE, labels.PHRASE):
            continue
        yield from _values_below(text, lines, hits_by_line, number, loose=heading or kind == labels.LOGIN)


def _values_below(
    text: str, lines: list[tuple[int, int]], hits_by_line: dict[int, list[Hit]], number: int, *, loose: bool
) -> Iterator[Found]:
    """Yield the values below the label of a line. Below a heading and logins, `loose`, other lines may stand between them."""
    start, end, kind = hits_by_line[number][-1]
    plural = text[start:end].lower().endswith(_PLURAL)
    reach = number + (LIST_LINES if loose or plural else 4)
    blank = rows = 0
    any_found, all_found, unbroken = False, True, True  # a list of single words goes on for as long as it is one
    for row in range(number + 1, min(len(lines), number + LONGEST_LIST)):
        body = text[slice(*lines[row])]
        if row >= reach and not (rows and unbroken and row not in hits_by_line):
            return
        if not body.strip() or body.strip().startswith("```"):
            blank += 1
            if blank > 2:
                return
            continue
        if body.lstrip().startswith("#") or row in hits_by_line and hits_by_line[row][-1][2] == labels.PASSWORD:
            return
        match = _ITEM.match(body)
        if match is None and not loose:
            return
        name = match.group("name") if match is not None else None
        if match is None or (name is not None and kind in (labels.KEY, labels.TOKEN) and _NAME_OF_ID.search(name.lower())):
            unbroken = False
            continue
        raw = match.group("value")
        inner = raw.strip(_QUOTED).rstrip(".,;") if raw[0] in _QUOTED else raw.rstrip(".,;")
        at = lines[row][0] + match.start("value") + raw.find(inner)
        found = list(_below(at, inner, kind, named=name is not None, quoted=raw[0] in _QUOTED))
        any_found = any_found or bool(found)
        listed = name is None and match.group("mark") is not None
        sure = not rows or kind != labels.PASSWORD or plural and all_found or values.strength(inner) == values.STRONG
        if loose or name is not None or sure:
            yield from found
        if not loose and name is None and not (listed and (plural or any_found and kind != labels.PASSWORD)):
            return
        rows += 1
        unbroken = unbroken and listed
        all_found = all_found and bool(found)


_NAME_OF_ID = lazy(r"\bid\b|_id|\bids\b|hash|sha|commit|model|url|version|digest|address|public|uuid|name|date|file|path")


def _below(at: int, value: str, kind: int, *, named: bool, quoted: bool) -> Iterator[Found]:
    if " " in value or not value:
        return
    if kind in (labels.PASSWORD, labels.LOGIN):
        grade = values.strength(value)
        if (
            grade == values.STRONG
            or grade == values.FAIR
            and (quoted or kind == labels.PASSWORD)
            or grade == values.PHRASE
            and kind == labels.PASSWORD
            and not named
        ):
            sure = grade == values.STRONG or kind == labels.PASSWORD and not named or quoted
            yield at, at + len(value), "labelled-password", "password below a label", sure
    else:
        yield from single(at, value, kind)
