"""`hoard trailers`: whether commits' trailers say what their trees say, and rewriting the messages of those where they do not."""

# ruff: noqa: PTH118, PTH123 -- object files are named by text

from __future__ import annotations

import hashlib
import os
import tempfile

from hoard_git.app.check import find_range
from hoard_git.app.gate import Gate
from hoard_git.app.message import commit_text, expected_for
from hoard_git.core.model import Actor, Oid
from hoard_git.core.record import Record
from hoard_git.core.trailercheck import compare_trailers, verdict
from hoard_git.core.trailers import OP, OPS, REASON, SESSION, Trailer, parse_trailers, replace_memory_trailers, separator
from hoard_git.errors import HoardError
from hoard_git.gitio.writer import update_ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.app.gate import Judgement
    from hoard_git.core.model import Finding
    from hoard_git.core.policy import Policy
    from hoard_git.core.trailercheck import Problem
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import CommitInfo, Reader

UNDO = "refs/hoard/undo/trailers/"
"""Where the tip before a repair is kept, under its own name."""

_SIGNATURES = ("gpgsig", "gpgsig-sha256")
_BUSY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_START", "rebase-merge", "rebase-apply")


class Judged(Record):
    """One commit that touches memory: `ok`, `missing` or `mismatch`, what is wrong, and the trailers that its trees call for."""

    info: CommitInfo
    verdict: str
    problems: tuple[Problem, ...]
    expected: tuple[Trailer, ...]


class Rewrite(Record):
    """One commit that a repair makes anew: with another message, or with other parents only. `signed` says that it loses a signature."""

    old: Oid
    new: Oid
    subject: str
    raw: bytes
    repaired: bool
    signed: bool


class Repair(Record):
    """What a repair does to the current branch. `held` are other branches and tags that keep old commits, `remote` remote branches."""

    branch: str
    old: Oid
    new: Oid
    judged: tuple[Judged, ...]
    rewrites: tuple[Rewrite, ...]
    held: tuple[str, ...] = ()
    remote: tuple[str, ...] = ()

    @property
    def undo_ref(self) -> str:
        """The ref that keeps the old tip."""
        return UNDO + self.old


class _Trees(Gate):
    """Compares trees as the gate does, under the same policies, and runs no rule."""

    def _scene_findings(self, *_scene: object, **_more: object) -> list[Finding]:
        return []


def judge_trailers(reader: Reader, oids: Sequence[Oid], days: Callable[[Policy], Days]) -> Iterator[Judged]:
    """Judge each of these commits that touches memory, in their order. Raises HoardError in a shallow clone."""
    if oids and reader.is_shallow():
        raise HoardError("Trailers cannot be judged in a shallow clone: parents are missing.", "git fetch --unshallow")
    gate = _Trees(reader, days=days)
    for info in reader.commits(oids):
        judgement = gate.judge((info.parents or (None,))[:1], info.oid, lambda _policy: Actor("agent"))
        if judgement.touches_memory:
            yield _judge(info, judgement)


def _judge(info: CommitInfo, judgement: Judgement) -> Judged:
    text = commit_text(judgement, info)
    problems = compare_trailers(text.trailers, text.expected, info.message)
    found = verdict(problems)
    if found == "ok":
        return Judged(info, found, tuple(problems), text.expected)
    session, reason = ("; ".join(_said(info.message, key)) for key in (SESSION, REASON))
    expected = expected_for(judgement, op=_operation(info), session=session, reason=reason)
    return Judged(info, found, tuple(problems), expected)


def _operation(info: CommitInfo) -> str:
    """Which operation a commit was, by its own word, wherever in the message it stands: no tree can tell."""
    trailers = [trailer.value for trailer in parse_trailers(info.message) if trailer.key.lower() == OP.lower()]
    said = {value for value in trailers or _said(info.message, OP) if value in OPS}
    return said.pop() if len(said) == 1 else "merge" if len(info.parents) > 1 else "write"


def _said(message: bytes, key: str) -> list[str]:
    """The distinct values of a key on any line of a message, indented ones as well: a squash leaves them in the middle."""
    found = []
    for line in message.split(b"\n"):
        text = line.strip()
        at = separator(text)
        if at and text[:at].rstrip().lower() == key.lower().encode():
            found.append(text[at + 1 :].strip().decode("utf-8", "replace"))
    return list(dict.fromkeys(value for value in found if value))


# -------------------------------------------------------------------- the plan


def plan_repair(reader: PlumbingReader, batch: Reader, text: str, days: Callable[[Policy], Days]) -> Repair:
    """Plan new messages for the commits of a range that lack trailers or have wrong ones, and new parents for what follows them.

    Trees, authors, committers and dates stay. Raises HoardError when HEAD is detached or busy, and for commits that it does not reach.
    """
    branch, head = _current_branch(reader)
    oids = find_range(batch, text)
    if not oids:
        raise HoardError(f"{text[:80]!r} holds no commits.", "hoard trailers")
    own = set(batch.rev_list([head], []))
    strange = next((oid for oid in reversed(oids) if oid not in own), None)
    if strange is not None:
        where = branch.removeprefix("refs/heads/")
        hint = f"Switch to the branch that holds it, or end the range at HEAD: git branch --contains {strange[:12]}"
        raise HoardError(f"{strange[:12]} is not on the current branch, {where!r}.", hint)
    judged = tuple(judge_trailers(batch, oids, days))
    wrong = {each.info.oid: each for each in judged if each.verdict != "ok"}
    if not wrong:
        return Repair(branch, head, head, judged, ())
    inside = set(oids)
    below = {parent for info in batch.commits(oids) for parent in info.parents if parent not in inside}
    sha256 = reader.object_format() == "sha256"
    rewrites = tuple(_rewrite_all(batch.commits(batch.rev_list([head], sorted(below))), wrong, sha256=sha256))
    new = {each.old: each.new for each in rewrites}
    refs = _refs_with(reader, sorted(wrong))
    held = tuple(ref for ref in refs if not ref.startswith(("refs/remotes/", UNDO)) and ref != branch)
    remote = tuple(ref for ref in refs if ref.startswith("refs/remotes/"))
    return Repair(branch, head, new[head], judged, rewrites, held, remote)


def _current_branch(reader: PlumbingReader) -> tuple[str, Oid]:
    head = reader.head()
    if head is None:
        raise HoardError("There is no commit yet, so there is nothing to repair.", "hoard init")
    busy = next((name for name in _BUSY if os.path.lexists(reader.git_path(name))), "")
    if busy:
        raise HoardError("A merge, rebase or the like is in progress; nothing was changed.", "Finish or abort it first: git status")
    branch = reader.git(("symbolic-ref", "--quiet", "HEAD")).finish((0, 1)).decode("utf-8", "surrogateescape").strip()
    if not branch:
        raise HoardError("HEAD is detached; a repair moves a branch.", "git switch BRANCH    or a new one: git switch -c NAME")
    return branch, head


def _refs_with(reader: PlumbingReader, oids: Sequence[Oid]) -> list[str]:
    """Every ref that reaches one of these commits."""
    found: dict[str, None] = {}
    for first in range(0, len(oids), 500):
        words = [word for oid in oids[first : first + 500] for word in ("--contains", oid)]
        out = reader.git(["for-each-ref", "--format=%(refname)", *words]).finish()
        found.update(dict.fromkeys(out.decode("utf-8", "surrogateescape").splitlines()))
    return [ref for ref in found if not ref.endswith("/HEAD")]


def _rewrite_all(infos: Iterable[CommitInfo], wrong: Mapping[Oid, Judged], *, sha256: bool) -> Iterator[Rewrite]:
    """Make the commits anew, parents first: those that are wrong, and those behind them."""
    new: dict[Oid, Oid] = {}
    for info in infos:
        judged = wrong.get(info.oid)
        if judged is None and not any(parent in new for parent in info.parents):
            continue
        if _name(_raw(info.headers, info.message), sha256=sha256) != info.oid:
            raise HoardError(f"Commit {info.oid[:12]} is malformed and cannot be made anew as it is.", "git fsck")
        message = _renamed(_new_message(judged) if judged is not None else info.message, new)
        headers, signed = _headers(info, new)
        raw = _raw(headers, message)
        new[info.oid] = _name(raw, sha256=sha256)
        yield Rewrite(info.oid, new[info.oid], _subject(info.message), raw, judged is not None, signed)


def _new_message(judged: Judged) -> bytes:
    """The message with the trailers that the trees call for. Raises HoardError where they would not be read as that."""
    info = judged.info
    trailers = judged.expected
    message = replace_memory_trailers(info.message, trailers, None)
    left = compare_trailers(parse_trailers(message), trailers, message)
    if verdict(left) != "ok":
        raise HoardError(
            f"The message of {info.oid[:12]} would not read right with trailers: {left[0].message}.",
            f"Leave it out of the range, or reword it by hand: git rebase -i {info.oid[:12]}~",
        )
    if info.encoding.lower() not in ("utf-8", "utf8") and not all(trailer.value.isascii() for trailer in trailers):
        raise HoardError(
            f"The message of {info.oid[:12]} is not UTF-8, and its trailers need more than ASCII.", "Leave it out of the range."
        )
    return message


def _renamed(message: bytes, new: Mapping[Oid, Oid]) -> bytes:
    """A message whose `Memory-Removed: … history <commit>:` lines name the commits by their new names."""
    lines = message.split(b"\n")
    for number, line in enumerate(lines):
        if line.startswith(b"Memory-Removed: "):
            head, mark, rest = line.partition(b" history ")
            oid, colon, place = rest.partition(b":")
            fresh = new.get(Oid(oid.decode("ascii", "replace")))
            if mark and fresh is not None:
                lines[number] = head + mark + fresh.encode() + colon + place
    return b"\n".join(lines)


def _headers(info: CommitInfo, new: Mapping[Oid, Oid]) -> tuple[list[tuple[str, bytes]], bool]:
    """The header lines with new parents, and without signatures: they were made over other bytes."""
    found = []
    for name, value in info.headers:
        if name in _SIGNATURES:
            continue
        if name == "mergetag" and value.split(b"\n", 1)[0].removeprefix(b"object ").decode("ascii", "replace") in new:
            continue  # a signed tag of a parent that is called otherwise now
        parent = new.get(Oid(value.decode("ascii", "replace"))) if name == "parent" else None
        found.append((name, parent.encode() if parent is not None else value))
    return found, len(found) < len(info.headers)


def _raw(headers: Iterable[tuple[str, bytes]], message: bytes) -> bytes:
    lines = [name.encode("utf-8", "surrogateescape") + b" " + value.replace(b"\n", b"\n ") + b"\n" for name, value in headers]
    return b"".join(lines) + b"\n" + message


def _name(raw: bytes, *, sha256: bool) -> Oid:
    data = b"commit %d\0" % len(raw) + raw
    return Oid((hashlib.sha256(data) if sha256 else hashlib.sha1(data, usedforsecurity=False)).hexdigest())


def _subject(message: bytes) -> str:
    return message.lstrip(b"\n").split(b"\n", 1)[0].decode("utf-8", "replace")


# -------------------------------------------------------------------- applying


def apply_repair(reader: PlumbingReader, plan: Repair) -> None:
    """Write the commits and move the branch, if it still is where the plan found it; index and files stay, as the trees are the same.

    The old tip is kept under `plan.undo_ref`. Raises HoardError when the branch has moved meanwhile; then nothing has changed.
    """
    with tempfile.TemporaryDirectory(prefix="hoard-") as folder:
        names = []
        for number, each in enumerate(plan.rewrites):
            names.append(os.path.join(folder, str(number)))
            with open(names[-1], "wb") as file:
                file.write(each.raw)
        stdin = "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")
        out = reader.git(("hash-object", "-t", "commit", "-w", "--no-filters", "--stdin-paths"), stdin=stdin).finish()
    if out.decode("ascii").split() != [each.new for each in plan.rewrites]:
        raise HoardError("git named the new commits otherwise than planned; the branch was not moved.", "git fsck")
    known = reader.git(("rev-parse", "--verify", "--quiet", plan.undo_ref)).finish((0, 1)).strip()
    if not known:
        update_ref(reader, plan.undo_ref, plan.old, None)
    try:
        update_ref(reader, plan.branch, plan.new, plan.old, reason="hoard trailers --repair")
    except HoardError:
        if not known:
            update_ref(reader, plan.undo_ref, None, plan.old)
        raise


def undo_command(plan: Repair) -> str:
    """The one command that takes a repair back; it fails by itself when the branch has moved on."""
    return f"git update-ref {plan.branch} {plan.old} {plan.new}"
