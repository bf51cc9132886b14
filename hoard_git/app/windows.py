"""What a host would load of each workspace of the work tree, by its own configuration where one lies beside it, else by the policy."""

# ruff: noqa: PTH118 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import os

from hoard_git.app.hostconfig import find_host_config
from hoard_git.app.workspace import find_memory
from hoard_git.core.budget import budget_from
from hoard_git.core.files import bootstrap_name, local_path
from hoard_git.core.model import MODE_LINK, RepoPath
from hoard_git.core.record import Record
from hoard_git.core.window import WHOLE, load
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.app.hostconfig import HostConfig
    from hoard_git.app.policies import Policies
    from hoard_git.app.workspace import OnDisk
    from hoard_git.core.budget import Budget
    from hoard_git.core.policy import Policy
    from hoard_git.core.window import Row, Window


class Room(Record):
    """One workspace: its directory ('' or ending in '/'), its policy, the host's configuration if there is one, and what is loaded."""

    top: str
    policy: Policy
    host: HostConfig | None
    window: Window


def read_rooms(root: str, policies: Policies, memory: Mapping[str, OnDisk], contents: Mapping[str, bytes] | None = None) -> list[Room]:
    """Load every workspace that has a file to load; `contents`, by path, count instead of what lies on the disk.

    Raises HoardError for a host's configuration or a file that cannot be read.
    """
    rooms: dict[str, dict[str, tuple[str, bytes]]] = {}
    governing: dict[str, Policy] = {}
    for path, found in memory.items():
        policy = policies.govern(path)
        name = bootstrap_name(path, found.file_class, policy)
        known = contents.get(path) if contents else None
        data = known if known is not None else read_file(root, RepoPath(path)) if name and found.mode != MODE_LINK else None
        if not name or data is None:
            continue
        top = path[: len(path) - len(local_path(path, policy) or path)]
        rooms.setdefault(top, {}).setdefault(name, (path, data))
        governing[top] = policy
    made = []
    for top, files in sorted(rooms.items()):
        host = read_host(root, top)
        budget = budget_here(governing[top], host)
        made.append(Room(top, governing[top], host, load(files, budget)))
    return made


def find_cut(root: str, policies: Policies, contents: Mapping[str, bytes] | None = None) -> dict[str, Row]:
    """The files that a session would not load whole, by path; `contents` and errors as in `read_rooms`."""
    rooms = read_rooms(root, policies, find_memory(root, policies), contents)
    return {row.path: row for room in rooms for row in room.window.rows if row.outcome != WHOLE}


def read_host(root: str, top: str) -> HostConfig | None:
    """The host's configuration beside or above a workspace."""
    return find_host_config(os.path.join(root, top), os.path.expanduser("~"))  # noqa: PTH111 -- what ~ means to the host


def budget_here(policy: Policy, host: HostConfig | None) -> Budget:
    """The budget of a workspace: the host's, where it says anything, else the policy's."""
    budget = budget_from(policy.budgets)
    return budget if host is None else host.budget(budget)
