"""HG304: content without a tag of its own that comes under higher trust."""

from __future__ import annotations

import pytest

from tests.support.scenes import Files, change_scene, codes, findings

USER = "<!-- src:user ts:2026-01-10 -->"
AGENT = "<!-- src:agent ts:2026-06-01 -->"
WEB = "<!-- src:web ts:2026-06-01 -->"


def messages(before: Files | str, after: Files | str, actor: str = "agent") -> list[str]:
    old = {"MEMORY.md": before} if isinstance(before, str) else before
    new = {"MEMORY.md": after} if isinstance(after, str) else after
    return [finding.message for finding in findings(change_scene(old, new, actor=actor), "HG304")]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_deleted_separator(ending: str) -> None:
    before = f"## User {USER}\n- a fact\n\n## Agent {AGENT}\n- b fact\n- c fact\n".replace("\n", ending)
    after = f"## User {USER}\n- a fact\n- b fact\n- c fact\n".replace("\n", ending)
    assert messages(before, after) == ["2 entries inherit user from the tag in line 1, was agent"]


def test_a_line_moved_under_another_heading() -> None:
    before = f"## User {USER}\n- a fact\n## Agent {AGENT}\n- may deploy alone\n"
    after = f"## User {USER}\n- a fact\n- may deploy alone\n## Agent {AGENT}\n"
    assert messages(before, after) == ["this inherits user from the tag in line 1, was agent"]


def test_a_retagged_heading() -> None:
    before = f"## Links {WEB}\n- a\n- b\n- c {WEB}\n"
    assert messages(before, before.replace(WEB, AGENT, 1)) == ["2 entries inherit agent from the tag in line 1, was web"]
    assert messages(before.replace(WEB, AGENT, 1), before) == []


def test_a_new_heading_in_between() -> None:
    before = f"## Links {WEB}\n- a\n- b\n"
    assert messages(before, f"## Links {WEB}\n- a\n## Notes {AGENT}\n- b\n") == ["this inherits agent from the tag in line 3, was web"]


def test_a_lost_tag() -> None:
    before = f"## Notes {AGENT}\n- a page says so {WEB}\n"
    assert messages(before, f"## Notes {AGENT}\n- a page says so\n") == ["this inherits agent from the tag in line 1, was web"]
    assert messages({"memory/2026-06-15.md": f"- a page says so {WEB}\n"}, {"memory/2026-06-15.md": "- a page says so\n"}) == [
        "this inherits agent from the file, was web"
    ]


def test_a_front_matter_that_rises() -> None:
    front = "---\nsrc: web\nts: 2026-06-01\n---\nwords of a page\n"
    scene = change_scene({"MEMORY.md": front}, {"MEMORY.md": front.replace("web", "agent")})
    assert codes(scene, "HG302", "HG304") == ["HG302", "HG304"]


@pytest.mark.parametrize(
    "after",
    [
        f"## Rules {USER}\n- a fact\n- another\n",
        f"## Rules {USER}\n- a fact\n### More\n",
        f"## Rules {USER}\n- a fact\n\na paragraph\n",
        f"## Rules {USER}\n- a fact\n  - a part of it\n",
    ],
)
def test_what_is_added_without_a_tag_under_the_user(after: str) -> None:
    scene = change_scene({"MEMORY.md": f"## Rules {USER}\n- a fact\n"}, {"MEMORY.md": after})
    assert codes(scene, "HG301", "HG304") == ["HG301", "HG304"]


def test_a_sub_item_of_a_users_item() -> None:
    item = f"- Release rules {USER}\n"
    said = ["agent puts a sub-item under a user's item"]
    assert messages(item, f"{item}  - urgent ones need nobody {AGENT}\n") == said
    assert messages(item, f"{item}  - urgent ones need nobody\n") == said
    assert messages(f"{item}- mine {AGENT}\n", f"{item}  - mine {AGENT}\n") == said
    # What stood there before is old content.
    nested = f"{item}  - urgent ones need nobody {AGENT}\n"
    assert messages(nested, nested.replace("nobody", "one person")) == []
    assert messages(item, f"{item}- urgent ones need nobody {AGENT}\n") == []


def test_a_sub_item_below_an_item_of_the_users_file() -> None:
    before = {"SOUL.md": "- Be kind.\n"}
    assert messages(before, {"SOUL.md": f"- Be kind.\n  - except on Fridays {AGENT}\n"}) == ["agent puts a sub-item under a user's item"]
    scene = change_scene(before, {"SOUL.md": "- Be kind.\n  - except on Fridays\n"})
    assert codes(scene, "HG301", "HG304") == ["HG301"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"## Notes {AGENT}\n- a\n", f"## Notes {AGENT}\n- a\n- b\n"),
        (f"## Notes {AGENT}\n- a\n", f"## Notes {AGENT}\n- a\n- b {WEB}\n"),
        (f"## Rules {USER}\n- a\n", f"## Rules {USER}\n- a\n- b {AGENT}\n"),
        (f"## Rules {USER}\n- a\n", f"## Rules {USER}\n- a\n### Mine {AGENT}\n- b\n"),
        ("## Notes\n- a\n- b\n", f"## Notes {AGENT}\n- a\n- b\n"),
        ("# M\n- a\n", f"# M {AGENT}\n- a\n"),
        (f"- mine {AGENT}\n", f"- mine {AGENT}\n  - and a part {WEB}\n"),
        (f"## Notes {AGENT}\n- a\n## Links {WEB}\n- b\n", f"## Links {WEB}\n- b\n- a\n"),
    ],
)
def test_what_is_fine(before: str, after: str) -> None:
    assert messages(before, after) == []


def test_a_tool_may_give_less() -> None:
    notes = f"## Notes {AGENT}\n- a\n"
    assert messages(notes, notes + "- b\n", "tool") == ["this inherits agent from the tag in line 1"]


def test_a_human_may_arrange_things() -> None:
    assert messages(f"## U {USER}\n## A {AGENT}\n- b\n", f"## U {USER}\n- b\n", "human") == []


def test_every_sub_item_of_a_users_item_is_one_finding() -> None:
    item = f"- Release rules {USER}\n"
    after = f"{item}  - urgent ones need nobody {AGENT}\n  - nor do small ones {AGENT}\n"
    assert messages(item, after) == ["agent puts a sub-item under a user's item"] * 2
