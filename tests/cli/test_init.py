"""`hoard init` on memory that is there already: what it shows, what it proposes, and that nothing is written without a yes."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.environment import ROOT
from tests.support.repo import Repo, run_hoard

OLD = "# Memory\n\n## 2026-05-01 Hosts\n\n- Node-2 serves the wiki.\n- Backups run at 03:30.\n"
TOKEN = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
LATE = 20.0


def on_terminal(*args: str, cwd: Path, answers: str) -> tuple[int, str]:
    """Run `hoard` with a terminal as all of its streams; the answers are typed at once. Returns status and what the screen showed."""
    leader, follower = pty.openpty()
    code = "import sys; from hoard_git.cli.main import main; sys.exit(main(sys.argv[1:]))"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    command = [sys.executable, "-c", code, *args]
    with subprocess.Popen(command, cwd=cwd, env=env, stdin=follower, stdout=follower, stderr=follower) as process:
        os.close(follower)
        os.write(leader, answers.encode())
        shown, until = b"", time.monotonic() + LATE
        while time.monotonic() < until:
            if select.select([leader], [], [], 0.1)[0]:
                try:
                    part = os.read(leader, 65536)
                except OSError:  # how Linux says that the other side is gone
                    break
                if not part:
                    break
                shown += part
            elif process.poll() is not None:
                break
        os.close(leader)
        process.wait(LATE)
    return process.returncode, shown.decode().replace("\r\n", "\n")


@pytest.fixture
def old(repo: Repo) -> Repo:
    """A workspace as people have it: committed by the human, no tags, a credential in a daily log."""
    repo.commit("Memory\n", {"MEMORY.md": OLD, "memory/2026-05-02.md": f"- the deploy key is {TOKEN}\n", "SOUL.md": "# Soul\n"})
    return repo


def test_yes_takes_the_proposal(old: Repo) -> None:
    done = run_hoard("--date", "2026-06-15", "init", "--yes", cwd=old)

    said = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "files     1 index, 1 identity, 1 daily" in said
    assert "entries   3, 2 of them untagged in MEMORY.md" in said
    assert "1 credential in plain sight" in said
    assert "memory/2026-05-02.md:1: GitHub personal access token" in said
    assert TOKEN not in said
    assert "Ada Example <ada@example.org>, your global git identity" in said
    assert "added 1 tag to 1 file, as a commit of the human's" in said
    assert "## 2026-05-01 Hosts  <!-- src:agent ts:2026-05-01 -->" in old.read("MEMORY.md")
    assert old.line("log", "-3", "--format=%s|%ae").splitlines() == [
        "Tag memory|ada@example.org",
        "Set up memory under hoard-git|ada@example.org",
        "Memory|ada@example.org",
    ]
    assert old.line("status", "--porcelain") == ""
    assert run_hoard("--date", "2026-06-15", "check", "--range", "HEAD~2..HEAD", cwd=old).returncode == 0


def test_without_a_terminal_old_memory_stays_as_it_is(old: Repo) -> None:
    done = run_hoard("init", cwd=old)

    assert done.returncode == 0
    assert "found in" not in done.stdout.decode()
    assert old.read("MEMORY.md") == OLD
    assert old.line("log", "-1", "--format=%s") == "Set up memory under hoard-git"


def test_a_no_writes_nothing(old: Repo) -> None:
    before, config = old.snapshot(), old.read(".git/config")

    status, shown = on_terminal("init", cwd=old.path, answers="n\n")

    assert (status, old.snapshot(), old.read(".git/config")) == (0, before, config)
    assert "Set it up like this? [Y/n]" in shown
    assert "nothing was written" in shown


def test_a_no_in_a_folder_without_git_leaves_no_repository(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text(OLD, encoding="utf-8")

    status, shown = on_terminal("init", cwd=tmp_path, answers="n\n")

    assert status == 0, shown
    assert [path.name for path in tmp_path.iterdir()] == ["MEMORY.md"]
    assert "entries   2, 2 of them untagged in MEMORY.md" in shown


def test_the_end_of_input_writes_nothing(old: Repo) -> None:
    before = old.snapshot()

    status, _shown = on_terminal("init", cwd=old.path, answers="\x04")

    assert (status, old.snapshot()) == (130, before)


def test_yes_to_the_setup_and_no_to_the_tags(old: Repo) -> None:
    status, shown = on_terminal("init", cwd=old.path, answers="y\nn\n")

    assert status == 0, shown
    assert "Add 1 tag to 1 file, comments only? [Y/n]" in shown
    assert "no tags were added; later: hoard tag --dry-run" in shown
    assert old.read("MEMORY.md") == OLD
    assert (old.path / ".hoard.yaml").exists()


def test_an_empty_directory_is_not_asked_about(tmp_path: Path) -> None:
    status, shown = on_terminal("init", "w", cwd=tmp_path, answers="")

    assert status == 0, shown
    assert "Set it up" not in shown


def test_a_folder_without_git_is_recorded_as_found_and_tagged(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text(OLD, encoding="utf-8")

    done = run_hoard("--date", "2026-06-15", "init", "--yes", cwd=tmp_path)

    assert done.returncode == 0, done.stderr
    assert Repo(tmp_path).line("log", "--reverse", "--format=%s").splitlines() == [
        "Record memory as found",
        "Set up memory under hoard-git",
        "Tag memory",
    ]


def test_identities_and_the_budget_come_from_history_and_the_host(old: Repo, hermetic: Path) -> None:
    config = hermetic / ".gitconfig"
    config.write_text(config.read_text(encoding="utf-8").replace("\tname = Ada Example\n\temail = ada@example.org\n", ""), encoding="utf-8")
    (old.path.parent / "openclaw.json").write_text(
        '{"meta": {"lastTouchedVersion": "2026.4.27"}, "agents": {"list": [{"id": "main", "identity": {"name": "Clawd"}}]}}',
        encoding="utf-8",
    )

    done = run_hoard("--date", "2026-06-15", "init", "--yes", cwd=old)

    said = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert "Ada Example <ada@example.org>, wrote 1 of the latest commits" in said
    assert "Clawd <clawd@agents.invalid>, named in openclaw.json" in said
    assert "budgets: openclaw-2026.4 " in old.read(".hoard.yaml")
    assert old.line("config", "user.email") == "clawd@agents.invalid"


def test_an_agent_in_the_history_is_proposed(old: Repo) -> None:
    old.commit("Turn\n", {"a.txt": "x\n"}, author="Claude <noreply@agents.example>")

    assert "Claude <noreply@agents.example>, wrote 1 of the latest commits" in run_hoard("init", "--yes", cwd=old).stdout.decode()


def test_uncommitted_work_is_neither_tagged_nor_committed(old: Repo) -> None:
    mine = OLD + "- half a thought\n"
    old.write("MEMORY.md", mine)

    done = run_hoard("init", "--yes", cwd=old)

    assert done.returncode == 0
    assert old.read("MEMORY.md") == mine
    assert "MEMORY.md was not tagged, for it is not committed as it stands: hoard tag MEMORY.md" in done.stdout.decode()
    assert old.line("status", "--porcelain") == " M MEMORY.md"


def test_a_file_whose_tags_are_refused_is_put_back_and_the_others_go_on(old: Repo) -> None:
    turned = "# Memory\n\n## Hosts \u202e of ours\n\n- Node-2 serves the wiki.\n"
    old.commit("Grow\n", {"MEMORY.md": turned, "memory/hosts.md": "# Hosts\n\n- Node-3\n"})

    done = run_hoard("init", "--yes", cwd=old)

    assert "MEMORY.md was not tagged, for HG402 refuses it" in done.stdout.decode()
    assert old.read("MEMORY.md") == turned
    assert "<!-- src:agent" in old.read("memory/hosts.md")
    assert old.line("status", "--porcelain") == ""


def test_a_long_memory_is_told_and_tagged_all_the_same(old: Repo) -> None:
    large = "# Memory\n\n" + "".join(f"- fact {number} of many that nobody has looked at\n" for number in range(600))
    old.commit("Grow\n", {"MEMORY.md": large})

    done = run_hoard("init", "--yes", cwd=old)

    assert "cut when a session loads it" in done.stdout.decode()
    assert old.read("MEMORY.md").startswith("# Memory  <!-- src:agent")


def test_a_marker_of_an_agent_commits_nothing(old: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")

    done = run_hoard("init", "--yes", cwd=old)

    assert "not committed, for CLAUDECODE says that an agent runs this" in done.stdout.decode()
    assert old.line("log", "-1", "--format=%s") == "Memory"


def test_a_second_yes_changes_nothing(old: Repo) -> None:
    run_hoard("init", "--yes", cwd=old)
    before = old.snapshot()

    done = run_hoard("init", "--yes", cwd=old)

    assert (done.returncode, old.snapshot()) == (0, before)
    assert "found in" not in done.stdout.decode()


def test_a_file_that_cannot_be_read_is_named(old: Repo) -> None:
    os.mkfifo(old.path / "memory/pipe.md")

    done = run_hoard("init", "--yes", cwd=old)

    assert done.returncode == 0, done.stderr
    assert "not read  memory/pipe.md: is not a regular file" in done.stdout.decode()


def test_nobody_known_is_told_before_anything_is_asked(tmp_path: Path, hermetic: Path) -> None:
    (hermetic / ".gitconfig").write_text("", encoding="utf-8")
    (tmp_path / "MEMORY.md").write_text(OLD, encoding="utf-8")

    status, shown = on_terminal("init", cwd=tmp_path, answers="")

    assert status == 2
    assert "git does not know who you are" in shown
    assert [path.name for path in tmp_path.iterdir()] == ["MEMORY.md"]


def test_no_starters_writes_only_what_guards(tmp_path: Path) -> None:
    assert run_hoard("init", "--no-starters", cwd=tmp_path).returncode == 0

    assert sorted(path.name for path in tmp_path.iterdir()) == [".git", ".gitattributes", ".hoard.yaml"]
    assert Repo(tmp_path).line("status", "--porcelain") == ""


def test_a_folder_under_a_policy_is_not_proposed_again(old: Repo) -> None:
    assert run_hoard("init", cwd=old).returncode == 0
    old.write("agents/a/MEMORY.md", OLD)

    done = run_hoard("init", "agents/a", "--yes", cwd=old)

    assert done.returncode == 0
    assert "found in" not in done.stdout.decode()
    assert old.read("agents/a/MEMORY.md") == OLD


def test_a_bare_repository_is_refused_as_ever(tmp_path: Path) -> None:
    Repo.create(tmp_path / "bare.git", "--bare")

    done = run_hoard("init", "--yes", cwd=tmp_path / "bare.git")

    assert done.returncode == 2
    assert "bare repository" in done.stderr.decode()


def test_a_name_and_a_kind_cannot_act_on_the_terminal(old: Repo) -> None:
    old.commit("Odd\n", {"memory/a\x1b[2Jb.md": "- One\n"}, author="Evil\x1b[31m agent <evil@agents.example>")

    done = run_hoard("init", "--yes", cwd=old)

    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    assert "evil@agents.example" not in old.read(".hoard.yaml")
