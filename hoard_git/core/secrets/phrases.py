"""Credentials in natural language and assignments: label, connecting words, value, one line at a time.

    db password is X · login for grafana: admin / X · X is the wifi password · | app | X | prod password |

`labels` finds the labels, `walk` goes from one to its value, `logins` knows pairs and PINs; here stands who is asked, and the way back
from a label to a value before it.
"""

from __future__ import annotations

from hoard_git.core.secrets import _labels as words
from hoard_git.core.secrets import values
from hoard_git.core.secrets.logins import find_number, find_pair
from hoard_git.core.secrets.walk import CJK_LINKS, Walk, is_hashlike, is_wireless, names_of, unwrap, words_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Found = tuple[int, int, str, str, bool]  # start, end, rule, phrase, certain
    Hit = tuple[int, int, int]  # start, end, kind

REACH = 240  # characters after a label that are looked at


def judge_line(text: str, first: int, last: int, hits: list[Hit]) -> Iterator[Found]:
    """Yield what the labels of one line announce; `first` and `last` bound the line in `text`."""
    for at, end, kind in hits:
        stop = _end_of_string(text, first, at, end, min(last, end + REACH))
        if kind in (words.PASSWORD, words.KEY, words.TOKEN):
            found = Walk(text, first, (at, end, kind), stop).run()
            if found is None and kind == words.PASSWORD and text[at:end].lower() != "pass":
                found = find_number(text, first, at, end, stop, words.CODE)
            if found is None and kind != words.TOKEN and text[at:end].lower() != "pass":
                found = _before(text, first, at, end, last, kind)
        elif kind in (words.PIN, words.CODE):
            found = find_number(text, first, at, end, stop, kind)
            if found is None and (kind == words.PIN or is_wireless(text, first, at, end)):
                found = Walk(text, first, (at, end, kind), stop).run()
        elif kind == words.LOGIN:
            found = find_pair(text, first, at, end, stop)
        else:
            found = None
        if found is not None:
            yield found


def _end_of_string(text: str, first: int, at: int, end: int, stop: int) -> int:
    """Return where the JSON string ends that holds a label among other words: what comes after it is another key or value.

    A string that is nothing but the label announces what follows, as a key or a cell.
    """
    head = text[first : first + 400].lstrip()
    if head[:1] not in {"{", "["} and not (head[:1] == '"' and '":' in head):
        return stop
    close = text.find('"', end, stop)
    while close > 0 and text[close - 1] == "\\":
        close = text.find('"', close + 1, stop)
    if close < 0 or text[close + 1 : close + 4].lstrip()[:1] not in {",", "}", "]"}:
        return stop
    opening = text.rfind('"', max(first, at - 400), at)
    alone = opening >= 0 and text[opening - 1] != "\\" and not text[opening + 1 : at].strip() and not text[end:close].strip()
    return stop if alone else close


def _before(text: str, first: int, at: int, end: int, last: int, kind: int) -> Found | None:
    """Look for a value before the label: X is the wifi password, use `X` as the key, | app | X | prod password |."""
    begin = max(first, at - 160)
    tokens = list(words_of(text, begin, at))[-12:]
    link = False
    gap = 0
    row = text.startswith("|", first) or text[first:at].lstrip()[:1] == "|"
    for match in reversed(tokens):
        raw = match.group()
        low = raw.lower().strip(".,;:*_\"'()")
        if raw == "|" or low in words.LINKS or raw[0] > "\u2e80" and any(c in CJK_LINKS for c in raw):
            link = True
            continue
        s, e, quoted = unwrap(raw, match.start())
        value = text[s:e]
        if raw[-1] in ".;!?" and gap and not quoted and raw[-2:-1].isalpha() and raw.isascii() and values.strength(value) < values.FAIR:
            return None
        if kind == words.KEY:
            if (
                values.is_opaque(value, 20)
                and link
                and not values.is_reference(value)
                and not values.is_ordinary(value)
                and not values.is_hex(value)
                and not is_hashlike(text, first, s, value)
            ):
                return s, e, *names_of(kind), not row
        else:
            grade = values.strength(value)
            tail = text[end : end + 2].strip()
            if grade == values.STRONG and (link or quoted or text[e:at].lstrip(" `\"'*")[:1] == "("):
                return s, e, *names_of(kind), bool(row or gap <= 6 or quoted)
            if grade == values.FAIR and link and gap <= 5 and not tail.startswith((":", "=")):
                return s, e, *names_of(kind), bool(quoted and not row)
        gap += 1
        if gap > 7:
            return None
    return None
