"""Which workspaces a repository holds, and which one a directory is in: a repository may hold one for each agent."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.policies import Policies


def find_spaces(policies: Policies) -> list[str]:
    """The directories of all workspaces, '' or ending in '/', the deepest first."""
    found = set()
    for prefix, policy in policies.by_prefix or (("", policies.default),):
        for root in policy.roots or ("",):
            found.add(prefix + (root + "/" if root not in ("", ".") else ""))
    return sorted(found, key=lambda space: (-len(space), space))


def space_of(path: str, spaces: list[str]) -> str | None:
    """The workspace that a path lies in, None when there is none."""
    return next((space for space in spaces if path.startswith(space)), None)


def choose_space(policies: Policies, directory: str) -> str | None:
    """The workspace around a directory of the repository, else the only one there is; None when there are several to choose from."""
    spaces = find_spaces(policies)
    around = space_of(directory + "/" if directory else "", spaces)
    if around is not None:
        return around
    return spaces[0] if len(spaces) == 1 else None
