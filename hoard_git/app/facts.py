"""`hoard add`: one fact written down and committed. Whatever refuses it, the file is as it was before."""

# ruff: noqa: PTH119 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shlex

from hoard_git.app.proposal import judge_paths
from hoard_git.app.spaces import choose_among
from hoard_git.app.workspace import find_memory_files, is_markdown, read_policies_of_worktree
from hoard_git.app.write import commit_judged, find_author, find_changed, find_ignored, ignored_error, refuse_errors, writing
from hoard_git.core.dates import format_day
from hoard_git.core.files import OTHER, classify, index_name, roots_of
from hoard_git.core.model import Oid, RepoPath
from hoard_git.core.placing import place_entry
from hoard_git.core.record import Record
from hoard_git.core.shellwords import shell_word
from hoard_git.core.tags import Tag, find_value_problem
from hoard_git.errors import HoardError
from hoard_git.gitio.worktree import read_file, remove_file, write_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hoard_git.app.clock import Days
    from hoard_git.app.policies import Policies
    from hoard_git.app.write import Wish
    from hoard_git.core.model import Finding
    from hoard_git.core.placing import Placed
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
_TRIES = 20


class Fact(Record):
    """A fact to write; `path` is a repository path, '' for the index of the workspace that `directory` (a repository path) lies in."""

    text: str
    src: str
    ttl: str = ""
    evidence: str = ""
    heading: str = ""
    path: str = ""
    directory: str = ""


class Added(Record):
    """A fact that was written: where, under which id, in which commit (None with --no-commit)."""

    path: str
    line: int
    id: str
    oid: Oid | None
    findings: tuple[Finding, ...] = ()


def add_fact(
    reader: PlumbingReader, fact: Fact, wish: Wish, days: Callable[[Policy], Days], environ: Mapping[str, str], *, commit: bool
) -> Added:
    """Write one entry and commit it, and nothing else. Raises Refused when the gate objects, HoardError when git does.

    A file that somebody changes at the same moment is read again, so neither side loses a line.
    """
    fact = fact._replace(text=fact.text.strip(), heading=re.sub(r"#{1,6}(?:\s+|$)", "", fact.heading.strip(), count=1).strip())
    check_fact(fact)
    if wish.agent and fact.src == "user":
        raise HoardError("An agent does not write what the user says.", "src: agent, tool, web or dig; the user: hoard add TEXT --src user")
    policies = read_policies_of_worktree(reader)
    path = RepoPath(fact.path or index_of(policies, fact.directory))
    _check_workspace(policies, path)
    policy = policies.govern(path)
    if classify(path, policy) in ("", OTHER) or not is_markdown(path):
        raise HoardError(f"{path!r} is no memory file under this policy.", "hoard add … --file memory/TOPIC.md")
    if find_ignored(reader, [path]):
        raise ignored_error(reader, path, "hoard add \u2026 --file MEMORY.md")
    today = format_day(days(policy).today)
    with writing(reader):
        tag = Tag(fact.src, today, fact.ttl, fresh_id(reader, policies), fact.evidence)
        author = find_author(reader, [path], human=wish.human or fact.src == "user", agent=wish.agent)
        for _ in range(_TRIES):
            old = read_file(reader.root(), path)
            if commit and path in find_changed(reader, [path] if old is not None else []).paths:
                hint = f"hoard commit {shell_word(path)}        untagged lines first: hoard tag {shell_word(path)}"
                raise HoardError(f"{path} has changes that are not committed.", hint)
            placed = place_entry(old or b"", fact.text, tag, fact.heading, _title(path))
            judgement = judge_paths(reader, [path], author, days, environ, {path: placed.data}, actor=wish.actor)
            ours = tuple(finding for finding in judgement.findings if commit or _is_ours(finding, path, placed))
            refuse_errors(judgement._replace(findings=ours), always=wish.agent)
            if _write(reader.root(), path, placed.data, old):
                break
        else:
            raise HoardError(f"{path} changes all the time; nothing was written.", "Run the same command again.")
        if not commit:
            return Added(path, placed.line, tag.id, None, ours)
        short = fact.text if len(fact.text) <= 60 else fact.text[:59] + "\u2026"
        try:
            oid = commit_judged(reader, judgement, [path], wish._replace(message=wish.message or f"Memory: {short}"), author)
        except BaseException:
            take_back(reader.root(), path, placed, old)
            raise
    return Added(path, placed.line, tag.id, oid, judgement.findings)


def _check_workspace(policies: Policies, path: str) -> None:
    """Raise HoardError for a file that no policy governs: nothing would be judged there."""
    if any(path.startswith(prefix) for prefix, _policy in policies.by_prefix):
        return
    if not policies.known:
        raise HoardError("This is no workspace: there is no .hoard.yaml.", "hoard init")
    below = policies.by_prefix[0][0].rstrip("/")
    raise HoardError(
        f"{path!r} lies in no workspace; there is one in {below!r}.",
        f"hoard -C {shlex.quote(below)} add …        or make one here: hoard init",
    )


def check_fact(fact: Fact) -> None:
    """Raise HoardError for what cannot stand in a tag or on one line."""
    if not fact.text:
        raise HoardError("The text is empty.", "hoard add 'Backups run at 03:30' --src agent")
    if not all(c.isprintable() for c in fact.text):
        raise HoardError("A fact is one line of text.", "hoard add 'Backups run at 03:30' --src agent")
    if "<!--" in fact.text or "-->" in fact.text:
        raise HoardError("A fact holds no comment; its tag is written for it.", "Leave out <!-- and -->.")
    values = {"src": fact.src, "ts": "unknown"} | ({"ttl": fact.ttl} if fact.ttl else {}) | ({"ev": fact.evidence} if fact.evidence else {})
    problem = find_value_problem(values)
    if problem:
        raise HoardError(f"{problem[0].upper()}{problem[1:]}.", "hoard add --help")
    if not all("!" <= c <= "~" for c in fact.evidence):
        raise HoardError("Evidence is one word of printable ASCII, such as a path or an address.", "hoard add --help")
    if not all(c.isprintable() for c in fact.heading):
        raise HoardError("A heading is one line of text.", "hoard add --help")


def index_of(policies: Policies, directory: str) -> str:
    """The index file of the workspace that a directory of the repository lies in. Raises HoardError when there are several to choose from."""
    policy = policies.govern(directory + "/" if directory else "")
    name = index_name(policy)
    roots = roots_of(policy)
    root = choose_among(roots, directory)
    if root is None:
        raise HoardError("This repository holds several workspaces.", f"hoard add … --file {shlex.quote(roots[0] + name)}")
    return root + name


def take_back(root: str, path: RepoPath, placed: Placed, old: bytes | None) -> None:
    """Undo the writing after a refused commit: put the old bytes back, or, when somebody has written since, take only our lines out."""
    for _ in range(_TRIES):
        now = read_file(root, path)
        if now is None:
            return
        fresh = old if now == placed.data else _without(now, placed)
        if fresh == now:
            return
        with contextlib.suppress(HoardError):  # changed again between reading and writing
            if fresh is None:
                remove_file(root, path, now)
            else:
                write_file(root, path, fresh, now)
            return


def _without(now: bytes, placed: Placed) -> bytes:
    ours = b"\n".join(placed.data.split(b"\n")[placed.first - 1 : placed.last]) + b"\n"
    entry = placed.data.split(b"\n")[placed.line - 1] + b"\n"
    return now.replace(ours, b"", 1) if ours in now else now.replace(entry, b"", 1)


def _write(root: str, path: RepoPath, data: bytes, old: bytes | None) -> bool:
    """Write the file; false when somebody else was faster."""
    try:
        write_file(root, path, data, old)
    except HoardError:
        if read_file(root, path) == old:
            raise
        return False
    return True


def _is_ours(finding: Finding, path: str, placed: Placed) -> bool:
    return finding.path == path and placed.first <= finding.line <= placed.last


def _title(path: str) -> str:
    name = os.path.basename(path)
    return name if name == "MEMORY.md" else name.removesuffix(".md")


def fresh_id(reader: PlumbingReader, policies: Policies) -> str:
    """An id that no memory file of the work tree holds."""
    root = reader.root()
    texts = []
    for path in find_memory_files(root, policies):
        with contextlib.suppress(HoardError):  # a link or an unreadable file holds no id of ours
            texts.append(read_file(root, RepoPath(path)) or b"")
    while True:
        mark = "".join(secrets.choice(_LETTERS) for _ in range(6))
        if not any(f"id:{mark}".encode() in text for text in texts):
            return mark
