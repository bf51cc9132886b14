"""What `hoard init` found in a directory, and what it proposes to make of it."""

from __future__ import annotations

from shlex import quote

from hoard_git.cli.render.columns import plain, terminal_width, wrap
from hoard_git.cli.render.history import paint
from hoard_git.cli.render.text import path_text
from hoard_git.core.counted import counted
from hoard_git.core.files import OTHER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.app.setup import Choices
    from hoard_git.app.survey import Survey

_SHOWN = 5
_NAME = 10


def render_survey(found: Survey, *, color: bool) -> Iterator[str]:
    """Yield what is there: files, entries, what is over its budget, and secrets by their kind and place, never by their value."""
    yield f"found in {path_text(found.root)}"
    yield _row("files", ", ".join(f"{number} {'of other kinds' if name == OTHER else name}" for name, number in found.classes))
    bare = f", {found.untagged:,} of them untagged in {_several(found.untagged_paths)}" if found.untagged else ", all with a source"
    yield _row("entries", f"{found.entries:,}{bare}", found.untagged > 0, color=color)
    for row in found.over:
        limit = f" is {row.percent} % of {row.limit.text()}" if row.limit is not None else ""
        yield _row("budget", f"{row.path}{limit}: {row.outcome} when a session loads it ({found.budget})", True, color=color)
    if not found.over and found.budget:
        yield _row("budget", f"everything is loaded whole ({found.budget})")
    if found.secrets:
        kinds = counted(len(found.secrets), "credential")
        yield _row("secrets", f"{kinds} in plain sight, which history keeps: rotate, then take them out", True, color=color)
        for one in found.secrets[:_SHOWN]:
            yield _row("", f"{one.path}:{one.line}: {one.kind}")
        if len(found.secrets) > _SHOWN:
            yield _row("", f"and {len(found.secrets) - _SHOWN} more: hoard check shows them all")
    else:
        yield _row("secrets", "none seen")
    if found.elsewhere:
        yield _row(
            "elsewhere",
            f"a MEMORY.md in {_several(found.elsewhere)}, which is not part of this: hoard init {quote(found.elsewhere[0])}",
            True,
            color=color,
        )
    for path, why in found.unread[:_SHOWN]:
        yield _row("not read", f"{path}: {why}", True, color=color)
    if len(found.unread) > _SHOWN:
        yield _row("", f"and {len(found.unread) - _SHOWN} more that could not be read")


def render_proposal(found: Survey, choices: Choices) -> Iterator[str]:
    """Yield what would be made of it, each line with the option that says otherwise."""
    yield "proposed"
    human, agent = found.human, found.agent
    if choices.human:
        yield _row("human", choices.human)
    elif human is not None:
        yield _row("human", f"{human.person.name} <{human.person.email}>, {human.why} (another: --human)")
    if choices.agent:
        yield _row("agent", choices.agent)
    elif agent is not None:
        yield _row("agent", f"{agent.person.name} <{agent.person.email}>, {agent.why} (another: --agent)")
    else:
        yield _row("agent", "a made-up identity of this folder's (another: --agent)")
    if found.profile:
        yield _row("budgets", f"{found.profile}, by {found.profile_why}")
    mode = "warn: hooks report and never block" if choices.warn else "enforce: hooks refuse (to begin with: --warn)"
    yield _row("mode", mode)
    if found.untagged:
        yield _row("tags", "src:agent on what is untagged, with the dates found in the text or by git; comments only")


def _row(name: str, text: str, marked: bool = False, *, color: bool = False) -> str:
    sign = paint("!", "35", on=color) if marked else " "
    lines = [*wrap(plain(text), max(terminal_width(200) - _NAME - 2, 26))] or [""]
    return ("\n" + " " * (_NAME + 2)).join([f"{sign} {name:<{_NAME}}{lines[0]}".rstrip(), *lines[1:]])


def _several(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(paths[:3]) + more
