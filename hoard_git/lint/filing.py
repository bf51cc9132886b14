"""Daily logs that go the way of logs: into the archive when they are past their hot days, and shortened to what it keeps when past the warm ones."""

from __future__ import annotations

from hoard_git.core.dates import ttl_days
from hoard_git.core.files import log_day
from hoard_git.core.links import resolved
from hoard_git.core.provenance import heading_provenances, provenances
from hoard_git.core.units import heading_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.align import Unit
    from hoard_git.lint.scene import FileView, Scene


class Filing:
    """The archive files of a change, by the log that each is about; read only when something has left a log.

    The same words stand in many logs, so an alignment may pair an entry of one log with the archived original of another: what counts is
    whether the archive file of the entry's own log holds its words.
    """

    def __init__(self, scene: Scene) -> None:
        """`scene` is the change that is judged."""
        self._scene = scene
        self._archived: dict[str, list[FileView]] = {}
        for view in scene.files:
            if view.file_class == "archive" or view.path.lower().endswith(".gz"):
                self._archived.setdefault(_log_name(view.path), []).append(view)
        self._words: dict[str, frozenset[str]] = {}

    def is_filed(self, unit: Unit) -> bool:
        """Whether an entry that is in its log no more went as logs go: its own archive file has it, or has what is left of a cold log."""
        if unit.file_class != "daily" or _log_name(unit.path) not in self._archived:
            return False
        return self.is_past(unit.path, "warm", "90d") or (self.is_past(unit.path, "hot", "7d") and self.holds(unit))

    def holds(self, unit: Unit) -> bool:
        """Whether the archive file of an entry's own log holds it word for word after the change, links to the same places."""
        name = _log_name(unit.path)
        if name not in self._words:
            views = self._archived.get(name, ())
            self._words[name] = frozenset(place_free(entry.text, view.path) for view in views for entry in view.document.entries)
        return place_free(unit.text, unit.path) in self._words[name]

    def is_past(self, path: str, tier: str, default: str) -> bool:
        """Whether a log's day lies behind the last one of a tier."""
        day = log_day(path)
        last = ttl_days(dict(self._scene.policy.tiers).get(tier, default))
        return day is not None and last is not None and day < self._scene.today - last

    def is_own(self, unit: Unit) -> bool:
        """Whether an archived entry or heading stood with the same date in the log that the archive file is about."""
        wanted = (unit.provenance.ts, place_free(unit.text, unit.path))
        for path, view in self._scene.before.items():
            if view.file_class == "daily" and _log_name(path) == _log_name(unit.path):
                document = view.document
                texts = [heading_text(heading) for heading in document.headings] if unit.is_heading else [e.text for e in document.entries]
                claims = heading_provenances(document, view.default) if unit.is_heading else provenances(document, view.default)
                if any((claim.ts, place_free(text, path)) == wanted for text, claim in zip(texts, claims, strict=True)):
                    return True
        return False


def place_free(text: str, path: str) -> str:
    """Words with their relative links as repository paths, line ends and outer blanks left out."""
    return resolved(text.replace("\r\n", "\n").removesuffix("\r").strip(), path)


def _log_name(path: str) -> str:
    return path.rsplit("/", 1)[-1].removesuffix(".gz")
