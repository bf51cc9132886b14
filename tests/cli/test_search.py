"""What `hoard search` prints."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from pathlib import Path

import pytest

from tests.support.repo import Workspace, run_hoard

SECRET = "gh" + "p_" + hashlib.sha256(b"search").hexdigest()[:36]


def search(workspace: Workspace | Path, *args: str) -> tuple[int, str, str]:
    done = run_hoard("--date", "2026-06-15", "search", "--embedder", "off", *args, cwd=workspace)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_a_hit_has_its_place_its_worth_and_its_words(workspace: Workspace) -> None:
    workspace.write("memory/web.md", "# Web\n\n- Backups are for the weak <!-- src:web ts:2026-05-01 -->\n")
    status, out, _err = search(workspace, "when", "do", "backups", "run")
    assert status == 0
    assert out == (
        "MEMORY.md:11  agent 2026-06-05  (infrastructure)\n    Backups run at 03:30.\n"
        "memory/web.md:3  web 2026-05-01  stale, low-trust  (web)\n    Backups are for the weak\n"
    )


def test_a_query_in_another_encoding(workspace: Workspace) -> None:
    for more in ((), ("--json",), ("--history",)):
        status, out, err = search(workspace, os.fsdecode(b"Backups in Z\xfcrich"), *more)
        assert (status, err) == (0, "")
        assert "Backups run at 03:30." in out


def test_json(workspace: Workspace) -> None:
    status, out, _err = search(workspace, "backups run", "--json", "-n", "1")
    data = json.loads(out)
    assert (status, data["schema"], data["query"], data["vector"], data["unread"]) == (0, 1, "backups run", "off", [])
    (hit,) = data["hits"]
    assert {name: hit[name] for name in ("path", "line", "end_line", "block", "text", "src", "ts", "flags", "commit")} == {
        "path": "MEMORY.md",
        "line": 11,
        "end_line": 11,
        "block": "MEMORY.md#infrastructure",
        "text": "Backups run at 03:30.",
        "src": "agent",
        "ts": "2026-06-05",
        "flags": [],
        "commit": None,
    }
    assert hit["parts"] == {"coverage": 1.0, "cosine": None, "trust": 0.95, "recency": 1.0, "tier": 1.0}


def test_json_is_unicode_whatever_a_file_is_called(workspace: Workspace) -> None:
    workspace.write(os.fsdecode(b"memory/caf\xe9.md"), "# Bar\n\n- Opens at nine\n")
    (workspace.path / os.fsdecode(b"memory/th\xe9.md")).symlink_to("nowhere")
    data = json.loads(search(workspace, "opens", "--json")[1])
    assert [(hit["path"], hit["block"]) for hit in data["hits"]] == [("memory/caf\ufffd.md", "memory/caf\ufffd.md#bar")]
    assert [row["path"] for row in data["unread"]] == ["memory/th\ufffd.md"]


@pytest.mark.parametrize("form", [(), ("--json",)])
@pytest.mark.parametrize("where", ["live", "removed", "packed", "heading"])
def test_a_secret_is_never_shown(workspace: Workspace, form: tuple[str, ...], where: str) -> None:
    text = f"# Keys\n\n- The deploy token:\n\n  {SECRET}\n- Deploy on Mondays\n"
    if where == "heading":
        text = f"# Keys\n\n## Deploy token {SECRET}\n"
    if where == "removed":
        workspace.commit("One\n", {"memory/keys.md": text})
        workspace.commit("Two\n", {"memory/keys.md": None})
    elif where == "packed":
        workspace.write("memory/archive/keys.md.gz", gzip.compress(text.encode()))
    else:
        workspace.write("memory/keys.md", text)
    status, out, err = search(workspace, "deploy token", SECRET, "--history", *form)
    assert status == 0
    assert "eploy" in out
    assert SECRET not in out + err
    assert SECRET[8:30] not in out + err


def test_control_characters_stay_harmless(workspace: Workspace) -> None:
    workspace.write("memory/odd.md", "# Odd\n\n- Boiler \x1b[31mred\x07 alarm\u202e\n")
    _status, out, _err = search(workspace, "boiler alarm")
    assert "Boiler \\x1b[31mred\\x07 alarm\\u202e" in out


def test_a_long_line_is_shown_around_the_word(workspace: Workspace) -> None:
    workspace.write("memory/long.md", "# L\n\n- " + "filler " * 6000 + "needle " + "chaff " * 600 + "\n")
    _status, out, _err = search(workspace, "needle", "--json")
    (hit,) = json.loads(out)["hits"]
    assert len(hit["text"]) < 2100
    assert "needle" in hit["text"]
    _status, out, _err = search(workspace, "needle")
    assert "needle" in out
    assert len(out) < 800


def test_nothing_found_says_where_else_to_look(workspace: Workspace) -> None:
    assert search(workspace, "zeppelin") == (
        0,
        "",
        "hoard: nothing fits. The archive and removed memory, too: hoard search --history …\n",
    )
    workspace.write("memory/archive/old.md", "# Old\n\n- The zeppelin is gone\n")
    assert search(workspace, "zeppelin")[2].startswith("hoard: 1 better match in the archive: hoard search --archive …\n")


def test_nothing_found_where_something_could_not_be_read_is_no_success(workspace: Workspace) -> None:
    workspace.write("memory/archive/torn.md.gz", b"\x1f\x8b\x08torn")
    status, out, err = search(workspace, "zeppelin")
    assert (status, out) == (2, "")
    assert err.startswith("hoard: not searched: memory/archive/torn.md.gz: ")
    status, out, err = search(workspace, "zeppelin", "--json")
    assert (status, json.loads(out)["unread"][0]["path"]) == (2, "memory/archive/torn.md.gz")


def test_bad_input(workspace: Workspace, tmp_path: Path) -> None:
    assert search(workspace, "??")[0] == 2
    assert search(workspace, "x", "--at", "nowhere")[0] == 2
    assert search(workspace, "x", "-n", "0")[0] == 2
    status, _out, err = search(tmp_path, "x")
    assert (status, "not a git repository" in err) == (2, True)


def test_an_option_without_its_value_leads_to_the_help_of_this_command(workspace: Workspace) -> None:
    done = run_hoard("search", "boiler", "--embedder", cwd=workspace.path)
    assert (done.returncode, done.stderr.decode()) == (2, "hoard: Option '--embedder' requires an argument.\n  next: hoard search --help\n")
