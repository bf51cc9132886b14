"""The plan of a purge: which commands rewrite history, what else holds copies, who has to clone again. Nothing is rewritten here."""

# ruff: noqa: PTH103, PTH118, PTH119, PTH120, PTH123 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import hashlib
import os
import shlex

from hoard_git.core.counted import counted
from hoard_git.core.purging import renames, replacements, tombstone, what_it_is
from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.gitio.process import safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.app.purge import Found
    from hoard_git.gitio.plumbing import PlumbingReader

_HIDDEN = "\u2026"


class Step(Record):
    """One command line for a POSIX shell, '' where a person acts, and what it is for."""

    why: str
    command: str = ""


class Plan(Record):
    """How to take a value out of history. No text in it holds the value; only the files that it names do.

    `folder` holds the private files. `in_place` says that the value was never pushed, or that there is nowhere to push. `copies` are places that
    git does not rewrite; `notes` what changes with the rewriting. `tombstone` is a fact for the memory.
    """

    name: str
    what: str
    folder: str
    files: tuple[str, ...]
    in_place: bool
    steps: tuple[Step, ...]
    copies: tuple[str, ...]
    notes: tuple[str, ...]
    remotes: tuple[tuple[str, str], ...]
    worktrees: tuple[str, ...]
    tombstone: str


def make_plan(reader: PlumbingReader, found: Found, again: str, today: str) -> Plan:
    """Write the private files below the common git dir, for their owner only, and make the plan; `again` is how to look for the value again.

    A value that git-filter-repo has to know must stand in a file: a command line ends in the shell's history and in the process list. The
    common git dir holds the value in its objects already, and is neither pushed nor cloned. Raises HoardError when it cannot be written.
    """
    mark = hashlib.sha256("\n".join(hit.oid for hit in found.hits).encode()).hexdigest()[:8]
    name = f"purge-{mark}"
    folder = os.path.join(reader.common_dir(), "hoard", name)
    strip = [hit.oid for hit in found.hits if hit.kind == "blob" and not hit.plain]
    files = {"replacements.txt": replacements(found.forms)}
    if strip:
        files["blobs.txt"] = "".join(f"{oid}\n" for oid in strip).encode()
    if any(form in path.encode("utf-8", "surrogateescape") for path in found.paths for form in found.forms):
        files["paths.txt"] = renames(found.forms)
    write_private(folder, files)
    remotes = _remotes(reader)
    pushed = any(ref.startswith(("refs/remotes/", "refs/tags/")) for ref in found.refs)
    in_place = not remotes or not pushed and _knows_server(reader)
    worktrees = _worktrees(reader)
    what = what_it_is(found.values[0])
    times = sum(hit.times for hit in found.hits)
    told = tombstone(what, today, times, len(found.paths), len(found.commits), name)
    steps = _steps(reader, folder, tuple(files), remotes, again, in_place=in_place)
    new = shlex.quote(reader.root()) if in_place else "NEW-CLONE"
    steps += (Step("Write down what happened, without the value", f"hoard -C {new} add {shlex.quote(told)} --src agent"),)
    return Plan(
        name, what, folder, tuple(files), in_place, steps, _copies(found, remotes, worktrees, in_place=in_place), _notes(found, strip), remotes, worktrees, told
    )  # fmt: skip


def write_private(folder: str, files: dict[str, bytes]) -> None:
    """Write files that only their owner can read, in a folder that only the owner can enter; older ones of the same plan are replaced."""
    try:
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if os.path.realpath(folder) != os.path.join(os.path.realpath(os.path.dirname(folder)), os.path.basename(folder)):
            raise HoardError("The folder for the plan's files is a link.", f"rm {shlex.quote(folder)}")
        os.chmod(folder, 0o700)  # noqa: PTH101 -- it may have been there with another mode
        for name, data in files.items():
            path = os.path.join(folder, name)
            if os.path.lexists(path):
                os.unlink(path)  # noqa: PTH108
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
            with open(handle, "wb") as file:
                file.write(data)
    except OSError as error:
        raise HoardError(
            f"The plan's private files cannot be written: {error.strerror}.", f"ls -ld {shlex.quote(os.path.dirname(folder))}"
        ) from None


def _steps(
    reader: PlumbingReader, folder: str, files: Sequence[str], remotes: Sequence[tuple[str, str]], again: str, *, in_place: bool
) -> tuple[Step, ...]:
    """What to do, in order."""
    here = shlex.quote(reader.root())
    clone = shlex.quote(os.path.join(os.path.dirname(reader.root()), os.path.basename(reader.root()) + "-purged.git"))
    where = here if in_place else clone
    words = ["git", "-C", where, "filter-repo", "--force", *(["--partial"] if in_place else [])]
    options = {
        "replacements.txt": ("--replace-text", "--replace-message"),
        "blobs.txt": ("--strip-blobs-with-ids",),
        "paths.txt": ("--paths-from-file",),
    }
    for name in files:
        for option in options[name]:
            words += [option, shlex.quote(os.path.join(folder, name))]
    remote = shlex.quote(remotes[0][0]) if remotes else ""
    steps = [Step("Rotate the value first, and use the new one: whoever has read the old one keeps it, whatever happens here")]
    steps.append(Step("git-filter-repo does the rewriting; this hoard does not", "git filter-repo --version"))
    if in_place:
        steps.append(
            Step("The work tree must be clean: commit what you want to keep, the rewriting resets it", f"git -C {here} status --short")
        )
    else:
        steps.append(
            Step(
                "Send what was not pushed yet, from every clone, and tell everybody to stop",
                f"git -C {here} push {remote} --all && git -C {here} push {remote} --tags",
            )
        )
        steps.append(
            Step(
                "A fresh copy of what is on the server", f'git -C {here} clone --mirror "$(git -C {here} remote get-url {remote})" {clone}'
            )
        )
    steps.append(Step("Rewrite", " ".join(words)))
    expire = f"git -C {where} reflog expire --expire=now --expire-unreachable=now --all && git -C {where} gc --quiet --prune=now"
    steps.append(Step("Drop the old objects; reflogs and older stash entries go, too", expire))
    if in_place:
        index = shlex.quote(os.path.join(reader.common_dir(), "hoard", "index.sqlite"))
        steps.append(Step("Drop the index of history, a cache that may quote it", f"rm -f {index} {index}-wal {index}-shm"))
    if reader.git(("log", "--all", "-1", "--format=%H", "--grep=^Memory-Digest:", "--")).finish().strip():
        repair = f"hoard -C {where} trailers --repair --force HEAD"
        steps.append(Step("Memory-Digest trailers no longer fit the rewritten trees; the same for each other branch", repair))
    steps.append(Step("Look again: nothing may be found", f"hoard -C {where} purge --plan {again}"))
    if not in_place:
        push = f'git -C {clone} push --force "$(git -C {here} remote get-url {remote})" "refs/heads/*" "refs/tags/*"'
        steps.append(Step("Replace what is on the server; a protected branch has to allow it once", push))
        steps.append(Step("Clone again, here and everywhere, and delete the old clones; never merge or push from one"))
    steps.append(Step("Delete this plan's files, which hold the value", f"rm -r {shlex.quote(folder)}"))
    return tuple(steps)


def _copies(found: Found, remotes: Sequence[tuple[str, str]], worktrees: Sequence[str], *, in_place: bool) -> tuple[str, ...]:
    """What holds the value and is not rewritten by the commands."""
    told: list[str] = []
    if remotes and in_place:
        told.append("no branch or tag that is known to be pushed holds it; a server that was pushed to by another way may still")
    if remotes and not in_place:
        told.append("forks, pull requests and cached views on the server: its support has to drop them")
        told.append("objects that the server keeps until it collects garbage, and shows to whoever knows a commit's name: have it done")
        told.append("CI caches, artifacts, logs and mirrors that have read the repository")
    if len(worktrees) > 1:
        told.append(f"{counted(len(worktrees) - 1, 'linked worktree')}: remove first what is linked (git worktree list)")
    if found.stashes:
        told.append(f"stash entries: {', '.join(found.stashes)}; apply or drop them first (git stash drop)")
    if found.reflog:
        told.append(f"{counted(len(found.reflog), 'commit')} that only reflogs or stashes still know")
    unreachable = sum(not hit.reachable for hit in found.hits)
    if unreachable:
        told.append(f"{counted(unreachable, 'object')} that nothing reaches any more, until git gc --prune=now")
    if found.worktree:
        told.append(f"{counted(len(found.worktree), 'file')} of the work tree: take it out there, and commit that, before anything else")
    told.append("backups, other machines, the search index, and whatever an agent has read into a prompt or a transcript")
    return tuple(told)


def _notes(found: Found, strip: Sequence[str]) -> tuple[str, ...]:
    """What else changes."""
    told = [
        "masking or deleting a line does not clean history; only rewriting does, and every commit from the first one on gets a new name"
    ]
    told.append("signatures of rewritten commits are lost; a pinned root of trust and witness files have to be renewed")
    if strip:
        told.append(
            f"{counted(len(strip), 'packed or UTF-16 blob')} cannot be edited and {'is' if len(strip) == 1 else 'are'} removed whole: add a clean version of the file afterwards"
        )
    if found.named_refs:
        names = counted(len(found.named_refs), "name of a branch or tag", "names of branches or tags")
        told.append(f"{names} with it: rename or delete what is called so (git branch -m, git tag -d)")
    return tuple(told)


def _knows_server(reader: PlumbingReader) -> bool:
    """Whether this clone has ever heard what is on a server: without that, nothing counts as never pushed."""
    return bool(reader.git(("for-each-ref", "--count=1", "--format=%(refname)", "refs/remotes/")).finish().strip())


def _remotes(reader: PlumbingReader) -> tuple[tuple[str, str], ...]:
    """Name and address of each remote, without credentials."""
    names = reader.git(("remote",)).finish().decode("utf-8", "surrogateescape").split("\n")
    urls = reader.configs("remote.")
    return tuple((name, safe_text(urls.get(f"remote.{name}.url", "").encode("utf-8", "surrogateescape"))) for name in names if name)


def _worktrees(reader: PlumbingReader) -> tuple[str, ...]:
    out = reader.git(("worktree", "list", "--porcelain")).finish((0, 128)).decode("utf-8", "surrogateescape")
    return tuple(line[9:] for line in out.split("\n") if line.startswith("worktree "))


def hide(text: str, found: Found) -> str:
    """A text with every form of the value taken out: for paths, names of refs and people."""
    raw = text.encode("utf-8", "surrogateescape")
    for form in found.forms:
        raw = raw.replace(form, _HIDDEN.encode())
    return raw.decode("utf-8", "surrogateescape")
