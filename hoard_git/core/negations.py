"""Negations in a sentence: words of languages with blanks between them, and signs and endings of Chinese, Japanese and Korean.

Chinese, Japanese and Korean negate inside a word (`動いていない`, `하지 않는다`, `未签署`), so their negations are found in running text, and words
that only look like one are passed over first: `特别`, `必ず`, `少ない`, `もしかしたら…かもしれない`, `끊임없이`.
"""

from __future__ import annotations

from hoard_git.core import _guardwords as words
from hoard_git.core.lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from hoard_git.core.wording import Token

_NO_ZH = (
    "不同|不过|不過|不错|不錯|不仅|不僅|不断|不斷|非常|未来|未來|无论|無論|无线|無線|無料|無事|莫大|否则|否則|是否|能否|可否|与否|與否|没收|沒收|"
    "(?:沉|埋|出|淹)[没沒]|没頭|没入|[特区區分类類级級性识識差个個告辨送][别別]|[别別][的人名处處件紙途]"
)
_NO_JA = (
    "別(?=[\u3040-\u30ff])|[少危汚切幼拙]な[いくかさ]|(?:つまら|もったい|くだら|仕方|しかた|間も|まも|何気|さりげ|とんでも)な[いくか]|"
    "な(?:けれ|くて|きゃ)(?:ば|は)?な(?:らな(?:い|かった)|りません)|ないといけな(?:い|かった)|ないといけません|かもしれ(?:な(?:い|かった)|ません)|"
    "に(?:違|ちが)い(?:な(?:い|かった)|ありません)"
)
_NO_KO = "아니면|불가피|수밖에 없|(?:틀림|끊임|빈틈|어김)없"
_NE_ZH = "禁止|[不没沒别別勿莫未非无無否]"
_NE_JA = (
    "(?:で|じゃ)?は?(?:あり)?ませ(?:ん(?:でした|でし)?|ぬ)|(?:で|じゃ)?は?な(?:い|かった|かっ|く|けれ|さそう)|"
    "(?<![はみこおか])(?:なし|無し)(?=[でにの]|[^\u3040-\u30ff\u3400-\u9fff]|$)|"
    "(?<=[わらかがたなばさせべけめれねえげて見出来得経])ず(?=[にとも]|[^\u3040-\u309f]|$)|(?<=[\u3400-\u9fff]ま)ず(?=[にとも]|[^\u3040-\u309f]|$)|"
    "(?<=[わらかがたなばさせ])ぬ(?![けるくりっ])"
)
_NE_KO = (
    "(?<![\uac00-\ud7af])[안못](?![\uac00-\ud7af])|(?:지[는도를]? ?)?(?:않|(?<!잘)못[하해했한합함되된])|아(?:니(?!면)|닙|닌|님|닐)|없|"
    "지 ?(?:마(?:세요|라|십시오|시오)|말(?:아|고|것| 것))|불가(?!피)|불필요|불허|미(?:완료?|설정|사용|확인)|비(?:공개|활성)"
)
_WIDE = lazy(f"({_NO_ZH}|{_NO_JA}|{_NO_KO})|{_NE_JA}|{_NE_KO}|{_NE_ZH}")
_MONTHS_OF = frozenset(("en", "de", "du", "mois", "début", "fin", "mi", "im", "am", "bis", "seit", "ab", "ende", "anfang", "mitte"))


def find_wide_negations(text: str) -> list[tuple[int, int]]:
    """0-based spans of the negations of Chinese, Japanese and Korean, from left to right; empty for text of other scripts."""
    return [match.span() for match in _WIDE.finditer(text) if match[1] is None]


def locate_wide_negations(tokens: Sequence[Token]) -> list[frozenset[int]]:
    """The same for a sentence that was cut into tokens: for each negation the places in `tokens` that it takes."""
    if not any(token.kind == "wide" for token in tokens):
        return []
    text, places, end = "", [], -1
    for number, token in enumerate(tokens):
        if token.start > end >= 0:
            text += " "
            places.append(number)
        text += token.raw
        places += [number] * len(token.raw)
        end = token.start + len(token.raw)
    return [frozenset(places[first:last]) for first, last in find_wide_negations(text)]


def has_negation(side: Sequence[Token], rest: Collection[Token]) -> bool:
    """Whether one of these tokens of a sentence is a word that negates. Letter case does not count, but for the month of May."""
    return any(_negates(side, token) for token in rest)


def _negates(side: Sequence[Token], token: Token) -> bool:
    if token.kind != "word":
        return False
    lower = token.raw.lower().replace("\u2019", "'")
    if lower == "mai":  # Italian for never, French and German for May
        at = side.index(token)
        near = [side[n] for n in (at - 1, at + 1) if 0 <= n < len(side)]
        is_month = any(other.kind in ("number", "date") for other in near) or (at > 0 and side[at - 1].raw.lower() in _MONTHS_OF)
        return not is_month and (at == 0 or token.raw == lower)
    return lower in words.NEGATIONS or lower.endswith("n't") or lower.startswith("n'")
