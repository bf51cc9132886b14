"""The versions of a few files along the main line of history, and how large they were, without reading what is not asked for."""

from __future__ import annotations

from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Oid, RepoPath
from hoard_git.core.record import Record
from hoard_git.gitio.process import GitError, decode_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hoard_git.gitio.plumbing import PlumbingReader


class FileVersion(Record):
    """One version of a file: the commit that brought it, its committer's time in seconds since 1970 UTC, and its blob, '' when the file went."""

    commit: Oid
    time: int
    path: RepoPath
    blob: Oid


def file_versions(reader: PlumbingReader, tip: Oid, paths: Sequence[str]) -> list[FileVersion]:
    """Every version of these files on the first-parent line of a commit, oldest first; renames are not followed. Raises HoardError."""
    args = (
        "log",
        "--first-parent",
        "-m",
        "--raw",
        "-z",
        "--no-abbrev",
        "--no-renames",
        "--no-ext-diff",
        "--format=%H %ct",
        tip,
        "--",
        *paths,
    )
    try:
        fields = reader.git(args, extra={"GIT_LITERAL_PATHSPECS": "1"}, at_root=True).finish().split(b"\0")
    except GitError as error:
        raise reader.explain_missing(error) from None
    found = []
    commit, time = Oid(""), 0
    rest = iter(fields)
    for field in rest:
        text = field.lstrip(b"\n")
        if not text:
            continue
        if not text.startswith(b":"):
            head = text.decode("ascii").split(" ")
            commit, time = Oid(head[0]), int(head[1])
            continue
        _old, mode, _was, blob, _status = text.decode("ascii").split(" ")
        is_file = int(mode, 8) in (MODE_FILE, MODE_EXECUTABLE)
        found.append(FileVersion(commit, time, RepoPath(decode_path(next(rest))), Oid(blob if is_file else "")))
    return found[::-1]


def blob_sizes(reader: PlumbingReader, oids: Iterable[Oid]) -> dict[Oid, int]:
    """Bytes of each blob, by one process. Raises HoardError when one is missing."""
    wanted = list(dict.fromkeys(oid for oid in oids if oid))
    if not wanted:
        return {}
    asked = "".join(f"{oid}\n" for oid in wanted).encode()
    said = reader.git(("cat-file", "--batch-check=%(objecttype) %(objectsize)"), stdin=asked).finish().decode("ascii").split("\n")
    sizes = {}
    for oid, line in zip(wanted, said, strict=False):
        kind, _, size = line.partition(" ")
        if kind != "blob":
            raise reader.explain_missing(GitError(f"Object {oid} is missing.", "git fsck"))
        sizes[oid] = int(size)
    return sizes
