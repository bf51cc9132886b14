from __future__ import annotations

import pytest

from hoard_git.core.policy import Policy
from tests.support.content import changed, severities

ON = Policy(rules=(("HG203", "warn"),))

PERSONAL = [
    ("- reach Ada at ada.lovelace@mail.invalid", "a mail address"),
    ("- call +44 20 7946 0958 before ten", "a phone number"),
    ("- call 0032 470 12 34 56", "a phone number"),
    ("- refund to BE68 5390 0754 7034", "a bank account number"),
    ("- DE89370400440532013000 is the account", "a bank account number"),
    ("- card 4111 1111 1111 1111", "a card number"),
    ("- card 378282246310005", "a card number"),
    ("- vet: (212) 555-0187", "a phone number"),
    ("- SSN 536-22-8726", "a social security number"),
    ("- passport no. EH123456", "an identity number"),
    ("- login from 198.51.100.7", "a network address"),
    ("- printer 3c:52:82:11:aa:0b", "a hardware address"),
]

OTHER = [
    "- sam@mail.example and sam@example.org",
    "- git@host.invalid:name/repo.git and noreply@host.invalid",
    "- see https://x.invalid/@ada and ssh://ada@host.invalid:22/",
    "- 2026-06-01 14:00, build 20260601120000, +5 % and 192.168.1.20",
    "- BE68 5390 0754 7035 has a wrong checksum",
    "- 4111 1111 1111 1112 has one, too, and 0000 0000 0000 0000",
    "- 4444 4444 4444 4444",
    "- /home is a folder",
    "- +1 for the idea, 00123456789",
    "- AB12 CDEF 1234",
    "- Dr. Okafor lives at Kouterstraat 12",
    "- [EMAIL-3f2a] and [PHONE] <!-- src:user ts:2026-06-01 ev:ada@mail.invalid -->",
]


@pytest.mark.parametrize(("text", "what"), PERSONAL)
def test_personal_data(text: str, what: str) -> None:
    (found,) = changed("HG203", text, policy=ON)
    assert (found.severity, found.message) == ("warn", what)


@pytest.mark.parametrize("text", OTHER)
def test_what_is_nobody_s(text: str) -> None:
    assert changed("HG203", text, policy=ON) == []


def test_it_is_off_until_the_policy_turns_it_on() -> None:
    assert severities(changed("HG203", PERSONAL[0][0])) == []


def test_what_may_stay() -> None:
    policy = ON._replace(personal_keep=("+44 20 79460958", "Ada.Lovelace@mail.invalid"))
    assert changed("HG203", PERSONAL[0][0], policy=policy) == []
    assert changed("HG203", PERSONAL[1][0], policy=policy) == []
    assert changed("HG203", PERSONAL[3][0], policy=policy) != []
