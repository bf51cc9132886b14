"""`authority: signature` over real repositories: the cases of the policy prototype."""

from __future__ import annotations

import pytest

from hoard_git.app.check import check_commits
from hoard_git.app.proof import Proofs
from hoard_git.core.model import Oid
from hoard_git.gitio.opening import open_reader
from tests.app.proof.support import errors, policy_at, report, why
from tests.app.support import AS_AGENT, AS_HUMAN, june
from tests.support.repo import MEMORY
from tests.support.signed import AGENT_EDIT, USER_EDIT, Signed
from tests.support.signing import (
    SshKey,
    merged,
    policy,
    sign_with,
)


def test_prototype_a_human_edits_and_signs(repo: Signed) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    assert errors(repo, "HEAD") == []


def test_prototype_an_agent_edits_its_own_without_any_signature(repo: Signed) -> None:
    repo.make({"MEMORY.md": AGENT_EDIT}, None, AS_AGENT)
    assert errors(repo) == []


def test_prototype_unsigned_commit_in_a_humans_name(repo: Signed) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, None)
    assert errors(repo) == ["HG308"]
    assert "the commit has no signature" in why(repo)


def test_prototype_signed_by_the_agent_in_a_humans_name(repo: Signed) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, repo.bot)
    assert errors(repo) == ["HG308"]
    assert "lists as an agent" in why(repo)


def test_prototype_02_a_key_is_added_and_used_in_one_commit(repo: Signed, eve: SshKey) -> None:
    repo.make({".hoard.yaml": policy(eve.line, repo.bot.line), "MEMORY.md": USER_EDIT}, eve)
    assert errors(repo) == ["HG307", "HG308"]
    assert "a key that .hoard.yaml does not list" in why(repo)


def test_prototype_a_key_is_added_by_its_owner_then_used(repo: Signed, eve: SshKey) -> None:
    repo.make({".hoard.yaml": policy(eve.line, repo.bot.line)}, eve)
    assert errors(repo) == ["HG307"]
    repo.make({"MEMORY.md": USER_EDIT}, eve)
    found = report(repo, "HEAD~2..HEAD").findings
    assert [finding.code for finding in found if finding.severity == "error"] == ["HG307"]  # the range is refused at its first commit


def test_a_key_is_added_by_the_human_then_used(repo: Signed, eve: SshKey) -> None:
    both = policy(repo.ada.line, repo.bot.line).replace(f'"{repo.ada.line}"', f'"{repo.ada.line}", "{eve.line}"')
    repo.make({".hoard.yaml": both}, repo.ada)
    repo.make({"MEMORY.md": USER_EDIT}, eve)
    assert errors(repo, "HEAD") == []


def test_prototype_07_a_users_fact_is_relabelled_first(repo: Signed) -> None:
    repo.make({"MEMORY.md": MEMORY.replace("src:user", "src:agent")}, None, AS_AGENT)
    assert errors(repo) == ["HG301"]


def test_prototype_an_agents_fact_is_raised(repo: Signed) -> None:
    repo.make({"MEMORY.md": MEMORY.replace("src:agent", "src:user")}, repo.bot, AS_AGENT)
    assert "HG302" in errors(repo)


@pytest.mark.parametrize("signed", [False, True])
def test_prototype_the_policy_is_removed(repo: Signed, signed: bool) -> None:
    repo.make({".hoard.yaml": None}, repo.ada if signed else None)
    assert errors(repo) == ["HG307"]


@pytest.mark.parametrize("text", ["", "version: 1\n", "actors: []\n", "authority: signature\n"])
@pytest.mark.parametrize("signed", [False, True])
def test_the_policy_is_emptied(repo: Signed, text: str, signed: bool) -> None:
    repo.make({".hoard.yaml": text}, repo.ada if signed else None)
    assert errors(repo) == ["HG307"]


@pytest.mark.parametrize("name", ["hoard.yaml", "old/.hoard.yaml", ".hoard.yml"])
def test_the_policy_is_renamed(repo: Signed, name: str) -> None:
    repo.make({".hoard.yaml": None, name: policy(repo.ada.line)}, repo.ada)
    assert "HG307" in errors(repo)


def test_the_policy_is_renamed_and_what_follows_has_no_human(repo: Signed) -> None:
    repo.make({".hoard.yaml": None, "hoard.yaml": "x: 1\n"}, None)
    repo.make({"MEMORY.md": USER_EDIT}, None)
    assert errors(repo, "HEAD~2..HEAD~1") == ["HG307"]
    assert errors(repo) == ["HG301"]


def test_prototype_06_merge_s_ours_by_a_key_of_nobody(repo: Signed, eve: SshKey) -> None:
    """What the merge takes back is HG704's; here, that its maker counts as an agent under both policies."""
    repo.git("checkout", "-qb", "side")
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    repo.git("checkout", "-q", "main")
    repo.make({"other.txt": "x\n"}, None, AS_AGENT)
    repo.git("merge", "-q", "-s", "ours", "--no-edit", "side", env=merged(AS_HUMAN, sign_with(eve)))
    reader = open_reader(str(repo.path))
    info = reader.commit(Oid(repo.head()))
    proofs = Proofs(reader)
    kinds = {proofs.actor(info, policy_at(repo, parent)).kind for parent in info.parents}
    assert kinds == {"agent"}


@pytest.mark.parametrize("key", ["none", "bot", "eve"])
def test_prototype_05_evil_merge(repo: Signed, eve: SshKey, key: str) -> None:
    repo.git("checkout", "-qb", "side")
    repo.make({"notes.txt": "x\n"}, None, AS_AGENT)
    repo.git("checkout", "-q", "main")
    repo.make({"other.txt": "x\n"}, None, AS_AGENT)
    repo.merge("side", {"none": None, "bot": repo.bot, "eve": eve}[key], {"MEMORY.md": USER_EDIT})
    assert len(repo.line("rev-list", "--parents", "-1", "HEAD").split()) == 3
    assert "HG308" in errors(repo)


def test_prototype_a_clean_merge_of_a_humans_branch_needs_no_signature(repo: Signed) -> None:
    repo.git("checkout", "-qb", "side")
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    repo.git("checkout", "-q", "main")
    repo.make({"other.txt": "x\n"}, None, AS_AGENT)
    repo.merge("side", None)
    assert errors(repo, "HEAD") == []


@pytest.mark.parametrize("key", ["eve", "none"])
@pytest.mark.parametrize("ours", [True, False])
def test_prototype_an_orphan_root(repo: Signed, eve: SshKey, key: str, ours: bool) -> None:
    """A root of one's own, made the first parent of a merge with the real history, which the branch then only moves forward to."""
    main = repo.head()
    repo.git("checkout", "-q", "--orphan", "other")
    signer = eve if key == "eve" else None
    repo.make({".hoard.yaml": policy(eve.line, authority="signature" if signer else "author"), "MEMORY.md": USER_EDIT}, signer)
    own = repo.head()
    first, second = (own, main) if ours else (main, own)
    repo.git("checkout", "-q", "--detach", first)
    signing = sign_with(eve) if signer else {}
    repo.git("merge", "-q", "-s", "ours", "--allow-unrelated-histories", "--no-edit", second, env=merged(AS_HUMAN, signing))
    repo.git("checkout", "-q", own, "--", ".hoard.yaml", "MEMORY.md")
    repo.git("commit", "-q", "--amend", "--no-edit", env=merged(AS_HUMAN, signing))
    assert "HG307" in errors(repo, f"{main}..HEAD")
    reader = open_reader(str(repo.path), batch=True)
    merge_alone = check_commits(reader, reader.rev_list(["HEAD"], [main, own]), june, "").findings
    assert "HG307" in {finding.code for finding in merge_alone}


@pytest.mark.parametrize("stale_first", [True, False])
@pytest.mark.parametrize("key", ["ada", "eve", "none"])
def test_a_merge_does_not_bring_a_replaced_policy_back(repo: Signed, eve: SshKey, key: str, stale_first: bool) -> None:
    repo.git("checkout", "-qb", "old")
    repo.make({"old": "x\n"}, None, AS_AGENT)
    stale = repo.show("HEAD", ".hoard.yaml").decode()
    repo.git("checkout", "-q", "main")
    repo.make({".hoard.yaml": policy(eve.line, repo.bot.line)}, repo.ada)
    first, second = ("old", "main") if stale_first else ("main", "old")
    repo.git("checkout", "-q", "--detach", first)
    repo.merge(second, {"ada": repo.ada, "eve": eve, "none": None}[key], {".hoard.yaml": stale}, "-s", "ours")
    assert "HG307" in errors(repo, "main..HEAD")
    repo.git("checkout", "-q", "--detach", first)
    repo.merge(second, None)
    assert errors(repo, "main..HEAD") == []  # taking over what one side changed is nobody's decision


def test_prototype_a_users_block_moves_verbatim_by_an_agent(repo: Signed) -> None:
    block = MEMORY[MEMORY.index("## Preferences") : MEMORY.index("## Infrastructure")]
    files = {"MEMORY.md": MEMORY.replace(block, ""), "memory/preferences.md": "# Preferences of the house\n\n" + block}
    repo.make(files, None, AS_AGENT)
    assert [code for code in errors(repo) if code in ("HG301", "HG302", "HG308")] == []
