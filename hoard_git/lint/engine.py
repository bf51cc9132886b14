"""Runs rules over a scene: selects, filters to what the change touches, applies exceptions, sorts (DESIGN, "The house")."""

from __future__ import annotations

from bisect import bisect_right
from importlib import import_module

from hoard_git.core.model import Finding
from hoard_git.core.slugs import slugs
from hoard_git.lint.registry import BY_CODE, RULES, Rule
from hoard_git.lint.scene import NON_ASCII, Scene

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from types import ModuleType

    from hoard_git.core.document import Document
    from hoard_git.lint.scene import FileView, Hit

SECRETS_ONLY = frozenset({"HG201", "HG202", "HG204", "HG401", "HG402", "HG408", "HG409"})
"""What is judged in a text file that lies under memory/ and is of no class."""

_LIMITED = {"other": SECRETS_ONLY, "binary": frozenset({"HG201", "HG202"}), "attributes": frozenset[str]()}
"""Classes in which only some rules read the lines; a .gitattributes file is there for the rule about paths alone."""

ALLOW_CODE = "HG204"
"""The one rule whose findings come from here: only the engine knows what an exception has excused."""

_ALLOW_MARKER = "hoard:allow"


def judge(scene: Scene, only: Collection[str] | None = None) -> list[Finding]:
    """Judge one scene and return its findings, sorted by path, line, column and code. Pure apart from what `scene.lookup` does."""
    judged = {file.path: _judged_text(file) for file in scene.files}
    everything = "\n".join(judged.values())
    with_allows = [file for file in scene.files if any(_ALLOW_MARKER in comment.inner.lower() for comment in file.document.comments)]
    needed = _needed(only, with_allows)
    findings: list[Finding] = []
    ran: set[str] = set()
    for rule in RULES:
        severity = _severity(rule, scene)
        if (needed is not None and rule.code not in needed) or not _runs(rule, severity, scene):
            continue
        ran.add(rule.code)
        findings += _run(rule, severity, scene, judged, everything)
    if with_allows:
        findings += _apply_allows(scene, with_allows, findings, ran)
    _name_blocks(scene, findings)
    _forget_secret_titles(scene, findings, looked="HG201" in ran)
    kept = {finding for finding in findings if finding.severity != "off" and (only is None or finding.code in only)}
    return sorted(kept, key=lambda f: (f.path, f.line, f.column, f.code, f.message))


def _needed(only: Collection[str] | None, with_allows: Sequence[FileView]) -> set[str] | None:
    """The codes to run: whether an exception does nothing shows only when the rules that it names have run."""
    if only is None or ALLOW_CODE not in only or not with_allows:
        return None if only is None else set(only)
    from hoard_git.lint.allows import find_allows

    return {*only, *(code for file in with_allows for allow in find_allows(file.document) for code in allow.codes)}


def _severity(rule: Rule, scene: Scene) -> str:
    return scene.policy.severity_of(rule.code, rule.state if rule.state and not scene.change else rule.severity)


def _runs(rule: Rule, severity: str, scene: Scene) -> bool:
    if severity == "off" or (rule.nonhuman and scene.change and scene.actor.is_human):
        return False
    if rule.scope == "merge":
        return scene.merge is not None
    if rule.scope == "commit":
        return scene.text is not None
    return scene.change or rule.scope != "change"


def _run(rule: Rule, severity: str, scene: Scene, judged: dict[str, str], everything: str) -> Iterator[Finding]:
    if rule.scope == "file" or (rule.scope == "entry" and not scene.change):
        for file in scene.files:
            if _skips(rule, file) or not judged[file.path] or (rule.trigger and not triggered(rule.trigger, judged[file.path])):
                continue
            for hit in load(rule).check(file, scene):
                if hit.line == 0 or file.judges(hit.line, hit.end_line):
                    yield _finding(rule, severity, scene, file, hit)
        return
    if rule.trigger and not triggered(rule.trigger, everything):
        return
    for hit in load(rule).check_change(scene):
        seen = scene.view(hit.path)
        if seen is None or rule.scope != "entry" or not _skips(rule, seen):
            yield _finding(rule, severity, scene, seen, hit)


def _skips(rule: Rule, file: FileView) -> bool:
    limited = _LIMITED.get(file.file_class)
    return limited is not None and rule.code not in limited


def load(rule: Rule) -> ModuleType:
    """Import a rule's module."""
    return import_module("hoard_git.lint.rules." + rule.module)


def triggered(trigger: Iterable[str], text: str) -> bool:
    """Whether lower-cased text holds any of the triggers."""
    return any((not text.isascii()) if word == NON_ASCII else word in text for word in trigger)


def _judged_text(file: FileView) -> str:
    """The lower-cased lines under judgement; a line break when there are some and all are empty, '' when there is nothing to judge."""
    lines = file.document.lines
    if file.touched is None:
        return "\n".join(lines).lower()
    return "\n".join([lines[number - 1] for number in sorted(file.touched)]).lower() or ("\n" if file.touched else "")


def _finding(rule: Rule, severity: str, scene: Scene, file: FileView | None, hit: Hit) -> Finding:
    level = severity
    if hit.severity and rule.code not in dict(scene.policy.rules):
        level = hit.severity
    path = hit.path if file is None else file.path
    end_line = 0 if hit.gone else max(hit.end_line, hit.line)
    return Finding(
        rule.code, rule.name, level, _plain(hit.message), path, hit.line, hit.column, end_line, "", _plain(hit.block), _plain(hit.hint)
    )


def _name_blocks(scene: Scene, findings: list[Finding]) -> None:
    """Fill in `block` for findings about the files after the change, where a rule has not done so; file by file, as slugs cost time."""
    nameless: dict[str, list[int]] = {}
    for index, finding in enumerate(findings):
        if finding.line and finding.end_line and not finding.block:
            nameless.setdefault(finding.path, []).append(index)
    for path, indexes in nameless.items():
        file = scene.view(path)
        if file is None:
            continue
        names = blocks_at(file.document, {findings[index].line for index in indexes})
        for index in indexes:
            findings[index] = findings[index]._replace(block=_plain(names[findings[index].line]))


def blocks_at(document: Document, lines: Iterable[int]) -> dict[int, str]:
    """Name the block around each of these lines: the id of its entry or heading, else its heading's slug, else ''."""
    ids: dict[int, str] = {}
    for entry in document.entries:
        if entry.tag is not None and entry.tag.id:
            ids.update(dict.fromkeys(range(entry.line, entry.end_line + 1), entry.tag.id))
    starts = [heading.line for heading in document.headings]
    names: tuple[str, ...] = ()
    found = {}
    for line in lines:
        at = bisect_right(starts, line) - 1
        if line in ids or at < 0:
            found[line] = ids.get(line, "")
            continue
        tag = document.headings[at].tag
        if tag is not None and tag.id:
            found[line] = tag.id
        else:
            names = names or slugs(document)
            found[line] = names[at]
    return found


def _apply_allows(scene: Scene, files: Sequence[FileView], findings: list[Finding], ran: Collection[str]) -> list[Finding]:
    """Soften what an inline exception excuses, in place; return the findings about the exceptions themselves."""
    from hoard_git.lint.allows import apply_allows

    rule = BY_CODE[ALLOW_CODE]
    severity = _severity(rule, scene)
    faults = []
    for file in files:
        faults += [_finding(rule, severity, scene, file, hit) for hit in apply_allows(file, findings, scene, ran)]
    return faults


def _forget_secret_titles(scene: Scene, findings: list[Finding], *, looked: bool = True) -> None:
    """Take out of `block` the slug of a heading that itself holds a secret; where no rule has looked for secrets, that is done here."""
    if not looked and any(finding.block for finding in findings):
        findings[:] = [f._replace(block="") if f.block and _has_secret_title(scene, f) else f for f in findings]
        return
    titles = {(f.path, f.block) for f in findings if f.code in ("HG201", "HG202") and f.block and _is_heading(scene, f)}
    if titles:
        findings[:] = [f._replace(block="") if (f.path, f.block) in titles else f for f in findings]


def _has_secret_title(scene: Scene, finding: Finding) -> bool:
    from hoard_git.core.secrets import find_secrets

    file = scene.view(finding.path)
    if file is None or finding.end_line == 0:
        return False  # of what is gone, the rule has named the block itself
    line = max((heading.line for heading in file.document.headings if heading.line <= finding.line), default=0)
    return bool(line) and bool(find_secrets(file.document.lines, wanted={line}))


def _is_heading(scene: Scene, finding: Finding) -> bool:
    file = scene.view(finding.path)
    return file is not None and any(heading.line == finding.line for heading in file.document.headings)


def _plain(text: str) -> str:
    """Text of a finding without control, invisible and undecodable characters, which are written as their code points."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in text)


def intersect(judgements: Sequence[list[Finding]]) -> list[Finding]:
    """Combine the judgements of one commit against each of its parents: a merge is blamed only for what differs from every parent.

    Two findings are the same when their code, path and place agree; places agree when their lines overlap, because a rule that reports a
    run of entries at once draws it differently against each parent. For what is gone the words stand in for the place.
    """
    first, *others = judgements
    for other in others:
        known: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for finding in other:
            known.setdefault(_key(finding), []).append((finding.line, finding.end_line))
        first = [f for f in first if any(_overlap(f, place) for place in known.get(_key(f), ()))]
    return _fold_replaced(first)


def most_severe(judgements: Iterable[Iterable[Finding]]) -> list[Finding]:
    """Join judgements of one change under several policies: each finding once, as severe as any of them has it."""
    found: dict[Finding, Finding] = {}
    for finding in (finding for judgement in judgements for finding in judgement):
        key = finding._replace(severity="")
        known = found.get(key)
        if known is None or _SEVERITIES.index(finding.severity) < _SEVERITIES.index(known.severity):
            found[key] = finding
    return list(found.values())


def drop_said(findings: Sequence[Finding]) -> list[Finding]:
    """Leave out HG301 where HG308 says the same of the same place: one act under two policies, of which one asks for a proof."""
    proofs = {(f.path, f.line, f.column, f.end_line) for f in findings if f.code == "HG308" and f.severity == "error"}
    return [f for f in findings if f.code != "HG301" or (f.path, f.line, f.column, f.end_line) not in proofs]


_SEVERITIES = ("error", "warn", "info")
_GONE, _NEW, _REPLACED = " deletes a user's content: 1 fact", " adds a user's fact", " replaces a user's fact"


def _fold_replaced(findings: list[Finding]) -> list[Finding]:
    """Make one finding of a user's line that is gone and another of the user's that stands in its place.

    That is done after all parents were heard: before, one of them may lack one half, and then neither would be left.
    """
    gone = {(f.code, f.path, f.line): f for f in findings if f.is_gone and f.message.endswith(_GONE)}
    if not gone:
        return findings
    kept, folded = [], set()
    for finding in findings:
        key = (finding.code, finding.path, finding.line)
        if key in gone and not finding.is_gone and finding.message.endswith(_NEW):
            folded.add(key)
            before = "put it back"
            hint = gone[key].hint.replace(before, "put the user's text back (git checkout -p), and add your own entry with src:agent", 1)
            kept.append(finding._replace(message=finding.message.removesuffix(_NEW) + _REPLACED, hint=hint))
        else:
            kept.append(finding)
    return [f for f in kept if not (f.is_gone and (f.code, f.path, f.line) in folded and f.message.endswith(_GONE))]


def _key(finding: Finding) -> tuple[str, ...]:
    # One act is HG308 under a policy that asks for signatures and HG301 under one that does not: parents may have one of each.
    code = "HG301" if finding.code == "HG308" else finding.code
    if finding.is_gone:
        said = finding.message.partition(": ")[0].removeprefix("an unproven human ")  # behind the colon it is counted
        return (code, finding.path, finding.block, said.removeprefix("agent "))
    return (code, finding.path)


def _overlap(finding: Finding, place: tuple[int, int]) -> bool:
    return finding.is_gone or (finding.line <= place[1] and place[0] <= finding.end_line)
