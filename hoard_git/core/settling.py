"""What a merge did without changing a file against every parent: facts that it dropped, and removals that it undid."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hoard_git.core.versions import Version
    from hoard_git.core.weaving import Memory


def settle_merge(
    parents: Sequence[tuple[int, Mapping[str, Version | None]]],
    result: Mapping[str, Version | None],
    memory: Memory,
    is_ancestor: Callable[[int, int], bool],
    known: set[int],
) -> tuple[dict[int, tuple[int, str]], set[int]]:
    """Find what a merge dropped or kept against one of its sides.

    Each mapping holds the paths in which any two parents or the result differ. The first answer maps a dropped fact to the parent
    (by its place in `parents`) and path that held it: nobody had removed it before, or the side that lacks it never had it. The second
    answer are facts that one side had removed and the merge kept. `known` are facts that the merge's own events speak of.
    """
    now = memory.now
    held = [
        {now(fact): path for path, version in versions.items() if version is not None for fact in version.facts()}
        for _number, versions in parents
    ]
    after = {now(fact) for version in result.values() if version is not None for fact in version.facts()}

    def removed_by(fact: int, side: int) -> bool:
        owners = [parents[n][0] for n, facts in enumerate(held) if fact in facts]
        for gone in memory.removals(fact):
            if is_ancestor(gone, parents[side][0]) and not any(is_ancestor(gone, owner) for owner in owners):
                return True
        return False

    dropped: dict[int, tuple[int, str]] = {}
    kept: set[int] = set()
    for fact in {fact for facts in held for fact in facts} | after:
        lacking = [n for n, facts in enumerate(held) if fact not in facts]
        holding = [n for n, facts in enumerate(held) if fact in facts]
        if not holding or fact in known:
            continue
        if fact not in after:
            if not any(removed_by(fact, side) for side in lacking):
                dropped[fact] = holding[0], held[holding[0]][fact]
        elif lacking and any(removed_by(fact, side) for side in lacking):
            kept.add(fact)
    return dropped, kept
