"""What a hook asks git first: HEAD, its policy and the staged changes, in two processes that run while the gate is being imported."""

from __future__ import annotations

from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Oid
from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.gitio.plumbing import RAW
from hoard_git.gitio.process import GitError
from hoard_git.gitio.rawformat import parse_raw
from hoard_git.gitio.reader import parse_commit

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.model import PathChange
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.process import Running
    from hoard_git.gitio.reader import CommitInfo

_MOST_AHEAD = 16
"""Files whose contents are asked for before it is known which of them count."""

_BATCH = ("cat-file", "--batch", "--buffer")


class Found(Record):
    """An object that was asked for by name; `data` is its content."""

    oid: Oid
    kind: str
    data: bytes


class Looked(Record):
    """The commit being made: HEAD (None on an unborn branch), the staged changes, HEAD's policy and its own rules for secrets, if any."""

    head: CommitInfo | None
    changes: list[PathChange]
    policy: Found | None
    rules: Found | None


class StagedLook:
    """Starts the questions at once; `finish` collects the answers."""

    def __init__(self, reader: PlumbingReader, policy_path: str, rules_path: str = ".gitleaks.toml") -> None:
        """Start both processes."""
        self._reader = reader
        self._looked: Looked | None = None
        self._ahead: tuple[list[Oid], Running] | None = None
        self._objects = reader.git(_BATCH, stdin=f"HEAD\nHEAD:{policy_path}\nHEAD:{rules_path}\n".encode())
        try:
            self._listing = reader.git(("diff", "--cached", *RAW, "--"))
        except BaseException:
            self._objects.abandon()
            raise

    def go_on(self) -> None:
        """Collect the answers, and ask at once for the contents of a few changed markdown files, which will surely be read. Raises as `finish` does."""
        looked = self._looked = self._collect()
        files = [change for change in looked.changes if change.path.endswith(".md")]
        sides = [side for c in files[:_MOST_AHEAD] for side in ((c.old_mode, c.old_oid), (c.new_mode, c.new_oid))]
        wanted = [oid for mode, oid in sides if mode in (MODE_FILE, MODE_EXECUTABLE)]
        if wanted:
            self._ahead = wanted, self._reader.git(_BATCH, stdin="".join(f"{oid}\n" for oid in wanted).encode())

    def finish(self) -> Looked:
        """Collect the answers. Raises HoardError when HEAD is broken, paths are unmerged or an object cannot be read."""
        looked = self._looked or self._collect()
        if self._ahead is not None:
            wanted, asked = self._ahead
            self._ahead = None
            remember(self._reader, wanted, parse_batch(asked.finish(), len(wanted)))
        return looked

    def _collect(self) -> Looked:
        try:
            head, policy, rules = parse_batch(self._objects.finish(), 3)
            if head is None or head.kind != "commit":
                # unborn, or broken: only the reader's own questions tell which
                base = self._reader.head()
                head = None if base is None else Found(base, "commit", b"")
        except BaseException:
            self._listing.abandon()
            raise
        try:
            changes = parse_raw(self._listing.finish())
        except GitError as error:
            raise self._reader.explain_missing(error) from None
        info = None
        if head is not None:
            info = parse_commit(head.oid, head.data) if head.data else self._reader.commit(head.oid)
        return Looked(info, changes, policy, rules)


def fetch(reader: PlumbingReader, blobs: Sequence[Oid], names: Sequence[str]) -> list[Found | None]:
    """Read blobs into the reader's cache and objects by name (`<commit>:<path>`, no line ends) in one process; one answer per name."""
    blobs = [oid for oid in blobs if not reader.remembers(oid)]
    wanted = [*blobs, *names]
    if not wanted:
        return []
    out = reader.git(_BATCH, stdin="".join(f"{name}\n" for name in wanted).encode("utf-8", "surrogateescape")).finish()
    found = parse_batch(out, len(wanted))
    remember(reader, blobs, found)
    return found[len(blobs) :]


def remember(reader: PlumbingReader, oids: Sequence[Oid], answers: Sequence[Found | None]) -> None:
    """Put the blobs among the answers into the reader's cache; what is missing is explained when somebody reads it."""
    for oid, answer in zip(oids, answers, strict=False):
        if answer is not None and answer.kind == "blob":
            reader.remember(oid, answer.data)


def parse_batch(out: bytes, count: int) -> list[Found | None]:
    """Read `cat-file --batch` output for `count` requests; None for what is missing. Raises HoardError on anything else."""
    found: list[Found | None] = []
    at = 0
    for _number in range(count):
        end = out.find(b"\n", at)
        if end < 0:
            raise HoardError("git gave an object that cannot be read.", "git fsck")
        header = out[at:end]
        words = header.split(b" ")
        if header.endswith((b" missing", b" ambiguous")) or len(words) != 3 or not words[2].isdigit():
            found.append(None)
            at = end + 1
            continue
        size = int(words[2])
        found.append(Found(Oid(words[0].decode("ascii")), words[1].decode("ascii"), out[end + 1 : end + 1 + size]))
        at = end + 1 + size + 1
    return found
