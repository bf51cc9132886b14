"""pre-push, through real `git push`: an early warning that people can pass, and the server over HTTP behind it."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.hooks.conftest import AS_AGENT
from tests.hooks.server import Server, agent_commit, make_server, push, with_note, without_user_fact
from tests.support.repo import Workspace, run, run_hoard, run_hook


@pytest.fixture
def remote(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """A bare repository without a gate of its own, and pre-push in the workspace."""
    monkeypatch.delenv("HOARD_DATE")
    server = make_server(workspace, tmp_path / "remote.git")
    run_hoard("hooks", "uninstall", "--server", cwd=server.path)
    assert run_hoard("hooks", "install", cwd=workspace).returncode == 0
    return server


def test_a_good_push_passes(remote: Server, workspace: Workspace) -> None:
    oid = agent_commit(workspace, with_note(workspace, 1))
    status, said = push(workspace, "main")
    assert status == 0, said
    assert remote.refs()["refs/heads/main"] == oid


def test_a_bad_one_is_held_back_and_can_be_passed(remote: Server, workspace: Workspace) -> None:
    before = remote.refs()
    bad = agent_commit(workspace, without_user_fact(workspace))

    status, said = push(workspace, "main")
    assert status == 1
    assert f"{bad[:12]} MEMORY.md:6:1: HG301 " in said
    assert "git push --no-verify" in said
    assert remote.refs() == before
    assert push(workspace, "main", options=("--no-verify",))[0] == 0


def test_only_what_the_remote_lacks_is_judged(remote: Server, workspace: Workspace) -> None:
    agent_commit(workspace, without_user_fact(workspace))
    assert push(workspace, "main", options=("--no-verify",))[0] == 0
    agent_commit(workspace, with_note(workspace, 1))

    assert push(workspace, "main")[0] == 0
    assert push(workspace, "main:refs/heads/another")[0] == 0


def test_a_new_branch_and_a_deleted_one(remote: Server, workspace: Workspace) -> None:
    workspace.git("checkout", "-q", "-b", "side")
    agent_commit(workspace, without_user_fact(workspace))
    assert "HG301" in push(workspace, "side")[1]
    workspace.git("reset", "-q", "--hard", "HEAD~1")
    agent_commit(workspace, with_note(workspace, 1))
    assert push(workspace, "side")[0] == 0

    status, said = push(workspace, ":side")
    assert status == 1
    assert "HG706 the push deletes the ref" in said


def test_rewinding_memory_is_warned_about(remote: Server, workspace: Workspace) -> None:
    agent_commit(workspace, with_note(workspace, 1))
    assert push(workspace, "main")[0] == 0
    workspace.git("reset", "-q", "--hard", "HEAD~1")
    agent_commit(workspace, with_note(workspace, 2))

    status, said = push(workspace, "main", options=("--force",))
    assert status == 1
    assert "HG706 the push rewinds" in said


def test_an_address_without_a_name(remote: Server, workspace: Workspace) -> None:
    agent_commit(workspace, with_note(workspace, 1))
    done = workspace.git("push", remote.path.as_uri(), "main", check=False)
    assert done.returncode == 0, done.stderr
    agent_commit(workspace, without_user_fact(workspace))
    done = workspace.git("push", remote.path.as_uri(), "main", check=False)
    assert b"HG301" in done.stderr


def test_a_shallow_clone_cannot_be_judged(remote: Server, workspace: Workspace, tmp_path: Path) -> None:
    run(["git", "clone", "-q", "--depth", "1", remote.path.as_uri(), tmp_path / "shallow"], cwd=tmp_path)
    clone = Workspace(tmp_path / "shallow")
    agent_commit(clone, with_note(clone, 1))
    agent_commit(clone, with_note(clone, 2))
    assert run_hoard("hooks", "install", cwd=clone).returncode == 0

    status, said = push(clone, "main")
    assert status == 1
    assert "git fetch --unshallow" in said


def test_nothing_to_push_and_odd_input(workspace: Workspace) -> None:
    assert run_hook("pre-push", "origin", "url", cwd=workspace).returncode == 0
    assert run_hook("pre-push", "origin", "url", cwd=workspace, input="nonsense\n").returncode == 2
    assert run_hook("pre-push", cwd=workspace).returncode == 2


# -------------------------------------------------------------------- over HTTP


def _backend() -> str:
    folder = subprocess.run(["git", "--exec-path"], capture_output=True, check=True, text=True).stdout.strip()
    path = Path(folder, "git-http-backend")
    return str(path) if os.access(path, os.X_OK) and Path(folder, "git-remote-http").exists() else ""


class _Handler(BaseHTTPRequestHandler):
    """As much of CGI as `git http-backend` needs."""

    root = ""

    def do_GET(self) -> None:
        self._run(b"")

    def do_POST(self) -> None:
        if self.headers.get("Transfer-Encoding", "") == "chunked":
            parts = []
            while size := int(self.rfile.readline().strip() or b"0", 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            self._run(b"".join(parts))
        else:
            self._run(self.rfile.read(int(self.headers.get("Content-Length", "0"))))

    def _run(self, body: bytes) -> None:
        path, _, query = self.path.partition("?")
        env = {
            **os.environ,
            "GIT_PROJECT_ROOT": self.root,
            "GIT_HTTP_EXPORT_ALL": "1",
            "REQUEST_METHOD": self.command,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "REMOTE_USER": "someone",
        }
        out = subprocess.run([_backend()], input=body, env=env, capture_output=True, check=False).stdout
        head, _, rest = out.partition(b"\r\n\r\n")
        lines = dict(line.decode().split(": ", 1) for line in head.split(b"\r\n"))
        self.send_response(int(lines.pop("Status", "200").split(" ")[0]))
        for name, value in lines.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        self.wfile.write(rest)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the base class's own word)
        """Say nothing."""


@pytest.fixture
def over_http(tmp_path: Path) -> Iterator[Callable[[Server], str]]:
    """Serve a repository on the loopback; gives its address."""
    if not _backend():
        pytest.skip("this git comes without http-backend or without its HTTP transport")
    handler = type("Handler", (_Handler,), {"root": str(tmp_path)})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        thread = threading.Thread(target=served.serve_forever, daemon=True)
        thread.start()
        yield lambda server: f"http://127.0.0.1:{served.server_address[1]}/{server.path.name}"
        served.shutdown()
        thread.join()


def test_the_same_gate_over_http(workspace: Workspace, tmp_path: Path, over_http: Callable[[Server], str]) -> None:
    server = make_server(workspace, tmp_path / "server.git")
    workspace.git("remote", "set-url", "origin", over_http(server))
    good = agent_commit(workspace, with_note(workspace, 1))
    status, said = push(workspace, "main")
    assert status == 0, said
    assert server.refs()["refs/heads/main"] == good

    objects = server.objects()
    bad = agent_commit(workspace, without_user_fact(workspace))
    status, said = push(workspace, "main", env=AS_AGENT)
    assert status == 1
    assert f"remote: {bad[:12]} MEMORY.md:6:1: HG301 " in said
    assert "explain a code: hoard rule HG301" in said
    assert server.refs()["refs/heads/main"] == good
    assert server.objects() == objects
