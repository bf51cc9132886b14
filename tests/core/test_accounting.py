"""The proof that nothing is lost: what is found elsewhere, what a twin says, what is named, and what is neither."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterable, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.accounting import Books, facts_of, find_unaccounted, side_of
from hoard_git.core.files import classify, file_default
from hoard_git.core.policy import DEFAULT
from hoard_git.core.units import Side
from hoard_git.errors import HoardError

ARCHIVE = "memory/archive/2026-12-01.md"
AGENT, WEB, USER = (f"<!-- src:{src} ts:2026-06-01 -->" for src in ("agent", "web", "user"))
LONG = "The wiki runs on the second node behind the proxy"
OID = "0123456789" * 4

Files = Mapping[str, str | bytes]


def sides(files: Files) -> list[Side]:
    found = []
    for path, text in files.items():
        name = classify(path, DEFAULT)
        found.append(side_of(path, name, text.encode() if isinstance(text, str) else text, file_default(path, name, DEFAULT)))
    return found


def lost(before: Files, after: Files, named: Iterable[tuple[str, int, int]] = (), elsewhere: Files | None = None) -> list[tuple[str, int]]:
    def others(texts: Sequence[str]) -> list[Side]:
        return sides({path: text for path, text in (elsewhere or {}).items() if any(each in str(text) for each in texts)})

    return [(unit.path, unit.line) for unit in find_unaccounted(sides(before), sides(after), named, elsewhere=others)]


def section(*lines: str, title: str = "Hosts", tag: str = AGENT) -> str:
    return f"# M\n\n## {title} {tag}\n\n" + "".join(f"- {line}\n" for line in lines)


# -------------------------------------------------------------------- found again


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param({"MEMORY.md": section("a", "b")}, {"MEMORY.md": section("b", "a")}, id="another order"),
        pytest.param({"MEMORY.md": section("a")}, {"memory/x.md": section("a")}, id="another file"),
        pytest.param({"MEMORY.md": section("a")}, {"MEMORY.md": section("a", title="Else")}, id="another heading"),
        pytest.param({"MEMORY.md": section("a")}, {"MEMORY.md": f"* a {AGENT}\n"}, id="another marker, its own tag"),
        pytest.param({"MEMORY.md": section("a")}, {ARCHIVE: f"## Hosts\n\n- a {AGENT}\n"}, id="the archive"),
        pytest.param({"MEMORY.md": section("a")}, {"MEMORY.md": section("a").replace("-->", "\u26a0\ufe0f stale -->")}, id="stale"),
        pytest.param({"MEMORY.md": section("a")}, {"MEMORY.md": section("a").replace("\n", "\r\n")}, id="line ends"),
        pytest.param({"MEMORY.md": section("a", "", "b")}, {"MEMORY.md": section("a", "b")}, id="an item with nothing in it"),
        pytest.param({"MEMORY.md": "# M\n\n## Empty\n"}, {"MEMORY.md": "# M\n"}, id="a heading alone"),
        pytest.param({"MEMORY.md": section("[x](memory/x.md)")}, {"memory/y.md": section("[x](x.md)")}, id="a link for the new place"),
        pytest.param({"MEMORY.md": section("[x](memory/x.md)")}, {ARCHIVE: section("[x](memory/x.md)")}, id="a link as it was"),
        pytest.param(
            {"MEMORY.md": section("[x](x.md) [up](../up.md)")}, {"memory/y.md": section("[x](../x.md) [up](../up.md)")}, id="one of each"
        ),
        pytest.param({"MEMORY.md": section(LONG, LONG)}, {"MEMORY.md": section(LONG)}, id="a copy"),
        pytest.param({"MEMORY.md": section(LONG, f"**{LONG}**.")}, {"MEMORY.md": section(LONG)}, id="the same in other dress"),
        pytest.param({"MEMORY.md": section("port 1"), "memory/x.md": section("Port 1.")}, {"MEMORY.md": section("port 1")}, id="short"),
        pytest.param(
            {"MEMORY.md": section("port 1", title="2026-06-01 Hosts"), "memory/x.md": section("port 1")},
            {"memory/x.md": section("port 1")},
            id="short, under the same heading with a date",
        ),
        pytest.param({"MEMORY.md": section(LONG), "memory/x.md": f"- {LONG} {USER}\n"}, {"memory/x.md": f"- {LONG} {USER}\n"}, id="trust"),
        pytest.param(
            {"MEMORY.md": "- \u2192 7 facts in [x](memory/x.md)\n"}, {"MEMORY.md": "- \u2192 9 facts in [x](memory/x.md)\n"}, id="pointer"
        ),
        pytest.param(
            {ARCHIVE: section("a")}, {"memory/archive/2026-12-01.md.gz": gzip.compress(section("a").encode(), mtime=0)}, id="packed"
        ),
        pytest.param(
            {"memory/archive/x.md.gz": gzip.compress(section("a").encode(), mtime=0)}, {"memory/x.md": section("a")}, id="unpacked"
        ),
    ],
)  # fmt: skip
def test_what_is_accounted_for(before: Files, after: Files) -> None:
    assert lost(before, after) == []


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        pytest.param({"MEMORY.md": section("a", "b")}, {"MEMORY.md": section("b")}, [("MEMORY.md", 5)], id="dropped"),
        pytest.param({"MEMORY.md": section("a")}, {}, [("MEMORY.md", 5)], id="the file"),
        pytest.param({"MEMORY.md": section("port 1")}, {"MEMORY.md": section("port 2")}, [("MEMORY.md", 5)], id="a number"),
        pytest.param({"MEMORY.md": section("is on")}, {"MEMORY.md": section("is not on")}, [("MEMORY.md", 5)], id="a negation"),
        pytest.param({"MEMORY.md": section("a")}, {"MEMORY.md": section("a", tag=WEB)}, [("MEMORY.md", 5)], id="a lower source"),
        pytest.param({"MEMORY.md": section("a", tag=WEB)}, {ARCHIVE: section("a")}, [("MEMORY.md", 5)], id="a higher source"),
        pytest.param({"MEMORY.md": section("[x](a.md)")}, {"MEMORY.md": section("[x](b.md)")}, [("MEMORY.md", 5)], id="another link"),
        pytest.param(
            {"MEMORY.md": section("port 1") + section("port 1", title="Else")}, {"MEMORY.md": section("port 1")}, [("MEMORY.md", 10)],
            id="a short fact under another heading",
        ),
        pytest.param(
            {"MEMORY.md": section(LONG), "memory/x.md": f"- {LONG} {WEB}\n"}, {"memory/x.md": f"- {LONG} {WEB}\n"}, [("MEMORY.md", 5)],
            id="a twin of less trust",
        ),
        pytest.param(
            {f"memory/2026-06-0{n}.md": f"# Log\n\n- {LONG}\n" for n in (1, 2)}, {"memory/2026-06-02.md": f"# Log\n\n- {LONG}\n"},
            [("memory/2026-06-01.md", 3)], id="two days",
        ),
        pytest.param(
            {f"memory/{name}.md": f"# Log {AGENT}\n\n- {LONG}\n" for name in ("2026-06-01", "archive/logs/2026-05-01")},
            {"memory/archive/logs/2026-05-01.md": f"# Log {AGENT}\n\n- {LONG}\n"}, [("memory/2026-06-01.md", 3)], id="an older day in the archive",
        ),
        pytest.param(
            {"MEMORY.md": "- \u2192 7 facts in [x](memory/x.md)\n"}, {"MEMORY.md": "- \u2192 9 facts in [y](memory/y.md)\n"},
            [("MEMORY.md", 1)], id="a pointer to another file",
        ),
        pytest.param({"MEMORY.md": section("- [ ] pay")}, {}, [("MEMORY.md", 5)], id="a task"),
        pytest.param({ARCHIVE: section("a")}, {}, [(ARCHIVE, 5)], id="out of the archive"),
    ],
)  # fmt: skip
def test_what_is_lost(before: Files, after: Files, gone: list[tuple[str, int]]) -> None:
    assert lost(before, after) == gone


def test_of_two_equal_facts_the_one_that_went_is_told() -> None:
    before = {"MEMORY.md": section("port 1") + section("port 1", title="Else")}
    assert lost(before, {"MEMORY.md": "# M\n" * 2 + section("port 1", title="Else")}) == [("MEMORY.md", 5)]


def test_named_places_are_accounted_for() -> None:
    before = {"MEMORY.md": section("a", "b", "c")}
    assert lost(before, {}, [("MEMORY.md", 5, 6)]) == [("MEMORY.md", 7)]
    assert lost(before, {}, [("MEMORY.md", 1, 100)]) == []
    assert lost(before, {}, [("memory/x.md", 1, 100)]) == [("MEMORY.md", 5), ("MEMORY.md", 6), ("MEMORY.md", 7)]


def test_a_twin_in_a_file_that_the_change_leaves_alone() -> None:
    before = {"MEMORY.md": section(LONG, "port 1")}
    assert lost(before, {}, elsewhere={"memory/x.md": f"- {LONG} {AGENT}\n- port 1 {AGENT}\n"}) == [("MEMORY.md", 6)]
    assert lost(before, {}, elsewhere={"memory/x.md": section(LONG, "port 1")}) == []


def test_damaged_gzip_is_no_empty_file() -> None:
    with pytest.raises(HoardError):
        side_of("memory/archive/x.md.gz", "archive", gzip.compress(b"- a\n" * 99)[:-9])


def test_links_in_code_are_none() -> None:
    side = sides({"MEMORY.md": "```\n[x](x.md)\n```\n"})[0]
    assert [fact.linked for fact in facts_of(side)] == [fact.core for fact in facts_of(side)]


# -------------------------------------------------------------------- claims


def judge(value: str, before: Files, after: Files, lines: Sequence[str] | None = None, elsewhere: Files | None = None) -> str:
    def others(_texts: Sequence[str]) -> list[Side]:
        return sides(elsewhere or {})

    def lines_at(oid: str, path: str, first: int, last: int) -> Sequence[str] | None:
        if lines is not None:
            return lines[first - 1 : last]
        text = before.get(path) if oid == OID else None
        return text.split("\n")[first - 1 : last] if isinstance(text, str) else None

    return Books(sides(before), sides(after), elsewhere=others, lines_at=lines_at).judge(value)[0]


TAGGED = section(f"a {AGENT[:-3]}id:k3f9q2 -->", "b", LONG)


@pytest.mark.parametrize(
    ("value", "after"),
    [
        (f"k3f9q2 archive {ARCHIVE}", {"MEMORY.md": section("b", LONG), ARCHIVE: f"- a {AGENT}\n"}),
        (f"- archive {ARCHIVE}", {"MEMORY.md": section("b", LONG), ARCHIVE: f"- a {AGENT}\n"}),
        ("- offload memory/two%20words.md", {"memory/two words.md": section("b")}),
        ("- duplicate zzzzzz", {"memory/x.md": f"- **{LONG}**. {AGENT[:-3]}id:zzzzzz -->\n"}),
        (f"k3f9q2 history {OID}:MEMORY.md#L5-L5", {}),
        (f"- history {OID}:MEMORY.md#L1-L8", {}),
        (f"- history {OID}:MEMORY.md#L6-L6", {"MEMORY.md": TAGGED.replace("- b", "- c")}),
    ],
)
def test_true_claims(value: str, after: Files) -> None:
    assert judge(value, {"MEMORY.md": TAGGED}, after) == ""


@pytest.mark.parametrize(
    ("value", "after"),
    [
        (f"k3f9q2 archive {ARCHIVE}", {}),
        (f"k3f9q2 archive {ARCHIVE}", {ARCHIVE: section("b")}),
        ("k3f9q2 archive memory/x.md", {"memory/x.md": section("a")}),
        (f"k3f9q2 offload {ARCHIVE}", {ARCHIVE: section("a")}),
        (f"zzzzzz archive {ARCHIVE}", {ARCHIVE: section("a")}),
        (f"- archive {ARCHIVE}", {"MEMORY.md": TAGGED, ARCHIVE: section("a")}),
        ("- offload memory/x.md", {"memory/x.md": section("other")}),
        ("- duplicate zzzzzz", {"memory/x.md": f"- {LONG} {AGENT}\n"}),
        ("- duplicate zzzzzz", {"memory/x.md": f"- {LONG} today {AGENT[:-3]}id:zzzzzz -->\n"}),
        ("- duplicate zzzzzz", {"memory/x.md": f"- {LONG} {WEB[:-3]}id:zzzzzz -->\n"}),
        ("- duplicate zzzzzz", {"MEMORY.md": TAGGED, "memory/x.md": f"- {LONG} {AGENT[:-3]}id:zzzzzz -->\n"}),
        (f"- history {OID}:MEMORY.md#L1-L3", {}),
        (f"- history {OID}:MEMORY.md#L1-L99", {}),
        (f"- history {OID}:memory/x.md#L1-L1", {}),
        (f"- history {'9' * 40}:MEMORY.md#L5-L5", {}),
        (f"zzzzzz history {OID}:MEMORY.md#L6-L6", {}),
        (f"- history {OID}:MEMORY.md#L5-L5", {"MEMORY.md": TAGGED}),
        ("nonsense", {}),
    ],
)
def test_false_claims(value: str, after: Files) -> None:
    assert judge(value, {"MEMORY.md": TAGGED}, after) != ""


def test_lines_of_an_earlier_commit_have_to_hold_the_words() -> None:
    value = f"- history {OID}:MEMORY.md#L2-L3"
    assert judge(value, {"MEMORY.md": TAGGED}, {}, ["# Old", f"- {LONG}", "- and more"]) == ""
    assert judge(value, {"MEMORY.md": TAGGED}, {}, ["# Old", "- something", "- else"]) == "names lines that do not hold what left"
    assert judge(value, {"MEMORY.md": TAGGED}, {}, ["# Old", f"- {LONG}"]) == "names lines that no commit before this one has"


def test_a_file_or_twin_that_the_change_leaves_alone() -> None:
    before = {"MEMORY.md": TAGGED}
    assert judge(f"- archive {ARCHIVE}", before, {}, elsewhere={ARCHIVE: section("b")}) == ""
    assert judge("- duplicate zzzzzz", before, {}, elsewhere={"memory/x.md": f"- {LONG} {AGENT[:-3]}id:zzzzzz -->\n"}) == ""
    assert judge(f"- archive {ARCHIVE}", before, {}, elsewhere={"memory/x.md": section("b")}) != ""


# -------------------------------------------------------------------- laws

FACTS = st.sampled_from(
    ["port 1", "port 2", LONG, f"**{LONG}**.", "see [x](memory/x.md)", "- [ ] pay", "a\n  b", "\u65e5\u672c", "-", "`x  y`"]
)
PATHS = st.sampled_from(["MEMORY.md", "memory/a.md", "memory/2026-06-01.md", "memory/2026-06-02.md", ARCHIVE])
TITLES = st.sampled_from(["One", "2026-06-01 One", "Two"])
TAGS = st.sampled_from([AGENT, WEB, USER])


@st.composite
def workspaces(draw: st.DrawFn) -> dict[str, list[tuple[str, str, str]]]:
    return draw(st.dictionaries(PATHS, st.lists(st.tuples(TITLES, FACTS, TAGS), max_size=6), min_size=1))


def written(files: Mapping[str, Sequence[tuple[str, str, str]]]) -> dict[str, str]:
    return {path: "# T\n" + "".join(f"\n## {title} {tag}\n\n- {fact}\n" for title, fact, tag in rows) for path, rows in files.items()}


@given(workspaces(), st.randoms(use_true_random=False))
def test_whatever_moves_is_accounted_for(files: dict[str, list[tuple[str, str, str]]], chance: random.Random) -> None:
    rows = [row for found in files.values() for row in found]
    chance.shuffle(rows)
    after: dict[str, list[tuple[str, str, str]]] = {}
    for row in rows:
        after.setdefault(chance.choice(["MEMORY.md", "memory/z.md", ARCHIVE]), []).append(row)
    assert lost(written(files), written(files)) == []
    assert lost(written(files), written(after)) == []


@given(workspaces())
def test_whatever_is_dropped_is_lost_once_for_each_entry(files: dict[str, list[tuple[str, str, str]]]) -> None:
    before = written(files)
    told = lost(before, {})
    assert told == [(fact.path, fact.line) for side in sorted(sides(before)) for fact in facts_of(side)]
    assert lost(before, {}, [(path, line, line + 2) for path, line in told]) == []


@given(workspaces(), st.data())
def test_a_single_new_fact_in_place_of_another_is_never_taken_for_it(
    files: dict[str, list[tuple[str, str, str]]], data: st.DataObject
) -> None:
    path = data.draw(st.sampled_from(sorted(files)))
    if not files[path]:
        return
    at = data.draw(st.integers(0, len(files[path]) - 1))
    title, _fact, tag = files[path][at]
    unique = {**files, path: [*files[path][:at], (title, "only once 77", tag), *files[path][at + 1 :]]}
    other = {**files, path: [*files[path][:at], (title, "only once 78", tag), *files[path][at + 1 :]]}
    assert len(lost(written(unique), written(other))) == 1


def test_without_a_look_elsewhere_an_unchanged_file_holds_nothing() -> None:
    assert Books(sides({"MEMORY.md": TAGGED}), []).judge(f"- archive {ARCHIVE}")[0] == "names a file that is no archive after the change"
