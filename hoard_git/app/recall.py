"""`hoard search`: which entries of memory answer a query, best first, each with where it stands and what it is worth.

    answer = search(reader, Wish("when do backups run"), days, directory="", finder=None)

The number of hits asked for decides nothing but how many are handed on: pools are of one size, and equal scores are told apart by content and place.
"""

from __future__ import annotations

import os
from functools import cache, partial
from hashlib import sha256

from hoard_git.app.history import cache_home
from hoard_git.app.recall_sync import policies_at, read_version, sync_commit, sync_past, sync_worktree
from hoard_git.app.spaces import choose_space, find_spaces
from hoard_git.app.workspace import read_policies_of_worktree
from hoard_git.core.files import log_day
from hoard_git.core.freshness import EXPIRED, STALE, freshness
from hoard_git.core.model import LOW_TRUST, RANK, TRUSTED
from hoard_git.core.provenance import Provenance
from hoard_git.core.ranking import EXPIRED as EXPIRED_FACTOR
from hoard_git.core.ranking import STALE as STALE_FACTOR
from hoard_git.core.ranking import SUPERSEDED as SUPERSEDED_FACTOR
from hoard_git.core.ranking import TIERS, TRUST, Parts, discount, likeness, recency, spread, vector_share, weigh
from hoard_git.core.record import Record
from hoard_git.core.supersession import find_superseded
from hoard_git.core.terms import Sought, query_terms
from hoard_git.errors import HoardError
from hoard_git.gitio.cachefiles import ask, cache_paths
from hoard_git.gitio.searchindex import ARCHIVE, LIVE, PAST, POOL, SearchTrouble, open_search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Protocol

    from hoard_git.app.clock import Days
    from hoard_git.app.policies import Policies
    from hoard_git.app.recall_sync import Synced
    from hoard_git.core.policy import Policy
    from hoard_git.core.terms import Term
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.searchindex import Found, Place, SearchIndex

    class Finder(Protocol):
        """Finds passages by meaning (app.vectors)."""

        state: str
        note: str

        def prepare(self, index: SearchIndex, scopes: Sequence[str], donors: Sequence[str] = ()) -> None:
            """Give every passage a vector, or say in `state` and `note` why there are none; `donors` are indexes that may have some."""

        def near(self, index: SearchIndex, query: str, scopes: Sequence[str], src: str | None, also: Collection[int]) -> dict[int, float]:
            """Cosines of the nearest passages, as many as there are in a pool, and of `also`; nothing unless the state is `on`."""


ON, OFF, OUTDATED = "on", "off", "stale"

LEAST = 0.25
"""A share of the best score below which a hit is an accident; there is no score that means "good" by itself."""

_MOST_QUERY = 2000
_FEW = 10
"""Where less than one in so many of a full pool is trusted, the trusted ones are asked for by themselves: a query more, which large memories seldom need."""

_COMPARED = 12
"""Hits among which one may supersede another; the best ones, however many are asked for."""


class Wish(Record):
    """What is asked for. `src` is a source, `untagged` or '' for all; `rev` '' means the work tree."""

    query: str
    src: str = ""
    archive: bool = False
    history: bool = False
    rev: str = ""


class Hit(Record):
    """One entry. `lines` are those of the whole version that it stands in, for whoever shows it; `commit` is '' for the work tree."""

    path: str
    line: int
    end_line: int
    id: str
    slug: str
    kind: str
    text: str
    src: str
    ts: str
    score: float
    parts: Parts
    flags: tuple[str, ...]
    commit: str
    lines: tuple[str, ...] = ()

    @property
    def block(self) -> str:
        """How the history commands call it: its id, else PATH#slug, else the path."""
        return self.id or (f"{self.path}#{self.slug}" if self.slug else self.path)


class Answer(Record):
    """All hits, best first; `vector` is on, off or stale. `unread` are files that could not be looked into, with the reason of each.

    `elsewhere` counts better matches in the archive, which was not asked for.
    """

    hits: tuple[Hit, ...]
    vector: str
    note: str
    unread: tuple[tuple[str, str], ...]
    elsewhere: int
    terms: tuple[Term, ...]


class _Scored(Record):
    """A passage with its best place and its score."""

    found: Found
    place: Place
    claim: Provenance
    score: float
    parts: Parts
    flags: tuple[str, ...]


def search(
    reader: PlumbingReader,
    wish: Wish,
    days: Callable[[Policy], Days],
    most: int,
    *,
    directory: str = "",
    finder_for: Callable[[Policy], Finder] | None = None,
) -> Answer:
    """Bring the index up to date and answer. `directory` is the repository directory that the user stands in.

    `finder_for` gives what finds by meaning under the workspace's policy; without it only words are looked for.

    Raises HoardError for a query without a word, an unknown revision, a history that is cut off, and a policy that cannot be read.
    """
    # SQLite takes no half characters, which a shell hands on for bytes that are not UTF-8, and JSON may hold.
    wish = wish._replace(query=wish.query.encode("utf-8", "replace").decode())
    terms = query_terms(wish.query[:_MOST_QUERY])
    if not terms:
        raise HoardError("The query holds no word that can be looked for.", "hoard search 'backup schedule'")
    bare_repository = reader.root() == reader.git_dir()
    commit = reader.resolve(wish.rev or "HEAD") if wish.rev or bare_repository else None
    policies = policies_at(reader, commit) if commit else read_policies_of_worktree(reader)
    space = choose_space(policies, directory)
    scopes = (LIVE, *((ARCHIVE,) if wish.archive or wish.history else ()), *((PAST,) if wish.history else ()))
    synced: list[Synced] = []

    def prepare(index: SearchIndex) -> None:
        done = sync_commit(index, reader, commit, policies, space) if commit else sync_worktree(index, reader.root(), policies, space)
        if wish.history:
            sync_past(index, reader, commit or "HEAD", space, find_spaces(policies))
        synced[:] = [done]

    finder = finder_for(policies.govern(space or "")) if finder_for is not None else None
    places = tuple(cache_paths(reader.common_dir(), cache_home(), _name(reader, space)))

    def make() -> SearchIndex:
        return open_search([] if commit else places, prepare)

    def question(index: SearchIndex) -> Answer:
        if finder is not None:
            finder.prepare(index, scopes, places)
        today = {prefix: days(policy).today for prefix, policy in policies.by_prefix or (("", policies.default),)}
        asker = _Asker(index, wish, terms, scopes, policies, today)
        asker.space, asker.finder = space or "", finder
        asker.dates = partial(_first_dates, reader, commit or "HEAD")
        scored = asker.run()
        shown = scored[:most]
        elsewhere = asker.better_in_archive(scored) if not (wish.archive or wish.history or wish.src) else 0
        lines = cache(partial(_lines, reader))  # hits share files, and reading one of a commit starts git
        hits = tuple(_hit(one, commit or "", lines) for one in shown)
        vector, note = (finder.state, finder.note) if finder is not None else (OFF, "")
        note = "; ".join([part for part in (note, asker.note) if part])
        return Answer(hits, vector, note, synced[0].unread, elsewhere, terms)

    return ask(make, question, SearchTrouble)


def _first_dates(reader: PlumbingReader, rev: str, entries: list[tuple[str, Provenance]]) -> tuple[list[str], str]:
    from hoard_git.app.recall_dates import first_dates  # 6 ms, for a contradiction that only dates decide

    return first_dates(reader, rev, entries)


def _name(reader: PlumbingReader, space: str | None) -> str:
    """The database of a workspace: worktrees of one repository, and workspaces in it, have one each."""
    parts = [space or ""]
    if reader.git_dir() != reader.common_dir():
        parts.append(os.path.realpath(reader.root()))
    if parts == [""]:
        return "search.sqlite"
    return f"search-{sha256(os.fsencode(chr(0).join(parts))).hexdigest()[:12]}.sqlite"


def _lines(reader: PlumbingReader, path: str, commit: str) -> tuple[str, ...]:
    return tuple(read_version(reader, path, commit))


def _hit(one: _Scored, commit: str, lines: Callable[[str, str], tuple[str, ...]]) -> Hit:
    place = one.place
    at = place.commit or commit
    return Hit(
        place.path, place.line, place.end_line, place.id, place.slug, place.kind, one.found.text, place.src, place.ts, one.score, one.parts,
        one.flags, at, lines(place.path, at),
    )  # fmt: skip


class _Asker:
    """One query put to one index."""

    def __init__(
        self,
        index: SearchIndex,
        wish: Wish,
        terms: Sequence[Term],
        scopes: Sequence[str],
        policies: Policies,
        today: Mapping[str, int],
    ) -> None:
        self.index = index
        self.wish = wish
        self.sought = Sought(terms)
        self.scopes = scopes
        self.policies = policies
        self.today = today
        self.space = ""
        self.note = ""
        self.dates: Callable[[list[tuple[str, Provenance]]], tuple[list[str], str]] | None = None
        self.finder: Finder | None = None
        self._looked_up: dict[int, list[Place]] = {}
        self.src = None if not wish.src else "" if wish.src == "untagged" else wish.src
        self.counts = index.counts(terms, scopes)
        self.weights = weigh(self.counts, index.total(scopes))

    def run(self) -> list[_Scored]:
        """Everything that was found, best first."""
        found = self._pool()
        named = set(self.index.named(self.wish.query.strip()))
        cosines = self.finder.near(self.index, self.wish.query, self.scopes, self.src, found) if self.finder is not None else {}
        missing = (named | cosines.keys()) - found.keys()
        found |= {one.block: one for one in self.index.read(missing) if one.scope in self.scopes}
        shares = {block: likeness(self.sought, one.words, one.pairs, self.weights) for block, one in found.items()}
        weight = vector_share(self._policy(self.space).vector_weight, max((share for share, _sharp in shares.values()), default=0.0))
        spreaded = spread({block: cosines[block] for block in found if block in cosines})
        places = self._places(found)
        scored = []
        for block, one in found.items():
            place = self._choose(places.get(block, []))
            if place is None:
                continue
            share, sharp = shares[block]
            if block in named:
                share, sharp = 1.0, 1.0
            sharp = discount(share, sharp, place.src)
            cosine = spreaded.get(block, 0.0)
            base = (1 - weight) * sharp + weight * cosine if cosines else sharp
            scored.append(self._score(one, place, share, cosine if cosines else None, base))
        scored.sort(key=_order)
        least = scored[0].score * LEAST if scored else 0.0
        return _with_superseded([one for one in scored if one.score >= least], self._first_dates)

    def _first_dates(self, head: Sequence[_Scored]) -> list[str]:
        if self.dates is None:
            return [one.claim.ts for one in head]
        found, self.note = self.dates([(one.found.text, one.claim) for one in head])
        return found

    def _pool(self) -> dict[int, Found]:
        """What may answer, by its words. A flood of lines about the query does not push out what the user and the agent say."""
        found = {one.block: one for one in self.index.best(self.counts, self.scopes, self.src)}
        if self.src is None and len(found) >= POOL:
            places = self._places(found)
            trusted = sum(any(place.src in TRUSTED for place in places.get(block, ())) for block in found)
            if trusted * _FEW < len(found):
                found |= {one.block: one for src in TRUSTED for one in self.index.best(self.counts, self.scopes, src)}
        return found

    def better_in_archive(self, scored: Sequence[_Scored]) -> int:
        """How many archived entries match better than the best of what was found."""
        best = max((one.parts.coverage for one in scored), default=0.0)
        if best >= TIERS[ARCHIVE] or not self.index.total((ARCHIVE,)):
            return 0
        found = self.index.best(self.index.counts(self.sought.terms, (ARCHIVE,)), (ARCHIVE,), self.src)
        weights = weigh(self.index.counts(self.sought.terms, (LIVE, ARCHIVE)), self.index.total((LIVE, ARCHIVE)))
        shares = [likeness(self.sought, one.words, one.pairs, weights)[0] for one in found]
        return sum(1 for share in shares if share * TIERS[ARCHIVE] > best)

    def _places(self, found: Mapping[int, Found]) -> dict[int, list[Place]]:
        """Where passages stand; each is looked up once, and a few more may have been."""
        fresh = [(block, one.scope == PAST) for block, one in found.items() if block not in self._looked_up]
        for past in dict.fromkeys(past for _block, past in fresh):
            self._looked_up |= self.index.places([block for block, of in fresh if of == past], past=past)
        return self._looked_up

    def _choose(self, places: Sequence[Place]) -> Place | None:
        """The place of a passage that is worth the most: active before archived, the most trusted, the newest, the first."""
        fitting = [place for place in places if self.src is None or place.src == self.src]
        newest = sorted(fitting, key=lambda place: place.ts if place.ts != "unknown" else "", reverse=True)
        return min(newest, key=lambda place: (place.file_class == ARCHIVE, -RANK[place.src]), default=None)

    def _score(self, one: Found, place: Place, share: float, cosine: float | None, base: float) -> _Scored:
        policy = self._policy(place.path)
        claim = Provenance(place.src, place.ts, place.ttl, place.id, "", place.stale)
        today = self.today[policy.prefix] if policy.prefix in self.today else next(iter(self.today.values()))
        day = log_day(place.path) if place.file_class == "daily" else None
        fresh = recency(None if day is None else today - day)
        state = freshness(claim, policy, today)
        flags = []
        if state == EXPIRED:
            flags.append("expired")
            fresh *= EXPIRED_FACTOR
        elif state == STALE or place.stale:
            flags.append("stale")
            fresh *= STALE_FACTOR
        if place.state == "superseded":
            flags.append("superseded")
            fresh *= SUPERSEDED_FACTOR
        flags += ["low-trust"] if place.src in LOW_TRUST else ["untagged"] if not place.src else []
        flags += {ARCHIVE: ["archived"], PAST: ["removed"]}.get(one.scope, [])
        parts = Parts(share, cosine, TRUST[place.src], fresh, TIERS[one.scope])
        return _Scored(one, place, claim, base * parts.trust * parts.recency * parts.tier, parts, tuple(flags))

    def _policy(self, path: str) -> Policy:
        return self.policies.govern(path)


def _lost(head: Sequence[_Scored], dates: Sequence[str]) -> list[int]:
    both = zip(head, dates, strict=True)
    return find_superseded([(one.found.text, one.claim._replace(ts=date), one.place.file_class) for one, date in both])


def _order(one: _Scored) -> tuple[float, float, str, int, bytes]:
    return -round(one.score, 6), round(one.found.rank, 6), one.place.path, one.place.line, one.found.key


def _with_superseded(scored: list[_Scored], first_dates: Callable[[Sequence[_Scored]], Sequence[str]]) -> list[_Scored]:
    """Mark those of the best hits that another one of them contradicts and outranks.

    Where only their dates decide, history is asked since when the words are there: a date that somebody moved makes nothing news.
    """
    head = scored[:_COMPARED]
    lost = _lost(head, [one.claim.ts for one in head])
    if lost and lost != _lost(head, ["unknown"] * len(head)):
        lost = _lost(head, first_dates(head))
    if not lost:
        return scored
    for number in lost:
        one = head[number]
        if "superseded" not in one.flags:
            parts = one.parts._replace(recency=one.parts.recency * SUPERSEDED_FACTOR)
            head[number] = one._replace(flags=(*one.flags, "superseded"), parts=parts, score=one.score * SUPERSEDED_FACTOR)
    return sorted([*head, *scored[_COMPARED:]], key=_order)
