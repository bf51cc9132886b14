"""What a summariser program is asked, what it may answer, and whether its answer is taken (DESIGN §9).

A summariser chooses; it is not believed. Each block is accounted for once, a merged text only shortens and joins blocks of one source,
and an answer that does not hold in any point is refused as a whole.
"""

from __future__ import annotations

import json

from hoard_git.core.counted import counted
from hoard_git.core.dates import parse_day, ttl_days
from hoard_git.core.extracts import check_extract, hedges_of, subject_of
from hoard_git.core.lazy import lazy
from hoard_git.core.record import Record
from hoard_git.core.unicode import show, visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hoard_git.core.policy import Policy
    from hoard_git.core.provenance import Provenance

SCHEMA = 1
WARM_LOG, COMPRESS_INDEX = "warm-log", "compress-index"
OPS = ("keep", "drop", "merge", "supersede")

_LIST_MARK = lazy(r"(?:[-+*#>|=~\u2022]|[0-9]{1,9}[.)](?:\s|$)|:\s)")
_MARKUP = lazy(r"[*<>\[\]|\\]|~~|``|__|&[#A-Za-z0-9]{1,32};|(?<![^\s(])_|_(?![^\s).,;:])|\$\$|\{\{|\}\}")
_SPAN = lazy(r"`[^`]{1,400}`")


class Block(Record):
    """One entry as the program sees it: one line of text without marker and tag, secrets masked.

    `ts` is an ISO date or `unknown`; `block` is the slug of its heading. A `held` block had a secret in it and can only be kept.
    """

    id: str
    text: str
    src: str
    ts: str
    path: str
    block: str = ""
    held: bool = False


class Request(Record):
    """One question. `max_bytes` bounds what stays, in UTF-8 bytes of the texts and one for each line end; `max_loss` is a share of the blocks."""

    task: str
    max_bytes: int
    max_loss: float
    blocks: tuple[Block, ...]


class Operation(Record):
    """One accepted operation; `text` is that of a merge. The ids of a supersede are the older block, then the newer one."""

    op: str
    ids: tuple[str, ...]
    text: str = ""


class Operations(Record):
    """An answer that holds, in the program's order."""

    items: tuple[Operation, ...]


class Rejection(Record):
    """Why there is no answer to use: one clause, without secrets and control characters."""

    reason: str


if TYPE_CHECKING:
    Summarise = Callable[[Request], Operations | Rejection]


class Source(Record):
    """What a block is made from. `text` is the entry's words without marker and tag; it may hold secrets."""

    text: str
    src: str
    ts: str
    path: str
    block: str = ""


def make_request(task: str, sources: Iterable[Source], max_bytes: int, max_loss: float) -> Request:
    """Number the blocks `b1`, `b2`, … in their order and mask their secrets.

    Raises ValueError for a user's block: none ever leaves for a program (threat CL-09).
    """
    sources = tuple(sources)
    if any(source.src == "user" for source in sources):
        raise ValueError("a user's block is never sent to a summariser")
    lines: list[str] = []
    places: list[int] = []
    above = ("", "")
    for source in sources:
        if above != (above := (source.path, source.block)):  # a heading may be what names the value below it
            lines.append(f"## {source.block.replace('-', ' ')}")
        places.append(len(lines))
        lines.append(" ".join(source.text.split()))
    shown, found = _masked(lines)
    blocks = [
        Block(f"b{number}", shown[at], source.src, source.ts, source.path, source.block, at in found)
        for number, (source, at) in enumerate(zip(sources, places, strict=True), 1)
    ]
    return Request(task, max_bytes, max_loss, tuple(blocks))


def mask_secrets(text: str) -> str:
    """Return a text with its secrets masked, possible ones too."""
    return "\n".join(_masked(text.split("\n"))[0])


def _masked(lines: Sequence[str]) -> tuple[list[str], set[int]]:
    """Mask the secrets of lines that stand one below the other; return them with the 0-based numbers of those that hold one."""
    from hoard_git.core.secrets import find_secrets, mask

    shown = list(lines)
    touched: set[int] = set()
    matches = find_secrets(lines)
    for match in reversed(matches):  # from the last to the first, so that columns hold
        for number in range(match.line - 1, match.end_line):
            line = shown[number]
            start = match.column - 1 if number == match.line - 1 else 0
            stop = match.end_column - 1 if number == match.end_line - 1 else len(line)
            shown[number] = line[:start] + mask(match.value) + line[stop:]
            touched.add(number)
    values = {match.value for match in matches if len(match.value) > 3}
    for number, line in enumerate(shown):  # a value may stand a second time where nothing names it
        for value in values:
            if value in line:
                shown[number] = shown[number].replace(value, mask(value))
                touched.add(number)
    return shown, touched


def request_json(request: Request) -> bytes:
    """Write what the program gets on stdin: one JSON object, ASCII only, and a newline."""
    blocks = [{"id": b.id, "text": b.text, "src": b.src, "ts": b.ts, "path": b.path, "block": b.block} for b in request.blocks]
    whole = {"schema": SCHEMA, "task": request.task, "max_bytes": request.max_bytes, "max_loss": request.max_loss, "blocks": blocks}
    return json.dumps(whole).encode("ascii") + b"\n"


def read_answer(request: Request, raw: bytes) -> Operations | Rejection:
    """Judge what the program wrote to stdout: JSON in UTF-8, exactly of the documented form, that keeps every rule below."""
    try:
        answer = json.loads(raw.decode("utf-8"), object_pairs_hook=_pairs)
    except _DoubleKeyError:
        return Rejection("a key stands twice in an object of the answer")
    except (ValueError, RecursionError):
        return Rejection("the answer is not one JSON object in UTF-8")
    if not isinstance(answer, dict) or not isinstance(answer.get("operations"), list):
        return Rejection("the answer is not an object with a list of operations")
    if answer.keys() - {"operations", "schema"} or type(answer.get("schema", SCHEMA)) is not int or answer.get("schema", SCHEMA) != SCHEMA:
        return Rejection("the answer has keys other than operations, or another schema")
    items: list[Operation] = []
    for number, item in enumerate(answer["operations"], 1):
        read = _operation(item)
        if isinstance(read, str):
            return Rejection(f"operation {number} {read}")
        items.append(read)
    return check_operations(request, items)


class _DoubleKeyError(ValueError):
    """A JSON object that readers would understand in two ways."""


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({key for key, _value in pairs}) < len(pairs):
        raise _DoubleKeyError
    return dict(pairs)


def _operation(item: object) -> Operation | str:
    if not isinstance(item, dict):
        return "is not an object"
    op, ids = item.get("op"), item.get("ids")
    if op not in OPS:
        return f"has no op of {', '.join(OPS)}"
    if item.keys() != ({"op", "ids", "text"} if op == "merge" else {"op", "ids"}):
        return f"has keys that {op} does not have, or lacks one"
    if not isinstance(ids, list) or not ids or not all(isinstance(one, str) for one in ids):
        return "has no list of ids"
    text = item.get("text", "")
    if not isinstance(text, str):
        return "has a text that is none"
    return Operation(str(op), tuple(ids), text)


def check_operations(request: Request, items: Sequence[Operation]) -> Operations | Rejection:
    """Hold operations against the request; pure, and the first problem refuses all of them."""
    known = {block.id: block for block in request.blocks}
    seen: set[str] = set()
    lost = after = 0
    for number, item in enumerate(items, 1):
        for one in item.ids:
            if one not in known:
                return Rejection(f"operation {number} names a block that was not sent")
            if one in seen:
                return Rejection(f"block {one} is accounted for twice")
            seen.add(one)
        blocks = [known[one] for one in item.ids]
        if item.op != "keep" and any(block.held for block in blocks):
            return Rejection(f"operation {number} does not keep a block that holds a secret")
        problem, gone, size = _CHECKS[item.op](item, blocks)
        if problem:
            return Rejection(f"operation {number} ({item.op}): {problem}")
        lost += gone
        after += size
    missing = next((block.id for block in request.blocks if block.id not in seen), "")
    if missing:
        return Rejection(f"block {missing} is not accounted for")
    if lost > request.max_loss * len(request.blocks):
        return Rejection(f"{lost} of {counted(len(request.blocks), 'block')} would be lost, and {request.max_loss:.0%} may be")
    if after > request.max_bytes:
        return Rejection(f"{after:,} bytes would stay, and {request.max_bytes:,} may")
    return Operations(tuple(items))


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogateescape")) + 1


def _check_keep(_item: Operation, blocks: Sequence[Block]) -> tuple[str, int, int]:
    return "", 0, sum(_size(block.text) for block in blocks)


def _check_drop(_item: Operation, blocks: Sequence[Block]) -> tuple[str, int, int]:
    return "", len(blocks), 0


def _check_merge(item: Operation, blocks: Sequence[Block]) -> tuple[str, int, int]:
    """A merged block of which too much is cut counts as lost, as a dropped one does."""
    problem = _problem_together(blocks) or find_form_problem(item.text)
    if not problem and _size(item.text) >= sum(_size(block.text) for block in blocks):
        problem = "its text is no shorter than its blocks"
    if problem:
        return problem, 0, 0
    found = check_extract(item.text, [block.text for block in blocks])
    return found.problem, len(found.lost), _size(item.text)


def _check_supersede(_item: Operation, blocks: Sequence[Block]) -> tuple[str, int, int]:
    """The older counts as lost: its fact leaves the file."""
    if len(blocks) != 2:
        return "it takes the older block and the newer one", 0, 0
    older, newer = blocks
    problem = _problem_together(blocks)
    if not problem and not subject_of(older.text):
        problem = "the older block names no subject"
    elif not problem and subject_of(older.text) != subject_of(newer.text):
        problem = "the two blocks are not about the same subject"
    elif not problem and hedges_of(newer.text) - hedges_of(older.text):
        problem = "the newer block is a report or a guess, and the older one is none"
    elif not problem and not _is_newer(newer, older):
        problem = "the second block is not newer"
    return problem, 1, _size(newer.text)


_CHECKS = {"keep": _check_keep, "drop": _check_drop, "merge": _check_merge, "supersede": _check_supersede}


def _problem_together(blocks: Sequence[Block]) -> str:
    """Why blocks may not become one: what they say depends on the heading, and a mixed text would have no single source (threat CL-09)."""
    if len({block.src for block in blocks}) > 1:
        return "its blocks have different sources"
    if len({(block.path, block.block) for block in blocks}) > 1:
        return "its blocks stand under different headings"
    if len({block.ts == "unknown" for block in blocks}) > 1:
        return "some of its blocks have a date and some have none"
    return ""


def _is_newer(newer: Block, older: Block) -> bool:
    """Whether a block is of a later day; the order in a file says nothing, since people write on top and at the end."""
    first, second = parse_day(older.ts), parse_day(newer.ts)
    return first is not None and second is not None and second > first


def find_form_problem(text: str) -> str:
    """Return one clause when a merged text is not one plain line: printable, without markup, comments and tags; code spans are allowed."""
    if not text or text != text.strip() or "\n" in text:
        return "its text is not one line of words"
    if not text.isprintable() or visible(text) != text or "  " in text:
        return "its text holds characters that do not show"
    bare = _SPAN.sub("", text)
    if "`" in bare or "<!--" in text or "-->" in text or _LIST_MARK.match(text) is not None or _MARKUP.search(bare) is not None:
        return "its text holds markup"
    return ""


def safe_reason(text: str) -> str:
    """Make what a program wrote fit for a reason: secrets masked, one line, odd characters shown as code points, at most 200 characters."""
    return show(" ".join(mask_secrets(text[:4000]).split()), 200)


def join_claims(parts: Sequence[Provenance], policy: Policy) -> Provenance:
    """What a joined text claims: the common source, the oldest day and the shortest life; evidence only when it is everybody's."""
    oldest = min((claim.ts for claim in parts), key=lambda ts: parse_day(ts) or 0)

    def life(claim: Provenance) -> float:
        days = ttl_days(claim.ttl or policy.ttl_default(claim.src))
        return float("inf") if days is None else days

    shortest = min(parts, key=life)
    ev = parts[0].ev if all(claim.ev == parts[0].ev for claim in parts) else ""
    return parts[0]._replace(ts=oldest, ttl=shortest.ttl, id="", ev=ev, stale=any(claim.stale for claim in parts), origin="own", line=0)
