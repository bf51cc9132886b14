"""Files under memory/ that are no plain text, and names that are secrets, through real `git commit`."""

from __future__ import annotations

import gzip
import secrets

import pytest

from tests.hooks.conftest import AS_AGENT
from tests.support.repo import Workspace


def commit(workspace: Workspace, path: str, data: bytes) -> tuple[int, str]:
    """Commit one more file as the agent; return the status and what was said."""
    workspace.write(path, data)
    workspace.git("add", "-A")
    done = workspace.git("commit", "-qm", "Note", env=AS_AGENT, check=False)
    return done.returncode, (done.stdout + done.stderr).decode()


@pytest.mark.parametrize("form", ["utf-16", "utf-16-le", "utf-16-be", "gzip"])
def test_a_secret_in_a_wrapped_file_is_found_in_its_line(hooked: Workspace, form: str) -> None:
    key = "ghp" + "_" + secrets.token_hex(18)
    text = f"first\nsecond\nkey {key}\n"
    data = gzip.compress(text.encode()) if form == "gzip" else text.encode(form)

    status, said = commit(hooked, "memory/dump.log", data)

    assert status == 1
    assert "memory/dump.log:3:" in said
    assert "HG201" in said
    assert key not in said


def test_harmless_wrapped_files_pass_and_a_damaged_one_can_be_replaced(hooked: Workspace) -> None:
    assert commit(hooked, "memory/a.txt", "nothing to see\n".encode("utf-16"))[0] == 0
    assert commit(hooked, "memory/a.log.gz", gzip.compress(b"nothing to see\n"))[0] == 0
    damaged = gzip.compress(secrets.token_bytes(400))[:-30]

    status, said = commit(hooked, "memory/b.gz", damaged)

    assert status not in (0, 1) or "damaged gzip" in said
    assert "damaged gzip" in said
    hooked.git("commit", "-qm", "Past the gate", "--no-verify", env=AS_AGENT)
    assert commit(hooked, "memory/b.gz", gzip.compress(b"mended\n"))[0] == 0


def test_a_name_that_is_a_secret(hooked: Workspace) -> None:
    key = "ghp" + "_" + secrets.token_hex(18)

    status, said = commit(hooked, f"memory/{key}.txt", b"nothing to see\n")

    assert status == 1
    assert "HG201" in said
    assert "the name of the file is a secret" in said
