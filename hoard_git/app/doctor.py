"""`hoard doctor`: what a workspace needs to work, checked one by one, each with the next command. One check is one file of app/checks."""

from __future__ import annotations

from hoard_git.app.checks import (
    archive,
    bootstrap,
    freshness,
    hiddenfiles,
    hooks,
    hostconfig,
    identity,
    index,
    interrupted,
    mergedriver,
    policy,
    repository,
    signatures,
    worktreeflags,
)
from hoard_git.app.checks.base import FAIL, Check, Look
from hoard_git.core.record import Record
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hoard_git.app.growth import Growth
    from hoard_git.app.windows import Room

CHECKS: tuple[tuple[str, Callable[[Look], Check]], ...] = (
    ("git", repository.check),
    ("policy", policy.check),
    ("identity", identity.check),
    ("hooks", hooks.check),
    ("merge-driver", mergedriver.check),
    ("signatures", signatures.check),
    ("index", index.check),
    ("bootstrap", bootstrap.check),
    ("host-config", hostconfig.check),
    ("hidden-files", hiddenfiles.check),
    ("worktree-flags", worktreeflags.check),
    ("archive", archive.check),
    ("interrupted", interrupted.check),
    ("freshness", freshness.check),
)
"""Every check in order, under its name (INTERFACE, "JSON: doctor")."""

REPAIRS: tuple[Callable[[Look], tuple[str, ...]], ...] = (interrupted.repair, index.repair, hooks.repair)
"""What `--fix` does: only what loses nothing and what nobody could have wanted otherwise. No lock is ever deleted."""


class Diagnosis(Record):
    """All checks in order, what `--fix` has done, one clause each, and what a host loads of each workspace, with the growth of each file by path.

    There are no rooms where that cannot be told.
    """

    checks: tuple[Check, ...]
    done: tuple[str, ...] = ()
    rooms: tuple[Room, ...] = ()
    growth: Mapping[str, Growth] = {}

    @property
    def has_failed(self) -> bool:
        """Whether any check failed."""
        return any(check.status == FAIL for check in self.checks)


def diagnose(make: Callable[[], Look], *, fix: bool = False) -> Diagnosis:
    """Run every check; with `fix` do first what is safe. `make` gives a fresh look, since a repair changes what is seen."""
    done = _repair(make()) if fix else ()
    look = make()
    checks = tuple(_run(name, check, look) for name, check in CHECKS)
    try:
        return Diagnosis(checks, done, tuple(look.rooms), look.growth)
    except HoardError:  # bootstrap and host-config have said why
        return Diagnosis(checks, done)


def _run(name: str, check: Callable[[Look], Check], look: Look) -> Check:
    try:
        return check(look)
    except HoardError as error:  # a check that could not look has failed, and the others still run
        return Check(name, FAIL, error.message.rstrip("."), error.hint)


def _repair(look: Look) -> tuple[str, ...]:
    done: list[str] = []
    for repair in REPAIRS:
        try:
            done += repair(look)
        except HoardError as error:
            done.append(f"not everything: {error.message.rstrip('.')}")
    return tuple(done)
