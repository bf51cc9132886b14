"""Whether the commit in progress amends HEAD; git tells its hooks only in one case of several."""

# ruff: noqa: PTH119, PTH123 -- importing pathlib costs 8 ms where a bare interpreter starts in 6

from __future__ import annotations

import os

_MOST_STEPS = 8

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.gitio.reader import CommitInfo


def is_amend(head: CommitInfo, environ: Mapping[str, str]) -> bool:
    """Tell an amend from a new commit.

    The command line of the git process says `--amend`. Where it cannot be read, or was an alias, git's exported GIT_AUTHOR_DATE helps: an
    amend keeps HEAD's author date to the second and zone (git 2.39, builtin/commit.c).
    """
    words = git_command()
    if any(word == "--amend" or (len(word) >= 4 and "--amend".startswith(word)) for word in words):
        return True
    if "commit" in words or words[1:2] == ["merge"]:
        return False
    date = environ.get("GIT_AUTHOR_DATE", "")
    if not date.startswith("@"):
        return False
    return date == f"@{head.author.time} {head.author.zone}"


def reuses_author() -> bool:
    """Whether git was asked to take over an author from another commit: then the author is not who acts."""
    options = ("--amend", "-C", "-c", "--reuse-message", "--reedit-message")
    words = git_command()
    inside = words[words.index("commit") + 1 :] if "commit" in words else []
    return any(word.partition("=")[0] in options or (word[:2] in ("-C", "-c") and len(word) > 2) for word in inside)


def asked_to_sign() -> str | None:
    """The key that git was told to sign with (`git commit -S`, `git merge -S`), '' for the configured one; None where nothing asks for it."""
    words = git_command()
    verb = next((word for word in words[1:] if word in ("commit", "merge")), None)
    for word in words[words.index(verb) + 1 :] if verb is not None else ():
        name, _, value = word.partition("=")
        if len(name) >= len("--gp") and "--gpg-sign".startswith(name):
            return value
        flags, found, attached = word.partition("S")
        if found and flags[:1] == "-" and not flags[1:].strip("aeinopqsvz"):
            return attached
    return None


def git_command() -> list[str]:
    """The words of the git process that runs this hook, up to a `--`; empty when they cannot be read.

    It is the parent, or further up where a hook manager stands in between.
    """
    pid = os.getppid()
    for _step in range(_MOST_STEPS):
        words, above = _process(pid)
        if words and os.path.basename(words[0]) in ("git", "git.exe"):
            return words[: words.index("--")] if "--" in words else words
        if above <= 1:
            break
        pid = above
    return []


def _process(pid: int) -> tuple[list[str], int]:
    """The command line of a process and its parent, as Linux tells them."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            words = [os.fsdecode(word) for word in file.read(1 << 16).split(b"\0")]
        with open(f"/proc/{pid}/stat", "rb") as file:
            above = int(file.read(4096).rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return [], 0
    return words, above
