"""`hoard tag`: give untagged memory a source and a date."""

from __future__ import annotations

import click

from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.text import path_text, words_text
from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.core.window import Row


@click.command("tag")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--src", type=click.Choice(["agent", "tool", "web", "dig"]), default="agent", show_default=True, help="The source that the tags claim."
)
@click.option("--dry-run", is_flag=True, help="Show what would be tagged; change nothing.")
@pass_context
def command(context: Context, paths: tuple[str, ...], src: str, dry_run: bool) -> int:
    """Give untagged memory a source and a date; adds only comments."""
    from hoard_git.app.adopt import find_taggable, tag_files
    from hoard_git.app.check import inside

    only = inside(context.reader, context.directory, paths)
    looked, others = find_taggable(context.plumbing, only)
    if not looked:
        names = f": {', '.join(path_text(path) for path in others)}" if paths else ""
        context.note(f"hoard: nothing to tag; these count as something without a tag{names}" if others else "hoard: no memory files here")
        return 0
    before = _cut(context, {})
    outcomes = tag_files(context.plumbing, only, src, context.days, dry_run=dry_run)
    tags = 0
    for outcome in outcomes:
        for insertion in outcome.plan.insertions if outcome.plan is not None else ():
            tags += 1
            found = f"date-from:{insertion.date_from.replace(' ', '-')}" if insertion.date_from else "no date found"
            click.echo(f"{path_text(outcome.path)}:{insertion.line}: {insertion.text.strip()} {found}")
        for line, why in outcome.plan.left if outcome.plan is not None else ():
            context.note(f"{path_text(outcome.path)}:{line}: left alone: {why}")
    rest = "" if tags or outcomes else f"; {len(looked)} file{'s' * (len(looked) != 1)} looked at, everything is tagged"
    context.note(f"hoard: {'would add' if dry_run else 'added'} {tags} tag{'s' * (tags != 1)}{rest}")
    if tags and not dry_run:
        context.note("  look: git diff        keep: hoard commit -m 'Tag memory'        undo: git checkout -p")
    if tags and before is not None:
        after = _cut(context, {one.path: one.plan.data for one in outcomes if one.plan is not None}) or {}
        for path in sorted(after.keys() - before.keys()):
            context.note(
                f"hoard: with {'these' if dry_run else 'the'} tags a session no longer loads all of {path_text(path)} ({after[path].told()}, "
                "see hoard doctor); make room: hoard consolidate"
            )
    refused = [outcome for outcome in outcomes if outcome.refused]
    for outcome in refused[1:]:
        context.note(f"{path_text(outcome.path)} was left alone: {words_text(outcome.refused)}")
    if refused:
        raise HoardError(
            f"{refused[0].path} was left alone: {refused[0].refused}", f"Mend it, then: hoard tag {shell_word(refused[0].path)}"
        )
    return 0


def _cut(context: Context, contents: Mapping[str, bytes]) -> dict[str, Row] | None:
    """What a session would not load whole; None, and a word about it, where that cannot be said."""
    from hoard_git.app.windows import find_cut
    from hoard_git.app.workspace import read_policies_of_worktree

    try:
        return find_cut(context.plumbing.root(), read_policies_of_worktree(context.plumbing), contents)
    except HoardError as error:
        context.note(f"hoard: whether a session loads all of this is not known: {words_text(error.message)}")
        return None
