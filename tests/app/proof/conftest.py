"""A workspace whose policy asks for signatures, and a home for gpg."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.signed import Signed
from tests.support.signing import (
    SshKey,
)


@pytest.fixture(scope="session")
def short_home() -> Iterator[Path]:
    """A folder with a short name: gpg-agent's socket has to fit into 108 bytes."""
    path = Path(tempfile.mkdtemp(prefix="g"))
    yield path
    for home in path.iterdir():
        subprocess.run(["gpgconf", "--homedir", str(home), "--kill", "all"], check=False, capture_output=True, timeout=60)
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def repo(tmp_path: Path, ada: SshKey, bot: SshKey) -> Signed:
    return Signed.introduce(tmp_path / "signed", ada, bot)
