"""The updates of refs that a push consists of: what each brings and loses, judged for pre-push and pre-receive alike."""

from __future__ import annotations

from hoard_git.app.check import check_commits
from hoard_git.app.netresult import Ends, net_between
from hoard_git.app.pin import pin_findings
from hoard_git.app.policies import Policies
from hoard_git.app.rangecheck import find_arrival, met_on_the_way, read_trusted, without
from hoard_git.core.files import classify, is_protected
from hoard_git.core.model import Actor, Oid
from hoard_git.core.policy import FILE_NAME
from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.gitio.opening import plumbing_of
from hoard_git.gitio.process import decode_path
from hoard_git.gitio.rawformat import is_oid
from hoard_git.lint.elsewhere import MEMORY
from hoard_git.lint.engine import judge
from hoard_git.lint.scene import CommitText, RefChange, Scene

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.app.pin import Pin
    from hoard_git.app.rangecheck import Trusted
    from hoard_git.app.rows import Row
    from hoard_git.core.model import Finding
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import Reader

_MOST_UPDATES = 10_000


class Update(Record):
    """One ref of a push as git names it: None stands for no object, before or after. The objects may be tags."""

    ref: str
    old: Oid | None
    new: Oid | None


class Outcome(Record):
    """What is said about one update. `blocks` is false for errors under a policy that only warns; `commits` were judged."""

    update: Update
    findings: tuple[Finding, ...] = ()
    commits: int = 0
    blocks: bool = False


class Side(Record):
    """What is known of the repository that receives the push.

    `refs` are its refs that hold a commit, by name. `main` names the branch of HEAD, '' when there is none. `vouching` is where the refs that
    vouch for their commits stand here; `strict` asks them for the same policies. `has_all` says that every object of that repository is at hand.
    `pin` is the root that every history with a policy has to contain.
    """

    refs: Mapping[str, Oid]
    main: str
    vouching: str
    strict: bool = True
    has_all: bool = True
    pin: Pin | None = None


def checked_update(ref: bytes, old: bytes, new: bytes) -> Update:
    """Read one update. Raises HoardError when git did not write it."""
    names = [oid.decode("ascii", "replace") for oid in (old, new)]
    if not ref or not all(is_oid(name) for name in names):
        raise HoardError("The list of refs on standard input is not git's.", "Let git run this hook: hoard hooks status")
    before, after = (Oid(name) if name.strip("0") else None for name in names)
    return Update(decode_path(ref), before, after)


class Push:
    """Judges the updates of one push, each commit once for every set of policies in force."""

    def __init__(self, reader: Reader, updates: Sequence[Update], side: Side, days: Callable[[Policy], Days]) -> None:
        """Nothing is read yet. Raises HoardError for a push that is too large to be judged."""
        if len(updates) > _MOST_UPDATES:
            raise HoardError(f"A push of more than {_MOST_UPDATES:,} refs cannot be judged.", "Push in several goes.")
        self._reader = reader
        self._git = plumbing_of(reader)
        self._updates = updates
        self._side = side
        self._days = days
        self._memos: list[tuple[Policies | None, dict[Oid, Row]]] = []
        self._ends: dict[Oid, tuple[str, Oid | None]] = {}
        self._staying: set[Oid] | None = None

    def judge(self) -> list[Outcome]:
        """Judge every update. Raises HoardError when one of them cannot be looked at."""
        return [self._judge(update) for update in self._updates]

    def _judge(self, update: Update) -> Outcome:
        kind, new = self._end_of(update.new)
        old = self._end_of(update.old)[1] if self._at_hand(update.old) else None
        main = self._side.refs.get(self._side.main)
        # Where HEAD names a branch that nobody has pushed yet, the others say what is in force.
        elsewhere = [main] if main is not None else [oid for _name, oid in sorted(self._side.refs.items())]
        trusted = read_trusted(self._reader, [oid for oid in (old, *elsewhere) if oid is not None])
        policies = trusted.policies if trusted is not None else self._own(new)
        lost, newest = self._lost(update, old, policies)
        ref = RefChange(update.ref, kind, lost, newest, main=update.ref == self._side.main)
        root = policies.govern(FILE_NAME)
        findings = judge(Scene(root, Actor("agent"), text=CommitText(b"", (), ()), refs=(ref,)), {"HG706"})
        commits = 0
        pinned: Sequence[Finding] = ()
        if new is not None:
            told, pinned, commits = self._commits(new, old, main, trusted)
            findings += told
        # The pin is the server's own word: no policy that a push may have brought itself turns it into a warning.
        blocks = bool(pinned) or any(f.severity == "error" and policies.govern(f.path).mode != "warn" for f in findings)
        return Outcome(update, (*findings, *pinned), commits, blocks)

    def _commits(
        self, new: Oid, old: Oid | None, main: Oid | None, trusted: Trusted | None
    ) -> tuple[Sequence[Finding], Sequence[Finding], int]:
        """Judge the commits that an update brings, and their net result; what the pinned root says is apart."""
        known = [oid for oid in (old, main) if oid is not None]
        arrival = find_arrival(self._reader, new, known, trusted, self._side.vouching, strict=self._side.strict)
        if not arrival.fresh:
            return (), (), 0
        base = old or main
        beside = (*arrival.beside, *met_on_the_way(self._reader, new, old, main))
        net = net_between(self._reader, base, new, trusted, beside) if base is not None else None
        memo = self._memo(trusted.policies if trusted is not None else None)
        report = check_commits(self._reader, arrival.fresh, self._days, "", ends=Ends(net, trusted, memo))
        pinned = pin_findings(self._reader, self._side.pin, new, report.introducing)
        return report.findings, pinned, report.commits

    def _memo(self, policies: Policies | None) -> dict[Oid, Row]:
        """What was judged already for a ref with the same policies in force: elsewhere a commit may count for more, or errors for less."""
        known = next((rows for other, rows in self._memos if other == policies), None)
        if known is None:
            known = {}
            self._memos.append((policies, known))
        return known

    def _own(self, new: Oid | None) -> Policies:
        """Where nothing was in force yet, a push brings its own policy."""
        brought = read_trusted(self._reader, [new]) if new is not None else None
        return brought.policies if brought is not None else Policies()

    def _end_of(self, oid: Oid | None) -> tuple[str, Oid | None]:
        """The kind of what a ref names (RefChange), and the commit at its end."""
        if oid is None:
            return "", None
        if oid not in self._ends:
            kind = self._type_of(oid)
            end = oid
            if kind == "tag":
                end = Oid(self._git.git(("rev-parse", "--verify", "--quiet", f"{oid}^{{}}")).finish().decode("ascii").strip())
                inner = self._type_of(end)
                kind = "tag" if inner == "commit" else inner
            self._ends[oid] = kind, end if kind in ("commit", "tag") else None
        return self._ends[oid]

    def _type_of(self, oid: Oid) -> str:
        return self._git.git(("cat-file", "-t", oid)).finish().decode("ascii").strip()

    def _at_hand(self, oid: Oid | None) -> bool:
        """Whether an object is here: a remote's may not have been fetched, the server has its own."""
        if oid is None or self._side.has_all:
            return oid is not None
        asked = self._git.git(("cat-file", "-e", oid))
        asked.finish((0, 1, 128))
        return asked.status == 0

    def _lost(self, update: Update, old: Oid | None, policies: Policies) -> tuple[int, str]:
        """How many commits no ref will reach any more, and the newest of them that changes memory or what steers the gate.

        Of the main branch no other ref excuses it: who rewinds it behind a copy brings back old facts, and old policies with them.
        """
        if old is None:
            return 0, ""
        new = self._end_of(update.new)[1]
        kept = {new} if new is not None else set()
        if not self._is_main(update.ref):
            kept = self._held()
        if old in kept or (new is not None and self._reader.merge_base(old, new) == old):
            return 0, ""
        lost = without(self._reader, self._reader.rev_list([old], []), sorted(kept))
        for info in self._reader.commits(reversed(lost)):
            for parent in info.parents or (None,):
                if any(_matters(change.path, policies) for change in self._reader.changes(parent, info.oid)):
                    return len(lost), info.oid
        return len(lost), ""

    def _held(self) -> set[Oid]:
        """What the refs hold once the push is through."""
        if self._staying is None:
            moved = {update.ref for update in self._updates}
            ends = (self._end_of(update.new)[1] for update in self._updates)
            self._staying = {oid for name, oid in self._side.refs.items() if name not in moved} | {end for end in ends if end is not None}
        return self._staying

    def _is_main(self, ref: str) -> bool:
        """Whether this is the branch of HEAD; on a server whose HEAD names none that is there, any branch may be it."""
        main = self._side.main
        return ref == main or (self._side.has_all and main not in self._side.refs and ref.startswith("refs/heads/"))


def _matters(path: str, policies: Policies) -> bool:
    return is_protected(path) or classify(path, policies.govern(path)) in MEMORY


def list_refs(git: PlumbingReader, prefix: str = "refs/") -> dict[str, Oid]:
    """Every ref below a prefix that names a commit, or a tag of one, with that commit."""
    form = "%(refname)%00%(objecttype)%00%(objectname)%00%(*objecttype)%00%(*objectname)"
    found = {}
    for line in git.git(("for-each-ref", f"--format={form}", prefix)).finish().split(b"\n"):
        if line:
            name, kind, oid, inner, peeled = line.split(b"\0")
            if b"commit" in (kind, inner):
                found[decode_path(name)] = Oid((oid if kind == b"commit" else peeled).decode("ascii"))
    return found
