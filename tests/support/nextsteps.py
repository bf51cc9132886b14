"""The commands that a reader takes out of a hint, each ready for a shell."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PROGRAMS = "hoard|git|ls|cd|rm|mkdir|mv|env|pip|ssh-keygen|ssh|gzip|gpg|ps|df"
_START = re.compile(rf"(?:^|(?<=: )|(?<=\()|(?<=`))(?:{_PROGRAMS})(?= [^ ])")
_APART = re.compile(r"   +|, (?=(?:or|then)\b)|(?=`)")
_REMARK = re.compile(r" \((?![^)]*$)|\)|`|(?<![.])\.$")


def commands_in_hint(hint: str) -> Iterator[str]:
    """Each command of a hint in order: behind a colon, in backticks or in brackets, up to a wide gap, `, or …` or `, then …`."""
    for line in hint.split("\n"):
        blind = re.sub(r"\\.|'[^']*'|\"[^\"]*\"", lambda quoted: "_" * len(quoted[0]), line.strip())
        at = 0
        for end in [*(found.start() for found in _APART.finditer(blind)), len(blind)]:
            yield from _of_part(line.strip()[at:end], blind[at:end])
            at = end


def _of_part(text: str, blind: str) -> Iterator[str]:
    lead = len(re.match(r"[ `,]*", blind)[0])  # type: ignore[index]  # it matches nothing, too
    text, blind = text[lead:], blind[lead:]
    at = 0
    while (found := _START.search(blind, at)) is not None:
        end = _REMARK.search(blind, found.end())
        at = end.start() if end is not None else len(blind)
        yield text[found.start() : at].strip()
