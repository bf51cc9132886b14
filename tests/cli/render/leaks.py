"""Memory that holds credentials in every layout that a line alone does not give away. The values are put together here, and mean nothing."""

from __future__ import annotations

import random
import string
from dataclasses import dataclass

WINDOW = 8
"""Characters in a row of a value that no output may hold."""


@dataclass(frozen=True, slots=True)
class Layout:
    """One way of writing a secret down: `lines` is the block without its heading, `values` what must never be printed."""

    name: str
    lines: tuple[str, ...]
    values: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def _made(seed: str, size: int, letters: str = string.ascii_letters + string.digits) -> str:
    chance = random.Random(seed)
    return "".join(chance.choice(letters) for _ in range(size))


def _password(seed: str) -> str:
    """A password as people make them: a word with digits in it, a sign, and some more."""
    return "Tr0ub" + _made(seed, 5) + "&" + _made(seed + "x", 3, string.digits) + "qZ"


def _key_block(seed: str) -> tuple[str, ...]:
    kind = "RSA PRIVATE" + " KEY"
    return (f"-----BEGIN {kind}-----", *(_made(f"{seed}{row}", 64) for row in range(25)), f"-----END {kind}-----")


def layouts(seed: str) -> list[Layout]:
    """All layouts; another seed gives other values in the same places."""
    one, two, three, four = (_password(seed + name) for name in "abcd")
    token = "sk-" + "ant-api03-" + _made(seed, 93) + "AA"
    short = "gh" + "p_" + _made(seed + "gh", 36)
    codes = [
        f"{_made(seed + str(n), 5, 'abcdefghjkmnp23456789')}-{_made(seed + str(n) + 'y', 5, 'abcdefghjkmnp23456789')}" for n in range(16)
    ]
    block = _key_block(seed)
    listed = _key_block(seed + "listed")
    return [
        Layout("below", ("- The admin password of the router:", f"  {one}"), (one,)),
        Layout("items", ("- Admin password:", f"- {two}"), (two,)),
        Layout(
            "table",
            ("| Service | Password | Note |", "|---|---|---|", "| wiki | none yet | asked twice |", f"| router | {three} | ask Ada |"),
            (three,),
        ),
        Layout("wrapped", (f"- The API key is {token[:50]}", f"  {token[50:]} and it works."), (token,)),
        Layout("fence", ("The deploy key:", "", "```", *block, "```"), block[1:-1]),
        Layout("quoted-list", ("- The old deploy key:", *(f"  - {line}" for line in listed)), listed[1:-1]),
        Layout("codes", ("Recovery codes:", "", *(f"- {code}" for code in codes)), tuple(codes)),
        Layout("inline", (f"- The token {short} pushes to the mirror.",), (short,)),
        Layout(
            "long-entry",
            (f"- Password: {four} is what the printer in the long corridor wants to hear before it prints anything at all",),
            (four,),
        ),
    ]


def leaked(output: str, values: tuple[str, ...]) -> list[str]:
    """The values of which the output holds more than a few characters in a row; line ends and indentation do not count."""
    flat = "".join(output.split())
    return [value for value in values if any(value[at : at + WINDOW] in flat for at in range(len(value) - WINDOW + 1))]
