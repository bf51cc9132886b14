"""The merge driver in a repository's configuration: the command that git runs for a memory file that both sides changed."""

from __future__ import annotations

import os
import re
import shlex

from hoard_git.errors import HoardError
from hoard_git.gitio.process import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from hoard_git.gitio.plumbing import PlumbingReader

    State = Literal["installed", "outdated", "missing", "foreign", "broken-interpreter"]

NAME, COMMAND = "merge.hoard.name", "merge.hoard.driver"
ATTRIBUTES = ("MEMORY.md merge=hoard", "HEARTBEAT.md merge=hoard", "memory/**/*.md merge=hoard")
"""The lines of .gitattributes; without them git merges memory by lines, in a clone without the configuration too."""

_TITLE = "hoard-git: memory by heading and entry"
_START = "import sys; sys.path.insert(0, sys.argv.pop(1)); from hoard_git.cli.hook import main; sys.exit(main())"
# git takes any status but 0 for a conflict and the file as it then is; where the driver could not run at all that would be ours alone, and
# `git add` would drop theirs. So every status beyond 1 ends in a merge of lines, and never in a clean one.
_TEMPLATE = (
    "if test -x {python} && test -d {package}/hoard_git; then {python} -I -S -c {start} {package} merge-driver %O %A %B %L %P; else (exit 9); fi; "
    's=$?; if test $s -gt 1; then echo "hoard: the merge driver could not run (repair: hoard hooks install); merged by lines" >&2; '
    "git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B; s=1; fi; exit $s"
)


def driver_command(interpreter: str, package_dir: str) -> str:
    """The command for this interpreter and the directory that holds the package. Raises HoardError for a path that no configuration can hold."""
    for path in (interpreter, package_dir):
        if "\n" in path or "\0" in path:
            raise HoardError(
                "A path with a line break in it cannot stand in git's configuration.", "Install hoard-git in another directory."
            )
    python, package = (shlex.quote(path).replace("%", "%%") for path in (interpreter, package_dir))
    return _TEMPLATE.format(python=python, package=package, start=shlex.quote(_START))


def install_driver(reader: PlumbingReader, interpreter: str, package_dir: str) -> bool:
    """Write the driver into the repository's own configuration, which all its work trees share; returns whether anything changed.

    A driver of this name that somebody else configured is replaced: the name is ours.
    """
    wanted = {NAME: _TITLE, COMMAND: driver_command(interpreter, package_dir)}
    changed = False
    for key, value in wanted.items():
        if _local(reader, key) != value:
            reader.git(("config", "--local", "--replace-all", key, value), fixed=False).finish()
            changed = True
    return changed


def remove_driver(reader: PlumbingReader) -> bool:
    """Take the driver out of the configuration; returns whether there was one."""
    if _local(reader, COMMAND) is None and _local(reader, NAME) is None:
        return False
    reader.git(("config", "--local", "--remove-section", "merge.hoard"), fixed=False).finish()
    return True


def driver_state(reader: PlumbingReader, interpreter: str, package_dir: str) -> State:
    """How the driver stands in this clone."""
    value = reader.config(COMMAND)
    if value is None:
        return "missing"
    if value == driver_command(interpreter, package_dir):
        return "installed"
    if not _program(value):
        return "foreign"
    return "broken-interpreter" if is_broken(value) else "outdated"


def is_broken(command: str) -> bool:
    """Whether a configured command is one of ours whose interpreter is gone."""
    path = _program(command)
    return bool(path) and not os.access(path, os.X_OK)


def _program(command: str) -> str:
    """The interpreter that one of our commands starts, '' for another command."""
    found = re.match(r"if test -x ('[^']*'|[^ ']+) && test -d ", command)
    return shlex.split(found[1])[0].replace("%%", "%") if found is not None else ""


def _local(reader: PlumbingReader, key: str) -> str | None:
    try:
        return os.fsdecode(reader.git(("config", "--local", "-z", "--get", key), fixed=False).finish()).removesuffix("\0")
    except GitError:
        return None
