"""The steps of a scripted attack: commits, scripts, pushes, and what becomes of each path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.support.environment import AGENT


@dataclass(frozen=True, slots=True)
class Append:
    """Text at the end of a file; a file that is not there begins with it."""

    text: str | bytes


@dataclass(frozen=True, slots=True)
class Swap:
    """Replaces one text of a file, which must stand there exactly once."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link."""

    target: str


@dataclass(frozen=True, slots=True)
class Gitlink:
    """A submodule entry; the commit that it names need not exist."""

    oid: str = "1" * 40


@dataclass(frozen=True, slots=True)
class IndexOnly:
    """A file that is staged and not in the work tree: for names that not every file system can tell apart."""

    text: str


Content = str | bytes | Append | Swap | tuple[Swap, ...] | Link | Gitlink | IndexOnly | None
"""What becomes of a path: new content, an edit, or None for its removal."""


@dataclass(frozen=True, slots=True)
class Step:
    """One commit: what becomes of which paths, by whom. `beside` is written into the repository and never staged.

    `sign` names the key of `lanes.KEYS` that signs where signatures count; '' is the author's own, `none` leaves the commit unsigned.
    """

    files: Mapping[str, Content]
    author: str = AGENT
    env: Mapping[str, str] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)
    message: str = "Note what was learned"
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """A shell script in the work tree, with `author` as its identity: merges, rebases, plumbing. `sign`: see `Step`; '' leaves it unsigned."""

    script: str
    author: str = AGENT
    env: Mapping[str, str] = field(default_factory=dict)
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Push:
    """What is pushed to the server instead of the commits on main, as arguments of `git push`."""

    refs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Harmless:
    """That many harmless commits by the agent, written with `git fast-import`: no hook sees them. `first` numbers the first one."""

    count: int
    first: int = 1


Steps = tuple[Step | Harmless | Run | Push, ...]


def note(text: str | bytes, *, author: str = AGENT) -> Steps:
    """One commit that appends to MEMORY.md, below the agent's heading."""
    return (Step({"MEMORY.md": Append(text)}, author),)


def page(text: str | bytes, *, path: str = "memory/plans.md", author: str = AGENT) -> Steps:
    """One commit that writes a whole file."""
    return (Step({path: text}, author),)


def swap(old: str, new: str, *, path: str = "MEMORY.md", author: str = AGENT) -> Steps:
    """One commit that replaces one text of a file."""
    return (Step({path: Swap(old, new)}, author),)
