"""What every check of `hoard doctor` is given and gives back."""

from __future__ import annotations

from functools import cached_property

from hoard_git.app.growth import Growth, read_growth
from hoard_git.app.policies import Policies
from hoard_git.app.windows import Room, read_rooms
from hoard_git.app.workspace import OnDisk, find_memory, read_policies_of_worktree
from hoard_git.core.counted import plural_of
from hoard_git.core.files import OTHER
from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_LINK, Oid, RepoPath
from hoard_git.core.policy import FILE_NAME
from hoard_git.core.record import Record
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.core.document import Document
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader

OK, WARN, FAIL = "ok", "warn", "fail"

_SHOWN = 3


class Check(Record):
    """One check: its name (INTERFACE, "JSON: doctor"), `ok`, `warn` or `fail`, what was seen, and the next command, '' where none is needed."""

    name: str
    status: str
    detail: str
    fix: str = ""


class Look:
    """One look at a workspace: what several checks need is read once. Everything raises HoardError where it cannot be seen."""

    def __init__(self, reader: PlumbingReader, days: Callable[[Policy], Days], hooks: Sequence[str] = ()) -> None:
        """`days` gives today for a policy; `hooks` are those that should be there."""
        self.reader = reader
        self.days = days
        self.hooks = hooks
        self._documents: dict[str, Document] = {}

    @cached_property
    def policies(self) -> Policies:
        """The policies that lie in the work tree."""
        return read_policies_of_worktree(self.reader)

    @cached_property
    def memory(self) -> Mapping[str, OnDisk]:
        """Everything on disk that is memory, by path."""
        return find_memory(self.reader.root(), self.policies)

    @cached_property
    def rooms(self) -> Sequence[Room]:
        """What a host loads of each workspace."""
        return read_rooms(self.reader.root(), self.policies, self.memory)

    @cached_property
    def growth(self) -> Mapping[str, Growth]:
        """What history says about each loaded file, by path."""
        found = [one for room in self.rooms for one in read_growth(self.reader, room, self.days(room.policy).today)]
        return {one.path: one for one in found}

    @cached_property
    def head(self) -> Oid | None:
        """The commit that is checked out, None when there is none yet."""
        return self.reader.head()

    @property
    def policy(self) -> Policy:
        """The policy of the repository's top, or, when the workspace lies deeper, the first one below it."""
        at_top = any(not prefix for prefix, _policy in self.policies.by_prefix)
        return self.policies.govern(FILE_NAME) if at_top or not self.policies.known else self.policies.by_prefix[0][1]

    @property
    def today(self) -> int:
        """The day number (core.dates) of today under that policy."""
        return self.days(self.policy).today

    def document(self, path: str) -> Document | None:
        """A memory file of the work tree, parsed; None for a symlink and for one that has gone."""
        if path not in self._documents:
            data = read_file(self.reader.root(), RepoPath(path)) if self.memory[path].mode != MODE_LINK else None
            if data is None:
                return None
            self._documents[path] = parse(data)
        return self._documents[path]

    def policies_paths(self) -> list[str]:
        """The policy files of the work tree."""
        return [prefix + FILE_NAME for prefix, _policy in self.policies.by_prefix]

    def active(self) -> list[tuple[str, str]]:
        """Path and class of the memory files that are neither archived nor of no class."""
        return [(path, found.file_class) for path, found in self.memory.items() if found.file_class not in ("archive", OTHER)]


def several(paths: Sequence[str]) -> str:
    """Name the first few of several paths, and how many more there are."""
    more = f" and {len(paths) - _SHOWN} more" if len(paths) > _SHOWN else ""
    return ", ".join(paths[:_SHOWN]) + more


def count(number: int, what: str) -> str:
    """A number with its noun: `1 file`, `2,000 entries`."""
    return f"{number:,} {what if number == 1 else plural_of(what)}"
