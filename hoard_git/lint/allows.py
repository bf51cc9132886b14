"""Inline exceptions: `<!-- hoard:allow HGnnn reason="…" -->` on a line or alone on the one above (INTERFACE, "Rules")."""

from __future__ import annotations

import re

from hoard_git.core.model import LOW_TRUST
from hoard_git.core.provenance import provenances
from hoard_git.core.record import Record
from hoard_git.lint.registry import BY_CODE
from hoard_git.lint.scene import Hit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from hoard_git.core.document import Comment, Document
    from hoard_git.core.model import Finding
    from hoard_git.lint.scene import FileView, Scene

ALLOWABLE = ("HG108", "HG11", "HG201", "HG202", "HG203", "HG4", "HG5", "HG6", "HG8")
"""Prefixes of the codes that an exception may name: never provenance, trust or trailers, which anybody could write away."""

MARKER = "hoard:allow"

SECRETS = "HG2"
"""How the codes begin for which an exception that a non-human adds is not honoured in the same change."""

_FORM = re.compile(
    r"\s{0,9}hoard:allow\s{1,9}(HG[0-9]{3}(?:[ ,]{1,3}HG[0-9]{3}){0,9})(?:\s{1,9}reason=\"([^\"\n]{0,400})\")?\s{0,9}", re.ASCII
)


class Allow(Record):
    """One exception: its codes, whether it gives a reason, its place and the lines that it covers (0 is the file as a whole).

    `problem` is one clause about a comment that cannot be read as an exception; it then has no codes.
    """

    line: int
    column: int
    codes: tuple[str, ...] = ()
    covers: tuple[int, ...] = ()
    reason: bool = False
    problem: str = ""


def find_allows(document: Document) -> list[Allow]:
    """Read the exceptions of one file, in its order.

    One that stands alone on its line also covers the next line, and on line 1 the file as a whole. Quoted ones, in code, are text.
    """
    return [_read(document, comment) for comment in document.comments if _is_meant(comment)]


def read_reason(inner: str) -> str | None:
    """Return the reason that a comment's text gives for an exception, '' when it gives none; None when it cannot be read as one."""
    match = _FORM.fullmatch(inner)
    return None if match is None else (match[2] or "").strip()


def _is_meant(comment: Comment) -> bool:
    return MARKER in comment.inner.lower() and comment.place in ("plain", "html", "open")


def _read(document: Document, comment: Comment) -> Allow:
    match = _FORM.fullmatch(comment.inner)
    line = comment.line
    if not comment.closed or comment.end_line != line:
        return Allow(line, comment.column, problem="an exception stands on one line")
    if comment.place != "plain":
        return Allow(line, comment.column, problem="an exception does not stand in raw HTML")
    if match is None:
        return Allow(line, comment.column, problem='the exception is not of the form hoard:allow HGnnn reason="…"')
    alone = document.lines[line - 1].strip("\ufeff \t\r") == f"<!--{comment.inner}-->"
    covers: tuple[int, ...] = (line,)
    if alone:
        covers = (0, 1, 2) if line == 1 else (line, line + 1)
    codes = tuple(dict.fromkeys(re.split(r"[ ,]+", match[1])))
    return Allow(line, comment.column, codes, covers, bool((match[2] or "").strip()))


def apply_allows(file: FileView, findings: list[Finding], scene: Scene, ran: Collection[str]) -> Iterator[Hit]:
    """Soften or drop in place (severity `off`) what the file's exceptions excuse; yield a Hit for each exception that is at fault.

    `ran` holds the codes of the rules that judged this scene.
    """
    how = scene.policy.inline_allow
    allows = find_allows(file.document)
    sources = [provenance.src for provenance in provenances(file.document, file.default)] if allows else []
    places = _places(file.path, findings, {code for allow in allows for code in allow.codes})
    for allow in allows:
        source = _source_at(file.document, sources, allow.line)
        used = set()
        for index in {index for line in allow.covers for index in places.get(line, ())}:
            finding = findings[index]
            if finding.code in allow.codes:
                used.add(finding.code)
                if _is_honoured(allow, finding, how, source) and not (_is_grave(finding) and _is_own(allow, file, scene)):
                    findings[index] = _excused(finding, how)
        if file.judges(allow.line):
            yield from _faults(file, allow, used, ran, scene, source)


def _places(path: str, findings: Sequence[Finding], codes: Collection[str]) -> dict[int, list[int]]:
    """Map lines to the findings there. One about what is gone has a line of the file before the change, where no exception stands."""
    places: dict[int, list[int]] = {}
    for index, finding in enumerate(findings):
        if finding.path == path and finding.code in codes and not finding.is_gone:
            for line in range(finding.line, finding.end_line + 1):
                places.setdefault(line, []).append(index)
    return places


def _is_honoured(allow: Allow, finding: Finding, how: str, source: str) -> bool:
    if how == "false" or not allow.reason or not finding.code.startswith(ALLOWABLE):
        return False
    return not (finding.code.startswith("HG4") and source in LOW_TRUST)  # their text may bring an exception along with what it excuses


def _is_grave(finding: Finding) -> bool:
    """Whether only somebody else may excuse a finding: any secret, and an error about hidden or poisoned content."""
    return finding.code.startswith(SECRETS) or (finding.severity == "error" and finding.code.startswith("HG4"))


def _is_own(allow: Allow, file: FileView, scene: Scene) -> bool:
    """Whether a non-human writes the exception in the change under judgement: who brings a secret may not excuse it as well."""
    return scene.change and not scene.actor.is_human and scene.policy.inline_allow != "true" and file.judges(allow.line)


def excepted_lines(document: Document, code: str) -> frozenset[int]:
    """The lines that exceptions for a code cover: a finding about many lines must not lean on an exception for one of them."""
    if not any(MARKER in comment.inner.lower() for comment in document.comments):
        return frozenset()
    return frozenset(line for allow in find_allows(document) if code in allow.codes for line in allow.covers)


def _excused(finding: Finding, how: str) -> Finding:
    """The reason is not repeated: it is somebody's text and may hold what a finding must not print."""
    if how == "true" or finding.severity == "off":
        return finding._replace(severity="off")
    if finding.message.endswith(" (allowed here)"):
        return finding
    return finding._replace(severity="warn" if finding.severity == "error" else "info", message=f"{finding.message} (allowed here)")


def _source_at(document: Document, sources: Sequence[str], line: int) -> str:
    """The source of the entry around a line, or of the one right below an exception that stands alone."""
    for entry, source in zip(document.entries, sources, strict=True):
        if entry.line <= line <= entry.end_line or entry.line == line + 1:
            return source
    return ""


def _faults(file: FileView, allow: Allow, used: Collection[str], ran: Collection[str], scene: Scene, source: str) -> Iterator[Hit]:
    """At most one fault an exception, the first that applies."""
    problem = allow.problem or _fault_of_codes(allow, scene.policy.inline_allow)
    if not problem and any(code.startswith(SECRETS) for code in allow.codes) and _is_own(allow, file, scene):
        problem = f"an exception for a secret that {'a tool' if scene.actor.kind == 'tool' else 'an agent'} writes is not honoured"
    if not problem and source in LOW_TRUST and any(code.startswith("HG4") for code in allow.codes):
        problem = f"an exception in content from {source} is not honoured"
    if not problem:
        # What lies on lines that are not under judgement was not looked for.
        looked = all(file.judges(line) for line in allow.covers if 0 < line <= len(file.document.lines))
        idle = [code for code in allow.codes if code not in used and code in ran]
        if not looked or not idle:
            return
        problem = f"the exception for {', '.join(idle)} does nothing here"
    yield Hit(problem, allow.line, allow.column, "see hoard rule HG204")


def _fault_of_codes(allow: Allow, how: str) -> str:
    unknown = [code for code in allow.codes if code not in BY_CODE]
    if unknown:
        return f"there is no rule {unknown[0]}"
    barred = [code for code in allow.codes if not code.startswith(ALLOWABLE)]
    if barred:
        return f"{barred[0]} cannot be allowed inline"
    if not allow.reason:
        return 'the exception gives no reason="…" and is not honoured'
    return "the policy honours no inline exceptions" if how == "false" else ""
