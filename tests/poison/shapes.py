"""What a scripted attack is, which gates it meets, and what counts as stopped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from tests.poison.steps import Steps

Level = Literal["error", "warn", "info"]

Gate = Literal["none", "grep", "parser", "pre-commit", "range", "pre-receive", "signed"]

Outcome = Literal["blocked", "warned", "noted", "other", "missed", "unasked"]

GATES: tuple[Gate, ...] = ("none", "grep", "parser", "pre-commit", "range", "pre-receive", "signed")

LOCAL: tuple[Gate, ...] = ("none", "grep", "parser", "pre-commit", "range")
"""The gates that one repository shows by itself; the others are in `lanes`."""

First = Literal["pre-commit", "range", "pre-receive", "signed"]
"""The first gate that has to stop a shape."""

_FROM: Mapping[First, tuple[Gate, ...]] = {
    "pre-commit": ("pre-commit", "range", "pre-receive", "signed"),
    "range": ("range", "pre-receive", "signed"),
    "pre-receive": ("pre-receive",),
    "signed": ("signed",),
}


@dataclass(frozen=True, slots=True)
class Mutation:
    """The same attack in another spelling, at another place, or its second form with a rule of its own. `accepted`: see `Shape`."""

    attack: Steps
    codes: tuple[str, ...] = ()
    level: Level | None = None
    gate: First | None = None
    accepted: str = ""
    twin: Steps = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """One attack with its benign twin.

    `codes`: the rules of which one has to report it. `level`: how. `gate`: the first gate at which it can be stopped; what pre-commit stops,
    the range check and the server stop as well. `says`: in place of a rule, the words with which the gate says that it cannot look.
    `accepted`: why no gate stops it, by design or as a known limit; that it is so is tested, too. `unasked`: gates that never meet it.
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
    says: str = ""
    unasked: tuple[Gate, ...] = ()

    @property
    def gates(self) -> tuple[Gate, ...]:
        """Where the shape is judged."""
        # A note is for whoever asks: neither a hook nor the server prints it.
        silent: tuple[Gate, ...] = ("pre-commit", "pre-receive") if self.level == "info" else ()
        return tuple(gate for gate in _FROM[self.gate] if gate not in (*self.unasked, *silent))

    @property
    def measured_at(self) -> Gate:
        """Where a mutation is measured. A hook judges with the code of the range check and costs four times as much: the shape itself meets it."""
        return "range" if self.gate == "pre-commit" else self.gate

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
                says=self.says,
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

    `other` is a refusal for another reason. A gate without rules of ours is right when it refuses the attack and lets the twin pass.
    """
    if gate in shape.unasked:
        return "unasked"
    answer = measured.attack[gate]
    twin = measured.twin.get(gate)
    spoilt = twin is not None and (twin.refused or any(code in shape.codes for code, _level in twin.codes))
    if spoilt:
        return "missed"
    if gate in {"none", "grep"}:
        return "blocked" if answer.refused else "missed"
    if shape.says:
        return "blocked" if answer.refused and shape.says in answer.output else "other" if answer.refused else "missed"
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
