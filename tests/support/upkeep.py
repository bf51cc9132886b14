"""Snapshots and drafts for the tests of upkeep."""

from __future__ import annotations

from collections.abc import Mapping

from hoard_git.core.dates import parse_day
from hoard_git.core.drafts import Drafts, Kept
from hoard_git.core.files import classify, file_default
from hoard_git.core.policy import DEFAULT, Policy


def kept_files(files: Mapping[str, str], policy: Policy = DEFAULT) -> list[Kept]:
    """Memory files as a snapshot holds them; the class comes from the path."""
    found = []
    for path, text in files.items():
        name = classify(path, policy)
        found.append(Kept(path, name, text.encode("utf-8", "surrogateescape"), file_default(path, name, policy)))
    return found


def drafts_of(files: Mapping[str, str], day: str, policy: Policy = DEFAULT) -> Drafts:
    """Drafts of a workspace at the repository's top."""
    return Drafts(kept_files(files, policy), policy, day_number(day))


def day_number(day: str) -> int:
    number = parse_day(day)
    assert number is not None, day
    return number


def texts(drafts: Drafts) -> dict[str, str | None]:
    """What differs from the snapshot, as text."""
    return {path: None if data is None else data.decode("utf-8", "surrogateescape") for path, data in drafts.edits().items()}
