"""`hoard ui` as a program: started, asked over a real socket, and interrupted."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import urlsplit

from tests.app.consolidating import DAY
from tests.support.environment import ROOT
from tests.support.repo import Repo


class Running(NamedTuple):
    """A server that has printed its address."""

    process: subprocess.Popen[bytes]
    address: str

    @property
    def port(self) -> int:
        return urlsplit(self.address).port or 0

    def get(self, place: str, **headers: str) -> tuple[int, str, dict[str, str]]:
        """Status, text and headers of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", place, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(), dict(answer.getheaders())
        finally:
            connection.close()

    def cookie(self) -> str:
        """What the printed address is exchanged for."""
        split = urlsplit(self.address)
        return self.get(f"{split.path}?{split.query}")[2]["set-cookie"].partition(";")[0]

    def interrupt(self) -> tuple[int, str, str]:
        """Ctrl-C: the exit status, and what was printed."""
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out.decode(), err.decode()


@contextmanager
def running(repo: Repo, *args: str, env: dict[str, str] | None = None) -> Iterator[Running]:
    """A server on a free port, which is ended in any case."""
    process = subprocess.Popen(
        [sys.executable, "-m", "hoard_git", "--date", DAY, "ui", "--port", "0", "--no-open", *args],
        cwd=repo.path,
        env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        yield Running(process, process.stdout.readline().decode().strip())
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate(timeout=60)
        for stream in (process.stdout, process.stderr):
            if stream is not None:
                stream.close()
