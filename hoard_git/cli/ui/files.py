"""Browsing: all memory files, and one of them with who wrote each line, from what source, until when it holds, and whether that fits."""

from __future__ import annotations

from itertools import groupby

from hoard_git.app.history import with_index
from hoard_git.app.history_blame import read_blame
from hoard_git.app.reading import read_part
from hoard_git.app.report import measure
from hoard_git.app.workspace import find_memory_files, read_policies_of_worktree
from hoard_git.cli.render.columns import plain
from hoard_git.cli.render.masking import Sheet, View
from hoard_git.cli.render.text import path_text, safe
from hoard_git.cli.ui.asking import Page, address, may_link
from hoard_git.core.dates import format_day
from hoard_git.core.files import OTHER
from hoard_git.core.freshness import freshness
from hoard_git.core.moments import iso_day
from hoard_git.core.record import Record
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hoard_git.app.history_blame import BlameLine
    from hoard_git.cli.ui.asking import Asked
    from hoard_git.gitio.blockindex import BlockIndex

_CLASSES = {
    "index": "Index",
    "identity": "Identity",
    "heartbeat": "Heartbeat",
    "topic": "Topics",
    "wiki": "Wiki pages",
    "daily": "Daily logs",
    "archive": "Archive",
    "other": "Other files under memory",
}


_NOT_YET = "This file is not committed yet, so nobody can say who wrote what."
_NO_CLASS = "This file is of no class of memory: it is scanned for secrets, and no history of its lines is kept."


class Run(Record):
    """Lines one behind the other of one block, commit and claim, with all that is said of them; `until` is told in words."""

    first: int
    rows: tuple[str, ...]
    src: str
    said: str
    until: str
    verdict: str
    why: str
    author: str
    date: str
    commit: str
    block: str
    place: str

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.first + len(self.rows) - 1


def show_files(asked: Asked) -> Page:
    """Every memory file by class, with its size and sources."""
    measured, problems = measure(asked.context.plumbing, asked.context.days)
    sizes = sorted(measured, key=lambda size: list(_CLASSES).index(size.file_class))
    groups = []
    for name, found in groupby(sizes, key=lambda size: size.file_class):
        rows = [(path_text(size.path), address("/file", path=size.path) if may_link(size.path) else "", size) for size in found]
        groups.append((_CLASSES[name], rows))
    return Page("files.html.jinja", {"here": "files", "groups": groups, "problems": [plain(why) for why in problems]})


def show_file(asked: Asked) -> Page:
    """One file as it lies on disk, or as it was at a commit."""
    path, rev = asked.text("path"), asked.commit("at")
    context = asked.context
    reader = context.plumbing
    file_class = ""
    if not rev:
        policies = read_policies_of_worktree(reader)
        file_class = find_memory_files(reader.root(), policies).get(path, "")
        if not file_class:
            raise HoardError(f"{path_text(path)[:200]!r} is no memory file here.", "hoard rule HG412")

    def look(index: BlockIndex) -> list[Run] | None:
        if not rev and index.version(path) is None:
            return None
        lines = read_blame(index, reader, path, work_tree=not rev).lines
        return list(_runs(lines, _today(asked)))

    runs = with_index(reader, look, rev=rev or "HEAD") if reader.head() is not None else None
    values: dict[str, object] = {"here": "files", "path": path_text(path), "at": rev, "note": "", "runs": runs}
    values["standing"] = address("/file", path=path) if rev and may_link(path) else ""
    if runs is None:
        values["note"] = _NO_CLASS if file_class == OTHER else _NOT_YET
        values["runs"] = list(_unattributed(asked, path, "" if file_class == OTHER else "not committed yet"))
    return Page("file.html.jinja", values)


def _today(asked: Asked) -> str:
    from hoard_git.core.policy import DEFAULT

    policies = read_policies_of_worktree(asked.context.plumbing)
    return format_day(asked.context.days(policies.govern("MEMORY.md") if policies.known else DEFAULT).today)


def _runs(lines: Sequence[BlameLine], today: str) -> Iterator[Run]:
    sheet = Sheet([line.text for line in lines])
    sheet.scan()
    view = View([sheet])
    for part in _parts(lines):
        rows = tuple(_row(sheet.line(line.line)) for line in part)
        yield _run(part, rows, view, today)


def _parts(lines: Iterable[BlameLine]) -> Iterator[list[BlameLine]]:
    """Lines of which the same is to be said; a blank line goes with what stands above it, and one alone at the top with what follows."""
    part: list[BlameLine] = []
    for line in lines:
        if part and line.text.strip() and any(it.text.strip() for it in part) and _told(line) != _told(_telling(part)):
            yield part
            part = []
        part.append(line)
    if part:
        yield part


def _telling(part: Sequence[BlameLine]) -> BlameLine:
    """The first line with words."""
    return next((line for line in part if line.text.strip()), part[0])


def _told(line: BlameLine) -> tuple[object, ...]:
    node = line.node
    return (node.oid if node is not None else "", line.provenance._replace(line=0), line.block, line.verdict)


def _run(part: Sequence[BlameLine], rows: tuple[str, ...], view: View, today: str) -> Run:
    line = _telling(part)
    node, actor, claim = line.node, line.actor, line.provenance
    linked = bool(line.block) and may_link(line.block) and view.name(line.block) == line.block
    return Run(
        part[0].line,
        rows,
        claim.src or "untagged",
        f"said {claim.ts}" if claim.src and claim.ts != "unknown" else "date unknown",
        _until(line.expires, today) if claim.src else "",
        line.verdict,
        safe(line.why),
        f"{plain(node.name)} ({actor.kind or 'unlisted'})" if node is not None and actor is not None else "not committed yet",
        iso_day(node.date) if node is not None else "",
        node.oid if node is not None else "",
        safe(view.name(line.block)),
        address("/block", name=line.block) if linked else "",
    )


def _until(expires: str, today: str) -> str:
    """Until when a claim holds, in words."""
    if not expires:
        return "never expires"
    return f"ended {expires}" if expires < today else f"holds until {expires}"


def _row(text: str) -> str:
    return safe(text.removesuffix("\r").replace("\t", "    "))


def _unattributed(asked: Asked, path: str, author: str) -> Iterator[Run]:
    """A file of which no history is kept, in runs of what its entries claim."""
    found = read_part(asked.context.plumbing, path, "", 1, 0)
    sheet = Sheet(found.whole)
    sheet.scan()
    claims = {number: claim for line, end, claim in found.claims for number in range(line, end + 1)}
    policy = read_policies_of_worktree(asked.context.plumbing).govern(path)
    today = asked.context.days(policy).today
    for key, numbers in groupby(range(1, len(found.whole) + 1), key=claims.get):
        held = list(numbers)
        rows = tuple(_row(sheet.line(number)) for number in held)
        src, ts = (key.src or "untagged", key.ts) if key is not None else ("untagged", "unknown")
        state = freshness(key, policy, today) if key is not None and key.src else ""
        yield Run(
            held[0],
            rows,
            src,
            f"said {ts}" if ts != "unknown" else "date unknown",
            state,
            "unverified",
            "",
            author,
            "",
            "",
            "",
            "",
        )
