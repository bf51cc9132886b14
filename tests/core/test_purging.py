from __future__ import annotations

import base64
import gzip
import json
import re
import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.purging import REPLACEMENT, count_forms, count_in_object, forms_of, renames, replacements, tombstone, what_it_is

VALUE = 'Maple"4471/x+y z'


def test_the_forms_of_a_value() -> None:
    forms = forms_of(VALUE)
    assert VALUE.encode() in forms
    assert json.dumps(VALUE)[1:-1].encode() in forms
    assert urllib.parse.quote(VALUE, safe="").encode() in forms
    assert b"Maple&quot;4471/x+y z" in forms
    assert list(forms) == sorted(forms, key=lambda form: (-len(form), form))


@given(st.binary(max_size=7), st.text(min_size=12, max_size=40).filter(lambda text: "\n" not in text), st.binary(max_size=7))
def test_base64_of_anything_around_the_value_holds_a_form(before: bytes, value: str, behind: bytes) -> None:
    raw = value.encode()
    for coded in (base64.b64encode(before + raw + behind), base64.urlsafe_b64encode(before + raw + behind)):
        assert any(form in coded for form in forms_of(value))


def test_a_value_of_several_lines_stands_for_its_long_lines() -> None:
    block = "-----BEGIN X-----\n" + "a" * 20 + "\n" + "b" * 20 + "\nc\n-----END X-----"
    assert forms_of(block) == (b"a" * 20, b"b" * 20)


def test_counting() -> None:
    forms = forms_of("maple4471")
    assert count_forms(b"maple4471 maple4471", forms) == 2
    assert count_forms(b"maple", forms) == 0 and count_forms(b"x", ()) == 0
    assert count_in_object(b"x maple4471", forms) == (1, True)
    assert count_in_object(b"\0 maple4471", forms) == (1, False)
    assert count_in_object(gzip.compress(b"maple4471 and maple4471"), forms) == (2, False)
    assert count_in_object("x maple4471".encode("utf-16"), forms) == (1, False)
    assert count_in_object(b"\0\1\2", forms)[0] == 0 and count_in_object(b"plain", forms) == (0, True)


def test_what_git_filter_repo_is_told() -> None:
    assert replacements([b"a==>b", b"c"]) == b"literal:a==>b==>" + REPLACEMENT + b"\nliteral:c==>" + REPLACEMENT + b"\n"
    line = renames([b"a.b"])
    assert line == b"regex:a\\.b==>removed\n"
    assert re.sub(line[6:].split(b"==>")[0], b"removed", b"x/a.b.md") == b"x/removed.md"


def test_the_tombstone_says_everything_but_the_value() -> None:
    said = tombstone("a card number", "2026-12-01", 3, 1, 2, "purge-12345678")
    assert said == (
        "A card number that had leaked was replaced at its source and taken out of the history on 2026-12-01: "
        "3 places in 1 file and 2 commits, by purge-12345678"
    )


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ("4111 1111 1111 1111", "a card number"),
        ("ada@x.io", "a mail address"),
        ("just some words", "a value"),
        ("AK" + "IA" + "Q3EGRX7HMZ2PLW4T", "a credential"),
    ],
)
def test_what_it_is(value: str, what: str) -> None:
    assert what_it_is(value).startswith(what)
    assert value not in what_it_is(value)
