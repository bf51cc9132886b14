"""Personal data in running text: what it is, where it stands, and how it is masked. The rule HG203 and the cold tier both ask here.

Everything structured is proved by its own check or shape (ISO 7812, 13616, E.164 and the like); in doubt a number is nobody's. Names come from
a list that the caller gives (app.names gathers one): no name is guessed. Masking changes the text that it is given and nothing else: what a
repository's history holds stays there until it is rewritten (`hoard purge`).
"""

from __future__ import annotations

from hoard_git.core.lazy import lazy
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

KINDS = ("SECRET", "EMAIL", "IBAN", "CARD", "MAC", "IP", "SSN", "ID", "PHONE", "ADDR", "PERSON")
"""Every kind, in the order in which one yields to another that overlaps it."""

STRUCTURED = KINDS[1:9]
"""The kinds that prove themselves by shape or check, credentials aside: those are HG201's."""

NAMED = {
    "SECRET": "a credential", "EMAIL": "a mail address", "IBAN": "a bank account number", "CARD": "a card number", "MAC": "a hardware address",
    "IP": "a network address", "SSN": "a social security number", "ID": "an identity number", "PHONE": "a phone number", "ADDR": "a street address",
    "PERSON": "a person's name",
}  # fmt: skip
"""Each kind in words."""

_TAG = lazy(r"<!--\s*(?:(?:src|ts|ttl|id|ev|hoard):[^>]*|/?[a-z-]+:(?:start|end)\s*)-->")
_TOKEN = lazy(r"\[(?:SECRET|EMAIL|IBAN|CARD|MAC|IP|SSN|ID|PHONE|ADDR|PERSON)(?:-[0-9a-f]{4})?\]")
_CODE = lazy(r"(`+)(?:(?!`)[\s\S])+?\1(?!`)")
_SPELLED = lazy(r"[\[({<] ?(?:at|AT|At|\u00e4t|arroba|@) ?[\])}>]")
_WIDE = {0xFF10 + digit: 0x30 + digit for digit in range(10)} | {
    0xFF0B: 0x2B,
    0xFF0D: 0x2D,
    0xFF08: 0x28,
    0xFF09: 0x29,
    0xFF0E: 0x2E,
    0xFF1A: 0x3A,
    0x3000: 0x20,
}
_DIGITS = lazy(r"[0-9](?:[^0-9\n]{0,3}[0-9]){4}")


class Personal(Record):
    """One piece of personal data: its kind, and its 0-based place in the text, the end exclusive."""

    kind: str
    start: int
    end: int


def find_personal(text: str, names: Iterable[str] = (), keep: Iterable[str] = (), kinds: Collection[str] = KINDS) -> list[Personal]:
    """Find personal data, from left to right and without overlaps.

    `names` are names of people. `keep` lists values that may stay, compared without case, blanks and punctuation; `@domain` keeps a domain's
    addresses, and a kept name keeps its parts. Provenance tags and tokens of `mask` are not looked into, and names are not looked for in code.
    """
    blocked = [match.span() for pattern, sign in ((_TAG, "<!--"), (_TOKEN, "[")) if sign in text for match in pattern.finditer(text)]
    kept = [(_plain(value), frozenset(map(_plain, value.split()))) for value in keep]
    found: list[Personal] = []
    for kind in KINDS:
        if kind not in kinds:
            continue
        for start, end in _find(kind, text, names):
            if not any(start < b and a < end for a, b in blocked) and not _is_kept(kind, text[start:end], kept):
                found.append(Personal(kind, start, end))
                blocked.append((start, end))
    return sorted(found, key=lambda it: it.start)


def _find(kind: str, text: str, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield the spans of one kind, after a cheap look at whether there can be any."""
    from hoard_git.core import personal_addresses as addresses
    from hoard_git.core import personal_numbers as numbers

    if kind == "SECRET":
        yield from _secrets(text)
    elif kind == "EMAIL":
        yield from addresses.find_emails(text) if "@" in text or _SPELLED.search(text) is not None else ()
    elif kind == "PERSON":
        yield from _people(text, names)
    elif kind == "ADDR":
        yield from addresses.find_streets(text)
    elif kind == "MAC":
        yield from addresses.find_hardware(text)
    elif kind == "IP":
        yield from addresses.find_networks(text) if "." in text or ":" in text else ()
    elif kind == "ID":
        yield from numbers.find_ids(text)
    elif _DIGITS.search(text := _narrow(text)) is not None:
        if kind == "PHONE":
            from hoard_git.core.personal_phones import find_phones

            yield from find_phones(text)
        else:
            yield from {"IBAN": numbers.find_ibans, "CARD": numbers.find_cards, "SSN": numbers.find_social}[kind](text)


def _narrow(text: str) -> str:
    """Full-width digits and the signs between them as ASCII, character by character: `\uff0b\uff14\uff19` is +49."""
    return text if text.isascii() else text.translate(_WIDE)


def _secrets(text: str) -> Iterator[tuple[int, int]]:
    from hoard_git.core.secrets import find_secrets

    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for match in find_secrets(lines):
        if match.certain and match.rule != "payment-card":
            yield starts[match.line - 1] + match.column - 1, starts[match.end_line - 1] + match.end_column - 1
    for found in _AWS.finditer(text):  # the scanner lets the keys of the documentation pass; in cold memory they help nobody
        yield found.span()


_AWS = lazy(r"(?<![\w-])(?:AKIA|ASIA)[0-9A-Z]{16}(?![\w-])")


def _people(text: str, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    from hoard_git.core.personal_names import find_names

    code = [match.span() for match in _CODE.finditer(text)] if "`" in text else []
    for start, end in find_names(text, names):
        if not any(start < b and a < end for a, b in code):
            yield start, end


def mask(text: str, names: Iterable[str] = (), keep: Iterable[str] = (), salt: str = "") -> str:
    """Put a token such as [PHONE-3f2a] in place of each piece of personal data; the same value gets the same token under one salt.

    The four hex digits are from HMAC-SHA256(salt, kind and value); without a salt only the kind stands there. They tell two people of one file
    apart and are no protection of the value: whoever holds the salt can try values. Masking twice changes nothing.
    """
    wanted, kept = tuple(names), tuple(keep)
    while found := find_personal(text, wanted, kept):  # again, for what was hidden by its neighbour may show when that is gone
        out: list[str] = []
        at = 0
        for it in found:
            out += [text[at : it.start], token(it.kind, text[it.start : it.end], salt)]
            at = it.end
        text = "".join([*out, text[at:]])
    return text


def token(kind: str, value: str, salt: str = "") -> str:
    """What stands in place of a value."""
    if not salt:
        return f"[{kind}]"
    import hmac

    from hoard_git.core.personal_addresses import plain_email

    plain = _narrow(value).lstrip("+0") if kind == "PHONE" else plain_email(value) if kind == "EMAIL" else value
    message = f"{kind}\0{plain if kind == 'SECRET' else _plain(plain)}".encode("utf-8", "surrogateescape")
    return f"[{kind}-{hmac.new(salt.encode('utf-8', 'surrogateescape'), message, 'sha256').hexdigest()[:4]}]"


def _is_kept(kind: str, value: str, kept: Collection[tuple[str, frozenset[str]]]) -> bool:
    from hoard_git.core.personal_addresses import plain_email

    value = plain_email(value) if kind == "EMAIL" else _narrow(value)
    plain = _plain(value)
    host = _plain(value[value.index("@") :]) if kind == "EMAIL" else ""
    return any(plain == text or host and host == text or kind == "PERSON" and plain in words for text, words in kept)


def _plain(text: str) -> str:
    return "".join(char for char in text.lower() if char not in " \xa0-./()")
