"""`hoard check`: judge memory as it stands, what is staged, a commit, a range or a patch."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.json import render_report
from hoard_git.cli.render.text import render_finding, safe
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.check import Report


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--staged", is_flag=True, help="Judge what is staged: HEAD against the index.")
@click.option("--commit", "commit", metavar="REV", help="Judge one commit against its parents.")
@click.option("--range", "range_", metavar="A..B", help="Judge every commit of a range.")
@click.option("--patch", metavar="FILE", help="Judge a unified diff against HEAD; - reads it from stdin.")
@click.option(
    "--engine",
    type=click.Choice(["builtin", "betterleaks"]),
    default="builtin",
    help="Let a second engine look for secrets, too; with --staged, --commit or --range.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", help="How to print the findings.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--strict", is_flag=True, help="Warnings fail, too.")
@click.option("--fix", is_flag=True, help="Mend what is safe to mend, in the work tree.")
@pass_context
def command(
    context: Context,
    paths: tuple[str, ...],
    staged: bool,
    commit: str | None,
    range_: str | None,
    patch: str | None,
    engine: str,
    form: str,
    as_json: bool,
    strict: bool,
    fix: bool,
) -> int:
    """Judge memory as it stands, what is staged, a commit or a range."""
    modes = [name for name, given in (("--staged", staged), ("--commit", commit), ("--range", range_), ("--patch", patch)) if given]
    if len(modes) > 1:
        raise click.UsageError(f"{modes[0]} and {modes[1]} exclude each other.")
    if modes and (paths or fix):
        raise click.UsageError(f"{modes[0]} takes no {'paths' if paths else '--fix'}.")
    if engine != "builtin" and (not modes or patch is not None):
        raise click.UsageError(f"--engine {engine} goes with --staged, --commit or --range.")
    report = _judge(context, paths, commit, range_, patch, staged=staged, fix=fix, engine=engine)
    return show(context, report, "json" if as_json else form, strict=strict)


def _judge(
    context: Context,
    paths: tuple[str, ...],
    commit: str | None,
    range_: str | None,
    patch: str | None,
    *,
    staged: bool,
    fix: bool,
    engine: str,
) -> Report:
    from hoard_git.app import check

    second = None
    if engine != "builtin":
        from hoard_git.app.engines import SecondEngine

        second = SecondEngine()
    if staged:
        return check.check_staged(context.reader, context.days, os.environ, second=second)
    if commit is not None:
        return check.check_commits(context.batch, [context.reader.resolve(commit)], context.days, commit, second=second)
    if range_ is not None:
        return check.check_commits(context.batch, check.find_range(context.batch, range_), context.days, range_, second=second)
    if patch is not None:
        from hoard_git.app.patches import check_patch

        return check_patch(context.plumbing, _read_patch(context.directory, patch), context.days)
    only = check.inside(context.reader, context.directory, paths)
    if fix:
        from hoard_git.app.fix import fix_files

        for line in fix_files(context.plumbing, only, os.environ) or ["nothing to fix"]:
            context.note(safe(line))
    return check.check_state(context.plumbing, only, context.days)


def _read_patch(directory: str, path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(directory, path).read_bytes()
    except OSError as error:
        raise HoardError(f"The patch {path!a} cannot be read: {error.strerror}.", f"ls -l {path!a}") from error


def show(context: Context, report: Report, form: str, *, strict: bool) -> int:
    """Print a report and return the exit status: 1 for errors, with `strict` for warnings too."""
    errors = sum(finding.severity == "error" for finding in report.findings)
    warnings = sum(finding.severity == "warn" for finding in report.findings)
    if form == "json":
        click.echo(render_report(report))
    else:
        for finding in report.findings:
            click.echo(render_finding(finding))
        if report.before_policy:
            many = report.before_policy != 1
            context.note(f"hoard: {report.before_policy} commit{'s' * many} before the first policy: not judged, old content never is")
        if form == "text" and report.what and not report.commits and not report.before_policy and ".." in report.what:
            context.note(f"hoard: {safe(report.what)} holds no commits; there is nothing to judge")
            return 0
        commits = f", {report.commits} commit{'s' * (report.commits != 1)}" if report.commits else ""
        scanned = f"{report.files} file{'s' * (report.files != 1)}, {report.lines} line{'s' * (report.lines != 1)}{commits}"
        context.note(f"hoard: {scanned} judged: {errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}")
    return 1 if errors or (strict and warnings) else 0
