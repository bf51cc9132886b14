"""Which file a name in double brackets means: by path, by name, by the slug of a title; letter case does not count."""

from __future__ import annotations

from hoard_git.core.slugs import slug

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_PAGES = (".md", ".markdown")

LARGEST_PAGE = 4 << 20
"""Bytes of a file in which headings are looked for."""


def holds_link(data: bytes) -> bool:
    """Whether a file may hold a link of any kind."""
    return b"[[" in data or b"](" in data or b"links:" in data or b".md" in data


class PageNames:
    """The names of a workspace's files. `root` is its folder in the repository, '' or ending in '/'."""

    def __init__(self, paths: Iterable[str], root: str = "") -> None:
        """Only paths below the root count."""
        self._root = root
        self._by_name: dict[str, list[str]] = {}
        for path in sorted(paths):
            if path.startswith(root) and "/." not in "/" + path[len(root) :]:
                for key in _keys(path.rpartition("/")[2]):
                    self._by_name.setdefault(key, []).append(path)

    def find(self, name: str, source: str) -> list[str]:
        """The files that a name in the file `source` may mean, best first; the first alone unless several fit equally well.

        A name with folders is read from the root, from the source's folder and as the end of a path, in that order; a page goes before another file,
        one in the source's folder before others, and one that is higher up before deeper ones.
        """
        wanted = name.strip().strip("/").lower()
        folder = source.rpartition("/")[0].lower()
        found = [path for key in _keys(wanted.rpartition("/")[2]) for path in self._by_name.get(key, ())]
        found = list(dict.fromkeys(found))
        if "/" in wanted:
            found = [path for path in found if self._fits(path.lower(), wanted, folder)]
        if len(found) < 2:
            return found
        ranked = sorted((self._rank(path, wanted, folder), path) for path in found)
        return [path for rank, path in ranked if rank == ranked[0][0]]

    def _fits(self, path: str, wanted: str, folder: str) -> bool:
        head = wanted.rpartition("/")[0]
        parts = [part for part in head.split("/") if part not in (".", "")]
        place = folder.split("/") if folder else []
        while parts and parts[0] == "..":
            if not place:
                return False
            place.pop()
            parts.pop(0)
        here = path.rpartition("/")[0]
        if head.startswith(("./", "..")) or head in (".", ".."):
            return here == "/".join([*place, *parts])
        tail = "/".join(parts)
        return here == tail or here.endswith("/" + tail)

    def _rank(self, path: str, wanted: str, folder: str) -> tuple[bool, bool, bool, int]:
        low = path.lower()
        inside = low[len(self._root) :]
        exact = inside in (wanted, wanted + ".md")
        is_page = low.endswith(_PAGES)
        return not exact, not is_page, low.rpartition("/")[0] != folder, low.count("/")


def _keys(name: str) -> list[str]:
    """What a file's name is found by: the name, without the suffix of a page, and its slug."""
    low = name.lower()
    stem = low
    for suffix in _PAGES:
        stem = stem.removesuffix(suffix)
    keys = [low, stem]
    short = slug(stem.replace("_", " "))
    if short:
        keys.append(short)
    return list(dict.fromkeys(keys))
