"""Ways round the gate on the server: old policies, people who were taken out, merges with the past, several refs at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.hooks.conftest import AS_AGENT, AS_HUMAN
from tests.hooks.server import TODAY, Server, agent_commit, make_server, push, with_note, without_user_fact
from tests.support.environment import identity
from tests.support.repo import POLICY, Workspace, run_hoard

FACT = "- The newsletter goes out on Tuesdays.\n"
NODE = "- Node-2 serves the wiki.\n"
LAX = POLICY.replace("mode: enforce", "mode: warn")
BOB = "  - {name: Bob Other, kind: human, emails: [bob@example.org]}\n"
AS_BOB = identity("Bob Other <bob@example.org>")
UNTAGGED = "# Found\n\n- The mirror moved to the cellar.\n"


@pytest.fixture
def server(workspace: Workspace, tmp_path: Path) -> Server:
    return make_server(workspace, tmp_path / "server.git")


def refused(server: Server, workspace: Workspace, *refs: str, options: tuple[str, ...] = ()) -> str:
    before = server.refs()
    status, said = push(workspace, *refs, options=options)
    assert status == 1, said
    assert server.refs() == before
    return said


def passes(workspace: Workspace, *refs: str, options: tuple[str, ...] = ()) -> str:
    status, said = push(workspace, *refs, options=options)
    assert status == 0, said
    return said


def merge_commit(workspace: Workspace, tree: str, *parents: str, env: dict[str, str] = AS_AGENT) -> str:
    """A merge of any tree and parents in any order, as plumbing makes it."""
    words = [word for parent in parents for word in ("-p", parent)]
    oid = workspace.git("commit-tree", tree, *words, "-m", "merge", env=env).stdout.decode().strip()
    workspace.git("reset", "-q", "--hard", oid)
    return oid


def tree_with(workspace: Workspace, revision: str, path: str, text: str) -> str:
    """The tree of a commit with one file in another version."""
    workspace.git("reset", "-q", "--hard", revision)
    workspace.stage({path: text})
    return workspace.line("write-tree")


class TestOnePushOfSeveralRefs:
    def test_what_passes_for_a_branch_that_only_warns_does_not_pass_for_main(self, server: Server, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "-b", "a-side")
        workspace.policy(LAX)
        passes(workspace, "a-side")
        agent_commit(workspace, without_user_fact(workspace))
        workspace.policy(POLICY)
        workspace.git("checkout", "-q", "main")
        workspace.git("merge", "-q", "--no-ff", "--no-verify", "-m", "merge", "a-side", env=AS_HUMAN)

        said = refused(server, workspace, "a-side", "main")
        assert said.count(": HG301 ") == 1
        assert "refs/heads/main: 1 error, " in said and "told above" in said

    def test_what_two_refs_bring_is_told_once(self, server: Server, workspace: Workspace) -> None:
        agent_commit(workspace, without_user_fact(workspace))
        workspace.git("branch", "copy")

        said = refused(server, workspace, "main", "copy")
        assert said.count(": HG301 ") == 1
        assert "1 error, 1 warning, all told above" in said


class TestRewinding:
    def test_main_cannot_be_rewound_behind_a_copy_of_it(self, server: Server, workspace: Workspace) -> None:
        start = workspace.head()
        agent_commit(workspace, with_note(workspace, 1))
        passes(workspace, "main")
        passes(workspace, "main:refs/heads/copy")

        assert "rewinds the main branch" in refused(server, workspace, f"{start}:refs/heads/main", options=("--force",))

    def test_nor_with_the_copy_in_the_same_push(self, server: Server, workspace: Workspace) -> None:
        start = workspace.head()
        agent_commit(workspace, with_note(workspace, 1))
        passes(workspace, "main")

        assert "rewinds the main branch" in refused(server, workspace, f"+{start}:refs/heads/main", "main:refs/heads/copy")

    @pytest.mark.usefixtures("server")
    def test_rewinding_main_over_other_work_stays_free(self, workspace: Workspace) -> None:
        start = workspace.head()
        workspace.commit("x\n", {"src/x.py": "x = 1\n"}, env=AS_HUMAN)
        passes(workspace, "main")
        passes(workspace, f"{start}:refs/heads/main", options=("--force",))


class TestMergesWithThePast:
    """A merge is blamed for what differs from every parent; who makes it picks the parents and their order."""

    @pytest.mark.parametrize("old_first", [False, True])
    def test_an_old_policy_among_the_parents_excuses_nothing(self, server: Server, workspace: Workspace, old_first: bool) -> None:
        workspace.policy(POLICY + "rules: {HG101: off, HG704: off}\n")
        old = workspace.head()
        workspace.policy(POLICY)
        passes(workspace, "main")
        now = workspace.head()
        parents = (old, now) if old_first else (now, old)
        merge_commit(workspace, tree_with(workspace, now, "memory/found.md", UNTAGGED), *parents)

        said = refused(server, workspace, "main")
        assert "HG101" in said and "HG704" in said

    @pytest.mark.parametrize("old_first", [False, True])
    def test_a_fact_that_its_user_took_back_stays_gone(self, server: Server, workspace: Workspace, old_first: bool) -> None:
        old = workspace.head()
        workspace.commit("Out\n", without_user_fact(workspace), env=AS_HUMAN)
        passes(workspace, "main")
        now = workspace.head()
        parents = (old, now) if old_first else (now, old)
        merge_commit(workspace, workspace.line("rev-parse", f"{old}^{{tree}}"), *parents)

        assert "HG704" in refused(server, workspace, "main")

    def test_a_correct_merge_of_what_a_user_took_back_passes(self, server: Server, workspace: Workspace) -> None:
        workspace.git("branch", "side")
        workspace.commit("Out\n", without_user_fact(workspace), env=AS_HUMAN)
        workspace.git("checkout", "-q", "side")
        agent_commit(workspace, with_note(workspace, 1, "memory/side.md"))
        workspace.git("checkout", "-q", "main")
        workspace.git("merge", "-q", "--no-ff", "--no-verify", "-m", "merge", "side", env=AS_AGENT)

        passes(workspace, "main")
        assert FACT not in server.show("main", "MEMORY.md").decode()


class TestOldForks:
    def test_who_was_taken_out_cannot_write_from_before(self, server: Server, workspace: Workspace) -> None:
        workspace.policy(POLICY + BOB)
        workspace.git("branch", "side")
        workspace.policy(POLICY)
        passes(workspace, "main")
        workspace.git("checkout", "-q", "side")
        workspace.commit("Out\n", without_user_fact(workspace), env={**AS_BOB})
        workspace.git("checkout", "-q", "main")
        workspace.git("merge", "-q", "--no-ff", "--no-verify", "-m", "merge", "side", env=AS_AGENT)

        assert "HG301" in refused(server, workspace, "main")
        assert "HG301" in refused(server, workspace, "side")

    @pytest.mark.usefixtures("server")
    def test_a_human_of_today_can_vouch_for_it(self, workspace: Workspace) -> None:
        workspace.policy(POLICY + BOB)
        workspace.git("branch", "side")
        workspace.policy(POLICY)
        passes(workspace, "main")
        workspace.git("checkout", "-q", "side")
        workspace.commit("Out\n", without_user_fact(workspace), env={**AS_BOB})
        workspace.git("checkout", "-q", "main")
        workspace.git("merge", "-q", "--no-ff", "--no-verify", "-m", "merge", "side", env=AS_HUMAN)

        passes(workspace, "main")

    def test_a_policy_by_who_was_taken_out(self, server: Server, workspace: Workspace) -> None:
        workspace.policy(POLICY + BOB)
        workspace.git("branch", "side")
        workspace.policy(POLICY)
        workspace.commit("Back\n", {".hoard.yaml": POLICY + BOB}, env=AS_HUMAN)
        workspace.git("branch", "-f", "side")
        workspace.policy(POLICY + "# Bob has left.\n")
        passes(workspace, "main")
        workspace.git("checkout", "-q", "side")
        workspace.commit("Mine\n", {".hoard.yaml": POLICY + BOB + "rules: {HG301: off}\n"}, env=AS_BOB)

        assert "HG307" in refused(server, workspace, "side")

    @pytest.mark.parametrize("ref", ["side", "main"])
    def test_a_rule_that_was_off_where_the_branch_parted(self, server: Server, workspace: Workspace, ref: str) -> None:
        workspace.policy(POLICY + "rules: {HG101: off}\n")
        workspace.git("branch", "side")
        workspace.policy(POLICY)
        passes(workspace, "main")
        workspace.git("checkout", "-q", "side")
        agent_commit(workspace, {"memory/found.md": UNTAGGED})
        if ref == "main":
            workspace.git("checkout", "-q", "main")
            workspace.git("merge", "-q", "--no-ff", "--no-verify", "-m", "merge", "side", env=AS_AGENT)

        assert b"HG101" in run_hoard("check", "--range", f"origin/main..{ref}", cwd=workspace).stdout
        assert "HG101" in refused(server, workspace, ref)
        agent_commit(workspace, {"memory/found.md": UNTAGGED.replace("# Found", f"# Found <!-- src:web ts:{TODAY} -->")})
        passes(workspace, ref)

    def test_a_root_of_its_own_is_no_way_round_in_ci_either(self, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "--orphan", "mine")
        mine = POLICY.replace("kind: agent", "kind: human")
        agent_commit(workspace, {".hoard.yaml": mine, "MEMORY.md": f"# M <!-- src:user ts:{TODAY} -->\n\n- I may do all.\n"})

        done = run_hoard("check", "--range", "main..mine", cwd=workspace)
        assert done.returncode == 1
        assert b".hoard.yaml: HG307 agent adds the policy" in done.stdout

    @pytest.mark.usefixtures("server")
    def test_a_policy_that_a_human_loosened_on_the_way_counts(self, workspace: Workspace) -> None:
        workspace.policy(POLICY + "rules: {HG101: off}\n")
        agent_commit(workspace, {"memory/found.md": UNTAGGED})

        passes(workspace, "main")

    def test_a_policy_that_a_side_branch_loosened_and_the_merge_left_behind(self, server: Server, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "-b", "side")
        workspace.policy(POLICY + "rules: {HG301: off}\n")
        agent_commit(workspace, without_user_fact(workspace))
        workspace.policy(POLICY)
        workspace.git("checkout", "-q", "main")
        agent_commit(workspace, with_note(workspace, 1, "memory/other.md"))
        workspace.git("merge", "-q", "--no-ff", "--no-verify", "-m", "merge", "side", env=AS_AGENT)

        assert "HG301" in refused(server, workspace, "main")
