"""Natural language: what announces a credential in ten languages, and what only speaks of one."""

from __future__ import annotations

import pytest

from hoard_git.core.secrets import find_secrets
from tests.core.secrets.second_set import Maker

M = Maker(21)
P = M.strong(12)
KEY = M.alnum(40)

FOUND = [
    f"db password is {P}",
    f"The password for the staging admin account is `{P}`",
    f"login for grafana: admin / {P}",
    f"creds → user: bob, pass: {P}",
    f"**Admin password:** {P}",
    f"reset root password to {P} on 2026-02-11",
    f"{P} is the wifi password",
    f"router pw {P}",
    "alarm panel PIN is " + M.digits(4),
    f"Das Passwort für den NAS ist {P}",
    f"La contraseña del panel es {P}",
    f"Le mot de passe du routeur est « {P} »",
    f"A senha do banco é {P}",
    f"La password del server è {P}",
    f"Het wachtwoord van de server is {P}",
    f"пароль от роутера: {P}",
    f"密码是{P}",
    f"パスワードは{P}です",
    f"비밀번호는 {P} 입니다",
    f"Hasło do bazy to {P}",
    f"Veritabanı şifresi: {P}",
    f"| postgres | app | {P} | prod password |",
    f"| host | password |\n|---|---|\n| db | {P} |",
    f"Password:\n\n    {P}",
    f"## Wi-Fi passwords\n- guest: {P}",
    f"passphrase: {M.phrase(4)}",
    f"dbPassword = '{P}'",
    f'"clientSecret": "{KEY}"',
    f"API-Schlüssel: {KEY}",
    f"clé d'API : {KEY}",
    f"токен доступа: {KEY}",
    f"访问令牌：{KEY}",
    f"アクセスキー: {KEY}",
]
SILENT = [
    "password policy: minimum 14 characters, rotate yearly",
    "password: see 1Password",
    "password: [REDACTED]",
    "password = getpass.getpass('Password: ')",
    "def login(user: str, password: str) -> Token: ...",
    "wifi pw: ask Ada",
    "The secret to good pasta is anchovies",
    "Secret Santa 2026: Bob draws Eve",
    "token budget: 200000 tokens per session",
    "PIN diagram of the ESP32: GPIO 4821 does not exist",
    "Passwort liegt im KeePass, Eintrag Router",
    "Le mot de passe est dans le coffre",
    "пароль хранится в Bitwarden",
    "密码保存在 1Password 里",
    "api_key = None",
    "token: ${GITHUB_TOKEN}",
    "password_min_length = 14",
    "| field | type |\n|---|---|\n| password | string |",
    "primary key: user_id, sort key: created_at",
    f"token refresh fixed in {M.hex(40)}",
    f"token contract 0x{M.hex(40)}",
    f"public key: {M.hex(64)}",
    f"request key id: {M.uuid()}",
    "all tests pass: 214 ok, 0 failed",
    "score PASS: kappa=0.83, mean_off=0.2781",
    "Authorization: Bearer <your-token>",
    f"session key: agent:main:inbox-direct:room:{M.alnum(24)}-_9",
    f'"sessionKey": "agent:main:cron:{M.uuid()}"',
    "open /Users/ada/projects/site-v2/notes-2026/README.md",
    "| Pat Morgan | WR | OVR=310 POS=96;RushYards |",
    "Forward pass: tensor shape (1, 3, 24000)",
    "fallback models: acme/tulip-3-70b-it:free, acme/tulip-3-8b:free",
    "- `GOOGLE_APPLICATION_CREDENTIALS=/srv/keys/main.json`",
]


@pytest.mark.parametrize("text", FOUND, ids=range(len(FOUND)))
def test_announced_value_is_certain(text: str) -> None:
    found = find_secrets(text.split("\n"))
    assert any(match.certain for match in found), text


@pytest.mark.parametrize("text", SILENT, ids=range(len(SILENT)))
def test_mere_mention_is_silent(text: str) -> None:
    assert find_secrets(text.split("\n")) == []


def test_weak_word_after_a_label_only_warns() -> None:
    found = find_secrets(["password: swordfish"])
    assert [(match.certain, match.value) for match in found] == [(False, "swordfish")]


def test_value_is_what_stands_there_without_its_quotes() -> None:
    found = find_secrets([f"The password is `{P}`."])
    assert [match.value for match in found] == [P]


def test_seed_phrase_needs_its_checksum_without_a_label() -> None:
    # the all-zero entropy of BIP-39's own test vectors
    words = " ".join(["abandon"] * 11 + ["about"])
    assert [match.rule for match in find_secrets([f"wallet seed phrase: {words}"])] == ["seed-phrase"]
    vector = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    assert [match.rule for match in find_secrets([vector])] == ["seed-phrase"]
    assert [match for match in find_secrets([vector.replace("yellow", "zoo")]) if match.certain] == []


def test_recovery_codes_below_their_heading() -> None:
    codes = [f"- {M.hex(5)}-{M.hex(5)}" for _ in range(5)]
    found = find_secrets(["## GitHub recovery codes", *codes])
    assert [(match.rule, match.line, match.end_line) for match in found] == [("recovery-codes", 2, 6)]


def test_payment_card_needs_luhn() -> None:
    body = "453914880343646"
    total = sum(int(c) if i % 2 else int(c) * 2 - 9 * (int(c) > 4) for i, c in enumerate(body))
    good = body + str(-total % 10)
    assert [match.rule for match in find_secrets([f"visa card {good}"])] == ["payment-card"]
    assert find_secrets([f"visa card {body}{(1 - total) % 10}"]) == []


OTHER_CELLS = [
    'P,p.py,mock,pass,"suppress=96%, override=77%"',
    "3,C,c.py,mock,pass,degree=1-AND%",
    "P\tp.py\tmock\tpass\tdegree=1-AND%",
    '{"title":"Read your API keys an","type":"trending","score":0.75,"at":"2026-02-12T13:46:33.030Z"}',
    '{"title":"Write the code (make them pass - gree","type":"trending","score":0,"at":"2026-02-12T13:46:33.030Z"}',
    '["make them pass - gree","type","scored0.75,x"]',
    '{"note":"Key themes: T-SAE\\\\u00d7Phoneme-MDAS, AND-gate targeting"}',
    "next_token = step_logits.argmax(dim=-1, keepdim=True).unsqueeze(0)",
    "next_token = logits[0, -1].argmax(dim=-1, keepdim=True).unsqueeze(0)",
    "next_token = torch.multinomial(probs, 1).unsqueeze(0)",
    "run the tui without --token flag after relogin",
    "OpenVMS does **not store cleartext passwords** in `SYSUAF.DAT`; it stores hashes",
    "It does not store passwords in vault-file-main",
    "ChatGPT account cron/job openai-codex/gpt-5.3-codex\u3002\u5373\u4f7f\u4f60\u628a",
]


@pytest.mark.parametrize("text", OTHER_CELLS)
def test_another_cell_string_or_argument_is_no_value(text: str) -> None:
    assert find_secrets(text.split("\n")) == []


SAME_CELL = [
    f'{{"password":"{P}","type":"x"}}',
    f'{{"note":"the wifi password is {P}","type":"x"}}',
    f'["password","{P}"]',
    f'"wifi password","{P}"',
    f"pass\t{P}",
    f"user: bob, pass: {P}",
    f'token = get("TOKEN", "{KEY}")',
    f"do not forget: the admin password is {P}",
]


@pytest.mark.parametrize("text", SAME_CELL)
def test_a_value_beside_its_label_is_found_in_data_and_code(text: str) -> None:
    assert [match.value for match in find_secrets([text]) if match.certain] in ([P], [KEY])


# put together here, so that no line of this file is one that announces a password
EVERYBODYS = ("hunter" + "2", "let" + "mein", "to" + "or", "P@ss" + "w0rd", "welcome" + "1")


@pytest.mark.parametrize("value", EVERYBODYS)
@pytest.mark.parametrize(
    "frame", ["The db password is {}", "password: {}", "root password = {}", "- **Wi-Fi password:** `{}` (hall)", "Das Passwort ist {}."]
)
def test_a_password_that_everybody_knows_is_one_behind_its_label(frame: str, value: str) -> None:
    assert [(match.value, match.certain) for match in find_secrets([frame.format(value)])] == [(value, True)]


@pytest.mark.parametrize(
    "frame",
    [
        "Never use a password like: {}",
        "password: {} (docs example only)",
        "the default password is {}",
        "{} is a meme",
        "Password rules forbid {} and others",
    ],
)
@pytest.mark.parametrize("value", EVERYBODYS[:3])
def test_a_line_that_speaks_of_examples_is_none(frame: str, value: str) -> None:
    assert not any(match.certain for match in find_secrets([frame.format(value)]))


@pytest.mark.parametrize(
    "line",
    [
        "Het wachtwoord staat in de kluis",
        "The password changed: it is now longer",
        "The password is required",
        "password: changeme",
        "The password is monkey business",
        "The new password is stronger",
    ],
)
def test_what_only_speaks_of_a_password_is_not_even_possible(line: str) -> None:
    assert find_secrets([line]) == []


def test_the_pin_of_a_thing_that_is_unlocked() -> None:
    pin = M.digits(6)
    assert [(match.value, match.certain) for match in find_secrets([f"unlock PIN of the safe is {pin}"])] == [(pin, True)]
