"""What an error tells people to type can be typed: every `hoard …` in the code's texts is a command with these options."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import NamedTuple

import click
import pytest

from hoard_git.cli.globals import global_options
from hoard_git.cli.main import COMMANDS
from tests.support.environment import ROOT

FORWARDED = {"hoard_git/app/adopt.py", "hoard_git/gitio/apart.py"}
"""Where an error is made of another one's parts, or given its hint by the command that shows it."""

NO_COMMANDS = {"hoard itself", "hoard command", "hoard cannot", "hoard merge", "hoard had", "hoard was", "hoard does"}
"""Words that follow the program's name in a sentence."""


class Said(NamedTuple):
    place: str
    text: str


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted((ROOT / "hoard_git").rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


@cache
def texts() -> list[Said]:
    """Every string of the code that is no docstring, with a placeholder for what is filled in."""
    found = []
    for place, tree in trees():
        docs = {
            id(node.body[0].value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body and isinstance(node.body[0], ast.Expr)
        }
        loose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                parts = [part.value if isinstance(part, ast.Constant) and isinstance(part.value, str) else "X" for part in node.values]
                found.append(Said(f"{place}:{node.lineno}", "".join(parts)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs | loose | inside:
                found.append(Said(f"{place}:{node.lineno}", node.value))
    return found


def commands_in(text: str) -> Iterator[tuple[str, str]]:
    """The name and the rest of the line of every `hoard NAME …`."""
    for match in re.finditer(r"(?<![\w/.@-])hoard ((?:-C \S+ |-q |--date \S+ )*)([a-z][a-z-]*)(?=([^\n;)`]*))", text):
        if f"hoard {match[2]}" not in NO_COMMANDS:
            yield match[2], re.split(r", (?:then|or|and|where|by)\b|   +| \(| #| && ", match[3])[0]


def options_of(name: str) -> set[str]:
    """Every option of a command and of those below it."""
    found = {"--help", "-h"} | {option for param in global_options(hidden=False) for option in param.opts}
    pending: list[click.Command] = [import_module(f"hoard_git.cli.commands.{name}").command]
    while pending:
        command = pending.pop()
        found |= {option for param in command.params for option in (*param.opts, *param.secondary_opts)}
        pending += command.commands.values() if isinstance(command, click.Group) else []
    return found


def test_every_error_says_what_to_do_next() -> None:
    lacking = []
    for place, tree in trees():
        for node in ast.walk(tree):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "HoardError"
            if named and len(node.args) + len(node.keywords) < 2 and place not in FORWARDED:  # type: ignore[attr-defined]
                lacking.append(f"{place}:{node.lineno}")  # type: ignore[attr-defined]
    assert lacking == []


def test_every_command_in_a_text_exists() -> None:
    found = [(said.place, name) for said in texts() for name, _rest in commands_in(said.text)]
    assert len(found) > 150
    assert [(place, name) for place, name in found if name not in COMMANDS and name != "help"] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_in_a_text_is_one_of_its_command(name: str) -> None:
    known = options_of(name)
    wrong = [
        (said.place, option)
        for said in texts()
        for found, rest in commands_in(said.text)
        if found == name
        for option in re.findall(r"(?<=\s)--[a-z][a-z-]+", rest)
        if option not in known
    ]
    assert wrong == []


def test_the_check_itself_sees_a_wrong_one() -> None:
    assert list(commands_in("mend it, then: hoard chek --all")) == [("chek", " --all")]
    assert list(commands_in("hoard -C X tag --dry-run, then: hoard commit")) == [("tag", " --dry-run"), ("commit", "")]
    assert "--dry-run" in options_of("tag")
    assert "--apply" not in options_of("tag")
