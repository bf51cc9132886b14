"""Whether a commit's trailers say what its trees say, for the log: computed for the commits that are shown, then kept in the index."""

from __future__ import annotations

from hoard_git.app.history import memory_rules
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Oid
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.align import Side
    from hoard_git.core.document import Document
    from hoard_git.gitio.blockindex import BlockIndex
    from hoard_git.gitio.blockindex_store import NodeRow
    from hoard_git.gitio.plumbing import PlumbingReader

MISSING = "missing"


class Verdicts:
    """Judges commits' trailers once each. Call `save` at the end."""

    def __init__(self, reader: PlumbingReader) -> None:
        """Nothing is read before the first question."""
        self._reader = reader
        self._fresh: dict[int, str] = {}
        self._index: BlockIndex | None = None

    def __call__(self, index: BlockIndex, node: NodeRow) -> str:
        """Return `ok`, `missing` or `mismatch`."""
        if node.sources == "-":
            return MISSING
        known = node.verdict or self._fresh.get(node.seq)
        if not known:
            self._index = index
            known = self._fresh[node.seq] = judge_trailers(self._reader, node.oid, node.policy)
        return known

    def save(self) -> None:
        """Keep what was found out."""
        if self._index is not None and self._fresh:
            self._index.save_verdicts(self._fresh)


def judge_trailers(reader: PlumbingReader, oid: str, listing: str) -> str:
    """Compare a commit's trailers with those that its trees call for, under the policies of a listing (`NodeRow.policy`)."""
    from hoard_git.core.align import Side, find_changes
    from hoard_git.core.changelist import expected_trailers
    from hoard_git.core.markdown import parse
    from hoard_git.core.trailercheck import compare_trailers, verdict
    from hoard_git.core.trailers import OP, OPS, parse_trailers

    info = reader.commit(Oid(oid))
    base = info.parents[0] if info.parents else None
    try:
        rules = memory_rules(reader, oid, listing)
    except HoardError:
        rules = memory_rules(reader, oid, "")
    listed = [change for change in reader.changes(base, info.oid) if rules.classify(change.path)]
    regular = (MODE_FILE, MODE_EXECUTABLE)
    oids = {o for c in listed for mode, o in ((c.old_mode, c.old_oid), (c.new_mode, c.new_oid)) if mode in regular}
    blobs = reader.blobs(sorted(oids))
    before: dict[str, Document] = {c.path: parse(blobs[c.old_oid]) for c in listed if c.old_mode in regular}
    after: dict[str, Document] = {c.path: parse(blobs[c.new_oid]) for c in listed if c.new_mode in regular}

    def sides(documents: dict[str, Document]) -> list[Side]:
        return [Side(path, rules.classify(path), d, rules.default(path, rules.classify(path))) for path, d in documents.items()]

    found = parse_trailers(info.message)
    said = next((trailer.value for trailer in found if trailer.key.lower() == OP.lower()), "")
    op = said if said in OPS else "merge" if len(info.parents) > 1 else "write"
    expected = expected_trailers(find_changes(sides(before), sides(after)), before, after, op=op, parent=base) if listed else ()
    return verdict(compare_trailers(found, expected, info.message))
