"""Word lists of the value tests: values that are no secrets, and words that say where the secret is instead."""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Values in documentation and tutorials; also the words a form shows in place of a value.
COMMON = _set("""
password passwd pass passwort kennwort contraseña contrasena clave senha wachtwoord parola пароль 密码 パスワード hasło şifre secret secrets token key
apikey api-key api_key test testing test123 tests admin root user username guest demo default postgres mysql redis rabbit rabbitmq minio minioadmin
admin123 password1 password12 pass123 pass1234 changeit changeme changethis change-this hunter2 qwerty abc123 foobar foo bar baz qux letmein toor
none null nil nan undefined true false yes no on off n/a na tbd todo fixme xxx string str int bool boolean number bytes any optional required
value text hidden masked redacted removed censored omitted encrypted private public string|null localhost example dummy fake sample placeholder
mysecretpassword supersecret super-secret topsecret verysecret s3cr3t p4ssw0rd secretpassword yourpassword mypassword user_password dbpassword
correct-horse-battery-staple correcthorsebatterystaple bearer basic digest oauth oauth2 jwt hmac hunter trustno1 monkey sesame welcome
geheim geheimnis segreto secreto segredo секрет ****
""")

# Of those, what people do use: right behind "password is" or "password:" it is one, unless the line speaks of examples.
WELL_KNOWN = _set("""
hunter2 letmein letmein1 toor qwerty qwerty1 qwerty123 qwertyuiop p@ssw0rd p@ssw0rd1 p@ssword p@55w0rd passw0rd p4ssw0rd pa55word password1 password12 password123 welcome1 welcome123
trustno1 iloveyou admin123 root123 pass1234 abc123 s3cr3t s3cret correcthorsebatterystaple correct-horse-battery-staple 1q2w3e4r 1qaz2wsx zaq12wsx
""")

# Managers, stores and places that keep secrets, and the small words before them.
KEEPERS = _set("""
1password onepassword bitwarden vaultwarden keepass keepassxc lastpass dashlane nordpass protonpass enpass keychain keyring vault kms hsm doppler infisical
secretsmanager secret-manager sops ansible-vault gopass passbolt psono roboform wallet notary tresor schlüsselbund safe passwort-manager password-manager
env .env environment environ envrc direnv dotenv ssm secretmanager keyvault key-vault libsecret pass(1) kwallet gnome-keyring umgebungsvariable kluis coffre-fort cassaforte cofre sejf
""")

# Words after a label that say no value follows.
REFUSALS = _set("""
see ask asks asked check stored saved kept lives managed manager managers policy policies rule rules rotated rotation rotates rotating rotate minimum length
hash hashed hashes hashing salted field fields prompt prompts protected protection required expired expires expiry expiration unknown none null never not
no without forgot forgotten invalid wrong incorrect missing empty blank generator generation strength reset resets recovery less only via auth authentication
login mail mails email emails link links page form input inputs dialog screen grant grants type types based store stores storage file files leak leaks leaked
leaking sharing same unchanged dont don't isn't wasn't must should shall may can cannot can't needs need has have had will would could budget count
counts limit limits usage used uses bucket ring holder bearer pair pairs format formats name names handling management validation verification verified check
checks checking scanning scanner detection exposure exposed rejected revoked deleted removed encrypted encryption redacted works worked working failed fails longer shorter stronger weaker different prefix prefixes suffix suffixes hint hints fingerprint id ids metadata ending
siehe frag frage liegt liegen steht gespeichert fehlt unbekannt vergessen richtlinie mindestens kein keine nicht abgelaufen geändert zurücksetzen hinterlegt
ver preguntar pregunta guardada guardado está en caducó olvidada mínimo política gestor sin no nunca
voir demander demande stocké enregistré dans oublié expiré minimum politique gestionnaire sans jamais pas
ver perguntar pergunte guardada salva está no na expirou esquecida mínimo política gerenciador sem nunca não
vedi chiedi chiedere salvata nel scaduta dimenticata minimo politica senza mai non
zie vraag staat opgeslagen verlopen vergeten minimaal beleid zonder nooit niet geen
см смотри спроси хранится лежит в забыл истёк минимум политика без никогда не нет сброс
""")
