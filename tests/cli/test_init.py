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
from tests.support.repo import Repo, Workspace, run_hoard

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


def test_an_index_further_down_is_named(old: Repo) -> None:
    old.commit("More\n", {"agents/a b/MEMORY.md": OLD, "agents/c/MEMORY.md": OLD})
    status, shown = on_terminal("init", cwd=old.path, answers="n\n")
    assert status == 0
    assert "a MEMORY.md in agents/a b, agents/c, which is not part of this: hoard init 'agents/a b'" in " ".join(shown.split())
    assert "elsewhere" not in on_terminal("init", "agents/c", cwd=old.path, answers="n\n")[1]


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


def test_tags_that_would_make_the_host_cut_the_memory_wait(old: Repo) -> None:
    facts = "".join(f"- fact {number} that a session has to know, whatever else it does\n" for number in range(320))
    full = f"# Memory\n\n{facts}"
    full += "and so on " * ((19_990 - len(full)) // 10) + "\n"
    assert 19_970 < len(full) < 20_000
    old.commit("Grow\n", {"MEMORY.md": full, "memory/hosts.md": "# Hosts\n\n- Node-2 serves the wiki\n"})

    done = run_hoard("init", "--yes", cwd=old)

    said = done.stdout.decode()
    assert old.read("MEMORY.md") == full
    assert "<!-- src:agent" in old.read("memory/hosts.md")
    assert "MEMORY.md was not tagged, for with its tags a session no longer loads all of MEMORY.md (" in said
    assert "make room: hoard consolidate, then: hoard tag MEMORY.md" in said
    for more in (("--dry-run",), ()):
        told = run_hoard("tag", *more, "MEMORY.md", cwd=old).stderr.decode()
        assert "tags a session no longer loads all of MEMORY.md (" in told
    assert old.read("MEMORY.md") != full
    assert "no longer loads" not in run_hoard("tag", cwd=old).stderr.decode()


def test_a_host_that_cannot_be_read_is_told_by_tag(old: Repo) -> None:
    old.write("openclaw.json", "{ broken")

    done = run_hoard("tag", cwd=old)

    assert done.returncode == 0, done.stderr
    assert "whether a session loads all of this is not known: " in done.stderr.decode()


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
    assert "repository is bare" in done.stderr.decode()


def test_a_name_and_a_kind_cannot_act_on_the_terminal(old: Repo) -> None:
    old.commit("Odd\n", {"memory/a\x1b[2Jb.md": "- One\n"}, author="Evil\x1b[31m agent <evil@agents.example>")

    done = run_hoard("init", "--yes", cwd=old)

    assert done.returncode == 0, done.stderr
    assert b"\x1b" not in done.stdout + done.stderr
    assert "evil@agents.example" not in old.read(".hoard.yaml")


def test_a_sparse_checkout_is_set_up_and_written_to(old: Repo) -> None:
    old.git("sparse-checkout", "set", "--no-cone", "/*.md", "memory/**")

    done = run_hoard("--date", "2026-06-15", "init", "--yes", cwd=old)
    added = run_hoard("--date", "2026-06-15", "add", "Node-3 is new", "--src", "agent", "--file", "memory/hosts.md", cwd=old)
    outside = run_hoard("--date", "2026-06-15", "wiki", "new", "Node-3", cwd=old)

    assert (done.returncode, added.returncode) == (0, 0), done.stderr + added.stderr
    assert outside.returncode == 0, outside.stderr
    assert "Node-3" in old.line("show", "HEAD~1:memory/hosts.md")
    assert old.line("status", "--porcelain") == ""


@pytest.mark.parametrize("columns", ["60", "80"])
def test_what_is_shown_fits_the_terminal(old: Repo, monkeypatch: pytest.MonkeyPatch, columns: str) -> None:
    monkeypatch.setenv("COLUMNS", columns)

    said = run_hoard("init", "--yes", cwd=old).stdout.decode().partition("wrote ")[0]

    assert [line for line in said.splitlines()[1:] if len(line) > int(columns)] == []
    assert "…" not in said
    assert "(another: --agent)" in " ".join(said.split())


def test_in_somebody_elses_clone_nobody_writes_in_their_name(workspace: Workspace, tmp_path: Path) -> None:
    workspace.git("clone", "-q", workspace.path, tmp_path / "mine")
    clone = Repo(tmp_path / "mine")
    clone.git("config", "--global", "user.email", "ben@example.org")
    clone.git("config", "--global", "user.name", "Ben Sample")
    for command in (("add", "Tea is green", "--src", "user"), ("commit", "--human")):
        clone.write("MEMORY.md", clone.read("MEMORY.md") + "- more\n")
        done = run_hoard(*command, cwd=clone)
        assert done.returncode == 2
        assert b"ben@example.org is no human of the policy, which lists Ada Example" in done.stderr
        clone.git("checkout", "-q", "MEMORY.md")

    told = run_hoard("init", cwd=clone).stderr.decode() + run_hoard("init", cwd=clone).stdout.decode()
    assert "does not list you, Ben Sample <ben@example.org>" in told
    assert '- {name: "Ben Sample", kind: human, emails: ["ben@example.org"]}' in told

    assert b"you are Ada Example <ada@example.org> here" in run_hoard("init", "--human", "Ada Example <ada@example.org>", cwd=clone).stdout
    assert run_hoard("add", "Tea is green", "--src", "user", cwd=clone).returncode == 0
    assert clone.line("log", "-1", "--format=%ae") == "ada@example.org"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--agent", "bot"], "--agent takes a name and an address"),
        (["--human", "Me"], "--human takes a name and an address"),
        (["--human", "A <a@x.example>", "--agent", "B <A@x.example>"], "the same address"),
    ],
)
def test_a_wrong_name_is_told_before_anybody_is_asked(old: Repo, words: list[str], said: str) -> None:
    status, shown = on_terminal("init", *words, cwd=old.path, answers="")
    assert status == 2
    assert said in shown and "Set it up like this" not in shown
