"""The blocks of the adoption pages do what the pages say: the hooks of agents' hosts, the backup script, and hook managers where they are installed."""

from __future__ import annotations

import json
import os
import re
import secrets
import shlex
import shutil
import tomllib
from pathlib import Path

import pytest

from tests.hooks.conftest import AS_AGENT
from tests.support.environment import ROOT
from tests.support.repo import Repo, Workspace, run

HOW_TO = ROOT / "docs/how-to"


def block(page: str, language: str, start: str = "") -> str:
    """The one block of a page in a language that begins with `start`."""
    text = (HOW_TO / page).read_text(encoding="utf-8")
    (found,) = [it for it in re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL) if it.startswith(start)]
    return str(found)


def environment(home: Path, programs: Path) -> dict[str, str]:
    return {"HOME": str(home), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


def credential() -> str:
    return "ghp" + "_" + secrets.token_hex(18)


@pytest.fixture
def memory(hermetic: Path, programs: Path) -> Repo:
    """Claude Code's directory, adopted as the page says."""
    place = hermetic / ".claude/projects/-home-ada-app/memory"
    place.mkdir(parents=True)
    (place / "MEMORY.md").write_text("# Memory\n\n- The user keeps bees.\n", encoding="utf-8")
    text = (HOW_TO / "adopt-claude-code.md").read_text(encoding="utf-8")
    lines = [line[2:] for line in text.splitlines() if line.startswith("$ ")]
    done = run(["sh", "-ec", "\n".join(lines)], cwd=hermetic, env=environment(hermetic, programs))
    assert done.returncode == 0, (done.stdout, done.stderr)
    return Repo(place)


def test_the_stop_hook_commits_what_a_turn_wrote(memory: Repo, hermetic: Path, programs: Path) -> None:
    ((hook,),) = [it["hooks"] for it in json.loads(block("adopt-claude-code.md", "json"))["hooks"]["Stop"]]
    assert hook["type"] == "command"
    env = {**environment(hermetic, programs), "CLAUDECODE": "1"}
    command = ["sh", "-c", hook["command"]]
    before = memory.line("rev-parse", "HEAD")

    assert run(command, cwd=hermetic, env=env).returncode == 0
    assert memory.line("rev-parse", "HEAD") == before  # a turn without a change

    memory.write("bees.md", "---\nname: bees\ndescription: where they stand\ntype: project\n---\n\nThe hives stand behind the barn.\n")
    done = run(command, cwd=hermetic, env=env)
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert memory.line("log", "-1", "--format=%ae") == "claude@agents.invalid"
    assert memory.read("bees.md").startswith("---\nname: bees\ndescription: where they stand\ntype: project\n---\n")
    assert "src:agent" in memory.read("bees.md")
    assert memory.line("status", "--porcelain") == ""

    value = credential()
    memory.write("key.md", f"- The deploy key is {value}\n")
    done = run(command, cwd=hermetic, env=env)
    assert done.returncode == 1  # shown to the user; 2 would keep the turn open
    assert b"HG201" in done.stderr
    assert value.encode() not in done.stdout + done.stderr
    assert memory.line("status", "--porcelain") == "?? key.md"


LAYOUTS = {
    "adopt-claude-code.md": (".claude/projects/-home-ada-app/memory", ("MEMORY.md", "build.md")),
    "adopt-letta.md": (".letta/agents/agent-1/memory", ("system/persona.md", "reference/a/b.md")),
    "adopt-cline.md": ("app", ("memory-bank/projectbrief.md", "memory-bank/activeContext.md", "memory-bank/progress.md")),
}


@pytest.mark.parametrize("page", LAYOUTS)
def test_a_workspace_adopted_as_the_page_says_is_healthy(page: str, hermetic: Path, programs: Path) -> None:
    folder, paths = LAYOUTS[page]
    place = Repo.create(hermetic / folder)
    place.commit("As found\n", {path: f"# Text\n\n- a fact of {path}\n" for path in paths})
    lines = [line[2:] for line in (HOW_TO / page).read_text(encoding="utf-8").splitlines() if line.startswith("$ ")]
    env = environment(hermetic, programs)
    done = run(["sh", "-ec", "\n".join(lines)], cwd=hermetic, env=env)
    assert done.returncode == 0, (done.stdout, done.stderr)
    checks = json.loads(run(["hoard", "doctor", "--json"], cwd=place.path, env=env).stdout)["checks"]
    assert [check for check in checks if check["status"] != "ok"] == []


def test_notify_commits_what_a_turn_wrote(hermetic: Path, programs: Path) -> None:
    env = environment(hermetic, programs)
    assert run(["hoard", "init", "notes", "--agent", "codex <codex@agents.invalid>"], cwd=hermetic, env=env).returncode == 0
    notes = Repo(hermetic / "notes")
    notify = tomllib.loads(block("adopt-codex.md", "toml"))["notify"]
    notes.write("memory/bees.md", "# Bees\n\n- The hives stand behind the barn.\n")

    done = run([*notify, json.dumps({"type": "agent-turn-complete"})], cwd=hermetic, env=env)

    assert done.returncode == 0, (done.stdout, done.stderr)
    assert notes.line("log", "-1", "--format=%ae") == "codex@agents.invalid"
    assert notes.line("status", "--porcelain") == ""


def test_the_backup_script_lets_the_rest_through(hermetic: Path, programs: Path, tmp_path: Path) -> None:
    env = environment(hermetic, programs)
    run(["git", "init", "-q", "--bare", "backup.git"], cwd=hermetic, env=env)
    assert run(["hoard", "init", "w"], cwd=hermetic, env=env).returncode == 0
    workspace = Repo(hermetic / "w")
    workspace.git("remote", "add", "origin", str(hermetic / "backup.git"))
    workspace.git("push", "-qu", "origin", "main")
    workspace.write("memory/2026-06-05.md", f"- The deploy key is {credential()}\n")
    workspace.write("memory/2026-06-06 :a.md", "- The wiki was restarted\n")
    workspace.write("notes.txt", "mine\n")
    (tmp_path / "backup").write_text(block("adopt-backup-scripts.md", "sh"), encoding="utf-8")

    done = run(["sh", str(tmp_path / "backup"), str(workspace.path)], cwd=hermetic, env=env)

    assert done.returncode == 0, done.stderr
    assert b"refused: memory/2026-06-05.md" in done.stderr
    assert workspace.line("status", "--porcelain") == "A  memory/2026-06-05.md"
    assert workspace.line("rev-parse", "HEAD") == workspace.line("rev-parse", "origin/main")
    assert workspace.line("show", "HEAD:notes.txt") == "mine"


@pytest.mark.parametrize("name", ["pre-commit", "prek"])
def test_the_frameworks_run_the_hooks(name: str, workspace: Workspace, hermetic: Path, programs: Path) -> None:
    program = shutil.which(name)
    if program is None:
        pytest.skip(f"{name} is not installed")
    workspace.commit("Framework\n", {".pre-commit-config.yaml": block("adopt-hook-managers.md", "yaml", "repos:")})
    (line,) = re.findall(r"^\$ pre-commit (install .*)$", (HOW_TO / "adopt-hook-managers.md").read_text(encoding="utf-8"), re.MULTILINE)
    env = {**environment(hermetic, programs), **AS_AGENT}

    assert run([program, *shlex.split(line)], cwd=workspace.path, env=env).returncode == 0

    _is_guarded(workspace, env)


def test_lefthook_runs_the_hooks(workspace: Workspace, hermetic: Path, programs: Path) -> None:
    program = shutil.which("lefthook")
    if program is None:
        pytest.skip("lefthook is not installed")
    workspace.commit("Manager\n", {"lefthook.yml": block("adopt-hook-managers.md", "yaml", "pre-commit:")})
    env = {**environment(hermetic, programs), **AS_AGENT}

    assert run([program, "install"], cwd=workspace.path, env=env).returncode == 0
    _is_guarded(workspace, env)


def test_husky_runs_the_hooks(workspace: Workspace, hermetic: Path, programs: Path) -> None:
    where = os.environ.get("NODE_PATH", "")
    script = Path(where, "husky/bin.js")
    if not where or not script.is_file() or shutil.which("node") is None:
        pytest.skip("husky is not installed (NODE_PATH names the folder that it is in)")
    env = {**environment(hermetic, programs), **AS_AGENT}
    workspace.write("package.json", "{}\n")

    assert run(["node", str(script), "init"], cwd=workspace.path, env=env).returncode == 0
    workspace.write(".husky/pre-commit", "")
    assert run(["hoard", "hooks", "install", "--husky"], cwd=workspace.path, env=env).returncode == 0
    workspace.git("add", "-A")
    workspace.git("commit", "-qm", "Husky", "--no-verify", env=env)
    _is_guarded(workspace, env)


def _is_guarded(workspace: Workspace, env: dict[str, str]) -> None:
    """A good commit passes and carries trailers, a credential is refused."""
    workspace.write("memory/a.md", "# Hosts  <!-- src:agent ts:2026-06-05 -->\n\n- Node-2 serves the wiki.\n")
    workspace.git("add", "-A")
    done = workspace.git("commit", "-qm", "Hosts", env=env, check=False)
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert workspace.line("log", "-1", "--format=%(trailers:key=Memory-Source,valueonly)").strip() == "agent"

    workspace.write("memory/b.md", f"# Key  <!-- src:agent ts:2026-06-05 -->\n\n- The deploy key is {credential()}\n")
    workspace.git("add", "-A")
    refused = workspace.git("commit", "-qm", "Key", env=env, check=False)
    assert refused.returncode != 0
    assert b"HG201" in refused.stdout + refused.stderr
