"""`hoard tiers`: which daily logs are hot, warm and cold on a day, and what the next consolidation would do with them; nothing is written."""

from __future__ import annotations

from hoard_git.app.workspace import find_memory, read_policies_of_worktree
from hoard_git.core.archivedlogs import FOLDER, archived_log, is_archived
from hoard_git.core.archiving import archive_folder
from hoard_git.core.dates import format_day
from hoard_git.core.drafts import Drafts, Kept
from hoard_git.core.files import OTHER, file_default, local_path
from hoard_git.core.model import MODE_LINK, RepoPath
from hoard_git.core.record import Record
from hoard_git.core.steps.tiers import is_small, tiers
from hoard_git.core.tiers import COLD, HOT, WARM, Limits, Log, day_of, is_packed_log, place_logs, tier_limits
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hoard_git.app.clock import Days
    from hoard_git.core.actions import Action
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader


class LogTier(Record):
    """One daily log. `age` in days, negative for a day to come; `size` in bytes; `original` is where the whole of it is archived, '' when it is whole."""

    path: str
    day: str
    tier: str
    age: int
    size: int
    entries: int
    reason: str
    original: str = ""


class Space(Record):
    """The logs of one workspace on a day, newest first, the actions that the tiers step would take, and what it could not do.

    `archived` counts the logs in the archive, their bytes, and how many of them are packed with gzip. `root` is the workspace's directory, '' or ending in '/'.
    """

    root: str
    day: str
    limits: Limits
    logs: tuple[LogTier, ...]
    actions: tuple[Action, ...]
    notes: tuple[str, ...]
    archived: tuple[int, int, int] = (0, 0, 0)

    def total(self, tier: str) -> tuple[int, int]:
        """How many logs a tier has, and their bytes."""
        sizes = [log.size for log in self.logs if log.tier == tier]
        return len(sizes), sum(sizes)


TIERS = (HOT, WARM, COLD)


def read_tiers(reader: PlumbingReader, days: Callable[[Policy], Days]) -> list[Space]:
    """Look at the work tree, untracked and ignored files too, as an agent would; one space for each workspace, by directory."""
    root = reader.root()
    policies = read_policies_of_worktree(reader)
    spaces: dict[tuple[str, Policy], tuple[list[Kept], list[str]]] = {}
    for path, found in find_memory(root, policies).items():
        policy = policies.govern(path)
        local = local_path(path, policy)
        if local is None:
            continue
        kept, taken = spaces.setdefault((path.removesuffix(local), policy), ([], []))
        is_read = found.mode != MODE_LINK and (found.file_class != OTHER or is_packed_log(path))
        data = read_file(root, RepoPath(path)) if is_read else None
        if data is None:
            taken.append(path)
        else:
            kept.append(Kept(path, found.file_class, data, file_default(path, found.file_class, policy)))
    if not spaces:
        spaces["", policies.default] = ([], [])
    return [
        _space(at, policy, kept, taken, days(policy).today) for (at, policy), (kept, taken) in sorted(spaces.items(), key=lambda s: s[0][0])
    ]


def _space(at: str, policy: Policy, kept: list[Kept], taken: list[str], today: int) -> Space:
    drafts = Drafts(kept, policy, today, root=at, taken=taken)
    limits = tier_limits(policy)
    logs = [Log(draft.path, day, len(draft.data)) for draft in drafts.of_class("daily") if (day := day_of(draft.path)) is not None]
    shown = []
    for placed in place_logs(logs, limits, today):
        path = placed.log.path
        original = archived_log(drafts, path) if is_archived(drafts, path) else ""
        entries = len(drafts[path].document.entries)
        reason = placed.reason + ("; small, so it stays whole" if placed.tier == WARM and not original and is_small(drafts[path]) else "")
        shown.append(LogTier(path, format_day(placed.log.day), placed.tier, placed.age, placed.log.size, entries, reason, original))
    folder = archive_folder(drafts) + FOLDER
    lying = [len(file.data) for file in kept if file.path.startswith(folder)]
    packed = sum(file.path.startswith(folder) and is_packed_log(file.path) for file in kept)
    actions = tiers(drafts)
    return Space(at, format_day(today), limits, tuple(shown), tuple(actions), tuple(drafts.notes), (len(lying), sum(lying), packed))
