"""The short ways of the history say what the long way says: random single-file histories, woven by both."""

from __future__ import annotations

import random

import pytest

from hoard_git.core import fastlane
from hoard_git.core.chunks import Chunks
from hoard_git.core.knownfacts import Event
from hoard_git.core.lineage import FileChange
from hoard_git.core.quickblocks import look_quickly
from hoard_git.core.versions import Version, splice, whole
from hoard_git.core.weaving import weave
from hoard_git.gitio.blockindex_memory import Facts
from hoard_git.gitio.blockindex_store import Store

WORDS = ["node", "port", "wiki", "the", "server", "cache"]


def _nobody(_old: int, _new: int) -> bool:
    return True


class _Side:
    """One weaver with its own memory and its own last version."""

    def __init__(self) -> None:
        self.memory = Facts(Store(None), _nobody, fresh=True)  # type: ignore[arg-type]
        self.chunks = Chunks()
        self.version: Version | None = None
        self.quick = 0

    def step(self, number: int, data: bytes, *, quickly: bool) -> tuple[list[tuple[object, ...]], list[tuple[bytes, tuple[int, ...]]]]:
        self.memory.begin(number, f"{number:040d}")
        old = self.version
        cut = splice(old, data, self.chunks) if old is not None else whole(self.chunks.cut(data))
        change = FileChange("MEMORY.md", "core", None, old, cut)
        parent = number - 1, ({} if old is None else {"MEMORY.md": old})
        blob = f"{number:040d}", data
        found = fastlane.weave_quickly(number, parent, change, self.memory, _nobody, blob) if quickly else None
        if found is not None:
            self.quick += 1
            events, self.version = found
        else:
            events, versions = weave(number, [parent], [[change]], self.memory, _nobody, {"MEMORY.md": blob})
            self.version = versions["MEMORY.md"]
        assert self.version.data == data
        return [_said(event) for event in events], [(piece.chunk.data, piece.facts) for piece in self.version.pieces]


def _said(event: Event) -> tuple[object, ...]:
    sides = [(unit.path, unit.kind, unit.title, unit.text, unit.provenance.claim) if unit else None for unit in (event.before, event.after)]
    return (event.fact, event.op, event.also, *sides, *event[5:])


def _heading(chance: random.Random, level: int, name: str) -> str:
    if chance.random() < 0.15:
        return f"{'#' * level} Topic {chance.choice('ABC')}"
    ident = f" id:{name}" if chance.random() < 0.8 else ""
    ttl = f"ttl:{chance.choice(['30d', '90d'])}"
    return f"{'#' * level} Topic {chance.choice('ABC')} <!-- src:{chance.choice(['agent', 'user'])} ts:2026-06-0{chance.randrange(1, 4)} {ttl}{ident} -->"


def _bullet(chance: random.Random) -> str:
    words = " ".join(chance.choice(WORDS) for _ in range(chance.randrange(1, 6)))
    tag = f" <!-- src:user ts:2026-06-01{chance.choice(['', ' id:entry1', ' id:entry2'])} -->" if chance.random() < 0.1 else ""
    return f"- {words}{tag}"


class _File:
    """Blocks that change at random, several of them alike, some with a block below."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.count = 0
        self.head = chance.choice([[], ["# Memory", ""], ["# Memory <!-- src:user ts:2026-01-01 -->", ""], ["---", "a: b", "---", ""]])
        self.low = chance.random() * 0.3
        self.blocks = [self.fresh() for _ in range(5)]
        self.gone: list[list[str]] = []

    def fresh(self) -> list[str]:
        self.count += 1
        level = 3 if self.chance.random() < self.low else 2
        blank = [""] if self.chance.random() < 0.8 else []
        end = [""] if self.chance.random() < 0.9 else ["", "a line of prose", ""]
        return [
            _heading(self.chance, level, f"block{self.count}"),
            *blank,
            *(_bullet(self.chance) for _ in range(self.chance.randrange(4))),
            *end,
        ]

    def step(self) -> None:
        chance, blocks = self.chance, self.blocks
        act = chance.random()
        at = chance.randrange(len(blocks)) if blocks else -1
        if act < 0.2 and blocks:
            blocks.insert(chance.randrange(len(blocks)), blocks.pop(at))
        elif act < 0.35:
            new = chance.choice(self.gone) if self.gone and chance.random() < 0.5 else self.fresh()
            blocks.insert(chance.randrange(len(blocks) + 1), list(new))
        elif act < 0.5 and len(blocks) > 2:
            self.gone.append(blocks.pop(at))
        elif act < 0.65 and blocks:
            self.gone.append(blocks.pop(at))
            new = chance.choice(self.gone) if chance.random() < 0.3 else self.fresh()
            blocks.insert(chance.randrange(len(blocks) + 1), list(new))
        elif act < 0.85 and blocks:
            words = blocks[at][0].partition(" <!--")
            mark = words[2].partition(" id:")
            tag = _heading(chance, 2, "other").partition(" <!--")[2].partition(" id:")[0].removesuffix(" -->")
            blocks[at][0] = words[0] + (f" <!--{tag}{mark[1]}{mark[2] if mark[1] else ' -->'}" if tag else "")
        elif blocks and len(blocks[at]) > 2:
            blocks[at][chance.randrange(1, len(blocks[at]))] = _bullet(chance)

    def data(self) -> bytes:
        return "\n".join([*self.head, *(line for block in self.blocks for line in block)]).encode()


@pytest.mark.parametrize("seed", range(40))
def test_the_short_way_weaves_what_the_long_way_weaves(seed: int) -> None:
    file = _File(random.Random(seed))
    one, other = _Side(), _Side()
    last, number = b"", 0
    for _step in range(60):
        data = file.data()
        if data != last:
            number += 1
            assert one.step(number, data, quickly=True) == other.step(number, data, quickly=False), data.decode()
        last = data
        file.step()
    assert one.quick > 5


def _change(before: bytes, after: bytes) -> FileChange:
    chunks = Chunks()
    side = _Side()
    side.step(1, before, quickly=False)
    assert side.version is not None
    return FileChange("MEMORY.md", "core", None, side.version, splice(side.version, after, chunks))


TAG = "<!-- src:user ts:2026-06-01 ttl:{} id:{} -->"


def _block(name: str, *rows: str, ttl: str = "30d") -> str:
    return "\n".join([f"## {name} {TAG.format(ttl, name)}", "", *rows, "", ""])


A, B, C = _block("block1", "- one thing", "- two more"), _block("block2", "- red", "- green"), _block("block3", "- paper", "- stone")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (A + B + C, B + C + A, []),
        (A + B + C, A + C, ["remove", "remove", "remove"]),
        (A + C, A + B + C, ["add", "add", "add"]),
        (A + B, C + A, ["add", "add", "add", "remove", "remove", "remove"]),
        (A + B, A + _block("block2", "- red", "- green", ttl="60d"), ["retime", "retime", "retime"]),
    ],
)
def test_blocks_that_come_go_and_change_their_tags_are_seen_quickly(before: str, after: str, said: list[str]) -> None:
    change = _change(before.encode(), after.encode())
    assert look_quickly(change)
    assert change.splice is not None
    assert [found.kind for found in change.splice.changes or []] == said


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (A + B, A + _block("block4", "- red", "- green")),  # the same entries under another id
        (A + B, A + _block("block4", "- red and blue", "- green")),  # an entry that is like one of the block that went
        (A + B + C, _block("block5", "- x") + _block("block6", "- y") + C),  # two went and two came
        (A, "# A heading of the file\n\n" + A),
    ],
)
def test_what_needs_a_comparison_is_left_to_it(before: str, after: str) -> None:
    change = _change(before.encode(), after.encode())
    assert not look_quickly(change)
