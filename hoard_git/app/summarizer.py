"""The summariser program of `hoard consolidate --summarizer CMD`: which one, in what surroundings, and what its answer is worth.

Nothing in a repository can name it, and nothing that lies in a workspace is run: an agent that can write there could write the program.
"""

from __future__ import annotations

import math
import os
import shlex
import shutil
from fnmatch import fnmatchcase

from hoard_git.core.policy import DEFAULT_MARKERS
from hoard_git.core.summary import Rejection, mask_secrets, read_answer, request_json, safe_reason
from hoard_git.errors import HoardError
from hoard_git.gitio.confined import run_confined
from hoard_git.gitio.process import safe_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hoard_git.core.summary import Operations, Request, Summarise

SECONDS = 60.0
"""How long one answer may take."""

LONGEST_ANSWER = 4 << 20
"""Bytes of an answer; the largest request that there can be is smaller."""

MARK = "HOARD_IN_SUMMARIZER"
"""Set in the program's environment: hoard does not consolidate below it."""

_DROPPED = (*DEFAULT_MARKERS, "GIT_*", "HOARD_*", "PRE_COMMIT*", "SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "OLDPWD")
_SECRET_NAMES = ("KEY", "TOKEN", "SECRET", "PASS", "AUTH", "CREDENTIAL")
_LEAST_SECRET = 6
_HELP = "See docs/how-to/plug-in-a-summarizer.md for a program that works."


def refuse_inside(environ: Mapping[str, str]) -> None:
    """Raise HoardError when this process was started by a summariser that hoard itself runs."""
    if environ.get(MARK):
        raise HoardError("This runs inside a summarizer, which must not consolidate.", "Take the hoard command out of the summarizer.")


def open_summarizer(
    command: str, workspace: str, environ: Mapping[str, str], *, directory: str = ".", seconds: float = SECONDS
) -> Summarise:
    """Return the function that asks the program of a command line.

    `workspace` is the root of the work tree, `directory` where the user stands: a relative path means a file there. Raises HoardError when
    the command cannot be run. Later failures of the program are Rejections: the plan does without it and says so. The same request is
    asked once, so that a plan that is made anew is the same; after a time-out nothing more is asked.
    """
    refuse_inside(environ)
    if not 0 < seconds < math.inf:
        raise HoardError("The time for the summarizer is a number of seconds above 0.", "Give for example --summarizer-timeout 60.")
    return _Asker(find_words(command, workspace, environ, directory), reduced_environment(environ), seconds).ask


def find_words(command: str, workspace: str, environ: Mapping[str, str], directory: str = ".", name: str = "summarizer") -> list[str]:
    """Split a command line as a shell would, without one, and find its program; raises HoardError for one that is missing or in the workspace.

    `name` is what messages call the program, and its option.
    """
    try:
        words = shlex.split(command)
    except ValueError:
        raise HoardError(f"The {name}'s command line has an open quote.", f"Quote it as a whole: --{name} 'CMD ARG'") from None
    if not words or not words[0] or any("\0" in word for word in words):
        raise HoardError(f"The {name}'s command line is empty.", f"Name a program: --{name} 'CMD ARG'")
    here = os.path.abspath(directory)  # noqa: PTH100 - text paths
    if os.path.dirname(words[0]):  # noqa: PTH120 - text paths
        found = os.path.join(here, os.path.expanduser(words[0]))  # noqa: PTH111, PTH118 - text paths
        found = found if os.path.isfile(found) and os.access(found, os.X_OK) else ""  # noqa: PTH113 - text paths
    else:
        places = [place for place in environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(place)]  # noqa: PTH117
        found = shutil.which(words[0], path=os.pathsep.join(places)) or ""
    if not found:
        raise HoardError(f"The {name} {words[0]!r} was not found or cannot be run.", "Give its full path, or put its directory on PATH.")
    for word in (found, *words[1:]):
        if _lies_in(word, workspace):
            raise HoardError(
                f"The {name} or a file that it is given lies in the workspace, and nothing from there is run.",
                "Move it to a directory that no agent writes to, and name it there.",
            )
    return [found, *words[1:]]


def _lies_in(word: str, workspace: str) -> bool:
    """Whether a word, or what an option in it gives, is the path of something in the workspace; relative ones mean the program's own folder."""
    root = os.path.realpath(workspace)
    for part in (word, word.partition("=")[2]):
        if os.path.isabs(part):  # noqa: PTH117 - text paths
            named = os.path.join(os.path.realpath(os.path.dirname(part)), os.path.basename(part))  # noqa: PTH118, PTH119, PTH120 - text paths
            if any(full == root or full.startswith(root.rstrip(os.sep) + os.sep) for full in (named, os.path.realpath(part))):
                return True
    return False


def reduced_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What the program sees: no git or hoard settings, no signing agent and no mark of an agent; git below it runs no hooks.

    HOME, PATH and the rest stay: such programs keep their configuration and keys there.
    """
    kept = {name: value for name, value in environ.items() if not any(fnmatchcase(name, pattern) for pattern in _DROPPED)}
    return {
        **kept,
        MARK: "1",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
    }


class _Asker:
    def __init__(self, words: Sequence[str], environment: Mapping[str, str], seconds: float) -> None:
        self._words = words
        self._environment = environment
        self._seconds = seconds
        self._known: dict[bytes, Operations | Rejection] = {}
        self._given_up = False

    def ask(self, request: Request) -> Operations | Rejection:
        asked = request_json(request)
        if asked not in self._known:
            self._known[asked] = self._run(request, asked)
        return self._known[asked]

    def _run(self, request: Request, asked: bytes) -> Operations | Rejection:
        if self._given_up:
            return Rejection("the program was not asked again after it took too long")
        try:
            ended = run_confined(self._words, self._environment, asked, seconds=self._seconds, limit=LONGEST_ANSWER)
        except OSError as error:
            raise HoardError(f"The summarizer could not be started: {error.strerror}.", _HELP) from None
        if ended.late:
            self._given_up = True
            return Rejection(f"the program took longer than {self._seconds:g} seconds{self._said(ended.stderr)}")
        if ended.loud:
            return Rejection(f"the program wrote more than {LONGEST_ANSWER >> 20} MiB")
        if ended.status:
            how = f"was killed by signal {-ended.status}" if ended.status < 0 else f"ended with exit status {ended.status}"
            return Rejection(f"the program {how}{self._said(ended.stderr)}")
        return read_answer(request, ended.stdout)

    def _said(self, stderr: bytes) -> str:
        """The last line that the program wrote to stderr, fit to be shown; '' when there is none."""
        text = safe_text(stderr)
        for name, value in self._environment.items():  # a program may repeat the key that it was given
            if len(value) >= _LEAST_SECRET and any(word in name.upper() for word in _SECRET_NAMES):
                text = text.replace(value, "***")
        lines = [line.strip() for line in mask_secrets(text).split("\n") if line.strip()]
        return f": {safe_reason(lines[-1]).rstrip('.')}" if lines else ""
