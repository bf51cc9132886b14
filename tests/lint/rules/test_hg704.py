"""HG704 over real merges: made by the driver, by lines, by hand, with `-s ours`, of three branches, of several bases, of unrelated histories."""

from __future__ import annotations

import sys

import pytest

from hoard_git.app.check import check_commits, find_range
from hoard_git.core.align import Side
from hoard_git.core.markdown import parse
from hoard_git.core.mergefacts import DROPPED, FOREIGN, RAISED, REVIVED, MergeSides, find_faults
from hoard_git.core.model import Actor, Finding
from hoard_git.gitio.mergedriver import ATTRIBUTES, install_driver
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.lint.engine import judge
from hoard_git.lint.scene import Scene
from tests.app.support import AS_AGENT, AS_HUMAN, june
from tests.support.environment import ROOT
from tests.support.repo import MEMORY, Workspace

FACT = "- Backups run at 03:30.\n"
NODE = "- Node-2 serves the wiki.\n"
RED, BLUE = "- The queue is red.\n", "- The cache is blue.\n"


def side(text: str, path: str = "MEMORY.md") -> Side:
    return Side(path, "index", parse(text.encode()))


def kinds(result: str, *parents: str, base: str = "", **more: frozenset[str]) -> list[str]:
    bases = {(0, 1): ((side(base),),)}
    found = find_faults(MergeSides((side(result),), tuple((side(text),) for text in parents), bases, **more))
    return [fault.kind for fault in found]


def test_what_lies_between_the_sides() -> None:
    base, one, other = "- a\n- b\n", "- a\n- b\n- one\n", "- a\n- other\n"
    assert kinds("- a\n- one\n- other\n", one, other, base=base) == []
    assert kinds("- a\n- b\n- one\n- other\n", one, other, base=base) == [REVIVED]
    assert (
        kinds("- a\n- b\n- one\n- other\n", one.replace("- b", "- b <!-- src:agent ts:2026-06-01 -->"), other, base=base) == []
    )  # dated anew
    assert kinds("- one\n- other\n", one, other, base=base) == [DROPPED]
    assert kinds("- a\n- other\n", one, other, base=base) == [DROPPED]
    assert kinds("- a\n- one\n- other\n- new\n", one, other, base=base) == [FOREIGN]
    assert kinds("- a\n- other\n", one, other, base=base, excused=frozenset(["one"])) == []


def test_a_line_of_wide_spaces_is_no_fact() -> None:
    """To markdown it is a paragraph, since an em space is not blank."""
    wide, fact = "- a\n\n\u2003\n", "- a\n\nA fact.\n"
    assert kinds(wide, "- a\n", wide, base=wide) == []
    assert kinds("- a\n", wide, wide, base=wide) == []
    assert kinds(wide, "- a\n", "- a\n") == []
    assert kinds(fact, "- a\n", fact, base=fact) == [REVIVED]


def test_a_source_that_neither_side_has() -> None:
    tagged = "- a <!-- src:{} ts:2026-06-01 -->\n"
    assert kinds(tagged.format("user"), tagged.format("agent"), tagged.format("web")) == [RAISED]
    assert kinds(tagged.format("agent"), tagged.format("agent"), tagged.format("web")) == []
    assert kinds(tagged.format("dig"), "- a\n", "- a\n") == []
    assert kinds(tagged.format("web"), "- a\n", "- a\n") == [RAISED]


def test_a_hit_names_the_file_and_no_text() -> None:
    sides = MergeSides((side("- a\n"),), ((side("- a\n- b\n- c\n"),), (side("- a\n- b\n- c\n"),)))
    hits = judge(Scene(actor=Actor("agent"), merge=sides), {"HG704"})
    assert [(hit.path, hit.line, hit.message) for hit in hits] == [("MEMORY.md", 2, "the merge drops 2 facts that no side has removed")]
    assert judge(Scene(actor=Actor("human"), merge=sides), {"HG704"}) == []
    assert judge(Scene(actor=Actor("agent")), {"HG704"}) == []


@pytest.fixture
def split(workspace: Workspace) -> Workspace:
    """`main` with RED and `side` with BLUE, each written by the agent; `main` is checked out and the driver is on."""
    workspace.git("branch", "-M", "main")
    workspace.commit("Name what is merged by entry\n", {".gitattributes": "".join(f"{line}\n" for line in ATTRIBUTES)})
    install_driver(PlumbingReader(str(workspace.path)), sys.executable, str(ROOT))
    workspace.git("tag", "base")
    branch(workspace, "side", MEMORY + BLUE)
    workspace.commit("Ours\n", {"MEMORY.md": MEMORY + RED}, author=Workspace.agent)
    return workspace


def branch(repo: Workspace, name: str, text: str, path: str = "MEMORY.md") -> None:
    repo.git("checkout", "-q", "-B", name, "base")
    repo.commit(f"On {name}\n", {path: text}, author=Workspace.agent)
    repo.git("checkout", "-q", "main")


def judged(repo: Workspace, text: str = "HEAD~1..HEAD") -> list[Finding]:
    reader = PlumbingReader(str(repo.path))
    report = check_commits(reader, find_range(reader, text), june, "range")
    return [finding for finding in report.findings if finding.severity == "error"]


def by_hand(repo: Workspace, text: str, *, env: dict[str, str] = AS_AGENT, options: tuple[str, ...] = ()) -> None:
    """A merge whose MEMORY.md is written by its author."""
    repo.git("merge", "-q", "--no-commit", "--no-ff", *options, "side", env=env, check=False)
    repo.stage({"MEMORY.md": text})
    repo.git("commit", "-q", "--no-edit", env=env)


def test_a_merge_by_the_driver_passes(split: Workspace) -> None:
    split.git("merge", "-q", "--no-edit", "side", env=AS_AGENT)
    assert judged(split) == []


def test_a_driver_merge_with_an_entry_that_both_changed_passes(split: Workspace) -> None:
    branch(split, "side", MEMORY.replace(FACT, "- Backups run at 04:30. <!-- src:agent ts:2026-06-08 -->\n"))
    split.commit(
        "Ours\n", {"MEMORY.md": MEMORY.replace(FACT, "- Backups run at 05:30. <!-- src:agent ts:2026-06-09 -->\n")}, author=Workspace.agent
    )
    split.git("merge", "-q", "--no-edit", "side", env=AS_AGENT)
    assert "05:30" in split.read("MEMORY.md") and "04:30" not in split.read("MEMORY.md")
    assert judged(split) == []


def test_the_version_that_the_driver_would_take_cannot_be_dropped(split: Workspace) -> None:
    older, newer = (f"- Backups run at {hour}:30. <!-- src:agent ts:2026-06-0{day} -->\n" for hour, day in (("04", 8), ("05", 9)))
    branch(split, "side", MEMORY.replace(FACT, newer))
    split.commit("Ours\n", {"MEMORY.md": MEMORY.replace(FACT, older)}, author=Workspace.agent)
    by_hand(split, MEMORY.replace(FACT, older))
    assert [finding.code for finding in judged(split)] == ["HG704"]


@pytest.mark.parametrize("options", [("-s", "ours"), ("-X", "ours"), ("-X", "theirs")])
def test_one_side_whole(split: Workspace, options: tuple[str, ...]) -> None:
    split.git("config", "--remove-section", "merge.hoard")
    split.git("merge", "-q", "--no-edit", *options, "side", env=AS_AGENT)
    found = judged(split)
    assert [finding.code for finding in found] == ["HG704"]
    assert found[0].message == "the merge drops 1 fact that no side has removed"
    assert found[0].path == "MEMORY.md"


def test_a_sentence_of_its_own(split: Workspace) -> None:
    by_hand(split, MEMORY + RED + BLUE + "- The gate sleeps on Fridays.\n")
    found = judged(split)
    assert [(finding.code, finding.line) for finding in found] == [("HG704", 14)]
    assert found[0].message == "the merge brings 1 fact that no side has"


def test_a_fact_that_neither_side_touched(split: Workspace) -> None:
    by_hand(split, (MEMORY + RED + BLUE).replace(NODE, ""))
    assert [finding.code for finding in judged(split)] == ["HG704"]


def test_a_human_may_settle_it(split: Workspace) -> None:
    by_hand(split, MEMORY + "- The queue is blue.\n", env=AS_HUMAN)
    assert judged(split) == []


def test_an_agent_settles_it_and_keeps_everything(split: Workspace) -> None:
    by_hand(split, MEMORY + RED + BLUE)
    assert judged(split) == []


def test_a_clone_without_the_driver(split: Workspace) -> None:
    """Merged by lines without a conflict, even where a paragraph is put together from both sides."""
    split.git("config", "--remove-section", "merge.hoard")
    lines = [f"line {number}" for number in range(12)]
    text = "# Log\n\n## A day <!-- src:agent ts:2026-06-05 -->\n\n%s\n"
    split.git("tag", "-f", "base", split.commit("A paragraph\n", {"memory/a.md": text % "\n".join(lines)}, author=Workspace.agent))
    branch(split, "side", text % "\n".join(["first", *lines[1:]]), "memory/a.md")
    split.commit("Ours\n", {"memory/a.md": text % "\n".join([*lines[:-1], "last"])}, author=Workspace.agent)
    split.git("merge", "-q", "--no-edit", "side", env=AS_AGENT)
    assert split.read("memory/a.md") == text % "\n".join(["first", *lines[1:-1], "last"])
    assert [finding for finding in judged(split) if finding.code == "HG704"] == []


def test_a_deletion_on_one_side_is_no_loss_of_the_merge(split: Workspace) -> None:
    branch(split, "side", MEMORY.replace(NODE, ""))
    split.git("merge", "-q", "--no-edit", "side", env=AS_AGENT)
    assert NODE not in split.read("MEMORY.md") and RED in split.read("MEMORY.md")
    assert judged(split) == []


def test_a_fact_that_moved_to_another_file_on_one_side(split: Workspace) -> None:
    split.git("checkout", "-q", "-B", "side", "base")
    note = "## Notes <!-- src:agent ts:2026-06-05 ttl:90d -->\n\n"
    split.commit("Move\n", {"MEMORY.md": MEMORY.replace(NODE, ""), "memory/a.md": note + NODE}, author=Workspace.agent)
    split.git("checkout", "-q", "main")
    split.git("merge", "-q", "--no-edit", "side", env=AS_AGENT)
    assert judged(split) == []


def test_three_branches_at_once(split: Workspace) -> None:
    for name in ("one", "two"):
        branch(split, name, f"## Notes <!-- src:agent ts:2026-06-05 -->\n\n- from {name}\n", f"memory/{name}.md")
    split.git("merge", "-q", "--no-edit", "one", "two", env=AS_AGENT)
    assert len(split.line("rev-parse", "HEAD^@").splitlines()) == 3
    assert [finding for finding in judged(split, "HEAD^..HEAD") if finding.code == "HG704"] == []
    split.git("rm", "-q", "memory/two.md")
    split.git("commit", "-q", "--amend", "--no-edit", env=AS_AGENT)
    assert [finding.code for finding in judged(split, "HEAD^..HEAD")] == ["HG704"]


def test_three_branches_that_change_one_paragraph(split: Workspace) -> None:
    """git's octopus merges by lines, one branch after the other, and no driver is asked."""
    lines = [f"line {number}" for number in range(30)]
    text = "# Log\n\n## A day <!-- src:agent ts:2026-06-05 -->\n\n%s\n"
    split.git("tag", "-f", "base", split.commit("A paragraph\n", {"memory/a.md": text % "\n".join(lines)}, author=Workspace.agent))
    for name, at in (("one", 2), ("two", 15), ("three", 28)):
        branch(split, name, text % "\n".join([*lines[:at], name, *lines[at + 1 :]]), "memory/a.md")
    split.git("merge", "-q", "--no-edit", "one", "two", "three", env=AS_AGENT)
    assert len(split.line("rev-parse", "HEAD^@").splitlines()) == 3
    merged = split.read("memory/a.md")
    assert all(f"\n{name}\n" in merged for name in ("one", "two", "three"))
    assert [finding for finding in judged(split, "HEAD^..HEAD") if finding.code == "HG704"] == []
    split.stage({"memory/a.md": merged.replace("\ntwo\n", "\nother\n")})
    split.git("commit", "-q", "--amend", "--no-edit", env=AS_AGENT)
    assert {finding.code for finding in judged(split, "HEAD^..HEAD")} == {"HG704"}


def test_a_fact_that_one_branch_of_three_removed(split: Workspace) -> None:
    for name in ("one", "two"):
        branch(split, name, f"## Notes <!-- src:agent ts:2026-06-05 -->\n\n- from {name}\n", f"memory/{name}.md")
    branch(split, "less", MEMORY.replace(NODE, ""))
    split.git("checkout", "-q", "--detach", "one")
    split.git("merge", "-q", "--no-edit", "two", "less", env=AS_AGENT)
    assert NODE not in split.read("MEMORY.md")
    assert judged(split, "HEAD^..HEAD") == []
    split.stage({"MEMORY.md": MEMORY})
    split.git("commit", "-q", "--amend", "--no-edit", env=AS_AGENT)
    found = [finding for finding in judged(split, "HEAD^..HEAD") if finding.code == "HG704"]
    assert [finding.message for finding in found] == ["the merge brings back 1 fact that one side has removed"]


def test_unrelated_histories_keep_everything(split: Workspace) -> None:
    split.git("checkout", "-q", "--orphan", "side2")
    split.commit("Another root\n", {"MEMORY.md": MEMORY + BLUE}, author=Workspace.agent)
    split.git("checkout", "-q", "main")
    split.git("merge", "-q", "--no-edit", "--allow-unrelated-histories", "side2", env=AS_AGENT)
    assert RED in split.read("MEMORY.md") and BLUE in split.read("MEMORY.md")
    assert [finding for finding in judged(split, "HEAD^..HEAD") if finding.code == "HG704"] == []
    split.stage({"MEMORY.md": MEMORY + RED})
    split.git("commit", "-q", "--amend", "--no-edit", env=AS_AGENT)
    assert "HG704" in [finding.code for finding in judged(split, "HEAD^..HEAD")]


def test_several_bases(split: Workspace) -> None:
    tip = split.head()
    split.git("merge", "-q", "--no-edit", "side", env=AS_AGENT)
    split.git("checkout", "-q", "side")
    split.git("merge", "-q", "--no-edit", tip, env=AS_AGENT)
    split.commit("More\n", {"MEMORY.md": split.read("MEMORY.md") + "- More on side.\n"}, author=Workspace.agent)
    split.git("checkout", "-q", "main")
    split.commit("More\n", {"MEMORY.md": split.read("MEMORY.md").replace(NODE, "")}, author=Workspace.agent)
    assert len(split.line("merge-base", "--all", "main", "side").splitlines()) == 2
    split.git("merge", "-q", "--no-edit", "side", env=AS_AGENT)
    assert NODE not in split.read("MEMORY.md") and "More on side" in split.read("MEMORY.md")
    assert judged(split) == []
    split.stage({"MEMORY.md": split.read("MEMORY.md").replace("- More on side.\n", "")})
    split.git("commit", "-q", "--amend", "--no-edit", env=AS_AGENT)
    assert [finding.code for finding in judged(split)] == ["HG704"]


def test_two_humans_removed_two_facts_under_one_heading(split: Workspace) -> None:
    """Against either parent a user's fact is gone, but no human's removal is the agent's act."""
    split.git("checkout", "-q", "side")
    split.commit(
        "Mine\n", {"MEMORY.md": split.read("MEMORY.md").replace("- Answers are short and in English.\n", "")}, author=Workspace.human
    )
    split.git("checkout", "-q", "main")
    split.commit(
        "Mine\n", {"MEMORY.md": split.read("MEMORY.md").replace("- The newsletter goes out on Tuesdays.\n", "")}, author=Workspace.human
    )
    split.git("merge", "-q", "--no-edit", "side", env=AS_AGENT)
    assert "newsletter" not in split.read("MEMORY.md") and "Answers" not in split.read("MEMORY.md")
    assert judged(split) == []


def test_a_users_fact_that_the_merge_drops(split: Workspace) -> None:
    by_hand(split, (MEMORY + RED + BLUE).replace("- The newsletter goes out on Tuesdays.\n", ""))
    assert [finding.code for finding in judged(split)] == ["HG301", "HG704"]


def test_a_hit_says_which_kind_of_fault_it_is() -> None:
    tagged = "- a <!-- src:{} ts:2026-06-01 -->\n"
    raised = MergeSides((side(tagged.format("user")),), ((side(tagged.format("agent")),), (side(tagged.format("web")),)))
    (found,) = judge(Scene(actor=Actor("agent"), merge=raised), {"HG704"})
    assert (found.message, found.line) == ("the merge gives 1 fact a higher source than any side", 1)
    assert judge(Scene(actor=Actor("agent")), {"HG704"}) == []
