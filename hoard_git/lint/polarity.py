"""Whether an edit turns a sentence into its opposite: a negation came or went and the rest is alike.

A negation that comes or goes together with the word that it governs is another thing said, not the opposite: `sources, not blogs` cut
to `sources`. Without that distinction one in twenty ordinary rewrites of public memory histories would be reported.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hoard_git.core.likeness import dice
from hoard_git.core.negations import find_wide_negations

LIKE = 0.6
"""Dice coefficient of what is left without the negations from which two sentences count as versions of one."""

_NEGATIONS = """
not no never none nor neither without cannot cant dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt mustnt aint nothing nobody zero
off false disabled disable disables disallow disallowed forbidden forbid forbids forbade deny denied denies prohibited prohibit prohibits
nicht kein keine keinen keinem keiner keines nie niemals nein ohne nichts niemand verboten untersagt deaktiviert falsch
nunca jamás sin ningún ninguna ninguno nada nadie tampoco prohibido prohibida desactivado desactivada deshabilitado deshabilitada falso falsa
ne pas jamais sans aucun aucune non rien interdit interdite désactivé désactivée faux
não nao sem nenhum nenhuma ninguém proibido proibida desativado desativada desabilitado desabilitada
senza nessun nessuno nessuna niente nulla mai vietato vietata disattivato disattivata disabilitato disabilitata
niet geen nooit nee zonder niets verboden uitgeschakeld onwaar
bez nigdy żaden żadna żadne brak zabroniony zabronione zabroniona wyłączony wyłączone wyłączona fałsz
не нет ни без никогда никто ничего нельзя запрещено запрещён запрещена запрещены отключено отключён отключена выключено выключен выключена
"""
NEGATIONS = frozenset(_NEGATIONS.split())
"""Words, in lower case, that turn a sentence: English, German, Spanish, French, Portuguese, Italian, Dutch, Polish, Russian."""

_POSITIVES = """
on yes true enabled enable enables allow allowed allows permitted permit permits may can must do does did is are was were will would should
always with ever any some
ja immer mit erlaubt aktiviert wahr richtig
sí si siempre con permitido permitida activado activada habilitado habilitada verdadero verdadera
oui toujours avec autorisé autorisée activé activée vrai
sim sempre com ativado ativada verdadeiro verdadeira
sì consentito consentita attivato attivata abilitato abilitata vero
altijd met toegestaan ingeschakeld waar
tak zawsze z dozwolone dozwolony dozwolona włączony włączone włączona prawda
да всегда с можно разрешено разрешён разрешена разрешены включено включён включена включен
"""
POSITIVES = frozenset(_POSITIVES.split())
"""Their counterparts and helpers, which come and go with them and count for nothing when the rest is compared."""

_FALSE = "\u5047"
"""Chinese for false: no negation by itself, but it turns a sentence."""

_NOUNS = ("one-off", "hand-off", "kick-off", "sign-off", "trade-off", "drop-off", "spin-off", "take-off")
_FIRST_WIDE = "\u2e80"
_PREFIXES = ("un", "non", "dis")
_MOST_SENTENCES = 40
_LONGEST = 20_000

_word: list[re.Pattern[str]] = []


class _Sentence:
    """One sentence: its words, each negation with the word that it governs, and the other words that count."""

    __slots__ = ("negations", "rest", "words")

    def __init__(self, text: str) -> None:
        self.words = _words_of(text)
        self.negations: list[tuple[str, str]] = []
        self.rest: dict[str, int] = {}
        kinds = [_is_negation(self.words, at) for at in range(len(self.words))]
        telling = [not kind and word not in POSITIVES for word, kind in zip(self.words, kinds, strict=True)]
        for word, tells in zip(self.words, telling, strict=True):
            if tells:
                self.rest[word] = self.rest.get(word, 0) + 1
        for at, kind in enumerate(kinds):
            if kind:
                self.negations.append((self.words[at], self._governed(at, telling)))

    def _governed(self, at: int, telling: list[bool]) -> str:
        """The next long word of the few behind a negation, else the next word, else the last one before it."""
        behind = [word for word, tells in zip(self.words[at + 1 : at + 8], telling[at + 1 : at + 8], strict=True) if tells]
        long = next((word for word in behind if len(word) > 3 or word >= _FIRST_WIDE), "")
        if long or behind:
            return long or behind[0]
        return next((self.words[n] for n in range(at - 1, max(-1, at - 8), -1) if telling[n]), "")


def find_turn(before: str, after: str) -> str:
    """Return a clause about the negation that came or went between two versions of an entry, '' when none did."""
    olds = list(_read(before))
    news = list(_read(after))
    common = {tuple(s.words) for s in olds} & {tuple(s.words) for s in news}
    olds = [s for s in olds if tuple(s.words) not in common][:_MOST_SENTENCES]
    news = [s for s in news if tuple(s.words) not in common][:_MOST_SENTENCES]
    for old in olds:
        best, score = -1, LIKE
        for number, new in enumerate(news):
            found = dice(old.rest, new.rest)
            if found >= score:
                best, score = number, found
        if best >= 0:
            turn = _turn(old, news.pop(best))
            if turn:
                return turn
    return ""


@lru_cache(maxsize=1 << 10)
def _read(text: str) -> tuple[_Sentence, ...]:
    """The sentences of a text; remembered, for what one commit writes the next one edits."""
    return tuple([_Sentence(part) for part in _sentences(text)])


def _sentences(text: str) -> list[str]:
    text = text[:_LONGEST]
    for noun in _NOUNS:
        text = text.replace(noun, noun.replace("-", ""))
    for end in ".!?;":
        text = text.replace(end + " ", end + "\n")
    for end in "\u3002\uff01\uff1f\uff1b\uff0c":
        text = text.replace(end, "\n")
    return [part for part in text.split("\n") if part.strip()]


def _words_of(sentence: str) -> list[str]:
    """Words in lower case; negations of scripts without spaces are marked by a leading `!`, other such characters stand alone."""
    if not _word:
        _word.append(re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?"))
    words: list[str] = []
    for word in _word[0].findall(sentence.lower()):
        if word.isascii() or max(word) < _FIRST_WIDE:
            words.append(word.replace("\u2019", "'"))
        else:
            words += _wide_words(word)
    return words


def _wide_words(run: str) -> list[str]:
    """Cut a run of letters that holds Chinese or Japanese into single characters, negations and the words of other scripts."""
    words: list[str] = []
    at = 0
    for first, last in [*find_wide_negations(run), (len(run), len(run))]:
        words += [f"!{char}" if char == _FALSE else char for char in run[at:first]]
        words += [f"!{run[first:last]}"] if last > first else []
        at = last
    return words


def _is_negation(words: list[str], at: int) -> bool:
    word = words[at]
    if word == "mai":  # Italian "never", German "May"
        return not any(near.isdigit() for near in words[max(0, at - 1) : at + 2])
    return word[0] == "!" or word in NEGATIONS or word.endswith("n't") or word.startswith("n'")


def _turn(old: _Sentence, new: _Sentence) -> str:
    came = list(new.negations)
    went = []
    for word, governed in old.negations:
        twin = next((pair for pair in came if pair[1] == governed), None)
        if twin is not None:
            came.remove(twin)
        else:
            went.append((word, governed))
    parts = []
    for pairs, other, verb in ((went, new, "went"), (came, old, "came")):
        words = [word for word, governed in pairs if governed in other.rest]
        if words:
            parts.append(f"{_shown(words)} {verb}")
    if parts:
        return ", ".join(parts)
    for one, two, verb in ((old.rest, new.rest, "came"), (new.rest, old.rest, "went")):
        for word in two:
            bases = [word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix)] if word not in one else []
            if any(base in one and base not in two for base in bases):
                return f"a negating prefix {verb}"
    return ""


def _shown(words: list[str]) -> str:
    return " and ".join(f"'{word.removeprefix('!')}'" for word in words[:3])
