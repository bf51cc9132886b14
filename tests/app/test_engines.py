"""A second engine for secrets: what it is shown, and how what it finds joins the gate's findings."""

from __future__ import annotations

import json
import re
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence

import pytest

from hoard_git.app import engines
from hoard_git.app.check import Report, check_commits, check_staged, find_range
from hoard_git.app.engines import SecondEngine
from hoard_git.core.secrets import fingerprint
from hoard_git.errors import HoardError
from hoard_git.gitio.betterleaks import Spot, find_program
from hoard_git.gitio.opening import open_reader
from tests.app.support import AS_AGENT, june, reader_of
from tests.support.environment import ROOT
from tests.support.repo import POLICY, Workspace, run

TAGGED = "# A <!-- src:agent ts:2026-06-05 -->\n\n"
FOUND = "Zeta key: …(9 characters)"


def is_installed() -> bool:
    try:
        find_program()
    except HoardError:
        return False
    return True


def look_for_zeta(texts: Sequence[bytes]) -> Iterator[Spot]:
    """An engine with one rule, whose columns are bytes and whose description ends in a full stop."""
    for number, text in enumerate(texts):
        for line, raw in enumerate(text.split(b"\n"), 1):
            for match in re.finditer(rb"zeta-[0-9]{4}|sunflower-harbour", raw):
                start, end = match.span()
                yield Spot(number, "zeta", "Zeta key.", line, start + 1, line, end + 1, match.group().decode())


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Put the engine with one rule in the place of betterleaks; the texts that it is shown, one list a run."""
    runs: list[list[str]] = []

    def scan(_program: str, texts: Sequence[bytes]) -> list[Spot]:
        runs.append([text.decode("utf-8", "surrogateescape") for text in texts])
        return list(look_for_zeta(texts))

    monkeypatch.setattr(engines, "find_program", lambda: "betterleaks")
    monkeypatch.setattr(engines, "scan_texts", scan)
    return runs


def judged(workspace: Workspace, revisions: str, second: SecondEngine | None = None) -> Report:
    reader = open_reader(str(workspace.path), batch=True)
    return check_commits(reader, find_range(reader, revisions), june, revisions, second=second or SecondEngine())


def staged(workspace: Workspace, files: dict[str, str]) -> Report:
    workspace.stage(dict(files))
    return check_staged(reader_of(workspace), june, AS_AGENT, second=SecondEngine())


def places(report: Report, *codes: str) -> list[str]:
    return [f"{f.path}:{f.line}:{f.column} {f.code} {f.severity}" for f in report.findings if f.code in (codes or ("HG201", "HG202"))]


class TestWhatItIsShown:
    def test_touched_lines_of_every_version_in_one_run(self, workspace: Workspace, shown: list[list[str]]) -> None:
        base = workspace.head()
        first = TAGGED + "".join(f"- Fact {n}.\n" for n in range(30))
        workspace.commit("One", {"memory/a.md": first, "code.py": "x = 1\n"}, author=workspace.agent)
        second = first.replace("Fact 3.", "Fact three.").replace("Fact 4.", "Fact four.").replace("Fact 25.", "Fact xxv.")
        workspace.commit("Two", {"memory/a.md": second}, author=workspace.agent)
        workspace.commit("Three", {"memory/a.md": None}, author=workspace.agent)
        judged(workspace, f"{base}..HEAD")

        assert shown == [[first + "\n", "- Fact three.\n- Fact four.\n" + "\n" * 8 + "- Fact xxv.\n"]]

    def test_nothing_touched_is_no_run(self, workspace: Workspace, shown: list[list[str]]) -> None:
        workspace.commit("Code", {"code.py": "zeta-0001\n"}, author=workspace.agent)
        judged(workspace, "HEAD~1..HEAD")
        assert shown == []


@pytest.mark.usefixtures("shown")
class TestWhatItAdds:
    def test_a_finding_like_any_other(self, workspace: Workspace) -> None:
        base = workspace.head()
        workspace.policy(POLICY + "secrets: {salt: pepper}\n")
        commit = workspace.commit("x", {"memory/a.md": f"{TAGGED}- Größe: zeta-0001\r\n\n## Zeta\n\n- \udcff"[:-1]}, author=workspace.agent)
        report = judged(workspace, f"{base}..HEAD")

        (finding,) = [f for f in report.findings if f.code == "HG201"]
        assert (finding.commit, finding.path, finding.line, finding.column, finding.end_line) == (commit, "memory/a.md", 3, 10, 3)
        assert (finding.message, finding.severity, finding.block, finding.name) == (FOUND, "error", "a", "secret")
        assert fingerprint("zeta-0001", "pepper") in finding.hint
        assert "zeta-0001" not in str(report)

    def test_only_the_commit_that_touches_the_line(self, workspace: Workspace) -> None:
        base = workspace.head()
        bad = workspace.commit("Bad", {"memory/a.md": TAGGED + "- zeta-0001\n"}, author=workspace.agent)
        workspace.commit("More", {"memory/a.md": TAGGED + "- zeta-0001\n- More.\n"}, author=workspace.agent)
        report = judged(workspace, f"{base}..HEAD")

        assert [f.commit for f in report.findings if f.code == "HG201"] == [bad]

    def test_a_merge_is_not_blamed_for_its_branches(self, workspace: Workspace) -> None:
        base = workspace.head()
        workspace.git("checkout", "-q", "-b", "side")
        side = workspace.commit("Side", {"memory/a.md": TAGGED + "- zeta-0001\n"}, author=workspace.agent)
        workspace.git("checkout", "-q", "main")
        workspace.commit("Main", {"memory/b.md": TAGGED + "- One.\n"}, author=workspace.agent)
        workspace.git("merge", "-q", "--no-ff", "--no-commit", "side")
        merge = workspace.commit("Merge", {"memory/c.md": TAGGED + "- zeta-0002\n"}, author=workspace.agent)
        report = judged(workspace, f"{base}..HEAD")

        assert [(f.commit, f.path) for f in report.findings if f.code == "HG201"] == [(side, "memory/a.md"), (merge, "memory/c.md")]

    def test_the_index(self, workspace: Workspace) -> None:
        assert places(staged(workspace, {"memory/a.md": TAGGED + "- a zeta-0001\n"})) == ["memory/a.md:3:5 HG201 error"]
        assert places(staged(workspace, {"memory/a.md": TAGGED + "- a beta-0001\n"})) == []

    def test_one_span_is_told_once(self, workspace: Workspace) -> None:
        """The built-in engine's certain finding stays, its possible one gives way."""
        text = f"{TAGGED}- The db password is zeta-0001Xy!9\n- zeta-0002 zeta-0002\n- wifi password: sunflower-harbour\n"
        workspace.stage({"memory/a.md": text})
        alone = check_staged(reader_of(workspace), june, AS_AGENT)
        both = staged(workspace, {})

        assert places(alone) == ["memory/a.md:3:22 HG201 error", "memory/a.md:5:18 HG202 warn"]
        added = ["memory/a.md:4:3 HG201 error", "memory/a.md:4:13 HG201 error", "memory/a.md:5:18 HG201 error"]
        assert places(both) == ["memory/a.md:3:22 HG201 error", *added]
        assert both.findings[0].message == alone.findings[0].message


@pytest.mark.usefixtures("shown")
class TestWhatIsAllowed:
    def test_by_fingerprint(self, workspace: Workspace) -> None:
        mark = fingerprint("zeta-0001", "pepper")
        workspace.policy(POLICY + f"secrets: {{salt: pepper, allow: [{{fingerprint: '{mark}', reason: sample}}]}}\n")
        assert places(staged(workspace, {"memory/a.md": TAGGED + "- zeta-0001\n- zeta-0002\n"})) == ["memory/a.md:4:3 HG201 error"]

    def test_inline(self, workspace: Workspace) -> None:
        text = TAGGED + '- zeta-0001 <!-- hoard:allow HG201 reason="a sample" -->\n'
        report = staged(workspace, {"memory/a.md": text})
        assert places(report, "HG201", "HG204") == ["memory/a.md:3:3 HG201 warn"]

    def test_by_the_severity_of_the_policy(self, workspace: Workspace) -> None:
        workspace.policy(POLICY + "rules: {HG201: 'off'}\n")
        assert places(staged(workspace, {"memory/a.md": TAGGED + "- zeta-0001\n"})) == []

    @pytest.mark.parametrize(
        "rules",
        [
            "[extend]\ndisabledRules = ['zeta']\n",
            "[allowlist]\npaths = ['^memory/']\n",
            "[[allowlists]]\ntargetRules = ['zeta']\npaths = ['^memory/']\n",
            "[allowlist]\nregexes = ['^zeta']\n",
            "[[allowlists]]\ntargetRules = ['zeta']\nregexTarget = 'line'\nregexes = ['harmless']\n",
        ],
    )
    def test_by_the_workspaces_own_rules(self, workspace: Workspace, rules: str) -> None:
        workspace.commit("Rules", {".gitleaks.toml": rules}, author=workspace.human)
        assert places(staged(workspace, {"memory/a.md": TAGGED + "- harmless zeta-0001\n"})) == []

    def test_not_by_others(self, workspace: Workspace) -> None:
        rules = (
            "[extend]\nuseDefault = false\ndisabledRules = ['eta']\n[[allowlists]]\ntargetRules = ['eta']\nregexes = ['.']\npaths = ['.']\n"
        )
        workspace.commit("Rules", {".gitleaks.toml": rules}, author=workspace.human)
        assert places(staged(workspace, {"memory/a.md": TAGGED + "- zeta-0001\n"})) == ["memory/a.md:3:3 HG201 error"]


class TestPlaces:
    @pytest.mark.parametrize(
        ("line", "spot", "columns"),
        [
            ("a abc abc abc", (1, 11, 1, 14, "abc"), (11, 14)),
            ("ä abc", (1, 4, 1, 7, "abc"), (3, 6)),
            ("x" * 3000 + " abc", (1, 20, 1, 23, "abc"), (3002, 3005)),
            ("code YWJj here", (1, 6, 1, 10, "abc"), (6, 10)),
            ("short", (1, 400, 1, 403, "abc"), (5, 6)),
            ("", (1, 1, 1, 1, "abc"), (1, 2)),
            ("key abc\ndef", (1, 5, 2, 4, "abc\ndef"), (5, 4)),
        ],
    )
    def test_columns(self, line: str, spot: tuple[int, int, int, int, str], columns: tuple[int, int]) -> None:
        first, column, last, end, value = spot
        found = engines._columns(Spot(0, "r", "w", first, column, last, end, value), line.split("\n"))
        assert found == columns

    @pytest.mark.parametrize("line", [3, 11, 99])
    def test_fillers_and_what_was_not_shown_are_nobodys(self, workspace: Workspace, line: int) -> None:
        text = engines._text(workspace.head(), {1: "a", 40: "b"})  # type: ignore[arg-type]
        assert engines._match(Spot(0, "r", "w", line, 1, line, 2, "a"), text) is None
        found = engines._match(Spot(0, "r", "w", 10, 1, 99, 2, "b"), text)
        assert found is not None
        assert (found.line, found.end_line) == (40, 40)


class TestTheProgram:
    """With betterleaks where it is installed; where it is not, the same question must end in exit status 2."""

    def check(self, workspace: Workspace, *options: str) -> tuple[int, str, str]:
        done = run(
            [sys.executable, "-m", "hoard_git", "check", *options, "--engine", "betterleaks"],
            cwd=workspace,
            env={"PYTHONPATH": str(ROOT), "HOARD_DATE": "2026-06-10"},
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    @pytest.mark.parametrize("how", ["range", "commit", "staged"])
    def test_it_finds_what_it_knows(self, workspace: Workspace, how: str) -> None:
        # Each digit twice at most: the engine takes a value with little variety for none.
        values = ["rootly" + "_" + secrets.token_hex(32), "lip" + "_" + "".join(secrets.SystemRandom().sample("0123456789abcdef" * 2, 24))]
        text = f"{TAGGED}- Ärger with {values[0]} on call\n- A second line\n- The chess bot is {values[1]}\n"
        if how == "staged":
            workspace.stage({"memory/a.md": text})
        else:
            workspace.commit("x", {"memory/a.md": text}, author=workspace.agent)
        options = {"range": ("--range", "HEAD~1..HEAD"), "commit": ("--commit", "HEAD"), "staged": ("--staged",)}[how]

        status, said, noted = self.check(workspace, *options)
        if not is_installed():
            assert (status, said) == (2, "")
            assert "pip install 'hoard-git[betterleaks]'" in noted
            return
        assert status == 1
        assert "memory/a.md:3:14: HG201" in said
        assert "memory/a.md:5:20: HG201" in said
        assert not [value for value in values if value[8:] in said + noted]
        report = self.check(workspace, *options, "--json")[1]
        assert {f["line"] for f in json.loads(report)["findings"] if f["code"] == "HG201"} == {3, 5}
        assert not [value for value in values if value[8:] in report]

    def test_a_clean_range_is_clean(self, workspace: Workspace) -> None:
        workspace.commit("x", {"memory/a.md": TAGGED + "- All is well.\n"}, author=workspace.agent)
        status, said, _noted = self.check(workspace, "--range", "HEAD~1..HEAD")
        assert (status, "HG201" in said) == ((0, False) if is_installed() else (2, False))

    @pytest.mark.parametrize("options", [(), ("MEMORY.md",), ("--patch", "x.patch")])
    def test_only_for_changes_in_git(self, workspace: Workspace, options: Sequence[str]) -> None:
        status, said, noted = self.check(workspace, *options)
        assert (status, said) == (2, "")
        assert "--engine betterleaks goes with --staged, --commit or --range" in noted

    def test_absence_is_told_before_anything_is_judged(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "path", [])
        with pytest.raises(HoardError, match="is not installed"):
            SecondEngine()

    def test_its_failure_is_no_clean_report(self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(_program: str, _texts: Sequence[bytes]) -> list[Spot]:
            raise HoardError("betterleaks failed.", "look")

        monkeypatch.setattr(engines, "find_program", lambda: "betterleaks")
        monkeypatch.setattr(engines, "scan_texts", fail)
        workspace.commit("x", {"memory/a.md": TAGGED + "- One.\n"}, author=workspace.agent)
        look: Callable[[], Report] = lambda: judged(workspace, "HEAD~1..HEAD")  # noqa: E731
        with pytest.raises(HoardError, match="betterleaks failed"):
            look()
