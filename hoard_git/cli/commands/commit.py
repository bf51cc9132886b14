"""`hoard commit`: commit the changed memory files, and nothing else."""

from __future__ import annotations

import contextlib
import os

import click

from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import path_text, render_finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.core.model import Finding


_MOST_NAMED = 8


@click.command("commit")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("-m", "--message", default="", help="The message; without it, a subject that says which facts changed.")
@click.option("--human", is_flag=True, help="Commit as the human of the policy.")
@click.option("--reason", default="", help="Why, for the Memory-Reason trailer.")
@click.option("--session", default="", metavar="ID", help="The session, for the Memory-Session trailer.")
@pass_context
def command(context: Context, paths: tuple[str, ...], message: str, human: bool, reason: str, session: str) -> int:
    """Commit the changed memory files, and nothing else."""
    from hoard_git.app.check import inside_or_gone
    from hoard_git.app.write import Wish, commit_memory

    reader = context.plumbing
    only = inside_or_gone(reader, context.directory, paths)
    with showing_refusal():
        done = commit_memory(reader, only, Wish(message, human, reason, session), context.days, os.environ)
    show_findings(done.findings)
    click.echo(done.oid)
    more = f" and {len(done.paths) - _MOST_NAMED} more" if len(done.paths) > _MOST_NAMED else ""
    context.note(f"hoard: committed {', '.join(path_text(path) for path in done.paths[:_MOST_NAMED])}{more}")
    for path in done.ignored:
        context.note(f"hoard: left out {path_text(path)}: it is ignored (git check-ignore -v {path_text(path)})")
    tell_undo(context, done.oid, human=human)
    return 0


def tell_undo(context: Context, oid: str, *, human: bool = False) -> None:
    """Say how to look at a commit and how to take it back."""
    # Without --human the revert would be the agent's, which may not take back what the user said.
    undo = f"git revert -n {oid[:12]} && hoard commit --human" if human else f"git revert {oid[:12]}"
    context.note(f"  look: git show {oid[:12]}        undo: {undo}")


@contextlib.contextmanager
def showing_refusal() -> Iterator[None]:
    """Print what the gate found when it refuses; the error itself goes on to whoever explains it."""
    from hoard_git.app.write import Refused

    try:
        yield
    except Refused as refused:
        show_findings(refused.findings)
        raise


def show_findings(findings: Sequence[Finding]) -> None:
    """Print errors and warnings."""
    context = click.get_current_context().ensure_object(Context)
    for finding in findings:
        if finding.severity in ("error", "warn"):
            click.echo(render_finding(finding._replace(hint=context.typed(finding.hint))))
