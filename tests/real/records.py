"""What a run over a real workspace leaves: how each command went, and counts."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Step:
    """One command as it ran: seconds of processor time with what it started, MB of the largest of these processes, and what it said."""

    name: str
    words: tuple[str, ...]
    status: int
    seconds: float
    megabytes: float
    out: str
    err: str


@dataclass
class Result:
    """What came of one workspace. `standing` and `replayed` count findings by severity; `replayed` is empty where history cannot be judged."""

    name: str
    commits: int = 0
    files: int = 0
    entries: int = 0
    tags: int = 0
    standing: dict[str, int] = field(default_factory=dict)
    replayed: dict[str, int] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
