"""Where references lead: the files, folders and headings after a change, and what to say of those that are not there."""

from __future__ import annotations

from hoard_git.core.files import local_path
from hoard_git.core.lazy import lazy
from hoard_git.core.record import Record
from hoard_git.core.slugs import slug, slugs
from hoard_git.core.unicode import show
from hoard_git.lint.prose import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.document import Document
    from hoard_git.core.policy import Policy
    from hoard_git.lint.references import Reference
    from hoard_git.lint.scene import FileView, Scene

_ANCHOR = lazy(r"""\b(?:id|name)\s{0,4}=\s{0,4}["']?([\w.-]{1,200})""")
_MOST_MOVES = 8
_SHOWN = 120


class Verdict(Record):
    """What is wrong with a reference: a clause, and the next step. Both are empty for one that leads somewhere."""

    message: str = ""
    hint: str = ""


FINE = Verdict()


class Whither:
    """Answers for one scene; what was looked up is kept."""

    def __init__(self, scene: Scene) -> None:
        """Nothing is read before a question comes."""
        self.scene = scene
        self._views: dict[str, FileView] = {file.path: file for file in scene.files}
        self._gone_now = {str(change.path) for change in scene.paths if not change.new_mode}
        self._new = {str(change.path) for change in scene.paths if change.new_mode}
        self._documents: dict[str, Document | None] = {}
        self._paths: frozenset[str] | None = None

    def root(self, path: str) -> str:
        """The folder of the workspace that a file lies in, '' or ending in '/'."""
        return root_of(path, self.scene.policy)

    def paths(self) -> frozenset[str]:
        """Every path after the change."""
        if self._paths is None:
            self._paths = frozenset({*self._views, *self._new, *self.scene.lookup.paths()} - self._gone_now)
        return self._paths

    def has(self, path: str) -> bool:
        """Whether a file or folder is there."""
        if path in self._views or path in self._new:
            return True
        return (path not in self._gone_now and self.scene.lookup.has(path)) or any(known.startswith(path + "/") for known in self._new)

    def document(self, path: str) -> Document | None:
        """A file, parsed; None where it is not there or cannot be a page."""
        if path not in self._documents:
            view = self._views.get(path)
            self._documents[path] = view.document if view is not None else self.scene.lookup.document(path)
        return self._documents[path]

    def find(self, path: str, target: str) -> str | None:
        """The path that a relative one in a file means: from the file's folder, else from the workspace's root; None when nothing is there."""
        folder = path.rpartition("/")[0]
        for base in dict.fromkeys((folder, self.root(path).rstrip("/"))):
            joined = join(base, target)
            if joined is None:
                continue
            if not joined:
                return ""
            for name in (joined, joined + ".md"):
                if self.has(name):
                    return name
        return None

    def judge_place(self, found: str, reference: Reference) -> Verdict:
        """Whether a file that is there has the heading or the lines that a reference names."""
        if not reference.anchor and not reference.first:
            return FINE
        document = self.document(found) if found.lower().endswith((".md", ".markdown")) else None
        if document is None:
            return FINE
        if reference.first:
            count = len(document.lines) - (document.lines[-1] == "")
            if max(reference.first, reference.last) <= count and reference.first <= (reference.last or reference.first):
                return FINE
            return Verdict(f"names line {max(reference.first, reference.last)} of a file that has {count}", "name the section instead")
        if has_anchor(document, reference.anchor):
            return FINE
        return Verdict("names a heading that is not there", f"see the headings: hoard wiki show {shown(found)}")

    def missing(self, path: str, target: str) -> Verdict:
        """What history knows about a file that is not there, as the end of a sentence."""
        folder, root = path.rpartition("/")[0], self.root(path).rstrip("/")
        known = None
        for base in dict.fromkeys((folder, root)):
            joined = join(base, target)
            known = self.scene.lookup.gone(joined) if joined else None
            if known is not None and known.commit:
                return self._gone(joined or "", known.commit, known.moved_to)
        hint = "correct the path, or take it out"
        twins = self.twins(target)
        if len(twins) == 1:
            return Verdict("is not there", f"did you mean {shown(twins[0])}?")
        return Verdict("is not there" if known is None else "is not there, and never was in this history", hint)

    def _gone(self, path: str, commit: str, moved_to: str) -> Verdict:
        seen = {path}
        while moved_to and moved_to not in seen and len(seen) < _MOST_MOVES:
            if self.has(moved_to):
                return Verdict(f"was moved to {shown(moved_to)} in {commit[:12]}", f"write {shown(moved_to)}")
            seen.add(moved_to)
            further = self.scene.lookup.gone(moved_to)
            if further is None or not further.commit:
                break
            path, commit, moved_to = moved_to, further.commit, further.moved_to
        return Verdict(f"was removed in {commit[:12]}", f"see it: git show {commit[:12]}^:{shown(path)}")

    def twins(self, target: str) -> list[str]:
        """The files of the same name, wherever they lie."""
        name = target.rpartition("/")[2].lower()
        return sorted(path for path in self.paths() if path.rpartition("/")[2].lower() == name) if name else []


_last: list[Whither] = []


def whither(scene: Scene) -> Whither:
    """The answers for a scene: one object for all its files and rules."""
    if not _last or _last[0].scene is not scene:
        _last[:] = [Whither(scene)]
    return _last[0]


def root_of(path: str, policy: Policy) -> str:
    """The folder of the workspace that a path lies in, '' or ending in '/'."""
    inside = local_path(path, policy)
    return policy.prefix if inside is None else path[: len(path) - len(inside)]


def join(folder: str, target: str) -> str | None:
    """A relative path from a folder of the repository; None when it climbs out of it."""
    parts = [part for part in folder.split("/") if part]
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def has_anchor(document: Document, anchor: str) -> bool:
    """Whether a document has what an anchor names: a heading by title or slug, with or without its date, a block by id, or an HTML anchor."""
    wanted = decode(anchor).strip()
    names = {wanted.lower(), slug(wanted), wanted.lower().removeprefix("user-content-")}
    if names & set(slugs(document)):
        return True
    for heading in document.headings:
        dated = slug("x " + heading.title).removeprefix("x-")  # GitHub's own: here the leading date is no part of a slug
        if heading.title.lower() == wanted.lower() or dated in names or (heading.tag is not None and heading.tag.id == wanted):
            return True
    if any(entry.tag is not None and entry.tag.id == wanted for entry in document.entries):
        return True
    return any(match[1].lower() in names for line in document.lines if "=" in line for match in _ANCHOR.finditer(line))


def shown(path: str) -> str:
    """A path for a message."""
    return show(path, _SHOWN)


def is_secret(lines: Sequence[str], number: int) -> bool:
    """Whether a credential stands on a line, so that no part of it may be repeated."""
    from hoard_git.core.secrets import find_secrets

    return bool(find_secrets(lines, wanted={number}))
