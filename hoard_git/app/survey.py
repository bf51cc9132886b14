"""What lies in a directory before it becomes a workspace, and who would be named there: read only, before `hoard init` writes anything."""

# ruff: noqa: PTH112, PTH118, PTH119, PTH120 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import os
import re
import time
from collections import Counter
from functools import partial

from hoard_git.app.people import global_identity, local_identity
from hoard_git.app.policies import Policies
from hoard_git.app.rulesets import rules_of_worktree
from hoard_git.app.windows import read_host, read_rooms
from hoard_git.app.workspace import find_memory, list_worktree
from hoard_git.core.budget import INDEX_NAME
from hoard_git.core.files import OTHER, file_default
from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_LINK, RepoPath
from hoard_git.core.policy import DEFAULT, FILE_NAME
from hoard_git.core.provenance import count_untagged
from hoard_git.core.record import Record
from hoard_git.core.secrets import BUILTIN, find_secrets
from hoard_git.core.window import WHOLE
from hoard_git.errors import HoardError
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.process import GitError
from hoard_git.gitio.reader import Ident
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.app.hostconfig import HostConfig
    from hoard_git.app.workspace import OnDisk
    from hoard_git.core.window import Row

_SECONDS = 30.0
"""How long the secrets of one file may be looked for."""

_AUTHORS = 5000
"""Commits whose authors are counted."""

_AGENT_WORD = re.compile(r"(?<![a-z])(?:agents?|bot|claw[a-z]*|claude|codex|gemini|letta|openclaw|assistant)(?![a-z])", re.IGNORECASE)


class Secret(Record):
    """A credential by its kind and place; the value is not kept."""

    path: str
    line: int
    kind: str


class Proposed(Record):
    """A proposed value and where it comes from, in a few words."""

    person: Ident
    why: str


class Survey(Record):
    """What was found, and what is proposed.

    `classes` are counts by file class, `untagged` entries in `untagged_paths`. `over` are the files that a host would not load whole, by the
    budget `budget`. `secrets` are certain ones, by path and line. `unread` are paths with the reason why they could not be read. `human` is None
    where nobody could be found. `elsewhere` are further folders with an index, which are no part of this workspace. `profile` is the budget profile of the host's configuration, '' without one, and `profile_why` its file.
    """

    root: str
    classes: tuple[tuple[str, int], ...]
    entries: int
    untagged: int
    untagged_paths: tuple[str, ...]
    budget: str
    over: tuple[Row, ...]
    secrets: tuple[Secret, ...]
    unread: tuple[tuple[str, str], ...]
    human: Proposed | None
    agent: Proposed | None
    profile: str
    profile_why: str
    elsewhere: tuple[str, ...] = ()

    @property
    def files(self) -> int:
        """How many memory files there are."""
        return sum(number for _name, number in self.classes)


def read_survey(directory: str) -> Survey | None:
    """Look at a directory that has no policy yet; None where there is one, no memory, or no directory. Writes nothing, a repository neither.

    Raises GitError when git cannot say whether this is a repository.
    """
    if not os.path.isdir(directory):
        return None
    reader = PlumbingReader(directory)
    try:
        root = reader.root()
    except GitError as error:
        if "not a git repository" not in error.output:
            raise
        return _survey(reader, os.path.realpath(directory), "")
    if root == reader.git_dir() or _is_governed(reader, root, directory):
        return None
    inside = os.path.relpath(os.path.realpath(directory), os.path.realpath(root)).replace(os.sep, "/")
    return _survey(PlumbingReader(root), root, "" if inside == "." else inside + "/")


def _is_governed(reader: PlumbingReader, root: str, directory: str) -> bool:
    """Whether a policy lies in the directory or one above it, or the current commit has one."""
    at, top = os.path.realpath(directory), os.path.realpath(root)
    while True:
        if os.path.lexists(os.path.join(at, FILE_NAME)):
            return True
        if at == top or not at.startswith(top):
            break
        at = os.path.dirname(at)
    head = reader.head()
    return head is not None and bool(PlumbingReader(root).tree(head, [RepoPath(FILE_NAME)]))


def _survey(reader: PlumbingReader, root: str, prefix: str) -> Survey | None:
    policy = DEFAULT._replace(prefix=prefix)
    policies = Policies(((prefix, policy),))
    memory = {path: found for path, found in find_memory(root, policies).items() if path.startswith(prefix)}
    if not memory:
        return None
    unread: list[tuple[str, str]] = []
    seen = _Seen(root, prefix, unread)
    for path, found in memory.items():
        seen.look(path, found)
    try:
        host = read_host(root, prefix)
        rooms = read_rooms(root, policies, memory)
    except HoardError as error:
        unread.append(("openclaw.json", error.message))
        host, rooms = None, []
    return Survey(
        root,
        tuple(Counter(found.file_class for found in memory.values()).items()),
        seen.entries,
        sum(seen.untagged.values()),
        tuple(path for path, number in seen.untagged.items() if number),
        rooms[0].window.budget.name if rooms else "",
        tuple(row for room in rooms for row in room.window.rows if row.outcome != WHOLE),
        tuple(seen.secrets),
        tuple(unread),
        *_people(reader, host),
        host.profile if host is not None else "",
        host.path if host is not None else "",
        _elsewhere(reader, prefix, memory),
    )


def _elsewhere(reader: PlumbingReader, prefix: str, memory: Mapping[str, OnDisk]) -> tuple[str, ...]:
    """Folders below, sorted, that git knows to hold a MEMORY.md which is no memory of this workspace; none where git knows nothing."""
    try:
        listed = list_worktree(reader, *((f":(literal){prefix}",) if prefix else ()))
    except GitError:
        return ()
    return tuple(sorted(path.rpartition("/")[0] for path in listed if path.endswith("/" + INDEX_NAME) and path not in memory))


class _Seen:
    """What the files hold, counted one after the other."""

    def __init__(self, root: str, prefix: str, unread: list[tuple[str, str]]) -> None:
        self.root = root
        self.policy = DEFAULT._replace(prefix=prefix)
        self.entries = 0
        self.untagged: dict[str, int] = {}
        self.secrets: list[Secret] = []
        self.unread = unread
        try:
            self.rules = rules_of_worktree(prefix, partial(read_file, root))
        except HoardError as error:
            unread.append((".gitleaks.toml", error.message))
            self.rules = None

    def look(self, path: str, found: OnDisk) -> None:
        try:
            data = read_file(self.root, RepoPath(path)) if found.mode != MODE_LINK else None
            if data is None:
                return
            document = parse(data)
            rules = self.rules.rules.for_path(path) if self.rules is not None else BUILTIN
            for match in find_secrets(document.lines, rules=rules, clock=time.monotonic, budget=_SECONDS):
                if match.certain:
                    self.secrets.append(Secret(path, match.line, match.what))
        except HoardError as error:
            self.unread.append((path, error.message.removeprefix(f"{path} ")))
            return
        if found.file_class == OTHER:
            return
        self.entries += len(document.entries)
        if found.file_class != "archive":
            self.untagged[path] = count_untagged(document, file_default(path, found.file_class, self.policy))


def _people(reader: PlumbingReader, host: HostConfig | None) -> tuple[Proposed | None, Proposed | None]:
    """Who the human and the agent may be: by git's configuration, then by the authors of the history, then by the host; None for nobody."""
    authors = _authors(reader)
    mine, local = global_identity(reader), local_identity(reader)
    human = Proposed(mine, "your global git identity") if mine is not None else None
    others = [person for person in authors if human is None or person.email.lower() != human.person.email.lower()]
    bots = [person for person in others if _AGENT_WORD.search(f"{person.name} {person.email}")]
    if human is None:
        people = [person for person in others if person not in bots]
        human = Proposed(people[0], f"wrote {authors[people[0]]} of the latest commits") if people else None
    if local is not None and (human is None or local.email.lower() != human.person.email.lower()):
        return human, Proposed(local, "this repository's git identity")
    if bots:
        return human, Proposed(bots[0], f"wrote {authors[bots[0]]} of the latest commits")
    name = _host_name(host)
    if name and host is not None:
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
        return human, Proposed(Ident(name, f"{slug or 'agent'}@agents.invalid"), f"named in {os.path.basename(host.path)}")
    return human, None


def _host_name(host: HostConfig | None) -> str:
    """The agent's name by the host's configuration, where it can be an author's."""
    if host is None:
        return ""
    name = dict(host.identity).get("name", "").strip() or host.agent
    return name if name.isprintable() and len(name) <= 60 and not set(name) & set("<>\"'\\") else ""


def _authors(reader: PlumbingReader) -> Mapping[Ident, int]:
    """The authors of the latest commits, the most frequent first; empty without a history."""
    try:
        if reader.head() is None:
            return {}
        out = reader.git(("log", f"--max-count={_AUTHORS}", "--format=%an%x00%ae")).finish()
    except GitError:
        return {}
    lines = [line.partition("\0") for line in out.decode("utf-8", "replace").split("\n") if line]
    good = [Ident(name, email) for name, _nul, email in lines if name.isprintable() and email.isprintable() and "@" in email]
    return dict(Counter(good).most_common())
