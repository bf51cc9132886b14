"""`hoard verify`: who was entitled to what, by which proof, from the root of trust on."""

from __future__ import annotations

import os

import click

from hoard_git.cli.context import Context, pass_context
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.verify import Verification
    from hoard_git.app.witness import Sightings


@click.command("verify")
@click.argument("range_", metavar="[RANGE]", required=False)
@click.option("--root", metavar="OID", help="The commit that brought the first policy; HOARD_ROOT and git's hoard.root do the same.")
@click.option(
    "--witness", metavar="FILE|REMOTE/REF", default="", help="Compare with what a file, or a remote's ref, remembers of the branches."
)
@click.option("--accept", is_flag=True, help="With --witness FILE: take over what was rewritten, turned back or removed.")
@click.option("--all", "everything", is_flag=True, help="List every change and every commit without a good signature.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def command(context: Context, range_: str | None, root: str | None, witness: str, accept: bool, everything: bool, as_json: bool) -> int:
    """Tell who was entitled to each change that takes a human, and by what proof.

    RANGE is A..B, A...B, or B for all that it reaches; default: HEAD. Lists the policy's history from its root, the changes of user facts,
    keys and protected files, and signatures that are bad or by strangers. Fails on a change that nobody was entitled to (1), and when it
    cannot be verified (2).

    --witness remembers branches and tags in a file outside the repository. Later runs tell what was turned back, rewritten or removed.
    """
    from hoard_git.app.check import find_tip
    from hoard_git.app.pin import read_pin
    from hoard_git.app.verify import verify

    if accept and not witness:
        raise click.UsageError("--accept goes with --witness.")
    reader, text = context.batch, range_ or "HEAD"
    told = None
    if witness:
        from hoard_git.app.witness import ask_witness

        told = ask_witness(reader, witness, context.directory, find_tip(reader, text), accept=accept)
    try:
        found = verify(reader, text, read_pin(reader, os.environ, root), context.days)
    except HoardError:
        _tell_alarms(context, told)
        raise
    return _show(context, found, told, everything=everything, as_json=as_json)


def _tell_alarms(context: Context, told: Sightings | None) -> None:
    """What the witness said must not be lost where the rest cannot be looked at."""
    from hoard_git.cli.render.verified import witness_lines

    if told is not None and told.alarms:
        for line in witness_lines(told):
            click.echo(context.step(line), err=True)


def _show(context: Context, found: Verification, told: Sightings | None, *, everything: bool, as_json: bool) -> int:
    from hoard_git.cli.render import verified

    failed = bool(found.refused or (told is not None and told.alarms))
    if as_json:
        click.echo(verified.render_json(found, told))
        return int(failed)
    from hoard_git.cli.pager import paged

    with paged(context) as write:
        for line in verified.render_text(found, told, everything=everything, color=context.color):
            write(context.step(line))
    for line in verified.verdict(found, told):
        context.note(line)
    return int(failed)
