"""`hoard consolidate`: the upkeep plan of every workspace of HEAD, as a proposal on a branch or as a commit on the current one."""

from __future__ import annotations

from hoard_git.app.freezing import at_origins, plan_around
from hoard_git.app.gate import Gate
from hoard_git.app.message import expected_for
from hoard_git.app.policies import read_policies
from hoard_git.app.write import Refused, refuse_errors, writing
from hoard_git.core.drafts import Kept
from hoard_git.core.files import OTHER, classify, file_default, local_path
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Finding, Oid, RepoPath
from hoard_git.core.permits import EVERYTHING
from hoard_git.core.plan import DEFAULT_STEPS, STEPS, Help, Plan, make_plan
from hoard_git.core.plantext import message
from hoard_git.core.record import Record
from hoard_git.core.tiers import is_packed_log
from hoard_git.core.trailers import DIGEST, OP, REMOVED, Trailer, parse_trailers, replace_memory_trailers
from hoard_git.core.trust import actor_of
from hoard_git.core.whereabouts import NONE, history_span
from hoard_git.errors import HoardError
from hoard_git.gitio.applying import Finished, Journal, checked_out, current_ref, find_busy, find_dirty, finish, is_bare, move_to
from hoard_git.gitio.writer import RefMovedError, signs_commits, update_ref, write_tree_commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hoard_git.app.clock import Days
    from hoard_git.app.gate import Judgement
    from hoard_git.core.model import Actor
    from hoard_git.core.permits import Permits
    from hoard_git.core.policy import Policy
    from hoard_git.core.summary import Summarise
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import Ident

BRANCHES = "refs/heads/hoard/consolidate/"
"""Where proposals live; the day of the plan follows."""

_TRIES = 4
"""How often a plan is made anew because the branch moved under it."""


class Wanted(Record):
    """What to do: which steps, with which summariser, and why, for the trailers. `permits` says which actions may be done."""

    steps: tuple[str, ...] = DEFAULT_STEPS
    summarise: Summarise | None = None
    reason: str = ""
    permits: Permits = EVERYTHING


class Workspace(Record):
    """One workspace of a commit: its directory ('' or ending in '/'), its policy, its memory files, and other paths below it."""

    root: str
    policy: Policy
    files: tuple[Kept, ...]
    taken: tuple[str, ...]


class Outcome(Record):
    """What came of it. `ref` and `commit` are None when nothing was written; `plans` are by workspace, in the order of their roots.

    `findings` is what the gate said of it. `replaced` is an older proposal of ours whose branch now points here, `known` is true when the very
    same proposal was there already, and `kept` are files that somebody changed while it was applied.
    """

    base: Oid
    plans: tuple[Plan, ...]
    ref: str | None = None
    commit: Oid | None = None
    findings: tuple[Finding, ...] = ()
    replaced: Oid | None = None
    known: bool = False
    kept: tuple[str, ...] = ()
    finished: Finished | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do."""
        return all(plan.is_empty for plan in self.plans)


class _Made(Record):
    commit: Oid
    judgement: Judgement


def read_steps(text: str) -> tuple[str, ...]:
    """The steps of a comma-separated list, in the order in which they run. Raises HoardError for an unknown one."""
    asked = [name.strip() for name in text.split(",") if name.strip()]
    unknown = next((name for name in asked if name not in STEPS), None)
    if unknown is not None or not asked:
        raise HoardError(
            f"{unknown or text!r} is no step.", f"hoard consolidate --steps {','.join(DEFAULT_STEPS)}    (known: {', '.join(STEPS)})"
        )
    return tuple(name for name in STEPS if name in asked)


def plan_head(reader: PlumbingReader, wanted: Wanted, days: Callable[[Policy], Days], environ: Mapping[str, str]) -> Outcome:
    """Make the plan for HEAD; nothing is written. Raises HoardError when there is no commit yet."""
    base = reader.head()
    if base is None:
        raise HoardError("There is no commit yet, so there is nothing to consolidate.", "hoard init")
    return Outcome(base, tuple(_plans(reader, base, wanted, days, environ)))


def actor_here(reader: PlumbingReader, author: Ident, policy: Policy, environ: Mapping[str, str]) -> Actor:
    """Who a commit of the plan by this author would count as: where the policy asks for signatures a human only if git signs commits here, for nobody signs it later."""
    return actor_of(author.email, policy, environ=environ, local=signs_commits(reader))


def propose(reader: PlumbingReader, wanted: Wanted, days: Callable[[Policy], Days], environ: Mapping[str, str]) -> Outcome:
    """Put the plan into a commit on a branch of its own; the current branch, the index and the work tree stay as they are.

    Raises Refused when the gate objects to more than the amount, which a human may take.
    """
    outcome = plan_head(reader, wanted, days, environ)
    if outcome.is_empty:
        return outcome
    made = _make(reader, outcome, wanted, days, environ, by_human=True)
    ref, old, known = _find_branch(reader, outcome, made.commit)
    if known is not None:
        return outcome._replace(ref=ref, commit=known, findings=made.judgement.findings, known=True)
    _require_room(reader, ref)
    update_ref(reader, ref, made.commit, old, reason="hoard consolidate")
    return outcome._replace(ref=ref, commit=made.commit, findings=made.judgement.findings, replaced=old)


def apply(
    reader: PlumbingReader,
    wanted: Wanted,
    days: Callable[[Policy], Days],
    environ: Mapping[str, str],
    *,
    confirm: Callable[[Outcome], None] = lambda _outcome: None,
) -> Outcome:
    """Commit the plan on the current branch and bring index and work tree along.

    When the branch moves meanwhile the plan is made anew, a few times. Raises HoardError while a merge or the like is under way, for
    uncommitted changes in a file that the plan edits, and when the branch never holds still; Refused when the gate objects. `confirm` sees
    every plan before anything is written, and may raise.
    """
    with writing(reader):
        finished = finish(reader)
        for _attempt in range(_TRIES):
            outcome = plan_head(reader, wanted, days, environ)._replace(finished=finished)
            confirm(outcome)
            if outcome.is_empty:
                return outcome
            _require_quiet(reader, outcome)
            made = _make(reader, outcome, wanted, days, environ, by_human=False)
            journal = Journal(outcome.base, made.commit, current_ref(reader))
            try:
                kept = move_to(reader, journal, reason=f"hoard consolidate: {outcome.plans[0].day}")
            except RefMovedError:
                continue
            return outcome._replace(ref=journal.ref, commit=made.commit, findings=made.judgement.findings, kept=kept)
    raise HoardError(
        f"The branch moved {_TRIES} times while the plan was made; nothing was changed.",
        "Stop the other writers and run the command again.",
    )


def _require_quiet(reader: PlumbingReader, outcome: Outcome) -> None:
    busy = find_busy(reader)
    if busy:
        raise HoardError(f"Something else is under way here ({busy}); nothing was changed.", "Finish or abort it first: git status")
    if is_bare(reader):
        return
    dirty = find_dirty(reader, [path for plan in outcome.plans for path in plan.edits])
    if dirty:
        more = f" and {len(dirty) - 1} more" if len(dirty) > 1 else ""
        raise HoardError(
            f"{dirty[0]!r}{more} has changes that are not committed; nothing was changed.",
            "hoard commit   (or without --apply: a proposal)",
        )


# -------------------------------------------------------------------- the snapshot and its plans


def workspaces(reader: PlumbingReader, base: Oid) -> list[Workspace]:
    """The workspaces of a commit, each with its memory files; one policy may hold several roots. Sorted by directory."""
    tree = reader.tree(base)
    policies = read_policies(reader, base, [str(path) for path in tree])
    found: dict[tuple[str, str], list[tuple[str, str, Oid]]] = {}
    others: dict[tuple[str, str], list[str]] = {}
    governing: dict[tuple[str, str], Policy] = {}
    for name, (mode, oid) in tree.items():
        path = str(name)
        policy = policies.govern(path)
        local = local_path(path, policy)
        if local is None:
            continue
        key = (path.removesuffix(local), policy.prefix)
        governing[key] = policy
        file_class = classify(path, policy)
        if (file_class in ("", OTHER) and not is_packed_log(path)) or mode not in (MODE_FILE, MODE_EXECUTABLE):
            others.setdefault(key, []).append(path)
        else:
            found.setdefault(key, []).append((path, file_class, oid))
    blobs = reader.blobs({oid for files in found.values() for _path, _class, oid in files})
    spaces = []
    for key in sorted(found):
        policy = governing[key]
        files = tuple(Kept(path, name, blobs[oid], file_default(path, name, policy)) for path, name, oid in sorted(found[key]))
        spaces.append(Workspace(key[0], policy, files, tuple(others.get(key, ()))))
    return spaces


def _plans(reader: PlumbingReader, base: Oid, wanted: Wanted, days: Callable[[Policy], Days], environ: Mapping[str, str]) -> Iterable[Plan]:
    author = reader.author()
    for space in workspaces(reader, base):
        actor = actor_here(reader, author, space.policy, environ)
        help_from = _help(reader, base, space, wanted, actor)
        day = days(space.policy)

        def make(frozen: Mapping[str, str], space: Workspace = space, help_from: Help = help_from, today: int = day.today) -> Plan:
            helper = help_from._replace(frozen=frozen)
            return make_plan(space.files, space.policy, today, wanted.steps, root=space.root, taken=space.taken, help_from=helper)

        yield plan_around(make, space.files, space.policy, actor, day)


def _help(reader: PlumbingReader, base: Oid, space: Workspace, wanted: Wanted, actor: Actor) -> Help:
    """Names to mask, which only cold logs need, and who makes the commit, which only a promotion asks."""
    names: tuple[str, ...] = ()
    if "tiers" in wanted.steps and any(file.file_class in ("daily", "archive") for file in space.files):
        from hoard_git.app.names import gather_names

        names = gather_names(reader, space.policy, base)
    return Help(names, wanted.summarise, actor.is_human, permits=wanted.permits)


# -------------------------------------------------------------------- the commit


def _make(
    reader: PlumbingReader,
    outcome: Outcome,
    wanted: Wanted,
    days: Callable[[Policy], Days],
    environ: Mapping[str, str],
    *,
    by_human: bool,
) -> _Made:
    """Store the commit, judged by the gate before it has a ref. `by_human` lets the amount pass that only a human may take."""
    edits = {RepoPath(path): data for plan in outcome.plans for path, data in plan.edits.items()}
    removed = {key: told for plan in outcome.plans for key, told in plan.removed.items()}
    author = reader.author()
    draft = write_tree_commit(reader, outcome.base, edits, [outcome.base], b"Consolidate memory\n", author=author._replace(time=0))
    gate = Gate(reader, days=days)
    judgement = gate.judge((outcome.base,), draft, lambda policy: actor_here(reader, author, policy, environ))
    origins = {path: lines for plan in outcome.plans for path, lines in plan.origins.items()}
    judgement = judgement._replace(findings=tuple(at_origins(judgement.findings, origins)))
    _refuse(judgement, outcome.plans, by_human=by_human)
    trailers = _with_packed(expected_for(judgement, op="consolidate", reason=wanted.reason, removed=removed), outcome)
    text = replace_memory_trailers(message(outcome.plans, _is_mute).encode("utf-8", "surrogateescape"), trailers, None)
    commit = write_tree_commit(reader, draft, {}, [outcome.base], text, author=author._replace(time=0))
    return _Made(commit, judgement)


def _with_packed(trailers: tuple[Trailer, ...], outcome: Outcome) -> tuple[Trailer, ...]:
    """The trailers, and for each packed log that was shortened one more that says where its lines are: what is in gzip is in no list of changes."""
    lines = [
        Trailer(REMOVED, f"{NONE} {history_span(outcome.base, action.path, action.line, action.end_line)}")
        for plan in outcome.plans
        for action in plan.actions
        if action.gone and action.line and is_packed_log(action.path)
    ]
    at = next((number for number, trailer in enumerate(trailers) if trailer.key == DIGEST), len(trailers))
    return (*trailers[:at], *dict.fromkeys(lines), *trailers[at:])


def _is_mute(text: str) -> bool:
    """Whether a text is not to live on in a commit message: it holds a secret or personal data."""
    from hoard_git.core.personal import find_personal
    from hoard_git.core.secrets import find_secrets

    return bool(find_secrets(text.split("\n"))) or next(iter(find_personal(text)), None) is not None


def _refuse(judgement: Judgement, plans: Iterable[Plan], *, by_human: bool) -> None:
    """Raise Refused for what the gate objects to; the amount alone does not keep a proposal from being made.

    The plan counts what leaves the active files with what turns cold, so an agent is stopped by it where the gate would let single logs pass.
    """
    findings = [f._replace(hint=_TAKE) if f.code == "HG310" else f for f in judgement.findings if not (by_human and f.code == "HG310")]
    if not by_human and not judgement.actor.is_human and not any(f.code == "HG310" for f in findings):
        findings += [_mass(plan) for plan in plans if plan.is_mass]
    refuse_errors(judgement._replace(findings=tuple(findings)))


_TAKE = "hoard consolidate   (writes a proposal, and says how a human takes it)"


def _mass(plan: Plan) -> Finding:
    message = f"{plan.leaving} of {plan.active} entries leave the active memory, more than {round(plan.max_loss * 100)}%"
    return Finding("HG310", "mass-removal", "error", message, hint=_TAKE)


def _find_branch(reader: PlumbingReader, outcome: Outcome, commit: Oid) -> tuple[str, Oid | None, Oid | None]:
    """The branch for a proposal, the older proposal of ours that it holds now, and its tip when that says the very same.

    A branch that somebody has gone on working on stays theirs, and one that a work tree has checked out stays where it is; the next number is
    taken then.
    """
    held = checked_out(reader)
    for number in range(1, 1000):
        ref = f"{BRANCHES}{outcome.plans[0].day}{f'-{number}' if number > 1 else ''}"
        there = _tip(reader, ref)
        if there is None and ref not in held:
            return ref, None, None
        if there is None:
            continue
        info = reader.commit(there)
        ours = any(t.key == OP and t.value == "consolidate" for t in parse_trailers(info.message)) and len(info.parents) == 1
        if ours and info.parents[0] == outcome.base and _tree(reader, there) == _tree(reader, commit):
            return ref, there, there
        if ours and ref not in held and _is_untouched(reader, info.parents[0]):
            return ref, there, None
    raise HoardError("There are too many proposals of this day.", "git branch --list 'hoard/consolidate/*'")


def _require_room(reader: PlumbingReader, ref: str) -> None:
    """Refuse before git does when another branch lies in the way: a branch is a file, and none has others below it."""
    name = ref.removeprefix("refs/heads/")
    parts = name.split("/")
    for count in range(1, len(parts)):
        other = "/".join(parts[:count])
        if _tip(reader, f"refs/heads/{other}") is not None:
            raise HoardError(f"A branch is called {other!r}, so git can make none called {name!r}.", f"git branch -m {other} NEW-NAME")


def _tip(reader: PlumbingReader, ref: str) -> Oid | None:
    out = reader.git(("rev-parse", "-q", "--verify", ref)).finish((0, 1)).strip().decode()
    return Oid(out) if out else None


def _tree(reader: PlumbingReader, commit: Oid) -> str:
    return reader.git(("rev-parse", f"{commit}^{{tree}}")).finish().strip().decode()


def _is_untouched(reader: PlumbingReader, parent: Oid) -> bool:
    """Whether a proposal stands right on the history of HEAD: nobody has put commits of their own below it."""
    head = reader.head()
    return head is not None and (parent == head or reader.merge_base(parent, head) == parent)


__all__ = [
    "BRANCHES",
    "Outcome",
    "Refused",
    "Wanted",
    "Workspace",
    "actor_here",
    "apply",
    "plan_head",
    "propose",
    "read_steps",
    "workspaces",
]
