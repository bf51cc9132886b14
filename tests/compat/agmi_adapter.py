"""A workspace whose commits are signed, as the agent-memory-integrity suite drives a store: genuine writes, edits behind the tool's back, an audit.

The attacker may change every byte of the repository, `.git` among them, and has no key. What lies outside is the policy's public keys and the
tips that a witness remembers.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from unittest.mock import patch

from agmi.adapters.base import MemoryAdapter, Record  # type: ignore[import-untyped]  # it ships no types

from hoard_git.cli.main import main
from tests.support.environment import AGENT, HUMAN, identity
from tests.support.repo import Repo
from tests.support.signing import SshKey, make_key, policy, sign_with

TODAY = "2026-06-15"
_MOMENT = f"{TODAY}T12:00:00Z"
OURS, OTHER = "memory/ours.md", "memory/other.md"
_ENTRY = re.compile(r"- (?P<text>.*) <!-- src:(?P<src>\w+) ts:(?P<ts>[\d-]+) (?P<rest>.*)id:(?P<id>\w+) -->")


class Store:
    """The repository with its two keys; all that the tool itself does to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.keys = {name: make_key(folder.parent, name) for name in ("ada", "clawd")}
        self.witness = folder.parent / "witness"
        self.signers = folder.parent / "signers"
        self.repo = Repo.create(folder)
        self._begin()
        self.keep("clean")

    def _begin(self) -> None:
        """The human introduces the policy with both keys."""
        lines = {HUMAN: self.keys["ada"].line, AGENT: self.keys["clawd"].line}
        self.signers.write_text("".join(f"{who.partition('<')[2].rstrip('>')} {line}\n" for who, line in lines.items()))
        text = policy(self.keys["ada"].line, self.keys["clawd"].line)
        tag = f"<!-- src:agent ts:{TODAY} -->"
        files = {".hoard.yaml": text, OURS: f"# Ours {tag}\n", OTHER: f"# Other {tag}\n"}
        self.repo.commit("Introduce the memory policy\n", files, env=_as(HUMAN, self.keys["ada"]))
        self.remember()

    def add(self, text: str, path: str) -> None:
        """One fact by `hoard add`, in a commit that the agent's key signs."""
        name = path.partition("/")[2].removesuffix(".md").capitalize()
        status, said = self.hoard("add", text, "--src", "agent", "--file", str(self.folder / path), "--to", name)
        assert status == 0, said
        self.remember()

    def hoard(self, *args: str) -> tuple[int, str]:
        """Run a command as the agent; returns its exit status and all that it said."""
        raw = io.BytesIO()
        stream = io.TextIOWrapper(raw, encoding="utf-8", errors="surrogateescape", write_through=True)
        # Written for a terminal's streams: what the command reconfigures is this stream alone.
        with patch.dict(os.environ, _as(AGENT, self.keys["clawd"])), contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
            status = main(["-C", str(self.folder), "--date", TODAY, *args])
        return status, raw.getvalue().decode("utf-8", "surrogateescape")

    def remember(self) -> None:
        """Tell the witness the newest commit."""
        with self.witness.open("a", encoding="ascii") as file:
            file.write(f"{self.repo.head()}\n")

    def keep(self, state: str) -> None:
        """Remember the store and its witness under a name."""
        copy = self.folder.with_name(state)
        shutil.copytree(self.folder, copy, symlinks=True)
        shutil.copy(self.witness, copy.with_suffix(".witness"))

    def knows(self, state: str) -> bool:
        return self.folder.with_name(state).exists()

    def rewind(self, state: str) -> None:
        """Go back to what was kept."""
        copy = self.folder.with_name(state)
        _put_back(copy, self)
        shutil.copy(copy.with_suffix(".witness"), self.witness)

    def find_problems(self, *, witnessed: bool) -> Iterator[str]:
        """What the audit reports, one clause each."""
        if witnessed:
            yield from find_rollback(self.repo, self.witness, self.signers)
        changed = self.repo.line("status", "--porcelain", "--untracked-files=all", "--ignored")
        if changed:
            yield f"the files are not the last commit's: {changed[:60].strip()!r}"
        root = self.witness.read_text(encoding="ascii").split("\n", 1)[0]
        status, said = self.hoard("check", "--range", f"{root}..HEAD")
        if status:
            yield f"hoard check: {said.strip()[:80]!r}"


def find_rollback(repo: Repo, witness: Path, signers: Path) -> Iterator[str]:
    """What does not fit the tips that were remembered outside, with git's own commands.

    This is the one place that knows how a witness is asked: every remembered tip must still be there and lie behind the newest commit, and each
    commit must carry the signature of a key that is listed outside the repository.
    """
    tips = witness.read_text(encoding="ascii").split()
    if repo.git("fsck", "--no-dangling", "--no-reflogs", check=False).returncode:
        yield "git fsck finds damage"
    for tip in tips:
        if repo.git("merge-base", "--is-ancestor", tip, "HEAD", check=False).returncode:
            yield f"the remembered commit {tip[:12]} is not behind HEAD: history was rolled back or rewritten"
            break
    asked = ("-c", f"gpg.ssh.allowedSignersFile={signers}", "-c", "gpg.ssh.program=ssh-keygen")
    for oid in repo.line("rev-list", f"{tips[-1]}..HEAD").split():
        if repo.git(*asked, "verify-commit", oid, check=False).returncode:
            yield f"{oid[:12]} is not signed by a listed key"


def _put_back(copy: Path, store: Store) -> None:
    shutil.rmtree(store.folder)
    shutil.copytree(copy, store.folder, symlinks=True)
    # A copy has other inode numbers than the index has noted.
    store.repo.git("update-index", "-q", "--refresh", check=False)


def leave(repo: Repo) -> None:
    """The attacker edits files and no commit."""


def amend(repo: Repo) -> None:
    """The attacker puts the edit into the newest commit, in the agent's name, and the branch looks as long as before."""
    _commit(repo, "--amend", "--no-edit", "--allow-empty")


def append(repo: Repo) -> None:
    """The attacker puts the edit into a commit of its own on top, in the agent's name."""
    _commit(repo, "-m", "Note")


def _commit(repo: Repo, *options: str) -> None:
    moment = {"GIT_AUTHOR_DATE": _MOMENT, "GIT_COMMITTER_DATE": _MOMENT}
    repo.git("commit", "-q", "-a", "--no-verify", "--no-gpg-sign", *options, env={**identity(AGENT), **moment})


def _as(who: str, key: SshKey) -> dict[str, str]:
    return {**identity(who), **sign_with(key), "GIT_AUTHOR_DATE": _MOMENT, "GIT_COMMITTER_DATE": _MOMENT, "HOARD_DATE": TODAY}


class HoardAdapter(MemoryAdapter):  # type: ignore[misc]  # untyped, as above
    """The suite's view: a record is an entry of a file, its owner the file. `land` is what the attacker does after an edit of the file."""

    name = "hoard-git"
    detection_point = "audit"
    supports_replay = True
    supports_metadata = True
    supports_snapshot = True

    def __init__(self, store: Store, land: Callable[[Repo], None] = leave, *, witnessed: bool = True) -> None:
        self.store = store
        self.land = land
        self.witnessed = witnessed
        self.count = 0

    # ---- the tool's own writes

    def setup(self) -> None:
        self.store.rewind("clean")
        self.count = 0

    def teardown(self) -> None:
        """The next `setup` clears the store."""

    def seed(self, n: int) -> None:
        """The first seeding is done by hoard, commit by commit; the attacks that follow start from a copy of what it made."""
        state = f"seeded-{n}"
        if self.store.knows(state):
            self.store.rewind(state)
            self.count = n
        else:
            self._seed(n, OURS)
            self.store.keep(state)

    def seed_other(self, n: int) -> None:
        self._seed(n, OTHER)

    def append_genuine(self) -> None:
        self._seed(1, OURS)

    def _seed(self, n: int, path: str) -> None:
        for _ in range(n):
            self.count += 1
            self.store.add(f"The limit of queue {self.count} is {40 + self.count}.", path)

    # ---- behind the tool's back

    def read_all_raw(self) -> list[Record]:
        return self._read(OURS)

    def read_other_raw(self) -> list[Record]:
        return self._read(OTHER)

    def write_raw(self, record: Record) -> None:
        lines, found = self._lines(OURS)
        line = "- {text} <!-- src:{src} ts:{ts} {rest}id:{id} -->".format(**record.fields)
        if record.seq < len(found):
            lines[found[record.seq]] = line
        else:
            lines.insert(found[-1] + 1, line)
        self._write(OURS, lines)

    def delete_raw(self, seq: int) -> None:
        lines, found = self._lines(OURS)
        del lines[found[seq]]
        self._write(OURS, lines)

    def _lines(self, path: str) -> tuple[list[str], list[int]]:
        """The lines of a file, and where its entries stand."""
        lines = self.store.repo.read(path).split("\n")
        return lines, [at for at, line in enumerate(lines) if _ENTRY.fullmatch(line)]

    def _read(self, path: str) -> list[Record]:
        lines, found = self._lines(path)
        matches = [_ENTRY.fullmatch(lines[at]) for at in found]
        return [Record(seq, {"path": path, **match.groupdict()}) for seq, match in enumerate(matches) if match]

    def _write(self, path: str, lines: list[str]) -> None:
        self.store.repo.write(path, "\n".join(lines))
        self.land(self.store.repo)

    def mutate_payload(self, record: Record) -> Record:
        record.fields["text"] = f"{record.fields['text']} Or less."
        return record

    def forge_record(self, template: Record) -> Record:
        return Record(template.seq + 1, {**template.fields, "text": "The limit of queue 9 is 900.", "id": "zzzzzz"})

    def replay_onto(self, victim_seq: int, donor: Record) -> None:
        victim = self.read_all_raw()[victim_seq]
        self.write_raw(Record(victim_seq, {**victim.fields, "text": donor.fields["text"]}))

    def read_meta(self, seq: int) -> dict[str, object]:
        fields = self.read_all_raw()[seq].fields
        return {"src": fields["src"], "ts": fields["ts"]}

    def write_meta(self, seq: int, meta: Mapping[str, object]) -> None:
        record = self.read_all_raw()[seq]
        src = "user" if meta.get("agmi_meta_tampered") else meta["src"]
        self.write_raw(Record(seq, {**record.fields, "src": src, "ts": meta["ts"]}))

    def identity_of(self, record: Record) -> str:
        return str(record.fields["id"])

    def payload_of(self, record: Record) -> str:
        return str(record.fields["text"])

    def owner_of(self, record: Record) -> str:
        return str(record.fields["path"])

    def snapshot_store(self) -> Path:
        token = self.store.folder.with_name("older")
        shutil.rmtree(token, ignore_errors=True)
        return Path(shutil.copytree(self.store.folder, token, symlinks=True))

    def restore_store(self, token: Path) -> None:
        """Only the store comes back: what the witness knows is out of the attacker's reach."""
        _put_back(token, self.store)

    # ---- the audit

    def reload(self) -> None:
        """Nothing is kept between two looks: each is a program's start."""

    def verify(self) -> bool:
        self.verify_detail = next(self.store.find_problems(witnessed=self.witnessed), None)
        return self.verify_detail is None
