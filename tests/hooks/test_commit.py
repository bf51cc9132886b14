"""The gate through real `git commit`, in every way in which people call it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.hooks.committing import GOOD, append, commit, edited_user_fact, settle, trailers, untagged, vendor_key
from tests.hooks.conftest import AS_AGENT, AS_HUMAN
from tests.support.repo import Workspace, run, run_hoard


def spoken_password(workspace: Workspace) -> None:
    append(workspace, f"- db password is Maple{secrets.randbelow(9000) + 1000}!x\n")


def deleted_user_fact(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", workspace.read("MEMORY.md").replace("- The newsletter goes out on Tuesdays.\n", ""))


def retagged_user_block(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", workspace.read("MEMORY.md").replace("src:user ts:2026-06-01", "src:agent ts:2026-06-01"))


def slipped_under_user_heading(workspace: Workspace) -> None:
    workspace.write("MEMORY.md", workspace.read("MEMORY.md").replace("## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->\n\n", ""))


def invisible_character(workspace: Workspace) -> None:
    append(workspace, "- The pass\u200bphrase is in the vault.\n")


def linked_memory(workspace: Workspace) -> None:
    (workspace.path / "MEMORY.md").unlink()
    (workspace.path / "MEMORY.md").symlink_to("/etc/hostname")


BAD = [
    (untagged, "MEMORY.md:15:1: HG101"),
    (vendor_key, "MEMORY.md:12:15: HG201"),
    (spoken_password, "HG201"),
    (edited_user_fact, "MEMORY.md:5:1: HG301"),
    (deleted_user_fact, "MEMORY.md:6:1: HG301"),
    (retagged_user_block, "HG301"),
    (slipped_under_user_heading, "HG304"),
    (invisible_character, "MEMORY.md:12:11: HG401"),
    (linked_memory, "HG409"),
]


@pytest.mark.parametrize(("attack", "expected"), BAD, ids=[attack.__name__ for attack, _code in BAD])
@pytest.mark.parametrize("how", [("-a",), ("MEMORY.md",), ()], ids=["all", "path", "staged"])
def test_bad_change_is_refused_and_nothing_moves(
    hooked: Workspace, attack: Callable[[Workspace], None], expected: str, how: Sequence[str]
) -> None:
    attack(hooked)
    if not how:
        hooked.git("add", "-A")
    settle(hooked)
    before = hooked.snapshot()

    status, said = commit(hooked, "-m", "x", *how)

    assert status == 1, said
    assert expected in said
    assert "nothing was changed" in said
    assert hooked.snapshot() == before


@pytest.mark.parametrize("how", [("-a",), ("MEMORY.md",), ()], ids=["all", "path", "staged"])
def test_good_change_carries_trailers_that_git_parses(hooked: Workspace, how: Sequence[str]) -> None:
    append(hooked, GOOD)
    if not how:
        hooked.git("add", "-A")

    status, said = commit(hooked, "-m", "Note the move", *how)

    assert (status, said.count("HG")) == (0, 0), said
    found = trailers(hooked)
    assert found[:3] == ["Memory-Op: write", "Memory-Source: agent", "Memory-Block: add - agent 2026-06-05 90d MEMORY.md#infrastructure"]
    assert found[3].startswith("Memory-Digest: sha256:")
    assert run_hoard("check", "--commit", "HEAD", "--strict", cwd=hooked).returncode == 0


def test_trailers_after_a_body_with_a_rule(hooked: Workspace) -> None:
    append(hooked, GOOD)

    done = hooked.git("commit", "-aqF", "-", input="Subject\n\nabove\n\n---\n\nbelow\n", env=AS_AGENT)

    assert done.returncode == 0
    assert trailers(hooked)[0] == "Memory-Op: write"


@pytest.mark.parametrize("message", ["", "\n\n", "# only a comment\n"])
def test_an_empty_message_still_aborts(hooked: Workspace, message: str) -> None:
    append(hooked, GOOD)
    hooked.write("message", message)

    status, said = commit(hooked, "-a", "--cleanup=strip", "-F", "message")

    assert status != 0
    assert "empty commit message" in said
    assert hooked.line("rev-list", "--count", "HEAD") == "1"


def test_an_editor_left_empty_aborts(hooked: Workspace) -> None:
    append(hooked, GOOD)

    status, said = commit(hooked, "-a", env={**AS_AGENT, "GIT_EDITOR": "true"})

    assert status != 0
    assert "empty commit message" in said


def test_human_may_edit_a_user_fact(hooked: Workspace) -> None:
    edited_user_fact(hooked)

    status, said = commit(hooked, "-am", "Longer answers", env=AS_HUMAN)

    assert status == 0, said
    assert "Memory-Source: user" in trailers(hooked)


@pytest.mark.parametrize(
    "marker", ["CLAUDECODE", "CODEX_SANDBOX", "CURSOR_AGENT", "GEMINI_CLI", "OPENCLAW_SESSION", "AIDER_MODEL", "AI_AGENT"]
)
def test_an_agent_marker_makes_the_human_address_an_agents(hooked: Workspace, marker: str) -> None:
    edited_user_fact(hooked)

    status, said = commit(hooked, "-am", "x", env={**AS_HUMAN, marker: "1"})

    assert status == 1
    assert "HG301" in said
    assert marker in said


def test_author_option_counts_as_the_author(hooked: Workspace) -> None:
    edited_user_fact(hooked)

    status, said = commit(hooked, "-am", "x", f"--author={Workspace.human}")

    assert status == 0, said


def test_worktree_clean_again_but_bad_content_staged(hooked: Workspace) -> None:
    good = hooked.read("MEMORY.md")
    vendor_key(hooked)
    hooked.git("add", "MEMORY.md")
    hooked.write("MEMORY.md", good)

    status, said = commit(hooked, "-m", "x")

    assert status == 1
    assert "HG201" in said


def test_clean_content_staged_but_bad_work_tree(hooked: Workspace) -> None:
    append(hooked, GOOD)
    hooked.git("add", "MEMORY.md")
    vendor_key(hooked)

    assert commit(hooked, "-m", "staged part only")[0] == 0
    status, said = commit(hooked, "-am", "now the rest")
    assert status == 1
    assert "HG201" in said


def test_path_commit_leaves_other_staged_work_alone(hooked: Workspace) -> None:
    hooked.write("notes.txt", "draft\n")
    hooked.git("add", "notes.txt")
    append(hooked, GOOD)

    assert commit(hooked, "-qm", "Memory only", "MEMORY.md")[0] == 0

    assert hooked.line("show", "--name-only", "--format=", "HEAD") == "MEMORY.md"
    assert hooked.line("diff", "--cached", "--name-only") == "notes.txt"


def test_first_commit_of_a_repository(repo: Workspace, hooked: Workspace) -> None:
    for name in ("pre-commit", "prepare-commit-msg", "commit-msg"):
        target = repo.path / ".git" / "hooks" / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes((hooked.path / ".git" / "hooks" / name).read_bytes())
        target.chmod(0o755)
    repo.write("MEMORY.md", "# Memory\n\n- The mirror has moved.\n")
    repo.git("add", "-A")
    refused = repo.git("commit", "-qm", "x", env=AS_AGENT, check=False)
    assert refused.returncode == 1
    assert b"MEMORY.md:3:1: HG101" in refused.stdout + refused.stderr
    repo.write("MEMORY.md", "# Memory <!-- src:agent ts:2026-06-05 -->\n\n- The mirror has moved.\n")
    repo.git("add", "-A")

    assert repo.git("commit", "-qm", "x", env=AS_AGENT).returncode == 0
    assert b"Memory-Op: write" in repo.git("log", "-1", "--format=%(trailers)").stdout


def test_linked_worktree(hooked: Workspace, tmp_path: Path) -> None:
    hooked.git("worktree", "add", "-q", "-b", "side", tmp_path / "side")
    side = Workspace(tmp_path / "side")
    vendor_key(side)
    assert commit(side, "-qam", "x")[0] == 1
    side.git("checkout", "-q", "MEMORY.md")
    append(side, GOOD)

    status, said = commit(side, "-qam", "Good")

    assert status == 0, said
    assert trailers(side)[0] == "Memory-Op: write"


@pytest.mark.parametrize(
    "setting",
    [
        ("color.ui", "always"),
        ("diff.external", "true"),
        ("core.quotePath", "false"),
        ("diff.noprefix", "true"),
        ("diff.ignoreSubmodules", "all"),
    ],
)
def test_settings_that_hide_content_from_diffs(hooked: Workspace, setting: tuple[str, str]) -> None:
    hooked.git("config", *setting)
    vendor_key(hooked)

    status, said = commit(hooked, "-am", "x")

    assert status == 1
    assert "HG201" in said


def test_attribute_and_nul_byte_hide_nothing(hooked: Workspace) -> None:
    (hooked.path / ".git" / "info").mkdir(exist_ok=True)
    (hooked.path / ".git" / "info" / "attributes").write_text("*.md -diff\n")
    vendor_key(hooked)
    status, said = commit(hooked, "-am", "x")
    assert (status, "HG201" in said) == (1, True)
    append(hooked, "- nul \0 byte\n")
    status, said = commit(hooked, "-am", "x")
    assert status == 1
    assert "HG201" in said
    assert "HG108" in said


def test_non_ascii_and_odd_names(hooked: Workspace) -> None:
    hooked.write("memory/R\u00e4tsel und mehr.md", "- Untagged.\n")
    hooked.git("add", "-A")

    status, said = commit(hooked, "-m", "x")

    assert status == 1
    assert "memory/R\u00e4tsel und mehr.md:1:1: HG101" in said


def test_rename_with_an_edit(hooked: Workspace) -> None:
    hooked.commit(
        "Add", {"memory/a.md": "# A <!-- src:agent ts:2026-06-05 -->\n\n" + "".join(f"- Fact {n}.\n" for n in range(20))}, env=AS_AGENT
    )
    hooked.git("mv", "memory/a.md", "memory/b.md")
    hooked.git("commit", "-qm", "A pure rename passes", env=AS_AGENT)
    hooked.git("mv", "memory/b.md", "memory/c.md")
    append(hooked, f"- Key {'ghp' + '_' + secrets.token_hex(18)}\n", "memory/c.md")
    hooked.git("add", "-A")

    status, said = commit(hooked, "-m", "x")

    assert status == 1
    assert "memory/c.md:23:7: HG201" in said


def test_carriage_returns(hooked: Workspace) -> None:
    crlf = hooked.read("MEMORY.md").replace("\n", "\r\n")
    hooked.git("config", "core.autocrlf", "false")
    hooked.write("MEMORY.md", crlf + "- One more.\r\n")

    status, said = commit(hooked, "-am", "Line ends")

    assert status == 0, said


def test_identity_files_keep_working(hooked: Workspace) -> None:
    hooked.commit("Identity", {"USER.md": "# User\n\n- Likes tea.\n", "SOUL.md": "# Soul\n\nBe kind.\n"}, env=AS_HUMAN)
    append(hooked, "- Prefers mornings.\n", "USER.md")
    assert commit(hooked, "-qam", "A note about the user")[0] == 0
    append(hooked, "\nBe quick.\n", "SOUL.md")

    status, said = commit(hooked, "-qam", "x")

    assert status == 1
    assert "SOUL.md:5:1: HG301" in said


def test_untouched_old_content_is_never_judged(repo: Workspace, hooked: Workspace) -> None:
    """Adopting an untagged workspace full of old sins blocks nobody."""
    old = f"# Old\n\n- untagged \u200b\n- password is Falcon{secrets.randbelow(900) + 100}!?\n<<<<<<< ours\n- \0\n"
    hooked.git("config", "core.hooksPath", "/dev/null")
    hooked.commit("Old times", {"memory/old.md": old}, env=AS_AGENT)
    hooked.git("config", "--unset", "core.hooksPath")
    append(hooked, "- tagged <!-- src:agent ts:2026-06-05 -->\n", "memory/old.md")

    status, said = commit(hooked, "-am", "One good line")

    assert status == 0, said
    assert "HG" not in said


def test_commit_that_touches_no_memory_gets_no_trailers(hooked: Workspace) -> None:
    hooked.write("src/tool.py", "print()\n")
    hooked.git("add", "-A")

    assert commit(hooked, "-qm", "Code")[0] == 0
    assert hooked.message() == "Code\n"


def test_mode_warn_reports_and_passes(hooked: Workspace) -> None:
    hooked.policy(hooked.read(".hoard.yaml").replace("mode: enforce", "mode: warn"))
    untagged(hooked)

    status, said = commit(hooked, "-am", "x")

    assert status == 0
    assert "HG101" in said
    assert "mode: warn" in said


def test_interpreter_gone_blocks_with_a_way_out(hooked: Workspace) -> None:
    hook = hooked.path / ".git" / "hooks" / "pre-commit"
    text = hook.read_text()
    at = text.index("python=")
    hook.write_text(text[:at] + "python='/nowhere/python'" + text[text.index("\n", at) :])
    append(hooked, GOOD)

    status, said = commit(hooked, "-am", "x")

    assert status != 0
    assert "hoard hooks install" in said
    assert "--no-verify" in said


def test_hooks_of_another_repository_are_not_disturbed(hooked: Workspace, repo: Workspace) -> None:
    """A hook in a linked worktree exports GIT_DIR; nothing of it may leak into other repositories."""
    before = repo.snapshot()
    append(hooked, GOOD)
    assert commit(hooked, "-qam", "x")[0] == 0
    assert repo.snapshot() == before


def test_a_backup_script_passes_without_a_terminal(hooked: Workspace, tmp_path: Path) -> None:
    run(["git", "init", "-q", "--bare", tmp_path / "remote.git"], cwd=tmp_path)
    hooked.git("remote", "add", "origin", tmp_path / "remote.git")
    append(hooked, GOOD)

    done = run(["sh", "-c", "git add -A && git commit -m 'auto backup' && git push -q origin HEAD"], cwd=hooked, env=AS_AGENT)

    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["pre-commit", "prepare-commit-msg", "commit-msg"])
def test_no_verify_passes_when_the_interpreter_is_gone(hooked: Workspace, name: str) -> None:
    for hook in (hooked.path / ".git" / "hooks").iterdir():
        text = hook.read_text()
        at = text.index("python=")
        hook.write_text(text[:at] + "python='/nowhere/python'" + text[text.index("\n", at) :])
    append(hooked, GOOD)

    status, said = commit(hooked, "--no-verify", "-qam", name)

    assert status == 0, said
