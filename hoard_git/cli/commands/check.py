"""`hoard check`: judge memory as it stands, what is staged, a commit, a range or a patch."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import render_finding, safe, words_text
from hoard_git.core.discreet import quiet_finding
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.app.check import Report

FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit")
_TO_READ = ("text", "github")
"""Formats of which a person reads the lines: the verdict is said beside them."""

_BEGINS = {"json": (b"{",), "sarif": (b"{",), "gitlab": (b"[",), "junit": (b"<?xml",)}
"""How a file begins that an earlier run has written."""


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
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    help="How to print the findings: lines for people, JSON, SARIF 2.1.0, workflow commands (GitHub, Forgejo), code quality (GitLab), or JUnit XML.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--report", "reports", metavar="FORMAT=FILE", multiple=True, help="Write the findings to a file as well; may be given several times."
)
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
    reports: tuple[str, ...],
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
    files = [_split_report(context, text) for text in reports]
    report = _judge(context, paths, commit, range_, patch, staged=staged, fix=fix, engine=engine)
    for chosen, path in files:
        _write_report(context.directory, path, render(report, chosen, strict=strict))
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
        from hoard_git.app.netresult import ends_of_range
        from hoard_git.app.pin import pin_findings, read_pin

        pin = read_pin(context.batch, os.environ)
        oids = check.find_range(context.batch, range_)
        ends = ends_of_range(context.batch, range_)
        report = check.check_commits(context.batch, oids, context.days, range_, second=second, ends=ends)
        pinned = pin_findings(context.batch, pin, oids[-1], report.introducing) if oids else []
        return report._replace(findings=(*report.findings, *pinned))
    if patch is not None:
        from hoard_git.app.patches import check_patch

        return check_patch(context.plumbing, _read_patch(context.directory, patch), context.days)
    only = check.inside(context.reader, context.directory, paths)
    if fix:
        from hoard_git.app.fix import fix_files

        for line in fix_files(context.plumbing, only, os.environ) or ["nothing to fix"]:
            context.note(words_text(line))
    return check.check_state(context.plumbing, only, context.days)


def _read_patch(directory: str, path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    from pathlib import Path

    try:
        return Path(directory, path).read_bytes()
    except OSError as error:
        from hoard_git.app.looking import look_command

        raise HoardError(f"The patch {path!r} cannot be read: {error.strerror}.", look_command(path, directory)) from error


def _split_report(context: Context, text: str) -> tuple[str, str]:
    """Split `FORMAT=FILE`, and see that nothing else lies there, before anything is judged."""
    form, _, path = text.partition("=")
    if form not in FORMATS or not path or "\0" in path:
        raise click.UsageError(f"--report takes FORMAT=FILE, as in sarif=hoard.sarif; formats: {', '.join(FORMATS)}.")
    from hoard_git.app.outfiles import check_output

    check_output(context.plumbing, os.path.join(context.directory, path), f"hoard check --report {form}=FILE", _BEGINS.get(form, ()))  # noqa: PTH118 -- as typed
    return form, path


def _write_report(directory: str, path: str, text: str) -> None:
    """Put a whole report in place of what is there. A symlink, which a checkout may bring along, is replaced and not followed."""
    from pathlib import Path
    from tempfile import NamedTemporaryFile

    target = Path(directory, path)
    beside = ""
    try:
        with NamedTemporaryFile("w", encoding="utf-8", newline="\n", dir=target.parent, prefix=".hoard-", delete=False) as file:
            beside = file.name
            file.write(text)
        Path(beside).chmod(0o644)  # the step that uploads it may be somebody else
        Path(beside).replace(target)
    except OSError as error:
        if beside:
            Path(beside).unlink(missing_ok=True)
        from hoard_git.app.looking import look_command

        raise HoardError(f"The report {path!r} cannot be written: {error.strerror}.", look_command(str(target.parent))) from error


def render(report: Report, form: str, *, strict: bool) -> str:
    """A report in one of `FORMATS`, with its final line break; '' for no findings as lines."""
    if form == "text":
        return "".join(f"{render_finding(finding)}\n" for finding in report.findings)
    report = report._replace(findings=tuple(map(quiet_finding, report.findings)))
    module = import_module(f"hoard_git.cli.render.{form}")  # json and the rest cost milliseconds that a text does not need
    if form == "json":
        return f"{module.render_report(report)}\n"
    text: str = getattr(module, f"render_{form}")(report, strict=strict)
    return text


def show(context: Context, report: Report, form: str, *, strict: bool) -> int:
    """Print a report and return the exit status: 1 for errors, with `strict` for warnings too."""
    errors = sum(finding.severity == "error" for finding in report.findings)
    warnings = sum(finding.severity == "warn" for finding in report.findings)
    shown = report
    if form == "text":  # the other forms are read elsewhere
        shown = report._replace(findings=tuple(finding._replace(hint=context.typed(finding.hint)) for finding in report.findings))
    click.echo(render(shown, form, strict=strict), nl=False)
    if form in _TO_READ:
        for line in _verdict(report, errors, warnings):
            context.note(f"hoard: {line}")
    return 1 if errors or (strict and warnings) else 0


def _verdict(report: Report, errors: int, warnings: int) -> Sequence[str]:
    """What was judged, in lines for people."""
    told = []
    if report.before_policy:
        many = report.before_policy != 1
        told.append(f"{report.before_policy} commit{'s' * many} before the first policy: not judged, old content never is")
    elif report.what and not report.commits and ".." in report.what:
        return [f"{safe(report.what)} holds no commits; there is nothing to judge"]
    commits = f", {report.commits} commit{'s' * (report.commits != 1)}" if report.commits else ""
    scanned = f"{report.files} file{'s' * (report.files != 1)}, {report.lines} line{'s' * (report.lines != 1)}{commits}"
    told.append(f"{scanned} judged: {errors} error{'s' * (errors != 1)}, {warnings} warning{'s' * (warnings != 1)}")
    return told
