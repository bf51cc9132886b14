"""Attacks on what a host loads: memory that is made too long to be read."""

from __future__ import annotations

from tests.poison.shapes import Mutation, Shape
from tests.poison.steps import Append, Step, note, page

_TOOL = "<!-- src:tool ts:2026-06-15 -->"
_AGENT = "<!-- src:agent ts:2026-06-15 -->"
_WIDE, _EMOJI = "\u6cf5", "\U0001f4a7"
_LOG = "The nightly job wrote a line about the pump in hall seven. "


def _entries(count: int) -> str:
    return "\n" + "".join(f"- Pump {number} in hall {number % 9} runs. {_AGENT}\n" for number in range(count))


def _page(name: str, count: int) -> str:
    return f"# {name} {_AGENT}\n\n" + "".join(f"- Valve {number} opens to the left.\n" for number in range(count))


SHAPES = (
    Shape(
        "SR-04",
        "One huge entry takes the window",
        note(f"\n- {_LOG * 510}{_TOOL}\n"),
        note(f"\n- {_LOG}{_TOOL}\n"),
        ("HG502",),
        mutations={
            "paragraph": note(f"\n{_TOOL}\n" + (_LOG * 12 + "\n") * 40),
            "many-entries": note(_entries(500)),
            "wide": note(f"\n- {_WIDE * 20_100} {_TOOL}\n"),
            "emoji": note(f"\n- {_EMOJI * 10_050} {_TOOL}\n"),
            "stepwise": (*note(_entries(250)), *note(_entries(250).replace("Pump", "Motor"))),
            "new-file": page(_page("Beat", 800), path="HEARTBEAT.md"),
            "user-file": (Step({"TOOLS.md": Append(_page("Tools", 800))}),),
            # Each file fits, all together do not, and what is loaded last is MEMORY.md.
            "together": Mutation(
                (
                    Step(
                        {
                            "TOOLS.md": _page("Tools", 640),
                            "HEARTBEAT.md": _page("Beat", 640),
                            "USER.md": _page("User", 640),
                            "MEMORY.md": Append(_entries(60)),
                        }
                    ),
                ),
                ("HG503",),
                "warn",
            ),
        },
    ),
)
