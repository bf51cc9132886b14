"""What commits come to together: the net result of a range, and the ends that a range may have."""

from __future__ import annotations

import pytest

from hoard_git.app.check import Report, check_commits, find_range
from hoard_git.app.netresult import ends_of_range
from hoard_git.app.rangecheck import find_arrival, read_trusted
from hoard_git.core.model import Oid
from hoard_git.gitio.opening import open_reader
from tests.app.support import AS_AGENT, AS_HUMAN, june
from tests.support.repo import MEMORY, POLICY, Workspace, run_hoard

FACT = "- The newsletter goes out on Tuesdays.\n"


def judged(workspace: Workspace, revisions: str) -> Report:
    reader = open_reader(str(workspace.path), batch=True)
    return check_commits(reader, find_range(reader, revisions), june, revisions, ends=ends_of_range(reader, revisions))


def errors(report: Report) -> list[tuple[str, str]]:
    return [(finding.commit, finding.code) for finding in report.findings if finding.severity == "error"]


def together(report: Report) -> list[str]:
    return [f"{f.path}:{f.line} {f.code} {f.severity}" for f in report.findings if f.message.startswith("all commits together: ")]


def agent(workspace: Workspace, text: str, message: str = "Write\n") -> str:
    return workspace.commit(message, {"MEMORY.md": text}, env=AS_AGENT)


def parted(workspace: Workspace) -> str:
    """A side branch without the user's newest fact, which main has; returns the commit of that fact."""
    workspace.git("branch", "side")
    fact = workspace.commit("A fact\n", {"MEMORY.md": MEMORY.replace(FACT, FACT + "- The door code is on the card.\n")}, env=AS_HUMAN)
    workspace.git("checkout", "-q", "side")
    workspace.commit("Side\n", {"notes.txt": "x\n"}, env=AS_AGENT)
    workspace.git("checkout", "-q", "main")
    return fact


class TestNet:
    def test_a_merge_that_keeps_the_side_without_the_users_fact(self, workspace: Workspace) -> None:
        fact = parted(workspace)
        tree = workspace.line("rev-parse", "side^{tree}")
        merge = workspace.git("commit-tree", tree, "-p", "HEAD", "-p", "side", "-m", "merge", env=AS_AGENT).stdout.decode().strip()
        workspace.git("update-ref", "refs/heads/main", merge)

        report = judged(workspace, f"{fact}..main")
        assert {commit for commit, _code in errors(report)} == {merge}
        assert together(report) in ([], ["MEMORY.md:7 HG301 error"])  # told once, by the merge's own rule or by the net result

    def test_a_clean_merge_passes(self, workspace: Workspace) -> None:
        fact = parted(workspace)
        workspace.git("merge", "-q", "--no-ff", "-m", "merge", "side", env=AS_AGENT)

        assert errors(judged(workspace, f"{fact}..main")) == []

    def test_what_a_commit_was_told_is_not_told_again(self, workspace: Workspace) -> None:
        start = workspace.head()
        bad = agent(workspace, MEMORY.replace(FACT, ""))
        agent(workspace, MEMORY.replace(FACT, "") + "- More.\n")

        report = judged(workspace, f"{start}..HEAD")
        assert errors(report) == [(bad, "HG301")]
        assert together(report) == []

    def test_what_a_human_did_on_the_way_is_theirs(self, workspace: Workspace) -> None:
        start = workspace.head()
        agent(workspace, MEMORY + "- Disks are checked weekly.\n")
        workspace.commit(
            "Out\n", {"MEMORY.md": MEMORY.replace(FACT, "- It goes out on Fridays.\n") + "- Disks are checked weekly.\n"}, env=AS_HUMAN
        )
        agent(workspace, MEMORY.replace(FACT, "- It goes out on Fridays.\n"))

        assert errors(judged(workspace, f"{start}..HEAD")) == []

    def test_a_human_takes_a_fact_back_and_an_agent_goes_on(self, workspace: Workspace) -> None:
        start = workspace.head()
        workspace.commit("Retag\n", {"MEMORY.md": MEMORY.replace("src:user", "src:agent")}, env=AS_HUMAN)
        agent(workspace, MEMORY.replace("src:user", "src:agent").replace(FACT, "- Nothing is sent.\n"))

        assert errors(judged(workspace, f"{start}..HEAD")) == []

    def test_a_person_who_was_listed_on_the_way(self, workspace: Workspace) -> None:
        start = workspace.head()
        bob = "Bob Other <bob@example.org>"
        workspace.policy(POLICY + "  - {name: Bob Other, kind: human, emails: [bob@example.org]}\n")
        workspace.commit("Out\n", {"MEMORY.md": MEMORY.replace(FACT, "")}, author=bob)

        assert errors(judged(workspace, f"{start}..HEAD")) == []

    def test_a_slow_bleed_is_warned_about(self, workspace: Workspace) -> None:
        facts = [f"- Machine {n} stands in room {n * 3}.\n" for n in range(40)]
        start = agent(workspace, MEMORY + "".join(facts))
        for count in (34, 28, 23):
            agent(workspace, MEMORY + "".join(facts[:count]))

        report = judged(workspace, f"{start}..HEAD")
        assert errors(report) == []
        assert together(report) == ["MEMORY.md:0 HG310 warn"]

    def test_nothing_before_the_policy(self, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "--orphan", "old")
        workspace.git("rm", "-rfq", ".")
        start = workspace.commit("Old\n", {"MEMORY.md": MEMORY}, env=AS_HUMAN)
        workspace.commit("Old\n", {"MEMORY.md": MEMORY.replace(FACT, "")}, env=AS_AGENT)
        workspace.policy(POLICY)

        assert together(judged(workspace, f"{start}..HEAD")) == []

    def test_a_policy_that_was_broken_before(self, workspace: Workspace) -> None:
        workspace.policy("version: [\n")
        start = workspace.head()
        workspace.policy(POLICY)
        agent(workspace, MEMORY.replace(FACT, ""))

        assert [code for _commit, code in errors(judged(workspace, f"{start}..HEAD"))] == ["HG301"]


class TestEnds:
    def test_ranges_without_a_beginning(self, workspace: Workspace) -> None:
        reader = open_reader(str(workspace.path))
        zero = "0" * 40
        for text in ("HEAD", f"{zero}..HEAD", f"HEAD..{zero}", "HEAD..HEAD", "HEAD...HEAD"):
            assert ends_of_range(reader, text).net is None

    def test_unrelated_histories_have_no_net_result(self, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "--orphan", "other")
        workspace.commit("Other\n", {"x": "x"})
        assert ends_of_range(open_reader(str(workspace.path)), "main..other").net is None

    def test_an_annotated_tag_is_its_commit(self, workspace: Workspace) -> None:
        start = workspace.head()
        bad = agent(workspace, MEMORY.replace(FACT, ""))
        workspace.git("tag", "-a", "-m", "t", "v1")
        assert errors(judged(workspace, f"{start}..v1")) == [(bad, "HG301")]

    def test_a_rewritten_branch_is_compared_from_where_they_part(self, workspace: Workspace) -> None:
        agent(workspace, MEMORY + "- Old end.\n")
        old = workspace.head()
        workspace.git("reset", "-q", "--hard", "HEAD~1")
        agent(workspace, MEMORY + "- New end.\n")
        assert errors(judged(workspace, f"{old}..HEAD")) == []

    def test_the_command_line_tells_it(self, workspace: Workspace) -> None:
        facts = [f"- Machine {n} stands in room {n * 3}.\n" for n in range(40)]
        start = agent(workspace, MEMORY + "".join(facts))
        for count in (34, 28, 23):
            agent(workspace, MEMORY + "".join(facts[:count]))
        done = run_hoard("--date", "2026-06-15", "check", "--range", f"{start}..HEAD", cwd=workspace)
        assert done.returncode == 0
        assert b"HG310 warning: all commits together: 17 of 44 entries leave" in done.stdout


class TestArrival:
    def test_dates_that_run_backwards(self, workspace: Workspace) -> None:
        workspace.git("checkout", "-q", "-b", "side")
        side = workspace.commit("Side\n", {"s": "s"}, env=_at(1_700_000_000))
        workspace.git("checkout", "-q", "main")
        for number in range(12):
            workspace.commit("Main\n", {"m": str(number)}, env=_at(1_600_000_000 + number))
        workspace.git("merge", "-q", "--no-ff", "-m", "merge", "side", env=_at(1_500_000_000))
        known = workspace.head()
        workspace.git("checkout", "-q", side)
        new = workspace.commit("New\n", {"n": "n"}, env=_at(1_400_000_000))

        reader = open_reader(str(workspace.path), batch=True)
        assert list(find_arrival(reader, _oid(new), [_oid(known)], None, "").fresh) == [new]

    def test_branches_vouch_only_with_the_same_policy(self, workspace: Workspace) -> None:
        main = workspace.head()
        workspace.git("checkout", "-q", "-b", "side")
        side = workspace.commit("Side\n", {"s": "s"}, env=AS_AGENT)
        workspace.git("checkout", "-q", "--detach")
        new = workspace.commit("New\n", {"n": "n"}, env=AS_AGENT)
        reader = open_reader(str(workspace.path), batch=True)
        trusted = read_trusted(reader, [_oid(main)])

        arrival = find_arrival(reader, _oid(new), [_oid(main)], trusted, "refs/heads/")
        assert (list(arrival.fresh), list(arrival.beside)) == ([new], [side])
        assert set(find_arrival(reader, _oid(new), [_oid(main)], None, "refs/heads/").fresh) == {side, new}
        workspace.git("checkout", "-q", "side")
        workspace.policy(POLICY + "rules: {HG101: warn}\n")
        workspace.policy(POLICY)
        again = workspace.commit("Newer\n", {"n": "n"}, env=AS_AGENT)
        workspace.git("checkout", "-q", "--detach")
        workspace.git("branch", "-f", "side", "HEAD~1")
        fresh = find_arrival(reader, _oid(again), [_oid(main)], trusted, "refs/heads/").fresh
        assert len(fresh) == 4


def _at(seconds: int) -> dict[str, str]:
    return {**AS_AGENT, "GIT_AUTHOR_DATE": f"{seconds} +0000", "GIT_COMMITTER_DATE": f"{seconds} +0000"}


def _oid(text: str) -> Oid:
    return Oid(text)


def criss_cross(workspace: Workspace) -> str:
    """Main and side, each with a change of the user's and then with the other's merged in: two best common ancestors. The tip of main."""
    said = {f"memory/{name}.md": f"- The {name} tea is at four <!-- src:user ts:2026-06-01 -->\n" for name in ("green", "black")}
    workspace.commit("Say\n", said)
    workspace.git("branch", "side")
    one = workspace.commit("Main\n", {"memory/green.md": said["memory/green.md"].replace("four", "five")})
    workspace.git("checkout", "-q", "side")
    two = workspace.commit("Side\n", {"memory/black.md": said["memory/black.md"].replace("four", "six")})
    workspace.git("merge", "-q", "--no-edit", one, env=AS_AGENT)
    workspace.git("checkout", "-q", "main")
    workspace.git("merge", "-q", "--no-edit", two)
    assert sorted(workspace.line("merge-base", "--all", "main", "side").split("\n")) == sorted((one, two))
    old = workspace.head()
    workspace.git("checkout", "-q", "side")
    return old


@pytest.mark.parametrize("dots", ["..", "..."])
def test_what_both_sides_of_a_criss_cross_have_is_no_news(workspace: Workspace, dots: str) -> None:
    old = criss_cross(workspace)
    new = workspace.commit("Add\n", {"memory/a.md": "- A fact <!-- src:agent ts:2026-06-15 -->\n"}, author=workspace.agent)
    reader = open_reader(str(workspace.path), batch=True)
    text = f"{old}{dots}{new}"
    report = check_commits(reader, find_range(reader, text), june, text, ends=ends_of_range(reader, text))
    assert [f.message for f in report.findings if f.code in ("HG301", "HG302", "HG307")] == []
    merged = workspace.line("rev-list", "--count", f"{old}..{new}")
    assert report.commits == int(merged)


def test_what_neither_side_of_a_criss_cross_has_is_found(workspace: Workspace) -> None:
    old = criss_cross(workspace)
    text = workspace.read("memory/black.md").replace("at six", "at seven")
    new = workspace.commit("Change\n", {"memory/black.md": text}, author=workspace.agent)
    reader = open_reader(str(workspace.path), batch=True)
    report = check_commits(reader, find_range(reader, f"{old}..{new}"), june, "", ends=ends_of_range(reader, f"{old}..{new}"))
    assert "HG301" in {f.code for f in report.findings}
