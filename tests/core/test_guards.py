from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.guards import (
    DATE,
    HEDGE,
    NAME,
    NEGATION,
    NUMBER,
    ONE_WORD,
    OPPOSITE,
    ORDER,
    SAME,
    TENSE,
    UNIT,
    VERSION,
)
from hoard_git.core.nearness import CONFLICT, NEAR, judge_pair
from hoard_git.core.wording import compare, stem, tokens_of

PAIRS = [
    ("The temperature is -5 C", "The temperature is 5 C", NUMBER),
    ("The temperature is −5 C", "The temperature is 5 C", NUMBER),
    ("The pool is 5 m² large", "The pool is 5 m³ large", UNIT),
    ("The area is 10² units", "The area is 102 units", NUMBER),
    ("The plant makes 5 mW", "The plant makes 5 MW", UNIT),
    ("The plant makes 5 MW of power", "The plant makes 5 mW of power", UNIT),
    ("The disk holds 5 Mb", "The disk holds 5 MB", UNIT),
    ("Take route A to the office", "Take route B to the office", NAME),
    ("The server IP is 10.0.0.1", "The server IP is 10.0.0.11", NUMBER),
    ("The server IP is 192.168.1.10", "The server IP is 192.168.10.1", NUMBER),
    ("Port 80 is blocked", "Port 8080 is blocked", NUMBER),
    ("The price is €25", "The price is $25", UNIT),
    ("5 nodes run macOS", "6 nodes run macOS", NUMBER),
    ("Line 3 11 runs", "Line 3 12 runs", NUMBER),
    ("The price is 25 €", "The price is 25 $", UNIT),
    ("The fee is 5 %", "The fee is 5 ppm", UNIT),
    ("Payments are in CHF", "Payments are in EUR", UNIT),
    ("The door is usable", "The door is unusable", NEGATION),
    ("The result is reversible", "The result is irreversible", NEGATION),
    ("The move is possible", "The move is impossible", NEGATION),
    ("The user is active", "The user is inactive", OPPOSITE),
    ("The API no longer accepts tokens", "The API accepts tokens", NEGATION),
    ("Everyone except Lotte may approve", "Everyone may approve", NEGATION),
    ("Everyone may approve releases", "Only admins may approve releases", NEGATION),
    ("Alpha depends on Beta", "Beta depends on Alpha", ORDER),
    ("Data flows from A to B", "Data flows from B to A", ORDER),
    ("Anna reports to Ben", "Ben reports to Anna", ORDER),
    ("Der Server ist nicht erreichbar", "Der Server ist erreichbar", NEGATION),
    ("Der Zug fährt am Montag", "Der Zug fährt am Dienstag", DATE),
    ("Das linke Knie schmerzt", "Das rechte Knie schmerzt", OPPOSITE),
    ("Die Miete kostet 800 Euro", "Die Miete kostet 900 Euro", NUMBER),
    ("Es gibt keine Sicherung", "Es gibt eine Sicherung", NEGATION),
    ("Wir haben drei Katzen", "Wir haben vier Katzen", NUMBER),
    ("Die Frist endet im März", "Die Frist endet im Mai", DATE),
    ("服务器不在线", "服务器在线", NEGATION),
    ("左膝疼痛严重", "右膝疼痛严重", OPPOSITE),
    ("价格是二十五元", "价格是三十五元", NUMBER),
    ("Requires Node 18", "Requires Node 20", VERSION),
    ("The app targets Android 14", "The app targets Android 15", VERSION),
    ("We moved to release 4 of the app", "We moved to release 5 of the app", VERSION),
    ("The sample was harmless", "The sample was harmful", NEGATION),
    ("The room is windowless", "The room is windowed", NEGATION),
    ("公司每周开会", "公司每月开会", DATE),
    ("他住在北京市", "他住在南京市", ONE_WORD),
    ("We pin ruff v0.17.1", "We pin ruff v0.17.2", VERSION),
    ("The build uses Go 1.22", "The build uses Go 1.23", VERSION),
    ("The cert expires on 2027-01-05", "The cert expires on 2027-05-01", DATE),
    ("Standup is at 9:30", "Standup is at 10:30", DATE),
    ("Standup is in the morning", "Standup is in the evening", DATE),
    ("Rent is due on 1 March", "Rent is due on 3 March", DATE),
    ("The invoice is due 01.02.2026", "The invoice is due 02.01.2026", DATE),
    ("Backups run daily", "Backups run weekly", DATE),
    ("Anna lives in Berlin", "Anna lives in Hamburg", NAME),
    ("Anna leads the data team", "Lotte leads the data team", NAME),
    ("The host is called kite", "The host is called crow", NAME),
    ("Vault is at vault.acme.example", "Vault is at vault-acme.example", NAME),
    ("Logs go to /var/log/app", "Logs go to /var/log/api", NAME),
    ("Contact ann@example.org for access", "Contact bob@example.org for access", NAME),
    ("The light is on", "The light is off", OPPOSITE),
    ("Turn left at the church", "Turn right at the church", OPPOSITE),
    ("The valve opens before noon", "The valve opens after noon", OPPOSITE),
    ("Sync is synchronous", "Sync is asynchronous", OPPOSITE),
    ("The queue is full", "The queue is empty", OPPOSITE),
    ("Joining is optional", "Joining is mandatory", OPPOSITE),
    ("The switch is at the top", "The switch is at the bottom", OPPOSITE),
    ("Use HTTPS for uploads", "Use HTTPS for downloads", OPPOSITE),
    ("The test passed on main", "The test failed on main", OPPOSITE),
    ("Deploys are always reviewed", "Deploys are never reviewed", NEGATION),
    ("The key is encrypted", "The key is hardly encrypted", NEGATION),
    ("The script runs without root", "The script runs with root", NEGATION),
    ("You can push to main", "You can't push to main", NEGATION),
    ("The feature is disabled for guests", "The feature is enabled for guests", OPPOSITE),
    ("Anna moved to Oslo", "Anna will move to Oslo", TENSE),
    ("The team uses Jira", "The team used Jira", TENSE),
    ("We bought a new router", "We buy a new router", TENSE),
    ("The plan was approved", "The plan is approved", TENSE),
    ("The mirror is safe", "A blog says the mirror is safe", HEDGE),
    ("Sales fell last quarter", "Sales reportedly fell last quarter", HEDGE),
    ("The cafe closes at six", "The cafe closes at seven", NUMBER),
    ("Retention is 30 days", "Retention is 30 weeks", UNIT),
    ("The dose is 5 mg", "The dose is 5 g", UNIT),
    ("The cable is 3 m long", "The cable is 3 ft long", UNIT),
    ("The link runs at 10 Mbps", "The link runs at 10 MBps", UNIT),
    ("The timeout is 30 s", "The timeout is 30 ms", UNIT),
    ("- [ ] Renew the domain", "- [x] Renew the domain", OPPOSITE),
    ("Marta only drinks coffee on Mondays", "Marta drinks only coffee on Mondays", ORDER),
    ("Only Marta drinks coffee", "Marta drinks only coffee", ORDER),
    ("The cat eats only renal food at night", "The cat only eats renal food at night", ORDER),
    ("The fee is 1,000 EUR", "The fee is 1.000 EUR", NUMBER),
    ("Anna joined in 2019", "Anna joined in 2021", NUMBER),
    ("Costs rise by 5", "Costs fall by 5", OPPOSITE),
    ("We pay with gold", "We pay with silver", ONE_WORD),
    ("Anna works as a chemist", "Anna works as a freelance chemist", SAME),
]

CONFLICTS = [
    ("Lock timeout is 5 seconds", "Lock timeout is 15 seconds"),
    ("Lock timeout: 5 seconds", "Lock timeout: 15 seconds"),
    ("The NAS is named kite", "The NAS is named crow"),
    ("Owner: Anna", "Owner: Lotte"),
    ("The account is with KBC", "The account is with ING"),
    ("Deploys are allowed on Friday", "Deploys are not allowed on Friday"),
    ("The ticket is open", "The ticket is closed"),
    ("The vet opens on Monday", "The vet opens on Tuesday"),
]
NO_CONFLICTS = [
    ("Port 8123 is open", "Port 8132 is open"),
    ("Build 41 passed in 12 s", "Build 42 passed in 15 s"),
    ("The left knee hurts", "The right knee hurts"),
    ("Anna approves releases", "Lotte approves releases"),
    ("Anna is allergic to nuts", "Anna is allergic to fish"),
    ("Marta likes coffee at work", "Marta likes tea at work"),
    ("Anna worked at the port", "Anna works at the port"),
]


@pytest.mark.parametrize(("one", "two", "reason"), PAIRS)
def test_the_strongest_reason(one: str, two: str, reason: str) -> None:
    for first, second in ((one, two), (two, one)):
        found = judge_pair(tokens_of(first), tokens_of(second), first)
        assert found is not None
        assert found[1] == reason


@pytest.mark.parametrize(("one", "two"), CONFLICTS)
def test_the_same_subject_with_another_value(one: str, two: str) -> None:
    found = judge_pair(tokens_of(one), tokens_of(two), one)
    assert found is not None
    assert found[0] == CONFLICT


@pytest.mark.parametrize(("one", "two"), NO_CONFLICTS)
def test_two_subjects_or_two_values(one: str, two: str) -> None:
    found = judge_pair(tokens_of(one), tokens_of(two), one)
    assert found is None or found[0] == NEAR


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The NAS is called kite", "Backups run at night"),
        ("Anna likes tea", "Bob likes coffee"),
        ("Port 80", "Port 443"),
        ("Call Anna", "Call Bob"),
        ("", ""),
        ("Deploys happen on Friday when the whole team is in the office", "Deploys happen"),
    ],
)
def test_unlike_entries_are_no_pair(one: str, two: str) -> None:
    assert not tokens_of(one) or judge_pair(tokens_of(one), tokens_of(two), one) is None


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("- **The** NAS runs", ["NAS", "run"]),
        ("costs \u20ac25", ["cost", "\u20ac", "25"]),
        ("it is -5 \u00b0C", ["it", "be", "-5", "\u00b0C"]),
        ("25GB of disk", ["25", "GB", "of", "disk"]),
        ("at 14:00 on 2026-01-02", ["at", "14:00", "on", "2026-01-02"]),
        ("see vault.acme.example or /etc/hosts", ["see", "vault.acme.example", "or", "/etc/hosts"]),
        ("ask ann@acme.example", ["ask", "ann@acme.example"]),
        ("1,000 users", ["1000", "user"]),
        ("v1.2.3", ["v1.2.3"]),
        ("\u5de6\u819d A1", ["\u5de6", "\u819d", "A", "1"]),
        ("- [x] done", ["[x]", "don"]),
    ],
)
def test_tokens(text: str, keys: list[str]) -> None:
    assert [token.key for token in tokens_of(text)] == keys


@pytest.mark.parametrize(
    "forms",
    [
        ("works", "worked", "working", "work"),
        ("approve", "approves", "approved", "approving"),
        ("carry", "carries", "carried"),
        ("stop", "stopped"),
        ("run", "ran"),
    ],
)
def test_forms_of_a_word_share_a_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_compared(one: str, two: str) -> None:
    left, right = tokens_of(one), tokens_of(two)
    difference = compare(left, right)
    assert len(left) - len(difference.left) == len(right) - len(difference.right)
    if left and right:
        forth, back = judge_pair(left, right, one), judge_pair(right, left, two)
        assert (forth is None) == (back is None)


@pytest.mark.parametrize("text", ["a." * 480, "a/" * 480, "1." * 480, "a@" * 480, "a-" * 480, "-" * 960, "a" * 960, "http://" * 130])
def test_the_pattern_takes_linear_time(text: str) -> None:
    start = time.process_time()
    tokens_of(text)
    assert time.process_time() - start < 0.5


def test_a_full_stop_behind_an_address_is_no_part_of_it() -> None:
    keys = {token.kind: token.key for token in tokens_of("See https://a.example/x., on 2026-06-05.")}
    assert (keys["url"], keys["date"]) == ("https://a.example/x", "2026-06-05")
