r"""SOUL.md holds operating instructions: commands, schedules, machines, paths.

## Why

SOUL.md says who the agent is. Procedures that move in there are loaded as character: they are followed where they do not belong, they are not found by whoever
maintains AGENTS.md and TOOLS.md, and the file grows until it is cut.

## Bad

    file: SOUL.md
    | # Soul
    |
    | ## Mornings
    |
    | - Every 30 minutes run `git pull --rebase` in ~/projects/site
    | - The build host is 10.0.0.7:8080

## Good

    file: SOUL.md
    | # Soul
    |
    | Calm, brief, honest. Check the file, run the command, then answer. Write what matters to `memory/`.

Procedures stand in AGENTS.md:

    file: AGENTS.md
    | - Every 30 minutes run `git pull --rebase` in ~/projects/site

## Instead

Move procedures to AGENTS.md, machines and paths to TOOLS.md, schedules to HEARTBEAT.md.

## Limits

One finding a heading. Counted are commands in code, five-field schedules and `every N minutes`, addresses of machines, and paths outside the workspace;
instructions in plain words are not, and neither is `rm`, which stands in most warnings.
"""

from __future__ import annotations

import re

from hoard_git.core.document import CODE
from hoard_git.core.files import bootstrap_name
from hoard_git.core.lazy import lazy
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG607", "identity-scope-creep", "info", "file")

_PROGRAMS = (
    r"(?:sudo |env )?(?:git|gh|npm|npx|pnpm|yarn|pip3?|uv|curl|wget|docker|podman|kubectl|ssh|scp|rsync|systemctl|journalctl|crontab|launchctl|brew|apt|"
    r"apt-get|python3?|node|bash|sh|cd|cp|mv|mkdir|chmod|cat|grep|sed|awk|tail|openclaw|clawhub|claude|codex|ollama|hoard|ffmpeg|make)"
)
_SIGNS = (
    ("a command", lazy(rf"`+\s*(?:\$ )?{_PROGRAMS}\s[^`\n]{{1,200}}`")),
    ("a schedule", lazy(r"(?<!\S)(?:(?:\*|\d{1,2})(?:[/,-]\d{1,2}){0,6}\s+){2}(?:[\d*/,-]{1,12}\s+){2}[\d*/,-]{1,12}(?!\S)")),
    ("a schedule", lazy(r"(?<!\w)every \d{1,3} ?(?:min(?:ute)?s?|h(?:ou)?rs?|seconds?|days?)(?!\w)", re.IGNORECASE)),
    ("a machine's address", lazy(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.]*\d)|(?<!\w)localhost:\d{2,5}(?!\d)")),
    ("a path outside the workspace", lazy(r"(?<![\w/.:~])(?:~/|/(?:etc|usr|var|opt|home|root|mnt|srv|Users)/)[\w.@-]{1,80}")),
)
_COMMAND = lazy(rf"\s*(?:\$ )?{_PROGRAMS}(?:\s|$)")


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge SOUL.md, heading by heading."""
    if bootstrap_name(file.path, file.file_class, scene.policy) != "SOUL.md":
        return
    starts = [heading.line for heading in file.document.headings]
    found: dict[int, list[tuple[int, str]]] = {}
    for number, line in file.judged_lines():
        what = _sign(line, is_code=file.document.kinds[number - 1] == CODE)
        if what:
            found.setdefault(sum(start <= number for start in starts), []).append((number, what))
    for places in found.values():
        names = ", ".join(dict.fromkeys(what for _line, what in places))
        more = f" on {len(places)} lines under this heading" if len(places) > 1 else ""
        yield Hit(f"holds operating instructions: {names}{more}", places[0][0], 1, "move it to AGENTS.md, TOOLS.md or HEARTBEAT.md")


def _sign(line: str, *, is_code: bool) -> str:
    """What makes a line an operating instruction, '' when nothing does."""
    if is_code and _COMMAND.match(line):
        return "a command"
    return next((what for what, pattern in _SIGNS if pattern.search(line)), "")
