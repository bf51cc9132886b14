"""What prepare-commit-msg and commit-msg do: keep the commit message's trailers true.

Both run on every commit, so they import as little as they can: what pre-commit found out is taken from its handover, and only a commit that
had none (a cherry-pick, a rebase, a hook that was skipped) is judged again.
"""

# ruff: noqa: PTH123 -- importing pathlib costs 8 ms where a bare interpreter starts in 6

from __future__ import annotations

from hoard_git.app.handover import take
from hoard_git.app.looking import look_command
from hoard_git.app.verdict import Verdict
from hoard_git.errors import HoardError
from hoard_git.gitio.layout import find_git_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_UPKEEP = ("consolidate", "archive", "restore")


def prepare_commit_msg(path: str, environ: Mapping[str, str]) -> Verdict:
    """Put the trailers into the message that git is about to show or use."""
    message = _read(path)
    lines = _expected(environ, message)
    if lines or b"Memory-" in message:
        _replace(path, message, lines)
    return Verdict()


def commit_msg(path: str, environ: Mapping[str, str]) -> Verdict:
    """Make the final message's trailers true: whatever was typed, deleted or pasted, they say what the trees say."""
    message = _read(path)
    lines = _expected(environ, message)
    if lines and _ends_with(message, lines):
        return Verdict()
    if not lines and b"Memory-" not in message:
        return Verdict()
    from hoard_git.core.trailers import has_text

    if not has_text(message, _comment(message)):
        _write(path, b"")  # git aborts on an empty message; our trailers must not make one that the user left empty pass
        return Verdict()
    return Verdict(note="the Memory trailers were put right" if _replace(path, message, lines) else "")


def _expected(environ: Mapping[str, str], message: bytes) -> bytes:
    """The trailer lines of the commit being made, empty when it touches no memory.

    A commit of upkeep that is made again, by a rebase or a cherry-pick, stays one as long as its digest fits the change: the digest holds no
    parent and no date. Where its removals are to be found is worked out anew. Any other change under such a message is an ordinary one.
    """
    lines = _fresh(environ)
    if not lines or environ.get("HOARD_OP") or b"\nMemory-Op: " not in message:
        return lines
    from hoard_git.core.trailers import DIGEST, OP, REMOVED, parse_trailers

    given = parse_trailers(message)
    op = next((trailer.value for trailer in given if trailer.key == OP), "")
    digests = [f"{DIGEST}: {trailer.value}\n".encode("utf-8", "surrogateescape") for trailer in given if trailer.key == DIGEST]
    if op not in _UPKEEP or len(digests) != 1 or digests[0] not in lines:
        return lines
    lines = _judged({**environ, "HOARD_OP": op})
    packed = _packed([trailer.value for trailer in given if trailer.key == REMOVED])
    return lines.replace(digests[0], packed + digests[0])


def _packed(values: Sequence[str]) -> bytes:
    """The lines about packed logs, which no list of changes holds, with the commit that is now the one before."""
    from hoard_git.core.trailers import REMOVED
    from hoard_git.core.whereabouts import HISTORY, parse_removal
    from hoard_git.gitio.plumbing import PlumbingReader

    found = [(value, removal) for value in values if ".md.gz#L" in value and (removal := parse_removal(value)) is not None]
    head = PlumbingReader(".").head() if found else None
    told = [value.replace(removal.oid, head, 1) for value, removal in found if head is not None and removal.verb == HISTORY]
    return b"".join(f"{REMOVED}: {value}\n".encode("utf-8", "surrogateescape") for value in told)


def _fresh(environ: Mapping[str, str]) -> bytes:
    git_dir = find_git_dir(".", environ)
    lines = take(git_dir, environ) if git_dir else None
    return lines if lines is not None else _judged(environ)


def _judged(environ: Mapping[str, str]) -> bytes:
    from hoard_git.app.hookrun import judge_staged, trailers_of
    from hoard_git.gitio.plumbing import PlumbingReader

    return trailers_of(judge_staged(PlumbingReader("."), environ), environ)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise HoardError("The commit message file cannot be read.", look_command(path)) from error


def _comment(message: bytes) -> bytes:
    """What begins a comment in this message: git is asked only where the answer matters, for it costs the hook 3 ms.

    Under `core.commentChar=;` a line with `#` is text, and the diff that `git commit -v` shows begins below `; ---- >8 ----`: trailers written below that
    would be thrown away.
    """
    from hoard_git.core.messages import COMMENT, comment_char, has_scissors

    if not (message.startswith(COMMENT) or b"\n" + COMMENT in message or has_scissors(message)):
        return COMMENT
    from hoard_git.gitio.plumbing import PlumbingReader

    reader = PlumbingReader(".")
    return comment_char(reader.config("core.commentString") or reader.config("core.commentChar") or "", message)


def _replace(path: str, message: bytes, lines: bytes) -> bool:
    from hoard_git.core.trailers import Trailer, replace_memory_trailers

    trailers = []
    for line in lines.decode("utf-8", "surrogateescape").split("\n")[:-1]:
        key, _, value = line.partition(": ")
        trailers.append(Trailer(key, value))
    fresh = replace_memory_trailers(message, tuple(trailers), _comment(message))
    if fresh == message:
        return False
    _write(path, fresh)
    return True


def _write(path: str, message: bytes) -> None:
    with open(path, "wb") as file:
        file.write(message)


def _ends_with(message: bytes, lines: bytes) -> bool:
    """Whether a subject comes first and the expected trailers end it all, in one piece; anything else goes the careful way."""
    if not message.rstrip(b"\n").endswith(b"\n" + lines.rstrip(b"\n")) or message[:1] in (b"#", b"\n", b" ", b"M"):
        return False
    return message.count(b"\nMemory-") == lines.count(b"\nMemory-") + 1
