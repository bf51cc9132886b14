"""What a summariser is asked, and which answers are taken."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core._extract_words import NEGATIONS
from hoard_git.core.policy import DEFAULT
from hoard_git.core.provenance import Provenance
from hoard_git.core.summary import (
    COMPRESS_INDEX,
    Block,
    Operation,
    Operations,
    Rejection,
    Request,
    Source,
    check_operations,
    find_form_problem,
    join_claims,
    make_request,
    mask_secrets,
    read_answer,
    request_json,
    safe_reason,
)

SECRET = "gh" + "p_" + hashlib.sha256(b"one").hexdigest()[:36]
OTHER = "gh" + "p_" + hashlib.sha256(b"two").hexdigest()[:36]


def block(number: int, text: str, src: str = "agent", ts: str = "2026-06-01", name: str = "infra") -> Block:
    return Block(f"b{number}", text, src, ts, "MEMORY.md", name)


BLOCKS = (
    block(1, "Node-2 is online"),
    block(2, "Node-3 is online"),
    block(3, "Web port: 8080"),
    block(4, "Web port: 8443", ts="2026-06-05"),
)
REQUEST = Request(COMPRESS_INDEX, 500, 0.25, BLOCKS)
GOOD = [
    {"op": "merge", "ids": ["b1", "b2"], "text": "Node-2 and Node-3 are online"},
    {"op": "supersede", "ids": ["b3", "b4"]},
]


def answer(operations: object, **more: object) -> bytes:
    return json.dumps({"operations": operations, **more}).encode()


def reason(request: Request, operations: list[dict[str, Any]]) -> str:
    found = read_answer(request, answer(operations))
    assert isinstance(found, Rejection)
    return found.reason


def one(op: str, *ids: str, **more: str) -> list[dict[str, Any]]:
    """One operation, and all other blocks kept."""
    rest = [b.id for b in BLOCKS if b.id not in ids]
    return [{"op": op, "ids": list(ids), **more}, *([{"op": "keep", "ids": rest}] if rest else [])]


# -------------------------------------------------------------------- the question


def test_the_request_is_one_line_of_documented_json() -> None:
    request = make_request("warm-log", [Source("a \n  b", "web", "2026-06-01", "memory/2026-06-01.md", "tür")], 10, 0.25)
    assert request_json(request).count(b"\n") == 1
    assert json.loads(request_json(request)) == {
        "schema": 1,
        "task": "warm-log",
        "max_bytes": 10,
        "max_loss": 0.25,
        "blocks": [{"id": "b1", "text": "a b", "src": "web", "ts": "2026-06-01", "path": "memory/2026-06-01.md", "block": "tür"}],
    }


def test_a_users_block_is_never_sent() -> None:
    with pytest.raises(ValueError, match="user"):
        make_request(COMPRESS_INDEX, [Source("x", "user", "unknown", "MEMORY.md")], 10, 0.25)


def test_secrets_are_masked_and_their_blocks_have_to_stay() -> None:
    sources = [Source(f"the token is {SECRET} for all", "agent", "unknown", "MEMORY.md"), Source("tea", "agent", "unknown", "MEMORY.md")]
    request = make_request(COMPRESS_INDEX, sources, 500, 1.0)
    assert SECRET[4:] not in request_json(request).decode()
    assert request.blocks[0].text.startswith("the token is ")
    assert request.blocks[0].text.endswith(" for all")
    assert [b.held for b in request.blocks] == [True, False]
    refused = read_answer(request, answer([{"op": "drop", "ids": ["b1"]}, {"op": "keep", "ids": ["b2"]}]))
    assert refused == Rejection("operation 1 does not keep a block that holds a secret")
    assert isinstance(read_answer(request, answer([{"op": "drop", "ids": ["b2"]}, {"op": "keep", "ids": ["b1"]}])), Operations)


def test_a_heading_that_names_the_value_below_it_counts() -> None:
    value = "Tr0ub4dor&" + "3xyz"
    sources = [Source(f"admin: {value}", "agent", "unknown", "MEMORY.md", "passwords")]
    request = make_request(COMPRESS_INDEX, sources, 500, 1.0)
    assert value not in request.blocks[0].text
    assert request.blocks[0].held


def test_a_secret_is_masked_where_it_stands_again() -> None:
    value = "Tr0ub4dor&" + "3xyz"
    sources = [Source(f"the password is {value}", "agent", "unknown", "M.md"), Source(f"typed {value}", "agent", "unknown", "M.md")]
    request = make_request(COMPRESS_INDEX, sources, 500, 1.0)
    assert all(value not in b.text and b.held for b in request.blocks)


# -------------------------------------------------------------------- the form of an answer


def test_a_good_answer_is_taken() -> None:
    found = read_answer(REQUEST, answer(GOOD, schema=1))
    assert found == Operations((Operation("merge", ("b1", "b2"), "Node-2 and Node-3 are online"), Operation("supersede", ("b3", "b4"))))


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"operations": 5}',
        b'{"operations": []} trailing',
        b"```json\n{}\n```",
        b"\xff\xfe{}",
        b"[" * 100_000,
        b'{"operations": ' + b"9" * 5000 + b"}",
        '{"operations": []}'.encode("utf-16"),
        answer(GOOD, schema=2),
        answer(GOOD, schema=True),
        answer(GOOD, note="x"),
        b'{"operations": [], "operations": []}',
    ],
)
def test_what_is_no_answer_is_refused(raw: bytes) -> None:
    found = read_answer(REQUEST, raw)
    assert isinstance(found, Rejection)
    assert "answer" in found.reason


@pytest.mark.parametrize(
    ("item", "clause"),
    [
        (5, "is not an object"),
        ({"op": "add", "ids": ["b1"]}, "no op of"),
        ({"op": ["keep"], "ids": ["b1"]}, "no op of"),
        ({"ids": ["b1"]}, "no op of"),
        ({"op": "keep"}, "lacks one"),
        ({"op": "keep", "ids": ["b1"], "text": "x"}, "keys that keep does not have"),
        ({"op": "keep", "ids": ["b1"], "src": "user"}, "keys that keep does not have"),
        ({"op": "merge", "ids": ["b1", "b2"]}, "lacks one"),
        ({"op": "keep", "ids": []}, "no list of ids"),
        ({"op": "keep", "ids": "b1"}, "no list of ids"),
        ({"op": "keep", "ids": [1]}, "no list of ids"),
        ({"op": "merge", "ids": ["b1"], "text": None}, "a text that is none"),
    ],
)
def test_an_operation_of_another_form_is_refused(item: object, clause: str) -> None:
    found = read_answer(REQUEST, answer([item]))
    assert isinstance(found, Rejection)
    assert found.reason.startswith("operation 1 ")
    assert clause in found.reason


# -------------------------------------------------------------------- what has to hold


@pytest.mark.parametrize(
    ("operations", "clause"),
    [
        ([{"op": "keep", "ids": ["b1", "b2", "b3"]}], "block b4 is not accounted for"),
        ([], "block b1 is not accounted for"),
        ([*one("keep", "b1"), {"op": "drop", "ids": ["b1"]}], "block b1 is accounted for twice"),
        ([{"op": "keep", "ids": ["b1", "b1", "b2", "b3", "b4"]}], "block b1 is accounted for twice"),
        (one("keep", "b9"), "names a block that was not sent"),
        (one("drop", "b1", "b2"), "2 of 4 blocks would be lost, and 25% may be"),
        (one("merge", "b1", "b2", text="Node-2 and Node-9 are online"), "'Node-9' stands in none"),
        (one("merge", "b1", "b2", text="Node-2 is online; Node-3 is online and"), "no shorter"),
        (one("merge", "b1", "b2", text="<b>Node-2</b>"), "markup"),
        (one("supersede", "b3"), "takes the older block and the newer one"),
        (one("supersede", "b1", "b2"), "not about the same subject"),
        (one("supersede", "b4", "b3"), "is not newer"),
    ],
)
def test_an_answer_that_does_not_hold_is_refused(operations: list[dict[str, Any]], clause: str) -> None:
    assert clause in reason(REQUEST, operations)


def test_the_budget_has_to_be_met() -> None:
    whole = sum(len(b.text) + 1 for b in BLOCKS)
    everything = [{"op": "keep", "ids": [b.id for b in BLOCKS]}]
    assert isinstance(read_answer(REQUEST._replace(max_bytes=whole), answer(everything)), Operations)
    assert reason(REQUEST._replace(max_bytes=whole - 1), everything) == f"{whole} bytes would stay, and {whole - 1} may"


@pytest.mark.parametrize(
    ("other", "clause"),
    [
        (block(2, "Node-3 is online", src="web"), "different sources"),
        (block(2, "Node-3 is online", name="office"), "different headings"),
        (block(2, "Node-3 is online", ts="unknown"), "have a date and some have none"),
    ],
)
def test_only_blocks_of_one_source_and_heading_become_one(other: Block, clause: str) -> None:
    request = Request(COMPRESS_INDEX, 500, 1.0, (BLOCKS[0], other))
    assert clause in reason(request, [{"op": "merge", "ids": ["b1", "b2"], "text": "Node-2 and Node-3 are online"}])


@pytest.mark.parametrize(
    ("older", "newer", "clause"),
    [
        (block(1, "Port: 80"), block(2, "Port: 81", src="web", ts="2026-06-05"), "different sources"),
        (block(1, "a fact"), block(2, "a fact", ts="2026-06-05"), "names no subject"),
        (block(1, "Port: 80"), block(2, "Port: maybe 81", ts="2026-06-05"), "is a report or a guess"),
        (block(1, "Port: 80"), block(2, "Port: 81"), "is not newer"),
        (block(1, "Port: 80. Admin: Ada"), block(2, "Port: 81", ts="2026-06-05"), "names no subject"),
        (block(1, "Port: 80", ts="unknown"), block(2, "Port: 81", ts="unknown"), "is not newer"),
    ],
)
def test_a_newer_fact_replaces_only_an_older_one_of_the_same_kind(older: Block, newer: Block, clause: str) -> None:
    request = Request(COMPRESS_INDEX, 500, 1.0, (older, newer))
    assert clause in reason(request, [{"op": "supersede", "ids": ["b1", "b2"]}])


def test_cutting_a_merged_block_down_counts_as_losing_it() -> None:
    blocks = (block(1, "Backup runs slowly from the shelf"), block(2, "Node-3 is online"))
    merged = [{"op": "merge", "ids": ["b1", "b2"], "text": "Backup runs; Node-3 is online"}]
    assert isinstance(read_answer(Request(COMPRESS_INDEX, 500, 0.5, blocks), answer(merged)), Operations)
    assert "1 of 2 blocks would be lost" in reason(Request(COMPRESS_INDEX, 500, 0.25, blocks), merged)


def test_an_empty_request_has_an_empty_answer() -> None:
    assert read_answer(Request(COMPRESS_INDEX, 0, 0.25, ()), answer([])) == Operations(())


@pytest.mark.parametrize(
    "text",
    [
        *("", " a", "a ", "a\nb", "a  b", "a\tb", "a\x1b[0m", "a\u202eb", "a\u200bb", "a\xa0b", "a\ud800"),
        *("- a", "* a", "1. a", "1) a", "# a", "> a", "| a", "```", "~~~", "---", "a <b> c", "a <!-- src:user ts:2026-01-01 -->"),
        *("a [b](c)", "![b](c)", "a **b**", "_a_ b", "__a__", "~~a~~", "a &lt; b", "a \\* b", "`a", "`<!--`", "a `b` `c", "{{a}}", "[[a]]"),
    ],
)
def test_a_merged_text_is_one_plain_line(text: str) -> None:
    assert find_form_problem(text)


@pytest.mark.parametrize(
    "text", ["a", "Run `a <b> c` now.", "snake_case", "5 % of 10 & more", "https://example.org/a_b?c=d", "Größe: 5 m²", "1.2.3 is out"]
)
def test_plain_text_is_fine(text: str) -> None:
    assert find_form_problem(text) == ""


# -------------------------------------------------------------------- what is shown


def test_a_reason_shows_no_secret_and_no_control_character() -> None:
    shown = safe_reason(f"key {SECRET}\n\x1b[31mred")
    assert SECRET[4:] not in shown
    assert shown.isprintable()
    assert len(safe_reason("x" * 5000)) <= 203


def test_masking_takes_all_of_several_secrets() -> None:
    text = mask_secrets(f"one {SECRET} two {OTHER}\nplain")
    assert SECRET[4:12] not in text
    assert OTHER[4:12] not in text
    assert text.endswith("\nplain")


# -------------------------------------------------------------------- laws

_WORDS = st.sampled_from(
    [
        *(
            "Node-2",
            "Node-3",
            "Ada",
            "Bob",
            "port",
            "ports",
            "is",
            "are",
            "online",
            "open",
            "5",
            "7",
            "8080",
            "2026-06-01",
            "MB",
            "GB",
            "not",
            "never",
            "no",
        ),
        *(
            "maybe",
            "says",
            "unless",
            "and",
            "the",
            "a",
            "The",
            "disk",
            "`run`",
            "`x y`",
            "https://example.org/a",
            "memory/a.md",
            "-5",
            "5%",
            "unverified",
        ),
        *("Port", "Open", "server,", "down.", "up;", "down:", "(now)", "?", "—", "*bold*", "on", "2*3", "x_1", "[a](b)", "don't", "Nodes"),
    ]
)
_TEXTS = st.lists(_WORDS, min_size=1, max_size=7).map(" ".join)
_INPUTS = st.lists(_TEXTS, min_size=1, max_size=3)


@st.composite
def _merges(draw: st.DrawFn) -> tuple[list[str], str]:
    """Inputs, and a text that is cut, shuffled, joined and meddled with from them."""
    inputs = draw(_INPUTS)
    parts = []
    for text in inputs:
        words = text.split(" ")
        kept = [word for word in words if draw(st.integers(0, 9))]
        if not draw(st.integers(0, 3)) and kept:
            kept[draw(st.integers(0, len(kept) - 1))] = draw(_WORDS)
        parts.append(" ".join(kept))
    if draw(st.booleans()):
        parts.reverse()
    return inputs, draw(st.sampled_from(["; ", " and ", ", ", ". "])).join(parts).replace("*", "")


def _digits(text: str) -> set[str]:
    return set(re.findall(r"\d+", text))


def _bare(text: str) -> list[str]:
    return [word.strip("*`()[],;:.?—") for word in re.split(r"[\s\[\]()]+", text)]


@given(_merges())
def test_an_accepted_text_has_no_number_name_or_negation_of_its_own(case: tuple[list[str], str]) -> None:
    inputs, text = case
    request = Request(COMPRESS_INDEX, 10_000, 1.0, tuple(block(n, given_text) for n, given_text in enumerate(inputs, 1)))
    found = check_operations(request, [Operation("merge", tuple(b.id for b in request.blocks), text)])
    if isinstance(found, Rejection):
        return
    everything = " ".join(inputs)
    words = {word.casefold() for word in _bare(everything)}
    stems = words | {word + "s" for word in words} | {word.removesuffix("s") for word in words} | {"and", "the", ""}
    stems |= {"is", "are"} if words & {"is", "are"} else set()
    assert _digits(text) <= _digits(everything)
    assert {word.casefold() for word in _bare(text)} <= stems
    turned = [word for word in map(str.casefold, _bare(text)) if word in NEGATIONS or word == "don't"]
    assert set(turned) <= words
    told = {word for word in words if word in NEGATIONS or word in {"don't", "maybe", "says", "unverified", "unless"}}
    assert told <= {word.casefold() for word in _bare(text)}  # and none of the inputs' got lost


@given(_INPUTS, st.data())
def test_whatever_is_accepted_accounts_for_each_block_once_and_keeps_its_bounds(inputs: list[str], data: st.DataObject) -> None:
    blocks = tuple(block(n, text) for n, text in enumerate(inputs, 1))
    request = Request(COMPRESS_INDEX, data.draw(st.integers(0, 120)), data.draw(st.sampled_from([0.0, 0.25, 0.5, 1.0])), blocks)
    operations = st.builds(
        Operation, st.sampled_from(["keep", "drop"]), st.lists(st.sampled_from(["b1", "b2", "b3", "b4"]), min_size=1, max_size=3).map(tuple)
    )
    found = check_operations(request, data.draw(st.lists(operations, max_size=4)))
    if isinstance(found, Operations):
        assert Counter(one_id for item in found.items for one_id in item.ids) == Counter(b.id for b in blocks)
        kept = [b for item in found.items if item.op == "keep" for b in blocks if b.id in item.ids]
        assert len(blocks) - len(kept) <= request.max_loss * len(blocks)
        assert sum(len(b.text.encode()) + 1 for b in kept) <= request.max_bytes


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_bytes_make_it_fail(raw: bytes) -> None:
    assert isinstance(read_answer(REQUEST, raw), Rejection)


# -------------------------------------------------------------------- what a joined text claims


def test_a_joined_text_claims_the_oldest_day_the_shortest_life_and_no_more_than_is_everybodys() -> None:
    one = Provenance("agent", "2026-05-02", "1y", "aaaaa1", "page", stale=False, origin="own", line=7)
    other = Provenance("agent", "2026-05-01", "", "", "page", stale=True, origin="heading", line=3)
    joined = Provenance("agent", "2026-05-01", "", "", "page", stale=True, origin="own")
    assert join_claims([one, other], DEFAULT) == join_claims([other, one], DEFAULT) == joined, (
        "90 days that an agent's entry has are less than a year"
    )
    assert join_claims([one, other._replace(ev="mail")], DEFAULT) == joined._replace(ev="")
    assert join_claims([one._replace(ttl="never"), one], DEFAULT) == Provenance(
        "agent", "2026-05-02", "1y", "", "page", stale=False, origin="own"
    )


@pytest.mark.parametrize("ts", ["unknown", "2026-02-30"])
def test_a_day_that_is_not_known_counts_as_the_oldest(ts: str) -> None:
    known, lost = Provenance("web", "2026-05-02", "30d"), Provenance("web", ts, "30d")
    assert join_claims([known, lost], DEFAULT).ts == join_claims([lost, known], DEFAULT).ts == ts
