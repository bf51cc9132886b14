"""The page of `hoard report`: a Jinja template, and what it needs made ready, escaped and free of credentials."""

from __future__ import annotations

import re
from time import gmtime, strftime

from hoard_git import __version__
from hoard_git.app.report import SOURCES
from hoard_git.cli.render.columns import cut, plain
from hoard_git.cli.render.html import environment
from hoard_git.cli.render.masking import Sheet
from hoard_git.cli.render.text import path_text, safe
from hoard_git.core.dates import parse_day
from hoard_git.core.freshness import EXPIRED, STALE
from hoard_git.core.record import Record
from hoard_git.core.window import NEAR, WHOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hoard_git.app.report import Ending, FileMap, FileSize, Period, Piece, Report
    from hoard_git.cli.render.versions import Versions

_COMMENT = re.compile(r"<!--.*?-->")
_WIDE, _HIGH, _LEFT, _FLOOR = 900, 220, 44, 24
_DATE, _LAST_DATE = 70, 120  # room for a date below the chart, as the template sets it
_SOON, _MONTH = 7, 31
_SINGLE = ("index", "identity", "heartbeat")
"""Classes whose files are listed one by one; of the others only the largest are, for there may be hundreds."""
_LARGEST = 8
_MOST_LINES = 400
"""Lines of one block that are shown; who needs more opens the file."""


class Bar(Record):
    """A rectangle of the picture, in its own units, with the words that stand for it."""

    x: float
    y: float
    width: float
    height: float
    src: str
    label: str


class Chart(Record):
    """Bars of the changes over time: ticks are (place, text) on the left and below."""

    width: int
    height: int
    bars: tuple[Bar, ...]
    left: tuple[tuple[float, str], ...]
    below: tuple[tuple[float, str], ...]
    summary: str


class Links:
    """Where the words of the page lead: nowhere, for it is read alone."""

    def place(self, path: str, line: int = 0) -> str:
        """A file, or a line of it."""
        return path_text(path) + (f":{line}" if line else "")

    def block(self, name: str, words: str) -> str:
        """A block, by what `hoard show` takes for it; `words` may be shown."""
        del name
        return words

    def more(self, path: str) -> str:
        """What leads to a file's lines, beside its blocks."""
        del path
        return ""


def render_report(
    report: Report,
    versions: Versions,
    links: Links | None = None,
    template: str = "report.html.jinja",
    more: Mapping[str, object] | None = None,
) -> str:
    """The whole page. `versions` is asked what may be shown of titles that history tells; `more` is for another template than the report's own."""
    shown = _Shown(report, versions, links or Links())
    page: str = (
        environment()
        .get_template(template)
        .render(
            {
                "report": report,
                "shown": shown,
                "chart": draw(report.periods),
                "sources": SOURCES,
                "groups": list(_groups(report)),
                "single": [size for size in report.sizes if size.file_class in _SINGLE],
                "kinds": list(_kinds(report)),
                "near": NEAR,
                "loads": list(_loads(report)),
                "budgets": {row.path: row for room in report.rooms for row in room.window.rows},
                "totals": _totals(report),
                "version": __version__,
                "safe": plain,
                "largest_few": _LARGEST,
                "day_of": lambda seconds: strftime("%Y-%m-%d %H:%M", gmtime(seconds)),
                **(more or {}),
            }
        )
    )
    return page


class _Shown:
    """Texts of the report as they may be shown."""

    def __init__(self, report: Report, versions: Versions, links: Links) -> None:
        self._texts = report.texts
        self._links = links
        self._versions = versions
        self._sheets: dict[str, Sheet] = {}

    def place(self, path: str, line: int = 0) -> str:
        """A file, or a line of it; what does not lie there any more leads nowhere."""
        return (self._links if path in self._texts else Links()).place(path, line)

    def line(self, path: str, number: int) -> str:
        """One line of a file, 1-based."""
        sheet = self._sheets.get(path)
        if sheet is None:
            sheet = self._sheets[path] = Sheet(self._texts.get(path, ()))
            sheet.scan()
        return safe(sheet.line(number)) if number <= len(self._texts.get(path, ())) else ""

    def words(self, path: str, number: int) -> str:
        """The same without markup: a heading's title, an entry's first words."""
        text = _COMMENT.sub("", self.line(path, number)).strip()
        return text.lstrip("#").strip().rstrip("#").strip() if text.startswith("#") else text.lstrip("-*+> ").strip()

    def lines(self, found: FileMap, piece: Piece) -> Iterable[str]:
        """The lines of a piece."""
        last = piece.end
        while last > piece.line and not self.line(found.path, last).strip():
            last -= 1
        stop = min(last, piece.line + _MOST_LINES - 1)
        yield from (self.line(found.path, number) for number in range(piece.line, stop + 1))
        if stop < last:
            yield f"({last - stop} more lines)"

    def title(self, text: str, commit: str) -> str:
        """A title out of history."""
        return safe(self._versions.of(commit).title(text))

    def block(self, name: str, title: str, commit: str, most: int) -> str:
        """The title of a block, which leads to its history if nothing of its name has to be hidden."""
        words = cut(self.title(title, commit), most)
        return self._links.block(name, words) if name and self._versions.of(commit).name(name) == name else words

    def more(self, found: FileMap) -> str:
        """What leads to the lines of a file."""
        return self._links.more(found.path)


def _groups(report: Report) -> Iterable[tuple[str, Sequence[Ending]]]:
    """Endings by when they come, those that are empty left out."""
    today = parse_day(report.today) or 0
    dated = [(parse_day(ending.day) or 0, ending) for ending in report.endings]
    open_ = [(day, ending) for day, ending in dated if ending.state not in (STALE, EXPIRED)]
    groups = (
        ("Expired: the next consolidation archives these", [e for _day, e in dated if e.state == EXPIRED]),
        ("Stale: past their end, still there", [e for _day, e in dated if e.state == STALE]),
        (f"Within {_SOON} days", [e for day, e in open_ if day - today <= _SOON]),
        (f"Within {_MONTH} days", [e for day, e in open_ if _SOON < day - today <= _MONTH]),
        ("Later", [e for day, e in open_ if day - today > _MONTH]),
    )
    return ((name, found) for name, found in groups if found)


def _kinds(report: Report) -> Iterable[tuple[str, Sequence[FileSize]]]:
    """The files of every other class, the largest first."""
    names = {"topic": "topic", "wiki": "wiki page", "daily": "daily log", "archive": "archive file", "other": "other file"}
    for name, word in names.items():
        found = sorted((size for size in report.sizes if size.file_class == name), key=lambda size: (-size.bytes, size.path))
        if found:
            yield word if len(found) == 1 else word + "s", found


def _loads(report: Report) -> Iterable[tuple[str, bool]]:
    """What a session loads of each workspace, in words, and whether something is lost."""
    for room in report.rooms:
        window = room.window
        where = f" of {plain(room.top.rstrip('/') or 'the top')}" if len(report.rooms) > 1 else ""
        share = f"{window.percent} % of {window.budget.total.text()}" if window.budget.total is not None else f"{window.total:,} in all"
        lost = [f"{path_text(row.path)} {row.outcome}" for row in window.rows if row.outcome != WHOLE]
        yield f"A session loads these{where}: {share} ({window.budget.name}){'; ' + ', '.join(lost) if lost else ''}.", bool(lost)


def _totals(report: Report) -> dict[str, int]:
    pieces = [piece for found in report.maps for piece in found.pieces]
    return {
        "files": len(report.sizes),
        "entries": sum(size.entries for size in report.sizes),
        "events": sum(period.total for period in report.periods),
        "disagree": sum(piece.verdict == "disagree" for piece in pieces),
        "untagged": sum(size.untagged for size in report.sizes),
        "stale": sum(ending.state == STALE for ending in report.endings),
        "expired": sum(ending.state == EXPIRED for ending in report.endings),
        "refused": len(report.refusals),
    }


def draw(periods: Sequence[Period]) -> Chart | None:
    """Stack each period's events by source; None without any."""
    if not periods:
        return None
    most = max(1, *(period.total for period in periods))
    room, height = _WIDE - _LEFT, _HIGH - _FLOOR - 8
    step = room / len(periods)
    bars: list[Bar] = []
    for number, period in enumerate(periods):
        floor = float(_HIGH - _FLOOR)
        when = period.first if period.first == period.last else f"{period.first} to {period.last}"
        for src, count in period.sources:
            tall = count * height / most
            floor -= tall
            place, wide = _LEFT + number * step, max(min(step * 0.84, 40.0), 0.6)
            bars.append(Bar(round(place, 2), round(floor, 2), round(wide, 2), round(tall, 2), src, f"{when}: {count:,} {src}"))
    left = tuple((round(_HIGH - _FLOOR - value * height / most, 2), f"{value:,}") for value in _ticks(most))
    count = min(len(periods), 6)
    marks = [round(index * (len(periods) - 1) / max(count - 1, 1)) for index in range(count)]
    below = tuple((round(_LEFT + mark * step, 2), periods[mark].first) for mark in _apart(list(dict.fromkeys(marks)), step))
    busiest = max(periods, key=lambda period: period.total)
    summary = f"Events from {periods[0].first} to {periods[-1].last}; most, {busiest.total:,}, in the step from {busiest.first}."
    return Chart(_WIDE, _HIGH, tuple(bars), left, below, summary)


def _apart(marks: Sequence[int], step: float) -> list[int]:
    """The marks whose dates do not run into each other; `step` is the distance of two periods. The last date ends near its mark, the others begin there."""
    kept = list(marks[-1:])
    for mark in reversed(marks[:-1]):
        if (kept[0] - mark) * step >= (_LAST_DATE if len(kept) == 1 else _DATE):
            kept.insert(0, mark)
    return kept


def _ticks(most: int) -> Sequence[int]:
    """Round numbers from 0 up to the highest bar, five at most."""
    step = next(mark * 10**power for power in range(12) for mark in (1, 2, 5) if most <= 4 * mark * 10**power)
    return range(0, most + 1, step)
