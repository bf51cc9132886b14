"""merge-driver: whether memory files are merged by block, or line by line as git does without one."""

from __future__ import annotations

from hoard_git.app.checks.base import FAIL, OK, WARN, Check
from hoard_git.gitio.mergedriver import COMMAND, is_broken
from hoard_git.gitio.process import decode_path, encode_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.checks.base import Look

DRIVER = "hoard"


def check(look: Look) -> Check:
    """Both halves are needed: the attribute travels with the repository, the configuration does not."""
    command = look.reader.config(COMMAND)
    paths = [path for path, file_class in look.active() if file_class in ("index", "topic", "daily")]
    lacking = [path for path in paths if path not in _driven(look, paths)]
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
    return Check("merge-driver", WARN, what, "hoard init")


def _driven(look: Look, paths: list[str]) -> set[str]:
    """The paths whose attribute names our driver."""
    if not paths:
        return set()
    names = b"".join(encode_path(path) + b"\0" for path in paths)
    fields = look.reader.git(("check-attr", "-z", "--stdin", "merge"), stdin=names, at_root=True).finish().split(b"\0")
    return {decode_path(fields[at]) for at in range(0, len(fields) - 2, 3) if fields[at + 2] == DRIVER.encode()}
