"""`hoard verify` over real repositories: who was entitled to what, from which root."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoard_git.app.pin import Pin, read_pin
from hoard_git.app.verify import Verification, verify
from hoard_git.core.model import Oid
from hoard_git.errors import HoardError
from hoard_git.gitio import signatures
from hoard_git.gitio.opening import open_reader
from tests.app.support import AS_AGENT, AS_HUMAN, june
from tests.support.effort import count_calls
from tests.support.repo import MEMORY, Repo, Workspace
from tests.support.signed import AGENT_EDIT, USER_EDIT, Signed
from tests.support.signing import SshKey, merged, policy, sign_with


@pytest.fixture
def repo(tmp_path: Path, ada: SshKey, bot: SshKey) -> Signed:
    return Signed.introduce(tmp_path / "signed", ada, bot)


def look(repo: Repo, text: str = "HEAD", root: str | None = None) -> Verification:
    reader = open_reader(str(repo.path), batch=True)
    return verify(reader, text, read_pin(reader, {}, root), june)


def told(found: Verification) -> list[tuple[str, str, bool, str]]:
    """Kind, rule, entitled and what it rests on, of every act of the range but those of the first policy."""
    return [
        (act.kind, act.code, act.entitled, commit.decided_by) for commit in found.commits if not commit.introduces for act in commit.acts
    ]


# ---------------------------------------------------------------- who was entitled


def test_the_first_policy_and_what_came_with_it(repo: Signed) -> None:
    found = look(repo)
    assert (found.root, found.pin, found.before, found.refused) == (repo.head(), None, 0, 0)
    (first,) = found.commits
    assert first.introduces and first.decided_by == "signature" and first.proof.kind == "good"
    assert {act.kind for act in first.acts} >= {"keys", "user"}
    (step,) = first.steps
    assert step.path == ".hoard.yaml"
    assert "authority: signature" in step.changes


def test_a_users_fact_by_the_users_key(repo: Signed) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    found = look(repo)
    assert told(found) == [("user", "HG301", True, "signature")]
    assert found.commits[-1].proof.fingerprint.startswith("SHA256:")
    assert found.commits[-1].acts[0].what == "edits a user's fact"


def test_an_agents_own_facts_take_nobody(repo: Signed) -> None:
    repo.make({"MEMORY.md": AGENT_EDIT}, None, AS_AGENT)
    assert told(look(repo)) == []
    assert [commit.proof.kind for commit in look(repo).commits] == ["good", "none"]


@pytest.mark.parametrize(("key", "kind"), [("none", "none"), ("bot", "good"), ("eve", "unknown-key")])
def test_a_users_fact_by_anybody_else(repo: Signed, eve: SshKey, key: str, kind: str) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, {"none": None, "bot": repo.bot, "eve": eve}[key])
    found = look(repo)
    assert [(code, entitled) for _kind, code, entitled, _by in told(found)] == [("HG308", False)]
    assert (found.refused, found.commits[-1].proof.kind) == (1, kind)
    assert found.commits[-1].acts[0].hint


def test_a_raised_source_and_a_protected_file(repo: Signed) -> None:
    raised = MEMORY.replace("src:agent", "src:user")
    repo.make({"MEMORY.md": raised}, repo.ada)
    repo.make({"MEMORY.md": MEMORY}, repo.ada)
    repo.make({"MEMORY.md": raised}, None, AS_AGENT)
    repo.make({".mailmap": "Ada <ada@example.org>\n"}, repo.bot)
    found = told(look(repo, "HEAD~4..HEAD"))
    assert ("source", "HG302", True, "signature") in found
    assert ("source", "HG302", False, "none") in found
    assert ("protected", "HG307", False, "signature") in found  # bot's key proves that it was bot


def test_by_the_authors_address_alone(workspace: Workspace) -> None:
    workspace.commit("Change\n", {"MEMORY.md": USER_EDIT})
    workspace.commit("Change\n", {"MEMORY.md": MEMORY.replace("Tuesdays", "Sundays")}, env=AS_AGENT)
    found = look(workspace)
    assert told(found) == [("user", "HG301", True, "author"), ("user", "HG301", False, "none")]


def test_the_policys_chain(repo: Signed, eve: SshKey) -> None:
    rotated = policy(eve.line, repo.bot.line)
    repo.make({".hoard.yaml": rotated}, repo.ada)
    repo.make({".hoard.yaml": rotated + "# a comment\n"}, eve)
    repo.make({".hoard.yaml": policy(repo.ada.line)}, repo.ada)
    steps = [(commit.is_entitled, commit.steps[0].changes) for commit in look(repo).commits if commit.steps]
    assert [good for good, _changes in steps] == [True, True, True, False]
    assert steps[2][1] == ("changes comments or layout only",)
    assert any(change.startswith("adds key SHA256:") for change in steps[1][1])
    assert any(change.startswith("takes key SHA256:") for change in steps[1][1])
    kinds = [act.kind for commit in look(repo).commits[1:] for act in commit.acts]
    assert kinds == ["keys", "policy", "keys"]


def test_a_policy_that_is_taken_away_or_cannot_be_read(repo: Signed) -> None:
    repo.make({".hoard.yaml": "authority: [\n"}, repo.ada)
    found = look(repo, "HEAD^..HEAD")
    assert (found.refused, found.commits[0].steps[0].changes) == (1, ("writes a policy that cannot be read",))
    repo.make({".hoard.yaml": policy(repo.ada.line, repo.bot.line)}, repo.ada)
    repo.make({".hoard.yaml": None}, repo.ada)
    found = look(repo, "HEAD^..HEAD")
    assert (found.refused, found.commits[0].steps[0].changes) == (1, ("takes the policy away",))


def test_a_merge_is_asked_of_all_its_parents(repo: Signed, eve: SshKey) -> None:
    repo.git("checkout", "-qb", "side")
    repo.make({"side.txt": "x\n"}, None, AS_AGENT)
    repo.git("checkout", "-q", "main")
    repo.make({"main.txt": "x\n"}, None, AS_AGENT)
    repo.merge("side", eve, {"MEMORY.md": USER_EDIT})
    assert {(code, entitled) for _kind, code, entitled, _by in told(look(repo, "HEAD^..HEAD"))} == {("HG308", False), ("HG704", False)}
    repo.git("reset", "-q", "--hard", "HEAD^")
    repo.merge("side", repo.ada, {"MEMORY.md": USER_EDIT})
    assert {(code, entitled, by) for _kind, code, entitled, by in told(look(repo, "HEAD^..HEAD"))} == {
        ("HG301", True, "signature"),
        ("HG704", True, "signature"),
    }


def test_a_clean_merge_takes_nobody(repo: Signed) -> None:
    repo.git("checkout", "-qb", "side")
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    repo.git("checkout", "-q", "main")
    repo.make({"main.txt": "x\n"}, None, AS_AGENT)
    repo.merge("side", None)
    found = look(repo)
    assert found.refused == 0
    assert found.commits[-1].acts == ()


def test_what_was_there_before_the_policy_is_not_judged(tmp_path: Path, ada: SshKey) -> None:
    repo = Signed.create(tmp_path / "late")
    repo.make({"MEMORY.md": MEMORY}, None, AS_AGENT)
    repo.make({"MEMORY.md": USER_EDIT}, None, AS_AGENT)
    repo.make({".hoard.yaml": policy(ada.line)}, ada)
    found = look(repo)
    assert (found.before, len(found.commits), found.refused, found.root) == (2, 1, 0, repo.head())


# ---------------------------------------------------------------- what cannot be verified


def test_no_policy_at_all(repo: Signed, tmp_path: Path) -> None:
    bare = Repo.create(tmp_path / "none")
    bare.commit("Text\n", {"a": "b\n"})
    with pytest.raises(HoardError, match="No commit here brings a policy"):
        look(bare)


def test_a_shallow_clone(repo: Signed, tmp_path: Path) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.path}", tmp_path / "shallow")
    with pytest.raises(HoardError, match="shallow"):
        look(Repo(tmp_path / "shallow"))


@pytest.mark.parametrize("what", ["HEAD^", "HEAD^:MEMORY.md", "HEAD^^{tree}"])
def test_a_missing_object(repo: Signed, what: str) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    repo.make({"MEMORY.md": MEMORY}, repo.ada)
    oid = repo.head(what)
    Path(repo.path, ".git/objects", oid[:2], oid[2:]).unlink()
    with pytest.raises(HoardError):
        look(repo)


def test_an_unknown_revision(repo: Signed) -> None:
    with pytest.raises(HoardError, match="Unknown revision"):
        look(repo, "nowhere..HEAD")


def test_an_empty_range(repo: Signed) -> None:
    found = look(repo, "HEAD..HEAD")
    assert (found.commits, found.tip, found.root) == ((), repo.head(), repo.head())


# ---------------------------------------------------------------- the root


def test_a_pinned_root(repo: Signed) -> None:
    root = repo.head()
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    found = look(repo, root=root)
    assert (found.root, found.pin, found.before) == (root, Pin(Oid(root), "option"), 0)
    assert found.refused == 0


def test_a_later_root_ends_the_question_for_what_is_behind_it(repo: Signed) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, None)
    assert look(repo).refused == 1
    repo.make({"a": "b\n"}, repo.ada)
    found = look(repo, root=repo.head())
    assert (found.before, found.refused, len(found.commits)) == (2, 0, 1)


def test_a_new_beginning_is_vouched_for_by_its_pin(repo: Signed, eve: SshKey) -> None:
    """The only key is lost: a policy that nobody could sign, pinned by the people who agreed on it."""
    lost = repo.make({".hoard.yaml": policy(eve.line)}, None)
    repo.make({"MEMORY.md": USER_EDIT}, eve)
    assert look(repo).refused == 1
    found = look(repo, root=lost)
    assert (found.refused, [commit.decided_by for commit in found.commits]) == (0, ["pin", "signature"])


def test_where_a_pin_comes_from(repo: Signed) -> None:
    root = repo.head()
    reader = open_reader(str(repo.path))
    assert read_pin(reader, {}) is None
    assert read_pin(reader, {"HOARD_ROOT": root}) == Pin(Oid(root), "environment")
    repo.git("config", "hoard.root", root)
    reader = open_reader(str(repo.path))
    assert read_pin(reader, {"HOARD_ROOT": root}) == Pin(Oid(root), "environment")
    assert read_pin(reader, {}) == Pin(Oid(root), "config")
    assert read_pin(reader, {}, root) == Pin(Oid(root), "option")
    other = repo.make({"a": "b\n"}, repo.ada)
    with pytest.raises(HoardError, match="pin different roots"):
        read_pin(reader, {"HOARD_ROOT": other})


@pytest.mark.parametrize("text", ["HEAD", "main", "4f2a91", "A" * 40, "4" * 39, "4" * 64, "4" * 41, "-x", "", " ", "\x1b[1m"])
def test_a_pin_is_a_full_name(repo: Signed, text: str) -> None:
    reader = open_reader(str(repo.path))
    with pytest.raises(HoardError, match="full name of a commit") as caught:
        read_pin(reader, {}, text)
    assert "\x1b" not in caught.value.message


def test_an_empty_pin_in_the_configuration_is_none_that_holds(repo: Signed) -> None:
    repo.git("config", "hoard.root", "")
    with pytest.raises(HoardError, match="full name"):
        read_pin(open_reader(str(repo.path)), {})


def test_a_pin_that_is_not_here_or_brings_no_policy(repo: Signed) -> None:
    with pytest.raises(HoardError, match="is not in this repository"):
        look(repo, root="4" * 40)
    with pytest.raises(HoardError, match="is a blob"):
        look(repo, root=repo.head("HEAD:MEMORY.md"))
    repo.git("checkout", "-q", "--orphan", "empty")
    repo.git("rm", "-rfq", ".")
    empty = repo.make({"a": "b\n"}, None)
    with pytest.raises(HoardError, match=r"has no \.hoard\.yaml"):
        look(repo, "main", root=empty)


def _another_root(repo: Signed, key: SshKey) -> str:
    repo.git("checkout", "-q", "--orphan", "other")
    return repo.make({".hoard.yaml": policy(key.line), "MEMORY.md": USER_EDIT}, key)


def test_another_history_that_vouches_for_itself(repo: Signed, eve: SshKey) -> None:
    root = repo.head()
    _another_root(repo, eve)
    assert look(repo, "other").refused == 0  # without a pin the first policy is believed
    with pytest.raises(HoardError, match="is not behind"):
        look(repo, "other", root=root)


@pytest.mark.parametrize("ours", [True, False])
def test_another_root_merged_with_the_right_one(repo: Signed, eve: SshKey, ours: bool) -> None:
    root = repo.head()
    other = _another_root(repo, eve)
    first, second = (root, other) if ours else (other, root)
    repo.git("checkout", "-q", "--detach", first)
    options = ("-s", "ours", "--allow-unrelated-histories", "--no-edit")
    repo.git("merge", "-q", *options, second, env=merged(AS_HUMAN, sign_with(eve)))
    with pytest.raises(HoardError, match=f"{other[:12]} brings one of its own"):
        look(repo, root=root)


def test_a_truncated_history(repo: Signed) -> None:
    """The same files under a new first commit, as a cut-off history has it."""
    root = repo.head()
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    tree = repo.head("HEAD^{tree}")
    cut = repo.git("commit-tree", tree, "-m", "Begin\n", env=merged(AS_HUMAN, sign_with(repo.ada))).stdout.decode().strip()
    with pytest.raises(HoardError, match="another history, or it was cut off"):
        look(repo, cut, root=root)


def test_grafts_and_replace_refs_show_no_other_history(repo: Signed, eve: SshKey) -> None:
    root = repo.head()
    bad = repo.make({"MEMORY.md": USER_EDIT}, eve)
    tip = repo.make({"a": "b\n"}, repo.ada)
    repo.write(".git/info/grafts", f"{tip} {root}\n")
    assert look(repo, root=root).refused == 1
    Path(repo.path, ".git/info/grafts").unlink()
    repo.git("replace", "--graft", tip, root)
    assert repo.line("rev-list", "--count", "HEAD") == "2"  # git itself shows the shorter one
    assert [commit.oid for commit in look(repo, root=root).commits if not commit.is_entitled] == [bad]
    repo.git("replace", "-d", tip)
    own = repo.git("commit-tree", repo.head("HEAD^{tree}"), "-m", "x", env=AS_HUMAN).stdout.decode().strip()
    repo.git("replace", root, own)
    assert look(repo, root=root).root == root


def test_a_commit_graph_file_that_lies(repo: Signed, eve: SshKey, tmp_path: Path) -> None:
    """git walks by that file; what the commits name themselves is what counts."""
    root = repo.head()
    repo.make({"MEMORY.md": USER_EDIT}, eve)
    tip = repo.make({"a": "b\n"}, repo.ada)
    repo.git("commit-graph", "write", "--reachable")
    path = Path(repo.path, ".git/objects/info/commit-graph")
    raw = bytearray(path.read_bytes())
    names = sorted(repo.line("rev-list", "HEAD").split())
    at = raw.index(bytes.fromhex(repo.head(f"{tip}^{{tree}}"))) + 20
    raw[at : at + 4] = names.index(root).to_bytes(4, "big")  # the first parent's place in the list
    path.chmod(0o644)
    path.write_bytes(raw)
    if repo.line("rev-list", "--count", "HEAD") != "2":
        pytest.skip("this git does not take the changed file")
    with pytest.raises(HoardError, match="history is cut off"):
        look(repo)


def test_a_sha256_repository(tmp_path: Path, ada: SshKey, bot: SshKey) -> None:
    made = Signed.introduce(tmp_path / "sha256", ada, bot, "--object-format=sha256")
    root = made.head()
    made.make({"MEMORY.md": USER_EDIT}, made.ada)
    assert look(made, root=root).refused == 0
    with pytest.raises(HoardError, match="64 digits"):
        look(made, root=root[:40])


# ---------------------------------------------------------------- work


def test_the_work_grows_with_the_commits_and_no_faster(repo: Signed, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    real = signatures.verify_ssh

    def counted(batch: list[signatures.Asked]) -> list[bool]:
        asked.append(len(batch))
        return real(batch)

    monkeypatch.setattr("hoard_git.app.proof.verify_ssh", counted)
    for number in range(6):
        repo.make({"MEMORY.md": MEMORY.replace("Tuesdays", f"day {number}")}, repo.ada)
    assert look(repo).refused == 0
    assert sum(asked) == 7  # each once, though a human's commit is judged twice


def test_twice_the_commits_are_twice_the_calls(repo: Signed) -> None:
    def work() -> int:
        return count_calls(lambda: look(repo))[0]

    look(repo)  # what is loaded once does not count
    base = work()
    for number in range(24):
        repo.make({"MEMORY.md": MEMORY.replace("03:30", f"03:30 and {number}")}, None, AS_AGENT)
        if number == 11:
            half = work() - base
    assert (work() - base) / half < 2.4
