"""The manual pages, from what every command says in its --help.

One page for `hoard` and one for each command with everything below it. Written for man's own macros (groff_man(7)), which mandoc reads too.
"""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NOTE = '.\\" Written by docs/_build.py; change the code, then run it.\n'
_MANUAL = "hoard-git manual"

_STATUS = """\
.SH EXIT STATUS
.TP
.B 0
Nothing is wrong.
.TP
.B 1
Findings of severity error.
.TP
.B 2
Misuse, a problem of the repository or the policy, or something that could not be looked at.
.TP
.B 3
A fault in hoard itself; a log file ready to paste is named.
.TP
.B 130
Interrupted.
"""


def man_pages(root: click.Group, version: str, table: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Every page by its file name; `table` gives each command its group and the first line of its help."""
    top = click.Context(root, info_name="hoard")
    pages = {"hoard.1": _top_page(top, version, table)}
    for name in table:
        command = root.get_command(top, name)
        if command is not None:
            pages[f"hoard-{name}.1"] = _page(click.Context(command, info_name=name, parent=top), version, table[name][1])
    return pages


def _top_page(context: click.Context, version: str, table: Mapping[str, tuple[str, str]]) -> str:
    parts = [NOTE, _title("hoard", version), *_opening(context, "memory for AI agents in git")]
    parts += [".SH OPTIONS\n", *_options(context), ".SH COMMANDS\n"]
    for group in dict.fromkeys(of for of, _line in table.values()):
        parts.append(f".SS {_text(group)}\n")
        parts += [f".TP\n.BR hoard\\-{_text(name)} (1)\n{_text(line)}\n" for name, (of, line) in table.items() if of == group]
    parts += [_STATUS, ".SH SEE ALSO\n.BR git (1),\n.BR githooks (5)\n"]
    return "".join(parts)


def _page(context: click.Context, version: str, line: str) -> str:
    command = context.command
    parts = [NOTE, _title(f"hoard-{command.name}", version), *_opening(context, line.rstrip(".")), ".SH OPTIONS\n", *_options(context)]
    parts += _below(context)
    parts += [_STATUS, ".SH SEE ALSO\n.BR hoard (1)\n"]
    return "".join(parts)


def _below(context: click.Context) -> Iterator[str]:
    """The commands of a group, each with its usage, text and options."""
    command = context.command
    if not isinstance(command, click.Group):
        return
    yield ".SH COMMANDS\n"
    for name in command.list_commands(context):
        child = command.get_command(context, name)
        if child is not None and not child.hidden:
            below = click.Context(child, info_name=name, parent=context)
            yield f".SS {_text(_usage(below))}\n"
            yield _paragraphs(child.help or "")
            yield from _options(below)


def _title(name: str, version: str) -> str:
    return f'.TH {_text(name.upper())} 1 "" "hoard\\-git {_text(version)}" "{_MANUAL}"\n'


def _opening(context: click.Context, line: str) -> Iterator[str]:
    name = context.command_path.replace(" ", "-")
    yield f".SH NAME\n{_text(name)} \\- {_text(line)}\n"
    yield f".SH SYNOPSIS\n{_text(_usage(context))}\n"
    yield ".SH DESCRIPTION\n"
    yield _paragraphs(context.command.help or "")


def _usage(context: click.Context) -> str:
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


def _options(context: click.Context) -> Iterator[str]:
    for param in context.command.get_params(context):
        record = param.get_help_record(context)
        if record is not None and record[1]:  # an argument says in the synopsis what it is
            yield f".TP\n.B {_text(record[0])}\n{_text(record[1])}\n"


def _paragraphs(text: str) -> str:
    """The help as paragraphs; one that click is told to leave alone (a \\b above it) keeps its lines."""
    parts = []
    for block in re.split(r"\n\s*\n", inspect.cleandoc(text).strip(" \n")):
        lines = [line for line in block.split("\n") if line.strip() != "\f"]
        if lines and lines[0].strip() == "\b":
            parts.append(".PP\n.nf\n" + "".join(f"{_text(line)}\n" for line in lines[1:]) + ".fi\n")
        else:
            parts.append(f".PP\n{_text(' '.join(line.strip() for line in lines))}\n")
    return "".join(parts)


def _text(text: str) -> str:
    """Text that no macro processor acts upon: backslashes, hyphens, and dots and quotes at the start of a line."""
    shown = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga").replace('"', "\\(dq")
    return f"\\&{shown}" if shown.startswith(".") else shown
