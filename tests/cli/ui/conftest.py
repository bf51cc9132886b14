"""The pages of a workspace, asked as a browser asks them, without a socket between."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from starlette.testclient import TestClient

from hoard_git.cli.context import Context
from hoard_git.cli.ui.access import Access
from hoard_git.cli.ui.pages import make_pages
from tests.app.consolidating import DAY, OLD
from tests.app.support import as_agent
from tests.cli.ui.visiting import ACCESS, Visitor
from tests.support.repo import POLICY, Repo, Workspace


@pytest.fixture
def visit() -> Iterator[Callable[..., Visitor]]:
    """Gives a browser's view of a repository; `admitted` is whether it has used the printed address."""
    with ExitStack() as stack:

        def start(repo: Repo, *, admitted: bool = True, access: Access = ACCESS) -> Visitor:
            pages = make_pages(Context(str(repo.path), DAY, color=False, quiet=True), access)
            client = stack.enter_context(TestClient(pages, base_url=f"http://127.0.0.1:{access.port}", follow_redirects=False))
            if admitted:
                assert client.get(f"/?token={access.token}").status_code == 200
            return Visitor(client, access)

        yield start


@pytest.fixture
def grown(workspace: Workspace) -> Workspace:
    """A workspace with an expired, a stale and a user's block, in the agent's hands; search looks for words only."""
    workspace.policy(POLICY + "search: {embedder: off}\n")
    workspace.commit("Grow\n", {"MEMORY.md": OLD})
    as_agent(workspace)
    return workspace
