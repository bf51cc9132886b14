"""`hoard-hook pre-commit` under the pre-commit framework: the staged change, a range, or whole files under --all-files; says which."""

from __future__ import annotations

from hoard_git.app.check import check_commits, check_state, find_range, inside_or_gone
from hoard_git.app.clock import read_days
from hoard_git.app.hookrun import judge_staged, verdict
from hoard_git.app.netresult import ends_of_range
from hoard_git.app.verdict import Verdict
from hoard_git.app.workspace import find_memory_files, read_policies_of_worktree
from hoard_git.gitio.opening import open_reader
from hoard_git.gitio.plumbing import PlumbingReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hoard_git.app.check import Report
    from hoard_git.app.clock import Days
    from hoard_git.core.policy import Policy


def run_framework(files: Sequence[str], environ: Mapping[str, str]) -> Verdict:
    """Judge what the framework means, and say what that was.

    PRE_COMMIT_FROM_REF and PRE_COMMIT_TO_REF name a range; with something staged it is a commit; otherwise (`--all-files`, `--files`) whole
    files: those named, or all memory when none is.
    """

    def days(policy: Policy) -> Days:
        return read_days(policy, "", environ)

    start, end = environ.get("PRE_COMMIT_FROM_REF", ""), environ.get("PRE_COMMIT_TO_REF", "")
    if start and end:
        reader = open_reader(".", batch=True)
        text = f"{start}..{end}"
        ends = ends_of_range(reader, text)
        return _verdict(check_commits(reader, find_range(reader, text), days, f"{start[:12]}..{end[:12]}", ends=ends))
    plumbing = PlumbingReader(".")
    if plumbing.staged("HEAD").changes:
        # git names the other side of a merge in the environment before it writes MERGE_HEAD
        judgement = judge_staged(plumbing, environ, merging=any(name.startswith("GITHEAD_") for name in environ)).judgement
        told = verdict(judgement)
        return told._replace(note=told.note or _scanned("staged change", len(judgement.memory_paths), f"{judgement.lines} changed lines"))
    named = inside_or_gone(plumbing, ".", [path for path in files if not path.startswith("-")])
    known = find_memory_files(plumbing.root(), read_policies_of_worktree(plumbing))
    chosen = [path for path in named if path in known]
    if named and not chosen:
        return Verdict(note=_scanned("work tree", 0, "0 lines"))
    return _verdict(check_state(plumbing, chosen, days))


def _verdict(report: Report) -> Verdict:
    errors = any(finding.severity == "error" for finding in report.findings)
    commits = f", {report.commits} commit{'s' * (report.commits != 1)}" if report.commits else ""
    return Verdict(
        report.findings, blocks=errors and not report.warns_only, note=_scanned(report.what, report.files, f"{report.lines} lines{commits}")
    )


def _scanned(what: str, files: int, rest: str) -> str:
    return f"{what}: {files} memory file{'s' * (files != 1)}, {rest} judged"
