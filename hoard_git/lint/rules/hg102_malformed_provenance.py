"""A comment or front matter means to say where content comes from, and cannot be read.

## Why

A tag with a fault counts for nothing, so its entry is untagged, although a person reads it as tagged. Readers that are less strict would take
`src:User`, full-width digits or the second of two values for something else than the gate does, and a comment without an end hides all that
follows. The grammar is exact: `src` of user, agent, tool, web, dig; `ts` a date or `unknown`; each key once, lower case, ASCII, on one line.

## Bad

    file: MEMORY.md
    | ## Servers
    | - Node 1 runs the queue <!-- src:owner ts:2026-06-01 -->

Without a date:

    file: MEMORY.md
    | - Node 1 runs the queue <!-- src:agent -->

A look-alike letter in the key:

    file: MEMORY.md
    | - Node 1 runs the queue <!-- \\u{455}rc:user ts:2026-06-01 -->

A comment without an end:

    file: MEMORY.md
    | <!-- src:user ts:2026-06-01
    | - Node 1 runs the queue

Front matter:

    file: wiki/servers.md
    | ---
    | src: agent
    | ts: 1 June
    | ---
    | Node 1 runs the queue

Front matter with a key of another case:

    file: wiki/servers.md
    | ---
    | Src: user
    | ts: 2026-06-01
    | ---
    | Node 1 runs the queue

## Good

    file: MEMORY.md
    | ## Servers  <!-- src:agent ts:2026-06-01 ttl:90d -->
    | - Node 1 runs the queue <!-- ts:2026-06-02 src:tool id:k3f9q2 -->

Comments of other tools:

    file: MEMORY.md
    | <!-- id:8f3a2c, keep:1, tags:a,b -->
    | - Node 1 runs the queue <!-- src:agent ts:2026-06-01 -->

A fenced example:

    file: MEMORY.md
    | ## Tags  <!-- src:agent ts:2026-06-01 -->
    | ```
    | - fact <!-- src:S ts:DATE -->
    | ```

## Instead

Write the tag as `<!-- src:agent ts:2026-06-01 ttl:90d -->`. `hoard tag PATH` writes it for content that has none.
"""

from __future__ import annotations

from hoard_git.core.tags import KEYS, find_value_problem, looks_like_tag
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG102", "malformed-provenance", "error", "entry")

_HINT = "write it as <!-- src:agent ts:YYYY-MM-DD ttl:90d -->"


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Yield a hit for each mark that cannot be read, and one for a front matter that cannot."""
    del scene
    yield from _faults(file)


def check_change(scene: Scene) -> Iterator[Hit]:
    """Yield the same for what the change adds or breaks."""
    yield from new_hits(scene, _faults)


def new_hits(scene: Scene, faults: Callable[[FileView], Iterator[Hit]]) -> Iterator[Hit]:
    """Yield those hits that stand on touched lines, or that no file before the change had.

    The second are tags that break without being touched: the paragraph under one is taken away, or an item comes in between.
    """
    old: dict[tuple[str, ...], int] = {}
    for file in scene.before.values():
        if file.file_class != "other":
            for hit in faults(file):
                key = _identity(file, hit)
                old[key] = old.get(key, 0) + 1
    for file in scene.files:
        if file.file_class == "other":
            continue
        for hit in faults(file):
            key = _identity(file, hit)
            known = old.get(key, 0)
            if known and not file.judges(hit.line, hit.end_line):
                old[key] = known - 1
            else:
                yield hit


def _identity(file: FileView, hit: Hit) -> tuple[str, ...]:
    lines = file.document.lines[hit.line - 1 : max(hit.line, hit.end_line)]
    return (hit.message, *(line.strip() for line in lines))


def _faults(file: FileView) -> Iterator[Hit]:
    for mark in file.document.marks:
        if mark.problem and mark.place in ("plain", "open"):
            message = f"the provenance tag is wrong: {without_values(mark.problem)}"
            yield Hit(message, mark.line, mark.column, _HINT, file.path, mark.end_line)
    for comment in file.document.comments:
        if comment.place == "empty" and looks_like_tag(file.document.lines[comment.line - 1][comment.column :]):
            message = "the provenance tag is wrong: it follows <!-->, which some readers take for the start of a comment"
            yield Hit(message, comment.line, comment.column, _HINT, file.path)
    yield from _front(file)


def _front(file: FileView) -> Iterator[Hit]:
    """Other people's front matter has keys like `id`; only src, ts and ttl say that ours is meant."""
    values: dict[str, str] = {}
    lines: dict[str, int] = {}
    doubled = ""
    hint = "write src: and ts: as a tag has them, or rename the keys"
    for key, value, line in file.document.front:
        if _is_disguised(key):
            problem = "src, ts and ttl are written in lower case"
            yield Hit(f"the front matter's provenance is wrong: {problem}", line, 1, hint, file.path)
            return
        if key in KEYS:
            doubled = doubled or (key if key in values else "")
            values[key] = value
            lines[key] = line
    if not any(key in values for key in ("src", "ts", "ttl")):
        return
    problem = f"{doubled} stands twice" if doubled else find_value_problem(values)
    if problem:
        line = lines.get(problem.split(" ", 1)[0], min(lines.values()))
        yield Hit(f"the front matter's provenance is wrong: {without_values(problem)}", line, 1, hint, file.path)


def _is_disguised(key: str) -> bool:
    """Whether a key reads like one of ours and is another: `Src`, `SRC`, a look-alike letter."""
    return key not in KEYS and len(key) <= 6 and not set(key) & set(" .") and looks_like_tag(f"{key}:")


def without_values(problem: str) -> str:
    """A clause about a tag, less what it repeats of it when that is more than a short word or date: a secret may have got into a tag."""
    head, quote, rest = problem.partition("'")
    if not quote:
        key, _, clause = problem.partition(" ")
        about_a_key = clause.startswith(("stands twice", "has no value", "is longer"))
        return f"a key {clause}" if about_a_key and key not in KEYS else problem
    value, _, tail = rest.rpartition("'")
    harmless = len(value) <= 12 and (value.isalpha() or not value.strip("0123456789-/.:"))
    if tail:
        key, colon, _value = value.partition(":")
        if colon and key.isalpha() and len(key) <= 12:
            return f"keys are lower-case, not '{key}'" if key != key.lower() else f"'{key}:\u2026'{tail}"
        return problem if harmless else f"one part{tail}"
    return problem if harmless else head.rstrip(" ,").removesuffix(", not")
