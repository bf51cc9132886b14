"""What a rule is given and what it gives back: the scene of a judgement, a rule's Meta and its Hits."""

from __future__ import annotations

from hoard_git.core.model import MODE_FILE, Actor
from hoard_git.core.policy import DEFAULT, Policy
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Protocol

    from hoard_git.core.align import Change
    from hoard_git.core.budget import Budget
    from hoard_git.core.document import Document
    from hoard_git.core.mergefacts import MergeSides
    from hoard_git.core.model import PathChange
    from hoard_git.core.secrets import Match, Ruleset
    from hoard_git.core.tags import Tag
    from hoard_git.core.trailers import Trailer
    from hoard_git.core.units import Side

    class Lookup(Protocol):
        """Questions that reach beyond the changed files; each is answered only when a rule asks, for they cost a process or more."""

        def paths(self) -> Collection[str]:
            """Every path of the tree after the change."""

        def views_with(self, needles: Sequence[str]) -> list[FileView]:
            """Unchanged memory files after the change that hold the words of any of these texts, lines broken anywhere, parsed; and perhaps others."""

        def sizes(self, paths: Sequence[str]) -> Mapping[str, int]:
            """Bytes of those of these files that are there after the change."""

        def texts(self, paths: Sequence[str]) -> Mapping[str, bytes]:
            """Content of those of these files that are there after the change."""

        def active_entries(self) -> int:
            """How many entries the active memory files held before the change."""

        def past(self, texts: Sequence[str]) -> Mapping[str, Past] | None:
            """What history knows about entries with these core texts; None when history was not looked at (a local hook)."""

        def lines_at(self, oid: str, path: str, first: int, last: int) -> Sequence[str] | None:
            """The 1-based lines `first` to `last` of a file in a commit behind the change; None where there is no such commit or lines."""

        def has(self, path: str) -> bool:
            """Whether a file or folder of this name is there after the change, memory or not."""

        def document(self, path: str) -> Document | None:
            """A regular file after the change, parsed; None where there is none, or one too large to be a page."""

        def linking(self) -> list[FileView]:
            """Unchanged memory files after the change that may hold a link of any kind, parsed."""

        def gone(self, path: str) -> Gone | None:
            """What history knows about a file that is not there; None when history was not looked at (a local hook, a shallow clone)."""


ALWAYS: tuple[str, ...] = ()
NON_ASCII = "\x80"
"""A trigger that stands for any character beyond ASCII."""


class Meta(Record):
    """A rule's identity.

    `scope` says which function judges: `file` - `check(file, scene)`, in change mode limited to touched lines; `entry` -
    `check(file, scene)` for a file as it stands and `check_change(scene)` for a change; `change` - `check_change(scene)` only;
    `path` - `check_change(scene)` over `scene.paths`, in both modes; `commit` - `check_change(scene)` when there is a message; `merge` -
    `check_change(scene)` when the sides of a merge are there.
    `trigger`: the rule runs only when the judged text, lower-cased, holds one of these; empty means always.
    `nonhuman`: the rule does not run for a human's change. `state` is the severity in state mode where it differs.
    """

    code: str
    name: str
    severity: str
    scope: str
    since: str = "0.1.0"
    trigger: tuple[str, ...] = ALWAYS
    nonhuman: bool = False
    state: str = ""


class Hit(Record):
    """One place that a rule objects to. `path` may stay empty in `check(file, …)`. `severity` overrides the rule's, within the rule.

    The message is a sentence without the full stop; neither it nor the hint holds a secret value. For what is gone after the change,
    `line` is where it stood before and `gone` is true; `block` then names its block.
    """

    message: str
    line: int = 0
    column: int = 0
    hint: str = ""
    path: str = ""
    end_line: int = 0
    severity: str = ""
    gone: bool = False
    block: str = ""


class FileView(Record):
    """One memory file of the tree under judgement. `touched` holds the 1-based lines that the change adds or alters, None for all."""

    path: str
    file_class: str
    document: Document
    default: Tag | None = None
    touched: frozenset[int] | None = None
    mode: int = MODE_FILE

    def side(self) -> Side:
        """The file as changes and entries are looked for in it."""
        from hoard_git.core.units import Side

        return Side(self.path, self.file_class, self.document, self.default)

    def judges(self, line: int, end_line: int = 0) -> bool:
        """Whether any line of the range is under judgement."""
        if self.touched is None:
            return True
        return any(number in self.touched for number in range(line, max(line, end_line) + 1))

    def judged_lines(self) -> Iterator[tuple[int, str]]:
        """Yield (1-based number, text) of the lines under judgement, in order."""
        lines = self.document.lines
        if self.touched is None:
            yield from enumerate(lines, 1)
        else:
            for number in sorted(self.touched):
                yield number, lines[number - 1]


class Past(Record):
    """What history knows about one core text.

    `lowest` is the lowest source it ever had, `user_gone` whether it was a user's fact that is gone since, `retired` whether it was archived
    or removed, and `commit` the commit that says so. `newest` is the latest date that it claimed, `unknown` when it never had
    one, '' when that was not looked for.
    """

    lowest: str
    user_gone: bool
    retired: bool
    commit: str
    newest: str = ""


class Gone(Record):
    """How a file left the tree: the commit that took it out and where it went in that commit; both '' when no commit ever had it."""

    commit: str = ""
    moved_to: str = ""


class CommitText(Record):
    """A commit message under judgement. `trailers` are those that git sees; `expected` what the trees say they must be.

    `faults` are what is wrong with the commit object itself (core.commitobject).
    """

    message: bytes
    trailers: tuple[Trailer, ...]
    expected: tuple[Trailer, ...]
    complete: bool = True
    faults: tuple[str, ...] = ()


class RefChange(Record):
    """What a push does to one ref. `kind` is what it is to name: `commit`, `tag` (of a commit), another git type, or '' when it is deleted.

    `lost` counts the commits that no ref would reach any more and `newest` is the newest of them that holds a change of memory, '' where none
    does. `main` says that it is the branch that HEAD names.
    """

    name: str
    kind: str
    lost: int = 0
    newest: str = ""
    main: bool = False


class UserRules(Record):
    """What a workspace's `.gitleaks.toml` adds to the rules for secrets and takes away; `files` are the paths that it was read from."""

    rules: Ruleset
    files: tuple[str, ...] = ()


class NoLookup:
    """A lookup that knows nothing beyond the scene: for single files and tests."""

    def paths(self) -> Collection[str]:
        """No paths."""
        return ()

    def views_with(self, needles: Sequence[str]) -> list[FileView]:
        """No files."""
        del needles
        return []

    def sizes(self, paths: Sequence[str]) -> Mapping[str, int]:
        """No files."""
        del paths
        return {}

    def texts(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        """No files."""
        del paths
        return {}

    def active_entries(self) -> int:
        """No entries."""
        return 0

    def past(self, texts: Sequence[str]) -> Mapping[str, Past] | None:
        """History was not looked at."""
        del texts
        return None

    def lines_at(self, oid: str, path: str, first: int, last: int) -> Sequence[str] | None:
        """No commit is known."""
        del oid, path, first, last
        return None

    def has(self, path: str) -> bool:
        """Nothing is there."""
        del path
        return False

    def document(self, path: str) -> Document | None:
        """No file."""
        del path
        return None

    def linking(self) -> list[FileView]:
        """No files."""
        return []

    def gone(self, path: str) -> Gone | None:
        """History was not looked at."""
        del path
        return None


class Scene(Record):
    """Everything a judgement depends on. `change` is false when files are judged as they stand.

    `today` and `latest` are day numbers (core.dates): the day in the policy's zone, and the last day that is not in the future.
    `files` are the memory files after the change, `before` those before it, by path; both hold changed files only in change mode.
    `paths` are all paths that differ, memory or not (state mode: all memory paths). `introduces` is true when no parent has a policy
    and this change brings one. `rules` are the workspace's own for secrets, None for the built-in ones alone, and `found` is what another
    engine has found in the files after the change, by path. `merge` is there when a merge as a whole is judged, and `refs` are what a push
    changes, for a judgement of refs alone. `budget` is the host's own, None for that of the policy.
    """

    policy: Policy = DEFAULT
    actor: Actor = Actor("agent")
    today: int = 0
    latest: int = 0
    change: bool = True
    files: tuple[FileView, ...] = ()
    before: Mapping[str, FileView] = {}
    changes: tuple[Change, ...] = ()
    paths: tuple[PathChange, ...] = ()
    lookup: Lookup = NoLookup()
    text: CommitText | None = None
    introduces: bool = False
    clock: object = None
    rules: UserRules | None = None
    found: Mapping[str, Sequence[Match]] = {}
    merge: MergeSides | None = None
    refs: tuple[RefChange, ...] = ()
    budget: Budget | None = None

    def view(self, path: str) -> FileView | None:
        """The file after the change at a path."""
        for file in self.files:
            if file.path == path:
                return file
        return None
