"""What a build of the block index finds out, gathered as plain values: they may be written here or sent to another process."""

from __future__ import annotations

from hoard_git.gitio.blockindex_values import pack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hoard_git.core.knownfacts import Event
    from hoard_git.core.units import Unit
    from hoard_git.gitio.blockindex_log import LoggedCommit

    Claim = tuple[str, str, str, str, str, bool, str]
    SideValues = tuple[str, str, str, Claim]
    """Path, title, text and claim of a unit."""

    NodeValues = tuple[int, str, bytes, tuple[str, str], str, int, str, str, str, str, str, int, int]
    """Number, oid, parents, name and address, date, committed, subject, op, sources, policies in force, policies of its tree, age, and the
    first number that a fact of it could get."""

    EventValues = tuple[int, int, str, str, str, int, int, SideValues | None, SideValues | None, int, int, int, int]
    """Commit, fact, kind, op, further kinds, owners, sides, lines: each before and after where there are two."""

    PieceValues = tuple[int, bytes, int]
    """Number, facts, lines."""

    VersionValues = tuple[str, int, str, bytes]
    """Path, commit, blob, numbers of pieces."""

    Texts = tuple[list[str], bytes]
    """The texts that facts may be known again by (`blockindex_memory.Facts`), each once in a build, and the first fact of each, packed."""

    Batch = tuple[list[NodeValues], list[EventValues], list[PieceValues], list[VersionValues], Texts]
    """What came since the last one."""

    Ending = tuple[int, bool, list[tuple[str, int]], list[tuple[str, int]], int, list[tuple[int, int]]]
    """Last commit, whether every commit follows the one before, the further facts by text, facts by id, the next fact, and joined facts with
    what stands for each."""


class Rows:
    """Gathers until somebody takes."""

    __slots__ = ("_events", "_next_piece", "_nodes", "_pieces", "_versions")

    def __init__(self, next_piece: int) -> None:
        """Begin; `next_piece` is the number that the next piece gets."""
        self._next_piece = next_piece
        self._nodes: list[NodeValues] = []
        self._events: list[EventValues] = []
        self._pieces: list[PieceValues] = []
        self._versions: list[VersionValues] = []

    def add_node(self, seq: int, commit: LoggedCommit, parents: Sequence[int], policies: tuple[str, str], since: tuple[int, int]) -> None:
        """Keep a commit; `policies` lists those in force for it and those in its tree, `since` are its age and first fact."""
        oid, _parents, name, email, date, committed, subject, op, sources, _changes = commit
        self._nodes.append((seq, oid, pack(parents), (name, email), date, committed, subject, op, sources, *policies, *since))

    def add_event(self, seq: int, event: Event) -> None:
        """Keep an event."""
        fact, op, also, before, after, owner_before, owner_after, line, end, old_line, old_end = event
        unit = after if after is not None else before
        if unit is None:
            raise ValueError("an event has at least one side")
        old = _side(before) if before is not None else None
        new = _side(after) if after is not None else None
        more = " ".join(also) if also else ""
        self._events.append((seq, fact, unit.kind, op, more, owner_before, owner_after, old, new, line, end, old_line, old_end))

    def add_piece(self, facts: Iterable[int], lines: int) -> int:
        """Keep the facts of one piece and the number of its lines, and return the piece's number."""
        number = self._next_piece
        self._next_piece = number + 1
        self._pieces.append((number, pack(facts), lines))
        return number

    def add_version(self, path: str, seq: int, oid: str, pieces: bytes) -> None:
        """Keep a version of a file, `pieces` packed; an empty `oid` says that the file went."""
        self._versions.append((path, seq, oid, pieces))

    def take(self, texts: Texts) -> Batch:
        """Give what has gathered, and begin anew."""
        found = self._nodes, self._events, self._pieces, self._versions, texts
        self._nodes, self._events, self._pieces, self._versions = [], [], [], []
        return found


def _side(unit: Unit) -> SideValues:
    return unit.path, unit.title, unit.text, unit.provenance[:7]
