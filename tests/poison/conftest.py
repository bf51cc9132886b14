"""One bench for the tests of a worker; what one worker has measured, the others read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.poison.bench import Bench
from tests.poison.lanes import FullBench


@pytest.fixture(scope="session")
def bench(sealed_session: None, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    base = tmp_path_factory.getbasetemp()
    # A worker's base lies in the folder that all workers of a run share.
    shared: Path = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    results = shared / "poison-results"
    results.mkdir(exist_ok=True)
    return FullBench(tmp_path_factory.mktemp("poison"), results)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave the page to the end: by then the other tests have measured nearly all that it needs."""
    items.sort(key=lambda item: item.name.startswith("test_the_page_"))
