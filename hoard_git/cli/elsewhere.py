"""Commands in a text as they have to be typed where the user is, who may have named another directory or stand below the top one."""

# ruff: noqa: PTH117, PTH118 -- paths are text here

from __future__ import annotations

import os
import re
import shlex

from hoard_git.core.shellwords import shell_word

_OF_GIT = (
    "add|apply|branch|cat-file|check-attr|check-ignore|checkout|commit|config|diff|fetch|for-each-ref|fsck|log|ls-files|ls-remote|ls-tree|merge|mv"
    "|push|rebase|restore|rev-parse|revert|rm|show|status|switch|tag|update-index|update-ref|worktree"
)
_START = re.compile(
    rf"(?:^|(?<=[:;|,>] )|(?<=&& )|(?<= or )|(?<=then )|(?<=  )|(?<=\()|(?<=`))(hoard(?= [a-z-])|git(?= (?:{_OF_GIT})\b)|(?:ls|rm|gzip|mv)(?= [-']))",
    re.MULTILINE,
)
_END = re.compile(r";|\$\(|&&|\||   |, | \(|`|\)|$", re.MULTILINE)
_WORD = r"'[^'\n]*'(?:(?:\\'|\"'\")'[^'\n]*')*"  # a quotation mark within is \' here and "'" with shlex
_QUOTED = re.compile(rf"{_WORD}|\"(?:(?!\$\()[^\"\n])*\"")
_SINGLE = re.compile(_WORD)
_ANYWHERE = re.compile(r"(?:hoard (?:rule|help|tour|completion|mcp)\b|git (?:clone|config --global)\b|git -C )|.* --help\b")
_NAMES_A_PATH = re.compile(r" -- (?!/)| (?![-/'\"])[^ ]*(?:/|(?<!\.)\.[a-z])| '(?![-/])[^']*[/.]| \"(?![-/])[^\"]*[/.]")


def way_to_top(root: str, directory: str) -> str:
    """The top of a work tree as it is reached from the current directory, '' for right here, when a command ran in `directory`."""
    named = "" if directory == "." else directory
    top, here = os.path.realpath(root), os.path.realpath(directory)
    if top == here:
        return named
    if os.path.isabs(named) or not here.startswith(top + os.sep):
        return top
    way = os.path.relpath(top, os.path.realpath("."))
    return "" if way == "." else way


def as_typed_here(text: str, top: str, directory: str) -> str:
    """Let every command of a text reach its repository from the current directory.

    `top` is the top of its work tree and `directory` the one that was named with -C, both as they are reached from here; '' stands for here. Paths
    in such texts are those of the repository.
    """
    if not top and not directory or re.search(r"(?:^|: )cd ", text):
        return text
    blind = _QUOTED.sub(lambda quoted: quoted[0][0] + "_" * (len(quoted[0]) - 1), text)
    parts, at = [], 0
    for found in _START.finditer(blind):
        if found.start() < at:
            continue
        end = _END.search(blind, found.end())
        stop = end.start() if end is not None else len(text)
        parts += [text[at : found.start()], _moved(text[found.start() : stop], found[1], top, directory)]
        at = stop
    return "".join([*parts, text[at:]])


def _moved(command: str, program: str, top: str, directory: str) -> str:
    if _ANYWHERE.match(command):
        return command
    if program not in ("hoard", "git"):
        return _SINGLE.sub(lambda word: word[0] if word[0].startswith("'/") else _below(top, word[0]), command) if top else command
    where = directory if command.startswith("hoard init") else top
    if not where or not directory and not _NAMES_A_PATH.search(command):
        return command
    return f"{program} -C {shlex.quote(where)}{command[len(program) :]}"


def _below(top: str, word: str) -> str:
    return shell_word(os.path.join(top, *shlex.split(word)))
