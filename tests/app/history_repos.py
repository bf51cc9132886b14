"""Histories for tests: a repository with helpers to write memory and to read back what the index says about it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from hoard_git.app.history import with_index
from hoard_git.app.history_log import Filter, LogEvent, read_log
from hoard_git.app.history_query import ALL, BLOCK, Target, find_block, find_target
from hoard_git.app.history_trailers import Verdicts
from hoard_git.gitio.blockindex import BlockIndex
from hoard_git.gitio.plumbing import PlumbingReader
from tests.support.repo import Repo

AGENT = "clawd <clawd@agents.example>"


def heading(title: str, src: str = "agent", ts: str = "2026-06-05", ttl: str = "90d", name: str = "") -> str:
    """A level-2 heading with a tag."""
    return f"## {title} <!-- src:{src} ts:{ts} ttl:{ttl}{' id:' + name if name else ''} -->"


def block(title: str, *entries: str, src: str = "agent", ts: str = "2026-06-05", ttl: str = "90d", name: str = "") -> str:
    """A block of bullets."""
    return "\n".join([heading(title, src, ts, ttl, name), "", *(f"- {entry}" for entry in entries), ""]) + "\n"


def memory(*blocks: str) -> str:
    """A file of blocks."""
    return "# Memory\n\n" + "".join(blocks)


def log(repo: Repo, what: str | None = None, rev: str = "HEAD", wanted: Filter | None = None) -> list[LogEvent]:
    """The log, oldest event first."""
    reader = PlumbingReader(str(repo.path))

    def ask(index: BlockIndex) -> list[LogEvent]:
        target = Target(ALL) if what is None else find_target(index, reader, what, what)
        return list(read_log(index, reader, target, wanted or Filter(), Verdicts(reader)))[::-1]

    return with_index(reader, ask, rev=rev)


def story(repo: Repo, name: str, rev: str = "HEAD") -> list[tuple[str, str]]:
    """(commit subject, event) of a block, oldest first."""
    reader = PlumbingReader(str(repo.path))

    def ask(index: BlockIndex) -> list[tuple[str, str]]:
        facts = find_block(index, reader, name)
        assert facts, f"no block {name}"
        events = read_log(index, reader, Target(BLOCK, facts), Filter(), lambda _index, _node: "")
        return [(event.node.subject, event.change.event) for event in events][::-1]

    return with_index(reader, ask, rev=rev)


def origins(repo: Repo, path: str, rev: str = "HEAD") -> list[str]:
    """The commit of every line of a file, as the index says."""
    reader = PlumbingReader(str(repo.path))

    def ask(index: BlockIndex) -> list[str]:
        version = index.version(path)
        assert version is not None
        rows = rows_of(repo.show(rev, path))
        return [index.node(number).oid for number in index.origins(version, rows)]

    return with_index(reader, ask, rev=rev)


def rows_of(data: bytes) -> list[str]:
    """Lines as the index counts them."""
    rows = data.decode("utf-8", "surrogateescape").split("\n")
    return rows[:-1] if not rows[-1] else [*rows[:-1], rows[-1] + "\0"]


def git_blame(repo: Repo, path: str, *flags: str, rev: str = "HEAD") -> list[str]:
    """The commit of every line of a file, as git says."""
    out = repo.git("blame", "--porcelain", *flags, rev, "--", path).stdout
    found = []
    current = ""
    for line in out.split(b"\n"):
        if line.startswith(b"\t"):
            found.append(current)
        elif len(words := line.split(b" ")) >= 3 and len(words[0]) in (40, 64) and words[1].isdigit():
            current = words[0].decode()
    return found


def dump(repo: Repo, rev: str = "HEAD") -> tuple[list[object], dict[str, list[str]]]:
    """All that an index says at a revision, without its own numbers: events in order of commits, origins by path."""
    reader = PlumbingReader(str(repo.path))

    def ask(index: BlockIndex) -> tuple[list[object], dict[str, list[str]]]:
        events: list[object] = []
        names: dict[int, str] = {}
        rows = sorted(index.all_events(), key=lambda row: row.seq)
        for row in rows:
            name = f"{index.node(row.seq).oid}:{row.kind}:{row.side.path}:{row.side.text}:{row.side.line}"
            names[row.fact] = min(name, names.get(row.fact, name))
        for row in rows:
            oid = index.node(row.seq).oid
            events.append((oid, names[row.fact], row.op, row.also, row.before, row.after))
        events.sort(key=repr)
        lines = {}
        for path in sorted(index.store.paths()):
            version = index.version(path)
            if version is not None:
                data = repo.git("cat-file", "blob", version.oid).stdout
                lines[path] = [index.node(number).oid for number in index.origins(version, rows_of(data))]
        return events, lines

    return with_index(reader, ask, rev=rev)


class Importer:
    """Writes many commits fast: `git fast-import`, one commit a call, times one minute apart."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.stream: list[bytes] = []
        self.count = 0

    def commit(self, files: Mapping[str, str | None], branch: str = "main", parents: Sequence[int] = (), author: str = AGENT) -> int:
        """Add a commit and return its mark. The first of `parents` is its parent, the others are merged; none continues the branch."""
        self.count += 1
        message = f"commit {self.count}".encode()
        when = f"{1780000000 + 60 * self.count} +0000".encode()
        head = [f"commit refs/heads/{branch}\nmark :{self.count}\n".encode(), b"author %s %s\n" % (author.encode(), when)]
        head += [b"committer %s %s\n" % (author.encode(), when), b"data %d\n%s\n" % (len(message), message)]
        head += [(b"merge" if number else b"from") + b" :%d\n" % mark for number, mark in enumerate(parents)]
        for path, content in files.items():
            if content is None:
                head.append(f"D {path}\n".encode())
            else:
                data = content.encode()
                head.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
        self.stream += head
        return self.count

    def finish(self) -> None:
        """Run git."""
        self.repo.git("fast-import", "--quiet", "--force", input=b"".join(self.stream))
        self.repo.git("symbolic-ref", "HEAD", "refs/heads/main")
        self.repo.git("reset", "-q", "--hard")


WORDS = [
    "node",
    "gateway",
    "backup",
    "wiki",
    "port",
    "deploy",
    "server",
    "queue",
    "token",
    "cache",
    "report",
    "garden",
    "meeting",
    "invoice",
    "router",
    "disk",
    "memory",
    "summary",
    "archive",
]


def sentence(chance: random.Random) -> str:
    """A line that git takes for moved when it moves."""
    return " ".join(chance.choice(WORDS) for _ in range(chance.randrange(5, 9))) + f" {chance.randrange(10000)}"


class Life:
    """A memory that changes at random: entries come, go and are reworded, blocks are reordered, offloaded and replaced."""

    def __init__(self, seed: int, blocks: int = 6, *, ids: bool = True) -> None:
        self.chance = random.Random(seed)
        self.ids = ids
        self.count = 0
        self.files: dict[str, list[list[str]]] = {"MEMORY.md": [self.fresh() for _ in range(blocks)], "memory/side.md": [self.fresh()]}

    def fresh(self) -> list[str]:
        """A new block."""
        self.count += 1
        name = f"b{self.count:05d}" if self.ids else ""
        return [heading(f"Topic {self.count} {self.chance.choice(WORDS)}", name=name)] + [f"- {sentence(self.chance)}" for _ in range(3)]

    def step(self) -> None:
        """One change."""
        chance = self.chance
        path = chance.choice(sorted(self.files))
        listed = self.files[path]
        act = chance.random()
        if act < 0.45 or len(listed) < 2:
            target = chance.choice(listed)
            if chance.random() < 0.5 or len(target) < 3:
                target.insert(chance.randrange(1, len(target) + 1), f"- {sentence(chance)}")
            elif chance.random() < 0.5:
                del target[chance.randrange(1, len(target))]
            else:
                target[chance.randrange(1, len(target))] = f"- {sentence(chance)}"
        elif act < 0.65:
            moved = listed.pop(chance.randrange(len(listed)))
            listed.insert(chance.randrange(len(listed) + 1), moved)
        elif act < 0.8:
            other = self.files[chance.choice(sorted(self.files))]
            other.insert(chance.randrange(len(other) + 1), listed.pop(chance.randrange(len(listed))))
        elif act < 0.9:
            listed[chance.randrange(len(listed))] = self.fresh()
        else:
            listed.insert(chance.randrange(len(listed) + 1), self.fresh())

    def texts(self) -> dict[str, str | None]:
        """The files as they stand."""
        return {path: memory(*("\n".join([b[0], "", *b[1:], ""]) + "\n" for b in listed)) for path, listed in self.files.items()}


def linear(repo: Repo, commits: int, seed: int, *, ids: bool = True) -> None:
    """A linear history of random changes."""
    life, importer = Life(seed, ids=ids), Importer(repo)
    for _ in range(commits):
        importer.commit(life.texts())
        life.step()
    importer.finish()


def folder(repo: Repo) -> Path:
    """Where the index lies."""
    return repo.path / ".git" / "hoard"
