"""The commands in a hint, held against the real command line; what every error of a test said is collected and looked at when the test ends."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import click

from hoard_git.cli.globals import global_options
from hoard_git.cli.main import COMMANDS, group
from hoard_git.errors import HoardError

_NO_COMMANDS = {"hoard itself", "hoard command", "hoard cannot", "hoard merge", "hoard had", "hoard was", "hoard does"}
"""Words that follow the program's name in a sentence."""

_COMMAND = re.compile(
    r"(?<![\w/.@-])hoard ((?:-C (?:'[^']*'|\S+) |-q |--date \S+ )*)([a-z][a-z-]*)(?=((?:'[^'\n]*'|\"[^\"\n]*\"|[^\n;)`])*))"
)
_END = re.compile(r",? (?:then|or|and|where|by)\b|,(?: |$)|: |   +| \(| #| && | \| | > |\.$")
_NEXT = re.compile(rb"^(?:remote: )?  next: (.*)$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"[A-Z<{\u2026]")


class Typed(NamedTuple):
    """One `hoard NAME REST` of a text."""

    name: str
    rest: str


_heard: set[str] = set()


def commands_in(text: str) -> Iterator[Typed]:
    """Every `hoard NAME …` of a text, up to where the sentence goes on."""
    for match in _COMMAND.finditer(text):
        if f"hoard {match[2]}" not in _NO_COMMANDS:
            yield Typed(match[2], _END.split(_outside_quotes(match[3]))[0].replace("\0", " "))


def _outside_quotes(text: str) -> str:
    """The text with the spaces inside quotes made NUL, so that no sentence is seen to go on in there."""
    return re.sub(r"\\.|'[^']*'|\"[^\"]*\"", lambda quoted: quoted[0].replace(" ", "\0"), text)


def fault_of(typed: Typed) -> str:
    """Why the command line would not take this; empty if it would. Values are judged only where a fixed list of them is known."""
    try:
        words = shlex.split(typed.rest)
    except ValueError as error:
        return f"hoard {typed.name}{typed.rest}: {error}"
    if typed.name not in COMMANDS:
        return f"there is no command {typed.name}"
    path, command = f"hoard {typed.name}", group.get_command(click.Context(group), typed.name)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        path, command = f"{path} {words[0]}", command.commands.get(words[0])
        words = words[1:]
    if command is None:
        return f"there is no command {path}"
    return "" if {"--help", "-h"} & set(words) else _fault_of_words(path, command, words)


def _fault_of_words(path: str, command: click.Command, words: Sequence[str]) -> str:
    context = click.Context(command, info_name=path)
    try:
        values, left, _order = command.make_parser(context).parse_args(list(words))
    except click.UsageError as error:
        return f"{path}: {error.format_message()}"
    if left and not isinstance(command, click.Group):
        return f"{path}: nothing is done with {left}"
    for parameter in command.params:
        value = values.get(parameter.name or "")
        given = isinstance(value, str | bool | int) or (isinstance(value, Sequence) and any(value))
        if parameter.required and not given and "\u2026" not in words:
            return f"{path}: {parameter.name} is missing"
        known = isinstance(value, str) and isinstance(parameter.type, click.Choice) and not _PLACEHOLDER.search(value)
        if known and value not in parameter.type.choices:  # type: ignore[attr-defined]
            return f"{path}: {parameter.name} has no {value}"
    return ""


@cache
def faults(text: str) -> list[str]:
    """What is wrong with the commands in a text."""
    return [fault for typed in commands_in(text) if (fault := fault_of(typed))]


def hear(hint: str) -> None:
    """Note a hint for `faults_heard`."""
    _heard.add(hint)


def hear_output(stderr: bytes) -> None:
    """Note the hints that a program printed, by itself or through git."""
    _heard.update(line.decode(errors="replace") for line in _NEXT.findall(stderr))


def faults_heard() -> list[str]:
    """What is wrong with the commands in all hints since the last call."""
    found = [fault for hint in sorted(_heard) for fault in faults(hint)]
    _heard.clear()
    return found


def listening(error: HoardError, message: str, hint: str = "") -> None:
    """Stands in for HoardError's own __init__ while tests run."""
    Exception.__init__(error, message)
    error.message, error.hint = message, hint
    hear(hint)


def options_of(command: click.Command) -> set[str]:
    """Every option of a command and of those below it."""
    found = {"--help", "-h"} | {option for param in global_options(hidden=False) for option in param.opts}
    pending = [command]
    while pending:
        below = pending.pop()
        found |= {option for param in below.params for option in (*param.opts, *param.secondary_opts)}
        pending += below.commands.values() if isinstance(below, click.Group) else []
    return found
