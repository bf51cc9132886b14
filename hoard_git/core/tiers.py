"""Which daily logs are hot, warm and cold on a day, and why (DESIGN §9; policy `tiers:`). Ages are calendar days, never file times."""

from __future__ import annotations

from hoard_git.core.counted import counted
from hoard_git.core.dates import parse_day, ttl_days
from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hoard_git.core.policy import Policy

HOT, WARM, COLD = "hot", "warm", "cold"

OPEN_DAYS = 1
"""Age up to which a log is still written: today's and yesterday's are hot whatever their size."""

SMALL_ENTRIES, SMALL_BYTES = 10, 2048
"""A log with no more of either stays whole while it is warm: there is nothing to gain by shortening it."""


class Limits(Record):
    """The policy's tiers: ages in days, both ends included, None for no end; `hot_max` in bytes, for all hot logs together."""

    hot: int | None
    hot_max: int
    warm: int | None
    gzip_after: int | None


class Log(Record):
    """One daily log: the day in its name as a day number (core.dates), and its bytes."""

    path: str
    day: int
    size: int


class Placed(Record):
    """A log with its tier. `age` is in days, negative for a day to come; `reason` is one clause for people."""

    log: Log
    tier: str
    age: int
    reason: str


def tier_limits(policy: Policy) -> Limits:
    """Read the policy's tiers."""
    given = dict(policy.tiers)
    kilobytes = given["hot_max"].removesuffix("KB").strip()
    return Limits(ttl_days(given["hot"]), int(kilobytes) * 1024, ttl_days(given["warm"]), ttl_days(given["gzip_after"]))


def place_logs(logs: Iterable[Log], limits: Limits, today: int) -> list[Placed]:
    """Give every log its tier, newest first; several logs of one day are placed each by itself, in the order of their paths.

    Once the hot logs are full, what is older is warm, however small: what is hot has no holes.
    """
    found = []
    used, full = 0, False
    for log in sorted(logs, key=lambda log: (-log.day, log.path)):
        age = today - log.day
        is_open = age <= OPEN_DAYS
        if is_open or (not full and _is_recent(age, limits) and used + log.size <= limits.hot_max):
            used += log.size
            found.append(Placed(log, HOT, age, _why_hot(age, limits, used)))
            continue
        recent = _is_recent(age, limits)
        full = full or recent
        if limits.warm is not None and age > limits.warm:
            found.append(Placed(log, COLD, age, f"{days(age)} old, past {days(limits.warm)}"))
        elif recent:
            found.append(Placed(log, WARM, age, f"{days(age)} old, and newer logs fill the {limits.hot_max // 1024} KB of hot memory"))
        else:
            found.append(Placed(log, WARM, age, f"{days(age)} old, past {days(limits.hot or 0)}"))
    return found


def _is_recent(age: int, limits: Limits) -> bool:
    return limits.hot is None or age <= limits.hot


def _why_hot(age: int, limits: Limits, used: int) -> str:
    if age < 0:
        return "a day to come"
    if age <= OPEN_DAYS:
        name = ("today's", "yesterday's")[age]
        return f"{name}, still open" + (f", though hot memory is over {limits.hot_max // 1024} KB" if used > limits.hot_max else "")
    return f"{days(age)} old" + (f", within {days(limits.hot)}" if limits.hot is not None else "; hot logs have no age limit")


def days(count: int) -> str:
    """A number of days in words."""
    return counted(count, "day")


def is_packed_log(path: str) -> bool:
    """Whether a path is that of a log that was packed with gzip."""
    return path.lower().endswith(".md.gz") and day_of(path) is not None


def day_of(name: str) -> int | None:
    """The day that a file of `memory/` or of the archive is about: the ISO date that its name begins with."""
    return parse_day(name.rsplit("/", 1)[-1][:10])
