from __future__ import annotations

import subprocess
import sys

from hoard_git.lint import index
from tests.support.environment import ROOT


def test_the_program_prints_the_table() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "hoard_git.lint.index"], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == index.build()
