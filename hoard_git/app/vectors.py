"""Finding by meaning: every passage has a vector, and a query is compared with all of them.

Brute force, for a hundred thousand vectors are compared in less time than an interpreter starts. What cannot be done is said, never passed over: the state is
`off` without an embedder, `stale` where vectors are missing or another embedder's, and words are searched in any case.
"""

from __future__ import annotations

import sqlite3
from importlib import import_module
from shlex import quote

from hoard_git.app.embedders import BATCH, CONFIG, NONE, USE, Unusable, open_embedder
from hoard_git.app.recall import OFF, ON, OUTDATED
from hoard_git.gitio.searchindex import POOL
from hoard_git.gitio.searchvectors import borrow, missing, models, prune, put, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Any

    from hoard_git.app.embedders import Embedder
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.searchindex import SearchIndex

MOST_UNASKED = 800
"""Texts that are embedded without being asked for it: about eight seconds of one processor. Who calls for an agent gives up on a command that is silent for long."""

_ROWS = 8192


class VectorFinder:
    """`recall.Finder` with an embedder, or with the reason why there is none."""

    def __init__(
        self,
        embedder: Embedder | None,
        note: str = "",
        *,
        asked: bool = False,
        choice: str = USE,
        progress: Callable[[int, int], None] = lambda _done, _all: None,
    ) -> None:
        """`asked` says that the user named the embedder in this call: then everything is embedded, however long it takes. `choice` names it so."""
        self.state = OFF
        self.note = note
        self.embedded = 0
        self._embedder = embedder
        self._asked = asked
        self._again = f"hoard search --embedder {choice if choice.isalnum() else quote(choice)} QUERY"
        self._progress = progress

    def prepare(self, index: SearchIndex, scopes: Sequence[str], donors: Sequence[str] = ()) -> None:
        """Embed what has no vector yet, or say why that is not done."""
        if self._embedder is None:
            return
        name = self._embedder.name
        borrow(index, name, donors)
        lacking = missing(index, name, scopes)
        others = [model for model in models(index) if model != name]
        if lacking and not self._asked:
            if others and name not in models(index):
                self._say(
                    OUTDATED, f"the vectors here are of another embedder ({others[0]}), so only words were looked for; anew: {self._again}"
                )
                return
            if len(lacking) > MOST_UNASKED:
                self._say(OUTDATED, f"{len(lacking):,} entries have no vector yet, so only words were looked for; make them: {self._again}")
                return
        try:
            self._embed(index, self._embedder, lacking)
        except Unusable as error:
            self._say(OFF, error.message)
        except sqlite3.OperationalError:
            self._say(OUTDATED, "the index is busy, so only words were looked for")
        else:
            self.state = ON

    def _say(self, state: str, note: str) -> None:
        self.state, self.note = state, note

    def _embed(self, index: SearchIndex, embedder: Embedder, lacking: Sequence[tuple[bytes, str]]) -> None:
        """Texts of like length together, for a batch takes as long as its longest; each batch is kept at once."""
        order = sorted(lacking, key=lambda row: (len(row[1]), row[0]))
        for first in range(0, len(order), BATCH):
            part = order[first : first + BATCH]
            rows = embedder.embed([text for _meaning, text in part]).astype("float16")
            put(index, embedder.name, [(meaning, row.tobytes()) for (meaning, _text), row in zip(part, rows, strict=True)])
            self.embedded += len(part)
            self._progress(self.embedded, len(order))
        if lacking:
            prune(index)

    def near(self, index: SearchIndex, query: str, scopes: Sequence[str], src: str | None, also: Collection[int]) -> dict[int, float]:
        """See `recall.Finder`."""
        if self.state != ON or self._embedder is None:
            return {}
        try:
            wanted = self._embedder.embed([query])[0]
        except Unusable as error:
            self._say(OFF, error.message)
            return {}
        blocks, data = read(index, self._embedder.name, scopes, src)
        if not blocks:
            return {}
        if len(data) != len(blocks) * len(wanted) * 2:
            self._say(
                OUTDATED, "the embedder gives vectors of another length than before, so only words were looked for; anew: delete the index"
            )
            return {}
        cosines = _compare(data, wanted)
        best = import_module("numpy").argsort(-cosines, kind="stable")[:POOL].tolist()
        rows = {block: row for row, block in enumerate(blocks) if block in also} if also else {}
        return {blocks[row]: float(cosines[row]) for row in {*best, *rows.values()}}


def _compare(data: bytes, wanted: Any) -> Any:
    """The cosine of each vector with the wanted one."""
    numpy = import_module("numpy")
    halves = numpy.frombuffer(data, dtype="float16").reshape(-1, len(wanted))
    parts = [halves[first : first + _ROWS].astype("float32") @ wanted for first in range(0, len(halves), _ROWS)]
    return numpy.concatenate(parts)


def open_finder(
    reader: PlumbingReader,
    choice: str | None,
    policy_choice: str,
    environ: Mapping[str, str],
    *,
    directory: str = ".",
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> VectorFinder:
    """The finder of a choice on the command line (None: not given), else of the policy's, else of what is installed.

    Raises HoardError for a command line that cannot be run; that nothing is installed is said in the finder's note.
    """
    if choice == NONE or (choice is None and policy_choice == NONE):
        return VectorFinder(None)
    wanted = policy_choice if choice is None else choice
    allowed = reader.config(CONFIG) if choice is None and wanted not in ("", "use", "fastembed") else None
    try:
        embedder = open_embedder(wanted, reader.root(), environ, directory=directory, trusted=choice is not None, allowed=allowed)
    except Unusable as error:
        return VectorFinder(None, f"{error.message}: {error.hint}")
    return VectorFinder(embedder, asked=choice is not None, choice=wanted or USE, progress=progress)
