"""What a text is found by: words, stems as SQLite makes them, pairs of characters."""

from __future__ import annotations

import re
import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.porter import stem
from hoard_git.core.terms import HEAD, MOST, PAIR, WORD, Sought, Term, columns, fold, query_terms
from tests.support.environment import ROOT

TOKENIZER = "porter unicode61 remove_diacritics 2"


def sqlite_stems(words: list[str]) -> dict[str, str]:
    """The tokens that FTS5 makes of words, each a document of its own."""
    db = sqlite3.connect(":memory:")
    db.execute(f"CREATE VIRTUAL TABLE t USING fts5(a, tokenize='{TOKENIZER}')")
    db.executemany("INSERT INTO t(rowid, a) VALUES(?,?)", list(enumerate(words, 1)))
    db.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')")
    found = {words[number - 1]: term for term, number in db.execute("SELECT term, doc FROM v")}
    db.close()
    return found


def test_stems_are_those_of_the_index_for_every_word_of_our_own_pages() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md")))
    words = sorted(set(re.findall("[a-z0-9]+", text.lower())))
    assert len(words) > 2000
    assert {word: (theirs, stem(word)) for word, theirs in sqlite_stems(words).items() if theirs != stem(word)} == {}


@given(st.lists(st.text(alphabet="abcdeilnorstuvyz", min_size=1, max_size=14), min_size=1, max_size=40))
def test_stems_are_those_of_the_index_for_any_letters(words: list[str]) -> None:
    assert {word: theirs for word, theirs in sqlite_stems(words).items() if theirs != stem(word)} == {}


def test_stems_of_words_that_are_nothing_but_an_ending() -> None:
    words = ["sses", "asses", "ies", "dies", "s", "es", "ess", "eed", "ed", "ing", "ational", "ement", "ion", "yyed", "yying"]
    assert {word: stem(word) for word in words} == sqlite_stems(words)


@pytest.mark.parametrize(
    ("text", "query", "pairs"),
    [
        ("wiki port wiki port wiki port", "wiki port", 1),
        ("port wiki", "wiki port", 0),
        ("the wiki port and the port number, wiki port", "wiki port number", 2),
    ],
)
def test_neighbours_count_once_however_often_they_are_said(text: str, query: str, pairs: int) -> None:
    assert Sought(query_terms(query)).neighbours(columns(text)[0]) == pairs


@pytest.mark.parametrize(
    ("text", "words", "pairs"),
    [
        ("Backups run at 03:30", "backups run at 03 30", ""),
        ("Marta's café, naïve über", "marta cafe naive uber", ""),
        ("gen-itgc后端服务", "gen itgc", "后端 端服 服务 务"),
        ("会議の議事録", "", "会議 議の の議 議事 事録 録"),
        ("결제 모듈", "", "결제 제 모듈 듈"),
        ("雨", "", "雨"),
        ("Ｆｕｌｌｗｉｄｔｈ ｶﾀｶﾅ", "fullwidth", "カタ タカ カナ ナ"),
        ("ship it 🚀", "ship it u1f680", ""),
        ("a <!-- src:web ts:unknown --> b", "a b", ""),
        ("snake_case and heron.lan:8123", "snake case and heron lan 8123", ""),
    ],
)
def test_columns(text: str, words: str, pairs: str) -> None:
    assert columns(text) == (words, pairs)


def test_a_query_keeps_what_tells_and_each_term_once() -> None:
    assert query_terms("What are the backups of the backup?") == (Term(WORD, "backup"),)
    assert query_terms("who is it") == (Term(WORD, "who"), Term(WORD, "is"), Term(WORD, "it"))
    assert query_terms("雨 数据库") == (Term(HEAD, "雨"), Term(PAIR, "数据"), Term(PAIR, "据库"))
    assert query_terms("?! … --") == ()
    assert len(query_terms(" ".join(f"word{number}" for number in range(500)))) == MOST


def test_what_a_text_holds() -> None:
    sought = Sought(query_terms("deploying servers 雨 数据库"))
    held = sought.found(*columns("The server was deployed. 数据 和 暴雨"))
    assert {term.text for term in held} == {"deploi", "server", "数据", "雨"}
    assert sought.found("", "") == frozenset()


def test_words_side_by_side() -> None:
    sought = Sought(query_terms("guest network password"))
    assert sought.neighbours("the guest networks password") == 2
    assert sought.neighbours("password network guest") == 0


@given(st.text())
def test_folding_twice_is_folding_once_and_always_encodes(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    for column in columns(text):
        column.encode()


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_whatever_a_text_is_made_of_is_found_in_it(before: str, middle: str, after: str) -> None:
    text = f"{before} {middle} {after}"
    if "<!--" in text:
        return
    sought = Sought(query_terms(middle))
    assert sought.found(*columns(text)) == frozenset(sought.terms)
