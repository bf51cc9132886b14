"""`hoard status`: the state of the memory in a handful of facts, each with the command that does something about it."""

from __future__ import annotations

from hoard_git.app.checks import freshness, hiddenfiles, hooks, interrupted, signatures
from hoard_git.app.checks.base import FAIL, OK, WARN, Check, count, several
from hoard_git.app.write import find_changed
from hoard_git.core.budget import INDEX_NAME
from hoard_git.core.duplicates import find_groups, find_statements
from hoard_git.core.files import file_default
from hoard_git.core.freshness import EXPIRED, STALE
from hoard_git.core.policy import FILE_NAME
from hoard_git.core.provenance import count_untagged, provenances
from hoard_git.core.window import DROPPED, NEAR, WHOLE
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hoard_git.app.checks.base import Look
    from hoard_git.app.windows import Room
    from hoard_git.core.window import Row

_COMPARED = ("index", "topic", "daily")


def read_status(look: Look) -> list[Check]:
    """The facts in order. One that cannot be seen says so, of several for the same reason the first, and the others still stand."""
    facts: list[Check] = []
    for name, read in _FACTS:
        try:
            facts += read(look)
        except HoardError as error:
            lost = Check(name, FAIL, error.message.rstrip("."), error.hint)
            facts += [] if any(lost[1:] == fact[1:] for fact in facts) else [lost]
    return facts


def _workspace(look: Look) -> Iterator[Check]:
    if not look.policies.known:
        yield Check("workspace", FAIL, f"no {FILE_NAME} here, so nothing is guarded", "hoard init")
        return
    files = sum(found.file_class not in ("archive", "other") for found in look.memory.values())
    what = f"{count(files, 'memory file')}, mode {look.policy.mode}, authority {look.policy.authority}"
    yield Check("workspace", OK if look.policy.mode == "enforce" else WARN, what, "hoard doctor")


def _budgets(look: Look) -> Iterator[Check]:
    for room in look.rooms:
        yield from _room(room, f" of {room.top.rstrip('/')}" if len(look.rooms) > 1 else "")


def _room(room: Room, where: str) -> Iterator[Check]:
    """The index, the total, and every other file that is not loaded whole or nearly so."""
    for row in room.window.rows:
        index = row.name == INDEX_NAME
        lost = row.outcome != WHOLE or row.is_over
        if not index and not lost and row.percent < NEAR:
            continue
        state = f", {row.outcome}" if row.outcome != WHOLE else ""
        fix = "hoard consolidate --dry-run" if index and (lost or row.percent >= NEAR) else "hoard doctor"
        name = "index" if index else "over" if lost else "near"
        status = FAIL if lost else WARN if row.percent >= NEAR else OK
        yield Check(name, status, f"{row.path} {_share(row)}{state}", fix)
    total = room.window.budget.total
    if total is not None:
        lost = any(row.outcome == DROPPED for row in room.window.rows)
        status = FAIL if lost else WARN if room.window.percent >= NEAR else OK
        yield Check("loaded", status, f"{room.window.percent} % of {total.text()}{where} ({room.window.budget.name})", "hoard doctor")


def _share(row: Row) -> str:
    """How much of its limit a file takes, in a few words."""
    return f"{row.size.chars:,} chars" if row.limit is None else f"{row.percent} % of {row.limit.text()}"


def _ages(look: Look) -> Iterator[Check]:
    counts = freshness.count_states(look)
    for state in (STALE, EXPIRED):
        past = counts[state]
        yield Check(state, WARN if past else OK, count(past, "entry"), "hoard consolidate --dry-run" if past else "hoard tiers")


def _untagged(look: Look) -> Iterator[Check]:
    entries, paths = 0, []
    for path, file_class in look.active():
        document = look.document(path)
        if document is None:
            continue
        here = count_untagged(document, file_default(path, file_class, look.policies.govern(path)))
        entries += here
        paths += [path] if here else []
    what = count(entries, "entry") + (f" in {several(paths)}" if paths else "")
    yield Check("untagged", WARN if entries else OK, what, "hoard tag --dry-run" if entries else "hoard check")


def _duplicates(look: Look) -> Iterator[Check]:
    """Copies within one workspace, as HG603 counts them: those that may go."""
    rooms: dict[str, list[tuple[str, str]]] = {}
    for path, file_class in look.active():
        if file_class in _COMPARED:
            rooms.setdefault(look.policies.govern(path).prefix, []).append((path, file_class))
    copies = 0
    for files in rooms.values():
        statements = []
        for path, file_class in files:
            document = look.document(path)
            if document is not None:
                claims = provenances(document, file_default(path, file_class, look.policies.govern(path)))
                statements += find_statements(path, file_class, document, claims)
        copies += sum(len(group.goes) for group in find_groups(statements))
    fix = "hoard consolidate --dry-run --steps dedupe" if copies else "hoard check"
    yield Check("duplicates", WARN if copies else OK, count(copies, "copy"), fix)


def _unsigned(look: Look) -> Iterator[Check]:
    if look.policy.authority != "signature":
        yield Check("unsigned", OK, "not asked for (authority: author)", "hoard init --sign-key KEY.pub")
        return
    found = signatures.find_unsigned(look)
    what = f"{found.unsigned} of the latest {count(found.humans, 'commit')} by a human's address"
    yield Check("unsigned", WARN if found.unsigned else OK, what, "hoard doctor")


def _changes(look: Look) -> Iterator[Check]:
    changed = find_changed(look.reader, ()).paths if look.policies.known else ()
    what = f"{count(len(changed), 'file')}: {several(changed)}" if changed else "everything is committed"
    yield Check("changed", WARN if changed else OK, what, "hoard commit" if changed else "hoard log -n 5")
    hidden = hiddenfiles.check(look)
    if hidden.status == FAIL:
        yield hidden._replace(name="hidden")


def _hooks(look: Look) -> Iterator[Check]:
    found = hooks.check(look)
    yield Check("hooks", found.status, "on" if found.status == OK else f"off: {_summed(found.detail)}", found.fix or "hoard hooks status")
    cut_off = interrupted.check(look)
    if cut_off.status != OK:
        yield cut_off


def _summed(detail: str) -> str:
    """`a: missing, b: missing` as `2 missing`; other details as they are."""
    states = [part.partition(": ")[2] for part in detail.split(", ")]
    return f"{len(states)} {states[0]}" if len(states) > 1 and len(set(states)) == 1 and states[0] else detail


_FACTS: tuple[tuple[str, Callable[[Look], Iterator[Check]]], ...] = (
    ("workspace", _workspace),
    ("loaded", _budgets),
    ("stale", _ages),
    ("untagged", _untagged),
    ("duplicates", _duplicates),
    ("unsigned", _unsigned),
    ("changed", _changes),
    ("hooks", _hooks),
)
