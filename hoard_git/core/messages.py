"""What git takes away from a commit message before it is stored: comment lines, the scissors and all below, surplus blank lines.

`comment` is what `core.commentChar` says, as bytes; None stands for a message that no editor shows, whose `#` lines are text.
"""

from __future__ import annotations

COMMENT = b"#"
"""The comment character of a repository that configures none."""

WHITE = b" \t\r\n"
"""What git's own isspace() takes for white space: neither vertical tab nor form feed."""

_CUT = b" ------------------------ >8 ------------------------\n"
_AUTO = b"#;@!$%^&|:"
_CONFLICTS = b"Conflicts:\n"


def is_blank(line: bytes) -> bool:
    """Whether a line holds white space only, in git's sense."""
    return not line.strip(WHITE)


def comment_char(setting: str, message: bytes) -> bytes:
    """Return the comment character of a message under the given `core.commentChar`; empty means not configured.

    With `auto`, git chose one that begins no line of the message; the last line, or the scissors, shows which.
    """
    if setting != "auto":
        return setting.encode("utf-8", "surrogateescape") or COMMENT
    at = message.find(_CUT)
    shown = message[:at] if at > 0 else message
    last = shown.rstrip(WHITE).rpartition(b"\n")[2][:1]
    return last if last and last in _AUTO else COMMENT


def has_scissors(message: bytes) -> bool:
    """Whether a scissors line stands in the message, whatever begins a comment there."""
    return _CUT in message + b"\n"


def cut_scissors(message: bytes, comment: bytes | None = COMMENT) -> bytes:
    """Return the message above the scissors line, below which `git commit --verbose` shows the diff."""
    at = (b"\n" + message + b"\n").find(b"\n" + (comment or COMMENT) + _CUT)
    return message if at < 0 else message[:at]


def message_end(message: bytes, comment: bytes = COMMENT) -> int:
    """Return the offset at which the tail begins that git ignores when it looks for trailers.

    The tail is the final run of comment lines, empty lines and an old-style `Conflicts:` list, or all from the scissors on. An offset
    of 0 never begins a run, as in git 2.39: a message of comments alone keeps its first line.
    """
    limit = len(cut_scissors(message, comment))
    offset, run, conflicts = 0, 0, False
    for line in message[:limit].split(b"\n"):
        if offset >= limit:
            break
        if not line or line.startswith(comment):
            run = run or offset
        elif message.startswith(_CONFLICTS, offset):
            conflicts = True
            run = run or offset
        elif run and not (conflicts and line.startswith(b"\t")):
            run, conflicts = 0, False
        offset += len(line) + 1
    return run or limit


def text_end(message: bytes, comment: bytes | None = COMMENT) -> int:
    """Return the offset behind the last line of text: below it stand blank lines, comments, and all from the scissors on."""
    end = len(cut_scissors(message, comment))
    while end:
        start = message.rfind(b"\n", 0, end - 1) + 1
        line = message[start:end]
        if not is_blank(line) and not (comment and line.startswith(comment)):
            break
        end = start
    return end
