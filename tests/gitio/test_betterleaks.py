"""Running betterleaks: what it is given, what is left behind, and that a run which did not look never counts as clean."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from hoard_git.errors import HoardError
from hoard_git.gitio.betterleaks import find_program, scan_texts
from tests.support.environment import ROOT

FAKE = """\
#!{python}
import json, os, stat, sys
texts = sorted(os.listdir("texts"), key=lambda name: int(name.split(".")[0]))
seen = {{
    "arguments": sys.argv[1:],
    "environment": dict(os.environ),
    "mode": stat.S_IMODE(os.stat(".").st_mode),
    "texts": [open("texts/" + name, "rb").read().decode("latin-1") for name in texts],
}}
with open({log!r}, "w") as file:
    json.dump(seen, file)
size = sum(os.path.getsize("texts/" + name) for name in texts)
report = {{"schema_version": "1", "findings": {findings}, "scan": {{"state": "complete", "bytes_scanned": size}}}}
{action}
print(json.dumps(report))
"""


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, empty; it must be empty afterwards, too."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def fake(tmp_path: Path, action: str = "", findings: str = "[]") -> str:
    """A program that stands in for betterleaks: it notes what it is given and answers as told."""
    program = tmp_path / "betterleaks"
    program.write_text(FAKE.format(python=sys.executable, log=str(tmp_path / "log"), action=action, findings=findings), encoding="utf-8")
    program.chmod(0o755)
    return str(program)


def finding(path: str = "texts/0.md", line: int = 2, **other: object) -> dict[str, object]:
    place = {"path": path, "start_line": line, "end_line": line, "start_column": 3, "end_column": 5}
    return {"rule_id": "r", "description": "A thing.", "match": {"value": "abc"}, "location": place, **other}


def test_what_the_program_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own_temporary_folder: Path) -> None:
    monkeypatch.setenv("BETTERLEAKS_VALIDATE", "true")
    monkeypatch.setenv("BETTERLEAKS_CONFIG_TOML", "title = 'x'")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example")
    assert scan_texts(fake(tmp_path), [b"one\ntwo\n", b"\xff\0\n"]) == []

    seen = json.loads((tmp_path / "log").read_text())
    assert seen["texts"] == ["-\none\ntwo\n", "-\n\xff\0\n"]
    assert seen["mode"] == 0o700
    assert set(seen["environment"]) - {"LC_CTYPE", "__CF_USER_TEXT_ENCODING"} == {"HOME", "TMPDIR", "PATH", "LC_ALL"}
    assert seen["environment"]["HOME"].startswith(str(own_temporary_folder))
    assert {"--validate", "-v", "--analyze", "-a"}.isdisjoint(seen["arguments"])
    assert "--no-allow-signatures" in seen["arguments"]
    assert list(own_temporary_folder.iterdir()) == []


def test_places_are_those_of_the_text(tmp_path: Path) -> None:
    found = scan_texts(fake(tmp_path, findings=repr([finding(), finding("texts/1.md", 4), finding(line=1)])), [b"x abc\n", b"\n\nx abc\n"])
    assert [(spot.text, spot.line, spot.column, spot.end_line, spot.end_column, spot.value) for spot in found] == [
        (0, 1, 3, 1, 6, "abc"),
        (1, 3, 3, 3, 6, "abc"),
    ]


TROUBLE = {
    "status": ("print(json.dumps(report)); sys.exit(1)", "failed with exit status 1"),
    "killed": ("os.kill(os.getpid(), 9)", "failed with exit status -9"),
    "not JSON": ("print('{'); sys.exit()", "a form that is not known"),
    "a list": ("print('[]'); sys.exit()", "a form that is not known"),
    "silence": ("sys.exit()", "a form that is not known"),
    "another schema": ("report['schema_version'] = '2'", "a form that is not known"),
    "no findings": ("del report['findings']", "a form that is not known"),
    "odd finding": ("report['findings'] = [{}]", "a form that is not known"),
    "text of nobody": (f"report['findings'] = [{finding('texts/7.md')!r}]", "a form that is not known"),
    "incomplete": ("report['scan']['state'] = 'incomplete'", "did not read everything"),
    "a file was skipped": ("report['scan']['bytes_scanned'] -= 1", "did not read everything"),
    "slow": ("import time; time.sleep(60)", "took longer than 1 seconds"),
}


@pytest.mark.parametrize("name", list(TROUBLE))
def test_trouble_is_never_no_findings(tmp_path: Path, own_temporary_folder: Path, name: str) -> None:
    action, said = TROUBLE[name]
    with pytest.raises(HoardError) as caught:
        scan_texts(fake(tmp_path, action), [b"one\n"], seconds=1 if name == "slow" else 30)
    assert said in caught.value.message
    assert caught.value.hint
    assert caught.value.exit_status == 2
    assert list(own_temporary_folder.iterdir()) == []


def test_a_program_that_cannot_be_started(tmp_path: Path, own_temporary_folder: Path) -> None:
    with pytest.raises(HoardError, match="cannot be started"):
        scan_texts(str(tmp_path / "nothing"), [b"one\n"])
    assert list(own_temporary_folder.iterdir()) == []


def test_texts_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(HoardError, match="cannot be written"):
        scan_texts(fake(tmp_path), [b"one\n"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_nothing_stays_when_the_run_is_broken_off(tmp_path: Path, own_temporary_folder: Path, number: signal.Signals) -> None:
    program = fake(tmp_path, "open('started', 'w'); import time; time.sleep(60)")
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from hoard_git.gitio.betterleaks import scan_texts; scan_texts({program!r}, [b'x'])"
    process = subprocess.Popen(
        [sys.executable, "-c", script], env={**os.environ, "TMPDIR": str(own_temporary_folder)}, stderr=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 30
    while not list(own_temporary_folder.glob("hoard-*/started")):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(number)
    process.wait(timeout=30)

    assert process.returncode != 0
    assert list(own_temporary_folder.iterdir()) == []


def test_the_package_is_not_looked_for_in_the_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "betterleaks" / "bin").mkdir(parents=True)
    program = tmp_path / "betterleaks" / "bin" / "betterleaks"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert find_program() == str(program)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", str(tmp_path)])
    with pytest.raises(HoardError, match="is not installed") as caught:
        find_program()
    assert caught.value.hint == "pip install 'hoard-git[betterleaks]'"


def test_a_package_without_its_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "betterleaks").mkdir()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    with pytest.raises(HoardError, match="without its program"):
        find_program()
