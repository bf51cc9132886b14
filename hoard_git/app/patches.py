"""`hoard check --patch`: a unified diff judged as the change to HEAD that it would be, without applying it anywhere."""

from __future__ import annotations

import re
from email.parser import BytesHeaderParser
from email.policy import default as modern
from email.utils import parseaddr

from hoard_git.app.check import report_of
from hoard_git.app.gate import Gate
from hoard_git.app.proposal import overlay
from hoard_git.core.model import Actor
from hoard_git.core.trust import actor_of
from hoard_git.errors import HoardError
from hoard_git.gitio.process import GitError
from hoard_git.gitio.reader import INDEX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hoard_git.app.check import Report
    from hoard_git.app.clock import Days
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader

_MAIL = re.compile(rb"^From [0-9a-f]{40,64} [A-Z][a-z]{2} [A-Z][a-z]{2} ", re.MULTILINE)
_DIFF = re.compile(rb"^(?:diff --git |--- )", re.MULTILINE)
_HOW = "git diff --no-color --no-ext-diff > change.patch"
# What lies in the patch is judged byte for byte: configuration may neither mend white space nor ignore it.
_APPLY = ("-c", "apply.whitespace=nowarn", "-c", "apply.ignoreWhitespace=no", "apply", "--cached", "--whitespace=nowarn", "-")


def check_patch(reader: PlumbingReader, patch: bytes, days: Callable[[Policy], Days]) -> Report:
    """Judge a patch, or a series of mails, as one change to HEAD.

    Its author is who the mails' `From:` name, the least trusted of several, nobody known without one. Raises HoardError when it is no unified
    diff or does not apply.
    """
    _read(patch)
    senders = find_senders(patch)

    def who(policy: Policy) -> Actor:
        actors = [actor_of(sender, policy) for sender in senders]
        return next((actor for actor in actors if not actor.is_human), actors[0])

    with overlay(reader) as patched:
        try:
            patched.git(_APPLY, stdin=patch, at_root=True).finish()
        except GitError as error:
            raise HoardError(f"The patch does not apply to HEAD: {_said(error)}.", "git apply --check FILE") from error
        return report_of(Gate(patched, days=days).judge((reader.head(),), INDEX, who), "patch")


def find_senders(patch: bytes) -> Sequence[str]:
    """The address of each mail's author; one empty address for a bare diff. A `From:` line that opens a mail's text overrules its header."""
    starts = [match.start() for match in _MAIL.finditer(patch)] or [0]
    senders = []
    for start, stop in zip(starts, [*starts[1:], len(patch)], strict=True):
        head = patch[start:stop]
        diff = _DIFF.search(head)
        headers, _, body = head[: diff.start() if diff else None].partition(b"\n\n")
        if _MAIL.match(headers):
            headers = headers.partition(b"\n")[2]
        within = body.lstrip(b"\n").partition(b"\n")[0]
        chosen = within if within.startswith(b"From: ") else headers
        found = BytesHeaderParser(policy=modern).parsebytes(chosen + b"\n\n")["From"]
        senders.append(parseaddr(str(found or ""))[1])
    return senders


def _read(patch: bytes) -> None:
    """Raise HoardError unless this is a unified diff of text."""
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        # latin-1 keeps every byte, and a list of lines keeps carriage returns and form feeds
        parsed = PatchSet([line + "\n" for line in patch.decode("latin-1").split("\n")])
        binary = any(file.is_binary_file for file in parsed)
    except (UnidiffParseError, ValueError, AttributeError) as error:
        raise HoardError("This is not a unified diff that can be read.", _HOW) from error
    if binary or b"\nGIT binary patch\n" in patch:
        raise HoardError("The patch holds a binary change, which cannot be judged.", "git diff --text")
    if not len(parsed):
        raise HoardError("The patch changes no file.", _HOW)


def _said(error: GitError) -> str:
    lines = [line.removeprefix("error: ") for line in error.output.split("\n") if line.startswith("error: ")]
    return "; ".join(lines[:2])[:300] or "git apply refuses it"
