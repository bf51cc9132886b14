"""What a commit of some paths would be: judged in an index and an object store of its own, so that nothing refused stays behind."""

# ruff: noqa: PTH100, PTH102, PTH112, PTH113, PTH114, PTH118 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import contextlib
import os
import tempfile

from hoard_git.app.gate import Gate
from hoard_git.core.shellwords import shell_word
from hoard_git.core.trust import actor_of
from hoard_git.errors import HoardError
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.process import GitError, encode_path
from hoard_git.gitio.reader import INDEX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.app.gate import Judgement
    from hoard_git.core.model import Actor
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.process import Running
    from hoard_git.gitio.reader import Ident


class OverlayReader(PlumbingReader):
    """The same repository, seen with a few other environment variables."""

    def __init__(self, reader: PlumbingReader, extra: Mapping[str, str]) -> None:
        """`extra` is added to the environment of every git process."""
        super().__init__(reader.root(), foreign=reader.foreign)
        self._extra = dict(extra)

    def environment(self) -> dict[str, str]:
        """See `PlumbingReader.environment`."""
        return {**super().environment(), **self._extra}

    def git(
        self,
        args: Sequence[str | bytes],
        *,
        stdin: bytes = b"",
        extra: Mapping[str, str] | None = None,
        at_root: bool = False,
        fixed: bool = True,
    ) -> Running:
        """See `PlumbingReader.git`."""
        return super().git(args, stdin=stdin, extra=extra or self._extra, at_root=at_root, fixed=fixed)


def judge_paths(
    reader: PlumbingReader,
    paths: Sequence[str],
    author: Ident | None,
    days: Callable[[Policy], Days],
    environ: Mapping[str, str],
    contents: Mapping[str, bytes] | None = None,
    *,
    actor: Actor | None = None,
) -> Judgement:
    """Judge HEAD against HEAD plus these paths as they are in the work tree, or as `contents` (by path) says they will be.

    Neither the user's index nor the object store is written: a refused secret leaves no blob. `author` None is whoever git would name; `actor` is who the change counts
    as, whoever the author is.
    """
    who = author if author is not None else reader.author()
    given = contents or {}
    with overlay(reader) as staged:
        _stage_worktree(staged, [path for path in paths if path not in given])
        _stage_contents(staged, given)
        gate = Gate(staged, days=days)
        return gate.judge((reader.head(),), INDEX, lambda policy: actor or actor_of(who.email, policy, environ=environ, local=True))


@contextlib.contextmanager
def overlay(reader: PlumbingReader) -> Iterator[OverlayReader]:
    """The repository with an index of its own, filled from HEAD, and a place of its own for new objects; both are gone afterwards."""
    head = reader.head()
    with tempfile.TemporaryDirectory(prefix="hoard-") as folder:
        staged = OverlayReader(reader, _apart(reader, folder))
        staged.git(("read-tree", head) if head else ("read-tree", "--empty")).finish()
        yield staged


def _apart(reader: PlumbingReader, folder: str) -> dict[str, str]:
    """An index and an object directory in `folder`; the repository's own objects stay readable."""
    known = reader.environment()
    objects = known.get("GIT_OBJECT_DIRECTORY") or os.path.join(reader.common_dir(), "objects")
    others = known.get("GIT_ALTERNATE_OBJECT_DIRECTORIES", "")
    place = os.path.join(folder, "objects")
    os.mkdir(place)
    alternates = os.pathsep.join(part for part in (_quoted(os.path.abspath(objects)), others) if part)
    return {"GIT_INDEX_FILE": os.path.join(folder, "index"), "GIT_OBJECT_DIRECTORY": place, "GIT_ALTERNATE_OBJECT_DIRECTORIES": alternates}


def _quoted(path: str) -> str:
    """A path as git reads it in a list: one with a colon or a quote has to stand in quotes."""
    if os.pathsep not in path and not path.startswith('"'):
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _stage_worktree(staged: OverlayReader, paths: Sequence[str]) -> None:
    if not paths:
        return
    names = b"".join(encode_path(path) + b"\0" for path in paths)
    # --sparse: .hoard.yaml lies outside of many a sparse checkout, and git would refuse to add it
    args = ("add", "-A", "-f", "--sparse", "--pathspec-from-file=-", "--pathspec-file-nul")
    try:
        staged.git(args, stdin=names, extra={"GIT_LITERAL_PATHSPECS": "1"}, at_root=True).finish()
    except GitError as error:
        if "can only add regular files" not in error.output:
            raise
        root = staged.root()
        odd = next((path for path in paths if not _is_for_git(os.path.join(root, path))), paths[0])
        raise HoardError(f"{odd!r} is not a regular file.", f"ls -ld {shell_word(odd)}") from None


def _is_for_git(path: str) -> bool:
    return os.path.islink(path) or os.path.isfile(path) or os.path.isdir(path) or not os.path.lexists(path)


def _stage_contents(staged: OverlayReader, contents: Mapping[str, bytes]) -> None:
    """Put contents into the index as if they lay in the work tree: git's own filters and line-end conversion apply."""
    lines = []
    for path, data in contents.items():
        oid = staged.git(("hash-object", "-w", "--stdin", "--path", path), stdin=data, at_root=True).finish().strip()
        lines.append(b"100644 %s\t%s\0" % (oid, encode_path(path)))
    if lines:
        staged.git(("update-index", "-z", "--index-info"), stdin=b"".join(lines), at_root=True).finish()
