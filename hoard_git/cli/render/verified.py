"""The output of `hoard verify`: root, policies, changes that take a human, signatures, witness."""

from __future__ import annotations

import json
from collections import Counter

from hoard_git.cli.render.columns import cut, plain, terminal_width, wrap
from hoard_git.cli.render.history import paint, whole
from hoard_git.cli.render.text import path_data, path_text
from hoard_git.core.moments import iso_day, iso_moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.app.verify import Act, Verification, Verified
    from hoard_git.app.witness import Sightings
    from hoard_git.core.witness import Seen

_FEW = 5
_SOURCES = {"option": "by --root", "environment": "by HOARD_ROOT", "config": "by git's hoard.root"}
_SIGNED = {"bad": "not good", "unknown-key": "by a key that the policy does not list", "none": "none"}
_STATES = {
    "rolled-back": "was turned back",
    "rewritten": "was rewritten: it no longer contains what it named",
    "vanished": "is gone, and nothing else holds what it named",
    "accepted": "changed, and that is accepted now",
    "merged": "is gone; another branch holds what it named",
    "advanced": "moved forward",
    "new": "is new",
    "same": "is as it was",
}


def render_text(found: Verification, told: Sightings | None, *, everything: bool, color: bool) -> Iterator[str]:
    """Lines for people, for a terminal of the width that it has."""
    yield from _root(found)
    policies = [commit for commit in found.commits if commit.steps]
    if policies:
        yield "policies"
        for commit in policies:
            yield from _commit(commit, color=color, few=0 if everything else _FEW, steps=True)
    changes = [commit for commit in found.commits if commit.acts and not (commit.steps and commit.is_entitled)]
    shown = changes if everything else [commit for commit in changes if not commit.is_entitled] or changes[-_FEW:]
    if changes:
        hidden = len(changes) - len(shown)
        which = "" if not hidden else f" (the {len(shown)} that were refused; all: --all)"
        if hidden and shown[0].is_entitled:
            which = f" (the last {len(shown)} of {len(changes)}, all entitled; the others: --all)"
        yield f"changes that take a human{which}"
        for commit in shown:
            yield from _commit(commit, color=color, few=0 if everything else _FEW)
    yield from _signatures(found, everything=everything, color=color)
    if told is not None:
        yield from witness_lines(told, color=color)


def _root(found: Verification) -> Iterator[str]:
    if found.pin is not None:
        yield f"root {found.root[:12]}, pinned {_SOURCES[found.pin.source]}"
        if found.before:
            yield f"  {_count(found.before, 'commit')} before it or before any policy: taken as they are"
        return
    yield f"root {found.root[:12]}, the first policy here: believed, for none is pinned"
    yield f"  pin it: git config hoard.root {found.root}"
    if found.before:
        yield f"  {_count(found.before, 'commit')} before it: taken as they are"


def _commit(commit: Verified, *, color: bool, few: int, steps: bool = False) -> Iterator[str]:
    columns = terminal_width()
    good = commit.is_entitled
    word = paint("ok     " if good else "REFUSED", "32" if good else "31", on=color)
    head = f"  {commit.oid[:10]}  {_day(commit):<10}  "
    yield f"{word}{head}" + cut(_who(commit), max(20, columns - 7 - len(head)))
    for part in wrap(_proof(commit), columns - 4):
        yield "    " + part
    for step in commit.steps if steps else ():
        where = f"{path_text(step.path)}: " if len(commit.steps) > 1 or "/" in step.path else ""
        for clause in step.changes:
            yield from (f"    {part}" for part in wrap(f"- {where}{plain(clause)}", columns - 4))
    acts = [act for act in commit.acts if not act.entitled or not steps]
    for act in acts[: few or None]:
        yield from _act(act, columns, color=color)
    if few and len(acts) > few:
        yield f"    and {len(acts) - few} more"


def _act(act: Act, columns: int, *, color: bool) -> Iterator[str]:
    where = path_text(act.path) + (f":{act.line}" if act.line else "") if act.path else "commit"
    said = act.what if act.entitled else f"{act.code} {act.what}" + (" (the policy only warns)" if act.severity != "error" else "")
    for part in wrap(f"- {where}: {plain(said)}", columns - 4):
        yield "    " + (part if act.entitled else paint(part, "31", on=color))
    if act.hint and not act.entitled:
        for part in wrap(plain(act.hint), columns - 6):
            yield "      " + part


def _who(commit: Verified) -> str:
    name = plain(commit.author.name) or plain(commit.author.email) or "nobody"
    return f"{name} <{plain(commit.author.email)}>"


def _proof(commit: Verified) -> str:
    """By what the maker of a commit has the rank that they have."""
    actor, proof = commit.actor, commit.proof
    kind = f"a{'n' * (actor.kind[0] in 'aeiou')} {actor.kind}"
    first = " (the first policy vouches for itself)" if commit.introduces else ""
    if commit.decided_by == "signature":
        return f"{kind}, {plain(actor.name) or 'listed'}, by the signature of {proof.fingerprint}{first}"
    if commit.decided_by == "author":
        return f"{kind} by the author's address alone, which anybody can type{first}"
    if commit.decided_by == "pin":
        return f"{kind}; whoever pinned it vouches for it"
    said = _SIGNED.get(proof.kind, "good, and of nobody who counts as a human")
    more = proof.detail or proof.fingerprint
    return f"{kind}; signature: {said}" + (f" ({plain(more)})" if more else "")


def _signatures(found: Verification, *, everything: bool, color: bool) -> Iterator[str]:
    counts = Counter(commit.proof.kind for commit in found.commits)
    yield (
        f"signatures of {_count(len(found.commits), 'commit')}: {counts['good']} good, {counts['none']} without, "
        f"{counts['unknown-key']} by keys of nobody, {counts['bad']} bad"
    )
    columns = terminal_width()
    for kind in ("bad", "unknown-key", "none"):
        mine = [commit for commit in found.commits if commit.proof.kind == kind]
        if kind != "bad" and not everything:
            yield from _by_signer(mine, kind, columns)
            continue
        for commit in mine:
            more = commit.proof.detail or commit.proof.fingerprint or "no signature"
            word = paint(f"{kind.removesuffix('-key'):<7}", "31" if kind == "bad" else "", on=color)
            yield f"{word}  {commit.oid[:10]}  {_day(commit):<10}  " + cut(plain(more), max(20, columns - 33))


def _by_signer(commits: Sequence[Verified], kind: str, columns: int) -> Iterator[str]:
    """A line for each key, or each author of unsigned commits: how many, and the newest."""
    groups: dict[str, list[Verified]] = {}
    for commit in commits:
        groups.setdefault(commit.proof.fingerprint or "a PGP key" if kind == "unknown-key" else _who(commit), []).append(commit)
    for name, mine in sorted(groups.items(), key=lambda pair: -len(pair[1]))[:_FEW]:
        yield cut(f"  {len(mine):>5} {'by' if kind == 'unknown-key' else 'unsigned by'} {name}, last {mine[-1].oid[:10]}", columns)
    if len(groups) > _FEW:
        yield f"        and {len(groups) - _FEW} more: --all"


def witness_lines(told: Sightings, *, color: bool = False) -> Iterator[str]:
    """What a witness says, a line for each ref that is not as it was; alarms with both names in full."""
    columns = terminal_width()
    if told.first:
        said = f"made just now; it remembers {_count(len(told.seen), 'ref')}, and there is nothing to compare with yet"
        yield from wrap(f"witness {plain(told.name)}: {said}", columns)
        return
    same = sum(seen.state == "same" for seen in told.seen)
    yield from wrap(f"witness {plain(told.name)}: {_count(len(told.seen), 'ref')}, {same} as before", columns)
    for seen in told.seen:
        if seen.state == "same":
            continue
        word = paint("ALARM", "31", on=color) + " " if seen.is_alarm else ""
        yield from wrap(f"  {word}{plain(seen.ref)} {_STATES[seen.state]}", columns)
        if seen.is_alarm:
            yield f"    was {seen.old or '-'}" + (f"  {plain(seen.date[:10])}" if seen.date else "")
            yield f"    is  {seen.new or 'gone'}"


def verdict(found: Verification, told: Sightings | None) -> Iterator[str]:
    """What it comes to, and the next command."""
    changes = sum(bool(commit.acts) for commit in found.commits)
    total = _count(len(found.commits), "commit")
    by_name = sum(bool(commit.acts) and commit.decided_by == "author" for commit in found.commits)
    if found.refused:
        yield f"hoard: {total}: {_count(found.refused, 'commit')} did what nobody was entitled to"
        first = next(commit for commit in found.commits if not commit.is_entitled)
        yield f"  next: hoard check --commit {first.oid[:12]}"
    else:
        yield f"hoard: {total}, {changes} with changes that take a human: every one was entitled"
    if by_name:
        yield f"hoard: {by_name} of them by the author's address alone; signatures close that: hoard init --sign-key KEY.pub"
    for seen in told.alarms if told is not None else ():
        yield f"hoard: witness: {plain(seen.ref)} {_STATES[seen.state]}"
    if told is not None and told.alarms:
        yield _way_out(told)


def _way_out(told: Sightings) -> str:
    first = told.alarms[0]
    if first.date:
        return f"  next: git log {first.old}; if you did that yourself: hoard verify --witness {plain(told.name)} --accept"
    return f"  next: if you have only not pulled yet: git merge --ff-only {first.old}"


def _day(commit: Verified) -> str:
    return iso_day(f"{commit.author.time} {commit.author.zone}") or "-"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


# ---------------------------------------------------------------- JSON


def render_json(found: Verification, told: Sightings | None) -> str:
    """One JSON object (docs/reference/verify.md)."""
    counts = Counter(commit.proof.kind for commit in found.commits)
    data = {
        "schema": 1,
        "range": whole(found.what),
        "tip": found.tip,
        "root": {"commit": found.root, "pinned": found.pin.source if found.pin is not None else None},
        "commits": len(found.commits),
        "before_root": found.before,
        "refused": found.refused,
        "policies": [_step_data(commit) for commit in found.commits if commit.steps],
        "changes": [_change_data(commit) for commit in found.commits if commit.acts],
        "signatures": {
            **{kind: counts[kind] for kind in ("good", "none", "unknown-key", "bad")},
            "commits": [{**_head(commit), "signature": _proof_data(commit)} for commit in found.commits if commit.proof.kind != "good"],
        },
        "witness": None if told is None else _witness_data(told),
    }
    return json.dumps(data, indent=2, ensure_ascii=False)


def _head(commit: Verified) -> dict[str, object]:
    author, actor = commit.author, commit.actor
    who = {"name": whole(author.name), "email": whole(author.email), "kind": actor.kind, "verified": actor.verified}
    return {"commit": commit.oid, "date": iso_moment(f"{author.time} {author.zone}"), "author": who}


def _proof_data(commit: Verified) -> dict[str, object]:
    proof = commit.proof
    return {"kind": proof.kind, "actor": whole(proof.actor) or None, "key": proof.fingerprint or None, "detail": proof.detail or None}


def _step_data(commit: Verified) -> dict[str, object]:
    steps = [{"path": path_data(step.path), "changes": [whole(change) for change in step.changes]} for step in commit.steps]
    return {**_head(commit), "entitled": commit.is_entitled, "by": commit.decided_by, "introduces": commit.introduces, "files": steps}


def _change_data(commit: Verified) -> dict[str, object]:
    acts = [
        {
            "kind": act.kind,
            "path": path_data(act.path) or None,
            "line": act.line or None,
            "what": whole(act.what),
            "entitled": act.entitled,
            "code": act.code,
            "severity": None if act.entitled else act.severity,
            "hint": None if act.entitled else whole(act.hint) or None,
        }
        for act in commit.acts
    ]
    return {
        **_head(commit),
        "entitled": commit.is_entitled,
        "authority": commit.authority,
        "by": commit.decided_by,
        "signature": _proof_data(commit),
        "acts": acts,
    }


def _witness_data(told: Sightings) -> dict[str, object]:
    return {"name": whole(told.name), "first": told.first, "alarms": len(told.alarms), "refs": [_seen_data(seen) for seen in told.seen]}


def _seen_data(seen: Seen) -> dict[str, object]:
    return {"ref": whole(seen.ref), "state": seen.state, "old": seen.old, "new": seen.new, "seen": seen.date or None}
