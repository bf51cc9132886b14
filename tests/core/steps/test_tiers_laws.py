"""The tiers step: whatever the log, nothing is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from hoard_git.core.accounting import find_unaccounted, side_of
from hoard_git.core.files import classify, file_default
from hoard_git.core.markdown import parse
from hoard_git.core.policy import DEFAULT
from hoard_git.core.provenance import heading_provenances, provenances
from hoard_git.core.steps.tiers import tiers
from hoard_git.core.units import Side, core_of
from tests.core.steps.logs import LOG, stars
from tests.support.upkeep import drafts_of, texts

_LINES = st.sampled_from(
    [
        "- We decided to move it",
        "- We decided to move it",
        "- Never on Fridays <!-- src:web ts:2026-05-01 ttl:30d -->",
        "- Mine <!-- src:user ts:2026-05-01 -->",
        "  - below it",
        "    - and below that, fixed",
        "  1. first",
        "  2. second must stay",
        "Some prose about port 8080",
        "and its second line",
        "- Mail ann@example.org, she agreed",
        "## Section",
        "## Tagged <!-- src:tool ts:2026-05-02 id:tagged -->",
        "## Ours <!-- src:user ts:2026-05-02 -->",
        "### Deep",
        "# Second title",
        "| a | b |",
        "|---|---|",
        "| decided | 1 |",
        "```",
        "<!-- x:start -->",
        "<!-- x:end -->",
        "<!-- a remark -->",
        "<!-- src:tool ts:2026-05-03 -->",
        "---",
        "> quoted",
        "[p]: plan.md",
        "- See [p] that we agreed on",
        "user: hello",
        "assistant: must not",
        "",
        "",
    ]
)


def facts(files: Mapping[str, str]) -> dict[tuple[str, ...], int]:
    """Every entry with its claim."""
    found: Counter[tuple[str, ...]] = Counter()
    for path, text in files.items():
        document = parse(text.encode())
        name = classify(path, DEFAULT)
        for entry, claim in zip(document.entries, provenances(document, file_default(path, name, DEFAULT)), strict=True):
            found[entry.kind, core_of(entry.text.replace("../../", "")), claim.src, claim.ts, claim.ttl] += 1
    return found


@settings(max_examples=200, deadline=None)
@given(
    st.lists(_LINES, min_size=12, max_size=40), st.sampled_from(["# D\n", "# D <!-- src:user ts:2026-06-01 -->\n", "", "---\na: b\n---\n"])
)
def test_nothing_is_lost_and_nothing_of_the_users_moves(lines: list[str], top: str) -> None:
    files = {LOG: top + "\n".join(lines) + "\n"}
    for day in ("2026-06-15", "2026-09-15"):
        drafts = drafts_of(files, day)
        actions = tiers(drafts, mask=stars)
        changed = texts(drafts)
        after = {path: text for path, text in {**files, **changed}.items() if text is not None}
        old, new = facts(files), facts(after)
        if not any(action.gone for action in actions):
            assert {fact: count for fact, count in old.items() if new.get(fact, 0) < count} == {}
        assert users(after.get(LOG, "")) == users(files[LOG])
        assert {fact for fact in new if fact[2] == "user"} == {fact for fact in old if fact[2] == "user"}
        named = [(action.path, action.line, action.end_line) for action in actions if action.gone]
        assert find_unaccounted(sides(files), sides(after), named) == []
        again = drafts_of(after, day)
        assert tiers(again, mask=stars) == []
        assert texts(again) == {}
        files = after
        if LOG not in files:
            break


def users(text: str) -> list[str]:
    """What is the user's in a log, headings and entries, in order."""
    document, default = parse(text.encode()), file_default(LOG, "daily", DEFAULT)
    found = list(zip([(e.line, e.text) for e in document.entries], provenances(document, default), strict=True))
    found += list(zip([(h.line, h.title) for h in document.headings], heading_provenances(document, default), strict=True))
    return [text for (_line, text), claim in sorted(found, key=lambda pair: pair[0][0]) if claim.src == "user"]


def sides(files: Mapping[str, str]) -> list[Side]:
    found: list[Side] = []
    for path, text in files.items():
        name = classify(path, DEFAULT)
        found.append(side_of(path, name, text.encode(), file_default(path, name, DEFAULT)))
    return found
