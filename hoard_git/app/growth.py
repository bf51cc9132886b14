"""How a workspace's loaded files grew: which commit first took one over its limit, how much comes on a day, and on which day it will be too much."""

from __future__ import annotations

from hoard_git.core.budget import BYTES
from hoard_git.core.dates import EPOCH
from hoard_git.core.record import Record
from hoard_git.core.window import DROPPED, load
from hoard_git.gitio.filehistory import blob_sizes, file_versions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.app.windows import Room
    from hoard_git.core.model import Oid
    from hoard_git.core.window import Row
    from hoard_git.gitio.filehistory import FileVersion
    from hoard_git.gitio.plumbing import PlumbingReader

_WINDOW = 30
"""Days that are looked back for the growth: one rewrite a month does not hide what comes in daily."""
_SHORTEST = 3
_FARTHEST = 3 * 365
"""Days ahead after which a crossing is no forecast any more."""
_BATCH = 40


class Crossing(Record):
    """The commit with which a file or the total first went over a limit, and the one since which it is over without a break."""

    first: Oid
    first_day: int
    since: Oid
    since_day: int


class Growth(Record):
    """One file: what a day adds in the unit of its limit over the days looked at, and the day number of the crossing; 0 when none is in sight."""

    path: str
    per_day: int
    days: int
    crosses: int
    over: Crossing | None = None


def read_growth(reader: PlumbingReader, room: Room, today: int) -> list[Growth]:
    """What history says about each loaded file of a workspace, in load order. Raises HoardError where history cannot be read."""
    tip = reader.head()
    rows = [row for row in room.window.rows if row.limit is not None]
    if tip is None or not rows:
        return []
    by_path: dict[str, list[FileVersion]] = {row.path: [] for row in rows}
    for version in file_versions(reader, tip, list(by_path)):
        by_path[version.path].append(version)
    sizes = blob_sizes(reader, (version.blob for versions in by_path.values() for version in versions))
    return [_grow(reader, room, row, by_path[row.path], sizes, today) for row in rows]


def _grow(reader: PlumbingReader, room: Room, row: Row, versions: Sequence[FileVersion], sizes: dict[Oid, int], today: int) -> Growth:
    over = _crossing(reader, room, row, versions, sizes) if row.is_over else None
    base = _base(versions, today)
    limit = row.limit
    if base is None or limit is None:
        return Growth(row.path, 0, 0, 0, over)
    days = today - _day(base)
    then = sizes[base.blob] if limit.unit == BYTES else _row_of(reader, room, row, base).size.of(limit.unit)
    now = row.size.of(limit.unit)
    gained = now - then
    left = limit.amount - now
    ahead = -(-left * days // gained) if gained > 0 and left > 0 and row.outcome != DROPPED else 0
    return Growth(row.path, round(gained / days), days, today + ahead if 0 < ahead <= _FARTHEST else 0, over)


def _base(versions: Sequence[FileVersion], today: int) -> FileVersion | None:
    """The version that stood a month ago, else the oldest one if that is some days back; None when there is too little to go by."""
    there = [version for version in versions if version.blob]
    before = [version for version in there if today - _day(version) >= _WINDOW]
    if before and before[-1] == versions[-1]:
        return None  # untouched for a month
    if before:
        return before[-1]._replace(time=max(before[-1].time, (today - _WINDOW - EPOCH) * 86400))
    return there[0] if there and today - _day(there[0]) >= _SHORTEST else None


def _crossing(reader: PlumbingReader, room: Room, row: Row, versions: Sequence[FileVersion], sizes: dict[Oid, int]) -> Crossing | None:
    """Look for the first version over the limit, then back from the last one; what has too few bytes is never read."""
    limit = row.limit
    if limit is None:
        return None
    verdicts: dict[Oid, bool] = {}

    def judge(chosen: Sequence[FileVersion]) -> None:
        wanted = {version.blob for version in chosen if version.blob and version.blob not in verdicts}
        large = [oid for oid in wanted if sizes[oid] > limit.amount]  # no file has fewer bytes than characters or lines
        verdicts.update(dict.fromkeys(wanted, False))
        for oid, data in reader.blobs(large).items():
            verdicts[oid] = _alone(room, row, data).is_over

    def find(line: Sequence[FileVersion], *, over: bool) -> FileVersion | None:
        for first in range(0, len(line), _BATCH):
            part = line[first : first + _BATCH]
            judge(part)
            for version in part:
                if verdicts.get(version.blob, False) == over:
                    return version
        return None

    first = find(versions, over=True)
    if first is None:
        return None  # only the work tree is over
    last_good = find(versions[::-1], over=False)
    after = versions[list(versions).index(last_good) + 1 :] if last_good is not None else versions
    since = after[0] if after else None
    if since is None:
        return None
    return Crossing(first.commit, _day(first), since.commit, _day(since))


def _row_of(reader: PlumbingReader, room: Room, row: Row, version: FileVersion) -> Row:
    return _alone(room, row, reader.blobs([version.blob])[version.blob])


def _alone(room: Room, row: Row, data: bytes) -> Row:
    return load({row.name: (row.path, data)}, room.window.budget._replace(total=None)).rows[0]


def _day(version: FileVersion) -> int:
    return EPOCH + version.time // 86400
