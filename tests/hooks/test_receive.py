"""The gate on the server, through real `git push`."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest

from tests.hooks.conftest import AS_AGENT, AS_HUMAN
from tests.hooks.server import TODAY, Server, agent_commit, make_server, note, push, with_note, without_user_fact
from tests.support.repo import POLICY, Repo, Workspace, run, run_hoard, run_hook

ZERO = "0" * 40


@pytest.fixture
def server(workspace: Workspace, tmp_path: Path) -> Server:
    return make_server(workspace, tmp_path / "server.git")


def refused(server: Server, workspace: Workspace, *refs: str, options: tuple[str, ...] = ()) -> str:
    """Push, and hold the server to having changed nothing at all; return what was said."""
    objects, before = server.objects(), server.refs()
    status, said = push(workspace, *refs, options=options)
    assert status == 1, said
    assert server.refs() == before
    assert server.objects() == objects
    assert "nothing was changed on the server" in said
    return said


class TestCommits:
    def test_a_good_push_passes(self, server: Server, workspace: Workspace) -> None:
        oid = agent_commit(workspace, with_note(workspace, 1))

        status, said = push(workspace, "main")
        assert status == 0, said
        assert server.refs()["refs/heads/main"] == oid
        assert "error" not in said

    def test_a_bad_one_names_code_commit_place_and_next_step(self, server: Server, workspace: Workspace) -> None:
        agent_commit(workspace, with_note(workspace, 1))
        bad = agent_commit(workspace, without_user_fact(workspace))

        said = refused(server, workspace, "main")
        assert f"remote: {bad[:12]} MEMORY.md:6:1: HG301 " in said
        assert "remote: hoard: refs/heads/main: 1 error" in said
        assert "remote:   next: mend the commits named above and push again " in said
        assert "remote:   explain a code: hoard rule HG301 " in said
        assert all(
            len(line.rstrip()) <= 80
            for line in said.splitlines()
            if line.startswith(("remote: hoard", "remote:   ")) and "    " not in line.rstrip()
        )

    def test_one_bad_commit_among_many(self, server: Server, workspace: Workspace) -> None:
        stream = _stream(workspace, 300, bad_at=150)
        workspace.git("fast-import", "--quiet", "--force", input=stream)

        said = refused(server, workspace, "main")
        assert said.count(": HG301 ") == 1

    def test_a_thousand_good_commits(self, server: Server, workspace: Workspace) -> None:
        workspace.git("fast-import", "--quiet", "--force", input=_stream(workspace, 1000))

        status, said = push(workspace, "main")
        assert status == 0, said
        assert server.refs()["refs/heads/main"] == workspace.head("main")

    def test_a_commit_that_mends_another_does_not_excuse_it(self, server: Server, workspace: Workspace) -> None:
        agent_commit(workspace, without_user_fact(workspace))
        workspace.git("revert", "--no-edit", "HEAD", env=AS_AGENT)

        assert "HG301" in refused(server, workspace, "main")

    def test_one_bad_ref_refuses_the_whole_push(self, server: Server, workspace: Workspace) -> None:
        agent_commit(workspace, with_note(workspace, 1))
        workspace.git("branch", "good")
        agent_commit(workspace, without_user_fact(workspace))

        said = refused(server, workspace, "good", "main")
        assert "refs/heads/main: 1 error" in said
        assert "refs/heads/good:" not in said

    def test_a_secret_is_refused_and_not_repeated(self, server: Server, workspace: Workspace) -> None:
        key = "ghp" + "_" + secrets.token_hex(18)
        agent_commit(workspace, {"MEMORY.md": workspace.read("MEMORY.md") + f"- Deploys use {key} <!-- src:agent ts:{TODAY} -->\n"})

        said = refused(server, workspace, "main")
        assert "HG201" in said
        assert key not in said

    def test_names_are_escaped(self, server: Server, workspace: Workspace) -> None:
        agent_commit(workspace, {"memory/\x1b[31mred.md": note(1)})

        said = refused(server, workspace, "main")
        assert "\x1b[31m" not in said
        assert "\\x1b[31mred.md" in said

    @pytest.mark.usefixtures("server")
    def test_a_mode_that_warns(self, workspace: Workspace) -> None:
        workspace.policy(POLICY.replace("mode: enforce", "mode: warn"))
        assert push(workspace, "main")[0] == 0
        agent_commit(workspace, without_user_fact(workspace))

        status, said = push(workspace, "main")
        assert status == 0
        assert "HG301" in said
        assert "mode: warn" in said

    def test_a_mode_that_comes_with_the_push_does_not_count_yet(self, server: Server, workspace: Workspace) -> None:
        workspace.policy(POLICY.replace("mode: enforce", "mode: warn"))
        agent_commit(workspace, without_user_fact(workspace))

        assert "HG301" in refused(server, workspace, "main")

    def test_the_servers_own_clock_counts(self, server: Server, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOARD_DATE", "2199-01-01")
        agent_commit(workspace, {"MEMORY.md": workspace.read("MEMORY.md") + "- Later. <!-- src:agent ts:2198-06-05 -->\n"})

        assert "HG105" in refused(server, workspace, "main")


class TestPolicy:
    def test_a_policy_does_not_judge_its_own_commit(self, server: Server, workspace: Workspace) -> None:
        lax = POLICY + "rules: {HG301: 'off', HG307: 'off'}\n"
        agent_commit(workspace, {".hoard.yaml": lax, **without_user_fact(workspace)})

        said = refused(server, workspace, "main")
        assert "HG301" in said
        assert "HG307" in said

    def test_a_new_branch_is_judged_by_the_main_one(self, server: Server, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "--orphan", "mine")
        mine = POLICY.replace("kind: agent", "kind: human")
        agent_commit(workspace, {".hoard.yaml": mine, "MEMORY.md": f"# M <!-- src:user ts:{TODAY} -->\n\n- I may do all.\n"})

        said = refused(server, workspace, "mine")
        assert "HG307" in said
        assert "HG301" in said

    def test_a_branch_without_any_policy_has_the_main_ones(self, server: Server, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "--orphan", "bare")
        workspace.git("rm", "-rfq", ".")
        agent_commit(workspace, {"MEMORY.md": "# M\n\n- Nobody said where this is from.\n"})

        assert "HG101" in refused(server, workspace, "bare")

    def test_the_first_push_brings_the_policy(self, workspace: Workspace, tmp_path: Path) -> None:
        server = Server(tmp_path / "new.git")
        run(["git", "init", "-q", "--bare", "--template=", "-b", "main", server.path], cwd=tmp_path)
        server.install()
        workspace.git("remote", "add", "origin", server.path)

        assert push(workspace, "main")[0] == 0
        agent_commit(workspace, without_user_fact(workspace))
        assert "HG301" in refused(server, workspace, "main")

    @pytest.mark.usefixtures("server")
    def test_a_side_branch_first(self, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "-b", "side")
        agent_commit(workspace, with_note(workspace, 1, "memory/side.md"))
        assert push(workspace, "side")[0] == 0
        workspace.git("checkout", "-q", "main")
        agent_commit(workspace, with_note(workspace, 2))
        workspace.git("merge", "-q", "--no-ff", "--no-verify", "-m", "merge", "side", env=AS_AGENT)

        assert push(workspace, "main")[0] == 0

    def test_what_a_lax_side_branch_let_in_is_judged_again(self, server: Server, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "-b", "side")
        workspace.policy(POLICY.replace("mode: enforce", "mode: warn"))
        assert push(workspace, "side")[0] == 0
        agent_commit(workspace, without_user_fact(workspace))
        assert push(workspace, "side")[0] == 0
        workspace.policy(POLICY)
        assert push(workspace, "side")[0] == 0
        workspace.git("checkout", "-q", "main")
        workspace.git("merge", "-q", "--no-ff", "--no-verify", "-m", "merge", "side", env=AS_HUMAN)

        assert "HG301" in refused(server, workspace, "main")


class TestRefs:
    def test_rewinding_memory(self, server: Server, workspace: Workspace) -> None:
        agent_commit(workspace, with_note(workspace, 1))
        lost = workspace.head()
        assert push(workspace, "main")[0] == 0
        workspace.git("reset", "-q", "--hard", "HEAD~1")

        said = refused(server, workspace, "main", options=("--force",))
        assert f"refs/heads/main: HG706 the push rewinds the main branch and loses 1 commit, memory in {lost[:12]} among them" in said

    @pytest.mark.usefixtures("server")
    def test_rewriting_other_work_stays_free(self, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "-b", "work")
        workspace.commit("x\n", {"src/x.py": "x = 1\n"}, env=AS_HUMAN)
        assert push(workspace, "work")[0] == 0
        workspace.git("reset", "-q", "--hard", "HEAD~1")
        workspace.commit("y\n", {"src/x.py": "x = 2\n"}, env=AS_HUMAN)

        assert push(workspace, "work", options=("--force",))[0] == 0

    def test_deleting_a_branch(self, server: Server, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "-b", "side")
        agent_commit(workspace, with_note(workspace, 1))
        assert push(workspace, "side")[0] == 0

        assert "deletes the ref and loses 1 commit" in refused(server, workspace, ":side")
        assert push(workspace, "side:main")[0] == 0
        status, said = push(workspace, ":side")
        assert status == 0, said

    @pytest.mark.usefixtures("server")
    def test_moving_a_branch_to_another_name_in_one_push(self, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "-b", "side")
        agent_commit(workspace, with_note(workspace, 1))
        assert push(workspace, "side")[0] == 0

        assert push(workspace, ":side", "side:refs/heads/other")[0] == 0

    def test_replace_refs_and_unknown_ones(self, server: Server, workspace: Workspace) -> None:
        head = workspace.head()
        for ref in (f"refs/replace/{head}", "refs/hoard/witness-of-mine"):
            assert f"{ref}: HG706" in refused(server, workspace, f"HEAD:{ref}")
        assert push(workspace, "HEAD:refs/hoard/undo/trailers/x")[0] == 0

    def test_tags(self, server: Server, workspace: Workspace) -> None:
        workspace.git("tag", "-a", "-m", "good", "v1")
        assert push(workspace, "v1")[0] == 0
        bad = agent_commit(workspace, without_user_fact(workspace))
        workspace.git("tag", "-a", "-m", "bad", "v2")
        workspace.git("tag", "-a", "-m", "a tag of a tag", "v3", "v2")

        assert bad[:12] in refused(server, workspace, "v2")
        assert bad[:12] in refused(server, workspace, "v3")

    def test_a_ref_to_a_file(self, server: Server, workspace: Workspace) -> None:
        assert "would name a blob" in refused(server, workspace, f"{_blob(workspace)}:refs/tags/file")

    def test_a_ref_to_a_tag_of_a_tree(self, server: Server, workspace: Workspace) -> None:
        workspace.git("tag", "-a", "-m", "t", "tree", "HEAD^{tree}")
        assert "would name a tree" in refused(server, workspace, "tree")


class TestTrouble:
    def test_a_malformed_list_is_refused(self, server: Server) -> None:
        done = run_hook("pre-receive", cwd=server.path, input="main moved\n")
        assert done.returncode == 2
        assert b"not git's" in done.stderr

    def test_an_object_that_is_not_there(self, server: Server) -> None:
        done = run_hook("pre-receive", cwd=server.path, input=f"{ZERO} {'1' * 40} refs/heads/x\n")
        assert done.returncode == 2

    def test_a_shallow_server_cannot_judge(self, workspace: Workspace, tmp_path: Path) -> None:
        agent_commit(workspace, with_note(workspace, 1))
        run(["git", "clone", "-q", "--bare", "--depth", "1", workspace.path.as_uri(), tmp_path / "s.git"], cwd=tmp_path)
        server = Server(tmp_path / "s.git")
        server.install()
        workspace.git("remote", "add", "origin", server.path)
        agent_commit(workspace, with_note(workspace, 2))

        assert "shallow" in refused(server, workspace, "main")

    def test_the_server_users_configuration_has_no_say(self, server: Server, workspace: Workspace, tmp_path: Path) -> None:
        agent_commit(workspace, with_note(workspace, 1))
        home = tmp_path / "odd.gitconfig"
        home.write_text("[log]\n\tshowSignature = true\n[color]\n\tui = always\n[diff]\n\texternal = false\n\tnoprefix = true\n")
        server.git("config", "log.showSignature", "true")
        server.git("config", "color.ui", "always")
        line = f"{server.refs()['refs/heads/main']} {workspace.head()} refs/heads/main\n"
        env = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": str(workspace.path / ".git/objects"), "GIT_CONFIG_GLOBAL": str(home), "GIT_DIR": "."}

        done = run_hook("pre-receive", cwd=server.path, input=line, env=env)
        assert (done.returncode, done.stdout) == (0, b""), done.stderr

    def test_when_the_interpreter_is_gone_every_push_is_refused(self, server: Server, workspace: Workspace) -> None:
        hook = server.path / "hooks/pre-receive"
        text = hook.read_text()
        start = text.index("python='") + 8
        hook.write_text(text[:start] + "/nowhere" + text[start:])
        agent_commit(workspace, with_note(workspace, 1))

        status, said = push(workspace, "main")
        assert status == 1
        assert "every push is refused" in said


class TestInstalling:
    def test_an_existing_hook_runs_first_with_the_same_input(self, server: Server, workspace: Workspace) -> None:
        run_hoard("hooks", "uninstall", "--server", cwd=server.path)
        assert not (server.path / "hooks/pre-receive").exists()
        old = server.path / "hooks/pre-receive"
        old.write_text("#!/bin/sh\ncat >seen\n")
        old.chmod(0o755)
        server.install()
        assert b"runs pre-receive.hoard-chained first" in run_hoard("hooks", "status", "--server", cwd=server.path).stdout
        bad = agent_commit(workspace, without_user_fact(workspace))

        assert "HG301" in push(workspace, "main")[1]
        assert bad in (server.path / "seen").read_text()
        run_hoard("hooks", "uninstall", "--server", cwd=server.path)
        assert old.read_text() == "#!/bin/sh\ncat >seen\n"

    def test_the_old_hooks_refusal_is_final(self, server: Server, workspace: Workspace) -> None:
        run_hoard("hooks", "uninstall", "--server", cwd=server.path)
        old = server.path / "hooks/pre-receive"
        old.write_text("#!/bin/sh\necho not today\nexit 1\n")
        old.chmod(0o755)
        server.install()
        agent_commit(workspace, with_note(workspace, 1))

        status, said = push(workspace, "main")
        assert status == 1
        assert "not today" in said

    def test_a_work_tree_gets_none(self, workspace: Workspace) -> None:
        done = run_hoard("hooks", "install", "--server", cwd=workspace)
        assert done.returncode == 2
        assert b"work tree" in done.stderr

    def test_status_tells_a_missing_one(self, tmp_path: Path) -> None:
        Repo(tmp_path).git("init", "-q", "--bare", "--template=", "b.git")
        done = run_hoard("hooks", "status", "--server", cwd=tmp_path / "b.git")
        assert done.returncode == 1
        assert done.stdout == b"pre-receive: missing\n    hoard hooks install --server\n"


def _blob(workspace: Workspace) -> str:
    return workspace.line("rev-parse", "HEAD:MEMORY.md")


def _stream(workspace: Workspace, count: int, bad_at: int = -1) -> bytes:
    """Commits of the agent on top of main, as `git fast-import` reads them; one of them may drop a user's fact."""
    base = workspace.read("MEMORY.md")
    parts = []
    for number in range(count):
        if number == bad_at:
            base = base.replace("- The newsletter goes out on Tuesdays.\n", "")
        text = base + f"- Run {number} took {number % 50} minutes.\n"
        parts.append(f"commit refs/heads/main\ncommitter clawd <clawd@agents.example> {1781000000 + number} +0000\ndata 2\nw\n")
        if not number:
            parts.append(f"from {workspace.head('main')}\n")
        parts.append(f"M 100644 inline MEMORY.md\ndata {len(text.encode())}\n{text}\n")
    return "".join(parts).encode()
