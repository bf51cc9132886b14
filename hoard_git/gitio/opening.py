"""Choosing a reader: plumbing for one question, libgit2 for thousands of objects, and plain files for where HEAD is."""

# ruff: noqa: PTH116, PTH118 -- importing pathlib costs 8 ms where a bare interpreter starts in 6

from __future__ import annotations

import os

from hoard_git.errors import HoardError
from hoard_git.gitio.layout import read_small
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.rawformat import is_oid

TYPE_CHECKING = False

if TYPE_CHECKING:
    from hoard_git.gitio.reader import Reader


def open_reader(path: str = ".", *, batch: bool = False, foreign: bool = False) -> Reader:
    """Open the repository that holds `path`; raises HoardError when git finds none there.

    `batch` takes libgit2 where it can open this repository (it cannot open sha256, reftable, partial-clone extensions or a repository of
    somebody else) and plumbing where it cannot; both give the same answers. pygit2 is imported for a batch only: it costs 70 ms.
    `foreign` means a repository other than the one that a hook runs in.
    """
    plumbing = PlumbingReader(path, foreign=foreign)
    plumbing.git_dir()
    if not batch:
        return plumbing
    try:
        from hoard_git.gitio.libgit import LibgitReader

        return LibgitReader(plumbing)
    except (HoardError, ImportError):
        return plumbing


def read_head(reader: PlumbingReader) -> str:
    """Tell from files which object HEAD names, loose refs before packed ones as git does; '' when git itself has to be asked.

    That is for an unborn or symbolic branch, one outside refs/heads, a repository with extensions (reftable is one), and one that is not all
    the user's own, which git may refuse to read. Nobody has looked whether the object is there: good for a commit that is known already,
    and 4 ms cheaper than git.
    """
    if reader.environment().get("GIT_REFERENCE_BACKEND"):
        return ""
    common_dir = reader.common_dir()
    try:
        if not _is_own(reader.root(), reader.git_dir(), common_dir):
            return ""
        if b"extensions" in read_small(os.path.join(common_dir, "config")).lower():
            return ""
        said = read_small(os.path.join(reader.git_dir(), "HEAD")).rstrip()
        if said.startswith(b"ref: "):
            said = _read_branch(common_dir, said[5:].strip())
    except OSError:
        return ""
    oid = said.decode("ascii", "replace")
    return oid if is_oid(oid) else ""


def _is_own(*paths: str) -> bool:
    """Whether all belong to the user, as git asks for (`safe.directory` makes exceptions, which git knows)."""
    return hasattr(os, "geteuid") and all(os.stat(path).st_uid == os.geteuid() for path in dict.fromkeys(paths))


def _read_branch(common_dir: str, name: bytes) -> bytes:
    """What a branch names, b'' for a name that git would not take. Raises OSError."""
    if not name.startswith(b"refs/heads/") or b"\0" in name or not {b"", b".", b".."}.isdisjoint(name.split(b"/")):
        return b""
    try:
        return read_small(os.path.join(common_dir, os.fsdecode(name))).rstrip()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        with open(os.path.join(common_dir, "packed-refs"), "rb") as file:  # noqa: PTH123 - as above
            packed = file.read()
    at = packed.find(b" " + name + b"\n")
    return packed[packed.rfind(b"\n", 0, at) + 1 : at] if at > 0 else b""


def plumbing_of(reader: Reader) -> PlumbingReader:
    """Git itself for the same repository."""
    return reader if isinstance(reader, PlumbingReader) else PlumbingReader(reader.root())
