"""Public bug reports of hooks, hook managers and secret scanners, tried here: one test each, named by repository and number."""

# ruff: noqa: PTH103, PTH118, PTH120, PTH123 -- names that are no UTF-8 are made as bytes

from __future__ import annotations

import json
import os
import secrets
from pathlib import Path

import pytest

from tests.app.support import AS_AGENT, AS_HUMAN, as_agent
from tests.support.repo import MEMORY, POLICY, Repo, Workspace, run, run_hoard, run_hook

TAG = "<!-- src:agent ts:2026-06-05 -->"


def credential() -> str:
    return "ghp" + "_" + secrets.token_hex(18)


def leak() -> str:
    return f"{MEMORY}- The deploy key is {credential()}\n"


def commit(repo: Repo, *args: str, env: dict[str, str] | None = None) -> tuple[int, str]:
    done = repo.git("commit", "-qm", "Note", *args, env={**AS_AGENT, **(env or {})}, check=False)
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


# What is looked at


@pytest.mark.parametrize("name", ["gitleaks_585", "git_secrets_12"])
def test_a_staged_secret_is_found_though_the_file_was_cleaned(hooked: Workspace, name: str) -> None:
    hooked.stage({"MEMORY.md": leak()})
    hooked.write("MEMORY.md", MEMORY)
    status, said = commit(hooked)
    assert (status, "HG201" in said) == (1, True), name


@pytest.mark.parametrize("args", [["-a"], ["MEMORY.md"]], ids=["entire_cli_2330", "aura_17"])
def test_a_commit_with_an_index_of_its_own_is_judged_by_that(hooked: Workspace, args: list[str]) -> None:
    hooked.write("MEMORY.md", leak())
    status, said = commit(hooked, *args)
    assert (status, "HG201" in said) == (1, True)


@pytest.mark.parametrize("form", ["sha1", "sha256"])
@pytest.mark.parametrize("name", ["trufflehog_1403", "trufflehog_3557", "diff_sniffer_1"])
def test_the_first_commit_is_judged(tmp_path: Path, name: str, form: str) -> None:
    repo = Repo.create(tmp_path / "new", f"--object-format={form}")
    repo.stage({".hoard.yaml": POLICY, "MEMORY.md": leak()})
    done = run_hook("pre-commit", cwd=repo, env=AS_HUMAN)
    assert (done.returncode, b"HG201" in done.stdout + done.stderr) == (1, True), name


@pytest.mark.parametrize("name", ["trufflehog_4575", "klangk_3465"])
def test_a_check_says_how_much_it_has_looked_at(workspace: Workspace, name: str) -> None:
    workspace.stage({"MEMORY.md": f"{MEMORY}- One more\n"})
    scanned = json.loads(run_hoard("check", "--staged", "--format", "json", cwd=workspace, env=AS_AGENT).stdout)["scanned"]
    assert (scanned["files"], scanned["lines"]) == (1, 1), name


@pytest.mark.parametrize("trap", ["attribute", "nul", "colour"])
def test_nothing_hides_a_text_from_the_hook(hooked: Workspace, trap: str) -> None:
    text = leak()
    if trap == "attribute":
        hooked.write(".git/info/attributes", "*.md -diff\n")
    elif trap == "nul":
        text = text.replace("- Node-2", "- \0Node-2")
    else:
        hooked.git("config", "color.ui", "always")
    hooked.stage({"MEMORY.md": text})
    status, said = commit(hooked)
    assert (status, "HG201" in said) == (1, True)


@pytest.mark.parametrize("name", ["expat_ledger_backend_297", "pint_448"])
def test_a_file_that_is_moved_into_memory_and_edited_is_judged(hooked: Workspace, name: str) -> None:
    hooked.commit("Notes\n", {"notes.txt": "# Notes\n" + "a line that stays\n" * 30}, author=Workspace.agent)
    (hooked.path / "memory").mkdir()
    hooked.git("mv", "notes.txt", "memory/notes.md")
    hooked.write("memory/notes.md", hooked.read("memory/notes.md") + f"- The deploy key is {credential()}\n")
    status, said = commit(hooked, "-a")
    assert (status, "HG201" in said) == (1, True), name


@pytest.mark.parametrize(
    "name",
    [b"memory/\xc3\xa9 \xc3\xbc.md", b"memory/a b/c.md", b"memory/\xff.md"],
    ids=["lint_staged_818", "git_hunk_10", "orchestkit_4180"],
)
def test_odd_names_are_judged(hooked: Workspace, name: bytes) -> None:
    path = os.path.join(os.fsencode(hooked.path), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(f"# A {TAG}\n\n- The deploy key is {credential()}\n".encode())
    hooked.git("add", "-A")
    status, said = commit(hooked)
    assert (status, "HG201" in said) == (1, True)


@pytest.mark.parametrize("name", ["pre_commit_hooks_173", "gitleaks_682", "gitleaks_583"])
def test_a_submodule_under_memory_is_named_and_not_opened(hooked: Workspace, name: str) -> None:
    hooked.git("update-index", "--add", "--cacheinfo", f"160000,{hooked.head()},memory/sub")
    (hooked.path / "memory/sub").mkdir(parents=True)
    status, said = commit(hooked)
    assert (status, "HG409" in said) == (1, True), name


@pytest.mark.parametrize("name", ["talisman_220", "gitleaks_612"])
def test_a_link_to_a_device_is_not_followed(hooked: Workspace, name: str) -> None:
    (hooked.path / "memory").mkdir()
    (hooked.path / "memory/random.md").symlink_to("/dev/random")
    hooked.git("add", "-A")
    status, said = commit(hooked)
    assert (status, "HG409" in said) == (1, True), name
    assert run_hoard("check", cwd=hooked).returncode == 1


@pytest.mark.parametrize("name", ["detect_secrets_372", "detect_secrets_509", "sensitive_canary_185"])
def test_a_long_line_is_read_to_its_end(hooked: Workspace, name: str) -> None:
    hooked.write("memory/dump.txt", "x" * 300_000 + f" the key is {credential()} " + "y" * 300_000 + "\n")
    hooked.git("add", "-A")
    status, said = commit(hooked)
    assert (status, "HG201" in said) == (1, True), name


@pytest.mark.parametrize("name", ["git_secrets_188", "husky_1210"])
def test_a_secret_can_be_taken_out_also_by_a_merge(hooked: Workspace, name: str) -> None:
    hooked.stage({"memory/k.md": f"# K {TAG}\n\n- The deploy key is {credential()}\n- Kept.\n"})
    hooked.git("commit", "-qm", "Leak", "--no-verify", env=AS_AGENT)
    hooked.git("checkout", "-qb", "side")
    hooked.stage({"memory/k.md": f"# K {TAG}\n\n- Kept.\n"})
    assert commit(hooked) == (0, ""), name
    hooked.git("checkout", "-q", "main")
    hooked.commit("Main\n", {"memory/b.md": f"# B {TAG}\n\n- Beans.\n"}, author=Workspace.agent)
    done = hooked.git("merge", "-q", "--no-edit", "side", env=AS_AGENT, check=False)
    assert done.returncode == 0, done.stderr


# Where hooks run


@pytest.mark.parametrize("name", ["lefthook_1265", "mfc_1776", "stdlib_11500", "beads_2414"])
def test_a_linked_worktree_is_guarded(hooked: Workspace, name: str) -> None:
    other = Repo(hooked.path.parent / "other")
    hooked.git("worktree", "add", "-q", "-b", "side", str(other.path))
    other.write("MEMORY.md", leak())
    status, said = commit(other, "-a")
    assert (status, "HG201" in said) == (1, True), name


@pytest.mark.parametrize("name", ["entire_cli_228", "entire_cli_487"])
def test_a_hooks_path_of_others_is_seen(hooked: Workspace, tmp_path: Path, name: str) -> None:
    (tmp_path / "shared").mkdir()
    hooked.git("config", "core.hooksPath", str(tmp_path / "shared"))
    done = run_hoard("hooks", "status", cwd=hooked)
    assert done.returncode == 1, name
    (check,) = [row for row in json.loads(run_hoard("doctor", "--json", cwd=hooked).stdout)["checks"] if row["name"] == "hooks"]
    assert check["status"] == "fail"


def test_beads_4440_a_hooks_path_that_leads_nowhere_is_seen(hooked: Workspace) -> None:
    hooked.git("config", "core.hooksPath", str(hooked.path.parent / "gone"))
    assert run_hoard("hooks", "status", cwd=hooked).returncode == 1


def test_beads_1120_a_hook_that_was_there_runs_first_and_comes_back(workspace: Workspace) -> None:
    mine = "#!/bin/sh\necho mine ran >&2\n"
    workspace.write(".git/hooks/pre-commit", mine).chmod(0o755)
    assert run_hoard("hooks", "install", cwd=workspace).returncode == 0
    workspace.write("MEMORY.md", leak())
    status, said = commit(workspace, "-a")
    assert (status, "mine ran" in said, "HG201" in said) == (1, True, True)
    assert run_hoard("hooks", "uninstall", cwd=workspace).returncode == 0
    assert workspace.read(".git/hooks/pre-commit") == mine


def test_beads_2449_a_rebase_goes_on_without_our_cache(hooked: Workspace) -> None:
    hooked.git("checkout", "-qb", "side")
    hooked.commit("Side\n", {"memory/a.md": f"# A {TAG}\n\n- Of the side.\n"}, author=Workspace.agent)
    hooked.git("checkout", "-q", "main")
    hooked.commit("Main\n", {"memory/a.md": f"# A {TAG}\n\n- Of main.\n"}, author=Workspace.agent)
    hooked.git("checkout", "-q", "side")
    hooked.git("rebase", "-q", "main", env=AS_AGENT, check=False)
    for file in (hooked.path / ".git/hoard").glob("*"):
        file.unlink()
    hooked.stage({"memory/a.md": f"# A {TAG}\n\n- Of main.\n- Of the side.\n"})
    done = hooked.git("rebase", "--continue", env={**AS_AGENT, "GIT_EDITOR": "true"}, check=False)
    assert done.returncode == 0, done.stderr
    assert "Memory-Digest:" in hooked.message()


@pytest.mark.parametrize("name", ["desktop_15872", "desktop_12586", "kibana_25883"])
def test_a_client_with_a_bare_path_is_guarded(hooked: Workspace, name: str) -> None:
    hooked.write("MEMORY.md", leak())
    status, said = commit(hooked, "-a", env={"PATH": "/usr/bin:/bin"})
    assert (status, "HG201" in said) == (1, True), name


@pytest.mark.parametrize("name", ["pre_commit_2473", "pre_commit_2694", "prek_2142"])
def test_a_hook_leaves_index_and_work_tree_alone(hooked: Workspace, name: str) -> None:
    hooked.stage({"MEMORY.md": f"{MEMORY}- Staged.\n"})
    hooked.write("MEMORY.md", f"{MEMORY}- Staged.\n- Not staged.\n")
    hooked.write("memory/later.md", "- intent to add\n")
    hooked.git("add", "-N", "memory/later.md")
    before = hooked.snapshot()
    done = run_hook("pre-commit", cwd=hooked, env=AS_AGENT)
    assert (done.returncode, hooked.snapshot()) == (0, before), name
    assert commit(hooked)[0] == 0
    assert b"Not staged" not in hooked.show("HEAD", "MEMORY.md")


# Messages, trailers, history


@pytest.mark.parametrize("comment", ["#", ";", "auto"])
@pytest.mark.parametrize("name", ["git_cop_30", "commitlint_437", "conventional_precommit_linter_32"])
def test_the_diff_below_the_scissors_is_no_message(hooked: Workspace, name: str, comment: str) -> None:
    hooked.stage({"MEMORY.md": f"{MEMORY}- One more\n"})
    done = hooked.git(
        "-c", f"core.commentChar={comment}", "commit", "-v", "-m", "One", "-e", env={**AS_AGENT, "GIT_EDITOR": "true"}, check=False
    )
    assert done.returncode == 0, (name, done.stderr)
    assert hooked.message().startswith("One\n\nMemory-Op: write\n")
    assert "diff --git" not in hooked.message()


def test_a_hash_is_text_where_something_else_begins_a_comment(hooked: Workspace) -> None:
    """Found with the reports on comment characters: trailers belong below such a line."""
    hooked.git("config", "core.commentChar", ";")
    hooked.stage({"MEMORY.md": f"{MEMORY}- One more\n"})
    done = hooked.git("commit", "-qeF", "-", input="One\n\n# not a comment\n", env={**AS_AGENT, "GIT_EDITOR": "true"}, check=False)
    assert done.returncode == 0, done.stderr
    assert hooked.message().startswith("One\n\n# not a comment\n\nMemory-Op: write\n")
    assert run_hoard("check", "--commit", "HEAD", "--strict", cwd=hooked).returncode == 0


def test_entire_cli_784_every_commit_of_a_turn_has_its_trailers(hooked: Workspace) -> None:
    for number in (1, 2, 3):
        hooked.commit(f"Fact {number}\n", {f"memory/{number}.md": f"# N {TAG}\n\n- Fact {number}\n"}, author=Workspace.agent)
        assert "Memory-Digest: sha256:" in hooked.message()


@pytest.mark.parametrize("name", ["git_ai_97", "git_ai_1599", "git_ai_970"])
def test_provenance_survives_a_rebase(hooked: Workspace, name: str) -> None:
    hooked.git("checkout", "-qb", "side")
    hooked.commit("Side\n", {"memory/a.md": "# A <!-- src:web ts:2026-06-09 -->\n\n- Of the side.\n"}, author=Workspace.agent)
    hooked.git("checkout", "-q", "main")
    hooked.commit("Main\n", {"memory/b.md": f"# B {TAG}\n\n- Of main.\n"}, author=Workspace.agent)
    hooked.git("checkout", "-q", "side")
    hooked.git("rebase", "-q", "main", env=AS_AGENT)
    last = json.loads(run_hoard("blame", "memory/a.md", "--json", cwd=hooked).stdout.splitlines()[-1])
    assert (last["src"], last["commit"], last["author"]["kind"]) == ("web", hooked.head(), "agent"), name
    assert run_hoard("check", "--range", "main..side", cwd=hooked).returncode == 0


@pytest.mark.parametrize("name", ["claude_mpm_863", "commitlore_132"])
def test_a_squash_gets_trailers_for_all_that_it_holds(hooked: Workspace, name: str) -> None:
    hooked.git("checkout", "-qb", "side")
    for number in (1, 2):
        hooked.commit(f"Fact {number}\n", {f"memory/{number}.md": f"# N{number} {TAG}\n\n- Fact {number}\n"}, author=Workspace.agent)
    hooked.git("checkout", "-q", "main")
    hooked.git("merge", "-q", "--squash", "side", env=AS_AGENT)
    assert commit(hooked)[0] == 0
    assert "memory/1.md#n1" in hooked.message()
    assert "memory/2.md#n2" in hooked.message(), name
    assert run_hoard("check", "--commit", "HEAD", "--strict", cwd=hooked).returncode == 0


@pytest.mark.parametrize("name", ["hk_932", "ecc_1004", "brigade_606", "great_cto_65"])
def test_new_and_deleted_branches_and_tags_are_pushed(hooked: Workspace, tmp_path: Path, name: str) -> None:
    as_agent(hooked)
    run(["git", "init", "-q", "--bare", "there.git"], cwd=tmp_path)
    hooked.git("remote", "add", "origin", str(tmp_path / "there.git"))
    hooked.commit("Fact\n", {"memory/a.md": f"# A {TAG}\n\n- Fact\n"}, author=Workspace.agent)
    hooked.git("tag", "-a", "v1", "-m", "v1")
    for args in (["-u", "origin", "main"], ["origin", "main:other"], ["origin", "v1"], ["origin", ":other"]):
        done = hooked.git("push", "-q", *args, check=False)
        assert done.returncode == 0, (name, args, done.stderr)
    hooked.stage({"MEMORY.md": leak()})
    hooked.git("commit", "-qm", "Leak", "--no-verify", env=AS_AGENT)
    refused = hooked.git("push", "-q", "origin", "main:new", check=False)
    assert (refused.returncode, b"HG201" in refused.stderr) == (1, True)


@pytest.mark.parametrize("name", ["detect_secrets_606", "pre_commit_1550", "pre_commit_799"])
def test_a_policy_in_utf_16_is_named_and_nothing_passes(workspace: Workspace, name: str) -> None:
    workspace.write(".hoard.yaml", POLICY.encode("utf-16"))
    done = run_hoard("check", cwd=workspace)
    assert done.returncode == 2, name
    assert "Save .hoard.yaml as UTF-8" in done.stderr.decode()
