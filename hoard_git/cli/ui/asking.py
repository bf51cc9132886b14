"""What a page is asked with, and what it answers."""

from __future__ import annotations

import os
from secrets import token_urlsafe
from urllib.parse import parse_qs, quote

from hoard_git.cli.render.masking import mask_secrets
from hoard_git.core.discreet import quiet_path
from hoard_git.core.record import Record
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hoard_git.app.consolidate import Wanted
    from hoard_git.app.review import DaysOf, Proposal
    from hoard_git.cli.context import Context
    from hoard_git.core.model import Oid
    from hoard_git.core.portions import Portion

LONGEST_FORM = 1 << 20
"""Bytes of a form that are read."""
_MOST_FIELDS = 20_000
_MOST_REVIEWS = 16
_HEX = frozenset("0123456789abcdef")


class Review(Record):
    """A plan that somebody is looking at: what it was made for and with, its portions by id, and those that are accepted to begin with.

    `proposal` is the branch that holds it, None for a plan that was made just now. `told` says what has changed since the page before.
    """

    base: Oid
    wanted: Wanted
    days: DaysOf
    portions: Mapping[str, Portion]
    accepted: frozenset[str]
    proposal: Proposal | None = None
    told: str = ""


class Desk:
    """What lies between two pages: reviews under way, the oldest forgotten first, and words for the next page."""

    def __init__(self) -> None:
        """Nothing yet."""
        self._reviews: dict[str, Review] = {}
        self._words: list[str] = []

    def put(self, review: Review) -> str:
        """Keep a review and return its key."""
        key = token_urlsafe(12)
        self._reviews[key] = review
        while len(self._reviews) > _MOST_REVIEWS:
            del self._reviews[next(iter(self._reviews))]
        return key

    def find(self, key: str) -> Review:
        """A review by its key. Raises HoardError for one that is not kept any more."""
        found = self._reviews.get(key)
        if found is None:
            raise HoardError("This review is over, or was begun before the server was.", "Open the page Upkeep again.")
        return found

    def close(self, key: str) -> None:
        """Forget a review."""
        self._reviews.pop(key, None)

    def say(self, words: str) -> None:
        """Leave words for the next page."""
        self._words.append(words)

    def hear(self) -> list[str]:
        """The words that were left, once."""
        words, self._words = self._words, []
        return words


class Asked(Record):
    """One request: a fresh look at the repository, the fields of the address and of the form, what lies on the desk, and what was done ahead."""

    context: Context
    query: Mapping[str, Sequence[str]]
    form: Mapping[str, Sequence[str]]
    desk: Desk
    ahead: object = None

    def text(self, name: str) -> str:
        """A field of the address, '' when it is not there. Raises HoardError for a zero byte."""
        value = self.query.get(name, [""])[0]
        if "\0" in value:
            raise HoardError("The address holds a zero byte.", "Go back to the page before.")
        return value

    def flag(self, name: str) -> bool:
        """Whether a field of the address is set."""
        return self.text(name) not in ("", "0")

    def number(self, name: str) -> int:
        """A number in the address, 0 when it is none."""
        value = self.text(name)
        return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else 0

    def commit(self, name: str) -> str:
        """A commit in the address, '' when it is not given. Raises HoardError for what is no full object name: no revision is looked up."""
        value = self.text(name)
        if value and (len(value) not in (40, 64) or not _HEX.issuperset(value)):
            raise HoardError("This is no full commit id.", "git rev-parse HEAD")
        return value

    def sent(self, name: str) -> str:
        """A field of the form, '' when it is not there."""
        return self.form.get(name, [""])[0]


class Page(Record):
    """An answer: a template, what fills it, and the HTTP status."""

    template: str
    values: Mapping[str, object]
    status: int = 200


class Goto(Record):
    """An answer that leads to another page."""

    place: str


def parse_fields(raw: bytes) -> dict[str, list[str]]:
    """Fields of an address or form; bytes that are no UTF-8, as paths may have, become lone surrogates. Raises HoardError for too many."""
    try:
        return parse_qs(raw.decode("latin-1"), keep_blank_values=True, errors="surrogateescape", max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise HoardError("There are too many fields.", "Go back to the page before.") from None


def address(page: str, **fields: str | int) -> str:
    """The address of a page with fields, those that are empty left out."""
    told = "&".join(f"{name}={quote(os.fsencode(str(value)), safe='/')}" for name, value in fields.items() if value)
    return f"{page}?{told}" if told else page


def may_link(text: str) -> bool:
    """Whether a text may stand in an address, which browsers keep: nothing of it has to be masked."""
    return mask_secrets(text) == text and quiet_path(text) == text
