"""The wiki pages of the work tree and the names that they answer to; where new ones go."""

from __future__ import annotations

import re
import shlex

from hoard_git.app.spaces import choose_among
from hoard_git.app.workspace import find_memory_files, read_policies_of_worktree
from hoard_git.core.files import roots_of
from hoard_git.core.pagenames import PageNames
from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.lint.whither import root_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hoard_git.app.clock import Days
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader


class Place(Record):
    """Where and when pages are read and written. `directory` is a repository path inside a workspace, '' for the top."""

    reader: PlumbingReader
    days: Callable[[Policy], Days]
    environ: Mapping[str, str]
    directory: str = ""


class Book:
    """The wiki pages on disk, by path, with the policies that govern them."""

    def __init__(self, reader: PlumbingReader) -> None:
        """Read policies and names; raises HoardError where there is no workspace."""
        self.policies = read_policies_of_worktree(reader)
        if not self.policies.known:
            raise HoardError("This is no workspace: there is no .hoard.yaml.", "hoard init")
        self.memory = find_memory_files(reader.root(), self.policies)
        self.paths = [path for path, file_class in self.memory.items() if file_class == "wiki"]
        self._names: dict[str, PageNames] = {}

    def root(self, path: str) -> str:
        """The folder of the workspace that a path lies in, '' or ending in '/'."""
        return root_of(path, self.policies.govern(path))

    def fitting(self, name: str, source: str) -> list[str]:
        """The pages that a name in the file `source` may mean."""
        if name in self.paths:
            return [name]
        root = self.root(source)
        if root not in self._names:
            self._names[root] = PageNames(self.paths, root)
        return self._names[root].find(name, source)

    def find(self, name: str, directory: str) -> str:
        """The one page that a path, a file name or a title means, seen from a directory. Raises HoardError for none and for several."""
        source = f"{directory}/x" if directory else "x"
        bare = name.strip().removeprefix("[[").removesuffix("]]")
        found = self.fitting(bare, source)
        if len(found) == 1:
            return found[0]
        if found:
            raise HoardError(
                f"{name[:80]!r} fits {len(found)} pages.", "Name one by its path: " + ", ".join(f"{path!r}" for path in found[:8])
            )
        from difflib import get_close_matches

        stems = {path.rpartition("/")[2].removesuffix(".md"): path for path in self.paths}
        near = get_close_matches(bare.lower(), stems, n=3)
        hint = f"Did you mean: {', '.join(near)}" if near else "The pages: hoard wiki links        a new one: hoard wiki new TITLE"
        raise HoardError(f"There is no wiki page {name[:80]!r}.", hint)

    def short_name(self, path: str, source: str) -> str:
        """The shortest name under which a page is found from another one: its file name, else its path from the root."""
        name = path.rpartition("/")[2].removesuffix(".md")
        return name if self.fitting(name, source) == [path] else path[len(self.root(path)) :].removesuffix(".md")

    def folder(self, directory: str) -> str:
        """The folder for new pages of the workspace around a directory: the part of its first glob that holds no wildcard."""
        policy = self.policies.govern(directory + "/" if directory else "")
        roots = roots_of(policy)
        root = choose_among(roots, directory)
        if root is None:
            raise HoardError(
                "This repository holds several workspaces.", f"hoard wiki new TITLE --file {shlex.quote(roots[0])}wiki/NAME.md"
            )
        globs = dict(policy.globs)["wiki"]
        if not globs:
            raise HoardError("The policy names no wiki pages.", "memory: {wiki: [wiki/**/*.md]} in .hoard.yaml")
        fixed = re.split(r"[*?]", globs[0], maxsplit=1)[0]
        return root + fixed[: fixed.rfind("/") + 1]
