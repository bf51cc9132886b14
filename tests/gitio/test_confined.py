"""A program that the user named runs in its own folder and process group, for a limited time and with limited output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hoard_git.gitio.confined import Ended, run_confined
from tests.support.environment import ROOT

LIMIT = 1 << 16


def run(script: str, *, stdin: bytes = b"", seconds: float = 20.0, limit: int = LIMIT) -> Ended:
    return run_confined([sys.executable, "-c", script], {"PATH": os.defpath}, stdin, seconds=seconds, limit=limit)


def test_it_gives_stdin_and_takes_stdout_stderr_and_status() -> None:
    script = "import sys; sys.stdout.write(sys.stdin.read().upper()); sys.stderr.write('hm'); sys.exit(3)"
    assert run(script, stdin=b"abc") == Ended(3, b"ABC", b"hm")


def test_large_input_and_output_pass_whole() -> None:
    data = b"x" * 3_000_000
    ended = run("import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())", stdin=data, limit=len(data))
    assert (ended.status, ended.stdout == data, ended.loud) == (0, True, False)


def test_it_runs_in_an_empty_folder_that_is_gone_afterwards() -> None:
    script = (
        "import os, json; open('left', 'w').close(); "
        "print(json.dumps([os.getcwd(), os.listdir() == ['left'], os.environ['TMPDIR'], sorted(os.environ)]))"
    )
    folder, empty, temporary, names = json.loads(run(script).stdout)
    assert (empty, os.path.realpath(temporary)) == (True, os.path.realpath(folder))
    assert not Path(folder).exists()
    assert set(names) - {"LC_CTYPE"} == {"PATH", "TMPDIR", "PWD", "GIT_CEILING_DIRECTORIES"}


def test_a_program_that_takes_too_long_is_killed() -> None:
    start = time.monotonic()
    ended = run("import time; print('half', flush=True); time.sleep(60)", seconds=0.5)
    assert (ended.late, ended.loud, ended.status, ended.stdout) == (True, False, -9, b"half\n")
    assert time.monotonic() - start < 10


def test_a_program_that_closes_its_output_and_stays_is_killed() -> None:
    assert run("import os, time; os.close(1); time.sleep(60)", seconds=0.5).late


def test_a_program_that_writes_without_end_is_killed() -> None:
    ended = run("import sys\nwhile True: sys.stdout.write('x' * 1000)")
    assert (ended.loud, ended.late, len(ended.stdout)) == (True, False, LIMIT)


def test_a_program_that_reads_nothing_does_not_block() -> None:
    assert run("print('done')", stdin=b"x" * 3_000_000).stdout == b"done\n"


def test_stderr_is_cut_at_a_line_end() -> None:
    ended = run("import sys; sys.stderr.write(('x' * 99 + '\\n') * 2000)")
    assert ended.status == 0
    assert 60_000 < len(ended.stderr) < 66_000
    assert ended.stderr.endswith(b"x\n")


@pytest.mark.parametrize("seconds", [20.0, 0.7])
def test_what_it_started_ends_with_it(seconds: float, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    child = f"import time; time.sleep(2); open({str(mark)!r}, 'w').close()"
    wait = "" if seconds > 1 else "; import time; time.sleep(60)"
    start = time.monotonic()
    ended = run(
        f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}]); print('up', flush=True){wait}", seconds=seconds
    )
    assert (ended.stdout, ended.late) == (b"up\n", seconds < 1)
    time.sleep(max(0.0, 3.0 - (time.monotonic() - start)))
    assert not mark.exists()


def test_a_program_that_cannot_start_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        run_confined([str(tmp_path / "none")], {}, b"", seconds=1, limit=10)


def test_a_program_does_not_outlive_us(tmp_path: Path) -> None:
    started, mark = tmp_path / "started", tmp_path / "mark"
    program = f"import os, time; open({str(started)!r}, 'w').write(os.getcwd()); time.sleep(2); open({str(mark)!r}, 'w').close()"
    ours = (
        "import sys; from hoard_git.gitio.confined import run_confined; "
        f"run_confined([sys.executable, '-c', {program!r}], {{}}, b'', seconds=30, limit=10)"
    )
    process = subprocess.Popen([sys.executable, "-c", ours], env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 20
    while not (started.exists() and started.read_text(encoding="utf-8")) and time.monotonic() < end:
        time.sleep(0.02)
    process.terminate()
    process.wait(20)
    folder = started.read_text(encoding="utf-8")
    assert folder
    assert not Path(folder).exists()
    time.sleep(2.2)
    assert not mark.exists()


def test_a_process_that_leaves_the_group_does_not_hold_us_up(tmp_path: Path) -> None:
    child = "import os, time; os.setsid(); time.sleep(6)"
    script = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', {child!r}]); time.sleep(0.5); print('up', flush=True)"
    start = time.monotonic()
    ended = run(script)
    assert (ended.status, ended.stdout, ended.late) == (0, b"up\n", False)
    assert time.monotonic() - start < 6
