"""Asking a witness: a file outside the repository, or a ref of a remote, that knows what the history was before."""

# ruff: noqa: PTH100, PTH118, PTH120, PTH111, PTH112, PTH119 -- as in the rest of this floor, paths are text and odd bytes stay as they are

from __future__ import annotations

import datetime as dt
import os
import shlex

from hoard_git.app.refupdates import list_refs
from hoard_git.core.model import Oid, RepoPath
from hoard_git.core.record import Record
from hoard_git.core.witness import LARGEST, Seen, Tip, WitnessProblem, append_tips, compare, parse_witness
from hoard_git.errors import HoardError
from hoard_git.gitio.locks import turn
from hoard_git.gitio.opening import plumbing_of
from hoard_git.gitio.process import GitError
from hoard_git.gitio.rawformat import is_oid
from hoard_git.gitio.worktree import read_file, write_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import Reader

_GROUPS = ("refs/heads/", "refs/tags/", "refs/remotes/")
_PROPOSALS = "refs/heads/hoard/"
"""Branches that consolidation proposes: they are made to be merged or dropped."""


class Sightings(Record):
    """What a witness says. `name` is the file or REMOTE/REF; `first` says that it was made just now and had nothing to compare with."""

    name: str
    seen: tuple[Seen, ...]
    first: bool = False

    @property
    def alarms(self) -> list[Seen]:
        """The refs that somebody has to look at."""
        return [seen for seen in self.seen if seen.is_alarm]


def ask_witness(reader: Reader, name: str, directory: str, tip: Oid, *, accept: bool = False) -> Sightings:
    """Ask a file or, where the first part names a remote, that remote's ref; `tip` is what the remote's ref is held against.

    A file then remembers what refs name now, but for those that raise an alarm, unless these are `accept`ed. Raises HoardError for a damaged
    witness and whenever it cannot be asked: that is never the same as "nothing has changed".
    """
    git = plumbing_of(reader)
    if git.is_shallow():
        raise HoardError("A shallow clone cannot be held against a witness: its history is incomplete.", "git fetch --unshallow")
    remote = _remote_of(git, name)
    path = os.path.abspath(os.path.join(directory, os.path.expanduser(name)))
    if not remote:
        return _ask_file(git, path, name, accept=accept)
    if os.path.lexists(path):
        raise HoardError(f"{name!r} is a file here and begins like a ref of the remote {remote!r}.", f"Say ./{name} for the file.")
    if accept:
        raise HoardError("A remote remembers what is pushed to it; there is nothing to accept.", "hoard verify --witness FILE --accept")
    return _ask_remote(git, remote, name, tip)


# ---------------------------------------------------------------- a file


def _ask_file(git: PlumbingReader, path: str, name: str, *, accept: bool) -> Sightings:
    folder, base = os.path.dirname(path), os.path.basename(path)
    if not base or not os.path.isdir(folder):
        raise HoardError(f"The folder of the witness {name!r} is not there.", f"mkdir -p {shlex.quote(folder)}")
    _refuse_inside(git, path, name)
    with turn(folder):
        raw = read_file(folder, RepoPath(base))
        known = _parse(raw, name, path) if raw is not None else []
        now = _refs(git)
        if not known and not now:
            raise HoardError("No branch here holds a commit, so there is nothing to remember.", "git switch -c NAME")
        seen = compare(known, now, lambda new, old: _builds_on(git, new, old))
        moment = dt.datetime.now(tz=dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        zero = Oid("0" * (64 if git.object_format() == "sha256" else 40))
        fresh = [Tip(moment, one.new or zero, one.ref) for one in seen if one.state != "same" and (accept or not one.is_alarm)]
        if fresh or raw is None:
            write_file(folder, RepoPath(base), append_tips(raw or b"", fresh), raw)
    if accept:
        seen = [one._replace(state="accepted") if one.is_alarm else one for one in seen]
    return Sightings(name, tuple(seen), first=raw is None)


def _refuse_inside(git: PlumbingReader, path: str, name: str) -> None:
    """A witness in the repository is rolled back along with it."""
    real = os.path.realpath(path)
    for place in {os.path.realpath(git.root()), os.path.realpath(git.common_dir()), os.path.realpath(git.git_dir())}:
        if os.path.commonpath([real, place]) == place:
            raise HoardError(
                f"The witness {name!r} lies in the repository: whoever turns that back turns the witness back with it.",
                "Keep it where the agent cannot write, such as another account's folder: hoard verify --witness /path/outside/NAME",
            )


def _parse(raw: bytes, name: str, path: str) -> list[Tip]:
    repair = (
        f"Take it from a backup. To begin anew, knowing that what it remembered is lost: mv {shlex.quote(path)} {shlex.quote(path)}.damaged"
    )
    if len(raw) > LARGEST:
        raise HoardError(f"The witness {name!r} is larger than {LARGEST >> 20} MiB.", repair)
    try:
        return parse_witness(raw)
    except WitnessProblem as problem:
        raise HoardError(f"The witness {name!r} is damaged in line {problem.line}: {problem}.", repair) from None


def _refs(git: PlumbingReader) -> dict[str, Oid]:
    found = {}
    for group in _GROUPS:
        found.update(list_refs(git, group))
    return {name: oid for name, oid in found.items() if not name.startswith(_PROPOSALS) and not _is_remote_head(name)}


def _is_remote_head(name: str) -> bool:
    return name.startswith("refs/remotes/") and name.endswith("/HEAD")


def _builds_on(git: PlumbingReader, new: Oid, old: Oid) -> bool:
    """Whether `old` is behind `new`; never where it is not even here."""
    if new == old:
        return True
    if not (_is_here(git, new) and _is_here(git, old)):
        return False
    return git.merge_base(new, old) == old


def _is_here(git: PlumbingReader, oid: Oid) -> bool:
    asked = git.git(("cat-file", "-e", f"{oid}^{{commit}}"))
    asked.finish((0, 1, 128))
    return asked.status == 0


# ---------------------------------------------------------------- a remote


def _remote_of(git: PlumbingReader, name: str) -> str:
    """The remote that REMOTE/REF names, the longest where several fit; '' where it names none."""
    if name.startswith((".", "/", "~")):
        return ""
    remotes = {key[len("remote.") :].rpartition(".")[0] for key in git.configs("remote.") if key.endswith(".url")}
    return max((remote for remote in remotes if remote and name.startswith(remote + "/")), key=len, default="")


def _ask_remote(git: PlumbingReader, remote: str, name: str, tip: Oid) -> Sightings:
    ref = name[len(remote) + 1 :]
    wanted = [ref] if ref.startswith("refs/") else [f"refs/heads/{ref}", f"refs/tags/{ref}"]
    try:
        out = git.git(
            ("ls-remote", "--", remote, *wanted, *(f"{each}^{{}}" for each in wanted)), extra={"GIT_TERMINAL_PROMPT": "0"}
        ).finish()
    except GitError as error:
        raise HoardError(f"The remote {remote!r} cannot be asked: {error.message}", f"git ls-remote {shlex.quote(remote)}") from error
    found = _listed(out)
    full = next((each for each in wanted if each in found), "")
    if not full:
        raise HoardError(f"The remote {remote!r} has no branch or tag {ref!r}.", f"git ls-remote {shlex.quote(remote)}")
    old = found.get(f"{full}^{{}}", found[full])
    if not _is_here(git, old):
        raise HoardError(f"{name} names {old[:12]} on the remote, and that commit is not here.", f"git fetch {shlex.quote(remote)}")
    seen = compare([Tip("", old, full)], {full: tip}, lambda new, before: _builds_on(git, new, before))
    return Sightings(name, tuple(seen))


def _listed(out: bytes) -> Mapping[str, Oid]:
    found = {}
    for line in out.split(b"\n"):
        oid, _, ref = line.decode("utf-8", "surrogateescape").partition("\t")
        if is_oid(oid):
            found[ref] = Oid(oid)
    return found
