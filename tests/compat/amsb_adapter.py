"""A workspace behind the gate, as the Agent Memory Security Benchmark of agent-memory-guard drives a memory: `remember` commits, `recall` reads."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent_memory_guard.bench import MemorySystemAdapter, RememberOutcome

from tests.support.environment import AGENT, identity
from tests.support.repo import Repo, Workspace, run_hoard

TODAY = "2026-06-15"
_MOMENT = f"{TODAY}T12:00:00Z"

SOURCES: Mapping[str, str] = {"external_tool": "tool", "user_input": "agent", "agent_authored": "agent", "system": "agent"}
"""What a write says about its origin, as a tag. The writer is an agent, so what a user told it is the agent's own note and no `src:user`."""

STRICT: Mapping[str, str] = dict.fromkeys(SOURCES, "tool")
"""Everything as if a tool had said it: for what the gate does to harmless text that nobody vouches for."""


class HoardMemory(MemorySystemAdapter):
    """One repository with the hooks of `hoard hooks install`; each write is one commit by the agent.

    A value of one line is an entry of MEMORY.md, `- key: value`, as `hoard add` writes one; a longer one is a block under the key's name.
    """

    name = "hoard-git"

    def __init__(self, repo: Repo, sources: Mapping[str, str] = SOURCES) -> None:
        self.repo = repo
        self.sources = sources
        self.said: list[str] = []
        """What the hooks printed, for each write."""

    def remember(self, key: str, value: Any, *, source_class: str = "external_tool") -> RememberOutcome:
        """Commit the value; what the gate refuses is taken back from the file, too."""
        tag = f"<!-- src:{self.sources[source_class]} ts:{TODAY} -->"
        fact = f"\n## {key} {tag}\n\n{value}\n" if "\n" in value else f"- {key}: {value} {tag}\n"
        self.repo.write("MEMORY.md", self.repo.read("MEMORY.md") + fact)
        self.repo.git("add", "--", "MEMORY.md")
        dates = {"HOARD_DATE": TODAY, "GIT_AUTHOR_DATE": _MOMENT, "GIT_COMMITTER_DATE": _MOMENT}
        done = self.repo.git("commit", "-q", "-m", "Remember", env={**identity(AGENT), **dates}, check=False)
        self.said.append(done.stderr.decode())
        if done.returncode == 0:
            return RememberOutcome.STORED
        self.repo.git("reset", "-q", "--hard")
        return RememberOutcome.BLOCKED

    def recall(self, key: str) -> str | None:
        """The value in the last commit; None if there is none."""
        text = self.repo.show("HEAD", "MEMORY.md").decode()
        for line in text.split("\n"):
            if line.startswith(f"- {key}: "):
                return line.removeprefix(f"- {key}: ").rpartition(" <!-- ")[0]
        _, found, rest = text.partition(f"\n## {key} <!-- ")
        return rest.partition("\n\n")[2].partition("\n\n## ")[0].removesuffix("\n") if found else None


class Factory:
    """Makes the fresh memory that the suite asks for before each scenario, as a copy of one with its hooks in place; keeps them all."""

    def __init__(self, folder: Path, sources: Mapping[str, str] = SOURCES) -> None:
        self.folder = folder
        self.sources = sources
        self.made: list[HoardMemory] = []
        self._number = itertools.count(1)
        self._template = Workspace.create(folder / "template")
        installed = run_hoard("hooks", "install", cwd=self._template)
        assert installed.returncode == 0, installed.stderr

    def __call__(self) -> HoardMemory:
        memory = HoardMemory(Repo.copy(self._template, self.folder / str(next(self._number))), self.sources)
        self.made.append(memory)
        return memory
