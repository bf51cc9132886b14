"""Operations on wiki pages as data: read strictly from what a JSON parser returned, or refused with the place (INTERFACE, "Wiki")."""

from __future__ import annotations

from hoard_git.core.frontmatter import LISTS, LONGEST, MOST_ITEMS
from hoard_git.core.model import SOURCES
from hoard_git.core.record import Record
from hoard_git.core.tags import find_value_problem
from hoard_git.core.tagwords import holds_tag_or_comment, holds_tag_words
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

SET, REPLACE, APPEND, LINK = "set_front_matter", "replace_section", "append_section", "add_link"
MOST_OPERATIONS = 100
LONGEST_TEXT = 64 * 1024
"""Characters of one section's text."""
SETTABLE = ("title", "src", "ts", "ttl", "ev", *LISTS)
"""The keys of front matter that set_front_matter takes."""

_KEYS = {
    SET: {"op", "page", "values"},
    REPLACE: {"op", "page", "section", "text", "src", "ttl", "ev"},
    APPEND: {"op", "page", "section", "text", "src", "ttl", "ev"},
    LINK: {"op", "page", "to"},
}
_EXAMPLE = '{"operations": [{"op": "append_section", "page": "node-2", "section": "Notes", "text": "- Runs the queue"}]}'


class Operation(Record):
    """One operation. `values` are pairs of a key and a text, a tuple of texts, or None to take the key out; `src` is what its words claim to be."""

    op: str
    page: str
    section: str = ""
    text: str = ""
    src: str = "agent"
    ttl: str = ""
    ev: str = ""
    to: str = ""
    values: tuple[tuple[str, str | tuple[str, ...] | None], ...] = ()


class Batch(Record):
    """Operations that are applied all or none, with a message and a reason for their commit."""

    operations: tuple[Operation, ...]
    message: str = ""
    reason: str = ""


def batch_from_data(data: object) -> Batch:
    """Read a batch: a list of operations, or a mapping with `operations`, `message` and `reason`. Raises HoardError that names the operation."""
    if isinstance(data, list):
        data = {"operations": data}
    if not isinstance(data, dict):
        raise HoardError("The operations are neither a list nor an object.", _EXAMPLE)
    _only(data, {"operations", "message", "reason", "schema"}, "The object")
    found = data.get("operations")
    if not isinstance(found, list) or not found:
        raise HoardError("There are no operations: a list of one or more.", _EXAMPLE)
    if len(found) > MOST_OPERATIONS:
        raise HoardError(
            f"There are {len(found)} operations; at most {MOST_OPERATIONS} are taken at once.", "Split them into several files."
        )
    told = {key: _line(data, key, "The object", needed=False) for key in ("message", "reason")}
    return Batch(tuple(_operation(item, number) for number, item in enumerate(found, 1)), told["message"], told["reason"])


def _operation(item: object, number: int) -> Operation:
    where = f"Operation {number}"
    if not isinstance(item, dict):
        raise HoardError(f"{where} is no object.", _EXAMPLE)
    op = item.get("op")
    if not isinstance(op, str) or op not in _KEYS:
        raise HoardError(f"{where} is none of {', '.join(_KEYS)}.", _EXAMPLE)
    where = f"{where} ({op})"
    _only(item, _KEYS[op], where)
    page = _line(item, "page", where)
    if op == SET:
        return Operation(op, page, values=_values(item.get("values"), where))
    if op == LINK:
        return Operation(op, page, to=_line(item, "to", where))
    text = item.get("text")
    if not isinstance(text, str) or not text.strip():
        raise HoardError(f"{where} has no text.", "Give text: the lines of markdown below the heading.")
    section = _line(item, "section", where)
    check_text(text, where)
    if holds_tag_words(section) or "<!--" in section:
        raise HoardError(f"{where}: a section's name holds no provenance tag.", "Name it by its words; the tag is written for it.")
    tag = {"src": _line(item, "src", where, needed=False) or "agent", "ts": "unknown"}
    tag |= {key: value for key in ("ttl", "ev") if (value := _line(item, key, where, needed=False))}
    _check_tag(tag, where)
    return Operation(op, page, section.lstrip("#").strip(), text, tag["src"], tag.get("ttl", ""), tag.get("ev", ""))


def check_text(text: str, where: str) -> None:
    """Raise HoardError for a text that is too long, holds what no page should, or a provenance tag."""
    if len(text) > LONGEST_TEXT:
        raise HoardError(f"{where}: the text is longer than {LONGEST_TEXT >> 10} KB.", "Split the page.")
    odd = next(
        (c for c in text if c not in "\n\t" and (c < " " or "\x7f" <= c < "\xa0" or "\ud800" <= c < "\ue000" or c in "\u2028\u2029")), ""
    )
    if odd:
        raise HoardError(f"{where}: the text holds a control character, U+{ord(odd):04X}.", "Lines end in a line feed alone.")
    if "<!--" in text or "-->" in text:
        raise HoardError(f"{where}: the text holds an HTML comment.", "Leave it out; provenance tags are written for the text.")
    if holds_tag_words(text):
        raise HoardError(f"{where}: the text holds the words of a provenance tag.", "Say src, ttl and ev beside the text, not in it.")


def _check_tag(tag: Mapping[str, str], where: str) -> None:
    if tag["src"] == "user":
        raise HoardError(f"{where}: nothing is written as the user's here.", "the user says it: hoard add TEXT --src user")
    problem = find_value_problem(dict(tag))
    if problem or not all("!" <= c <= "~" for c in tag.get("ev", "")):
        raise HoardError(
            f"{where}: {problem or 'ev is one word of printable ASCII'}.", f"src: {', '.join(SOURCES[1:])}; ttl: 30d, 2w, 1y or never"
        )


def _values(values: object, where: str) -> tuple[tuple[str, str | tuple[str, ...] | None], ...]:
    if not isinstance(values, dict) or not values:
        raise HoardError(
            f"{where} has no values.", '{"op": "set_front_matter", "page": "node-2", "values": {"title": "Node 2", "tags": ["infra"]}}'
        )
    _only(values, set(SETTABLE), where)
    return tuple((str(key), _value(str(key), value, where)) for key, value in values.items())


def _value(key: str, value: object, where: str) -> str | tuple[str, ...] | None:
    if value is None:
        if key in ("src", "ts"):
            raise HoardError(f"{where}: {key} cannot be taken out.", "Without it the page would count as untagged.")
        return None
    if key in LISTS:
        if not isinstance(value, list) or len(value) > MOST_ITEMS or not all(_is_short(item) for item in value):
            raise HoardError(
                f"{where}: {key} is a list of at most {MOST_ITEMS} texts of one line and {LONGEST} characters.", f'"{key}": ["a", "b"]'
            )
        return tuple(dict.fromkeys(value))
    if not _is_short(value) or not isinstance(value, str):
        raise HoardError(f"{where}: {key} is a text of one line and at most {LONGEST} characters.", f'"{key}": "…"')
    if key != "title":
        _check_tag({"src": "agent", "ts": "unknown", key: value}, where)
    elif holds_tag_or_comment(value):
        raise HoardError(f"{where}: a title holds no provenance tag.", "src, ts and ttl are keys of their own.")
    return value


def _is_short(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and len(value) <= LONGEST and value.isprintable()


def _line(item: Mapping[Any, Any], key: str, where: str, *, needed: bool = True) -> str:
    value = item.get(key)
    if value is None and not needed:
        return ""
    if not isinstance(value, str) or not value.isprintable() or (needed and not value.strip()) or len(value) > 500:
        raise HoardError(f"{where}: {key} is a text of one line.", _EXAMPLE)
    return value.strip()


def _only(item: Mapping[Any, Any], known: set[str], where: str) -> None:
    for key in item:
        if key not in known:
            raise HoardError(f"{where} has an unknown key, {str(key)[:40]!r}.", f"Known here: {', '.join(sorted(known))}")
