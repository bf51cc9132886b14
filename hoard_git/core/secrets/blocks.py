"""Secrets that are laid out over lines: private keys, seed phrases, recovery codes, tables."""

from __future__ import annotations

import re

from hoard_git.core.lazy import lazy
from hoard_git.core.secrets import _labels as labels
from hoard_git.core.secrets.text import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Found = tuple[int, int, str, str, bool]
    Hit = tuple[int, int, int]

_BEGIN = lazy(r"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}|-{5}BEGIN OpenVPN Static key V1-{5}")
_END = lazy(r"-{4,5} ?END [A-Z0-9 ]{0,40}(?:PRIVATE KEY(?: BLOCK)?|Static key V1) ?-{4,5}", re.IGNORECASE)
_BODY = lazy(r"[0-9A-Za-z+/]{24,}+={0,2}")
_OPENSSH = "b3BlbnNzaC1r" + "ZXktdjEA"  # "openssh-key-v1\0", how the body of every OpenSSH private key begins
_LEAST_BARE = 52  # characters in runs: ssh-keygen breaks its lines at 70, others at 40


def private_keys(text: str) -> Iterator[Found]:
    """Yield private key blocks; one with no body (documentation, an elided example) is none."""
    taken = [(0, 0)]
    if "BEGIN " in text:
        for match in _BEGIN.finditer(text):
            if match.start() < taken[-1][1]:
                continue
            ending = _END.search(text, match.end(), match.end() + 20000)
            stop = ending.end() if ending is not None else min(len(text), match.end() + 4000)
            if _body_size(text, match.end(), min(stop, match.end() + 4000)) < 32:
                continue
            taken.append((match.start(), stop if ending is not None else _last_body(text, match.end(), stop)))
            yield *taken[-1], "private-key", "private key block", True
    for at in _all(text, "Private-Lines: "):  # a PuTTY key file
        if (putty := _BODY.search(text, at, at + 60)) is not None:
            yield at, _last_body(text, putty.start(), min(len(text), at + 4000)), "private-key", "PuTTY private key", True
    for (_, first), (last, _) in zip(taken, [*taken[1:], (len(text), 0)], strict=True):
        yield from _bare_bodies(text, first, last)


def _bare_bodies(text: str, first: int, last: int) -> Iterator[Found]:
    """Yield bodies of OpenSSH keys that lost their BEGIN line; the first characters of one, as documents quote them, are none."""
    start = text.find(_OPENSSH, first, last)
    while start >= 0:
        following = text.find(_OPENSSH, start + 1, last)
        end = _last_body(text, start, min(last if following < 0 else following, start + 4000))
        if _body_size(text, start, min(end, start + 400)) >= _LEAST_BARE:
            yield start, end, "private-key", "private key block", True
        start = following


def _body_size(text: str, start: int, stop: int) -> int:
    """Return how many characters stand in runs that could be a key's: with more than a dozen different ones."""
    return sum(len(m.group()) for m in _BODY.finditer(text, start, stop) if len(set(m.group())) > 12)


def _last_body(text: str, start: int, stop: int) -> int:
    end = start
    for match in _BODY.finditer(text, start, stop):
        if match.start() - end > 200:
            break
        end = match.end()
    return end


_WORDS_RUN = lazy(
    r"(?<![0-9A-Za-z'’-])[a-z]{3,8}(?:(?:[ ,;]{1,3}|\n[ >*-]{0,6})(?:[0-9]{1,2}[.):]? ?)?[a-z]{3,8}(?![0-9A-Za-z'’-])){11,40}+"
)
_SEED_SIZES = (12, 15, 18, 21, 24)


def bip39_checksum(words: list[str]) -> bool:
    """Say whether 12 to 24 words of the English BIP-39 list carry their checksum."""
    from hashlib import sha256

    from hoard_git.core.secrets._bip39 import INDEX

    if len(words) not in _SEED_SIZES or any(word not in INDEX for word in words):
        return False
    number = 0
    for word in words:
        number = number << 11 | INDEX[word]
    check = len(words) // 3
    data = (number >> check).to_bytes(check * 4, "big")
    return sha256(data).digest()[0] >> 8 - check == number & (1 << check) - 1


def seed_phrases(text: str, hits: list[Hit]) -> Iterator[Found]:
    """Yield wallet seed phrases: 12 to 24 words after a label, or without one where BIP-39's checksum holds."""
    for start, end, kind in hits:
        if kind != labels.PHRASE and not (kind == labels.TOKEN and text[start:end].lower() == "seed"):
            continue
        found = _labelled_words(text, end)
        if found is not None:
            yield *found, "seed-phrase", "wallet seed phrase", True
    for match in _WORDS_RUN.finditer(text):
        pieces = [(m.start() + match.start(), m.group()) for m in re.finditer(r"[a-z]{3,8}", match.group())]
        yield from _checked_run(pieces)


def _checked_run(pieces: list[tuple[int, str]]) -> Iterator[Found]:
    from hoard_git.core.secrets._bip39 import INDEX

    run: list[tuple[int, str]] = []
    for piece in [*pieces, (0, "")]:
        if piece[1] in INDEX:
            run.append(piece)
            continue
        for size in reversed(_SEED_SIZES):
            if len(run) >= size and bip39_checksum([word for _, word in run[:size]]) and len({w for _, w in run}) >= size - 3:
                yield run[0][0], run[size - 1][0] + len(run[size - 1][1]), "seed-phrase", "wallet seed phrase", len(run) == size
                break
        run = []


_SEED_WORD = lazy(r"[^\W\d_]{2,12}|[0-9]{1,2}[.):]?|[^\s]")


def _labelled_words(text: str, at: int) -> tuple[int, int] | None:
    """Collect the words after a label, over numbers, commas, quotes and up to 26 lines; 12, 15, 18, 21 or 24 in a row make a phrase."""
    from hoard_git.core.secrets._bip39 import INDEX

    known: list[tuple[int, int]] = []
    for match in _SEED_WORD.finditer(text, at, min(len(text), at + 700)):
        word = match.group()
        if word.lower() in INDEX:
            known.append(match.span())
        elif word[0].isalpha():
            if len(known) >= 12:
                break
            known = []
        elif word in {".", ";", "|", "#"} and len(known) in _SEED_SIZES:
            break
    for size in reversed(_SEED_SIZES):
        if len(known) >= size:
            return known[0][0], known[size - 1][1]
    line_end = text.find("\n", at)
    rest = text[at : line_end if line_end >= 0 else len(text)]
    colon = max(rest.find(":"), rest.find("："))
    words = re.findall(r"[^\W\d_]+", rest[colon + 1 :]) if 0 <= colon < 40 else []
    if (
        len(words) in _SEED_SIZES
        and all(2 < len(w) < 13 and w.islower() or ord(w[0]) > 0x2E80 for w in words)
        and len(set(words)) >= len(words) - 2
    ):
        begin = text.find(words[0], at + colon)
        return begin, at + len(rest.rstrip())
    return None


_RECOVERY = lazy(
    r"""(?:recovery|back-?up|emergency|scratch|rescue|one-?time|2fa|mfa|single-use|reserve|wiederherstellungs|ersatz|notfall|back-?up-)[ -]?(?:codes?|keys?|schlüssel|tokens?)
      |c[óo]digos?\ de\ (?:respaldo|recuperaci[óo]n|seguridad|recupera[çc][ãa]o|backup|emergencia|emerg[êe]ncia)|codes?\ de\ (?:secours|r[ée]cup[ée]ration|sauvegarde)
      |codic[ei]\ di\ (?:backup|recupero|emergenza|riserva)|(?:herstel|nood|reserve)-?codes?|резервн\w{1,4}\ код\w{0,3}|код\w{0,2}\ восстановлен\w{0,3}|kod\w{0,2}\ (?:zapasow\w{0,3}|odzyskiwania)|(?:yedek|kurtarma)\ kod\w{0,6}
      |备用(?:验证)?码|恢复(?:代)?码|備用碼|バックアップコード|リカバリーコード|回復コード|復旧コード|백업\ ?코드|복구\ ?코드""",
    re.VERBOSE | re.IGNORECASE,
)
_RECOVERY_GATE = (
    "recovery", "recuper", "backup", "back-up", "emergency", "scratch", "rescue", "one-time", "onetime", "2fa", "mfa", "single-use", "reserve", "wiederherstell", "ersatz", "notfall", "códigos de", "código de", "codigos de",
    "codes de", "code de", "codici di", "codice di", "herstel", "nood", "резервн", "код восст", "коды восст", "kod", "yedek", "kurtarma", "备用", "恢复", "備用", "バックアップ", "リカバリ", "回復", "復旧", "백업", "복구",
)  # fmt: skip
# What every alternative of _RECOVERY holds within its reach: the long regex is compiled and tried only there.
_RECOVERY_NOUNS = ("cod", "cód", "key", "chlü", "tok", "kod", "код", "码", "碼", "コード", "코드")
_RECOVERY_REACH = 60
_CODE = lazy(
    r"(?<![0-9A-Za-z@/._-])(?:[0-9A-Za-z]{3,8}(?:-[0-9A-Za-z]{3,8}){1,7}|[0-9]{8}|[0-9a-z]{8,16}|[0-9A-Z]{8,24}|[0-9]{3,5} [0-9]{3,5}|[0-9]{6})(?![0-9A-Za-z@/_-]|\.[0-9a-z])"
)


def recovery_codes(text: str, low: str) -> Iterator[Found]:
    """Yield lists of recovery codes: two or more codes of one length after the words, on the line or on the lines below."""
    flat = plain(low)
    places = sorted(at for word in _RECOVERY_GATE if word in (flat if word.isascii() else low) for at in _all(low, word))
    covered = -1
    for at in places:
        if at < covered or not any(noun in low[at : at + _RECOVERY_REACH] for noun in _RECOVERY_NOUNS):
            continue
        match = _RECOVERY.match(text, at)
        if match is None:
            continue
        blank = text.find("\n\n", match.end())
        blank = text.find("\n\n", blank + 2) if 0 <= blank < match.end() + 60 else blank
        stop = min(len(text), match.end() + 420, blank if blank >= 0 else len(text))
        codes = [m for m in _CODE.finditer(text, match.end(), stop) if _is_code(m.group())]
        sizes = [len(m.group()) for m in codes]
        same = [m for m in codes if sizes.count(len(m.group())) == max(map(sizes.count, sizes))] if codes else []
        if len(same) >= 2 or same and same[0].start() - match.end() < 24 and len(same[0].group()) >= 8:
            if any(mark in text[match.start() : same[0].start()].lower() for mark in ("commit", "hash", "sha", "order", "error")):
                continue
            covered = same[-1].end()
            yield same[0].start(), covered, "recovery-codes", "recovery codes", len(same) >= 2 or len(same[0].group()) >= 9


def _all(low: str, word: str) -> Iterator[int]:
    at = low.find(word)
    while at >= 0:
        yield at
        at = low.find(word, at + len(word))


def _is_code(value: str) -> bool:
    """Say whether a run may be a recovery code: digits in it, no date, no word list."""
    if re.fullmatch(r"(?:19|20)[0-9]{2}-?[0-9]{2}-?[0-9]{2}|[0-9]{1,4}-[0-9]{1,4}|[a-zA-Z]+-[0-9]{1,3}", value) and not re.fullmatch(
        r"[0-9]{4}-[0-9]{4}", value
    ):
        return False
    if re.fullmatch(r"[0-9]{4}-[0-9]{4}", value) and value[:2] in {"19", "20"} and value[5:7] in {"19", "20"}:
        return False
    pieces = value.split("-")
    if any(len(p) > 3 and p.isalpha() and p.istitle() for p in pieces):
        return False
    if value.isalpha():
        return len(pieces) > 2 and len({*map(len, pieces)}) == 1 and value.isupper()
    if not any(c.isdigit() for c in value):
        return (
            len(pieces) >= 2
            and len({*map(len, pieces)}) == 1
            and len(pieces[0]) in {4, 5}
            and sum(c in "aeiou" for c in value.lower()) <= 2
        )
    return len(set(value)) >= 4


_CARD = lazy(
    r"(?<![0-9A-Za-z-])(?:[0-9]{4}[ -]?){3}[0-9]{4}(?![0-9A-Za-z-])|(?<![0-9A-Za-z-])3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}(?![0-9A-Za-z-])"
)
_CARD_WORDS = (
    "card",
    "karte",
    "visa",
    "mastercard",
    "amex",
    "tarjeta",
    "carte",
    "cartão",
    "carta",
    "kaart",
    "карт",
    "卡",
    "カード",
    "karta",
    "kart",
)


def cards(text: str, low: str) -> Iterator[Found]:
    """Yield payment card numbers that pass Luhn's check on a line that speaks of a card."""
    flat = plain(low)
    if not any(word in (flat if word.isascii() else low) for word in _CARD_WORDS):
        return
    from hoard_git.core.secrets.checks import luhn

    for match in _CARD.finditer(text):
        digits = re.sub(r"[ -]", "", match.group())
        first = text.rfind("\n", 0, match.start()) + 1
        line = low[max(first, match.start() - 80) : match.end() + 40]
        if luhn(digits) and digits[0] in "23456" and len(set(digits)) > 4 and any(word in line for word in _CARD_WORDS):
            test = digits.startswith(("4242424242424", "411111111111", "5555555555554", "378282246310"))
            yield match.start(), match.end(), "payment-card", "payment card number", not test


_RULE_ROW = lazy(r"\s{0,3}\|?\s{0,10}:?-{2,}[-:| ]{0,400}$")


def table_columns(text: str, lines: list[tuple[int, int]], hits_by_line: dict[int, list[Hit]]) -> Iterator[Found]:
    """Yield the cells below a header cell that names a password or key."""
    for number in range(len(lines) - 1):
        first, last = lines[number]
        ruled = lines[number + 1]
        if (
            number not in hits_by_line
            or "|" not in text[first:last]
            or _RULE_ROW.match(text[ruled[0] : ruled[1]]) is None
            or "|" not in text[ruled[0] : ruled[1]]
        ):
            continue
        leading = text[first:last].lstrip().startswith("|")
        heads = text[first:last].strip().strip("|").split("|")
        at = first + (len(text[first:last]) - len(text[first:last].lstrip())) + (1 if leading else 0)
        wanted: dict[int, int] = {}
        for index, head in enumerate(heads):
            for start, _, kind in hits_by_line[number]:
                if at <= start < at + len(head) and len(head.split()) <= 4:
                    wanted[index] = kind
            at += len(head) + 1
        for row in range(number + 2, len(lines)):
            a, b = lines[row]
            if "|" not in text[a:b]:
                break
            yield from _row_values(text, a, b, wanted)


def _row_values(text: str, first: int, last: int, wanted: dict[int, int]) -> Iterator[Found]:
    from hoard_git.core.secrets.below import single

    body = text[first:last]
    start = first + len(body) - len(body.lstrip())
    start += body.lstrip().startswith("|")
    for index, cell in enumerate(text[start:last].rstrip().removesuffix("|").split("|")):
        inner = cell.strip().strip("`*\"'")
        if index in wanted and inner and " " not in inner:
            at = start + cell.find(inner)
            yield from single(at, inner, wanted[index])
        start += len(cell) + 1
