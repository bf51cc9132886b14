"""Vectors in the search index: kept by embedder and by the words alone, so what was not reworded is never embedded again."""

# ruff: noqa: S608 -- the queries are built from table names and marks only

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress

from hoard_git.gitio.blockindex_values import text
from hoard_git.gitio.cachefiles import MEMORY
from hoard_git.gitio.searchindex import PAST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hoard_git.gitio.searchindex import SearchIndex

_SLACK = 1000


def models(index: SearchIndex) -> list[str]:
    """The embedders that made the vectors of an index."""
    return [text(name) for (name,) in index.db.execute("SELECT DISTINCT model FROM vec ORDER BY model")]


def missing(index: SearchIndex, model: str, scopes: Sequence[str]) -> list[tuple[bytes, str]]:
    """What has no vector of a model yet: names of meanings with their texts, by name."""
    query = (
        f"SELECT meaning, min(text) FROM block b WHERE scope IN ({_marks(scopes)}) AND NOT EXISTS "
        "(SELECT 1 FROM vec WHERE model = ? AND meaning = b.meaning) GROUP BY meaning ORDER BY meaning"
    )
    return [(meaning, text(words)) for meaning, words in index.db.execute(query, (*scopes, model))]


def put(index: SearchIndex, model: str, rows: Iterable[tuple[bytes, bytes]]) -> None:
    """Keep vectors, each as half-precision floats, in one transaction."""
    with index.writing():
        index.db.executemany("INSERT OR REPLACE INTO vec VALUES(?,?,?)", [(model, meaning, data) for meaning, data in rows])


def prune(index: SearchIndex) -> None:
    """Forget vectors of what is no longer there, once they are more than what is."""
    kept, there = (index.db.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("vec", "block"))
    if kept > 2 * there + _SLACK:
        with index.writing():
            index.db.execute("DELETE FROM vec WHERE meaning NOT IN (SELECT meaning FROM block)")


def read(index: SearchIndex, model: str, scopes: Sequence[str], src: str | None) -> tuple[list[int], bytes]:
    """The passages that have a vector, by key, and all vectors one behind the other. `src` limits them to a source."""
    extra, values = "", (model, *scopes)
    if src is not None:
        tables = ["place"] + (["gone"] if PAST in scopes else [])
        extra = " AND (" + " OR ".join(f"b.id IN (SELECT block FROM {table} WHERE src = ?)" for table in tables) + ")"
        values = (*values, *[src] * len(tables))
    query = f"SELECT b.id, v.data FROM block b JOIN vec v ON v.model = ? AND v.meaning = b.meaning WHERE b.scope IN ({_marks(scopes)}){extra} ORDER BY b.key"
    blocks: list[int] = []
    data: list[bytes] = []
    for block, vector in index.db.execute(query, values):
        blocks.append(block)
        data.append(vector)
    return blocks, b"".join(data)


def borrow(index: SearchIndex, model: str, donors: Iterable[str]) -> None:
    """Take over what an index on disk has, for one that lives in memory only."""
    if index.where != MEMORY:
        return
    for donor in donors:
        if not os.path.exists(donor):  # noqa: PTH110 - text paths
            continue
        with suppress(sqlite3.Error):
            index.db.execute("ATTACH DATABASE ? AS donor", (donor,))
            try:
                index.db.execute(
                    "INSERT OR IGNORE INTO vec SELECT model, meaning, data FROM donor.vec WHERE model = ? AND meaning IN (SELECT meaning FROM main.block)",
                    (model,),
                )
            finally:
                index.db.execute("DETACH DATABASE donor")


def _marks(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))
