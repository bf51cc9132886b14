"""`authority: signature` over real repositories: the key decides who made a commit, by the policy of all its parents, and nothing local has a say."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hoard_git.app.check import Report, check_commits, check_staged, find_range
from hoard_git.app.gate import Gate
from hoard_git.app.proof import Proofs
from hoard_git.core.model import Oid
from hoard_git.core.policy import ActorRule, Policy
from hoard_git.errors import HoardError
from hoard_git.gitio import pgpkeys, signatures
from hoard_git.gitio.opening import open_reader
from tests.app.support import AS_AGENT, AS_HUMAN, june
from tests.support.repo import MEMORY, Repo, Workspace
from tests.support.signed import AGENT_EDIT, USER_EDIT, Signed
from tests.support.signing import (
    SshKey,
    blob_of,
    build_sshsig,
    make_key,
    make_pgp_key,
    merged,
    policy,
    put_signature,
    raw_commit,
    sign_with,
    sshsig,
    string,
    write_commit,
)

needs_gpg = pytest.mark.skipif(shutil.which("gpg") is None, reason="gpg is not installed")
HAS_LIBRARY = importlib.util.find_spec("cryptography") is not None


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proof-keys")


@pytest.fixture(scope="session")
def ada(folder: Path) -> SshKey:
    return make_key(folder, "ada")


@pytest.fixture(scope="session")
def bot(folder: Path) -> SshKey:
    return make_key(folder, "bot")


@pytest.fixture(scope="session")
def eve(folder: Path) -> SshKey:
    return make_key(folder, "eve")


@pytest.fixture(scope="session")
def short_home() -> Iterator[Path]:
    """A folder with a short name: gpg-agent's socket has to fit into 108 bytes."""
    path = Path(tempfile.mkdtemp(prefix="g"))
    yield path
    for home in path.iterdir():
        subprocess.run(["gpgconf", "--homedir", str(home), "--kill", "all"], check=False, capture_output=True, timeout=60)
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def repo(tmp_path: Path, ada: SshKey, bot: SshKey) -> Signed:
    return Signed.introduce(tmp_path / "signed", ada, bot)


def report(repo: Repo, revisions: str) -> Report:
    reader = open_reader(str(repo.path), batch=True)
    return check_commits(reader, find_range(reader, revisions), june, revisions)


def errors(repo: Repo, revisions: str = "HEAD^..HEAD") -> list[str]:
    return sorted({finding.code for finding in report(repo, revisions).findings if finding.severity == "error"})


def why(repo: Repo, revisions: str = "HEAD^..HEAD") -> str:
    return " ".join(f"{f.message}; {f.hint}" for f in report(repo, revisions).findings if f.severity == "error")


# ---------------------------------------------------------------- the cases of the policy prototype


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
    kinds = {proofs.actor(info, _policy_at(repo, parent)).kind for parent in info.parents}
    assert kinds == {"agent"}


def _policy_at(repo: Repo, revision: str) -> Policy:
    from hoard_git.app.policies import read_policies

    reader = open_reader(str(repo.path))
    return read_policies(reader, Oid(repo.head(revision)), ["MEMORY.md"]).govern("MEMORY.md")


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


# ---------------------------------------------------------------- the key decides, the author field is display


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


# ---------------------------------------------------------------- the introducing commit, and policies that cannot hold


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
    workspace.policy(policy("k").replace('["k"]', '["k"]'))
    assert errors(workspace) == ["HG307"]
    assert "leaves no human" in why(workspace)


# ---------------------------------------------------------------- malformed objects (HG705)


def _forge(repo: Signed, key: SshKey) -> tuple[bytes, bytes]:
    """An unsigned commit that changes a user's fact, in bytes, and a good signature for it."""
    repo.make({"MEMORY.md": USER_EDIT}, None)
    raw = raw_commit(repo)
    return raw, sshsig(key, raw)


def test_a_signature_that_is_put_in_by_hand_is_as_good_as_gits(repo: Signed) -> None:
    raw, armour = _forge(repo, repo.ada)
    write_commit(repo, put_signature(raw, armour))
    assert errors(repo) == []


@pytest.mark.parametrize("order", ["human first", "agent first", "same twice"])
def test_two_signatures(repo: Signed, order: str) -> None:
    raw, armour = _forge(repo, repo.ada)
    other = sshsig(repo.bot, raw)
    pair = {"human first": (armour, other), "agent first": (other, armour), "same twice": (armour, armour)}[order]
    write_commit(repo, put_signature(put_signature(raw, pair[0]), pair[1]))
    assert errors(repo) == ["HG308", "HG705"]
    assert "2 gpgsig lines" in why(repo)


def test_a_junk_header_beside_a_good_signature(repo: Signed) -> None:
    raw, armour = _forge(repo, repo.ada)
    write_commit(repo, put_signature(put_signature(raw, armour), b"junk", b"gpgsig-sha256"))
    assert errors(repo) == ["HG308", "HG705"]


def test_two_armours_in_one_header(repo: Signed) -> None:
    raw, armour = _forge(repo, repo.ada)
    write_commit(repo, put_signature(raw, armour + armour))
    assert errors(repo) == ["HG308"]


@pytest.mark.parametrize("armour", [b"", b"junk", b"-----BEGIN SIGNED MESSAGE-----\nx\n-----END SIGNED MESSAGE-----"])
def test_a_header_without_a_signature(repo: Signed, armour: bytes) -> None:
    raw, _armour = _forge(repo, repo.ada)
    write_commit(repo, put_signature(raw, armour))
    assert "HG308" in errors(repo)


def test_two_authors_one_of_them_human(repo: Signed) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, None, AS_AGENT)
    head, _, rest = raw_commit(repo).partition(b"author ")
    for extra in (b"author Ada Example <ada@example.org> 1781100000 +0000\n",):
        write_commit(repo, head + extra + b"author " + rest)
        assert "HG705" in errors(repo)
        author, _, more = rest.partition(b"\n")
        write_commit(repo, head + b"author " + author + b"\n" + extra + more)
        assert "HG705" in errors(repo)


def test_a_malformed_commit_is_refused_without_memory_and_under_authority_author(workspace: Workspace) -> None:
    workspace.commit("Text\n", {"a.txt": "b\n"})
    write_commit(workspace, raw_commit(workspace) + b"seen\0unseen\n")
    found = [finding for finding in report(workspace, "HEAD^..HEAD").findings if finding.severity == "error"]
    assert [(finding.code, finding.path, finding.commit) for finding in found] == [("HG705", "", workspace.head())]


def test_the_signed_bytes_are_the_commits_own(repo: Signed) -> None:
    """A good signature of the human's, moved to another commit."""
    raw, armour = _forge(repo, repo.ada)
    write_commit(repo, put_signature(raw + b"More.\n", armour))
    assert errors(repo) == ["HG308"]
    assert "does not fit the commit" in why(repo)


def test_a_signature_for_files_is_none_for_commits(repo: Signed) -> None:
    raw, _armour = _forge(repo, repo.ada)
    write_commit(repo, put_signature(raw, sshsig(repo.ada, raw, "file")))
    assert errors(repo) == ["HG308"]
    assert "not for git" in why(repo)


def test_the_humans_public_key_with_the_agents_signature(repo: Signed) -> None:
    raw, _armour = _forge(repo, repo.ada)
    blob = blob_of(sshsig(repo.bot, raw)).replace(repo.bot.blob, repo.ada.blob)
    inner = blob[blob.index(b"sha512") + 10 :]
    write_commit(repo, put_signature(raw, build_sshsig(repo.ada.blob, inner)))
    assert errors(repo) == ["HG308"]


# ---------------------------------------------------------------- nothing local has a say


def test_19_a_faked_gpg_ssh_program_changes_nothing(repo: Signed, eve: SshKey) -> None:
    fake = repo.write(".git/fake", '#!/bin/sh\necho "Good \\"git\\" signature for ada@example.org with ED25519 key SHA256:x"\nexit 0\n')
    fake.chmod(0o755)
    repo.make({"MEMORY.md": USER_EDIT}, eve)
    allowed = repo.write(".git/allowed", f"ada@example.org {eve.line}\n")
    for name, value in {
        "gpg.ssh.program": str(fake),
        "gpg.program": str(fake),
        "gpg.openpgp.program": str(fake),
        "gpg.format": "ssh",
        "gpg.ssh.allowedSignersFile": str(allowed),
        "gpg.minTrustLevel": "undefined",
    }.items():
        repo.git("config", name, value)
    assert repo.line("log", "-1", "--format=%G?") == "G"  # git itself is deceived
    assert errors(repo) == ["HG308"]


def test_19_good_signatures_stay_good_when_git_is_told_otherwise(repo: Signed) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    for name in ("gpg.ssh.program", "gpg.program"):
        repo.git("config", name, "/bin/false")
    repo.git("config", "gpg.format", "openpgp")
    repo.git("config", "gpg.ssh.revocationFile", str(repo.write(".git/revoked", repo.ada.line + "\n")))
    assert errors(repo) == []


def test_19_a_mailmap_changes_nobody(repo: Signed) -> None:
    text = "Ada Example <ada@example.org> <clawd@agents.example>\n"
    mailmap = repo.write(".git/mailmap", text)
    repo.git("config", "mailmap.file", str(mailmap))
    repo.write(".mailmap", text)
    repo.make({"MEMORY.md": USER_EDIT}, None, AS_AGENT)
    assert errors(repo) == ["HG301"]


def test_grafts_change_no_parent(repo: Signed) -> None:
    root = repo.head()
    repo.make({"MEMORY.md": USER_EDIT}, None)
    bad = repo.head()
    repo.make({"a": "b\n"}, None, AS_AGENT)
    repo.write(".git/info/grafts", f"{repo.head()} {root}\n")
    found = report(repo, f"{root}..HEAD").findings
    assert {(finding.code, finding.commit) for finding in found if finding.severity == "error"} == {("HG308", bad)}


def test_a_replace_ref_shows_no_other_commit(repo: Signed) -> None:
    good = repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    repo.git("checkout", "-q", "--detach", "HEAD^")
    bad = repo.make({"MEMORY.md": USER_EDIT}, None)
    repo.git("replace", bad, good)
    assert errors(repo, f"{bad}^..{bad}") == ["HG308"]
    repo.git("update-ref", f"refs/replace/{good}", bad)
    repo.git("update-ref", "-d", f"refs/replace/{bad}")
    assert errors(repo, f"{good}^..{good}") == []


def test_04_a_reader_that_lies_about_a_commit_is_noticed(repo: Signed) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    reader = open_reader(str(repo.path))
    info = reader.commit(Oid(repo.head()))
    assert Proofs(reader).check(info, _policy_at(repo, "HEAD")).kind == "good"
    assert Proofs(reader).check(info._replace(message=b"Another\n"), _policy_at(repo, "HEAD")).kind == "bad"


# ---------------------------------------------------------------- before the signature exists


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


# ---------------------------------------------------------------- security keys


@pytest.mark.skipif(not HAS_LIBRARY, reason="the extra `sign` (cryptography) is not installed")
@pytest.mark.parametrize(
    ("options", "flags", "kind"),
    [("", 1, "good"), ("", 0, "bad"), ("no-touch-required ", 0, "good"), ("verify-required ", 1, "bad"), ("verify-required ", 5, "good")],
)
def test_a_security_key_that_nobody_touched(repo: Signed, options: str, flags: int, kind: str) -> None:
    import base64
    import hashlib

    from cryptography.hazmat.primitives.asymmetric import ed25519
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    from tests.support.signing import to_be_signed

    raw, _armour = _forge(repo, repo.ada)
    private = ed25519.Ed25519PrivateKey.generate()
    name = b"sk-ssh-ed25519@openssh.com"
    blob = string(name) + string(private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)) + string(b"ssh:")
    ending = bytes([flags]) + (9).to_bytes(4, "big")
    value = private.sign(hashlib.sha256(b"ssh:").digest() + ending + hashlib.sha256(to_be_signed(raw)).digest())
    oid = write_commit(repo, put_signature(raw, build_sshsig(blob, string(name) + string(value) + ending)))
    line = f"{options}{name.decode()} {base64.b64encode(blob).decode()} token"
    reader = open_reader(str(repo.path))
    rules = Policy(authority="signature", actors=(ActorRule("Ada", "human", (), (line,)),))
    assert Proofs(reader).check(reader.commit(Oid(oid)), rules).kind == kind


# ---------------------------------------------------------------- PGP


@needs_gpg
class TestPgp:
    def test_a_humans_pgp_key(self, tmp_path: Path, short_home: Path, bot: SshKey) -> None:
        key = make_pgp_key(short_home / "h", "ada")
        repo = Signed.create(tmp_path / "pgp")
        repo.make({".hoard.yaml": policy(key.line, bot.line), "MEMORY.md": MEMORY}, key)
        repo.make({"MEMORY.md": USER_EDIT}, key)
        assert errors(repo, "HEAD") == []
        repo.make({"MEMORY.md": USER_EDIT.replace("Fridays", "Mondays")}, None)
        assert errors(repo) == ["HG308"]

    def test_19_a_web_flow_key_is_nobodys(self, repo: Signed, short_home: Path) -> None:
        """A forge signs what its web page makes; its key is not in the policy, so its commits are nobody's."""
        forge = make_pgp_key(short_home / "h", "web-flow")
        repo.make({"MEMORY.md": USER_EDIT}, forge)
        assert errors(repo) == ["HG308"]
        assert "does not list" in why(repo)

    def test_19_a_web_flow_key_beside_a_listed_pgp_key(self, tmp_path: Path, short_home: Path) -> None:
        key, forge = make_pgp_key(short_home / "h", "ada"), make_pgp_key(short_home / "h", "web-flow")
        repo = Signed.create(tmp_path / "pgp")
        repo.make({".hoard.yaml": policy(key.line), "MEMORY.md": MEMORY}, key)
        repo.make({"MEMORY.md": USER_EDIT}, forge)
        assert errors(repo) == ["HG308"]

    def test_an_altered_commit_and_a_signature_twice(self, tmp_path: Path, short_home: Path) -> None:
        key = make_pgp_key(short_home / "h", "ada")
        rules = Policy(authority="signature", actors=(ActorRule("Ada", "human", (), (key.text,)),))
        repo = Signed.create(tmp_path / "pgp")
        repo.make({"a": "b\n"}, key)
        raw = raw_commit(repo)
        reader = open_reader(str(repo.path))

        def kind(text: bytes) -> str:
            return Proofs(reader).check(reader.commit(Oid(write_commit(repo, text))), rules).kind

        assert kind(raw) == "good"
        assert kind(raw + b"More\n") == "bad"
        start, end = raw.index(b"gpgsig ") + 7, raw.index(b"-----END PGP SIGNATURE-----") + 27
        armour = raw[start:end]
        assert kind(raw.replace(armour, armour + b"\n " + armour)) == "bad"

    def test_an_expired_key_proves_nothing(self, tmp_path: Path, short_home: Path) -> None:
        home = short_home / "late"
        home.mkdir(mode=0o700)
        (home / "gpg.conf").write_text("faked-system-time 20200101T120000\n")
        key = make_pgp_key(home, "late", "1d")
        repo = Signed.create(tmp_path / "pgp")
        repo.make({"a": "b\n"}, key)
        reader = open_reader(str(repo.path))
        found = Proofs(reader).check(reader.commit(Oid(repo.head())), Policy(actors=(ActorRule("Late", "human", (), (key.text,)),)))
        assert (found.kind, found.detail) == ("bad", "its key has expired")

    def test_without_gpg_a_listed_pgp_key_cannot_be_checked(
        self, tmp_path: Path, short_home: Path, ada: SshKey, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        key = make_pgp_key(short_home / "h", "ada")
        repo = Signed.create(tmp_path / "pgp")
        repo.make({"a": "b\n"}, key)
        monkeypatch.setattr(pgpkeys, "find_program", lambda _name: "")
        reader = open_reader(str(repo.path))
        info = reader.commit(Oid(repo.head()))
        with pytest.raises(HoardError, match="gpg is not on PATH"):
            Proofs(reader).check(info, Policy(actors=(ActorRule("Ada", "human", (), (key.text,)),)))
        assert Proofs(reader).check(info, Policy(actors=(ActorRule("Ada", "human", (), (ada.line,)),))).kind == "unknown-key"

    def test_no_gpg_configuration_of_the_user_has_a_say(self, repo: Signed, short_home: Path, hermetic: Path) -> None:
        key = make_pgp_key(short_home / "h", "ada")
        repo.make({"a": "b\n"}, key)
        (hermetic / ".gnupg").mkdir(mode=0o700)
        (hermetic / ".gnupg/gpg.conf").write_text("ignore-valid-from\nthis is no option\n")
        reader = open_reader(str(repo.path))
        found = Proofs(reader).check(reader.commit(Oid(repo.head())), Policy(actors=(ActorRule("Ada", "human", (), (key.text,)),)))
        assert (found.kind, found.actor, found.fingerprint) == ("good", "Ada", key.fingerprint)

    def test_a_key_that_is_no_key_is_nobodys(self, tmp_path: Path, short_home: Path) -> None:
        key = make_pgp_key(short_home / "h", "ada")
        with_junk = (ActorRule("Junk", "human", (), (_armoured(b"\x98\x05junk!"),)), ActorRule("Ada", "human", (), (key.text,)))
        repo = Signed.create(tmp_path / "pgp")
        repo.make({"a": "b\n"}, key)
        reader = open_reader(str(repo.path))
        assert Proofs(reader).check(reader.commit(Oid(repo.head())), Policy(actors=with_junk)).actor == "Ada"


def _armoured(data: bytes) -> str:
    import base64

    return f"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{base64.b64encode(data).decode()}\n-----END PGP PUBLIC KEY BLOCK-----"


# ---------------------------------------------------------------- many commits


@pytest.mark.parametrize(
    "engine", [pytest.param("library", marks=pytest.mark.skipif(not HAS_LIBRARY, reason="no cryptography")), "program"]
)
def test_a_range_is_checked_ahead_and_every_commit_once(repo: Signed, eve: SshKey, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        repo.make({"MEMORY.md": MEMORY.replace("Tuesdays", f"day {number}")}, eve if number == 3 else repo.ada)
    asked: list[int] = []
    real = signatures.verify_ssh

    def counted(batch: list[signatures.Asked]) -> list[bool]:
        asked.append(len(batch))
        return real(batch, engine=engine)

    monkeypatch.setattr(signatures, "_has_library", lambda: engine == "library")
    monkeypatch.setattr("hoard_git.app.proof.verify_ssh", counted)
    found = report(repo, "HEAD~6..HEAD").findings
    assert [(f.code, f.commit) for f in found if f.severity == "error"] == [("HG308", repo.head("HEAD~2"))]
    assert asked == ([5] if engine == "program" else [1] * 5)


def test_nothing_is_verified_where_no_policy_asks(workspace: Workspace, ada: SshKey, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_batch: object) -> list[bool]:
        raise AssertionError

    monkeypatch.setattr("hoard_git.app.proof.verify_ssh", never)
    workspace.commit("Change\n", {"MEMORY.md": USER_EDIT}, env=sign_with(ada))
    assert errors(workspace) == []


def test_a_single_commit_is_judged_without_a_range(repo: Signed) -> None:
    from hoard_git.app.check import judge_commit

    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    reader = open_reader(str(repo.path))
    judgement = judge_commit(Gate(reader, days=june), reader.commit(Oid(repo.head())))
    assert judgement.actor.is_human
    assert [finding.code for finding in judgement.findings if finding.severity == "error"] == []


# ---------------------------------------------------------------- history says what is proved


def test_history_tells_who_is_proved(repo: Signed, eve: SshKey) -> None:
    import json

    from tests.support.repo import run_hoard

    repo.make({"MEMORY.md": USER_EDIT}, repo.ada, AS_AGENT)
    repo.make({"MEMORY.md": USER_EDIT.replace("Fridays", "Mondays")}, eve)
    repo.make({"MEMORY.md": USER_EDIT.replace("Fridays", "Mondays").replace("03:30", "04:30")}, None, AS_AGENT)

    said = run_hoard("log", "--json", cwd=repo)
    rows = [json.loads(line) for line in said.stdout.decode().splitlines()]
    by = {row["commit"]: (row["author"]["kind"], row["author"]["verified"]) for row in rows}
    assert [by[repo.head(rev)] for rev in ("HEAD~3", "HEAD~2", "HEAD~1", "HEAD")] == [
        ("human", True),
        ("human", True),
        ("agent", False),
        ("agent", False),
    ]
    lines = [json.loads(line) for line in run_hoard("blame", "--json", "MEMORY.md", cwd=repo).stdout.decode().splitlines()]
    claims = {line["text"]: (line["author"]["verified"], line["verdict"]) for line in lines if line["text"].startswith("- ")}
    assert claims["- Answers are short and in English."] == (True, "agree")
    assert claims["- The newsletter goes out on Mondays."] == (False, "unverified")
