"""The memory files of one commit while the index is being built."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hoard_git.core.versions import Version


class Tree:
    """The memory files of one commit by path, loaded from the store when they are asked for."""

    __slots__ = ("_load", "base", "files", "policies")

    def __init__(self, load: Callable[[str, int], Version | None], base: int, policies: dict[str, str]) -> None:
        """`base` is the commit whose files the store is asked for, 0 for none."""
        self._load = load
        self.base = base
        self.files: dict[str, Version | None] = {}
        self.policies = policies

    def copy(self) -> Tree:
        """A tree of its own with the same files."""
        found = Tree(self._load, self.base, dict(self.policies))
        found.files = dict(self.files)
        return found

    def get(self, path: str) -> Version | None:
        """The version at a path, None when there is none."""
        if path in self.files:
            return self.files[path]
        found = self._load(path, self.base) if self.base else None
        self.files[path] = found
        return found

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self.get(path) is not None

    def __getitem__(self, path: str) -> Version:
        found = self.get(path)
        if found is None:
            raise KeyError(path)
        return found


def disputed(trees: Sequence[Tree], chosen: Mapping[str, Version | None]) -> list[str]:
    """The files that a merge took from one side while another side may hold the same facts under numbers of its own.

    That can only be where each of the two has facts that the other one lacks.
    """
    taken = {path: set(version.facts()) for path, version in chosen.items() if version is not None}
    result = set[int]().union(*taken.values())
    found: dict[str, None] = {}
    for tree in trees:
        held = {path: version.facts() for path in chosen if (version := tree.get(path)) is not None}
        there = set[int]().union(*held.values())
        gone, came = there - result, result - there
        if gone and came:
            found.update(dict.fromkeys(path for path in chosen if held.get(path, set()) & gone or taken.get(path, set()) & came))
    return [path for path in chosen if path in found]
