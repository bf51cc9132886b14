"""What is wrong with a path or its mode, and what a `.gitattributes` line does to memory files."""

from __future__ import annotations

import re
from functools import lru_cache

from hoard_git.core.confusables import fold, skeleton
from hoard_git.core.files import MARKDOWN, PROTECTED_NAMES, classify, local_path
from hoard_git.core.globs import translate
from hoard_git.core.model import MODE_EXECUTABLE, MODE_GITLINK, MODE_LINK
from hoard_git.core.unicode import BIDI, MARK, describe, find_odd, is_plain, show
from hoard_git.lint.scene import Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.model import PathChange
    from hoard_git.core.policy import Policy
    from hoard_git.lint.scene import Scene

_DOT_GIT = re.compile(r"\.git(?:[ .]*|::?.*)|git~[0-9]", re.IGNORECASE)
_SAMPLES = (
    "MEMORY.md",
    "HEARTBEAT.md",
    "SOUL.md",
    "USER.md",
    "AGENTS.md",
    "CLAUDE.md",
    "memory/x.md",
    "memory/2026-01-01.md",
    "memory/archive/2026-01-01.md",
    "wiki/x.md",
)


def find_odd_paths(scene: Scene) -> Iterator[Hit]:
    """Yield what is wrong with the paths of a scene; each path at most once for each sort of fault."""
    twins = _Twins(scene)
    for change in scene.paths:
        if not change.new_mode:
            continue
        path = change.path
        shown = show(path, 200)
        memory = bool(classify(path, scene.policy))
        for message in _faults(change, memory, scene.policy):
            yield Hit(f"{shown} {message}", 0, 0, "store a plain file with a plain name", path=path)
        if change.new_mode == MODE_EXECUTABLE and change.old_mode != MODE_EXECUTABLE and memory:
            yield Hit(f"{shown} may be run as a program", 0, 0, f"git update-index --chmod=-x -- {shown}", path=path, severity="warn")
        twin = twins.of(change, memory=memory)
        if twin:
            yield Hit(f"{shown} is the same name as {show(twin, 200)} on other systems", 0, 0, "rename one of them", path=path)


def _faults(change: PathChange, memory: bool, policy: Policy) -> Iterator[str]:  # noqa: FBT001
    path, mode = change.path, change.new_mode
    parts = path.split("/")
    if mode in {MODE_LINK, MODE_GITLINK} and (memory or holds_memory(path, policy)):
        yield "is a symbolic link where memory is" if mode == MODE_LINK else "is a submodule where memory is"
    if change.old_mode and change.old_mode == mode:
        return  # the name was there before
    odd = _odd_character(path)
    if odd:
        yield f"holds {odd}"
    near = memory or parts[-1].lower().endswith(MARKDOWN)
    if parts[0].startswith("-") or (near and any(part.startswith("-") for part in parts)):
        yield "has a part that starts with a dash, as options do"
    if (near or memory) and any(part != part.rstrip(". ") or part != part.lstrip(" ") for part in parts if part not in {".", ".."}):
        yield "has a part with a blank or dot at its edge, which other systems drop"
    if ".." in parts:
        yield "climbs out of its directory"
    if any(part != ".git" and _DOT_GIT.fullmatch(fold(part)) for part in parts):
        yield "is taken for .git on other systems"
    core = _imitated(parts, policy)
    if core:
        yield f"looks like {core} and is another file"
    elif near and any(_mixes_scripts(part) for part in parts if not part.isascii()):
        yield "mixes letters of two scripts in one word"
    if "\\" in path and classify(path.replace("\\", "/"), policy):
        yield "is a path into memory on other systems"


def _odd_character(path: str) -> str:
    if is_plain(path) and "\t" not in path:
        return ""
    if "\n" in path or "\t" in path:
        return describe("\n" if "\n" in path else "\t")
    found = next((odd for odd in find_odd(path, last=True) if odd.hard or odd.kind in {BIDI, MARK}), None)
    return describe(path[found.at]) if found is not None else ""


def _imitated(parts: list[str], policy: Policy) -> str:
    """The core file or directory that a part reads like without being it; differences of case alone are for the twins."""
    cores = _cores.get(policy.globs)
    if cores is None:
        names = {glob.rsplit("/", 1)[-1] for _name, globs in policy.globs for glob in globs if not set(glob.rsplit("/", 1)[-1]) & set("*?")}
        names |= {"memory", "wiki", *PROTECTED_NAMES}
        cores = _cores[policy.globs] = {_look(name): name for name in names}
    for part in parts:
        name = cores.get(_look(part)) or cores.get(_look(skeleton(part)), "")
        if name and part.lower() != name.lower():
            return name
    return ""


_cores: dict[tuple[tuple[str, tuple[str, ...]], ...], dict[str, str]] = {}
_DIGITS = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "3": "e", "4": "a", "5": "s", "$": "s", "7": "t", "8": "b"})
_INNER = re.compile(r"[a-z$|]|[0-9](?=[0-9]*[a-z|$])")


def _look(name: str) -> str:
    """What a name looks like: letters that imitate others, digits for letters, blanks anywhere and dots at the end do not count.

    Digits at the end of a word stay, for `agent5.md` is the page of a fifth agent.
    """
    plain = "".join(fold(name).split()).rstrip(".").lower()
    return _INNER.sub(lambda match: match.group().translate(_DIGITS), plain).replace("rn", "m").replace("vv", "w")


_WORD = re.compile(r"[^\W\d_]{2,}")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_OTHER = re.compile("[\u0400-\u052f\u0531-\u0587\u13a0-\u13ff\uab70-\uabbf]")
_GREEK = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")


def _mixes_scripts(part: str) -> bool:
    """Whether one word mixes Latin letters with Cyrillic, Armenian or Cherokee ones, or with Greek ones that look Latin (no formula does)."""
    for match in _WORD.finditer(part):
        word = match.group()
        if _LATIN.search(word) and (_OTHER.search(word) or (_GREEK.search(word) and skeleton(word).isascii())):
            return True
    return False


def holds_memory(path: str, policy: Policy) -> bool:
    """Whether a path is a directory at or above memory files: a link there replaces them all."""
    inside = local_path(path, policy)
    roots = {"/".join(root.split("/")[: depth + 1]) for root in policy.roots for depth in range(root.count("/") + 1)}
    if path.removeprefix(policy.prefix).lower() in {root.lower() for root in roots}:
        return True
    if inside is None:
        return False
    for _name, globs in policy.globs:
        for glob in globs:
            pieces = glob.split("/")[:-1]
            for depth in range(1, len(pieces) + 1):
                head = "/".join(pieces[:depth])
                if head != "**" and re.fullmatch(translate(head), inside, re.DOTALL | re.IGNORECASE):
                    return True
    return False


@lru_cache(maxsize=1 << 12)
def _key(path: str) -> str:
    """What case- and form-insensitive systems compare."""
    if path.isascii():
        return path.lower()
    from unicodedata import normalize

    return normalize("NFC", normalize("NFC", path).casefold())


class _Twins:
    """Paths that other systems take for the same one; the whole tree is asked for only when a path near memory is new."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._spellings: dict[str, set[str]] | None = None
        globs = [(name, tuple(glob.lower() for glob in globs)) for name, globs in scene.policy.globs]
        self._lower = scene.policy._replace(
            globs=tuple(globs), prefix=scene.policy.prefix.lower(), roots=tuple(r.lower() for r in scene.policy.roots)
        )

    def of(self, change: PathChange, *, memory: bool) -> str:
        """Return another spelling of this path or of a directory above it, '' when there is none."""
        path = change.path
        if change.old_mode and self._scene.change:
            return ""
        key = _key(path)
        if not memory and not classify(key.replace("yyyy-mm-dd", ""), self._lower):
            return ""
        if self._spellings is None:
            self._spellings = {}
            for known in {*self._scene.lookup.paths(), *(c.path for c in self._scene.paths if c.new_mode)}:
                at = len(known)
                while at > 0:
                    spellings = self._spellings.setdefault(_key(known[:at]), set())
                    if known[:at] in spellings:
                        break
                    spellings.add(known[:at])
                    at = known.rfind("/", 0, at)
        others = self._spellings.get(key, set()) - {path}
        if others:
            return min(others)
        at = path.rfind("/")
        while at > 0:
            others = self._spellings.get(_key(path[:at]), set()) - {path[:at]}
            if others:
                return min(others)
            at = path.rfind("/", 0, at)
        return ""


def attribute_trick(line: str, path: str, scene: Scene) -> str:
    """Say what an attribute line does to memory files, '' when it does nothing to them or nothing bad."""
    text = line.strip(" \t\r")
    if not text or text.startswith("#"):
        return ""
    if text.startswith('"') and '"' in text[1:]:
        pattern, _, rest = text[1:].partition('"')
    else:
        pattern, _, rest = text.replace("\t", " ").partition(" ")
    found = [why for word in rest.replace("\t", " ").split() if (why := _trick(word))]
    if not found:
        return ""
    if pattern.startswith("[attr]"):
        return f"the attribute macro {found[0]}"
    return f"the attributes of a memory path: {found[0]}" if _matches_memory(pattern, path, scene) else ""


def _trick(word: str) -> str:
    name, equals, value = word.partition("=")
    low = name.lower()
    if low in {"-diff", "binary"} or (low == "diff" and equals and value not in {"markdown", "true"}):
        return f"{show(word, 40)} keeps the text out of diffs"
    if low in {"filter", "working-tree-encoding", "encoding"} and equals and value not in {"utf-8", "UTF-8"}:
        return f"{show(word, 40)} changes the bytes at checkout"
    if low == "ident" and not equals:
        return "ident changes the bytes at checkout"
    if low in {"linguist-generated", "linguist-vendored", "gitlab-generated"} and value.lower() != "false":
        return f"{show(word, 40)} folds the text away in reviews"
    if low in {"-merge", "merge"} and (low == "-merge" or value in {"ours", "union", "theirs", "binary"}):
        return f"{show(word, 40)} merges without looking at entries"
    return ""


def _matches_memory(pattern: str, path: str, scene: Scene) -> bool:
    base = path.rpartition("/")[0]
    clean = pattern.lstrip("/").rstrip("/")
    anchored = "/" in pattern.rstrip("/")
    try:
        matcher = re.compile(_attribute_regex(clean), re.DOTALL)
    except re.error:
        return True  # a pattern that cannot be read is not trusted
    heads = ["", scene.policy.prefix, *(f"{scene.policy.prefix}{root}/" for root in scene.policy.roots)]
    known = {head + sample for head in heads for sample in _SAMPLES} | {change.path for change in scene.paths}
    for known_path in known:
        inside = known_path.removeprefix(base + "/") if base else known_path
        if (base and inside == known_path) or not classify(known_path, scene.policy):
            continue
        if matcher.fullmatch(inside if anchored else inside.rpartition("/")[2]):
            return True
    literal = re.sub(r"\[[^\]]*\]|[*?]+", "x", clean)
    return bool(classify(f"{base}/{literal}" if base else literal, scene.policy))


def _attribute_regex(pattern: str) -> str:
    """Translate a gitattributes pattern (gitignore's syntax, anchored) for fullmatch."""
    out, i = [], 0
    while i < len(pattern):
        if pattern.startswith("**/", i):
            out.append("(?:[^/]+/)*")
            i += 3
        elif pattern.startswith("**", i):
            out.append(".*")
            i += 2
        elif pattern[i] == "*":
            out.append("[^/]*")
            i += 1
        elif pattern[i] == "?":
            out.append("[^/]")
            i += 1
        elif pattern[i] == "[" and (end := pattern.find("]", i + 2)) > 0:
            body = pattern[i + 1 : end].replace("\\", "\\\\")
            out.append("[" + ("^" + body[1:] if body[:1] == "!" else body) + "]")
            i = end + 1
        else:
            out.append(re.escape(pattern[i]))
            i += 1
    return "".join(out)
