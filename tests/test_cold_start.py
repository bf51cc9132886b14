"""What a start of each program loads. Counted in modules, not milliseconds: the answer is the same on a busy machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.environment import ROOT

# Measured on Python 3.11, each on its own, where a bare interpreter starts in 8 ms: pygit2 70 ms, click 26, ruamel.yaml 21,
# dataclasses 14, unidiff 10, typing 3.5. A commit that touches memory pays it three times.
_KEPT_OFF_THE_HOT_PATH = (
    "pygit2",
    "click",
    "ruamel",
    "unidiff",
    "subprocess",
    "typing",
    "dataclasses",
    "datetime",
    "pathlib",
    "logging",
    "argparse",
    "importlib.metadata",
    "sqlite3",
    "tomllib",
    "inspect",
    "socket",
    "ssl",
)

_KEPT_OFF_THE_COMMAND_LINE = (
    "pygit2",
    "ruamel",
    "unidiff",
    "jinja2",
    "cryptography",
    "mcp",
    "numpy",
    "sqlite3",
    "tomllib",
    "subprocess",
    "importlib.metadata",
    "asyncio",
    "socket",
    "ssl",
)


def _loaded(module: str, *, options: tuple[str, ...], then: str = "") -> set[str]:
    """The modules that importing `module` in a fresh interpreter, and the statement `then`, leave behind."""
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {module}; {then}\nprint('', *sorted(sys.modules), file=sys.stderr)"
    result = subprocess.run([sys.executable, *options, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 0, f"importing {module} failed:\n{result.stderr}"
    return set(result.stderr.split())


def test_the_hook_starts_with_cheap_modules_only() -> None:
    # -S leaves site-packages out altogether: an import of a third-party package fails here instead of slipping through.
    loaded = _loaded("hoard_git.cli.hook", options=("-I", "-S"))
    assert [name for name in _KEPT_OFF_THE_HOT_PATH if name in loaded] == []


def test_the_command_line_starts_without_what_a_help_text_does_not_need() -> None:
    # site-packages may hold .pth files that import things themselves, so those are subtracted.
    bare = _loaded("click", options=("-I",))
    loaded = _loaded("hoard_git.cli.main", options=("-I",))
    assert [name for name in _KEPT_OFF_THE_COMMAND_LINE if name in loaded - bare] == []


@pytest.mark.parametrize("words", [["--help"], ["--version"], [], ["chek"], ["--no-such-option"]], ids=" ".join)
def test_help_version_and_slips_of_the_fingers_load_nothing_heavy(
    words: list[str], hermetic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hermetic)  # no repository: `hoard` alone shows the help
    bare = _loaded("click", options=("-I",))
    loaded = _loaded("hoard_git.cli.main", options=("-I",), then=f"hoard_git.cli.main.main({words!r})")
    assert "hoard_git.cli.main" in loaded
    assert [name for name in _KEPT_OFF_THE_COMMAND_LINE if name in loaded - bare] == []


def test_the_version_needs_no_package_metadata() -> None:
    assert "importlib.metadata" not in _loaded("hoard_git", options=("-I", "-S"))
