"""Laws of the upkeep plan, for any workspace: nothing is lost, the user's facts stay, no source rises, and twice is once."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoard_git.core.files import classify, file_default
from hoard_git.core.markdown import parse
from hoard_git.core.model import RANK
from hoard_git.core.plan import Plan, make_plan
from hoard_git.core.policy import DEFAULT
from hoard_git.core.provenance import provenances
from hoard_git.core.units import core_of
from tests.support.upkeep import day_number, kept_files

POLICY = DEFAULT._replace(compress_at=900, compress_to=500)
DAY = day_number("2026-12-01")
POINTER = "\u2192"
_LINK = re.compile(r"\]\([^)]*/")

SOURCES = st.sampled_from(["user", "agent", "agent", "tool", "web", "dig"])
DAYS = st.sampled_from(["2026-11-30", "2026-11-01", "2026-09-01", "2026-06-01", "2026-01-01", "unknown", "2026-12-24"])
TTLS = st.sampled_from(["", "", "", " ttl:30d", " ttl:never", " ttl:1d", " ttl:1y"])
TAGS = st.one_of(
    st.just(""),
    st.just(""),
    st.builds(lambda src, day, ttl: f" <!-- src:{src} ts:{day}{ttl} -->", SOURCES, DAYS, TTLS),
    st.just(" <!-- src:agent ts:2026-01-01 \u26a0\ufe0f stale -->"),
    st.just(" <!-- src:nobody ts:2026-01-01 -->"),
)
WORDS = st.sampled_from([
    "port 8080", "Port 8080.", "the NAS is called osprey", "The NAS is called osprey.", "deploys happen on Tuesday after the backup has run",
    "mail ada@mail.invalid about it", "see [notes](memory/notes.md)", "a `code span` and more", "\u57fa\u7840\u8bbe\u65bd\u8fd0\u884c\u5728\u672c\u673a\u4e0a",
    "not ready", "x", "line with | a pipe", "always ask before deleting any file", "build 41 passed", "build 42 passed", "long " * 30,
])  # fmt: skip
TITLES = st.sampled_from(["Infrastructure", "2026-06-05 Infrastructure", "People", "Web", "Sub", "2026-05-05", "Notes"])


@st.composite
def blocks(draw: st.DrawFn) -> str:
    kind = draw(st.sampled_from(["item", "item", "item", "nested", "text", "table", "code", "quote", "region", "blank", "comment", "html"]))
    words, tag = draw(WORDS), draw(TAGS)
    if kind == "item":
        return f"- {words}{tag}\n"
    if kind == "nested":
        return f"- {words}{tag}\n  - {draw(WORDS)}{draw(TAGS)}\n  - {draw(WORDS)}\n"
    if kind == "text":
        return f"\n{words}{tag}\n\n"
    if kind == "table":
        return f"\n{tag.strip()}\n| a | b |\n|---|---|\n| {words.replace('|', '')} | 2 |\n\n"
    if kind == "code":
        return f"\n```\n{words}\n```\n\n"
    if kind == "quote":
        return f"\n> {words}\n\n"
    if kind == "region":
        return f"\n<!-- x:start -->\n- {words}{tag}\n<!-- x:end -->\n\n"
    if kind == "comment":
        return "\n<!-- a remark of somebody -->\n\n"
    if kind == "html":
        return f"\n<div>{words}</div>\n\n"
    return "\n"


@st.composite
def documents(draw: st.DrawFn) -> str:
    text = draw(
        st.sampled_from(
            ["", "# Title\n\n", f"# Title{' <!-- src:agent ts:2026-01-01 ttl:30d -->'}\n\n", "---\nsrc: web\nts: 2026-01-01\n---\n\n"]
        )
    )
    for _ in range(draw(st.integers(0, 5))):
        if draw(st.booleans()):
            text += f"\n{'#' * draw(st.integers(1, 3))} {draw(TITLES)}{draw(TAGS)}\n\n"
        text += "".join(draw(st.lists(blocks(), max_size=6)))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return text.rstrip("\n") if draw(st.booleans()) else text


WORKSPACES = st.fixed_dictionaries(
    {"MEMORY.md": documents()},
    optional={
        "memory/infrastructure.md": documents(),
        "memory/notes.md": documents(),
        "memory/2026-11-29.md": documents(),
        "memory/2026-10-01.md": documents(),
        "memory/2026-05-05.md": documents(),
        "memory/archive/2026-12-01.md": documents(),
        "SOUL.md": documents(),
        "HEARTBEAT.md": documents(),
        "wiki/page.md": documents(),
    },
)


def planned(files: Mapping[str, str], steps: tuple[str, ...]) -> tuple[Plan, dict[str, str]]:
    plan = make_plan(kept_files(files, POLICY), POLICY, DAY, steps)
    after = dict(files)
    for path, data in plan.edits.items():
        if data is None:
            del after[path]
        else:
            after[path] = data.decode("utf-8", "surrogateescape")
    return plan, after


def facts(files: Mapping[str, str]) -> list[tuple[str, int, int, str, str]]:
    found = []
    for path, text in files.items():
        document = parse(text.encode("utf-8", "surrogateescape"))
        default = file_default(path, classify(path, POLICY), POLICY)
        for entry, claim in zip(document.entries, provenances(document, default), strict=True):
            core = _LINK.sub("](", core_of(entry.text))  # a link may be written for another folder
            if core and POINTER not in core and core != "-":
                found.append((path, entry.line, entry.end_line, core, claim.src))
    return found


ALL = ("expire", "dedupe", "compress", "tiers")


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(WORKSPACES, st.sampled_from([ALL, ("expire",), ("compress",), ("dedupe",), ("tiers",), (*ALL[:3], "promote", "tiers")]))
def test_nothing_is_lost(files: dict[str, str], steps: tuple[str, ...]) -> None:
    plan, after = planned(files, steps)
    gone = Counter((core, src) for *_place, core, src in facts(files)) - Counter((core, src) for *_place, core, src in facts(after))
    cold = [action for action in plan.actions if action.kind == "cold"]
    for path, line, end, core, src in facts(files):
        if gone[core, src] and any(a.path == path and a.line <= line and end <= max(a.end_line, a.line) for a in cold):
            gone[core, src] -= 1
    dropped = sum(
        len(parse(action.text.encode()).entries) for action in plan.actions if action.kind == "dedupe"
    )  # an item goes with its sub-items
    kept = {core for *_place, core, _src in facts(after)}
    assert sum(gone.values()) <= dropped, [key for key, number in gone.items() if number and key[0] not in kept]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    WORKSPACES,
    st.sampled_from(
        [ALL, (*ALL[:3], "promote", "tiers"), ("promote",), ("dedupe", "promote"), ("expire", "promote"), ("promote", "tiers")]
    ),
)
def test_twice_is_once(files: dict[str, str], steps: tuple[str, ...]) -> None:
    _plan, after = planned(files, steps)
    again, _same = planned(after, steps)
    assert (again.edits, again.actions) == ({}, ())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(WORKSPACES)
def test_the_users_facts_stay_where_they_are(files: dict[str, str]) -> None:
    _plan, after = planned(files, (*ALL[:3], "promote", "tiers"))
    for path in files:
        before = [core for other, *_place, core, src in facts(files) if other == path and src == "user"]
        now = [core for other, *_place, core, src in facts(after) if other == path and src == "user"]
        assert now == before, path


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(WORKSPACES)
def test_no_source_rises(files: dict[str, str]) -> None:
    _plan, after = planned(files, (*ALL[:3], "promote", "tiers"))
    highest: dict[str, int] = defaultdict(int)
    for *_place, core, src in facts(files):
        highest[core] = max(highest[core], RANK[src])
    for *_place, core, src in facts(after):
        if core in highest:
            assert RANK[src] <= highest[core], core


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(WORKSPACES)
def test_what_is_not_memorys_to_change_is_not_changed(files: dict[str, str]) -> None:
    plan, _after = planned(files, (*ALL[:3], "promote", "tiers"))
    assert not {"SOUL.md", "wiki/page.md"} & set(plan.edits)
