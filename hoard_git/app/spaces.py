"""Which workspaces a repository holds, and which one a directory is in: a repository may hold one for each agent."""

from __future__ import annotations

from hoard_git.core.files import roots_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.app.policies import Policies


def find_spaces(policies: Policies) -> list[str]:
    """The directories of all workspaces, '' or ending in '/', the deepest first."""
    found = set()
    for prefix, policy in policies.by_prefix or (("", policies.default),):
        found.update(roots_of(policy._replace(prefix=prefix)))
    return sorted(found, key=lambda space: (-len(space), space))


def space_of(path: str, spaces: list[str]) -> str | None:
    """The workspace that a path lies in, None when there is none."""
    return next((space for space in spaces if path.startswith(space)), None)


def choose_space(policies: Policies, directory: str) -> str | None:
    """The workspace around a directory of the repository, else the only one there is; None when there are several to choose from."""
    return choose_among(find_spaces(policies), directory)


def choose_among(spaces: Sequence[str], directory: str) -> str | None:
    """The same among these workspaces, in any order."""
    around = space_of(directory + "/" if directory else "", sorted(spaces, key=len, reverse=True))
    if around is not None:
        return around
    return spaces[0] if len(spaces) == 1 else None
