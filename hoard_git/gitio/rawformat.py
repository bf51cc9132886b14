"""git's machine formats: lists of changes in raw form, full object names, and what may go on a command line."""

from __future__ import annotations

from hoard_git.core.model import Oid, PathChange, RepoPath
from hoard_git.errors import HoardError
from hoard_git.gitio.process import decode_path, encode_path, safe_text

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_ARGUMENT_BYTES = 96 << 10  # Linux takes 128 KiB in one argument and 2 MiB in all, macOS 1 MiB in all
_HEX = frozenset("0123456789abcdef")


def parse_raw(out: bytes) -> list[PathChange]:
    """Read `--raw -z --no-abbrev` output; raises HoardError on unmerged paths and on anything that is not raw output."""
    fields = out.split(b"\0")
    if fields.pop() or len(fields) % 2:
        raise HoardError("git gave a list of changes that cannot be read.", "git --version")
    found: list[PathChange] = []
    for meta, path in zip(fields[::2], fields[1::2], strict=True):
        words = meta.decode("ascii", "replace").split(" ")
        if len(words) != 5 or meta[:1] != b":":
            raise HoardError("git gave a list of changes that cannot be read.", "git --version")
        if words[4] == "U":
            shown = safe_text(path)
            raise HoardError(
                f"There are unmerged paths in the index, as {shown}.", "Resolve them, then: git add PATH    how to leave it all: git status"
            )
        old, new = int(words[0][1:], 8), int(words[1], 8)
        found.append(PathChange(RepoPath(decode_path(path)), old, _oid_or_none(words[2]), new, _oid_or_none(words[3])))
    found.sort(key=lambda change: encode_path(change.path))
    return found


def _oid_or_none(text: str) -> Oid:
    return Oid(text if text.strip("0") else "")


def is_oid(text: str) -> bool:
    """Tell whether `text` is a full object name in lower-case hex."""
    return len(text) in (40, 64) and _HEX.issuperset(text)


def checked_oid(text: str) -> Oid:
    """Let only a full object name through, so that no value can become an option."""
    if not is_oid(text):
        raise HoardError(f"'{repr(text)[1:-1][:80]}' is not a full object name.", "git rev-parse REV")
    return Oid(text)


def ref_glob(prefix: str) -> str:
    """Give what `--glob` takes for all refs below `prefix`; raises HoardError when it holds a wildcard itself."""
    if not prefix.startswith("refs/") or any(c in prefix for c in "*?[\\\n\0"):
        raise HoardError("A group of refs must start with refs/ and hold no wildcard.", "git for-each-ref")
    return (prefix if prefix.endswith("/") else prefix + "/") + "*"


def portions(paths: Sequence[RepoPath]) -> Iterator[list[bytes]]:
    """Cut paths into parts that fit on a command line."""
    part: list[bytes] = []
    size = 0
    for path in paths:
        raw = encode_path(path)
        if part and size + len(raw) > _ARGUMENT_BYTES:
            yield part
            part, size = [], 0
        part.append(raw)
        size += len(raw) + 9
    if part:
        yield part
