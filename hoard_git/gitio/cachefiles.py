"""Databases that are caches: where they lie, how they are opened, and what happens when they are broken, busy or cannot be written.

The block index and the search index are such. Each may be deleted at any time; nothing that judges a change reads them.
"""

# ruff: noqa: PTH103, PTH107, PTH110, PTH118, PTH120 -- paths come from git as text, and pathlib costs 5 ms

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol, TypeVar

    class Cache(Protocol):
        """An open database; `where` is its path, MEMORY for one that lives as long as the process."""

        where: str

        def close(self) -> None:
            """Close it."""

    Opened = TypeVar("Opened")
    Kept = TypeVar("Kept", bound=Cache)
    Answer = TypeVar("Answer")

MEMORY = ":memory:"

_WAIT_SECONDS = 5.0


def cache_paths(common_dir: str, cache_home: str, name: str) -> Iterator[str]:
    """Where a cache of this file name may lie: in the git dir that all worktrees share, else in the user's cache."""
    yield os.path.join(common_dir, "hoard", name)
    from hashlib import sha256  # 2 ms, which only a repository that cannot be written pays

    folder = sha256(os.fsencode(os.path.realpath(common_dir))).hexdigest()[:20]
    yield os.path.join(cache_home, "hoard-git", folder, name)


def connect(path: str) -> sqlite3.Connection:
    """Open or make the database file. Raises sqlite3.Error or OSError."""
    if path != MEMORY:
        if os.path.exists(path) and not os.access(path, os.W_OK):
            raise OSError
        os.makedirs(os.path.dirname(path), exist_ok=True)
    connection = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)
    try:
        connection.text_factory = _decode
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("PRAGMA cache_size=-32000")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def _decode(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogatepass")


def discard(where: str) -> None:
    """Delete a database and what SQLite keeps beside it."""
    for ending in ("", "-wal", "-shm"):
        with suppress(OSError):
            os.remove(where + ending)


def open_somewhere(places: Iterable[str], opened: Callable[[str], Opened], trouble: tuple[type[Exception], ...]) -> Opened:
    """Open a cache at the first place that works, else in memory for this one answer.

    One that is locked, read-only or without room is left alone; one that is broken (`trouble`) is deleted and tried once more.
    """
    for where in places:
        for attempt in (1, 2):
            try:
                return opened(where)
            except (sqlite3.OperationalError, OSError):
                break
            except trouble:
                if attempt == 2:
                    break
                discard(where)
    return opened(MEMORY)


def ask(make: Callable[[], Kept], question: Callable[[Kept], Answer], trouble: tuple[type[Exception], ...]) -> Answer:
    """Put a question to a cache; when the database turns out to be broken, delete it, open again and ask once more."""
    cache = make()
    try:
        return question(cache)
    except trouble:
        if cache.where == MEMORY:
            raise
        with suppress(sqlite3.Error):
            cache.close()
        discard(cache.where)
    finally:
        with suppress(sqlite3.Error):
            cache.close()
    cache = make()
    try:
        return question(cache)
    finally:
        cache.close()
