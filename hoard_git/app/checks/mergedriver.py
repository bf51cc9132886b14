"""merge-driver: whether memory files are merged by block, or line by line as git does without one."""

from __future__ import annotations

import re
import shlex

from hoard_git.app.checks.base import FAIL, OK, WARN, Check
from hoard_git.core.files import classify, local_path
from hoard_git.core.globs import compile_globs
from hoard_git.core.model import RepoPath
from hoard_git.gitio.mergedriver import COMMAND, is_broken
from hoard_git.gitio.process import decode_path, encode_path
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.app.checks.base import Look
    from hoard_git.core.policy import Policy

DRIVER = "hoard"
ATTRIBUTES_FILE = ".gitattributes"


def check(look: Look) -> Check:
    """Both halves are needed: the attribute travels with the repository, the configuration does not."""
    command = look.reader.config(COMMAND)
    paths = [path for path, file_class in look.active() if file_class in ("index", "topic", "daily")]
    driven = _driven(look, paths)
    lacking = [path for path in paths if path not in driven]
    if command and is_broken(command):
        what = "its interpreter is gone: memory that both sides changed is merged line by line"
        return Check("merge-driver", FAIL, what, "hoard hooks install")
    if command and not lacking:
        return Check("merge-driver", OK, "memory files are merged by block" if paths else "set up; there is no memory file yet")
    if command is None and (lacking or not paths):
        what = "off: two branches that write to one memory file conflict line by line"
    elif command is None:
        what = f".gitattributes asks for it, and this clone has no {COMMAND}"
    else:
        what = f".gitattributes does not ask for it for {lacking[0]}" + (f" and {len(lacking) - 1} more" if len(lacking) > 1 else "")
    return Check("merge-driver", WARN, what, _fix(look, lacking, is_set=command is not None))


def _driven(look: Look, paths: list[str]) -> set[str]:
    """The paths whose attribute names our driver."""
    if not paths:
        return set()
    names = b"".join(encode_path(path) + b"\0" for path in paths)
    fields = look.reader.git(("check-attr", "-z", "--stdin", "merge"), stdin=names, at_root=True).finish().split(b"\0")
    return {decode_path(fields[at]) for at in range(0, len(fields) - 2, 3) if fields[at + 2] == DRIVER.encode()}


def _fix(look: Look, lacking: Sequence[str], *, is_set: bool) -> str:
    """The command that sets up what is missing; the attributes are the human's to commit, and go into the file beside each policy."""
    if not look.policies.known:
        return "hoard init"
    steps = [] if is_set else ["hoard hooks install"]
    lines: dict[str, dict[str, None]] = {}
    for path in lacking:
        policy = look.policies.govern(path)
        lines.setdefault(policy.prefix + ATTRIBUTES_FILE, {})[_attribute(path, policy)] = None
    for file, wanted in lines.items():
        old = read_file(look.reader.root(), RepoPath(file))
        to = shlex.quote(file)
        steps += [f"echo >> {to}"] if old and not old.endswith(b"\n") else []
        steps += [f"echo {shlex.quote(line)} >> {to}" for line in wanted]
    if lines:
        steps.append(f"hoard commit --human {' '.join(map(shlex.quote, lines))}")
    return " && ".join(steps)


def _attribute(path: str, policy: Policy) -> str:
    """The line of .gitattributes for the glob by which a policy knows a file."""
    inside = local_path(path, policy) or path
    base = path[len(policy.prefix) : len(path) - len(inside)]
    globs = dict(policy.globs)[classify(path, policy)]
    glob = next((glob for glob in globs if compile_globs((glob,)).fullmatch(inside)), inside)
    # Without a slash git looks for a name everywhere; it ends a pattern at a space, and knows brackets and backslashes.
    pattern = re.sub(r"[\s\[\\]", "?", f"/{base}{glob}".replace("YYYY-MM-DD", "????-??-??"))
    return f"{pattern} merge={DRIVER}"
