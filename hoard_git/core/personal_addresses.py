"""Addresses that lead to a person: mail, public network addresses, hardware addresses, streets."""

from __future__ import annotations

from hoard_git.core.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_EMAIL = lazy(
    r"(?<![\w.+@/%-])\w[\w.+'%-]{0,63}@((?:[^\W_][\w-]{0,62}\.){1,6}(xn--[a-z0-9-]{2,30}|[^\W\d_]{2,24}))(?![\w@/-]|\.[\w-]{1,63}@|:[\w/~.])"
)
_AT = r" ?[\[({<] ?(?:at|AT|At|\u00e4t|arroba|@) ?[\])}>] ?"
_DOT = r"(?: ?[\[({<] ?(?:dot|DOT|Dot|punkt|Punkt|punto|point|ponto|\.) ?[\])}>] ?|\.)"
_SPELLED = lazy(
    rf"(?<![\w.+@/%-])\w[\w.+'%-]{{0,63}}(?:{_AT}|@(?=[\w-]{{1,63}} ?[\[({{<]))((?:[^\W_][\w-]{{0,62}}{_DOT}){{1,6}}(xn--[a-z0-9-]{{2,30}}|[^\W\d_]{{2,24}}))(?![\w@/(-]|:[\w/~.])"
)
"""Addresses spelled out against harvesters: `name (at) host (dot) tld`, `name[at]host.tld`."""

_SIGNS = (lazy(_AT), lazy(_DOT))
_LETTER = lazy(r"[^\W\d_]")
_ENDS = (
    "png jpg jpeg gif svg webp css js ts json md py sh txt html yml yaml toml lock zip gz service timer socket target lan local internal home localdomain "
    "localhost corp intranet"
)
_NO_ENDS = frozenset(_ENDS.split())
"""Ends of file names, units and local hosts: `icon@2x.png`, `getty@tty1.service` and `root@box.lan` are no mail addresses."""

_NOBODY = frozenset(("git", "noreply", "no-reply", "donotreply", "do-not-reply", "mailer-daemon"))
_RESERVED = ("example.", ".example", ".test", ".localhost", ".example.org", ".example.com", ".example.net")
_LOGIN = lazy(r"\b(?:ssh|scp|sftp|mosh|rsync)(?: -\w+(?: [\w.]+)?)* $")

_V4 = lazy(r"(?<![\w.@+§-])(?<![0-9]/)[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![\w@]|[.-]\w)")
_V6 = lazy(r"(?<![\w:.])[23][0-9a-fA-F]{3}:[0-9a-fA-F:]{3,35}(?![\w:]|\.\w)")
_RESOLVERS = frozenset(("8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9", "149.112.112.112", "208.67.222.222", "208.67.220.220"))
_VERSION = lazy(
    r"\b(?:v|ver|version|release|released|firmware|build|upgrade[ds]?|update[ds]?|chrome|chromium|openssl|driver|sdk|api|since|section|chapter)[ \t]{0,2}(?:to |from |:)?[ \t]?$",
    2,  # re.IGNORECASE
)
_NETWORK = lazy(
    r"\b(?:ip|ips|ipv4|address|addr|host|hosts|server|vps|from|login|ping|ssh|dns|vpn|gateway|firewall|blocked|banned|client|at|inet)\b", 2
)
_MAC = lazy(
    r"(?<![\w:.-])(?:[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5}|[0-9a-fA-F]{4}\.[0-9a-fA-F]{4}\.[0-9a-fA-F]{4})(?![\w:-]|\.\w)"
)

_WORD = r"[A-ZÀ-ÖØ-Þ][\w'’-]{1,30}"
_NUMBER = r"[1-9][0-9]{0,3}(?: ?[a-zA-Z](?![\w]))?(?: ?[-\u2013/+] ?[1-9][0-9]{0,3}(?: ?[a-z](?!\w))?)?(?!\w|[.:/][0-9])"
_STREETS = (
    lazy(rf"(?<!\w)[A-ZÀ-ÖØ-Þ][\w-]{{2,30}}(?:straat|laan|plein|gracht|steenweg|kade|gatan|vägen|gade|vej) {_NUMBER}"),
    lazy(rf"(?<!\w)[A-ZÀ-ÖØ-Þ][\w-]{{2,30}}(?:straße|strasse|str\.|gasse|allee|platz|weg),? {{0,2}}{_NUMBER}"),
    lazy(
        rf"(?<!\w)(?:{_WORD}[ -]){{1,3}}(?:Straße|Strasse|Str\.|Gasse|Allee) {{0,2}}{_NUMBER}|(?<!\w){_WORD}-(?:{_WORD}-){{0,2}}(?:Platz|Weg) {_NUMBER}"
    ),
    lazy(rf"(?<!\w)Straße (?:des|der|am|zum|zur) (?:[0-9]{{1,2}}\. )?{_WORD}(?: {_WORD})? {_NUMBER}"),
    lazy(
        rf"(?<![\w.-])[1-9][0-9]{{0,4}}[a-zA-Z]? (?:{_WORD} ){{1,3}}(?:Street|Road|Avenue|Lane|Boulevard|Crescent|Terrace|Rd|Ave|Blvd)(?!\w)"
    ),
    lazy(
        rf"(?<![\w.-])[1-9][0-9]{{0,4}}(?: ?bis)?,? (?:rue|avenue|boulevard|chemin|impasse|quai) (?:(?:de|du|des|la|le|les|l'|d')[ ']?){{0,3}}{_WORD}"
    ),
    lazy(
        rf"(?<!\w)(?:Calle|Avenida|Via|Viale|Piazza|Corso|Rua|Rue) (?:(?:de|del|della|la|los|do|da) ){{0,2}}{_WORD}(?: {_WORD})?,? [1-9][0-9]{{0,3}}(?!\w|[.:/][0-9])"
    ),
)
_NO_STREETS = lazy(
    r"(?:speicher|arbeits|steck|stell|park|sitz|listen|start|tabellen|lager|spitzen|schluss|ehren|studien|ausbildungs|liege|lade|um|aus|hin|rück|lösungs|"
    r"mittel|dienst|rechts|schul|rettungs|flucht|halte|brems|übertragungs|pfad|hinter)(?:platz|weg) ?,?",
    2,  # re.IGNORECASE
)
_ARTICLES = lazy(r"(?:Der|Die|Das|Diese|Dieser|Eine|Einer|In|An|Auf|Zur|Zum|Am|Im|Jede|Jeder|Unsere|Keine|Meine|Welche)[ -]")
_MEASURE = lazy(r" ?(?:[GMTK]i?B|km|m|min|Minuten|Stunden|Std|h|Uhr|Prozent|Meter|Kilometer|Personen|Leute|Schritte)\b| ?%")
_TOWN = lazy(
    rf",? {{1,2}}(?:(?:D|DE|A|AT|CH|L|B|NL|F)-)?(?:[0-9]{{5}}|[0-9]{{4}} ?[A-Z]{{2}}(?![\w])|(?!19|20)[0-9]{{4}}) {_WORD}"
    rf"(?:(?: (?:am|an der|ob der|bei|im|in|der|sur|aan den|aan de|bij)|/)? ?{_WORD}(?=[\s,.;)]|$))?"
)
"""A postcode and a town behind a street: Germany, Austria, Switzerland, the Low Countries, France."""


def find_emails(text: str) -> Iterator[tuple[int, int]]:
    """Yield 0-based spans of mail addresses, spelled-out ones too; not logins, file names, and senders that nobody reads."""
    for pattern in (_EMAIL, _SPELLED):
        for match in pattern.finditer(text):
            name, _, host = plain_email(match.group()).lower().partition("@")
            if match[2].lower() in _NO_ENDS or name in _NOBODY or host.startswith("users.noreply.") or host == "g.us":
                continue
            if pattern is _SPELLED and _LETTER.search(name) is None:
                continue
            if _LOGIN.search(text, max(0, match.start() - 40), match.start()) is None:
                yield match.span()


def plain_email(value: str) -> str:
    """A mail address as programs write it: `name (at) host (dot) tld` with its signs."""
    at, dot = _SIGNS
    return dot.sub(".", at.sub("@", value, count=1)) if any(sign in value for sign in "[({<") else value


def is_reserved(address: str) -> bool:
    """Whether a mail address is one of the documentation (RFC 2606): nobody can have it."""
    host = address.rpartition("@")[2].lower()
    return host.startswith(_RESERVED[0]) or host.endswith(_RESERVED[1:])


def find_networks(text: str) -> Iterator[tuple[int, int]]:
    """Yield 0-based spans of network addresses that are visible from outside; a private one leads to nobody."""
    for match in _V4.finditer(text):
        if _is_public(match.group()) and not _is_version(text, match.start(), match.group()):
            yield match.span()
    for match in _V6.finditer(text):
        if _is_v6(match.group()):
            yield match.span()


def _is_public(text: str) -> bool:
    parts = text.split(".")
    if any(len(part) > 1 and part[0] == "0" for part in parts) or text in _RESOLVERS:
        return False
    a, b, c, d = map(int, parts)
    if max(a, b, c, d) > 255 or a in (0, 10, 127) or a > 223:
        return False
    return (a, b) not in ((192, 168), (169, 254)) and not (a == 172 and 16 <= b < 32) and not (a == 100 and 64 <= b < 128)


def _is_version(text: str, at: int, value: str) -> bool:
    """Whether four small numbers are rather a version: named so, or short and on a line that speaks of no network."""
    if _VERSION.search(text, max(0, at - 30), at) is not None:
        return True
    first = text.rfind("\n", 0, at) + 1
    last = text.find("\n", at)
    return len(value) < 11 and _NETWORK.search(text, first, len(text) if last < 0 else last) is None


def _is_v6(text: str) -> bool:
    if ":::" in text or text.count("::") > 1 or text.endswith(":") and not text.endswith("::"):
        return False
    groups = [group for group in text.split(":") if group]
    return all(len(group) <= 4 for group in groups) and (len(groups) == 8 if "::" not in text else 3 <= len(groups) < 8)


def find_hardware(text: str) -> Iterator[tuple[int, int]]:
    """Yield 0-based spans of hardware (MAC) addresses; those of nobody and everybody, and rows of decimal pairs, are none."""
    for match in _MAC.finditer(text):
        value = match.group()
        digits = "".join(filter(str.isalnum, value)).lower()
        if len(set(digits)) > 1 and (":" in value or not digits.isdigit()):
            yield match.span()


def find_streets(text: str) -> Iterator[tuple[int, int]]:
    """Yield 0-based spans of a street with a house number, and of the town behind it, in a few common forms: a help, not a promise."""
    for pattern in _STREETS:
        for match in pattern.finditer(text):
            town = _TOWN.match(text, match.end())
            if town is None and (_NO_STREETS.match(match.group()) or _MEASURE.match(text, match.end()) or _ARTICLES.match(match.group())):
                continue
            yield match.start(), town.end() if town is not None else match.end()
