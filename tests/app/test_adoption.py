"""Commits before the first policy, broken policies, and second roots."""

from __future__ import annotations

import pytest

from tests.support.environment import identity
from tests.support.repo import POLICY, Repo, Workspace, run_hoard

AS_AGENT = identity(Workspace.agent)
AS_HUMAN = identity(Workspace.human)
OLD = "# Old\n\n- Untagged and long there.\n"
GOOD = "# A <!-- src:agent ts:unknown -->\n\n- One.\n"


def adopted(repo: Repo) -> Repo:
    repo.commit("Old times", {"memory/old.md": OLD}, env=AS_AGENT)
    repo.commit("More old times", {"memory/old.md": OLD + "- Another.\n"}, env=AS_AGENT)
    repo.commit("Adopt", {".hoard.yaml": POLICY}, env=AS_HUMAN)
    return repo


def test_commits_before_the_first_policy_are_not_judged(repo: Repo) -> None:
    adopted(repo)

    for words in (("--range", "HEAD"), ("--commit", "HEAD~2"), ("--range", "0" * 40 + "..HEAD")):
        done = run_hoard("check", *words, cwd=repo)
        assert done.returncode == 0, done.stdout
        assert b"before the first policy" in done.stderr


def test_what_follows_the_policy_is_judged(repo: Repo) -> None:
    adopted(repo)
    repo.commit("New", {"memory/new.md": OLD}, env=AS_AGENT)

    done = run_hoard("check", "--range", "HEAD", cwd=repo)

    assert done.returncode == 1
    assert b"memory/new.md:3:1: HG101" in done.stdout
    assert b"memory/old.md" not in done.stdout


def test_without_any_policy_everything_is_judged(repo: Repo) -> None:
    repo.commit("Old times", {"memory/old.md": OLD}, env=AS_AGENT)

    assert run_hoard("check", "--range", "HEAD", cwd=repo).returncode == 1


def test_removing_the_policy_frees_nobody(workspace: Workspace) -> None:
    workspace.commit("Away", {".hoard.yaml": None}, env=AS_AGENT)
    workspace.commit("Free", {"memory/new.md": OLD}, env=AS_AGENT)
    workspace.commit("Back", {".hoard.yaml": POLICY}, env=AS_AGENT)

    done = run_hoard("check", "--range", "HEAD", cwd=workspace)

    assert done.returncode == 1
    assert b"HG307" in done.stdout
    assert b"memory/new.md:3:1: HG101" in done.stdout


def test_a_second_root_with_a_policy_of_its_own_is_refused(workspace: Workspace) -> None:
    workspace.git("checkout", "-q", "--orphan", "other")
    workspace.git("rm", "-rqf", ".")
    mine = POLICY.replace("ada@example.org", "clawd@agents.example").replace(
        "emails: [clawd@agents.example]}\n  - {name: clawd", "emails: [x@y.example]}\n  - {name: clawd"
    )
    workspace.commit("My own rules", {".hoard.yaml": mine, "memory/x.md": GOOD}, env=AS_AGENT)
    workspace.git("checkout", "-q", "main")
    workspace.git("merge", "-q", "--allow-unrelated-histories", "-X", "ours", "-m", "Merge", "other", env=AS_AGENT)

    done = run_hoard("check", "--range", "main~1..main", cwd=workspace)

    assert done.returncode == 1
    assert b".hoard.yaml: HG307 agent adds the policy" in done.stdout


def test_a_broken_policy_does_not_get_in(workspace: Workspace) -> None:
    assert run_hoard("hooks", "install", cwd=workspace).returncode == 0
    workspace.write(".hoard.yaml", POLICY + "bogus: 1\n")

    done = workspace.git("commit", "-qam", "Break it", env=AS_HUMAN, check=False)

    assert done.returncode == 1
    assert b".hoard.yaml" in done.stderr
    assert b"HG307" in done.stderr
    assert b"bogus" in done.stderr


def test_a_broken_policy_that_got_in_is_reported_and_can_be_mended(workspace: Workspace) -> None:
    workspace.policy(POLICY + "bogus: 1\n")
    done = run_hoard("check", "--commit", "HEAD", cwd=workspace)
    assert done.returncode == 1
    assert b"the new policy cannot be read" in done.stdout
    assert run_hoard("hooks", "install", cwd=workspace).returncode == 0
    workspace.write("memory/new.md", OLD)
    workspace.git("add", "-A")
    bad = workspace.git("commit", "-qm", "Judged all the same", env=AS_AGENT, check=False)
    assert bad.returncode == 1
    assert b"HG101" in bad.stderr
    workspace.git("rm", "-qf", "memory/new.md")
    workspace.write(".hoard.yaml", POLICY)

    mended = workspace.git("commit", "-qam", "Mend it", env=AS_HUMAN, check=False)

    assert mended.returncode == 0, mended.stderr
    assert run_hoard("check", "--range", "HEAD~1..HEAD", cwd=workspace).returncode == 0


def test_a_merge_cannot_take_the_policy_back(workspace: Workspace) -> None:
    workspace.policy(POLICY.replace("mode: enforce", "mode: warn"))
    workspace.git("branch", "side")
    workspace.policy(POLICY)
    workspace.git("checkout", "-q", "side")
    workspace.commit("Side", {"memory/a.md": GOOD}, env=AS_AGENT)
    workspace.git("checkout", "-q", "main")
    workspace.git("merge", "-q", "--no-commit", "--no-ff", "side", env=AS_AGENT)
    workspace.write(".hoard.yaml", POLICY.replace("mode: enforce", "mode: warn"))
    workspace.git("add", "-A")
    workspace.git("commit", "-qm", "Merge", env=AS_AGENT)

    done = run_hoard("check", "--commit", "HEAD", cwd=workspace)

    assert done.returncode == 1
    assert b"HG307" in done.stdout


def test_a_merge_takes_over_a_humans_new_policy(workspace: Workspace) -> None:
    workspace.git("checkout", "-qb", "side")
    workspace.policy(POLICY.replace("timezone: UTC", "timezone: Europe/Berlin"))
    workspace.git("checkout", "-q", "main")
    workspace.commit("Main", {"memory/a.md": GOOD}, env=AS_AGENT)
    workspace.git("merge", "-q", "-m", "Merge", "side", env=AS_AGENT)

    assert run_hoard("check", "--commit", "HEAD", cwd=workspace).returncode == 0


@pytest.mark.parametrize("first", ["main", "feature"])
def test_a_branch_from_before_the_policy_is_merged(repo: Repo, first: str) -> None:
    """Whichever parent comes first: the other side has the policy, so nobody brings one."""
    adopted(repo)
    repo.git("checkout", "-q", "-b", "feature", "HEAD^")
    repo.commit("Code", {"a.py": "print(1)\n"}, env=AS_AGENT)
    repo.git("checkout", "-q", first)
    repo.git("merge", "-q", "--no-edit", "--no-ff", "feature" if first == "main" else "main", env=AS_AGENT)

    for words in ("check", "--range", "HEAD"), ("check", "--range", "HEAD^..HEAD"), ("verify",):
        done = run_hoard(*words, cwd=repo)
        assert done.returncode == 0, done.stdout


def test_such_a_merge_slips_nothing_in(repo: Repo) -> None:
    adopted(repo)
    repo.git("checkout", "-q", "-b", "feature", "HEAD^")
    repo.commit("Code", {"a.py": "print(1)\n"}, env=AS_AGENT)
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-commit", "--no-ff", "feature", env=AS_AGENT)
    repo.commit("Merge", {".hoard.yaml": POLICY.replace("kind: agent", "kind: human")}, env=AS_AGENT)

    for words in ("--range", "HEAD"), ("--range", "HEAD^..HEAD"):
        done = run_hoard("check", *words, cwd=repo)
        assert done.returncode == 1, done.stdout
        assert b"HG307 agent changes the policy" in done.stdout
