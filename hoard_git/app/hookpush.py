"""pre-push: an early warning about what the remote's gate will say. Whoever knows better passes it with `git push --no-verify`."""

from __future__ import annotations

from hoard_git.app.clock import read_days
from hoard_git.app.pin import read_pin
from hoard_git.app.refupdates import Push, Side, checked_update, list_refs
from hoard_git.gitio.opening import open_reader, plumbing_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.app.refupdates import Outcome, Update
    from hoard_git.core.model import Oid
    from hoard_git.gitio.plumbing import PlumbingReader


def pre_push(remote: str, given: bytes, environ: Mapping[str, str]) -> list[Outcome]:
    """Judge what a push to `remote` (a name, or its address) would add there, by what was fetched from it last.

    Standard input holds git's lines `<local ref> <local oid> <remote ref> <remote oid>`. Raises HoardError when they cannot be judged.
    """
    updates = parse_updates(given)
    if not updates:
        return []
    reader = open_reader(".", batch=True)
    git = plumbing_of(reader)
    side = _remote_side(git, remote)._replace(pin=read_pin(reader, environ))
    return Push(reader, updates, side, lambda policy: read_days(policy, "", environ)).judge()


def _remote_side(git: PlumbingReader, remote: str) -> Side:
    """What the remote looks like from here: its branches as they were fetched, under the names that they have there."""
    if git.config(f"remote.{remote}.url") is None:
        return Side({}, "", "", strict=False, has_all=False)  # an address: nothing is known of it
    prefix = f"refs/remotes/{remote}/"
    refs: dict[str, Oid] = {}
    for name, oid in list_refs(git, prefix).items():
        if name != f"{prefix}HEAD":
            refs[f"refs/heads/{name.removeprefix(prefix)}"] = oid
    named = git.git(("symbolic-ref", "--quiet", f"{prefix}HEAD")).finish((0, 1, 128)).decode("utf-8", "surrogateescape").strip()
    main = f"refs/heads/{named.removeprefix(prefix)}" if named.startswith(prefix) else ""
    return Side(refs, main, prefix, strict=False, has_all=False)


def parse_updates(given: bytes) -> list[Update]:
    """Read git's lines; a ref name holds no blank, but what was pushed may be any expression."""
    found = []
    for line in given.split(b"\n"):
        if line:
            rest, _, old = line.rpartition(b" ")
            rest, _, ref = rest.rpartition(b" ")
            found.append(checked_update(ref, old, rest.rpartition(b" ")[2]))
    return found
