"""The secrets of one file, found once for the rules that ask: certain ones are HG201's, possible ones HG202's."""

from __future__ import annotations

from hoard_git.lint.scene import Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.core.secrets import Match
    from hoard_git.lint.scene import FileView, Scene

_SECONDS = 30.0
"""How long one file may take in a hook; 4 MB of base64 take 10 s. A range has no clock: what is in history has to be judged."""

_HELP = "rotate the value, store it in a password manager and write down only where it is"

_scans: dict[tuple[int, str], list[Match]] = {}
_scene: Scene | None = None
"""The scans of one scene by document and path: two rules ask about each file, one after the other, and rules may hold for some paths only."""


def find_hits(file: FileView, scene: Scene, *, certain: bool) -> Iterator[Hit]:
    """Yield one hit a credential that the policy does not allow; raises HoardError when the scan takes too long."""
    from hoard_git.core.secrets import fingerprint, mask

    policy = scene.policy
    allowed = {item.fingerprint for item in policy.allowed}
    for match in _matches(file, scene):
        if match.certain is not certain:
            continue
        mark = fingerprint(match.value, policy.salt) if policy.salt else ""
        if mark and mark in allowed:
            continue
        what = match.what if certain else f"perhaps a secret ({match.what})"
        other = (
            f"if it is none, allow {mark} under secrets: in .hoard.yaml"
            if mark
            else "a salt under secrets: in .hoard.yaml makes values allowable"
        )
        yield Hit(f"{what}: {mask(match.value)}", match.line, match.column, f"{_HELP}; {other}", end_line=match.end_line)


def find_name_hits(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield a hit when the path itself, new in this change, holds a token of a known shape."""
    if scene.change and file.path in scene.before:
        return
    from hoard_git.core.secrets import find_secrets, fingerprint, mask

    policy = scene.policy
    allowed = {item.fingerprint for item in policy.allowed}
    for match in find_secrets(file.path.split("/")):
        spoken = match.rule.startswith(("labelled", "login"))
        if match.certain and not spoken and not (policy.salt and fingerprint(match.value, policy.salt) in allowed):
            yield Hit(f"the name of the file is a secret, {match.what}: {mask(match.value)}", 0, 0, f"{_HELP}, and rename the file")


def _matches(file: FileView, scene: Scene) -> list[Match]:
    """Scan a file once for each scene."""
    global _scene
    if _scene is not scene:
        _scans.clear()
        _scene = scene
    key = (id(file.document), file.path)
    if key not in _scans:
        from hoard_git.core.secrets import BUILTIN, find_secrets

        rules = scene.rules.rules.for_path(file.path) if scene.rules is not None else BUILTIN
        matches = find_secrets(file.document.lines, wanted=file.touched, rules=rules, clock=scene.clock, budget=_SECONDS)  # type: ignore[arg-type]
        if scene.found.get(file.path):
            matches = _join(matches, scene.found[file.path], file, scene)
        _scans[key] = matches
    return _scans[key]


def _join(matches: list[Match], others: Sequence[Match], file: FileView, scene: Scene) -> list[Match]:
    """Add what another engine found: not where a certain match is already, instead of a possible one, and not what the workspace's rules excuse."""
    certain = [match for match in matches if match.certain]
    fresh: list[Match] = []
    for other in others:
        if not any(_overlap(other, match) for match in [*certain, *fresh]) and not _excused(other, file, scene):
            fresh.append(other)
    kept = [match for match in matches if match.certain or not any(_overlap(match, other) for other in fresh)]
    return sorted([*kept, *fresh], key=lambda match: (match.line, match.column, match.end_line, match.end_column))


def _overlap(one: Match, other: Match) -> bool:
    return (one.line, one.column) < (other.end_line, other.end_column) and (other.line, other.column) < (one.end_line, one.end_column)


def _excused(match: Match, file: FileView, scene: Scene) -> bool:
    """Whether the workspace's `.gitleaks.toml` switches the rule off, leaves the file out or allows the value."""
    if scene.rules is None:
        return False
    from hoard_git.core.secrets.gitleaks import ALIASES, allowed
    from hoard_git.core.secrets.vendors import compiled

    rules = scene.rules.rules
    names = (match.rule, *ALIASES.get(match.rule, ()))
    left_out = any(
        not only and name in ("", *names) and compiled(pattern).search(file.path) is not None for name, pattern, only in rules.by_path
    )
    line = "".join(file.document.lines[match.line - 1 : match.line])  # another engine counts the lines of a packed file
    return left_out or any(name in rules.disabled or allowed(name, match.value, line, rules) for name in names)
