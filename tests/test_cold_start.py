"""What a start of each program loads. Counted in modules, not milliseconds: the answer is the same on a busy machine."""

from __future__ import annotations

import subprocess
import sys

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

_KEPT_OFF_THE_COMMAND_LINE = ("pygit2", "ruamel", "unidiff", "sqlite3", "importlib.metadata", "ssl")


def _loaded(module: str, *, options: tuple[str, ...]) -> set[str]:
    """The modules that importing `module` in a fresh interpreter leaves behind."""
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import {module}; print(*sorted(sys.modules))"
    result = subprocess.run([sys.executable, *options, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert result.returncode == 0, f"importing {module} failed:\n{result.stderr}"
    return set(result.stdout.split())


def test_the_hook_starts_with_cheap_modules_only() -> None:
    # -S leaves site-packages out altogether: an import of a third-party package fails here instead of slipping through.
    loaded = _loaded("hoard_git.cli.hook", options=("-I", "-S"))
    assert [name for name in _KEPT_OFF_THE_HOT_PATH if name in loaded] == []


def test_the_command_line_starts_without_what_a_help_text_does_not_need() -> None:
    # site-packages may hold .pth files that import things themselves, so those are subtracted.
    bare = _loaded("click", options=("-I",))
    loaded = _loaded("hoard_git.cli.main", options=("-I",))
    assert [name for name in _KEPT_OFF_THE_COMMAND_LINE if name in loaded - bare] == []


def test_the_version_needs_no_package_metadata() -> None:
    assert "importlib.metadata" not in _loaded("hoard_git", options=("-I", "-S"))
