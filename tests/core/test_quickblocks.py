"""The short ways of the history say what the long way says: random single-file histories, woven by both."""

from __future__ import annotations

import random

import pytest

from hoard_git.core import fastlane
from hoard_git.core.chunks import Chunks
from hoard_git.core.knownfacts import Event
from hoard_git.core.lineage import FileChange
from hoard_git.core.quickblocks import look_quickly
from hoard_git.core.versions import Version, splice
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
        cut = splice(old, data, self.chunks)
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
        # Where it was learned is no matter of what stands below, and a key of somebody else's is no matter at all.
        (A + B, A + B.replace("id:block2", "id:block2 ev:mail-7"), ["retag"]),
        (A + B, A + B.replace("id:block2", "id:block2 importance:high"), []),
        # What stands above the blocks is no heading, and one that is underlined.
        ("Prose.\n\n" + A, "Prose.\n\n" + A + B, ["add", "add", "add"]),
        ("# M\n\n- x\n\nPart\n====\n\n- y\n\n" + A, "# M\n\n- x\n\nPart\n====\n\n- y\n\n" + A + B, ["add", "add", "add"]),
    ],
)
def test_blocks_that_come_go_and_change_their_tags_are_seen_quickly(before: str, after: str, said: list[str]) -> None:
    change = _change(before.encode(), after.encode())
    assert look_quickly(change)
    assert change.splice is not None
    assert [found.kind for found in change.splice.changes or []] == said
    assert look_quickly(change), "what was found is kept"
    assert [found.kind for found in change.splice.changes or []] == said


@pytest.mark.parametrize(("above", "title"), [("", ""), ("Prose.\n\n", ""), ("# M\n\n", "M"), ("# M\n\n- x\n\nPart\n====\n\n", "Part")])
def test_a_block_that_comes_stands_under_the_nearest_higher_heading(above: str, title: str) -> None:
    change = _change((above + A).encode(), (above + A + B).encode())
    assert look_quickly(change)
    assert change.splice is not None
    assert [found.unit.title for found in change.splice.changes or []] == [title, "block2", "block2"]


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


def _woven(before: str, after: str, *, quickly: bool) -> tuple[list[str], list[tuple[int, ...]]]:
    """What the second of two versions did, and the facts of its pieces."""
    side = _Side()
    side.step(1, before.encode(), quickly=False)
    events, pieces = side.step(2, after.encode(), quickly=quickly)
    return [f"{event[1]} {(event[4] or event[3])[3]}" for event in events], [facts for _data, facts in pieces]  # type: ignore[index]


@pytest.mark.parametrize("quickly", [True, False])
def test_another_program_s_key_on_an_entry_is_no_event(*, quickly: bool) -> None:
    before = "# M\n\n- one <!-- src:agent ts:2026-06-01 importance:low -->\n- two\n"
    assert _woven(before, before.replace("low", "high"), quickly=quickly) == ([], [(1, 2, 3)])


def test_blocks_that_swap_their_ids_are_told_by_their_ids() -> None:
    """Headings are paired by their titles at first: two blocks changed their names, and nothing came or went."""
    blocks = "## Red <!-- src:user ts:2026-06-01 id:aaa111 -->\n\n## Blue <!-- src:user ts:2026-06-01 id:bbb222 -->\n\n- x\n- y\n"
    swapped = blocks.replace("Red", "?").replace("Blue", "Red").replace("?", "Blue")
    events, facts = _woven("# M\n\n" + blocks, "# M\n\n- z\n\n" + swapped, quickly=False)
    assert [event for event in events if "#" in event] == ["edit ## Blue", "edit ## Red"]
    assert facts[1:] == [(2,), (3, 4, 5)]


def test_blocks_of_one_name_that_swap_their_ids_are_retagged_where_only_the_evidence_differs() -> None:
    blocks = "## Red <!-- src:user ts:2026-06-01 id:aaa111 ev:a -->\n\n## Red <!-- src:user ts:2026-06-01 id:bbb222 ev:b -->\n"
    swapped = "## Red <!-- src:user ts:2026-06-01 id:bbb222 ev:c -->\n\n## Red <!-- src:user ts:2026-06-01 id:aaa111 ev:d -->\n"
    assert _woven(blocks, swapped, quickly=False) == (["retag ## Red", "retag ## Red"], [(2,), (1,)])


@pytest.mark.parametrize("quickly", [True, False])
def test_the_tag_of_a_files_first_heading_is_the_whole_files(*, quickly: bool) -> None:
    """It holds under a second heading of the first level, too, and an entry of its own source there keeps that."""
    before = "# M <!-- src:agent ts:2026-06-01 -->\n\n- one thing here\n- two things here\n\n# N\n\n- three\n- four <!-- src:web ts:2026-06-01 -->\n"
    after = before.replace("src:agent", "src:user").replace("here", "there")
    events, _facts = _woven(before, after, quickly=quickly)
    assert events == ["retag # M", "retag # N", "retag - one thing there", "retag - two things there", "retag - three"]


@pytest.mark.parametrize("quickly", [True, False])
@pytest.mark.parametrize("below", ["# M\n\n- x\n", "## M <!-- src:agent ts:2026-06-01 -->\n\n- x\n"])
def test_prose_above_the_first_heading_is_written_anew(below: str, *, quickly: bool) -> None:
    before, after = "Old words.\n\nMore of them.\n\n", "Quite another text.\n\nAnd a third.\n\nAnd a fourth.\n\n"
    events, facts = _woven(before + below, after + below, quickly=quickly)
    assert events == [f"add {text}" for text in after.split("\n\n") if text] + ["remove Old words.", "remove More of them."]
    assert facts[1:] == [(1, 4)], "what stands below is what it was"


@pytest.mark.parametrize("quickly", [True, False])
def test_a_title_that_comes_above_a_section_takes_it_in(*, quickly: bool) -> None:
    below = "## M\n\n- x\n"
    events, _facts = _woven("Words.\n\n" + below, "# T <!-- src:agent ts:2026-06-01 -->\n\nWords.\n\n" + below, quickly=quickly)
    assert events == ["add # T", "move ## M", "move Words.", "retag - x"]


@pytest.mark.parametrize("quickly", [True, False])
def test_what_stands_under_a_second_first_heading_inherits_from_the_first(*, quickly: bool) -> None:
    top = "# M <!-- src:agent ts:2026-06-01 -->\n\n- one\n\n"
    side = _Side()
    side.step(1, f"{top}# N\n\n- three\n- four\n\n## O\n\n- five\n".encode(), quickly=False)
    events, _pieces = side.step(2, f"{top}# N\n\n- three\n- four\n\n## O\n\n- red\n- green\n".encode(), quickly=quickly)
    assert [(event[1], event[4][3], event[4][4][0]) for event in events if event[4]] == [  # type: ignore[index]
        ("add", "- red", "agent"),
        ("add", "- green", "agent"),
    ]


@pytest.mark.parametrize("quickly", [True, False])
def test_the_nearest_heading_counts_where_one_above_it_is_underlined(*, quickly: bool) -> None:
    top = "## A <!-- src:web ts:2026-06-01 -->\n\n- x\n\nPart <!-- src:user ts:2026-06-01 -->\n====\n\n"
    side = _Side()
    side.step(1, f"{top}### O\n\n- five\n".encode(), quickly=False)
    events, _pieces = side.step(2, f"{top}### O\n\n- red\n- green\n".encode(), quickly=quickly)
    assert [(event[1], event[4][3], event[4][4][0]) for event in events if event[4]] == [  # type: ignore[index]
        ("add", "- red", "user"),
        ("add", "- green", "user"),
    ]


def _with_a_section(rows: str, *, ttl: str = "30d", above: str = A) -> bytes:
    return (above + _block("block2", "- red", ttl=ttl) + rows + C).encode()


BELOW = "### Below\n\n- green\n- own <!-- src:agent ts:2026-06-02 id:entry1 -->\n\n"


@pytest.mark.parametrize("quickly", [True, False])
@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        # A section without a tag inherits the new one; an entry with a tag of its own does not.
        (
            _with_a_section(BELOW),
            _with_a_section(BELOW, ttl="60d"),
            ["retime ## block2", "retime ### Below", "retime - red", "retime - green"],
        ),
        # A block that encloses nothing says nothing about sections of other blocks.
        (
            _with_a_section(BELOW),
            _with_a_section(BELOW).replace(b"30d id:block1", b"60d id:block1"),
            ["retime ## block1", "retime - one thing", "retime - two more"],
        ),
        # The block above a section goes: what stood below it inherits from the block before.
        (
            _with_a_section(BELOW, above=_block("block1", "- one thing", ttl="90d")),
            (_block("block1", "- one thing", ttl="90d") + BELOW + C).encode(),
            ["move ### Below", "retime - green", "remove ## block2", "remove - red"],
        ),
        # A heading comes where none stood: what stood below nothing is below it now.
        (b"prose\n\n" + BELOW.encode(), b"## New\n\nprose\n\n" + BELOW.encode(), ["add ## New", "move ### Below", "move prose"]),
    ],
)
def test_sections_below_a_block_inherit_what_the_block_says(before: bytes, after: bytes, said: list[str], *, quickly: bool) -> None:
    side = _Side()
    side.step(1, before, quickly=False)
    events, _pieces = side.step(2, after, quickly=quickly)
    assert [f"{event[1]} {(event[4] or event[3])[3]}" for event in events] == said  # type: ignore[index]
