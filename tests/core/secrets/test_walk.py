"""The walk from a label to its value: how far it goes, and what on the way ends it or makes it less sure."""

from __future__ import annotations

import base64

import pytest

from hoard_git.core.secrets import find_secrets
from hoard_git.core.secrets.values import NONE, PHRASE, strength
from hoard_git.core.secrets.values import STRONG as STRONG_GRADE
from hoard_git.core.secrets.walk import unwrap
from tests.core.secrets.second_set import Maker
from tests.core.secrets.secret_examples import expand

HEX = Maker(5).hex(40)
UUID = Maker(6).uuid()
TOKEN = base64.b64encode(Maker(5).data(24)).decode().replace("/", "x").replace("+", "y")
STRONG = "Tr0ub4dor" + "&3x"
WORDS = ["red", "blue", "green", "pink", "grey", "lilac"]


def verdicts(line: str) -> list[bool]:
    return [match.certain for match in find_secrets([line])]


@pytest.mark.parametrize("size", [32, 40])
@pytest.mark.parametrize("words", range(6))
def test_a_hex_password_is_certain_up_to_three_words_behind_its_link(words: int, size: int) -> None:
    between, value = " ".join([*WORDS[:words], ""]), Maker(5).hex(size)
    assert verdicts(f"- password: {between}{value}") == [words <= 3]
    assert verdicts(f"- password {between}{value}") == [False], "without a link it is possible, no more"


@pytest.mark.parametrize(("words", "found"), [(1, True), (13, True), (14, False)])
def test_fourteen_words_behind_a_label_are_looked_at(words: int, found: bool) -> None:
    assert verdicts(f"- password {'is ' * words}{STRONG}") == [True] * found


@pytest.mark.parametrize("words", range(6))
def test_a_uuid_is_a_key_only_behind_the_label_of_one_and_a_link(words: int) -> None:
    between = " ".join([*WORDS[:words], ""])
    assert verdicts(f"- api key: {between}{UUID}") == ([True] if words <= 4 else [])
    assert verdicts(f"- api key {between}{UUID}") == []
    assert verdicts(f"- token: {between}{UUID}") == []


def test_a_public_token_is_none_unless_it_is_called_secret() -> None:
    assert verdicts(f"- my token: {TOKEN}") == [True]
    assert verdicts(f"- public key: {TOKEN}") == []
    assert verdicts(f"- the public secret: {TOKEN}") == [True]


def test_one_word_that_says_that_no_value_follows_may_err_two_do_not() -> None:
    assert verdicts(f"- password policy {STRONG}") == [True]
    assert verdicts(f"- password policy rotation {STRONG}") == []
    assert verdicts(f"- password: not {STRONG}") == [], "right behind a link one is enough"


@pytest.mark.parametrize(("first", "found"), [("ox", False), ("elk", True), ("a" * 12, True), ("a" * 13, False), ("Elk", False)])
def test_the_words_of_a_phrase_have_three_to_twelve_small_letters(first: str, found: bool) -> None:
    words = [first, *["bravo", "candy", "delta", "eagle", "fancy", "giant", "happy", "ideal", "joker", "karma", "ladle"]]
    assert verdicts(f"- seed phrase: {' '.join(words)}") == [True] * found


def test_the_words_of_a_phrase_may_stand_right_behind_the_colon() -> None:
    words = "elk bravo candy delta eagle fancy giant happy ideal joker karma ladle"
    assert verdicts(f"- seed phrase:{words}") == [True]


@pytest.mark.parametrize(
    ("password", "certain"),
    [
        (HEX[:16], True),
        (HEX[:12], False),
        (UUID, True),
        ("kestrel" + "91x", True),
        ("Blue7" + "Horse", True),
        (HEX, True),
        ("123456", False),
        ("aB3$" + "x", True),
        ("Horses" + "TapleQ", True),
        ("horses" + "taple", False),
    ],
)
def test_what_stands_in_a_url_is_certain_when_nobody_would_make_it_up_for_a_page(password: str, certain: bool) -> None:
    assert verdicts(f"- the base: postgres://app:{password}@db7.acme.test/main") == [certain]


@pytest.mark.parametrize(
    ("raw", "value", "quoted"),
    [
        ("**abcdef", "abcdef", False),
        ("abcdef**", "abcdef", False),
        ("**abcdef**", "abcdef", True),
        ("*abcdef*", "abcdef", True),
        ('"abcdef",', "abcdef", True),
        ("(abcdef).", "abcdef", False),
    ],
)
def test_emphasis_and_quotes_are_taken_off(raw: str, value: str, quoted: bool) -> None:
    start, end, said = unwrap(raw, 0)
    assert (raw[start:end], said) == (value, quoted)


@pytest.mark.parametrize("password", ["12345", "HORSESTAPLE"])
def test_a_short_number_and_a_name_in_capitals_in_a_url_are_none(password: str) -> None:
    assert verdicts(f"- the base: postgres://app:{password}@db7.acme.test/main") == []


def test_a_loose_label_needs_its_value_right_behind_it() -> None:
    strong, fair = "Vq7" + "Lm2Xz", "kestrel" + "91x"
    assert verdicts(f"- password red {strong}") == [True]
    assert verdicts(f"- pw red {strong}") == [False]
    assert verdicts(f"- pw {strong}") == [True]
    assert verdicts(f"- password red {fair}") == [False]
    assert verdicts(f"- pw red {fair}") == []
    assert verdicts(f"- password {fair} is old") == verdicts(f"- pw {fair}") == [True]
    assert verdicts(f"- pw {fair} is old") == [False], "more words behind it, and it may be one of them"


def test_a_word_like_secret_of_a_client_is_possible_and_that_of_an_api_key_is_none() -> None:
    assert verdicts("- client secret: " + "kestrel" + "91x") == [False]
    assert verdicts("- api key: " + "kestrel" + "91x") == []
    assert verdicts("- api key: " + "Blue7" + "Horse") == [True]


def test_a_short_random_value_is_certain_behind_a_key_or_a_linked_secret() -> None:
    value = TOKEN[1:15]
    assert verdicts(f"- api key: {value}") == verdicts(f"- api key {value}") == [True]
    assert verdicts(f"- api key red {value}") == [False]
    assert verdicts(f"- client secret: red {value}") == [True]
    assert verdicts(f"- client secret red {value}") == [False]
    assert verdicts(f"- token: {value}") == [False]


@pytest.mark.parametrize("above", ["", "PuTTY-User-Key-File-3: x\n"])
def test_the_body_of_a_putty_key_is_one_wherever_it_stands(above: str) -> None:
    body = base64.b64encode(Maker(4).data(48)).decode()
    (found,) = find_secrets(f"{above}Private-Lines: 1\n{body}\nPrivate-MAC: 0".split("\n"))
    assert found.certain
    assert (found.rule, found.line, found.end_line) == ("private-key", above.count("\n") + 1, above.count("\n") + 2)


def test_what_reads_like_a_call_is_no_password() -> None:
    assert strength("foo" + "(Bar9)!") == NONE
    assert strength("foo" + ".Bar9!") == STRONG_GRADE


def test_three_kinds_of_signs_that_change_often_are_strong_from_eight_on() -> None:
    assert strength("aB3d" + "E5fG") == STRONG_GRADE
    assert strength("aB3d" + "E5f") < STRONG_GRADE
    assert strength("Abcd" + "efg1") < STRONG_GRADE, "one change is a word and a number"


def test_a_list_below_a_label_ends_at_the_next_heading() -> None:
    pair = f"- admin: {STRONG}"
    found = find_secrets(["Login credentials:", pair, "## Other", f"- note: {STRONG}"])
    assert [match.line for match in found] == [2]


def test_a_colon_late_in_the_words_brings_the_value_near() -> None:
    assert verdicts(f"- password {' '.join(WORDS[:5])}: {HEX}") == [True]


@pytest.mark.parametrize(("size", "expected"), [(7, []), (8, [False]), (9, [True])])
def test_a_recovery_code_alone_has_eight_signs_at_least(size: int, expected: list[bool]) -> None:
    assert verdicts("- recovery code: " + "a3f81c05bd9e"[:size]) == expected


@pytest.mark.parametrize("cut", [24, 28, 40])
def test_base64_goes_on_over_the_end_of_a_line(cut: int) -> None:
    token = expand("ghp_{b62:30}{crc32b62}", 1)
    data = base64.b64encode(f"export TOKEN={token} # keep".encode()).decode()
    found = find_secrets([data[:cut], data[cut:]])
    assert [(match.rule, match.value) for match in found] == [("github-ghp", token)]


@pytest.mark.parametrize(("label", "found"), [("my_pat", True), ("_pat", True), ("PAT", True), ("pat", False), ("the pat", False)])
def test_pat_is_a_name_unless_it_is_written_like_a_variable(label: str, found: bool) -> None:
    assert verdicts(f"- {label}: {TOKEN}") == [True] * found


@pytest.mark.parametrize(("above", "lines"), [("Password:", [2]), ("## Passwords", [2, 3]), ("Login credentials:", [2, 3])])
def test_a_label_above_has_one_value_and_a_heading_or_a_pair_several(above: str, lines: list[int]) -> None:
    found = find_secrets([above, f"- {STRONG}", "- Kq8" + "Lm3Yz?"])
    assert [match.line for match in found] == lines


@pytest.mark.parametrize(("label", "reach"), [("Password:", 3), ("Passwords:", 12)])
def test_a_label_in_the_plural_reaches_farther_down(label: str, reach: int) -> None:
    found = find_secrets([label, *(f"- box{number}: {STRONG}{number}" for number in range(14))])
    assert [match.line for match in found] == list(range(2, 2 + reach))


def test_what_is_only_possible_as_it_stands_is_decoded() -> None:
    token = expand("ghp_{b62:30}{crc32b62}", 1)
    (hidden,) = find_secrets([f"- password red {token.encode().hex()}"])
    assert (hidden.rule, hidden.certain, hidden.value) == ("github-ghp", True, token)
    (known,) = find_secrets([f"- token: {base64.b64encode(token.encode()).decode()}"])
    assert (known.rule, known.certain) == ("labelled-key", True), "what is certain is not looked into"


@pytest.mark.parametrize("link", ["->", ":->", "=>", ":=>", "=->", ": ->"])
def test_an_arrow_is_no_part_of_the_value(link: str) -> None:
    assert [(match.value, match.certain) for match in find_secrets([f"- password{link}{STRONG}"])] == [(STRONG, True)]


@pytest.mark.parametrize(
    "frame", ["<password>{}</password>", "password <b>{}</b>", "<td>password is {}</td>", "<li>password: <code>{}</code></li>"]
)
def test_tags_around_a_value_are_no_part_of_it(frame: str) -> None:
    assert [(match.value, match.certain) for match in find_secrets([frame.format(STRONG)])] == [(STRONG, True)]


def test_a_well_known_password_in_a_sentence_is_a_word() -> None:
    assert verdicts("- password: " + "qwer" + "ty") == [True]
    assert verdicts("- password: " + "qwer" + "ty" + " layouts are common") == []


@pytest.mark.parametrize(("words", "found"), [(4, [True]), (5, [False]), (6, [False]), (7, [])])
def test_a_strong_value_far_from_its_label_is_possible(words: int, found: list[bool]) -> None:
    between = ["red", "blue", "green", "pink", "grey", "lilac", "ochre"][:words]
    assert verdicts(f"- password {' '.join(between)} {STRONG}") == found


def test_random_hex_of_an_odd_length_right_behind_a_link_is_a_password() -> None:
    assert verdicts(f"- password: {Maker(5).hex(26)}") == [True]
    assert verdicts(f"- password of {Maker(5).hex(26)}") == []


@pytest.mark.parametrize("name", ["api key id", "token uuid", "the key's ref", "api key: id"])
def test_what_identifies_a_key_is_none(name: str) -> None:
    assert verdicts(f"- {name}: {TOKEN}") == []


@pytest.mark.parametrize(
    ("value", "grade"), [("blue.horse42", PHRASE), ("red_green_blue2024", PHRASE), ("user_name2024", NONE), ("#wifi", NONE), ("@ada", NONE)]
)
def test_words_with_a_number_are_a_phrase_and_names_are_none(value: str, grade: int) -> None:
    assert strength(value) == grade


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("- door code: 48" + "31", [True]),
        ("- the code for our new garage door 48" + "31", []),
        ("- garage code 19" + "87", [False]),  # may be a year
        ("- PIN 48" + "31", [True]),
        ("- use pin 48" + "31 of the board", []),
        ("- PIN: not 48" + "31", []),
        ("- SIM PIN: 00" + "00", []),
    ],
)
def test_numbers_behind_a_label(line: str, found: list[bool]) -> None:
    assert verdicts(line) == found


@pytest.mark.parametrize(
    ("line", "value", "certain"),
    [
        ("- login as ada with `{}`", "blue42" + "horse", False),
        ("- login as ada with {}", STRONG, True),
        ("- login: admin / {}", "correct-horse" + "-battery", True),
    ],
)
def test_a_login_names_its_password(line: str, value: str, certain: bool) -> None:
    assert [(match.rule, match.value, match.certain) for match in find_secrets([line.format(value)])] == [("login-pair", value, certain)]


@pytest.mark.parametrize(
    ("line", "value", "certain"),
    [
        ("- `{}` is the api key", TOKEN, True),
        ("| {} | api key |", TOKEN, False),
        ("- {} is the wifi password", "sunny42" + "day", False),
        ("- `{}` is the wifi password", "sunny42" + "day", True),
        ("| {} | wifi password |", "sunny42" + "day", False),
    ],
)
def test_a_value_may_stand_before_its_label(line: str, value: str, certain: bool) -> None:
    assert [(match.value, match.certain) for match in find_secrets([line.format(value)])] == [(value, certain)]


def test_escaped_quotes_do_not_end_a_string() -> None:
    told = '{"text": "set the \\"password\\" field", "other": "' + STRONG + '"}'
    assert verdicts(told) == [], "another key's value"
    inside = '{"text": "the \\"password\\" is ' + STRONG + '", "other": 1}'
    assert [match.value for match in find_secrets([inside])] == [STRONG]


def test_a_label_may_follow_a_line_end_of_a_json_string() -> None:
    assert [match.value for match in find_secrets(['{"note": "hosts:\\npassword: ' + STRONG + '"}'])] == [STRONG]


@pytest.mark.parametrize(
    ("between", "found"),
    [(": {}", [True]), (" {}", [True]), (" {} and more", [False]), (" blue `{}`", [False]), (" blue {}", [])],
)
def test_a_passphrase_without_a_link_must_stand_alone_or_in_quotes(between: str, found: list[bool]) -> None:
    assert verdicts("- password" + between.format("correct-horse" + "-battery")) == found
