"""`hoard init`: makes or adopts a workspace, and says what it did and what it left alone."""

# ruff: noqa: PTH100, PTH103, PTH106, PTH112, PTH118, PTH119, PTH120 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import sys

import hoard_git
from hoard_git.app.baseline import commit_as, record_as_found
from hoard_git.app.clock import machine_zone
from hoard_git.app.keychange import Listed, Workplace, list_key
from hoard_git.app.message import expected_for
from hoard_git.app.people import (
    global_identity,
    ident_of,
    init_command,
    listed_humans,
    local_identity,
    parse_people,
    remember_human,
    same_address,
    signs_by_habit,
)
from hoard_git.app.policies import check_data, load_yaml
from hoard_git.app.policyedit import find_human
from hoard_git.app.proposal import judge_paths
from hoard_git.app.signkey import configure, read_sign_key, why_unreachable
from hoard_git.app.starter import actor_line, attributes_text, heartbeat_text, memory_text, policy_text
from hoard_git.app.workspace import find_memory, read_policies_of_worktree
from hoard_git.app.write import explain_refusal
from hoard_git.core.dates import format_day
from hoard_git.core.model import Oid, RepoPath
from hoard_git.core.policy import DEFAULT, FILE_NAME, Policy
from hoard_git.core.record import Record
from hoard_git.core.trailers import append_trailers
from hoard_git.core.trust import find_marker
from hoard_git.errors import HoardError
from hoard_git.gitio.bare import require_files
from hoard_git.gitio.mergedriver import ATTRIBUTES, install_driver
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.process import GitError, run
from hoard_git.gitio.reader import Ident
from hoard_git.gitio.worktree import read_file, remove_file, write_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.app.signkey import SignKey

_TWO_WAYS = (
    'git config --global user.email "you@example.org" && git config --global user.name "Your Name"\n'
    'or: hoard init --human "Your Name <you@example.org>"'
)


class Choices(Record):
    """What the user asked for; empty strings mean "find out". `tags` says that tags are what comes next."""

    human: str = ""
    agent: str = ""
    warn: bool = False
    commit: bool = True
    baseline: bool = False
    sign_key: str = ""
    budgets: str = ""
    tags: bool = False
    starters: bool = True


class Outcome(Record):
    """What was done and what was left alone, one line each; the top of the repository; the new commit, if one was made; what comes next."""

    root: str
    done: tuple[str, ...]
    left: tuple[str, ...]
    oid: Oid | None
    next: tuple[str, ...]


class Place(Record):
    """Where a workspace is: its repository, and its directory in there ('' or ending in '/')."""

    reader: PlumbingReader
    prefix: str
    made: bool


class _Run(Record):
    """One run: what was asked for, where, and what is to be told."""

    place: Place
    choices: Choices
    days: Callable[[Policy], Days]
    environ: Mapping[str, str]
    done: list[str]
    left: list[str]
    key: SignKey | None = None


class Actors(Record):
    """The two that a first policy lists; `human` is None when nobody could be found and the policy is there already."""

    human: Ident | None
    agent: Ident


def set_up(directory: str, choices: Choices, days: Callable[[Policy], Days], environ: Mapping[str, str]) -> Outcome:
    """Make or adopt a workspace; running it again changes nothing. Hooks are the caller's next step.

    The directory may be a repository, a folder of one (which then gets a policy of its own, unless one above it governs already and
    nothing was asked for), or neither yet. Memory that git does not know is first committed as it was found, where there is no commit yet or
    `baseline` asks for it: from then on git shows what became of it. Raises HoardError; then no files and no repository are left behind.
    """
    person, bot = parse_people(choices.human, choices.agent)
    given = Actors(person, bot or Ident("", ""))
    key = read_sign_key(choices.sign_key) if choices.sign_key else None
    missing = _missing_directories(directory)
    place = open_or_make(directory)
    try:
        done = [f"made a git repository in {place.reader.root()}"] if place.made else []
        it = _Run(place, choices, days, environ, done, [], key)
        actors = _find_actors(place, given)
        marker = find_marker(environ, DEFAULT.agent_markers)
        who = actors.human if choices.commit and not marker else None
        told = record_as_found(place.reader, place.prefix, who, days, asked=choices.baseline)
        it.done.extend(told.done)
        it.left.extend(told.left)
        texts = _missing_files(it, actors)
        oid = _write_and_commit(it, texts, actors.human)
        oid = _set_key(it, actors.human, texts) or oid
    except BaseException:
        if place.made and place.reader.head() is None:
            _unmake(place, missing)
        raise
    _set_agent(it, actors, given)
    _set_human(it, actors.human, given.human)
    _set_driver(it)
    return Outcome(place.reader.root(), tuple(it.done), tuple(it.left), oid, _next_steps(place, texts))


def _missing_directories(directory: str) -> list[str]:
    """The directories that have to be made for this one, innermost first."""
    missing, at = [], os.path.abspath(directory)
    while not os.path.lexists(at):
        missing.append(at)
        at = os.path.dirname(at)
    return missing


def _unmake(place: Place, directories: Sequence[str]) -> None:
    """Take back a repository that was made a moment ago and holds no commit, and directories that were made for it."""
    shutil.rmtree(place.reader.git_dir(), ignore_errors=True)
    with contextlib.suppress(OSError):
        for directory in directories:
            os.rmdir(directory)


def open_or_make(directory: str) -> Place:
    """Open the repository around a directory, or make one there. Raises HoardError when that cannot be."""
    try:
        os.makedirs(directory, exist_ok=True)
    except OSError as error:
        raise HoardError(f"{directory!r} cannot be made: {error.strerror}.", "hoard init DIR") from error
    reader = PlumbingReader(directory)
    made = False
    try:
        reader.git_dir()
    except GitError as error:
        if "not a git repository" not in error.output:
            raise
        run(("init", "-q"), cwd=directory)
        reader, made = PlumbingReader(directory), True
    root = reader.root()
    require_files(reader, "hoard init")
    inside = os.path.relpath(os.path.realpath(directory), os.path.realpath(root)).replace(os.sep, "/")
    return Place(PlumbingReader(root), "" if inside == "." else _governed_by(root, inside + "/"), made)


def _governed_by(root: str, prefix: str) -> str:
    """The nearest directory at or above `prefix` that has a policy; `prefix` itself when there is none."""
    at = prefix
    while at:
        if os.path.lexists(os.path.join(root, at, FILE_NAME)):
            return at
        at = at[: at.rstrip("/").rfind("/") + 1]
    return "" if os.path.lexists(os.path.join(root, FILE_NAME)) else prefix


def _find_actors(place: Place, given: Actors) -> Actors:
    """Who the policy names. Raises HoardError when a first policy cannot name the human, or would confuse the two."""
    reader = place.reader
    existing = read_file(reader.root(), RepoPath(place.prefix + FILE_NAME))
    local = local_identity(reader)
    human = given.human or global_identity(reader)
    if existing is not None:
        policy = check_data(load_yaml(existing, place.prefix + FILE_NAME), place.prefix + FILE_NAME)
        listed = next((rule for rule in policy.actors if rule.kind == "agent" and rule.emails), None)
        agent = Ident(listed.name or listed.emails[0], listed.emails[0]) if listed is not None else None
        return Actors(human, given.agent if given.agent.email else agent or local or _made_up(reader, place.prefix))
    if human is None:
        raise HoardError("git does not know who you are, and the policy has to name you.", _TWO_WAYS)
    same = local is not None and local.email.lower() == human.email.lower()
    agent = given.agent if given.agent.email else _made_up(reader, place.prefix) if local is None or same else local
    if human.email.lower() == agent.email.lower():
        raise same_address(human)
    return Actors(human, agent)


def _made_up(reader: PlumbingReader, prefix: str) -> Ident:
    """An identity from the directory's name, under a domain that exists nowhere (RFC 2606)."""
    folder = os.path.basename(os.path.join(reader.root(), prefix).rstrip("/"))
    name = re.sub(r"[^a-z0-9]+", "-", folder.lower()).strip("-") or "workspace"
    return Ident(f"{name} agent", f"agent@{name}.invalid")


def _missing_files(it: _Run, actors: Actors) -> dict[str, bytes]:
    """The starter files that are not there yet, by repository path."""
    today = format_day(it.days(DEFAULT).today)
    place = it.place
    texts = {"MEMORY.md": memory_text(today), "HEARTBEAT.md": heartbeat_text()} if it.choices.starters else {}
    unwanted = set(texts) if _keeps_memory(place) else set()
    key = it.key.line if it.key is not None else ""
    if actors.human is not None:
        texts = {
            FILE_NAME: policy_text(
                actors.human, actors.agent, secrets.token_hex(8), machine_zone(), warn=it.choices.warn, key=key, budgets=it.choices.budgets
            ),
            **texts,
        }
    missing = {}
    for name, text in texts.items():
        path = place.prefix + name
        if not os.path.lexists(os.path.join(place.reader.root(), path)):
            if name not in unwanted:
                missing[path] = text.encode()
            continue
        untagged = "" if it.choices.tags else " (if it has untagged content: hoard tag)"
        notes = {"MEMORY.md": untagged, FILE_NAME: " (its mode and actors stay as they are)"}
        it.left.append(f"{path} is there already{notes.get(name, '')}")
    if FILE_NAME not in texts:
        it.left.append(f"{place.prefix}{FILE_NAME} is there already")
    _add_attributes(it, missing)
    if place.prefix + FILE_NAME not in missing and _is_uncommitted(place.reader, place.prefix + FILE_NAME):
        name = place.prefix + FILE_NAME
        it.left.append(f"{name} is not committed as it stands, so it is not in force yet: hoard commit --human {name}")
    return missing


def _keeps_memory(place: Place) -> bool:
    """Whether there is a policy and memory under it: what is not there then was left out, taken away, or is called otherwise."""
    reader = place.reader
    if not os.path.lexists(os.path.join(reader.root(), place.prefix + FILE_NAME)):
        return False
    found = find_memory(reader.root(), read_policies_of_worktree(reader))
    return any(path.startswith(place.prefix) and file.file_class in ("index", "topic", "daily") for path, file in found.items())


def _set_key(it: _Run, human: Ident | None, texts: Mapping[str, bytes]) -> Oid | None:
    """List the key in a policy that was there before, and make human commits sign with it; the new commit, if one was made."""
    if it.key is None:
        return None
    reader, path = it.place.reader, it.place.prefix + FILE_NAME
    found = Listed()
    if path not in texts:
        place = Workplace(reader, path, human, it.days, it.environ, is_named=bool(it.choices.human))
        found = list_key(place, it.key, commit=it.choices.commit, clean=not _is_uncommitted(reader, path))
    it.done.extend(found.done)
    it.left.extend(found.left)
    if found.ready:
        it.done.extend(configure(reader, it.key))
    return found.oid


def _add_attributes(it: _Run, missing: dict[str, bytes]) -> None:
    """Name the files of the merge driver: with a first policy in a file of our own, else the lines are the human's to add."""
    path = RepoPath(it.place.prefix + ".gitattributes")
    old = read_file(it.place.reader.root(), path)
    if old is None and it.place.prefix + FILE_NAME in missing:
        missing[path] = attributes_text(ATTRIBUTES).encode()
        return
    lines = (old or b"").decode("utf-8", "replace").split("\n")
    lacking = [line for line in ATTRIBUTES if line not in (known.strip() for known in lines)]
    if lacking:
        there = "is there already" if old is not None else "is not there"
        it.left.append(f"{path} {there}; for merges by entry it needs, in a commit of the human's: {', '.join(lacking)}")


def _set_driver(it: _Run) -> None:
    """Tell this clone how memory is merged; what .gitattributes names only works with it."""
    package = os.path.dirname(os.path.dirname(os.path.realpath(hoard_git.__file__)))
    if install_driver(it.place.reader, sys.executable, package):
        it.done.append("memory files are merged by heading and entry (merge.hoard.driver in this repository's configuration)")


def _is_uncommitted(reader: PlumbingReader, path: str) -> bool:
    """Whether a file differs from HEAD's, or HEAD has none."""
    args = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignored=matching", "--", f":(literal){path}")
    return bool(reader.git(args, at_root=True).finish())


def _write_and_commit(it: _Run, texts: Mapping[str, bytes], human: Ident | None) -> Oid | None:
    root, names = it.place.reader.root(), " ".join(texts)
    for path, text in texts.items():
        write_file(root, RepoPath(path), text, None)
    it.done.extend(f"wrote {path}" for path in texts)
    marker = find_marker(it.environ, DEFAULT.agent_markers)
    if not texts or not it.choices.commit or human is None:
        it.left.extend([f"not committed: {names}"] if texts else [])
        return None
    key = it.key if it.place.prefix + FILE_NAME in texts else None  # before its policy a new key signs nothing
    lost = why_unreachable(key, it.place.reader, it.environ) if key is not None else ""
    if lost:
        it.left.append(f"not committed, for {lost}; then, as the human: hoard commit --human {names}")
        return None
    if marker:
        it.left.append(f"not committed, for {marker} says that an agent runs this: let the human do it, with: hoard commit --human {names}")
        return None
    try:
        oid = _commit(it, list(texts), human, key.path if key is not None else "")
    except BaseException:
        for path, text in texts.items():
            remove_file(root, RepoPath(path), text)
        raise
    it.done.append(f"committed {names} as {human.name} <{human.email}>: {oid[:12]}")
    return oid


def _commit(it: _Run, paths: Sequence[str], human: Ident, key: str) -> Oid:
    """Commit exactly the files that were made, as the human; our hooks come afterwards, others' run."""
    reader = it.place.reader
    judgement = judge_paths(reader, paths, human, it.days, {})
    message = append_trailers(b"Set up memory under hoard-git\n", expected_for(judgement, op="adopt"), None)
    try:
        return commit_as(reader, message, paths, human, key=key)
    except GitError as error:
        refusal = explain_refusal(error)
        raise HoardError(refusal.message, f"hoard init --no-commit\n{refusal.hint}") from error


def _set_agent(it: _Run, actors: Actors, given: Actors) -> None:
    """Give this repository the agent's identity unless it has one; with it goes signing, which would be with the human's key."""
    reader, agent = it.place.reader, actors.agent
    local = local_identity(reader)
    if local is not None:
        it.left.append(f"this repository's identity stays {local.name} <{local.email}>")
        is_human = actors.human is not None and local.email.lower() == actors.human.email.lower()
        if local.email.lower() != agent.email.lower() and (given.agent.email or is_human):
            it.left.append(
                f'the agent is {agent.email}; to make it this repository\'s identity: git config --local user.email "{agent.email}"'
            )
        return
    settings = {"user.name": agent.name, "user.email": agent.email}
    if signs_by_habit(reader):
        settings["commit.gpgSign"] = "false"
        it.done.append("commits of the agent are not signed: your global configuration would sign them with your key")
    for key, value in settings.items():
        reader.git(("config", "--local", key, value), fixed=False).finish()
    it.done.append(f"git commits here are now authored by {agent.name} <{agent.email}>; to commit as yourself: hoard commit --human")


def _set_human(it: _Run, human: Ident | None, given: Ident | None) -> None:
    """Remember whom `--human` named; say so where the policy does not list whoever works here."""
    path = it.place.prefix + FILE_NAME
    raw = read_file(it.place.reader.root(), RepoPath(path))
    if raw is None or human is None or it.key is not None:
        return
    policy = check_data(load_yaml(raw, path), path)
    if find_human(policy, human.email) is not None:
        told = remember_human(it.place.reader, human) if given is not None else ""
        it.done.extend([told] if told else [])
        return
    it.left.append(f"{path} does not list you, {human.name} <{human.email}>, so what you commit counts as an agent's")
    for rule in listed_humans(policy)[:1]:
        it.left.append(f"if it lists you under another address: {init_command(ident_of(rule, rule.emails[0]))}")
    it.left.append(f"to be listed, have a human of it add under actors, in a commit of its own: {actor_line(human, 'human')}")


def _next_steps(place: Place, made: Mapping[str, bytes]) -> tuple[str, ...]:
    """What to do now: adopt what was there, or write a first fact."""
    old = place.prefix + "MEMORY.md" not in made or os.path.isdir(os.path.join(place.reader.root(), place.prefix, "memory"))
    return ("hoard check", "hoard tag --dry-run") if old else ('hoard add "Backups run at 03:30" --src agent', "hoard check")
