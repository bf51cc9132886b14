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


_ENDINGS = st.sampled_from(["", "s", "ies", "ing", "ed", "y", "ational", "bility", "bly", "logies", "ization", "fulness", "ivity", "ably"])


@given(st.text(alphabet="abeilorsty", min_size=1, max_size=8), _ENDINGS)
def test_a_word_is_found_by_its_own_stem_however_that_differs(word: str, ending: str) -> None:
    word += ending
    term = Term(WORD, stem(word))
    assert Sought([term]).look(f"before {word} behind", "")[0] == {term}


def test_every_word_of_our_own_pages_is_found_by_its_stem() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").rglob("*.md")))
    words = {"sky", "dying", "usability", "possibly", *re.findall("[a-z0-9]+", text.lower())}
    assert [word for word in sorted(words) if not Sought([Term(WORD, stem(word))]).look(word, "")[0]] == []


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
    assert Sought(query_terms(query)).look(*columns(text))[1] == pairs


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


@given(st.text(), st.text(alphabet="aé1²々〇がｶ数หนึ่ง한글ᄀ雨🚀 -_", max_size=30))
def test_the_two_columns_have_no_character_in_common(text: str, mixed: str) -> None:
    words, pairs = columns(text + mixed)
    assert {*words} & {*pairs} <= {" "}


def test_a_query_keeps_what_tells_and_each_term_once() -> None:
    assert query_terms("What are the backups of the backup?") == (Term(WORD, "backup"),)
    assert query_terms("who is it") == (Term(WORD, "who"), Term(WORD, "is"), Term(WORD, "it"))
    assert query_terms("雨 数据库") == (Term(HEAD, "雨"), Term(PAIR, "数据"), Term(PAIR, "据库"))
    assert query_terms("?! … --") == ()
    assert len(query_terms(" ".join(f"word{number}" for number in range(500)))) == MOST


def test_what_a_text_holds() -> None:
    sought = Sought(query_terms("deploying servers 雨 数据库"))
    held, beside = sought.look(*columns("The server was deployed. 数据 和 暴雨"))
    assert ({term.text for term in held}, beside) == ({"deploi", "server", "数据", "雨"}, 0)
    assert sought.look("", "") == (frozenset(), 0)


def test_words_side_by_side() -> None:
    sought = Sought(query_terms("guest network password"))
    assert sought.look("the guest networks password", "")[1] == 2
    assert sought.look("password network guest", "")[1] == 0
    assert sought.look("guest of the network", "")[1] == 0


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
    assert sought.look(*columns(text))[0] == frozenset(sought.terms)


def test_half_a_character_folds_to_the_sign_for_one_and_the_rest_folds_on() -> None:
    assert fold("\ud800Caf\u00c9") == "\ufffdcafe"
