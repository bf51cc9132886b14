"""What `hoard report` and `hoard ui` show of a workspace, gathered once: who changed what when, what each block is, and what ends when."""

from __future__ import annotations

from collections import Counter

from hoard_git.app.history_blame import read_blame
from hoard_git.app.history_log import Filter, read_log
from hoard_git.app.history_query import ALL, Target, candidate, find_block
from hoard_git.app.refusals import Refusal, read_refusals
from hoard_git.app.windows import read_rooms
from hoard_git.app.workspace import find_memory, find_memory_files, read_policies_of_worktree
from hoard_git.core.dates import format_day, parse_day
from hoard_git.core.files import OTHER, file_default
from hoard_git.core.freshness import expiry_day, freshness
from hoard_git.core.markdown import parse
from hoard_git.core.model import RepoPath
from hoard_git.core.moments import iso_moment
from hoard_git.core.provenance import count_untagged, provenances
from hoard_git.core.record import Record
from hoard_git.core.verdict import AGREE, DISAGREE, UNVERIFIED
from hoard_git.errors import HoardError
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.app.history_blame import BlameLine
    from hoard_git.app.history_log import LogEvent
    from hoard_git.app.policies import Policies
    from hoard_git.app.windows import Room
    from hoard_git.app.workspace import OnDisk
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.blockindex import BlockIndex
    from hoard_git.gitio.plumbing import PlumbingReader

SOURCES = ("user", "agent", "tool", "web", "dig", "untagged")
"""What a fact's source is called, highest trust first; `untagged` stands for none."""

_MOST_MOVERS, _MOST_RECENT, _MOST_REFUSALS, _MOST_MAPPED = 12, 40, 50, 40
_DAILY_STEPS, _WEEKLY_STEPS = 45, 130
"""Longest span, in days and in weeks, that is still drawn by day and by week."""

_ORDER = {"index": 0, "identity": 1, "heartbeat": 2, "topic": 3, "wiki": 4, "daily": 5, "archive": 6, "other": 7}


class Period(Record):
    """A stretch of days: its first and last as ISO dates, and how many events fell into it, by source and by kind of actor."""

    first: str
    last: str
    sources: tuple[tuple[str, int], ...]
    kinds: tuple[tuple[str, int], ...]

    @property
    def total(self) -> int:
        """All events of the period."""
        return sum(count for _name, count in self.sources)


class Mover(Record):
    """A block that changed often. `name` is what `hoard show` takes for it, '' where nothing finds just this one.

    `events` says how often, `commit` is the last one's.
    """

    name: str
    title: str
    path: str
    events: int
    last: str
    commit: str


class Recent(Record):
    """One of the last events."""

    date: str
    commit: str
    author: str
    kind: str
    event: str
    title: str
    path: str
    src: str


class Piece(Record):
    """A run of lines of one file that belong to one block: what it claims, who wrote it, and the worst verdict about its lines.

    `line` and `end` are 1-based. `state` is the freshness of the claim that most lines have. `authors` are the last writers, latest first.
    """

    block: str
    line: int
    end: int
    src: str
    ts: str
    expires: str
    state: str
    verdict: str
    why: str
    date: str
    authors: tuple[str, ...]
    commit: str


class FileMap(Record):
    """One file in pieces. `problem` says why there are none."""

    path: str
    file_class: str
    pieces: tuple[Piece, ...]
    problem: str = ""


class Ending(Record):
    """An entry that ends on a day, `day` its last fresh one. The text stands on line `line` of the file."""

    path: str
    line: int
    src: str
    day: str
    state: str


class FileSize(Record):
    """How large a memory file is; `chars` are code points, `entries` those of the reader. `sources` counts entries by source.

    `untagged` counts the facts that should have a tag and have none; there are none of those in the archive and in files of no class.
    """

    path: str
    file_class: str
    chars: int
    bytes: int
    entries: int
    sources: tuple[tuple[str, int], ...]
    untagged: int


class Report(Record):
    """Everything that a page shows.

    `problems` say of files why they cannot be read, and `rooms` are what a host loads of each workspace. `left_out` counts files whose lines are
    not mapped, since there are too many. `texts` are the lines of files as they lie on disk; nothing of them may be shown that was not looked at
    for credentials.
    """

    name: str
    head: str
    today: str
    known: bool
    periods: tuple[Period, ...]
    actors: tuple[tuple[str, str, int], ...]
    movers: tuple[Mover, ...]
    recent: tuple[Recent, ...]
    maps: tuple[FileMap, ...]
    left_out: int
    endings: tuple[Ending, ...]
    sizes: tuple[FileSize, ...]
    refusals: tuple[Refusal, ...]
    texts: Mapping[str, Sequence[str]]
    problems: tuple[str, ...] = ()
    rooms: tuple[Room, ...] = ()


def gather(reader: PlumbingReader, index: BlockIndex | None, days: Callable[[Policy], Days], name: str) -> Report:
    """Gather everything. `index` is None where there is no commit yet. Raises HoardError for a policy or repository that cannot be read."""
    policies = read_policies_of_worktree(reader)
    memory = find_memory(reader.root(), policies)
    files = {path: found.file_class for path, found in memory.items()}
    contents, problems = _read_all(reader, files)
    ranked = list(contents)
    sizes, endings = _standing(contents, files, lambda path: (policies.govern(path), days(policies.govern(path)).today))
    today = days(policies.govern("MEMORY.md")).today
    story = _Story()
    if index is not None:
        story.take(read_log(index, reader, Target(ALL), Filter(), lambda _index, _node: "ok"))
    shown = [path for path in ranked if files[path] in ("index", "identity", "heartbeat", "topic", "wiki")]
    maps = [_map(reader, index, path, files[path], policies.govern(path), today) for path in shown[:_MOST_MAPPED]]
    refusals = read_refusals(reader)
    rooms, unread = _read_rooms(reader, policies, memory, contents)
    return Report(
        name,
        (reader.head() or "")[:12],
        format_day(today),
        policies.known,
        story.periods(),
        story.actors(),
        tuple(story.movers(index, reader)) if index is not None else (),
        tuple(story.recent),
        tuple(maps),
        len(shown) - len(maps),
        tuple(sorted(endings, key=lambda ending: (ending.day, ending.path, ending.line))),
        tuple(sizes),
        tuple(refusals[-_MOST_REFUSALS:][::-1]),
        {path: _rows(data or b"") for path, data in contents.items()},
        (*problems, *unread),
        rooms,
    )


def measure(reader: PlumbingReader, days: Callable[[Policy], Days]) -> tuple[list[FileSize], list[str]]:
    """How large every memory file is, in the order of the report, and why others cannot be read."""
    policies = read_policies_of_worktree(reader)
    files = find_memory_files(reader.root(), policies)
    contents, problems = _read_all(reader, files)
    return _standing(contents, files, lambda path: (policies.govern(path), days(policies.govern(path)).today))[0], problems


def _read_all(reader: PlumbingReader, files: Mapping[str, str]) -> tuple[dict[str, bytes | None], list[str]]:
    """What lies on disk in the order in which files are told of, and why something, such as a symlink, cannot be read."""
    contents: dict[str, bytes | None] = {}
    problems = []
    for path in sorted(files, key=lambda path: (_ORDER.get(files[path], 9), path)):
        try:
            contents[path] = read_file(reader.root(), RepoPath(path))
        except HoardError as error:
            problems.append(error.message)
    return contents, problems


def _read_rooms(
    reader: PlumbingReader, policies: Policies, memory: Mapping[str, OnDisk], contents: Mapping[str, bytes | None]
) -> tuple[tuple[Room, ...], tuple[str, ...]]:
    """What a host loads, of the files that were read; a configuration of it that cannot be read is named instead."""
    known = {path: data for path, data in contents.items() if data is not None}
    try:
        return tuple(read_rooms(reader.root(), policies, {path: memory[path] for path in known}, known)), ()
    except HoardError as error:
        return (), (f"The budgets: {error.message}",)


class _Story:
    """Events, newest first, summed up while they pass."""

    def __init__(self) -> None:
        self._days: dict[int, tuple[Counter[str], Counter[str]]] = {}
        self._blocks: Counter[tuple[int, str]] = Counter()
        self._last: dict[tuple[int, str], tuple[str, str, str, str]] = {}
        self._actors: Counter[tuple[str, str]] = Counter()
        self.recent: list[Recent] = []

    def take(self, events: Iterable[LogEvent]) -> None:
        for event in events:
            block, date = event.change.block, iso_moment(event.node.date)[:10]
            src = event.change.provenance.src or "untagged"
            kind = event.actor.kind or "unlisted"
            who = event.actor.name or event.node.name
            day = parse_day(date)
            if day is not None:
                sources, kinds = self._days.setdefault(day, (Counter(), Counter()))
                sources[src] += 1
                kinds[kind] += 1
            key = (block.fact, "" if block.fact else block.path)
            self._blocks[key] += 1
            if key not in self._last:
                self._last[key] = (block.title, block.path, date, event.node.oid)
            self._actors[who, kind] += 1
            if len(self.recent) < _MOST_RECENT:
                self.recent.append(Recent(date, event.node.oid, who, kind, event.change.event, block.title, block.path, src))

    def periods(self) -> tuple[Period, ...]:
        """The whole span in equal steps: days, weeks or months, whichever keeps a picture readable."""
        if not self._days:
            return ()
        first, last = min(self._days), max(self._days)
        step = 1 if last - first < _DAILY_STEPS else 7 if (last - first) // 7 < _WEEKLY_STEPS else 30
        found = []
        for start in range(first, last + 1, step):
            within = [self._days[day] for day in range(start, start + step) if day in self._days]
            sources, kinds = Counter[str](), Counter[str]()
            for by_source, by_kind in within:
                sources += by_source
                kinds += by_kind
            end = min(start + step - 1, last)
            found.append(
                Period(
                    format_day(start), format_day(end), tuple((s, sources[s]) for s in SOURCES if sources[s]), tuple(sorted(kinds.items()))
                )
            )
        return tuple(found)

    def actors(self) -> tuple[tuple[str, str, int], ...]:
        """Name, kind and events of everyone who changed memory, busiest first."""
        return tuple((who, kind, count) for (who, kind), count in sorted(self._actors.items(), key=lambda item: (-item[1], item[0])))

    def movers(self, index: BlockIndex, reader: PlumbingReader) -> Iterator[Mover]:
        """The blocks with the most events; one event is no movement."""
        ranked = sorted(self._blocks.items(), key=lambda item: (-item[1], self._last[item[0]]))
        for key, count in ranked[:_MOST_MOVERS]:
            if count > 1:
                title, path, last, commit = self._last[key]
                yield Mover(_name(index, reader, key[0]), title, path, count, last, commit)


def _name(index: BlockIndex, reader: PlumbingReader, fact: int) -> str:
    """What finds this very block; '' for what stands above all headings, and where a name finds another, or several."""
    name = candidate(index, fact, reader).name if fact else ""
    try:
        return name if name and find_block(index, reader, name, name) == (fact,) else ""
    except HoardError:
        return ""


def _standing(
    contents: Mapping[str, bytes | None], files: Mapping[str, str], rules: Callable[[str], tuple[Policy, int]]
) -> tuple[list[FileSize], list[Ending]]:
    """Sizes of all files in order, and every entry that ends some day."""
    sizes: list[FileSize] = []
    endings: list[Ending] = []
    for path, data in contents.items():
        if data is None:
            continue
        policy, today = rules(path)
        document = parse(data)
        default = file_default(path, files[path], policy)
        claims = provenances(document, default)
        counts = Counter(claim.src or "untagged" for claim in claims)
        sources = tuple((name, counts[name]) for name in SOURCES if counts[name])
        active = files[path] not in ("archive", OTHER)
        untagged = count_untagged(document, default) if active else 0
        sizes.append(FileSize(path, files[path], len(data.decode("utf-8", "ignore")), len(data), len(claims), sources, untagged))
        if not active:
            continue
        for entry, claim in zip(document.entries, claims, strict=True):
            day = expiry_day(claim, policy) if claim.origin != "class" else ""
            if day:
                endings.append(Ending(path, entry.line, claim.src, day, freshness(claim, policy, today)))
    return sizes, endings


def _map(reader: PlumbingReader, index: BlockIndex | None, path: str, file_class: str, policy: Policy, today: int) -> FileMap:
    if index is None or index.version(path) is None:
        return FileMap(path, file_class, (), "not committed yet")
    try:
        lines = read_blame(index, reader, path, work_tree=True).lines
    except HoardError as error:
        return FileMap(path, file_class, (), error.message)
    return FileMap(path, file_class, tuple(_piece(part, policy, today) for part in _parts(lines)))


def _rows(data: bytes) -> list[str]:
    return data.decode("utf-8", "replace").removesuffix("\n").split("\n")


def _parts(lines: Sequence[BlameLine]) -> Iterator[list[BlameLine]]:
    """Runs of lines of one block; blank lines stay with what stands before them."""
    part: list[BlameLine] = []
    for line in lines:
        if part and line.text.strip() and line.block != part[0].block:
            yield part
            part = []
        part.append(line)
    if part:
        yield part


_RANK = {DISAGREE: 0, UNVERIFIED: 1, AGREE: 2}


def _piece(part: Sequence[BlameLine], policy: Policy, today: int) -> Piece:
    told = [line for line in part if line.text.strip()] or list(part)
    worst = min(told, key=lambda line: _RANK.get(line.verdict, 1))
    claims = Counter(line.provenance._replace(line=0) for line in told if line.provenance.src)
    claim = claims.most_common(1)[0][0] if claims else told[0].provenance
    written = sorted((line.node for line in told if line.node is not None), key=lambda node: -node.committed)
    names = {line.node.seq: line.actor.name or line.node.name for line in told if line.node is not None and line.actor is not None}
    return Piece(
        part[0].block,
        part[0].line,
        part[-1].line,
        claim.src,
        claim.ts,
        expiry_day(claim, policy),
        freshness(claim, policy, today),
        worst.verdict,
        worst.why,
        iso_moment(written[0].date)[:10] if written else "",
        tuple(dict.fromkeys(names[node.seq] for node in written))[:3],
        written[0].oid[:12] if written else "",
    )
