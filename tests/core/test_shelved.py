"""Which entries of a log stand in its archived rest already."""

from __future__ import annotations

import pytest

from hoard_git.core.shelved import find_shelved
from tests.support.upkeep import drafts_of

LOG = "# 2026-01-02\n\n## Morning <!-- src:agent ts:2026-01-02 -->\n\n- Tea was at four\n  - with milk\n- Bread was baked\n"


def found(log: str, rest: str, *, masked: str = "", instead: str = "") -> set[int]:
    drafts = drafts_of({"memory/2026-01-02.md": log, "memory/archive/2026-01-02.md": rest}, "2026-06-15")
    draft = drafts["memory/2026-01-02.md"]
    numbers = range(len(draft.document.entries))
    return find_shelved(
        draft, numbers, drafts["memory/archive/2026-01-02.md"], lambda text: text.replace(masked, instead) if masked else text
    )


@pytest.mark.parametrize(
    ("rest", "numbers"),
    [
        (LOG, {0, 1, 2}),
        (LOG.replace("# 2026-01-02\n\n", ""), {0, 1, 2}),  # the title of a log is no heading of its entries
        (LOG.replace("- Bread was baked\n", ""), {0, 1}),
        (LOG.replace("  - with milk\n", ""), {2}),  # an item stands there only with what stands under it
        (LOG.replace("Morning", "Evening"), set()),
        (LOG.replace("src:agent", "src:web"), set()),
        ("# 2026-01-02\n", set()),
    ],
)
def test_an_entry_stands_there_under_its_heading_with_its_claim(rest: str, numbers: set[int]) -> None:
    assert found(LOG, rest) == numbers


def test_each_stands_there_as_often_as_it_does() -> None:
    twice = LOG + "- Bread was baked\n"
    assert found(twice, LOG) == {0, 1, 2}
    assert found(twice, twice) == {0, 1, 2, 3}


def test_entries_are_compared_as_they_are_masked() -> None:
    assert found(LOG, LOG.replace("four", "[masked]"), masked="four", instead="[masked]") == {0, 1, 2}
    assert found(LOG, LOG, masked="four", instead="[masked]") == {2}


def test_a_mask_that_changes_what_is_an_entry_finds_none() -> None:
    assert found(LOG, LOG, masked="- Bread was baked") == set()
