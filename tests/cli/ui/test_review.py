"""Reviewing a consolidation in a browser: each action with its texts, one commit of what was accepted, and nothing over what has moved."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

from tests.app.consolidating import DAY, hoard
from tests.cli.ui.visiting import Form, Seen, Visitor
from tests.support.repo import Workspace, run_hoard

Visit = Callable[..., Visitor]

BRANCH = f"hoard/consolidate/{DAY}"
PROPOSAL = f"/review/proposal?name={BRANCH}"
CHAIN = """\
# Memory

## A <!-- src:agent ts:2026-12-01 -->

- Deploys happen on Tuesday after the backup has run
- The office printer is called heron and stands upstairs
- The office printer is called heron and stands upstairs.

## B <!-- src:web ts:2026-01-01 -->

- The library is at version 3
"""


def boxes(page: Seen) -> list[str]:
    """The values of all boxes, ticked or not, in their order."""
    return [value for tag, name, value in page.attributes if tag == "input" and name == "value" and len(value) == 20]


def accepting(form: Form, *chosen: str) -> Form:
    return form._replace(fields={**form.fields, "accept": list(chosen)})


def test_a_plan_shows_every_action_with_its_reason_and_texts_and_writes_nothing(grown: Workspace, visit: Visit) -> None:
    before = grown.snapshot()
    page = visit(grown).see("/review/plan")
    assert f"Plan of {DAY}" in page.text
    assert "Archive: Infrastructure agent MEMORY.md:7 → memory/archive/2026-12-30.md: 208 days old, past its ttl of 90d" in page.text
    assert "− before: MEMORY.md:7–10 ## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->" in page.text
    assert "+ after: memory/archive/2026-12-30.md:3–7 <!-- hoard:archived from:MEMORY.md#infrastructure" in page.text
    assert "Mark stale: Web" in page.text
    assert "One commit on main , by clawd <clawd@agents.example> (agent)" in page.text
    assert len(page.form("/review/apply").fields["accept"]) == 2
    assert grown.snapshot() == before


def test_what_is_accepted_is_one_commit_and_what_is_dropped_stays(grown: Workspace, visit: Visit) -> None:
    visitor, base = visit(grown), grown.head()
    page = visitor.see("/review/plan")
    form = page.form("/review/apply")
    archive = form.fields["accept"][1]
    done = visitor.send(accepting(form._replace(fields={**form.fields, "reason": ["it is old"]}), archive))
    assert "Committed 1 action; 1 dropped." in done.text
    assert f"undo: git revert {grown.head()[:12]}" in done.text
    assert grown.head("HEAD^") == base
    assert grown.line("status", "--short") == ""
    assert "Memory-Reason: it is old\n" in grown.message()
    assert "\u26a0" not in grown.read("MEMORY.md")
    assert "Backups run at 03:30." in grown.read(f"memory/archive/{DAY}.md")
    checked = run_hoard("check", "--range", f"{base}..HEAD", "--strict", cwd=grown, env={"HOARD_DATE": DAY})
    assert checked.returncode == 0, checked.stdout.decode()
    assert "Committed" not in visitor.see("/review").text


def test_what_was_dropped_can_be_archived_later_the_same_day(grown: Workspace, visit: Visit) -> None:
    grown.commit("Learn\n", {"memory/old.md": "# Old <!-- src:web ts:2026-01-01 -->\n\n- The pump is red\n"}, author=Workspace.agent)
    visitor, base = visit(grown), grown.head()
    form = visitor.see("/review/plan").form("/review/apply")
    assert len(form.fields["accept"]) == 3
    for _again in range(3):
        form = visitor.see("/review/plan").form("/review/apply")
        visitor.send(accepting(form, form.fields["accept"][0]))
    assert "There is nothing to do." in visitor.see("/review/plan").text
    archive = grown.read(f"memory/archive/{DAY}.md")
    assert ("Backups run at 03:30." in archive, "The pump is red" in archive) == (True, True)
    checked = run_hoard("check", "--range", f"{base}..HEAD", cwd=grown, env={"HOARD_DATE": DAY})
    assert checked.returncode == 0, checked.stdout.decode()


def test_a_proposal_is_taken_apart_and_its_branch_goes_with_the_commit(grown: Workspace, visit: Visit) -> None:
    hoard(grown)
    tip = grown.head(BRANCH)
    visitor = visit(grown)
    listed = visitor.see("/review")
    assert f"{BRANCH} ready Consolidate memory {DAY}: 1 marked stale, 1 archived" in listed.text
    page = visitor.see(PROPOSAL)
    form = page.form("/review/apply")
    done = visitor.send(accepting(form, form.fields["accept"][0]))
    assert f"Deleted the branch {BRANCH}; to have it back: git branch {BRANCH} {tip[:12]}" in done.text
    assert grown.git("rev-parse", "-q", "--verify", BRANCH, check=False).returncode == 1
    assert "\u26a0" in grown.read("MEMORY.md")


def test_the_branch_stays_when_its_box_is_not_ticked_and_is_then_left_behind(grown: Workspace, visit: Visit) -> None:
    hoard(grown)
    visitor = visit(grown)
    form = visitor.see(PROPOSAL).form("/review/apply")
    part = accepting(form, form.fields["accept"][0])
    visitor.send(part._replace(fields={name: values for name, values in part.fields.items() if name != "close"}))
    assert "moved Consolidate memory" in visitor.see("/review").text
    page = visitor.see(PROPOSAL)
    assert "HEAD has moved on since this proposal was made" in page.text
    assert [form.action for form in page.forms] == ["/search", "/review/drop"]


def test_a_proposal_is_dropped_and_how_to_have_it_back_is_told(grown: Workspace, visit: Visit) -> None:
    hoard(grown)
    tip = grown.head(BRANCH)
    visitor = visit(grown)
    before = grown.head()
    page = visitor.send(visitor.see(PROPOSAL).form("/review/drop"))
    assert f"git branch {BRANCH} {tip[:12]}" in page.text
    assert "None." in page.text
    assert grown.head() == before
    grown.git("branch", BRANCH, tip[:12])
    assert grown.head(BRANCH) == tip


def test_commands_of_a_page_can_be_typed_whatever_the_branch_is_called(grown: Workspace, visit: Visit) -> None:
    hoard(grown)
    name = "hoard/consolidate/a&b'c;#<d>"
    grown.git("branch", "-m", BRANCH, name)
    tip = grown.head(name)
    visitor = visit(grown)
    (link,) = [link for link in visitor.see("/review").links if link.startswith("/review/proposal")]
    text = visitor.send(visitor.see(link).form("/review/drop")).text
    command = text.partition("to have it back: ")[2].partition(" Upkeep")[0]
    subprocess.run(command, shell=True, check=True, cwd=grown.path, timeout=30)
    assert grown.head(name) == tip
    grown.commit("More\n", {"notes.txt": "x\n"})
    command = visitor.see(link).text.partition("Look: ")[2].partition(" Or drop")[0]
    assert command == """hoard diff 'HEAD..hoard/consolidate/a&b'"'"'c;#<d>'"""


def test_a_proposal_that_was_merged_can_only_be_dropped(grown: Workspace, visit: Visit) -> None:
    hoard(grown)
    grown.git("merge", "-q", "--ff-only", BRANCH)
    visitor = visit(grown)
    assert "taken Consolidate memory" in visitor.see("/review").text
    page = visitor.see(PROPOSAL)
    assert "HEAD holds this proposal already" in page.text
    assert [form.action for form in page.forms] == ["/search", "/review/drop"]


def test_a_proposal_that_is_another_one_by_now_is_not_dropped(grown: Workspace, visit: Visit) -> None:
    hoard(grown)
    visitor = visit(grown)
    form = visitor.see(PROPOSAL).form("/review/drop")
    grown.git("branch", "-f", BRANCH, grown.line("commit-tree", "HEAD^{tree}", "-p", BRANCH, "-m", "mine"))
    own = grown.head(BRANCH)
    assert "another one than the page showed" in visitor.send(form, 400).text
    assert grown.head(BRANCH) == own
    page = visitor.see(PROPOSAL)
    assert "Somebody has gone on working on this branch" in page.text
    assert [form.action for form in page.forms] == ["/search"]


def test_a_proposal_that_cannot_be_taken_apart_is_shown_by_its_message(grown: Workspace, visit: Visit) -> None:
    hoard(grown)
    grown.git("checkout", "-q", BRANCH)
    grown.stage({"MEMORY.md": grown.read("MEMORY.md").replace("version 3", "version 4")})
    grown.git("commit", "-q", "--amend", "--no-edit", "--no-verify")
    grown.git("checkout", "-q", "main")
    page = visit(grown).see(PROPOSAL)
    assert "cannot be taken apart here" in page.text
    assert f"git merge --ff-only {BRANCH}" in page.text
    assert "Memory-Op: consolidate" in page.text


def test_head_that_moved_is_told_and_nothing_is_written(grown: Workspace, visit: Visit) -> None:
    visitor = visit(grown)
    form = visitor.see("/review/plan").form("/review/apply")
    grown.commit("More\n", {"notes.txt": "x\n"})
    before = grown.snapshot()
    page = visitor.send(form, 409)
    assert f"HEAD has moved to {grown.head()[:12]} since this plan was made; nothing was changed." in page.text
    assert "/review/plan" in page.links
    assert grown.snapshot() == before


def test_changes_that_are_not_committed_are_told_and_kept(grown: Workspace, visit: Visit) -> None:
    visitor = visit(grown)
    form = visitor.see("/review/plan").form("/review/apply")
    grown.write("MEMORY.md", grown.read("MEMORY.md") + "\n- mine\n")
    before = grown.snapshot()
    assert "not committed; nothing was changed" in visitor.send(form, 400).text
    assert grown.snapshot() == before


def test_nothing_accepted_and_things_that_were_not_on_the_page(grown: Workspace, visit: Visit) -> None:
    visitor = visit(grown)
    form = visitor.see("/review/plan").form("/review/apply")
    before = grown.snapshot()
    assert "Nothing is accepted" in visitor.send(accepting(form), 400).text
    assert "not on its page" in visitor.send(accepting(form, "0" * 20), 400).text
    assert "This review is over" in visitor.send(form._replace(fields={**form.fields, "review": ["x"]}), 400).text
    for reason in ("two\nlines", "x" * 300, "\u202e"):
        assert "one short line" in visitor.send(form._replace(fields={**form.fields, "reason": [reason]}), 400).text
    assert grown.snapshot() == before


def test_the_same_form_does_nothing_twice(grown: Workspace, visit: Visit) -> None:
    visitor = visit(grown)
    form = visitor.see("/review/plan").form("/review/apply")
    visitor.send(form)
    head = grown.head()
    assert "This review is over" in visitor.send(form, 400).text
    assert grown.head() == head


def test_a_part_that_comes_to_something_else_is_shown_again_before_it_is_done(grown: Workspace, visit: Visit) -> None:
    # of three equal entries the last one goes for the sake of the first; MEMORY.md is over its size, so B moves out as well
    facts = "".join(f"- Fact number {n} is long enough to be moved out of here\n" for n in range(400))
    body = (
        CHAIN.partition("## B")[0]
        + f"## B <!-- src:agent ts:2026-11-01 -->\n\n{facts}- Fact number 7 is long enough to be moved out of here.\n"
    )
    grown.commit("Grow\n", {"MEMORY.md": body})
    visitor = visit(grown)
    page = visitor.see("/review/plan")
    form = page.form("/review/apply")
    assert "Move to a topic file: B" in page.text
    dedupes = form.fields["accept"][:-1]
    head = grown.head()
    # without the duplicate taken out of B first, what moves is another text
    again = visitor.send(accepting(form, dedupes[0], form.fields["accept"][-1]), 409)
    assert "Nothing was changed: without what you dropped the plan is another one" in again.text
    assert "Dropped before: it would stay as it is." in again.text
    assert grown.head() == head
    second = again.form("/review/apply")
    assert len(second.fields["accept"]) == 2
    assert len(boxes(again)) == 3
    done = visitor.send(second)
    assert "Committed 2 actions; 1 dropped." in done.text
    assert "401 facts" in grown.read("MEMORY.md")
    checked = run_hoard("check", "--range", f"{head}..HEAD", cwd=grown, env={"HOARD_DATE": DAY})
    assert checked.returncode == 0, checked.stdout.decode()


def test_what_the_gate_refuses_is_told_with_its_findings(grown: Workspace, visit: Visit) -> None:
    facts = "".join(f"- Old fact number {n} of the library\n" for n in range(30))
    grown.commit("Grow\n", {"MEMORY.md": f"# Memory\n\n## B <!-- src:web ts:2026-01-01 -->\n\n{facts}"})
    visitor = visit(grown)
    page = visitor.see("/review/plan")
    assert "a human has to take this. A commit made here would not count as a human's: drop some, or run hoard consolidate" in page.text
    before = grown.snapshot()
    refused = visitor.send(page.form("/review/apply"), 400)
    assert "What the gate found" in refused.text
    assert "HG310" in refused.text
    assert grown.snapshot() == before


def test_promotion_is_planned_when_it_is_asked_for(grown: Workspace, visit: Visit) -> None:
    grown.commit("Log\n", {"memory/2026-12-29.md": "# L\n\n- #remember Ada moves to Rome in May\n"}, author=Workspace.agent)
    visitor = visit(grown)
    assert "Promote:" not in visitor.see("/review/plan").text
    assert "Promote: #remember Ada moves to Rome in May" in visitor.see("/review/plan?promote=1").text


def test_what_is_left_to_a_person_is_listed_with_where_it_stands(grown: Workspace, visit: Visit) -> None:
    grown.commit("Undated\n", {"memory/a.md": "# A\n\n- Nobody knows who said this\n"})
    page = visit(grown).see("/review/plan")
    assert "Left to a person Have no date or no tag (1)" in page.text
    assert "memory/a.md:3 Nobody knows who said this" in page.text
    assert "/file?path=memory/a.md#L3" in page.links


def test_old_reviews_are_forgotten_first(grown: Workspace, visit: Visit) -> None:
    visitor = visit(grown)
    first = visitor.see("/review/plan").form("/review/apply")
    for _again in range(15):
        last = visitor.see("/review/plan").form("/review/apply")
    assert "Nothing is accepted" in visitor.send(accepting(first), 400).text
    visitor.see("/review/plan")
    assert "This review is over" in visitor.send(accepting(first), 400).text
    assert "Nothing is accepted" in visitor.send(accepting(last), 400).text


def test_a_branch_that_cannot_be_deleted_stays_and_the_commit_stands(grown: Workspace, visit: Visit) -> None:
    hoard(grown)
    visitor = visit(grown)
    form, tip = visitor.see(PROPOSAL).form("/review/apply"), grown.head(BRANCH)
    grown.git("worktree", "add", "-q", str(grown.path.parent / "elsewhere"), BRANCH)
    done = visitor.send(form)
    assert "Committed 2 actions." in done.text
    assert f"The branch stays: '{BRANCH}' is checked out, so it stays." in done.text
    assert grown.message().startswith("Consolidate memory")
    assert grown.head(BRANCH) == tip


def test_warnings_of_the_gate_are_told_with_the_commit(grown: Workspace, visit: Visit) -> None:
    grown.policy(grown.read(".hoard.yaml") + "rules: {HG310: warn}\n")
    facts = "".join(f"- Old fact number {n} of the library\n" for n in range(30))
    grown.commit("Grow\n", {"MEMORY.md": f"# Memory\n\n## B <!-- src:web ts:2026-01-01 -->\n\n{facts}"})
    grown.git("config", "user.name", "Ada Example")
    grown.git("config", "user.email", "ada@example.org")
    visitor = visit(grown)
    page = visitor.see("/review/plan")
    assert "by Ada Example <ada@example.org> (human)" in page.text
    assert "would not count as" not in page.text
    assert "Committed 1 action." in visitor.send(page.form("/review/apply")).text


def test_a_log_that_is_packed_or_leaves_the_tree_says_where_it_is(grown: Workspace, visit: Visit) -> None:
    grown.policy(grown.read(".hoard.yaml") + "tiers: {gzip_after: 30d}\n")
    entries = "".join(f"- Looked at pump {n} and wrote its numbers down for later\n" for n in range(80))
    logs = {"memory/2026-05-05.md": f"# L\n\n{entries}", "memory/archive/logs/2026-11-05.md": f"# 2026-11-05\n\n{entries}"}
    grown.commit("Log\n", logs, author=Workspace.agent)
    page = visit(grown).see("/review/plan")
    assert "Packed into memory/archive/logs/2026-11-05.md.gz, which check and search read as well." in page.text
    assert "Put the log away: 2026-05-05" in page.text
    assert "(22 more lines)" in page.text
