from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoard_git.core.accounting import find_unaccounted, side_of
from hoard_git.core.actions import Action, Place, Review
from hoard_git.core.dates import parse_day
from hoard_git.core.drafts import Drafts, Kept
from hoard_git.core.duplicates import Group, Statement, find_groups
from hoard_git.core.files import classify, file_default
from hoard_git.core.policy import DEFAULT
from hoard_git.core.steps.dedupe import USERS_TWICE, dedupe, review

TODAY = parse_day("2026-06-15") or 0
HEADING = "## 2026-06-05 Infra <!-- src:agent ts:2026-06-05 id:abc123 -->\n"


def drafts_of(files: dict[str, str]) -> Drafts:
    kept = []
    for path, text in files.items():
        file_class = classify(path, DEFAULT)
        kept.append(Kept(path, file_class, text.encode(), file_default(path, file_class, DEFAULT)))
    return Drafts(kept, DEFAULT, TODAY)


def run(files: dict[str, str]) -> tuple[list[Action], dict[str, str], list[Review]]:
    drafts = drafts_of(files)
    actions = dedupe(drafts)
    return actions, {path: (data or b"").decode() for path, data in drafts.edits().items()}, review(drafts)


def test_a_copy_goes_and_the_action_says_all() -> None:
    text = f"# M\n\n{HEADING}- NAS is red\n- other\n- **NAS** is red. <!-- src:web ts:2026-06-09 id:zzz999 -->\n- end\n"
    actions, edits, reviews = run({"MEMORY.md": text})
    assert edits == {"MEMORY.md": f"# M\n\n{HEADING}- NAS is red\n- other\n- end\n"}
    assert reviews == []
    assert actions == [
        Action(
            "dedupe",
            "MEMORY.md",
            6,
            "- **NAS** is red. <!-- src:web ts:2026-06-09 id:zzz999 -->",
            "says the same as MEMORY.md:4, which has the higher source (agent)",
            "zzz999",
            "",
            "web",
            "web",
            Place("MEMORY.md", 4),
            6,
            gone=True,
        )
    ]


def test_the_place_is_that_of_the_snapshot() -> None:
    drafts = drafts_of({"MEMORY.md": f"{HEADING}- gone\n- x is up\n- x is up\n"})
    drafts["MEMORY.md"].cut([(2, 2)])
    (action,) = dedupe(drafts)
    assert (action.line, action.survivor) == (4, Place("MEMORY.md", 3))


def test_a_tag_alone_on_its_line_goes_along() -> None:
    text = f"{HEADING}x is up\n\n<!-- src:web ts:2026-06-05 -->\nx is up\n\nend\n"
    assert run({"MEMORY.md": text})[1] == {"MEMORY.md": f"{HEADING}x is up\n\nend\n"}


def test_a_whole_tree_goes() -> None:
    tree = "- Router\n  - port 80\n  - up\n"
    actions, edits, _reviews = run({"MEMORY.md": HEADING + tree + tree})
    assert edits == {"MEMORY.md": HEADING + tree}
    assert [(a.line, a.end_line, a.text) for a in actions] == [(5, 7, tree.rstrip())]
    assert actions[0].block == "abc123"


def test_the_users_copies_stay_and_are_listed() -> None:
    users = "- it is up <!-- src:user ts:2026-01-01 -->\n"
    actions, edits, reviews = run({"MEMORY.md": HEADING + users + "- It is up.\n" + users})
    assert edits == {"MEMORY.md": HEADING + users + users}
    assert [a.reason for a in actions] == ["says the same as MEMORY.md:2, which is the user's"]
    assert [(r.kind, r.reason, [e.line for e in r.entries]) for r in reviews] == [("near", USERS_TWICE, [2, 4])]


def test_a_newer_lower_source_never_replaces_the_true_entry() -> None:
    text = "- Vault is at vault.acme.example <!-- src:user ts:2026-01-01 -->\n- Vault is at vault-acme.example <!-- src:web ts:2026-06-01 -->\n"
    actions, edits, reviews = run({"MEMORY.md": text})
    assert (actions, edits) == ([], {})
    assert [(r.kind, r.reason, [e.src for e in r.entries]) for r in reviews] == [("conflict", "a name differs", ["user", "web"])]


def test_across_files() -> None:
    line = "The nightly backup of the NAS goes to the box"
    files = {"MEMORY.md": f"{HEADING}- {line}\n", "memory/a.md": f"# A <!-- src:agent ts:2026-06-05 -->\n{line}\n\nmore\n"}
    actions, edits, _reviews = run(files)
    assert edits == {"memory/a.md": "# A <!-- src:agent ts:2026-06-05 -->\n\nmore\n"} or "more" in edits["memory/a.md"]
    assert [(a.path, a.line, a.survivor) for a in actions] == [("memory/a.md", 2, Place("MEMORY.md", 2))]


def test_promotion_makes_copies_that_stay() -> None:
    line = "- The nightly backup of the NAS goes to the box\n"
    assert run({"MEMORY.md": HEADING + line, "memory/2026-06-05.md": line, "memory/2026-06-06.md": line})[:2] == ([], {})


def test_two_paragraphs_that_would_become_one_stay_apart() -> None:
    text = f"{HEADING}x is up\n\nx is up\n- item\n"
    _actions, edits, _reviews = run({"MEMORY.md": text})
    assert "x is up\n- item" in next(iter(edits.values()), text)


def test_nothing_to_do() -> None:
    assert run({}) == ([], {}, [])
    assert run({"MEMORY.md": ""}) == ([], {}, [])


def test_what_a_removal_brings_together_goes_too() -> None:
    text = "## A\nThe nightly backup of the house\n- it is up\n<!-- src:web ts:2026-06-01 -->\nit is up\n## A\n- it is up\n"
    actions, edits, _reviews = run({"MEMORY.md": text})
    assert [(a.line, a.survivor) for a in actions] == [(3, Place("MEMORY.md", 5)), (7, Place("MEMORY.md", 5))]
    assert edits["MEMORY.md"].count("it is up") == 1


def test_a_copy_stays_where_a_stray_tag_would_get_another_owner() -> None:
    text = "- it is up\n<!-- src:web ts:2026-06-01 -->\n- it is up\n> said so\n"
    drafts = drafts_of({"MEMORY.md": text})
    assert (dedupe(drafts), drafts.edits()) == ([], {})
    assert drafts.notes == ["A duplicate stays, for the rest of the file would read differently without it: MEMORY.md:3"]


def test_another_copy_of_the_file_goes_all_the_same() -> None:
    stuck = "- it is up\n<!-- src:web ts:2026-06-01 -->\n- it is up\n> said so\n"
    actions, edits, _reviews = run({"MEMORY.md": f"{stuck}\n## B\n\n- NAS is red\n- other\n- NAS is red\n"})
    assert [(action.line, action.survivor) for action in actions] == [(10, Place("MEMORY.md", 8))]
    assert edits == {"MEMORY.md": f"{stuck}\n## B\n\n- NAS is red\n- other\n"}


# -------------------------------------------------------------------- laws

_LINES = st.sampled_from(
    [
        "- x is up", "* **x** is up.", "- x is not up", "  - x is up", "- [x] done", "- [ ] done", "x is up", "", "", "1. go", "## Alpha", "## Beta",
        "## 2026-06-05 Alpha", "## Users <!-- src:user ts:2026-01-01 -->", "- x is up <!-- src:user ts:2026-01-01 -->",
        "- x is up <!-- src:web ts:2026-06-01 -->", "- The nightly backup of the NAS goes to the box", "The nightly backup of the NAS goes to the box.",
        "```", "| a |", "|---|", "> x is up", "<!-- t:start -->", "<!-- t:end -->", "<!-- src:web ts:2026-06-01 -->", "**Alpha**", "Nodes:", "- port 8080",
    ]
)  # fmt: skip
_FILES = st.dictionaries(
    st.sampled_from(["MEMORY.md", "memory/a.md", "memory/b.md", "memory/2026-06-05.md", "memory/2026-06-06.md", "SOUL.md"]),
    st.lists(_LINES, max_size=14).map("\n".join),
    max_size=4,
)


@settings(max_examples=300, deadline=None)
@given(_FILES)
def test_nothing_is_lost_and_twice_is_once(files: dict[str, str]) -> None:
    drafts = drafts_of(files)
    actions = dedupe(drafts)
    edits = drafts.edits()
    before = [side_of(k.path, k.file_class, k.data, k.default) for k in drafts.before().values()]
    after = [side_of(k.path, k.file_class, edits.get(k.path, k.data) or b"", k.default) for k in drafts.before().values()]
    assert find_unaccounted(before, after) == []
    assert bool(actions) == bool(edits)
    again = drafts_of({path: (edits[path] or b"").decode() if path in edits else text for path, text in files.items()})
    assert dedupe(again) == [] or drafts.notes


@settings(max_examples=200, deadline=None)
@given(_FILES)
def test_what_the_user_said_stays_where_it_is(files: dict[str, str]) -> None:
    def users(drafts: Drafts) -> list[tuple[str, str]]:
        return [
            (draft.path, entry.text)
            for draft in drafts
            for entry, claim in zip(draft.document.entries, draft.entry_claims, strict=True)
            if claim.src == "user"
        ]

    drafts = drafts_of(files)
    before = users(drafts)
    dedupe(drafts)
    assert users(drafts) == before
    assert "SOUL.md" not in drafts.edits()


def test_a_sentence_that_names_nothing_is_another_fact_under_another_heading() -> None:
    line = "- The database password is stored in the vault\n"
    assert (
        run({"MEMORY.md": f"## Staging <!-- src:agent ts:2026-06-01 -->\n{line}\n## Production <!-- src:agent ts:2026-06-01 -->\n{line}"})[
            0
        ]
        == []
    )
    rule = "- The main branch is protected and needs two reviews\n"
    files = {f"memory/project-{name}.md": f"# Project {name} <!-- src:agent ts:2026-06-01 -->\n\n{rule}" for name in "ab"}
    assert run(files)[0] == []


def test_what_would_die_earlier_or_is_dated_in_the_future_stands_for_nothing() -> None:
    words = "The box of Ada stands in the cellar"
    short = f"## A\n- {words} <!-- src:agent ts:2026-05-01 ttl:never id:abcdefg -->\n- {words} <!-- src:agent ts:2026-06-10 ttl:7d -->\n"
    assert run({"MEMORY.md": short})[0] == []
    future = f"## A\n- {words} <!-- src:agent ts:2026-05-01 -->\n- {words} <!-- src:agent ts:2099-06-10 -->\n"
    assert run({"MEMORY.md": future})[0] == []


def test_the_twin_that_is_told_is_the_one_that_stays_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found only when other entries are gone may outdo what stayed before."""
    said = "- The pump of the garden runs at noon every single day"
    tags = [f"<!-- src:{src} ts:2026-06-0{day} -->" for src, day in (("web", 1), ("tool", 1), ("agent", 1))]
    text = "# M\n\n" + "".join(f"{said} {tag}\n" for tag in tags)
    rounds: list[int] = []

    def late(statements: Iterable[Statement]) -> list[Group]:
        rounds.append(0)
        return find_groups(list(statements)[: 2 if len(rounds) == 1 else 3])

    monkeypatch.setattr("hoard_git.core.steps.dedupe.find_groups", late)
    actions, edits, _reviews = run({"MEMORY.md": text})
    assert edits == {"MEMORY.md": f"# M\n\n{said} {tags[2]}\n"}
    assert [(action.line, action.survivor) for action in actions] == [(3, Place("MEMORY.md", 5)), (4, Place("MEMORY.md", 5))]
