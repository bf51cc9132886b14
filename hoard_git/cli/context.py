"""What the global options say, and the few things that every command needs from them."""

from __future__ import annotations

import os
import sys
from functools import cached_property

import click

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.clock import Days
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import Reader


class Context:
    """One run of `hoard`: where, when and how loud."""

    def __init__(self, directory: str = ".", date: str = "", *, color: bool = True, quiet: bool = False) -> None:
        """Keep the global options; `main` makes one before they are read, to know afterwards where a run was."""
        self.directory = directory
        self.date = date
        self.command = ""
        self.quiet = quiet
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

    def note(self, text: str) -> None:
        """Say something beside the data: on stderr, unless quiet."""
        if not self.quiet:
            click.echo(text, err=True)


pass_context = click.make_pass_decorator(Context)
