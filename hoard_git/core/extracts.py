"""Whether a text only shortens and joins others: it selects whole clauses, or a clause from its first word on, and invents nothing.

Looser tests do not hold. Swapped values, lost negations and exchanged subjects score as more alike than honest rewording (measured on 60
traps: an embedding gives them 0.94 where true duplicates get 0.82), and a list of forbidden words says nothing about the next word.
"""

from __future__ import annotations

from functools import lru_cache

from hoard_git.core._extract_words import ARTICLES, BOUNDARIES, CONNECTING, FORMS, GUARDED, HEDGES, LITTLE, STATES, UNITS
from hoard_git.core.lazy import lazy
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

KEPT = 0.5
"""The share of its plain words that a block keeps at least in a shorter text; below that it counts as lost."""

LONGEST, LONGEST_TOGETHER = 2000, 20_000
"""Characters of a block or text that are compared, and of all blocks of one text; more is refused. The time is bounded by them: under 2 s."""

_MOST_LISTED, _MOST_CLAUSES, _MOST_WORDS = 40, 60, 150

_CODE = lazy(r"(`+)(?!`)(.{1,400}?)(?<!`)\1(?!`)")
_LINK = lazy(r"!?\[([^\[\]\n]{0,300})\]\(([^()\s]{1,500})\)")
_EMPHASIS = lazy(r"(?<![^\s(_~*])(?:\*{1,3}|_{1,2}|~~)(?=[^\s*])|(?<=[^\s*])(?:\*{1,3}|_{1,2}|~~)(?![^\s).,;:!?_~*])")
_NUMBER = lazy(r"[-+~<>\u2264\u2265\u00b1\u2212$\u20ac\u00a3]{0,2}[0-9][0-9.,]{0,30}")
_OPENERS = "(\"'\u201c\u2018\u201e\u00ab["
_CLOSERS = ")\"'\u201d\u2019\u00bb],;:.!?\u2026"
_ENDS = ".;!?\u2026"
_PAUSES = ",:\u2014"
_DASHES = ("\u2014", "\u2013", "--")
_WIDE = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x2E80, 0xD7FF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF), (0x20000, 0x3FFFF))
"""Scripts that are written without blanks between words, or whose negations are endings: Thai, Lao, Burmese, Khmer, Chinese, Japanese, Korean."""
_READ = ((0x0000, 0x052F), (0x1E00, 0x1FFF))
"""Latin, Greek and Cyrillic, for which there are lists of negations, hedges and conditions."""


class Word(Record):
    """One word as it is written. `key` is what is compared; `hard` says that it is a number, date, name, path, address or code span."""

    text: str
    key: str
    hard: bool
    listed: bool = False  # a comma or `and` stands before it


Clause = tuple[Word, ...]
Sentence = tuple[Clause, ...]


class Extract(Record):
    """What a check found: `problem` is one clause, '' when the text is nothing but a selection; `lost` are the indices of inputs that it cuts too much."""

    problem: str = ""
    lost: tuple[int, ...] = ()


def check_extract(text: str, inputs: Sequence[str]) -> Extract:
    """Hold a text against the inputs that it is to replace.

    Accepted is a row of sentences (ended by `.` or `;`). Each takes its words in their order from one sentence of one input, and may
    drop the end of a clause or a whole one, unless it holds a negation, a hedge, a condition or a limit. `A and B are up` counts as one
    sentence for each of A and B. Letter case at the start of a sentence, a plural s and a few connecting words are free.
    """
    if any(len(part) > LONGEST for part in (text, *inputs)) or sum(map(len, inputs)) > LONGEST_TOGETHER:
        return Extract("it is too long to be compared")
    if any(_is_unread(part) for part in (text, *inputs)):
        return Extract("its script is not one in which negations are known, so its blocks can only be kept or dropped")
    sources = [_sentences(given) for given in inputs]
    if any(len(sentence) > _MOST_CLAUSES for source in sources for sentence in source):
        return Extract("one of its blocks has a sentence too long to be compared")
    if len({frozenset(_hedges(source)) for source in sources}) > 1:
        return Extract("it joins what is reported or guessed with what is not")
    taken: list[list[tuple[Sentence, Clause]]] = [[] for _ in inputs]
    for sentence in _sentences(text):
        problem = _assign(sentence, sources, taken)
        if problem:
            return Extract(problem)
    lost = []
    for number, (source, used) in enumerate(zip(sources, taken, strict=True)):
        if not used:
            return Extract("it holds nothing of one of its blocks")
        unused = [sentence for sentence in source if all(sentence != one for one, _words in used)]
        if any(_is_guarded(clause) for sentence in unused for clause in sentence):
            return Extract("it leaves out a negation, hedge, condition or limit of one of its blocks")
        if _is_cut_too_much(source, [word for _sentence, words in used for word in words]):
            lost.append(number)
    return Extract("", tuple(lost))


def _assign(sentence: Sentence, sources: Sequence[Sequence[Sentence]], taken: list[list[tuple[Sentence, Clause]]]) -> str:
    """Note from which inputs a sentence of the text is taken; return one clause when it is from none."""
    words = tuple(word for clause in sentence for word in clause)
    if len(words) > _MOST_WORDS:
        return "one of its sentences is too long to be compared"
    if _match(words, sources, taken):
        return ""
    expanded = _expand(words)
    if expanded and all(_match(one, sources, taken) for one in expanded):
        return ""
    known = {word.key for source in sources for one in source for clause in one for word in clause}
    new = next((word for word in words if word.key not in known and not _fits_any(word, known)), None)
    if new is not None:
        return f"{_name(new)} stands in none of its blocks"
    return "it says something that none of its blocks says in these words and this order"


def _name(word: Word) -> str:
    shown = "".join(c if " " <= c <= "~" else "?" for c in word.text[:24])
    return f"'{shown}'" if not word.hard or len(word.text) < 12 else "a number, name or code"


def _match(words: Clause, sources: Sequence[Sequence[Sentence]], taken: list[list[tuple[Sentence, Clause]]]) -> bool:
    """Whether the words are a selection of one sentence of an input; all inputs that say so are noted."""
    found = False
    for number, source in enumerate(sources):
        for sentence in source:
            if _selects(words, sentence):
                taken[number].append((sentence, words))
                found = True
                break
    return found


def _selects(words: Clause, sentence: Sentence) -> bool:
    """Whether words take from each clause its first word and more in order, all of a guarded one, or nothing: but of the first clause, something.

    `Ada, deputy of Bob, left` holds `Ada left`, and not `deputy of Bob left`.
    """
    reached = {0}
    for number, clause in enumerate(sentence):
        guarded = _is_guarded(clause)
        new: set[int] = set() if guarded or not number else set(reached)
        for start in reached:
            if start < len(words) and _same(words[start], clause[0], first=start == 0):
                if guarded:
                    end = start + len(clause)
                    if end <= len(words) and all(_same(words[start + n], clause[n], first=start + n == 0) for n in range(1, len(clause))):
                        new.add(end)
                else:
                    new.update(_ends(words, start + 1, clause))
        reached = new
    return len(words) in reached


def _ends(words: Clause, start: int, clause: Clause) -> Iterator[int]:
    """Every place up to which the words are a selection of the rest of a clause, in order."""
    yield start
    at = start
    for word in clause[1:]:
        if at < len(words) and _same(words[at], word, first=False):
            at += 1
            yield at


def _expand(words: Clause) -> list[Clause]:
    """Read `A and B have 5 and 7 disks` as `A have 5 disks` and `B have 7 disks`; [] where the lists do not go together."""
    groups: list[list[Word]] = []
    for word in words:
        if groups and word.hard and word.listed and groups[-1][-1].hard:
            groups[-1].append(word)
        else:
            groups.append([word])
    count = max(len(group) for group in groups)
    if not 1 < count <= _MOST_LISTED or any(len(group) not in {1, count} for group in groups):
        return []
    return [tuple(group[number if len(group) > 1 else 0] for group in groups) for number in range(count)]


def _is_cut_too_much(source: Sequence[Sentence], used: Sequence[Word]) -> bool:
    """Whether a number, date or name of an input, or more than half of its plain words, is in none of the words that were taken from it."""
    keys = {word.key for word in used}
    stems = {_stem(word.text) for word in used}
    all_words = {word for sentence in source for clause in sentence for word in clause}
    if any(word.key not in keys and not (_is_capitalised(word.text) and _stem(word.text) in stems) for word in all_words if word.hard):
        return True
    plain = {word.key for word in all_words if not word.hard and word.key not in ARTICLES}
    return len(plain & stems) < KEPT * len(plain)


def _same(word: Word, given: Word, *, first: bool) -> bool:
    if word.key == given.key or word.text == given.text:
        return True
    capital = first and _is_capitalised(word.text)  # a sentence begins here
    return (capital or _is_capitalised(given.text)) and not (word.hard and given.hard) and _stem(word.text) == _stem(given.text) and first


def _fits_any(word: Word, known: set[str]) -> bool:
    return _is_capitalised(word.text) and _stem(word.text) in known


def _is_capitalised(text: str) -> bool:
    return text[:1].isupper() and text[1:].islower()


def _is_guarded(clause: Clause) -> bool:
    last = len(clause) - 1
    return any(_guards(word) and (word.key != "on" or number == last) for number, word in enumerate(clause))


def _guards(word: Word) -> bool:
    key = word.key.casefold()
    return key in GUARDED or key.endswith("n't") or any(part in GUARDED for part in key.split("-")) or word.text.casefold() in GUARDED


def _hedges(source: Sequence[Sentence]) -> Iterator[str]:
    for sentence in source:
        for clause in sentence:
            for word in clause:
                if word.text.casefold() in HEDGES:
                    yield word.text.casefold()


@lru_cache(maxsize=1 << 10)
def _sentences(text: str) -> tuple[Sentence, ...]:
    """Cut a text into sentences, clauses and words; connecting words and punctuation are no words, a question mark is one."""
    sentences: list[Sentence] = []
    clauses: list[Clause] = []
    words: list[Word] = []
    listed = False

    def end_clause() -> None:
        if words:
            clauses.append(tuple(words))
            words.clear()

    for raw, is_code in _chunks(text):
        chunk = raw if is_code else raw.lstrip(_OPENERS)
        bare = chunk if is_code else chunk.rstrip(_CLOSERS)
        tail = "" if is_code else chunk[len(bare) :]
        low = bare.casefold()
        if bare in _DASHES:
            end_clause()
        elif bare:
            if low in BOUNDARIES:
                end_clause()
            if words and _is_unit(words[-1], bare, is_code=is_code):
                words[-1] = Word(f"{words[-1].text} {bare}", f"{words[-1].key} {bare}", hard=True, listed=words[-1].listed)
            elif low in CONNECTING and (bare == low or _is_capitalised(bare)) and not is_code:
                listed = listed or low in BOUNDARIES
            else:
                words.append(_word(bare, listed=listed, code=is_code))
                listed = False
        if "?" in tail:
            words.append(Word("?", "?", hard=False))
        if any(sign in tail for sign in _PAUSES):
            listed = True
            end_clause()
        if any(sign in tail for sign in _ENDS):
            listed = False
            end_clause()
            sentences.append(tuple(clauses))
            clauses.clear()
    end_clause()
    sentences.append(tuple(clauses))
    return tuple(sentence for sentence in sentences if sentence)


def _chunks(text: str) -> Iterator[tuple[str, bool]]:
    """The parts between blanks, and the code spans: each with whether it is code."""
    text = _LINK.sub(r" \1 \2 ", text)
    at = 0
    for match in _CODE.finditer(text):
        yield from ((chunk, False) for chunk in _EMPHASIS.sub("", text[at : match.start()]).split())
        yield match[2].strip(), True
        at = match.end()
    yield from ((chunk, False) for chunk in _EMPHASIS.sub("", text[at:]).split())


def _word(text: str, *, listed: bool, code: bool) -> Word:
    text = text.replace("\u2019", "'")
    plain = text.replace("-", "").replace("'", "")
    hard = code or not plain.isalpha() or plain != plain.lower()
    return Word(text, text if hard else _stem(text), hard, listed)


def _is_unit(number: Word, text: str, *, is_code: bool) -> bool:
    """Whether a word belongs to the number before it: `5 MB` without its unit is another value."""
    if is_code or _NUMBER.fullmatch(number.text) is None or text in LITTLE:
        return False
    return text in UNITS or (len(text) <= 3 and not any(char.isdigit() for char in text))


def _stem(text: str) -> str:
    low = text.casefold()
    low = FORMS.get(low, low)
    if len(low) > 3 and low.isascii() and low[-1] == "s" and low[-2] not in "suis":
        return low[:-1]
    return low


def _is_unread(text: str) -> bool:
    """Whether a text holds letters of a script for which there are no lists."""
    if text.isascii():
        return False
    for char in text:
        code = ord(char)
        if any(first <= code <= last for first, last in _WIDE) or (
            char.isalpha() and not any(first <= code <= last for first, last in _READ)
        ):
            return True
    return False


def subject_of(text: str) -> str:
    """What a text of one sentence is about: the words before its first colon, equals sign or `is`; '' when it is not of that form."""
    sentences = _sentences(text)
    if len(sentences) != 1:
        return ""
    found: list[str] = []
    for raw, is_code in _chunks(text):
        low = raw.casefold()
        if not is_code and (low in STATES or raw in {"=", ":"}):
            return " ".join(found)
        bare = raw if is_code else raw.strip(_OPENERS + _CLOSERS)
        if bare and low not in ARTICLES:
            found.append(bare if is_code or bare != bare.lower() and not _is_capitalised(bare) else bare.casefold())
        if not is_code and raw.endswith((":", "=")):
            return " ".join(found)
    return ""


def hedges_of(text: str) -> frozenset[str]:
    """The words of a text that make it a report or a guess."""
    return frozenset(_hedges(_sentences(text)))
