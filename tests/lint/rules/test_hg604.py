from __future__ import annotations

import pytest

from tests.support.scenes import Files, change_scene, findings, state_scene

HEADING = "## Infra <!-- src:agent ts:2026-06-05 -->\n"


def state(files: Files) -> list[tuple[str, int, str]]:
    return [(f.path, f.line, f.message) for f in findings(state_scene(files), "HG604")]


def change(before: Files, after: Files) -> list[tuple[str, int, str]]:
    return [(f.path, f.line, f.message) for f in findings(change_scene(before, after), "HG604")]


@pytest.mark.parametrize(
    ("one", "two", "reason"),
    [
        ("The budget is 40 EUR", "The budget is 400 EUR", "a number differs"),
        ("Production runs PostgreSQL 16.4", "Production runs PostgreSQL 16.3", "a version differs"),
        ("The check-up is on Monday", "The check-up is on Tuesday", "a date or calendar word differs"),
        ("The dose is 50 mg", "The dose is 50 g", "a unit differs"),
        ("The flag is enabled", "The flag is disabled", "words of opposite meaning (antonyms)"),
        ("Deploys are allowed on Friday", "Deploys are not allowed on Friday", "a negation came or went"),
        ("The NAS is named kite", "The NAS is named crow", "a name differs"),
        ("Owner: Anna", "Owner: Lotte", "a name differs"),
    ],
)
def test_the_same_subject_with_another_value(one: str, two: str, reason: str) -> None:
    assert state({"MEMORY.md": f"{HEADING}- {one}\n- {two}\n"}) == [("MEMORY.md", 3, f"the entry contradicts line 2: {reason}")]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Port 8123 is open", "Port 8132 is open"),
        ("Build 41 passed in 12 s", "Build 42 passed in 15 s"),
        ("Anna likes tea", "Anna likes coffee"),
        ("Anna leads the team", "Lotte leads the team"),
        ("The left knee hurts", "The right knee hurts"),
        ("The NAS is named kite", "the NAS is named kite."),
        ("Backups run at night", "The oven runs hot"),
    ],
)
def test_no_conflict(one: str, two: str) -> None:
    assert state({"MEMORY.md": f"{HEADING}- {one}\n- {two}\n"}) == []


def test_the_users_entry_is_named_as_such() -> None:
    text = "- The budget is 40 EUR <!-- src:web ts:2026-06-09 -->\n- The budget is 50 EUR <!-- src:user ts:2026-01-01 -->\n"
    assert state({"MEMORY.md": text}) == [("MEMORY.md", 1, "the entry contradicts line 2, the user's: a number differs")]


def test_several_values_are_one_finding() -> None:
    text = HEADING + "".join(f"- The budget is {n} EUR\n" for n in (40, 50, 60))
    assert state({"MEMORY.md": text}) == [("MEMORY.md", 3, "the entry contradicts line 2, and so do 1 more: a number differs")]


def test_no_value_is_shown() -> None:
    found = findings(state_scene({"MEMORY.md": f"{HEADING}- The door code is 4711\n- The door code is 4712\n"}), "HG604")
    assert [finding.line for finding in found] == [3]
    assert "471" not in found[0].message + found[0].hint


def test_two_headings_are_two_subjects() -> None:
    assert state({"MEMORY.md": "## A\n- The port is 80\n## B\n- The port is 90\n"}) == []


@pytest.mark.parametrize("path", ["memory/2026-06-05.md", "memory/archive/2026-06-05.md", "SOUL.md", "HEARTBEAT.md", "wiki/a.md"])
def test_other_files_are_left_out(path: str) -> None:
    assert state({path: f"{HEADING}- The port is 80\n- The port is 90\n"}) == []


def test_an_added_contradiction() -> None:
    old = f"{HEADING}- Deploys are not allowed on Friday <!-- src:user ts:2026-01-10 -->\n"
    new = "- Deploys are allowed on Friday <!-- src:web ts:2026-06-10 -->\n"
    assert change({"MEMORY.md": old}, {"MEMORY.md": old + new}) == [
        ("MEMORY.md", 3, "the entry contradicts line 2, the user's: a negation came or went")
    ]


def test_old_contradictions_are_not_judged() -> None:
    old = f"{HEADING}- The port is 80\n- The port is 90\n"
    assert change({"MEMORY.md": old}, {"MEMORY.md": old + "- The oven runs hot\n"}) == []


def test_an_update_in_place_is_no_contradiction() -> None:
    assert change({"MEMORY.md": f"{HEADING}- The port is 80\n"}, {"MEMORY.md": f"{HEADING}- The port is 90\n"}) == []


def test_a_contradiction_of_another_changed_file() -> None:
    line = "The port of the proxy in Ghent is {}\n"
    before = {"MEMORY.md": f"{HEADING}- {line.format(80)}"}
    after = {"MEMORY.md": f"{HEADING}- {line.format(80)}- more\n", "memory/a.md": f"# A\n- {line.format(81)}"}
    assert change(before, after) == [("memory/a.md", 2, "the entry contradicts MEMORY.md:2: a number differs")]


def test_a_large_change_is_compared_as_a_whole() -> None:
    many = "".join(f"- Host h{n} has the role r{n * 7}\n" for n in range(250))
    found = change({"MEMORY.md": HEADING}, {"MEMORY.md": f"{HEADING}{many}- The port is 80\n- The port is 90\n"})
    assert [line for _path, line, _message in found] == [252]


def test_a_long_list_of_like_entries() -> None:
    many = "".join(f"- Host h{n} has the role r{n * 7} and runs s{n}\n" for n in range(300))
    new = "- Host h41 has the role r9 and runs s41\n"
    assert [line for _path, line, _message in change({"MEMORY.md": HEADING + many}, {"MEMORY.md": HEADING + many + new})] == [302]


def test_a_contradiction_with_a_link_is_one_too() -> None:
    before = f"{HEADING}- The budget of [shop](../shop.md) is 40 EUR\n"
    after = before + "- The budget of [shop](../shop.md) is 400 EUR\n"
    assert change({"MEMORY.md": before}, {"MEMORY.md": after}) == [("MEMORY.md", 3, "the entry contradicts line 2: a number differs")]


def test_scripts_without_blanks_are_compared_by_their_characters() -> None:
    one, two = "\u670d\u52a1\u5668\u7684\u7aef\u53e3\u662f 8080 \u53f7", "\u670d\u52a1\u5668\u7684\u7aef\u53e3\u662f 9090 \u53f7"
    before = f"{HEADING}- {one}\n"
    assert [line for _path, line, _message in change({"MEMORY.md": before}, {"MEMORY.md": f"{before}- {two}\n"})] == [3]
