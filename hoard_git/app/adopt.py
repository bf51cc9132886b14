"""`hoard tag`: gives the untagged memory of the work tree its tags, file by file, touching nothing else."""

from __future__ import annotations

from hoard_git.app.workspace import WHAT_IS_MEMORY, find_memory_files, is_markdown, read_policies_of_worktree
from hoard_git.core.files import file_default
from hoard_git.core.markdown import parse
from hoard_git.core.model import RepoPath
from hoard_git.core.record import Record
from hoard_git.core.tagging import UNCOMMITTED, Question, TagPlan, plan_tags
from hoard_git.errors import HoardError
from hoard_git.gitio.lineages import line_days
from hoard_git.gitio.worktree import read_file, write_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.core.document import Document
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader

TAGGED_CLASSES = ("index", "topic", "archive", "wiki")
"""Daily logs, HEARTBEAT.md and identity files count as something without a tag."""


class Tagged(Record):
    """One file's outcome: its plan, or the reason why it was left alone."""

    path: str
    plan: TagPlan | None
    refused: str = ""


def tag_files(reader: PlumbingReader, only: Sequence[str], source: str, days: Callable[[Policy], Days], *, dry_run: bool) -> list[Tagged]:
    """Tag the memory files of the work tree; `only` limits this to files and directories. Writes nothing with `dry_run`.

    A file that cannot be tagged does not keep the others from it. Files with nothing to tell are left out.
    """
    policies = read_policies_of_worktree(reader)
    outcomes = []
    for path, file_class in find_memory_files(reader.root(), policies, only).items():
        if not takes_tags(path, file_class):
            continue
        try:
            plan = _tag_file(reader, path, file_class, policies.govern(path), source, days, dry_run=dry_run)
        except HoardError as error:
            outcomes.append(Tagged(path, None, error.message))
            continue
        if plan is not None and (plan.insertions or plan.left):
            outcomes.append(Tagged(path, plan))
    return outcomes


def takes_tags(path: str, file_class: str) -> bool:
    """Whether untagged content of a memory file counts as untagged, and a program may tag it."""
    return file_class in TAGGED_CLASSES and is_markdown(path)


def find_taggable(reader: PlumbingReader, only: Sequence[str]) -> tuple[list[str], list[str]]:
    """The memory files that `tag_files` looks at, and those that need no tag. Raises HoardError for a path below which there is no memory."""
    policies = read_policies_of_worktree(reader)
    found = find_memory_files(reader.root(), policies)
    for name in only:
        if name and not any(path == name or path.startswith(name + "/") for path in found):
            raise HoardError(
                f"No memory file matches {name!r}.",
                WHAT_IS_MEMORY,
            )
    chosen = {path: found[path] for path in find_memory_files(reader.root(), policies, only)}
    looked = [path for path, file_class in chosen.items() if takes_tags(path, file_class)]
    return looked, [path for path in chosen if path not in looked]


def _tag_file(
    reader: PlumbingReader, path: str, file_class: str, policy: Policy, source: str, days: Callable[[Policy], Days], *, dry_run: bool
) -> TagPlan | None:
    data = read_file(reader.root(), RepoPath(path))
    if not data:
        return None
    document = parse(data)
    refused = find_obstacle(document)
    if refused:
        raise HoardError(refused)
    default = file_default(path, file_class, policy)
    asked = Question(path, file_class, default, source, days(policy).today, _days_of(reader, RepoPath(path)))
    plan = plan_tags(document, asked)
    if plan.data != data and not dry_run:
        write_file(reader.root(), RepoPath(path), plan.data, data)
    return plan


def _days_of(reader: PlumbingReader, path: RepoPath) -> Callable[[int, int], int | None]:
    """Ask git about the file's lines, once, when the first line is asked for."""
    days: list[int | None] | None = None

    def day_of(first: int, last: int) -> int | None:
        nonlocal days
        if days is None:
            days = line_days(reader, path)
        if not days:  # the whole file is new
            return UNCOMMITTED
        known = [day for day in days[first - 1 : last] if day is not None]
        if UNCOMMITTED in known:
            return UNCOMMITTED
        return max(known) if len(known) == last - first + 1 else None

    return day_of


def find_obstacle(document: Document) -> str:
    """Why a program must not rewrite a file, as one sentence, or ''."""
    for number, line in enumerate(document.lines, 1):
        if "\0" in line or any("\ud800" <= c <= "\udfff" for c in line if c > "\u07ff"):
            return f"Line {number} is not UTF-8 text or holds a NUL; mend it first."
        if line.startswith(("<<<<<<< ", ">>>>>>> ")) and document.kinds[number - 1] != "c":
            return f"Line {number} is a conflict marker; resolve it first."
    return ""
