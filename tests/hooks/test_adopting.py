"""A MEMORY.md that is longer than the host loads is adopted as the pages say: init, tag, commit."""

from __future__ import annotations

from tests.support.environment import HUMAN
from tests.support.repo import Repo, run_hoard


def test_a_long_untagged_memory_is_tagged_and_committed(repo: Repo) -> None:
    sections = [
        f"## Part {n}\n\n- Fact {n}.{k} about a service that runs on a node\n- Another {n}.{k}\n\n| a | b |\n|---|---|\n| {n} | {k} |\n"
        for n in range(60)
        for k in range(4)
    ]
    repo.commit("Old memory\n", {"MEMORY.md": "# Memory\n\n" + "\n".join(sections)}, author=HUMAN)
    assert len(repo.read("MEMORY.md")) > 20_000
    assert run_hoard("init", "--human", HUMAN, cwd=repo).returncode == 0
    assert run_hoard("tag", cwd=repo).returncode == 0
    assert repo.line("diff", "--stat") != ""
    done = repo.git("commit", "-qam", "Tags", check=False)
    assert (done.returncode, done.stdout) == (0, b"")
    assert repo.line("status", "--short") == ""
