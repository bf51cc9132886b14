"""`hoard context`: what a session begins with. In a group nothing of the user, of people or of MEMORY.md is in it (core.privacy)."""

from __future__ import annotations

from hoard_git.app.reading import claims_of
from hoard_git.app.recall_sync import read_text, search_class
from hoard_git.app.spaces import choose_space, find_spaces, space_of
from hoard_git.app.windows import budget_here, read_host
from hoard_git.app.workspace import find_memory, read_policies_of_worktree
from hoard_git.app.write import find_changed
from hoard_git.core.budget import LINES
from hoard_git.core.files import classify, file_default, log_day
from hoard_git.core.freshness import EXPIRED, STALE, expiry_day, freshness
from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_LINK, RepoPath
from hoard_git.core.passages import bare
from hoard_git.core.privacy import Shown, add_private, is_about_people, is_private_file, names_of, sift
from hoard_git.core.provenance import provenances
from hoard_git.core.record import Record
from hoard_git.core.retelling import Secrets
from hoard_git.errors import HoardError
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.app.policies import Policies
    from hoard_git.core.document import Document
    from hoard_git.core.policy import Policy
    from hoard_git.core.provenance import Provenance
    from hoard_git.core.tags import Tag
    from hoard_git.gitio.plumbing import PlumbingReader

MAIN, GROUP = "main", "group"

_ORDER = ("SOUL.md", "USER.md", "HEARTBEAT.md")
_NOTED = ("index", "topic", "daily", "heartbeat", "identity", "wiki")
_MOST_NOTICES = 10
_DEFAULT_BUDGET = 60_000


class Part(Record):
    """One file of the bundle. `lines` are the whole file's; `shown` what of it may be shown, in order; `withheld` counts entries kept back.

    `claims` are its entries in order: first and last line, and what they claim. `committed` says whether HEAD has the file as it is; None: unknown.
    """

    path: str
    what: str
    lines: tuple[str, ...]
    shown: tuple[Shown, ...]
    withheld: int = 0
    claims: tuple[tuple[int, int, Provenance], ...] = ()
    committed: bool | None = None


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
        raise HoardError("This repository holds several workspaces.", f"hoard -C DIR context    where DIR is one of {names}")
    policy = policies.govern(space)
    today = days(policy).today
    absent: list[tuple[str, str]] = []
    files = list(_read(reader, policies, space, absent, unclassed=session == GROUP))
    chosen = [(what, file) for file in files if (what := _role(file, today))]
    chosen.sort(key=lambda pair: (_rank(pair[0]), pair[1].path))
    if session == GROUP:
        secrets = _secrets(files)
        absent = _tellable(absent, space, policies, secrets)
        parts = [part for what, file in chosen if (part := _for_group(what, file, secrets)) is not None]
        noted = [notice for part in parts for file in files if file.path == part.path for notice in _notices(file, today, part.shown)]
    else:
        parts = [
            Part(file.path, what, file.lines, (Shown(1, len(file.lines)),), 0, claims_of(file.document, file.default))
            for what, file in chosen
        ]
        noted = [notice for file in files if file.file_class in _NOTED for notice in _notices(file, today, None)]
    noted.sort(key=lambda notice: (notice.state != EXPIRED, notice.until, notice.path, notice.line))
    return Bundle(
        session,
        tuple(noted[:_MOST_NOTICES]),
        max(0, len(noted) - _MOST_NOTICES),
        tuple(_with_state(reader, parts)),
        tuple(absent),
        _budget(reader.root(), space, policy),
    )


def _secrets(files: Sequence[_Memory]) -> Secrets:
    """What must not be shown in a group."""
    secrets = Secrets()
    for file in files:
        add_private(secrets, file.document, file.default, whole=is_private_file(file.local, file.file_class))
        if is_about_people(file.local):
            secrets.add_names(names_of(file.local, file.document))
    return secrets


def _tellable(absent: Sequence[tuple[str, str]], space: str, policies: Policies, secrets: Secrets) -> list[tuple[str, str]]:
    """Of the files that could not be read those whose names may be told. Raises HoardError where one of the others would be private as a whole.

    Nobody knows what such a file says, so nobody could keep back what repeats it.
    """
    for path, reason in absent:
        local = path[len(space) :]
        file_class = classify(path, policies.govern(path))
        if is_private_file(local, file_class):
            name = path if local in _ORDER or file_class == "index" else "A page about people"
            raise HoardError(
                f"{name} {reason}, so what repeats it cannot be kept back from a group.", "hoard doctor        by yourself: hoard context"
            )
    return [(path, reason) for path, reason in absent if not secrets.repeats(_name(path))]


def _name(path: str) -> str:
    """The words of a file's name, without its date."""
    name = path.rsplit("/", 1)[-1].removesuffix(".md").replace("-", " ").replace("_", " ")
    return name.lstrip("0123456789 ")


def _read(reader: PlumbingReader, policies: Policies, space: str, absent: list[tuple[str, str]], *, unclassed: bool) -> Iterator[_Memory]:
    """Every readable memory file of a workspace; `unclassed` adds pages such as memory/people/clara.md, which no session loads but a group must not hear of."""
    spaces = find_spaces(policies)
    for path, found in find_memory(reader.root(), policies).items():
        if space_of(path, spaces) != space:
            continue
        policy = policies.govern(path)
        file_class = search_class(path, found.file_class, policy)
        if not file_class and unclassed and path.lower().endswith((".md", ".markdown")):
            file_class = found.file_class
        if found.mode == MODE_LINK and (file_class or not unclassed):
            absent.append((path, "is a symlink, which is not followed"))
            continue
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
    if is_private_file(file.local, file.file_class) or secrets.repeats(_name(file.local)):
        return None
    sifted = sift(file.document, file.default, secrets)
    return Part(file.path, what, file.lines, sifted.shown, sifted.withheld, claims_of(file.document, file.default))


def _with_state(reader: PlumbingReader, parts: Sequence[Part]) -> list[Part]:
    """The parts, each with whether git has what it says."""
    try:
        changed = find_changed(reader, ())
    except HoardError:  # unmerged paths; hoard status says which
        return list(parts)
    loose = {*changed.paths, *changed.ignored}
    return [part._replace(committed=part.path not in loose) for part in parts]


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
