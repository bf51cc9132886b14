"""JSON5 as its specification has it, and faults that name a line and repeat nothing."""

from __future__ import annotations

import contextlib
import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.json5 import DEEPEST, Json5Error, parse_json5


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("null", None),
        (" true // yes\n", True),
        ("/* a * b **/ false", False),
        ("{}", {}),
        ("[]", []),
        ("{a: 1, 'b': 2, \"c\": 3,}", {"a": 1, "b": 2, "c": 3}),
        ("[1, [2,], {x: [3]},]", [1, [2], {"x": [3]}]),
        ("{$_a1: 1, \u00fcn\u00ef: 2, \\u0061b: 3}", {"$_a1": 1, "\u00fcn\u00ef": 2, "ab": 3}),
        ("{a: 1, a: 2}", {"a": 2}),
        ("[0x1F, .5, 5., +1, -2, 1e3, 1E-2, 0, -0]", [31, 0.5, 5.0, 1, -2, 1000.0, 0.01, 0, 0]),
        ("[Infinity, -Infinity, +Infinity]", [math.inf, -math.inf, math.inf]),
        ("'it\\'s \\x41\\u0042\\0\\n\\v\\q'", "it's AB\0\n\vq"),
        ('"a\\\nb\\\r\nc"', "abc"),
        ('"\u2028"', "\u2028"),
        ('"\\ud83d\\ude00"', "\U0001f600"),
        ("\ufeff{a\u00a0:\u20031}", {"a": 1}),
        ('"// no comment /* here */"', "// no comment /* here */"),
    ],
)
def test_what_the_format_allows(text: str, value: object) -> None:
    assert parse_json5(text) == value


def test_not_a_number() -> None:
    assert math.isnan(parse_json5("NaN"))


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("", 1, "ends too early"),
        ("{\n", 2, "ends too early"),
        ("[1,\n2", 2, "ends too early"),
        ("{a: 1\nb: 2}", 2, "a comma or } is missing"),
        ("{a}", 1, "a colon"),
        ("[,]", 1, "a value is missing"),
        ("{1a: 2}", 1, "a key is missing"),
        ("01", 1, "a value is missing"),
        ("1_0", 1, "a value is missing"),
        ("0x", 1, "a value is missing"),
        ("nullx", 1, "a value is missing"),
        ("undefined", 1, "a value is missing"),
        ("{a: 1} x", 1, "something follows"),
        ("'a\nb'", 1, "not closed on its line"),
        ("'a", 1, "not closed on its line"),
        ("'\\1'", 1, "followed by a digit"),
        ("'\\x4'", 1, "needs 2 hex digits"),
        ("'\\u00g0'", 1, "needs 4 hex digits"),
        ("{a: /*\n", 1, "comment is not closed"),
        ("[" * (DEEPEST + 2), 1, "levels deep"),
        ("{a:" * 5000, 1, "levels deep"),
    ],
)
def test_a_fault_names_its_line(text: str, line: int, what: str) -> None:
    with pytest.raises(Json5Error) as caught:
        parse_json5(text)
    assert what in caught.value.what
    assert caught.value.line == line


def test_no_fault_repeats_what_it_found() -> None:
    secret = "hunter" + "2-hunter"
    for text in (f"{{token: {secret}}}", f"{{token: '{secret}}}", f"{{{secret}", f"[{secret}]", f"{{token: '{secret}' '{secret}'}}"):
        with pytest.raises(Json5Error) as caught:
            parse_json5(text)
        assert secret not in str(caught.value)
        assert secret not in caught.value.what


_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(_VALUES, st.booleans())
def test_all_of_json_is_json5(value: object, plain: bool) -> None:
    text = json.dumps(value, ensure_ascii=plain)
    if "\\ud" not in text.lower():  # half of a surrogate pair is no text
        assert parse_json5(text) == json.loads(text)


@given(st.text(alphabet="{}[]:,'\"\\/*\n 01.ex+-naINft\u2028", max_size=40))
def test_nothing_else_is_ever_raised(text: str) -> None:
    with contextlib.suppress(Json5Error):
        parse_json5(text)
