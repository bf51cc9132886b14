from __future__ import annotations

from hoard_git.app.names import gather_names
from hoard_git.core.policy import ActorRule, Policy
from tests.app.support import reader_of
from tests.support.repo import Repo, Workspace

POLICY = Policy(
    actors=(ActorRule("clawd", "agent", ("clawd@agents.example",)), ActorRule("Robo Cop", "tool", ("robo@agents.example",))),
    personal_names=("Tobias", " Jo  Roe "),
)


def test_names_of_policy_authors_and_pages(workspace: Workspace) -> None:
    workspace.commit(
        "One\n", {"memory/people.md": "# People\n\n- **Marta Lievens**: the vet\n"}, author="Ines Vermeulen <ines@example.org>"
    )
    workspace.commit("Two\n", {"memory/a.md": "x\n"}, author="Clawd Agentson <clawd@agents.example>")
    workspace.commit("Three\n", {"memory/b.md": "x\n"}, author="Robo Cop <other@agents.example>")
    workspace.commit("Four\n", {"memory/c.md": "x\n"}, author="renovate[bot] <bot@example.org>")
    assert gather_names(reader_of(workspace), POLICY, reader_of(workspace).head()) == (
        *("Ada", "Ada Example", "Cop", "Example", "Ines", "Ines Vermeulen", "Jo Roe", "Lievens", "Marta", "Marta Lievens"),
        *("Robo", "Tobias", "Vermeulen"),
    )


def test_without_a_commit_the_policy_s_names_are_all(repo: Repo) -> None:
    assert gather_names(reader_of(repo), POLICY, None) == ("Jo Roe", "Tobias")


def test_pages_of_other_roots_and_links_are_left_out(workspace: Workspace) -> None:
    workspace.write("memory/x", "")
    (workspace.path / "memory/people.md").symlink_to("../MEMORY.md")
    workspace.git("add", "-A")
    workspace.commit("Link\n", {"a/memory/people.md": "- **Bea Stone**\n", "b/wiki/people.md": "- **Cia Away**\n"})
    policy = Policy(roots=("a",))
    names = gather_names(reader_of(workspace), policy, reader_of(workspace).head())
    assert "Bea Stone" in names and "Cia Away" not in names and "Preferences" not in names
