"""Writing to an index that was opened for reading."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hoard_git.gitio.blockindex_store import Store


@contextmanager
def writing(store: Store, tables: Sequence[str]) -> Iterator[None]:
    """A transaction that changes these tables only.

    When another process keeps the database locked, they are copied and changed for this connection alone: SQLite looks for a table among
    the temporary ones first.
    """
    try:
        store.db.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError:
        store.db.execute("PRAGMA temp_store = MEMORY")
        store.db.execute("BEGIN")
        for table in tables:
            definition = store.db.execute("SELECT sql FROM main.sqlite_master WHERE type = 'table' AND name = ?", (table,)).fetchone()
            store.db.execute(str(definition[0]).replace("CREATE TABLE", "CREATE TEMP TABLE IF NOT EXISTS", 1))
            store.db.execute(f"INSERT OR IGNORE INTO temp.{table} SELECT * FROM main.{table}")  # noqa: S608 - tables of ours
    try:
        yield
        store.db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            store.db.execute("ROLLBACK")
        raise
