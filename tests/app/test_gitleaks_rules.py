"""A workspace's own rules for secrets: whose `.gitleaks.toml` counts, what it may extend, and what happens when it cannot be read."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest

from hoard_git.app.check import Report, check_commits, check_staged, check_state, find_range
from hoard_git.app.rulesets import LARGEST
from hoard_git.errors import HoardError
from hoard_git.gitio.opening import open_reader
from tests.app.support import AS_AGENT, AS_HUMAN, june, reader_of
from tests.support.environment import ROOT
from tests.support.repo import POLICY, Workspace, run

TICKET = """\
[[rules]]
id = "acme-ticket"
description = "ACME ticket"
regex = '''acme-(?i)tick-([a-f0-9]{8})'''
keywords = ["acme-"]
"""
LINE = "- The printer takes acme-TICK-00ff12ab.\n"
TAGGED = "# A <!-- src:agent ts:2026-06-05 -->\n\n"
FOUND = "ACME ticket: …(8 characters)"


def password() -> str:
    return f"Maple{random.randrange(1000, 10_000)}!x"


def staged(workspace: Workspace, who: dict[str, str] | None = None) -> Report:
    reader = reader_of(workspace)
    return check_staged(reader, june, {**AS_AGENT, **(who or {})})


def secrets_of(report: Report) -> list[tuple[str, str]]:
    return [(f"{f.path}:{f.line}:{f.column}", f.message) for f in report.findings if f.code == "HG201"]


def own_rules(workspace: Workspace, text: str = TICKET, path: str = ".gitleaks.toml") -> None:
    workspace.commit("Rules", {path: text}, author=workspace.human)


def stage_line(workspace: Workspace, text: str = LINE, path: str = "memory/a.md") -> None:
    workspace.stage({path: TAGGED + text})


class TestWhoseRulesCount:
    def test_the_parents(self, workspace: Workspace) -> None:
        own_rules(workspace)
        stage_line(workspace)

        assert secrets_of(staged(workspace)) == [("memory/a.md:3:31", FOUND)]

    def test_not_those_that_the_change_brings(self, workspace: Workspace) -> None:
        stage_line(workspace)
        workspace.stage({".gitleaks.toml": TICKET})
        assert secrets_of(staged(workspace)) == []

        known = password()
        stage_line(workspace, f"- The db password is {known}\n")
        workspace.stage({".gitleaks.toml": f'[allowlist]\nregexes = ["^{known}$"]\n'})
        assert len(secrets_of(staged(workspace))) == 1

    def test_each_commit_of_a_range_has_its_own(self, workspace: Workspace) -> None:
        before = workspace.head()
        workspace.commit("Early", {"memory/a.md": TAGGED + LINE}, author=workspace.agent)
        own_rules(workspace)
        late = workspace.commit("Late", {"memory/b.md": TAGGED + LINE.replace("00", "01")}, author=workspace.agent)
        workspace.commit("No more", {".gitleaks.toml": None}, author=workspace.human)
        workspace.commit("Free", {"memory/c.md": TAGGED + LINE.replace("00", "02")}, author=workspace.agent)

        reader = open_reader(str(workspace.path), batch=True)
        report = check_commits(reader, find_range(reader, f"{before}..HEAD"), june, "x")

        assert [(f.commit, f.path) for f in report.findings if f.code == "HG201"] == [(late, "memory/b.md")]

    def test_the_work_trees_for_files_as_they_stand(self, workspace: Workspace) -> None:
        workspace.write("memory/a.md", TAGGED + LINE)
        assert secrets_of(check_state(reader_of(workspace), (), june)) == []
        workspace.write(".gitleaks.toml", TICKET)
        assert secrets_of(check_state(reader_of(workspace), (), june)) == [("memory/a.md:3:31", FOUND)]

    def test_each_workspace_has_its_own(self, workspace: Workspace) -> None:
        workspace.commit("Below", {"sub/.hoard.yaml": POLICY, "sub/.gitleaks.toml": TICKET}, author=workspace.human)
        stage_line(workspace)
        stage_line(workspace, path="sub/MEMORY.md")

        assert secrets_of(staged(workspace)) == [("sub/MEMORY.md:3:31", FOUND)]
        assert secrets_of(check_state(reader_of(workspace), (), june)) == [("sub/MEMORY.md:3:31", FOUND)]

    def test_a_file_in_a_directory_without_a_policy_is_none(self, workspace: Workspace) -> None:
        own_rules(workspace, path="memory/.gitleaks.toml")
        stage_line(workspace)

        assert secrets_of(staged(workspace)) == []

    def test_a_workspace_whose_policy_is_just_coming(self, workspace: Workspace) -> None:
        workspace.git("rm", "-q", "--cached", ".hoard.yaml")
        workspace.git("commit", "-q", "--amend", "--no-edit")
        own_rules(workspace)
        stage_line(workspace)
        workspace.stage({".hoard.yaml": POLICY})

        assert secrets_of(staged(workspace)) == [("memory/a.md:3:31", FOUND)]


class TestWhatTheySay:
    def test_a_false_alarm_is_allowed(self, workspace: Workspace) -> None:
        known = password()
        own_rules(workspace, f'[allowlist]\nregexes = ["^{known}$"]\n')
        stage_line(workspace, f"- The db password is {known}\n- The mail password is {password()}\n")

        assert [place for place, _message in secrets_of(staged(workspace))] == ["memory/a.md:4:24"]

    def test_paths_count_for_each_file_even_with_the_same_content(self, workspace: Workspace) -> None:
        own_rules(workspace, TICKET + '[allowlist]\npaths = ["^memory/b"]\n')
        stage_line(workspace, path="memory/b.md")
        stage_line(workspace, path="memory/c.md")

        assert [place for place, _message in secrets_of(staged(workspace))] == ["memory/c.md:3:31"]

    def test_a_description_with_control_characters(self, workspace: Workspace) -> None:
        own_rules(workspace, TICKET.replace('"ACME ticket"', '"a\\u001b[31m\\nb"'))
        stage_line(workspace)

        assert secrets_of(staged(workspace)) == [("memory/a.md:3:31", "aU+001B[31mU+000Ab: …(8 characters)")]


class TestExtending:
    def test_a_file_of_the_same_tree(self, workspace: Workspace) -> None:
        own_rules(workspace, "[extend]\npath = './conf/base.toml'\n")
        workspace.commit("Base", {"conf/base.toml": TICKET}, author=workspace.human)
        workspace.write("conf/base.toml", "not even TOML\n")
        stage_line(workspace)

        assert secrets_of(staged(workspace)) == [("memory/a.md:3:31", FOUND)]

    def test_a_rule_of_the_base_can_be_switched_off(self, workspace: Workspace) -> None:
        workspace.commit("Base", {"base.toml": TICKET}, author=workspace.human)
        own_rules(workspace, "[extend]\npath = 'base.toml'\ndisabledRules = ['acme-ticket']\n")
        stage_line(workspace)

        assert secrets_of(staged(workspace)) == []

    def test_below_a_workspace_in_a_subdirectory(self, workspace: Workspace) -> None:
        files = {"sub/.hoard.yaml": POLICY, "sub/.gitleaks.toml": "[extend]\npath = 'base.toml'\n", "sub/base.toml": TICKET}
        workspace.commit("Below", {**files, "base.toml": "no rules\n"}, author=workspace.human)
        stage_line(workspace, path="sub/MEMORY.md")

        assert secrets_of(staged(workspace)) == [("sub/MEMORY.md:3:31", FOUND)]

    @pytest.mark.parametrize("path", ["/etc/base.toml", "../base.toml", "a/../../base.toml", "~/base.toml", ".", "C:/base.toml", "a\\\\b"])
    def test_nothing_outside(self, workspace: Workspace, path: str) -> None:
        own_rules(workspace, f'[extend]\npath = "{path}"\n')
        stage_line(workspace)

        with pytest.raises(HoardError, match="does not lead to a file below the workspace"):
            staged(workspace)

    def test_no_ring_and_no_tower(self, workspace: Workspace) -> None:
        own_rules(workspace, "[extend]\npath = '0.toml'\n")
        workspace.commit("Tower", {f"{n}.toml": f"[extend]\npath = '{n + 1}.toml'\n" for n in range(5)}, author=workspace.human)
        stage_line(workspace)
        with pytest.raises(HoardError, match="over more than 4 files"):
            staged(workspace)
        workspace.commit("Ring", {"0.toml": "[extend]\npath = '.gitleaks.toml'\n", "memory/a.md": None}, author=workspace.human)
        stage_line(workspace)
        with pytest.raises(HoardError, match="in a ring"):
            staged(workspace)

    def test_not_from_another_workspace(self, workspace: Workspace) -> None:
        workspace.commit("Below", {"sub/.hoard.yaml": POLICY, "sub/base.toml": TICKET}, author=workspace.human)
        own_rules(workspace, "[extend]\npath = 'sub/base.toml'\n")
        stage_line(workspace)

        with pytest.raises(HoardError, match="lies in another workspace"):
            staged(workspace)


BAD: dict[str, tuple[str | bytes, str]] = {
    "toml": ("x = = 1\n", ".gitleaks.toml:1 (in commit "),
    "regex": (TICKET + "\n[[rules]]\nid = 'letters'\nregex = '''\\pL+'''\n", ".gitleaks.toml:7 (in commit "),
    "key": (TICKET + "shiny = 1\n", "in rule acme-ticket: shiny"),
    "text for a list": (TICKET + "[allowlist]\nregexes = 'abc'\n", "'regexes' is not a list of texts"),
    "letters of an allowlist": (TICKET + "[[rules.allowlists]]\nstopwords = 'abc'\n", "'stopwords' is not a list of texts"),
    "number in a list": ("[extend]\ndisabledRules = [1]\n", "'disabledRules' is not a list of texts"),
    "rules that are none": ("rules = 3\n", "'rules' is not a list of tables"),
    "inline rules": ("rules = [{id = 'r', regex = '(x'}]\n", ".gitleaks.toml (in commit "),
    "number for a text": ("[[rules]]\nid = 3\nregex = 'x'\n", "'id' is not a text"),
    "text for a number": (TICKET + "secretGroup = '1'\n", "'secretGroup' is not a number in rule acme-ticket"),
    "text for an entropy": (TICKET + "entropy = '1'\n", "'entropy' is not a number in rule acme-ticket"),
    "text for a switch": ("[extend]\nuseDefault = 'no'\n", "'useDefault' is not true or false"),
    "unknown condition": (TICKET + "[allowlist]\ncondition = 'XOR'\nregexes = ['x']\n", "unknown condition"),
    "deep": ("a = " + "[" * 5000 + "\n", "not valid TOML"),
    "missing base": ("[extend]\npath = 'gone.toml'\n", "gone.toml (in commit "),
    "control characters": ("[[rules]]\nid = \"a\\u001b[2J\"\nregex = '(x'\n", "the regex of a\\x1b[2J"),
    "large": ("#" * LARGEST + "#\n", "larger than 512 KB"),
    "latin": (b"title = '\xff'\n", "is not UTF-8"),
    "url": ("[extend]\nurl = 'https://rules.example'\n", "which is not read from here"),
}


class TestTrouble:
    @pytest.mark.parametrize("name", list(BAD))
    def test_the_message_names_file_line_and_rule(self, workspace: Workspace, name: str) -> None:
        text, said = BAD[name]
        workspace.commit("Rules", {".gitleaks.toml": text}, author=workspace.human)
        stage_line(workspace, "- Fine.\n")

        with pytest.raises(HoardError) as caught:
            staged(workspace)
        assert said in caught.value.message
        assert caught.value.message.isprintable()
        assert "hoard check" in caught.value.hint or "git add" in caught.value.hint
        assert caught.value.exit_status == 2

    def test_a_commit_that_brings_a_bad_file_is_stopped_at_once(self, workspace: Workspace) -> None:
        workspace.stage({".gitleaks.toml": "x = = 1\n"})
        with pytest.raises(HoardError, match="not valid TOML"):
            staged(workspace, AS_HUMAN)

    def test_a_human_can_mend_it(self, workspace: Workspace) -> None:
        own_rules(workspace, "x = = 1\n")
        workspace.stage({".gitleaks.toml": TICKET})

        assert [f.code for f in check_staged(reader_of(workspace), june, {}).findings] == []

    def test_a_link_is_no_file(self, workspace: Workspace) -> None:
        (workspace.path / ".gitleaks.toml").symlink_to("MEMORY.md")
        workspace.git("add", "-A")
        workspace.git("commit", "-qm", "Link")
        stage_line(workspace)

        with pytest.raises(HoardError, match="not a regular file"):
            staged(workspace)
        with pytest.raises(HoardError, match="symlink"):
            check_state(reader_of(workspace), (), june)

    def test_the_command_line(self, workspace: Workspace) -> None:
        own_rules(workspace, "x = = 1\n")
        stage_line(workspace)
        done = run([sys.executable, "-m", "hoard_git", "check", "--staged"], cwd=workspace, env={"PYTHONPATH": str(ROOT)})

        assert done.returncode == 2
        assert b".gitleaks.toml:1 (in commit" in done.stderr
        assert b"next: " in done.stderr


class TestProtection:
    @pytest.mark.parametrize("path", [".gitleaks.toml", "sub/.gitleaks.toml", "sub/deep/.GitLeaks.toml"])
    def test_agents_leave_the_file_alone(self, workspace: Workspace, path: str) -> None:
        workspace.commit("Below", {"sub/.hoard.yaml": POLICY}, author=workspace.human)
        commit = workspace.commit("Rules", {path: "[extend]\nuseDefault = false\n"}, author=workspace.agent)
        reader = open_reader(str(workspace.path), batch=True)

        assert [(f.code, f.path) for f in check_commits(reader, [reader.resolve(commit)], june, "x").findings] == [("HG307", path)]

    def test_and_what_it_extends(self, workspace: Workspace) -> None:
        workspace.commit("Base", {"conf/base.toml": TICKET, "conf/other.toml": ""}, author=workspace.human)
        own_rules(workspace, "[extend]\npath = 'conf/base.toml'\n")
        commit = workspace.commit("Softer", {"conf/base.toml": "", "conf/other.toml": "x = 1\n"}, author=workspace.agent)
        reader = open_reader(str(workspace.path), batch=True)

        report = check_commits(reader, [reader.resolve(commit)], june, "x")
        assert [(f.code, f.path) for f in report.findings] == [("HG307", "conf/base.toml")]


HOOK = """\
import sys
sys.path.insert(0, {root!r})
from hoard_git.cli.hook import main
status = main(["pre-commit"])
print(status, *(name in sys.modules for name in ("hoard_git.app.rulesets", "hoard_git.core.secrets.gitleaks", "tomllib")))
"""


class TestTheHook:
    def hook(self, workspace: Workspace) -> list[str]:
        done = run(
            [sys.executable, "-I", "-S", "-c", HOOK.format(root=str(ROOT))], cwd=workspace, env={**AS_AGENT, "HOARD_DATE": "2026-06-10"}
        )
        return done.stdout.decode().splitlines()

    def test_loads_nothing_without_the_file_and_little_with_it(self, workspace: Workspace) -> None:
        stage_line(workspace)
        self.hook(workspace)  # keeps a copy of the policy, which needs ruamel.yaml
        assert self.hook(workspace)[-1] == "0 False False False"

        workspace.git("rm", "-q", "-f", "memory/a.md")
        own_rules(workspace)
        stage_line(workspace)
        first, again = self.hook(workspace), self.hook(workspace)
        assert (first[-1], again[-1]) == ("1 True True True", "1 True False False")
        assert first[:-1] == again[:-1]

    def test_the_copy_knows_what_it_was_made_of(self, workspace: Workspace) -> None:
        workspace.commit("Base", {"base.toml": TICKET}, author=workspace.human)
        own_rules(workspace, "[extend]\npath = 'base.toml'\n")
        stage_line(workspace)
        assert FOUND in self.hook(workspace)[0]
        workspace.git("rm", "-q", "-f", "memory/a.md")
        workspace.commit("Base", {"base.toml": TICKET.replace("ACME ticket", "Ticket")}, author=workspace.human)
        stage_line(workspace)
        assert " Ticket: " in self.hook(workspace)[0]

    def test_a_damaged_copy_is_made_anew(self, workspace: Workspace) -> None:
        own_rules(workspace)
        stage_line(workspace)
        first = self.hook(workspace)
        copies = list(Path(workspace.path, ".git/hoard").glob("rules-*"))
        assert len(copies) == 1
        for rubbish in (b"", b"rubbish", copies[0].read_bytes()[:-5]):
            copies[0].write_bytes(rubbish)
            assert self.hook(workspace)[0] == first[0]
