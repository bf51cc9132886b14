"""What a history command costs once the index is there: counted in processes and modules, so that the answer is the same on a busy machine."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.app.history_repos import AGENT, block, memory
from tests.support.environment import ROOT
from tests.support.repo import Workspace, run, run_hoard

TEXT = block("Deploys", "The deploy job runs at noon every weekday.", name="depl01")

# Measured on Python 3.11 where a bare interpreter starts in 8.5 ms and click loads in 18: pygit2 70 ms, ruamel.yaml 21, unidiff 10,
# subprocess 6, logging 5, pathlib 5, json 2. What builds the index and judges trailers is 6 ms of our own.
_NOT_FOR_A_QUESTION = (
    *(
        "pygit2",
        "ruamel",
        "unidiff",
        "subprocess",
        "logging",
        "pathlib",
        "json",
        "argparse",
        "tomllib",
        "importlib.metadata",
        "socket",
        "ssl",
    ),
    *(
        "hoard_git.gitio.blockindex_build",
        "hoard_git.gitio.blockindex_update",
        "hoard_git.gitio.blockindex_log",
        "hoard_git.gitio.blockindex_stream",
    ),
    *("hoard_git.gitio.blockindex_memory", "hoard_git.gitio.libgit", "hoard_git.gitio.writer"),
    *("hoard_git.core.lineage", "hoard_git.core.weaving", "hoard_git.core.pairing", "hoard_git.core.trailercheck"),
    *("hoard_git.app.gate", "hoard_git.app.restore", "hoard_git.lint.engine"),
)
_NOT_FOR_THE_LOG = ("hoard_git.core.markdown", "hoard_git.core.blocks", "hoard_git.core.linediff", "hoard_git.core.attribution")
_WITH_VALUE = ("-c", "-C")
_NOT_FOR_HELP = (
    "sqlite3",
    "hashlib",
    "hoard_git.gitio.plumbing",
    "hoard_git.gitio.process",
    "hoard_git.core.policy",
    "hoard_git.core.tags",
)


@pytest.fixture
def grown(workspace: Workspace) -> Workspace:
    """Some history, an index of it, and everything noted that a first question notes."""
    workspace.commit("Add deploys\n", {"memory/d.md": memory(TEXT)}, author=AGENT)
    workspace.commit("Later\n", {"memory/d.md": memory(TEXT.replace("noon", "dusk"))}, author=AGENT)
    for question in (["log"], ["blame", "memory/d.md"]):
        assert run_hoard(*question, cwd=workspace).returncode == 0
    return workspace


def _processes(workspace: Workspace, trace: Path, *args: str) -> list[str]:
    """The git commands that a command starts."""
    trace.write_text("")
    result = run_hoard(*args, cwd=workspace, env={"GIT_TRACE2_EVENT": str(trace)})
    assert result.returncode == 0, result.stderr
    assert result.stdout
    starts = [json.loads(line)["argv"][1:] for line in trace.read_text().splitlines() if '"event":"start"' in line]
    return [
        next(word for before, word in zip(["git", *argv], argv, strict=False) if word[0] != "-" and before not in _WITH_VALUE)
        for argv in starts
    ]


def _modules(workspace: Workspace, *args: str) -> set[str]:
    """The modules that a command leaves behind beyond those of click itself, which tools that watch a test run may add to."""
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import click; before = set(sys.modules)"
    program += "; from hoard_git.cli.main import main; status = main(sys.argv[1:])"
    program += "; print(*sorted(set(sys.modules) - before), file=sys.stderr); sys.exit(status)"
    result = run([sys.executable, "-I", "-c", program, *args], cwd=workspace)
    assert result.returncode == 0, result.stderr
    return set(result.stderr.decode().split())


@pytest.mark.parametrize(
    ("args", "most"),
    [
        (["log"], []),
        (["log", "depl01"], []),
        (["log", "memory/d.md", "--json"], []),
        (["log", "--text", "weekday"], []),
        (["why", "depl01"], []),
        (["blame", "memory/d.md"], []),
        (["blame", "memory/d.md", "--at", "HEAD"], []),
        (["show", "depl01"], ["ls-tree"]),
        (["show", "memory/d.md#deploys"], ["ls-tree"]),
        (["log", "depl01", "--at", "HEAD~1"], ["rev-parse"]),
        (["blame", "memory/d.md", "--at", "HEAD~1"], ["rev-parse", "cat-file"]),
    ],
    ids=" ".join,
)
def test_git_is_started_for_what_only_git_knows(grown: Workspace, tmp_path: Path, args: list[str], most: list[str]) -> None:
    _processes(grown, tmp_path / "trace", *args)  # what this question notes for the next time, an older tip among it
    assert Counter(_processes(grown, tmp_path / "trace", *args)) <= Counter(most)


def test_a_blame_of_a_changed_file_asks_git_what_changed(grown: Workspace, tmp_path: Path) -> None:
    grown.write("memory/d.md", memory(TEXT) + "- More.\n")
    assert sorted(_processes(grown, tmp_path / "trace", "blame", "memory/d.md")) == ["cat-file", "diff", "rev-parse"]


def test_a_new_commit_is_asked_about_once(grown: Workspace, tmp_path: Path) -> None:
    grown.commit("More\n", {"memory/e.md": memory(block("Else", "Something else.", name="else01"))}, author=AGENT)
    assert "log" in _processes(grown, tmp_path / "trace", "log")
    assert _processes(grown, tmp_path / "trace", "log") == []


@pytest.mark.parametrize("args", [["log"], ["log", "depl01"], ["why", "depl01"], ["show", "depl01"]], ids=" ".join)
def test_a_question_loads_what_answers_it(grown: Workspace, args: list[str]) -> None:
    loaded = _modules(grown, *args)
    assert [name for name in _NOT_FOR_A_QUESTION if name in loaded] == []
    if args[0] == "log":
        assert [name for name in _NOT_FOR_THE_LOG if name in loaded] == []


def test_a_blame_loads_no_more_than_parsing_takes(grown: Workspace) -> None:
    loaded = _modules(grown, "blame", "memory/d.md")
    assert [name for name in _NOT_FOR_A_QUESTION if name in loaded] == []


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_help_and_version_load_neither_git_nor_the_index(grown: Workspace, option: str) -> None:
    loaded = _modules(grown, option)
    assert [name for name in _NOT_FOR_HELP if name in loaded] == []


def test_reading_leaves_nothing_beside_the_index(grown: Workspace) -> None:
    run_hoard("log", "depl01", cwd=grown)
    assert sorted(path.name for path in (grown.path / ".git/hoard").iterdir() if path.name.startswith("index")) == ["index.sqlite"]
