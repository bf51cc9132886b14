"""Plans that leave out what the gate would refuse: a file with a secret in its name or in a line that would be rewritten stays as it is, and the rest goes on."""

from __future__ import annotations

from hoard_git.core.align import touched_lines
from hoard_git.core.discreet import quiet_path
from hoard_git.core.files import classify, file_default
from hoard_git.core.lazy import lazy
from hoard_git.core.markdown import parse
from hoard_git.lint.engine import judge
from hoard_git.lint.registry import RULES
from hoard_git.lint.scene import FileView, Scene

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.core.document import Document
    from hoard_git.core.drafts import Kept
    from hoard_git.core.model import Actor, Finding
    from hoard_git.core.plan import Plan
    from hoard_git.core.policy import Policy

_CODES = frozenset(rule.code for rule in RULES if rule.scope == "file" and rule.code[:3] in ("HG2", "HG4"))
"""What the gate says of a line whatever stands around it: secrets, hidden and misleading content."""

_NAME = "{!r} is left as it is, for its name holds a secret, which the archive would repeat: rename it, then clean history: hoard purge --plan -"

_FINGERPRINT = lazy(r"hgs1:[0-9a-f]{8,64}")


def plan_around(make: Callable[[Mapping[str, str]], Plan], files: Sequence[Kept], policy: Policy, actor: Actor, days: Days) -> Plan:
    """Make a plan, and again without each file of which the gate would refuse a line, until nothing is refused.

    `make` takes the files to leave as they are, by path, each with a sentence that says why.
    """
    kept = {file.path: file for file in files}
    frozen = {path: _NAME.format(quiet_path(path)) for path in kept if quiet_path(path) != path}
    while True:
        plan = make(frozen)
        found = [it for it in _refused(plan, kept, policy, actor, days) if it.path in kept and it.path not in frozen]
        if not found:
            return plan
        for finding in reversed(found):  # of several in one file the first is told
            frozen[finding.path] = _told(finding)


def _refused(plan: Plan, kept: Mapping[str, Kept], policy: Policy, actor: Actor, days: Days) -> list[Finding]:
    """The errors in lines that the plan adds or rewrites, each with the place where its line stands now."""
    before = {path: parse(kept[path].data) for path in plan.edits if path in kept}
    after = {path: parse(data) for path, data in plan.edits.items() if data is not None and not path.lower().endswith(".gz")}
    touched = touched_lines(before, after)
    views = [_view(path, document, policy, touched[path]) for path, document in after.items()]
    old = {path: _view(path, document, policy, None) for path, document in before.items()}  # what is archived has to have stood somewhere
    scene = Scene(policy, actor, days.today, days.latest, files=tuple(views), before=old)
    return at_origins((finding for finding in judge(scene, _CODES) if finding.severity == "error"), plan.origins)


def _view(path: str, document: Document, policy: Policy, touched: frozenset[int] | None) -> FileView:
    file_class = classify(path, policy)
    return FileView(path, file_class, document, file_default(path, file_class, policy), touched)


def at_origins(findings: Iterable[Finding], origins: Mapping[str, Sequence[tuple[str, int] | None]]) -> list[Finding]:
    """Findings with the places that their lines have before the plan is applied; those of new lines are left as they are."""
    told = []
    for finding in findings:
        lines = origins.get(finding.path, ())
        origin = lines[finding.line - 1] if 0 < finding.line <= len(lines) else None
        if origin is None:
            told.append(finding)
        else:
            shift = origin[1] - finding.line
            told.append(finding._replace(path=origin[0], line=origin[1], end_line=max(origin[1], finding.end_line + shift)))
    return told


def _told(finding: Finding) -> str:
    mark = _FINGERPRINT.search(finding.hint)
    out = f"hoard purge --plan {mark.group() if mark else '-'}" if finding.code == "HG201" else f"hoard rule {finding.code}"
    what = "take the value out of the file, then out of history" if finding.code == "HG201" else "mend the line"
    return f"{finding.path!r} is left as it is, for line {finding.line} would be refused ({finding.code} {finding.message}): {what}: {out}"
