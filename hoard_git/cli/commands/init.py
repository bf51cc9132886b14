"""`hoard init`: make or adopt a workspace."""

# ruff: noqa: PTH111, PTH118 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import os
import sys

import click

from hoard_git.cli.context import Context, pass_context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.setup import Choices, Outcome
    from hoard_git.app.survey import Survey


@click.command("init")
@click.argument("directory", required=False, metavar="[DIR]")
@click.option("--human", default="", metavar='"N <e>"', help="The human; default: your global git identity.")
@click.option("--agent", default="", metavar='"N <e>"', help="The agent's own identity in this repository.")
@click.option("--sign-key", metavar="KEY.pub", default="", help="The human's SSH key: list it, ask for signatures, sign with it.")
@click.option("--warn", is_flag=True, help="Report and never block, to begin with.")
@click.option("--baseline", is_flag=True, help="Record memory that git does not know as found, also where there are commits.")
@click.option("--no-starters", is_flag=True, help="Write neither MEMORY.md nor HEARTBEAT.md, where an agent keeps its memory elsewhere.")
@click.option("--no-hooks", is_flag=True, help="Install no hooks.")
@click.option("--no-commit", is_flag=True, help="Write the files only.")
@click.option("-y", "--yes", is_flag=True, help="Show what memory is there and take the proposal: identities, budgets, tags.")
@pass_context
def command(
    context: Context,
    directory: str | None,
    human: str,
    agent: str,
    sign_key: str,
    warn: bool,
    baseline: bool,
    no_starters: bool,
    no_hooks: bool,
    no_commit: bool,
    yes: bool,
) -> int:
    """Make or adopt a workspace: policy, hooks, identities.

    Where memory lies already, a terminal shows what was found, proposes identities, budgets and tags, and asks; nothing is written
    before the answer. Without a terminal and without --yes old memory stays as it is.
    """
    from hoard_git.app.people import parse_people
    from hoard_git.app.setup import Choices, set_up
    from hoard_git.cli.commands.hooks import install_hooks
    from hoard_git.cli.render.text import words_text

    parse_people(human, agent)  # before anybody is asked
    target = os.path.normpath(os.path.join(context.directory, directory)) if directory else context.directory
    key = os.path.normpath(os.path.join(context.directory, os.path.expanduser(sign_key))) if sign_key else ""
    choices = Choices(human, agent, warn=warn, commit=not no_commit, baseline=baseline, sign_key=key, starters=not no_starters)
    found = _look(target) if yes or _can_ask(context) else None
    if found is not None:
        if not _agreed(context, found, choices, yes=yes):
            context.note("hoard: nothing was written; the options that say otherwise: hoard init --help")
            return 0
        choices = _proposed(found, choices)
    outcome = set_up(target, choices, context.days, os.environ)

    there = Context(target, context.date, color=context.color, quiet=context.quiet)

    def tell(line: str) -> None:
        if not context.quiet:
            click.echo(words_text(there.typed(line)))

    for line in outcome.done:
        tell(line)
    if no_hooks:
        tell("no hooks installed; later: hoard hooks install")
    else:
        install_hooks(Context(outcome.root, context.date, color=context.color, quiet=context.quiet))
    for line in outcome.left:
        tell(f"left alone: {line}")
    for line in _give_tags(context, outcome, choices, yes=yes) if found is not None else ():
        tell(line)
    for number, step in enumerate(outcome.next if found is None else ("hoard status", "hoard check")):
        there.note(("next: " if number == 0 else "      ") + step)
    return 0


def _can_ask(context: Context) -> bool:
    return not context.quiet and sys.stdin.isatty() and sys.stdout.isatty()


def _look(target: str) -> Survey | None:
    from hoard_git.app.survey import read_survey

    return read_survey(target)


def _agreed(context: Context, found: Survey, choices: Choices, *, yes: bool) -> bool:
    """Show what is there and what is proposed, and ask, unless the answer was given."""
    from hoard_git.cli.render.survey import render_proposal, render_survey

    if found.human is None and not choices.human:
        return True  # setting up says what is missing
    if not context.quiet:
        for line in (*render_survey(found, color=context.color), *render_proposal(found, choices)):
            click.echo(line)
    return yes or click.confirm("Set it up like this?", default=True)


def _proposed(found: Survey, choices: Choices) -> Choices:
    """What was asked for, and the proposal where nothing was."""
    human, agent = choices.human, choices.agent
    if not human and found.human is not None:
        human = f"{found.human.person.name} <{found.human.person.email}>"
    if not agent and found.agent is not None:
        agent = f"{found.agent.person.name} <{found.agent.person.email}>"
    return choices._replace(human=human, agent=agent, budgets=found.profile, baseline=choices.commit, tags=True)


def _give_tags(context: Context, outcome: Outcome, choices: Choices, *, yes: bool) -> list[str]:
    """Give untagged files their tags on consent; what was done, one line each."""
    from hoard_git.app.firsttags import plan_first_tags, write_first_tags
    from hoard_git.core.counted import counted

    here = Context(outcome.root, context.date, color=context.color, quiet=context.quiet)
    planned = plan_first_tags(here.plumbing, here.days)
    if not planned.tags:
        return list(planned.left)
    what = f"Add {counted(planned.tags, 'tag')} to {counted(len(planned.paths), 'file')}, comments only?"
    if not yes and not click.confirm(what, default=True):
        return [*planned.left, "no tags were added; later: hoard tag --dry-run"]
    commit = choices.commit and outcome.oid is not None  # without its policy in force there is nobody to commit as
    return [*write_first_tags(here.plumbing, planned, here.days, os.environ, commit=commit), *planned.left]
