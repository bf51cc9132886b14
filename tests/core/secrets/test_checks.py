"""What the checks of the tables say of a value in its surroundings: True for a secret, False for a doubt that only warns, None for none."""

from __future__ import annotations

import random
from base64 import b64encode, urlsafe_b64encode

import pytest

from hoard_git.core.secrets import checks, find_secrets
from tests.core.secrets.second_set import Maker

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def made(size: int, seed: int = 3, alphabet: str = LETTERS) -> str:
    """A value that is nobody's: made when the test runs, so that no file holds its shape."""
    dice = random.Random(seed)
    return "".join(dice.choice(alphabet) for _ in range(size))


KEY = made(40)
HEXES = made(32, alphabet="0123456789abcdef")


@pytest.mark.parametrize(
    ("before", "rest", "said"),
    [
        ("the commit is ", "", None),  # what names a hash is no key
        ("project_id: ", "", None),
        ("see logs/", "", None),
        ("the api key: ", "", True),
    ],
)
def test_a_value_behind_the_name_of_a_vendor(before: str, rest: str, said: bool | None) -> None:
    assert checks._labelled(HEXES, before, before + HEXES) is said


def test_a_jwt_has_a_head_that_says_so() -> None:
    def token(head: bytes) -> str:
        return f"{urlsafe_b64encode(head).decode().rstrip('=')}.{made(40, 5)}.{made(40, 6)}"

    good = token(b'{"alg":"HS256","typ":"JWT"}')
    assert checks._jwt(good, "", good) is True
    for head in (b'["alg"]', b'{"kid":"a long enough name"}'):
        assert checks._jwt(token(head), "", token(head)) is None
    broken = f"eyJ{'a' * 2}.{made(40, 5)}.{made(40, 6)}"
    assert checks._jwt(broken, "", broken) is None


def test_basic_credentials_are_a_name_and_a_word() -> None:
    def basic(text: str) -> bool | None:
        value = b64encode(text.encode()).decode()
        return checks._basic(value, "Authorization: Basic ", value)

    assert basic(f"ada:{made(14)}") is True
    assert basic("ada") is None
    assert basic("ada:Ada") is None
    assert basic("ada:<password>") is None


@pytest.mark.parametrize("check", [checks._bearer, checks._header, checks._flag_password, checks._pgpass, checks._password])
@pytest.mark.parametrize("value", ["<token>", "${TOKEN}", "$TOKEN", "YOUR_TOKEN_HERE"])
def test_placeholders_and_references_are_no_secrets(check: checks.Check, value: str) -> None:
    assert check(value, "", value) is None


def test_cookies_that_count_visits_are_no_sessions() -> None:
    assert checks._cookie(f"_ga={made(30)}", "", "") is None
    assert checks._cookie(f"session={made(30)}", "", "") is True


@pytest.mark.parametrize(
    ("user", "value", "host", "said"),
    [
        ("ada", made(16), "db.example.org", True),
        ("ada", "ada", "db.example.org", None),
        ("ada", "1234", "db.example.org", None),
        ("ada", "DB_PASSWORD", "db.example.org", None),
        ("ada", "devpass", "localhost", None),
        ("ada", "<password>", "db.example.org", None),
    ],
)
def test_passwords_in_addresses(user: str, value: str, host: str, said: bool | None) -> None:
    whole = f"postgres://{user}:{value}@{host}"
    assert checks._url(value, "", whole) is said


def test_base_32_needs_digits_or_length() -> None:
    assert checks._base32("AAAAAAAAAAAAAAAA", "", "") is None
    assert checks._base32("HELLO WORLD HELLO WORLD", "", "") is None
    assert checks._base32(made(16, 2, "BCDFGHJKLMNPQ234567"), "", "") is True


def test_app_passwords_are_no_words() -> None:
    assert checks._app_password("aaaa bbbb aaaa bbbb", "", "") is None
    assert checks._app_password("area euro idea aide", "", "") is None
    letters = f"{made(4, 1, 'bcdfgjklmn')} {made(4, 2, 'pqrstvwxz')} {made(4, 3, 'bcdfghjk')} {made(4, 4, 'lmnpqrst')}"
    assert checks._app_password(letters, "", "") is False
    assert checks._app_password(letters, "app password: ", "") is True


@pytest.mark.parametrize(
    ("name", "size", "found"),
    [
        ("our drone server ", 32, True),  # 32 random characters need no other word
        ("the travis build of ", 22, False),
        ("travis: ", 22, True),
        ("travis token of ", 22, True),
    ],
)
def test_a_short_value_needs_a_colon_or_a_word_for_key(name: str, size: int, found: bool) -> None:
    assert [match.value for match in find_secrets([name + made(size)])] == [made(size)] * found


def test_a_uuid_behind_the_name_of_a_vendor_may_be_any() -> None:
    uuid = Maker(6).uuid()
    assert find_secrets([f"scaleway: {uuid}"]) == []
    assert [match.value for match in find_secrets([f"scaleway secret: {uuid}"])] == [uuid]


def test_forty_characters_are_an_aws_secret_unless_they_are_a_hash() -> None:
    assert checks._base64ish(KEY, "", f"aws secret {KEY}") is True
    assert checks._base64ish(KEY, "", f"aws sha {KEY}") is None
    assert checks._base64ish(HEXES + HEXES[:8], "", f"aws secret {HEXES + HEXES[:8]}") is None
    assert checks._base64ish("a/b/" * 10, "", "aws secret " + "a/b/" * 10) is None


def test_a_wrong_checksum_is_still_a_token_where_the_rest_is_random() -> None:
    assert checks._crc32("ghp_" + made(36), "", "") is True
    assert checks._crc32("ghp_" + "your_token_here_" * 2 + "abcd", "", "") is None


def test_words_with_dots_are_no_bot_tokens() -> None:
    first = b64encode(b"117670694322465549").decode()
    assert checks._discord(f"{first}.{made(6, 4)}.{made(30, 5)}", "", "") is True
    assert checks._discord(f"{first}.module.{'documentation' * 3}", "", "") is None
    assert checks._discord(f"{first.lower()}.{made(6, 4)}.{made(30, 5)}", "", "") is None


def test_hex_behind_a_word_for_hash_or_in_a_path_is_no_key() -> None:
    assert checks._mixed_hex("SK" + HEXES, "account ", "") is True
    assert checks._mixed_hex("SK" + HEXES, "the commit ", "") is None
    assert checks._mixed_hex("SK" + HEXES, "see logs/", "") is None
    assert checks._mixed_hex("SK" + "0" * 32, "account ", "") is None


def test_a_port_and_a_path_with_an_at_sign_are_no_password() -> None:
    value = "5432/team"
    assert checks._url(value, "", f"https://mirror:{value}@main") is None


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (made(14), True),
        ("horse" + "battery", False),
        ("value", None),
        ("build/output", None),
        ("2024-05-06", None),
        ("-v", None),
        (HEXES, True),
    ],
)
def test_what_stands_behind_a_password_flag(value: str, said: bool | None) -> None:
    assert checks._flag_password(value, "", f"--password {value}") is said
