"""`hoard init`: makes or adopts a workspace wherever it is run, commits only what it made, and says what it left alone."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

import pytest

from hoard_git.app.setup import Choices, Outcome, set_up
from hoard_git.errors import HoardError
from tests.app.support import add_hook, june
from tests.support.repo import Repo, run, run_hoard

STARTERS = [".gitattributes", ".hoard.yaml", "HEARTBEAT.md", "MEMORY.md"]


def init(path: Path, *, environ: dict[str, str] | None = None, **choices: object) -> Outcome:
    return set_up(str(path), Choices(**choices), june, environ or {})  # type: ignore[arg-type]


def committed(repo: Repo, revision: str = "HEAD") -> list[str]:
    return repo.line("show", "--format=", "--name-only", revision).splitlines()


def findings_of_range(repo: Repo, revisions: str = "HEAD") -> list[str]:
    done = run_hoard("--date", "2026-06-15", "check", "--range", revisions, "--format", "json", cwd=repo)
    return [row["code"] for row in json.loads(done.stdout)["findings"]]


def test_a_new_directory(tmp_path: Path) -> None:
    outcome = init(tmp_path / "new" / "workspace")

    repo = Repo(tmp_path / "new" / "workspace")
    assert outcome.root == str(repo.path)
    assert committed(repo) == STARTERS
    assert repo.line("log", "-1", "--format=%an <%ae> %ce") == "Ada Example <ada@example.org> ada@example.org"
    assert repo.line("log", "-1", "--format=%(trailers:key=Memory-Op,valueonly)").strip() == "adopt"
    assert findings_of_range(repo) == []
    assert (repo.line("config", "user.name"), repo.line("config", "user.email")) == ("workspace agent", "agent@workspace.invalid")
    assert repo.line("status", "--porcelain") == ""
    assert run_hoard("--date", "2026-06-15", "check", "--strict", cwd=repo).returncode == 0


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    init(tmp_path / "w")
    repo = Repo(tmp_path / "w")
    before = repo.snapshot()
    config = repo.read(".git/config")

    outcome = init(tmp_path / "w")

    assert (outcome.done, outcome.oid) == ((), None)
    assert len(outcome.left) == 4, outcome.left
    assert repo.snapshot() == before
    assert repo.read(".git/config") == config


def test_an_existing_repository_keeps_its_files_and_what_is_staged(repo: Repo) -> None:
    repo.commit("First", {"README.md": "# R\n", "MEMORY.md": "# Mine\n\n- untagged\n"})
    repo.stage({"staged.txt": "x\n", "README.md": "# R2\n"})
    repo.write("HEARTBEAT.md", "- mine, untracked\n")

    outcome = init(repo.path)

    assert committed(repo) == [".gitattributes", ".hoard.yaml"]
    assert repo.read("MEMORY.md") == "# Mine\n\n- untagged\n"
    assert repo.line("status", "--porcelain").splitlines() == ["M  README.md", "A  staged.txt", "?? HEARTBEAT.md"]
    assert findings_of_range(repo, "HEAD~1..HEAD") == []
    assert outcome.next == ("hoard check", "hoard tag --dry-run")
    assert any(line.startswith("MEMORY.md is there already") for line in outcome.left)


def test_an_untracked_memory_is_recorded_as_found_before_the_policy(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "w")
    (repo.path / "memory").mkdir(parents=True)
    repo.write("MEMORY.md", "# Old\n\n- untagged\n")
    repo.write("memory/a.md", "- untagged, too\n")
    repo.write("notes.txt", "mine\n")

    outcome = init(repo.path)

    assert committed(repo, "HEAD~1") == ["MEMORY.md", "memory/a.md"]
    assert committed(repo) == [".gitattributes", ".hoard.yaml", "HEARTBEAT.md"]
    assert repo.line("log", "-1", "--format=%an %s%n%(trailers:key=Memory-Op)", "HEAD~1").split("\n")[:2] == [
        "Ada Example Record memory as found",
        "Memory-Op: adopt",
    ]
    assert repo.line("status", "--porcelain") == "?? notes.txt"
    assert findings_of_range(repo) == []
    assert any("recorded memory as found (2 files)" in line for line in outcome.done)

    # and then as docs/how-to/adopt-a-workspace.md goes on
    assert run_hoard("--date", "2026-06-15", "tag", cwd=repo).returncode == 0
    assert "+# Old  <!-- src:agent ts:unknown -->" in repo.line("diff").splitlines()
    done = run_hoard("--date", "2026-06-15", "commit", "-m", "Tag memory", cwd=repo)
    assert (done.returncode, done.stdout.count(b"HG")) == (0, 0), done.stdout
    assert set(findings_of_range(repo)) == {"HG113"}  # an information: the block has no date


def test_an_agent_leaves_the_recording_to_the_human(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "w")
    repo.path.mkdir()
    repo.write("MEMORY.md", "- untagged\n")
    assert run_hoard("init", cwd=repo, env={"CLAUDECODE": "1"}).returncode == 0
    assert repo.line("rev-list", "--all") == ""

    done = run_hoard("init", cwd=repo)
    assert done.returncode == 0, done.stderr
    assert committed(repo) == ["HEARTBEAT.md", "MEMORY.md"]
    command = next(line for line in done.stdout.decode().splitlines() if "not in force" in line).partition(": hoard ")[2].split()
    assert run_hoard(*command, cwd=repo).returncode == 0
    assert committed(repo) == [".hoard.yaml"]
    assert findings_of_range(repo) == []


def test_a_backup_script_works_after_an_adoption(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "w")
    repo.path.mkdir()
    repo.write("MEMORY.md", "# Old\n\n- untagged\n")
    assert run_hoard("init", cwd=repo).returncode == 0
    repo.write("memory/2026-06-15.md", "- a log\n")

    repo.git("add", "-A")
    repo.git("commit", "-qm", "Backup")
    assert committed(repo) == ["memory/2026-06-15.md"]


def test_memory_that_only_the_index_has_lost_is_not_recorded_again(repo: Repo) -> None:
    repo.commit("First", {"MEMORY.md": "- untagged\n", "notes.txt": "n\n"})
    repo.git("rm", "-rq", "--cached", ".")
    repo.write("memory/new.md", "- new\n")

    init(repo.path, baseline=True)

    assert "A\tmemory/new.md" in repo.line("log", "--name-status", "--format=").splitlines()
    assert repo.line("log", "--format=%s", "--", "MEMORY.md") == "First"
    assert repo.line("diff", "--cached", "--name-status").splitlines() == ["D\tMEMORY.md", "D\tnotes.txt"]  # as it was


def test_with_commits_untracked_memory_waits_unless_asked(repo: Repo) -> None:
    repo.commit("First", {"README.md": "# R\n"})
    repo.write("MEMORY.md", "- untagged\n")
    outcome = init(repo.path)

    assert committed(repo) == [".gitattributes", ".hoard.yaml", "HEARTBEAT.md"]
    assert repo.line("status", "--porcelain") == "?? MEMORY.md"
    assert any(line.startswith("git does not know MEMORY.md") for line in outcome.left)
    with pytest.raises(HoardError, match="in force"):
        init(repo.path, baseline=True)


def test_with_commits_untracked_memory_is_recorded_when_asked(repo: Repo) -> None:
    repo.commit("First", {"README.md": "# R\n"})
    repo.write("MEMORY.md", "- untagged\n")
    init(repo.path, baseline=True)

    assert committed(repo, "HEAD~1") == ["MEMORY.md"]


def test_a_file_with_a_secret_is_not_recorded(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "w")
    (repo.path / "memory").mkdir(parents=True)
    repo.write("MEMORY.md", "- the key is ghp" + "_" + secrets.token_hex(18) + "\n")
    repo.write("memory/a.md", "- fine\n")

    outcome = init(repo.path)

    assert committed(repo, "HEAD~1") == ["memory/a.md"]
    assert any("MEMORY.md seems to hold a secret" in line for line in outcome.left)


def test_a_policy_that_is_not_committed_is_not_in_force(tmp_path: Path) -> None:
    init(tmp_path / "w", commit=False)

    (said,) = [line for line in init(tmp_path / "w").left if "not in force" in line]
    command = said.partition(": hoard ")[2].split()
    assert run_hoard(*command, cwd=tmp_path / "w").returncode == 0
    assert not [line for line in init(tmp_path / "w").left if "not in force" in line]


def test_where_memory_is_kept_no_starter_comes_later(tmp_path: Path) -> None:
    """The second run is often a hint that was typed; a workspace without HEARTBEAT.md wants none."""
    init(tmp_path / "w")
    repo = Repo(tmp_path / "w")
    for way in ("HEARTBEAT.md", "MEMORY.md"):
        repo.git("rm", "-q", way)
        repo.git("commit", "-qnm", "Do without")
        repo.write("memory/2026-06-15.md", "- a log\n")
        init(repo.path)
        assert not (repo.path / way).exists()
    (repo.path / "memory/2026-06-15.md").unlink()
    init(repo.path)
    assert (repo.path / "MEMORY.md").exists()


def test_a_dangling_link_is_something_that_is_there(repo: Repo) -> None:
    (repo.path / "MEMORY.md").symlink_to("nowhere")

    init(repo.path)

    assert committed(repo) == [".gitattributes", ".hoard.yaml", "HEARTBEAT.md"]
    assert (repo.path / "MEMORY.md").is_symlink()


def test_a_directory_of_a_repository(repo: Repo) -> None:
    repo.commit("First", {"code.py": "pass\n"})
    (repo.path / "agents/a").mkdir(parents=True)

    init(repo.path / "agents/a")

    assert committed(repo) == [f"agents/a/{name}" for name in STARTERS]
    assert findings_of_range(repo) == []
    assert run_hoard("add", "One", "--src", "agent", cwd=repo.path / "agents/a").returncode == 0
    assert committed(repo) == ["agents/a/MEMORY.md"]


def test_below_a_workspace_its_policy_governs(tmp_path: Path) -> None:
    init(tmp_path / "w")
    (tmp_path / "w" / "memory" / "deep").mkdir(parents=True)

    assert init(tmp_path / "w" / "memory" / "deep").done == ()


def test_options_for_people_and_mode(tmp_path: Path) -> None:
    init(tmp_path / "w", human="B \u00dcser <b@example.org>", agent="clawd <clawd@agents.example>", warn=True)

    repo = Repo(tmp_path / "w")
    policy = repo.read(".hoard.yaml")
    assert "mode: warn" in policy
    assert '{name: "B \u00dcser", kind: human, emails: ["b@example.org"]}' in policy
    assert '{name: "clawd", kind: agent, emails: ["clawd@agents.example"]}' in policy
    assert repo.line("log", "-1", "--format=%an <%ae>") == "B \u00dcser <b@example.org>"
    assert repo.line("config", "--local", "user.email") == "clawd@agents.example"


@pytest.mark.parametrize(
    "person", ["nobody", "<a@b.example>", "A <a b@c.example>", "A <no-address>", "A\x1b <a@b.example>", "A <a@b.example"]
)
@pytest.mark.parametrize("option", ["human", "agent"])
def test_a_person_is_a_name_and_an_address(tmp_path: Path, option: str, person: str) -> None:
    with pytest.raises(HoardError, match=f"--{option}"):
        init(tmp_path / "w", **{option: person})  # type: ignore[arg-type]
    assert not (tmp_path / "w").exists()


def test_without_a_commit(tmp_path: Path) -> None:
    outcome = init(tmp_path / "w", commit=False)

    assert outcome.oid is None
    assert Repo(tmp_path / "w").line("status", "--porcelain").splitlines() == [
        "?? .gitattributes",
        "?? .hoard.yaml",
        "?? HEARTBEAT.md",
        "?? MEMORY.md",
    ]
    assert any(line.startswith("not committed") for line in outcome.left)


def test_an_agent_that_runs_it_does_not_commit_as_the_human(tmp_path: Path) -> None:
    outcome = init(tmp_path / "w", environ={"CLAUDECODE": "1"})

    repo = Repo(tmp_path / "w")
    assert (outcome.oid, repo.line("rev-list", "--all")) == (None, "")
    (said,) = [line for line in outcome.left if "CLAUDECODE" in line]
    command = said.partition("with: hoard ")[2].split()
    done = run_hoard(*command, cwd=repo)
    assert done.returncode == 0, done.stderr
    assert sorted(committed(repo)) == STARTERS
    assert findings_of_range(repo) == []


def test_no_identity_names_both_ways_out(tmp_path: Path, hermetic: Path) -> None:
    (hermetic / ".gitconfig").write_text("[user]\n\tuseConfigOnly = true\n")

    with pytest.raises(HoardError) as caught:
        init(tmp_path / "w")
    assert "git config --global user.email" in caught.value.hint
    assert "hoard init --human" in caught.value.hint
    assert not (tmp_path / "w").exists()
    (tmp_path / "w").mkdir()
    with pytest.raises(HoardError):
        init(tmp_path / "w")
    assert list((tmp_path / "w").iterdir()) == []

    init(tmp_path / "w", human="Ada Example <ada@example.org>")
    assert findings_of_range(Repo(tmp_path / "w")) == []


def test_one_address_for_both_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HoardError, match="same address"):
        init(tmp_path / "w", agent="clawd <ADA@example.org>")


def test_an_identity_of_the_repository_becomes_the_agents(repo: Repo) -> None:
    repo.git("config", "user.name", "clawd")
    repo.git("config", "user.email", "clawd@agents.example")

    outcome = init(repo.path)

    assert 'name: "clawd", kind: agent, emails: ["clawd@agents.example"]' in repo.read(".hoard.yaml")
    assert any("stays clawd" in line for line in outcome.left)


def test_an_identity_of_the_repository_that_is_the_humans_stays_and_is_named(repo: Repo) -> None:
    repo.git("config", "user.email", "ada@example.org")

    outcome = init(repo.path)

    assert repo.line("config", "--local", "user.email") == "ada@example.org"
    assert any('git config --local user.email "agent@repo.invalid"' in line for line in outcome.left)


def test_a_bare_repository(tmp_path: Path) -> None:
    Repo.create(tmp_path / "bare.git", "--bare")

    with pytest.raises(HoardError, match="bare") as caught:
        init(tmp_path / "bare.git")
    assert f"git clone {tmp_path}/bare.git ../workspace && cd ../workspace && hoard init" in caught.value.hint


def test_a_linked_worktree(repo: Repo, tmp_path: Path) -> None:
    repo.commit("First", {"a.txt": "a\n"})
    repo.git("worktree", "add", "-q", str(tmp_path / "linked"))

    done = run_hoard("init", str(tmp_path / "linked"), cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert committed(Repo(tmp_path / "linked")) == STARTERS
    assert (repo.path / ".git/hooks/pre-commit").is_file()


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")

    with pytest.raises(HoardError, match="cannot be made"):
        init(tmp_path / "file")


def test_signing_that_fails_leaves_no_files_and_says_what_to_do(tmp_path: Path) -> None:
    run(["git", "config", "--global", "commit.gpgSign", "true"], cwd=tmp_path)
    run(["git", "config", "--global", "gpg.program", "false"], cwd=tmp_path)

    with pytest.raises(HoardError, match="sign") as caught:
        init(tmp_path / "w")
    assert "hoard init --no-commit" in caught.value.hint
    assert not (tmp_path / "w").exists()

    init(tmp_path / "w", commit=False)
    assert Repo(tmp_path / "w").line("config", "--local", "commit.gpgSign") == "false"


def test_foreign_hooks_are_chained(repo: Repo) -> None:
    add_hook(repo, "pre-commit", "echo foreign >> ran")

    assert run_hoard("init", cwd=repo).returncode == 0
    assert (repo.path / "ran").read_text() == "foreign\n"  # it ran for the introducing commit, too
    assert (repo.path / ".git/hooks/pre-commit.hoard-chained").is_file()
    assert run_hoard("add", "One", "--src", "agent", cwd=repo).returncode == 0
    assert (repo.path / "ran").read_text() == "foreign\nforeign\n"


def test_a_hook_that_refuses_leaves_no_files(repo: Repo) -> None:
    add_hook(repo, "pre-commit", "echo never; exit 1")

    with pytest.raises(HoardError, match="refused"):
        init(repo.path)
    assert sorted(path.name for path in repo.path.iterdir()) == [".git"]


MANAGERS = {
    "husky": ({".husky/pre-commit": "npm test\n"}, ".husky/_"),
    "lefthook": ({"lefthook.yml": "pre-commit: {}\n"}, ""),
    "pre-commit": ({".pre-commit-config.yaml": "repos: []\n"}, ""),
    "shared": ({}, "../shared"),
}


@pytest.mark.parametrize("manager", list(MANAGERS))
def test_a_hook_manager_is_told_and_left_alone(repo: Repo, manager: str) -> None:
    files, hooks_path = MANAGERS[manager]
    repo.commit("First", files)
    if hooks_path:
        (repo.path / hooks_path).mkdir(parents=True)
        repo.git("config", "core.hooksPath", hooks_path)
    before = {name: repo.read(name) for name in files}

    done = run_hoard("init", cwd=repo)

    assert done.returncode == 0, done.stderr
    assert ("id: hoard-check" if manager == "pre-commit" else "hoard-hook pre-commit") in done.stdout.decode()
    assert done.stdout.count(b"manages the hooks here") + done.stdout.count(b"other repositories share") == 1
    again = run_hoard("hooks", "install", cwd=repo)
    assert again.returncode == 1
    assert ("hooks install --husky" in again.stdout.decode()) == (manager == "husky")
    assert "\\n" not in done.stdout.decode()
    assert {name: repo.read(name) for name in files} == before
    assert not (repo.path / ".git/hooks/pre-commit").exists()


def test_no_hooks(repo: Repo) -> None:
    done = run_hoard("init", "--no-hooks", cwd=repo)

    assert b"hoard hooks install" in done.stdout
    assert not (repo.path / ".git/hooks/pre-commit").exists()


def test_quiet_says_nothing(tmp_path: Path) -> None:
    done = run_hoard("-q", "init", "w", cwd=tmp_path)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "w/.git/hooks/pre-commit").is_file()
