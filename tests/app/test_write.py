"""`hoard commit`: the changed memory files and nothing else, with trailers, hooks or none."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from hoard_git.app.write import Committed, Refused, Wish, commit_memory, shorten
from hoard_git.errors import HoardError
from tests.app.support import AS_AGENT, add_hook, as_agent, june, reader_of
from tests.support.repo import POLICY, Workspace, run_hoard

GOOD = "- The wiki moved to node-3.\n"


def commit(
    workspace: Workspace, only: Sequence[str] = (), *, folder: str = "", environ: dict[str, str] | None = None, **wish: object
) -> Committed:
    return commit_memory(reader_of(workspace, folder), only, Wish(**wish), june, environ or {})  # type: ignore[arg-type]


@pytest.fixture
def agents(workspace: Workspace) -> Workspace:
    as_agent(workspace)
    return workspace


def append(workspace: Workspace, text: str = GOOD) -> None:
    workspace.write("MEMORY.md", workspace.read_bytes("MEMORY.md") + text.encode())


def paths_of(workspace: Workspace) -> list[str]:
    return workspace.line("diff-tree", "--no-commit-id", "--name-status", "--no-renames", "-r", "HEAD").splitlines()


def test_changed_memory_and_nothing_else(agents: Workspace) -> None:
    append(agents)
    agents.write("memory/new.md", "# New <!-- src:agent ts:2026-06-15 -->\n\n- One.\n")
    agents.write("notes.md", "not memory\n")
    agents.stage({"staged.txt": "mine\n"})

    done = commit(agents)

    assert done.paths == ("MEMORY.md", "memory/new.md")
    assert paths_of(agents) == ["M\tMEMORY.md", "A\tmemory/new.md"]
    assert agents.line("status", "--porcelain").splitlines() == ["A  staged.txt", "?? notes.md"]
    assert agents.line("log", "-1", "--format=%s") == "Memory: add The wiki moved to node-3. and 1 more"


@pytest.mark.parametrize(
    ("old", "new", "subject"),
    [
        (
            "",
            "- A line that goes on and on until it is cut somewhere in the middle\n",
            "Memory: add A line that goes on and on until it is cut somewh\u2026",
        ),
        ("short and in", "long and in", ""),
        ("", "\n## Plans <!-- src:agent ts:2026-06-15 -->\n", "Memory: add Plans"),
        ("\n", "\n\n", "Memory: layout of MEMORY.md"),
    ],
)
def test_the_subject_names_the_fact_or_heading(agents: Workspace, old: str, new: str, subject: str) -> None:
    text = agents.read("MEMORY.md")
    agents.write("MEMORY.md", text.replace(old, new, 1) if old else text + new)

    if subject:
        commit(agents)
        assert agents.line("log", "-1", "--format=%s") == subject
    else:
        commit(agents, human=True)
        assert agents.line("log", "-1", "--format=%s") == "Memory: edit Answers are long and in English."


def test_a_subject_holds_nothing_that_a_terminal_acts_on() -> None:
    assert shorten("  1. \u202eOne \x1b[31mline\nsecond") == "?One ?[31mline"


def test_the_subject_does_not_keep_what_was_taken_out(agents: Workspace) -> None:
    append(agents)
    commit(agents)
    agents.write("MEMORY.md", agents.read("MEMORY.md").replace(GOOD, ""))
    commit(agents)

    assert agents.line("log", "-1", "--format=%s") == "Memory: remove a fact in MEMORY.md"


@pytest.mark.parametrize("human", [True, False])
def test_the_undo_that_is_printed_undoes(agents: Workspace, human: bool) -> None:
    assert run_hoard("hooks", "install", cwd=agents).returncode == 0
    before = agents.read("MEMORY.md")
    agents.write("MEMORY.md", before.replace("short and in", "long and in") if human else before + GOOD)
    done = run_hoard("--date", "2026-06-15", "commit", *["--human"] * human, cwd=agents, env={} if human else AS_AGENT)
    undo = done.stderr.decode().rpartition("undo: ")[2].strip()

    for command in undo.split(" && "):
        words = command.split()
        if words[0] == "hoard":
            ran = run_hoard("--date", "2026-06-15", *words[1:], cwd=agents)
        else:
            ran = agents.git(*words[1:], *["--no-edit"] * ("-n" not in words), check=False)
        assert ran.returncode == 0, ran.stderr
    assert agents.read("MEMORY.md") == before
    assert agents.line("status", "--porcelain") == ""


def test_deleted_and_renamed_files(agents: Workspace) -> None:
    text = "# Old <!-- src:agent ts:2026-06-05 -->\n\n- Only fact here.\n"
    agents.commit("Two", {"memory/old.md": text, "memory/gone.md": text.replace("Only", "Other")})
    agents.write("memory/renamed.md", text)
    (agents.path / "memory/old.md").unlink()
    (agents.path / "memory/gone.md").unlink()

    commit(agents)

    assert paths_of(agents) == ["D\tmemory/gone.md", "D\tmemory/old.md", "A\tmemory/renamed.md"]
    assert "Memory-Removed: - history" in agents.message()


@pytest.mark.parametrize("hooks", [False, True])
def test_trailers_with_and_without_hooks(agents: Workspace, hooks: bool) -> None:
    if hooks:
        assert run_hoard("hooks", "install", cwd=agents).returncode == 0
    append(agents)

    commit(
        agents, message="Note the move\n\nMemory-Op: restore\nSigned-off-by: A <a@b.example>", reason="asked\x1b[31m for\nit", session="s 1"
    )

    assert agents.line("log", "-1", "--format=%s") == "Note the move"
    found = agents.line("log", "-1", "--format=%(trailers:only,unfold)").splitlines()
    assert [line for line in found if line.startswith("Memory-Op")] == ["Memory-Op: write"]
    assert "Memory-Reason: asked [31m for it" in found
    assert "Memory-Session: s 1" in found
    assert "Signed-off-by: A <a@b.example>" in found
    assert run_hoard("--date", "2026-06-15", "check", "--commit", "HEAD", "--strict", cwd=agents).returncode == 0


def test_refused_by_the_gate(agents: Workspace) -> None:
    append(agents, "\n## Rumours\n\n- The mirror has moved.\n")
    before = agents.snapshot()

    with pytest.raises(Refused) as caught:
        commit(agents)

    assert [finding.code for finding in caught.value.findings if finding.severity == "error"] == ["HG101"]
    assert caught.value.hint == "hoard rule HG101"
    assert agents.snapshot() == before


def test_a_policy_that_warns_lets_it_pass_and_says_so(agents: Workspace) -> None:
    agents.git("config", "--unset", "user.email")
    agents.policy(POLICY.replace("enforce", "warn"))
    as_agent(agents)
    append(agents, "\n## Rumours\n\n- The mirror has moved.\n")

    assert [finding.code for finding in commit(agents).findings if finding.severity == "error"] == ["HG101"]


def test_refused_by_a_hook(agents: Workspace) -> None:
    append(agents)
    agents.write("memory/new.md", "# New <!-- src:agent ts:2026-06-15 -->\n\n- One.\n")
    add_hook(agents, "pre-commit", "echo 'no way' >&2; exit 1")
    agents.git("update-index", "--refresh", check=False)
    before = agents.snapshot()

    with pytest.raises(HoardError) as caught:
        commit(agents)

    assert caught.value.exit_status == 2
    assert caught.value.hint == "no way"
    assert agents.snapshot() == before


def test_the_human_changes_a_users_fact(agents: Workspace) -> None:
    agents.write("MEMORY.md", agents.read("MEMORY.md").replace("short", "long"))

    with pytest.raises(Refused):
        commit(agents)
    with pytest.raises(Refused):
        commit(agents, human=True, environ={"CLAUDECODE": "1"})
    commit(agents, human=True)

    assert agents.line("log", "-1", "--format=%an <%ae>, %cn <%ce>") == f"{agents.human}, {agents.human}"


def test_the_only_human_listed_when_git_knows_nobody(agents: Workspace, hermetic: Path) -> None:
    (hermetic / ".gitconfig").write_text("")
    agents.write("MEMORY.md", agents.read("MEMORY.md").replace("short", "long"))

    commit(agents, human=True)

    assert agents.line("log", "-1", "--format=%ae") == "ada@example.org"


def test_a_policy_only_by_its_name(agents: Workspace) -> None:
    agents.write(".hoard.yaml", POLICY.replace("enforce", "warn"))
    append(agents)

    assert commit(agents).paths == ("MEMORY.md",)
    with pytest.raises(Refused) as caught:
        commit(agents, [".hoard.yaml"])
    assert {finding.code for finding in caught.value.findings} == {"HG307"}
    done = commit(agents, [".hoard.yaml"], human=True)
    assert (done.paths, agents.line("log", "-1", "--format=%s")) == ((".hoard.yaml",), "Change the memory policy")


def test_only_what_is_named(agents: Workspace) -> None:
    append(agents)
    for name in ("memory/a.md", "memory/b.md", "memory/archive/c.md"):
        agents.write(name, f"# {name} <!-- src:agent ts:2026-06-15 -->\n\n- One in {name}.\n")

    assert commit(agents, ["memory/a.md"]).paths == ("memory/a.md",)
    assert commit(agents, ["memory"]).paths == ("memory/archive/c.md", "memory/b.md")


def test_ignored_files_are_left_out_and_named(agents: Workspace) -> None:
    agents.write(".git/info/exclude", "memory/private.md\n")
    agents.write("memory/private.md", "# P <!-- src:agent ts:2026-06-15 -->\n\n- One.\n")

    with pytest.raises(HoardError, match="ignored"):
        commit(agents)
    with pytest.raises(HoardError, match="ignored"):
        commit(agents, ["memory/private.md"])
    append(agents)
    done = commit(agents)
    assert (done.paths, done.ignored) == (("MEMORY.md",), ("memory/private.md",))


def test_a_tracked_file_is_committed_although_a_pattern_ignores_it(agents: Workspace) -> None:
    agents.write(".git/info/exclude", "*.md\n")
    append(agents)

    assert commit(agents).paths == ("MEMORY.md",)


@pytest.mark.parametrize(("only", "message"), [((), "has changed"), (["MEMORY.md"], "has changed"), (["notes.txt"], "no memory file")])
def test_nothing_to_commit(agents: Workspace, only: Sequence[str], message: str) -> None:
    agents.write("notes.txt", "not memory\n")
    before = agents.snapshot()

    with pytest.raises(HoardError, match=message) as caught:
        commit(agents, only)

    assert caught.value.hint
    assert agents.snapshot() == before


def test_a_file_that_was_staged_and_deleted_again(agents: Workspace) -> None:
    agents.stage({"memory/a.md": "# A\n"})
    (agents.path / "memory/a.md").unlink()

    with pytest.raises(HoardError, match="has changed"):
        commit(agents)
    append(agents)
    assert commit(agents).paths == ("MEMORY.md",)


def test_unmerged_paths_are_refused(agents: Workspace) -> None:
    agents.git("checkout", "-q", "-b", "other")
    agents.commit("Theirs", {"MEMORY.md": agents.read("MEMORY.md") + "- theirs\n"})
    agents.git("checkout", "-q", "main")
    agents.commit("Ours", {"MEMORY.md": agents.read("MEMORY.md") + "- ours\n"})
    agents.git("merge", "-q", "other", check=False)

    with pytest.raises(HoardError, match="unmerged"):
        commit(agents)


def test_during_a_merge(agents: Workspace) -> None:
    agents.git("checkout", "-q", "-b", "other")
    agents.commit("Theirs", {"x.txt": "x\n"})
    agents.git("checkout", "-q", "main")
    agents.commit("Ours", {"y.txt": "y\n"})
    agents.git("merge", "-q", "--no-commit", "other")
    append(agents)

    with pytest.raises(HoardError, match="merge") as caught:
        commit(agents)
    assert "git status" in caught.value.hint


def test_a_signed_human_commit_under_a_global_habit(agents: Workspace, hermetic: Path) -> None:
    """The human's global configuration signs; the repository's own, which is the agent's, does not."""
    signer = hermetic / "signer"
    signer.write_text(
        "#!/bin/sh\ncat >/dev/null\nprintf '\\n[GNUPG:] SIG_CREATED \\n' >&2\necho '-----BEGIN PGP SIGNATURE-----'\necho fake\necho '-----END PGP SIGNATURE-----'\n"
    )
    signer.chmod(0o755)
    agents.git("config", "--global", "commit.gpgSign", "true")
    agents.git("config", "--global", "gpg.program", str(signer))
    agents.git("config", "commit.gpgSign", "false")

    append(agents)
    commit(agents)
    assert "gpgsig" not in agents.line("cat-file", "commit", "HEAD")
    append(agents, "- Another.\n")
    commit(agents, human=True)
    assert "gpgsig" in agents.line("cat-file", "commit", "HEAD")


def test_from_a_subdirectory_and_a_linked_worktree(agents: Workspace, tmp_path: Path) -> None:
    agents.git("worktree", "add", "-q", str(tmp_path / "linked"))
    linked = Workspace(tmp_path / "linked")
    append(linked)
    linked.write("memory/a.md", "# A <!-- src:agent ts:2026-06-15 -->\n\n- One.\n")

    done = run_hoard("commit", "-m", "From below", "a.md", cwd=linked.path / "memory", env=AS_AGENT)
    assert done.returncode == 0, done.stderr
    assert paths_of(linked) == ["A\tmemory/a.md"]
    done = run_hoard("-C", str(linked.path / "memory"), "commit", "-m", "The rest", cwd=tmp_path, env=AS_AGENT)
    assert done.returncode == 0, done.stderr
    assert paths_of(linked) == ["M\tMEMORY.md"]
    assert agents.line("log", "-1", "--format=%s", "linked") == "The rest"
