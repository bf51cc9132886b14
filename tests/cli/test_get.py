"""What `hoard get` gives, and what it does not."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from pathlib import Path

import pytest

from hoard_git.app.reading import split_revision
from tests.support.repo import MEMORY, Workspace, run_hoard

SECRET = "gh" + "p_" + hashlib.sha256(b"get").hexdigest()[:36]


def get(workspace: Workspace | Path, *args: str) -> tuple[int, str, str]:
    done = run_hoard("get", *args, cwd=workspace)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_a_file_whole_and_in_part(workspace: Workspace) -> None:
    assert get(workspace, "MEMORY.md") == (0, MEMORY, "")
    whose = "[\u2026 line 11: src:agent ts:2026-06-05 ttl:90d, from line 8]\n"
    assert get(workspace, "MEMORY.md", "--from", "11", "--lines", "1") == (0, f"{whose}- Backups run at 03:30.\n", "")
    assert get(workspace, "MEMORY.md", "--from", "11", "--lines", "900") == (0, f"{whose}- Backups run at 03:30.\n", "")
    assert get(workspace, "MEMORY.md", "--from", "12") == (0, "", "hoard: 'MEMORY.md' has 11 lines.\n")


def test_at_a_revision_and_from_a_folder(workspace: Workspace) -> None:
    old = workspace.commit("One\n", {"memory/home.md": "# Home\n\n- Old\n"})
    workspace.commit("Two\n", {"memory/home.md": None})
    assert get(workspace, "memory/home.md@HEAD~1") == (0, "# Home\n\n- Old\n", "")
    assert get(workspace, f"memory/home.md@{old[:12]}")[1] == "# Home\n\n- Old\n"
    assert get(workspace, "memory/home.md@HEAD") == (0, "", f"hoard: there is no 'memory/home.md' at {workspace.head()[:10]}.\n")
    assert get(workspace, "memory/home.md@nowhere")[0] == 2
    workspace.write("memory/a@b.md", "# At\n")
    assert get(workspace.path / "memory", "a@b.md") == (0, "# At\n", "")


@pytest.mark.parametrize(
    ("argument", "parts"),
    [
        ("MEMORY.md", ("MEMORY.md", "")),
        ("a/b.md@HEAD~2", ("a/b.md", "HEAD~2")),
        ("b.md@HEAD@{1}", ("b.md", "HEAD@{1}")),
        ("b.md@", ("b.md@", "")),
        ("@x", ("@x", "")),
    ],
)
def test_path_and_revision(argument: str, parts: tuple[str, str]) -> None:
    assert split_revision(argument) == parts


def test_a_missing_file_is_an_empty_answer(workspace: Workspace) -> None:
    assert get(workspace, "memory/none.md") == (0, "", "hoard: there is no 'memory/none.md'.\n")
    status, out, _err = get(workspace, "memory/none.md", "--json")
    assert (status, json.loads(out)) == (
        0,
        {
            "schema": 1,
            "path": "memory/none.md",
            "commit": None,
            "from": 1,
            "lines": 0,
            "total": 0,
            "text": "",
            "note": "there is no 'memory/none.md'",
            "provenance": [],
        },
    )
    workspace.write("memory/empty.md", "")
    assert get(workspace, "memory/empty.md") == (0, "", "hoard: 'memory/empty.md' is empty.\n")


def test_lines_below_a_tag_say_whose_they_are(workspace: Workspace) -> None:
    head = (
        "# N <!-- src:dig ts:unknown -->\n\n- a\n\n## B <!-- src:web ts:2026-06-01 ttl:1w -->\n\n- b\n- c <!-- src:tool ts:2026-06-02 -->\n"
    )
    workspace.write("memory/n.md", head + "- d\n  of two\n  lines <!-- src:user ts:2026-06-03 -->\n")
    web = "[\u2026 line {}: src:web ts:2026-06-01 ttl:1w, from line 5]\n"
    assert get(workspace, "memory/n.md", "--lines", "8")[1] == head
    assert get(workspace, "memory/n.md", "--from", "3", "--lines", "1")[1] == "[\u2026 line 3: src:dig ts:unknown, from line 1]\n- a\n"
    assert get(workspace, "memory/n.md", "--from", "7", "--lines", "1")[1] == web.format(7) + "- b\n"
    assert get(workspace, "memory/n.md", "--from", "8", "--lines", "1")[1] == "- c <!-- src:tool ts:2026-06-02 -->\n"
    cut = "[\u2026 line 9: src:user ts:2026-06-03, from line 11]\n"
    assert get(workspace, "memory/n.md", "--from", "7", "--lines", "3")[1].startswith(web.format(7) + cut + "- b\n")


def test_json_of_some_lines(workspace: Workspace) -> None:
    workspace.write("memory/latin.md", b"# L\r\n\r\n- Caf\xe9\r\n- End")
    data = json.loads(get(workspace, "memory/latin.md", "--json", "--from", "3")[1])
    assert (data["from"], data["lines"], data["total"], data["text"]) == (3, 2, 4, "- Caf\ufffd\r\n- End\n")


def test_a_packed_log_is_unpacked(workspace: Workspace) -> None:
    workspace.write("memory/archive/logs/2025-01-02.md.gz", gzip.compress(b"# Log\n\n- Choir\n"))
    workspace.write("memory/archive/torn.md.gz", gzip.compress(b"# Log\n")[:-8])
    assert get(workspace, "memory/archive/logs/2025-01-02.md.gz", "--from", "3") == (0, "[\u2026 line 3: untagged]\n- Choir\n", "")
    workspace.write("memory/2025-01-03.md.gz", gzip.compress(b"# Log\n\n- Concert\n"))
    day = json.loads(get(workspace, "memory/2025-01-03.md.gz", "--json")[1])["provenance"]
    assert [(entry["src"], entry["ts"]) for entry in day] == [("agent", "2025-01-03")], "as search and the log before it was packed"
    status, out, err = get(workspace, "memory/archive/torn.md.gz")
    assert (status, out, "damaged gzip" in err) == (2, "", True)


@pytest.mark.parametrize(
    "path",
    [
        "../outside.md",
        "memory/../../outside.md",
        ".git/config",
        "memory/../.git/config",
        ".GIT/config",
        ".",
        "link.md",
        "memory/link.md",
        "memory/folder/outside.md",
        ".hoard.yaml",
        "script.py",
        "memory",
        "memory/pipe.md",
    ],
)
def test_nothing_else_is_read(workspace: Workspace, tmp_path: Path, path: str) -> None:
    (tmp_path / "outside.md").write_text("OUTSIDE")
    (workspace.path / "memory").mkdir(exist_ok=True)
    workspace.write("script.py", "OUTSIDE")
    (workspace.path / "link.md").symlink_to(tmp_path / "outside.md")
    (workspace.path / "memory/link.md").symlink_to(tmp_path / "outside.md")
    (workspace.path / "memory/folder").symlink_to(tmp_path)
    os.mkfifo(workspace.path / "memory/pipe.md")
    status, out, err = get(workspace, path)
    assert (status, out) == (2, ""), err
    assert "OUTSIDE" not in err
    absolute = str(tmp_path / "outside.md")
    assert get(workspace, absolute)[:2] == (2, "")
    workspace.git("add", "-A", "-f", "--", "memory/link.md")
    workspace.git("commit", "-qm", "Link")
    assert get(workspace, "memory/link.md@HEAD")[:2] == (2, "")


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_secret_is_masked_by_what_stands_above_it(workspace: Workspace, form: tuple[str, ...]) -> None:
    workspace.commit("One\n", {"memory/keys.md": f"# Keys\n\nThe deploy token:\n\n    {SECRET}\n"})
    for what in ("memory/keys.md", "memory/keys.md@HEAD"):
        for more in ((), ("--from", "5")):
            status, out, err = get(workspace, what, *more, *form)
            assert status == 0
            assert SECRET[6:20] not in out + err


def test_control_characters_are_escaped(workspace: Workspace) -> None:
    workspace.write("memory/odd.md", "# Odd \x1b[31m\n")
    assert get(workspace, "memory/odd.md")[1] == "# Odd \\x1b[31m\n"
    assert "\x1b" not in get(workspace, "memory/odd.md", "--json")[1]
