"""Which day git knows for each line of a file: the author's day of the commit that last touched it, when that commit is small."""

from __future__ import annotations

from pathlib import Path

from hoard_git.core.dates import EPOCH
from hoard_git.core.model import RepoPath
from hoard_git.gitio.process import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from hoard_git.gitio.plumbing import PlumbingReader

UNCOMMITTED = 0
"""Stands for the day of a line that is not committed; no real day has this number."""

MOST_PATHS = 50
"""A commit with more paths is an import or a backup and says nothing about a fact's age (so were those of a third of all bullets measured)."""

_BLAME = ("blame", "--porcelain", "--root", "--no-textconv", "--no-progress")


def line_days(reader: PlumbingReader, path: RepoPath) -> list[int | None]:
    """One day number per line of the work-tree file, in the author's zone; None for bulk commits, UNCOMMITTED for lines that no commit has.

    Empty for a file that HEAD does not have. A shallow clone's oldest commits, which seem to have written everything, count as bulk, and so
    does one that `hoard init` made of files as it found them (Memory-Op: adopt).
    """
    try:
        out = reader.git((*_BLAME, "--", path), at_root=True).finish()
    except GitError as error:
        if "no such path" in error.output or "no such ref" in error.output or "bad revision 'HEAD'" in error.output:
            return []
        raise
    owners, days = _parse(out)
    small = _small_commits(reader, days.keys() - _cut_off(reader) - _adoptions(reader, days))
    return [UNCOMMITTED if not oid.strip("0") else days[oid] if oid in small else None for oid in owners]


def _adoptions(reader: PlumbingReader, oids: Collection[str]) -> set[str]:
    if not oids:
        return set()
    args = ("rev-list", "--no-walk", "--extended-regexp", "--grep=^Memory-Op: adopt$", "--stdin")
    out = reader.git(args, stdin="".join(f"{oid}\n" for oid in sorted(oids)).encode()).finish()
    return set(out.decode("ascii").split())


def _parse(out: bytes) -> tuple[list[str], dict[str, int]]:
    """Read `git blame --porcelain`: the commit of each line, and the day of each commit."""
    owners: list[str] = []
    times: dict[str, int] = {}
    current = ""
    for line in out.split(b"\n"):
        if line.startswith(b"\t"):
            owners.append(current)
            continue
        words = line.split(b" ")
        if len(words) >= 3 and len(words[0]) in (40, 64) and words[1].isdigit():
            current = words[0].decode("ascii")
        elif words[0] == b"author-time":
            times[current] = int(words[1])
        elif words[0] == b"author-tz":
            sign = -1 if words[1][:1] == b"-" else 1
            times[current] += sign * (int(words[1][1:3]) * 3600 + int(words[1][3:5]) * 60)
    return owners, {oid: EPOCH + seconds // 86400 for oid, seconds in times.items() if oid.strip("0")}


def _cut_off(reader: PlumbingReader) -> set[str]:
    if not reader.is_shallow():
        return set()
    return set(Path(reader.common_dir(), "shallow").read_text(encoding="ascii", errors="replace").split())


def _small_commits(reader: PlumbingReader, oids: Collection[str]) -> set[str]:
    """The commits that touch at most MOST_PATHS paths: one process for all."""
    if not oids:
        return set()
    args = ("diff-tree", "--stdin", "-r", "--root", "-m", "--name-only", "--no-renames", "-z")
    out = reader.git(args, stdin="".join(f"{oid}\n" for oid in sorted(oids)).encode()).finish()
    names = {oid.encode(): oid for oid in oids}
    counts = dict.fromkeys(oids, 0)
    current = ""
    for field in out.split(b"\0"):
        # A header is `<oid>`, for a merge `<oid> (from <parent>)`, and its line may end in a newline rather than a NUL.
        for part in field.split(b"\n"):
            known = names.get(part.partition(b" ")[0])
            if known is not None:
                current = known
            elif part and current:
                counts[current] += 1
    return {oid for oid, count in counts.items() if count <= MOST_PATHS}
