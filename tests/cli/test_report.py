"""`hoard report`: the page of a workspace, read as a parser and a browser read it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hoard_git.app.report import Period
from hoard_git.cli.render.report import draw
from tests.support.browser import Browser
from tests.support.environment import identity
from tests.support.repo import Repo, Workspace, run_hoard

VOID = {"meta", "link", "br", "img", "input", "hr"}
KEY = "gh" + "p_" + "".join("aB3dE5fG7hJ9"[n * 7 % 12] for n in range(36))


class Page(HTMLParser):
    """A page's text, its attributes, and whether every element is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] != "style":
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def report(at: Repo, *args: str) -> str:
    done = run_hoard("--date", "2026-06-15", "report", "--out", "-", *args, cwd=at)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_the_page_tells_changes_sizes_provenance_and_ends(workspace: Workspace) -> None:
    workspace.commit(
        "Learn\n",
        {"MEMORY.md": workspace.read("MEMORY.md") + "\n## Train  <!-- src:web ts:2026-04-01 ttl:30d -->\n\n- Line 3 is closed\n"},
        author=workspace.agent,
    )
    page = Page(report(workspace))
    assert page.open == []
    assert "Memory of" in page.text
    assert "Train web said 2026-04-01 expired, ended 2026-05-01" in page.text
    assert "Expired: the next consolidation archives these 1" in page.text
    assert "Events from" in page.text
    assert "clawd agent" in page.text


def test_sizes_are_told_against_the_budget(workspace: Workspace) -> None:
    workspace.policy(workspace.read(".hoard.yaml") + "budgets: openclaw-2026.8\n")
    facts = "".join(f"- The shelf number {n} holds {n * 7} screws\n" for n in range(700))
    workspace.commit(
        "Grow\n", {"MEMORY.md": f"# Memory  <!-- src:agent ts:2026-06-01 -->\n\n{facts}", "SOUL.md": "# Soul\n\n" + "s" * 17_500 + "\n"}
    )
    text = Page(report(workspace)).text
    chars = len(workspace.read("MEMORY.md"))
    assert f"MEMORY.md {chars * 100 // 20_000} % of 20,000 chars cut" in text
    assert "SOUL.md 87 % of 20,000 chars near" in text
    assert "not whole A session loads these: 62 % of 60,000 chars (openclaw-2026.8); MEMORY.md cut." in text


def test_a_bar_of_sizes_is_measured_by_the_largest_file_of_its_table(workspace: Workspace) -> None:
    workspace.write("memory/cache.json", "x" * 2_000_000)
    workspace.write("memory/small.json", "x" * 500_000)
    text = report(workspace)
    widths = [float(part.partition("%")[0]) for part in text.split("--w: ")[1:]]
    assert (widths[0], widths[-2:]) == (100.0, [100.0, 25.0])


def test_a_hosts_configuration_that_cannot_be_read_is_named(workspace: Workspace) -> None:
    workspace.write("openclaw.json", "{ nonsense")
    text = Page(report(workspace)).text
    assert "Not in what follows: The budgets:" in text
    assert "Infrastructure agent" in text


def test_nothing_is_loaded_and_nothing_runs(workspace: Workspace) -> None:
    text = report(workspace)
    page = Page(text)
    assert [value for _tag, name, value in page.attributes if name in ("src", "srcset", "data", "action")] == []
    assert all(value.startswith("#") for _tag, name, value in page.attributes if name == "href")
    assert "<script" not in text
    assert "url(" not in text
    assert "default-src 'none'" in text


def test_memory_is_text_and_never_markup(workspace: Workspace) -> None:
    evil = (
        "\n## Notes <img src=x onerror=alert(1)>  <!-- src:agent ts:2026-06-05 -->\n\n- </pre><script>alert(1)</script> \x1b[2J {{ 7*7 }}\n"
    )
    workspace.commit("Write\n", {"MEMORY.md": workspace.read("MEMORY.md") + evil}, author=workspace.agent)
    text = report(workspace)
    assert "<script" not in text
    assert "<img" not in text
    assert "\x1b" not in text
    assert "{{ 7*7 }}" in Page(text).text


def test_credentials_are_masked_wherever_they_stand(workspace: Workspace) -> None:
    lines = f"\n## Key {KEY}  <!-- src:agent ts:2026-06-05 -->\n\n- the key is {KEY}\n\n- token:\n\n  {KEY}\n"
    workspace.commit("Write\n", {"MEMORY.md": workspace.read("MEMORY.md") + lines}, author=workspace.agent)
    workspace.commit("Write\n", {"MEMORY.md": workspace.read("MEMORY.md") + lines.replace("the key", "a key")}, author=workspace.agent)
    assert KEY not in report(workspace)


def test_an_empty_repository_and_one_without_memory(repo: Repo) -> None:
    page = Page(report(repo))
    assert "no commit yet" in page.text
    assert "There is no memory file yet." in page.text
    repo.commit("Begin\n", {"README.md": "# Code\n"})
    page = Page(report(repo))
    assert "Nothing has changed yet" in page.text
    assert "No policy here." in page.text


def test_a_link_in_place_of_a_file_is_named_and_the_rest_is_told(workspace: Workspace) -> None:
    (workspace.path / "memory").mkdir()
    (workspace.path / "memory/link.md").symlink_to("../MEMORY.md")
    text = Page(report(workspace)).text
    assert "Not in what follows: memory/link.md cannot be read" in text
    assert "Infrastructure agent" in text


def test_it_lies_at_the_top_and_out_of_commits(workspace: Workspace) -> None:
    below = workspace.path / "memory"
    below.mkdir(exist_ok=True)
    for _again in range(2):
        done = run_hoard("report", cwd=below)
        assert done.returncode == 0, done.stderr
    assert (workspace.path / "hoard-report.html").read_text().startswith("<!DOCTYPE html>")
    assert workspace.line("status", "--short") == ""
    assert (workspace.path / ".git/info/exclude").read_text().count("hoard-report.html") == 1


@pytest.mark.parametrize(
    "out", ["MEMORY.md", "memory/new.md", ".hoard.yaml", ".gitattributes", ".git/config", ".git/x.html", "notes.txt", "link/MEMORY.md"]
)
def test_a_page_never_takes_the_place_of_anything_else(workspace: Workspace, out: str) -> None:
    (workspace.path / "link").symlink_to(".")
    workspace.write("notes.txt", "mine\n")
    workspace.write("MEMORY.md", workspace.read("MEMORY.md") + "- not committed\n")
    at = workspace.path / out
    before = at.read_bytes() if at.exists() else None
    for command in (("report", "--out", out), ("check", "--report", f"sarif={out}"), ("check", "--report", f"text={out}")):
        done = run_hoard(*command, cwd=workspace)
        if command[-1] == "text=notes.txt":
            continue  # lines of text begin with anything
        assert done.returncode == 2, (command, done.stdout)
        assert b"nothing was written" in done.stderr
        assert (at.read_bytes() if at.exists() else None) == before


def test_a_page_takes_the_place_of_an_earlier_one(workspace: Workspace) -> None:
    workspace.write("page.html", "")
    for _again in range(2):
        assert run_hoard("report", "--out", "page.html", cwd=workspace).returncode == 0
        assert (
            run_hoard("check", "--report", "junit=a.xml", "--report", "gitlab=b.json", "--report", "text=c.txt", cwd=workspace).returncode
            == 0
        )


def test_a_place_that_cannot_be_written(workspace: Workspace) -> None:
    done = run_hoard("report", "--out", "no/such/folder.html", cwd=workspace)
    assert done.returncode == 2
    assert b"could not be written: No such file or directory" in done.stderr
    assert workspace.line("status", "--short") == ""


@pytest.mark.parametrize("place", ["MEMORY.md", ".hoard.yaml", ".git/config", "hoard-report.html"])
def test_only_an_earlier_page_is_written_over(workspace: Workspace, place: str) -> None:
    (workspace.path / "hoard-report.html").write_text("mine\n")
    before = (workspace.path / place).read_bytes()
    done = run_hoard("report", *([] if place == "hoard-report.html" else ["--out", place]), cwd=workspace)
    assert (done.returncode, b"nothing was written" in done.stderr) == (2, True)
    assert (workspace.path / place).read_bytes() == before
    for _again in range(2):
        (workspace.path / "empty.html").touch()
        assert run_hoard("report", "--out", "empty.html", cwd=workspace).returncode == 0


def test_a_pipe_is_written_into_and_stays_one(workspace: Workspace) -> None:
    pipe = workspace.path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert run_hoard("report", "--out", "pipe", cwd=workspace).returncode == 0
        assert reader.communicate(timeout=30)[0].startswith(b"<!DOCTYPE html>")
    assert pipe.is_fifo()


def test_refusals_of_the_hooks_are_told(workspace: Workspace) -> None:
    assert run_hoard("hooks", "install", cwd=workspace).returncode == 0
    workspace.stage({"MEMORY.md": workspace.read("MEMORY.md").replace("Tuesdays", "Fridays")})
    refused = workspace.git("commit", "-m", "no", env=identity(workspace.agent), check=False)
    assert refused.returncode != 0
    page = Page(report(workspace))
    assert "pre-commit HG301 MEMORY.md" in page.text
    kept = json.loads(workspace.read(".git/hoard/refused"))
    assert (kept["hook"], kept["paths"], "Fridays" in str(kept)) == ("pre-commit", ["MEMORY.md"], False)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
@pytest.mark.parametrize("width", [360, 1200])
def test_a_browser_shows_it_without_scrolling_sideways(workspace: Workspace, tmp_path: Path, width: int) -> None:
    probe = "<script>document.title = document.documentElement.scrollWidth + ' ' + innerWidth</script></body>"
    page = tmp_path / "page.html"
    text = report(workspace).replace("</body>", probe)
    page.write_text(text.replace("default-src 'none'", "default-src 'none'; script-src 'unsafe-inline'"))
    done = subprocess.run(
        [
            "chromium",
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={tmp_path}/profile",
            f"--window-size={width},800",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        check=False,
        timeout=120,
    )
    title = done.stdout.decode().partition("<title>")[2].partition("</title>")[0]
    wanted, shown = map(int, title.split())
    assert wanted <= shown


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
def test_on_a_phone_rows_of_events_are_read_without_scrolling_and_stay_rows(workspace: Workspace, tmp_path: Path) -> None:
    workspace.commit(
        "Learn\n", {"MEMORY.md": workspace.read("MEMORY.md") + "\n## Train  <!-- src:web ts:2026-04-01 ttl:30d -->\n\n- Line 3 is closed\n"}
    )
    page = tmp_path / "page.html"
    page.write_text(report(workspace), encoding="utf-8")
    with Browser(tmp_path / "profile") as browser:
        browser.resize(390)
        browser.open(page.as_uri())
        sideways = "[...document.querySelectorAll('.flow')].filter(t => t.parentElement.scrollWidth > t.parentElement.clientWidth).length"
        assert browser.run("document.querySelectorAll('.flow').length") >= 2
        assert browser.run(sideways) == 0
        heard = [node["role"]["value"] for node in browser.send("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]]
        browser.resize(1200)
        at_a_desk = [node["role"]["value"] for node in browser.send("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]]
    for role in ("table", "row", "cell", "columnheader"):
        assert heard.count(role) == at_a_desk.count(role) > 0


@pytest.mark.parametrize("number", range(1, 60))
def test_the_dates_below_the_chart_never_touch(number: int) -> None:
    days = [f"2026-{1 + day // 28:02}-{1 + day % 28:02}" for day in range(number)]
    chart = draw([Period(day, day, (("agent", 1),), (("agent", 1),)) for day in days])
    assert chart is not None
    *others, last = chart.below
    assert last[1] == days[-1]
    wide = 65  # a date in the chart's type; the last one ends 20 beyond its mark
    edges = [x for at, _text in others for x in (at, at + wide)]
    edges += [last[0] + 20 - wide, last[0] + 20] if others else [last[0]]
    assert edges == sorted(edges)
    assert number < 3 or len(others) >= 1
