"""`hoard commit`: the changed memory files committed with their provenance, and nothing else with them."""

# ruff: noqa: PTH103, PTH118 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import os
import re

from hoard_git.app.message import expected_for
from hoard_git.app.people import agent_writer, as_agent_committer, as_committer, listed_human
from hoard_git.app.policies import read_policies
from hoard_git.app.proposal import judge_paths
from hoard_git.app.workspace import WHAT_IS_MEMORY, find_memory_files, read_policies_of_worktree
from hoard_git.core.files import classify, is_policy
from hoard_git.core.model import Actor, Oid, RepoPath
from hoard_git.core.record import Record
from hoard_git.core.shellwords import shell_word
from hoard_git.core.trailers import replace_memory_trailers
from hoard_git.errors import HoardError
from hoard_git.gitio.locks import turn
from hoard_git.gitio.process import GitError, decode_path, encode_path
from hoard_git.gitio.writer import commit_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from hoard_git.app.clock import Days
    from hoard_git.app.gate import Judgement
    from hoard_git.app.policies import Policies
    from hoard_git.core.model import Finding
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import Ident

_NOT_SIGNED = re.compile(
    r"failed to sign|gpg\.ssh|signingkey|no private key|couldn't (?:find|load) |incorrect passphrase|refused operation|signing (?:failed|using)",
    re.IGNORECASE,
)
"""What git, gpg, ssh-keygen and ssh-agent say when there is no signature."""

_UNMERGED = (b"DD", b"AU", b"UD", b"UA", b"DU", b"AA", b"UU")


class Refused(HoardError):  # noqa: N818 - what happened, in the words of the house
    """The gate refused the change; the findings say why. Exit status 1."""

    exit_status = 1

    def __init__(self, findings: Sequence[Finding]) -> None:
        """Keep what was found."""
        errors = [finding for finding in findings if finding.severity == "error"]
        super().__init__(f"{len(errors)} error{'s' * (len(errors) != 1)}; nothing was committed.", f"hoard rule {errors[0].code}")
        self.findings = tuple(findings)


class Committed(Record):
    """A commit that was made: its oid, the paths in it, what the gate had to say, and changed memory that git ignores and that stayed out."""

    oid: Oid
    paths: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    ignored: tuple[str, ...] = ()


class Wish(Record):
    """How a commit is to be made. `agent`: whoever git names, the change is judged and committed as an agent's, and errors refuse it even in mode warn."""

    message: str = ""
    human: bool = False
    reason: str = ""
    session: str = ""
    op: str = ""
    agent: bool = False

    @property
    def actor(self) -> Actor | None:
        """Who the change counts as; None: the author decides."""
        return Actor("agent") if self.agent else None


class Changed(Record):
    """The memory files that differ from HEAD, and those that differ but are ignored by git; both sorted."""

    paths: tuple[str, ...]
    ignored: tuple[str, ...] = ()


def commit_memory(
    reader: PlumbingReader, only: Sequence[str], wish: Wish, days: Callable[[Policy], Days], environ: Mapping[str, str]
) -> Committed:
    """Commit the changed memory files (or those of `only`) and nothing else. Raises Refused when the gate objects."""
    with writing(reader):
        changed = find_changed(reader, only)
        if not changed.paths:
            raise _nothing(changed.ignored)
        author = find_author(reader, changed.paths, human=wish.human)
        judgement = judge_paths(reader, changed.paths, author, days, environ)
        refuse_errors(judgement)
        oid = commit_judged(reader, judgement, changed.paths, wish, author)
    return Committed(oid, changed.paths, judgement.findings, changed.ignored)


def writing(reader: PlumbingReader) -> AbstractContextManager[None]:
    """Let one `hoard` at a time write memory here: what one has read, judged and is about to commit, another must not change."""
    place = os.path.join(reader.git_dir(), "hoard")
    os.makedirs(place, exist_ok=True)
    return turn(place)


def find_author(reader: PlumbingReader, paths: Sequence[str], *, human: bool, agent: bool = False) -> Ident | None:
    """The human, or the agent, of the policy that governs these paths; None is whoever git names."""
    if not human and not agent:
        return None
    policies = read_policies(reader, reader.head(), paths)
    if not policies.known:
        policies = read_policies_of_worktree(reader)
    find = agent_writer if agent else listed_human
    return find(policies.govern(paths[0]), reader)


def refuse_errors(judgement: Judgement, *, always: bool = False) -> None:
    """Raise Refused when the gate found errors and the policy does not merely warn, or `always`."""
    if (always or judgement.policy.mode != "warn") and any(finding.severity == "error" for finding in judgement.findings):
        raise Refused(judgement.findings)


def commit_judged(reader: PlumbingReader, judgement: Judgement, paths: Iterable[str], wish: Wish, author: Ident | None) -> Oid:
    """Commit these paths with the trailers that their judgement demands; hooks run. Raises HoardError when git refuses."""
    trailers = expected_for(judgement, op=wish.op, session=wish.session, reason=wish.reason)
    text = (wish.message.strip() or subject_for(judgement)).encode("utf-8", "surrogateescape")
    message = replace_memory_trailers(text, trailers, None)
    told = {"HOARD_OP": wish.op, "HOARD_SESSION": wish.session, "HOARD_REASON": wish.reason}
    extra = {name: value for name, value in told.items() if value}
    extra |= as_agent_committer(reader, author) if wish.agent else as_committer(reader, author)
    try:
        return commit_paths(reader, message, [RepoPath(path) for path in paths], author=author, env_extra=extra)
    except GitError as error:
        raise explain_refusal(error) from error


def explain_refusal(error: GitError) -> HoardError:
    """Say why git did not commit: a signature that could not be made, or a hook and its own words."""
    said = error.output.strip()
    if _NOT_SIGNED.search(said):
        return HoardError(
            "git could not sign the commit; nothing was committed.",
            "Is the key at hand (ssh-add KEY), and was it touched? To leave the signature out, where no policy asks for it: "
            f"git config --local commit.gpgsign false\n{said}",
        )
    return HoardError("git or one of its hooks refused the commit; nothing was committed.", said or "git status")


def find_changed(reader: PlumbingReader, only: Sequence[str]) -> Changed:
    """The memory files that differ from HEAD: changed, new or deleted, below the paths of `only`; a policy only when it is named.

    Raises HoardError for a name in `only` that is no memory, for one that git ignores, and for unmerged paths.
    """
    policies = read_policies_of_worktree(reader)
    on_disk = find_memory_files(reader.root(), policies)
    out = reader.git(
        ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignored=no", "--ignore-submodules=none"),
        at_root=True,
    ).finish()
    paths = []
    for field in out.split(b"\0"):
        path = decode_path(field[3:])
        if len(field) < 4 or path.endswith("/") or not _is_wanted(path, only, policies, on_disk):
            continue
        if field[:2] == b"AD":  # staged, then deleted: as it was in HEAD
            continue
        if field[:2] in _UNMERGED:
            raise HoardError("There are unmerged paths.", "Resolve them, then: git add PATH")
        paths.append(path)
    ignored = find_ignored(reader, [path for path in on_disk if _is_below(path, only)])
    for name in only:
        if name in ignored:
            raise ignored_error(reader, name, f"git add -f -- {shell_word(name)}\nhoard commit {shell_word(name)}")
        if name and name not in paths and not any(_is_below(path, [name]) for path in [*on_disk, *paths]) and not _steers(name):
            raise HoardError(
                f"{name!r} is no memory file under this policy.",
                WHAT_IS_MEMORY,
            )
    return Changed(tuple(sorted(paths)), ignored)


def find_ignored(reader: PlumbingReader, paths: Sequence[str]) -> tuple[str, ...]:
    """Those of these untracked paths that a .gitignore keeps out of the repository. Raises HoardError for one behind a symbolic link."""
    if not paths:
        return ()
    try:
        return _ask_ignored(reader, paths)
    except GitError as error:
        if "beyond a symbolic link" in error.output:
            top = reader.root()
            parts = (path[:at] for path in paths for at, char in enumerate(path) if char == "/")
            link = next((part for part in parts if os.path.islink(f"{top}/{part}")), paths[0])  # noqa: PTH114 -- a text of git's bytes
            raise HoardError(
                f"{link!r} is a symbolic link; memory is in real folders.", f"see where it points: ls -l {shell_word(link)}"
            ) from None
        if "submodule" not in error.output:
            raise
    nested = tuple(f"{path}/" for path in find_nested(reader))  # git answers nothing at all where one path lies in another repository
    return _ask_ignored(reader, [path for path in paths if not path.startswith(nested)])


def _ask_ignored(reader: PlumbingReader, paths: Sequence[str]) -> tuple[str, ...]:
    names = b"".join(encode_path(path) + b"\0" for path in paths)
    out = reader.git(("check-ignore", "-z", "--stdin"), stdin=names, at_root=True).finish((0, 1))
    return tuple(sorted(decode_path(name) for name in out.split(b"\0") if name))


def ignored_error(reader: PlumbingReader, path: str, otherwise: str) -> HoardError:
    """The error for a path that is kept out: which line says so, and what to do where that line is to stay, '' for nothing."""
    out = reader.git(("check-ignore", "-v", "-z", "--stdin"), stdin=encode_path(path) + b"\0", at_root=True).finish((0, 1))
    source, number, pattern = [decode_path(part) for part in (*out.split(b"\0"), b"", b"", b"")[:3]]
    line = f"{source}, line {number} ({pattern})," if source else ".gitignore"
    hint = f"take that line out of {source or '.gitignore'}" + (f"; or with it there:\n{otherwise}" if otherwise else "")
    return HoardError(f"{path!r} is ignored by {line} and would not be kept.", hint)


def find_nested(reader: PlumbingReader) -> tuple[str, ...]:
    """The paths at which another repository is recorded (gitlinks), with or without a .gitmodules."""
    listed = reader.git(("ls-files", "-z", "--stage"), at_root=True).finish().split(b"\0")
    return tuple(decode_path(row.partition(b"\t")[2]) for row in listed if row.startswith(b"160000 "))


def _is_wanted(path: str, only: Sequence[str], policies: Policies, on_disk: Mapping[str, str]) -> bool:
    if _steers(path):
        return path in only
    return _is_below(path, only) and (path in on_disk or bool(classify(path, policies.govern(path))))


def _steers(path: str) -> bool:
    """Whether a path is the policy or says which files the merge driver merges: committed only by its name."""
    return is_policy(path) or path.rsplit("/", 1)[-1] == ".gitattributes"


def _is_below(path: str, only: Sequence[str]) -> bool:
    return not only or any(not wanted or path == wanted or path.startswith(wanted + "/") for wanted in only)


def _nothing(ignored: Sequence[str]) -> HoardError:
    if ignored:
        return HoardError(
            f"No memory file has changed but ignored ones, such as {ignored[0]!r}.", f"git check-ignore -v {shell_word(ignored[0])}"
        )
    return HoardError("No memory file has changed.", "git status")


def subject_for(judgement: Judgement) -> str:
    """A subject that says which fact or heading changed, not which file; with several, the first by place and how many more."""
    paths = judgement.memory_paths
    if not paths:
        return "Change the memory policy"
    changes = judgement.versions.changes
    told = [change for change in changes if not change.unit.is_heading] or list(changes)
    if not told:
        where = shorten(paths[0]) if len(paths) == 1 else f"{len(paths)} files"
        return f"Memory: layout of {where}"
    first = told[0]
    # What was taken out, or looks like a secret, is not to live on in a message.
    mute = first.after is None or any(finding.code.startswith("HG2") for finding in judgement.findings)
    what = f"a fact in {shorten(first.unit.path)}" if mute else shorten(first.unit.text)
    more = f" and {len(told) - 1} more" if len(told) > 1 else ""
    return f"Memory: {first.kind} {what}{more}"


def shorten(text: str) -> str:
    """One line of plain text for a subject: at most 50 characters, without a list marker, and with nothing that a terminal could act on."""
    line = re.sub(r"\A\s*(?:[-+*]|#{1,6}|[0-9]{1,9}[.)])\s+", "", text.strip()).split("\n", 1)[0].strip()
    shown = "".join(c if c.isprintable() else "?" for c in line)
    return shown if len(shown) <= 50 else shown[:49].rstrip() + "\u2026"
