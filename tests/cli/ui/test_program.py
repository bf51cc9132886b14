"""`hoard ui` as it is started and ended: where it listens, what it prints, and why it may not start."""

from __future__ import annotations

import re
import socket
import sys
from pathlib import Path

import pytest

from hoard_git.cli.ui.server import has_display
from tests.cli.ui.running import running
from tests.support.repo import Repo, Workspace, run_hoard


def test_it_prints_one_address_answers_it_alone_and_ends_on_ctrl_c(grown: Workspace) -> None:
    with running(grown) as server:
        assert re.fullmatch(r"http://127\.0\.0\.1:[0-9]+/\?token=[A-Za-z0-9_-]{43}", server.address)
        assert server.get("/files")[0] == 403
        cookie = server.cookie()
        status, text, headers = server.get("/file?path=MEMORY.md", Cookie=cookie)
        assert (status, "Backups run at 03:30." in text) == (200, True)
        assert "server" not in headers
        assert server.get("/files", Cookie=cookie, Host="rebound.example")[0] == 421
        status, out, err = server.interrupt()
    assert (status, out) == (130, "")
    assert "end with Ctrl-C" in err
    assert "Traceback" not in err
    assert "token" not in err


def test_it_listens_on_this_machine_only(grown: Workspace) -> None:
    with running(grown) as server:
        lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        mine = {fields[1] for fields in lines if fields[3] == "0A" and fields[1].endswith(f":{server.port:04X}")}
        assert mine == {f"0100007F:{server.port:04X}"}


def test_it_ends_while_a_browser_keeps_its_connection_open(grown: Workspace) -> None:
    with running(grown) as server, socket.create_connection(("127.0.0.1", server.port), timeout=60) as kept:
        kept.sendall(f"GET /files HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nCookie: {server.cookie()}\r\n\r\n".encode())
        assert kept.recv(15) == b"HTTP/1.1 200 OK"
        assert server.interrupt()[0] == 130


def test_what_changes_meanwhile_is_on_the_next_page(grown: Workspace) -> None:
    with running(grown) as server:
        cookie = server.cookie()
        assert "Zebra" not in server.get("/file?path=MEMORY.md", Cookie=cookie)[1]
        grown.commit("Add\n", {"MEMORY.md": grown.read("MEMORY.md") + "- Zebra\n"}, author=Workspace.agent)
        assert "Zebra" in server.get("/file?path=MEMORY.md", Cookie=cookie)[1]


def test_a_port_that_is_taken(grown: Workspace) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        done = run_hoard("ui", "--no-open", "--port", port, cwd=grown)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"hoard: Port {port} of 127.0.0.1 cannot be had: address already in use.\n  next: hoard ui --port 0\n"


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_what_is_no_port(grown: Workspace, port: str) -> None:
    done = run_hoard("ui", "--port", port, cwd=grown)
    assert (done.returncode, b"next: hoard ui --help" in done.stderr) == (2, True)


def test_where_there_is_nothing_to_show(repo: Repo, tmp_path: Path) -> None:
    def said(folder: Path | Repo) -> str:
        done = run_hoard("ui", "--port", "0", "--no-open", cwd=folder)
        assert (done.returncode, done.stdout) == (2, b"")
        return done.stderr.decode()

    assert said(tmp_path) == "hoard: This is not a git repository.\n  next: make a workspace: hoard init\n"
    assert said(repo) == "hoard: There is neither a policy nor a memory file here.\n  next: hoard init\n"
    repo.write("MEMORY.md", "# M\n")
    assert said(repo) == "hoard: There is no commit yet, so there is no history to show.\n  next: hoard init\n"
    repo.write(".hoard.yaml", "version: 1\n")
    assert said(repo) == "hoard: There is no commit yet, so there is no history to show.\n  next: hoard init\n"
    bare = Repo.create(tmp_path / "bare.git", "--bare")
    assert "This repository is bare" in said(bare) and "../workspace && hoard ui\n" in said(bare)


def test_without_the_extra_it_says_what_to_install(grown: Workspace, tmp_path: Path) -> None:
    for name in ("starlette", "uvicorn"):
        (tmp_path / f"{name}.py").write_text(f"raise ModuleNotFoundError('no', name={name!r})\n")
        done = run_hoard("ui", "--port", "0", "--no-open", cwd=grown, env={"PYTHONPATH": f"{tmp_path}:{Path(__file__).parents[3]}"})
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr.decode() == "hoard: The pages need the extra ui, which is not installed.\n  next: pip install 'hoard-git[ui]'\n"
        (tmp_path / f"{name}.py").unlink()


@pytest.mark.skipif(sys.platform != "linux", reason="what a display is there")
def test_a_browser_is_opened_only_where_one_can_show_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not has_display()
    monkeypatch.setenv("DISPLAY", ":0")
    assert has_display()


def test_the_browser_gets_the_token_in_a_file_of_the_users_own(grown: Workspace, tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >{tmp_path}/asked\ncp -p "${{1#file://}}" {tmp_path}/page\n')
    browser.chmod(0o755)
    env = {"DISPLAY": ":0", "BROWSER": str(browser), "TMPDIR": str(tmp_path)}
    with running(grown, env=env) as silent:
        silent.get("/")
        assert not (tmp_path / "asked").exists()
    with running(grown, "--open", env=env) as server:
        assert server.get("/")[0] == 403
        asked = (tmp_path / "asked").read_text()
        token = server.address.partition("token=")[2]
        assert token not in asked
        assert f"url={server.address}" in (tmp_path / "page").read_text()
        assert (tmp_path / "page").stat().st_mode & 0o777 == 0o600
        assert server.interrupt()[0] == 130
    assert not list(tmp_path.glob("hoard-ui-*"))
