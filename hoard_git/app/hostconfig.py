"""The host's own configuration beside a workspace, read and never written: what OpenClaw loads, prunes and calls the agent."""

# ruff: noqa: PTH118, PTH120 -- directories come as text from git, and stay so

from __future__ import annotations

import os
import stat

from hoard_git.core.budget import CHARS, DEFAULT_PROFILE, PROFILES, Limit
from hoard_git.core.json5 import Json5Error, parse_json5
from hoard_git.core.record import Record
from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hoard_git.core.budget import Budget

NAME = "openclaw.json"
_ABOVE = 3
"""Directories above the workspace that are looked at: the usual places are one (`workspace`) and three (`agents/ID/workspace` of a home)."""
_LARGEST = 4 << 20
_MOST_DIGITS = 1_000_000_000
_SINCE = (("openclaw-2026.9", (2026, 8, 1)), ("openclaw-2026.8", (2026, 6, 0)), ("openclaw-2026.4", (2026, 4, 26)))
"""The first release with each profile's rule; before them all is openclaw-2026.2."""
RATCHET = (2026, 9, 0)
"""From here on OpenClaw may leave out a bootstrap file that was edited behind its back (openclaw#153426)."""

_FIELDS = ("bootstrapMaxChars", "bootstrapTotalMaxChars")


class HostConfig(Record):
    """What a configuration says about one workspace.

    `path` is the file, `agent` the id of the agent whose workspace this is, '' when the defaults hold. `version` wrote the file last, '' when it does not
    say. `file` and `total` are its numbers, None where the host's defaults hold. `pruning` is the mode of context pruning, '' where none is set. `identity`
    holds the agent's fields as they are. `notes` say what could not be understood.
    """

    path: str
    agent: str = ""
    version: tuple[int, ...] = ()
    file: int | None = None
    total: int | None = None
    pruning: str = ""
    injection: str = ""
    identity: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    def budget(self, policys: Budget) -> Budget:
        """The budget by this file: its numbers on the rule of its version; where it says neither, the policy's own budget."""
        profile = self.profile
        if not profile and self.file is None and self.total is None:
            return policys
        base = PROFILES[profile] if profile else policys if policys.name.startswith("openclaw") else PROFILES[DEFAULT_PROFILE]
        file = Limit(self.file, CHARS) if self.file is not None else base.file
        total = Limit(self.total, CHARS) if self.total is not None else base.total
        said = (self.file, self.total) != (None, None)
        return base._replace(name=NAME if said else f"{NAME} ({base.name})", file=file, total=total, own=policys.own)

    @property
    def profile(self) -> str:
        """The profile of the version that wrote the file, '' without one."""
        if not self.version:
            return ""
        return next((name for name, first in _SINCE if self.version >= first), "openclaw-2026.2")


def find_host_config(workspace: str, home: str) -> HostConfig | None:
    """Read `openclaw.json` in the workspace's directory or up to three above it, the nearest one; None when there is none.

    `home` is what `~` stands for in it. Raises HoardError when the file is there and cannot be read; no message repeats its text.
    """
    here = os.path.realpath(workspace)
    for _ in range(_ABOVE + 1):
        path = os.path.join(here, NAME)
        if os.path.lexists(path):
            return _read(path, os.path.realpath(workspace), home)
        if os.path.dirname(here) == here:
            break
        here = os.path.dirname(here)
    return None


def _read(path: str, workspace: str, home: str) -> HostConfig:
    again = f"mend it (openclaw config validate), then: hoard doctor        look at it: ls -l {shell_word(path)}"
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a FIFO must not be waited for
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise HoardError(f"{path!r} is no regular file.", f"ls -l {shell_word(path)}")
            raw = file.read(_LARGEST + 1)
    except OSError as error:
        raise HoardError(f"{path!r} cannot be read: {error.strerror}.", f"ls -l {shell_word(path)}") from None
    if len(raw) > _LARGEST:
        raise HoardError(f"{path!r} is larger than {_LARGEST >> 20} MiB, which no configuration is.", f"ls -l {shell_word(path)}")
    try:
        data = parse_json5(raw.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise HoardError(f"{path!r} is not UTF-8.", again) from None
    except Json5Error as error:
        raise HoardError(f"{path!r} cannot be read as JSON5: line {error.line}: {error.what}.", again) from None
    if not isinstance(data, dict):
        raise HoardError(f"{path!r} holds no mapping.", again)
    return _understand(path, data, workspace, home)


def _understand(path: str, data: dict[str, Any], workspace: str, home: str) -> HostConfig:
    notes = []
    agents = _map(data.get("agents"))
    defaults = _map(agents.get("defaults")) or _map(data.get("agent"))
    if any("$include" in part for part in (data, agents, defaults)):
        notes.append("it includes other files, which are not read here")
    name, own = _find_agent(agents, defaults, workspace, home)
    if "$include" in own:
        notes.append("the agent's entry includes another file, which is not read here")
    numbers: list[int | None] = []
    for field in _FIELDS:
        value = own.get(field, defaults.get(field))
        good = isinstance(value, int | float) and not isinstance(value, bool) and 1 <= value < _MOST_DIGITS
        if value is not None and not good:
            notes.append(f"{field} is no positive number, so OpenClaw takes its own default")
        numbers.append(int(value) if good and value is not None else None)
    pruning = _map(own.get("contextPruning")) or _map(defaults.get("contextPruning"))
    identity = _map(own.get("identity")) or _map(data.get("identity"))
    fields = tuple((key, value) for key in ("name", "emoji", "theme") if isinstance(value := identity.get(key), str) and value.strip())
    injection = own.get("contextInjection", defaults.get("contextInjection"))
    return HostConfig(
        path, name, _version(data), numbers[0], numbers[1], _word(pruning.get("mode")), _word(injection), fields, tuple(notes)
    )


def _find_agent(agents: dict[str, Any], defaults: dict[str, Any], workspace: str, home: str) -> tuple[str, dict[str, Any]]:
    """The id and the settings of the agent whose workspace this is; the only one, or the one by default, when none says where it works."""
    entries = [(_word(one.get("id")), one) for one in map(_map, _list(agents.get("list")))]
    entries += [(_word(key), _map(one)) for key, one in _map(agents.get("entries")).items()]
    for name, one in entries:
        if _is_place(one.get("workspace"), workspace, home):
            return name, one
    free = [(name, one) for name, one in entries if not isinstance(one.get("workspace"), str)]
    elsewhere = isinstance(defaults.get("workspace"), str) and not _is_place(defaults["workspace"], workspace, home)
    if elsewhere or not free:
        return "", {}
    return next(((name, one) for name, one in free if one.get("default") is True), free[0] if len(free) == 1 else ("", {}))


def _is_place(value: Any, workspace: str, home: str) -> bool:
    if not isinstance(value, str) or not value or "\0" in value:
        return False
    path = os.path.join(home, value[2:]) if value.startswith("~/") else value
    return os.path.realpath(path) == workspace


def _version(data: dict[str, Any]) -> tuple[int, ...]:
    """The version that wrote the file, its first three numbers: `2026.8.1-beta.1` is (2026, 8, 1)."""
    text = _map(data.get("meta")).get("lastTouchedVersion")
    parts = text.strip().removeprefix("v").partition("-")[0].split(".") if isinstance(text, str) else []
    good = len(parts) >= 3 and all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts[:3])
    return tuple(int(part) for part in parts[:3]) if good else ()


def _map(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _word(value: Any) -> str:
    """A short word of the configuration that may be shown; '' for anything else."""
    return value if isinstance(value, str) and len(value) <= 40 and all(c.isalnum() or c in "-_." for c in value) else ""
