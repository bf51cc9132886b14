"""A seeded corpus of memory-file snippets: true secrets and look-alikes, in ten languages; every value is made at run time.

`build(seed)` returns items in a fixed order; `held_out` halves them by position. The held-out half is not for tuning: run it to see
whether a change to the rules holds for the kind and not for the example.
"""

from __future__ import annotations

import base64
import random
import string
import uuid
import zlib
from typing import NamedTuple

B62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
ALNUM = string.ascii_letters + string.digits


class Item(NamedTuple):
    """One snippet: its kind, its text (may span lines), whether it holds a secret, whether that is disguised, and its half."""

    kind: str
    text: str
    secret: bool
    mangled: bool
    held_out: bool


class Maker:
    """Random values of many shapes from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def pick(self, alphabet: str, size: int) -> str:
        return "".join(self.random.choice(alphabet) for _ in range(size))

    def alnum(self, size: int) -> str:
        return self.pick(ALNUM, size)

    def hex(self, size: int) -> str:
        return self.pick("0123456789abcdef", size)

    def digits(self, size: int) -> str:
        return self.random.choice("123456789") + self.pick(string.digits, size - 1)

    def lower(self, size: int) -> str:
        return self.pick(string.ascii_lowercase + string.digits, size)

    def url_safe(self, size: int) -> str:
        return self.pick(ALNUM + "_-", size)

    def data(self, size: int) -> bytes:
        return bytes(self.random.getrandbits(8) for _ in range(size))

    def base64(self, size: int) -> str:
        return base64.b64encode(self.data(size)).decode()

    def base64url(self, size: int) -> str:
        return base64.urlsafe_b64encode(self.data(size)).decode().rstrip("=")

    def uuid(self) -> str:
        return str(uuid.UUID(bytes=self.data(16), version=4))

    def word(self) -> str:
        names = [
            "Giraffe",
            "Lantern",
            "Walnut",
            "Tornado",
            "Biscuit",
            "Granite",
            "Pelican",
            "Saffron",
            "Thistle",
            "Compass",
            "Vulcan",
            "Mango",
            "Orchid",
            "Quartz",
            "Juniper",
            "Badger",
        ]
        return self.random.choice(names)

    def human(self) -> str:
        """Return a password as people choose them: a word, a number and a mark."""
        shape = self.random.randrange(4)
        number = str(self.random.randrange(11, 9999))
        mark = self.random.choice("!#$%&*?@")
        if shape == 0:
            return self.word() + number + mark
        if shape == 1:
            return self.word().lower() + mark + number
        if shape == 2:
            return self.word() + mark + self.word().lower() + number
        return self.word().lower().replace("a", "4").replace("e", "3") + mark + number

    def strong(self, size: int = 16) -> str:
        """Return a password as a manager makes them."""
        return self.alnum(size - 3) + self.random.choice("!#%&*") + self.random.choice("?+_^") + self.digits(1)

    def phrase(self, count: int, sign: str = "-") -> str:
        return sign.join(self.word().lower() for _ in range(count))

    def github(self, kind: str) -> str:
        body = self.pick(B62, 30)
        number, check = zlib.crc32(body.encode()), ""
        while number:
            number, rest = divmod(number, 62)
            check = B62[rest] + check
        return f"{kind}_{body}{check.rjust(6, '0')}"

    def jwt(self) -> str:
        def part(text: str) -> str:
            return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

        return f"{part('{' + chr(34) + 'alg' + chr(34) + ':' + chr(34) + 'RS256' + chr(34) + '}')}.{part('{' + chr(34) + 'iss' + chr(34) + ':' + chr(34) + self.alnum(9) + chr(34) + '}')}.{self.base64url(64)}"


def _english(m: Maker) -> list[tuple[str, str]]:
    return [
        ("en-swapped", f"FYI we swapped the Postgres superuser's password over to {m.strong()} after the outage"),
        ("en-opens", f"`{m.strong(14)}` is what opens the NAS web console (password, same for both users)"),
        ("en-type", f"When it asks for the sudo password type {m.human()} and hit enter"),
        ("en-quoted", f'Mum\'s iCloud password is "{m.human()}" - she asked me to keep it'),
        ("en-colon-paren", f"- Grafana (prod) password (since May): {m.strong(12)}"),
        ("en-arrow", f"- printer admin pwd → {m.human()}"),
        ("en-equals", f"router_password={m.strong(12)}"),
        ("en-heading", f"## Vaultwarden master password\n\n`{m.strong(20)}`"),
        ("en-list", f"Credentials for the staging box:\n- user: deploy\n- password: {m.strong(13)}"),
        ("en-pair-and", f"Log in to the UPS at 10.0.3.7 with operator and {m.strong(12)}"),
        ("en-pair-slash", f"cams login -> viewer/{m.human()}"),
        ("en-pair-colon", f"ssh creds for pi-hole: pi:{m.strong(11)}"),
        ("en-user-pass", f"username=backup password={m.strong(15)} host=10.2.2.2"),
        ("en-door", f"The side gate keypad code is {m.digits(6)}, press # after"),
        ("en-pin", f"SIM card PIN: {m.digits(4)}"),
        ("en-passcode", f"iPad passcode = {m.digits(6)}"),
        ("en-wifi", f"Guest wifi is 'CedarHouse' and its password is {m.phrase(3)}"),
        ("en-psk", f"SSID attic-iot, PSK {m.alnum(20)}"),
        ("en-changed", f"2026-04-11: changed the mail server password from the old one to {m.strong(14)}."),
        ("en-bold", f"**MQTT broker password**: **{m.strong(12)}**"),
        ("en-table", f"| Service | User | Password |\n|---|---|---|\n| Nextcloud | ada | {m.human()} |"),
        ("en-table-key", f"| provider | api key |\n| --- | --- |\n| weather | {m.hex(32)} |"),
        ("en-secret", f"The HMAC shared secret with the billing service is {m.hex(64)}"),
        ("en-token", f"Use this token for the staging API: {m.alnum(40)}"),
        ("en-key", f"my private API key for the flight tracker is {m.lower(32)} don't lose it"),
        ("en-json", '{"host": "imap.acme.test", "user": "bot", "password": "' + m.strong(14) + '"}'),
        ("en-yaml", f"smtp:\n  user: mailer\n  password: '{m.strong(14)}'"),
        ("en-toml", f'[database]\nurl = "db.local"\npassword = "{m.human()}"'),
        ("en-export", f"export PGPASSWORD='{m.strong(14)}'"),
        ("en-ps", f'$env:AZURE_CLIENT_SECRET = "{m.alnum(3)}8Q~{m.alnum(34)}"'),
        ("en-backup-key", f"borg repo passphrase: {m.phrase(6, ' ')}"),
        ("en-answer", f"They set the luks passphrase to {m.phrase(5)} yesterday"),
        ("en-remember", f"Remember: the Synology admin account uses the password {m.strong(12)}"),
        ("en-root", f"root's password on edge-2: {m.strong(12)}"),
        ("en-slackish", f"[14:02] <ops> new vpn pass is {m.strong(12)} pls update"),
        ("en-comment", f"# TODO remove: DB_PASS={m.strong(12)}"),
        ("en-docker", f"docker run -e MYSQL_ROOT_PASSWORD={m.strong(14)} -d mariadb:11"),
        ("en-helm", f"helm install x --set auth.password={m.alnum(18)}"),
        ("en-flag", f"restic-wrapper --repo s3 --password {m.strong(14)} backup"),
        ("en-sshpass", f"sshpass -p '{m.strong(12)}' ssh root@10.0.0.8 uptime"),
        ("en-cookie", f"Cookie: connect.sid={m.alnum(44)}; theme=dark"),
        ("en-header", f"X-Auth-Token: {m.hex(40)}"),
        ("en-basic", "Authorization: Basic " + base64.b64encode(f"ci:{m.strong(12)}".encode()).decode()),
        ("en-card", f"Alarm disarm code for the cabin: {m.digits(5)}"),
        ("en-backup-codes", "Dropbox backup codes\n" + "\n".join(f"- {m.lower(4)}-{m.lower(4)}" for _ in range(5))),
        ("en-totp", f"Authenticator secret (Hetzner): {m.pick(string.ascii_uppercase + '234567', 32)}"),
    ]


def _german(m: Maker) -> list[tuple[str, str]]:
    return [
        ("de-lautet", f"- WLAN-Passwort vom Gästenetz lautet {m.human()}"),
        ("de-zugang", f"Zugangsdaten Fritzbox: admin / {m.human()}"),
        ("de-kennwort", f"Kennwort für Omas Laptop: {m.word()}{m.digits(4)}"),
        ("de-geaendert", f"Habe das Root-Passwort auf {m.strong(12)} geändert."),
        ("de-pin", f"Die PIN vom Türschloss ist {m.digits(6)}"),
        ("de-schluessel", f"API-Schlüssel Wetterdienst: {m.hex(32)}"),
        ("de-db", f"Datenbankpasswort (Produktion) = {m.strong(14)}"),
        ("de-mit", f"Anmeldung am Drucker mit Benutzer wartung und Passwort {m.human()}"),
        ("de-token", f"Zugriffstoken für den Kalender: {m.alnum(48)}"),
        ("de-codes", f"Wiederherstellungscodes Google: {m.digits(8)}, {m.digits(8)}, {m.digits(8)}"),
    ]


def _romance(m: Maker) -> list[tuple[str, str]]:
    return [
        ("es-es", f"La contraseña del servidor de correo es {m.strong(12)}"),
        ("es-clave", f"Clave del wifi de la oficina: {m.human()}"),
        ("es-cambio", f"Se cambió la contraseña de root a {m.strong(12)} el lunes"),
        ("es-cred", f"Credenciales del panel → usuario: lola, contraseña: {m.human()}"),
        ("es-pin", f"El PIN de la alarma es {m.digits(4)}"),
        ("es-api", f"clave de API de mapas: {m.alnum(39)}"),
        ("fr-mdp", f"mdp du NAS : {m.strong(12)}"),
        ("fr-est", f"Le mot de passe de la base de recette est « {m.human()} »"),
        ("fr-ident", f"Identifiants Livebox : admin / {m.human()}"),
        ("fr-cle", f"clé d'API du service météo = {m.hex(40)}"),
        ("fr-code", f"Code du portail : {m.digits(5)}"),
        ("fr-jeton", f"jeton d'accès GitLab interne : glpat-{m.url_safe(20)}"),
        ("pt-senha", f"A senha do roteador agora é {m.human()}"),
        ("pt-login", f"Acesso ao painel: usuário root, senha {m.strong(12)}"),
        ("pt-chave", f"chave de API da transportadora: {m.alnum(36)}"),
        ("pt-codigo", f"Código do portão: {m.digits(4)}"),
        ("it-password", f"La password di amministratore della stampante è {m.human()}"),
        ("it-cred", f"Credenziali del database: utente app, password {m.strong(12)}"),
        ("it-chiave", f"chiave API del corriere: {m.lower(32)}"),
        ("it-codice", f"codice del cancello {m.digits(5)}"),
    ]


def _others(m: Maker) -> list[tuple[str, str]]:
    return [
        ("nl-is", f"Het wachtwoord van de router is {m.human()}"),
        ("nl-inlog", f"Inloggegevens camera: beheer / {m.strong(11)}"),
        ("nl-wifi", f"wifi-wachtwoord boven: {m.word()}{m.digits(3)}!"),
        ("nl-sleutel", f"API-sleutel van de energieleverancier: {m.hex(40)}"),
        ("ru-ot", f"Пароль от админки: {m.strong(12)}"),
        ("ru-smenil", f"поменял пароль root на {m.strong(12)}"),
        ("ru-login", f"Логин и пароль от камеры: admin / {m.human()}"),
        ("ru-kljuch", f"API-ключ погоды: {m.hex(32)}"),
        ("ru-pin", f"ПИН-код от сейфа: {m.digits(4)}"),
        ("zh-shi", f"服务器的密码是{m.strong(12)}"),
        ("zh-colon", f"数据库密码：{m.human()}"),
        ("zh-key", f"天气接口密钥：{m.hex(32)}"),
        ("zh-login", f"路由器登录：admin / {m.strong(11)}"),
        ("zh-gai", f"已把 root 密码改成 {m.strong(12)}"),
        ("ja-wa", f"NASのパスワードは{m.strong(12)}です"),
        ("ja-colon", f"管理画面のパスワード：「{m.human()}」"),
        ("ja-pin", f"金庫の暗証番号は{m.digits(4)}です"),
        ("ja-token", f"アクセストークン: {m.alnum(40)}"),
        ("pl-to", f"Hasło do panelu to {m.human()}"),
        ("tr-colon", f"Modem şifresi: {m.human()}"),
        ("ko-neun", f"공유기 비밀번호는 {m.strong(12)} 입니다"),
        ("sv-ar", f"Lösenordet till skrivaren: {m.human()}"),
    ]


def _vendors(m: Maker) -> list[tuple[str, str]]:
    key = base64.b64encode(m.data(400)).decode()
    block = "\n".join(key[i : i + 64] for i in range(0, len(key), 64))
    return [
        ("v-cerebras", f"cerebras → csk-{m.lower(48)}"),
        ("v-firecrawl", f"scraping runs on fc-{m.hex(32)}"),
        ("v-langsmith", f"tracing: lsv2_pt_{m.hex(32)}_{m.hex(10)}"),
        ("v-pinecone", f"vector db pcsk_{m.alnum(6)}_{m.alnum(63)}"),
        ("v-nvidia", f"nvapi-{m.url_safe(64)} is on the free tier"),
        ("v-e2b", f"sandbox e2b_{m.hex(40)}"),
        ("v-resend", f"re_{m.alnum(8)}_{m.alnum(24)} sends the digests"),
        ("v-grafana", f"glsa_{m.alnum(32)}_{m.hex(8)}"),
        ("v-newrelic", f"NRAK-{m.pick(string.ascii_uppercase + string.digits, 27)}"),
        ("v-databricks", f"databricks cli: dapi{m.hex(32)}"),
        ("v-figma", f"figd_{m.url_safe(40)} (expires in June)"),
        ("v-postman", f"PMAK-{m.hex(24)}-{m.hex(34)}"),
        ("v-shopify", f"shop admin shpat_{m.hex(32)}"),
        ("v-airtable", f"airtable pat{m.alnum(14)}.{m.hex(64)}"),
        ("v-pulumi", f"pul-{m.hex(40)}"),
        ("v-sentry", f"sntryu_{m.hex(64)}"),
        ("v-rubygems", f"rubygems_{m.hex(48)}"),
        ("v-docker", f"dckr_pat_{m.url_safe(27)}"),
        ("v-planetscale", f"pscale_tkn_{m.url_safe(43)}"),
        ("v-square", f"sq0atp-{m.url_safe(22)}"),
        ("v-typeform", f"tfp_{m.alnum(44)}_{m.alnum(14)}"),
        ("v-hubspot", f"crm pat-eu1-{m.uuid()}"),
        ("v-telegram", f"notifier bot {m.digits(10)}:AA{m.url_safe(33)}"),
        ("v-teams", f"https://acme.webhook.office.com/webhookb2/{m.uuid()}@{m.uuid()}/IncomingWebhook/{m.hex(32)}/{m.uuid()}"),
        ("v-cohere", f"Cohere API key: {m.alnum(40)}"),
        ("v-mistral", f"MISTRAL_API_KEY={m.alnum(32)}"),
        ("v-deepgram", f"deepgram key {m.hex(40)}"),
        ("v-serper", f"serper.dev API key: {m.hex(40)}"),
        ("v-plex", f"Plex token is {m.url_safe(18)}x9"),
        ("v-snyk", f"SNYK_TOKEN={m.uuid()}"),
        ("v-aws-temp", f"aws_access_key_id = ASIA{m.pick(string.ascii_uppercase + '234567', 16)}\naws_secret_access_key = {m.alnum(38)}/9"),
        ("v-ghs", f"the runner used {m.github('ghs')} once"),
        ("v-jwt", f"session cookie carried {m.jwt()}"),
        ("v-pem-ec", f"-----BEGIN EC PRIVATE KEY-----\n{block}\n-----END EC PRIVATE KEY-----"),
        ("v-mssql", f"Data Source=sql01;Initial Catalog=erp;User ID=svc;Password={m.strong(14)};TrustServerCertificate=True"),
        ("v-clickhouse", f"clickhouse://default:{m.alnum(18)}@ch.internal:9000/logs"),
        ("v-rtsp", f"rtsp://cam:{m.human().replace('#', '').replace('@', '').replace('?', '')}@10.0.0.31:554/live"),
        ("v-nats", f"nats://edge:{m.alnum(20)}@nats.internal:4222"),
        ("v-query", f"GET /v2/feed?apikey={m.hex(32)}&lang=en"),
        ("v-nsec", f"nostr identity nsec1{m.pick('qpzry9x8gf2tvdw0s3jn54khce6mua7l', 58)}"),
    ]


def _mangled(m: Maker) -> list[tuple[str, str]]:
    first, second, third, fourth = m.github("ghp"), m.github("gho"), m.github("ghp"), m.github("ghu")
    slack = f"xoxb-{m.digits(12)}-{m.digits(13)}-{m.alnum(24)}"
    gitlab = f"glpat-{m.alnum(20)}"
    groq = f"gsk_{m.alnum(52)}"
    router = f"sk-or-v1-{m.hex(64)}"
    stripe = f"rk_live_{m.alnum(24)}"
    password = m.strong(14)
    aws = "AKIA" + m.pick(string.ascii_uppercase + "234567", 16)
    sendgrid = f"SG.{m.alnum(22)}.{m.alnum(43)}"
    wide = "".join(chr(ord(c) + 0xFEE0) for c in second)
    return [
        ("m-word-joiner", "tok " + "\u2060".join((first[:10], first[10:22], first[22:]))),
        ("m-escape", "pushes use " + third.replace("_", "\\_")),
        ("m-plus", f'concat "{router[:24]}" + "{router[24:]}" at runtime'),
        ("m-wrap", f"- groq\n  {groq[:30]}\\\n  {groq[30:]}"),
        ("m-wide", "mirror " + wide),
        ("m-bidi", "slack \u202a" + slack[:20] + "\u202c" + slack[20:]),
        ("m-base64", "blob " + base64.b64encode(f"token={fourth}".encode()).decode()),
        ("m-hex", "bytes " + stripe.encode().hex()),
        ("m-percent", "cb=https%3A%2F%2Fops%3A" + m.alnum(18) + "%40git.acme.test%2Frepo"),
        ("m-entity", "md &#" + str(ord(aws[0])) + ";" + aws[1:]),
        ("m-comment", f"<!-- db pass: {password} -->"),
        ("m-cyrillic", "ci " + first.replace("gh", "gһ", 1)),
        ("m-spaces", f"read it as {sendgrid[:14]} {sendgrid[14:34]} {sendgrid[34:]}"),
        ("m-quote", f"> {gitlab}"),
        ("m-bold-inside", f"{stripe[:12]}**{stripe[12:20]}**{stripe[20:]}"),
        ("m-label-zw", f"pass\u200bword: {m.strong(13)}"),
        ("m-double-base64", base64.b64encode(base64.b64encode(f"key: {groq}".encode())).decode()),
        ("m-reversed", "backwards: " + second[::-1]),
        ("m-list-wrap", f"- OpenRouter\n  - {router[:36]}\n    {router[36:]}"),
        ("m-json-escape", '{"t":"' + third[:4].replace("_", "\\u005f") + third[4:] + '"}'),
    ]


def _clean(m: Maker) -> list[tuple[str, str]]:
    return [*_clean_prose(m), *_clean_ids(m), *_clean_refs(m), *_clean_languages(m)]


def _clean_prose(m: Maker) -> list[tuple[str, str]]:
    texts = """
    Passwords must be at least 16 characters and are rotated every 90 days.|The password field on the login form ignores paste.|Pass the config through the loader, then restart.
    All 214 tests pass: 12 skipped, 3 xfailed.|Token usage yesterday: 1,204,331 in / 88,120 out.|The key insight: cache the embeddings, not the text.|Key takeaways: ship small, measure twice.
    Secret sauce of the ranking is recency decay with half-life 14d.|User login flow: email → magic link → session.|He forgot his password again; reset link sent 09:12.|Access is granted by SSO only, no passwords.
    Login page redesign: PR #4821 by Ada, due 2026-07-01.|The PIN entry screen crashes on iOS 17.4.|Pin the header to the top and pin numpy to 1.26.4.|Error code 50014 means the tenant is missing.|Exit code 137 = OOM killed.
    Postal code 10115, country code 49.|Promo code SUMMER2026 gives 20 percent.|Auth: OAuth2 with PKCE; tokens live 3600s.|Rate limit per key: 60/min, burst 120.|Password manager of the family is 1Password.
    Never write passwords, tokens or keys into this file.|If a secret leaks, rotate it first, then rewrite history.|The api key lives in the keychain entry weather-api.|Credentials: see Bitwarden, folder Infra.
    Credentials rotated 2026-05-02 by Ops, next on 2026-11-02.|The token bucket holds 100 tokens and refills 10/s.|max_tokens: 4096, temperature: 0.2|Tokenizer: cl100k_base; vocabulary 100277.|Sort key: created_at DESC, partition key: tenant_id.
    Primary key is (user_id, day); foreign key user_id -> users.id.|Press the Escape key twice.|House key is under the flower pot? No - with the neighbour.|Public key pinned in firmware v3.2.1-rc4.
    Signed in as ada, then opened Settings → Security.|Admin: Ada Lovelace, backup admin: Charles.|User: ada, role: maintainer, team: infra-core-2.|Account 4 of 12 migrated (33%).|pwd prints the working directory: /srv/app/current
    They discussed password hashing: bcrypt cost 12 vs argon2id m=64MB.|Passkeys beat passwords: WebAuthn rolled out to 85% of users.|The password is wrong too often because of the US-keyboard layout.|Forgot password? Click here.
    WiFi password is on the fridge.|The password is in the envelope.|Use a passphrase of six diceware words.|Secret meeting at 18:30 in room B2.|Backup codes are in the safe, printed twice.|2FA enabled for all 14 members.
    Recovery codes: not generated yet.|Seed phrase was written on steel, location known to Ada only.|Seed the RNG with 42 and rerun tests.|The API token expires in 2027-01-15T00:00:00Z.|Bearer tokens are sent in the Authorization header.
    """
    lines = [piece.strip() for row in texts.strip().splitlines() for piece in row.split("|") if piece.strip()]
    return [(f"prose-{number}", line) for number, line in enumerate(lines)]


def _clean_ids(m: Maker) -> list[tuple[str, str]]:
    return [
        ("id-commit", f"Token refresh fixed in commit {m.hex(40)}"),
        ("id-range", f"git log {m.hex(9)}..{m.hex(9)} --oneline"),
        ("id-blob", f"secret scanning test file is blob {m.hex(40)}"),
        ("id-sha", f"secret.tar.gz sha256 {m.hex(64)}"),
        ("id-md5", f"key.img (md5 {m.hex(32)})"),
        ("id-uuid-user", f"login user id {m.uuid()} has 2 sessions"),
        ("id-contract", f"token contract 0x{m.hex(40)} on Base"),
        ("id-mint", f"Token mint: {m.pick('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 44)}"),
        ("id-tx", f"paid, tx hash 0x{m.hex(64)}"),
        ("id-request", f"request_id: req_{m.alnum(24)}"),
        ("id-toolu", f"tool call toolu_01{m.alnum(22)} failed"),
        ("id-thread", f"thread_{m.alnum(24)} / run_{m.alnum(24)}"),
        ("id-stripe", f"customer cus_{m.alnum(14)}, price price_1{m.alnum(23)}"),
        ("id-arn", f"arn:aws:kms:eu-west-1:{m.digits(12)}:key/{m.uuid()}"),
        ("id-gdoc", f"https://docs.google.com/spreadsheets/d/1{m.url_safe(43)}/edit#gid={m.digits(9)}"),
        ("id-youtube", f"https://www.youtube.com/watch?v={m.url_safe(11)}&list=PL{m.url_safe(32)}"),
        ("id-chat", f"chat_id: -100{m.digits(10)}, message {m.digits(5)}"),
        ("id-nostr", f"npub1{m.pick('qpzry9x8gf2tvdw0s3jn54khce6mua7l', 58)}"),
        ("id-cid", f"pinned bafybei{m.pick('abcdefghijklmnopqrstuvwxyz234567', 52)}"),
        ("id-ssh-pub", f"deploy key (public): ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{m.alnum(43)} bot@ci"),
        ("id-fpr", "Key fingerprint = " + " ".join(m.hex(4).upper() for _ in range(10))),
        ("id-sri", f'<script integrity="sha384-{m.base64(48)}">'),
        ("id-etag", f'etag: W/"{m.hex(32)}"'),
        ("id-image", f"registry.acme.test/api@sha256:{m.hex(64)}"),
        ("id-trace", f"traceparent 00-{m.hex(32)}-{m.hex(16)}-01"),
        ("id-order", f"order {m.digits(3)}-{m.digits(7)}-{m.digits(7)} shipped"),
        ("id-phone", f"Plumber +44 20 7{m.digits(3)} {m.digits(4)}, code word none"),
        ("id-iban-like", f"invoice RF{m.digits(2)} {m.digits(4)} {m.digits(4)} paid"),
        ("id-pod", f"pod/secret-sync-{m.lower(9)}-{m.lower(5)} restarted"),
        ("id-ulid", f"event 01J{m.pick('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 23)}"),
        ("id-notion", f"https://www.notion.so/team/Passwords-policy-{m.hex(32)}"),
        ("id-data-uri", f"![x](data:image/png;base64,iVBORw0KGgo{m.base64(90)})"),
        ("id-model", "claude-opus-4-1-20250805 and gemini-2.5-pro-preview-06-05 share one key"),
        ("id-file", f"wrote memory/2026-05-0{m.digits(1)}-token-audit.md ({m.digits(4)} bytes)"),
        ("id-line", "see src/auth/password_reset.py:214 and tests/test_tokens.py::test_refresh[case-3]"),
        ("id-go-sum", f"golang.org/x/crypto v0.31.0 h1:{m.base64(32)}"),
        ("id-lock", f'resolved "https://registry.yarnpkg.com/token/-/token-1.0.0.tgz#{m.hex(40)}"'),
        ("id-cert-serial", "serial " + ":".join(m.hex(2) for _ in range(16))),
        ("id-device", f"device key id: {m.hex(16)}"),
        ("id-pubkey", f"pubkey: {m.hex(64)}"),
    ]


def _clean_refs(m: Maker) -> list[tuple[str, str]]:
    texts = """
    password: $DB_PASSWORD~api_key: ${WEATHER_KEY:-unset}~token = os.getenv("HASS_TOKEN")~const key = process.env.OPENAI_API_KEY ?? "";~password: !vault prod/db
    secret: {{ .Values.auth.secret }}~password: "{{ lookup('env', 'DB_PASS') }}"~Authorization: Bearer $TOKEN~Authorization: Bearer YOUR_ACCESS_TOKEN~curl -u "$USER:$PASS" https://x.test
    https://user:pass@host/path is the URL form~postgresql://USER:PASSWORD@HOST:5432/DB~redis://:<password>@redis:6379~mysql://root:root@localhost/test~export API_TOKEN=<paste token here>
    OPENAI_API_KEY=sk-...~ANTHROPIC_API_KEY=sk-ant-xxxxxxxxxxxxxxxx~GITHUB_TOKEN=ghp_YOURTOKENHERE~api_key = "..."~password = "********"~password: (hidden)~password: n/a
    password: <redacted>~pw: [in Bitwarden]~pw: s. KeePass~token: see .env.local~token: stored in 1Password ("Bot token")~def check(password: str, salt: bytes = b"") -> bool:~password = input("Password: ")
    if password != expected_password: raise AuthError~secrets.token_urlsafe(32)~token = generate_token(length=32)~`password_hash = hash_password(password)`~"password": {"type": "string", "minLength": 12}
    key = f"user:{user_id}:profile"~cache_key = "embeddings:v2:batch-128"~regex: (?i)api[_-]?key["'\\s:=]+[A-Za-z0-9]{20,}~pattern `sk-[a-zA-Z0-9]{48}` in the scanner~AKIA followed by 16 characters is an access key id
    aws configure set aws_access_key_id "$AWS_ID"~vault kv get -field=password secret/prod/db~op read "op://Infra/Grafana/password"~gh auth token | pbcopy~kubectl get secret db-creds -o jsonpath='{.data.password}'
    env: DB_PASSWORD (required), JWT_SECRET (required), PORT (3000)~secretName: tls-prod-2026~imagePullSecrets: regcred-eu-west-1~--token-file /run/secrets/hass_token~PASSWORD_STORE_DIR=~/.password-store
    """
    lines = [piece.strip() for row in texts.strip().splitlines() for piece in row.split("~") if piece.strip()]
    return [(f"ref-{number}", line) for number, line in enumerate(lines)]


def _clean_languages(m: Maker) -> list[tuple[str, str]]:
    texts = """
    Passwort zurückgesetzt, neues kommt per Brief.|Das Passwort steht im KeePass unter NAS.|Passwortrichtlinie: mindestens 12 Zeichen, Wechsel alle 180 Tage.|Schlüssel liegt bei Familie Krüger im 2. Stock.|Der Schlüssel zum Erfolg: 3 Reviews pro PR.
    La contraseña está en el gestor, carpeta Casa2026.|Política de contraseñas: mínimo 12 caracteres.|La clave del éxito es dormir 8 horas.|El token caduca a los 30 días.|Código postal 28013, Madrid.
    Le mot de passe est dans le coffre Bitwarden.|Mot de passe oublié : envoyer le lien.|La clé de répartition est user_id.|Code postal 75011.|Identifiants : voir le coffre de l'équipe.
    A senha fica no cofre da equipe.|A chave primária é id_pedido.|Código do pedido: 483920|La password è scaduta il 12/03/2026.|La chiave di lettura: meno codice.|Codice fiscale da chiedere al cliente.
    Het wachtwoord staat in de kluis.|De sleutel ligt bij de buren op nummer 42.|Пароль хранится в Bitwarden.|Ключ от квартиры у соседки, этаж 5.|Код ошибки 4042 на сервере.|Сброс пароля через почту, ссылка живёт 24 часа.
    密码保存在 1Password 里。|密码长度至少12位，每90天更换。|关键是先写测试。|パスワードは1Passwordに保存済み。|パスワードの長さは12文字以上。|キーボードはHHKB Professional 2です。|トークン使用量: 120345
    Hasło jest w menedżerze.|Şifre sıfırlandı, yeni bağlantı 15 dakika geçerli.|비밀번호는 금고에 있습니다.|암호화 방식은 AES-256-GCM 입니다.|Lösenordet finns i kassaskåpet.
    """
    lines = [piece.strip() for row in texts.strip().splitlines() for piece in row.split("|") if piece.strip()]
    return [(f"lang-{number}", line) for number, line in enumerate(lines)]


def build(seed: int) -> list[Item]:
    """Return all items of one seed, the secrets first."""
    maker = Maker(seed)
    groups = [
        (_english(maker) + _german(maker) + _romance(maker) + _others(maker) + _vendors(maker), True, False),
        (_mangled(maker), True, True),
        (_clean(maker), False, False),
    ]
    items = []
    for rows, secret, mangled in groups:
        for number, (kind, text) in enumerate(rows):
            items.append(Item(kind, text, secret, mangled, held_out=number % 2 == 1))
    return items


def as_page(items: list[Item], seed: int) -> tuple[list[str], dict[str, tuple[int, int]]]:
    """Lay the items out as one file in random order; return its lines and the 1-based line span of every kind."""
    order = items[:]
    random.Random(seed).shuffle(order)
    lines = ["# Notes", ""]
    spans = {}
    for item in order:
        body = item.text.split("\n")
        spans[item.kind] = (len(lines) + 1, len(lines) + len(body))
        lines += body
        lines += ["", "Nothing else to say here.", ""]
    return lines, spans
