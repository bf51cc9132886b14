"""How the work of a plan grows: counted, not timed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from hoard_git.core import nearness
from hoard_git.core.accounting import Books
from hoard_git.core.plan import make_plan
from hoard_git.core.policy import DEFAULT
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
