"""Sizes against limits: where each rule begins, what a change has to do to be reported, and what the host does with the files."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pytest

from hoard_git.core.budget import PROFILES
from hoard_git.core.policy import DEFAULT, Policy, policy_from_data
from hoard_git.lint.room import words_of
from hoard_git.lint.scene import NoLookup
from tests.support.scenes import Files, change_scene, codes, findings, state_scene, view

RULES = ("HG501", "HG502", "HG503", "HG504")
TAG = "<!-- src:agent ts:2026-06-01 -->"


class Standing(NoLookup):
    """Files that lie there and that the scene does not hold; notes which were read."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files
        self.read: list[str] = []

    def paths(self) -> Collection[str]:
        return self.files

    def sizes(self, paths: Sequence[str]) -> Mapping[str, int]:
        return {path: len(self.files[path].encode()) for path in paths if path in self.files}

    def texts(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        self.read += [path for path in paths if path in self.files]
        return {path: self.files[path].encode() for path in paths if path in self.files}


def page(size: int, char: str = "x") -> str:
    """A text of exactly `size` characters, in lines of a hundred, with a last line of its own."""
    lines = [char * 99] * (size // 100)
    rest = size - 100 * len(lines)
    return "\n".join([*lines, char * (rest - 1) if rest else ""]) + ("\n" if rest else "")


def said(files: Files, policy: Policy = DEFAULT, lookup: NoLookup | None = None) -> list[tuple[str, str, int]]:
    return [(f.code, f.path, f.line) for f in findings(state_scene(files, policy=policy, lookup=lookup), *RULES)]


def brought(before: Files, after: Files, policy: Policy = DEFAULT, lookup: NoLookup | None = None) -> list[tuple[str, str]]:
    return [(f.code, f.path) for f in findings(change_scene(before, after, policy=policy, lookup=lookup), *RULES)]


def budgets(value: object) -> Policy:
    return policy_from_data({"budgets": value})


def test_the_page_is_as_long_as_asked() -> None:
    assert [len(page(size)) for size in (0, 1, 99, 100, 101, 15_361)] == [0, 1, 99, 100, 101, 15_361]


@pytest.mark.parametrize(
    ("size", "found"),
    [(15_360, []), (15_361, ["HG501"]), (20_000, ["HG501"]), (20_001, ["HG501"]), (20_002, ["HG501", "HG502"])],
)
def test_where_an_index_becomes_too_large(size: int, found: list[str]) -> None:
    # The last line break is not counted by the host, which drops blanks at the end.
    assert [code for code, _path, _line in said({"MEMORY.md": page(size)})] == found


def test_the_index_is_measured_in_bytes_and_the_window_in_characters() -> None:
    text = page(9_000, "猫")
    (finding,) = findings(state_scene({"MEMORY.md": text}), *RULES)
    assert finding.message == "the index is 26,820 bytes, over the 15,360 bytes at which it is to be compressed"
    assert finding.hint == "hoard consolidate --dry-run"
    assert said({"MEMORY.md": text}, budgets({"MEMORY.md": "30KB"})) == []
    assert said({"MEMORY.md": text}, budgets({"MEMORY.md": "8999 chars"})) == [("HG501", "MEMORY.md", 1)]


def test_what_is_lost_is_named() -> None:
    (finding,) = findings(state_scene({"AGENTS.md": page(25_000)}), "HG502")
    assert finding.message == "lines 91 to 220 are not loaded: the file is 25,000 chars, openclaw-2026.8 loads 20,000 chars"
    assert (finding.severity, finding.line, finding.end_line) == ("error", 91, 220)
    (finding,) = findings(state_scene({"MEMORY.md": "x" * 30_000}), "HG502")
    assert finding.message.startswith("a part of line 1 is not loaded")


def test_emoji_count_twice_for_the_host() -> None:
    (finding,) = findings(state_scene({"MEMORY.md": "😀" * 10_001}), "HG502")
    assert "10,001 chars (20,002 for the host, which takes an emoji for two)" in finding.message


def test_other_hosts_other_limits() -> None:
    files = {"MEMORY.md": "x\n" * 201, "SOUL.md": page(14_000)}
    assert said(files, budgets("claude-code")) == [("HG502", "MEMORY.md", 201)]
    assert said({"MEMORY.md": "x" * 2201}, budgets("hermes")) == [("HG502", "MEMORY.md", 1)]
    assert said({"SOUL.md": page(12_500)}, budgets("openclaw-2026.4")) == [("HG502", "SOUL.md", 90)]
    assert said({"USER.md": page(4_100)}, budgets("openclaw-2026.9")) == [("HG502", "USER.md", 30)]
    assert said({"TOOLS.md": page(25_000), "HEARTBEAT.md": page(100)}, budgets("openclaw-2026.9")) == []


def test_only_loaded_files_count() -> None:
    big = page(90_000)
    assert said({"memory/notes.md": big, "memory/2026-06-01.md": big, "CLAUDE.md": big, "wiki/a.md": big, "docs/SOUL.md": big}) == []
    roots = policy_from_data({"memory": {"roots": ["agents/a"]}})
    assert [code for code, *_ in said({"agents/a/MEMORY.md": big, "MEMORY.md": big}, roots)] == ["HG501", "HG502"]


def test_an_identity_file_past_its_share() -> None:
    assert said({"SOUL.md": page(10_000), "AGENTS.md": page(15_000)}) == []
    assert said({"SOUL.md": page(10_001), "AGENTS.md": page(15_001), "USER.md": page(10_001)}) == [
        ("HG504", "AGENTS.md", 1), ("HG504", "SOUL.md", 1), ("HG504", "USER.md", 1),
    ]  # fmt: skip
    assert said({"SOUL.md": page(900)}, budgets({"SOUL.md": "800 chars"})) == [("HG504", "SOUL.md", 1)]
    assert said({"SOUL.md": page(21_000)}) == [("HG502", "SOUL.md", 150)], "one finding about one length"
    assert said({"HEARTBEAT.md": page(19_000)}) == []


# -------------------------------------------------------------------- the total


def test_the_total_and_who_pays() -> None:
    files = {name: page(19_000) for name in ("AGENTS.md", "SOUL.md", "TOOLS.md")} | {"MEMORY.md": page(5_000)}
    (finding,) = findings(state_scene(files), "HG503")
    assert finding.message == "all loaded files want 61,996 chars, openclaw-2026.8 loads 60,000 chars: MEMORY.md is cut"
    assert (finding.path, finding.hint) == ("MEMORY.md", "hoard doctor")
    files["IDENTITY.md"] = page(9_000)
    (finding,) = findings(state_scene(files), "HG503")
    assert finding.message.endswith("IDENTITY.md is cut, MEMORY.md is dropped")
    assert said(files, budgets("claude-code")) == []


def test_files_outside_the_scene_count_and_are_read_only_when_they_may_matter() -> None:
    others = {name: page(19_000) for name in ("AGENTS.md", "SOUL.md", "TOOLS.md")}
    lookup = Standing(others)
    assert said({"MEMORY.md": page(5_000)}, lookup=lookup) == [("HG503", "MEMORY.md", 1)]
    assert sorted(lookup.read) == ["AGENTS.md", "SOUL.md", "TOOLS.md"]
    lookup = Standing(others)
    assert said({"MEMORY.md": page(3_000)}, lookup=lookup) == []
    assert lookup.read == [], "their bytes alone say that they fit"


def test_a_grown_manual_takes_the_memory_away() -> None:
    others = Standing({name: page(19_500) for name in ("SOUL.md", "MEMORY.md")} | {"USER.md": page(9_000)})
    old, new = {"AGENTS.md": page(11_000)}, {"AGENTS.md": page(13_000)}
    assert brought(old, new, lookup=others) == [("HG503", "AGENTS.md")]
    assert brought(new, old, lookup=others) == []
    assert brought(new, {"AGENTS.md": page(13_000, "y")}, lookup=others) == []


# -------------------------------------------------------------------- changes


@pytest.mark.parametrize(
    ("name", "limit", "code"),
    [("MEMORY.md", 15_360, "HG501"), ("MEMORY.md", 20_001, "HG502"), ("SOUL.md", 20_001, "HG502"), ("SOUL.md", 10_000, "HG504")],
)
def test_a_change_that_crosses_or_goes_further(name: str, limit: int, code: str) -> None:
    def found(before: int, after: int) -> bool:
        return code in [c for c, _path in brought({name: page(before)}, {name: page(after, "y")})]

    assert not found(limit - 10, limit)
    assert found(limit - 10, limit + 1)
    assert found(limit + 1, limit + 2)
    assert not found(limit + 2, limit + 2)
    assert not found(limit + 2, limit + 1)
    assert not found(limit + 2, limit - 10)


def test_a_new_file_and_one_that_goes() -> None:
    text = page(21_000)
    assert brought({}, {"MEMORY.md": text}) == [("HG501", "MEMORY.md"), ("HG502", "MEMORY.md")]
    assert brought({"MEMORY.md": text}, {}) == []
    assert brought({"MEMORY.md": text, "memory/a.md": f"- a {TAG}\n"}, {"MEMORY.md": text, "memory/a.md": f"- b {TAG}\n"}) == []


def test_tagging_a_file_is_never_refused() -> None:
    def found(entries: int, *, more: str = "") -> list[tuple[str, str]]:
        bare = "".join(f"- fact number {n:04} of many\n" for n in range(entries))
        scene = change_scene({"MEMORY.md": bare}, {"MEMORY.md": bare.replace(" many\n", f" many {TAG}\n") + more})
        return [(f.code, f.severity) for f in findings(scene, "HG502")]

    assert found(780) == [], "20,280 characters before, and too long already"
    assert found(600) == [("HG502", "warn")], "15,600 characters before"
    assert found(200) == []
    assert found(780, more=f"- a new one {TAG}\n") == [("HG502", "error")]
    assert found(600, more=f"- a new one {TAG}\n") == [("HG502", "error")]


@pytest.mark.parametrize(
    ("bare", "tagged"),
    [
        ("## Part\n", f"## Part  {TAG}\n"),  # as hoard tag writes them: two blanks before the tag of a heading
        ("- a fact\n", f"- a fact {TAG}\n"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", f"{TAG}\n| a | b |\n|---|---|\n| 1 | 2 |\n"),
    ],
)
def test_tags_of_every_form_are_no_words(bare: str, tagged: str) -> None:
    long = "- a fact that is long enough\n" * 800
    scene = change_scene({"MEMORY.md": bare * 40 + long}, {"MEMORY.md": tagged * 40 + long})
    assert findings(scene, "HG502") == []


def test_the_hosts_own_budget_stands_in_for_the_policys() -> None:
    scene = state_scene({"MEMORY.md": page(14_000)})._replace(budget=PROFILES["openclaw-2026.4"])
    assert [f.code for f in findings(scene, *RULES)] == ["HG502"]


def test_a_total_that_was_too_large_before_and_does_not_grow() -> None:
    files = {name: page(19_000) for name in ("AGENTS.md", "SOUL.md", "TOOLS.md")} | {"MEMORY.md": page(5_000)}
    for after, found in ((page(4_500), []), (page(5_000, "y"), []), (page(5_000, "\u00e9"), []), (page(5_500), ["HG503"])):
        assert codes(change_scene(files, {**files, "MEMORY.md": after}), "HG503") == found


def test_a_tag_over_two_lines_is_counted_as_words() -> None:
    bare, tag = "- a fact\n", " <!-- src:agent ts:2026-06-01 -->"
    plain, tagged, wrapped = (
        words_of(view("MEMORY.md", text)) for text in (bare, bare[:-1] + tag + "\n", bare[:-1] + tag.replace(" ts", "\nts") + "\n")
    )
    assert tagged == plain
    assert wrapped == plain + len(tag)
