"""`hoard context`: what a session begins with. In a group nothing of the user, of people or of MEMORY.md is in it (core.privacy)."""

from __future__ import annotations

from hoard_git.app.recall_sync import read_text, search_class
from hoard_git.app.spaces import choose_space, find_spaces, space_of
from hoard_git.app.windows import budget_here, read_host
from hoard_git.app.workspace import find_memory, read_policies_of_worktree
from hoard_git.core.budget import LINES
from hoard_git.core.files import file_default, log_day
from hoard_git.core.freshness import EXPIRED, STALE, expiry_day, freshness
from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_LINK, RepoPath
from hoard_git.core.passages import bare
from hoard_git.core.privacy import Secrets, Shown, is_private_file, private_texts, sift
from hoard_git.core.provenance import provenances
from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hoard_git.app.clock import Days
    from hoard_git.core.document import Document
    from hoard_git.core.policy import Policy
    from hoard_git.core.tags import Tag
    from hoard_git.gitio.plumbing import PlumbingReader

MAIN, GROUP = "main", "group"

_ORDER = ("SOUL.md", "USER.md", "HEARTBEAT.md")
_NOTED = ("index", "topic", "daily", "heartbeat", "identity", "wiki")
_MOST_NOTICES = 10
_DEFAULT_BUDGET = 60_000


class Part(Record):
    """One file of the bundle. `lines` are the whole file's; `shown` what of it may be shown, in order; `withheld` counts entries kept back."""

    path: str
    what: str
    lines: tuple[str, ...]
    shown: tuple[Shown, ...]
    withheld: int = 0


class Notice(Record):
    """An entry that has outlived its time; `until` is the last day on which it counted as fresh."""

    path: str
    line: int
    end_line: int
    text: str
    state: str
    until: str
    lines: tuple[str, ...]


class Bundle(Record):
    """Everything, in the order in which it is shown; `absent` are files that could not be read, with the reason, and `more` further notices."""

    session: str
    notices: tuple[Notice, ...]
    more: int
    parts: tuple[Part, ...]
    absent: tuple[tuple[str, str], ...]
    budget: int


class _Memory(Record):
    """One readable memory file."""

    path: str
    local: str
    file_class: str
    lines: tuple[str, ...]
    document: Document
    default: Tag | None
    policy: Policy


def read_bundle(reader: PlumbingReader, session: str, days: Callable[[Policy], Days], directory: str = "") -> Bundle:
    """Read what a session begins with, from the work tree. Raises HoardError where there are several workspaces and none around `directory`."""
    policies = read_policies_of_worktree(reader)
    space = choose_space(policies, directory)
    if space is None:
        names = ", ".join(name or "." for name in find_spaces(policies))
        raise HoardError("This repository holds several workspaces.", f"hoard -C DIR context, where DIR is one of {names}")
    policy = policies.govern(space)
    today = days(policy).today
    absent: list[tuple[str, str]] = []
    files = list(_read(reader, space, absent))
    chosen = [(what, file) for file in files if (what := _role(file, today))]
    chosen.sort(key=lambda pair: (_rank(pair[0]), pair[1].path))
    if session == GROUP:
        secrets = Secrets()
        for file in files:
            for text in private_texts(file.document, file.default, whole=is_private_file(file.local, file.file_class)):
                secrets.add(text)
        parts = [part for what, file in chosen if (part := _for_group(what, file, secrets)) is not None]
        noted = [notice for part in parts for file in files if file.path == part.path for notice in _notices(file, today, part.shown)]
    else:
        parts = [Part(file.path, what, file.lines, (Shown(1, len(file.lines)),)) for what, file in chosen]
        noted = [notice for file in files if file.file_class in _NOTED for notice in _notices(file, today, None)]
    noted.sort(key=lambda notice: (notice.state != EXPIRED, notice.until, notice.path, notice.line))
    return Bundle(
        session,
        tuple(noted[:_MOST_NOTICES]),
        max(0, len(noted) - _MOST_NOTICES),
        tuple(parts),
        tuple(absent),
        _budget(reader.root(), space, policy),
    )


def _read(reader: PlumbingReader, space: str, absent: list[tuple[str, str]]) -> Iterator[_Memory]:
    policies = read_policies_of_worktree(reader)
    spaces = find_spaces(policies)
    for path, found in find_memory(reader.root(), policies).items():
        if space_of(path, spaces) != space:
            continue
        policy = policies.govern(path)
        if found.mode == MODE_LINK:
            absent.append((path, "is a symlink, which is not followed"))
            continue
        file_class = search_class(path, found.file_class, policy)
        if not file_class:
            continue
        try:
            raw = read_file(reader.root(), RepoPath(path))
            if raw is None:
                continue
            data = read_text(raw, path)
        except HoardError as error:
            absent.append((path, error.message.rstrip(".")))
            continue
        lines = data.decode("utf-8", "surrogateescape").split("\n")
        shown = tuple(lines[:-1] if lines[-1] == "" else lines)
        yield _Memory(path, path[len(space) :], file_class, shown, parse(data), file_default(path, file_class, policy), policy)


def _role(file: _Memory, today: int) -> str:
    """What a file is in the bundle, '' when it is not in it."""
    if file.file_class == "index":
        return "memory"
    if file.local in _ORDER:
        return file.local
    day = log_day(file.path) if file.file_class == "daily" else None
    return {today: "today", today - 1: "yesterday"}.get(day, "") if day is not None else ""


def _rank(what: str) -> int:
    return (*_ORDER, "today", "yesterday", "memory").index(what)


def _for_group(what: str, file: _Memory, secrets: Secrets) -> Part | None:
    if is_private_file(file.local, file.file_class):
        return None
    sifted = sift(file.document, file.default, secrets)
    return Part(file.path, what, file.lines, sifted.shown, sifted.withheld)


def _notices(file: _Memory, today: int, shown: tuple[Shown, ...] | None) -> Iterator[Notice]:
    """Entries past their time; in a group only those that are shown."""
    for entry, claim in zip(file.document.entries, provenances(file.document, file.default), strict=True):
        state = freshness(claim, file.policy, today)
        if state not in (STALE, EXPIRED) or (shown is not None and Shown(entry.line, entry.end_line) not in shown):
            continue
        text = bare(entry.text)
        if text:
            yield Notice(file.path, entry.line, entry.end_line, text, state, expiry_day(claim, file.policy), file.lines)


def _budget(root: str, top: str, policy: Policy) -> int:
    """Characters that the host loads at most, by its own configuration, else by the policy's profile or numbers."""
    try:
        host = read_host(root, top)
    except HoardError:  # hoard doctor says what is wrong with it
        host = None
    total = budget_here(policy, host).total
    return _DEFAULT_BUDGET if total is None or total.unit == LINES else total.amount
