"""When files left the history behind some tips, and where they went: one `git log` over deletions, and one comparison for a commit that is asked about."""

from __future__ import annotations

from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.process import decode_path
from hoard_git.lint.scene import Gone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hoard_git.core.model import Oid
    from hoard_git.gitio.reader import Reader

_LOG = ("log", "--stdin", "-c", "--diff-filter=D", "--no-renames", "--name-only", "-z", "--format=%x01%H")
_MOST_RENAMES = 2000
"""Files that git compares for renames in one commit; a larger one moved folders, and exact copies are still found there."""


class Removals:
    """What history knows about files that are not there. Nothing is read before the first question."""

    def __init__(self, reader: Reader, tips: Sequence[Oid]) -> None:
        """`tips` are the newest commits that count."""
        self._plumbing = reader if isinstance(reader, PlumbingReader) else PlumbingReader(reader.root())
        self._tips = list(tips)
        self._removed: dict[str, list[Oid]] | None = None
        self._moves: dict[Oid, dict[str, str]] = {}
        self._shallow = False

    def find(self, path: str, counts: Callable[[Oid], bool] | None = None) -> Gone | None:
        """How a file left last, in a commit that counts (None: any does); None in a shallow clone, where nobody can say that it never was."""
        if self._removed is None:
            self._load()
        removed = self._removed or {}
        commit = next((oid for oid in removed.get(path, ()) if counts is None or counts(oid)), None)
        if commit is None:
            return None if self._shallow else Gone()
        if commit not in self._moves:
            self._moves[commit] = self._read_moves(commit)
        return Gone(commit, self._moves[commit].get(path, ""))

    def _load(self) -> None:
        from hoard_git.core.model import Oid

        self._removed = {}
        self._shallow = self._plumbing.is_shallow()
        if not self._tips:
            return
        out = self._plumbing.git(_LOG, stdin="".join(f"{tip}\n" for tip in self._tips).encode(), at_root=True).finish()
        commit = Oid("")
        for field in out.split(b"\0"):
            text = field.lstrip(b"\n")
            if text.startswith(b"\x01"):
                head, _, text = text[1:].partition(b"\n")
                commit = Oid(head.decode("ascii", "replace").strip())
                text = text.lstrip(b"\n")
            if text:
                self._removed.setdefault(decode_path(text), []).append(commit)

    def _read_moves(self, commit: Oid) -> dict[str, str]:
        """The renames of a commit, old path to new."""
        args = (
            "diff-tree",
            "-r",
            "-m",
            "-M",
            f"-l{_MOST_RENAMES}",
            "--diff-filter=R",
            "--name-status",
            "--no-commit-id",
            "-z",
            commit,
            "--",
        )
        fields = iter(self._plumbing.git(args, at_root=True).finish().split(b"\0"))
        moves: dict[str, str] = {}
        for status in fields:
            if status.startswith(b"R"):
                old = decode_path(next(fields))
                moves.setdefault(old, decode_path(next(fields)))
        return moves
