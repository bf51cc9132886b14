"""No output names a credential that stands in the name of a file or folder; ordinary names are shown as they are."""

from __future__ import annotations

import json
import random
import uuid
from collections.abc import Callable
from pathlib import PurePath

import pytest

from hoard_git.app.refusals import read_refusals
from hoard_git.cli.hook import main as hook
from hoard_git.cli.main import main
from hoard_git.cli.render.json import finding_data
from hoard_git.cli.render.text import path_data, path_text, render_finding
from hoard_git.core import discreet, secrets
from hoard_git.core.model import Finding
from hoard_git.gitio.plumbing import PlumbingReader
from tests.app.history_repos import AGENT
from tests.cli.render.leaks import leaked
from tests.support.repo import MEMORY, Workspace

TOKEN = "gh" + "p_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z12"
OTHER = "gh" + "p_" + "wX4yZ6aC8eG0iK2mO4qS6uW8yA0cE2gI4k57"
LONG_AGO = "AK" + "IA" + "Q3EGR7ZKPMXW2LTN"
BOTH = (TOKEN, OTHER, LONG_AGO)
Run = Callable[..., str]

TOPIC = f"memory/{TOKEN}.md"
PAGE = f"wiki/{TOKEN}/page.md"
LOG = f"memory/2026-05-01-{OTHER}.md"
COLD = f"memory/2025-01-02-{LONG_AGO}.md"
FACT = "- The tall printer in the corridor hums softly at night."


@pytest.fixture(scope="module")
def named(workspace_template: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Memory in files whose names are tokens: written, moved, edited, removed, staged, changed on disk and unknown to git."""
    workspace = Workspace.copy(workspace_template, tmp_path_factory.mktemp("named") / "workspace")
    tagged = f"# Topic <!-- src:agent ts:2026-05-01 -->\n\n## Things <!-- src:agent ts:2026-05-01 id:things -->\n\n{FACT}\n- Two.\n"
    page = f"---\nsrc: agent\nts: 2026-05-01\n---\n\n# Page\n\nSee [gone]({OTHER}.md) and [[{OTHER}]].\n"
    log = f"# 2026-05-01\n\n- Fetched [it](../wiki/{TOKEN}/page.md).\n- Decision: keep it.\n"
    workspace.commit(
        "Write\n",
        {TOPIC: tagged, PAGE: page, LOG: log, COLD: log, f"notes/{OTHER}/AGENTS.md": "# Rules\n\nAlways obey.\n"},
        author=AGENT,
    )
    workspace.commit("Edit\n", {TOPIC: tagged.replace("Two", "Three"), f"wiki/{TOKEN}/end.md": "# End\n"}, author=AGENT)
    again = MEMORY + f"\n## Copies <!-- src:user ts:2026-06-02 -->\n\n{FACT}\n"
    workspace.commit("Copy\n", {"MEMORY.md": again, f"memory/{OTHER}.md": tagged.replace("id:things", "id:thingz")}, author=AGENT)
    workspace.commit("Remove\n", {f"memory/{OTHER}.md": None, f"wiki/{TOKEN}/end.md": None}, author=AGENT)
    workspace.write(f"memory/{OTHER}-new.md", "# New\n\nNo tag at all here.\n")
    workspace.write(TOPIC, tagged + "- Four, without any tag id:things <!-- src:user ts:2026-05-01 id:things -->\n")
    workspace.stage({f"memory/{OTHER}-staged.md": "# Staged\n\n- Not tagged either.\n"})
    workspace.write(f"memory/{TOKEN}-ignored.md", "# Ignored\n")
    workspace.write(".git/info/exclude", "memory/*-ignored.md\n")
    return workspace


@pytest.fixture
def said(named: Workspace, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command in the workspace and return what it prints, on both streams."""

    def run(*words: str) -> str:
        status = main(["-C", str(named.path), "--date", "2026-06-10", *words])
        out = "".join(capfd.readouterr())
        assert status in (0, 1, 2), out
        return out

    return run


@pytest.mark.parametrize(
    "words",
    [
        "check",
        "check --json",
        "check --format sarif",
        "check --format github",
        "check --format gitlab",
        "check --format junit",
        "check --staged",
        "check --staged --json",
        "check --commit HEAD",
        "check --commit HEAD~1",
        "check --range HEAD~4..HEAD",
        "check --range HEAD~4..HEAD --format sarif",
        "check {topic}",
        "check {topic}x",
        "status",
        "status --json",
        "doctor",
        "doctor --json",
        "log",
        "log --json",
        "log {topic}",
        "log {topic}x",
        "log --format agent-trace",
        "blame {topic}",
        "blame {topic} --json",
        "blame {topic}x",
        "show things",
        "show things --json",
        "show {topic}#things",
        "show {topic}#other",
        "why things",
        "why things --json",
        "why printer",
        "why printer --json",
        "diff HEAD~4..HEAD",
        "diff --json",
        "restore thingz --list",
        "restore thingz --list --json",
        "restore things",
        "consolidate --dry-run",
        "consolidate --dry-run --json",
        "tiers",
        "tiers --json",
        "search printer",
        "search printer --json",
        "search printer --history --archive",
        "get {topic}",
        "get {topic} --json",
        "get {topic}x",
        "context",
        "context --json",
        "wiki links",
        "wiki links --json",
        "wiki lint",
        "wiki lint --json",
        "wiki show {page}",
        "wiki show {page} --json",
        "wiki show {page}x",
        "tag --dry-run",
        "tag --dry-run {topic}",
        "add word --src agent --file {topic}",
        "add word --src agent --file {topic}x",
        "trailers HEAD~4..HEAD",
        "trailers HEAD~4..HEAD --json",
        "verify",
        "verify --json",
        "report --out -",
        "purge --plan corridor",
        "purge --plan {value}",
        "commit {topic}x",
        "commit -m words {topic}",
    ],
)
def test_of_every_command(said: Run, words: str) -> None:
    out = said(*(word.format(topic=TOPIC, page=PAGE, value=TOKEN) for word in words.split()))
    assert leaked(out, BOTH) == []


def test_the_path_still_tells_where_the_file_is(said: Run) -> None:
    found = json.loads(said("check", "--json"))["findings"]
    assert f"memory/{secrets.mask(TOKEN)}.md" in {finding["path"] for finding in found}
    printed = said("search", "printer", "--json")  # with a note behind it where no embedder is installed
    hits = json.loads(printed[: printed.rindex("}") + 1])["hits"]
    assert {hit["path"] for hit in hits} >= {"MEMORY.md", f"memory/{secrets.mask(TOKEN)}.md"}


def test_a_refusal_of_a_hook_and_what_is_kept_of_it(
    workspace: Workspace, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.stage({TOPIC: "# Topic\n\n- Not tagged.\n"})
    monkeypatch.chdir(workspace.path)
    assert hook(["pre-commit"]) == 1
    out = "".join(capfd.readouterr())
    assert f"memory/{secrets.mask(TOKEN)}.md" in out
    assert leaked(out, BOTH) == []
    assert [refusal.paths for refusal in read_refusals(PlumbingReader("."))] == [(f"memory/{secrets.mask(TOKEN)}.md",)]


def test_the_commit_of_a_consolidation(workspace: Workspace, capfd: pytest.CaptureFixture[str]) -> None:
    old = "# Topic\n\n## Things <!-- src:web ts:2026-01-01 -->\n\n- The {} hums.\n"
    workspace.commit("Write\n", {TOPIC: old.format("printer"), "memory/fan.md": old.format("fan")}, author=AGENT)
    assert main(["-C", str(workspace.path), "--date", "2026-06-10", "consolidate"]) == 0
    out = "".join(capfd.readouterr())
    assert leaked(out, BOTH) == []
    assert "its name holds a secret" in " ".join(out.split())
    message, _blank, trailers = workspace.message("hoard/consolidate/2026-06-10").rpartition("\n\n")
    assert "memory/fan.md" in message
    assert f"memory/{secrets.mask(TOKEN)}.md' is left as it is" in message
    assert "Memory-Removed" in trailers
    assert leaked(message, BOTH) == []


def _names() -> list[str]:
    chance = random.Random(7)
    made = []
    for _ in range(50):
        name, oid = uuid.UUID(int=chance.getrandbits(128)), f"{chance.getrandbits(160):040x}"
        made += [f"{name}.md", f"token-{name}.md", f"{oid}.md", f"keys/{oid[:12]}.md", f"2026-01-02-{oid[:8]}.md", f"{name.hex}.jsonl"]
    return made


@pytest.mark.parametrize(
    "path",
    [
        "MEMORY.md",
        "memory/2026-01-01.md",
        "memory/2026-01-01.md.gz",
        "memory/passwords/2026-01-01.md",
        "memory/password.md",
        "memory/password-reset-flow.md",
        "memory/api-key-rotation-2026.md",
        "memory/session-20260101T120000Z.md",
        "memory/\u5bc6\u7801/\u7b14\u8bb0.md",
        "memory/token usage in June 2026.md",
    ],
)
def test_ordinary_names_are_shown_as_they_are(path: str) -> None:
    assert path_text(path) == path
    assert path_data(path) == path


def test_ids_and_hashes_are_ordinary_names() -> None:
    assert [name for name in _names() if path_text(f"memory/{name}") != f"memory/{name}"] == []


@pytest.mark.parametrize("name", ["password tR7mQ2vLx9pWz", "password=tR7mQ2vLx9pWz", "pw is tR7mQ2vLx9pWz"])
@pytest.mark.parametrize("form", ["memory/{}.md", "{}/a.md", "memory/{}.md.gz", "{}"])
def test_words_that_announce_a_value_count_in_names(name: str, form: str) -> None:
    shown = path_text(form.format(name))
    assert "tR7mQ2vLx9pWz" not in shown
    assert PurePath(shown).suffix == PurePath(form).suffix


def test_a_message_that_names_its_file_and_others() -> None:
    path = "memory/password tR7mQ2vLx9pWz.md"
    finding = Finding("HG999", "x", "error", f"{path} is as {TOPIC}:3 (see 'wiki/{OTHER}')", path, 1, 1, 1, hint=f"rm '{path}' {PAGE}")
    out = render_finding(finding) + json.dumps(finding_data(finding))
    assert leaked(out, (*BOTH, "tR7mQ2vLx9pWz")) == []
    assert "3 (see 'wiki/ghp_\u2026(40 characters)')" in out


def test_each_name_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    find = secrets.find_secrets

    def count(lines: list[str]) -> list[secrets.Match]:
        looked.extend(lines)
        return find(lines)

    monkeypatch.setattr(secrets, "find_secrets", count)
    discreet.quiet_path.__globals__["_quiet_part"].cache_clear()
    paths = [f"memory/projects/area-{number % 20}.md" for number in range(1000)]
    for number, path in enumerate(paths):
        render_finding(Finding("HG999", "x", "error", f"the entry repeats {paths[number - 1]}:{number}", path, number, 1, number))
    assert sorted(looked) == sorted({"memory", "projects", *(f"area-{number}" for number in range(20))})
