"""How much of which file a host loads into a session: named profiles, and the policy's own numbers on top of one (INTERFACE, "Policy").

Sources: openclaw#19453, #73691, #71782 and #46064 (limits and load order by version), docs of 2026.8 (six files, USER.md has a cap of its
own), Claude Code's memory page, hermes-agent's configuration.
"""

from __future__ import annotations

from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

CHARS, BYTES, LINES = "chars", "bytes", "lines"
INDEX_NAME, USER_NAME, MANUAL_NAME = "MEMORY.md", "USER.md", "AGENTS.md"

AROUND, WITHIN, DIGEST, HEAD, REFUSE = "around", "within", "digest", "head", "refuse"
"""How a host cuts what is too long.

`around`: 70 % from the start and 20 % from the end, with a mark between them that comes on top. `within`: three quarters from the start
and one from the end of what the mark leaves. `digest`: the same, but of AGENTS.md 45 % and 15 %, and its rules in short between them. `head`: the start
alone. `refuse`: nothing is cut, but the host writes no more into the file.
"""

_EIGHT = ("AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "HEARTBEAT.md", "BOOTSTRAP.md", INDEX_NAME)
_SIX = ("AGENTS.md", "SOUL.md", "IDENTITY.md", "USER.md", "BOOTSTRAP.md", INDEX_NAME)
_IDENTITY_SHARE, _MANUAL_SHARE = (1, 2), (3, 4)


class Limit(Record):
    """A number with its unit: `chars` are code points as `wc -m` counts them, `bytes` and `lines` those of `wc -c` and an editor."""

    amount: int
    unit: str

    def text(self) -> str:
        """The limit in words, such as `20,000 chars`."""
        return f"{self.amount:,} {self.unit}"


class Budget(Record):
    """What a host loads.

    `order` names the files at the workspace's top in the order in which they take room, so what is last goes without first. `file` binds each of
    them, `total` all together, `caps` single files by the host's own will. `own` are the policy's wishes for single files, which bind no host.
    """

    name: str
    order: tuple[str, ...]
    cut: str
    file: Limit | None = None
    total: Limit | None = None
    caps: tuple[tuple[str, tuple[Limit, ...]], ...] = ()
    own: tuple[tuple[str, Limit], ...] = ()

    def limits(self, name: str) -> tuple[Limit, ...]:
        """Every limit that the host puts on one file."""
        caps = dict(self.caps).get(name, ())
        return (self.file, *caps) if self.file is not None else caps

    def wish(self, name: str) -> Limit | None:
        """The room that an identity file may take without pushing out others: the policy's number, else a share of the limit for a file.

        Half of it, and three quarters for AGENTS.md, the manual: of 336 real identity files one in ten is longer than half.
        """
        own = dict(self.own).get(name)
        if own is not None or self.file is None:
            return own
        share, of = _MANUAL_SHARE if name == MANUAL_NAME else _IDENTITY_SHARE
        return self.file._replace(amount=self.file.amount * share // of)


DEFAULT_PROFILE = "openclaw-2026.8"


def _openclaw(name: str, order: tuple[str, ...], cut: str, file: int, total: int, user: int = 0) -> Budget:
    caps = ((USER_NAME, (Limit(user, CHARS),)),) if user else ()
    return Budget(name, order, cut, Limit(file, CHARS), Limit(total, CHARS), caps)


PROFILES: dict[str, Budget] = {
    "openclaw-2026.2": _openclaw("openclaw-2026.2", _EIGHT, AROUND, 20_000, 150_000),
    "openclaw-2026.4": _openclaw("openclaw-2026.4", _EIGHT, WITHIN, 12_000, 60_000),
    "openclaw-2026.8": _openclaw("openclaw-2026.8", _EIGHT, DIGEST, 20_000, 60_000),
    "openclaw-2026.9": _openclaw("openclaw-2026.9", _SIX, DIGEST, 20_000, 60_000, 4_000),
    "claude-code": Budget(
        "claude-code", ("CLAUDE.md", INDEX_NAME), HEAD, caps=((INDEX_NAME, (Limit(200, LINES), Limit(25 * 1024, BYTES))),)
    ),
    "hermes": Budget(
        "hermes",
        (INDEX_NAME, USER_NAME),
        REFUSE,
        caps=((INDEX_NAME, (Limit(2_200, CHARS),)), (USER_NAME, (Limit(1_375, CHARS),))),
    ),
}
"""Named bootstrap budgets; 1 KB is 1,024 bytes."""

_OF_ALL = ("file", "total")


def is_budget_key(key: str) -> bool:
    """Whether the policy may give a number under this key: `file`, `total`, or the name of a markdown file."""
    return key in _OF_ALL or (key.endswith(".md") and len(key) > len(".md") and "/" not in key)


def parse_limit(text: str) -> Limit:
    """Read a number with a unit that the policy has checked: `15KB`, `20000 chars`, `200 lines`; a bare number means chars."""
    digits = "".join(c for c in text if c.isdigit())
    unit = text[len(digits) :].strip()
    return Limit(int(digits) * 1024, BYTES) if unit == "KB" else Limit(int(digits), unit or CHARS)


def budget_from(pairs: Iterable[tuple[str, str]]) -> Budget:
    """The budget of a policy: its profile with the numbers that it gives in their place."""
    given = dict(pairs)
    budget = PROFILES[given.pop("profile", DEFAULT_PROFILE)]
    if not given:
        return budget
    own = tuple((name, parse_limit(text)) for name, text in given.items() if name not in _OF_ALL)
    file, total = (parse_limit(given[key]) if key in given else old for key, old in zip(_OF_ALL, (budget.file, budget.total), strict=True))
    return budget._replace(name=f"{budget.name}, with the policy's numbers", file=file, total=total, own=own)
