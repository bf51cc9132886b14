"""A witness: a file that remembers what refs have named, line by line, and is only ever added to.

    hoard-witness 1
    2026-06-05T12:00:00Z 4f2a… refs/heads/main 8d5c0f6a1b2c3d4e

Each line ends in the first 16 digits of a SHA-256 over the line before's digits and its own words, so damage shows; whoever can write the file
can write these, too. A name of zeros says that a ref is gone and that somebody has agreed to it. Refs are git's bytes.
"""

from __future__ import annotations

from hashlib import sha256

from hoard_git.core.model import Oid
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_HEAD = b"hoard-witness "
_VERSION = b"1"
_HEX = frozenset(b"0123456789abcdef")
LARGEST = 32 << 20
"""Bytes; a hundred thousand remembered tips are 14 MB."""

ALARMS = ("rolled-back", "rewritten", "vanished")
"""States that somebody has to look at."""


class WitnessProblem(ValueError):  # noqa: N818 - about a place, of which a caller makes a sentence
    """A witness that cannot be read; the text is a clause without the full stop, safe to print. `line` is 1-based."""

    def __init__(self, line: int, what: str) -> None:
        """Keep the place."""
        super().__init__(what)
        self.line = line


class Tip(Record):
    """What a ref named at a moment (ISO 8601, UTC)."""

    date: str
    oid: Oid
    ref: str


class Seen(Record):
    """One ref, then and now: `old` and `new` are None where there was or is none.

    `state` is `new`, `same`, `advanced`, `merged` (the ref is gone, and another one holds what it named), or one of ALARMS. `date` is when `old` was
    seen last.
    """

    ref: str
    state: str
    old: Oid | None
    new: Oid | None
    date: str = ""

    @property
    def is_alarm(self) -> bool:
        """Whether somebody has to look at it."""
        return self.state in ALARMS


def parse_witness(raw: bytes) -> list[Tip]:
    """Read every line, oldest first. Raises WitnessProblem with the line of the first thing that is not as we write it."""
    lines = raw.split(b"\n")
    if not lines[0].startswith(_HEAD):
        raise WitnessProblem(1, "it does not begin as a witness does")
    if lines[0] != _HEAD + _VERSION:
        raise WitnessProblem(1, "it is of a version that this program does not know")
    if lines.pop():
        raise WitnessProblem(len(lines) + 1, "its last line is cut short")
    found, chain = [], b""
    for number, line in enumerate(lines[1:], 2):
        words = line.split(b" ")
        if len(words) != 4 or len(words[1]) not in (40, 64) or not _HEX.issuperset(words[1]) or not words[2].startswith(b"refs/"):
            raise WitnessProblem(number, "the line is not a date, an object name, a ref and a check sum")
        chain = _sum(chain, b" ".join(words[:3]))
        if words[3] != chain:
            raise WitnessProblem(number, "its check sum does not fit: the line or one before it was changed, taken out or put in")
        found.append(Tip(words[0].decode("ascii", "replace"), Oid(words[1].decode("ascii")), words[2].decode("utf-8", "surrogateescape")))
    return found


def append_tips(raw: bytes, tips: Sequence[Tip]) -> bytes:
    """The witness `raw`, b"" for a new one, with more lines at its end."""
    out = [raw or _HEAD + _VERSION + b"\n"]
    last = out[0].rstrip(b"\n").rpartition(b"\n")[2].split(b" ")
    chain = last[3] if len(last) == 4 else b""
    for tip in tips:
        words = f"{tip.date} {tip.oid} {tip.ref}".encode("utf-8", "surrogateescape")
        chain = _sum(chain, words)
        out.append(words + b" " + chain + b"\n")
    return b"".join(out)


def _sum(before: bytes, words: bytes) -> bytes:
    return sha256(before + b" " + words).hexdigest()[:16].encode("ascii")


def compare(known: Sequence[Tip], now: Mapping[str, Oid], builds_on: Callable[[Oid, Oid], bool]) -> list[Seen]:
    """Hold what refs name `now` against what they named last, by name. `builds_on(new, old)` tells whether a commit is behind another."""
    last = {tip.ref: tip for tip in known}
    found = []
    for ref in sorted({*last, *now}):
        tip, new = last.get(ref), now.get(ref)
        old = tip.oid if tip is not None and tip.oid.strip("0") else None
        if old is None and new is None:
            continue
        found.append(Seen(ref, _state(old, new, now, builds_on), old, new, tip.date if tip is not None else ""))
    return found


def _state(old: Oid | None, new: Oid | None, now: Mapping[str, Oid], builds_on: Callable[[Oid, Oid], bool]) -> str:
    if old is None:
        return "new"
    if new is None:
        return "merged" if any(builds_on(other, old) for other in sorted(set(now.values()))) else "vanished"
    if new == old:
        return "same"
    if builds_on(new, old):
        return "advanced"
    return "rolled-back" if builds_on(old, new) else "rewritten"
