"""Holds the trailers of a message against those that the trees call for (rules HG701 and HG702, `hoard trailers`, `hoard log`)."""

from __future__ import annotations

from hoard_git.core.messages import COMMENT
from hoard_git.core.model import SOURCES
from hoard_git.core.record import Record
from hoard_git.core.trailers import (
    BLOCK,
    CANONICAL,
    DERIVED,
    DIGEST,
    KEYS,
    OP,
    OPS,
    PROSE,
    REMOVED,
    SINGLE,
    SOURCE,
    UNTAGGED_NAME,
    line_kinds,
    separator,
    split_block,
)
from hoard_git.core.whereabouts import HISTORY, parse_removal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.core.trailers import Trailer

MISSING, FALSE, STRAY, ASTRAY = "missing", "false", "stray", "astray"
"""Kinds of problems: a trailer is not there, says something that is not so, stands where git does not look, or names a commit by the name that
it had before a rebase; the last one is HG703's to judge, who knows the history."""

_NEEDED = (OP, SOURCE, DIGEST)


class Problem(Record):
    """One thing that is wrong with the trailers. The message is a clause without the full stop; it quotes no free text."""

    kind: str
    message: str


def compare_trailers(
    found: Sequence[Trailer], expected: Sequence[Trailer], message: bytes = b"", *, complete: bool = True, comment: bytes = COMMENT
) -> list[Problem]:
    """Return what is wrong with the found trailers, in the order of the vocabulary. Nothing is expected: nothing is judged.

    The message, when given, shows trailer-like lines elsewhere and prose among the trailers. `complete` is false when the trees could
    not be compared in full: then only the form is judged. Memory-Session, Memory-Reason and Assisted-by are free; so are keys that a
    later version may bring. Memory-Removed is proved or disproved against the repository, by HG703; here is only told when it names another
    commit than the one before.
    """
    if not expected:
        return []
    ours = [trailer for trailer in found if trailer.key.lower() in CANONICAL]
    if not any(CANONICAL[trailer.key.lower()] in DERIVED for trailer in ours):
        if not complete:
            return []
        lost = any(_stray_keys(message, comment, indented=True))
        where = "; such lines stand in the message, but not in its last paragraph, where git looks" if lost else ""
        return [Problem(MISSING, "the commit changes memory and has no Memory-* trailers" + where)]
    problems = [*_judge_form(ours), *(_judge_content(ours, expected) if complete else ())]
    if PROSE in line_kinds(split_block(message, comment)[1], comment):
        problems.append(Problem(FALSE, "prose stands between the trailers"))
    stray = next(_stray_keys(message, comment, indented=False), "")
    if stray:
        problems.append(Problem(STRAY, f"a {stray} line stands outside the last paragraph, where git does not read it"))
    return problems


def verdict(problems: Sequence[Problem]) -> str:
    """Return `ok`, `missing` or `mismatch`, as `hoard log --json` says it."""
    kinds = {problem.kind for problem in problems}
    return "mismatch" if FALSE in kinds or ASTRAY in kinds else "missing" if MISSING in kinds else "ok"


def _judge_form(ours: Sequence[Trailer]) -> Iterator[Problem]:
    """Judge spelling, repeats and vocabulary."""
    for key in dict.fromkeys(trailer.key for trailer in ours if trailer.key not in KEYS):
        yield Problem(FALSE, f"{key} is not spelled {CANONICAL[key.lower()]}")
    for key in KEYS:
        values = _values(ours, key)
        if len(values) > 1 and key in SINGLE:
            yield Problem(FALSE, f"{key} stands {len(values)} times")
        elif len(values) != len(set(values)):
            yield Problem(FALSE, f"{key} repeats a value")
    if any(value not in OPS for value in _values(ours, OP)):
        yield Problem(FALSE, f"{OP} is none of {', '.join(OPS)}")


def _judge_content(ours: Sequence[Trailer], expected: Sequence[Trailer]) -> Iterator[Problem]:
    """Hold sources, block lines and digest against the expected ones."""
    for key in _NEEDED:
        if _values(expected, key) and not _values(ours, key):
            yield Problem(MISSING, f"{key} is missing")
    sources, real = _values(ours, SOURCE), _values(expected, SOURCE)
    if sources and set(sources) != set(real):
        shown = ", ".join(sources) if set(sources) <= {*SOURCES, UNTAGGED_NAME} else "something else"
        yield Problem(FALSE, f"{SOURCE} says {shown}; the change touches {', '.join(real) or 'no source'}")
    blocks, possible = _values(ours, BLOCK), set(_values(expected, BLOCK))
    wrong = [number for number, value in enumerate(blocks, 1) if value not in possible]
    if wrong:
        yield Problem(FALSE, f"{BLOCK} line {wrong[0]} of {len(blocks)} names no change of this commit")
    if any(value not in _values(expected, DIGEST) for value in _values(ours, DIGEST)):
        yield Problem(FALSE, f"{DIGEST} does not fit the change")
    names = {name for value in _values(expected, REMOVED) if (name := _commit_of(value))}
    strange = next((name for value in _values(ours, REMOVED) if (name := _commit_of(value)) and name not in names), "")
    if strange and names:
        yield Problem(ASTRAY, f"{REMOVED} names commit {strange[:12]}, which is not the one before")


def _commit_of(value: str) -> str:
    """The commit that a Memory-Removed line names, '' for a line that names none."""
    found = parse_removal(value) if f" {HISTORY} " in value else None
    return found.oid if found is not None else ""


def _values(trailers: Sequence[Trailer], key: str) -> list[str]:
    return [trailer.value for trailer in trailers if trailer.key.lower() == key.lower()]


def _stray_keys(message: bytes, comment: bytes, *, indented: bool) -> Iterator[str]:
    """Yield our key, canonically spelled, of each line that looks like our trailer and that git does not read as one.

    `git merge --squash` indents the messages that it gathers.
    """
    above, block = split_block(message, comment)
    for number, line in enumerate(message.split(b"\n")):
        if len(above) <= number < len(above) + len(block) or line.startswith(comment):
            continue
        text = line.lstrip() if indented else line
        key = CANONICAL.get(text[: separator(text)].rstrip().lower().decode("ascii"))
        if key:
            yield key
