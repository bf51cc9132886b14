from __future__ import annotations

import pytest

from hoard_git.core.duplicates import Group, find_groups, find_statements, stands_alone
from hoard_git.core.files import classify, file_default
from hoard_git.core.markdown import parse
from hoard_git.core.policy import DEFAULT
from hoard_git.core.provenance import provenances
from hoard_git.core.sameness import same_form

LONG = "The nightly backup of the NAS goes to the storage box"
AGENT = "<!-- src:agent ts:2026-06-05 -->"


def groups(**files: str) -> list[Group]:
    """Keys are paths with `__` for a slash and `_` for a dash, without the ending."""
    return groups_of({key.replace("__", "/").replace("_", "-") + ".md": text for key, text in files.items()})


def groups_of(files: dict[str, str]) -> list[Group]:
    statements = []
    for path, text in files.items():
        document, file_class = parse(text.encode()), classify(path, DEFAULT)
        claims = provenances(document, file_default(path, file_class, DEFAULT))
        statements += find_statements(path, file_class, document, claims)
    return find_groups(statements)


def places(found: list[Group]) -> list[tuple[str, list[str]]]:
    return [(f"{g.keeper.path}:{g.keeper.line}", [f"{one.path}:{one.line}" for one in g.goes]) for g in found]


def memory(*lines: str) -> str:
    return f"# Memory\n\n## Infra {AGENT}\n" + "\n".join(lines) + "\n"


# -------------------------------------------------------------------- where


def test_under_one_heading() -> None:
    assert places(groups(MEMORY=memory("- port 8080", "- other", "- Port 8080."))) == [("MEMORY.md:4", ["MEMORY.md:6"])]


def test_short_entries_under_two_headings_are_two_facts() -> None:
    assert groups(MEMORY="## Router\n- port 8080\n## Proxy\n- port 8080\n") == []


def test_headings_of_the_same_words_and_other_days_are_one_place() -> None:
    assert places(groups(MEMORY="## 2026-06-01 Ports\n- port 8080\n## 2026-06-09: Ports\n- port 8080\n")) == [
        ("MEMORY.md:2", ["MEMORY.md:4"])
    ]


def test_headings_that_are_days_are_days() -> None:
    assert groups(MEMORY="## 2026-06-01\n- backup ran\n## 2026-06-02\n- backup ran\n") == []


def test_what_a_day_word_means_depends_on_the_day() -> None:
    text = "## 2026-06-01 Plans\n- meeting tomorrow\n- lunch\n## 2026-06-02 Plans\n- meeting tomorrow\n- lunch\n"
    assert places(groups(MEMORY=text)) == [("MEMORY.md:3", ["MEMORY.md:6"])]


def test_the_same_heading_under_another_one_is_another_place() -> None:
    assert groups(MEMORY="## Alpha\n### Ports\n- port 80\n## Beta\n### Ports\n- port 80\n") == []


@pytest.mark.parametrize("titles", [("C", "C++"), ("Route A", "Route B"), ("Node 1", "Node 2"), ("Online", "Offline")])
def test_headings_that_only_look_alike(titles: tuple[str, str]) -> None:
    assert groups(MEMORY=f"## {titles[0]}\n- port 80\n## {titles[1]}\n- port 80\n") == []


def test_sentences_count_anywhere() -> None:
    assert places(groups(MEMORY=f"## A\n- {LONG}\n## B\n{LONG}.\n")) == [("MEMORY.md:2", ["MEMORY.md:4"])]
    wide = "\u6bcf\u5929\u665a\u4e0a\u4e09\u70b9\u628a\u6570\u636e\u5907\u4efd\u5230\u5916\u7f6e\u78c1\u76d8"
    assert len(groups(MEMORY=f"## A\n- {wide}\n## B\n- {wide}\u3002\n")) == 1
    assert groups(MEMORY=f"## A\n- {wide[:11]}\n## B\n- {wide[:11]}\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "It runs on the small server in the cellar",
        "Status: all of the checks are green since May",
        "Runs on the small server in the cellar",
        "**Owner:** the team of Anna in the north wing",
    ],
)
def test_sentences_that_need_their_heading(text: str) -> None:
    assert groups(MEMORY=f"## A\n- {text}\n## B\n- {text}\n") == []
    assert len(groups(MEMORY=f"## A\n- {text}\n- {text}\n")) == 1


def test_sub_items_belong_to_their_item() -> None:
    assert groups(MEMORY=memory("- Router", "  - port 8080", "- Proxy", "  - port 8080")) == []
    assert places(groups(MEMORY=memory("- Router", "  - port 8080", "  - Port 8080"))) == [("MEMORY.md:5", ["MEMORY.md:6"])]
    assert groups(MEMORY=memory(f"- Router\n  - {LONG}\n- Proxy\n  - {LONG}")) == []


def test_items_with_children_count_as_a_whole() -> None:
    tree = "- Router\n  - port 8080\n    - only inside\n  - firmware 3"
    assert places(groups(MEMORY=memory(tree, tree.replace("Router", "**Router**")))) == [("MEMORY.md:4", ["MEMORY.md:8"])]
    assert groups(MEMORY=memory(tree, tree.replace("firmware 3", "firmware 4"))) == []
    assert groups(MEMORY=memory(tree, "- Router")) == []


def test_what_stands_under_a_label_is_about_it() -> None:
    assert groups(MEMORY=memory("Berlin:", "", "- node 1", "", "Oslo:", "", "- node 1")) == []
    assert groups(MEMORY=memory("**Berlin**", "", "- node 1", "", "**Oslo**", "", "- node 1")) == []
    assert groups(MEMORY=memory("In Berlin", "- node 1", "", "In Oslo", "- node 1")) == []
    assert groups(MEMORY=memory("Run this:", "", "```", "a", "```", "", "Run this:", "", "```", "b", "```")) == []


def test_steps_in_a_numbered_list_stay() -> None:
    assert [g.goes for g in groups(MEMORY=memory("1. restart", "1. migrate", "1. restart"))] == [()]


@pytest.mark.parametrize(
    "text",
    ["| a |\n|---|\n| x |\n| x |", "```\nx\n```\n\n```\nx\n```", "> x\n\n- y\n\n> x", "<!-- t:start -->\n- x\n- x\n<!-- t:end -->", "<div>x</div>\n\n<div>x</div>", "- ---\n- ---"],
)  # fmt: skip
def test_tables_code_quotes_regions_and_html_are_left_alone(text: str) -> None:
    assert groups(MEMORY=memory(text)) == []


@pytest.mark.parametrize("name", ["SOUL.md", "USER.md", "HEARTBEAT.md", "memory/archive/2026-06-05.md", "wiki/page.md", "memory/x.txt"])
def test_other_classes_are_left_alone(name: str) -> None:
    assert groups_of({name: memory(f"- {LONG}", f"- {LONG}"), "MEMORY.md": memory(f"- {LONG}")}) == []


# -------------------------------------------------------------------- files


def test_memory_and_its_sidecar() -> None:
    index = memory("- Node-2 is online")
    assert places(groups_of({"memory/infra.md": f"# Infra {AGENT}\n- Node-2 is online.\n", "MEMORY.md": index})) == [
        ("MEMORY.md:4", ["memory/infra.md:2"])
    ]
    assert len(groups_of({"MEMORY.md": index, "memory/infra.md": f"# memory/infra.md {AGENT}\n## Infra\n- Node-2 is online\n"})) == 1
    assert len(groups_of({"MEMORY.md": index, "memory/net.md": f"# Network {AGENT}\n## Infra\n- Node-2 is online\n"})) == 1
    assert groups_of({"MEMORY.md": memory("- port 80"), "memory/net.md": f"# Network {AGENT}\n## Infra\n- port 80\n"}) == []


def test_two_sidecars_with_a_heading_of_the_same_name_are_two_subjects() -> None:
    files = {f"memory/{name}.md": f"# {name} {AGENT}\n## Network\n- The port is 8080\n" for name in ("alpha", "beta")}
    assert groups_of(files) == []
    assert groups_of({**files, "MEMORY.md": "# Memory\n## Network\n- The port is 8080\n"}) == []


def test_days_of_daily_logs_are_kept_apart() -> None:
    day = f"## Log\n- {LONG}\n"
    assert groups_of({"memory/2026-06-01.md": day, "memory/2026-06-02.md": day}) == []
    # nor are two sections of one day: the same words later in the day mean that it happened again
    assert groups_of({"memory/2026-06-01.md": day, "memory/2026-06-01-evening.md": day}) == []
    assert groups_of({"memory/2026-06-01.md": day + day}) == []
    assert len(groups_of({"memory/2026-06-01.md": day + f"- {LONG}\n"})) == 1
    assert places(groups_of({"memory/2026-06-01.md": day + f"- {LONG}.\n"})) == [("memory/2026-06-01.md:2", ["memory/2026-06-01.md:3"])]


def test_a_daily_log_and_memory_may_say_the_same() -> None:
    assert groups_of({"memory/2026-06-01.md": f"- {LONG}\n", "MEMORY.md": f"- {LONG}\n", "memory/a.md": f"{LONG[:20]}\n"}) == []


def test_a_relative_link_is_read_from_its_folder() -> None:
    text = "The long story of the house is in [notes]({})"
    assert groups_of({"MEMORY.md": f"- {text.format('a.md')}\n", "memory/b.md": f"- {text.format('a.md')}\n"}) == []
    assert len(groups_of({"MEMORY.md": f"- {text.format('memory/a.md')}\n", "memory/b.md": f"- {text.format('a.md')}\n"})) == 1


# -------------------------------------------------------------------- who stays


def tagged(src: str, ts: str) -> str:
    return f"- {LONG} <!-- src:{src} ts:{ts} -->\n"


def test_the_most_trusted_stays_then_the_newest_then_the_first() -> None:
    for copies, keeper in [
        ((("web", "2026-06-09"), ("agent", "2026-01-01")), 2),
        ((("agent", "2026-01-01"), ("agent", "2026-02-01")), 2),
        ((("agent", "2026-01-01"), ("agent", "2026-01-01")), 1),
        ((("agent", "unknown"), ("agent", "2026-01-01")), 2),
        ((("dig", "2026-06-01"), ("web", "unknown"), ("tool", "2025-01-01")), 3),
    ]:
        found = groups(MEMORY="".join(tagged(*copy) for copy in copies))
        assert [g.keeper.line for g in found] == [keeper]
        assert len(found[0].goes) == len(copies) - 1


def test_memory_comes_before_topics_and_paths_before_lines() -> None:
    copy = tagged("agent", "2026-01-01")
    assert [g.keeper.path for g in groups_of({"memory/a.md": copy, "MEMORY.md": copy})] == ["MEMORY.md"]
    assert [g.keeper.path for g in groups_of({"memory/b.md": copy, "memory/a.md": copy})] == ["memory/a.md"]


def test_all_copies_of_the_user_stay() -> None:
    found = groups(MEMORY=tagged("user", "2026-01-01") + tagged("agent", "2026-06-01") + tagged("user", "2025-01-01"))
    assert places(found) == [("MEMORY.md:1", ["MEMORY.md:2"])]
    assert [one.line for one in found[0].others] == [3]


def test_trees_of_mixed_sources_stay() -> None:
    tree = f"- Router {AGENT}\n  - port 8080 <!-- src:user ts:2026-01-01 -->\n"
    assert groups(MEMORY=memory(tree + tree)) == []


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("The NAS is red", True),
        ("It is red", False),
        ("Owner: Anna", False),
        ("Uses Django", False),
        ("Anna uses Django", True),
        ("", False),
    ],
)
def test_standing_alone(text: str, alone: bool) -> None:
    assert stands_alone(same_form(text)) is alone
