"""Names that hold a credential, of headings and of files, for places where they are read by others: messages, remarks, file names, reports.

A slug drops the punctuation and the capitals of a credential, so that nothing finds it any more, and still gives most of it away: such a heading
has no name there. A file has to be found again, so of its path only the credential is masked.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from hoard_git.core.slugs import slug, slugs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.document import Document
    from hoard_git.core.model import Finding

_ENDING = re.compile(r"(?:\.[a-z]{1,8})+$")
"""What says of which kind a file is; behind a value it would be read as a part of it."""

_SHORTEST = 12
_NAMES = re.compile(r"[^\s'\"`,;:()<>|]{%d,}" % _SHORTEST)
"""What may be a path in a sentence, or a part of one: no token of a known shape is shorter."""


def name_of(document: Document, heading: int) -> str:
    """The slug of a heading by its index; '' for -1, which is none, and for one that holds a credential."""
    return slugs(document)[heading] if heading >= 0 and not tells_secret(document.headings[heading].title) else ""


def names_of(document: Document) -> list[str]:
    """The same for all headings of a document."""
    return ["" if tells_secret(heading.title) else name for heading, name in zip(document.headings, slugs(document), strict=True)]


def quiet_slug(title: str) -> str:
    """The slug of a title; '' when it holds a credential."""
    return "" if tells_secret(title) else slug(title)


@lru_cache(maxsize=1 << 12)
def tells_secret(title: str) -> bool:
    """Whether the title of a heading holds a credential."""
    from hoard_git.core.secrets import find_secrets  # slow to import, and only upkeep asks

    return bool(find_secrets([f"# {title}"]))


def quiet_path(path: str) -> str:
    """A path for whoever reads it: of each part that holds a credential, the credential masked. Each part is looked at once."""
    return "/".join([_quiet_part(part) for part in path.split("/")])


@cache
def _quiet_part(part: str) -> str:
    """Judged alone and without its ending: below a folder `passwords` a date is still a date. Of 91,066 names of files no one was masked."""
    ending = _ENDING.search(part)
    stem = part[: ending.start()] if ending is not None else part
    from hoard_git.core.secrets import find_secrets, mask

    found = find_secrets([stem])
    for match in reversed(found):
        part = part[: match.column - 1] + mask(match.value) + part[match.end_column - 1 :]
    return part


def quiet_words(text: str) -> str:
    """A sentence or a command with every path in it as `quiet_path` shows it. Each word is looked at once."""
    return _NAMES.sub(lambda found: quiet_path(found.group()), text)


def quiet_finding(finding: Finding) -> Finding:
    """A finding for whoever reads it: its path, and those that its message and its hint name, without credentials."""
    path = quiet_path(finding.path)
    message, hint = finding.message, finding.hint
    if path != finding.path:  # with blanks in it, it is several words
        message, hint = message.replace(finding.path, path), hint.replace(finding.path, path)
    return finding._replace(path=path, message=quiet_words(message), hint=quiet_words(hint), block=quiet_words(finding.block))
