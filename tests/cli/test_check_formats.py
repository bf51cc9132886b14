"""`hoard check --format` and `--report` as a user runs them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hoard_git.cli.commands.check import FORMATS
from tests.cli.render.leaks import layouts, leaked
from tests.cli.render.reports import obeyed
from tests.support.environment import AGENT, ROOT
from tests.support.repo import MEMORY, Workspace, run, run_hoard


@pytest.fixture
def edited(workspace: Workspace) -> Workspace:
    """An agent has edited a user's fact."""
    workspace.commit("Rewrite\n", {"MEMORY.md": MEMORY.replace("Tuesdays", "Fridays")}, author=AGENT)
    return workspace


def test_every_format_has_the_same_verdict(edited: Workspace) -> None:
    said = {form: run_hoard("check", "--commit", "HEAD", "--format", form, cwd=edited) for form in FORMATS}
    assert {form: done.returncode for form, done in said.items()} == dict.fromkeys(FORMATS, 1)
    out = {form: done.stdout.decode() for form, done in said.items()}
    assert all("HG301" in text and text.endswith("\n") and obeyed(text) == [] for text in out.values())
    assert json.loads(out["sarif"])["runs"][0]["results"][0]["properties"]["commit"] == edited.head()
    assert json.loads(out["gitlab"])[0]["location"] == {"path": "MEMORY.md", "lines": {"begin": 6}}
    assert ET.fromstring(out["junit"]).attrib["failures"] == "1"
    assert out["github"].startswith("::error file=MEMORY.md,line=6,col=1,title=HG301 ")
    # What a program reads is alone; who reads lines is told the verdict beside them.
    assert {form for form, done in said.items() if done.stderr} == {"text", "github"}


def test_nothing_to_say_is_a_whole_report_in_every_format(workspace: Workspace) -> None:
    out = {form: run_hoard("check", "--range", "HEAD..HEAD", "--format", form, cwd=workspace) for form in FORMATS}
    assert {done.returncode for done in out.values()} == {0}
    assert (out["text"].stdout, out["github"].stdout, json.loads(out["gitlab"].stdout)) == (b"", b"", [])
    assert json.loads(out["sarif"].stdout)["runs"][0]["results"] == []
    assert ET.fromstring(out["junit"].stdout.decode()).attrib["tests"] == "1"


def test_reports_are_written_beside_what_is_printed(edited: Workspace) -> None:
    reports = ("--report", "sarif=a.sarif", "--report", "junit=b.xml", "--report", "text=c.txt")
    done = run_hoard("check", "--commit", "HEAD", "--format", "json", *reports, cwd=edited)
    assert done.returncode == 1
    assert json.loads(done.stdout)["findings"][0]["code"] == "HG301"
    assert json.loads(edited.read("a.sarif"))["runs"][0]["results"][0]["ruleId"] == "HG301"
    assert edited.read("b.xml").startswith("<?xml ")
    assert " MEMORY.md:6:1: HG301 " in edited.read("c.txt")
    assert sorted(path.name for path in edited.path.iterdir() if path.name.startswith(".hoard-")) == []


def test_a_report_replaces_a_symlink_that_a_checkout_brings_along(edited: Workspace, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine\n", encoding="utf-8")
    (edited.path / "hoard.sarif").symlink_to(outside)
    run_hoard("check", "--commit", "HEAD", "--report", "sarif=hoard.sarif", cwd=edited)
    assert outside.read_text(encoding="utf-8") == "mine\n"
    assert not (edited.path / "hoard.sarif").is_symlink()
    assert (edited.path / "hoard.sarif").stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("report", ["sarif", "sarif=", "yaml=x", "=x"])
def test_a_report_that_nobody_can_write_is_refused_before_anything_is_judged(report: str, workspace: Workspace) -> None:
    done = run_hoard("check", "--report", report, cwd=workspace)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--report takes FORMAT=FILE" in done.stderr


def test_a_report_that_cannot_be_written_is_no_verdict(workspace: Workspace) -> None:
    (workspace.path / "taken").mkdir()
    for place in ("missing/a.sarif", "taken"):
        done = run_hoard("check", "--report", f"sarif={place}", cwd=workspace)
        assert (done.returncode, b"cannot be written" in done.stderr) == (2, True), done.stderr
    assert sorted(path.name for path in workspace.path.iterdir()) == [".git", ".hoard.yaml", "MEMORY.md", "taken"]


def test_strict_makes_a_warning_a_failed_case(workspace: Workspace) -> None:
    workspace.write("memory/a.md", "# A\n\n- Nobody said where this is from.\n")
    out = {}
    for options in ((), ("--strict",)):
        done = run_hoard("check", "memory/a.md", "--format", "junit", *options, cwd=workspace)
        out[options] = (done.returncode, ET.fromstring(done.stdout.decode()).attrib["failures"] != "0")
    assert out == {(): (0, False), ("--strict",): (1, True)}


@pytest.mark.parametrize("form", FORMATS)
def test_no_format_prints_a_credential(form: str, workspace: Workspace) -> None:
    made = layouts("formats")
    texts = [f"## {layout.name} <!-- src:agent ts:2026-06-01 -->\n\n{layout.text}\n" for layout in made]
    workspace.write("memory/keys.md", "# Keys\n\n" + "\n".join(texts))
    done = run_hoard("check", "memory/keys.md", "--format", form, cwd=workspace)
    assert done.returncode == 1
    assert [value for layout in made for value in leaked(done.stdout.decode() + done.stderr.decode(), layout.values)] == []


def test_a_start_loads_no_format_but_the_text(workspace: Workspace) -> None:
    program = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import click; before = set(sys.modules)"
    program += "; from hoard_git.cli.main import main; main(['check', '--help'])"
    program += "; print(*sorted(set(sys.modules) - before), file=sys.stderr)"
    loaded = set(run([sys.executable, "-I", "-c", program], cwd=workspace).stderr.decode().split())
    assert "hoard_git.cli.commands.check" in loaded
    formats = {name for name in loaded if name.startswith("hoard_git.cli.render.")}
    assert formats == {"hoard_git.cli.render.text"}
    assert not {"pathlib", "json", "tempfile", "html", "urllib.parse"} & loaded
