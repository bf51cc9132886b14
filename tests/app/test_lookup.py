"""What is looked for in files that a change leaves alone is found however its lines are broken, and costs no more than it finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from hoard_git.app.check import check_commits, check_staged, find_range
from hoard_git.core.document import Document
from hoard_git.core.markdown import parse
from hoard_git.gitio.opening import open_reader
from hoard_git.gitio.plumbing import PlumbingReader
from tests.app.support import june
from tests.support.repo import Workspace

FACT = "The fastest mirror for our weekly packages is reached at pkg.fast.example without a proxy"
WEB, AGENT = "<!-- src:web ts:2026-06-01 -->", "<!-- src:agent ts:2026-06-15 -->"
Judge = Callable[[Workspace, Mapping[str, str]], list[tuple[str, str]]]


def staged(workspace: Workspace, files: Mapping[str, str]) -> list[tuple[str, str]]:
    """Judge as the hook does, which lets git search."""
    workspace.stage(files)
    workspace.git("config", "user.name", "clawd")
    workspace.git("config", "user.email", "clawd@agents.example")
    environ = {"GIT_AUTHOR_NAME": "clawd", "GIT_AUTHOR_EMAIL": "clawd@agents.example"}
    report = check_staged(PlumbingReader(str(workspace.path)), june, environ)
    return [(f.code, f.path) for f in report.findings if f.code in ("HG302", "HG314", "HG107")]


def ranged(workspace: Workspace, files: Mapping[str, str]) -> list[tuple[str, str]]:
    """Judge over several commits, which keeps files at hand."""
    base = workspace.head()
    workspace.commit("Something else\n", {"memory/else.md": f"- Nothing of that {AGENT}\n"}, author=workspace.agent)
    workspace.commit("Copy\n", files, author=workspace.agent)
    reader = open_reader(str(workspace.path), batch=True)
    report = check_commits(reader, find_range(reader, f"{base}..HEAD"), june, f"{base}..HEAD")
    return [(f.code, f.path) for f in report.findings if f.code in ("HG302", "HG314", "HG107") and f.commit == workspace.head()]


def wrapped(width: int, bullet: str = "- ") -> str:
    """The fact as a list item, its lines no longer than `width` where its words are not."""
    lines = [bullet]
    for word in FACT.split():
        if len(lines[-1]) + len(word) > width and lines[-1].strip("-*+ 1."):
            lines.append(" " * len(bullet))
        lines[-1] += word + " "
    return "\n".join(line.rstrip() for line in lines)


SHAPES = {
    "one line": f"- {FACT}",
    "other bullet": f"* {FACT}.",
    "number": f"1. {FACT}",
    "checkbox": f"- [ ] {FACT}",
    "behind a time": f"- [2026-06-01 10:32] {FACT}",
    "behind a time and a dash": f"- **10:32 UTC** \u2014 {FACT}",
    "cell": f"| what | state |\n| --- | --- |\n| mirror | {FACT} |",
    "half": wrapped(50),
    "narrow": wrapped(28),
    "narrower": wrapped(20, "+ "),
    "in front of the mirror": "- The fastest\n  " + FACT.removeprefix("The fastest "),
    "behind the address": FACT.replace("example ", "example\n"),
    "quote": "> " + FACT.replace("weekly ", "weekly\n> "),
    "emphasis": f"- **{FACT}**",
}


@pytest.mark.parametrize("judge", [staged, ranged])
@pytest.mark.parametrize("there", SHAPES)
@pytest.mark.parametrize("copy", ["one line", "half", "narrow", "other bullet"])
def test_a_raise_by_a_copy_that_is_wrapped_otherwise(workspace: Workspace, judge: Judge, there: str, copy: str) -> None:
    old, new = (f"# Page {tag}\n\n{SHAPES[shape]}\n" for tag, shape in ((WEB, there), (AGENT, copy)))
    workspace.commit("Read\n", {"memory/web.md": old}, author=workspace.agent)
    expected = [] if there == "quote" else [("HG302", "memory/copy.md")]  # what somebody is quoted with is a text of its own
    assert judge(workspace, {"memory/copy.md": new}) == expected


@pytest.mark.parametrize("judge", [staged, ranged])
@pytest.mark.parametrize("there", ["one line", "other bullet", "half", "narrow"])
@pytest.mark.parametrize("copy", ["one line", "half", "narrow"])
def test_what_comes_back_from_the_archive_wrapped_otherwise(workspace: Workspace, judge: Judge, there: str, copy: str) -> None:
    old, new = (f"# Page {tag}\n\n{SHAPES[shape]}\n" for tag, shape in ((AGENT.replace("06-15", "01-01"), there), (AGENT, copy)))
    workspace.commit("Archive\n", {"memory/archive/2026-05-01.md": old})
    assert judge(workspace, {"memory/copy.md": new}) == [("HG314", "memory/copy.md")]


@pytest.mark.parametrize("judge", [staged, ranged])
def test_an_id_is_found_in_whatever_form_it_is_written(workspace: Workspace, judge: Judge) -> None:
    front = "---\nsrc: agent\nts: 2026-06-01\nid: abc234\n---\n\n# Page\n"
    workspace.commit("Page\n", {"memory/page.md": front}, author=workspace.agent)
    new = "# Other <!-- src:agent ts:2026-06-15 id:abc234 -->\n\n- A fact\n"
    assert judge(workspace, {"memory/copy.md": new}) == [("HG107", "memory/copy.md")]


@pytest.mark.parametrize("judge", [staged, ranged])
def test_files_that_hold_the_same_words_apart_are_not_parsed(workspace: Workspace, judge: Judge, monkeypatch: pytest.MonkeyPatch) -> None:
    near = "\n".join(f"- {' '.join(FACT.split()[start:][:3])} and so on" for start in range(0, 15, 2))
    files = {f"memory/n{number}.md": f"# N {AGENT}\n\n{near}\n- Number {number}\n" for number in range(8)}
    workspace.commit("Near\n", files, author=workspace.agent)
    parsed: list[bytes] = []

    def count(data: bytes) -> Document:
        parsed.append(data)
        return parse(data)

    monkeypatch.setattr("hoard_git.app.shelf.parse", count)
    assert judge(workspace, {"memory/copy.md": f"# Page {AGENT}\n\n- {FACT}\n"}) == []
    assert not [data for data in parsed if b"Number" in data]


def test_one_search_of_git_serves_all_rules_and_nothing_is_read_for_nothing(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.commit(
        "Far\n", {f"memory/n{number}.md": f"# N {AGENT}\n\n- Number {number}\n" for number in range(8)}, author=workspace.agent
    )
    asked: list[Sequence[bytes]] = []
    search = PlumbingReader.start_search

    def count(reader: PlumbingReader, target: object, needles: Sequence[bytes], specs: Sequence[str]) -> object:
        asked.append(needles)
        return search(reader, target, needles, specs)  # type: ignore[arg-type]  # handed on as it came

    monkeypatch.setattr(PlumbingReader, "start_search", count)
    lines = "".join(f"- {FACT} {number}\n" for number in range(30))
    assert staged(workspace, {"memory/copy.md": f"# Page {AGENT}\n\n{lines}"}) == []
    assert asked == [[b"The fastest", b"fastest mirror"]]
