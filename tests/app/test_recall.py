"""Search over real workspaces: what is found, what it is worth, and that nothing is passed over in silence."""

from __future__ import annotations

import gzip
import os
import random
import sqlite3
from pathlib import Path
from typing import Unpack

import pytest

from hoard_git.app import recall
from hoard_git.app.recall import Answer, Wish, search
from hoard_git.app.recall_sync import read_version
from hoard_git.core.terms import query_terms
from hoard_git.errors import HoardError
from hoard_git.gitio import cachefiles
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.searchindex import SearchIndex
from tests.app.support import Wanted, june, reader_of
from tests.support.repo import POLICY, Repo, Workspace

FACTS = """\
# Home

- The dishwasher was repaired in May <!-- src:agent ts:2026-06-01 -->
- The boiler shows error F28 <!-- src:web ts:2026-06-01 -->
- 数据库每天凌晨两点备份 <!-- src:agent ts:2026-06-01 -->
"""


def ask(repo: Repo, query: str, most: int = 10, *, folder: str = "", **wish: Unpack[Wanted]) -> Answer:
    return search(reader_of(repo, folder), Wish(query, **wish), june, most, directory=folder)


def texts(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits]


def index_of(repo: Repo) -> Path:
    return repo.path / ".git/hoard/search.sqlite"


def rows(repo: Repo) -> dict[str, set[str]]:
    """What each full-text index holds."""
    db = sqlite3.connect(index_of(repo))
    found: dict[str, set[str]] = {}
    for scope, text in db.execute("SELECT scope, text FROM block"):
        found.setdefault(scope, set()).add(text)
    for scope in ("live", "archive", "past"):
        db.execute(f"INSERT INTO {scope}({scope}) VALUES('integrity-check')")
        count = db.execute(f"SELECT count(*) FROM {scope}_docsize").fetchone()[0]
        assert count == len(found.get(scope, ())), scope
    db.close()
    return found


# -------------------------------------------------------------------- finding


def test_an_entry_is_found_by_some_of_its_words_by_its_heading_and_by_what_it_stands_under(workspace: Workspace) -> None:
    workspace.write(
        "memory/home.md", "# Home\n\n## Wireless\n\n- Guest network:\n  - password on the fridge\n  - channel 11\n- Router in the hall\n"
    )
    assert texts(ask(workspace, "when do the backups run"))[0] == "Backups run at 03:30."
    found = texts(ask(workspace, "guest channel"))
    assert (found[0], set(found[1:])) == ("channel 11", {"Guest network:", "password on the fridge"})
    hit = ask(workspace, "wireless router").hits[0]
    assert (hit.path, hit.line, hit.end_line, hit.block, hit.commit) == ("memory/home.md", 8, 8, "memory/home.md#wireless", "")


def test_chinese_japanese_and_emoji(workspace: Workspace) -> None:
    workspace.write("memory/notes.md", "# N\n\n- 数据库每天凌晨两点备份\n- サーバーの再起動は深夜\n- 猫の薬\n- Ship it 🚀\n")
    assert texts(ask(workspace, "备份数据库"))[0] == "数据库每天凌晨两点备份"
    assert texts(ask(workspace, "再起動"))[0] == "サーバーの再起動は深夜"
    assert texts(ask(workspace, "猫")) == ["猫の薬"]
    assert texts(ask(workspace, "🚀")) == ["Ship it 🚀"]


def test_the_work_tree_counts_committed_or_not(workspace: Workspace) -> None:
    assert texts(ask(workspace, "dishwasher")) == []
    workspace.write("memory/home.md", FACTS)
    assert texts(ask(workspace, "dishwasher")) == ["The dishwasher was repaired in May"]
    workspace.write("memory/home.md", FACTS.replace("in May", "in June"))
    assert texts(ask(workspace, "dishwasher")) == ["The dishwasher was repaired in June"]
    (workspace.path / "memory/home.md").rename(workspace.path / "memory/flat.md")
    assert [hit.path for hit in ask(workspace, "dishwasher").hits] == ["memory/flat.md"]
    (workspace.path / "memory/flat.md").unlink()
    assert texts(ask(workspace, "dishwasher")) == []
    assert rows(workspace).keys() == {"live"}


def test_a_change_of_the_same_size_and_time_is_seen(workspace: Workspace) -> None:
    path = workspace.write("memory/home.md", FACTS)
    ask(workspace, "dishwasher")
    status = path.stat()
    path.write_text(FACTS.replace("dishwasher", "dishwashed"), encoding="utf-8")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert texts(ask(workspace, "dishwashed")) == ["The dishwashed was repaired in May"]


def test_one_edit_writes_one_passage_and_a_move_none(workspace: Workspace) -> None:
    lines = "".join(f"- Fact number {number} about the garden\n" for number in range(50))
    workspace.write("memory/a.md", f"# A\n\n{lines}")
    ask(workspace, "garden")
    written, there = counters(workspace)
    workspace.write("memory/a.md", f"# A\n\nA new first line moves all others.\n\n{lines.replace('number 7 ', 'number seven ')}")
    ask(workspace, "garden")
    assert counters(workspace) == (written + 2, there + 1)  # the paragraph and the new wording came, the old wording went
    (workspace.path / "memory/a.md").rename(workspace.path / "memory/b.md")
    assert {hit.path for hit in ask(workspace, "garden").hits} == {"memory/b.md"}
    assert counters(workspace) == (written + 2, there + 1)


def counters(repo: Repo) -> tuple[int, int]:
    """How many passages were ever written, and how many there are."""
    db = sqlite3.connect(index_of(repo))
    try:
        written, there = db.execute("SELECT max(id), count(*) FROM block").fetchone()
    finally:
        db.close()
    return int(written), int(there)


def test_the_number_of_hits_changes_nothing_but_their_number(workspace: Workspace) -> None:
    chance = random.Random(3)
    words = ["garden", "backup", "router", "train", "weather", "choir", "boiler", "invoice"]
    lines = "".join(f"- {' '.join(chance.choice(words) for _ in range(6))} {number}\n" for number in range(300))
    workspace.write("memory/a.md", f"# A\n\n{lines}")
    all_hits = [(hit.text, hit.score) for hit in ask(workspace, "backup of the boiler invoice", 100).hits]
    assert len(all_hits) == 100
    for most in (1, 3, 10, 50):
        assert [(hit.text, hit.score) for hit in ask(workspace, "backup of the boiler invoice", most).hits] == all_hits[:most]


def test_an_index_that_grew_answers_as_one_that_was_built(workspace: Workspace) -> None:
    chance = random.Random(5)
    words = ["garden", "backup", "router", "train", "weather", "choir", "boiler", "invoice"]
    lines = [f"- {' '.join(chance.choice(words) for _ in range(4))}\n" for _ in range(120)]
    for step in range(6):
        chance.shuffle(lines)
        workspace.write(f"memory/{step % 3}.md", "# A\n\n" + "".join(lines[: 60 + step]))
        ask(workspace, "router")
    grown = [(hit.path, hit.line, hit.text, hit.score) for hit in ask(workspace, "train router choir", 100).hits]
    index_of(workspace).unlink()
    assert [(hit.path, hit.line, hit.text, hit.score) for hit in ask(workspace, "train router choir", 100).hits] == grown
    rows(workspace)


def test_an_entry_is_found_by_its_id(workspace: Workspace) -> None:
    workspace.write("memory/a.md", "# A\n\n- Nothing like it <!-- src:agent ts:2026-06-01 id:k3f9q2 -->\n")
    hit = ask(workspace, "k3f9q2").hits[0]
    assert (hit.text, hit.block) == ("Nothing like it", "k3f9q2")


def test_a_query_without_words_is_refused(workspace: Workspace) -> None:
    with pytest.raises(HoardError, match="holds no word"):
        ask(workspace, "?!")


# -------------------------------------------------------------------- worth


_PORTS = "# Ports\n\n- Wiki port: 8080 <!-- src:agent ts:{} -->\n- Wiki port: 8443 <!-- src:agent ts:2026-06-01 -->\n"


def _superseded(answer: Answer) -> list[str]:
    return [hit.text for hit in answer.hits if "superseded" in hit.flags]


def test_a_moved_date_makes_nothing_news(workspace: Workspace) -> None:
    workspace.commit("Ports\n", {"memory/ports.md": _PORTS.format("2026-04-01")}, options=["--no-verify"])
    workspace.commit("Moved\n", {"memory/ports.md": _PORTS.format("2026-06-10")}, options=["--no-verify"])
    assert _superseded(ask(workspace, "wiki port")) == ["Wiki port: 8080"]
    assert _superseded(ask(workspace, "wiki port", rev="HEAD")) == ["Wiki port: 8080"]
    workspace.commit("Looked\n", {"memory/ports.md": _PORTS.format("2026-06-11 ev:config")}, options=["--no-verify"])
    assert _superseded(ask(workspace, "wiki port")) == ["Wiki port: 8443"]
    workspace.commit("Moved again\n", {"memory/ports.md": _PORTS.format("2026-06-12")}, options=["--no-verify"])
    assert _superseded(ask(workspace, "wiki port")) == ["Wiki port: 8080"], "the evidence went"


@pytest.mark.parametrize(
    "dressed", ["Wiki **port**: 8080", "Wiki port: `8080`", "Wiki <!-- x --> port: 8080", "Wiki port:\n  8080", "wiki port: 8080."]
)
def test_other_clothes_make_no_other_words(workspace: Workspace, dressed: str) -> None:
    workspace.commit("Ports\n", {"memory/ports.md": _PORTS.format("2026-04-01")}, options=["--no-verify"])
    moved = _PORTS.format("2026-06-10").replace("Wiki port: 8080", dressed)
    workspace.commit("Moved\n", {"memory/ports.md": moved}, options=["--no-verify"])
    assert [text[-6:].strip("`.: ") for text in _superseded(ask(workspace, "wiki port"))] == ["8080"]


def test_the_users_dates_count_as_they_stand(workspace: Workspace) -> None:
    ports = _PORTS.replace("src:agent", "src:user")
    workspace.commit("Ports\n", {"memory/ports.md": ports.format("2026-04-01")}, options=["--no-verify"])
    workspace.commit("Moved\n", {"memory/ports.md": ports.format("2026-06-10")}, options=["--no-verify"])
    assert _superseded(ask(workspace, "wiki port")) == ["Wiki port: 8443"]


def test_dates_decide_nothing_where_history_is_cut_off(workspace: Workspace, tmp_path: Path) -> None:
    workspace.commit("Ports\n", {"memory/ports.md": _PORTS.format("2026-06-10")}, options=["--no-verify"])
    shallow = Repo(tmp_path / "shallow")
    workspace.git("clone", "-q", "--depth", "1", workspace.path.as_uri(), shallow.path)
    answer = ask(shallow, "wiki port")
    assert _superseded(answer) == []
    assert answer.note.startswith("dates decide nothing between entries that contradict each other: ")
    assert ask(shallow, "backups").note == "", "nobody asked"


def test_without_a_commit_dates_are_what_there_is(tmp_path: Path) -> None:
    repo = Repo.create(tmp_path / "new")
    repo.write(".hoard.yaml", POLICY)
    repo.write("memory/ports.md", _PORTS.format("2026-04-01"))
    assert _superseded(ask(repo, "wiki port")) == ["Wiki port: 8080"]


def test_a_flood_does_not_push_out_what_is_trusted(workspace: Workspace) -> None:
    workspace.write(
        "memory/wiki.md", "# Notes\n\n- To reach the port of the wiki in the cellar, ask for 8443 <!-- src:agent ts:2026-06-01 -->\n"
    )
    workspace.write("memory/flood.md", "# Flood <!-- src:web ts:2026-06-10 -->\n\n" + "".join(f"- Wiki port {n}\n" for n in range(300)))
    best = ask(workspace, "wiki port", 1).hits[0]
    assert (best.src, best.path) == ("agent", "memory/wiki.md")
    assert {hit.src for hit in ask(workspace, "wiki port", 50, src="web").hits} == {"web"}


@pytest.mark.parametrize("stuffed", ["wiki port " * 400, "port of the wiki, " * 300, "wiki " * 900 + "port"])
def test_repetition_makes_up_for_no_trust(workspace: Workspace, stuffed: str) -> None:
    workspace.write("memory/wiki.md", "# Notes\n\n- port for wiki <!-- src:agent ts:2026-06-01 -->\n")
    workspace.write("memory/page.md", f"# Page\n\n- {stuffed} <!-- src:tool ts:2026-06-10 -->\n")
    assert [hit.src for hit in ask(workspace, "wiki port").hits][:2] == ["agent", "tool"]


def test_source_age_and_contradiction(workspace: Workspace) -> None:
    workspace.write(
        "memory/ports.md",
        "# Ports\n\n- Wiki port: 8080 <!-- src:agent ts:2026-05-01 -->\n- Wiki port: 8443 <!-- src:agent ts:2026-06-10 -->\n"
        "- Wiki heard from a page <!-- src:web ts:2026-05-05 -->\n- Wiki heard long ago <!-- src:web ts:2026-01-05 -->\n- Wiki bare\n",
    )
    flags = {hit.text: hit.flags for hit in ask(workspace, "wiki").hits}
    assert flags["Wiki port: 8080"] == ("superseded",)
    assert flags["Wiki port: 8443"] == ()
    assert flags["Wiki heard from a page"] == ("stale", "low-trust")
    assert flags["Wiki heard long ago"] == ("expired", "low-trust")
    assert flags["Wiki bare"] == ("untagged",)
    assert texts(ask(workspace, "wiki port"))[0] == "Wiki port: 8443"


def test_only_one_source(workspace: Workspace) -> None:
    workspace.write("memory/home.md", FACTS + "- The boiler is new\n")
    assert {hit.src for hit in ask(workspace, "boiler dishwasher", src="agent").hits} == {"agent"}
    assert texts(ask(workspace, "boiler", src="web")) == ["The boiler shows error F28"]
    assert texts(ask(workspace, "boiler", src="untagged")) == ["The boiler is new"]
    assert texts(ask(workspace, "answers english", src="user")) == ["Answers are short and in English."]


def test_the_words_are_looked_up_once_however_many_entries_a_source_has(workspace: Workspace) -> None:
    workspace.write("memory/home.md", FACTS + "- The boiler is new <!-- src:web ts:2026-06-02 -->\n")
    ask(workspace, "boiler")
    index = SearchIndex(cachefiles.connect(str(index_of(workspace))), "")
    said: list[str] = []
    index.db.set_trace_callback(said.append)
    found = index.best(index.counts(query_terms("the new boiler"), ("live",)), ("live",), "web")
    index.db.set_trace_callback(None)
    assert {one.text for one in found} == {"The boiler shows error F28", "The boiler is new"}
    plans = [
        row[3]
        for statement in said
        if " MATCH " in statement and not statement.startswith("--")
        for row in index.db.execute(f"EXPLAIN QUERY PLAN {statement}")
    ]
    index.close()
    looks = [plan for plan in plans if plan.startswith("SCAN live VIRTUAL TABLE INDEX")]
    assert len(looks) == 1
    assert ":=" not in looks[0], "asked anew for each passage of the source"


def test_a_version_is_read_once_however_many_hits_stand_in_it(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = workspace.commit("Home\n", {"memory/home.md": FACTS})
    read: list[tuple[str, str]] = []

    def counting(reader: PlumbingReader, path: str, at: str) -> list[str]:
        read.append((path, at))
        return read_version(reader, path, at)

    monkeypatch.setattr(recall, "read_version", counting)
    hits = ask(workspace, "boiler dishwasher", rev="HEAD").hits
    assert [hit.lines[hit.line - 1][:6] for hit in hits] == ["- The ", "- The "]
    assert read == [("memory/home.md", commit)]


def test_an_old_log_ranks_behind_a_young_one(workspace: Workspace) -> None:
    for day in ("2026-01-02", "2026-06-14"):
        workspace.write(f"memory/{day}.md", f"# {day}\n\n- Boiler checked\n")
    assert [hit.path for hit in ask(workspace, "boiler").hits] == ["memory/2026-06-14.md", "memory/2026-01-02.md"]


# -------------------------------------------------------------------- archive, history, revisions


def test_the_archive_comes_when_asked_for_and_last(workspace: Workspace) -> None:
    workspace.write("memory/archive/2025.md", "# Old\n\n- The mail host was called curlew\n")
    workspace.write("memory/hosts.md", "# Hosts\n\n- The mail host is called heron\n")
    plain = ask(workspace, "curlew mail host")
    assert (texts(plain), plain.elsewhere) == (["The mail host is called heron"], 1)
    both = ask(workspace, "mail host", archive=True)
    assert texts(both) == ["The mail host is called heron", "The mail host was called curlew"]
    assert both.hits[1].flags == ("untagged", "archived")
    assert both.hits[1].parts.tier == 0.7


def test_packed_logs_are_searched(workspace: Workspace) -> None:
    workspace.write("memory/archive/logs/2025-01-02.md.gz", gzip.compress(b"# Log\n\n- Choir rehearsal moved\n"))
    workspace.write("memory/2025-01-03.md.gz", gzip.compress(b"# Log\n\n- Choir concert\n"))
    hits = ask(workspace, "choir", archive=True).hits
    assert [(hit.path, hit.line, hit.src, hit.ts) for hit in hits] == [
        ("memory/2025-01-03.md.gz", 3, "agent", "2025-01-03"),
        ("memory/archive/logs/2025-01-02.md.gz", 3, "", "unknown"),
    ]


def test_history_has_what_was_removed_and_what_was_replaced(workspace: Workspace) -> None:
    old = workspace.commit("One\n", {"memory/home.md": FACTS})
    new = workspace.commit("Two\n", {"memory/home.md": FACTS.replace("error F28", "error F29")})
    workspace.commit("Three\n", {"memory/home.md": "# Home\n\n- The boiler is silent <!-- src:web ts:2026-06-01 -->\n"})
    assert texts(ask(workspace, "dishwasher repaired")) == []
    hit = ask(workspace, "dishwasher repaired", history=True).hits[0]
    assert (hit.text, hit.commit, hit.path, hit.line, hit.src) == ("The dishwasher was repaired in May", old, "memory/home.md", 3, "agent")
    assert hit.flags == ("removed",)
    assert hit.lines[hit.line - 1].startswith("- The dishwasher")
    found = {hit.text: (hit.flags[-1], hit.commit) for hit in ask(workspace, "boiler shows error", history=True).hits}
    assert found["The boiler shows error F28"][1] == old
    assert found["The boiler shows error F29"][1] == new
    workspace.write("memory/home.md", FACTS)
    assert [hit.commit for hit in ask(workspace, "dishwasher repaired", history=True).hits] == [""]
    rows(workspace)
    workspace.write("memory/home.md", "")
    assert [hit.commit for hit in ask(workspace, "dishwasher repaired", history=True).hits] == [old]
    rows(workspace)


def test_memory_as_it_stood_at_a_revision(workspace: Workspace) -> None:
    old = workspace.commit("One\n", {"memory/home.md": FACTS})
    workspace.commit("Two\n", {"memory/home.md": None, "memory/later.md": "# L\n\n- The dishwasher is gone\n"})
    hit = ask(workspace, "dishwasher", rev="HEAD~1").hits[0]
    assert (hit.text, hit.commit) == ("The dishwasher was repaired in May", old)
    assert texts(ask(workspace, "dishwasher")) == ["The dishwasher is gone"]
    with pytest.raises(HoardError, match="Unknown revision"):
        ask(workspace, "dishwasher", rev="nowhere")


# -------------------------------------------------------------------- places


def test_each_workspace_answers_for_itself(repo: Repo) -> None:
    repo.commit("Start\n", {".hoard.yaml": POLICY + "memory: {roots: [agents/a, agents/b]}\n"})
    for name in "ab":
        repo.write(f"agents/{name}/MEMORY.md", f"# M\n\n- The boiler of {name}\n")
    assert texts(ask(repo, "boiler", folder="agents/a")) == ["The boiler of a"]
    assert texts(ask(repo, "boiler", folder="agents/b")) == ["The boiler of b"]
    assert sorted(texts(ask(repo, "boiler", folder="agents"))) == ["The boiler of a", "The boiler of b"]


def test_work_trees_of_one_repository_do_not_mix(workspace: Workspace, tmp_path: Path) -> None:
    workspace.git("worktree", "add", "-q", "-b", "other", tmp_path / "other")
    other = Repo(tmp_path / "other")
    other.write("memory/home.md", FACTS)
    assert texts(ask(other, "dishwasher")) == ["The dishwasher was repaired in May"]
    assert texts(ask(workspace, "dishwasher")) == []
    assert len(list((workspace.path / ".git/hoard").glob("search*.sqlite"))) == 2


def test_a_bare_repository_answers_for_its_head(workspace: Workspace, tmp_path: Path) -> None:
    workspace.git("clone", "-q", "--bare", workspace.path, tmp_path / "bare")
    assert texts(ask(Repo(tmp_path / "bare"), "backups"))[0] == "Backups run at 03:30."


def test_without_any_commit_and_without_policy(repo: Repo) -> None:
    repo.write("MEMORY.md", "# M\n\n- The boiler is new\n")
    assert texts(ask(repo, "boiler")) == ["The boiler is new"]


# -------------------------------------------------------------------- trouble


@pytest.mark.parametrize("broken", [b"", b"no database at all", "torn"])
def test_a_broken_index_is_made_anew(workspace: Workspace, broken: bytes | str) -> None:
    ask(workspace, "backups")
    path = index_of(workspace)
    data = path.read_bytes()
    path.write_bytes(broken if isinstance(broken, bytes) else data[:4096] + os.urandom(len(data) - 4096))
    for ending in ("-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)
    assert texts(ask(workspace, "backups"))[0] == "Backups run at 03:30."
    rows(workspace)


def test_an_index_of_another_version_is_made_anew(workspace: Workspace) -> None:
    ask(workspace, "backups")
    db = sqlite3.connect(index_of(workspace))
    db.execute("UPDATE meta SET value = '0' WHERE key = 'schema'")
    db.execute("DROP TABLE place")
    db.commit()
    db.close()
    assert texts(ask(workspace, "backups"))[0] == "Backups run at 03:30."


def test_a_locked_index_is_done_without(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, hermetic: Path) -> None:
    monkeypatch.setattr(cachefiles, "_WAIT_SECONDS", 0.1)
    ask(workspace, "backups")
    db = sqlite3.connect(index_of(workspace), isolation_level=None)
    db.execute("BEGIN IMMEDIATE")
    assert texts(ask(workspace, "backups"))[0] == "Backups run at 03:30."
    workspace.write("memory/home.md", FACTS)
    assert texts(ask(workspace, "dishwasher")) == ["The dishwasher was repaired in May"]
    db.close()
    assert list((hermetic / ".cache/hoard-git").glob("*/search.sqlite"))


def test_where_nothing_can_be_written_the_index_lives_in_memory(workspace: Workspace, hermetic: Path) -> None:
    (hermetic / ".cache").write_text("a file is in the way")
    (workspace.path / ".git/hoard").write_text("here, too")
    assert texts(ask(workspace, "backups"))[0] == "Backups run at 03:30."


def test_odd_files_are_searched(workspace: Workspace) -> None:
    workspace.write("memory/🚀🎉.md", "# Party\n\n- The rocket launch party\n")
    workspace.write("memory/latin.md", b"# L\n\n- Caf\xe9 opening hours\n")
    workspace.write("memory/long.md", "# L\n\n- " + "filler " * 6500 + "needle\n")
    workspace.write("memory/crlf.md", "\ufeff# C\r\n\r\n- Carriage of goods\r\n")
    assert [hit.path for hit in ask(workspace, "rocket launch").hits] == ["memory/🚀🎉.md"]
    assert texts(ask(workspace, "opening hours")) == ["Caf\ufffd opening hours"]
    assert [hit.path for hit in ask(workspace, "needle").hits] == ["memory/long.md"]
    assert texts(ask(workspace, "carriage goods")) == ["Carriage of goods"]


def test_what_cannot_be_read_is_named(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "outside.md").write_text("# O\n\n- outside boiler\n")
    (workspace.path / "memory").mkdir(exist_ok=True)
    (workspace.path / "memory/link.md").symlink_to(tmp_path / "outside.md")
    workspace.write("memory/archive/torn.md.gz", gzip.compress(b"# x\n\n- boiler\n")[:-9])
    answer = ask(workspace, "boiler", archive=True)
    assert answer.hits == ()
    assert answer.unread == (
        ("memory/archive/torn.md.gz", "'memory/archive/torn.md.gz' is damaged gzip and cannot be judged"),
        ("memory/link.md", "is a symlink, which is not followed"),
    )
    assert ask(workspace, "backups").unread == answer.unread


def test_a_changed_policy_changes_what_is_memory(workspace: Workspace) -> None:
    workspace.write("notes/a.md", "# N\n\n- The boiler is new\n")
    assert texts(ask(workspace, "boiler")) == []
    workspace.write(".hoard.yaml", POLICY + 'memory: {topic: ["memory/*.md", "notes/*.md"]}\n')
    assert texts(ask(workspace, "boiler")) == ["The boiler is new"]
    workspace.write(".hoard.yaml", POLICY)
    assert texts(ask(workspace, "boiler")) == []


def test_history_of_a_shallow_clone_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    workspace.commit("More\n", {"memory/home.md": FACTS})
    workspace.git("clone", "-q", "--depth", "1", f"file://{workspace.path}", tmp_path / "shallow")
    shallow = Repo(tmp_path / "shallow")
    assert texts(ask(shallow, "dishwasher")) == ["The dishwasher was repaired in May"]
    with pytest.raises(HoardError, match="shallow"):
        ask(shallow, "dishwasher", history=True)
