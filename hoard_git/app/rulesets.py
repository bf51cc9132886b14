"""A workspace's own rules for secrets: its `.gitleaks.toml`, read from a tree or from the work tree, translated, and kept for hooks."""

from __future__ import annotations

from hoard_git import __version__
from hoard_git.app.policies import read_copy, write_copy
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, RepoPath
from hoard_git.core.policy import FILE_NAME, RULES_NAME
from hoard_git.core.record import Record
from hoard_git.core.secrets import Ruleset
from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError
from hoard_git.lint.scene import UserRules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal

    from hoard_git.app.shelf import Shelf
    from hoard_git.core.model import Oid

LARGEST = 512 * 1024
"""Bytes of a configuration; the one that gitleaks itself ships is a third of that."""

_DEEPEST = 4
"""Files that may extend each other; gitleaks stops after two."""

_LOOK_AGAIN = "then look at the file as it stands: hoard check"


class _Kept(Record):
    """Rules with the blobs of the files that they extend, by path below the workspace."""

    rules: Ruleset
    bases: tuple[tuple[str, Oid], ...]


class RuleBook:
    """The rules of many trees, each configuration translated once."""

    def __init__(self, shelf: Shelf, *, cached: bool) -> None:
        """`cached` allows a copy under the common git dir, keyed by blob, interpreter and version: for local hooks, which are early warning."""
        self._shelf = shelf
        self._cached = cached
        self._known: dict[tuple[str, Oid], _Kept] = {}

    def rules(self, tree: Oid | Literal["INDEX"], prefix: str, mode: int, oid: Oid) -> UserRules:
        """Return the rules that the configuration of this mode and blob describes; `prefix` is its directory, '' or ending in '/'.

        What it extends is read from the same tree. Raises HoardError, with file and line, when a file cannot be read or translated.
        """
        path = prefix + RULES_NAME
        if mode not in (MODE_FILE, MODE_EXECUTABLE):
            raise HoardError(f"{path!r} is not a regular file.", f"git log -1 -- {shell_word(path)}")
        kept = self._known.get((prefix, oid)) or (self._read_copy(oid) if self._cached else None)
        if kept is None or not self._holds(tree, prefix, kept):
            kept = self._translate(tree, prefix, oid)
            if self._cached:
                data = {"bases": [list(base) for base in kept.bases], "rules": kept.rules.to_data()}
                write_copy(self._shelf.reader, oid, data, _KIND)
        self._known[prefix, oid] = kept
        return UserRules(kept.rules, (path, *(prefix + name for name, _oid in kept.bases)))

    def _entries(self, tree: Oid | Literal["INDEX"], paths: list[str]) -> Mapping[RepoPath, tuple[int, Oid]]:
        wanted = [RepoPath(path) for path in paths]
        return self._shelf.tree(tree) if self._shelf.many else self._shelf.reader.tree(tree, wanted)

    def _holds(self, tree: Oid | Literal["INDEX"], prefix: str, kept: _Kept) -> bool:
        """Whether this tree, too, holds the very files that were extended."""
        if not kept.bases:
            return True
        policies = [path for name, _oid in kept.bases for path in _policies_above(prefix, name)]
        entries = self._entries(tree, [*(prefix + name for name, _oid in kept.bases), *policies])
        return not any(path in entries for path in policies) and all(
            entries.get(RepoPath(prefix + name), (0, ""))[1] == oid for name, oid in kept.bases
        )

    def _translate(self, tree: Oid | Literal["INDEX"], prefix: str, oid: Oid) -> _Kept:
        bases: dict[str, Oid] = {}

        def read(name: str) -> bytes | None:
            if name == RULES_NAME:
                return self._shelf.blobs([oid])[oid]
            path = RepoPath(prefix + name)
            policies = _policies_above(prefix, name)
            entries = self._entries(tree, [path, *policies])
            mode, base = entries.get(path, (0, ""))
            if not mode:
                return None
            if any(
                policy in entries for policy in policies
            ):  # there, a change of it would be judged without knowing that it steers this gate
                raise HoardError(
                    f"{path!r} is extended from {prefix + RULES_NAME!r} and lies in another workspace.",
                    f"move it: git mv {shell_word(path)} NEW-PLACE",
                )
            if mode not in (MODE_FILE, MODE_EXECUTABLE):
                raise HoardError(f"{path!r} is not a regular file.", f"git log -1 -- {shell_word(path)}")
            bases[name] = base  # type: ignore[assignment]  # the empty one went with mode 0
            return self._shelf.blobs([bases[name]])[bases[name]]

        where = "" if tree == "INDEX" else f" (in commit {tree[:12]})"
        return _Kept(translate_rules(prefix, read, where), tuple(bases.items()))

    def _read_copy(self, oid: Oid) -> _Kept | None:
        data = read_copy(self._shelf.reader, oid, _KIND)
        try:
            return _Kept(Ruleset.from_data(data["rules"]), tuple((str(name), base) for name, base in data["bases"]))
        except (KeyError, TypeError, ValueError, AttributeError):
            return None


def _policies_above(prefix: str, name: str) -> list[RepoPath]:
    """The policies that would make a workspace of their own of a directory between the prefix and the file."""
    parts = name.split("/")
    return [RepoPath(prefix + "".join(part + "/" for part in parts[:count]) + FILE_NAME) for count in range(1, len(parts))]


_KIND = f"rules-{__version__}"


def translate_rules(prefix: str, read: Callable[[str], bytes | None], where: str = "") -> Ruleset:
    """Translate the `.gitleaks.toml` of a workspace and what it extends; `read` takes paths below the workspace, None is a missing file.

    `where` goes behind the place in messages. Raises HoardError with file, line and rule.
    """
    from hoard_git.core.secrets.gitleaks import RulesError, extended_path, ruleset_from_gitleaks

    def load(name: str, above: tuple[str, ...]) -> Ruleset:
        shown = repr(prefix + name)[1:-1]
        if name in above or len(above) >= _DEEPEST:
            raise HoardError(
                f"{shown}{where}: the configurations extend each other {'in a ring' if name in above else f'over more than {_DEEPEST} files'}.",
                f"put the rules into one file, {_LOOK_AGAIN}",
            )
        raw = read(name)
        if raw is None:
            raise HoardError(
                f"{shown}{where} is extended by {above[-1] if above else ''} and is not there.", f"git add -- {shell_word(prefix + name)}"
            )
        text = _decode(raw, shown + where)
        try:
            base = extended_path(text)
            below = load(_inside(base, shown + where), (*above, name)) if base else None
            return ruleset_from_gitleaks(text, below)
        except RulesError as problem:
            at = f":{problem.line}" if problem.line else ""
            raise HoardError(f"{shown}{at}{where}: {_plain(problem.message)}.", f"{_plain(problem.hint)}, {_LOOK_AGAIN}") from problem

    return load(RULES_NAME, ())


def rules_of_worktree(prefix: str, read: Callable[[RepoPath], bytes | None]) -> UserRules | None:
    """Return the rules of a workspace as its files stand; None when it has none of its own. `read` is given repository paths."""
    files: list[str] = []

    def below(name: str) -> bytes | None:
        raw = read(RepoPath(prefix + name))
        files.append(prefix + name)
        return raw

    if read(RepoPath(prefix + RULES_NAME)) is None:
        return None
    return UserRules(translate_rules(prefix, below), tuple(files))


def _inside(path: str, where: str) -> str:
    """Return the path that `[extend] path` gives, from the workspace's root, as gitleaks takes it when it runs there."""
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith(("/", "~")) or ".." in parts or not parts or not path.isprintable() or any(c in path for c in "\\:"):
        raise HoardError(
            f"{where}: [extend] path = {path[:100]!r} does not lead to a file below the workspace.",
            f"name a file by its path from the workspace's root, without '..', {_LOOK_AGAIN}",
        )
    return "/".join(parts)


def _decode(raw: bytes, where: str) -> str:
    if len(raw) > LARGEST:
        raise HoardError(f"{where} is larger than {LARGEST >> 10} KB.", f"take rules out that memory does not need, {_LOOK_AGAIN}")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise HoardError(f"{where} is not UTF-8.", f"save the file as UTF-8, {_LOOK_AGAIN}") from error


def _plain(text: Any) -> str:
    """Make somebody's text printable, on one line and short."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text).replace("\n", " "))[:400].rstrip(".")
