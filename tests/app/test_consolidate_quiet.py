"""What `hoard consolidate` says and leaves alone: secrets, names, files that the gate would refuse, packed logs."""

from __future__ import annotations

import gzip
import hashlib
import json

import pytest

from tests.app.consolidating import DAY, OLD, hoard
from tests.app.support import as_agent
from tests.support.repo import POLICY, Workspace, run_hoard


@pytest.mark.parametrize("step", ["expire", "compress"])
def test_a_secret_in_a_heading_is_in_no_remark_file_name_message_or_report(aged: Workspace, step: str) -> None:
    key = "gh" + "p_" + hashlib.sha256(step.encode()).hexdigest()[:36]
    word = "Xy!9z" + "Qw#77"  # its slug is no secret to a detector, and still says most of it
    facts = "".join(f"- Fact number {number} of the cellar is long enough to be moved\n" for number in range(300))
    day = "2026-06-05" if step == "expire" else "2026-12-20"
    head = f"<!-- src:agent ts:{day} ttl:90d -->\n\n- The first fact here\n- The user's own <!-- src:user ts:2026-06-05 -->\n"
    text = f"# M\n\n## Keys {key} {head}\n## Router password: {word} {head}"
    aged.write("MEMORY.md", text + (facts if step == "compress" else ""))
    aged.git("add", "-A")
    aged.git("commit", "-q", "-n", "--no-edit", "-m", "by hand")
    told = [hoard(aged, "--steps", step, *more) for more in (("--dry-run",), ("--dry-run", "--json"), ("--apply",))]
    assert [status for status, _out, _err in told] == [0, 0, 0], told
    # the heading stays for what is the user's, and a second one would be refused: the file is left as it is, and the line is told
    assert aged.line("status", "--porcelain") == ""
    notes = " ".join(told[0][1].split())
    assert f"'MEMORY.md' is left as it is, for line {3 if step == 'expire' else 8} would be refused (HG201" in notes

    if step == "compress":  # its heading stays as well
        return
    aged.write("MEMORY.md", aged.read("MEMORY.md").replace("- The user's own <!-- src:user ts:2026-06-05 -->\n", ""))
    aged.git("add", "-A")
    aged.git("commit", "-q", "-n", "-m", "the section may go whole")
    told += [hoard(aged, "--steps", step, *more) for more in (("--dry-run",), ("--dry-run", "--json"), ("--apply",))]
    assert [status for status, _out, _err in told] == [0] * 6, told
    changed = aged.line("diff", "--name-only", "HEAD^").split("\n")
    assert changed[-1].startswith("memory/")
    for seen in (*(out + err for _status, out, err in told), aged.message("HEAD"), *changed):
        assert key not in seen
        assert "xy9z" not in seen.lower()
    assert "xy9z" not in aged.line("show", "--format=", "HEAD").lower()


def test_a_secret_in_a_line_that_would_be_rewritten_stops_its_file_alone(workspace: Workspace) -> None:
    value = "tR7#mQ2v-" + "Lx9pWz"
    expired = "## Db <!-- src:agent ts:2025-01-01 ttl:30d -->\n\n- The mail {0}\n- new one here <!-- src:agent ts:2026-12-01 -->\n"
    files = {
        "memory/t.md": f"# T\n\n{expired.format('password is ' + value)}",
        "memory/u.md": f"# U\n\n{expired.format('server is old')}",
    }
    workspace.commit("Grow\n", files)
    as_agent(workspace)
    status, out, err = hoard(workspace, "--steps", "expire", "--dry-run")
    assert status == 0, err
    assert "memory/u.md:5" in out and "memory/t.md:5" not in out
    status, out, err = hoard(workspace, "--steps", "expire", "--apply")
    assert (status, workspace.read("memory/t.md")) == (0, files["memory/t.md"]), err
    assert "server is old" in workspace.read("memory/archive/2026-12-30.md")
    told = " ".join(out.split())
    assert "'memory/t.md' is left as it is, for line 5 would be refused (HG201 password after a label" in told
    assert "hoard purge --plan -" in told
    assert value not in out + err + workspace.message()


def test_what_the_workspaces_own_rules_refuse_is_named_where_it_stands_now(aged: Workspace) -> None:
    rules = "[[rules]]\nid = 'local'\nregex = 'Backups run at [0-9:]+'\n"
    text = OLD.replace("- Node-2", "- Kept <!-- src:agent ts:2026-12-01 -->\n- Node-2")
    aged.commit("Rules\n", {".gitleaks.toml": rules, "MEMORY.md": text}, author=Workspace.human)
    status, out, _err = hoard(aged, "--steps", "expire", "--apply")
    assert status == 1
    assert "MEMORY.md:11:" in out and "memory/archive/" not in out


PACKED_LOG = "memory/archive/logs/2026-06-05.md.gz"


@pytest.mark.parametrize("keeps_log", [True, False])
def test_a_packed_original_turns_cold_and_is_packed_again(workspace: Workspace, *, keeps_log: bool) -> None:
    workspace.policy(POLICY + "tiers: {hot: 7d, warm: 90d, gzip_after: 30d}\n")
    lines = "".join(f"- Looked at pump number {n} in the cellar\n" for n in range(14))
    workspace.commit("Log\n", {"memory/2026-06-05.md": f"# L\n\n{lines}- We decided to rent a second pump from jo@kouter.be\n"})
    for day in ("2026-06-20", "2026-07-20"):
        done = run_hoard("consolidate", "--steps", "tiers", "--apply", "--date", day, cwd=workspace)
        assert done.returncode == 0, done.stderr
    whole = gzip.decompress(workspace.read_bytes(PACKED_LOG))
    assert b"reason:warm" in whole and b"pump number 3" in whole
    assert b"1 older log" in run_hoard("tiers", "--date", "2026-07-20", cwd=workspace).stdout
    if not keeps_log:
        workspace.commit("Drop the log\n", {"memory/2026-06-05.md": None})

    done = run_hoard("consolidate", "--steps", "tiers", "--apply", cwd=workspace, env={"HOARD_DATE": DAY})
    assert done.returncode == 0, done.stderr + done.stdout
    cold = gzip.decompress(workspace.read_bytes(PACKED_LOG))
    assert b"reason:warm" not in cold and b"pump number 3" not in cold and b"[EMAIL]" in cold and b"kouter" not in cold
    assert not (workspace.path / PACKED_LOG.removesuffix(".gz")).exists()
    checked = run_hoard("check", "--commit", "HEAD", "--date", DAY, cwd=workspace)
    assert checked.returncode == 0, checked.stdout
    again = run_hoard("consolidate", "--steps", "tiers", "--dry-run", "--date", DAY, cwd=workspace)
    assert b"Nothing to consolidate" in again.stdout


def test_packed_logs_that_are_left_are_named(workspace: Workspace) -> None:
    packed = gzip.compress(b"# L\n\n- a note\n")
    workspace.commit("Pack\n", {"memory/2026-06-05.md.gz": packed, PACKED_LOG: packed[:20]})
    status, out, _err = hoard(workspace, "--steps", "tiers", "--dry-run")
    told = " ".join(out.split())
    assert status == 0
    assert "'memory/2026-06-05.md.gz' is packed and lies outside of the archive, so it is left as it is" in told
    assert f"{PACKED_LOG!r} cannot be unpacked, so it is left as it is" in told


def test_a_name_that_the_cold_tier_masks_is_in_no_trailer_either(workspace: Workspace) -> None:
    workspace.policy(POLICY + "personal: {names: [Ines Vermeulen]}\n")
    lines = "".join(f"- Looked at pump number {n} in the cellar\n" for n in range(14))
    head = "# 2026-06-05\n\n## Morning with Ines Vermeulen, jo@kouter.be\n\n"
    workspace.commit("Log\n", {"memory/2026-06-05.md": f"{head}{lines}- We decided to rent a pump\n"})
    status, out, err = hoard(workspace, "--steps", "tiers", "--apply", env={"GIT_AUTHOR_EMAIL": "ada@example.org"})
    assert status == 0, out + err
    message = workspace.message()
    assert "[PERSON]" in workspace.read("memory/archive/logs/2026-06-05.md")
    assert not [word for word in ("ines", "vermeulen", "kouter") if word in message.lower()], message
    assert "Memory-Block: remove - agent 2026-06-05 - memory/2026-06-05.md#-\n" in message
    assert run_hoard("check", "--commit", "HEAD", "--date", DAY, cwd=workspace).returncode == 0


@pytest.mark.parametrize("packs", [False, True])
def test_a_cold_log_that_was_restored_stands_once_in_the_archive(workspace: Workspace, *, packs: bool) -> None:
    if packs:
        workspace.policy(POLICY + "tiers: {hot: 7d, warm: 90d, gzip_after: 30d}\n")
    lines = "".join(f"- Looked at pump number {n} in the cellar\n" for n in range(14))
    log = f"# L\n\n{lines}- We decided to rent a second pump from jo@kouter.be\n"
    workspace.commit("Log\n", {"memory/2026-06-05.md": log}, author=Workspace.agent)
    archived = PACKED_LOG if packs else PACKED_LOG.removesuffix(".gz")
    told = []
    for _round in range(3):
        done = run_hoard("consolidate", "--steps", "tiers", "--apply", "--date", DAY, cwd=workspace)
        assert done.returncode == 0, done.stderr
        told.append(workspace.read_bytes(archived))
        assert run_hoard("check", "--commit", "HEAD", "--date", DAY, cwd=workspace).returncode == 0
        back = run_hoard("restore", "memory/2026-06-05.md", "--date", DAY, cwd=workspace)
        assert back.returncode == 0, back.stderr
        assert workspace.read("memory/2026-06-05.md") == log
    assert told[1:] == told[:1] * 2
    events = run_hoard("log", "memory/2026-06-05.md", "--json", cwd=workspace).stdout.splitlines()
    kinds = [json.loads(line)["event"] for line in events if json.loads(line)["block"]["path"] == "memory/2026-06-05.md"]
    assert kinds[0] == "restore"
    assert kinds.count("remove") + kinds.count("archive") >= 2
