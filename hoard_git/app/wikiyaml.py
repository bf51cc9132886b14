"""Front matter held against YAML itself: what is written must mean the same to every reader of it."""

from __future__ import annotations

from hoard_git.core.frontmatter import LARGEST, read_front_matter
from hoard_git.core.markdown import parse
from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError

_DEEPEST = 20


def check_front_matter(data: bytes, path: str) -> None:
    """Raise HoardError when a YAML parser reads the front matter of a page otherwise than the gate does: other texts, or a key twice.

    The parser's events are looked at, not its values: no alias is followed, and nothing is built.
    """
    document = parse(data)
    front = read_front_matter(document)
    if not front.last:
        return
    text = "\n".join([line.removesuffix("\r") for line in document.lines[front.first : front.last - 1]]) + "\n"
    found = _read(text, path)
    for value in front.values:
        wanted = {"text": value.text, "list": list(value.texts), "empty": ""}.get(value.kind)
        if wanted is not None and found.get(value.key) != wanted:
            raise _disagreement(path, value.line)


def _disagreement(path: str, line: int) -> HoardError:
    return HoardError(
        f"YAML reads line {line} of {path!r} otherwise than it stands there.", f"Put the text in quotes: hoard check {shell_word(path)}"
    )


def _read(text: str, path: str) -> dict[str, object]:
    """The top-level keys with a text, a list of texts, or None for anything else."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    if len(text) > LARGEST:
        raise HoardError(f"The front matter of {path!r} is longer than {LARGEST >> 10} KB.", "Move text below it.")
    found: dict[str, object] = {}
    depth = 0
    key: str | None = None
    items: list[str] | None = None
    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            name = type(event).__name__
            if name == "AliasEvent" or getattr(event, "anchor", None):
                raise HoardError(f"The front matter of {path!r} has an anchor or an alias.", "Write the value out.")
            if name in ("MappingStartEvent", "SequenceStartEvent"):
                depth += 1
                if depth > _DEEPEST:
                    raise HoardError(f"The front matter of {path!r} is nested too deep.", "Write flat keys.")
                if depth == 2 and key is not None:
                    items = [] if name == "SequenceStartEvent" else None
                elif depth > 2:
                    items = None
            elif name in ("MappingEndEvent", "SequenceEndEvent"):
                depth -= 1
                if depth == 1 and key is not None:
                    found[key], key = items, None
            elif name == "ScalarEvent" and depth == 1:
                if key is None:
                    key = str(event.value)
                    if key in found:
                        raise HoardError(f"The front matter of {path!r} has a key twice.", "Write each key once.")
                    found[key] = None
                else:
                    found[key], key = str(event.value), None
            elif name == "ScalarEvent" and depth == 2 and items is not None:
                items.append(str(event.value))
    except YAMLError:
        raise HoardError(f"The front matter of {path!r} is no YAML.", f"hoard check {shell_word(path)}") from None
    return found
