from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoard_git.core.markdown import parse
from hoard_git.core.personal import KINDS, NAMED, find_personal, mask, token
from hoard_git.core.personal_addresses import is_reserved
from hoard_git.core.personal_names import names_of_person, names_on_page
from hoard_git.core.personal_numbers import is_card, is_iban


def shown(text: str, *names: str, keep: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    return [(it.kind, text[it.start : it.end]) for it in find_personal(text, names, keep)]


# The piece of personal data stands in double braces.
FOUND = [
    ("PHONE", "Ring the plumber on {{+44 7700 900123}} after six."),
    ("PHONE", "{{+49 (0)30 9018 20}} same office"),
    ("PHONE", "{{+1 (650) 555-0100}} is the front desk"),
    ("PHONE", "call {{0032 470 12 34 56}}"),
    ("PHONE", "{{00 44 20 7946 0000}} from the landline"),
    ("PHONE", "{{+32 470 12 34 56}} 2026"),
    ("PHONE", "Vet: {{(212) 555-0187}}, closed on Sundays"),
    ("PHONE", "Dentist {{020 7946 0321}}, ask for the early slot"),
    ("PHONE", "Kita: {{030 90277-5555}}"),
    ("PHONE", "Kita: {{03012 34567}}"),
    ("PHONE", "Zahnarzt {{089 / 55 01 99}}"),
    ("PHONE", "Portable de Luc {{06 39 98 12 34}}"),
    ("PHONE", "Loodgieter: {{0475/12.34.56}}"),
    ("PHONE", "Sydney office {{(02) 5550 1234}}"),
    ("PHONE", "Contador {{(11) 91234-5678}}"),
    ("PHONE", "{{8 (495) 123-45-67}}"),
    ("PHONE", "WhatsApp: {{07700900456}}"),
    ("PHONE", "phone is {{5550123456}} for the courier"),
    ("PHONE", "Cell: {{415 555 0199}}"),
    ("PHONE", "手机: {{13800138000}}"),
    ("PHONE", "Reach Ada at {{07700900789}} on weekends"),
    ("PHONE", "{{+353 87 555 0123}} in an emergency"),
    ("EMAIL", "<{{j_doe99@mail.kouter.be}}>"),
    ("EMAIL", "[write](mailto:{{ines@vermeulen.me}})"),
    ("EMAIL", "{{иван@пример.рф}} answers in Russian"),
    ("EMAIL", "Mail {{sam@sub.domain.travel}}: she replies fast"),
    ("EMAIL", "{{o'brien@dub.ie}} is the landlord"),
    ("CARD", "Card used: {{4111 1111 1111 1111}}, exp 09/28."),
    ("CARD", "Amex {{3782 822463 10005}}"),
    ("CARD", "{{2223-0031-2200-3222}}"),
    ("CARD", "{{4012888888881881}} expires 01/30"),
    ("CARD", "Visa {{4222222222222}} (old)"),
    ("CARD", "Diners card {{3056 930902 5904}}"),
    ("IBAN", "Refund goes to {{BE68 5390 0754 7034}} by Friday."),
    ("IBAN", "IBAN {{DE89370400440532013000}} is the tax account."),
    ("IBAN", "iban {{be71 0961 2345 6769}}"),
    ("IBAN", "{{MT84MALT011000012345MTLCAST001S}}"),
    ("SSN", "SSN {{536-22-8726}} was on the old form."),
    ("SSN", "social security no. {{457555462}}"),
    ("ID", "Passport number {{EH123456}} expires 2029."),
    ("ID", "Rijksregister {{93.05.18-223.61}}"),
    ("ID", "{{RCCMNL83S18D969H}} on the form"),
    ("ID", "{{756.9217.0769.85}} on the form"),
    ("ID", "{{390.533.447-05}} on the form"),
    ("ID", "{{11010519491231002X}} on the form"),
    ("ID", "{{131052-308T}} on the form"),
    ("ID", "{{1 85 05 78 006 084 91}} on the form"),
    ("ID", "{{12345678Z}} and no more"),
    ("ID", "{{X1234567L}} and no more"),
    ("ID", "form {{AB 12 34 56 C}} sent"),
    ("ID", "Driver's license number {{D1234567}}"),
    ("IP", "Login from {{203.0.113.42}} was blocked."),
    ("IP", "{{51.15.200.8}}:8443 is the box"),
    ("IP", "1.2.3 and {{84.196.12.7}}"),
    ("IP", "IP {{5.9.1.2}} is ours"),
    ("IP", "IPv6 of the box: {{2001:db8:85a3::8a2e:370:7334}}"),
    ("IP", "from {{2a01:4f8:c17:7f51:0:0:0:1}} port 22"),
    ("MAC", "MAC {{00:1B:44:11:3A:B7}} is the printer."),
    ("MAC", "{{00-1B-44-11-3A-B7}}"),
    ("MAC", "Cisco {{001b.4411.3ab7}}"),
    ("ADDR", "Ines lives at {{Kouterstraat 12, 9000 Gent}}."),
    ("ADDR", "Paket an {{Musterstraße 12, 12345 Musterstadt}} schicken"),
    ("ADDR", "Adresse: {{Musterstr. 12a, 12345 Ort}}"),
    ("ADDR", "wohnt {{Musterstr.12}}"),
    ("ADDR", "Sitz: {{Bahnhofstrasse 7, CH-8001 Zürich}}."),
    ("ADDR", "{{Hauptstr. 3-5, D-20095 Hamburg}}"),
    ("ADDR", "wohnt {{Lange Straße 12 b}} seit Mai"),
    ("ADDR", "im {{Birkenweg 4}} steht der Server"),
    ("ADDR", "{{Rathausplatz 1, 90403 Nürnberg}}"),
    ("ADDR", "{{Karl-Marx-Allee 33}}, links klingeln"),
    ("ADDR", "Praxis {{Schlossgasse 9, 1050 Wien}}"),
    ("ADDR", "{{Am-Markt-Platz 2, 60311 Frankfurt am Main}}"),
    ("ADDR", "Büro: {{Straße des 17. Juni 135, 10623 Berlin}}"),
    ("ADDR", "{{Friedrich-Ebert-Str. 10}} und zurück"),
    ("ADDR", "{{Lindenallee 5, 01067 Dresden}}"),
    ("ADDR", "{{12 rue de la Paix, 75002 Paris}}"),
    ("EMAIL", "mail {{jane.doe (at) kouter (dot) be}} about it"),
    ("EMAIL", "{{jane[at]kouter[dot]co[dot]uk}}"),
    ("EMAIL", "{{jane (at) kouter.be}}, not the office"),
    ("EMAIL", "{{jane {at} kouter {dot} be}}"),
    ("EMAIL", "{{jane@kouter (dot) be}}"),
    ("EMAIL", "{{jana (ät) kouter (Punkt) de}}"),
    ("PHONE", "\u96fb\u8a71{{\uff0b81-90-1234-5678}}"),
    ("PHONE", "Ring {{\uff0b44 7700 900123}} after six"),
    ("PHONE", "{{\uff0b\uff14\uff19 \uff13\uff10 \uff19\uff10\uff11\uff18 \uff12\uff10}} is the office"),
    ("PHONE", "\u624b\u673a\uff1a{{\uff11\uff13\uff18\uff10\uff10\uff11\uff13\uff18\uff10\uff10\uff10}}"),
    ("ADDR", "move to {{12 Baker Street}} in May"),
    ("ADDR", "ufficio: {{Via Garibaldi 7}}"),
    ("PERSON", "Dr. {{Okafor}} prescribed it."),
]

_LINES = """\
Atlas 2.14.3 shipped on 2026-11-20 at 14:00.
The commit 9f86d081884c7d659a2feaa0c55ad015 fixed it.
Part number X9010501, 0.6 mm nozzle, 32768 pixels.
Port 8123 on heron.lan answers in 210 ms.
Order 1234567890123 arrived on 20/10/2026.
Run restic snapshot 4bba301e at 02:15 UTC.
Dark roast, no sugar: the usual from May.
Grace period ends; Will it rain? Mark it done.
Build 20260605123456, epoch 1765432100 and 1765432100123 in ms
Snowflake 1234567890123456789, Telegram chat -1001234567890
chat id 987654321, order 4411223344556677 shipped
WhatsApp group 120363025246125486@g.us
Ticket #0470-123456 and file 0815/4711-42
ports 300 400 5000 and 8080, 8443
2026-06-05 14:00:00 +0200, +20260605, +100000000 rows
01.12.2026 14:00, 01-12-2026 0900, 05/11/2026 08:30, 07-2026-12345
slots 01 02 03 04 05 are free; 03 17 22 31 45 5f aa
steps 011 021 031 then; cron at 0400 0800 1200
version 120.0.6099.129, firmware 3.2.1.0 and OpenSSL 3.0.2.1
192.168.1.20, 10.0.0.5, 172.16.4.4, 100.64.1.2, 169.254.1.1, 127.0.0.1:8080, 8.8.8.8
255.255.255.0 and 1.2.3.400 and 010.020.030.040
git@github.com:ada/notes.git, noreply@host.net, ssh ada@heron.io, root@box.lan
icon@2x.png, left-pad@1.3.0, getty@tty1.service, foo@bar
uuid 123e4567-e89b-12d3-a456-426614174000
ISBN 978-0-306-40615-7, EAN 4006381333931
4111 1111 1111 1112 and 4444 4444 4444 4444, thread 17320912345678901
BE68 5390 0754 7035, BE68539007547034x, GB00 TEST 1234 5678 9012 34, ZZ68 5390 0754 7034
000-12-3456 and 666-12-3456 and 123-00-4567, part no. 536-22-8726
passport expires 2029, passport: 2027-03-01, ID card is in the wallet
20260605Z build, 00:00:00:00:00:00, 12-34-56-78-90-12
fingerprint 16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48
::1 and fe80::1, fd00:dead:beef::1, std::vec::Vec, 2026:11:20, 2001:::1, 2001:db8:1:, 2001:a::1::2, 2001:a:::1:2:3 and 2001:1:2:3:4:5:6:7:
phone order 1234567890123, tel aviv 2026, cell B12 holds 4500000
phone: 20260605, phone 2026-11-20 14, mobile 1920 1080
12345678A fails, 000.000.000-00 too, 756.9217.0769.86
RFC 5321 §4.5.4.1 and section 4.5.4.1, Comunicado 212-555-0187
200-300-4000 and 911-555-0100 times
at 12 (at) the desk, meet (at) noon, 3 (at) 4.5 V
decorator (at) property, see (at) main.py and x[at] = y[dot].z
arr[at].value, map{at}: 1.5, f(at) and g(dot), look(at)me
open at 20 (at) kouter.be, beds at 12 [at] garden [dot] house
Speicherplatz 500 GB, Arbeitsplatz 3, Steckplatz 2, auf Platz 3, Platz 12
Umweg 2 km, Rückweg 20 min, Die Straße 12 ist gesperrt, Feldweg 3 km
Lösungsweg 12, Version 12 Straße, Startplatz 7, Parkplatz 12
\uff11\uff12\uff13\uff14\uff15 rows and \uff0b5 %, \uff0b100000000, build \uff12\uff10\uff12\uff16\uff10\uff16\uff10\uff15"""
NOTHING = _LINES.split("\n")


@pytest.mark.parametrize(("kind", "line"), FOUND)
def test_personal_data_is_found_exactly(kind: str, line: str) -> None:
    (value,) = re.findall(r"\{\{(.*?)\}\}", line)
    assert shown(line.replace("{{", "").replace("}}", "")) == [(kind, value)]


@pytest.mark.parametrize("line", NOTHING)
def test_numbers_and_words_that_are_nobody_s(line: str) -> None:
    assert shown(line) == []


def test_credentials_are_found_as_well() -> None:
    key = "AK" + "IA" + "IOSFODNN7EXAMPLE"
    assert shown(f"AWS key {key} rotated.") == [("SECRET", key)]
    value = "tR7#mQ2v-" + "Lx9pWz"
    assert shown(f"x\nThe database password is {value}") == [("SECRET", value)]
    assert [it.kind for it in find_personal(f"key {key}", kinds=("EMAIL", "PHONE"))] == []


def luhn(start: str, size: int) -> str:
    """A number that begins so and passes Luhn's check."""
    body = start + "0123456789012345678"[: size - len(start) - 1]
    return next(body + last for last in "0123456789" if is_card(body + last))


@pytest.mark.parametrize(
    ("number", "alone", "with_a_word"),
    [
        (luhn("34", 15), True, True), (luhn("34", 16), False, True), (luhn("36", 14), False, True), (luhn("36", 16), True, True),
        (luhn("2221", 16), True, True), (luhn("2300", 16), True, True), (luhn("2200", 16), False, True), (luhn("56", 16), False, True),
        (luhn("55", 16), True, True), (luhn("62", 19), False, True), (luhn("62", 16), True, True), (luhn("1", 16), False, False),
    ],
)  # fmt: skip
def test_a_bare_number_needs_a_network_s_prefix_and_length(number: str, alone: bool, with_a_word: bool) -> None:
    assert bool(shown(number)) is alone
    assert bool(shown(f"card {number}")) is with_a_word
    assert shown(f"order {number}") == []


def test_what_stands_in_front_or_is_never_given_out() -> None:
    for line in (
        "SSN 000-12-3456",
        "order (11) 91234-5678",
        "call me at 0400000000",
        "+1 150 555 0100",
        "+10505550100",
        "+1 650 155 0100",
        "+999999",
        "+1234567 rows",
        "call me at 1400300200",
    ):
        assert shown(line) == [], line


def test_several_lines_several_kinds_in_order() -> None:
    text = "Ping jo@x.io or +44 20 7946 0958.\nLogin from 203.0.113.42"
    assert shown(text) == [("EMAIL", "jo@x.io"), ("PHONE", "+44 20 7946 0958"), ("IP", "203.0.113.42")]


def test_checks() -> None:
    assert is_card("4111 1111 1111 1111") and not is_card("4111 1111 1111 1112") and not is_card("1" * 16) and not is_card("42")
    assert is_iban("be68 5390 0754 7034") and not is_iban("BE68 5390 0754 703") and not is_iban("BE68 5390 0754 7035")
    assert is_reserved("a@mail.example") and is_reserved("a@example.org") and not is_reserved("a@x.io")


# -- names


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ines Vermeulen lives here, Ines does", ["Ines Vermeulen", "Ines"]),
        ("MARTA said so, Marta's car", ["MARTA", "Marta"]),
        ("call Mark and Grace Hopper", ["Mark", "Grace Hopper"]),
        ("Mark's car is parked", ["Mark"]),
        ("Grace period ends; Will it rain? Mark it done in May, by May", []),
        ("`Ines` in code, /srv/Ines, ines@x, Ines-Lib, Marta.md, martas", []),
    ],
)
def test_names_of_the_list(line: str, names: list[str]) -> None:
    known = ("Marta", "Ines", "Vermeulen", "Grace Hopper", "Grace", "Mark", "Will", "May")
    assert [value for kind, value in shown(line, *known) if kind == "PERSON"] == names


def test_names_of_an_author() -> None:
    assert names_of_person("Ines  Vermeulen") == ["Ines Vermeulen", "Ines", "Vermeulen"]
    assert names_of_person("Grace Hopper") == ["Grace Hopper", "Hopper"]
    assert names_of_person("Jan van der Berg") == ["Jan van der Berg", "Jan"]
    for program in ("dependabot[bot]", "clawd", "GitHub", "memory agent", "root@box", "", "a\tb\x07"):
        assert names_of_person(program) == []


def test_names_of_a_page() -> None:
    page = (
        b"# People\n\n## Ada Lovelace\n\n- **Ines Vermeulen** (partner): cooks\n- Tobias Renn: the plumber\n- Buy milk\n- [[Marta]]\n- Notes: none\n- 42\n\n"
        b"| Name | Role |\n|---|---|\n| Bo Larsen | vet |\n\n```\n- Kai Code: no\n```\n"
    )
    assert names_on_page(parse(page)) == [
        *(
            "Ada Lovelace",
            "Ada",
            "Lovelace",
            "Ines Vermeulen",
            "Ines",
            "Vermeulen",
            "Tobias Renn",
            "Tobias",
            "Renn",
            "Marta",
            "Bo Larsen",
            "Larsen",
        )
    ]


# -- keep and mask


def test_what_may_stay() -> None:
    text = "Ada Example, ada@x.io, jo@y.io, +44 20 7946 0958"
    assert shown(text, "Ada Example", "Ada", keep=("Ada Example", "@x.io", "+44 2079460958")) == [("EMAIL", "jo@y.io")]
    assert shown("Ada was here", "Ada", keep=("ada example",)) == []


def test_mask_puts_stable_tokens() -> None:
    text = "Ines: ines@x.io, INES@X.IO, +32 470 12 34 56 and +32470123456 <!-- src:user ts:2026-06-01 ev:ines@x.io -->"
    masked = mask(text, ["Ines"], salt="pepper")
    tokens = re.findall(r"\[([A-Z]+)-([0-9a-f]{4})\]", masked)
    assert [kind for kind, _mark in tokens] == ["PERSON", "EMAIL", "EMAIL", "PHONE", "PHONE"]
    assert tokens[1] == tokens[2] and tokens[3] == tokens[4]
    assert masked.endswith("<!-- src:user ts:2026-06-01 ev:ines@x.io -->")
    assert mask(text, ["Ines"], salt="other") != masked
    assert mask("Ines, jo@x.io", ["Ines"]) == "[PERSON], [EMAIL]"
    assert token("CARD", "4111 1111 1111 1111", "s") == token("CARD", "4111111111111111", "s") != token("IBAN", "4111111111111111", "s")


def test_the_same_value_has_the_same_token_however_it_is_spelled() -> None:
    plain = token("EMAIL", "jane@kouter.be", "s")
    assert token("EMAIL", "jane (at) kouter (dot) be", "s") == plain == token("EMAIL", "jane[at]kouter[dot]be", "s")
    assert token("PHONE", "\uff0b44 7700 900123", "s") == token("PHONE", "+447700900123", "s")


def test_what_may_stay_may_stay_however_it_is_spelled() -> None:
    assert shown("jane (at) kouter (dot) be or \uff0b44 7700 900123", keep=("@kouter.be", "+447700900123")) == []


def test_every_kind_has_its_words() -> None:
    assert set(NAMED) == set(KINDS)


PIECES = st.sampled_from(
    (
        *(
            "jo@x.io",
            "+44 20 7946 0958",
            "4111 1111 1111 1111",
            "BE68 5390 0754 7034",
            "203.0.113.42",
            "Ines",
            "Grace",
            "`",
            "[EMAIL]",
            "[PHONE-3f2a]",
        ),
        *(
            "<!-- src:user ts:2026-06-01 -->",
            "call ",
            "0470 ",
            "12 34 56",
            ":",
            "/",
            "é",
            "\udc80",
            "Dr. ",
            "00",
            "1",
            "@",
            ".",
            "(",
            ")",
            "phone: ",
        ),
        *(" ", "\n", "-"),
    )
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=14).map("".join), st.sampled_from(["", "pepper"]))
def test_masking_twice_is_masking_once_and_spans_never_overlap(text: str, salt: str) -> None:
    found = find_personal(text, ("Ines", "Grace"))
    assert all(0 <= it.start < it.end <= len(text) for it in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    masked = mask(text, ("Ines", "Grace"), salt=salt)
    assert mask(masked, ("Ines", "Grace"), salt=salt) == masked
    assert masked.count("\n") == text.count("\n")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_any_text_at_all(text: str) -> None:
    assert mask(mask(text, ("Ines",)), ("Ines",)) == mask(text, ("Ines",))


@pytest.mark.parametrize(
    "text",
    [
        "1 " * 20000,
        "0470 12 " * 8000,
        "a@" * 20000,
        "a.b" * 15000,
        "Ab " * 15000,
        "2001:" * 9000,
        "phone: " * 8000,
        "ssh -a " * 4000,
        "a (at) b (dot) " * 4000,
        "Ab-Str. " * 8000,
        "Weg 1, " * 8000,
    ],
)
def test_the_time_grows_with_the_length_only(text: str) -> None:
    find_personal(text, ("Ines",))
