"""A commit of upkeep that git makes again: a rebase or an amend runs the message hooks over trailers that are there already."""

from __future__ import annotations

from tests.hooks.conftest import AS_AGENT
from tests.support.repo import Workspace, run_hoard

OLD = "# T\n\n## Db <!-- src:agent ts:2025-01-01 ttl:30d -->\n\n- The mail server is old\n- new one here <!-- src:agent ts:2026-06-01 -->\n"
OTHER = {"memory/other.md": "# Other <!-- src:agent ts:2026-06-09 -->\n\n- Something else\n"}


def consolidated(hooked: Workspace) -> str:
    """A consolidation on a branch of its own, and a main branch that has moved on."""
    hooked.commit("Grow\n", {"memory/t.md": OLD}, author=Workspace.agent)
    hooked.git("switch", "-q", "-c", "upkeep")
    done = run_hoard("consolidate", "--steps", "expire", "--apply", cwd=hooked, env=AS_AGENT)
    assert done.returncode == 0, done.stderr
    hooked.git("switch", "-q", "-")
    main = hooked.commit("Go on\n", OTHER, author=Workspace.agent)
    hooked.git("switch", "-q", "upkeep")
    return main


def test_a_rebase_keeps_what_it_was_and_proves_it_anew(hooked: Workspace) -> None:
    main = consolidated(hooked)
    before = hooked.message()
    hooked.git("rebase", "-q", main, env=AS_AGENT)

    assert hooked.head("HEAD^") == main
    assert "Memory-Op: consolidate\n" in hooked.message()
    assert [line for line in hooked.message().split("\n") if "Digest" in line] == [line for line in before.split("\n") if "Digest" in line]
    checked = run_hoard("check", "--commit", "HEAD", cwd=hooked)
    assert checked.returncode == 0, checked.stdout


def test_another_change_under_the_same_message_is_an_ordinary_write_with_a_proof_of_its_own(hooked: Workspace) -> None:
    consolidated(hooked)
    hooked.write("memory/t.md", hooked.read("memory/t.md") + "- One more <!-- src:agent ts:2026-06-09 -->\n")
    hooked.git("add", "-A")
    hooked.git("commit", "-q", "--amend", "--no-edit", env=AS_AGENT)

    assert "Memory-Op: write\n" in hooked.message()
    checked = run_hoard("check", "--commit", "HEAD", cwd=hooked)
    assert checked.returncode == 0, checked.stdout


def test_a_typed_operation_without_a_fitting_digest_counts_for_nothing(hooked: Workspace) -> None:
    message = f"Note\n\nMemory-Op: consolidate\nMemory-Source: agent\nMemory-Digest: sha256:{'0' * 64}\n"
    hooked.commit(message, OTHER, author=Workspace.agent)
    assert "Memory-Op: write\n" in hooked.message()
