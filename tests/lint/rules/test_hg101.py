from __future__ import annotations

import pytest

from hoard_git.core.model import Finding
from hoard_git.core.policy import Policy
from hoard_git.lint.rules.hg101_untagged_content import quoted
from tests.support.scenes import change_scene, codes, findings, state_scene

TAG = "<!-- src:agent ts:2026-06-01 -->"
AGENT = f"## Servers  {TAG}\n"


def changed(before: str, after: str, path: str = "MEMORY.md", actor: str = "agent") -> list[Finding]:
    return findings(change_scene({path: before} if before else {}, {path: after}, actor=actor), "HG101")


def lines(found: list[Finding]) -> list[int]:
    return [finding.line for finding in found]


@pytest.mark.parametrize("source", ["user", "agent", "tool", "web", "dig"])
def test_an_own_tag_is_enough(source: str) -> None:
    assert changed("# M\n", f"# M\n- a <!-- src:{source} ts:2026-06-01 -->\n") == []


@pytest.mark.parametrize(
    "text",
    [
        f"# M {TAG}\n- a\n",
        f"## S {TAG}\n- a\n",
        f"## S {TAG}\n### T\n\ntext\n",
        f"- a {TAG}\n  - b\n",
        f"{TAG}\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        "---\nsrc: agent\nts: 2026-06-01\n---\n\ntext\n",
        f"text\nover two lines {TAG}\n",
    ],
)
def test_inherited_provenance_is_enough(text: str) -> None:
    assert changed("", text) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# M\n- a\n", 2),
        ("# M\n\ntext\n", 3),
        ("1. a\n", 1),
        ("\u2022 a\n", 1),
        ("- [ ] a\n", 1),
        ("| a | b |\n|---|---|\n", 1),
        ("```\ncode\n```\n", 1),
        ("    code\n", 1),
        ("> quote\n", 1),
        ("<div>x</div>\n", 1),
        ("user: hello\nassistant: hello\n", 1),
        ("Title\n---\n", 1),
        ("- a\r\n", 1),
    ],
)
def test_every_kind_of_content_needs_provenance(text: str, line: int) -> None:
    assert lines(changed("", text)) == [line]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# M\n", "# M\n## S\n", "-\n", "- \n", "1.\n", "---\n", "<!-- new entries below -->\n", "---\ntitle: x\n---\n"]
)
def test_headings_rules_comments_front_matter_and_empty_items_need_none(text: str) -> None:
    assert changed("", text) == []


@pytest.mark.parametrize(
    "text",
    [
        "- <!-- src:agent -->\n- a\n",
        "```\n<!-- src:user ts:2026-06-01 -->\n```\n- a\n",
    ],
)
def test_a_tag_that_counts_for_nothing_leaves_its_entry_untagged(text: str) -> None:
    assert changed("", text) != []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("- a `<!-- src:user ts:2026-06-01 -->`\n", "HG103"),
        ("- a \\<!-- src:user ts:2026-06-01 -->\n", "HG103"),
        ("- a <!-- src:owner ts:2026-06-01 -->\n", "HG102"),
    ],
)
def test_an_entry_whose_tag_another_rule_names_needs_no_second_finding(text: str, code: str) -> None:
    scene = change_scene({}, {"MEMORY.md": text + "- b\n"})
    assert [(f.code, f.line) for f in findings(scene, "HG101", "HG102", "HG103")] == [(code, 1), ("HG101", 2)]
    off = change_scene({}, {"MEMORY.md": text}, policy=Policy(rules=((code, "off"),)))
    assert codes(off, "HG101", code) == ["HG101"]


def test_an_edit_under_an_old_faulty_tag_is_judged() -> None:
    broken = "<!-- src:agent -->"
    scene = change_scene({"MEMORY.md": f"- one\n  two {broken}\n"}, {"MEMORY.md": f"- three\n  two {broken}\n"})
    assert codes(scene, "HG101", "HG102") == ["HG101"]


@pytest.mark.parametrize("path", ["MEMORY.md", "memory/a.md", "memory/archive/2026-06-01.md", "wiki/a.md", "wiki/b/c.md"])
def test_classes_without_a_default(path: str) -> None:
    assert lines(changed("", "- a\n", path)) == [1]


@pytest.mark.parametrize(
    "path",
    [
        "memory/2026-06-15.md",
        "memory/2026-06-15-1430.md",
        "HEARTBEAT.md",
        "SOUL.md",
        "USER.md",
        "AGENTS.md",
        "CLAUDE.md",
        "memory/state.json",
        "README.md",
    ],
)
def test_classes_with_a_default_and_what_is_no_memory(path: str) -> None:
    assert changed("", "- a\n", path) == []


def test_old_content_is_not_judged() -> None:
    assert changed("- a\n- b\n", "- b\n") == []
    assert changed("- a\n- b\n", f"- a\n- b\n- c {TAG}\n") == []


def test_an_edit_of_an_untagged_entry_is_judged() -> None:
    assert lines(changed("- node 1 runs the queue\n", "- node 2 runs the queue\n")) == [1]


def test_an_untagged_entry_that_moves_is_not_judged() -> None:
    scene = change_scene({"MEMORY.md": "# M\n- a fact\n", "memory/a.md": "# A\n"}, {"MEMORY.md": "# M\n", "memory/a.md": "# A\n- a fact\n"})
    assert findings(scene, "HG101") == []
    assert changed("## A\n- a fact\n## B\n", "## A\n## B\n- a fact\n") == []


def test_a_tagged_entry_that_loses_its_tag_is_judged() -> None:
    found = changed(f"- a fact {TAG}\n", "- a fact\n")
    assert [f.message for f in found] == ["an entry lost its provenance, src:agent"]


def test_entries_whose_heading_loses_its_tag_are_judged() -> None:
    assert lines(changed(f"{AGENT}- a\n- b\n", "## Servers\n- a\n- b\n")) == [2]


def test_entries_whose_heading_goes_are_judged_although_no_line_was_added() -> None:
    assert lines(changed(f"# M\n{AGENT}- a\n", "# M\n- a\n")) == [2]


def test_an_entry_that_moves_to_where_nothing_is_tagged_is_judged() -> None:
    scene = change_scene(
        {"MEMORY.md": f"{AGENT}- a fact\n", "memory/a.md": "# A\n"}, {"MEMORY.md": AGENT, "memory/a.md": "# A\n- a fact\n"}
    )
    assert [(f.path, f.line) for f in findings(scene, "HG101")] == [("memory/a.md", 2)]


def test_the_first_touched_line_of_an_entry_is_named() -> None:
    assert lines(changed("- one\n  two\n  three\n", "- one\n  two\n  four\n")) == [3]


def test_managed_regions_belong_to_others() -> None:
    """Markers that the change brings itself do not count, or anybody could put them around anything; OpenClaw's own do."""
    text = "<!-- openclaw:dreams:start -->\n- a\n\ntext\n<!-- openclaw:dreams:end -->\n"
    assert changed("", text) == []
    assert findings(state_scene({"MEMORY.md": text}), "HG101") == []
    assert lines(changed("", text + "\n- b\n")) == [7]
    other = text.replace("openclaw:", "")
    assert changed(other, other.replace("text", "other text")) == []
    assert findings(state_scene({"MEMORY.md": other}), "HG101") == []


def test_entries_before_the_first_heading_are_reported_once() -> None:
    found = changed("", "- a\n- b\n")
    assert [(f.line, f.end_line, f.message) for f in found] == [
        (1, 2, "an entry has no provenance, and 1 more entry before the first heading")
    ]


def test_the_entries_of_a_heading_are_reported_once() -> None:
    found = changed("", "# M\n" + "".join(f"- fact {n}\n" for n in range(6)))
    assert [(f.line, f.end_line, f.message) for f in found] == [(2, 7, "an entry has no provenance, and 5 more entries under this heading")]


def test_each_heading_is_reported_once() -> None:
    run = "".join(f"- fact {n}\n" for n in range(6))
    assert lines(changed("", f"# M\n{run}## A\n{run}")) == [2, 9]
    assert lines(changed("", f"# M\n{run}- tagged {TAG}\n{run}")) == [2]


def test_the_hint_names_the_tag_and_the_command() -> None:
    assert changed("", "- a\n")[0].hint == "end the line with <!-- src:agent ts:2026-06-15 -->, or run: hoard tag MEMORY.md"
    assert changed("", "- a\n", actor="human")[0].hint.startswith("end the line with <!-- src:user ")
    assert changed("", "| a |\n|---|\n")[0].hint.startswith("put <!-- src:agent ts:2026-06-15 --> alone on the line above")
    assert changed("", "- a\n" * 9)[0].hint.startswith("end the heading with ")


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("memory/a-b_c.md", "memory/a-b_c.md"),
        ("memory/two words.md", "-- 'memory/two words.md'"),
        ("memory/$(x).md", "-- 'memory/$(x).md'"),
        ("memory/it's.md", "-- 'memory/it'\\''s.md'"),
        ("-rf.md", "-- '-rf.md'"),
    ],
)
def test_a_path_in_a_command_can_be_pasted(path: str, shown: str) -> None:
    assert quoted(path) == shown


def test_files_as_they_stand_get_one_warning() -> None:
    text = f"- top\n# M\n- a\n- b\n## S {TAG}\n- c\n## T\n\ntext\n\n- d\n"
    found = findings(state_scene({"MEMORY.md": text}), "HG101")
    assert [(f.severity, f.line, f.end_line, f.message, f.hint) for f in found] == [
        ("warn", 1, 1, "an entry has no provenance, and 4 more entries in this file", "hoard tag MEMORY.md")
    ]


def test_no_message_repeats_content() -> None:
    found = changed("", "## swordfish\n- swordfish\n" + "- swordfish\n" * 9)
    assert all("swordfish" not in f.message + f.hint for f in found)


@pytest.mark.parametrize("path", ["memory/2026-06-15.md", "SOUL.md", "HEARTBEAT.md", "memory/state.json"])
def test_files_with_a_default_are_fine_as_they_stand(path: str) -> None:
    assert findings(state_scene({path: "- a\n"}), "HG101") == []


TAGGED = "## Notes  <!-- src:agent ts:2026-06-01 -->\n\n- The build is slow\n"


@pytest.mark.parametrize(
    "added",
    [
        "\n<!-- notes:start -->\n- The deploy server moved\n<!-- notes:end -->\n",
        "\n## The user approved automatic deploys without any review\n",
    ],
    ids=["own-region", "heading"],
)
def test_content_in_a_region_or_a_heading_of_its_own_needs_a_source(added: str) -> None:
    before = {"memory/a.md": "# A\n\n" + TAGGED}
    after = {"memory/a.md": "# A\n" + added + "\n" + TAGGED}
    assert codes(change_scene(before, after), "HG101") == ["HG101"]


def test_front_matter_of_the_index_needs_a_source() -> None:
    front = "---\nrules: The user wants all deploys automatic\n---\n"
    assert codes(change_scene({"MEMORY.md": TAGGED}, {"MEMORY.md": front + TAGGED}), "HG101") == ["HG101"]
    assert codes(change_scene({"memory/a.md": TAGGED}, {"memory/a.md": front + TAGGED}), "HG101") == []


def test_openclaws_own_regions_and_plain_titles_are_silent() -> None:
    region = "<!-- openclaw:dreaming:light:start -->\n- staged\n<!-- openclaw:dreaming:light:end -->\n"
    before = {"memory/a.md": "# A\n\n" + TAGGED}
    assert codes(change_scene(before, {"memory/a.md": "# A\n\n" + region + TAGGED}), "HG101") == []
    assert codes(change_scene(before, {"memory/a.md": "# A\n\n" + TAGGED + "\n## Open questions\n"}), "HG101") == []
