"""The front door: places, neighbours, budget, masks and fingerprints; and disguised keys."""

from __future__ import annotations

import base64
import inspect

import pytest

from hoard_git.core.secrets import BUILTIN, Match, allows_here, detect, find_secrets, fingerprint, mask
from hoard_git.core.secrets.decode import unbase64
from hoard_git.core.secrets.values import is_reference
from hoard_git.errors import HoardError
from tests.core.secrets.second_set import Maker
from tests.core.secrets.secret_examples import expand

GITHUB = expand("ghp_{b62:30}{crc32b62}", 1)
GROQ = expand("gsk_{b62:52}", 2)
BYTES = GITHUB.encode().hex("-")
ROUTER = expand("sk-or-v1-{hex:64}", 3)


def only(text: str) -> Match:
    found = [match for match in find_secrets(text.split("\n")) if match.certain]
    assert len(found) == 1, [match.rule for match in found]
    return found[0]


def key_block(kind: str, lines: int) -> list[str]:
    body = base64.b64encode(Maker(7).data(48 * lines)).decode()
    fence = "-" * 5
    return [f"{fence}BEGIN {kind}{fence}", *(body[i : i + 64] for i in range(0, len(body), 64)), f"{fence}END {kind}{fence}"]


def test_place_is_the_token_and_nothing_else() -> None:
    found = only(f"# Notes\n\n- the bot uses {GITHUB}, keep it")
    assert (found.rule, found.line, found.column, found.end_line, found.end_column) == ("github-ghp", 3, 16, 3, 16 + len(GITHUB))
    assert found.value == GITHUB


def test_columns_count_hidden_characters_of_the_original_line() -> None:
    line = f"tok\u200ben \u200b{GITHUB[:9]}\u00ad{GITHUB[9:]} end"
    found = only(line)
    assert found.value == GITHUB
    assert line[found.column - 1 : found.end_column - 1] == f"{GITHUB[:9]}\u00ad{GITHUB[9:]}"


def test_carriage_returns_and_broken_bytes_do_no_harm() -> None:
    found = find_secrets([f"key {GITHUB}\r", "\udcff\udcfe password is \udc80", ""])
    assert [(match.line, match.value) for match in found] == [(1, GITHUB)]


def test_no_lines_no_findings() -> None:
    assert find_secrets([]) == []
    assert find_secrets([""]) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("zero width", GITHUB[:3] + "\u200b" + GITHUB[3:20] + "\u2060" + GITHUB[20:]),
        ("homoglyph", GITHUB.replace("gh", "gһ", 1)),
        ("full width", "".join(chr(ord(char) + 0xFEE0) for char in GITHUB)),
        ("markdown escape", GITHUB.replace("_", "\\_")),
        ("emphasis inside", f"{GITHUB[:14]}**{GITHUB[14:20]}**{GITHUB[20:]}"),
        ("backticks and plus", f"`{GITHUB[:16]}` + `{GITHUB[16:]}`"),
        ("string concatenation", f'"{GITHUB[:16]}" + "{GITHUB[16:]}"'),
        ("blanks", f"{GITHUB[:14]} {GITHUB[14:27]} {GITHUB[27:]}"),
        ("wrapped", f"bot:\n  {GITHUB[:21]}\n  {GITHUB[21:]}"),
        ("wrapped in a quote", f"> bot: {GITHUB[:21]}\n> {GITHUB[21:]}"),
        ("base64", base64.b64encode(GITHUB.encode()).decode()),
        ("base64 twice", base64.b64encode(base64.b64encode(GITHUB.encode())).decode()),
        ("hexadecimal", GITHUB.encode().hex()),
        ("bytes with blanks", BYTES.replace("-", " ")),
        ("bytes with colons", BYTES.replace("-", ":")),
        ("bytes of an array", "{0x" + BYTES.replace("-", ", 0x") + "}"),
        ("bytes of a dump", "0x" + BYTES.replace("-", " 0x")),
        ("bytes of a string", "\\x" + BYTES.replace("-", "\\x")),
        ("list items with tabs", f"keys:\n-\t{GITHUB[:20]}\n-\t{GITHUB[20:]}\n"),
        ("list items", f"keys:\n- {GITHUB[:20]}\n- {GITHUB[20:]}\n"),
        ("base64 before a sign", f"{base64.b64encode((GITHUB + ' x').encode()).decode()}=\nabcdefghij"),
        ("percent", GITHUB.replace("_", "%5F")),
        ("entity", f"&#{ord(GITHUB[0])};" + GITHUB[1:]),
        ("escape sequence", GITHUB.replace("_", "\\u005f")),
        ("reversed", GITHUB[::-1]),
        ("letters apart", " ".join(GITHUB)),
        ("html comment", f"<!-- {GITHUB} -->"),
        ("fence", f"```sh\nexport GH={GITHUB}\n```"),
    ],
)
def test_disguised_key_is_found(name: str, text: str) -> None:
    found = [match for match in find_secrets(f"Notes on {text} end".split("\n")) if match.certain]
    assert GITHUB in {match.value for match in found}, name


def test_prose_after_a_prefix_is_no_split_key() -> None:
    lines = [
        "Classic tokens start with ghp_ and the fine grained ones start with",
        "github_pat_ followed by letters and digits only",
        "sk-or-v1- keys come from the dashboard of the router",
    ]
    assert find_secrets(lines) == []


def test_key_block_counts_as_one_finding_over_its_lines() -> None:
    block = key_block("RSA PRIVATE KEY", 20)
    found = find_secrets(["before", *block, "after"])
    assert [(match.rule, match.line, match.end_line) for match in found] == [("private-key", 2, 1 + len(block))]


def test_public_blocks_and_elided_keys_are_silent() -> None:
    assert find_secrets(key_block("CERTIFICATE", 12)) == []
    assert find_secrets(key_block("PGP PUBLIC KEY BLOCK", 12)) == []
    fence = "-" * 5
    assert find_secrets([f"{fence}BEGIN RSA PRIVATE KEY{fence}", "...", f"{fence}END RSA PRIVATE KEY{fence}"]) == []


def test_wanted_lines_are_judged_with_their_neighbours() -> None:
    password = Maker(3).strong(14)
    table = [
        "| service | user | password |",
        "|---|---|---|",
        *(f"| s{n} | bob | see vault |" for n in range(30)),
        f"| nas | bob | {password} |",
    ]
    lines = ["intro", "", *table, "", f"old {GITHUB}"]
    row = len(table) + 2
    assert [match.value for match in find_secrets(lines, wanted={row})] == [password]
    assert find_secrets(lines, wanted={3}) == []
    assert [match.value for match in find_secrets(lines, wanted=range(row, row + 9))] == [password, GITHUB]
    assert find_secrets(lines, wanted=set()) == []
    far = [GITHUB, *["text"] * 60, GROQ]
    assert [match.value for match in find_secrets(far, wanted={1, len(far)})] == [GITHUB, GROQ]


def test_wanted_line_in_the_middle_of_a_key_block() -> None:
    block = key_block("PRIVATE KEY", 60)
    lines = [*["text"] * 5, *block, *["text"] * 5]
    for number in (7, 40, len(block) + 4):
        assert [match.rule for match in find_secrets(lines, wanted={number})] == ["private-key"]
    assert find_secrets(lines, wanted={2}) == []


def test_many_wanted_lines_of_one_key_block_are_one_finding() -> None:
    lines = ["text", *key_block("PRIVATE KEY", 60), "text"]
    found = find_secrets(lines, wanted=range(1, len(lines) + 1))
    assert found == find_secrets(lines)
    assert [(match.line, match.end_line) for match in found] == [(2, len(lines) - 1)]


def test_a_body_without_fences_is_read_to_its_end() -> None:
    head, *rest = key_block("PRIVATE KEY", 30)[1:-1]
    lines = ["text", "b3BlbnNzaC1r" + "ZXktdjEA" + head[:44], *rest, "text"]
    for number in (2, 20, len(lines) - 1):
        assert [(match.line, match.end_line) for match in find_secrets(lines, wanted={number})] == [(2, len(lines) - 1)]


def test_the_oldest_texts_are_forgotten_and_the_longest_never_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(detect, "_scanned", {})
    monkeypatch.setattr(detect, "_kept", 0)
    monkeypatch.setattr(detect, "_KEPT", 1000)
    texts = [f"{number:02} {GITHUB} " + "word " * 14 for number in range(30)]
    for text in [*texts, "word " * 40 + GITHUB, *texts]:
        assert [match.value for match in find_secrets([text])] == [GITHUB]
    kept = [text for text, _rules in detect._scanned]
    assert kept == texts[-len(kept) :]
    assert 1000 - len(texts[0]) < sum(map(len, kept)) <= 1000


@pytest.mark.parametrize(
    ("data", "plain"),
    [
        (base64.b64encode(b"a plain text").decode(), "a plain text"),
        (base64.urlsafe_b64encode("fünf plain words??>".encode()).decode().rstrip("="), "fünf plain words??>"),
        (base64.b64encode(b"a plain text").decode() + "A", None),
        (base64.b64encode(b"a plain text").decode() + "=abcd", None),
        (base64.b64encode(b"bell \a and others").decode(), None),
        (base64.b64encode(b"short").decode(), None),
        (base64.b64encode(b"\xff\xfe is no UTF-8").decode(), None),
    ],
)
def test_only_whole_printable_texts_are_taken_out_of_base_64(data: str, plain: str | None) -> None:
    assert unbase64(data) == plain


def test_bytes_that_are_no_text_hide_nothing() -> None:
    assert find_secrets([f"digest {b'delete'.hex() * 3}{'7f' * 8} and {' '.join(['7f'] * 14)}"]) == []


def test_wanted_second_half_of_a_wrapped_key() -> None:
    lines = ["- router", f"  {ROUTER[:40]}", f"  {ROUTER[40:]}", "", "end"]
    assert [match.value for match in find_secrets(lines, wanted={3})] == [ROUTER]


def test_long_line_is_read_to_its_end() -> None:
    filler = "lorem ipsum dolor sit amet " * 4000
    line = f"{filler}{GITHUB} {filler}{GROQ}"
    assert [match.value for match in find_secrets([line])] == [GITHUB, GROQ]


def test_long_token_across_windows_is_found() -> None:
    jwt = expand("{jwt}", 5)
    head, body, sign = jwt.split(".")
    long = f"{head}.{body + base64.urlsafe_b64encode(Maker(9).data(1500)).decode()}.{sign}"
    for shift in (0, 7000, 7600, 8100):
        found = find_secrets(["word " * (shift // 5) + long])
        assert [(match.rule, match.value) for match in found] == [("jwt", long)]


def test_budget_fails_closed_and_keeps_the_secret_to_itself() -> None:
    now = iter(range(0, 10**6, 3))
    with pytest.raises(HoardError) as caught:
        find_secrets([f"key {GITHUB}"] * 50, clock=lambda: float(next(now)), budget=5.0)
    assert "unchecked" in caught.value.message
    assert caught.value.hint
    assert GITHUB not in str(caught.value) + caught.value.hint + repr(caught.value)


def test_clock_within_budget_changes_nothing() -> None:
    lines = [f"key {GITHUB}"]
    assert find_secrets(lines, clock=lambda: 1.0) == find_secrets(lines)


def test_mask_shows_no_more_than_a_public_prefix() -> None:
    assert mask(GITHUB) == "ghp_…(40 characters)"
    assert mask("Winter" + "2031!") == "…(11 characters)"
    assert all(char not in mask(Maker(1).strong(20)) for char in "!#%&*?^")


def test_fingerprint_is_keyed_and_stable() -> None:
    first = fingerprint(GITHUB, "salt")
    assert first == fingerprint(GITHUB, "salt")
    assert first != fingerprint(GITHUB, "pepper")
    assert first.startswith("hgs1:")
    assert len(first) == 25
    # RFC 2104 over SHA-256, checked against another implementation
    assert fingerprint("what do ya want for nothing?", "Jefe") == "hgs1:5bdcc146bf60754e6a04"


def test_gitleaks_mark_is_seen() -> None:
    assert allows_here("x # gitleaks:allow")
    assert not allows_here("x")


def test_findings_are_ordered_and_do_not_overlap() -> None:
    lines = [f"password: {Maker(n).strong(12)} and token {expand('ghp_{b62:30}{crc32b62}', n)}" for n in range(20)]
    found = find_secrets(lines)
    places = [(match.line, match.column, match.end_column) for match in found]
    assert places == sorted(places)
    assert len(found) == 40


def test_signature_is_the_promised_one() -> None:
    parameters = inspect.signature(find_secrets).parameters
    assert list(parameters) == ["lines", "wanted", "rules", "clock", "budget"]
    assert parameters["rules"].default is BUILTIN


@pytest.mark.parametrize(
    "line",
    [
        "next_token = log_probs.argmax().unsqueeze(0).unsqueeze(0)  # (1,1)",
        '"message_id": "openclaw-chat:1780000000123-1a2b3c4d", "login": "mail:1780000000-00ffee11"',
        "login: openclaw-chat:1780000000123-1a2b3c4d",
    ],
)
def test_lines_of_programs_and_numbers_of_messages_are_no_credentials(line: str) -> None:
    assert find_secrets([line]) == []


def test_only_calls_of_plain_names_are_taken_for_a_program() -> None:
    assert is_reference("scores.argmax().view(0")
    assert not is_reference("Qx(7" + "vK)2.mZ9!")
    assert not is_reference("Abc(7).Def")
