"""hooks: whether git runs ours."""

from __future__ import annotations

import os
import sys

import hoard_git
from hoard_git.app.checks.base import FAIL, OK, Check
from hoard_git.gitio import hookfiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.checks.base import Look

_RUNNING = ("installed", "chained")
_OURS = ("outdated", "broken-interpreter")


def check(look: Look) -> Check:
    """A foreign hook that runs first is fine; a missing hook is not."""
    found = hookfiles.status(look.reader, look.hooks)
    bad = [one for one in found if one.state not in _RUNNING]
    if bad:
        return Check("hooks", FAIL, ", ".join(f"{one.name}: {one.state}" for one in bad), bad[0].fix or "hoard hooks install")
    left_out = [one.detail.rstrip(".") for one in found if one.state == "chained" and one.detail.startswith("It leaves out")]
    return Check("hooks", OK, f"{len(found)} installed" + (f"; {left_out[0]}" if left_out else ""))


def repair(look: Look) -> tuple[str, ...]:
    """Bring our own hooks up to date; one that is missing or somebody else's is left to `hoard hooks install`."""
    names = [one.name for one in hookfiles.status(look.reader, look.hooks) if one.state in _OURS]
    if not names:
        return ()
    package = os.path.dirname(os.path.dirname(os.path.realpath(hoard_git.__file__)))  # noqa: PTH120 -- as the shims hold it
    actions = [one for one in hookfiles.plan_install(look.reader, names, sys.executable, package) if one.kind == "update"]
    hookfiles.apply_install(actions)
    return tuple(f"brought the hook {action.name} up to date" for action in actions)
