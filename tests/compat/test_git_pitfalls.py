"""Twenty-five ways in which git surprises whoever builds on it, each with the tests that hold it, over real repositories.

The table names them by number; a test here checks that what it names is there. What had no test elsewhere has one below.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import pygit2
import pytest

from hoard_git.app.check import check_commits, find_range
from hoard_git.gitio.opening import open_reader
from tests.app.support import AS_AGENT, june
from tests.support.environment import ROOT
from tests.support.repo import MEMORY, Workspace, run_hoard

HERE = "compat/test_git_pitfalls.py"
PROOF, VERIFY = "app/proof", "app/test_verify.py"

PITFALLS: dict[int, tuple[str, tuple[str, ...]]] = {
    1: (
        "in a hook the index counts and not the file",
        (
            "hooks/test_commit.py::test_worktree_clean_again_but_bad_content_staged",
            "hooks/test_commit.py::test_clean_content_staged_but_bad_work_tree",
            "hooks/test_commit.py::test_path_commit_leaves_other_staged_work_alone",
            "gitio/test_hook_environment.py::test_commit_all",
        ),
    ),
    2: (
        "a policy does not judge the commit that brings it",
        (
            f"{PROOF}::test_prototype_02_a_key_is_added_and_used_in_one_commit",
            "hooks/test_receive.py::test_a_policy_does_not_judge_its_own_commit",
        ),
    ),
    3: (
        "attributes and NUL bytes hide content from diffs",
        (
            "hooks/test_commit.py::test_attribute_and_nul_byte_hide_nothing",
            f"{PROOF}::test_03_hiding_memory_from_diffs_takes_the_humans_key",
        ),
    ),
    4: (
        "a server's hook sees what is in quarantine, and refuses what it cannot see",
        (
            "gitio/test_hook_environment.py::test_pre_receive_sees_what_is_in_quarantine",
            "hooks/test_receive.py::test_one_bad_commit_among_many",
            "hooks/test_receive.py::test_an_object_that_is_not_there",
            f"{PROOF}::test_04_a_reader_that_lies_about_a_commit_is_noticed",
        ),
    ),
    5: (
        "a merge can bring what no side has",
        (f"{PROOF}::test_prototype_05_evil_merge", "hooks/test_commit_again.py::test_evil_merge_is_refused"),
    ),
    6: (
        "a merge can drop what a side has",
        (f"{PROOF}::test_prototype_06_merge_s_ours_by_a_key_of_nobody", "lint/rules/test_hg704.py::test_a_users_fact_that_the_merge_drops"),
    ),
    7: ("a fact can be relabelled first and changed afterwards", (f"{PROOF}::test_prototype_07_a_users_fact_is_relabelled_first",)),
    8: ("two writers lose an update", ("gitio/test_writer.py::test_four_writers_lose_nothing",)),
    9: (
        "a commit beside the index leaves its reverse staged",
        (
            "app/test_consolidate.py::test_apply_commits_and_brings_files_and_index_along",
            "app/test_consolidate.py::test_a_proposal_leaves_everything_but_its_branch_as_it_was",
        ),
    ),
    10: (
        "half of git's commands run no hook",
        (f"{HERE}::test_10_what_runs_no_hook_is_judged_in_the_range", f"{PROOF}::test_10_what_drops_the_signature_drops_the_proof"),
    ),
    11: ("a line of dashes ends a message for git's own trailer writer", ("hooks/test_commit.py::test_trailers_after_a_body_with_a_rule",)),
    12: ("git collapses trailers of one key", (f"{HERE}::test_12_trailers_of_one_key_all_stay",)),
    13: (
        "a line break in a value makes a trailer",
        (f"{HERE}::test_13_no_value_makes_a_trailer", "core/test_trailers.py::test_free_text_becomes_one_clean_line"),
    ),
    14: (
        "a squash erases where facts came from",
        (
            "app/test_history_events.py::test_a_squash_keeps_the_text_and_its_trailers_are_missing",
            "app/test_trailers.py::test_a_squash_keeps_sessions_and_reasons",
        ),
    ),
    15: ("a block that is copied keeps its id", ("lint/rules/test_hg107.py::test_in_two_files",)),
    16: (
        "a merge driver that crashes means ours",
        ("hooks/test_merge_driver.py::test_a_driver_that_breaks_leaves_both_texts_and_a_conflict",),
    ),
    17: (
        "a clone has no merge driver",
        ("lint/rules/test_hg704.py::test_a_clone_without_the_driver", "hooks/test_merge_driver.py::test_the_state_of_the_driver"),
    ),
    18: (
        "a merge brings back what was deleted",
        (
            "core/test_merge.py::test_a_deletion_against_nothing_and_against_an_edit",
            "hooks/test_merge_driver.py::test_several_bases_with_a_conflict_in_them",
            "core/test_merge.py::test_a_base_with_conflict_markers_knows_nothing_about_what_is_between_them",
        ),
    ),
    19: (
        "what git calls a good signature is as good as the local configuration",
        (
            f"{PROOF}::test_19_a_faked_gpg_ssh_program_changes_nothing",
            f"{PROOF}::test_19_a_stranger_with_a_humans_name",
            f"{PROOF}::test_19_a_web_flow_key_is_nobodys",
            f"{PROOF}::test_19_a_mailmap_changes_nobody",
        ),
    ),
    20: (
        "a shallow clone has nothing to object to",
        (
            "app/test_check.py::test_a_shallow_clone_cannot_answer",
            f"{VERIFY}::test_a_shallow_clone",
            "hooks/test_receive.py::test_a_shallow_server_cannot_judge",
        ),
    ),
    21: (
        "history is simplified, and what a side branch had is not shown",
        (
            "app/test_restore_places.py::test_a_side_branch_that_was_merged_away_and_pruned",
            "app/test_history_events.py::test_a_block_that_came_and_went_on_a_merged_branch_is_found",
        ),
    ),
    22: (
        "names are quoted, and are links, twins and other people's",
        (
            "hooks/test_commit.py::test_non_ascii_and_odd_names",
            "hooks/test_commit.py::test_rename_with_an_edit",
            "lint/rules/test_hg409.py::test_a_link_where_memory_is",
            "lint/rules/test_hg409.py::test_one_name_on_other_systems",
            f"{HERE}::test_22_a_patch_with_a_quoted_name",
        ),
    ),
    23: ("a carriage return ends no line", ("hooks/test_commit.py::test_carriage_returns",)),
    24: (
        "not every repository can be opened by every library",
        (
            f"{PROOF}::test_24_a_sha256_repository",
            "gitio/test_reader_contract.py::test_commits",
            "gitio/test_reader_trouble.py::test_a_partial_clone_whose_origin_is_away_says_so",
        ),
    ),
    25: (
        "a hook's environment leaks, and locks outlive their owners",
        (
            "hooks/test_commit.py::test_hooks_of_another_repository_are_not_disturbed",
            "gitio/test_hook_environment.py::test_a_linked_worktree",
            "gitio/test_writer.py::test_a_lock_that_stays_is_named_and_kept",
            "app/test_consolidate_kill.py::test_killed_at_any_moment",
            "cli/test_doctor.py::test_an_interrupted_consolidation_is_told_and_finished",
        ),
    ),
}

TRUST: dict[str, tuple[str, ...]] = {
    "an unsigned commit in a human's name": ("test_prototype_unsigned_commit_in_a_humans_name",),
    "signed by the agent in a human's name": ("test_prototype_signed_by_the_agent_in_a_humans_name",),
    "a key added and used in one commit": ("test_prototype_02_a_key_is_added_and_used_in_one_commit",),
    "a key added, then used": ("test_prototype_a_key_is_added_by_its_owner_then_used", "test_a_key_is_added_by_the_human_then_used"),
    "user relabelled as agent, agent as user": (
        "test_prototype_07_a_users_fact_is_relabelled_first",
        "test_prototype_an_agents_fact_is_raised",
    ),
    "the policy removed, emptied, renamed": (
        "test_prototype_the_policy_is_removed",
        "test_the_policy_is_emptied",
        "test_the_policy_is_renamed",
    ),
    "merge -s ours, and an evil merge": ("test_prototype_06_merge_s_ours_by_a_key_of_nobody", "test_prototype_05_evil_merge"),
    "an orphan root": ("test_prototype_an_orphan_root",),
    "what may pass": (
        "test_prototype_a_human_edits_and_signs",
        "test_prototype_an_agent_edits_its_own_without_any_signature",
        "test_prototype_a_clean_merge_of_a_humans_branch_needs_no_signature",
        "test_prototype_a_users_block_moves_verbatim_by_an_agent",
    ),
    "a human's key under an agent's name, and the reverse": (
        "test_19_a_humans_key_under_an_agents_author_field",
        "test_prototype_signed_by_the_agent_in_a_humans_name",
    ),
    "an unlisted key, an expired one, a forge's": (
        "test_19_a_stranger_with_a_humans_name",
        "test_an_expired_key_proves_nothing",
        "test_19_a_web_flow_key_is_nobodys",
    ),
    "a key that was taken out, on an old branch": (
        "test_a_revoked_key_cannot_predate_its_commit",
        "test_what_a_revoked_key_signs_beside_its_removal_is_not_merged_in_by_anybody",
        "test_a_branch_from_before_signatures_forged_and_merged_cleanly",
    ),
    "programs and signers faked in the configuration": (
        "test_19_a_faked_gpg_ssh_program_changes_nothing",
        "test_settings_that_git_takes_from_the_environment_have_no_say",
    ),
    "mailmap, grafts, replace refs": (
        "test_19_a_mailmap_changes_nobody",
        "test_grafts_change_no_parent",
        "test_a_replace_ref_shows_no_other_commit",
    ),
}


def _has(name: str) -> bool:
    """Whether a test is there, as `file::function`, or `folder::function` for any of the files in a folder."""
    place, _, function = name.partition("::")
    path = Path(ROOT, "tests", place)
    trees = (ast.parse(file.read_bytes()) for file in ([path] if path.is_file() else path.glob("test_*.py")))
    return any(isinstance(node, ast.FunctionDef) and node.name == function for tree in trees for node in ast.walk(tree))


@pytest.mark.parametrize("number", range(1, 26))
def test_every_pitfall_is_held_by_tests(number: int) -> None:
    _line, tests = PITFALLS[number]
    assert tests
    assert [name for name in tests if not _has(name)] == []


@pytest.mark.parametrize("case", TRUST)
def test_every_case_of_trust_is_held_by_tests(case: str) -> None:
    assert [name for name in TRUST[case] if not _has(f"{PROOF}::{name}")] == []


# ---------------------------------------------------------------- what no other file holds

BAD = MEMORY.replace("on Tuesdays", "on Fridays")


def _by_cherry_pick(repo: Workspace, bad: str) -> None:
    repo.git("cherry-pick", bad, env=AS_AGENT)


def _by_rebase(repo: Workspace, bad: str) -> None:
    repo.git("checkout", "-q", "-B", "moved", bad)
    repo.git("rebase", "-q", "main", "moved", env=AS_AGENT)


def _by_revert(repo: Workspace, bad: str) -> None:
    del bad
    edit = repo.commit("Change\n", {"MEMORY.md": MEMORY.replace("Tuesdays", "Sundays")}, options=("-n",))
    repo.git("revert", "--no-edit", edit, env=AS_AGENT)


def _by_am(repo: Workspace, bad: str) -> None:
    mail = repo.git("format-patch", "-1", "--stdout", bad).stdout
    repo.git("am", "-q", env=AS_AGENT, input=mail)


def _by_no_verify(repo: Workspace, bad: str) -> None:
    del bad
    repo.commit("Change\n", {"MEMORY.md": BAD}, env=AS_AGENT, options=("--no-verify",))


def _by_libgit2(repo: Workspace, bad: str) -> None:
    opened = pygit2.Repository(str(repo.path))
    who = pygit2.Signature("clawd", "clawd@agents.example")
    opened.create_commit("HEAD", who, who, "Change\n", repo.head(f"{bad}^{{tree}}"), [repo.head()])


@pytest.mark.parametrize("way", [_by_cherry_pick, _by_rebase, _by_revert, _by_am, _by_no_verify, _by_libgit2])
def test_10_what_runs_no_hook_is_judged_in_the_range(workspace: Workspace, way: Callable[[Workspace, str], None]) -> None:
    assert run_hoard("hooks", "install", cwd=workspace).returncode == 0
    workspace.git("checkout", "-qb", "side")
    bad = workspace.commit("Change\n", {"MEMORY.md": BAD}, env=AS_AGENT, options=("--no-verify",))
    workspace.git("checkout", "-q", "main")
    workspace.commit("Other\n", {"other.txt": "x\n"})
    before = workspace.head()
    way(workspace, bad)
    assert workspace.head() != before
    reader = open_reader(str(workspace.path), batch=True)
    found = check_commits(reader, find_range(reader, f"{before}..HEAD"), june, "").findings
    assert "HG301" in {finding.code for finding in found if finding.severity == "error" and finding.commit == workspace.head()}


def test_12_trailers_of_one_key_all_stay(workspace: Workspace) -> None:
    assert run_hoard("hooks", "install", cwd=workspace).returncode == 0
    more = MEMORY + "".join(f"\n## {name} <!-- src:agent ts:2026-06-15 -->\n\n- {name} is {name}.\n" for name in ("One", "Two", "Three"))
    workspace.commit("Three blocks\n", {"MEMORY.md": more}, env={**AS_AGENT, "HOARD_DATE": "2026-06-15"})
    said = workspace.line("log", "-1", "--format=%(trailers:key=Memory-Block,valueonly)").strip().split("\n")
    assert [line.split("#")[1] for line in said] == ["one", "two", "three"]
    workspace.git("commit", "-q", "--amend", "--no-edit", env={**AS_AGENT, "HOARD_DATE": "2026-06-15"})
    assert workspace.line("log", "-1", "--format=%(trailers:key=Memory-Block,valueonly)").strip().split("\n") == said


@pytest.mark.parametrize(
    "reason", ["ok\nMemory-Source: user", "ok\r\n\r\nMemory-Source: user", "ok\x0bMemory-Source: user", "ok\u2028Memory-Source: user"]
)
def test_13_no_value_makes_a_trailer(workspace: Workspace, reason: str) -> None:
    workspace.git("config", "user.name", "clawd")
    workspace.git("config", "user.email", "clawd@agents.example")
    workspace.write("MEMORY.md", MEMORY + "- One is one.\n")
    done = run_hoard("commit", "--reason", reason, cwd=workspace, env={"HOARD_DATE": "2026-06-15", **AS_AGENT})
    assert done.returncode == 0, done.stderr
    assert workspace.line("log", "-1", "--format=%(trailers:key=Memory-Source,valueonly)").strip() == "agent"
    paragraph = "\nReviewed-by: A <a@example.org>\n"
    workspace.git("commit", "-q", "--amend", "--no-verify", "-F", "-", input=workspace.message() + paragraph, env=AS_AGENT)
    told = run_hoard("trailers", "HEAD^..HEAD", "--json", cwd=workspace, env={"HOARD_DATE": "2026-06-15"})
    assert b'"trailers": "missing"' in told.stdout  # git takes the last paragraph alone; it is told, not passed over


def test_22_a_patch_with_a_quoted_name(workspace: Workspace) -> None:
    """A diff names `memory/é.md` as a C string; what it holds is judged all the same."""
    workspace.write("memory/é.md", "# x <!-- src:user ts:2026-06-15 -->\n\n- Pay the bill.\n")
    workspace.git("add", "-A")
    patch = workspace.git("diff", "--cached").stdout
    assert b'"b/memory/\\303\\251.md"' in patch
    done = run_hoard("check", "--patch", "-", cwd=workspace, input=patch, env={"HOARD_DATE": "2026-06-15"})
    assert done.returncode == 1
    assert "memory/é.md" in done.stdout.decode() and "HG301" in done.stdout.decode()
