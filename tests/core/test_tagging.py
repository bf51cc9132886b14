"""What `hoard tag` plans: comments only, in places where they count, with the best date that can be had."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoard_git.core.dates import parse_day
from hoard_git.core.markdown import parse
from hoard_git.core.provenance import provenances
from hoard_git.core.tagging import Question, TagPlan, plan_tags
from hoard_git.core.tags import Tag

TODAY = parse_day("2026-06-15") or 0
GIT_DAY = parse_day("2026-05-01") or 0


def plan(
    text: str | bytes,
    path: str = "memory/topic.md",
    file_class: str = "topic",
    source: str = "agent",
    day: int | None = None,
    default: Tag | None = None,
) -> TagPlan:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
    return plan_tags(parse(data), Question(path, file_class, default, source, TODAY, lambda _first, _last: day))


def tagged(text: str, **how: object) -> str:
    return plan(text, **how).data.decode()  # type: ignore[arg-type]


def origins(text: str, **how: object) -> list[tuple[int, str, str]]:
    """(line, ts, where the date is from) of every insertion."""
    return [(i.line, i.tag.ts, i.date_from) for i in plan(text, **how).insertions]  # type: ignore[arg-type]


class TestPlaces:
    def test_the_outermost_heading_speaks_for_a_topic_file(self) -> None:
        assert (
            tagged("# Coffee\n\n## Beans\n- a\n\n## Water\n- b\n")
            == "# Coffee  <!-- src:agent ts:unknown -->\n\n## Beans\n- a\n\n## Water\n- b\n"
        )

    def test_in_the_index_each_section_speaks_for_itself(self) -> None:
        said = tagged("# MEMORY\n\n## A\n- a\n### B\n- b\n\n## C\n- c\n", path="MEMORY.md", file_class="index")
        assert [line for line in said.split("\n") if "src:" in line] == [
            "## A  <!-- src:agent ts:unknown -->",
            "## C  <!-- src:agent ts:unknown -->",
        ]

    def test_without_a_heading_every_entry_speaks_for_itself(self) -> None:
        tag = "<!-- src:agent ts:unknown -->"
        assert tagged("- a\n  - child\n- b\n") == f"- a {tag}\n  - child\n- b {tag}\n"
        assert tagged("A paragraph.\nGoes on.\n\nAnother.\n") == f"{tag}\nA paragraph.\nGoes on.\n\n{tag}\nAnother.\n"
        assert tagged("| a | b |\n|---|---|\n| 1 | 2 |\n") == f"{tag}\n| a | b |\n|---|---|\n| 1 | 2 |\n"

    def test_what_is_tagged_stays(self) -> None:
        text = "# T <!-- src:web ts:2026-01-01 -->\n- a\n- b <!-- src:tool ts:2026-01-02 -->\n"
        assert plan(text).insertions == ()
        assert tagged("- a <!-- src:tool ts:2026-01-02 -->\n- b\n").startswith("- a <!-- src:tool ts:2026-01-02 -->\n- b <!-- src:agent")

    def test_a_file_that_counts_as_something_needs_none(self) -> None:
        assert plan("- a\n", default=Tag("agent", "2026-06-01")).insertions == ()

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "\n\n",
            "---\nname: x\ntype: user\n---\n",
            "---\ndescription: human\nlimit: 2000\nread_only: false\n---\n",
            "<!-- openclaw:dreaming:light:start -->\n- candidate\n<!-- openclaw:dreaming:light:end -->\n",
            "user: hello there\nassistant: hi\nuser: bye now\nassistant: bye\n",
            "[ref]: https://example.org\n",
        ],
    )
    def test_other_peoples_parts_are_left_alone(self, text: str) -> None:
        assert plan(text).data == text.encode()

    def test_front_matter_stays_and_the_text_below_is_tagged(self) -> None:
        text = "---\nname: x\ntype: user\n---\n\n# X\n- a\n"
        assert tagged(text) == text.replace("# X", "# X  <!-- src:agent ts:unknown -->")

    def test_a_heading_inside_a_region_is_not_tagged(self) -> None:
        text = "<!-- x:start -->\n# A\n- in\n<!-- x:end -->\n- out\n"
        assert tagged(text) == text.replace("- out", "- out <!-- src:agent ts:unknown -->")

    def test_line_ends_and_a_missing_last_newline(self) -> None:
        assert (
            tagged("# T\r\n- a\r\n- 2026-02-14 b")
            == "# T  <!-- src:agent ts:unknown -->\r\n- a\r\n- 2026-02-14 b <!-- src:agent ts:2026-02-14 -->"
        )
        assert tagged("Text.\r\n") == "<!-- src:agent ts:unknown -->\r\nText.\r\n"

    def test_a_place_where_a_comment_would_not_count_is_named(self) -> None:
        planned = plan("- a `open\n  code` b\n- good\n\n# T ##\n- x\n")
        assert planned.data.count(b"src:") == len(planned.insertions)
        assert all(reason for _line, reason in planned.left)


class TestDates:
    def test_the_order_own_heading_file_commit_unknown(self) -> None:
        both = "# Sprint 2026-03-01\n- 2026-02-14 own\n- other\n"
        assert origins(both, path="memory/2026-04-01-x.md", day=GIT_DAY) == [(1, "2026-03-01", "heading"), (2, "2026-02-14", "own")]
        assert origins("# S\n- a\n", path="memory/x-2026-04-01.md", day=GIT_DAY) == [(1, "2026-04-01", "file name")]
        assert origins("# S\n- a\n", day=GIT_DAY) == [(1, "2026-05-01", "commit")]
        assert origins("# S\n- a\n") == [(1, "unknown", "")]

    def test_a_line_that_only_a_bulk_commit_knows_makes_its_block_unknown(self) -> None:
        asked = Question("memory/t.md", "topic", None, "agent", TODAY, lambda first, _last: GIT_DAY if first == 2 else None)
        assert [i.tag.ts for i in plan_tags(parse(b"# S\n- a\n- b\n"), asked).insertions] == ["unknown"]

    def test_a_date_to_come_is_not_the_day_it_was_learned(self) -> None:
        assert origins("# Plans 2027-01-01\n- 2026-12-24: party\n", day=GIT_DAY) == [(1, "2026-05-01", "commit")]

    def test_headings_below_with_a_date_of_their_own(self) -> None:
        text = "# Log\n## 2026-03-01\n- a\n## 2026-03-02\n- b\n"
        assert origins(text) == [(1, "unknown", ""), (2, "2026-03-01", "heading"), (4, "2026-03-02", "heading")]

    def test_a_date_equal_to_the_headings_is_not_repeated(self) -> None:
        assert origins("# 2026-03-01\n- 2026-03-01 a\n") == [(1, "2026-03-01", "heading")]

    def test_a_paragraph_with_a_date_gets_a_comment_above(self) -> None:
        assert tagged("# T\n\n2026-02-14: decided.\n").split("\n")[2] == "<!-- src:agent ts:2026-02-14 -->"


class TestForeignConventions:
    def test_a_promotion_comment_gives_evidence_and_date(self) -> None:
        text = (
            "## Promoted From Short-Term Memory (2026-05-02)\n<!-- openclaw-memory-promotion:memory:memory/2026-04-17.md:7:9 -->\n"
            "- Door code changed [score=0.81 recalls=2 avg=0.62 source=memory/2026-04-17.md:7-9]\n"
        )
        said = tagged(text, path="MEMORY.md", file_class="index").split("\n")
        assert said[0].endswith("<!-- src:agent ts:2026-05-02 -->")
        assert said[1] == text.split("\n")[1]
        assert said[2].endswith("source=memory/2026-04-17.md:7-9] <!-- src:agent ts:2026-04-17 ev:memory/2026-04-17.md:7-9 -->")

    def test_a_promotion_comment_alone_does_so_for_the_line_below_it(self) -> None:
        mark = "<!-- openclaw-memory-promotion:memory:memory/2026-04-17.md:7:9 -->"
        text = f"# M\n\n- Wiki moved\n{mark}\n- Door code changed\n- Lamp broke\n"
        said = tagged(text, path="MEMORY.md", file_class="index").split("\n")
        assert [line for line in said if "ev:" in line] == [
            "- Door code changed <!-- src:agent ts:2026-04-17 ev:memory/2026-04-17.md:7-9 -->"
        ]

    def test_a_score_alone_gives_evidence(self) -> None:
        (found,) = plan("- x [score=0.81 recalls=2 source=memory/2026-04-17.md:7-9]\n").insertions
        assert (found.tag.ev, found.tag.ts) == ("memory/2026-04-17.md:7-9", "2026-04-17")

    def test_evidence_that_no_tag_may_hold_is_left_out(self) -> None:
        (found,) = plan("- x [score=0.81 source=memory/\u00e4--b.md:7-9]\n").insertions
        assert found.tag.ev == ""

    @pytest.mark.parametrize(
        ("line", "tag"),
        [
            ("- Lesson (2026-01-15) ttl:90d source:discovered conf:med", Tag("agent", "2026-01-15", "90d")),
            ("- From a page source:web", Tag("web", "unknown")),
            ("- From a page (source: web)", Tag("web", "unknown")),
            ("- [2026-06-02 06:08] **T** body. <!-- id:8f3a2c, ttl:90d, keep:1 -->", Tag("agent", "2026-06-02", "90d")),
            ("- [2026-06-02] [note] [ttl:90d] [ref:0] text", Tag("agent", "2026-06-02", "90d")),
            ("- octal ttl:09d", Tag("agent", "unknown")),
            ("- typo ttl:90", Tag("agent", "unknown")),
            ("- words ttl:infinite", Tag("agent", "unknown")),
            ("- code `ttl:90d`", Tag("agent", "unknown")),
            ("- [confidence: high, source: mail] text", Tag("agent", "unknown")),
            ("- **Session Key**: agent:main", Tag("agent", "unknown")),
        ],
    )
    def test_words_of_an_entry(self, line: str, tag: Tag) -> None:
        (found,) = plan(line + "\n").insertions
        assert found.tag == tag
        assert tagged(line + "\n").startswith(line)

    def test_a_source_in_the_text_never_raises(self) -> None:
        (found,) = plan("- x source:agent\n", source="web").insertions
        assert found.tag.src == "web"


LINES = st.lists(
    st.one_of(
        st.sampled_from(
            [
                "# A",
                "## B 2026-03-01",
                "### C ##",
                "Set\n===",
                "- item",
                "  - child 2026-02-14",
                "1. one",
                "* [ ] box",
                "- 2026-02-14: dated",
                "",
                "text",
                "text  ",
                "| a | b |",
                "|---|---|",
                "```",
                "~~~",
                "    code",
                "> quote",
                "> - in quote",
                "<div>",
                "</div>",
                "---",
                "user: hi",
                "assistant: yes",
                "§",
                "<!-- x:start -->",
                "<!-- x:end -->",
                "<!-- note -->",
                "<!-- open",
                "-->",
                "- a <!-- src:web ts:2026-01-01 -->",
                "## T <!-- src:user ts:2026-01-01 -->",
                "<!-- openclaw-memory-promotion:memory:memory/2026-04-17.md:7:9 -->",
                "- x `a",
                "b` y",
                "\\",
                "- x \\",
                "[r]: u",
                "- ttl:30d source:web",
                "- a\r",
                "b\r",
            ]
        ),
        st.text(alphabet="#-*>`|<!= \t\\[](){}.:0129aé\u200b~_\ud800", max_size=12),
    ),
    max_size=16,
)


@given(LINES, st.sampled_from(["topic", "index"]), st.booleans())
@settings(max_examples=300, deadline=None)
def test_only_comments_are_added_and_each_is_read_as_a_tag(lines: list[str], file_class: str, final: bool) -> None:
    raw = ("\n".join(lines) + ("\n" if final else "")).encode(
        "utf-8", "surrogateescape" if "\ud800" not in "".join(lines) else "surrogatepass"
    )
    planned = plan(raw, file_class=file_class)

    back = planned.data.split(b"\n")
    for insertion in reversed(planned.insertions):
        text = insertion.text.encode()
        at = insertion.line - 1 + sum(other.column < 0 and other.line < insertion.line for other in planned.insertions)
        at += any(other.column < 0 and other.line == insertion.line for other in planned.insertions) and insertion.column >= 0
        if insertion.column < 0:
            assert back[at].removesuffix(b"\r") == text
            del back[at]
        else:
            assert text in back[at]
            head, _, tail = back[at].rpartition(text)
            back[at] = head + tail
    assert b"\n".join(back) == raw
    document = parse(planned.data)
    good = [mark.tag for mark in document.marks if mark.tag is not None and not mark.misplaced]
    assert all(insertion.tag in good for insertion in planned.insertions)
    again = plan(planned.data, file_class=file_class)
    assert again.data == planned.data
    assert not any(found.src == "user" for found in provenances(document, None)) or b"src:user" in raw


def test_a_large_file_takes_less_than_two_seconds() -> None:
    lines = []
    for n in range(1000):
        lines += [
            f"## Section {n}",
            f"- fact {n} (2026-02-{n % 28 + 1:02d})",
            "- other `open" if n % 50 == 0 else "- other",
            f"| {n} | x |",
            "",
        ]
    started = time.process_time()

    planned = plan("\n".join(lines), path="MEMORY.md", file_class="index")

    assert time.process_time() - started < 2
    assert len(planned.insertions) >= 1990


def test_what_is_in_no_commit_is_of_today() -> None:
    assert origins("A paragraph.\n", day=0) == [(1, "2026-06-15", "uncommitted")]
    text = "# A\n- one is up\n- two is up\n"
    asked = Question("memory/topic.md", "topic", None, "agent", TODAY, lambda first, _last: 0 if first == 3 else GIT_DAY)
    assert plan_tags(parse(text.encode()), asked).data.decode() == (
        "# A  <!-- src:agent ts:2026-05-01 -->\n- one is up\n- two is up <!-- src:agent ts:2026-06-15 -->\n"
    )


def test_a_quote_below_a_tagged_heading_gets_no_tag_of_its_own() -> None:
    text = "# A\n\n> The port is 8080 (ttl:9d)\n\n- The port is 8080 (ttl:9d)\n"
    assert tagged(text) == (
        "# A  <!-- src:agent ts:unknown -->\n\n> The port is 8080 (ttl:9d)\n\n- The port is 8080 (ttl:9d) <!-- src:agent ts:unknown ttl:9d -->\n"
    )


def test_what_belongs_to_an_item_has_no_higher_source_than_the_item() -> None:
    text = (
        "# A\n\n- Beans cost 9 (source: web)\n  - in the shop\n  - (2026-05-02) at the market\n\n    > so it says\n\n    more of it\n- b\n"
    )
    assert tagged(text) == (
        "# A  <!-- src:agent ts:unknown -->\n\n- Beans cost 9 (source: web) <!-- src:web ts:unknown -->\n  - in the shop\n"
        "  - (2026-05-02) at the market <!-- src:web ts:2026-05-02 -->\n\n    > so it says\n\n    more of it\n- b\n"
    )
