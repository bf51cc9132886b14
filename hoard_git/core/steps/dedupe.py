"""The second step: of entries that surely say the same one stays; what only looks alike, and what contradicts, is listed for a person."""

from __future__ import annotations

from hoard_git.core.actions import Action, Place, Review, Sighting
from hoard_git.core.dates import parse_day
from hoard_git.core.discreet import name_of
from hoard_git.core.duplicates import CLASSES, find_groups, find_statements
from hoard_git.core.freshness import outlives
from hoard_git.core.model import RANK
from hoard_git.core.nearness import find_near
from hoard_git.core.removal import remove_entries, subtree, tree_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from hoard_git.core.drafts import Draft, Drafts
    from hoard_git.core.duplicates import Group, Statement

    _Key = tuple[str, int, str]

USERS_TWICE = "the same, both the user's"
"""Why a person is asked about equal words: only the user may take one of the user's entries away."""


def dedupe(drafts: Drafts) -> list[Action]:
    """Take safe duplicates out; the actions are in the order of paths and lines.

    What is gone may have set others apart, such as a paragraph above a list, so it is done until nothing more can go.
    """
    statements: dict[str, Sequence[Statement]] = {}
    stuck: set[_Key] = set()
    actions: dict[_Key, Action] = {}
    stale = [draft.path for draft in drafts.of_class(*CLASSES)]
    while True:
        for path in stale:
            statements[path] = _statements(drafts, drafts[path])
        groups = find_groups(one for path in sorted(statements) for one in statements[path])
        planned: dict[str, dict[int, Action]] = {}
        for group in groups:
            for one in group.goes:
                action = _action(drafts, one, group.keeper)
                permitted = _key(action) not in stuck and drafts.permits.may_do(action)
                if permitted and _may_stand_for(drafts, group.keeper, one):
                    planned.setdefault(one.path, {})[one.number] = action
        for path, going_there in planned.items():
            actions.update(_remove(drafts, drafts[path], going_there, stuck))
        if not planned:
            break
        stale = sorted(planned)
    return [_at_last(actions[place], actions) for place in sorted(actions)]


def review(drafts: Drafts) -> list[Review]:
    """What is left to a person when nothing more can go: the user's repeats, what looks alike, and what contradicts."""
    statements = {draft.path: _statements(drafts, draft) for draft in drafts.of_class(*CLASSES)}
    groups = find_groups(one for path in sorted(statements) for one in statements[path])
    going = {(one.path, one.number) for group in groups for one in group.goes}  # what may not go is no news to a person either
    left = [one for path in sorted(statements) for one in statements[path] if (path, one.number) not in going]
    return [*_of_users(drafts, groups), *_near(drafts, left)]


def _statements(drafts: Drafts, draft: Draft) -> Sequence[Statement]:
    """The statements of a file, read once for each state of it."""
    known = drafts.statements.get(draft.path)
    if known is not None and known[0] is draft.document:
        return known[1]
    found = find_statements(draft.path, draft.file_class, draft.document, draft.entry_claims)
    drafts.statements[draft.path] = (draft.document, found)
    return found


def _may_stand_for(drafts: Drafts, keeper: Statement, one: Statement) -> bool:
    """Whether the one that stays holds at least as long as the one that goes; a date that is still to come vouches for nothing."""
    kept, gone = (drafts[it.path].entry_claims[it.number] for it in (keeper, one))
    return (parse_day(kept.ts) or 0) <= drafts.today and outlives(kept, gone, drafts.policy)


def _key(action: Action) -> _Key:
    """What tells an entry that goes from every other: its place in the snapshot, and for one that the plan has written, which has none, its words."""
    return action.path, action.line, "" if action.line else action.text


def _at_last(action: Action, actions: Mapping[_Key, Action]) -> Action:
    """The action with the twin that stays in the end, where the first one went as well."""
    twin = action.survivor
    while twin is not None and twin.line and (further := actions.get((twin.path, twin.line, ""))) is not None:
        twin = further.survivor
    return action._replace(survivor=twin)


def _remove(drafts: Drafts, draft: Draft, planned: Mapping[int, Action], stuck: set[_Key]) -> dict[_Key, Action]:
    """Take entries out of one file, all at once or else, where the rest would read differently, those that can go one by one."""
    trees = {number: set(subtree(draft.document, number)) for number in planned}
    if remove_entries(draft, {inside for tree in trees.values() for inside in tree}):
        return {_key(action): action for action in planned.values()}
    done = {}
    for number in sorted(planned, reverse=True):  # what stands behind is gone first, so that the indices hold
        place = _key(planned[number])
        if remove_entries(draft, trees[number]):
            done[place] = planned[number]
        else:
            stuck.add(place)
            drafts.notes.append(f"A duplicate stays, for the rest of the file would read differently without it: {place[0]}:{place[1]}")
    return done


def _action(drafts: Drafts, one: Statement, keeper: Statement) -> Action:
    draft = drafts[one.path]
    document = draft.document
    entry, claim = document.entries[one.number], draft.entry_claims[one.number]
    last = tree_lines(document, one.number)[1]
    own = document.headings[entry.heading].tag if entry.heading >= 0 else None
    block = claim.id or (own.id if own is not None else "") or name_of(document, entry.heading)
    path, line = draft.place(one.line)
    twin = Place(*drafts[keeper.path].place(keeper.line))
    text = "\n".join(line.removesuffix("\r") for line in document.lines[entry.line - 1 : last])
    reason = f"says the same as {twin.path}:{twin.line}, which {_why(one, keeper)}"
    return Action("dedupe", path, line, text, reason, block, "", one.src, one.src, twin, draft.place(last)[1], gone=True)


def _why(one: Statement, keeper: Statement) -> str:
    """Why the other one stays, in a clause."""
    if RANK[keeper.src] > RANK[one.src]:
        return "is the user's" if keeper.src == "user" else f"has the higher source ({keeper.src})"
    return "is newer" if keeper.ts != one.ts else "comes first"


def _of_users(drafts: Drafts, groups: Iterable[Group]) -> list[Review]:
    found = []
    for group in groups:
        users = [one for one in (group.keeper, *group.others) if one.src == "user"]
        if len(users) > 1:
            found.append(Review("near", USERS_TWICE, tuple(_sighting(drafts, one) for one in users)))
    return found


def _near(drafts: Drafts, statements: Iterable[Statement]) -> list[Review]:
    return [Review(pair.kind, pair.reason, tuple(_sighting(drafts, one) for one in pair.statements)) for pair in find_near(statements)]


def _sighting(drafts: Drafts, one: Statement) -> Sighting:
    return Sighting(*drafts[one.path].place(one.line), one.text, one.src, one.ts)
