from __future__ import annotations

from collections.abc import Sequence

import pytest

from hoard_git.core.model import Finding
from hoard_git.lint.scene import FileView, NoLookup
from tests.support.scenes import Files, change_scene, findings, view


def tag(ts: str, source: str = "agent") -> str:
    return f"<!-- src:{source} ts:{ts} -->"


def judged(before: Files, after: Files) -> list[Finding]:
    return findings(change_scene(before, after), "HG106")


def changed(before: str, after: str) -> list[Finding]:
    return judged({"MEMORY.md": before}, {"MEMORY.md": after})


@pytest.mark.parametrize(
    ("ts", "count"),
    [("2026-06-15", 0), ("2026-05-16", 0), ("2026-05-15", 1), ("2020-01-01", 1), ("unknown", 0), ("2027-01-01", 0)],
)
def test_new_content_may_be_thirty_days_old(ts: str, count: int) -> None:
    assert len(changed("# M\n", f"# M\n- a fact {tag(ts)}\n")) == count
    assert len(changed("# M\n", f"# M\n## New {tag(ts)}\n- a fact\n- another\n")) == count
    assert len(judged({}, {"wiki/a.md": f"---\nsrc: web\nts: {ts}\n---\nA fact\n"})) == count


def test_one_finding_for_each_tag_that_names_the_day() -> None:
    found = changed("# M\n", f"# M\n## New {tag('2026-01-01')}\n- a\n- b\n- c {tag('2026-02-01')}\n")
    assert [(f.severity, f.line, f.message) for f in found] == [
        ("warn", 2, "new content is dated 2026-01-01, 165 days back"),
        ("warn", 5, "new content is dated 2026-02-01, 134 days back"),
    ]


def test_a_new_entry_under_an_old_heading_is_dated_by_others() -> None:
    before = f"## Old {tag('2026-01-01')}\n- a\n"
    assert changed(before, before + "- b\n") == []
    assert changed(f"- a {tag('2026-01-01')}\n", f"- a {tag('2026-01-01')}\n  - b\n") == []


def test_a_child_of_a_new_entry_is_dated_by_it() -> None:
    assert [f.line for f in changed("# M\n", f"# M\n- a {tag('2026-01-01')}\n  - b\n")] == [2]


@pytest.mark.parametrize(
    ("old", "new", "count"),
    [
        ("2026-06-01", "2026-05-31", 1),
        ("2026-06-01", "2020-01-01", 1),
        ("2026-06-01", "2026-06-02", 0),
        ("2026-06-01", "unknown", 0),
        ("unknown", "2026-01-01", 0),
    ],
)
def test_a_day_that_goes_back_while_the_text_stays(old: str, new: str, count: int) -> None:
    assert len(changed(f"- a {tag(old)}\n", f"- a {tag(new)}\n")) == count
    assert len(changed(f"## H {tag(old)}\n- a\n- b\n", f"## H {tag(new)}\n- a\n- b\n")) == count
    page = "---\nsrc: web\nts: {}\n---\nA fact\n\nAnother\n"
    assert len(judged({"wiki/a.md": page.format(old)}, {"wiki/a.md": page.format(new)})) == count


def test_the_message_names_both_days() -> None:
    found = changed(f"- a {tag('2026-06-01')}\n", f"- a {tag('2026-05-01')}\n")
    assert [f.message for f in found] == ["ts went back from 2026-06-01 to 2026-05-01 while the text stayed the same"]


def test_an_own_tag_that_goes_sets_the_entry_back_to_its_heading() -> None:
    before = f"## H {tag('2026-01-01')}\n- a {tag('2026-06-01')}\n- b\n"
    after = f"## H {tag('2026-01-01')}\n- a\n- b\n"
    assert [f.line for f in changed(before, after)] == [2]


def test_a_corrected_day_together_with_new_words_is_an_edit() -> None:
    assert changed(f"- node 1 runs the queue {tag('2026-06-01')}\n", f"- node 2 runs the queue {tag('2026-05-30')}\n") == []


def test_first_tags_of_old_content_are_honest() -> None:
    assert changed("- a\n## H\n- b\n", f"- a {tag('2025-01-01')}\n## H {tag('2025-01-01')}\n- b\n") == []


def test_moves_keep_their_day() -> None:
    entry = f"- a long enough fact {tag('2025-01-01')}\n"
    assert judged({"MEMORY.md": f"# M\n{entry}", "memory/a.md": "# A\n"}, {"MEMORY.md": "# M\n", "memory/a.md": f"# A\n{entry}"}) == []
    section = f"## H {tag('2025-01-01')}\n- a\n- b\n"
    assert judged({"MEMORY.md": f"# M\n{section}"}, {"MEMORY.md": "# M\n", "memory/h.md": section}) == []
    under_older = {"MEMORY.md": f"## A {tag('2026-06-01')}\n## B {tag('2026-01-01')}\n- a\n"}
    assert judged({"MEMORY.md": f"## A {tag('2026-06-01')}\n- a\n## B {tag('2026-01-01')}\n"}, under_older) == []


def test_a_move_does_not_cover_a_day_that_goes_back() -> None:
    before = {"MEMORY.md": f"# M\n- a long enough fact {tag('2026-06-01')}\n", "memory/a.md": "# A\n"}
    after = {"MEMORY.md": "# M\n", "memory/a.md": f"# A\n- a long enough fact {tag('2025-06-01')}\n"}
    assert [f.path for f in judged(before, after)] == ["memory/a.md"]


def test_what_comes_back_from_the_archive_keeps_its_day() -> None:
    entry = f"- a long enough fact {tag('2025-01-01')}\n"
    archive = "memory/archive/2026-01-01.md"
    assert judged({archive: f"# X\n{entry}", "MEMORY.md": "# M\n"}, {archive: "# X\n", "MEMORY.md": f"# M\n{entry}"}) == []


def test_a_copy_out_of_an_unchanged_archive_keeps_its_day() -> None:
    entry = f"- a long enough fact {tag('2025-01-01')}\n"

    class Archive(NoLookup):
        def views_with(self, needles: Sequence[str]) -> list[FileView]:
            assert needles == ["- a long enough fact"]
            return [view("memory/archive/2026-01-01.md", f"# X\n{entry}")]

    scene = change_scene({"MEMORY.md": "# M\n"}, {"MEMORY.md": f"# M\n{entry}"}, lookup=Archive())
    assert findings(scene, "HG106") == []
    other = change_scene(
        {"MEMORY.md": "# M\n"}, {"MEMORY.md": f"# M\n- a long enough fact {tag('2025-01-01')}\n  with a twist\n"}, lookup=Archive()
    )
    assert len(findings(other, "HG106")) == 1


def test_what_a_first_policy_brings_in_may_be_old() -> None:
    scene = change_scene({}, {"MEMORY.md": f"- a {tag('2020-01-01')}\n"}, introduces=True)
    assert findings(scene, "HG106") == []


def test_a_daily_log_of_long_ago_is_not_dated_by_a_tag() -> None:
    assert judged({}, {"memory/2025-01-01.md": "- a\n"}) == []


def test_a_twin_in_an_active_file_does_not_excuse_the_day() -> None:
    entry = f"- a long enough fact {tag('2025-01-01')}\n"

    class Active(NoLookup):
        def views_with(self, needles: Sequence[str]) -> list[FileView]:
            return [view("memory/b.md", entry)] if needles else []

    scene = change_scene({"MEMORY.md": "# M\n"}, {"MEMORY.md": f"# M\n{entry}"}, lookup=Active())
    assert len(findings(scene, "HG106")) == 1


def test_what_goes_has_no_day_to_judge() -> None:
    assert changed(f"# M\n- a {tag('2025-01-01')}\n", "# M\n") == []
