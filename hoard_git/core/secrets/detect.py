"""Find leaked credentials in lines of text: the room's front door.

The order of work on a block of neighbouring lines: make hidden characters visible (`text`), run the vendor rules behind their keyword gate
(`vendors`), look for blocks (`blocks`), walk from labels to values (`phrases`), put split keys together and look into what is encoded
(`decode`). Overlapping findings are merged, the most certain first. Nothing here reads a clock, a file or the environment.
"""

from __future__ import annotations

from hoard_git.core.record import Record
from hoard_git.core.secrets import blocks, decode, vendors
from hoard_git.core.secrets.facts import facts_of
from hoard_git.core.secrets.text import Positions, View, lower, normalise, unescape
from hoard_git.core.secrets.vendors import BUILTIN, Ruleset
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Sequence

    from hoard_git.core.secrets.facts import Facts

    Raw = tuple[int, int, str, str, bool, str]  # start, end, rule, phrase, certain, value

LEAD_LINES = 13  # a list below a heading is judged with its heading
TRAIL_LINES = 4
BLOCK_LINES = 400  # the longest key block or table that is followed to its beginning
DEPTH = 2
_SHORTEST_VALUE = 4


class Match(Record):
    """A credential in the text.

    Lines and columns count from 1, in characters of the original lines; `end_column` is exclusive. `certain` tells an error from a warning.
    `value` is the credential itself as a reader would use it: never print it.
    """

    rule: str
    what: str
    line: int
    column: int
    end_line: int
    end_column: int
    certain: bool
    value: str


def find_secrets(
    lines: Sequence[str],
    *,
    wanted: Container[int] | None = None,
    rules: Ruleset = BUILTIN,
    clock: Callable[[], float] | None = None,
    budget: float = 5.0,
) -> list[Match]:
    """Return the credentials in the lines, ordered by line and column.

    `lines` come without their line ends (a trailing carriage return and surrogate escapes may stay). With `wanted`, only matches that touch one of
    those 1-based lines are returned; a line is judged with its neighbours, and the cost follows the wanted lines, not the file.
    When `clock` (seconds) says that more than `budget` passed, HoardError is raised: an unfinished scan never passes for a clean one.
    """
    limit = clock() + budget if clock is not None else 0.0

    def tick() -> None:
        if clock is not None and clock() > limit:
            message = f"looking for secrets took longer than {budget:g} seconds, so the text counts as unchecked"
            hint = "commit the file in smaller parts"
            raise HoardError(message, hint)

    found: list[Match] = []
    for first, last in _neighbourhoods(lines, wanted):
        tick()
        block = lines[first : last + 1]
        places = Positions(block, first + 1)
        for start, end, rule, what, certain, value in _scan_block("\n".join(block), rules, tick):
            line, column = places.place(start)
            end_line, end_column = places.place(max(start, end - 1))
            if wanted is None or any(number in wanted for number in range(line, end_line + 1)):
                found.append(Match(rule, what, line, column, end_line, end_column + 1, certain, value))
    found.sort(key=lambda match: (match.line, match.column, match.end_line, match.end_column))
    return found


def _neighbourhoods(lines: Sequence[str], wanted: Container[int] | None) -> Iterator[tuple[int, int]]:
    """Yield 0-based spans of lines (last inclusive) that must be read to judge the wanted ones."""
    size = len(lines)
    if size == 0:
        return
    if wanted is None:
        yield 0, size - 1
        return
    numbers: Iterable[int] = (number for number in range(1, size + 1) if number in wanted)
    span: tuple[int, int] | None = None
    for number in numbers:
        if span is not None and number - 1 <= span[1] - TRAIL_LINES:
            continue
        first, last = _widen(lines, max(0, number - 1 - LEAD_LINES), min(size - 1, number - 1 + TRAIL_LINES))
        if span is not None and first <= span[1] + 1:
            span = span[0], max(last, span[1])
            continue
        if span is not None:
            yield span
        span = first, last
    if span is not None:
        yield span


def _widen(lines: Sequence[str], first: int, last: int) -> tuple[int, int]:
    """Follow a table to its header row, and a key block to its BEGIN and END."""
    floor = max(0, first - BLOCK_LINES)
    while first > floor and (lines[first].lstrip().startswith("|") or _key_body(lines[first])):
        first -= 1
    if _is_value(lines[first]) or _is_value(lines[min(first + 1, last)]):
        while first > floor and _is_value(lines[first]):
            first -= 1
        first = max(first - 2, 0)  # the label, above a blank line or two
    inside = False
    for number in range(first, last + 1):
        if "BEGIN " in lines[number] and "PRIVATE KEY" in lines[number]:
            inside = True
        if "END " in lines[number] and "PRIVATE KEY" in lines[number]:
            inside = False
    ceiling = min(len(lines) - 1, last + BLOCK_LINES)
    while inside and last < ceiling and "END " not in lines[last]:
        last += 1
    while last < ceiling and _key_body(lines[last]):
        last += 1
    return first, last


def _is_value(line: str) -> bool:
    """Whether a line may be one of a list of bare values, which the label above all of them announces."""
    words = line.strip(" \t>\r").split(None, 2)
    return len(words) == 2 and words[0].strip("-*+\u2022.)0123456789") == "" and len(words[1]) >= _SHORTEST_VALUE


def _key_body(line: str) -> bool:
    body = line.strip(" \t>\r")
    return len(body) >= 40 and " " not in body and body.replace("+", "").replace("/", "").rstrip("=").isalnum()


_KEPT = 5 << 20  # characters of scanned text that are remembered
_scanned: dict[tuple[str, Ruleset], list[Raw]] = {}
_kept = 0


def _scan_block(raw: str, rules: Ruleset, tick: Callable[[], None]) -> list[Raw]:
    """Scan joined lines; offsets of the answer are offsets into `raw`.

    The last texts are remembered: in a long range half of them come again, with a branch that is merged or a file that is moved.
    """
    global _kept
    key = (raw, rules)
    known = _scanned.get(key)
    if known is None:
        known = _scan(raw, rules, tick)
        if len(raw) <= _KEPT // 8:
            _scanned[key] = known
            _kept += len(raw)
            while _kept > _KEPT:
                oldest = next(iter(_scanned))
                del _scanned[oldest]
                _kept -= len(oldest[0])
    return known


def _scan(raw: str, rules: Ruleset, tick: Callable[[], None]) -> list[Raw]:
    view = normalise(raw)
    found = [(*view.span(item[0], item[1]), *item[2:]) for item in _scan_text(view.text, rules, tick, 0)]
    plain = unescape(view.text)
    if plain is not None:
        again = View(plain[0], plain[1])
        found += [(*view.span(*again.span(item[0], item[1])), *item[2:]) for item in _scan_text(again.text, rules, tick, 1)]
    return _merge(found, raw, rules)


def _scan_text(text: str, rules: Ruleset, tick: Callable[[], None], depth: int) -> list[Raw]:
    """Scan visible text and, down to DEPTH, what is encoded in it."""
    low = lower(text)
    facts = facts_of(text.split("\n")) if rules.builtin else []
    gate = vendors.look(text, facts, builtin=rules.builtin)
    found: list[Raw] = [(s, e, rule, what, sure, text[s:e]) for s, e, rule, what, sure in vendors.scan(text, low, gate, rules, tick)]
    if rules.builtin:
        tick()
        found += [finding for finding in _grammar(text, low, facts, tick) if finding[2] not in rules.disabled]
        taken = [(a, b) for a, b, _, _, sure, _ in found if sure]
        if depth == 0:
            found += vendors.scan_glued(text, low, gate, rules, taken, tick)
        if depth < DEPTH:
            taken = [(a, b) for a, b, _, _, sure, _ in found if sure]
            for start, end, inner in decode.wrapped(text, low, gate.runs):
                tick()
                if any(a <= start and end <= b for a, b in taken) or inner == text[start:end]:
                    continue
                for _, _, rule, what, sure, value in _scan_text(inner, rules, tick, depth + 1):
                    found.append((start, end, rule, what, sure, value))
    return found


def _grammar(text: str, low: str, facts: Sequence[Facts], tick: Callable[[], None]) -> Iterator[Raw]:
    """Find what labels and layout announce."""
    for s, e, rule, what, sure in blocks.private_keys(text):
        yield s, e, rule, what, sure, text[s:e]
    by_line, lines = _lines_of(text, facts)
    if by_line:
        from hoard_git.core.secrets import below, phrases
    for number, of_line in by_line.items():
        tick()
        first, last = lines[number]
        for s, e, rule, what, sure in phrases.judge_line(text, first, last, of_line):
            yield s, e, rule, what, sure, text[s:e]
    for group in (
        blocks.table_columns(text, lines, by_line),
        below.below_label(text, lines, by_line) if by_line else (),
        blocks.seed_phrases(text, [hit for hits in by_line.values() for hit in hits]),
        blocks.recovery_codes(text, low),
        blocks.cards(text, low),
    ):
        tick()
        for s, e, rule, what, sure in group:
            yield s, e, rule, what, sure, text[s:e]


def _lines_of(text: str, facts: Sequence[Facts]) -> tuple[dict[int, list[tuple[int, int, int]]], list[tuple[int, int]]]:
    """Return the label hits of each line by its number from 0, and the spans of all lines."""
    lines: list[tuple[int, int]] = []
    by_line: dict[int, list[tuple[int, int, int]]] = {}
    first = 0
    for number, (line, found) in enumerate(zip(text.split("\n"), facts, strict=True)):
        lines.append((first, first + len(line)))
        if found.hits:
            by_line[number] = [(first + start, first + end, kind) for start, end, kind in found.hits]
        first += len(line) + 1
    return by_line, lines


def _merge(found: list[Raw], raw: str, rules: Ruleset) -> list[Raw]:
    """Drop findings that lie in a better one: certain before possible, named vendor before grammar, longer before shorter."""
    if not found:
        return []
    if rules.allow:
        from hoard_git.core.secrets.gitleaks import allowed

        found = [item for item in found if not allowed(item[2], item[5], _line_at(raw, item[0], item[1]), rules)]
    generic = ("labelled-password", "labelled-key", "login-pair", "labelled-pin", "sk-48-key", "litellm-key")
    found.sort(key=lambda item: (not item[4], item[2] in generic, item[0] - item[1], item[0]))
    kept: list[Raw] = []
    spans: list[tuple[int, int]] = []
    for item in found:
        if not any(item[0] < b and a < item[1] for a, b in spans):
            kept.append(item)
            spans.append((item[0], item[1]))
    return kept


def _line_at(raw: str, start: int, end: int) -> str:
    first = raw.rfind("\n", 0, start) + 1
    last = raw.find("\n", end)
    return raw[first : len(raw) if last < 0 else last]


def mask(value: str) -> str:
    """Return a form of the value that is safe to print: a public vendor prefix of up to four characters, and the length."""
    head = ""
    low = value.lower()
    for prefix in (
        "ghp_",
        "gho_",
        "ghu_",
        "ghs_",
        "ghr_",
        "npm_",
        "gsk_",
        "sk-",
        "xox",
        "hvs.",
        "hf_",
        "r8_",
        "SG.",
        "re_",
        "eyJ",
        "AKIA",
        "AIza",
        "pypi",
        "dop_",
        "glpa",
        "gith",
        "xai-",
        "pplx",
        "lin_",
        "ntn_",
        "sbp_",
        "tvly",
        "fc-",
    ):
        if low.startswith(prefix.lower()) and len(value) >= 16:
            head = value[: len(prefix)]
            break
    return f"{head}…({len(value)} characters)"


def fingerprint(value: str, salt: str) -> str:
    """Return a keyed hash of the value for allow lists: "hgs1:" and the first 20 hex digits of HMAC-SHA256(salt, value), both UTF-8."""
    import hmac

    key, message = (part.encode("utf-8", "surrogateescape") for part in (salt, value))
    return "hgs1:" + hmac.new(key, message, "sha256").hexdigest()[:20]


def allows_here(line: str) -> bool:
    """Say whether a line carries gitleaks' own mark; whether that counts is the caller's policy."""
    return "gitleaks:allow" in line


__all__ = ["BUILTIN", "Match", "Ruleset", "allows_here", "find_secrets", "fingerprint", "mask"]
