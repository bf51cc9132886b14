"""The pinned root of trust: a commit, named outside the tree, that every history has to contain and every policy has to come from.

Without one the first policy is believed. Whoever can rewrite the whole history can write another first policy; a name that is kept in git's
configuration, in a CI variable or on a command line is out of that person's reach.
"""

from __future__ import annotations

from hoard_git.app.rangecheck import policy_paths
from hoard_git.core.model import Finding, Oid
from hoard_git.core.policy import FILE_NAME
from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.gitio.opening import plumbing_of
from hoard_git.gitio.rawformat import is_oid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hoard_git.gitio.reader import Reader

VARIABLE, KEY, OPTION = "HOARD_ROOT", "hoard.root", "--root"


class Pin(Record):
    """A pinned root; `source` is `option`, `environment` or `config`."""

    oid: Oid
    source: str


def read_pin(reader: Reader, environ: Mapping[str, str], given: str | None = None) -> Pin | None:
    """The pin that holds: `given` on the command line, else HOARD_ROOT, else git's `hoard.root`; None where there is none.

    Raises HoardError for anything but a full object name, for an object that is not here or brings no policy, and when environment and
    configuration name different ones: to take either could be what somebody is waiting for.
    """
    if given is not None:
        return _checked(reader, given, "option", OPTION)
    named, configured = environ.get(VARIABLE, "").strip(), reader.config(KEY)
    kept = (configured or "").strip()
    if named and kept and named != kept:
        raise HoardError(
            f"{VARIABLE} and git's {KEY} pin different roots.",
            f"See which is right, then drop the other: git config --get {KEY}; echo ${VARIABLE}",
        )
    if named:
        return _checked(reader, named, "environment", VARIABLE)
    if configured is not None:
        return _checked(reader, kept, "config", f"git's {KEY}")
    return None


def _checked(reader: Reader, text: str, source: str, name: str) -> Pin:
    shown = repr(text)[1:-1][:80]
    size = 64 if reader.object_format() == "sha256" else 40
    if not is_oid(text) or len(text) != size:
        raise HoardError(
            f"{name} takes the full name of a commit, {size} digits of lower-case hex, not '{shown}'.",
            f"Names that are cut short can be made to fit another commit; the first policy's: {_without(reader, source)}",
        )
    git = plumbing_of(reader)
    asked = git.git(("cat-file", "-t", text))
    kind = asked.finish((0, 128)).strip()
    if kind != b"commit":
        if reader.is_shallow():
            raise HoardError(f"The pinned root {text[:12]} is not in this shallow clone.", "git fetch --unshallow")
        what = f"is a {kind.decode('ascii', 'replace')}, not a commit" if kind else "is not in this repository"
        raise HoardError(
            f"The pinned root {text[:12]} ({name}) {what}: this is another history, or a part of one.",
            "Compare with a clone that you trust: git log --diff-filter=A --format=%H -- " + FILE_NAME,
        )
    if not brings_policy(reader, Oid(text)):
        raise HoardError(f"The pinned root {text[:12]} ({name}) has no {FILE_NAME}, so no policy begins there.", _without(reader, source))
    return Pin(Oid(text), source)


def _without(reader: Reader, source: str) -> str:
    """The command that shows the first policy's commit without the pin that cannot hold."""
    if source == "option":
        return "hoard verify"
    if source == "environment":
        return f"env -u {VARIABLE} hoard verify"
    said = plumbing_of(reader).git(("config", "--show-scope", "--get", KEY), fixed=False).finish((0, 1)).decode("ascii", "replace")
    scope = said.partition("\t")[0]
    if scope in ("local", "global", "system", "worktree"):
        return f"git config --{scope} --unset-all {KEY} && hoard verify"
    return "env -u GIT_CONFIG_COUNT -u GIT_CONFIG_PARAMETERS hoard verify"


def brings_policy(reader: Reader, oid: Oid) -> bool:
    """Whether a commit has a policy anywhere in its tree."""
    return bool(policy_paths(reader, oid))


def pin_findings(reader: Reader, pin: Pin | None, tip: Oid, introducing: Sequence[Oid]) -> list[Finding]:
    """What is wrong between a pinned root and the history of a tip (HG307); nothing where none is pinned.

    `introducing` are the commits under judgement that bring a policy where their parents have none: each has to be the root or to build on it.
    A history without the root and without any policy is judged elsewhere, by the policy of the branch that it comes to.
    """
    if pin is None:
        return []
    if _builds_on(reader, tip, pin.oid):
        foreign = [oid for oid in introducing if not _builds_on(reader, oid, pin.oid) and not _builds_on(reader, pin.oid, oid)]
        message = f"brings a policy that does not come from the pinned root {pin.oid[:12]}"
        return [_finding(message, oid, "start the branch from a commit that has the policy of the root") for oid in foreign]
    if not introducing and not brings_policy(reader, tip):
        return []
    message = f"its history does not contain the pinned root {pin.oid[:12]}: it is another one, or was cut off or rewritten"
    return [_finding(message, tip, f"compare with the history that has it: git branch -a --contains {pin.oid}")]


def _builds_on(reader: Reader, oid: Oid, root: Oid) -> bool:
    return oid == root or reader.merge_base(oid, root) == root


def _finding(message: str, commit: Oid, hint: str) -> Finding:
    return Finding("HG307", "protected-file-changed", "error", message, FILE_NAME, commit=commit, hint=hint)
