"""The benchmark page: its program, its marks, and that nothing missing ends a run. Times are nobody's test."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.bench import page
from tests.bench.page import BENCHES, PAGE, Bench, chosen, command, fill, run_bench
from tests.bench.peers import find_peers
from tests.bench.timing import measure, milliseconds, program, table, times
from tests.support.environment import ROOT
from tests.support.pages import marks, put_between

HERE = ROOT / "tests/bench"


def bench(script: str, *words: str, limit: int = 60) -> Bench:
    return Bench("some", script, words, words, limit)


class TestThePage:
    def test_it_has_a_place_for_each_benchmark_and_no_other(self) -> None:
        assert marks(PAGE.read_text(encoding="utf-8")) == ["machine", *(one.name for one in BENCHES)]

    def test_each_benchmark_is_there_and_all_fit_into_fifteen_minutes(self) -> None:
        assert [one.script for one in BENCHES if not (HERE / one.script).is_file()] == []
        assert sum(one.limit for one in BENCHES) <= 15 * 60

    def test_what_stands_between_the_marks_is_replaced_and_nothing_else(self) -> None:
        text = "Before.\n<!-- one:start -->\nold\n<!-- one:end -->\nBetween.\n<!-- two:start -->\n<!-- two:end -->\nAfter.\n"
        once = fill(text, {"one": "new\n", "two": "x"})
        assert once == (
            "Before.\n<!-- one:start -->\n\nnew\n\n<!-- one:end -->\nBetween.\n<!-- two:start -->\n\nx\n\n<!-- two:end -->\nAfter.\n"
        )
        assert fill(once, {"one": "new", "two": "x"}) == once

    @pytest.mark.parametrize(
        "text",
        [
            "no mark\n",
            "<!-- one:start -->\nnever closed\n",
            "<!-- one:end -->\n<!-- one:start -->\n",
            "<!-- one:start -->\n<!-- one:end -->\n<!-- one:start -->\n<!-- one:end -->\n",
        ],
    )
    def test_a_page_without_one_pair_of_marks_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match="one pair of <!-- one:start -->"):
            put_between(text, "one", "new")

    def test_some_parts_can_be_asked_for(self) -> None:
        assert [one.name for one in chosen(["search", "hooks"])] == ["hooks", "search"]
        assert chosen([]) == list(BENCHES)
        assert command(BENCHES[0]) == "python tests/bench/hooks.py 31"


class TestARun:
    @pytest.fixture(autouse=True)
    def scripts(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setattr(page, "HERE", tmp_path)
        return tmp_path

    def test_what_a_benchmark_prints_is_its_part(self, scripts: Path) -> None:
        (scripts / "good.py").write_text("import sys\nprint('| a |', sys.argv[1])\n", encoding="utf-8")
        assert run_bench(bench("good.py", "7"), quick=False) == ("| a | 7", True)

    @pytest.mark.parametrize(("code", "status"), [("print('half'); raise SystemExit(3)", 3), ("1 / 0", 1), ("", 0)])
    def test_a_benchmark_that_fails_or_says_nothing_is_a_sentence(self, scripts: Path, code: str, status: int) -> None:
        (scripts / "bad.py").write_text(code, encoding="utf-8")
        assert run_bench(bench("bad.py"), quick=True) == (f"Not measured: `bad.py` ended with status {status}.", False)

    def test_one_that_takes_too_long_is_ended_with_its_children(self, scripts: Path) -> None:
        (scripts / "slow.py").write_text(
            "import os, subprocess, sys, time\n"
            "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
            "open(sys.argv[1], 'w').write(str(child.pid))\n"
            "time.sleep(600)\n",
            encoding="utf-8",
        )
        note = scripts / "child"
        said, measured = run_bench(bench("slow.py", str(note), limit=3), quick=True)
        assert (said, measured) == ("Not measured: `slow.py` took longer than 3 s.", False)
        assert note.exists()
        assert ended(int(note.read_text(encoding="utf-8")))

    def test_it_sees_nothing_of_the_machines_git(self, scripts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
        monkeypatch.setenv("GIT_DIR", str(scripts))
        (scripts / "env.py").write_text("import os\nprint(*sorted(n for n in os.environ if n.startswith(('GIT_D', 'PYTHOND'))), '.')\n")
        assert run_bench(bench("env.py"), quick=True) == (".", True)

    @pytest.mark.parametrize("text", [None, "no marks\n"])
    def test_a_page_that_cannot_be_filled_is_told_before_the_wait(
        self, scripts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str | None
    ) -> None:
        target = scripts / "page.md"
        if text is None:
            target.mkdir()
        else:
            target.write_text(text, encoding="utf-8")
        monkeypatch.setattr("sys.argv", ["run", "--page", str(target)])
        assert page.main() == 2
        assert "The page cannot be written: " in capsys.readouterr().err
        assert list(scripts.iterdir()) == [target]

    def test_a_run_writes_its_parts_and_tells_what_it_missed(
        self, scripts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (scripts / "good.py").write_text("print('| a |')", encoding="utf-8")
        (scripts / "bad.py").write_text("1 / 0", encoding="utf-8")
        monkeypatch.setattr(page, "BENCHES", (Bench("one", "good.py", ("9",), (), 60), Bench("two", "bad.py", (), (), 60)))
        target = scripts / "page.md"
        target.write_text("".join(f"<!-- {name}:start -->\n<!-- {name}:end -->\n" for name in ("machine", "one", "two")), encoding="utf-8")
        monkeypatch.setattr("sys.argv", ["run", "--page", str(target)])
        assert page.main() == 1
        said = target.read_text(encoding="utf-8")
        assert "<!-- one:start -->\n\n| a |\n\nMeasured by `python tests/bench/good.py 9`.\n\n<!-- one:end -->" in said
        assert "<!-- two:start -->\n\nNot measured: `bad.py` ended with status 1.\n\n<!-- two:end -->" in said
        assert "| Python | " in said
        assert "ZeroDivisionError" in (err := capsys.readouterr().err)
        assert err.endswith("not measured: two\n")

    def test_the_program_starts_and_explains_itself(self) -> None:
        done = subprocess.run([sys.executable, ROOT / "tests/bench/run", "--help"], capture_output=True, text=True, check=True)
        assert "--quick" in done.stdout

    def test_an_interpreter_without_the_packages_says_what_to_do(self, scripts: Path) -> None:
        copy = scripts / "tests" / "bench"
        copy.mkdir(parents=True)
        (copy / "run").write_bytes((ROOT / "tests/bench/run").read_bytes())
        done = subprocess.run([sys.executable, "-I", "-S", copy / "run"], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr.endswith("Run .ci/setup, then: .venv/bin/python tests/bench/run\n")


def ended(pid: int) -> bool:
    """Whether a process has ended; one that nobody has waited for yet counts."""
    for _ in range(50):
        done = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False)
        if done.stdout.strip()[:1] in {"", "Z"}:
            return True
        time.sleep(0.1)
    return False


class TestPeers:
    def test_what_is_not_there_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tests.bench.peers._program_of", lambda _module, _name: "")
        monkeypatch.setattr("tests.bench.peers._package", lambda _name: "")
        monkeypatch.setenv("PATH", str(tmp_path))
        found, missing = find_peers()
        assert found == []
        assert [line.partition(" (")[0] for line in missing] == [
            f"Not measured here: {name}" for name in ("betterleaks", "gitleaks", "detect-secrets")
        ]

    @pytest.mark.parametrize(
        ("script", "known"),
        [
            ("echo 8.30.1", ["8.30.1"]),
            ("echo v8.18.4", ["v8.18.4"]),
            ("echo 2.0.0-rc.4", []),  # betterleaks under the other's name
            ("echo 8.30.1; exit 1", []),
        ],
    )
    def test_a_program_is_believed_to_be_gitleaks_by_what_it_says(self, tmp_path: Path, script: str, known: list[str]) -> None:
        program_file = tmp_path / "gitleaks"
        program_file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        program_file.chmod(0o755)
        assert [peer.version for peer in find_peers(program_file)[0] if peer.name == "gitleaks"] == known

    def test_a_program_that_is_named_and_not_there_is_missing(self, tmp_path: Path) -> None:
        found, missing = find_peers(tmp_path / "none")
        assert "gitleaks" not in [peer.name for peer in found]
        assert any(line.startswith("Not measured here: gitleaks") for line in missing)


class TestTiming:
    def test_cases_are_run_in_turn_after_a_round_that_does_not_count(self) -> None:
        ran: list[str] = []
        found = measure(2, {"a": lambda: ran.append("a"), "b": lambda: ran.append("b")})
        assert ran == ["a", "b"] * 3
        assert list(found) == ["a", "b"]
        ran.clear()
        measure(2, {"a": lambda: ran.append("a")}, warm=False)
        assert ran == ["a", "a"]

    def test_the_processor_time_of_children_counts(self) -> None:
        burn = program([sys.executable, "-c", "import time\nwhile time.process_time() < 0.3: pass"], ROOT, {})
        assert measure(1, {"": burn}, warm=False)[""].processor >= 0.3

    def test_a_program_that_fails_is_no_measurement(self) -> None:
        failing = program([sys.executable, "-c", "raise SystemExit('no such thing')"], ROOT, {})
        with pytest.raises(RuntimeError, match="ended with status 1: no such thing"):
            failing()
        assert program([sys.executable, "-c", "print(1); raise SystemExit(1)"], ROOT, {}, ends=(0, 1))() == b"1\n"

    @pytest.mark.parametrize(("one", "other", "shown"), [(1, 3, "0.33"), (3, 2, "1.5"), (25, 2, "12"), (5000, 2, "2,500"), (1, 0, "–")])
    def test_a_ratio_has_two_figures(self, one: float, other: float, shown: str) -> None:
        assert times(one, other) == shown

    def test_a_table_is_markdown(self) -> None:
        assert table(["", "time"], [["a", milliseconds(0.00123)], ["b", milliseconds(1.5)]]) == (
            "|  | time |\n| --- | --- |\n| a | 1.2 ms |\n| b | 1,500 ms |\n"
        )
