"""The merge driver as git calls it: merge, rebase, cherry-pick, stash, several bases, and what is left when it cannot run."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from hoard_git.gitio.mergedriver import ATTRIBUTES, COMMAND, driver_command, driver_state, install_driver, remove_driver
from hoard_git.gitio.plumbing import PlumbingReader
from tests.hooks.conftest import AS_AGENT
from tests.support.environment import ROOT
from tests.support.repo import MEMORY, Repo, Workspace, run_hoard

FACT = "- Backups run at 03:30.\n"
NODE = "- Node-2 serves the wiki.\n"
LATE, EARLY = "- Backups run at 04:30. <!-- src:agent ts:2026-06-09 -->\n", "- Backups run at 05:30. <!-- src:agent ts:2026-06-08 -->\n"


@pytest.fixture
def merging(workspace: Workspace) -> Workspace:
    """A workspace whose memory is merged by the driver; no hooks, so that nothing but the merge is under test."""
    workspace.commit("Name what is merged by entry\n", {".gitattributes": "".join(f"{line}\n" for line in ATTRIBUTES)})
    install_driver(PlumbingReader(str(workspace.path)), sys.executable, str(ROOT))
    return workspace


def branches(repo: Repo, ours: str, theirs: str, path: str = "MEMORY.md") -> None:
    """Two branches from HEAD, `main` with one text and `side` with another; main is checked out."""
    repo.git("branch", "-M", "main")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit("Theirs\n", {path: theirs}, author=Workspace.agent)
    repo.git("checkout", "-q", "main")
    repo.commit("Ours\n", {path: ours}, author=Workspace.agent)


def merge(repo: Repo, *options: str, name: str = "side") -> tuple[int, str]:
    done = repo.git("merge", "--no-edit", *options, name, env=AS_AGENT, check=False)
    return done.returncode, (done.stdout + done.stderr).decode()


def test_both_additions_at_one_place_are_kept(merging: Workspace) -> None:
    branches(merging, MEMORY + "- The queue is red.\n", MEMORY + "- The cache is blue.\n")
    assert merge(merging)[0] == 0
    assert merging.read("MEMORY.md") == MEMORY + "- The cache is blue.\n- The queue is red.\n"


def test_without_the_attribute_git_merges_by_lines(merging: Workspace) -> None:
    merging.commit("Take it away\n", {".gitattributes": None})
    branches(merging, MEMORY + "- The queue is red.\n", MEMORY + "- The cache is blue.\n")
    assert merge(merging)[0] == 1
    assert "<<<<<<<" in merging.read("MEMORY.md")


@pytest.mark.parametrize("swapped", [False, True])
def test_the_newer_date_wins_on_either_side_and_the_other_text_is_named(merging: Workspace, swapped: bool) -> None:
    texts = [MEMORY.replace(FACT, line) for line in (LATE, EARLY)]
    branches(merging, *(texts[::-1] if swapped else texts))
    status, said = merge(merging)
    assert status == 0
    assert merging.read("MEMORY.md") == texts[0]
    assert "both sides changed 1 entry; decided by the newer date" in said
    assert "05:30" not in said


@pytest.mark.parametrize("swapped", [False, True])
def test_an_agents_newer_edit_does_not_beat_the_users(merging: Workspace, swapped: bool) -> None:
    mine = MEMORY.replace(FACT, "- Backups run at 06:30. <!-- src:user ts:2026-06-06 -->\n")
    texts = [mine, MEMORY.replace(FACT, LATE)]
    branches(merging, *(texts[::-1] if swapped else texts))
    assert merge(merging)[0] == 0
    assert merging.read("MEMORY.md") == mine


def test_a_deletion_is_respected_and_an_edit_beats_a_deletion(merging: Workspace) -> None:
    branches(merging, MEMORY.replace(FACT, ""), MEMORY.replace(NODE, "- Node-2 serves the wiki and the mail.\n"))
    assert merge(merging)[0] == 0
    assert merging.read("MEMORY.md") == MEMORY.replace(FACT, "").replace(NODE, "- Node-2 serves the wiki and the mail.\n")
    merging.git("checkout", "-q", "-B", "main", "HEAD~1")
    merging.git("branch", "-D", "-q", "side")
    text = merging.read("MEMORY.md")
    branches(merging, text.replace(NODE, ""), text.replace(NODE, "- Node-2 serves the wiki slowly.\n"))
    assert merge(merging)[0] == 0
    assert "- Node-2 serves the wiki slowly.\n" in merging.read("MEMORY.md")


def test_a_rebase_decides_by_trust_and_never_by_side(merging: Workspace) -> None:
    mine = MEMORY.replace(FACT, "- Backups run at 06:30. <!-- src:user ts:2026-06-06 -->\n")
    branches(merging, mine, MEMORY.replace(FACT, LATE))
    merging.git("checkout", "-q", "side")
    merging.git("rebase", "-q", "main", env=AS_AGENT)
    assert merging.read("MEMORY.md") == mine


@pytest.mark.parametrize("replay", [("rebase", "side"), ("cherry-pick", "side")])
def test_a_replay_stops_where_it_would_leave_a_text_in_no_history(merging: Workspace, replay: tuple[str, str]) -> None:
    branches(merging, MEMORY.replace(FACT, LATE), MEMORY.replace(FACT, EARLY))
    done = merging.git(*replay, env=AS_AGENT, check=False)
    assert done.returncode == 1
    assert b"only a merge would keep both in the history" in done.stderr
    text = merging.read("MEMORY.md")
    assert "<<<<<<<" in text and LATE in text and EARLY in text


def test_a_stash_comes_back_over_a_commit(merging: Workspace) -> None:
    merging.write("MEMORY.md", MEMORY + "- The queue is red.\n")
    merging.git("stash", "-q")
    merging.commit("Meanwhile\n", {"MEMORY.md": MEMORY + "- The cache is blue.\n"})
    merging.git("stash", "pop", "-q")
    assert merging.read("MEMORY.md") == MEMORY + "- The cache is blue.\n- The queue is red.\n"


@pytest.mark.parametrize("folder", ["", "agents/a/", "agents/memory/"])
def test_a_daily_log_in_a_workspace_below_the_root(merging: Workspace, folder: str) -> None:
    """What an untagged log counts as goes by its place in the workspace, wherever that lies in the repository."""
    path = folder + "memory/2026-06-09.md"
    merging.commit("Name it\n", {".gitattributes": "**/memory/**/*.md merge=hoard\n", path: "# Log\n\n- 08:00 all is well\n"})
    branches(
        merging, "# Log <!-- src:user ts:2026-06-09 -->\n\n- 08:00 all is well\n", "# Log\n\n- 08:00 all is well\n- 09:00 done\n", path
    )
    assert merge(merging)[0] == 0
    assert merging.read(path).endswith("- 09:00 done <!-- src:agent ts:2026-06-09 -->\n")


def test_both_sides_added_the_same_file(merging: Workspace) -> None:
    head = "# Log\n\n"
    branches(merging, head + "- 10:00 the queue stopped\n", head + "- 09:00 the cache was cleared\n", "memory/2026-06-09.md")
    assert merge(merging)[0] == 0
    assert merging.read("memory/2026-06-09.md") == head + "- 09:00 the cache was cleared\n- 10:00 the queue stopped\n"


def test_several_bases_with_a_conflict_in_them(merging: Workspace) -> None:
    """Each side merged the other's first commit and settled a conflict its own way: git's base then holds the markers."""
    region = "\n<!-- x:start -->\n- %s\n<!-- x:end -->\n"
    branches(merging, MEMORY.replace(FACT, LATE) + region % "one", MEMORY.replace(FACT, EARLY) + region % "two")
    first = merging.head()
    other = merging.head("side")
    for branch, line, theirs in (("side", EARLY, first), ("main", LATE, other)):
        merging.git("checkout", "-q", branch)
        assert merge(merging, name=theirs)[0] == 1
        merging.stage({"MEMORY.md": MEMORY.replace(FACT, line) + region % "three" + f"\n- Settled on {branch}.\n"})
        merging.git("commit", "-q", "--no-edit", env=AS_AGENT)
    assert len(merging.line("merge-base", "--all", "main", "side").splitlines()) == 2
    status, said = merge(merging)
    text = merging.read("MEMORY.md")
    assert status == 0, said
    assert LATE in text or EARLY in text
    assert text.count("three") == 1 and "Settled on main." in text and "Settled on side." in text
    assert "<<<<<<<" not in text and ">>>>>>>" not in text


@pytest.mark.parametrize(
    ("ours", "theirs", "why"),
    [
        ("```\nours\n", "```\ntheirs\n", "a code fence or a comment is not closed"),
        ("- \x00ours\n", "- \x00theirs\n", "a version is binary"),
        ("<!-- x:start -->\nours\n<!-- x:end -->\n", "<!-- x:start -->\ntheirs\n<!-- x:end -->\n", "the same front matter, managed region"),
    ],
)
def test_in_doubt_git_merges_by_lines_and_the_merge_is_not_clean(merging: Workspace, ours: str, theirs: str, why: str) -> None:
    branches(merging, MEMORY + ours, MEMORY + theirs)
    status, said = merge(merging)
    assert status == 1
    assert why in said
    text = merging.read("MEMORY.md")
    assert "ours" in text
    assert "\x00" in text or ("theirs" in text and "<<<<<<<" in text)


def test_text_that_is_not_utf8(merging: Workspace) -> None:
    merging.git("branch", "-M", "main")
    merging.git("checkout", "-q", "-b", "side")
    merging.commit("Theirs\n", {"MEMORY.md": MEMORY.encode() + b"- caf\xe9\n"})
    merging.git("checkout", "-q", "main")
    merging.commit("Ours\n", {"MEMORY.md": MEMORY + "- tea\n"})
    status, said = merge(merging)
    assert status == 1 and "not UTF-8" in said
    data = merging.read_bytes("MEMORY.md")
    assert b"caf\xe9" in data and b"- tea" in data and b"<<<<<<<" in data


@pytest.mark.parametrize("way", ["interpreter", "package", "crash", "slow", "killed"])
def test_a_driver_that_breaks_leaves_both_texts_and_a_conflict(merging: Workspace, tmp_path: Path, way: str) -> None:
    python, package = tmp_path / "python", tmp_path / "broken"
    body = {"crash": "raise ValueError('bad')", "slow": "while True: pass", "killed": "import os; os.kill(os.getpid(), 9)"}.get(way, "")
    if way == "interpreter":
        command = driver_command(str(python), str(ROOT))
    elif way == "package":
        command = driver_command(sys.executable, str(package))
    else:
        (package / "hoard_git").mkdir(parents=True)
        (package / "hoard_git" / "__init__.py").write_text(f"__path__ = [__path__[0], {str(ROOT / 'hoard_git')!r}]\n", "utf-8")
        (package / "hoard_git" / "app").mkdir()
        (package / "hoard_git" / "app" / "__init__.py").write_text("", "utf-8")
        real = (ROOT / "hoard_git" / "app" / "merge.py").read_text("utf-8")
        program = real.replace("SECONDS = 20", "SECONDS = 0.3") + f"\n\ndef merge(*_a):\n    {body}\n"
        (package / "hoard_git" / "app" / "merge.py").write_text(program, "utf-8")
        command = driver_command(sys.executable, str(package))
    merging.git("config", COMMAND, command)
    branches(merging, MEMORY + "- The queue is red.\n", MEMORY + "- The cache is blue.\n")
    status, said = merge(merging)
    assert status == 1, said
    text = merging.read("MEMORY.md")
    assert "<<<<<<<" in text and "- The queue is red." in text and "- The cache is blue." in text
    assert "hoard:" in said


def test_paths_with_odd_characters(merging: Workspace, tmp_path: Path) -> None:
    package = tmp_path / "it's 100%O of it"
    package.symlink_to(ROOT)
    install_driver(PlumbingReader(str(merging.path)), sys.executable, str(package))
    name = "memory/a 'b' \u00e9.md"
    branches(merging, "- one\n", "- two\n", name)
    assert merge(merging)[0] == 0
    assert merging.read(name) == "- one\n- two\n"


def test_the_state_of_the_driver(merging: Workspace, tmp_path: Path) -> None:
    reader = PlumbingReader(str(merging.path))
    assert driver_state(reader, sys.executable, str(ROOT)) == "installed"
    assert not install_driver(reader, sys.executable, str(ROOT))
    assert driver_state(PlumbingReader(str(merging.path)), sys.executable, str(tmp_path)) == "outdated"
    assert remove_driver(PlumbingReader(str(merging.path)))
    assert not remove_driver(PlumbingReader(str(merging.path)))
    assert driver_state(PlumbingReader(str(merging.path)), sys.executable, str(ROOT)) == "missing"
    merging.git("config", COMMAND, "true")
    assert driver_state(PlumbingReader(str(merging.path)), sys.executable, str(ROOT)) == "foreign"
    merging.git("config", COMMAND, driver_command(str(tmp_path / "gone"), str(ROOT)))
    assert driver_state(PlumbingReader(str(merging.path)), sys.executable, str(ROOT)) == "broken-interpreter"


def test_hooks_install_gives_a_clone_the_driver(merging: Workspace, tmp_path: Path) -> None:
    merging.git("clone", "-q", ".", tmp_path / "clone")
    clone = Workspace(tmp_path / "clone")
    assert b"merge-driver: missing" in run_hoard("hooks", "status", cwd=clone).stdout
    assert run_hoard("hooks", "install", cwd=clone).returncode == 0
    status = run_hoard("hooks", "status", cwd=clone)
    assert status.returncode == 0 and b"merge-driver: installed" in status.stdout
    assert run_hoard("hooks", "uninstall", cwd=clone).returncode == 0
    assert clone.git("config", "--get", COMMAND, check=False).returncode == 1


def test_init_names_the_files_and_sets_the_driver(tmp_path: Path) -> None:
    made = run_hoard("init", str(tmp_path / "w"), "--human", "Ada Example <ada@example.org>", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    repo = Repo(tmp_path / "w")
    assert set(ATTRIBUTES) <= set(repo.read(".gitattributes").splitlines())
    assert "merge-driver %O %A %B %L %P" in repo.line("config", COMMAND)
    assert repo.line("check-attr", "merge", "MEMORY.md", "memory/a.md", "memory/archive/b.md", "README.md").splitlines() == [
        "MEMORY.md: merge: hoard",
        "memory/a.md: merge: hoard",
        "memory/archive/b.md: merge: hoard",
        "README.md: merge: unspecified",
    ]
