"""How a mutation run chooses tests, remembers, and tells; and that the survivors that are explained exist."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.mutation.copies import Copy, digest
from tests.mutation.mutants import Mutant, find_mutants
from tests.mutation.outcome import PAGE, REASONS, Found, Memory, read_reasons, summary, survivors
from tests.mutation.reach import Reach
from tests.support.environment import ROOT
from tests.support.pages import marks

PATH = "hoard_git/core/slugs.py"


@pytest.fixture(scope="module")
def some() -> Sequence[Mutant]:
    return list(find_mutants(PATH, (ROOT / PATH).read_text(encoding="utf-8")))[:4]


def test_every_survivor_that_is_explained_is_a_mutant_of_today() -> None:
    """A key that names none is left over: the code has changed, and so may the reason have."""
    reasons = read_reasons()
    paths = sorted({key.partition(" ")[0] for key in reasons})
    keys = {mutant.key for path in paths for mutant in find_mutants(path, (ROOT / path).read_text(encoding="utf-8"))}
    assert sorted(reasons.keys() - keys) == []
    assert [key for key, why in reasons.items() if not why.strip() or why.endswith(".")] == []
    assert REASONS.read_text(encoding="utf-8").count("\n") < 400


def test_the_page_has_the_marks_that_a_run_fills() -> None:
    assert marks(PAGE.read_text(encoding="utf-8")) == ["mutants", "survivors"]


class TestReach:
    reach = Reach(
        {"m.py": {3: frozenset({"t::a", "t::b"}), 5: frozenset(), 9: frozenset({"t::c"})}},
        {"t::a": 2.0, "t::b": 1.0, "t::c": 0.1, "tests/core/test_m.py::slow": 5.0},
    )

    def test_the_first_line_that_any_test_reaches_counts(self) -> None:
        assert self.reach.of_line("m.py", (5, 3)) == {"t::a", "t::b"}
        assert self.reach.of_line("m.py", (5,)) == frozenset()
        assert self.reach.of_line("other.py", (3,)) == frozenset()
        assert self.reach.of_module("m.py") == {"t::a", "t::b", "t::c"}
        assert self.reach.of_module("other.py") == frozenset()
        assert self.reach.of_own_file("hoard_git/core/m.py") == {"tests/core/test_m.py::slow"}

    def test_the_modules_own_tests_go_first_then_the_quickest_while_there_is_time(self) -> None:
        tests = ["t::a", "t::b", "t::c", "tests/core/test_m.py::slow"]
        assert self.reach.choose("hoard_git/core/m.py", tests, 100) == ["tests/core/test_m.py::slow", "t::c", "t::b", "t::a"]
        assert self.reach.choose("hoard_git/core/x.py", tests, 2) == ["t::c", "t::b"]
        assert self.reach.choose("hoard_git/core/m.py", tests, 1) == ["tests/core/test_m.py::slow"]

    def test_the_tests_of_a_rule_are_found_by_its_code(self) -> None:
        reach = Reach({}, {"tests/lint/rules/test_hg411.py::x": 9.0, "t::a": 0.1})
        assert reach.choose("hoard_git/lint/rules/hg411_hidden_by_layout.py", reach.seconds, 20)[0] == "tests/lint/rules/test_hg411.py::x"


class TestMemory:
    def test_what_was_caught_holds_and_what_passed_holds_until_something_changes(self, tmp_path: Path, some: Sequence[Mutant]) -> None:
        outcomes = ["failed", "timed out", "survived", "unreached"]
        for mutant, outcome in zip(some, outcomes, strict=True):
            Memory(tmp_path, "now").add(Found(mutant, outcome))
        assert Memory(tmp_path, "now").known(()) == {mutant.key: outcome for mutant, outcome in zip(some, outcomes, strict=True)}
        assert list(Memory(tmp_path, "later").known(()).values()) == ["failed", "timed out"]
        assert list(Memory(tmp_path, "later").known({some[2].key}).values()) == ["failed", "timed out", "survived"]

    def test_a_module_that_has_changed_is_asked_again(self, tmp_path: Path, some: Sequence[Mutant]) -> None:
        memory = Memory(tmp_path, "before")
        memory.add(Found(some[0], "failed"))
        row = json.loads(memory.file.read_text(encoding="utf-8"))
        memory.file.write_text(json.dumps({**row, "module": "another"}) + "\n", encoding="utf-8")
        assert Memory(tmp_path, "now").known(()) == {}

    def test_an_empty_folder_knows_nothing(self, tmp_path: Path) -> None:
        assert Memory(tmp_path, "now").known(()) == {}


def test_the_figures_and_the_list(some: Sequence[Mutant]) -> None:
    found = [Found(mutant, outcome) for mutant, outcome in zip(some, ["failed", "timed out", "survived", "unreached"], strict=True)]
    reasons = {some[2].key: "equivalent: no input reaches it"}
    lines = summary(found, reasons, 20_000, 1).splitlines()
    assert lines[0] == "4 of 20,000 mutants, seed 1."
    assert "| core | 4 | 1 | 1 | 2 | 1 | 66.7 % |" in lines
    assert "| lint | 0 | 0 | 0 | 0 | 0 | – |" in lines
    assert lines[-1] == "| all | 4 | 1 | 1 | 2 | 1 | 66.7 % |"
    listed = list(survivors(found, reasons))
    assert len(listed) == 2
    assert listed[0].startswith(f"- `{PATH}:{some[2].start[0]}` ")
    assert listed[0].endswith(": equivalent: no input reaches it")
    assert listed[1].endswith(": not reached by any test")


def test_a_fault_is_taken_out_again(tmp_path: Path, some: Sequence[Mutant]) -> None:
    copy = Copy(tmp_path, tmp_path / "tree")
    path = copy.tree / PATH
    path.parent.mkdir(parents=True)
    text = (ROOT / PATH).read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    seen = set()

    def plant_and_stop(mutant: Mutant) -> None:
        with copy.holding(mutant):
            assert path.read_text(encoding="utf-8") == mutant.apply(text) != text
            seen.add(path.stat().st_mtime_ns)
            raise KeyboardInterrupt

    for mutant in some[:2]:
        with pytest.raises(KeyboardInterrupt):
            plant_and_stop(mutant)
        assert path.read_text(encoding="utf-8") == text
        seen.add(path.stat().st_mtime_ns)
    assert len(seen) == 4, "compiled code of one content would be taken for that of another"


def test_the_digest_is_that_of_the_named_folders() -> None:
    assert digest("hoard_git/core") == digest("hoard_git/core") != digest("hoard_git/lint")
