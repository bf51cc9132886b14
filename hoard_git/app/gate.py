"""One commit or one staged change before the gate: reads both trees, builds scenes, runs the rules (DESIGN, "Six rules", 2 and 3)."""

from __future__ import annotations

import time

from hoard_git.app.lookup import GateLookup
from hoard_git.app.policies import Policies, directories, read_policies
from hoard_git.app.shelf import Shelf
from hoard_git.app.views import make_view
from hoard_git.app.wording import judge_text
from hoard_git.core.align import find_changes, touched_lines
from hoard_git.core.document import Document
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Actor, Finding, Oid, RepoPath
from hoard_git.core.policy import FILE_NAME, RULES_NAME
from hoard_git.core.record import Record
from hoard_git.errors import HoardError
from hoard_git.lint.elsewhere import expected_needles
from hoard_git.lint.engine import drop_said, intersect, judge, most_severe
from hoard_git.lint.scene import CommitText, FileView, Scene

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Literal

    from hoard_git.app.clock import Days
    from hoard_git.app.past import History
    from hoard_git.app.rulesets import RuleBook
    from hoard_git.core.align import Change, Side
    from hoard_git.core.model import PathChange
    from hoard_git.core.policy import Policy
    from hoard_git.core.secrets import Match
    from hoard_git.gitio.reader import Reader
    from hoard_git.lint.scene import UserRules

ATTRIBUTES = "attributes"
"""Class of a .gitattributes file, which only the rule about attribute tricks reads."""


class Versions(Record):
    """What one change is, against one parent: every path that differs, and the memory files of both sides, parsed."""

    base: Oid | None
    paths: tuple[PathChange, ...]
    before: Mapping[str, FileView]
    after: Mapping[str, FileView]
    changes: tuple[Change, ...]


class Judgement(Record):
    """What the gate says about one change. `versions` are against the first parent; `policy` is the mode-giving one.

    `governed` says whether any policy was in force, `introduces` whether the change brings the first one itself.
    """

    findings: tuple[Finding, ...]
    versions: Versions
    policy: Policy
    actor: Actor
    memory_paths: tuple[str, ...]
    lines: int
    documents: Mapping[str, Document]
    governed: bool = False
    introduces: bool = False

    @property
    def touches_memory(self) -> bool:
        """Whether any memory file changed."""
        return bool(self.memory_paths)


class Gate:
    """Judges changes of one repository. Parsed files are kept by blob, so a range parses each version once."""

    def __init__(
        self, reader: Reader, *, days: Callable[[Policy], Days], cached_policies: bool = False, history: History | None = None
    ) -> None:
        """`days` gives today for a policy; `history` answers questions about the past of many commits, None in a local hook."""
        self.reader = reader
        self.days = days
        self.cached = cached_policies
        self.history = history
        self.found: Mapping[Oid, Sequence[Match]] = {}
        """What another engine has found in blobs; it joins what the built-in one finds."""
        self.shelf = Shelf(reader, many=history is not None)
        self.codes: frozenset[str] | None = None
        """The rules to ask, None for all."""
        self.fallback: Policies | None = None
        """What judges a change that has no policy behind it, where a server knows the branch that it comes to; such a change brings none."""
        self._book: RuleBook | None = None
        self._policies: dict[tuple[str, tuple[str, ...]], Policies] = {}
        self._policy_sets: dict[tuple[tuple[RepoPath, int, Oid], ...], Policies] = {}

    def know(self, parent: Oid | None, paths: Sequence[str], policies: Policies) -> None:
        """Take policies that the caller has read already, for a parent and the paths that differ from it."""
        self._policies[parent or "", tuple(directories(paths))] = policies

    def judge(
        self,
        parents: Sequence[Oid | None],
        target: Oid | Literal["INDEX"],
        who: Callable[[Policy], Actor],
        *,
        listed: Sequence[PathChange] | None = None,
        text: Callable[[Judgement], CommitText] | None = None,
    ) -> Judgement:
        """Judge the tree `target` against every parent, each with that parent's policy.

        `who` gives the actor under a policy. `listed` spares asking git for the differences with the first parent. `text` makes the
        commit message's part from the verdict on the trees; None leaves the rules about messages out.
        """
        judgements = []
        all_policies = []
        for number, parent in enumerate(parents or (None,)):
            paths = tuple(listed if listed is not None and number == 0 else self.reader.changes(parent, target))
            if number == 0:
                self.shelf.derive(parent, target, paths)
            policies, introduces = self._policies_for(parent, paths)
            all_policies.append((parent, paths, policies, introduces))
        force = next((policies for _parent, _paths, policies, introduces in all_policies if policies.known and not introduces), None)
        if force is not None:
            # A merge with a branch from before the first policy brings none: the other side has it.
            all_policies = [(one, paths, force if brings else own, False) for one, paths, own, brings in all_policies]
        weakest = self._weakest(all_policies, who)
        for parent, paths, policies, introduces in all_policies:
            judgement = self._against(parent, target, paths, policies, weakest, introduces=introduces)
            judgements.append(self._under_all(judgement, parents, policies, target, weakest) if len(all_policies) > 1 else judgement)
        first = judgements[0]
        findings = intersect([list(judgement.findings) for judgement in judgements])
        if any(change.path.endswith(FILE_NAME) for change in first.versions.paths):
            from hoard_git.app.policychange import policy_findings

            findings += policy_findings(self._brought, first.versions.paths, None if all_policies[0][3] else all_policies[0][2])
        if len(all_policies) > 1 and not first.actor.is_human:
            from hoard_git.app.policychange import merge_findings

            findings += merge_findings(self.reader, [(parent, paths) for parent, paths, *_rest in all_policies])
            sides = [(parent, paths) for parent, paths, *_rest in all_policies if parent is not None]
            if len(sides) > 1:
                from hoard_git.app.mergecheck import judge_merge

                findings = judge_merge(
                    self, judgements, sides, [policies for _parent, _paths, policies, _introduces in all_policies], findings
                )
            from hoard_git.app.stalebranch import stale_findings

            findings += stale_findings(self, parents, [judgement.findings for judgement in judgements], who)
        governed = any(policies.known for _parent, _paths, policies, _introduces in all_policies)
        introduces = any(introduces for _parent, _paths, _policies, introduces in all_policies)
        first = first._replace(findings=tuple(findings), governed=governed, introduces=introduces)
        if text is not None and first.touches_memory:
            said = [
                judge_text(self, first._replace(policy=policy), target, text(first))
                for policy in dict.fromkeys(j.policy for j in judgements)
            ]
            first = first._replace(findings=(*findings, *most_severe(said)))
        return first

    def _under_all(
        self,
        judgement: Judgement,
        parents: Sequence[Oid | None],
        policies: Policies,
        target: Oid | Literal["INDEX"],
        who: Callable[[Policy], Actor],
    ) -> Judgement:
        """Add what the policies of a merge's other parents say about the same difference.

        Whoever makes a merge picks its parents: an old commit whose policy asked for less must excuse nothing.
        """
        versions = judgement.versions
        found = [list(judgement.findings)]
        asked = [policies]
        for parent in parents:
            theirs, introduces = self._policies_for(parent, versions.paths)
            if theirs.known and not introduces and theirs not in asked:
                asked.append(theirs)
                found.append(list(self._against(versions.base, target, versions.paths, theirs, who, introduces=False).findings))
        return judgement._replace(findings=tuple(drop_said(most_severe(found)))) if len(found) > 1 else judgement

    def _policies_for(self, parent: Oid | None, paths: Sequence[PathChange]) -> tuple[Policies, bool]:
        """The parent's policies; those of the change itself when no parent has any and it brings one (trust on first use)."""
        names = [change.path for change in paths]
        key = (parent or "", tuple(directories(names)))
        policies = self._policies.get(key)
        if policies is None:
            policies = self._policies[key] = self.policies_at(parent, names)
        if not policies.known and self.fallback is not None and self.fallback.known:
            return self.fallback, False
        if policies.known or not any(change.path.rsplit("/", 1)[-1] == FILE_NAME and change.new_mode for change in paths):
            return policies, False
        brought = {
            c.path: c.new_oid for c in paths if c.path.rsplit("/", 1)[-1] == FILE_NAME and c.new_mode in (MODE_FILE, MODE_EXECUTABLE)
        }
        if not brought:
            return policies, False
        try:
            found = tuple(sorted((path.removesuffix(FILE_NAME), policy) for path, policy in self._brought(brought).items()))
        except HoardError:
            return policies, False  # `policy_findings` says what is wrong with it
        return Policies(found, rule_files=policies.rule_files), True

    def _brought(self, brought: Mapping[RepoPath, Oid]) -> dict[str, Policy]:
        """Read policies that a change brings. Raises HoardError with the line of what is wrong."""
        from hoard_git.app.policies import check_data, load_yaml

        blobs = self.reader.blobs(brought.values())
        return {str(path): check_data(load_yaml(blobs[oid], path), path) for path, oid in brought.items()}

    def policies_at(self, parent: Oid | None, names: Sequence[str]) -> Policies:
        """The policies that govern these paths at a commit; where they cannot be read, the newest before that can."""
        try:
            return self._read_policies(parent, names)
        except HoardError as problem:
            if parent is None:
                raise
            from hoard_git.app.adoption import last_readable

            return last_readable(self.reader, parent, names, problem)

    def _read_policies(self, parent: Oid | None, names: Sequence[str]) -> Policies:
        """Read a parent's policies, each set of blobs once: in a long range they hardly ever change."""
        if parent is None or not self.shelf.many:
            return read_policies(self.reader, parent, names, cached=self.cached)
        entries = self.shelf.tree(parent)
        wanted = [RepoPath(prefix + name) for prefix in directories(names) for name in (FILE_NAME, RULES_NAME)]
        found = tuple((path, *entries[path]) for path in wanted if path in entries)
        if found not in self._policy_sets:
            self._policy_sets[found] = read_policies(self.reader, parent, names, entries=entries)
        return self._policy_sets[found]

    def _weakest(
        self, entries: Sequence[tuple[object, object, Policies, bool]], who: Callable[[Policy], Actor]
    ) -> Callable[[Policy], Actor]:
        """An actor counts as a human only under every parent's policy."""
        if len(entries) < 2:
            return who

        def weakest(policy: Policy) -> Actor:
            actors = [who(policies.govern(policy.prefix + "x")) for _parent, _paths, policies, _introduces in entries]
            return next((actor for actor in actors if not actor.is_human), actors[0])

        return weakest

    def _against(
        self,
        parent: Oid | None,
        target: Oid | Literal["INDEX"],
        paths: tuple[PathChange, ...],
        policies: Policies,
        who: Callable[[Policy], Actor],
        *,
        introduces: bool,
    ) -> Judgement:
        findings: list[Finding] = []
        parts = self.compare(parent, paths, policies)
        for policy, versions in parts:
            rules = self.own_rules(versions, target, policies, policy.prefix, who(policy))
            findings += self._scene_findings(versions, target, policy, who(policy), introduces=introduces, rules=rules)
        policy = next((policy for policy, versions in parts if versions.after or versions.before), parts[0][0])
        whole = _join([versions for _policy, versions in parts], parent, paths)
        touched = sum(len(view.touched or ()) for view in whole.after.values())
        memory = tuple(sorted(p for p in {*whole.before, *whole.after} if (whole.after.get(p) or whole.before[p]).file_class != ATTRIBUTES))
        documents = {path: view.document for path, view in whole.after.items()}
        return Judgement(tuple(findings), whole, policy, who(policy), memory, touched, documents)

    def compare(self, parent: Oid | None, paths: Sequence[PathChange], policies: Policies) -> list[tuple[Policy, Versions]]:
        """Read and align what differs from a parent, a part for each policy that governs some of it; the top-level one always has one."""
        groups: dict[str, list[PathChange]] = {policies.govern(FILE_NAME).prefix: []}
        for change in paths:
            groups.setdefault(policies.govern(change.path).prefix, []).append(change)
        parts = []
        for prefix, group in sorted(groups.items()):
            policy = policies.govern(prefix + FILE_NAME)
            parts.append((policy, self._read(parent, policy, group)))
        return parts

    def _read(self, parent: Oid | None, policy: Policy, group: Sequence[PathChange]) -> Versions:
        wanted: dict[str, str] = {}
        for change in group:
            file_class = self.shelf.classify(change.path, policy)
            if not file_class and change.path.rsplit("/", 1)[-1] == ".gitattributes":
                file_class = ATTRIBUTES
            if file_class:
                wanted[change.path] = file_class
        versions = [
            (oid, str(change.path))
            for change in group
            if change.path in wanted
            for mode, oid in ((change.old_mode, change.old_oid), (change.new_mode, change.new_oid))
            if mode in (MODE_FILE, MODE_EXECUTABLE)
        ]
        documents = self.shelf.documents(versions)
        before: dict[str, FileView] = {}
        after: dict[str, FileView] = {}
        for change in group:
            file_class = wanted.get(change.path, "")
            if not file_class:
                continue
            if change.old_mode in (MODE_FILE, MODE_EXECUTABLE):
                old = documents[change.old_oid]
                before[change.path] = make_view(change.path, file_class, policy, old, change.old_mode, strict=False)
            if change.new_mode in (MODE_FILE, MODE_EXECUTABLE):
                after[change.path] = make_view(change.path, file_class, policy, documents[change.new_oid], change.new_mode)
        touched = touched_lines({p: v.document for p, v in before.items()}, {p: v.document for p, v in after.items()})
        after = {path: view._replace(touched=touched[path]) for path, view in after.items()}
        changes = find_changes(_sides(before), _sides(after))
        return Versions(parent, tuple(group), before, after, tuple(changes))

    def own_rules(
        self, versions: Versions, target: Oid | Literal["INDEX"], policies: Policies, prefix: str, actor: Actor
    ) -> UserRules | None:
        """Read the workspace's own rules for secrets, as the parent has them.

        A new version is only tried out, in a commit that is being made. Where the parent's cannot be read, a human's change without memory
        goes on: it may be the one that mends them.
        """
        entry = next((entry for entry in policies.rule_files if entry[0] == prefix), None)
        brought = next((c for c in versions.paths if c.path == prefix + RULES_NAME and c.new_mode), None) if target == "INDEX" else None
        if versions.base is None:
            entry = None
        if entry is None and brought is None:
            return None
        if self._book is None:
            from hoard_git.app.rulesets import RuleBook

            self._book = RuleBook(self.shelf, cached=self.cached)
        if brought is not None:
            self._book.rules(target, prefix, brought.new_mode, brought.new_oid)
        if entry is None or versions.base is None:
            return None
        try:
            return self._book.rules(versions.base, *entry)
        except HoardError:
            if versions.after or not actor.is_human:
                raise
            return None

    def _scene_findings(
        self,
        versions: Versions,
        target: Oid | Literal["INDEX"],
        policy: Policy,
        actor: Actor,
        *,
        introduces: bool,
        rules: UserRules | None,
    ) -> list[Finding]:
        days = self.days(policy)
        files = tuple(versions.after[path] for path in sorted(versions.after))
        lookup = GateLookup(self.shelf, versions, target, policy, self.history)
        scene = Scene(
            policy=policy,
            actor=actor,
            today=days.today,
            latest=days.latest,
            files=files,
            before=versions.before,
            changes=versions.changes,
            paths=versions.paths,
            lookup=lookup,
            introduces=introduces,
            clock=None if self.shelf.many else time.monotonic,
            rules=rules,
        )
        if self.found:
            here = (c for c in versions.paths if c.new_oid in self.found and c.path in versions.after)
            scene = scene._replace(found={str(c.path): self.found[c.new_oid] for c in here})
        if self.shelf.many:
            return judge(scene, self.codes)
        lookup.expect(expected_needles(scene))
        try:
            return judge(scene)
        finally:
            lookup.close()


def _sides(views: Mapping[str, FileView]) -> list[Side]:
    return [view.side() for view in views.values() if view.file_class not in ("other", "binary", ATTRIBUTES)]


def _join(parts: Sequence[Versions], parent: Oid | None, paths: tuple[PathChange, ...]) -> Versions:
    if len(parts) == 1:
        return parts[0]
    before: dict[str, FileView] = {}
    after: dict[str, FileView] = {}
    changes: list[Change] = []
    for part in parts:
        before |= part.before
        after |= part.after
        changes += part.changes
    return Versions(parent, paths, before, after, tuple(changes))
