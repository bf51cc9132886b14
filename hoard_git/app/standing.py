"""Answers a rule's questions about the work tree as it stands (lint.scene.Lookup): what is not under judgement is read when it is asked for."""

# ruff: noqa: PTH118 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import contextlib
import os
import time
from functools import partial

from hoard_git.app.removals import Removals
from hoard_git.app.rulesets import rules_of_worktree
from hoard_git.app.views import make_view
from hoard_git.app.windows import budget_here, read_host
from hoard_git.app.workspace import find_memory, list_worktree, read_policies_of_worktree
from hoard_git.core.files import file_default
from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_LINK, Actor, Oid, PathChange, RepoPath
from hoard_git.core.pagenames import LARGEST_PAGE, holds_link
from hoard_git.errors import HoardError
from hoard_git.gitio.worktree import read_file
from hoard_git.lint.scene import FileView, NoLookup, Scene

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.app.workspace import OnDisk
    from hoard_git.core.budget import Budget
    from hoard_git.core.document import Document
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.lint.scene import Gone


class StandingLookup(NoLookup):
    """The work tree, ignored files among it, and the history behind HEAD."""

    def __init__(self, reader: PlumbingReader, paths: Collection[str], memory: Mapping[str, OnDisk], policy: Policy) -> None:
        """`paths` are all that git lists and all memory; `memory` is what this policy governs, under judgement or not."""
        self._root = reader.root()
        self._paths = paths
        self._memory = memory
        self._policy = policy
        head = reader.head()
        self._removals = Removals(reader, [head] if head is not None else [])
        self._linking: list[FileView] | None = None

    def paths(self) -> Collection[str]:
        """See `Lookup.paths`."""
        return self._paths

    def sizes(self, paths: Sequence[str]) -> Mapping[str, int]:
        """See `Lookup.sizes`."""
        return {path: len(data) for path, data in self.texts(paths).items()}

    def texts(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        """See `Lookup.texts`."""
        return {path: data for path in paths if (data := self._read(path)) is not None}

    def has(self, path: str) -> bool:
        """See `Lookup.has`; ignored files count, for an agent that follows a link finds them."""
        return path in self._paths or os.path.lexists(os.path.join(self._root, path))

    def document(self, path: str) -> Document | None:
        """See `Lookup.document`."""
        data = self._read(path)
        return parse(data) if data is not None and len(data) <= LARGEST_PAGE else None

    def linking(self) -> list[FileView]:
        """See `Lookup.linking`."""
        if self._linking is None:
            self._linking = []
            for path, found in self._memory.items():
                data = self._read(path) if found.mode != MODE_LINK and found.file_class != "other" else None
                if data is not None and holds_link(data):
                    default = file_default(path, found.file_class, self._policy)
                    self._linking.append(FileView(path, found.file_class, parse(data), default))
        return self._linking

    def gone(self, path: str) -> Gone | None:
        """See `Lookup.gone`."""
        return self._removals.find(path)

    def _read(self, path: str) -> bytes | None:
        with contextlib.suppress(HoardError):  # a link, a device, a folder: none of them is a page, and other rules report them
            return read_file(self._root, RepoPath(path))
        return None


def standing_scenes(reader: PlumbingReader, only: Sequence[str], days: Callable[[Policy], Days]) -> Iterator[Scene]:
    """Yield one scene for each policy: the memory files that it governs as they stand in the work tree, untracked and ignored ones too.

    `only` limits what is under judgement to files and directories. Without any memory file there is one scene without files.
    """
    root = reader.root()
    listed = list_worktree(reader)
    policies = read_policies_of_worktree(reader, listed)
    everything = find_memory(root, policies)
    found = find_memory(root, policies, only) if only else everything
    known = {*everything, *listed}
    for policy in dict.fromkeys(policies.govern(path) for path in found) or {policies.default: None}:
        mine = {path: it for path, it in found.items() if policies.govern(path) == policy}
        views = []
        for path, it in mine.items():
            data = read_file(root, RepoPath(path)) if it.mode != MODE_LINK else None
            if data is not None:
                views.append(make_view(path, it.file_class, policy, parse(data), it.mode))
        day = days(policy)
        beside = {path: it for path, it in everything.items() if policies.govern(path) == policy}
        yield Scene(
            policy,
            Actor("agent"),
            day.today,
            day.latest,
            change=False,
            files=tuple(views),
            paths=tuple(PathChange(RepoPath(path), 0, Oid(""), it.mode, Oid("")) for path, it in mine.items()),
            lookup=StandingLookup(reader, known, beside, policy),
            clock=time.monotonic,
            rules=rules_of_worktree(policy.prefix, partial(read_file, root)),
            budget=_host_budget(root, policy),
        )


def _host_budget(root: str, policy: Policy) -> Budget | None:
    """The budget by the host's own configuration beside a workspace, None when there is none; with several roots the policy's counts."""
    top = policy.prefix if not policy.roots else f"{policy.prefix}{policy.roots[0]}/" if len(policy.roots) == 1 else None
    try:
        host = read_host(root, top) if top is not None else None
    except HoardError:  # the policy's numbers judge then, and hoard doctor says what is wrong with the file
        return None
    return None if host is None else budget_here(policy, host)
