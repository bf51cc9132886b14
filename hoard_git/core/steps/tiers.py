"""The last step: daily logs that are no longer hot are shortened to their key lines, and the originals go to the archive, later out of the tree.

Hot to warm loses nothing: the whole log stands in `memory/archive/logs/` afterwards. Warm to cold leaves the key lines alone, in the archive,
with personal data masked; the original is in history, from where masking takes nothing.
"""

from __future__ import annotations

from hoard_git.core.actions import Action
from hoard_git.core.archivedlogs import archived_log, archived_logs, is_archived, is_whole, packed_logs, whole_logs
from hoard_git.core.archiving import rebased, remark
from hoard_git.core.choosing import Choice, choose
from hoard_git.core.counted import counted
from hoard_git.core.dates import format_day
from hoard_git.core.discreet import name_of
from hoard_git.core.document import COMMENT
from hoard_git.core.drafts import Piece
from hoard_git.core.files import classify
from hoard_git.core.keylines import count_days, find_keys, with_parents
from hoard_git.core.masking import mask_piece
from hoard_git.core.packing import pack
from hoard_git.core.sameness import same_form
from hoard_git.core.shelved import add_late, find_shelved
from hoard_git.core.shortening import USER, file_tag, leave, lines_kept, sort_entries, stay
from hoard_git.core.tiers import COLD, SMALL_BYTES, SMALL_ENTRIES, WARM, Log, day_of, days, place_logs, tier_limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from hoard_git.core.drafts import Draft, Drafts
    from hoard_git.core.shortening import Parts
    from hoard_git.core.summary import Summarise
    from hoard_git.core.tiers import Placed

    Mask = Callable[[str], str]

_PROSE = ("item", "text", "row", "quote")
"""What may stay in a cold log; code, chats and markup are for history."""
_TOLD = 3
"""Kinds of key lines that a reason counts, the most frequent first."""


def tiers(drafts: Drafts, names: Sequence[str] = (), *, mask: Mask | None = None, summarise: Summarise | None = None) -> list[Action]:
    """Shorten the logs that are warm and cold on the day of the plan, one action a log, by path.

    A log that leaves its archived original has a second one where its own lines read otherwise in the archive (masked, or under a
    title that they had not), or where its front matter goes with it.

    `names` are people's names to mask in cold logs besides the policy's own; `mask` replaces the masking of core.personal. `summarise` may
    choose the lines of a warm log instead. A log that is warm or cold already is left alone. What the user wrote stays where it is.
    """
    step = _Tiers(drafts, mask or _masking(drafts, names), summarise)
    return step.run()


def _masking(drafts: Drafts, names: Sequence[str]) -> Mask:
    from hoard_git.core.personal import mask

    policy = drafts.policy
    everybody = tuple(dict.fromkeys((*policy.personal_names, *names)))
    return lambda text: mask(text, everybody, policy.personal_keep, policy.salt)


class _Tiers:
    """One run of the step."""

    def __init__(self, drafts: Drafts, mask: Mask, summarise: Summarise | None) -> None:
        self.drafts = drafts
        self.mask = mask
        self.summarise = summarise
        self.limits = tier_limits(drafts.policy)
        self._seen: dict[str, int] | None = None
        self._forms: dict[str, str] = {}

    def run(self) -> list[Action]:
        found: list[Action] = []
        logs = [Log(draft.path, day, len(draft.data)) for draft in self.drafts.of_class("daily") if (day := day_of(draft.path)) is not None]
        moves = {WARM: self._cool, COLD: self._chill}
        for placed in sorted(place_logs(logs, self.limits, self.drafts.today), key=lambda placed: placed.log.path):
            move = moves.get(placed.tier)
            if move is not None and self._is_readable(placed.log.path):
                found += move(placed)
        self._note_packed()
        for path in packed_logs(self.drafts):
            found += self._chill_packed(path)
        for draft in archived_logs(self.drafts):
            found += self._chill_alone(draft)
        for draft in archived_logs(self.drafts):
            found += self._pack(draft)
        return found

    def _is_readable(self, path: str) -> bool:
        data = self.drafts[path].data
        if b"\0" not in data and data.decode("utf-8", "replace").encode() == data:
            return True
        self.drafts.notes.append(f"{path!r} is not readable as UTF-8 text, so it stays as it is; hoard check says where it breaks.")
        return False

    def _is_free(self, path: str) -> bool:
        target = archived_log(self.drafts, path)
        if self.drafts.is_free(target):
            return True
        self.drafts.notes.append(f"{target!r} cannot be made, so {path!r} stays as it is: something else lies there or on the way.")
        return False

    # ---------------------------------------------------------------- hot to warm

    def _cool(self, placed: Placed) -> list[Action]:
        path = placed.log.path
        draft = self.drafts[path]
        permitted = self.drafts.permits.may("warm", *_place(draft))
        if not permitted or is_archived(self.drafts, path) or is_small(draft) or not self._is_free(path):
            return []
        parts = sort_entries(draft)
        choice, why = self._choose(draft, parts)
        kept = parts.pinned | parts.shared | choice.entries
        if all(number in kept for number in parts.rest):
            return []
        left = stay(draft, kept)
        line = remark(self.drafts, path, "", "warm")
        day = format_day(placed.log.day)
        gone = leave(draft, {*parts.rest, *parts.shared}, remark=line, day=day, named=lines_kept(draft, kept))
        if left is None or gone is None:
            self._refuse(path)
            return []
        target = archived_log(self.drafts, path)
        kept_as = "stays as a key line" if len(choice.entries) == 1 else "stay as key lines"
        told = (
            f"{placed.reason}: {len(choice.entries)} of {counted(len(parts.rest), 'entry')} {kept_as}{why}, all of them are in the archive"
        )
        action = _action("warm", draft, placed.log.day, told + _of_the_user(draft, parts), to=target)
        self.drafts.open(target, "archive").rewrite(rebased(gone, path, target))
        draft.rewrite(_with_merged(left, path, choice))
        return [action]

    def _choose(self, draft: Draft, parts: Parts) -> tuple[Choice, str]:
        """The entries that stay in a warm log with the items around them, and what speaks for them in words."""
        document = draft.document
        note = ""
        if self.summarise is not None:
            answer = choose(draft, parts.rest, self.drafts.policy, self.summarise)
            if not answer.problem:
                return answer, ", chosen by the summarizer"
            note = f" (the summarizer's answer was not taken: {answer.problem})"
        seen = self._count_days()
        keys = find_keys(document, draft.entry_claims, seen=seen, form=self._form, without=parts.pinned | parts.shared)
        held = {number for key in keys for number in with_parents(document, key.entry)}
        counts: dict[str, int] = {}
        for key in keys:
            counts[key.why] = counts.get(key.why, 0) + 1
        told = ", ".join(
            f"{count} {_plural(why, count)}" for why, count in sorted(counts.items(), key=lambda c: (-c[1], c[0]))[:_TOLD] if why
        )
        return Choice(frozenset(held)), (f" ({told})" if told else "") + note

    def _count_days(self) -> dict[str, int]:
        if self._seen is None:
            dated = [(day_of(draft.path), draft) for draft in (*self.drafts.of_class("daily"), *whole_logs(self.drafts))]
            self._seen = count_days(((day, d.document, d.entry_claims) for day, d in dated if day is not None), self._form)
        return self._seen

    def _form(self, text: str) -> str:
        found = self._forms.get(text)
        if found is None:
            found = self._forms[text] = same_form(text)
        return found

    # ---------------------------------------------------------------- warm to cold

    def _chill(self, placed: Placed) -> list[Action]:
        path, target = placed.log.path, archived_log(self.drafts, placed.log.path)
        if not self.drafts.permits.may_chill(target):
            return []
        draft = self.drafts[path]
        parts = sort_entries(draft)
        unpacked = self._unpack(target + ".gz") if target not in self.drafts else None
        before = unpacked.state() if unpacked is not None else None
        actions = self._chill_into(placed, parts, target)
        if unpacked is not None and unpacked.state() == before:
            self.drafts.repack(unpacked)
        return actions

    def _chill_into(self, placed: Placed, parts: Parts, target: str) -> list[Action]:
        path = placed.log.path
        draft = self.drafts[path]
        shelf = self.drafts[target] if target in self.drafts else None  # noqa: SIM401 - no mapping, but a maker of drafts
        original = shelf is not None and _is_original(shelf)
        if not parts.rest and not original:
            return []
        if shelf is None and is_archived(self.drafts, path):
            self.drafts.notes.append(f"{target!r} is packed or no plain file, so {path!r} stays as it is.")
            return []
        if shelf is not None and _has_users(shelf):
            self.drafts.notes.append(f"{target!r} holds entries of the user's, so it stays as it is.")
            return []
        if not self._is_free(path):
            return []
        rest = shelf if not original else None
        there = find_shelved(draft, {*parts.rest, *parts.shared}, rest, self.mask) if rest is not None else set()
        came_back = not there.isdisjoint(parts.rest)  # else the lines are new ones, of which the first choice was not made yet
        every = shelf is not None and not came_back or (not original and is_small(draft))
        chosen = set(parts.rest) if every else self._choose_cold(draft, parts.pinned | parts.shared)
        chosen = {number for number in chosen if draft.document.entries[number].kind in _PROSE} - there
        source, held = draft, _lines_left(draft, parts)
        if original and shelf is not None and not chosen:
            source, chosen = shelf, self._choose_cold(shelf, ())
        linked = parts.shared - there if source is draft else _used(source, chosen)
        fresh = leave(source, chosen | linked, day=format_day(placed.log.day), named=held if source is draft else ())
        left = stay(draft, parts.pinned | parts.shared) if held else None
        if fresh is None or (held and left is None):
            self._refuse(path)
            return []
        fresh, masked = mask_piece(rebased(fresh, source.path, target), self.mask)
        place = shelf if original and shelf is not None else draft
        before = len(place.document.entries) if place is not draft else len(parts.rest)
        told = _told_cold(placed.reason, before, len(chosen), masked, len(there & {*parts.rest})) + _of_the_user(draft, parts)
        gone = masked > 0 or before > len(chosen) or (place is draft and left is None and bool(parts.pinned))
        to = rest.packed if rest is not None and rest.packed and not (chosen or linked) else target
        actions = [_action("cold", place, placed.log.day, told, to=to, gone=gone)]
        moved = {*parts.rest, *parts.shared}
        odd = (bool(moved) and (masked > 0 or source is not draft)) or (left is None and bool(parts.pinned)) or _has_untitled(draft, moved)
        if place is not draft and odd:
            told = f"{placed.reason}: its key lines are the ones in the archive" + (", where personal data is masked" if masked else "")
            actions.append(_action("cold", draft, placed.log.day, told, to=target, gone=True))
        if rest is None:
            self.drafts.open(target, "archive").rewrite(fresh)
        elif chosen or linked:
            add_late(rest, fresh)
        if left is None:
            draft.delete()
        else:
            draft.rewrite(left)
        return actions

    def _unpack(self, path: str) -> Draft | None:
        """The archived log that a gzip file holds, in its place; None where there is none or it cannot be unpacked."""
        return self.drafts.unpack(path) if path in packed_logs(self.drafts) and is_whole(self.drafts, path) else None

    def _note_packed(self) -> None:
        """Name the packed logs that are left as they are."""
        archived = packed_logs(self.drafts)
        for path in self.drafts.packed():
            if classify(path[: -len(".gz")], self.drafts.policy) == "daily":
                self.drafts.notes.append(
                    f"{path!r} is packed and lies outside of the archive, so it is left as it is: gunzip it to have it shortened."
                )
            elif path in archived and not is_whole(self.drafts, path):
                self.drafts.notes.append(f"{path!r} cannot be unpacked, so it is left as it is.")

    def _chill_packed(self, path: str) -> list[Action]:
        """Shorten a packed original whose log is not there any more; it is packed again when its day has come."""
        if not is_whole(self.drafts, path) or path[: -len(".gz")] in self.drafts or not self._turns_cold(self.drafts.peek(path)):
            return []
        draft = self.drafts.unpack(path)
        actions = self._chill_alone(draft)
        if not actions:
            self.drafts.repack(draft)
        return actions

    def _turns_cold(self, shelf: Draft) -> bool:
        day, warm = day_of(shelf.path), self.limits.warm
        if day is None or warm is None or self.drafts.today - day <= warm or not self.drafts.permits.may_chill(shelf.path):
            return False
        return _is_original(shelf) and not _has_users(shelf)

    def _chill_alone(self, shelf: Draft) -> list[Action]:
        """Shorten an original whose log is not there any more."""
        day, warm = day_of(shelf.path), self.limits.warm
        if day is None or warm is None or not self._turns_cold(shelf):
            return []
        if any(archived_log(self.drafts, draft.path) == shelf.path for draft in self.drafts.of_class("daily")):
            return []
        chosen = self._choose_cold(shelf, ())
        fresh = leave(shelf, chosen | _used(shelf, chosen), day=format_day(day))
        if fresh is None:
            self._refuse(shelf.path)
            return []
        fresh, masked = mask_piece(fresh, self.mask)
        before = len(shelf.document.entries)
        told = _told_cold(f"{days(self.drafts.today - day)} old, past {days(warm)}", before, len(chosen), masked)
        action = _action("cold", shelf, day, told, to=shelf.path, gone=masked > 0 or before > len(chosen))
        shelf.rewrite(fresh)
        return [action]

    def _choose_cold(self, draft: Draft, without: Collection[int]) -> set[int]:
        document = draft.document
        keys = find_keys(document, draft.entry_claims, seen=self._count_days(), form=self._form, without=without)
        return {number for key in keys for number in with_parents(document, key.entry)}

    # ---------------------------------------------------------------- packing

    def _pack(self, draft: Draft) -> list[Action]:
        """Replace an archived log by its gzip, where the policy wants that."""
        day, limit = day_of(draft.path), self.limits.gzip_after
        target = draft.path + ".gz"
        if day is None or limit is None or self.drafts.today - day <= limit or _has_users(draft):
            return []
        if target in self.drafts or target.lower() in self.drafts.taken:
            return []
        reason = f"{days(self.drafts.today - day)} old, past {days(limit)}: packed with gzip, which check and search read as well"
        action = _action("archive", draft, day, reason, to=target)
        if not self.drafts.permits.may_do(action):
            return []
        packed = pack(draft.data).decode("utf-8", "surrogateescape").split("\n")
        self.drafts.open(target, "other").rewrite(Piece.fresh(packed))
        draft.delete()
        return [action]

    def _refuse(self, path: str) -> None:
        self.drafts.notes.append(f"{path!r} could not be split so that every entry reads as before, so it stays as it is.")


def _with_merged(piece: Piece, path: str, choice: Choice) -> Piece:
    """Put the lines of a summariser in the place of the entries that they stand for."""
    fresh = {(path, line): text for line, text in choice.merged}
    lines = tuple(fresh.get(origin, line) if origin is not None else line for line, origin in zip(piece.lines, piece.origins, strict=True))
    return Piece(lines, piece.origins)


def is_small(draft: Draft) -> bool:
    """Whether shortening a log would gain nothing."""
    return len(draft.document.entries) <= SMALL_ENTRIES and len(draft.data) <= SMALL_BYTES


def _has_untitled(draft: Draft, numbers: Collection[int]) -> bool:
    """Whether any of these entries stands under no heading: in the archive there is one, and a short fact counts as the same below its own only."""
    return any(draft.document.entries[number].heading < 0 for number in numbers)


def _has_users(draft: Draft) -> bool:
    return any(claim.src == USER for claim in (*draft.entry_claims, *draft.heading_claims))


def _is_original(shelf: Draft) -> bool:
    """Whether an archived log is a whole one that turned warm: the line below its title says so, and is gone when it turns cold."""
    return any(
        kind == COMMENT and line.startswith("<!-- hoard:archived from:") and line.rstrip("\r").endswith(" reason:warm -->")
        for line, kind in zip(shelf.lines, shelf.document.kinds, strict=True)
    )


def _lines_left(draft: Draft, parts: Parts) -> set[int]:
    """The lines of a log that a cold one keeps: none when nothing but its title, front matter and link definitions would be left."""
    document = draft.document
    held = any(document.entries[number].kind != "front" for number in parts.pinned)
    if not held and not document.regions and not any(claim.src == USER for claim in draft.heading_claims):
        return set()
    return lines_kept(draft, parts.pinned | parts.shared)


def _used(draft: Draft, chosen: Collection[int]) -> set[int]:
    """The reference definitions that the chosen entries link through."""
    document = draft.document
    text = "\n".join(document.entries[number].text for number in chosen).lower()
    found = set()
    for number, (entry, claim) in enumerate(zip(document.entries, draft.entry_claims, strict=True)):
        if entry.kind == "reference" and claim.src != USER and not document.in_region(entry.line):
            label = entry.text.lstrip()[1:].partition("]:")[0].lower()
            if f"[{label}]" in text:
                found.add(number)
    return found


def _action(kind: str, draft: Draft, day: int, reason: str, *, to: str, gone: bool = False) -> Action:
    """The action about a whole log, as it stood in the snapshot."""
    document = draft.document
    title = document.headings[0].title.strip() if document.headings and kind != "cold" else format_day(day)  # a title may name people
    src = file_tag(draft, format_day(day)).src
    block = name_of(document, 0) if document.headings else ""
    return Action(kind, *_place(draft), title, reason, block, to, src, src, end_line=draft.length, gone=gone)


def _place(draft: Draft) -> tuple[str, int]:
    """What an action about a whole log names: the file in the snapshot, and its first line where it has one."""
    return draft.packed or draft.path, 1 if draft.length else 0


def _told_cold(reason: str, before: int, fresh: int, masked: int, there: int = 0) -> str:
    kept = fresh + there
    told = f"{reason}: {kept} of {counted(before, 'entry')} {'stays' if kept == 1 else 'stay'} in the archive"
    if there:
        told += f" ({'where it stands' if kept == 1 else 'where all stand' if kept == there else f'where {there} stand'} already)"
    if before > kept:
        told += f", {before - kept} only in history"
    return told + (f"; {masked} {'line has' if masked == 1 else 'lines have'} personal data masked" if masked else "")


def _of_the_user(draft: Draft, parts: Parts) -> str:
    count = sum(draft.entry_claims[number].src == USER for number in parts.pinned)
    return f"; {counted(count, 'entry')} of the user's {'stays' if count == 1 else 'stay'} in the log" if count else ""


def _plural(word: str, count: int) -> str:
    if count == 1 or word == "again":
        return {"again": "said again"}.get(word, word)
    return {"fix": "fixes"}.get(word, word + "s")
