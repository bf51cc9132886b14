"""How the work of a plan grows: counted, not timed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest

from hoard_git.core import nearness
from hoard_git.core.accounting import Books
from hoard_git.core.document import Document
from hoard_git.core.markdown import parse
from hoard_git.core.plan import make_plan
from hoard_git.core.policy import DEFAULT
from hoard_git.core.portions import take_apart
from tests.bench.consolidate import build, build_near, build_tables
from tests.support.effort import count_calls
from tests.support.upkeep import day_number, kept_files

DAY = day_number("2026-12-28")


def counted(monkeypatch: pytest.MonkeyPatch, files: dict[str, str]) -> Counter[str]:
    """How often the costly steps of one plan run."""
    counts: Counter[str] = Counter()

    def counting(owner: object, name: str) -> None:
        inner: Callable[..., object] = getattr(owner, name)

        def count(*args: object, **kwargs: object) -> object:
            counts[name] += 1
            return inner(*args, **kwargs)

        monkeypatch.setattr(owner, name, count)

    with monkeypatch.context() as patch:
        monkeypatch = patch
        counting(nearness, "tokens_of")
        counting(nearness, "judge_pair")
        counting(Books, "_is_relinked")
        make_plan(kept_files(files), DEFAULT, DAY)
    return counts


def test_near_pairs_cost_in_proportion_to_the_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = (counted(monkeypatch, build_near(size)) for size in (660, 2640))
    assert small["tokens_of"] <= 660  # once at most, however many rounds the steps take
    assert large["tokens_of"] <= 2640
    assert 0 < small["judge_pair"] <= 40 * 660
    assert large["judge_pair"] <= 40 * 2640


def test_tables_cost_in_proportion_to_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    small, large = (counted(monkeypatch, build_tables(size)) for size in (660, 2640))
    assert small["_is_relinked"] == large["_is_relinked"] == 0  # no row has a link


def test_entries_with_links_are_held_against_their_likes_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = "".join(f"- Fact number {n} stands in [b](memory/beta.md), see there for more words\n" for n in range(300))
    counts = counted(monkeypatch, {"MEMORY.md": f"# M\n\n## Alpha <!-- src:agent ts:2026-12-01 -->\n\n{facts}"})
    assert counts["_is_relinked"] <= 300


@pytest.mark.parametrize("build", [build, build_near, build_tables])
def test_three_times_the_entries_take_about_three_times_the_calls(build: Callable[[int], dict[str, str]]) -> None:
    def calls(size: int) -> int:
        kept = kept_files(build(size))
        return count_calls(lambda: make_plan(kept, DEFAULT, DAY))[0]

    small, large = calls(330), calls(990)
    assert large <= 4.5 * small, large / small  # near pairs reach their cap for each entry on the way


def in_one_file(entries: int, *, tags: bool) -> dict[str, str]:
    """One topic file: sections of ten entries, a third of them expired and a third stale; or a tag for each entry."""
    lines = ["# Topic", ""]
    for number in range(entries):
        tag = f" <!-- src:web ts:{('2026-01-02', '2026-11-02', '2026-12-20')[number % 3]} -->" if tags else ""
        if number % 10 == 0:
            day = ("2026-01-02", "2026-11-02", "2026-12-20")[number // 10 % 3]
            lines += ["", f"## Part {number} <!-- src:{'agent' if tags else 'web'} ts:{'2026-12-20' if tags else day} -->", ""]
        lines.append(f"- The number of pump {number} in the cellar of house {number * 7} is known{tag}")
    return {"memory/topic.md": "\n".join(lines) + "\n"}


@pytest.mark.parametrize("tags", [False, True])
def test_a_long_file_is_read_again_a_fixed_number_of_times(monkeypatch: pytest.MonkeyPatch, *, tags: bool) -> None:
    def reads(entries: int) -> int:
        counts = 0

        def count(data: bytes) -> Document:
            nonlocal counts
            counts += len(data) > 1000
            return parse(data)

        with monkeypatch.context() as patch:
            patch.setattr("hoard_git.core.drafts.parse", count)
            plan = make_plan(kept_files(in_one_file(entries, tags=tags)), DEFAULT, DAY)
        assert {action.kind for action in plan.actions} == {"archive", "stale"}
        return counts

    assert reads(900) <= reads(300) + 2


def test_sections_of_which_one_cannot_go_are_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    files = in_one_file(900, tags=False)
    files["memory/topic.md"] = files["memory/topic.md"].replace("- The number of pump 605 ", "- <div>\n  The number of pump 605 ")
    whole = make_plan(kept_files(in_one_file(900, tags=False)), DEFAULT, DAY)
    plan = make_plan(kept_files(files), DEFAULT, DAY)
    assert len([a for a in plan.actions if a.kind == "archive"]) >= len([a for a in whole.actions if a.kind == "archive"]) - 1


@pytest.mark.parametrize("build", [build, partial(in_one_file, tags=True), partial(in_one_file, tags=False)])
def test_taking_a_plan_apart_costs_in_proportion(build: Callable[[int], dict[str, str]]) -> None:
    def calls(size: int) -> int:
        plan = make_plan(kept_files(build(size)), DEFAULT, DAY)
        return count_calls(lambda: take_apart(plan))[0]

    small, large = calls(660), calls(1980)
    assert large <= 4 * small, large / small
