"""A sealed environment for everything that touches git: no configuration, identity, clock or agent variable of the machine reaches it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gitio.shapes import Shape, build


@pytest.fixture(autouse=True)
def sealed(hermetic: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Fix dates and identity on top of the suite's own sealed environment (fresh HOME, no system config, other GIT_* dropped)."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ada Example")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")
        monkeypatch.setenv(f"GIT_{who}_DATE", "@1780000000 +0200")
    return hermetic


@pytest.fixture(scope="session")
def built(sealed_session: None) -> dict[str, Shape]:
    """The shapes that this run has made so far."""
    return {}


@pytest.fixture
def shape(request: pytest.FixtureRequest, built: dict[str, Shape], tmp_path_factory: pytest.TempPathFactory) -> Shape:
    """The repository shape that a test is parametrised with. Tests share it, so they leave HEAD, index and files as they found them."""
    name: str = request.param
    if name not in built:
        built[name] = build(name, tmp_path_factory.mktemp("shapes"))
    return built[name]
