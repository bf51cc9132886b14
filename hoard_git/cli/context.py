"""What the global options say, and the few things that every command needs from them."""

from __future__ import annotations

import os
import sys
from functools import cached_property

import click

from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.app.clock import Days
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import Reader

_PROGRAMS = ("hoard ", "git ", "ls -", "rm ", "mv ", "gzip ")
"""What somebody may be told to type; a text without any needs no git to be asked where it stands."""

_STEPS = ("look", "take", "drop", "undo", "propose", "do it", "next", "pin it")
"""How lines of output begin that say how to go on."""


class Context:
    """One run of `hoard`: where, when and how loud."""

    def __init__(self, directory: str = ".", date: str = "", *, color: bool = True, quiet: bool = False, words: Sequence[str] = ()) -> None:
        """Keep the global options; `main` makes one before they are read, to know afterwards where a run was. `words` are all that was typed."""
        self.directory = directory
        self.date = date
        self.command = ""
        self.quiet = quiet
        self.words = words
        self.color = color and "NO_COLOR" not in os.environ and sys.stdout.isatty()

    @cached_property
    def plumbing(self) -> PlumbingReader:
        """The repository around the directory, through git itself: for one question, and for writing."""
        from hoard_git.gitio.plumbing import PlumbingReader

        reader = PlumbingReader(self.directory)
        reader.git_dir()
        return reader

    @property
    def reader(self) -> Reader:
        """The repository around the directory, for one question."""
        return self.plumbing

    @cached_property
    def batch(self) -> Reader:
        """The repository around the directory, for many objects."""
        from hoard_git.gitio.opening import open_reader

        return open_reader(self.directory, batch=True)

    def days(self, policy: Policy) -> Days:
        """Today under a policy."""
        from hoard_git.app.clock import read_days

        return read_days(policy, self.date, os.environ)

    def typed(self, text: str) -> str:
        """A text whose commands work where the user is; as they are given, they stand for the top of the repository."""
        if not any(program in text for program in _PROGRAMS):
            return text
        from hoard_git.cli.elsewhere import as_typed_here

        return as_typed_here(text, self._way_to_top, "" if self.directory == "." else self.directory)

    def step(self, line: str) -> str:
        """A line of output, which may show what somebody wrote; typed as `typed` says only where it is one of ours that says how to go on."""
        head = line.strip().partition(":")[0]
        return self.typed(line) if head in _STEPS or line.startswith(("       hoard ", "       git ")) else line

    @cached_property
    def _way_to_top(self) -> str:
        """The top of the work tree as it is reached from here, '' for here; the named directory where there is none."""
        from hoard_git.cli.elsewhere import way_to_top

        try:
            return way_to_top(self.plumbing.root(), self.directory)
        except (HoardError, OSError):
            return "" if self.directory == "." else self.directory

    def note(self, text: str) -> None:
        """Say something beside the data: on stderr, unless quiet."""
        if not self.quiet:
            from hoard_git.cli.echoed import hide_values

            click.echo(hide_values(self.typed(text), self.words), err=True)


pass_context = click.make_pass_decorator(Context)
