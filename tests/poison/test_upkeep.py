"""Attacks on upkeep that no gate sees: what the plan of a consolidation does about copies, conflicts and repetition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from hoard_git.core.accounting import facts_of, side_of
from hoard_git.core.dates import parse_day
from hoard_git.core.drafts import Kept
from hoard_git.core.files import classify, file_default
from hoard_git.core.model import RANK
from hoard_git.core.plan import STEPS, Plan, make_plan
from hoard_git.core.policy import DEFAULT

TODAY = parse_day("2026-06-15") or 0
SAFE = "The safe is behind the {} door on floor two"
PRICE = "The partner in Lyon sells the pump for 410 euros"


def tag(src: str, ts: str) -> str:
    return f"<!-- src:{src} ts:{ts} -->"


def plan(files: Mapping[str, str], steps: Sequence[str] = STEPS) -> Plan:
    kept = [Kept(path, name := classify(path, DEFAULT), text.encode(), file_default(path, name, DEFAULT)) for path, text in files.items()]
    return make_plan(kept, DEFAULT, TODAY, steps)


def sources(files: Mapping[str, str], made: Plan, words: str) -> list[str]:
    """The sources of the entries with these words after the plan, in the active files, sorted."""
    after = {**{path: text.encode() for path, text in files.items()}, **made.edits}
    sides = [
        side_of(path, name, data, file_default(path, name, DEFAULT))
        for path, data in after.items()
        if data is not None and (name := classify(path, DEFAULT)) != "archive"
    ]
    return sorted(fact.src for side in sides for fact in facts_of(side) if words in fact.core)


@pytest.mark.parametrize("newest", ["web", "user"])
def test_cl_04_the_users_copy_stays_word_for_word(newest: str) -> None:
    days = {"user": "2026-01-12", "web": "2026-06-08"} if newest == "web" else {"user": "2026-06-08", "web": "2026-06-01"}
    line = f"- {SAFE.format('blue')}. {tag('user', days['user'])}\n"
    files = {"memory/vault.md": f"# Vault\n\n- **{SAFE.format('blue')}** {tag('web', days['web'])}\n{line}"}
    made = plan(files, ["dedupe"])
    assert sources(files, made, "blue") == ["user"]
    assert line.encode() in (made.edits["memory/vault.md"] or b"")


def test_cl_04_a_copy_with_another_word_is_no_copy() -> None:
    files = {
        "memory/vault.md": f"# Vault\n\n- {SAFE.format('blue')}. {tag('user', '2026-01-12')}\n- {SAFE.format('green')}. {tag('web', '2026-06-08')}\n"
    }
    assert plan(files).is_empty


def test_cl_05_a_conflict_is_shown_by_trust_and_never_decided() -> None:
    user, web = tag("user", "2026-01-12"), tag("web", "2026-06-08")
    files = {"MEMORY.md": f"# M\n\n## Backup\n\n- Backup host: vault-acme.example {web}\n- Backup host: vault.acme.example {user}\n"}
    made = plan(files)
    assert made.edits == {}
    shown = [[entry.src for entry in review.entries] for review in made.review if review.kind in ("conflict", "near")]
    assert shown == [["user", "web"]]


@pytest.mark.parametrize("src", ["web", "dig", "tool"])
def test_cl_03_and_14_repetition_raises_nothing(src: str) -> None:
    day = "2026-06-0{}"
    files = {"MEMORY.md": "# Memory\n"} | {
        f"memory/{day.format(n)}.md": f"# Log\n\n- {PRICE}. {tag(src, day.format(n))}\n- Remember: {PRICE}! {tag(src, day.format(n))}\n"
        for n in range(1, 6)
    }
    made = plan(files)
    assert all(RANK[found] <= RANK[src] for found in sources(files, made, "Lyon"))


def test_cl_08_what_was_dug_up_stays_dug_up() -> None:
    old = tag("dig", "2026-03-01")
    files = {"MEMORY.md": f"# M\n\n- {PRICE}. {old}\n", "memory/2026-06-14.md": f"# Log\n\n- {PRICE}. {tag('dig', '2026-06-14')}\n"}
    assert set(sources(files, plan(files), "Lyon")) <= {"dig"}
