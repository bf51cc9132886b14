"""git's own merge of three texts, line by line."""

from __future__ import annotations

import os
import tempfile

from hoard_git.gitio.process import start

_CONFLICTS = tuple(range(128))


def merge_lines(base: bytes, one: bytes, other: bytes) -> bytes | None:
    """Merge as git does where no driver is named; None for a conflict. `git merge-file` reads files only, so they lie in a folder for a moment."""
    with tempfile.TemporaryDirectory(prefix="hoard-") as folder:
        names = []
        for name, data in (("one", one), ("base", base), ("other", other)):
            names.append(os.path.join(folder, name))  # noqa: PTH118 -- the hook's modules do without pathlib
            with open(names[-1], "wb") as file:  # noqa: PTH123 -- the same
                file.write(data)
        merging = start(("merge-file", "-p", "-q", "--", *names))
        merged = merging.finish((*_CONFLICTS, 255))
        return merged if merging.status == 0 else None
