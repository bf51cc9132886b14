"""A look at the block index that changes nothing, and says whether the file is sound."""

# ruff: noqa: PTH202 -- paths come from git as text

from __future__ import annotations

import os
import sqlite3
from urllib.parse import quote

_WHOLE = 16 << 20
"""Bytes up to which the whole file is checked; a larger one is only opened and asked, which takes as long for any size."""


def probe(path: str) -> str:
    """Look into an index file: '' when it is sound or in use, else what is wrong with it, in words."""
    try:
        connection = sqlite3.connect(f"file:{quote(path)}?mode=ro", timeout=0.1, uri=True)
    except sqlite3.Error:
        return "cannot be opened"
    try:
        connection.execute("SELECT count(*) FROM meta").fetchone()
        said = connection.execute("PRAGMA quick_check(1)").fetchone() if os.path.getsize(path) <= _WHOLE else ("ok",)
    except sqlite3.OperationalError as error:
        return "" if "locked" in str(error) or "busy" in str(error) else "cannot be read"
    except sqlite3.Error:
        return "is damaged"
    finally:
        connection.close()
    return "" if said == ("ok",) else "is damaged"
