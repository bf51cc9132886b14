"""Whether two entries say the same, so surely that one of them may go without anybody reading them.

No measure of likeness can decide that: over 60 true and 60 false pairs every one scored "port 8123" / "port 8132", "A depends on B" / "B
depends on A" and "allowed" / "not allowed" higher than true rewordings. So texts are compared as they are, byte for byte, but for a short list
of differences that cannot carry meaning. In doubt they differ, and both stay.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hoard_git.core._plainwords import CAPITONYMS, KEPT_AFTER_THE, NAMES, PREPOSITIONS
from hoard_git.core.lazy import lazy

FORM = "\x1f"
"""The first character of every form, and what stands between its words."""

LONGEST = 2000
"""Characters; longer texts are the same only when they are identical."""

MANY_WORDS, MANY_WIDE = 6, 12
"""Words, or Chinese, Japanese and Korean characters, from which a sentence counts as saying the same wherever it stands (DESIGN §9)."""

_BULLETS = r"(?:(?:[-*\u2022\u2023\u25e6\u25aa][ \t]+|\+[ \t]+(?![0-9]))+)(?=\S)"
_BOX = r"\[([ xX])\][ \t]+(?=\S)"
_DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_STAMP_BEFORE = r"(?:\[(" + _DAY + r")\]|\((" + _DAY + r")\))[ \t]+(?=\S)"
_STAMP_BEHIND = r"(?<=[.!?\u3002])[ \t]+(?:\[(" + _DAY + r")\]|\((" + _DAY + r")\))$"
_FILLER = r"(?:please note that|note that|please note:|note:|remember:|fyi[:,]|please)[ ]+(?=\S)"
_PROTECTED = (
    r"(?P<code>(?<!`)(?P<ticks>`{1,9}+)(?!`)(?P<inside>.+?)(?<!`)(?P=ticks)(?!`))"
    r"|\]\([^()\n]{0,500}\)|\[\[[^\[\]\n]{1,200}\]\]|<[^<>]{1,300}>"
    r"|[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s<>`]{0,1000}[^\s<>`.,;:!?)\]\"'*_]"
)
_STARS = r"(?<![\w*\\/.])(\*{1,3})(?=[^\s*])([^*]{1,300})(?<=[^\s*\\])\1(?=[)\]\"'.,;:!?]{0,3}(?:\s|$))"
_DASHES = r"\A(_{1,3})(?=[^\s_])([^_]{1,300})(?<=[^\s_\\])\1(?=[.!?]?\Z)"
_NAME = r"[A-Z][a-z]{1,40}[A-Z][A-Za-z]{0,40}"
_WORD = r"[^\W\d_]{2,}(?:['-][^\W\d_]{2,})*(?:n't|'s|'t|'re|'ve|'ll|'d|'m)?"
_ENDS = ".\u3002\uff0e!\uff01"
_QUOTES = str.maketrans({"\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": "'", "\u2019": "'"})
_OPENING, _CLOSING = "([\"'\u00ab", ")]\"'\u00bb,;:.!?"
WIDE_SIGN = lazy(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""A sign of Chinese, Japanese or Korean."""

DAYS_AND_MONTHS = frozenset(
    [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "april",
        "june",
        "july",
        "september",
        "october",
        "november",
        "december",
    ]
)
"""Capitals inside a sentence that carry nothing; `March`, `May` and `August` are words of another meaning as well."""
_BEFORE_VALUES = frozenset(["is", "are", "was", "were", "called", "named", "says", "reads", "equals"])

_compiled: dict[str, re.Pattern[str]] = {}


def _re(source: str, flags: int = 0) -> re.Pattern[str]:
    pattern = _compiled.get(source)
    if pattern is None:
        pattern = _compiled[source] = re.compile(source, flags)
    return pattern


def same_form(text: str) -> str:
    """Return a form of an entry's text; two entries with equal forms say the same. A form is its own form.

    Left out are: bullets, emphasis, runs of blanks, one final full stop or exclamation mark, the case of a plain word at the start and of days
    and months, `the` before a plain word that is not a value,
    a leading `note that`, `note:`, `remember:`, `fyi:` or `please`, curly quotes, the kind of a dash between words, the place of one bracketed
    day stamp, and the place of `only` where it cannot matter. Kept are: signs, digits, superscripts (NFC, never NFKC), units, single letters, acronyms
    and the case of words such as `Polish`, negations, the order of words, code spans, URLs and paths byte for byte, the number of an
    ordered item and the state of a checkbox.
    """
    if text[:1] == FORM:
        return text
    return _short_form(text) if len(text) <= LONGEST else _form(text)


@lru_cache(maxsize=1 << 14)
def _short_form(text: str) -> str:
    """Remembered: over many commits the same entries are compared again and again."""
    return _form(text)


def _form(text: str) -> str:
    text = nfc(text).replace("\r\n", "\n").strip(" \t\n")
    if len(text) > LONGEST or "\x00" in text or FORM in text:
        return FORM + text
    head = []
    if match := _re(_BULLETS).match(text):
        text = text[match.end() :]
    if match := _re(_BOX).match(text):
        head.append(f"[{match[1].lower()}]")
        text = text[match.end() :]
    text, kept = _protect(text)
    text = _unstress(" ".join(text.replace("\t", " ").replace("\n", " ").split(" ")))
    text, stamp = _take_stamp(text)
    if stamp:
        head.append(f"@{stamp}")
    text = _drop_end(_drop_filler(text))
    words = _words(text.split(" "))
    if kept:
        words = [_put_back(word, kept) if "\x00" in word else word for word in words]
    return FORM + FORM.join(head + words)


def nfc(text: str) -> str:
    """Canonical composition; the compatibility forms would make a superscript a digit."""
    if text.isascii():
        return text
    from unicodedata import normalize  # a shared library: only texts that need it pay for it

    return normalize("NFC", text)


def words_of(form: str) -> list[str]:
    """The words of a form."""
    return [word for word in form.split(FORM) if word]


def is_sentence(form: str) -> bool:
    """Whether a form is long enough to say the same under any heading."""
    return _short_sentence(form) if len(form) <= LONGEST else _has_many_words(form)


@lru_cache(maxsize=1 << 13)
def _short_sentence(form: str) -> bool:
    """Remembered, as the forms are."""
    return _has_many_words(form)


def _has_many_words(form: str) -> bool:
    if len(WIDE_SIGN.findall(form)) >= MANY_WIDE:
        return True
    return sum(1 for word in form.split(FORM) if any(sign.isalnum() for sign in word)) >= MANY_WORDS


def _protect(text: str) -> tuple[str, list[str]]:
    """Replace code, link targets, URLs and HTML by marks, which pass through all that follows unchanged.

    A code span that holds nothing but a name with a capital inside, such as OpenWrt, is that name.
    """
    if not any(sign in text for sign in "`<[:"):
        return text, []
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        if match["code"] and _re(_NAME).fullmatch(match["inside"]):
            return match["inside"]
        kept.append(match[0])
        return f"\x00{len(kept) - 1}\x00"

    return _re(_PROTECTED, re.DOTALL).sub(keep, text), kept


def _put_back(word: str, kept: list[str]) -> str:
    return _re(r"\x00([0-9]+)\x00").sub(lambda match: kept[int(match[1])], word)


def _unstress(text: str) -> str:
    """Take emphasis off words. `__init__`, `*.md`, `2*3` and `~~struck out~~` are none."""
    for _ in range(2):
        if "*" in text:
            text = _re(_STARS).sub(lambda match: match[2] if _is_stressed(match[1], match[2]) else match[0], text)
        if "_" in text:
            text = _re(_DASHES).sub(lambda match: match[2] if " " in match[2] else match[0], text)
    return text


def _is_stressed(stars: str, inside: str) -> bool:
    first = inside[0]
    if len(stars) == 1:
        return first.isalpha() and len(inside) > 1
    return (first.isalnum() or first in "\"'([\x00+-$\u20ac\u00a3\u201c") and any(sign.isalnum() or sign == "\x00" for sign in inside)


def _take_stamp(text: str) -> tuple[str, str]:
    """Take off a day in brackets in front of the sentence, or behind its end; the second value is the day."""
    if match := _re(_STAMP_BEFORE).match(text):
        return text[match.end() :], match[1] or match[2]
    if text[-1:] in ")]" and (match := _re(_STAMP_BEHIND).search(text)):
        return text[: match.start()], match[1] or match[2]
    return text, ""


def _drop_filler(text: str) -> str:
    for _ in range(2):
        match = _re(_FILLER, re.ASCII | re.IGNORECASE).match(text)
        if match is None:
            break
        text = text[match.end() :]
    return text


def _drop_end(text: str) -> str:
    """Take off one full stop or exclamation mark; `...`, `?!` and `5!` stay as they are."""
    if text[-1:] not in _ENDS or len(text) < 2:
        return text
    before = text[-2]
    if before.isdigit() and text[-1] in "!\uff01" and not _re(r"(?:^| )[A-Z][a-z]+ [0-9]+$").search(text[-40:-1]):
        return text  # a factorial, unless the number belongs to a name: Raspberry Pi 5!
    return text[:-1] if before.isalnum() or before in ")]\"'\u201d\u2019\x00%\u20ac$" else text


def _words(chunks: list[str]) -> list[str]:
    chunks = _one_label(_one_dash([chunk for chunk in chunks if chunk]))
    words: list[str] = []
    plain: list[bool] = []
    for at, chunk in enumerate(chunks):
        folded, is_plain = _fold(chunk, chunks[at - 1] if at else "")
        words.append(folded)
        plain.append(is_plain)
    kept = [
        word
        for at, word in enumerate(words)
        if word != "the"
        or at + 1 == len(words)
        or not plain[at + 1]
        or words[at + 1].strip(_OPENING + _CLOSING) in KEPT_AFTER_THE
        or (at and (words[at - 1] in _BEFORE_VALUES or words[at - 1][-1] in ":="))
    ]
    return _place_only(kept) if "only" in kept else kept


def _fold(chunk: str, before: str) -> tuple[str, bool]:
    """Lower the case of a plain word at the start of a sentence, or of a day or month, and say whether it is a plain one.

    Plain is what has two letters or more and no capital but the first. Inside a sentence a capital may make it a name or a value: `Windows`
    and `windows`, the password `Hunter` and `hunter`. There it is kept.
    """
    if chunk.islower() and chunk.isascii() and chunk.isalpha():
        return chunk, len(chunk) > 1
    text = chunk.translate(_QUOTES)
    core = text.lstrip(_OPENING).rstrip(_CLOSING)
    if _re(_WORD).fullmatch(core) is None:
        edges = len(text) - len(text.lstrip("\"'")), len(text.rstrip("\"'"))
        return text[: edges[0]] + chunk[edges[0] : edges[1]] + text[edges[1] :] if edges[0] < edges[1] else text, False
    if core.islower():
        return text, True
    lower = core.lower()
    is_title = core[0].isupper() and core[1:].islower()
    if not is_title or lower.partition("'")[0] in (CAPITONYMS if before else NAMES):
        return text, False
    if before and lower not in DAYS_AND_MONTHS:
        return text, True
    return text.replace(core, lower, 1), True


def _one_dash(chunks: list[str]) -> list[str]:
    """Write the dash between two words in one way; beside a number it may be a minus or a range, and stays."""
    for at in range(1, len(chunks) - 1):
        if chunks[at] in ("\u2013", "\u2014", "--"):
            before, behind = chunks[at - 1][-1], chunks[at + 1][0]
            if not before.isdigit() and (behind.isalpha() or behind in "\"'(["):
                chunks[at] = "-"
    return chunks


def _one_label(chunks: list[str]) -> list[str]:
    """Write `Vet - Clinic North` as `Vet: Clinic North`: a label of one to three words, and a name of two words or more behind it."""
    if chunks.count("-") != 1:
        return chunks
    at = chunks.index("-")
    label, rest = chunks[:at], chunks[at + 1 :]
    if not 1 <= at <= 3 or len(rest) < 2 or not label[0][:1].isupper() or not all(word.isalpha() and len(word) > 1 for word in label):
        return chunks
    if not all(word.isalpha() and len(word) > 1 and word[0].isupper() for word in rest[:2]):
        return chunks
    return [*label[:-1], label[-1] + ":", *rest]


def _place_only(words: list[str]) -> list[str]:
    """Give `only` one place where each place says the same, and nowhere else.

    `X only eats Y` is `X eats Y only`, and `X only works over Y` is `X works only over Y`. With more than one phrase behind the verb they are not:
    `only drinks coffee on Mondays` and `drinks only coffee on Mondays` differ.
    """
    if words.count("only") != 1 or not all(word.isascii() for word in words):
        return words
    at = words.index("only")
    rest = words[:at] + words[at + 1 :]
    if at == 0 or len(rest) > 8:
        return words
    if at == len(words) - 1:  # X eats Y only
        if any(word in PREPOSITIONS for word in rest) or not _is_plain_run(rest):
            return words
        return [*rest, "only"]
    before, behind = words[:at], words[at + 1 :]
    if _is_verb(behind[0]) and before[-1].isalpha() and before[-1] not in PREPOSITIONS:  # X only eats Y, X only works over Y
        objects = behind[1:]
        verb = at
    elif at > 1 and _is_verb(before[-1]) and behind[0] in PREPOSITIONS:  # X works only over Y
        objects, verb = behind, at - 1
    else:
        return words
    if not objects or not _is_plain_run(rest) or len(objects) > 4 or any(word in PREPOSITIONS for word in rest[:verb] + objects[1:]):
        return words
    if objects[0] in PREPOSITIONS:
        return [*rest[: verb + 1], "only", *rest[verb + 1 :]] if len(objects) > 1 else words
    return [*rest, "only"]


def _is_verb(word: str) -> bool:
    return len(word) > 3 and word.isalpha() and word.islower() and word.endswith("s") and not word.endswith("ss")


def _is_plain_run(words: list[str]) -> bool:
    return all(word.isalnum() or word.replace("-", "").isalnum() for word in words)
