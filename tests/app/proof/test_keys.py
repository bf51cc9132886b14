"""The key decides who made a commit, by the policy of all its parents, and author and committer are display."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoard_git.app.check import check_staged
from hoard_git.app.proof import Proofs
from hoard_git.core.model import Oid
from hoard_git.core.policy import ActorRule, Policy
from hoard_git.gitio.opening import open_reader
from tests.app.proof.support import errors, why
from tests.app.support import AS_AGENT, AS_HUMAN, june
from tests.support.repo import MEMORY, Workspace
from tests.support.signed import AGENT_EDIT, USER_EDIT, Signed
from tests.support.signing import (
    SshKey,
    merged,
    policy,
    raw_commit,
    sign_with,
)


def test_19_a_humans_key_under_an_agents_author_field(repo: Signed) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada, AS_AGENT)
    assert errors(repo) == []


def test_19_a_stranger_with_a_humans_name(repo: Signed, eve: SshKey) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, eve)
    assert errors(repo) == ["HG308"]
    assert "SHA256:" in why(repo)


def test_revocation_is_removal_from_the_policy(repo: Signed, eve: SshKey) -> None:
    repo.make({".hoard.yaml": policy(eve.line, repo.bot.line)}, repo.ada)
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    assert errors(repo, "HEAD~2..HEAD~1") == []
    assert errors(repo) == ["HG308"]
    assert errors(repo, "HEAD~2") == []  # what was signed before stays proved


def test_a_revoked_key_cannot_predate_its_commit(repo: Signed, eve: SshKey) -> None:
    repo.make({".hoard.yaml": policy(eve.line, repo.bot.line)}, repo.ada)
    old = {"GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000"}
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada, merged(AS_HUMAN, old))
    assert errors(repo) == ["HG308"]


def test_a_branch_from_before_the_removal_does_not_bring_the_key_back(repo: Signed, eve: SshKey) -> None:
    """In a merge a key must be listed by the policies of all parents."""
    repo.git("checkout", "-qb", "old")
    repo.make({"old": "x\n"}, None, AS_AGENT)
    repo.git("checkout", "-q", "main")
    repo.make({".hoard.yaml": policy(eve.line, repo.bot.line)}, repo.ada)
    for first, second in (("main", "old"), ("old", "main")):
        repo.git("checkout", "-q", "--detach", first)
        repo.make({f"{first}.txt": "x\n"}, None, AS_AGENT)
        repo.merge(second, repo.ada, {"MEMORY.md": USER_EDIT})
        assert "HG308" in errors(repo), first
        repo.git("checkout", "-q", "--detach", first)
        repo.make({f"{first}.txt": "y\n"}, None, AS_AGENT)
        repo.merge(second, eve, {"MEMORY.md": USER_EDIT})
        assert "HG308" in errors(repo), first


@pytest.mark.parametrize("stale_first", [True, False])
@pytest.mark.parametrize(("key", "expected"), [("none", ["HG308"]), ("ada", ["HG308"]), ("bot", ["HG308"]), ("eve", [])])
def test_what_a_revoked_key_signs_beside_its_removal_is_not_merged_in_by_anybody(
    repo: Signed, eve: SshKey, key: str, expected: list[str], stale_first: bool
) -> None:
    """A stolen key still fits the policy of an old parent; a clean merge is nobody's act and would carry its fact in."""
    repo.git("branch", "old")
    repo.make({".hoard.yaml": policy(eve.line, repo.bot.line)}, repo.ada)
    repo.git("checkout", "-q", "old")
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    first, second = ("old", "main") if stale_first else ("main", "old")
    repo.git("checkout", "-q", "--detach", first)
    repo.merge(second, {"none": None, "ada": repo.ada, "bot": repo.bot, "eve": eve}[key])
    assert errors(repo, "main..HEAD") == expected
    if expected:
        assert "was taken out since" in why(repo, "main..HEAD")


@pytest.mark.parametrize("first", ["one", "two"])
def test_parents_that_disagree_whose_key_it_is(repo: Signed, first: str) -> None:
    """A key is a human's for a merge only if every parent's policy says so."""
    repo.git("branch", "one")
    repo.git("checkout", "-qb", "two")
    swapped = policy(repo.bot.line, repo.ada.line)
    repo.make({".hoard.yaml": swapped}, repo.ada)
    repo.git("checkout", "-q", first)
    repo.make({"x.txt": "x\n"}, None, AS_AGENT)
    repo.merge("two" if first == "one" else "one", repo.ada, {"MEMORY.md": USER_EDIT, ".hoard.yaml": swapped})
    assert "HG308" in errors(repo)


def test_a_branch_from_before_signatures_forged_and_merged_cleanly(tmp_path: Path, ada: SshKey, bot: SshKey) -> None:
    """On a parent that believes addresses anybody is Ada; the merge into a history that asks for her key is not to believe it."""
    repo = Signed.create(tmp_path / "late")
    repo.make({".hoard.yaml": policy(ada.line, bot.line, authority="author"), "MEMORY.md": MEMORY}, None)
    repo.git("branch", "old")
    repo.make({".hoard.yaml": policy(ada.line, bot.line)}, None)
    repo.git("checkout", "-q", "old")
    repo.make({"MEMORY.md": USER_EDIT, ".mailmap": "Ada <a@example.org>\n"}, None)
    repo.git("checkout", "-q", "main")
    repo.merge("old", None)
    assert errors(repo, "HEAD^..HEAD") == ["HG307", "HG308"]
    repo.git("reset", "-q", "--hard", "HEAD^")
    repo.merge("old", ada)
    assert errors(repo, "HEAD^..HEAD") == []


def test_an_old_branch_with_an_agents_facts_and_one_where_a_key_is_new_are_merged_by_anybody(repo: Signed, eve: SshKey) -> None:
    repo.git("branch", "old")
    repo.make({".hoard.yaml": policy(eve.line, repo.bot.line)}, repo.ada)
    repo.git("checkout", "-q", "old")
    repo.make({"MEMORY.md": AGENT_EDIT}, None, AS_AGENT)
    repo.git("checkout", "-q", "main")
    repo.merge("old", None)
    assert errors(repo, "HEAD^..HEAD") == []
    repo.git("checkout", "-q", "--detach", "HEAD^")
    repo.make({"MEMORY.md": USER_EDIT}, eve)
    new = repo.head()
    repo.git("checkout", "-q", "old")
    repo.merge(new, None)
    assert errors(repo, f"{new}..HEAD") == []


def test_a_branch_from_before_signatures_were_asked_for_does_not_waive_them(tmp_path: Path, ada: SshKey, bot: SshKey) -> None:
    """One parent's rule says HG301 and the other's HG308 about the same act; the merge must not slip through between them."""
    repo = Signed.create(tmp_path / "late")
    repo.make({".hoard.yaml": policy(ada.line, bot.line, authority="author"), "MEMORY.md": MEMORY}, None)
    repo.git("checkout", "-qb", "old")
    repo.make({"old": "x\n"}, None, AS_AGENT)
    repo.git("checkout", "-q", "main")
    repo.make({".hoard.yaml": policy(ada.line, bot.line)}, None)
    for change in (USER_EDIT, MEMORY.replace("- The newsletter goes out on Tuesdays.\n", "")):
        for first, second in (("main", "old"), ("old", "main")):
            repo.git("checkout", "-q", "--detach", first)
            repo.make({f"{first}.txt": change[-9:] + first}, None, AS_AGENT)
            repo.merge(second, None, {"MEMORY.md": change})
            assert {"HG301", "HG308"} & set(errors(repo)), first
            repo.git("checkout", "-q", "--detach", first)
            repo.make({f"{first}.txt": change[-9:] + first}, None, AS_AGENT)
            repo.merge(second, ada, {"MEMORY.md": change})
            assert not {"HG301", "HG308"} & set(errors(repo)), first


def test_a_key_that_a_human_shares_with_an_agent_is_the_agents(tmp_path: Path, ada: SshKey) -> None:
    repo = Signed.create(tmp_path / "shared")
    repo.make({".hoard.yaml": policy(ada.line, ada.line.replace(" ada", " bot")), "MEMORY.md": MEMORY}, ada)
    repo.make({"MEMORY.md": USER_EDIT}, ada)
    assert errors(repo) == ["HG308"]


def test_actors_without_names_are_told_apart_by_their_keys(tmp_path: Path, ada: SshKey, bot: SshKey) -> None:
    rules = (ActorRule("", "human", ("ada@example.org",), (ada.line,)), ActorRule("", "agent", ("clawd@agents.example",), (bot.line,)))
    repo = Signed.create(tmp_path / "nameless")
    repo.make({"a": "b\n"}, ada)
    repo.make({"a": "c\n"}, bot)
    reader = open_reader(str(repo.path))
    proofs = Proofs(reader)
    kinds = [
        proofs.actor(reader.commit(Oid(repo.head(rev))), Policy(authority="signature", actors=rules)).kind for rev in ("HEAD^", "HEAD")
    ]
    assert kinds == ["human", "agent"]


def test_03_hiding_memory_from_diffs_takes_the_humans_key(repo: Signed) -> None:
    repo.make({".gitattributes": "*.md -diff\n"}, None)
    assert "HG307" in errors(repo)
    assert "the commit has no signature" in why(repo)


@pytest.mark.parametrize("act", ["rebase", "cherry-pick", "amend"])
def test_10_what_drops_the_signature_drops_the_proof(repo: Signed, act: str) -> None:
    repo.git("checkout", "-qb", "side")
    signed = repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    repo.git("checkout", "-q", "main")
    repo.make({"other.txt": "x\n"}, None, AS_AGENT)
    main = repo.head()
    if act == "rebase":
        repo.git("rebase", "-q", "main", "side")
    elif act == "cherry-pick":
        repo.git("cherry-pick", signed)
    else:
        repo.git("checkout", "-q", signed)
        main = repo.head("HEAD^")
        repo.git("commit", "-q", "--amend", "--no-edit")
    assert errors(repo, f"{main}..HEAD") == ["HG308"]
    repo.git("commit", "-q", "--amend", "--no-edit", "-S", env=sign_with(repo.ada))
    assert errors(repo, f"{main}..HEAD") == []


def test_24_a_sha256_repository(tmp_path: Path, ada: SshKey, bot: SshKey) -> None:
    repo = Signed.create(tmp_path / "sha256", "--object-format=sha256")
    repo.make({".hoard.yaml": policy(ada.line, bot.line), "MEMORY.md": MEMORY}, ada)
    repo.make({"MEMORY.md": USER_EDIT}, ada)
    assert b"gpgsig-sha256 " in raw_commit(repo)
    assert errors(repo, "HEAD") == []
    repo.make({"MEMORY.md": USER_EDIT.replace("Fridays", "Mondays")}, bot)
    assert errors(repo) == ["HG308"]


def test_settings_that_git_takes_from_the_environment_have_no_say(repo: Signed, eve: SshKey, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, eve)
    allowed = repo.write(".git/allowed", f"ada@example.org {eve.line}\n")
    monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'gpg.ssh.allowedsignersfile'='{allowed}'")
    assert repo.line("log", "-1", "--format=%G?") == "G"
    assert errors(repo) == ["HG308"]


@pytest.mark.parametrize(
    ("signer", "expected"), [("ada", set()), ("bot", {"HG301", "HG307"}), ("eve", {"HG307", "HG308"}), ("", {"HG307", "HG308"})]
)
def test_the_first_policy_is_signed_by_a_human_that_it_lists(
    tmp_path: Path, ada: SshKey, bot: SshKey, eve: SshKey, signer: str, expected: set[str]
) -> None:
    repo = Signed.create(tmp_path / "first")
    key = {"ada": ada, "bot": bot, "eve": eve}.get(signer)
    repo.make({".hoard.yaml": policy(ada.line, bot.line), "MEMORY.md": MEMORY}, key, AS_AGENT if signer == "bot" else AS_HUMAN)
    assert set(errors(repo, "HEAD")) - {"HG304"} == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("k", "not an SSH key"),
        ("SHA256:47DEQpj8HBSa", "not an SSH key"),
        ('valid-before=\\"20200101\\" {key}', "take the key out"),
        ("touch-required {key}", "only a security key"),
        ("-----BEGIN PGP PUBLIC KEY BLOCK----- x -----END PGP PUBLIC KEY BLOCK-----", "damaged"),
    ],
)
def test_a_key_that_can_never_prove_anything_does_not_get_in(repo: Signed, text: str, said: str) -> None:
    line = text.format(key=repo.ada.line)
    both = policy(repo.ada.line, repo.bot.line).replace(f'"{repo.ada.line}"', f'"{repo.ada.line}", "{line}"')
    repo.make({".hoard.yaml": both}, repo.ada)
    assert errors(repo) == ["HG307"]
    assert said in why(repo)
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    assert errors(repo) == []  # it counts for nobody and stands in nobody's way


def test_signatures_are_switched_on_only_with_a_key_that_works(workspace: Workspace, ada: SshKey) -> None:
    workspace.policy(policy("k"))
    assert errors(workspace) == ["HG307"]
    assert "leaves no human" in why(workspace)


def test_a_human_passes_pre_commit_with_a_note(repo: Signed) -> None:
    repo.stage({"MEMORY.md": USER_EDIT})
    reader = open_reader(str(repo.path))
    found = check_staged(reader, june, {})
    assert [finding.code for finding in found.findings if finding.severity == "error"] == []
    from hoard_git.app.hookrun import judge_staged, verdict
    from hoard_git.gitio.plumbing import PlumbingReader

    said = verdict(judge_staged(PlumbingReader(str(repo.path)), {"HOARD_DATE": "2026-06-15"}).judgement)
    assert not said.blocks and "unproven until signed" in said.note


def test_an_agent_on_the_humans_machine_does_not(repo: Signed) -> None:
    repo.stage({"MEMORY.md": USER_EDIT})
    found = check_staged(open_reader(str(repo.path)), june, {"CLAUDECODE": "1"})
    assert [finding.code for finding in found.findings if finding.severity == "error"] == ["HG308"]
