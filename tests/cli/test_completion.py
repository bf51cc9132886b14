"""Completion as the shells ask for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.repo import Workspace, run, run_hoard


def ask(at: Workspace, words: str, number: int) -> list[str]:
    """What bash would be offered for word `number` of a command line."""
    env = {"_HOARD_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(number)}
    done = run_hoard(cwd=at, env=env)
    assert done.stderr == b""
    return done.stdout.decode().split()


def test_commands_and_options(workspace: Workspace) -> None:
    assert ask(workspace, "hoard re", 1) == ["plain,restore", "plain,report"]
    assert "plain,--dry-run" in ask(workspace, "hoard consolidate --d", 2)
    assert "plain,--no-color" in ask(workspace, "hoard --no", 1)
    assert ask(workspace, "hoard add x --src ", 4) == [f"plain,{src}" for src in ("user", "agent", "tool", "web", "dig")]


def test_a_command_is_completed_without_importing_the_others(workspace: Workspace) -> None:
    program = (
        "import os, sys; os.environ.update(_HOARD_COMPLETE='bash_complete', COMP_WORDS='hoard lo', COMP_CWORD='1'); "
        "from hoard_git.cli.main import main; status = main(); "
        "print(status, [name for name in sys.modules if name.startswith('hoard_git.cli.commands.')], file=sys.stderr)"
    )
    done = run([sys.executable, "-c", program], cwd=workspace)
    assert (done.stdout, done.stderr) == (b"plain,log\n", b"0 []\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_one_that_the_shell_can_read(workspace: Workspace, tmp_path: Path, shell: str) -> None:
    done = run_hoard("--quiet", "completion", shell, cwd=workspace)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"_HOARD_COMPLETE" in done.stdout
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = tmp_path / "script"
    script.write_bytes(done.stdout)
    assert subprocess.run([shell, "-n", script], capture_output=True, check=False).returncode == 0


def test_bash_completes_for_real(workspace: Workspace, programs: Path) -> None:
    script = run_hoard("--quiet", "completion", "bash", cwd=workspace).stdout.decode()
    ask_bash = f"{script}\nCOMP_WORDS=(hoard cons); COMP_CWORD=1; _hoard_completion hoard; echo ${{COMPREPLY[@]}}"
    done = run(["bash", "-c", f"PATH={programs}:$PATH\n{ask_bash}"], cwd=workspace)
    assert done.stdout.decode().split() == ["consolidate"]


@pytest.mark.parametrize(
    ("shell", "asks"),
    [
        ("bash", "source ~/.local/share/bash-completion/completions/hoard; complete -p hoard"),
        ("zsh", "print $_comps[hoard]"),
        ("fish", "complete -C 'hoard cons'"),
    ],
)
def test_what_is_said_about_keeping_it_works_in_an_empty_home(tmp_path: Path, programs: Path, shell: str, asks: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    home = tmp_path / "home"
    home.mkdir()
    _first, *said = run_hoard("completion", shell, cwd=tmp_path).stderr.decode().splitlines()
    path = f"{programs}:{os.environ['PATH']}"
    env = {"HOME": str(home), "PATH": path, "XDG_CONFIG_HOME": str(home / ".config")}
    assert run(["bash", "-c", "\n".join(said[:2])], cwd=tmp_path, env=env).returncode == 0
    if shell == "zsh":
        (home / ".zshrc").write_text(said[2].partition("~/.zshrc: ")[2] + "\n", encoding="utf-8")
    done = run([shell, "-i", "-c", asks] if shell == "zsh" else [shell, "-c", asks], cwd=tmp_path, env=env)
    assert {"bash": "_hoard_completion", "zsh": "_hoard", "fish": "consolidate"}[shell] in done.stdout.decode()


def test_another_shell_is_refused(workspace: Workspace) -> None:
    done = run_hoard("completion", "csh", cwd=workspace)
    assert done.returncode == 2
    assert b"'csh' is not one of 'bash', 'zsh', 'fish'" in done.stderr
