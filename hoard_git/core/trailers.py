"""The trailers of a commit message: read as git reads them, written as one pure last paragraph (INTERFACE, "Trailers").

The reader agrees with `git interpret-trailers --parse --no-divider` of git 2.39, which is what `git log --format='%(trailers)'` sees.
The writer never uses `git commit --trailer`: 2.39 puts them above a `---` line of the body, where no reader finds them again.
"""

from __future__ import annotations

from hoard_git.core.messages import COMMENT, WHITE, cut_scissors, is_blank, message_end, text_end
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

OP, SOURCE, BLOCK, REMOVED, DIGEST = "Memory-Op", "Memory-Source", "Memory-Block", "Memory-Removed", "Memory-Digest"
SESSION, REASON, ASSISTED = "Memory-Session", "Memory-Reason", "Assisted-by"

KEYS = (OP, SOURCE, BLOCK, REMOVED, DIGEST, SESSION, REASON)
"""Our keys in canonical spelling, in the order in which they are written."""

DERIVED = (OP, SOURCE, BLOCK, REMOVED, DIGEST)
"""The keys that are computed from the trees; the others are free text."""

SINGLE = (OP, DIGEST, SESSION, REASON)
"""The keys that stand at most once."""

OPS = ("write", "consolidate", "archive", "restore", "adopt", "merge", "policy")
"""Every value of Memory-Op."""

UNTAGGED_NAME = "untagged"
"""How content without provenance is called in a trailer."""

CANONICAL = {key.lower(): key for key in KEYS}
"""Our keys by their lower-case form, as git compares keys."""

LONGEST = 200
"""Characters of a free value."""

_GENERATED = (b"Signed-off-by: ", b"(cherry picked from commit ")
_KEY_BYTES = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"
_PLAIN_KEYS = frozenset((b"bug", b"cc", b"closes", b"fixes", b"issue", b"link", b"refs", b"references", b"resolves", b"see"))
_PROSE_WORDS = 4

TRAILER, GENERATED, FOLDED, REMARK, PROSE = "tgfcp"
"""What a line of a paragraph is: `key: value`, written by git itself, a continuation, a comment, anything else."""


class Trailer(Record):
    """One `key: value` line. The value is unfolded; bytes that are not UTF-8 are lone surrogates (`surrogateescape`)."""

    key: str
    value: str


def separator(line: bytes) -> int:
    """Return the offset of the colon that ends a trailer's key, 0 when the line is no trailer."""
    at = line.find(b":")
    if at < 1 or line[:1] in WHITE or line[:at].rstrip(b" \t").translate(None, _KEY_BYTES):
        return 0
    return at


def line_kinds(lines: Sequence[bytes], comment: bytes | None = COMMENT) -> str:
    """Classify the lines of one paragraph, one letter each."""
    kinds: list[str] = []
    for line in lines:
        if comment and line.startswith(comment):
            kinds.append(REMARK)
        elif separator(line):
            kinds.append(TRAILER)
        elif line.startswith(_GENERATED):
            kinds.append(GENERATED)
        elif line[:1] in WHITE and kinds and kinds[-1] in (TRAILER, GENERATED, FOLDED):
            kinds.append(FOLDED)
        else:
            kinds.append(PROSE)
    return "".join(kinds)


def is_block(lines: Sequence[bytes], kinds: str) -> bool:
    """Whether git takes a last paragraph for trailers: all of it is, or a line is git's own and a quarter of the lines are trailers."""
    count, prose = kinds.count(TRAILER) + kinds.count(GENERATED), kinds.count(PROSE)
    if any(line.startswith(_GENERATED) for line in lines) and count * 3 >= prose:
        return True
    return bool(count) and not prose


def split_block(message: bytes, comment: bytes = COMMENT) -> tuple[list[bytes], list[bytes]]:
    """Return the lines above the trailer block, and those of the block itself; what git does not read belongs to neither.

    git reads to the first NUL. The first paragraph is the subject, never the block.
    """
    text = message.partition(b"\0")[0]
    lines = text[: message_end(text, comment)].split(b"\n")
    if not lines[-1]:
        lines.pop()
    count = len(lines)
    title = next((i for i, line in enumerate(lines) if is_blank(line)), count)
    stop = count
    while stop > title and (is_blank(lines[stop - 1]) or lines[stop - 1].startswith(comment)):
        stop -= 1
    start = stop
    while start > title and not is_blank(lines[start - 1]):
        start -= 1
    if title < start < stop and is_block(lines[start:stop], line_kinds(lines[start:stop], comment)):
        return lines[:start], lines[start:]
    return lines, []


def parse_trailers(message: bytes, comment: bytes = COMMENT) -> tuple[Trailer, ...]:
    """Return the trailers that git sees, in order, repeats kept. Raises nothing."""
    items: list[list[bytes]] = []
    is_open = False
    for line in split_block(message, comment)[1]:
        if is_open and (not line or line[:1] in WHITE):
            items[-1].append(line)
            continue
        is_open = bool(separator(line)) and not line.startswith(comment)
        if is_open:
            items.append([line])
    found = []
    for item in items:
        key, _, value = b"\n".join(item).partition(b":")
        found.append(Trailer(_text(key.strip(WHITE)), _text(_unfold(value))))
    return tuple(found)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _unfold(value: bytes) -> bytes:
    first, *rest = value.strip(WHITE).split(b"\n")
    return b" ".join([first, *filter(None, [line.lstrip(WHITE) for line in rest])])


def sanitise(value: str) -> str:
    """Return a free text as one line: nothing invisible, white space collapsed, at most 200 characters, the last an ellipsis if cut."""
    line = " ".join("".join([c if c.isprintable() else " " for c in value]).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "\u2026"


def render(trailer: Trailer) -> bytes:
    """Write one trailer as one line without its newline; a control character in the value becomes a blank."""
    value = " ".join("".join([" " if c < " " or c == "\x7f" else c for c in trailer.value]).split(" "))
    return f"{trailer.key}: {value.strip()}".encode("utf-8", "surrogateescape")


def append_trailers(message: bytes, trailers: Iterable[Trailer], comment: bytes | None = COMMENT) -> bytes:
    """Return the message with these trailers in its last paragraph; our derived lines that stood there before are replaced.

    Joins an existing paragraph of trailers (`Signed-off-by`), else starts one after a blank line. Memory-Session and Memory-Reason stay
    unless they are given anew. What an editor shows below the text (comments, scissors, diff) stays below. `comment` is None when no
    editor was or will be opened. Applying it twice is applying it once. A message without a subject gets two empty lines first, to leave
    room for one; whether to write at all into such a message is the caller's choice (`has_text`).
    """
    return _write(message, tuple(trailers), comment, keep=(SESSION.lower(), REASON.lower()))


def replace_memory_trailers(message: bytes, trailers: Iterable[Trailer], comment: bytes | None = COMMENT) -> bytes:
    """As `append_trailers`, but nothing of our own vocabulary stays; without trailers it only takes ours away."""
    return _write(message, tuple(trailers), comment, keep=())


def has_text(message: bytes, comment: bytes | None = COMMENT) -> bool:
    """Whether anything stands in the message besides comments, blank lines, sign-offs and our own trailers.

    git refuses a message of nothing but blank lines and sign-offs; our lines must not make it look like a message.
    """
    for line in cut_scissors(message, comment).split(b"\n"):
        if not (is_blank(line) or (comment and line.startswith(comment)) or line.startswith(_GENERATED[0]) or _own_key(line)):
            return True
    return False


def _own_key(line: bytes) -> str:
    """The lower-case key of a line that is one of our trailers, else ''."""
    at = separator(line)
    key = line[:at].rstrip(b" \t").lower().decode("ascii") if at else ""
    return key if key in CANONICAL else ""


def _write(message: bytes, trailers: tuple[Trailer, ...], comment: bytes | None, keep: Collection[str]) -> bytes:
    end = text_end(message, comment)
    tail = message[end:]
    text = message[:end].split(b"\n")
    lines, old = _without_ours(text, comment)
    ending = b"\r" if next(filter(None, lines), b"").endswith(b"\r") else b""
    given = {trailer.key.lower() for trailer in trailers}
    wanted = [trailer for trailer in trailers if trailer.value.strip()]
    wanted += [Trailer(CANONICAL[key], value) for key, value in old.items() if key in keep and key not in given]
    wanted.sort(key=lambda trailer: KEYS.index(trailer.key) if trailer.key in KEYS else len(KEYS))
    if not wanted and not old:
        return message
    while lines and is_blank(lines[-1]):
        lines.pop()
    if wanted:
        lines = _open_paragraph(lines, comment, ending)
        last = max((index for index, line in enumerate(lines) if is_blank(line)), default=0)
        new = [render(trailer) + ending for trailer in wanted]
        lines = lines[: last + 1] + [line for line in lines[last + 1 :] if line not in new] + new
    return b"".join([line + b"\n" for line in lines]) + tail


def _paragraphs(lines: Sequence[bytes]) -> list[tuple[int, int]]:
    """Return (start, stop) of each run of lines that are not blank."""
    found: list[tuple[int, int]] = []
    for index, line in enumerate(lines):
        if is_blank(line):
            continue
        if found and found[-1][1] == index:
            found[-1] = (found[-1][0], index + 1)
        else:
            found.append((index, index + 1))
    return found


def _after_title(lines: Sequence[bytes], comment: bytes | None) -> list[tuple[int, int]]:
    """Return the paragraphs below the subject's.

    A first paragraph of our own lines alone is no subject, nor is one of sign-offs and the like below an empty line: there git
    (`commit --signoff` with an editor) or `append_trailers` left room for a subject.
    """
    paragraphs = _paragraphs(lines)
    for number, (start, stop) in enumerate(paragraphs):
        kinds = line_kinds(lines[start:stop], comment)
        if not kinds.strip(REMARK):
            continue
        has_room = any(is_blank(line) for line in lines[:start])
        pairs = zip(lines[start:stop], kinds, strict=True)
        untitled = all(_own_key(line) or (has_room and _names_people(line)) for line, kind in pairs if kind != REMARK)
        return paragraphs[number:] if untitled else paragraphs[number + 1 :]
    return []


def _without_ours(lines: list[bytes], comment: bytes | None) -> tuple[list[bytes], dict[str, str]]:
    """Take our lines out of every paragraph of trailers, and return what is left and the last value of each key.

    A squash leaves them in the middle of the message, one set for each commit.
    """
    gone: set[int] = set()
    old: dict[str, list[bytes]] = {}
    # git ignores its comment lines around trailers even where it stores them, as in a message that no editor has shown
    told = [(start, stop, line_kinds(lines[start:stop], comment or COMMENT)) for start, stop in _after_title(lines, comment)]
    last = max((stop for _start, stop, kinds in told if kinds.strip(REMARK)), default=0)
    for start, stop, kinds in told:
        if PROSE in kinds and not (stop == last and is_block(lines[start:stop], kinds)):
            continue
        key = ""
        for index, kind in enumerate(kinds, start):
            if kind == FOLDED and key:
                old[key].append(lines[index])
            else:
                key = _own_key(lines[index]) if kind == TRAILER else ""
                if key:
                    old[key] = [lines[index].partition(b":")[2]]
            if key:
                gone.add(index)
        if gone.issuperset(range(start, stop)):
            above = start - 1
            while above >= 0 and is_blank(lines[above]):
                gone.add(above)
                above -= 1
    values = {key: _text(_unfold(b"\n".join(value))) for key, value in old.items()}
    return [line for index, line in enumerate(lines) if index not in gone], values


def _open_paragraph(lines: list[bytes], comment: bytes | None, ending: bytes) -> list[bytes]:
    """Return the lines so that trailers can follow: after an existing paragraph of trailers, else after a blank line.

    Where prose stands right above trailers and git still sees them, a blank line sets them apart.
    """
    if not lines:
        return [ending, ending]
    paragraphs = _after_title(lines, comment)
    if not paragraphs:
        return [*lines, ending]
    start, stop = paragraphs[-1]
    kinds = line_kinds(lines[start:stop], comment)
    if not is_block(lines[start:stop], kinds):
        return [*lines, ending]
    first = start + kinds.rfind(PROSE) + 1
    if all(_reads_as_prose(line) for line in lines[first:stop]):
        return [*lines, ending]
    return lines if first == start else [*lines[:first], ending, *lines[first:]]


def _reads_as_prose(line: bytes) -> bool:
    """Whether a line is a trailer to git but a sentence to people: `Note: the backup failed again`, a bare address.

    A key with a hyphen or one that trackers use is a trailer; so is a short value.
    """
    key, _, value = line.partition(b":")
    if not separator(line) or _is_known(line):
        return not line.startswith(_GENERATED) and not separator(line)
    if key.strip(WHITE).lower() in _PLAIN_KEYS:
        return False
    return value.startswith(b"//") or len(value.split()) >= _PROSE_WORDS or value.rstrip(WHITE).endswith((b".", b"!", b"?"))


def _names_people(line: bytes) -> bool:
    """Whether a line is of the kind `Signed-off-by`."""
    return line[: separator(line)].strip(WHITE).lower().endswith(b"-by") or line.startswith(_GENERATED)


def _is_known(line: bytes) -> bool:
    """Whether nobody would take a line for a sentence: git wrote it, or its key has a hyphen."""
    return line.startswith(_GENERATED) or b"-" in line[: separator(line)]
