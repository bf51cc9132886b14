"""User names with a password, and the numbers of PINs and door codes."""

from __future__ import annotations

import re

from hoard_git.core.lazy import lazy
from hoard_git.core.secrets import _labels as words
from hoard_git.core.secrets import values
from hoard_git.core.secrets._words import REFUSALS
from hoard_git.core.secrets.walk import CJK_LINKS, marked, unwrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    Found = tuple[int, int, str, str, bool]  # start, end, rule, phrase, certain

_PAIR = lazy(
    r"""(?:[:=→—–|-]|->|=>|\s(?:is|are|as|with|als|mit|con|como|com|comme|avec|met|как|jako|sind|lauten|son|sont|sono|são|zijn)\s|は|是|为)\s{0,3}
      [`"'*(]{0,3}(?:(?:user(?:name)?|login|email|name|benutzer|usuario|utilisateur|utente|usuário|gebruiker|пользователь|логин|用户名|ユーザー名?|użytkownik|kullanıcı)\s{0,2}[:=]?\s{0,2}[`"'*]{0,3})?
      (?P<user>[^\s:/|,;`"'*()]{2,60})[`"'*]{0,3}
      (?P<sep>\s{0,3}[/:|,;·•+&]\s{0,3}|\s{1,3}(?:und|and|y|et|e|en|и|ve|oraz|with|mit|con|avec|com|met)\s{1,3}|\s{1,3}(?:->|→|—|–|-)\s{1,3}|、|／)
      (?:(?:p(?:ass(?:word|wd|e|code)?|wd?|w)|passwort|kennwort|contraseña|clave|mot\ de\ passe|mdp|senha|parola|wachtwoord|пароль|密码|密碼|パスワード|hasło|şifre)\s{0,2}[:=]?\s{0,2})?
      (?P<value>`[^`\n]{4,100}`|"[^"\n]{4,100}"|'[^'\n]{4,100}'|[^\s`"'|]{4,120})""",
    re.VERBOSE | re.IGNORECASE,
)
_COMBINATION = lazy(r"(?<![0-9-])([0-9]{1,2}(?:[ -]{1,3}[0-9]{1,2}){2,3})(?![0-9-])")
_LETTERS = lazy(r"[^\W\d_]+")
_SHORT = lazy(r"(?<![0-9A-Za-z.,/:+-])([0-9]{3,4})(?![0-9A-Za-z%/-])")
_DIGITS = lazy(r"(?<![0-9A-Za-z.,/:+€$£#-])([0-9]{4,8}|[0-9]{2,4}[ -][0-9]{2,4})(?![0-9A-Za-z%/-]|[.,:][0-9])")


def _at_a_place(line: str) -> bool:
    """Say whether the words around a number name a door, a device or a card; short names must be whole words."""
    whole = frozenset(_LETTERS.findall(line))
    return any(place in whole if len(place) < 5 and place.isascii() else place in line for place in words.PLACES)


def find_number(text: str, first: int, at: int, end: int, stop: int, kind: int) -> Found | None:
    """Find the digits of a PIN or a door code after its label."""
    low_label = text[at:end].lower()
    pattern = _COMBINATION if low_label[:5] in {"combi", "kombi"} else _SHORT if low_label in {"cvv", "cvc"} else _DIGITS
    match = pattern.search(text, end, min(stop, end + 70))
    if match is None and low_label != "pass":
        match = _COMBINATION.search(text, end, min(stop, end + 40))
    if match is None:
        return None
    between = text[end : match.start()]
    line = text[max(first, at - 60) : min(stop, match.end() + 20)].lower()
    if any(mark in line for mark in words.HARDWARE) or re.search(r"[.;!?]\s", between):
        return None
    pieces = [p for p in re.split(r"[\s*`_\"']+", between.lower()) if p]
    linked = any(p in words.LINKS or p[-1] in ":=" for p in pieces) or any(c in CJK_LINKS for c in between)
    digits = match.group(1)
    if kind == words.CODE and not _at_a_place(line):
        return None
    if kind == words.CODE and not linked and len(pieces) > 2:
        return None
    if text[at:end] == "pin" and not linked:
        return None
    if any(p.strip(":=,") in REFUSALS for p in pieces) or len(set(digits)) == 1 and digits[0] == "0":
        return None
    certain = linked or len(pieces) <= 1 or len(digits) >= 5 and len(pieces) <= 4 and kind == words.PIN and _at_a_place(line)
    if kind == words.CODE and not certain and len(pieces) <= 3 and _at_a_place(between.lower()):
        certain = True
    if kind == words.CODE and digits.startswith(("19", "20")) and len(digits) == 4:
        certain = False
    return match.start(1), match.end(1), "labelled-pin", "PIN or door code after a label", certain


_ROLES = {"root", "admin", "administrator", "master", "superuser", "sa", "postgres", "sysadmin"}
_USERS = _ROLES | {
    "user",
    "guest",
    "pi",
    "ubuntu",
    "debian",
    "deploy",
    "backup",
    "viewer",
    "operator",
    "operador",
    "usuario",
    "benutzer",
    "beheer",
    "gast",
    "invitado",
    "invité",
    "editor",
    "service",
    "svc",
}
_CREDENTIALS = frozenset(
    [
        "login",
        "logins",
        "creds",
        "cred",
        "credentials",
        "zugangsdaten",
        "anmeldedaten",
        "credenciales",
        "identifiants",
        "identifiant",
        "credenziali",
        "credenciais",
        "inloggegevens",
        "доступ",
        "доступы",
        "логин",
        "учетные",
        "данные",
        "wifi",
        "wi-fi",
        "wlan",
        "登录",
        "ログイン",
        "dane",
        "logowania",
    ]
)
_CLOSE = lazy(r"[`*\"']{0,3}\s{0,2}(?:[:=/|]{1,2}|->|→)\s{0,3}(\S{6,120})")
_USING = lazy(
    r"\s(?:with|using|mit|con|usando|avec|com|met|via)\s{1,2}(?:the\s|das\s|la\s|le\s)?(?:p(?:ass(?:word|wd|phrase|code)?|wd?|w)\s)?(?P<value>`[^`\s]{4,100}`|\"[^\"\s]{4,100}\"|[^\s`\"'|]{6,120})",
    re.IGNORECASE,
)


_MESSAGE = lazy(r"1[0-9]{9}(?:[0-9]{3})?-[0-9a-f]{4,12}")
"""A time since 1970 and a few hex digits, as chats number their messages: `channel:1780000000000-1a2b3c4d`."""


def _is_no_pair(text: str, at: int, user: str, sign: str, value: str) -> bool:
    """Say whether what looks like user and password is a piece of a URL or path, a setting, an address or an identifier."""
    word = text[max(0, at - 200) : at].rsplit(" ", maxsplit=1)[-1]
    return (
        "=" in user
        or any(mark in value for mark in ("[", "]", "\\", "//"))
        or value[:1] in {":", "/"}
        or "/" in sign
        and "/" in value
        or word.endswith("/")
        or "://" in word
        or "//" in user
        or user.lower() in {value.lower(), "http", "https"}
        or values.is_uuid(value[-36:])
        or _MESSAGE.fullmatch(value) is not None
    )


def find_pair(text: str, first: int, at: int, end: int, stop: int) -> Found | None:
    """Find `user SEPARATOR password` after a word like login or creds."""
    label = text[at:end].lower()
    if label in _ROLES and (close := _CLOSE.match(text, end, stop)) is not None:
        s, e, _ = unwrap(close.group(1), close.start(1))
        if marked(text[s:e]) and "(" not in text[s:e]:
            return s, e, "login-pair", "user name with a password", True
    using = _USING.search(text, end, min(stop, end + 120))
    if using is not None:
        s, e, quoted = unwrap(using.group("value"), using.start("value"))
        if marked(text[s:e]) or quoted and values.strength(text[s:e]) >= values.FAIR:
            return s, e, "login-pair", "user name with a password", values.strength(text[s:e]) == values.STRONG
    match = _PAIR.search(text, end, min(stop, end + 160))
    if match is not None:
        s, e, quoted = unwrap(match.group("value"), match.start("value"))
        stopped = next((at for at, char in enumerate(text[s:e]) if char in "。，；！？"), e - s)  # a sentence goes on without a blank
        e = s + stopped
        value, user = text[s:e], match.group("user")
        grade = values.strength(value)
        tight = match.group("sep").strip() in {"/", ":", "、", "／"}
        if _is_no_pair(text, match.start("user"), user, match.group("sep"), value):
            return None
        signed = any(c in "!#%&*?$^" for c in value)
        known = user.lower() in _USERS or label in _CREDENTIALS
        if grade == values.STRONG:
            sure = tight or quoted or signed or values.is_opaque(value, 10)
        elif grade == values.FAIR:
            sure = tight and (quoted or signed or known)
        elif grade == values.PHRASE and tight and known:
            sure = True
        else:
            return None
        return s, e, "login-pair", "user name with a password", sure
    return None
