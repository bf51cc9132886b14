"""Scripted attacks on a memory: what a shape is, and how its repositories are built and put before the gates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tests.support.environment import AGENT
from tests.support.repo import POLICY

Level = Literal["error", "warn", "info"]
Gate = Literal["none", "grep", "parser", "pre-commit", "range", "pre-receive", "signatures"]
First = Literal["pre-commit", "range", "pre-receive", "signatures"]
Outcome = Literal["blocked", "warned", "noted", "other", "missed", "-"]
Key = Literal["", "human", "agent", "old", "forge", "stranger", "none"]

GATES: tuple[Gate, ...] = ("none", "grep", "parser", "pre-commit", "range", "pre-receive", "signatures")

OURS: tuple[Gate, ...] = ("parser", "pre-commit", "range", "pre-receive", "signatures")
"""The gates that name rules."""

_AFTER: Mapping[First, tuple[Gate, ...]] = {
    "pre-commit": ("pre-commit", "range", "pre-receive", "signatures"),
    "range": ("range", "pre-receive", "signatures"),
    "pre-receive": ("pre-receive",),
    "signatures": ("signatures",),
}
"""What the first gate that can stop a shape stops, each later gate stops as well."""

TODAY = "2026-06-15"

MEMORY = """\
# Memory

## Preferences <!-- src:user ts:2026-06-01 -->

- Answers are short and in English.
- Two people approve a release.
- Store customer data in the EU region. <!-- src:user ts:2026-05-02 -->
- [ ] The assistant may pay invoices.

## Reading <!-- src:web ts:2026-06-08 ttl:30d -->

- The package mirror is mirror.example. <!-- src:web ts:2026-06-08 ttl:30d -->
- The city library opens at ten.

## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->

- Node-2 serves the wiki.
- Backups run at 03:30.
- [ ] Check the spare disk.
"""

TEAM = """\
# Team

## Rules <!-- src:user ts:2026-04-20 -->

- Mia signs contracts.

## Rumours <!-- src:web ts:2026-06-02 ttl:30d -->

- The office may move to Lyon.

## Notes <!-- src:agent ts:2026-06-05 ttl:90d -->

- The stand-up is at nine.

## More notes <!-- src:agent ts:2026-06-05 ttl:90d -->

- The printer is on floor two.
"""

PHONE = """\
# Phone numbers

- The front desk answers on 400. <!-- src:agent ts:2026-06-03 ttl:90d -->
- The workshop answers on 410. <!-- src:agent ts:2026-06-03 ttl:90d -->
- The canteen answers on 420. <!-- src:agent ts:2026-06-03 ttl:90d -->
"""

WISHES = "# Wishes <!-- src:user ts:2026-05-20 -->\n\n- Meetings end by five.\n- No calls on Fridays.\n"

BASE: Mapping[str, str] = {
    ".hoard.yaml": POLICY.replace("ada@example.org]", 'ada@example.org], keys: ["@human.pub@"]').replace(
        "clawd@agents.example]", 'clawd@agents.example], keys: ["@agent.pub@"]'
    ),
    "MEMORY.md": MEMORY,
    "SOUL.md": "# Soul\n\nCalm, brief, honest.\n",
    "USER.md": "# User\n\n- Likes tea.\n",
    "memory/team.md": TEAM,
    "memory/phone.md": PHONE,
    "memory/wishes.md": WISHES,
}
"""What every attack starts from: a policy with one human and one agent, and memory by a user, an agent and the web."""


@dataclass(frozen=True, slots=True)
class Append:
    """Text at the end of a file; a file that is not there begins with it."""

    text: str | bytes


@dataclass(frozen=True, slots=True)
class Swap:
    """Replaces one text of a file, which must stand there exactly once."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link."""

    target: str


@dataclass(frozen=True, slots=True)
class Gitlink:
    """A submodule entry; the commit that it names need not exist."""

    oid: str = "1" * 40


@dataclass(frozen=True, slots=True)
class IndexOnly:
    """A file that is staged and not in the work tree: for names that not every file system can tell apart."""

    text: str


Content = str | bytes | Append | Swap | tuple[Swap, ...] | Link | Gitlink | IndexOnly | None
"""What becomes of a path: new content, an edit, or None for its removal."""


@dataclass(frozen=True, slots=True)
class Step:
    """One commit: what becomes of which paths, by whom. `beside` is written into the repository and never staged.

    A commit with a `message` of its own reaches the later gates with exactly that one, past the hooks that would mend it. `options` are
    the attacker's own for `git commit`, `config` for git. `key` signs where signatures count: by default the author's own. In contents
    `@NAME.pub@` stands for a public key.
    """

    files: Mapping[str, Content]
    author: str = AGENT
    env: Mapping[str, str] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)
    message: str = ""
    options: tuple[str, ...] = ()
    config: tuple[str, ...] = ()
    key: Key = ""


@dataclass(frozen=True, slots=True)
class Run:
    """One git command, which a hook may refuse; what it refused is run again past the hooks. `input` is its standard input."""

    args: tuple[str, ...]
    author: str = AGENT
    key: Key = ""
    input: str = ""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The commit at HEAD written anew, with one text of its object replaced: what no porcelain writes."""

    old: bytes
    new: bytes


@dataclass(frozen=True, slots=True)
class Clone:
    """From here on the repository is a clone of that many commits; 0 is a full one."""

    depth: int


@dataclass(frozen=True, slots=True)
class Harmless:
    """That many harmless commits by the agent, written with `git fast-import`: no hook sees them. `first` numbers the first one."""

    count: int
    first: int = 1


Steps = tuple[Step | Harmless | Run | Rewrite | Clone, ...]


def note(text: str | bytes, *, author: str = AGENT) -> Steps:
    """One commit that appends to MEMORY.md, below the agent's heading."""
    return (Step({"MEMORY.md": Append(text)}, author),)


def page(text: str | bytes, *, path: str = "memory/plans.md", author: str = AGENT) -> Steps:
    """One commit that writes a whole file."""
    return (Step({path: text}, author),)


def swap(old: str, new: str, *, path: str = "MEMORY.md", author: str = AGENT) -> Steps:
    """One commit that replaces one text of a file."""
    return (Step({path: Swap(old, new)}, author),)


@dataclass(frozen=True, slots=True)
class Mutation:
    """The same attack in another spelling, at another place, or its second form with a rule of its own. `accepted`: see `Shape`."""

    attack: Steps
    codes: tuple[str, ...] = ()
    level: Level | None = None
    gate: First | None = None
    accepted: str = ""
    push: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """One attack with its benign twin.

    `codes`: the rules of which one has to report it. `level`: how. `gate`: the first gate at which it can be stopped; what pre-commit stops,
    the later ones stop as well. `accepted`: why no gate stops it, by design or as a known limit; that it is so is tested, too. `push`: what
    is pushed, one push after the other. `only`: the gates at which the question arises, all of them by default.
    """

    id: str
    title: str
    attack: Steps
    twin: Steps
    codes: tuple[str, ...] = ()
    level: Level = "error"
    gate: First = "pre-commit"
    base: Steps = ()
    mutations: Mapping[str, Steps | Mutation] = field(default_factory=dict)
    accepted: str = ""
    push: tuple[str, ...] = ("main",)
    only: tuple[Gate, ...] = ()

    @property
    def gates(self) -> tuple[Gate, ...]:
        """The gates that have to stop the shape."""
        return tuple(gate for gate in _AFTER[self.gate] if not self.only or gate in self.only)

    def variants(self) -> Iterator[Shape]:
        """Yield each mutation as a shape of its own: `ID.name`."""
        for name, mutation in self.mutations.items():
            form = mutation if isinstance(mutation, Mutation) else Mutation(mutation)
            yield Shape(
                f"{self.id}.{name}",
                self.title,
                form.attack,
                self.twin,
                form.codes or self.codes,
                form.level or self.level,
                form.gate or self.gate,
                self.base,
                accepted=form.accepted,
                push=form.push or self.push,
                only=self.only,
            )


@dataclass(frozen=True, slots=True)
class Answer:
    """What one gate said: whether it refused, and every (code, severity) that it printed."""

    refused: bool
    codes: tuple[tuple[str, str], ...] = ()
    output: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """What the gates said to an attack and to its twin. A mutation is measured at one gate, without its twin."""

    attack: Mapping[Gate, Answer]
    twin: Mapping[Gate, Answer]


def outcome(shape: Shape, measured: Measured, gate: Gate) -> Outcome:
    """What the gate did about a shape. Only the intended rule counts, and only where the twin passes.

    `other` is a refusal for another reason. A gate without rules of ours is right when it refuses the attack and lets the twin pass. `-`: the
    question does not arise there.
    """
    if shape.only and gate not in shape.only:
        return "-"
    answer = measured.attack[gate]
    twin = measured.twin.get(gate)
    spoilt = twin is not None and (twin.refused or any(code in shape.codes for code, _level in twin.codes))
    if spoilt:
        return "missed"
    if gate in {"none", "grep"}:
        return "blocked" if answer.refused else "missed"
    levels = {level for code, level in answer.codes if code in shape.codes}
    if answer.refused:
        return "blocked" if "error" in levels else "other"
    if "warn" in levels:
        return "warned"
    return "noted" if "info" in levels else "missed"


def wanted(shape: Shape) -> Outcome:
    """What a gate that can stop the shape is to do about it."""
    if shape.accepted:
        return "missed"
    return _WANTED[shape.level]


_WANTED: Mapping[Level, Outcome] = {"error": "blocked", "warn": "warned", "info": "noted"}

