"""The architecture as pyproject.toml states it holds, and the contracts that state it can fail."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.environment import ROOT

_LINT_IMPORTS = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(cache_dir=None))"


def _lint_imports(root: Path) -> subprocess.CompletedProcess[str]:
    """Check the package that stands in `root` against the contracts in its pyproject.toml."""
    return subprocess.run(
        [sys.executable, "-c", _LINT_IMPORTS],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_imports_point_down_only() -> None:
    result = _lint_imports(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "0 broken" in result.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("hoard_git/core/intruder.py", "import hoard_git.gitio", "imports point down only"),
        ("hoard_git/lint/intruder.py", "import hoard_git.gitio", "imports point down only"),
        ("hoard_git/gitio/intruder.py", "import hoard_git.lint", "imports point down only"),
        ("hoard_git/errors.py", "import hoard_git.core", "imports point down only"),
        ("hoard_git/elsewhere.py", "", "imports point down only"),
        ("hoard_git/core/intruder.py", "def late():\n    import subprocess", "core and lint are pure"),
        ("hoard_git/app/intruder.py", "import pygit2", "pygit2 stays in gitio"),
        ("hoard_git/gitio/intruder.py", "import click", "click stays in cli"),
    ],
)
def test_a_contract_breaks_when_the_house_is_violated(tmp_path: Path, module: str, line: str, contract: str) -> None:
    # Only the skeleton is copied: the contracts must break because of this line and nothing else.
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for folder in ("", "cli", "app", "gitio", "lint", "core"):
        (tmp_path / "hoard_git" / folder).mkdir(parents=True)
        (tmp_path / "hoard_git" / folder / "__init__.py").touch()
    (tmp_path / "hoard_git/errors.py").touch()
    (tmp_path / "hoard_git/__main__.py").touch()
    clean = _lint_imports(tmp_path)
    assert clean.returncode == 0, clean.stdout + clean.stderr
    (tmp_path / module).write_text(line + "\n", encoding="utf-8")
    broken = _lint_imports(tmp_path)
    assert broken.returncode != 0
    assert f"{contract} BROKEN" in broken.stdout, broken.stdout
