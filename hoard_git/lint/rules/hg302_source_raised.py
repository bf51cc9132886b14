"""Something that came from a tool, the web or a search of history got a tag of higher trust than it had.

## Why

Memory is poisoned one step at a time: a sentence from a web page is saved as `src:web`, later the same sentence is tagged `src:agent`, and in
the end it is what the user said. Who wrote a sentence does not change, so its source may fall and never rise, whoever asks. A copy under a
higher source is a raise too. Giving untagged content a first tag is not, up to the rank of whoever does it.

## Bad

    actor: agent
    before: MEMORY.md
    | - Mirror is pkg.fast.example <!-- src:web ts:2026-06-01 -->
    after: MEMORY.md
    | - Mirror is pkg.fast.example <!-- src:agent ts:2026-06-01 -->

A copy beside the original:

    actor: agent
    before: memory/links.md
    | - The mirror for packages is pkg.fast.example <!-- src:web ts:2026-06-01 -->
    after: memory/links.md
    | - The mirror for packages is pkg.fast.example <!-- src:web ts:2026-06-01 -->
    after: MEMORY.md
    | - The mirror for packages is pkg.fast.example <!-- src:agent ts:2026-06-15 -->

A copy in a table, behind a time, or as a heading:

    actor: agent
    before: MEMORY.md
    | - The mirror for packages is pkg.fast.example <!-- src:web ts:2026-06-01 -->
    after: MEMORY.md
    | - The mirror for packages is pkg.fast.example <!-- src:web ts:2026-06-01 -->
    | ## Mirrors <!-- src:agent ts:2026-06-15 -->
    | | what |
    | |---|
    | | The mirror for packages is pkg.fast.example |

A tag of the user's under words that nobody touched:

    actor: agent
    before: MEMORY.md
    | - The weekly report goes to the partner
    after: MEMORY.md
    | - The weekly report goes to the partner <!-- src:user ts:2026-06-01 -->

## Good

    actor: agent
    before: MEMORY.md
    | - Mirror is pkg.fast.example <!-- src:agent ts:2026-06-01 -->
    after: MEMORY.md
    | - Mirror is pkg.fast.example <!-- src:web ts:2026-06-01 -->

A first tag:

    actor: agent
    before: MEMORY.md
    | - The build takes nine minutes
    after: MEMORY.md
    | - The build takes nine minutes <!-- src:agent ts:2026-06-01 -->

## Instead

Keep the source. If you have checked the fact yourself, write what you did and saw in your own words as an entry of its own; if the user
confirmed it, let the user commit it: `hoard commit --human`.

## Limits

Copies are recognised by their words, in entries of four words or twenty characters, whatever the list marker, line breaks, letter case, emphasis
and final stop; so is a sentence that comes back as a table's cell, as a heading, or behind a time or date. A local hook does not search history; `hoard check
--range` and the server do, and compare with the lowest source that the words ever had.
"""

from __future__ import annotations

from hoard_git.core.align import core_text
from hoard_git.core.model import RANK
from hoard_git.core.units import fact_key, is_telling
from hoard_git.lint.elsewhere import find_twins, new_texts, readings
from hoard_git.lint.raises import is_raise
from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hoard_git.core.align import Change, Unit
    from hoard_git.lint.scene import Past, Scene

META = Meta("HG302", "source-raised", "error", "change", nonhuman=True)

_HINT = "keep the lower source; a fact that you checked yourself is an entry of its own, in your own words"


def check_change(scene: Scene) -> Iterator[Hit]:
    """Judge raises by a unit's own tag, then new entries whose words are known under a lower source."""
    raised = set()
    for number, change in enumerate(scene.changes):
        if is_raise(scene, change) and _is_own(change.unit):
            raised.add(number)
            yield _raise(change)
    fresh = [*new_texts(scene), *_new_headings(scene)]
    copies = [change for change in fresh if change.after is not None and RANK[change.after.provenance.src] > RANK["dig"]]
    known = _compare_with_present(scene, copies)
    for change, twin in known:
        if twin is not None:
            yield _copy(change, twin)
    rest = [change for change, twin in known if twin is None]
    rest += [change for number, change in enumerate(scene.changes) if number not in raised and _is_first_tag(change)]
    yield from _compare_with_past(scene, rest)


def _is_own(unit: Unit) -> bool:
    """Whether the source is by a tag that the unit itself carries; front matter is its file's tag."""
    claim = unit.provenance
    return claim.origin == "own" or (unit.kind == "front" and unit.line <= claim.line <= unit.end_line)


def _is_first_tag(change: Change) -> bool:
    before, after = change.before, change.after
    if before is None or after is None or before.provenance.src or after.is_heading:
        return False
    return RANK[after.provenance.src] > RANK["dig"] and is_telling(core_text(after))


def _new_headings(scene: Scene) -> list[Change]:
    """The changes that bring a heading's words into the memory: a sentence may come back as one."""
    found = []
    for change in scene.changes:
        before, after = change.before, change.after
        if after is None or not after.is_heading or not is_telling(core_text(after)):
            continue
        if before is None or fact_key(core_text(before)) != fact_key(core_text(after)):
            found.append(change)
    return found


def _compare_with_present(scene: Scene, copies: list[Change]) -> list[tuple[Change, Unit | None]]:
    """Pair each new entry with its twin of the highest source, where all its twins have a lower one than the entry."""
    if not copies:
        return []
    texts = [readings(change.unit.kind, core_text(change.unit)) for change in copies]
    keys = {fact_key(text) for found in texts for text in found}
    twins = find_twins(scene, keys, [text for found in texts for text in found])
    return [(change, _find_lower(change.unit, found, twins)) for change, found in zip(copies, texts, strict=True)]


def _find_lower(unit: Unit, texts: Sequence[str], twins: Mapping[str, list[Unit]]) -> Unit | None:
    for text in texts:
        tagged = [twin for twin in twins.get(fact_key(text), ()) if twin.provenance.src]
        best = max(tagged, key=lambda twin: RANK[twin.provenance.src], default=None)
        if best is not None and RANK[best.provenance.src] < RANK[unit.provenance.src]:
            return best
    return None


def _compare_with_past(scene: Scene, changes: list[Change]) -> Iterator[Hit]:
    units = [change.after for change in changes if change.after is not None]
    texts = [_spellings(readings(unit.kind, core_text(unit))) for unit in units]
    past = (scene.lookup.past(sorted({text for found in texts for text in found})) if units else None) or {}
    for unit, found in zip(units, texts, strict=True):
        known = next((past[text] for text in found if text in past and _is_lower(past[text], unit)), None)
        if known is not None:
            message = f"raises {known.lowest} to {unit.provenance.src}: commit {known.commit[:12]} knows these words from {known.lowest}"
            yield Hit(message, unit.line, 1, _HINT, unit.path, unit.end_line)


def _spellings(texts: Sequence[str]) -> list[str]:
    """The texts as written, then without outer emphasis, with and without a full stop: history is asked for exact words."""
    bare = [text.strip("*_ .") for text in texts]
    return list(dict.fromkeys((*texts, *bare, *(f"{text}." for text in bare))))


def _is_lower(known: Past, unit: Unit) -> bool:
    return bool(known.lowest) and RANK[known.lowest] < RANK[unit.provenance.src]


def _raise(change: Change) -> Hit:
    before, after = change.before, change.after
    assert before is not None  # noqa: S101 - is_raise says so
    assert after is not None  # noqa: S101
    where = f"line {before.line}" if before.path == after.path else f"{_plain(before.path)} line {before.line}"
    message = f"raises {before.provenance.src or 'untagged'} to {after.provenance.src} ({where})"
    return Hit(message, after.line, 1, _HINT, after.path, after.end_line)


def _copy(change: Change, twin: Unit) -> Hit:
    unit = change.unit
    where = f"line {twin.line}" if twin.path == unit.path else f"{_plain(twin.path)} line {twin.line}"
    message = f"raises {twin.provenance.src} to {unit.provenance.src} by a copy ({where})"
    return Hit(message, unit.line, 1, _HINT, unit.path, unit.end_line)


def _plain(path: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in path)[:120]
