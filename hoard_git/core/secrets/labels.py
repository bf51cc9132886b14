"""Find the words that announce a secret: `password`, `DB_PASS`, `Datenbankpasswort`, `apiKey`, 密码."""

from __future__ import annotations

import re

from hoard_git.core.lazy import lazy
from hoard_git.core.secrets import _labels as words
from hoard_git.core.secrets import values
from hoard_git.core.secrets.text import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    Hit = tuple[int, int, int]  # start, end, kind

_LETTERS = lazy(r"[^\W\d_]{2,40}")


def find_labels(text: str, low: str) -> list[Hit]:
    """Return where labels stand in `text`, in order; `low` is its lower-case form of the same length."""
    hits: list[tuple[int, int, int, int]] = []
    # one spelling for api_key, api-key and "api key"
    low = low.replace("_", " ").replace("-", " ")
    flat = plain(low)
    present = {*_LETTERS.findall(low)}
    stems = [row for row in words.PARTS if row[0] in (flat if row[0].isascii() else low)]
    stems += [row for first in words.WHOLE.keys() & present for row in words.WHOLE[first]]
    if not low.isascii() and not words.FOREIGN_FIRST.isdisjoint(low):
        stems += [row for row in words.FOREIGN if row[0] in low]
    for stem, kind, compound, inflected in stems:
        at = low.find(stem)
        while at >= 0:
            end = at + len(stem)
            stop = _ends(text, end, stem, inflected=inflected) if _stands(text, low, at, end, compound=compound) else 0
            if stop and (stop == end or kind != words.LOGIN or text[end] not in "_-"):
                hits.append((at, -end, stop, kind))
            at = low.find(stem, end)
    hits.sort()
    kept: list[Hit] = []
    covered = -1
    for at, end, stop, kind in hits:
        if -end > covered:
            covered = -end
            kept.append((at, stop, kind))
    return kept


def _stands(text: str, low: str, at: int, end: int, *, compound: bool) -> bool:
    """Say whether a label may begin here: at a word's start, in an identifier, or at the end of a compound; not inside a URL or a key."""
    if text[max(0, at - 2) : at] in {"\\n", "\\t", "\\r"}:  # a line end inside a JSON string
        return True
    if at and text[at - 1] in "/\\":  # a path
        return False
    if low[at:end] == "pat" and text[at:end] != "PAT" and text[at - 1 : at] != "_":  # a name more often than a token
        return False
    if at and low[at - 1] not in " \t\n" and _inside(text, at, end):
        return False
    if at == 0 or not low[at].isascii() and ord(low[at]) > 0x2E80:
        return True
    before = text[at - 1]
    if not before.isalnum() or compound:
        return True
    if text[at:end].isupper() and before.isupper() and end - at > 4:
        return True
    return (
        before.islower()
        and text[at].isupper()
        and text[at + 1 : at + 2].islower()
        or ord(before) > 0x2E80
        or end - at > 5
        and before.isdigit()
    )


_RUN_AFTER = lazy(r"[0-9A-Za-z+/=_-]{0,100}")


def _inside(text: str, at: int, end: int) -> bool:
    """Say whether a label is part of a URL, which the rules of `vendors` judge, or of a random run such as a public key."""
    head = text[max(0, at - 200) : at]
    cut = max(head.rfind(mark) for mark in " \t\n`\"'(<") + 1
    head = head[cut:]
    if "://" in head and (head[-1].isalnum() or not any(mark in head for mark in ("?", "&", "#"))):
        return True
    if len(head) < 16 and end - at > 4:
        return False
    tail = _RUN_AFTER.match(text, end)
    rest = tail.group() if tail is not None else ""
    body = re.split(r"[^0-9A-Za-z+/=]", head)[-1]
    return len(body) + len(rest) >= 16 and values.is_opaque((body + text[at:end] + rest)[:200], 24) and bool(body)


def _ends(text: str, end: int, stem: str, *, inflected: bool) -> int:
    """Return where the label's word ends, or 0 when the word goes on to mean something else."""
    size = len(text)
    if end >= size or ord(stem[-1]) > 0x2E80:
        return end
    stop = end
    while (
        stop < size
        and stop - end < 40
        and (text[stop].isalnum() and ord(text[stop]) < 0x2E80 or text[stop] in "_-" and stop + 1 < size and text[stop + 1].isalnum())
    ):
        stop += 1
    if stop + 1 < size and text[stop] == "." and text[stop + 1].isalpha() and text[stop + 1].isascii():
        return 0
    if stop == end:
        return end
    rest = text[end:stop]
    letters = rest.lstrip("_-")
    if stem == "pass" and letters == rest:
        return 0
    if letters == rest and rest[0].isalpha():  # the word itself goes on
        if rest[0].isupper() and rest[0].isascii() and text[end - 1].isupper() and rest not in {"S", "ES"}:
            return 0
        if rest[0].isupper() and rest[0].isascii():
            return stop if rest.lower() not in words.SUFFIXES and not _suffix(rest) else 0
        short = len(rest) <= 4 and rest.isalpha() and (inflected or rest in {"s", "es", "e", "n", "en"})
        return stop if short and rest.lower() not in words.SUFFIXES else 0
    return 0 if _suffix(rest) else stop


def _suffix(rest: str) -> bool:
    """Say whether a piece of the rest of an identifier makes it something else than a secret."""
    pieces = re.sub(r"([a-z])([A-Z])", r"\1_\2", rest).lower().replace("-", "_").split("_")
    return any(piece in words.SUFFIXES for piece in pieces)
