"""A repository without files: what is said where a command needs them."""

from __future__ import annotations

import os
import shlex

from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.gitio.reader import Reader


def require_files(reader: Reader, then: str = "hoard status") -> None:
    """Raise HoardError where there is no work tree; `then` is what to run in a clone."""
    place = reader.git_dir()
    if reader.root() != place:
        return
    above, name = os.path.split(place)
    if name == ".git":
        raise HoardError("This is the inside of a repository, where its files are not.", f"cd {shlex.quote(above)} && {then}")
    raise HoardError(
        "This repository is bare: it has no files, and a workspace needs some.",
        f"git clone {shlex.quote(place)} ../workspace && cd ../workspace && {then}\nto guard what is pushed here: hoard hooks install --server",
    )
