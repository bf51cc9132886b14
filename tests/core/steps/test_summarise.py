"""A summariser shortens a MEMORY.md over its size: originals go to the archive, and nothing is refreshed or raised."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hoard_git.core.drafts import Drafts
from hoard_git.core.policy import DEFAULT
from hoard_git.core.steps.summarise import _insert, _Merge, summarise
from hoard_git.core.summary import Operation, Operations, Rejection, Request, check_operations
from tests.support.upkeep import drafts_of, texts

SMALL = DEFAULT._replace(compress_at=100, compress_to=90, max_loss=0.5)
DAY = "2026-06-15"
ARCHIVE = "memory/archive/2026-06-15.md"

MEMORY = """# Memory

## Infra <!-- src:agent ts:2026-06-05 ttl:90d -->
- Node-2 is online <!-- src:agent ts:2026-05-01 ttl:30d -->
- Node-3 is online
- The disk is full
- Web port: 8080
- Web port: 8443 <!-- src:agent ts:2026-06-08 id:k3f9q2 -->

## Ada <!-- src:user ts:2026-06-01 -->
- Tea without milk
"""


class Program:
    """Answers with the operations that it is given, checked as those of a real program are; remembers what it was asked."""

    def __init__(self, *operations: tuple[str, str] | tuple[str, str, str], keep: bool = True) -> None:
        self.operations = operations
        self.keep = keep
        self.asked: list[Request] = []

    def __call__(self, request: Request) -> Operations | Rejection:
        self.asked.append(request)
        items = [Operation(op[0], tuple(op[1].split()), *op[2:]) for op in self.operations]
        rest = tuple(b.id for b in request.blocks if not any(b.id in item.ids for item in items))
        return check_operations(request._replace(max_bytes=10_000), [*items, *([Operation("keep", rest)] if rest and self.keep else [])])


MERGE = ("merge", "b1 b2", "Node-2 and Node-3 are online")


def test_under_the_limit_nobody_is_asked() -> None:
    program = Program()
    assert summarise(drafts_of({"MEMORY.md": MEMORY}, DAY), program) == []
    assert program.asked == []


def test_the_program_sees_plain_texts_and_none_of_the_users() -> None:
    program = Program()
    drafts = drafts_of({"MEMORY.md": MEMORY}, DAY, SMALL)
    assert summarise(drafts, program) == []
    (request,) = program.asked
    assert [(b.id, b.text, b.src, b.ts, b.path, b.block) for b in request.blocks] == [
        ("b1", "Node-2 is online", "agent", "2026-05-01", "MEMORY.md", "infra"),
        ("b2", "Node-3 is online", "agent", "2026-06-05", "MEMORY.md", "infra"),
        ("b3", "The disk is full", "agent", "2026-06-05", "MEMORY.md", "infra"),
        ("b4", "Web port: 8080", "agent", "2026-06-05", "MEMORY.md", "infra"),
        ("b5", "Web port: 8443", "agent", "2026-06-08", "MEMORY.md", "infra"),
    ]
    whole = sum(len(b.text) + 1 for b in request.blocks)
    assert (request.task, request.max_bytes, request.max_loss) == ("compress-index", int(whole * 0.75), 0.5)
    assert texts(drafts) == {}
    assert drafts.notes == []


def test_what_is_joined_superseded_and_dropped_lies_in_the_archive() -> None:
    drafts = drafts_of({"MEMORY.md": MEMORY}, DAY, SMALL)
    actions = summarise(drafts, Program(MERGE, ("drop", "b3"), ("supersede", "b4 b5")))

    assert [(a.kind, a.path, a.line, a.end_line, a.to, a.src, a.src_after, a.block, a.reason) for a in actions] == [
        ("archive", "MEMORY.md", 4, 4, ARCHIVE, "agent", "agent", "infra", "summarised into 'Node-2 and Node-3 are online'"),
        ("archive", "MEMORY.md", 5, 5, ARCHIVE, "agent", "agent", "infra", "summarised into 'Node-2 and Node-3 are online'"),
        ("archive", "MEMORY.md", 6, 6, ARCHIVE, "agent", "agent", "infra", "left out by the summarizer"),
        ("archive", "MEMORY.md", 7, 7, ARCHIVE, "agent", "agent", "infra", "superseded by the newer 'Web port: 8443'"),
    ]
    assert actions[0].text == "- Node-2 is online"
    after = texts(drafts)
    assert (after["MEMORY.md"] or "").splitlines()[2:6] == [
        "## Infra <!-- src:agent ts:2026-06-05 ttl:90d -->",
        "- Node-2 and Node-3 are online <!-- src:agent ts:2026-05-01 ttl:30d -->",
        "- Web port: 8443 <!-- src:agent ts:2026-06-08 id:k3f9q2 -->",
        "",
    ]
    archive = after[ARCHIVE] or ""
    assert "<!-- hoard:archived from:MEMORY.md#infra on:2026-06-15 reason:summarised -->" in archive
    for line in (
        "- Node-2 is online <!-- src:agent ts:2026-05-01 ttl:30d -->",
        "- Node-3 is online <!-- src:agent ts:2026-06-05 ttl:90d -->",
        "- The disk is full <!-- src:agent ts:2026-06-05 ttl:90d -->",
        "- Web port: 8080 <!-- src:agent ts:2026-06-05 ttl:90d -->",
    ):
        assert f"{line}\n" in archive
    assert "Ada" not in archive


@pytest.mark.parametrize(
    ("first", "second", "tag"),
    [
        ("src:web ts:2026-06-01", "src:web ts:2026-06-09 ttl:7d", "src:web ts:2026-06-01 ttl:7d"),
        ("src:web ts:2026-06-01 ttl:60d", "src:web ts:2026-06-09", "src:web ts:2026-06-01"),  # a web fact lives 30 days by default
        ("src:agent ts:unknown ttl:never", "src:agent ts:unknown ttl:1y", "src:agent ts:unknown ttl:1y"),
        ("src:agent ts:2026-06-01 ev:a", "src:agent ts:2026-06-01 ev:a", "src:agent ts:2026-06-01 ev:a"),
        ("src:agent ts:2026-06-01 ev:a", "src:agent ts:2026-06-01 ev:b", "src:agent ts:2026-06-01"),
        ("src:agent ts:2026-06-01 ⚠️ stale", "src:agent ts:2026-06-02", "src:agent ts:2026-06-01 ⚠️ stale"),
    ],
)
def test_a_joined_text_claims_the_oldest_day_and_the_shortest_life(first: str, second: str, tag: str) -> None:
    memory = f"# M\n\n- Node-2 is online <!-- {first} -->\n- Node-3 is online <!-- {second} -->\n"
    drafts = drafts_of({"MEMORY.md": memory}, DAY, SMALL._replace(compress_at=10, compress_to=5))
    assert len(summarise(drafts, Program(MERGE))) == 2
    assert f"\n- Node-2 and Node-3 are online <!-- {tag} -->\n" in (texts(drafts)["MEMORY.md"] or "")


def test_untagged_content_stays_untagged() -> None:
    drafts = drafts_of(
        {"MEMORY.md": "# M\n\n1. Node-2 is online\n2. Node-3 is online\n"}, DAY, SMALL._replace(compress_at=10, compress_to=5)
    )
    actions = summarise(drafts, Program(MERGE))
    assert [a.src for a in actions] == ["", ""]
    assert texts(drafts)["MEMORY.md"] == "# M\n\n1. Node-2 and Node-3 are online\n"


def test_paragraphs_are_joined_into_one() -> None:
    memory = "# M <!-- src:agent ts:2026-06-01 -->\n\nNode-2 is\nonline\n\nNode-3 is online\n\nAda left\n"
    drafts = drafts_of({"MEMORY.md": memory}, DAY, SMALL._replace(compress_at=10, compress_to=5))
    assert len(summarise(drafts, Program(MERGE))) == 2
    assert texts(drafts)["MEMORY.md"] == (
        "# M <!-- src:agent ts:2026-06-01 -->\n\nNode-2 and Node-3 are online <!-- src:agent ts:2026-06-01 -->\n\nAda left\n"
    )


def test_line_ends_stay_as_they_are() -> None:
    memory = "# M <!-- src:agent ts:2026-06-01 -->\r\n\r\n- Node-2 is online\r\n- Node-3 is online\r\n"
    drafts = drafts_of({"MEMORY.md": memory}, DAY, SMALL._replace(compress_at=10, compress_to=5))
    assert summarise(drafts, Program(MERGE))
    assert (texts(drafts)["MEMORY.md"] or "").endswith("\r\n\r\n- Node-2 and Node-3 are online <!-- src:agent ts:2026-06-01 -->\r\n")


def _reject(_request: Request) -> Rejection:
    return Rejection("the program took longer than 60 seconds")


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (_reject, "the program took longer than 60 seconds"),
        (Program(("merge", "b1 b2", "Node-9 is up")), "operation 1 (merge): 'Node-9' stands in none of its blocks"),
        (Program(("drop", "b1"), keep=False), "block b2 is not accounted for"),
    ],
)
def test_a_refused_answer_changes_nothing_and_is_noted(ask: Callable[[Request], Operations | Rejection], why: str) -> None:
    drafts = drafts_of({"MEMORY.md": MEMORY}, DAY, SMALL)
    assert summarise(drafts, ask) == []
    assert texts(drafts) == {}
    assert drafts.notes == [f"'MEMORY.md' was not shortened by the summarizer: {why}."]


def test_an_answer_that_cannot_be_written_changes_nothing() -> None:
    drafts = Drafts(drafts_of({"MEMORY.md": MEMORY}, DAY, SMALL).before().values(), SMALL, drafts_of({}, DAY).today, taken=[ARCHIVE])
    assert summarise(drafts, Program(MERGE)) == []
    assert texts(drafts) == {}
    assert "was not shortened" in drafts.notes[0]


@pytest.mark.parametrize(
    "entry",
    [
        "- [ ] call Ada",
        "- [x] call Ada",
        "- Ports:",
        "- **Ports**",
        "- parent\n  - child",
        "- \u2192 12 facts in [memory/infra.md](memory/infra.md)",
        "- see memory/infra.md for more",
        "- see [[Infra]]",
        "- see [below](#infra)",
        "- fine <!-- trigger:x -->",
        "- fine <!-- src:agent ts:2026-06-01 pin:1 -->",
        "<!-- other:1 -->\n- fine",
        "- fine <!-- src:user ts:2026-06-01 -->",
        "<!-- x:start -->\n- fine\n<!-- x:end -->",
        "```\ncode\n```",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "> quoted",
        "## Of Ada <!-- src:user ts:2026-06-01 -->\n- fine <!-- src:agent ts:2026-06-01 -->",
    ],
)
def test_what_is_more_than_its_words_is_not_shown(entry: str) -> None:
    program = Program()
    memory = f"# M <!-- src:agent ts:2026-06-01 -->\n\n- one plain fact\n- another plain fact\n\n{entry}\n"
    summarise(drafts_of({"MEMORY.md": memory}, DAY, SMALL._replace(compress_at=10, compress_to=5)), program)
    assert [b.text for request in program.asked for b in request.blocks] == ["one plain fact", "another plain fact"]


def test_with_nothing_to_choose_from_nobody_is_asked() -> None:
    program = Program()
    assert summarise(drafts_of({"MEMORY.md": "# M\n\n- one fact\n"}, DAY, SMALL._replace(compress_at=5, compress_to=1)), program) == []
    assert program.asked == []


def test_a_secret_stays_where_it_is() -> None:
    value = "Tr0ub4dor&" + "3xyz"
    memory = f"# M <!-- src:agent ts:2026-06-01 -->\n\n- the password is {value}\n- Node-3 is online\n"
    policy = SMALL._replace(compress_at=10, compress_to=5)
    program = Program(("drop", "b1"))
    drafts = drafts_of({"MEMORY.md": memory}, DAY, policy)
    assert summarise(drafts, program) == []
    assert value not in repr(program.asked)
    assert value not in repr(drafts.notes)
    assert texts(drafts) == {}


def test_a_text_that_would_read_as_something_else_is_seen() -> None:
    """No accepted text does; this is the second line of defence."""
    draft = drafts_of({"MEMORY.md": MEMORY}, DAY, SMALL)["MEMORY.md"]
    claim = draft.entry_claims[0]
    assert _insert(draft, [_Merge(0, "two\n- entries", (0,), claim)]) == {}
