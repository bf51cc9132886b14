"""Words that announce a secret, in thirteen languages, and the small words between them and the value.

Stems are lower case. An ASCII stem must stand alone, be part of an identifier (`db_password`, `adminPassword`, `wifi-pw`) or, where marked
with a leading `~`, end a compound (`Datenbankpasswort`). A trailing `*` allows an inflection of up to four letters.
"""

from __future__ import annotations

PASSWORD, PIN, CODE, KEY, TOKEN, LOGIN, PHRASE = range(7)

_STEMS = (
    (PASSWORD, """password* passwords passwd pass_phrase passphrase* pass pwd pw pswd psk ~passwort* ~kennwort* ~passwörter losung zugangswort
        contraseña* contrasena* clave mot_de_passe mots_de_passe mdp phrase_secrète phrase_de_passe senha* palavra-passe palavra_passe password
        parola_d'ordine parola* parole_d'ordine wachtwoord* ~wachtwoord wachtzin парол* пасс 密码 密碼 口令 パスワード パスフレーズ 合言葉 暗証 hasło* hasła hasłem haslo*
        şifre* sifre* 비밀번호 암호 패스워드 비번 lösenord* heslo* jelszó* jelszava passord* kodeord* adgangskode* salasana* app_password app-password passkey_pin
        root_pw sudo_pw community_string snmp_community mật_khẩu kata_sandi"""),
    (PIN, """pin pincode pin_code pin-code passcode geheimzahl ~geheimzahl cvv cvc puk пин-код пин пинкод 暗証番号 ピン pin码 código_pin codice_pin code_pin pin-kod pin_kodu 핀번호
        lock_code door_code gate_code alarm_code entry_code keypad_code safe_code unlock_code türcode ~türcode torcode voicemail_pin"""),
    (CODE, """code ~code código codigo codice код* コード 番号 密码锁 kod kodu szyfr combination combo kombination combinación combinaison combinazione 코드"""),
    (KEY, """api_key* api-key* apikey* api_keys api_token api-token access_key accesskey access-key access_token access-token accesstoken secret_key secret-key secretkey
        secret_access_key client_secret client-secret clientsecret auth_token auth-token authtoken auth_key authkey auth-key bearer_token refresh_token refresh-token signing_secret signing_key
        webhook_secret encryption_key encryption-key master_key masterkey private_key private-key privatekey service_key account_key shared_secret shared_key app_secret
        app_key consumer_secret personal_access_token session_token session_secret session_cookie sas_token jwt_secret jwt_token deploy_token bot_token read_token write_token admin_token admin_key
        root_token license_key api-schlüssel ~zugriffstoken ~zugangsschlüssel zugangsschlüssel zugangstoken ~api-schlüssel geheimer_schlüssel clave_api clave_de_api clave_de_acceso clave_secreta clé_api clé_d'api
        clé_secrète clé_d'accès jeton_d'accès chiave_api chiave_segreta chiave_di_accesso token_di_accesso chave_api chave_de_api chave_secreta chave_da_api chave_de_acesso token_de_acesso token_de_acceso api-sleutel
        api_sleutel toegangssleutel toegangstoken geheime_sleutel api-ключ api_ключ ключ_api ключ_доступа секретный_ключ токен_доступа api密钥 api_密钥 访问密钥 访问令牌 密钥 密鑰 金鑰 令牌 apiキー api_キー
        シークレットキー アクセストークン アクセスキー 秘密鍵 klucz_api klucz_dostępu api_anahtarı erişim_anahtarı gizli_anahtar api_키 액세스_토큰 비밀키 authentication_token credential_token aes_key hmac_key hmac_secret
        local_key localkey network_key unseal_key* recovery_key routing_key integration_key product_key licence_key subscription_key functions_key storage_key webhook_token sudo_token pat bearer"""),
    (TOKEN, """token* tokens secret secrets key keys ~schlüssel schlüssel geheimnis clé clef jeton llave secreto chiave chave segreto segredo sleutel ключ* токен* секрет* トークン キー シークレット
        klucz* anahtar* 키 토큰 nyckel nøgle avain seed salt pk creds_key"""),
    (LOGIN, """wifi wi-fi wlan hotspot login* logins log_in logged_in logs_in creds cred credentials credential sign_in ssh ~zugangsdaten anmeldedaten ~login zugang anmeldung einloggen credenciales acceso accesos usuario identifiants identifiant accès connexion
        credenziali accesso credenciais acesso inloggegevens inlog inloggen логин* доступ* учётка учетка учетные_данные учётные_данные вход 账号 帐号 账户 登录 帳號 ログイン アカウント dane_logowania logowanie giriş 로그인 계정 user username
        benutzer utilisateur utente usuário gebruiker пользователь 用户名 ユーザー account konto cuenta compte conto conta admin root administrator master superuser sysadmin postgres sa"""),
    (PHRASE, """seed_phrase recovery_phrase mnemonic* secret_phrase backup_phrase wallet_phrase seed_words recovery_words wallet_seed seedphrase wiederherstellungsphrase frase_semilla frase_de_recuperación phrase_de_récupération
        frase_de_recuperação frase_seed herstelzin сид-фраза сид_фраза мнемоническая 助记词 助記詞 シードフレーズ リカバリーフレーズ"""),
)  # fmt: skip


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _unfold() -> tuple[tuple[str, int, bool, bool], ...]:
    rows = []
    seen = set()
    for kind, text in _STEMS:
        for word in text.split():
            stem = word.strip("~*").replace("_", " ").replace("-", " ")
            if stem not in seen:
                seen.add(stem)
                rows.append((stem, kind, word.startswith("~"), word.endswith("*")))
    return tuple(rows)


# stem, kind, ends a compound, may be inflected
STEMS = _unfold()


def _sort() -> tuple[
    tuple[tuple[str, int, bool, bool], ...], tuple[tuple[str, int, bool, bool], ...], dict[str, list[tuple[str, int, bool, bool]]]
]:
    """Sort the stems by how they are looked for: as a part of any text, the same for other scripts, and as whole words by the first of them."""
    parts: list[tuple[str, int, bool, bool]] = []
    foreign: list[tuple[str, int, bool, bool]] = []
    whole: dict[str, list[tuple[str, int, bool, bool]]] = {}
    for row in STEMS:
        if not row[0].isascii() and ord(row[0][0]) > 0x3FF:
            foreign.append(row)
        elif row[2] or row[3] or row[0] in _CAMEL:
            parts.append(row)
        else:
            first = row[0].replace("'", " ").split()[0]
            whole.setdefault(first, []).append(row)
    return tuple(parts), tuple(foreign), whole


# Short stems that stand inside camelCase and run-together names: dbPass, PGPASSWORD, accessKey.
_CAMEL = word_set("pass pwd passwd key token secret pin passcode apikey passwords password")
PARTS, FOREIGN, WHOLE = _sort()
FOREIGN_FIRST = frozenset(row[0][0] for row in FOREIGN)


# Words after which the value follows at once.
LINKS = word_set("""
: = => -> → ⇒ ➜ ➔ := == — – - | » ： is are was becomes equals ist lautet lauten heißt heisst sind war wird wäre es son era fue quedó será est sont était sera devient è sono era sarà é são foi será ficou
staat is zijn werd wordt это является есть теперь = to jest są brzmi olarak with mit con avec com met с z ile auf à in на i.e. namely nämlich : as als como comme come como как jako dir
""")

# Words that may stand between the link and the value without weakening it.
FILLERS = word_set("""
the a an my our your his her their its this that it now currently still just simply literally set changed reset rotated updated configured new old temporary temp initial following default actual real same-day
der die das den dem ein eine einen mein unser unsere jetzt aktuell nun noch einfach gesetzt geändert neu neue neues folgende folgender folgendes wie folgt gerade immer
el la los las un una mi nuestro nuestra ahora todavía actualmente puesta cambiada nueva nuevo siguiente le les une mon ma notre maintenant toujours actuellement désormais nouveau nouvelle suivant suivante
il lo gli i uno una mio mia nostro nostra adesso ora ancora attualmente nuova nuovo seguente o os as um uma meu minha nosso nossa agora ainda atualmente nova novo seguinte
het de een mijn ons onze nu nog steeds momenteel nieuw nieuwe volgende сейчас теперь пока новый новая наш мой текущий следующий такой teraz nowe nowy nasze şu şimdi yeni
pw password pass passwd user username value
""")

# Verbs before the label that make "to", "auf", "à" a link: reset the root password to X.
ASSIGN = word_set("""
set reset change changed rotate rotated update updated switched made gesetzt setze ändere geändert cambié cambió cambiar cambiada puse cambio changé changer mis modifié mudei mudou trocar trocada alterada
cambiato impostato impostata gewijzigd veranderd поменял поменяли сменил изменил установил
""")

# Words that make a key or a code next to them a password: wlan key, code wifi.
WIRELESS = word_set("wifi wi-fi wlan wpa wpa2 wpa3 hotspot ssid network netzwerk réseau wireless вайфай wi-fi-")

# Words right before a label that make it the name of something public.
PUBLIC = word_set("""
public primary foreign partition sort cache idempotency idempotent dedupe dedup routing lookup object index unique composite natural surrogate candidate publishable anon shift arrow enter escape
hot short function answer home license-plate translation i18n locale config json yaml dict map dictionary hash registry s3 host page pagination continuation sync resume next cursor csrf-free
öffentlicher öffentlicher öffentlichen public: pública publique pubblica openbare открытый публичный 公開 公钥 público primärer primär special-purpose
stop pad eos bos mask unk max min input output prompt completion context cached total reasoning utility governance erc20 erc-20 spl native meme mint liquidity wrapped lp reward governance-token
""")

# Words on the line, before the value, that make a random string a hash or an identifier.
HASHES = (
    "commit", "sha1", "sha2", "sha-", "sha:", "sha ", "sha_", "sha3", "sha5", "md5", "digest", "checksum", "hash", "etag", "integrity", "fingerprint", "revision", "blob", "tree ", "txid",
    "tx:", "tx ", " tx", "transaction", "address", "contract", "mint", "signature", "trace", "span", "uuid", "guid", "pubkey", "public key", "public_key", "publickey", "pub key", "recipient", "thumbprint", "nonce",
    "prüfsumme", "somme de contrôle", "suma de", "контрольн", "校验", "ハッシュ", "哈希", "commit-", "merge", "branch", "cid", "ipfs", "dht", "did:", "nostr", "npub", "bafy", "snapshot", "certificate", "cert ", "isbn",
    "öffentlich", "clé publique", "clave pública", "chiave pubblica", "chave pública", "openbare sleutel", "публичн", "открытый ключ", "公钥", "公開鍵", "genesis", "block ", "merkle", "cas:", "oid", "layer", "build",
)  # fmt: skip

# Words around a short number that make "code" or "pin" the code of a door, a device or a card, and those that make it hardware.
PLACES = (
    "door", "gate", "alarm", "safe", "locker", "garage", "keypad", "panel", "lock", "entrance", "building", "elevator", "shed", "cabin", "airbnb", "tür", "tor", "tresor", "schloss", "haus", "puerta", "porte",
    "portail", "porta", "cancello", "portón", "alarma", "alarme", "allarme", "kluis", "deur", "poort", "slot", "двер", "домофон", "сейф", "ворот", "сигнализац", "门", "保险", "玄関", "金庫", "ドア", "drzwi", "kapı", "coffre",
    "caja fuerte", "cofre", "cassaforte", "portal", "portão", "portao", "cancela", "garagem", "grind", "brama", "bramk", "furtk", "sejf", "kasa", "kassaskåp", "grind", "garaż", "garage", "immeuble", "edificio", "gym", "bike", "voicemail", "sim", "card", "karte", "tarjeta", "carte", "cartão", "carta", "карт", "卡", "カード", "phone", "handy", "tablet", "boom", "barrier", "文", "digicode", "사물함", "현관",
)  # fmt: skip
HARDWARE = ("gpio", "esp32", "esp8266", "arduino", "pinout", "i2c", "spi ", "uart", "sda", "scl", "pin diagram", "header", "solder", "resistor", "pins", "pinned", "pin the", "postal", "zip code", "error", "exit code", "status",
    "http", "country", "area code", "promo", "discount", "coupon", "source code", "vs code", "claude code", "lines of", " loc ", "port ", "year", "fehler", "código de error", "postleitzahl", "qr code", "airport", "dress", "hex code",
    "unicode", "tracking", "booking", "flight", "order", "pin to", "pin=")  # fmt: skip

# Pieces of an identifier after a label that make it something else: password_min_length, token_file, key_id.
SUFFIXES = word_set("""
min max length len ttl policy reset manager hash hashed hashes hashing prompt field file files path paths name names id ids url uri type types expiry expires expiration expired exp lifetime age count counter limit limits budget
usage used size window rotation rotate rotated rotator required enabled disabled protected protection ref reference arn version versions provider store storage generator strength validator validation check rules regex pattern
format prefix suffix env var variable label placeholder example template algorithm alg bits bytes iterations rounds cost salt title description hint status state valid invalid error errors page form input box dialog less safe
key-id keyid management based auth bucket map index space word phrase pair pairs ring board binding bindings stroke note frame point value-from from source usage-limit estimate estimates counts per sec rate price cost costs
holders holder supply address contract mint symbol economics ization izer ized izing ise ised
""")
