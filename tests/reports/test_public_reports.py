"""Public bug reports of other memory tools, tried here: one test each, named by repository and number. Those of hooks and scanners are in test_hook_reports.py."""

from __future__ import annotations

import json
import os
import re
import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from hoard_git.app.clock import read_days
from hoard_git.core.model import RepoPath
from hoard_git.core.policy import DEFAULT
from hoard_git.gitio import worktree
from hoard_git.gitio.mergedriver import ATTRIBUTES
from tests.app.support import AS_AGENT, as_agent
from tests.support.repo import MEMORY, Repo, Workspace, run_hoard

NOT_APPLICABLE = {
    "git-ai 95": "two clones push notes that diverge: provenance stands in the files and in trailers, nothing here reads or writes notes",
    "letta-code 808": "a headless sync ends at a conflict: nothing here synchronises; a merge that cannot be done stays git's own conflict",
    "openclaw 73691": "a growing MEMORY.md freezes the gateway: the host's process; that it grows is HG501 and the doctor's",
    "beads 4463": "archive tables that nobody writes: there are none, the archive is a file (what it asks for is tested with memo 242)",
    "claude-plugins 2625": "`pre-commit run --all-files` is a silent no-op: the hook judges a commit, and says so in docs/reference/pre-commit.md; files as they stand are `hoard check`",
    "openclaw 46703": "a host names the daily file by UTC: the name is the host's; which day counts here is tested with openclaw 64990",
    "mem0 4536": "a contradiction deletes the old and drops the new: nothing here takes a contradiction for an instruction (HG604 lists it)",
    "hermes-agent 18559": "asks for a source on each entry: the tag (tested with openclaw 7707)",
    "claude-code 81833": "memory is read and written in different directories of one project: the host's choice of directory (branches: claude-code 44130)",
}
"""Reports that cannot happen here, with the reason."""


def codes(done_stdout: bytes) -> list[str]:
    return [row["code"] for row in json.loads(done_stdout)["findings"]]


def staged(repo: Repo, *, env: dict[str, str] | None = None) -> list[str]:
    return codes(run_hoard("check", "--staged", "--format", "json", cwd=repo, env={**AS_AGENT, **(env or {})}).stdout)


def entries(count: int) -> str:
    return "".join(f"- Machine number {number} of the cellar stands in row {number * 7}.\n" for number in range(1, count + 1))


def with_driver(repo: Repo) -> None:
    """Let git merge memory by entry here, as in an adopted workspace."""
    repo.commit("Driver\n", {".gitattributes": "".join(f"{line}\n" for line in ATTRIBUTES)})
    assert run_hoard("init", "--no-starters", "--no-hooks", cwd=repo).returncode == 0


def add_all(places: list[Path], count: int) -> list[int]:
    """Let one writer in each place add facts, all at once; the exit statuses."""

    def write(job: tuple[int, Path]) -> list[int]:
        number, place = job
        return [run_hoard("add", f"Fact {number}-{turn} holds", "--src", "agent", cwd=place).returncode for turn in range(count)]

    with ThreadPoolExecutor(len(places)) as pool:
        return [status for found in pool.map(write, enumerate(places)) for status in found]


def test_the_table_gives_reasons() -> None:
    for name, why in NOT_APPLICABLE.items():
        assert re.fullmatch(r"[a-z0-9-]+ [0-9]+", name)
        assert len(why) > 40


# Concurrency


@pytest.mark.parametrize("writers", [2, 4], ids=["openclaw_117741", "zeroclaw_10797"])
def test_overlapping_writers_lose_nothing(workspace: Workspace, writers: int) -> None:
    as_agent(workspace)
    assert set(add_all([workspace.path] * writers, 2)) == {0}
    assert len(re.findall(r"^- Fact \d-\d holds", workspace.read("MEMORY.md"), re.MULTILINE)) == writers * 2
    assert workspace.line("rev-list", "--count", "HEAD") == str(1 + writers * 2)


def test_oh_my_openagent_6852_every_worktrees_commit_lands(workspace: Workspace) -> None:
    as_agent(workspace)
    other = workspace.path.parent / "other"
    workspace.git("worktree", "add", "-q", "-b", "side", str(other))
    assert set(add_all([workspace.path, other], 3)) == {0}
    assert [workspace.line("rev-list", "--count", name) for name in ("main", "side")] == ["4", "4"]


def test_hermes_agent_26045_a_stale_rewrite_that_shrinks_memory_is_refused(workspace: Workspace) -> None:
    workspace.commit("Grow\n", {"MEMORY.md": MEMORY + entries(40)}, author=Workspace.agent)
    workspace.stage({"MEMORY.md": MEMORY})
    assert "HG310" in staged(workspace)


def test_odysseus_1940_what_was_written_meanwhile_survives_a_consolidation(workspace: Workspace) -> None:
    with_driver(workspace)
    as_agent(workspace)
    workspace.commit("Twins\n", {"MEMORY.md": MEMORY + "- Backups run at 03:30.\n"}, author=Workspace.agent)
    done = run_hoard("consolidate", cwd=workspace)
    assert done.returncode == 0, done.stderr
    assert run_hoard("add", "Written meanwhile", "--src", "agent", cwd=workspace).returncode == 0
    workspace.git("merge", "-q", "--no-edit", "hoard/consolidate/2026-06-10", env=AS_AGENT)
    text = workspace.read("MEMORY.md")
    assert text.count("Backups run at 03:30.") == 1
    assert "Written meanwhile" in text


def test_oryxos_85_a_write_that_is_cut_short_leaves_the_old_file(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    old = workspace.read_bytes("MEMORY.md")
    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(Exception, match="No space left"):
        worktree.write_file(str(workspace.path), RepoPath("MEMORY.md"), b"half", old)
    assert workspace.read_bytes("MEMORY.md") == old
    assert sorted(path.name for path in workspace.path.iterdir()) == [".git", ".hoard.yaml", "MEMORY.md"]


# Daily logs and dates


@pytest.mark.parametrize("number", ["6877", "89195", "89881"])
def test_openclaw_6877_an_overwritten_log_is_refused(workspace: Workspace, number: str) -> None:
    workspace.commit("Log\n", {"memory/2026-06-09.md": "# 2026-06-09\n\n" + entries(30)}, author=Workspace.agent)
    workspace.stage({"memory/2026-06-09.md": f"# 2026-06-09\n\n- flush {number}\n"})
    assert "HG310" in staged(workspace)


def test_openclaw_84882_vanished_logs_are_refused_and_come_back(workspace: Workspace) -> None:
    as_agent(workspace)
    logs = {f"memory/2026-05-{day:02}.md": f"- log of day {day}, with what was done\n" for day in range(1, 31)}
    workspace.commit("Logs\n", logs, author=Workspace.agent)
    workspace.stage(dict.fromkeys(logs))
    assert "HG310" in staged(workspace)
    workspace.git("commit", "-qm", "Gone", "--no-verify", env=AS_AGENT)
    done = run_hoard("restore", "memory/2026-05-17.md", cwd=workspace)
    assert done.returncode == 0, done.stderr
    assert "log of day 17" in workspace.read("memory/2026-05-17.md")


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/Los_Angeles"])
@pytest.mark.parametrize("name", ["openclaw_64990", "mem0_6931", "mnemosyne_525"])
def test_the_day_is_the_policys_whatever_the_machine_says(name: str, zone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    monkeypatch.setattr("time.time", lambda: 1781038800.0)  # 2026-06-09 21:00 UTC
    days = read_days(DEFAULT._replace(timezone="Asia/Tokyo"), "", {})
    assert days == read_days(DEFAULT, "2026-06-10", {}), name


@pytest.mark.parametrize(("ts", "code"), [("2027-06-09", "HG105"), ("2025-06-09", "HG106")])
def test_openclaw_17603_a_wrong_year_is_seen(workspace: Workspace, ts: str, code: str) -> None:
    workspace.stage({"MEMORY.md": f"{MEMORY}- A fact <!-- src:agent ts:{ts} -->\n"})
    assert code in staged(workspace)


@pytest.mark.parametrize("ttl", ["90", "soon", "09d", "-1d"])
def test_memanto_807_an_expiry_that_cannot_be_read_is_an_error(workspace: Workspace, ttl: str) -> None:
    workspace.stage({"MEMORY.md": f"{MEMORY}- A fact <!-- src:agent ts:2026-06-10 ttl:{ttl} -->\n"})
    assert "HG102" in staged(workspace)


def test_memanto_1826_dropping_an_expiry_by_an_edit_does_not_lift_the_ceiling(workspace: Workspace) -> None:
    workspace.stage({"MEMORY.md": f"{MEMORY}- A price <!-- src:web ts:2026-06-10 ttl:never -->\n"})
    assert "HG305" in staged(workspace)


# Duplicates, consolidation, archive


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("TrueMemory_687", "The invoice is due on October 15th.", "The invoice is due on October 16th."),
        ("netclaw_1241", "2026-06-01: the pressure of the boiler was 1.8 bar", "2026-06-02: the pressure of the boiler was 1.8 bar"),
    ],
)
def test_what_differs_in_a_number_is_no_duplicate(workspace: Workspace, name: str, one: str, other: str) -> None:
    as_agent(workspace)
    workspace.commit("Pair\n", {"MEMORY.md": f"{MEMORY}- {one}\n- {other}\n"}, author=Workspace.agent)
    done = run_hoard("consolidate", "--dry-run", "--json", "--steps", "dedupe", cwd=workspace)
    assert json.loads(done.stdout)["actions"] == [], name


def test_vellum_assistant_24045_a_consolidation_that_would_take_most_stops_for_a_human(workspace: Workspace) -> None:
    as_agent(workspace)
    old = "## Old <!-- src:web ts:2024-01-01 -->\n\n" + entries(30)
    workspace.commit("Grow\n", {"MEMORY.md": f"{MEMORY}\n{old}"}, author=Workspace.agent)
    done = run_hoard("consolidate", "--apply", cwd=workspace)
    assert done.returncode == 1
    assert b"HG310" in done.stdout + done.stderr
    assert workspace.line("rev-list", "--count", "HEAD") == "2"
    assert workspace.read("MEMORY.md").count("Machine number") == 30


def test_memo_242_what_was_archived_keeps_its_id_and_comes_back(workspace: Workspace) -> None:
    as_agent(workspace)
    old = "## Prices <!-- src:web ts:2026-01-01 id:prc234 -->\n\n- The plan costs 12 euros.\n"
    workspace.commit("Price\n", {"MEMORY.md": f"{MEMORY}{entries(9)}\n{old}"}, author=Workspace.agent)
    assert run_hoard("consolidate", "--apply", cwd=workspace).returncode == 0
    assert "12 euros" not in workspace.read("MEMORY.md")
    assert "id:prc234" in workspace.read("memory/archive/2026-06-10.md")
    done = run_hoard("restore", "prc234", cwd=workspace)
    assert done.returncode == 0, done.stderr
    assert "The plan costs 12 euros." in workspace.read("MEMORY.md")


@pytest.mark.parametrize("number", ["67580", "89444"])
def test_openclaw_67580_promoted_junk_without_a_source_is_refused(workspace: Workspace, number: str) -> None:
    workspace.stage({"MEMORY.md": f"{MEMORY}\n## Promoted {number}\n\n- Candidate: raw text\n- {'x ' * 1500}\n"})
    found = staged(workspace)
    assert "HG101" in found
    assert "HG411" in found


def test_mem0_1674_adding_a_fact_twice_keeps_it(workspace: Workspace) -> None:
    as_agent(workspace)
    for _ in range(2):
        run_hoard("add", "The boiler is serviced in May", "--src", "agent", cwd=workspace)
    run_hoard("consolidate", "--apply", cwd=workspace)
    assert workspace.read("MEMORY.md").count("The boiler is serviced in May") == 1


# Budgets


@pytest.mark.parametrize("number", ["19453", "71782", "78211", "118938", "137308"])
def test_openclaw_137308_the_doctor_counts_like_wc_and_names_what_is_cut_or_dropped(workspace: Workspace, number: str) -> None:
    text = MEMORY + entries(600) + "- Kälte 冷 🧊\n"
    big = dict.fromkeys(("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md"), "# x\n\n" + "- über alles\n" * 1500)
    workspace.commit(f"Large {number}\n", {"MEMORY.md": text, **big})
    rows = {row["path"]: row for row in json.loads(run_hoard("doctor", "--json", cwd=workspace).stdout)["budgets"]}
    assert rows["MEMORY.md"]["chars"] == len(text)
    assert rows["MEMORY.md"]["bytes"] == len(text.encode())
    assert rows["AGENTS.md"]["outcome"] == "whole"
    assert rows["MEMORY.md"]["outcome"] in ("cut", "dropped")


# Merges


def test_agentsystem_465_conflict_markers_are_refused(workspace: Workspace) -> None:
    marks = ["<" * 7 + " HEAD", "- One", "=" * 7, "- Two", ">" * 7 + " side", ""]
    workspace.stage({"MEMORY.md": MEMORY + "\n".join(marks)})
    assert "HG109" in staged(workspace)


def merged(workspace: Workspace, one: str, other: str) -> str:
    """MEMORY.md after a merge of two branches of the agent's that have these versions."""
    workspace.git("checkout", "-qb", "side")
    workspace.commit("Side\n", {"MEMORY.md": one}, author=Workspace.agent)
    workspace.git("checkout", "-q", "main")
    workspace.commit("Main\n", {"MEMORY.md": other}, author=Workspace.agent)
    workspace.git("merge", "-q", "--no-edit", "side", env=AS_AGENT)
    return workspace.read("MEMORY.md")


def test_coven_cave_4238_records_that_both_sides_have_are_merged_into_one(workspace: Workspace) -> None:
    with_driver(workspace)
    text = merged(workspace, f"{MEMORY}{entries(20)}- Of the side.\n", f"{MEMORY}- Of main.\n{entries(20)}")
    assert text.count("Machine number") == 20
    assert text.count("Of the side.") == text.count("Of main.") == 1


def test_ai_agents_4605_what_a_union_merge_has_doubled_is_reported(workspace: Workspace) -> None:
    workspace.commit("Union\n", {".gitattributes": "*.md merge=union\n"})
    sides = [MEMORY.replace("src:agent ts:2026-06-05", f"src:agent ts:2026-06-0{day}") for day in (6, 7)]
    text = merged(workspace, sides[0].replace("the wiki", "the shop"), sides[1].replace("the wiki", "the mail"))
    assert text.count("## Infrastructure") == 2
    assert "HG115" in codes(run_hoard("check", "--format", "json", cwd=workspace).stdout)


def test_agentic_memory_14_a_clone_without_the_driver_is_told(workspace: Workspace) -> None:
    workspace.commit("Driver\n", {".gitattributes": "MEMORY.md merge=hoard\n"})
    done = run_hoard("doctor", "--json", cwd=workspace)
    (check,) = [row for row in json.loads(done.stdout)["checks"] if row["name"] == "merge-driver"]
    assert (check["status"] != "ok", check["fix"]) == (True, "hoard hooks install")
    assert run_hoard("hooks", "install", cwd=workspace).returncode == 0
    done = run_hoard("doctor", "--json", cwd=workspace)
    assert "merge.hoard.driver" not in next(row["detail"] for row in json.loads(done.stdout)["checks"] if row["name"] == "merge-driver")


# Authorship and trust


def test_neo_15340_an_agent_that_commits_as_the_human_is_known_by_its_environment(workspace: Workspace) -> None:
    workspace.stage({"MEMORY.md": MEMORY.replace("Tuesdays", "Fridays")})
    human = {"GIT_AUTHOR_NAME": "Ada Example", "GIT_AUTHOR_EMAIL": "ada@example.org"}
    assert "HG301" not in staged(workspace, env=human)
    assert "HG301" in staged(workspace, env={**human, "CLAUDECODE": "1"})


def test_librefang_6672_the_author_is_the_one_that_git_will_write(workspace: Workspace) -> None:
    workspace.stage({"MEMORY.md": MEMORY.replace("Tuesdays", "Fridays")})
    assert "HG301" in staged(workspace, env={"GIT_AUTHOR_NAME": "Ada Example", "GIT_AUTHOR_EMAIL": "clawd@agents.example"})


def test_openclaw_7707_an_entrys_source_is_shown_and_cannot_be_raised(workspace: Workspace) -> None:
    workspace.commit("Web\n", {"MEMORY.md": f"{MEMORY}- A price <!-- src:web ts:2026-06-10 -->\n"}, author=Workspace.agent)
    lines = [json.loads(line) for line in run_hoard("blame", "MEMORY.md", "--json", cwd=workspace).stdout.splitlines()]
    assert lines[-1]["src"] == "web"
    workspace.stage({"MEMORY.md": f"{MEMORY}- A price <!-- src:agent ts:2026-06-10 -->\n"})
    assert "HG302" in staged(workspace)


# Secrets in memory


def test_neurostack_113_a_key_is_found_and_the_word_password_is_none(workspace: Workspace) -> None:
    harmless = "- The password is kept in the vault.\n- Reset your password every year.\n- Example: AKIA" + "IOSFODNN7EXAMPLE\n"
    workspace.stage({"MEMORY.md": MEMORY + harmless})
    assert [code for code in staged(workspace) if code.startswith("HG2")] == []
    workspace.stage({"MEMORY.md": f"{MEMORY}- Key: ghp{'_'}{secrets.token_hex(18)}\n"})
    assert "HG201" in staged(workspace)


def test_agentmemory_911_a_fact_with_a_secret_is_not_kept(workspace: Workspace) -> None:
    as_agent(workspace)
    value = "ghp" + "_" + secrets.token_hex(18)
    done = run_hoard("add", f"The key is {value}", "--src", "agent", cwd=workspace)
    assert done.returncode == 1
    assert value not in workspace.read("MEMORY.md")
    assert value.encode() not in done.stdout + done.stderr


def test_openviking_2899_a_commits_name_is_no_key(workspace: Workspace) -> None:
    workspace.stage({"MEMORY.md": f"{MEMORY}- Fixed in commit {secrets.token_hex(20)} of the wiki.\n"})
    assert [code for code in staged(workspace) if code.startswith("HG2")] == []


# Text, names, files


@pytest.mark.parametrize("number", ["20730", "110500", "92728"])
def test_openclaw_20730_chinese_words_are_found(workspace: Workspace, number: str) -> None:
    workspace.commit(f"Chinese {number}\n", {"memory/zh.md": "# 备份 <!-- src:agent ts:2026-06-05 -->\n\n- 服务器每天凌晨三点备份。\n"})
    hits = json.loads(run_hoard("search", "备份", "--json", cwd=workspace).stdout)["hits"]
    assert hits[0]["path"] == "memory/zh.md"
    assert hits[0]["score"] > 0


@pytest.mark.parametrize("name", ["memory/🦊.md", "memory/❗.md"], ids=["qmd_302", "qmd_86"])
def test_a_name_of_symbols_does_not_stop_the_index(workspace: Workspace, name: str) -> None:
    workspace.commit("Fox\n", {name: "# Fox <!-- src:agent ts:2026-06-05 -->\n\n- The fox sleeps under the shed.\n"})
    hits = json.loads(run_hoard("search", "fox shed", "--json", cwd=workspace).stdout)["hits"]
    assert [hit["path"] for hit in hits][:1] == [name]


@pytest.mark.parametrize("number", ["23619", "140214", "68597"])
def test_openclaw_23619_a_symlink_is_named_and_not_followed(workspace: Workspace, tmp_path: Path, number: str) -> None:
    (tmp_path / "outside.md").write_text(f"- outside {number}\n", encoding="utf-8")
    (workspace.path / "memory").mkdir()
    (workspace.path / "memory/link.md").symlink_to(tmp_path / "outside.md")
    done = run_hoard("check", "--format", "json", cwd=workspace)
    assert "HG409" in codes(done.stdout)
    found = json.loads(run_hoard("search", f"outside {number}", "--json", cwd=workspace).stdout)
    assert [hit for hit in found["hits"] if hit["path"] != "MEMORY.md"] == []


@pytest.mark.parametrize("text", ["---\r\ntitle: A\r\n---\r\n\r\n- One\r\n", "\ufeff---\ntitle: A\n---\n\n- One\n"], ids=["crlf", "bom"])
@pytest.mark.parametrize("name", ["copilot_cli_694", "oh_my_claudecode_2282", "basic_memory_1171"])
def test_front_matter_keeps_its_bytes_and_stays_one(workspace: Workspace, name: str, text: str) -> None:
    workspace.commit("Page\n", {"memory/a.md": text})
    assert run_hoard("tag", cwd=workspace).returncode == 0
    after = workspace.read_bytes("memory/a.md").decode()
    assert after.count("---") == 2, name
    assert re.sub(r"[ ]*<!-- src:[^>]*-->(?:\r?\n(?=- ))?", "", after).replace("\r\n\r\n\r\n", "\r\n\r\n") == text
    assert "src:agent" in after


def test_pi_hermes_memory_112_an_emptied_file_takes_a_fact(workspace: Workspace) -> None:
    workspace.commit("Empty\n", {"memory/a.md": ""})
    as_agent(workspace)
    done = run_hoard("add", "The hives stand behind the barn", "--src", "agent", "--file", "memory/a.md", cwd=workspace)
    assert done.returncode == 0, done.stderr
    assert b"The hives stand behind the barn" in workspace.show("HEAD", "memory/a.md")


@pytest.mark.parametrize("number", ["44130", "34975", "62274"])
def test_claude_code_44130_a_branchs_memory_stays_on_its_branch(workspace: Workspace, number: str) -> None:
    as_agent(workspace)
    other = workspace.path.parent / "other"
    workspace.git("worktree", "add", "-q", "-b", "side", str(other))
    assert run_hoard("add", f"Only on the side {number}", "--src", "agent", cwd=other).returncode == 0
    found = [json.loads(run_hoard("search", f"side {number}", "--json", cwd=place).stdout)["hits"] for place in (workspace.path, other)]
    assert [bool([hit for hit in hits if number in hit["text"]]) for hits in found] == [False, True]
