from __future__ import annotations

import pytest

from hoard_git.core.policy import DEFAULT
from hoard_git.lint.twins import pick_close, pick_equal
from tests.support.scenes import Files, change_scene, findings, state_scene

LONG = "The nightly backup of the NAS goes to the storage box"
HEADING = "## Infra <!-- src:agent ts:2026-06-05 -->\n"


def state(files: Files) -> list[tuple[str, int, str]]:
    return [(f.path, f.line, f.message) for f in findings(state_scene(files), "HG603")]


def change(before: Files, after: Files) -> list[tuple[str, int, str]]:
    return [(f.path, f.line, f.message) for f in findings(change_scene(before, after), "HG603")]


def test_a_copy_in_a_file() -> None:
    assert state({"MEMORY.md": f"{HEADING}- port 80\n- other\n- **port** 80.\n"}) == [("MEMORY.md", 4, "the entry repeats line 2")]


def test_two_ways_to_write_one_letter_are_one_text() -> None:
    composed, apart = "Gr\u00fc\u00dfe an die Caf\u00e9betreiber", "Gru\u0308\u00dfe an die Cafe\u0301betreiber"
    old = f"{HEADING}- {composed}\n- other\n"
    assert state({"MEMORY.md": f"{old}- {apart}\n"}) == [("MEMORY.md", 4, "the entry repeats line 2")]
    assert change({"MEMORY.md": old}, {"MEMORY.md": f"{old}- {apart}\n"}) == [("MEMORY.md", 4, "the entry repeats line 2")]


def test_a_copy_in_another_file() -> None:
    files = {"MEMORY.md": f"{HEADING}- {LONG}\n", "memory/a.md": f"# A <!-- src:agent ts:2026-06-05 -->\n\n- {LONG}\n"}
    assert state(files) == [("memory/a.md", 3, "the entry repeats MEMORY.md:2")]


def test_many_copies_are_one_finding_a_file() -> None:
    log = "## Log\n" + "- nothing to report\n" * 40
    assert state({"memory/2026-06-05.md": log}) == [("memory/2026-06-05.md", 3, "the entry repeats line 2, and 38 more in this file do")]


def test_the_copy_with_the_lower_source_is_named() -> None:
    text = f"- {LONG} <!-- src:web ts:2026-06-09 -->\n- {LONG} <!-- src:user ts:2026-01-01 -->\n"
    assert state({"MEMORY.md": text}) == [("MEMORY.md", 1, "the entry repeats line 2")]


def test_two_copies_of_the_user() -> None:
    (found,) = findings(state_scene({"MEMORY.md": f"- {LONG} <!-- src:user ts:2026-01-01 -->\n" * 2}), "HG603")
    assert (found.line, found.severity, found.hint) == (2, "warn", "both are the user's, so only the user may delete one")


@pytest.mark.parametrize(
    "files",
    [
        {"MEMORY.md": "## A\n- port 80\n## B\n- port 80\n"},
        {"MEMORY.md": f"{HEADING}- port 80\n- port 8080\n- port -80\n"},
        {"MEMORY.md": f"- {LONG}\n", "memory/2026-06-01.md": f"- {LONG}\n", "memory/2026-06-02.md": f"- {LONG}\n"},
        {"MEMORY.md": f"- {LONG}\n", "memory/archive/2026-06-01.md": f"- {LONG}\n", "SOUL.md": f"- {LONG}\n- {LONG}\n"},
        {"MEMORY.md": "```\na\n```\n\n```\na\n```\n\n| a |\n|---|\n| b |\n| b |\n"},
        {"MEMORY.md": ""},
        {},
    ],
)
def test_no_copies(files: Files) -> None:
    assert state(files) == []


def test_workspaces_of_one_repository_are_apart() -> None:
    policy = DEFAULT._replace(roots=("agents/a", "agents/b"))
    line = f"{HEADING}- {LONG}\n"
    assert findings(state_scene({"agents/a/MEMORY.md": line, "agents/b/MEMORY.md": line}, policy=policy), "HG603") == []
    assert len(findings(state_scene({"agents/a/MEMORY.md": line, "agents/a/memory/b.md": line}, policy=policy), "HG603")) == 1


# -------------------------------------------------------------------- changes


def test_an_added_copy() -> None:
    old = f"{HEADING}- port 80\n- other\n"
    assert change({"MEMORY.md": old}, {"MEMORY.md": old + "- Port 80.\n"}) == [("MEMORY.md", 4, "the entry repeats line 2")]


def test_an_added_copy_that_is_the_newer_one() -> None:
    old = f"- {LONG} <!-- src:agent ts:2026-01-01 -->\n"
    new = f"- {LONG} <!-- src:agent ts:2026-06-01 -->\n"
    assert change({"MEMORY.md": old}, {"MEMORY.md": old + new}) == [("MEMORY.md", 2, "the entry repeats line 1")]


def test_an_entry_edited_into_a_copy() -> None:
    before = f"{HEADING}- port 80\n- port 81\n"
    assert change({"MEMORY.md": before}, {"MEMORY.md": before.replace("81", "80")}) == [("MEMORY.md", 3, "the entry repeats line 2")]


def test_old_copies_are_not_judged() -> None:
    old = f"{HEADING}- port 80\n- port 80\n"
    assert change({"MEMORY.md": old}, {"MEMORY.md": old + "- something else\n"}) == []


def test_a_move_is_no_copy() -> None:
    entry = f"- {LONG}\n"
    assert change({"MEMORY.md": HEADING + entry, "memory/a.md": "# A\n"}, {"MEMORY.md": HEADING, "memory/a.md": "# A\n" + entry}) == []


def test_two_new_copies_are_one_finding() -> None:
    assert change({"MEMORY.md": HEADING}, {"MEMORY.md": f"{HEADING}- port 80\n- port 80\n"}) == [
        ("MEMORY.md", 3, "the entry repeats line 2")
    ]


def test_a_copy_in_another_changed_file() -> None:
    before = {"MEMORY.md": f"{HEADING}- {LONG}\n"}
    after = {"MEMORY.md": f"{HEADING}- {LONG}\n- more\n", "memory/a.md": f"# A\n- {LONG}\n"}
    assert change(before, after) == [("memory/a.md", 2, "the entry repeats MEMORY.md:2")]


def test_composed_and_decomposed_letters() -> None:
    old = f"{HEADING}- Das Caf\u00e9 ist offen\n"
    assert len(change({"MEMORY.md": old}, {"MEMORY.md": old + "- Das Cafe\u0301 ist offen\n"})) == 1


def test_nothing_is_compared_where_nothing_was_added() -> None:
    assert pick_equal([]) == set()
    assert pick_close([]) == set()


def test_a_link_to_the_same_place_from_another_folder_is_a_copy() -> None:
    one, two = (
        "- The runbook of the shop is [here](shop.md) for all of us\n",
        "- The runbook of the shop is [here](memory/shop.md) for all of us\n",
    )
    before = {"memory/a.md": one, "MEMORY.md": "# M\n"}
    found = findings(change_scene(before, {"memory/a.md": one + "- x\n", "MEMORY.md": f"# M\n{two}"}), "HG603")
    assert [(finding.path, finding.line) for finding in found] == [("MEMORY.md", 2)]
    other = two.replace("memory/shop.md", "shop.md")
    assert findings(change_scene(before, {"memory/a.md": one + "- x\n", "MEMORY.md": f"# M\n{other}"}), "HG603") == []
