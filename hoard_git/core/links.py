"""Relative links of a text that moves from one file to another: written for the new place, and compared whatever the place (CommonMark 0.31).

Looked at are inline links, images and reference definitions. Code, comments and raw HTML are left alone, and so is a target that no file of
the repository is meant by: an address, a path from the root or the home directory, what climbs out of the repository.
"""

from __future__ import annotations

import re

from hoard_git.core.document import CODE, COMMENT, FRONT, HTML, ITEM, QUOTE, REFERENCE, TEXT
from hoard_git.core.inline import _TARGET, _bare_target, _link_tail, _matcher, _Reader
from hoard_git.core.lazy import lazy
from hoard_git.core.markdown import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Segment = tuple[str, str]
    """One part of a path: as it is compared, and as it was written."""

_ELSEWHERE = lazy(r"[A-Za-z][A-Za-z0-9+.-]*:|[/~?]|\\|$", re.ASCII)
"""How a target begins that is no relative path: with a scheme or drive, from a root, or not at all."""
_BACKSLASH = lazy(r"\\[A-Za-z0-9.]", re.ASCII)
"""A backslash that escapes nothing: part of a Windows path, which no markdown resolves."""
_DOTS = lazy(r"%2e", re.IGNORECASE | re.ASCII)
_DEFINITION = lazy(r"[ \t]*\[(?:[^\[\]\\]|\\.){1,999}\]:[ \t]*(?:<((?:[^<>\\]|\\.)*)>|([^\s<]\S*))")
_CODED = lazy(r"(?:%(?!2[fF])[0-9A-Fa-f]{2})+", re.ASCII)
_UNSAFE = " ()<>\\%#?\"'`[]|*&"
_LEAST_CODE = 4
"""Columns from which indented text read by itself would be code."""


def rebase(text: str, old_path: str, new_path: str) -> str:
    """Write the relative links of a text of `old_path` so that they lead to the same places from `new_path`; all else stays.

    Paths are repository paths. A link to an anchor of the file itself becomes one to the old file.
    """
    if old_path == new_path or not _has_links(text):
        return text
    old_folder, new_folder = _folder(old_path), _folder(new_path)

    def moved(target: str) -> str:
        found = _find(target, old_path)
        if found is None or (old_folder == new_folder and not target.startswith("#")):
            return target
        path, is_folder, rest = found
        shared = 0
        while shared < min(len(path) - (not is_folder), len(new_folder)) and path[shared][0] == new_folder[shared][0]:
            shared += 1
        up = "../" * (len(new_folder) - shared)
        fresh = up + "/".join(raw for _plain, raw in path[shared:])
        if is_folder and not fresh.endswith("/"):
            fresh = fresh + "/" if fresh else "./"
        return ("./" if _ELSEWHERE.match(fresh) else "") + fresh + rest

    return _rewritten(text, moved)


def resolved(text: str, path: str) -> str:
    """A text of a file with its relative links' targets as repository paths: equal for the same words linked to the same places."""
    return _rewritten(text, lambda target: _absolute(target, path)) if _has_links(text) else text


def is_same_text(one: str, one_path: str, other: str, other_path: str) -> bool:
    """Whether two texts of two files are the same words, each link written alike or leading to the same place.

    More than `resolved` can tell: a link that leaves the repository is not written anew, and from a folder further down it may lead inside.
    """
    found = []
    for text, path in ((one, one_path), (other, other_path)):
        targets: list[str] = []

        def note(target: str, targets: list[str] = targets) -> str:
            targets.append(target)
            return ""

        found.append((_rewritten(text, note) if _has_links(text) else text, targets, path))
    (words, targets, path), (other_words, others, far) = found
    if words != other_words or len(targets) != len(others):
        return False
    return all(a == b or _absolute(a, path) == _absolute(b, far) for a, b in zip(targets, others, strict=True))


def _absolute(target: str, path: str) -> str:
    found = _find(target, path)
    if found is None:
        return target
    parts, is_folder, rest = found
    return ("/".join(plain for plain, _raw in parts) or ".") + "/" * is_folder + rest


def _has_links(text: str) -> bool:
    return "](" in text or "]:" in text


class _Links(_Reader):
    """Reads a paragraph as the reader of comments does, and notes where the targets of its links stand."""

    def targets(self) -> list[tuple[int, int]]:
        """Start and end of each target without its angle brackets, in order."""
        self._spans: list[tuple[int, int]] = []
        self.read()
        return sorted(self._spans)

    def _close_bracket(self, start: int) -> int:
        end = super()._close_bracket(start)
        is_link = end > start + 1 and _link_tail(self.text, start + 2)[0] == end
        target = _matcher(_TARGET)(self.text, start + 2) if is_link else None
        if target is not None:
            at = target.end()
            is_angled = self.text[at - 1] == ">"
            first = self.text.index("<", start + 2) + 1 if is_angled else at
            self._spans.append((first, at - 1 if is_angled else _bare_target(self.text, at)))
        return end


# -------------------------------------------------------------------- targets


def _folder(path: str) -> list[Segment]:
    return [(coded, coded) for part in path.split("/")[:-1] for coded in [_encode(part)]]


def _find(target: str, path: str) -> tuple[list[Segment], bool, str] | None:
    """The parts of the repository path that a target of this file means, whether it is a folder, and the rest from `?` or `#` on.

    None for a target that is no relative path or leaves the repository.
    """
    if target.startswith("#"):
        return [*_folder(path), *[(coded, coded) for coded in [_encode(path.rsplit("/", 1)[-1])]]], False, target
    if _ELSEWHERE.match(target) or _BACKSLASH.search(target) or _DOTS.search(target):
        return None
    end = min([at for sign in "?#" if (at := target.find(sign)) >= 0], default=len(target))
    parts = target[:end].split("/")
    found = _folder(path)
    for part in parts:
        if part == "..":
            if not found:
                return None
            found.pop()
        elif part not in ("", "."):
            found.append((_encode(_decode(part)), part))
    return found, parts[-1] in ("", ".", "..") or not found, target[end:]


def _decode(part: str) -> str:
    if "%" not in part:
        return part
    return _CODED.sub(lambda match: bytes.fromhex(match[0].replace("%", "")).decode("utf-8", "surrogateescape"), part)


def _encode(part: str) -> str:
    """Percent-code what would end or hide a target; `%2F` is no separator and stays."""
    if part.isprintable() and not any(c in _UNSAFE for c in part):
        return part
    kept = part.replace("%2f", "%2F").split("%2F")
    return "%2F".join("".join([c if c.isprintable() and c not in _UNSAFE else _bytes(c) for c in piece]) for piece in kept)


def _bytes(character: str) -> str:
    return "".join(["%%%02X" % byte for byte in character.encode("utf-8", "surrogateescape")])


# -------------------------------------------------------------------- texts


def _rewritten(text: str, fresh: Callable[[str], str]) -> str:
    """Replace every target of a text that may be one entry or a whole section."""
    lines = text.split("\n")
    first = next((line for line in lines if line.strip()), "")
    width = len(first) - len(first.lstrip(" \t"))
    # An entry of a nested list, read by itself, would be indented code.
    cuts = [min(width, len(line) - len(line.lstrip(" \t"))) if _columns(first, width) >= _LEAST_CODE else 0 for line in lines]
    heads = [line[:cut] for line, cut in zip(lines, cuts, strict=True)]
    lines = [line[cut:] for line, cut in zip(lines, cuts, strict=True)]
    kinds = parse("\n".join(lines).encode("utf-8", "surrogateescape")).kinds
    for start, stop in _paragraphs(kinds):
        part = "\n".join(lines[start:stop])
        lines[start:stop] = _replaced(part, fresh, is_definition=kinds[start] == REFERENCE).split("\n")
    return "\n".join([head + line for head, line in zip(heads, lines, strict=True)])


def _columns(line: str, width: int) -> int:
    return len(line[:width].expandtabs(4))


def _paragraphs(kinds: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield start and stop of the lines that are read together, without code, comments, raw HTML and front matter."""
    start = 0
    while start < len(kinds):
        stop = start + 1
        while stop < len(kinds) and (
            (kinds[stop] == TEXT and kinds[start] in (TEXT, ITEM, QUOTE)) or (kinds[stop] == QUOTE == kinds[stop - 1])
        ):
            stop += 1
        if kinds[start] not in (CODE, COMMENT, FRONT, HTML):
            yield start, stop
        start = stop


def _replaced(text: str, fresh: Callable[[str], str], *, is_definition: bool) -> str:
    if is_definition:
        match = _DEFINITION.match(text)
        spans = [match.span(1) if match[1] is not None else match.span(2)] if match is not None else []
    else:
        spans = _Links(text).targets() if "](" in text else []
    out, done = [], 0
    for start, end in spans:
        out += [text[done:start], fresh(text[start:end])]
        done = end
    return "".join(out) + text[done:]
