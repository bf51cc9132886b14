"""Opening the block index: where it lies, whether it fits, and what happens when it is broken or cannot be written."""

# ruff: noqa: PTH107, PTH110, PTH111 -- paths come from git as text, and pathlib costs 5 ms

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress

from hoard_git.errors import HoardError
from hoard_git.gitio.blockindex import BlockIndex, IndexTrouble
from hoard_git.gitio.blockindex_store import SCHEMA, Store, connect, index_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from hoard_git.gitio.blockindex_build import Rules
    from hoard_git.gitio.plumbing import PlumbingReader

    Answer = TypeVar("Answer")

_MOST_TIPS = 20


def open_index(
    reader: PlumbingReader,
    rules_for: Callable[[str, str | None], Rules],
    tip: str,
    *,
    cache_home: str = "",
    progress: Callable[[int, int], None] = lambda _done, _all: None,
    confirm: Callable[[], str] | None = None,
) -> BlockIndex:
    """Open the index for a commit, after making it fit: continued for new commits, made anew where it does not fit.

    `rules_for` gives what is memory at a commit, or under policies that are listed as `path<tab>blob` lines. `cache_home` is the user's
    cache folder, used where the git dir cannot be written. With `confirm`, `tip` is a guess: good when the index knows it; otherwise
    `confirm` says the tip before anything is read. When another process keeps the database locked, or nothing can be written, the index
    is built in memory for this one answer. Raises HoardError in a shallow clone and where objects are missing.
    """
    if reader.is_shallow():
        raise HoardError("This clone is shallow: the history of its memory is cut off.", "git fetch --unshallow")
    for where in index_paths(reader.common_dir(), cache_home or os.path.expanduser("~/.cache")):
        for attempt in (1, 2):
            try:
                return _open(reader, rules_for, tip, where, progress, confirm)
            except (sqlite3.OperationalError, OSError):
                break  # locked, read-only, no space: the next place
            except IndexTrouble:
                if attempt == 2:
                    break
                discard(where)
    return _open(reader, rules_for, tip, ":memory:", progress, confirm)


def discard(where: str) -> None:
    """Delete an index and what SQLite keeps beside it."""
    for ending in ("", "-wal", "-shm"):
        with suppress(OSError):
            os.remove(where + ending)


def ask(make: Callable[[], BlockIndex], question: Callable[[BlockIndex], Answer]) -> Answer:
    """Put a question to an index; when the database turns out to be broken, delete it, open again and ask once more."""
    index = make()
    try:
        return question(index)
    except IndexTrouble:
        if index.where == ":memory:":
            raise
        with suppress(sqlite3.Error):
            index.close()
        discard(index.where)
    finally:
        with suppress(sqlite3.Error):
            index.close()
    index = make()
    try:
        return question(index)
    finally:
        index.close()


def _open(
    reader: PlumbingReader,
    rules_for: Callable[[str, str | None], Rules],
    tip: str,
    where: str,
    progress: Callable[[int, int], None],
    confirm: Callable[[], str] | None,
) -> BlockIndex:
    if os.path.exists(where) and not os.access(where, os.W_OK):
        raise OSError
    connection = connect(where)
    try:
        store = Store(connection)
        meta = store.meta()
        if meta.get("schema") != str(SCHEMA) or not store.one("SELECT count(*) FROM tip WHERE oid = ?", tip):
            tip = tip if confirm is None else confirm()
            _update(reader, store, rules_for, tip, progress)
        return BlockIndex(store, tip, where, reader, progress)
    except BaseException:
        connection.close()
        raise


def _update(
    reader: PlumbingReader, store: Store, rules_for: Callable[[str, str | None], Rules], tip: str, progress: Callable[[int, int], None]
) -> None:
    """Bring the index to a tip, in one transaction: a killed process leaves what was there before."""
    from hoard_git.gitio.blockindex_update import update

    store.db.execute("BEGIN IMMEDIATE")
    try:
        update(reader, store, rules_for, tip, str(SCHEMA), _MOST_TIPS, progress)
        store.db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            store.db.execute("ROLLBACK")
        raise
