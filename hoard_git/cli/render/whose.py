"""Whose the lines are that are shown, where the tag that says so is not among them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hoard_git.core.provenance import Provenance

    Claims = Sequence[tuple[int, int, Provenance]]


def short(src: str, ts: str) -> str:
    """`web 2026-06-08`, without the date where it is not known; `untagged`."""
    return (src or "untagged") + (f" {ts}" if ts != "unknown" else "")


def find_unseen(claims: Claims, first: int, last: int) -> Iterator[tuple[int, Provenance]]:
    """Line and claim of the first entry under each tag that decides about entries on the lines `first` to `last` and stands outside of them.

    `claims` are entries in the order of their lines: first and last line, and what they claim. A file that is shown from its first line on leaves
    nobody in doubt about what has no tag.
    """
    seen = set()
    for line, end, claim in claims:
        hidden = claim.line > last or claim.line < first and first > 1
        if line <= last and end >= first and hidden and claim.claim not in seen:
            seen.add(claim.claim)
            yield max(line, first), claim


def whose_lines(claims: Claims, first: int, last: int) -> Iterator[str]:
    """One line for each of these, to stand above the text."""
    for line, claim in find_unseen(claims, first, last):
        written = f"src:{claim.src} ts:{claim.ts}" + (f" ttl:{claim.ttl}" if claim.ttl else "") if claim.src else "untagged"
        yield f"[\u2026 line {line}: {written}" + (f", from line {claim.line}]" if claim.line else "]")


def summed(found: Iterable[tuple[int, Provenance]], most: int) -> str:
    """The first few of them in one phrase; '' for none."""
    names = list(dict.fromkeys(short(claim.src, claim.ts) for _line, claim in found))
    return ", ".join(names[:most]) + (", \u2026" if len(names) > most else "")
