"""The daily logs that lie in the archive: where they lie, as they are or packed with gzip."""

from __future__ import annotations

from hoard_git.core.archiving import archive_folder
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.drafts import Draft, Drafts

FOLDER = "logs/"
"""Where in the archive whole logs lie."""


def archived_log(drafts: Drafts, path: str) -> str:
    """Where the original of a daily log goes: `memory/archive/logs/` with the log's own name, and folders below `memory/` if there are any."""
    return archive_folder(drafts) + FOLDER + path[len(drafts.root) :].removeprefix("memory/")


def is_archived(drafts: Drafts, path: str) -> bool:
    """Whether the original of a log, or what is left of it, lies in the archive already, packed or not."""
    target = archived_log(drafts, path)
    return any(name in drafts or name.lower() in drafts.taken for name in (target, target + ".gz"))


def archived_logs(drafts: Drafts) -> list[Draft]:
    """The logs that lie in the archive, by path; not the packed ones."""
    folder = archive_folder(drafts) + FOLDER
    return [draft for draft in drafts.of_class("archive") if draft.path.startswith(folder) and draft.path.endswith(".md")]


def packed_logs(drafts: Drafts) -> list[str]:
    """The gzip files of logs in the archive, by path."""
    folder = archive_folder(drafts) + FOLDER
    return [path for path in drafts.packed() if path.startswith(folder)]


def whole_logs(drafts: Drafts) -> list[Draft]:
    """All logs in the archive, the packed ones as what they hold; those that cannot be unpacked are left out."""
    return archived_logs(drafts) + [drafts.peek(path) for path in packed_logs(drafts) if is_whole(drafts, path)]


def is_whole(drafts: Drafts, path: str) -> bool:
    """Whether a gzip file can be unpacked."""
    try:
        drafts.peek(path)
    except HoardError:
        return False
    return True
