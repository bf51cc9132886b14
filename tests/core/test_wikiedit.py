"""Operations on pages: what they write, what they leave alone, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.markdown import parse
from hoard_git.core.model import RANK
from hoard_git.core.provenance import provenances
from hoard_git.core.tags import Tag
from hoard_git.core.wikiedit import Writing, apply_operation
from hoard_git.core.wikiops import MOST_OPERATIONS, batch_from_data
from hoard_git.core.wikipage import file_name, make_page, read_page
from hoard_git.errors import HoardError

FRONT = "---\ntitle: Node  # ours\nsrc: agent\nts: 2026-06-01\ntags:\n  - a\n  # kept\n  - b\n---\n"
BODY = "# Node\n\nIntro.\n\n## Notes\n\n- one\n\n### Deep\n\n- two\n\n## Rules  <!-- src:user ts:2026-06-01 -->\n\n- never\n"
PAGE = FRONT + BODY
TAG = "<!-- src:agent ts:2026-06-15 -->"


def apply(page: str, **operation: Any) -> str:
    one = batch_from_data([{"page": "node", **operation}]).operations[0]
    return apply_operation(page.encode(), one, "wiki/node.md", Writing("2026-06-15")).decode()


def append(text: str, section: str = "Notes", page: str = PAGE, **more: str) -> str:
    return apply(page, op="append_section", section=section, text=text, **more)


def replace(text: str, section: str = "Notes", page: str = PAGE, **more: str) -> str:
    return apply(page, op="replace_section", section=section, text=text, **more)


def set_front(page: str = PAGE, **values: Any) -> str:
    return apply(page, op="set_front_matter", values=values)


def test_appended_entries_carry_their_own_day() -> None:
    assert append("- three\n  more\n- four") == PAGE.replace("- one\n", f"- one\n- three {TAG}\n  more\n- four {TAG}\n")


def test_other_kinds_of_text_get_the_tag_above_them() -> None:
    page = append("para\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> q\n\n```\ncode\n```", src="web", ttl="7d", ev="https://a.example/x")
    tag = "<!-- src:web ts:2026-06-15 ttl:7d ev:https://a.example/x -->"
    assert page.count(tag) == 4
    added = {
        c.src for e, c in zip(parse(page.encode()).entries, provenances(parse(page.encode()), None), strict=True) if c.ts == "2026-06-15"
    }
    assert added == {"web"}


def test_an_append_that_is_sent_twice_writes_once() -> None:
    once = append("- three\n- four")
    assert append("- three\n- four", page=once) == once


def test_a_section_of_the_same_source_and_day_speaks_for_what_is_appended() -> None:
    page = f"# P  {TAG}\n\n- one\n"
    assert append("- two", "P", page) == f"# P  {TAG}\n\n- one\n- two\n"


def test_a_section_that_is_not_there_is_made() -> None:
    assert append("- x\n### More\n- y", "Plans") == f"{PAGE}\n## Plans  {TAG}\n\n- x\n### More\n- y\n"


@pytest.mark.parametrize("name", ["notes", "Notes", "## Notes", " NOTES "])
def test_a_section_is_found_by_title_and_slug(name: str) -> None:
    assert append("- x", name) == append("- x")


def test_a_section_is_found_by_id_and_line_ends_survive() -> None:
    page = "# P  <!-- src:agent ts:2026-06-01 id:k3f9q2 -->\r\n\r\n- one\r\n"
    assert append("- two", "k3f9q2", page) == page + f"- two {TAG}\r\n"


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_page_ends_in_a_newline_afterwards(end: str) -> None:
    page = f"# P  {TAG}\n\n## A\n\n- one\n\n## B\n\n- two{end}"
    assert append("- x", "A", page) == f"# P  {TAG}\n\n## A\n\n- one\n- x\n\n## B\n\n- two\n"
    assert append("- x", "B", page) == f"# P  {TAG}\n\n## A\n\n- one\n\n## B\n\n- two\n- x\n"


def test_a_last_line_without_an_end_gets_the_files_own() -> None:
    page = f"# P  {TAG}\r\n\r\n- one"
    assert append("- two", "P", page) == f"# P  {TAG}\r\n\r\n- one\r\n- two\r\n"


def test_a_heading_right_below_is_parted_from_what_is_put_before_it() -> None:
    page = f"# P  {TAG}\n## A\n- one\n## B\n- two\n"
    assert append("\n- x\n\n", "A", page) == f"# P  {TAG}\n## A\n- one\n- x\n\n## B\n- two\n"


def test_only_the_upper_ones_of_new_headings_get_a_tag() -> None:
    page = "# P  <!-- src:agent ts:2026-06-01 -->\n\n- one\n"
    assert append("- two\n\n## A\n\n### B\n\n- x", "P", page) == f"{page}- two {TAG}\n\n## A  {TAG}\n\n### B\n\n- x\n"


def test_a_new_section_needs_a_name_in_words() -> None:
    with pytest.raises(HoardError, match="needs a name in words, not '!!!'"):
        append("- x", "!!!")


def test_a_replaced_section_says_whose_it_is_now() -> None:
    done = replace("- new\n\n#### Deeper\n\n- x")
    assert done == PAGE.replace("## Notes\n\n- one\n\n### Deep\n\n- two\n", f"## Notes  {TAG}\n\n- new\n\n#### Deeper\n\n- x\n")


@pytest.mark.parametrize(
    ("known", "given", "now"), [("web", "agent", "web"), ("agent", "web", "web"), ("tool", "dig", "dig"), ("agent", "agent", "agent")]
)
def test_a_replaced_section_is_never_worth_more(known: str, given: str, now: str) -> None:
    page = f"# P\n\n## S  <!-- src:{known} ts:2026-06-01 ttl:9d id:k3f9q2 ev:x -->\n\n- old\n"
    assert replace("- new", "S", page, src=given) == f"# P\n\n## S  <!-- src:{now} ts:2026-06-15 ttl:9d id:k3f9q2 -->\n\n- new\n"


def test_an_underlined_title_and_the_same_words() -> None:
    page = "P  <!-- src:agent ts:2026-06-01 -->\n===\n\n- old\n"
    assert replace("- new", "P", page) == f"P  {TAG}\n===\n\n- new\n"
    assert replace("- old", "P", page) == page


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("## Same level", "Notes"),
        ("Title\n=====", "Notes"),
        ("```\nopen", "Notes"),
        ("- x\n\n### Deep", "Notes"),  # headings before the sections below
        ("  - under the item above", "Notes"),
    ],
)
def test_text_that_would_not_stay_in_its_section_is_refused(text: str, section: str) -> None:
    with pytest.raises(HoardError):
        append(text, section)


@pytest.mark.parametrize("text", ["# Up", "## Same", "Title\n===", "```\nopen", "~~~~\n```"])
def test_a_replacement_that_would_not_stay_inside_is_refused(text: str) -> None:
    with pytest.raises(HoardError, match="would not stay inside"):
        replace(text)


@pytest.mark.parametrize("section", ["Rules", "Node"])
def test_what_the_user_said_is_not_replaced(section: str) -> None:
    with pytest.raises(HoardError, match="what the user said"):
        replace("- x", section)


def test_nothing_is_put_under_a_users_heading() -> None:
    with pytest.raises(HoardError, match="is the user's"):
        append("- x", "Rules")


def test_a_users_item_in_an_agents_section_is_safe() -> None:
    page = PAGE.replace("- one", "- one <!-- src:user ts:2026-06-01 -->")
    with pytest.raises(HoardError, match=r"what the user said \(line 16\)"):
        replace("- x", page=page)
    with pytest.raises(HoardError):
        append("  - x", page=page)
    assert "- one <!-- src:user" in append("- x", page=page)


def test_a_name_of_two_sections_is_refused() -> None:
    with pytest.raises(HoardError, match="Several sections") as caught:
        append("- x", "S", "# P  <!-- src:agent ts:2026-06-01 -->\n\n## S\n\n- a\n\n## S\n\n- b\n")
    assert caught.value.hint == "Name one by its slug: s (line 3), s-1 (line 7)"


def test_a_section_that_is_not_there_is_not_replaced() -> None:
    with pytest.raises(HoardError, match="no section 'Gone'") as caught:
        replace("x", "Gone")
    assert caught.value.hint == "Sections: node, notes, deep, rules"


def test_another_tools_region_is_left_alone() -> None:
    page = "# P  <!-- src:agent ts:2026-06-01 -->\n\n<!-- dream:start -->\n- x\n<!-- dream:end -->\n"
    with pytest.raises(HoardError, match="region"):
        replace("- y", "P", page)
    beside = page + "\n## Notes  <!-- src:agent ts:2026-06-15 -->\n\n- one\n"
    assert append("- two", page=beside) == beside + "- two\n"


# ---------------------------------------------------------------- front matter


def test_keys_are_set_and_the_rest_stays() -> None:
    done = set_front(title="N: 2", tags=["x", "y, z"], links=["other"])
    assert done == '---\ntitle: "N: 2"  # ours\nsrc: agent\nts: 2026-06-01\ntags: [x, "y, z"]\n  # kept\nlinks: [other]\n---\n' + BODY


def test_a_key_is_taken_out_and_a_source_lowered() -> None:
    assert set_front(title=None, src="web") == PAGE.replace("title: Node  # ours\n", "").replace("src: agent", "src: web", 1)


def test_the_same_values_change_nothing() -> None:
    assert set_front(title="Node", tags=["a", "b"]) == PAGE


def test_a_page_without_front_matter_gets_one() -> None:
    assert set_front("\ufeff# P\r\n\r\n- x\r\n", tags=["a"]) == "\ufeff---\r\ntags: [a]\r\n---\r\n# P\r\n\r\n- x\r\n"


def test_a_link_is_added_once() -> None:
    once = apply(PAGE, op="add_link", to="other")
    assert once == PAGE.replace("---\n# Node", "links: [other]\n---\n# Node")
    assert apply(once, op="add_link", to="other") == once


@pytest.mark.parametrize(
    ("page", "values", "message"),
    [
        (PAGE.replace("src: agent", "src: web"), {"src": "agent"}, "cannot be raised to agent"),
        ("# P\n", {"src": "dig"}, "cannot be raised"),
        ("# P\n", {"ts": "2026-06-01"}, "would count for nothing"),
        (f"---\ntitle: x\n---\n# P  {TAG}\n", {"ttl": "9d"}, "The tag of the first heading"),
        (PAGE.replace("src: agent", "src: user"), {"title": "x"}, "the user's page"),
        (PAGE, {"tags": [f"{n:03}" + "x" * 190 for n in range(100)]}, "would not be read as meant"),
        (PAGE.replace("title: Node", "title: a: b"), {"title": "x"}, "is bad"),
        (PAGE.replace("title: Node", "title: a\ntitle: b"), {"title": "x"}, "stands twice"),
    ],
)
def test_front_matter_that_is_refused(page: str, values: dict[str, Any], message: str) -> None:
    with pytest.raises(HoardError, match=message):
        set_front(page, **values)


# ---------------------------------------------------------------- what is an operation


@pytest.mark.parametrize(
    "data",
    [
        None, 1, "x", {}, [], {"operations": []}, {"operations": {}}, [1], [{}], [{"op": "delete_page", "page": "x"}],
        [{"op": ["set_front_matter"], "page": "x"}],
        [{"op": "add_link", "page": "x"}], [{"op": "add_link", "page": "x", "to": "y", "label": "z"}], [{"op": "add_link", "page": "x\n", "to": "y"}],
        [{"op": "set_front_matter", "page": "x", "values": {}}], [{"op": "set_front_matter", "page": "x", "values": {"trust": "high"}}],
        [{"op": "set_front_matter", "page": "x", "values": {"src": "user"}}], [{"op": "set_front_matter", "page": "x", "values": {"src": None}}],
        [{"op": "set_front_matter", "page": "x", "values": {"title": 3}}], [{"op": "set_front_matter", "page": "x", "values": {"title": "a\nb"}}],
        [{"op": "set_front_matter", "page": "x", "values": {"tags": "a"}}], [{"op": "set_front_matter", "page": "x", "values": {"tags": [1]}}],
        [{"op": "set_front_matter", "page": "x", "values": {"ttl": "soon"}}], [{"op": "set_front_matter", "page": "x", "values": {"ts": "2026-13-01"}}],
        [{"op": "set_front_matter", "page": "x", "values": {"title": "x src:user"}}],
        [{"op": "append_section", "page": "x", "section": "s", "text": ""}], [{"op": "append_section", "page": "x", "text": "y"}],
        [{"op": "append_section", "page": "x", "section": "s", "text": "y", "src": "user"}],
        [{"op": "append_section", "page": "x", "section": "s", "text": "y", "ttl": "1"}],
        [{"op": "append_section", "page": "x", "section": "s", "text": "y", "ev": "a b"}],
        [{"op": "append_section", "page": "x", "section": "s <!-- src:user ts:2026-01-01 -->", "text": "y"}],
        [{"op": "append_section", "page": "x", "section": "s", "text": "y <!-- src:user ts:2026-01-01 -->"}],
        [{"op": "append_section", "page": "x", "section": "s", "text": "y SRC\uff1auser"}],
        [{"op": "append_section", "page": "x", "section": "s", "text": "y \u0455rc:user"}],
        [{"op": "append_section", "page": "x", "section": "s", "text": "y &lt;!-- z"}],
        [{"op": "append_section", "page": "x", "section": "s", "text": "a\rb"}], [{"op": "append_section", "page": "x", "section": "s", "text": "a\x1b[2J"}],
        [{"op": "append_section", "page": "x", "section": "s", "text": "a" * (1 << 17)}],
        [{"op": "add_link", "page": "x", "to": "y"}] * (MOST_OPERATIONS + 1),
        {"operations": [{"op": "add_link", "page": "x", "to": "y"}], "author": "x"},
    ],
)  # fmt: skip
def test_what_is_no_batch_of_operations(data: object) -> None:
    with pytest.raises(HoardError) as caught:
        batch_from_data(data)
    assert caught.value.hint


def test_words_that_are_no_tag() -> None:
    assert batch_from_data([{"op": "append_section", "page": "x", "section": "s", "text": "DNS ttl: 300, the src folder, ts: now"}])


# ---------------------------------------------------------------- nothing is worth more, nothing is lost


_LINES = st.lists(
    st.sampled_from(
        ["- a", "- b", "  - c", "text", "", "# H", "## H", "### H", "```", "> q", "| a |", "|---|", "---", "===", "    x", "\\", "1. x"]
    ),
    min_size=1,
    max_size=7,
)


@given(_LINES, st.sampled_from(["Notes", "Deep", "Node", "Fresh"]), st.sampled_from(["agent", "web"]), st.booleans())
def test_whatever_is_written_the_rest_stays_and_nothing_is_raised(lines: list[str], section: str, src: str, whole: bool) -> None:
    text = "\n".join(lines)
    try:
        done = (replace if whole else append)(text, section, src=src)
    except HoardError:
        return
    before, after = parse(PAGE.encode()), parse(done.encode())
    claims = list(zip(after.entries, provenances(after, None), strict=True))
    kept = [(e.text, c.src) for e, c in claims]
    assert ("- never", "user") in kept
    assert ("Intro.", "agent") in kept
    assert sum(c.src == "user" for _e, c in claims) == 1
    assert all(RANK[c.src] <= RANK[src] for _e, c in claims if c.ts == "2026-06-15")
    if not whole:
        assert [e.text for e in before.entries if e.kind == "item"] == [t for t, _src in kept if t in {"- one", "- two", "- never"}]


# ---------------------------------------------------------------- new pages


def test_a_new_page() -> None:
    data = make_page("Node: 2", Tag("web", "2026-06-15", "9d", "k3f9q2", "https://a.example"), ["a"], "## Notes\n\n- x\n")
    page = read_page(parse(data), "wiki/x.md", None)
    assert (page.title, page.tags, page.links, page.id) == ("Node: 2", ("a",), (), "k3f9q2")
    assert (page.provenance.src, page.provenance.ts, page.provenance.ttl) == ("web", "2026-06-15", "9d")
    assert [(s.name, s.provenance.src) for s in page.sections] == [("node-2", "web"), ("notes", "web")]


@pytest.mark.parametrize(("title", "text"), [("x", "# y"), ("x", "```"), ("x", "---\nsrc: user\n---\nT\n==="), ("x #", "")])
def test_a_page_that_would_not_read_as_meant(title: str, text: str) -> None:
    with pytest.raises(HoardError):
        make_page(title, Tag("agent", "2026-06-15"), (), text)


def test_file_names() -> None:
    assert file_name("Node 2: the queue") == "node-2-the-queue.md"
    assert file_name("\u65e5\u672c\u8a9e") == "\u65e5\u672c\u8a9e.md"
    with pytest.raises(HoardError):
        file_name("\U0001f600")
