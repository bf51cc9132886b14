"""The tags that `hoard init` gives on consent: one commit of the human's, of files that hold nothing else that is new."""

from __future__ import annotations

from hoard_git.app.adopt import tag_files
from hoard_git.app.windows import find_cut
from hoard_git.app.workspace import find_memory_files, read_policies_of_worktree
from hoard_git.app.write import Refused, Wish, commit_memory, find_changed, find_ignored
from hoard_git.core.counted import counted
from hoard_git.core.files import LOADED
from hoard_git.core.model import RepoPath
from hoard_git.core.policy import DEFAULT
from hoard_git.core.record import Record
from hoard_git.core.trust import find_marker
from hoard_git.errors import HoardError
from hoard_git.gitio.worktree import read_file, write_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hoard_git.app.adopt import Tagged
    from hoard_git.app.clock import Days
    from hoard_git.app.policies import Policies
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader

_SUBJECT = "Tag memory"
_LATER = "hoard commit --human -m 'Tag memory'"


class FirstTags(Record):
    """The tags that are planned: how many each file gets, and one line for each file that has to wait, with the reason."""

    numbers: tuple[tuple[str, int], ...]
    left: tuple[str, ...]

    @property
    def tags(self) -> int:
        """How many tags there are."""
        return sum(number for _path, number in self.numbers)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that get them."""
        return tuple(path for path, _number in self.numbers)


def plan_first_tags(reader: PlumbingReader, days: Callable[[Policy], Days]) -> FirstTags:
    """Plan the tags of all files that are as the last commit has them. Writes nothing."""
    policies = read_policies_of_worktree(reader)
    classes = find_memory_files(reader.root(), policies)
    changed = {*find_changed(reader, ()).paths, *find_ignored(reader, list(classes))}
    outcomes = tag_files(reader, (), "agent", days, dry_run=True)
    taken = [one for one in outcomes if one.path not in changed and _tags(one)]
    cut = _cut_by_tags(reader.root(), policies, classes, taken)
    taken = [one for one in taken if one.path not in cut]
    left = [f"{one.path} was not tagged: {one.refused.removeprefix(f'{one.path} ')}" for one in outcomes if one.refused]
    waiting = [one.path for one in outcomes if one.path in changed and _tags(one)]
    left += [f"{path} was not tagged, for it is not committed as it stands: hoard tag {path}" for path in waiting]
    left += list(cut.values())
    return FirstTags(tuple((one.path, _tags(one)) for one in taken), tuple(left))


def _cut_by_tags(root: str, policies: Policies, classes: Mapping[str, str], taken: Sequence[Tagged]) -> dict[str, str]:
    """The files that are loaded whole now and would make the host cut something once they are tagged, each with what to say about it."""
    contents = {one.path: one.plan.data for one in taken if one.plan is not None}
    before = find_cut(root, policies)
    cut = {path: row for path, row in find_cut(root, policies, contents).items() if path not in before}
    own = [path for path in cut if path in contents]
    held = own or [path for path in contents if cut and classes[path] in LOADED]
    what = " and ".join(f"{path} ({row.told()})" for path, row in cut.items())
    how = "make room: hoard consolidate, then: hoard tag"
    return {path: f"{path} was not tagged, for with its tags a session no longer loads all of {what}; {how} {path}" for path in held}


def write_first_tags(
    reader: PlumbingReader, planned: FirstTags, days: Callable[[Policy], Days], environ: Mapping[str, str], *, commit: bool
) -> list[str]:
    """Write the planned tags and commit them as the human; says what was done, one line each.

    A file whose tags the gate refuses, as in a MEMORY.md that is over its limit already, is put back as it was, and the others go on. Nothing is
    committed without `commit` or where an agent's marker says that no human is at work.
    """
    before = {path: read_file(reader.root(), RepoPath(path)) for path in planned.paths}
    tag_files(reader, planned.paths, "agent", days, dry_run=False)
    marker = find_marker(environ, DEFAULT.agent_markers)
    if marker or not commit:
        why = f", for {marker} says that an agent runs this" if marker else ""
        return [f"added {_amount(planned.tags, len(planned.paths))}; not committed{why}; as the human: {_LATER}"]
    paths, said = list(planned.paths), []
    while paths:
        try:
            made = commit_memory(reader, paths, Wish(_SUBJECT, human=True, op="adopt"), days, environ)
        except Refused as refused:
            codes = {finding.path: finding.code for finding in refused.findings if finding.severity == "error"}
            bad = [path for path in paths if path in codes] or paths
            for path in bad:
                write_file(reader.root(), RepoPath(path), before[path] or b"", read_file(reader.root(), RepoPath(path)))
                said.append(
                    f"{path} was not tagged, for {codes.get(path, 'the gate')} refuses it: hoard tag {path}, then: hoard check {path}"
                )
            paths = [path for path in paths if path not in bad]
        except HoardError as error:
            return [f"added {_amount(planned.tags, len(paths))}; not committed: {error.message} Then: {_LATER}", *said]
        else:
            kept = sum(number for path, number in planned.numbers if path in paths)
            return [
                f"added {_amount(kept, len(paths))}, as a commit of the human's (undo: git revert -n {made.oid[:12]} && hoard commit --human)",
                *said,
            ]
    return said


def _amount(tags: int, files: int) -> str:
    return f"{counted(tags, 'tag')} to {counted(files, 'file')}"


def _tags(one: Tagged) -> int:
    return len(one.plan.insertions) if one.plan is not None else 0
