"""What the history commands share: their argument, `--`, dates in git's words, and a progress line."""

# ruff: noqa: PTH118 -- paths are repository paths in text; pathlib costs 8 ms

from __future__ import annotations

import os
import sys
import time

import click

from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from hoard_git.cli.context import Context
    from hoard_git.gitio.plumbing import PlumbingReader

_DASHES = "hoard.after_dashes"


class DashedCommand(click.Command):
    """A command that knows whether its arguments came behind `--`, which makes them paths."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Note the dashes before click takes them out."""
        ctx.meta[_DASHES] = "--" in args
        return super().parse_args(ctx, args)


def after_dashes() -> bool:
    """Whether the arguments of the running command stood behind `--`."""
    return bool(click.get_current_context().meta.get(_DASHES))


def nearest(name: str, known: Iterable[str], path: str) -> str:
    """The next command after a name that no command of `path` has: the one that was meant, else the list of all."""
    from difflib import get_close_matches

    near = get_close_matches(name, list(known), n=1)
    return f"Did you mean: {path} {near[0]}" if near else f"{path} --help"


def repository_path(context: Context, argument: str) -> str | None:
    """An argument as a repository path ('' the top), None when it lies outside."""
    if "\0" in argument:
        return None
    root = os.path.realpath(context.plumbing.root())
    if root == os.path.realpath(context.plumbing.git_dir()):
        return argument.strip("/")  # a bare repository has no directories to be in
    full = os.path.normpath(os.path.join(os.path.realpath(context.directory), argument))
    if full != root and not full.startswith(root + os.sep):
        return None
    return "" if full == root else os.path.relpath(full, root).replace(os.sep, "/")


def parse_time(reader: PlumbingReader, text: str | None, option: str) -> int:
    """Seconds since 1970 of a date in git's words (`2026-06-01`, `2 weeks ago`), 0 for None. Raises HoardError for what git takes for now."""
    if text is None:
        return 0
    if (
        text.startswith("-")
        or not any(c.isdigit() for c in text)
        and text.strip().lower() not in ("now", "today", "yesterday", "noon", "midnight")
    ):
        raise HoardError(
            f"--{option} takes a date, not {text[:40]!r}.", f"hoard log --{option}=2026-06-01    or: hoard log --{option}='2 weeks ago'"
        )
    out = reader.git(("rev-parse", f"--{option}={text}")).finish().decode("ascii", "replace").strip()
    value = out.rpartition("=")[2]
    return max(1, int(value)) if value.isdigit() else 0


def progress_for(context: Context, doing: str = "Reading history") -> Callable[[int, int], None]:
    """A progress line on stderr, on a terminal only and past one second only."""
    if context.quiet or not sys.stderr.isatty():
        return lambda _done, _all: None
    start = time.monotonic()

    def show(done: int, total: int) -> None:
        if time.monotonic() - start > 1:
            end = "\r\x1b[K" if done >= total else ""
            sys.stderr.write(f"\r{doing}: {done * 100 // max(1, total)} % of {total}{end}")
            sys.stderr.flush()

    return show
