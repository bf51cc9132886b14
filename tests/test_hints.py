"""What an error tells people to type can be typed: every `hoard …` in the code's texts is a command with these options."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import click
import pytest

from hoard_git.cli import main
from hoard_git.errors import HoardError
from tests.support import raised
from tests.support.environment import ROOT
from tests.support.hints import commands_in, fault_of, faults, faults_heard, options_of
from tests.support.raised import kinds, raises, unmet
from tests.support.repo import Workspace, run

FORWARDED = {"hoard_git/app/adopt.py", "hoard_git/gitio/apart.py"}
"""Where an error is made of another one's parts, or given its hint by the command that shows it."""

SENTENCES = ("hoard_git/lint/rules/", "hoard_git/cli/render/junit.py", "hoard_git/cli/consolidate.py")
"""Where commands stand within sentences, in XML and in a usage line; their options are looked at all the same."""


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


def test_every_error_says_what_to_do_next() -> None:
    lacking = []
    for place, tree in trees():
        for node in ast.walk(tree):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "HoardError"
            if named and len(node.args) + len(node.keywords) < 2 and place not in FORWARDED:  # type: ignore[attr-defined]
                lacking.append(f"{place}:{node.lineno}")  # type: ignore[attr-defined]
    assert lacking == []


def test_every_command_in_a_text_can_be_typed() -> None:
    found = [(said.place, typed) for said in texts() for typed in commands_in(said.text) if not said.place.startswith(SENTENCES)]
    assert len(found) > 150
    assert [(place, fault) for place, typed in found if (fault := fault_of(typed)) and "--X" not in typed.rest] == []


def test_no_placeholder_is_a_redirection() -> None:
    """`git add <path>` pasted into a shell reads a file; names in capitals only fail."""
    asked = re.compile(r"\b(?:git|hoard) [a-z][a-z-]*[^\n\"]*<[a-z][a-z ]*>")
    assert [said for said in texts() if asked.search(re.sub(r'"[^"]*"|\'[^\']*\'', "", said.text))] == []


def test_every_option_in_a_sentence_is_one_of_its_command() -> None:
    group = click.Context(main.group)
    wrong = [
        (said.place, option)
        for said in texts()
        for typed in commands_in(said.text)
        for option in re.findall(r"(?<=\s)--[a-z][a-z-]+", typed.rest)
        if (command := main.group.get_command(group, typed.name)) is None or option not in options_of(command)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("mend it, then: hoard chek --all", "there is no command chek"),
        ("hoard -C X tag --dry-run, then: hoard commit", ""),
        ("hoard tag --apply", "hoard tag: No such option"),
        ("hoard init --sign-key", "hoard init: Option '--sign-key' requires"),
        ("hoard restore --list", "hoard restore: block is missing"),
        ("hoard add 'tea, or coffee' --src agent", ""),
        ("hoard add TEXT", "hoard add: src is missing"),
        ("hoard add … --file X", ""),
        ("hoard add it's --src agent", "hoard add it's --src agent: No closing quotation"),
        ("hoard wiki links --help", ""),
        ("hoard wiki list", "there is no command hoard wiki list"),
        ("hoard status of everything", "hoard status: nothing is done with ['of', 'everything']"),
        ("hoard completion ksh", "hoard completion: shell has no ksh"),
        ("hoard completion SHELL", ""),
        ("see what hoard had to say", ""),
    ],
)
def test_the_check_itself_tells_wrong_from_right(text: str, fault: str) -> None:
    said = "".join(faults(text))
    assert said.startswith(fault) if fault else not said  # the rest of what click says differs from version to version


def test_what_a_test_meets_is_heard(workspace: Workspace) -> None:
    with pytest.raises(HoardError):
        raise HoardError("It is so.", "hoard staus")
    run(
        [sys.executable, "-c", "import sys; sys.stderr.write('hoard: so\\n  next: hoard -q logg\\nremote:   next: hoard shwo X\\n')"],
        cwd=workspace,
    )
    assert faults_heard() == ["there is no command logg", "there is no command shwo", "there is no command staus"]
    assert faults_heard() == []


def test_errors_that_no_line_run_has_made_are_found() -> None:
    sources = {
        "a.py": "class Moved(HoardError):\n    pass\n\n\ndef look():\n    if x:\n        raise Moved('a')\n    return [\n        HoardError('b', 'c'),\n    ]\n",
        "b.py": "class Gone(Moved):\n    pass\nclass Other(ValueError):\n    pass\n\n\ndef look():\n    raise Other('a')\n    raise Gone('b') from None\n",
    }
    assert kinds(sources) == {"HoardError", "Moved", "Gone"}
    assert unmet(sources, {}) == ["a.py:7", "a.py:8", "b.py:9"]
    assert unmet(sources, {"a.py": {6, 7}, "b.py": {8}}) == ["a.py:8", "b.py:9"]
    assert unmet(sources, {"a.py": {7, 9}, "b.py": {9}}) == []


def test_every_kind_of_error_is_known() -> None:
    sources = {place: (ROOT / place).read_text(encoding="utf-8") for place, _tree in trees()}
    names = kinds(sources)
    assert {"HoardError", "GitError", "RefMovedError", "Refused"} <= names
    assert sum(1 for text in sources.values() for _place in raises(text, names)) > 300


def test_guards_are_told_from_errors_that_lack_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raised, "GUARDS", {"a.py: cannot be": "a reason", "a.py: long gone": "a reason"})
    sources = {
        "a.py": "raise HoardError(\n    'It cannot be.', 'Report it.'\n)\nx = 1\ny = 1\nraise HoardError('It can be.', 'hoard log')\n"
    }
    assert raised.split_guards(sources, ["a.py:1", "a.py:6"]) == (["a.py:6"], ["a.py: long gone"])
