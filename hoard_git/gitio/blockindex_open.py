"""Opening the block index: where it lies, whether it fits, and what happens when it is broken or cannot be written."""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from hoard_git.errors import HoardError
from hoard_git.gitio.blockindex import BlockIndex, IndexTrouble
from hoard_git.gitio.blockindex_store import SCHEMA, Store
from hoard_git.gitio.cachefiles import cache_paths, connect, open_somewhere

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hoard_git.gitio.blockindex_build import Rules
    from hoard_git.gitio.plumbing import PlumbingReader

_MOST_TIPS = 20


def open_index(
    reader: PlumbingReader,
    rules_for: Callable[[str, str | None], Rules],
    tip: str,
    *,
    cache_home: str,
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
    places = cache_paths(reader.common_dir(), cache_home, "index.sqlite")
    return open_somewhere(places, lambda where: _open(reader, rules_for, tip, where, progress, confirm), IndexTrouble)


def _open(
    reader: PlumbingReader,
    rules_for: Callable[[str, str | None], Rules],
    tip: str,
    where: str,
    progress: Callable[[int, int], None],
    confirm: Callable[[], str] | None,
) -> BlockIndex:
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
