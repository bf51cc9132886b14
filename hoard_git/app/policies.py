"""Reading policies from a commit, the index or a file: which policy governs which path."""

# ruff: noqa: PTH103, PTH105, PTH118, PTH120, PTH123 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import marshal
import os
import sys

from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, RepoPath
from hoard_git.core.policy import DEFAULT, FILE_NAME, RULES_NAME, policy_from_data
from hoard_git.core.policydata import PolicyProblem
from hoard_git.core.record import Record
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from hoard_git.core.model import Oid
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.reader import Reader

_LARGEST = 64 * 1024
"""Bytes of a policy; a parser in pure Python reads about 100 KB in a second."""
_MOST_VALUES = 20_000
_DEEPEST = 64
_LARGEST_COPY = 4 << 20
_CACHE_FORM = 2


class Policies(Record):
    """The policies of one tree. `known` is false when it has none at all, and `default` governs.

    `rule_files` are the `.gitleaks.toml` in the directories that were looked at: directory as a prefix, mode and blob.
    """

    by_prefix: tuple[tuple[str, Policy], ...] = ()
    default: Policy = DEFAULT
    rule_files: tuple[tuple[str, int, Oid], ...] = ()

    @property
    def known(self) -> bool:
        """Whether the tree holds any policy."""
        return bool(self.by_prefix)

    def govern(self, path: str) -> Policy:
        """The policy in the nearest directory above a path."""
        best = self.default
        for prefix, policy in self.by_prefix:
            if path.startswith(prefix) and (best is self.default or len(prefix) >= len(best.prefix)):
                best = policy
        return best


def directories(paths: Iterable[str]) -> list[str]:
    """Every directory at or above the paths, as prefixes ('' or ending in '/')."""
    found = {""}
    for path in paths:
        at = path.find("/")
        while at >= 0:
            found.add(path[: at + 1])
            at = path.find("/", at + 1)
    return sorted(found)


def read_policies(
    reader: Reader,
    tree: Oid | None,
    paths: Iterable[str],
    *,
    cached: bool = False,
    entries: Mapping[RepoPath, tuple[int, Oid]] | None = None,
) -> Policies:
    """Read the policies that govern these paths from a commit; None is an empty tree. Raises HoardError with the line of a bad value.

    `cached` allows a copy under the common git dir, keyed by the policy's blob: only local hooks, which are early warning, use it.
    `entries` are the commit's paths where the caller has them already.
    """
    if tree is None:
        return Policies()
    above = [prefix for prefix in directories(paths) if "\n" not in prefix]
    wanted = [RepoPath(prefix + FILE_NAME) for prefix in above]
    beside = [RepoPath(prefix + RULES_NAME) for prefix in above]
    entries = reader.tree(tree, wanted + beside) if entries is None else entries
    rule_files = tuple((path.removesuffix(RULES_NAME), *entries[path]) for path in beside if path in entries)
    files = {path: entries[path][1] for path in wanted if path in entries and entries[path][0] in (MODE_FILE, MODE_EXECUTABLE)}
    odd = [path for path in wanted if path in entries and path not in files]
    if odd:
        raise HoardError(f"The policy {odd[0]} is not a regular file.", "git log -1 -- " + FILE_NAME)
    found: dict[str, Policy] = {}
    fresh: dict[str, Oid] = {}
    for name, oid in files.items():
        path = str(name)
        data = read_copy(reader, oid) if cached else None
        if data is None:
            fresh[path] = oid
        else:
            found[path] = policy_from_data(data, path.removesuffix(FILE_NAME))
    blobs = reader.blobs(fresh.values()) if fresh else {}
    for path, oid in fresh.items():
        data = load_yaml(blobs[oid], path)
        found[path] = check_data(data, path)
        if cached:
            write_copy(reader, oid, data)
    return Policies(tuple(sorted((path.removesuffix(FILE_NAME), policy) for path, policy in found.items())), rule_files=rule_files)


def load_yaml(raw: bytes, where: str) -> Any:
    """Parse a policy's bytes to plain data that knows its lines. Raises HoardError."""
    if len(raw) > _LARGEST:
        raise HoardError(f"{where} is larger than {_LARGEST >> 10} KB.", "A policy is a page, not a store.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise HoardError(f"{where} is not UTF-8.", f"Save {where} as UTF-8.") from error
    if _is_deep(text):
        raise HoardError(
            f"{where} is nested more than {_DEEPEST} levels deep.", "A policy needs four levels at most: actors, each with its lists."
        )
    try:
        from ruamel.yaml import YAML
    except ImportError:
        import site

        site.main()  # the hook starts without site-packages (-S); only a policy that was not seen before needs them
        from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        data = YAML(typ="rt", pure=True).load(text)
    except (YAMLError, ValueError, RecursionError) as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        place = getattr(error, "position", None)
        if line is None and isinstance(place, int):
            line = text.count("\n", 0, place)
        at = f":{line + 1}" if line is not None else ""
        raise HoardError(
            f"{where}{at} is not readable YAML: {_problem(error)}.", f"Mend {where}; a value with : or # in it stands in quotes."
        ) from error
    if _is_endless(data):
        raise HoardError(f"{where} unfolds into more than {_MOST_VALUES:,} values.", "Write the values out instead of repeating anchors.")
    return data


def _is_deep(text: str) -> bool:
    """Whether brackets, or dashes on one line, nest deeper than a policy can: the parser would take seconds to run out of stack."""
    depth = 0
    for c in text:
        depth += (c in "[{") - (c in "]}")
        if depth > _DEEPEST:
            return True
    return any(line.count("- ") > _DEEPEST or line.count("? ") > _DEEPEST for line in text.split("\n"))


def _is_endless(data: Any) -> bool:
    """Whether anchors that repeat each other, or themselves, make more values than a policy can need."""
    todo, seen = [data], 0
    while todo:
        value = todo.pop()
        seen += 1
        if seen > _MOST_VALUES:
            return True
        if hasattr(value, "keys"):
            todo += value.values()
        elif isinstance(value, list):
            todo += value
    return False


def _problem(error: Exception) -> str:
    text = str(getattr(error, "problem", "") or getattr(error, "reason", "") or type(error).__name__)
    return "".join(c for c in text if c.isprintable())[:120]


def check_data(data: Any, where: str) -> Policy:
    """Turn plain data into a policy. Raises HoardError naming the file and line of an unknown key or bad value."""
    try:
        policy = policy_from_data(data, where.removesuffix(FILE_NAME))
    except PolicyProblem as problem:
        line = line_of(data, problem.at)
        at = f":{line}" if line else ""
        name = ".".join(str(part) for part in problem.at)
        what = "".join(c if c.isprintable() else "?" for c in problem.what)
        raise HoardError(
            f"{where}{at}: {what}" + (f" (at {name})" if name and name not in what else "") + ".", f"Mend {where}{at}, then: hoard check"
        ) from problem
    _check_rules(policy, data, where)
    if policy.authority == "signature" and not any(actor.kind == "human" and actor.keys for actor in policy.actors):
        line = line_of(data, ("authority",))
        raise HoardError(
            f"{where}{f':{line}' if line else ''}: authority: signature, and no key of a human is listed.",
            "List a key first: keys: of a human under actors.",
        )
    if policy.timezone:
        from hoard_git.app.clock import zone_offset

        zone_offset(policy.timezone, 0.0)
    return policy


def _check_rules(policy: Policy, data: Any, where: str) -> None:
    """Raise HoardError when `rules` names a rule that there is not: a slip of the pen would leave a rule as it was."""
    from hoard_git.lint.registry import BY_CODE

    for code, _severity in policy.rules:
        if code not in BY_CODE:
            line = line_of(data, ("rules", code))
            raise HoardError(f"{where}{f':{line}' if line else ''}: there is no rule {code}.", "hoard rule")


def line_of(data: Any, at: tuple[str | int, ...]) -> int:
    """The 1-based line of a place in parsed YAML, 0 when unknown."""
    line = 0
    for part in at:
        place = getattr(data, "lc", None)
        try:
            if place is not None:
                line = (place.key(part) if isinstance(part, str) else place.item(part))[0] + 1
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return line
    return line


def policy_from_blob(reader: Reader, oid: Oid, raw: bytes) -> Policy:
    """Give the top-level policy of a blob that was read already, from the local copy where there is one; for hooks only."""
    data = read_copy(reader, oid)
    if data is not None:
        try:
            return policy_from_data(data, "")
        except (PolicyProblem, TypeError, ValueError, AttributeError):
            pass  # a damaged copy is written again from the blob
    data = load_yaml(raw, FILE_NAME)
    policy = check_data(data, FILE_NAME)
    write_copy(reader, oid, data)
    return policy


def _copy_path(reader: Reader, oid: Oid, kind: str) -> str:
    return os.path.join(reader.common_dir(), "hoard", f"{kind}-{_CACHE_FORM}-{sys.hexversion:x}-{oid}")


def read_copy(reader: Reader, oid: Oid, kind: str = "policy") -> Any:
    """Read plain data back, None when there is none; `kind` names what was made of the blob.

    It is kept by marshal, since importing json costs the hook 2 ms and whoever can write here can replace the hook itself.
    """
    try:
        with open(_copy_path(reader, oid, kind), "rb") as file:
            return marshal.loads(file.read(_LARGEST_COPY))  # noqa: S302 -- see above
    except (OSError, ValueError, EOFError, TypeError):
        return None


def write_copy(reader: Reader, oid: Oid, data: Any, kind: str = "policy") -> None:
    """Store plain data that was made of a blob; a git dir that cannot be written only costs time."""
    path = _copy_path(reader, oid, kind)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        temporary = f"{path}.{os.getpid()}"
        with open(temporary, "wb") as file:
            file.write(marshal.dumps(_plain(data)))
        os.replace(temporary, path)
    except OSError:
        return


def _plain(value: Any) -> Any:
    if hasattr(value, "keys"):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    return str(value)
