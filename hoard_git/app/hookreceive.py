"""pre-receive: the gate on a server. It judges what a push would bring before any ref moves; the objects are still in git's quarantine.

The policy is the one that the ref, or for a new one the main branch, has now. Neither the server user's git configuration nor HOARD_DATE has a
say, nothing is written, and one bad ref refuses the whole push.
"""

from __future__ import annotations

import os

from hoard_git.app.clock import read_days
from hoard_git.app.pin import read_pin
from hoard_git.app.refupdates import Push, Side, checked_update, list_refs
from hoard_git.errors import HoardError
from hoard_git.gitio.opening import open_reader, plumbing_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from hoard_git.app.refupdates import Outcome, Update


def pre_receive(given: bytes, environ: MutableMapping[str, str]) -> list[Outcome]:
    """Judge the updates that git lists on standard input (`<old> <new> <ref>`). Raises HoardError when they cannot be judged."""
    seal(environ)
    reader = open_reader(".", batch=True)
    if reader.is_shallow():
        raise HoardError("This repository is shallow: parents and the past of the facts are missing.", "git fetch --unshallow")
    git = plumbing_of(reader)
    side = Side(
        list_refs(git),
        git.git(("symbolic-ref", "--quiet", "HEAD")).finish((0, 1)).decode("utf-8", "surrogateescape").strip(),
        "refs/heads/",
        pin=read_pin(reader, environ),
    )
    return Push(reader, parse_updates(given), side, lambda policy: read_days(policy, "", {})).judge()


def seal(environ: MutableMapping[str, str]) -> None:
    """Leave out what the server's user or system may have configured for git; the repository's own settings cannot make git log say more."""
    for name in [name for name in environ if name.startswith("GIT_CONFIG") or name == "HOARD_DATE"]:
        del environ[name]
    environ.update(
        GIT_CONFIG_GLOBAL=os.devnull,
        GIT_CONFIG_NOSYSTEM="1",
        GIT_CONFIG_COUNT="2",
        GIT_CONFIG_KEY_0="log.showSignature",
        GIT_CONFIG_VALUE_0="false",
        GIT_CONFIG_KEY_1="log.mailmap",
        GIT_CONFIG_VALUE_1="false",
    )


def parse_updates(given: bytes) -> list[Update]:
    """Read git's lines `<old> <new> <ref>`."""
    found = []
    for line in given.split(b"\n"):
        if line:
            old, _, rest = line.partition(b" ")
            new, _, ref = rest.partition(b" ")
            found.append(checked_update(ref, old, new))
    return found
