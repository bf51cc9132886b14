"""Which day it is for a policy."""

from __future__ import annotations

import os
import time

from hoard_git.core.dates import EPOCH, parse_day
from hoard_git.core.record import Record
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.core.policy import Policy

_FIRST_ZONE, _LAST_ZONE = -12 * 3600, 14 * 3600


class Days(Record):
    """Day numbers (core.dates): `today` in the policy's time zone, `latest` the last day that is not in the future."""

    today: int
    latest: int


def read_days(policy: Policy, asked: str, environ: Mapping[str, str]) -> Days:
    """Return today for a policy: the day asked for (`--date`), else HOARD_DATE, else the clock in the policy's zone.

    Without a time zone in the policy "today" is the machine's, and a day is in the future only when it is so everywhere on Earth
    (UTC+14): the writer's machine and the server may disagree about the date. Raises HoardError for a malformed day.
    """
    text = asked or environ.get("HOARD_DATE", "")
    if text:
        day = read_day(text, "" if asked else " (from HOARD_DATE)")
        return Days(day, day)
    now = time.time()
    if policy.timezone:
        day = _day(now + _offset(policy.timezone, now))
        return Days(day, day)
    local = time.localtime(now)
    return Days(_day(now + (local.tm_gmtoff or 0)), _day(now + _LAST_ZONE))


def read_day(text: str, where: str) -> int:
    """The day number of a day that somebody typed, `where` behind the text in the error. Raises HoardError for a malformed one."""
    day = parse_day(text)
    if day is None:
        raise HoardError(f"{text[:40]!r}{where} is not a date.", "Write it as YYYY-MM-DD, such as 2026-06-15.")
    return day


def _day(seconds: float) -> int:
    return EPOCH + int(seconds // 86400)


def _offset(zone: str, now: float) -> float:
    """Seconds east of UTC of an IANA zone at a moment.

    The C library is asked where it can be: zoneinfo costs the hook 3 ms. It takes an unknown zone for UTC, so the zone's existence was
    checked when the policy was read.
    """
    if not hasattr(time, "tzset"):
        return zone_offset(zone, now)
    before = os.environ.get("TZ")
    os.environ["TZ"] = zone
    time.tzset()
    try:
        return time.localtime(now).tm_gmtoff or 0
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        time.tzset()


def zone_offset(zone: str, now: float) -> float:
    """The same by zoneinfo. Raises HoardError for a zone that is not known."""
    from datetime import datetime
    from zoneinfo import ZoneInfo

    try:
        offset = datetime.fromtimestamp(now, ZoneInfo(zone)).utcoffset()
    except (KeyError, ValueError, OSError) as error:
        raise HoardError(
            f"The policy's timezone {zone!r} is not known here.", "Use an IANA name such as Europe/Berlin in .hoard.yaml."
        ) from error
    return offset.total_seconds() if offset is not None else 0.0


def machine_zone() -> str:
    """The machine's IANA zone where it can be told, else ''."""
    import re

    name = os.environ.get("TZ", "")
    if not name:
        target = os.path.realpath("/etc/localtime")
        name = target.partition("/zoneinfo/")[2].removeprefix("posix/")
    if not re.fullmatch(r"[A-Za-z]+(?:/[A-Za-z0-9_+-]+)*", name) or name in ("Etc/Unknown", "localtime"):
        return ""
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return ""
    return name
