"""Secrets of more than one line: where they begin and end, and what only looks like one."""

from __future__ import annotations

import base64
import random

import pytest

from hoard_git.core.secrets import find_secrets
from hoard_git.core.secrets._bip39 import INDEX
from hoard_git.core.secrets.blocks import bip39_checksum
from tests.core.secrets.second_set import Maker

FENCE = "-" * 5
BEGIN = f"{FENCE}BEGIN RSA PRIVATE KEY{FENCE}"
END = f"{FENCE}END RSA PRIVATE KEY{FENCE}"
HEAD = "b3BlbnNzaC1r" + "ZXktdjEA"
SEED = " ".join(random.Random(3).sample([word for word in INDEX if 3 <= len(word) <= 8], 12))


def body(lines: int, seed: int = 7) -> list[str]:
    data = base64.b64encode(Maker(seed).data(48 * lines)).decode()
    return [data[at : at + 64] for at in range(0, len(data), 64)]


def bare(seed: int) -> list[str]:
    """The body of an OpenSSH key without its fences."""
    first, *others = body(4, seed)
    return [HEAD + first[:50], *others]


def spans(lines: list[str]) -> list[tuple[str, int, int]]:
    found = find_secrets(lines)
    assert all(match.certain for match in found)
    return [(match.rule, match.line, match.end_line) for match in found]


def test_a_doubled_begin_line_makes_no_second_key() -> None:
    assert spans([BEGIN, BEGIN, *body(3), END, "text"]) == [("private-key", 1, 6)]


def test_a_key_without_an_end_stops_where_its_lines_stop() -> None:
    far = "plain words that go on and on, " * 8
    assert spans([BEGIN, *body(2), "", far, *body(1, 9)]) == [("private-key", 1, 3)]


@pytest.mark.parametrize("after", [[], ["", "the rest of the note"]])
def test_the_body_of_an_openssh_key_needs_no_fences(after: list[str]) -> None:
    assert spans(["the key:", *bare(1), *after]) == [("private-key", 2, 5)]


def test_a_body_that_was_wrapped_anew_is_still_one() -> None:
    whole = "".join(bare(1))
    lines = [f"> {whole[at : at + 40]}" for at in range(0, len(whole) - 40, 40)]
    assert spans(lines) == [("private-key", 1, len(lines))]


def test_every_openssh_body_outside_of_a_fenced_key_is_one() -> None:
    fenced = [BEGIN.replace("RSA", "OPENSSH"), *bare(1), END.replace("RSA", "OPENSSH")]
    gap = ["", "words between the keys that nobody would take for one of their lines, " * 3, ""]
    lines = [*bare(2), *gap, *fenced, *gap, *bare(3), *gap, *bare(4)]
    assert spans(lines) == [("private-key", first, last) for first, last in ((1, 4), (8, 13), (17, 20), (24, 27))]


def test_two_bodies_one_below_the_other_are_two() -> None:
    assert spans([*bare(1), "and the other:", *bare(2)]) == [("private-key", 1, 4), ("private-key", 6, 9)]


def test_an_elided_putty_key_is_none() -> None:
    assert find_secrets(["Private-Lines: 3", "...", "Private-MAC: ..."]) == []


def test_every_putty_key_is_one() -> None:
    key = [["Private-Lines: 3", *body(3, seed), ""] for seed in (1, 2)]
    gap = ["words between the keys that nobody would take for one of their lines, " * 3]
    assert spans([*key[0], *gap, *key[1]]) == [("private-key", 1, 4), ("private-key", 7, 10)]


@pytest.mark.parametrize("quoted", [HEAD, f"{HEAD}AAAAABG5vbmU...", f"`{HEAD}`"])
def test_how_openssh_keys_begin_is_no_key(quoted: str) -> None:
    assert find_secrets([f"- what OpenSSH writes between its fences begins with {quoted}"]) == []


@pytest.mark.parametrize("behind", [" Kevlarite was written down too", ". About able above", " | about able above"])
def test_a_seed_phrase_ends_before_what_is_none_of_its_words(behind: str) -> None:
    assert [(match.rule, match.value) for match in find_secrets([f"- seed phrase: {SEED}{behind}"])] == [("seed-phrase", SEED)]


def test_a_checksum_needs_a_size_and_words_of_the_list() -> None:
    zeros = ["abandon"] * 11
    assert bip39_checksum([*zeros, "about"])
    assert not bip39_checksum([*zeros, "above"])
    assert not bip39_checksum(zeros)
    assert not bip39_checksum([*zeros, "hoard"])


@pytest.mark.parametrize(
    "line",
    [
        "the recovery codes changed in commit a1b2c3d4e5 and f9e8d7c6b5",
        "backup codes printed 20240506 and 20250607",
        "recovery codes of 2024-2025 2025-2026",
        "recovery codes: Alpha-x1y2 Bravo-x1y3",
    ],
)
def test_hashes_dates_years_and_names_are_no_recovery_codes(line: str) -> None:
    assert find_secrets([line]) == []


@pytest.mark.parametrize("codes", ["4821-9037 5510-2846", "a1b2c3d4 f9e8d7c6", "x7k2q-9m4fp h3n8w-2c6vr"])
def test_two_codes_of_one_length_are_recovery_codes(codes: str) -> None:
    assert [(match.rule, match.value, match.certain) for match in find_secrets([f"recovery codes: {codes}"])] == [
        ("recovery-codes", codes, True)
    ]


@pytest.mark.parametrize(
    ("head", "cell", "found"),
    [
        ("password", "horse" + "battery", [("labelled-password", False)]),
        ("password", "let" + "mein", []),
        ("password", "Tr0ub4dor" + "&3x", [("labelled-password", True)]),
        ("PIN", "48" + "31", [("labelled-pin", True)]),
        ("PIN", "4.1", []),
        ("door code", "48" + "31", [("labelled-pin", True)]),
        ("code", "48" + "31", []),
    ],
)
def test_a_cell_is_judged_by_the_head_of_its_column(head: str, cell: str, found: list[tuple[str, bool]]) -> None:
    lines = [f"| name | {head} |", "|---|---|", f"| front | {cell} |"]
    assert [(match.rule, match.certain) for match in find_secrets(lines)] == found


@pytest.mark.parametrize("label", ["Password:", "Passwords:", "## Wi-Fi passwords"])
@pytest.mark.parametrize("fill", ["", "```"])
@pytest.mark.parametrize("rows", range(4))
def test_two_empty_lines_may_stand_between_a_label_and_its_value(label: str, fill: str, rows: int) -> None:
    value = "Tr0ub4dor" + "&3x"
    found = [(match.line, match.certain) for match in find_secrets([label, *[fill] * rows, f"- {value}"])]
    assert found == ([(rows + 2, True)] if rows <= 2 else [])


# -------------------------------------------------------------------- lists of bare values under a label
BULLETS = ["- {}", "* {}", "+ `{}`", "  - {}", "> - {}", "- **{}**", '- "{}"']


@pytest.mark.parametrize("bullet", BULLETS)
@pytest.mark.parametrize(
    "label", ["API keys:", "Access tokens:", "The API keys of the shop are:", "- Secret keys:", "**API keys**:", "api_keys ="]
)
def test_every_value_of_a_list_under_a_plural_label_is_found(label: str, bullet: str) -> None:
    lines = [label, *(bullet.format(Maker(seed).alnum(32)) for seed in range(5)), "", "- Tea is at four"]
    assert spans(lines) == [("labelled-key", number, number) for number in range(2, 7)]


@pytest.mark.parametrize("label", ["Passwords:", "Passw\u00f6rter:", "Contrase\u00f1as:"])
def test_every_password_of_a_list_is_found(label: str) -> None:
    lines = [label, *(f"- {Maker(seed).alnum(6)}&{Maker(seed).alnum(5)}#7" for seed in range(4))]
    assert spans(lines) == [("labelled-password", number, number) for number in range(2, 6)]


@pytest.mark.parametrize("label", ["API keys:", "## API keys", "API-Schl\u00fcssel:"])
@pytest.mark.parametrize("count", [12, 13, 40, 300])
def test_a_list_of_values_is_followed_to_its_end(label: str, count: int) -> None:
    lines = [label, "", *(f"- {Maker(seed).alnum(32)}" for seed in range(count)), "", "- Tea is at four"]
    found = [match.line for match in find_secrets(lines)]
    assert found[:3] == [3, 4, 5] and found[-1] == count + 2 and len(found) >= 0.99 * count
    for wanted in (3, count // 2, count + 2):
        assert [match.line for match in find_secrets(lines, wanted={wanted})] == [wanted]


@pytest.mark.parametrize("between", ["- (rotated in May)", "- none", "- the second one is in the vault"])
def test_a_line_that_is_no_value_does_not_end_a_list_of_keys(between: str) -> None:
    first, second = Maker(1).alnum(32), Maker(2).alnum(32)
    found = [match.line for match in find_secrets(["API keys:", f"- {first}", between, f"- {second}"])]
    assert found == ([2, 4] if len(between.split()) == 2 else [2])


@pytest.mark.parametrize(
    "lines",
    [
        ["API keys:", "- rotate-them-quarterly", "- keep-them-in-the-vault", "- never-commit-them"],
        ["API keys:", "- OPENAI_API_KEY", "- STRIPE_SECRET_KEY", "- SENTRY_AUTH_TOKEN"],
        ["API keys:", "- `config/keys.yaml`", "- https://example.org/keys/rotation-policy-2026"],
        ["Tokens:", "- 0f3c9a7be21d4568aa90bc3de4f56712", "- da39a3ee5e6b4b0d3255bfef95601890afd80709"],
        ["Keys:", "- memory_search", "- primary_key", "- createdAtTimestamp"],
        ["Passwords:", "- bitwarden", "- keepassxc", "- rotate-quarterly", "- vaultwarden-server"],
        ["Passwords:", "- Netflix", "- Spotify", "- GitHub", "- home-assistant"],
        ["Password:", "- see-the-vault", "- change-it-monthly", "- Monday"],
        ["Passwords:", "- Ada", "- Grace", "- 2026-01-02", "- node-2"],
        ["Access tokens:", "- expires 2026-01-02", "- read-only", "- 3f2504e0-4f89-11d3-9a0c-0305e82c3301"],
    ],
)
def test_lists_below_a_plural_label_that_hold_no_value(lines: list[str]) -> None:
    assert find_secrets(lines) == []


@pytest.mark.parametrize(("label", "lines"), [("API key:", [2, 4]), ("Password:", [2])])
def test_under_a_label_for_one_keys_go_on_and_passwords_do_not(label: str, lines: list[int]) -> None:
    values = [f"- {Maker(seed).alnum(24)}&7" for seed in (1, 2)]
    found = find_secrets([label, values[0].rstrip("&7"), "- read-only", values[1].rstrip("&7")])
    assert [match.line for match in found] == lines
