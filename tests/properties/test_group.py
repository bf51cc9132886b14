"""A group session cannot be made to print what the user said, what is known about people, or anything of MEMORY.md."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoard_git.app.bundle import GROUP, MAIN, read_bundle
from hoard_git.cli.render.bundle import bundle_data, fit_bundle, render_bundle
from tests.app.support import june, reader_of
from tests.support.repo import Workspace

TODAY, YESTERDAY = "2026-06-15", "2026-06-14"
USER = "<!-- src:user ts:2026-06-01 -->"
OLD = "<!-- src:user ts:2020-01-01 ttl:1d -->"
AGENT = "<!-- src:agent ts:2026-06-01 -->"
FILES = ("SOUL.md", "HEARTBEAT.md", f"memory/{TODAY}.md", f"memory/{YESTERDAY}.md", f"memory/{TODAY}-deploy.md", f"memory/{TODAY} 🚀.md")
PRIVATE = (
    "MEMORY.md",
    "USER.md",
    "memory/people.md",
    "memory/contacts.md",
    "memory/my-family.md",
    "wiki/people.md",
    "wiki/people/anna.md",
    "wiki/Personen-People.md",
    "memory/archive/people.md",
    f"memory/{TODAY}-people.md",
    f"memory/{TODAY}-User-notes.md",
    "user.md",
    "memory/USER.md",
)

# Each makes a private fact out of a text, in a file that a group may otherwise see.
TAGGED: tuple[Callable[[str], str], ...] = (
    lambda fact: f"- {fact} {USER}\n",
    lambda fact: f"- {fact} {OLD}\n",
    lambda fact: f"- {fact}\n  and more of it {USER}\n",
    lambda fact: f"* **{fact}** {USER}\n",
    lambda fact: f"{fact} {USER}\n",
    lambda fact: f"## About {USER}\n\n- {fact}\n",
    lambda fact: f"## {fact} {USER}\n\ntext\n",
    lambda fact: f"## About {USER}\n\n### Deeper\n\n{fact}\n",
    lambda fact: f"- Topic {USER}\n  - {fact}\n",
    lambda fact: f"{USER}\n| a | b |\n|---|---|\n| x | {fact} |\n",
    lambda fact: f"> {fact} {USER}\n",
    lambda fact: f"{USER}\n```\n{fact}\n```\n",
    lambda fact: f"- {fact} <!-- src:user ts:yesterday -->\n",
    lambda fact: f"- {fact} <!-- src:user -->\n",
    lambda fact: f"- {fact} <!-- src: USER ts:2026-06-01 -->\n",
    lambda fact: f"- {fact} {AGENT} {USER}\n",
)
# Each hides a text in what nobody sees in a rendered page; whose it is, nothing says.
HIDDEN: tuple[Callable[[str], str], ...] = (
    lambda fact: f"- x\n<!-- {fact} -->\n",
    lambda fact: f"- x <!-- {fact} --> y\n",
    lambda fact: f"<!--\n- {fact}\n-->\n",
    lambda fact: f"<div hidden>{fact}</div>\n",
    lambda fact: f"User: {fact}\n\nAssistant: noted\n\nUser: thanks\n",
)
# Each repeats a private fact of another file as the agent's own.
COPIED: tuple[Callable[[str], str], ...] = (
    lambda fact: f"- {fact}\n",
    lambda fact: f"- {fact} {AGENT}\n",
    lambda fact: f"- **{fact}**\n",
    lambda fact: f"1. [{fact}](../USER.md)\n",
    lambda fact: f"- Noted today: {fact}, and so on\n",
    lambda fact: f"- {fact.upper()}\n",
    lambda fact: f"> {fact}\n",
    lambda fact: f"| a |\n|---|\n| {fact} |\n",
    lambda fact: f"## {fact}\n\n- x\n",
    lambda fact: f"`{fact}`\n",
    lambda fact: f"- {fact.replace(' ', chr(10) + '  ', 1)}\n",
)


def fact(number: int) -> str:
    return f"Quux{number}zeta prefers corge{number}"


def leaks(text: str, number: int) -> bool:
    return f"quux{number}zeta" in text.lower() or f"corge{number}" in text.lower()


def shown(workspace: Workspace, session: str, budget: int = 60_000) -> str:
    """Everything that a session would see, in both forms."""
    bundle = read_bundle(reader_of(workspace), session, june)
    text = "\n".join(render_bundle(fit_bundle(bundle, budget, escaped=True)))
    return text + json.dumps(bundle_data(bundle, fit_bundle(bundle, budget, escaped=False), budget), ensure_ascii=False)


PLACES = st.one_of(
    st.tuples(st.just("tagged"), st.sampled_from(FILES), st.integers(0, len(TAGGED) - 1)),
    st.tuples(st.just("hidden"), st.sampled_from(FILES), st.integers(0, len(HIDDEN) - 1)),
    st.tuples(st.just("private"), st.sampled_from(PRIVATE), st.integers(0, len(COPIED) - 1)),
    st.tuples(st.just("front"), st.sampled_from(FILES[2:]), st.just(0)),
    st.tuples(st.just("archive"), st.sampled_from(("memory/archive/old.md", "memory/archive/logs/2020-01-01.md.gz")), st.just(0)),
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    places=st.lists(
        st.tuples(PLACES, st.none() | st.tuples(st.sampled_from(FILES), st.integers(0, len(COPIED) - 1))), min_size=1, max_size=6
    )
)
def test_no_private_fact_reaches_a_group(workspace: Workspace, places: list[tuple[tuple[str, str, int], tuple[str, int] | None]]) -> None:
    contents: dict[str, str] = {}
    fronts: set[str] = set()
    for number, ((kind, path, form), copy) in enumerate(places):
        if kind == "front":
            fronts.add(path)
        maker = {"tagged": TAGGED[form % len(TAGGED)], "hidden": HIDDEN[form % len(HIDDEN)], "archive": TAGGED[0]}.get(
            kind, COPIED[form % len(COPIED)]
        )
        contents[path] = contents.get(path, "# Notes\n\n") + maker(fact(number)) + "\n"
        if copy is not None and kind != "hidden" and path != "user.md":  # a file that is no memory is not known to be private
            contents[copy[0]] = contents.get(copy[0], "# Notes\n\n") + COPIED[copy[1]](fact(number) if kind != "front" else "x") + "\n"
    for path in FILES:
        if path not in fronts:
            contents[path] = contents.get(path, "# Notes\n\n") + "# Own\n\n- The grault of the agent\n"
    for path, text in contents.items():
        front = "---\nsrc: user\nts: 2026-06-01\n---\n" if path in fronts else ""
        data = (front + text).encode()
        workspace.write(path, gzip.compress(data) if path.endswith(".gz") else data)
    try:
        seen = shown(workspace, GROUP)
        assert [number for number in range(len(places)) if leaks(seen, number)] == []
        assert "The newsletter" not in seen
        assert fronts.issuperset(FILES) or "The grault of the agent" in seen
    finally:
        for path in contents:
            (workspace.path / path).unlink()
        workspace.git("checkout", "-q", "--", "MEMORY.md")


@pytest.mark.parametrize("path", [*FILES, "memory/archive/x.md"])
def test_a_link_to_a_private_file_is_not_followed(workspace: Workspace, path: str) -> None:
    workspace.write("USER.md", f"# User\n\n- {fact(1)}\n")
    (workspace.path / path).parent.mkdir(parents=True, exist_ok=True)
    (workspace.path / path).symlink_to(workspace.path / "USER.md")
    assert not leaks(shown(workspace, GROUP), 1)


def test_a_hard_link_to_a_private_file_shows_nothing(workspace: Workspace) -> None:
    workspace.write("USER.md", f"# User\n\n- {fact(1)}\n\nSome {fact(2)} prose\n")
    (workspace.path / "SOUL.md").hardlink_to(workspace.path / "USER.md")
    seen = shown(workspace, GROUP)
    assert not leaks(seen, 1)
    assert not leaks(seen, 2)


def test_the_main_session_sees_it_all(workspace: Workspace) -> None:
    for number, path in enumerate(("SOUL.md", "USER.md", "HEARTBEAT.md", f"memory/{TODAY}.md", f"memory/{YESTERDAY}.md")):
        workspace.write(path, f"# X\n\n- {fact(number)} {USER}\n")
    seen = shown(workspace, MAIN)
    assert all(leaks(seen, number) for number in range(5))
    assert "The newsletter goes out on Tuesdays." in seen


def test_what_nobody_reads_stays_out_of_both(workspace: Workspace, tmp_path: Path) -> None:
    workspace.write("memory/2026-06-13.md", f"# X\n\n- {fact(1)}\n")
    workspace.write("memory/topic.md", f"# X\n\n- {fact(2)}\n")
    for session in (MAIN, GROUP):
        assert not leaks(shown(workspace, session), 1)
        assert not leaks(shown(workspace, session), 2)
