"""From a label to its value: connecting words, fillers, other words, and the first that looks like a password or a key.

    the password for the staging admin is `X` · Das Passwort für den NAS ist X · 密码是X · reset root's password to X

What counts is how strong the label, the link between both and the value are; the test of the value alone is in `values`.
"""

from __future__ import annotations

import re

from hoard_git.core.lazy import lazy
from hoard_git.core.secrets import _labels as words
from hoard_git.core.secrets import values
from hoard_git.core.secrets._words import KEEPERS, REFUSALS, WELL_KNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Found = tuple[int, int, str, str, bool]  # start, end, rule, phrase, certain

WORDS = 14  # words after a label that are looked at

_CJK = "\u3001-\u303f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = lazy(
    rf"""`{{1,3}}[^`\n]{{1,200}}`{{1,3}}|"[^"\n]{{1,120}}"|“[^”\n]{{1,120}}”|„[^“”"\n]{{1,120}}[“”"]|«[^»\n]{{1,120}}»|「[^」\n]{{1,120}}」|『[^』\n]{{1,120}}』|【[^】\n]{{1,120}}】
      |'[^'\n]{{3,120}}'(?![0-9A-Za-z])|[{_CJK}]+|=>|->|[:=|→](?=\s)|[^\s{_CJK}]+""",
    re.VERBOSE,
)
# the same where every character is ASCII; its classes compile ten times faster
_WORD_ASCII = lazy(r"""`{1,3}[^`\n]{1,200}`{1,3}|"[^"\n]{1,120}"|'[^'\n]{3,120}'(?![0-9A-Za-z])|=>|->|[:=|](?=\s)|[^\s]+""")
_QUOTES = {"`": "`", '"': '"', "'": "'", "“": "”", "„": '“”"', "«": "»", "「": "」", "『": "』", "【": "】"}
CJK_LINKS = "是为為はが：를은는을改成设為设为設為就"
_WEAK_LINKS = frozenset({"to", "auf", "à", "in", "на", "a", "with", "mit", "con", "avec", "com", "met", "as", "als"})
_ASIDE = lazy(r"\s{0,2}[(\[]([^()\[\]\n]{1,60})[)\]]")


# an identifier that is called or indexed
_CALL = lazy(r"[A-Za-z_][0-9A-Za-z_.]{0,80}[(\[]")
# JSON's spelling of a character beyond ASCII, which no key holds
_ESCAPE = lazy(r"\\u(?!00[2-7])[0-9a-fA-F]{4}")
# words of a sentence, which no passphrase of plain words holds
_SMALL = words.word_set(
    "the and for with from that this are was not you must should have has when then your der die das und los las que des les pour"
)
# a line with one of these shows a password or warns of it
_EXAMPLES = (
    "example", "e.g.", "docs", "placeholder", "dummy", "sample", "fixture", "weak", "demo", "tutorial", "default", "such as", "like", "never", "tests", "fake",
    "beispiel", "ejemplo", "exemple", "esempio", "exemplo", "voorbeeld", "common", "mock",
)  # fmt: skip
_NOT = frozenset({"not", "never", "no", "doesn", "don", "nicht", "nie"})
_STORE = words.word_set("""
store stores stored storing keep keeps kept contain contains hold holds log logs save saves write writes expose exposes print prints send sends
""")


def _is_cell(text: str, first: int, at: int, end: int) -> bool:
    """Say whether a word is a cell of its own between two others: `mock,pass,…`, also with tabs or semicolons."""
    before, after = text[max(first, at - 3) : at].rstrip(' "'), text[end : end + 3].lstrip(' "')
    return before[-1:] != "" and before[-1:] in ",;\t" and before[-1:] == after[:1]


def words_of(text: str, start: int, stop: int) -> Iterator[re.Match[str]]:
    """Return the words of a piece of text: quoted pieces, links, runs of one script."""
    return (_WORD_ASCII if text[start:stop].isascii() else _WORD).finditer(text, start, stop)


def unwrap(raw: str, at: int) -> tuple[int, int, bool]:
    """Return where the value inside a word begins and ends in it, without quotes, emphasis and sentence marks, and whether it was quoted."""
    begin, end, quoted = 0, len(raw), False
    if (cut := raw.find("\\n")) > 3:  # a line end inside a JSON string
        end = cut
    while begin < end:
        head = raw[begin]
        if head.isspace() or raw[end - 1].isspace():
            begin, end = begin + head.isspace(), end - raw[end - 1].isspace()
        elif (
            head in _QUOTES
            and raw[end - 1] in _QUOTES[head]
            and end - begin > 2
            or head in "*_"
            and raw[end - 1] == head
            and end - begin > 4
        ):
            begin, end, quoted = begin + 1, end - 1, True
        elif raw[end - 1] in ".,;:)]}>\"'`|\\»、。" and not (quoted and raw[end - 1] not in "`\"'"):
            end -= 1
        elif head in "([<\"'`{|«>\\" or head == "," and raw[begin + 1] in "\"'" and end - begin > 4:  # a cell of a list with commas
            begin += 1
        else:
            break
    if end - begin > 4 and raw[begin : begin + 2] == "**":
        begin += 2
    if end - begin > 4 and raw[end - 2 : end] == "**":
        end -= 2
    return at + begin, at + end, quoted


def marked(value: str) -> bool:
    """Say whether a value is a strong password with a sign in it that identifiers do not have."""
    return values.strength(value) == values.STRONG and any(c in "!#%&*?$^+@" for c in value)


def names_of(kind: int) -> tuple[str, str]:
    """Return the rule and the phrase of a kind of label."""
    if kind in (words.PASSWORD, words.PIN):
        return "labelled-password", "password after a label"
    return "labelled-key", "key or token after a label"


def is_wireless(text: str, first: int, at: int, end: int) -> bool:
    """Say whether the word before or after a label speaks of a wireless network, whose key is a password."""
    before = text[max(first, at - 24) : at].lower().split()
    after = text[end : end + 16].lower().split()
    return bool(before and before[-1].strip("-()") in words.WIRELESS or after and after[0].strip(":=()") in words.WIRELESS)


class Walk:
    """A walk from a label over the next words to its value; what counts is how strong label, link and value are."""

    def __init__(self, text: str, first: int, label: tuple[int, int, int], stop: int) -> None:
        """Take the text, where its line begins, the label (start, end, kind) and how far to look."""
        self.text, self.first, self.stop = text, first, stop
        self.at, self.end, self.kind = label
        self.label = text[self.at : self.end].lower()
        if self.kind in (words.TOKEN, words.CODE) and is_wireless(text, first, self.at, self.end):
            self.kind = words.PASSWORD
        self.previous = re.findall(r"[^\W_][\w-]*", text[max(first, self.at - 40) : self.at].lower())
        self.assign = any(word in words.ASSIGN for word in self.previous[-6:])
        self.direct = False  # a link stands between the label and here
        self.refused = False  # a word said that no value follows
        self.over = False
        self.code = False  # a call or an index has begun: only a quoted text can be a value there
        self.gap = self.seen = 0  # other words since the label, all words

    def run(self) -> Found | None:
        """Return the value, or None."""
        if self.kind == words.TOKEN and self.previous and self.previous[-1] in words.PUBLIC and "secret" not in self.label:
            return None
        if self.text[self.at : self.end] == "PASS" and not (self.at > self.first and self.text[self.at - 1] == "_"):
            return None  # the result of a test
        if self.label == "pass" and _is_cell(self.text, self.first, self.at, self.end):
            return None  # the same, in a list of results
        for match in words_of(self.text, self._tail(), self.stop):
            raw, begin = match.group(), match.start()
            if not any(c.isalnum() for c in raw) and raw.strip("*_`~\"'.…") == "":
                continue
            self.seen += 1
            if self.seen > WORDS or self.gap > 8:
                return None
            raw, begin = self._cut_link(raw, begin)
            if raw in {"**", "__", "*", "`", "``"} or self._is_link(raw):
                continue
            found = self._judge(raw, begin)
            if found is not None or self.over:
                return found
        return None

    def _tail(self) -> int:
        """Return where the words after the label begin: behind emphasis and a remark in brackets."""
        start = self.end
        while start < self.stop and self.text[start] in "*_`\"')]>":
            start += 1
        aside = _ASIDE.match(self.text, start, self.stop)
        return aside.end() if aside is not None and values.strength(aside.group(1)) < values.FAIR else start

    def _cut_link(self, raw: str, begin: int) -> tuple[str, int]:
        """Cut a link that is glued to the value: `=X`, `:X`, `->X`."""
        while size := 2 if raw[:2] in {"->", "=>"} and len(raw) > 2 else len(raw) > 1 and raw[0] in ":=→|：":
            self.direct = True
            raw, begin = raw[size:], begin + size
        return raw, begin

    def _is_link(self, raw: str) -> bool:
        """Take in a connecting or a filling word; say whether it was one."""
        low = raw.lower()
        bare = low.strip(".,;:*_`\"'()[]")
        if low in words.LINKS or bare in words.LINKS and len(bare) > 1:
            if bare in _WEAK_LINKS and not self.assign and self.gap:
                self.gap += 1
            else:
                self.direct = self.direct or not raw[0].isalnum() or self.gap <= 7
            return True
        if raw[0] > "\u2e80":
            if any(char in CJK_LINKS for char in raw):
                self.direct = True
            elif raw[0] not in "「『【":
                self.gap += 1
                return True
            if raw[0] not in "「『【":
                return True
        if low in words.FILLERS or bare in words.ASSIGN:
            self.assign = self.assign or bare in words.ASSIGN
            return True
        return False

    def _judge(self, raw: str, begin: int) -> Found | None:
        """Judge one word that is no link: the value, a word that ends the walk, or one more between."""
        start, end, quoted = self._value(raw, begin)
        value = self.text[start:end]
        after = self.text[end : self.stop]
        alone = after.strip("`\"'*.,;") == "" or after.lstrip("`\"'*.,; ").startswith(("(", "#", "<!--"))
        if value.lower().rstrip("!") in WELL_KNOWN and self._is_used(value, alone=alone or quoted):
            self.over = True
            return start, end, *names_of(self.kind), True
        verdict = self._verdict(value, alone=alone, quoted=quoted)
        if self.code and not quoted or verdict is False and self._denied():
            verdict = None
        if verdict is not None:
            self.over = True
            certainly = marked(value) or self.kind != words.PASSWORD and values.is_opaque(value, 24)
            keylike = self.kind != words.PASSWORD or values.is_hex(value)
            if self.refused and (self.gap > 3 or not certainly) or keylike and is_hashlike(self.text, self.first, start, value):
                return None
            return start, end, *names_of(self.kind), verdict
        if (
            self.kind == words.PASSWORD
            and self.direct
            and self.gap == 0
            and (spoken := _spoken(self.text, start, self.stop, self.label, raw))
        ):
            return start, spoken, *names_of(self.kind), "phras" in self.label or quoted
        self._pass_over(raw, value)
        return None

    def _is_used(self, value: str, *, alone: bool) -> bool:
        """Say whether a password that everybody knows is in use: right behind its label, on a line that does not speak of examples."""
        if self.kind != words.PASSWORD or not self.direct or self.gap or self.refused or self.code or self.label == "pass":
            return False
        if value.isalpha() and not alone:
            return False
        last = self.text.find("\n", self.end)
        line = self.text[max(self.first, self.at - 200) : min(last if last >= 0 else len(self.text), self.end + 200)].lower()
        return not any(mark in line for mark in _EXAMPLES)

    def _denied(self) -> bool:
        """Say whether the words before the label deny that anything is stored: does not store cleartext passwords in X."""
        before = set(self.previous[-5:])
        return not before.isdisjoint(_NOT) and not before.isdisjoint(_STORE)

    def _value(self, raw: str, begin: int) -> tuple[int, int, bool]:
        """Return the span of the value in a word and whether it was quoted; a name before "=" or ":" is cut off (key for prod=X)."""
        start, end, quoted = unwrap(raw, begin)
        value = self.text[start:end]
        if (
            (inner := value.find('"')) > 3
            and value[inner - 1] != "\\"
            and value[inner + 1 : inner + 2] in {",", "}", "]"}
            and raw[0] == '"'
        ):
            return start, start + inner, True  # "X","next key":…
        if (closing := value.find("</")) > 3:  # <password>X</password>, <b>X</b>
            opened = value.find(">") + 1 if self.text[start - 1] == "<" else 0
            return start + opened if opened < closing else start, start + closing, True
        if quoted or self.direct:
            return start, end, quoted
        cut = max(value.find("="), value.find(":")) + 1
        if 0 < cut < len(value) - 5 and values.strength(value[: cut - 1]) <= values.WEAK and "//" not in value:
            self.direct = True
            return unwrap(value[cut:], start + cut)
        return start, end, quoted

    def _verdict(self, value: str, *, alone: bool, quoted: bool) -> bool | None:
        """Return True for certain, False for possible, None for no finding."""
        if " " in value or "](" in value or "://" in value:
            return None
        if self.kind in (words.PASSWORD, words.PIN):
            return _password_verdict(value, self.label, direct=self.direct, alone=alone, quoted=quoted, gap=self.gap)
        return _key_verdict(value, self.kind, self.label, direct=self.direct, gap=self.gap)

    def _pass_over(self, raw: str, value: str) -> None:
        """Take in a word between label and value; it may end the walk."""
        bare = raw.lower().strip(".,;:*_`\"'()[]")
        close = self.direct and self.gap == 0
        if (
            bare in KEEPERS
            or bare in REFUSALS
            and (self.refused or close)
            or close
            and (values.is_placeholder(value) or values.is_reference(value))
        ):
            self.over = True
        self.refused = self.refused or bare in REFUSALS
        self.code = (
            self.code
            or close
            and _CALL.match(value) is not None
            and (value.count("(") > value.count(")") or value.count("[") > value.count("]"))
        )
        if raw[-1] in ":=：" and self.seen <= 9:
            self.direct = True
            self.gap = min(self.gap, 3)
        elif raw[-1] in ".;!?" and len(raw) > 1 and self.seen > 1:
            self.over = True
        else:
            self.gap += 1


def _password_verdict(value: str, label: str, *, direct: bool, alone: bool, quoted: bool, gap: int) -> bool | None:
    grade = values.strength(value)
    if values.is_hex(value) and values.is_opaque(value, 32):
        return direct and gap <= 3
    loose = label in {"pass", "clave", "parola", "pw", "암호"}
    if label == "pass" and not (gap == 0 and (direct or marked(value))):
        return None
    if label == "pass" and grade < values.FAIR:
        return None
    if grade == values.NONE:
        if direct and gap == 0 and values.is_opaque(value, 20) and not values.is_ordinary(value) and not values.is_reference(value):
            return True
        return None
    if grade == values.STRONG:
        if direct:
            return True
        if gap <= 4 or quoted:
            return not loose or gap == 0 or marked(value)
        return False if gap <= 6 else None
    if grade == values.FAIR:
        if direct and gap <= 7:
            return True
        if gap == 0 or quoted and gap <= 4:
            return not loose or alone
        return False if gap <= 3 and not loose else None
    if grade == values.PHRASE:
        if direct:
            return True if gap <= (7 if quoted or "phras" in label else 3) else None
        return gap == 0 and (alone or quoted) if gap == 0 or quoted else None
    return False if direct and gap == 0 and len(value) >= 5 and (alone and not value.istitle() or quoted) else None


def _key_verdict(value: str, kind: int, label: str, *, direct: bool, gap: int) -> bool | None:
    if not direct and gap > 6:
        return None
    if values.is_reference(value) or "\\u" in value and _ESCAPE.search(value) is not None:
        return None
    if values.is_uuid(value):
        return True if kind == words.KEY and direct and gap <= 4 else None
    plain = value.removeprefix("0x")
    if values.is_hex(plain):
        if len(plain) < 20 or not values.is_opaque(plain, 20):
            return None
        if value.startswith("0x") and len(plain) < 64:
            return None
        if kind == words.KEY:
            return direct or gap <= 3
        return True if direct and gap <= 5 else None
    if values.is_ordinary(value):
        return None
    if values.is_opaque(value, 20):
        # 43 or 44 base-58 characters after "token" are a Solana address more often than a key
        return not (len(value) in {43, 44} and value.isalnum() and kind == words.TOKEN)
    if values.is_opaque(value, 12):
        return kind == words.KEY and (direct or gap == 0) or direct and gap <= 4 and "secret" in label
    if ("secret" in label or kind == words.KEY) and direct and gap <= 4:
        grade = values.strength(value)
        if grade == values.STRONG and len(value) >= 10:
            return True
        if grade == values.FAIR and len(value) >= 10 and "secret" in label:
            return False
    return None


_ID_BEFORE = lazy(r"(?:\b|_|-)(?:id|ids|uuid|guid|ref)[\"'`*]{0,3}\s{0,2}[:=]?\s{0,2}[\"'`(]{0,2}$")


def is_hashlike(text: str, first: int, start: int, value: str) -> bool:
    """Say whether the words before a random string call it a hash, an address or an identifier."""
    before = text[max(first, start - 60) : start].lower()
    if before.endswith(("://", "/")) or _ID_BEFORE.search(before) is not None:
        return True
    return any(mark in before for mark in words.HASHES)


def _spoken(text: str, start: int, stop: int, label: str, raw: str) -> int:
    """Return the end of a passphrase of four or more plain words that fills the rest of the line or its quotes, else 0."""
    if raw[0] in "\"'`“„«" and " " in raw:
        pieces = raw.strip("\"'`“”„«».").split()
        lowest = 4
        end = start + len(raw.strip("\"'`“”„«»."))
    elif "phras" in label or "frase" in label or "フレーズ" in label:
        line_end = text.find("\n", start)
        rest = text[start : min(stop, line_end if line_end >= 0 else stop)].rstrip(" .")
        pieces, lowest, end = rest.split(), 4, start + len(rest)
    else:
        return 0
    if not lowest <= len(pieces) <= 12 or not all(2 < len(p) < 13 and p.isalpha() for p in pieces):
        return 0
    return 0 if any(p.lower() in _SMALL or p.lower() in REFUSALS or p.lower() in KEEPERS for p in pieces) else end
