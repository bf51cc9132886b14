"""Choosing a reader: plumbing for one question, libgit2 for thousands of objects."""

from __future__ import annotations

from hoard_git.errors import HoardError
from hoard_git.gitio.plumbing import PlumbingReader

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
