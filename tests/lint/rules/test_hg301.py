"""HG301 and HG308: what a change does to a user's content."""

from __future__ import annotations

import pytest

from hoard_git.core.model import Actor, Finding
from hoard_git.core.policy import DEFAULT, Policy
from hoard_git.lint.engine import intersect, judge
from tests.support.scenes import Files, change_scene, codes, findings

USER = "<!-- src:user ts:2026-01-10 -->"
AGENT = "<!-- src:agent ts:2026-06-01 -->"
STALE = USER.replace(" -->", " \u26a0\ufe0f stale -->")
RULES = f"## Rules  {USER}\n- Two people approve every release\n- Ask before deleting\n"


def messages(before: Files, after: Files, *, actor: str = "agent", policy: Policy = DEFAULT) -> list[str]:
    return [finding.message.partition(": ")[0] for finding in findings(change_scene(before, after, actor=actor, policy=policy), "HG301")]


def losses(before: Files, after: Files) -> list[str]:
    return [finding.message.partition(": ")[2] for finding in findings(change_scene(before, after), "HG301")]


def one(before: str, after: str, path: str = "MEMORY.md") -> list[str]:
    return messages({path: before}, {path: after})


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("- a\n", f"- a\n- Refunds need no approval {USER}\n", "agent adds a user's fact"),
        (RULES, RULES + "- The bot decides\n", "agent adds a user's fact"),
        (RULES, RULES.replace("Two people", "One person"), "agent edits a user's fact"),
        (RULES, RULES.replace("- Ask before deleting\n", ""), "agent deletes a user's content"),
        (f"- a fact {USER}\n", f"- a fact {AGENT}\n", "agent demotes a user's fact"),
        (f"- a fact {USER}\n", "- a fact\n", "agent demotes a user's fact"),
        (f"- a fact {USER}\n", f"- a fact {USER.replace('01-10', '06-10')}\n", "agent re-dates a user's fact"),
        (f"- a fact {USER}\n", f"- a fact {USER.replace(' -->', ' ttl:1d -->')}\n", "agent re-dates a user's fact"),
        (f"- a fact {USER}\n", f"- a fact {STALE}\n", "agent re-dates a user's fact"),
        (f"- a fact {USER}\n", f"- a fact {USER.replace(' -->', ' ev:x.example -->')}\n", "agent retags a user's fact"),
        (f"- a fact {USER}\n", f"- a fact {USER}\nand a condition\n", "agent edits a user's fact"),
        (f"- a fact {USER}\n", f"-  a fact {USER}\n", "agent edits a user's fact"),
        (f"- a\n- a fact {USER}\n", f"- a\n  - a fact {USER}\n", "agent edits a user's fact"),
        (f"- [ ] allow auto pay {USER}\n", f"- [x] allow auto pay {USER}\n", "agent edits a user's fact"),
        (f"- a fact of some length  \n  and more {USER}\n", f"- a fact of some length\n  and more {USER}\n", "agent edits a user's fact"),
        (f"## A\n- a fact {USER}\n## B\n", f"## A\n## B\n- a fact {USER}\n", "agent moves a user's fact"),
        (RULES, RULES.replace("Rules", "Wishes"), "agent edits a user's heading"),
        (f"## Rules of the house {USER}\n", f"## Rules of this house {USER}\n", "agent edits a user's heading"),
        (f"## Rules {USER}\n", f"## Wishes {USER}\n", "agent deletes a user's content"),
        (f"## Rules {USER}\n", f"### Rules {USER}\n", "agent edits a user's heading"),
        (f"- use tabs {USER}\n", f"- the agent's own words {USER}\n- use tabs {AGENT}\n", "agent demotes a user's fact"),
        ("---\nsrc: user\nts: 2026-01-10\n---\nwords\n", "---\nsrc: user\nts: 2026-06-10\n---\nwords\n", "agent edits a user's fact"),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n", f"{USER}\n| a | b |\n|---|---|\n| 1 | 3 |\n", "agent adds a user's fact"),
        ("a paragraph\n", f"a paragraph {USER}\nof the user\n", "agent adds a user's fact"),
    ],
)  # fmt: skip
def test_a_non_human_may_not(before: str, after: str, said: str) -> None:
    assert said in one(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (RULES, RULES.replace("\n", "\r\n")),
        (RULES.replace("\n", "\r\n"), RULES),
        (RULES, RULES + "\n\n"),
        (RULES, RULES.rstrip("\n")),
        (RULES, f"## Rules  {USER}\n- Ask before deleting\n- Two people approve every release\n"),
        (RULES, RULES + f"- The build is slow {AGENT}\n"),
        (RULES + f"## Notes {AGENT}\n- a\n", f"## Notes {AGENT}\n- a\n" + RULES),
        (f"## Notes {AGENT}\n- a fact of mine\n", f"## Notes {AGENT}\n- another fact of mine\n"),
        (f"- mine {AGENT}\n- theirs {USER}\n", f"- theirs {USER}\n"),
        (f"## Rules{USER}\n", f"## Rules   {USER}\n"),
    ],
)
def test_what_leaves_a_users_content_as_it_is(before: str, after: str) -> None:
    assert one(before, after) == []


@pytest.mark.parametrize("actor", ["agent", "tool"])
def test_every_non_human_is_meant(actor: str) -> None:
    assert messages({"MEMORY.md": RULES}, {"MEMORY.md": ""}, actor=actor) == [f"{actor} deletes a user's content"]


def test_a_human_may_do_all_of_it() -> None:
    assert messages({"MEMORY.md": RULES}, {"MEMORY.md": "- something else\n"}, actor="human") == []


# ---------------------------------------------------------------- across files


def test_a_heading_may_move_to_another_active_file_with_its_entries() -> None:
    before = {"MEMORY.md": "# M\n" + RULES, "memory/rules.md": "# Rules of all kinds\n"}
    after = {"MEMORY.md": "# M\n", "memory/rules.md": "# Rules of all kinds\n" + RULES}
    assert messages(before, after) == []
    gone = {"MEMORY.md": "# M\n", "memory/rules.md": before["memory/rules.md"]}
    assert messages(before, gone) == ["agent deletes a user's content"]
    assert losses(before, gone) == ["1 heading and 2 facts"]


def test_a_heading_that_moves_without_one_of_its_entries() -> None:
    before = {"MEMORY.md": "# M\n" + RULES, "memory/rules.md": "# R\n"}
    after = {"MEMORY.md": "# M\n- Ask before deleting\n", "memory/rules.md": "# R\n" + RULES.replace("- Ask before deleting\n", "")}
    assert messages(before, after) == ["agent demotes a user's fact"]


def test_a_file_may_be_renamed_within_the_active_memory() -> None:
    text = f"- Ask before deleting {USER}\n- Two people approve {USER}\n"
    assert messages({"memory/rules.md": text}, {"memory/house-rules.md": text}) == []
    assert messages({"memory/rules.md": text}, {"memory/house.md": text.replace("Two", "No")}) == ["agent edits a user's fact"]


def test_a_renamed_file_that_takes_its_default_with_it() -> None:
    assert messages({"SOUL.md": "Be kind.\n"}, {"memory/soul.md": "Be kind.\n"}) == ["agent demotes a user's fact"]
    assert messages({"memory/soul.md": "Be kind.\n"}, {"SOUL.md": "Be kind.\n"}) == ["agent adds a user's fact"]


@pytest.mark.parametrize("target", [None, "notes/user.md", "memory/private/user.md"])
def test_a_file_that_leaves_the_watched_set_is_a_deletion(target: str | None) -> None:
    text = "".join(f"- rule {number} {USER}\n" for number in range(12))
    after = {} if target is None else {target: text}
    found = findings(change_scene({"memory/user.md": text}, after), "HG301")
    assert [(f.message, f.path, f.line, f.end_line) for f in found] == [
        ("agent deletes a file with a user's content: 12 facts", "memory/user.md", 1, 0)
    ]
    assert found[0].hint == "put it back, or let the user commit it: hoard commit --human"


def test_to_the_archive_and_back() -> None:
    here = {"MEMORY.md": "# M\n" + RULES, "memory/archive/2026-06-01.md": "# A\n"}
    there = {"MEMORY.md": "# M\n", "memory/archive/2026-06-01.md": "# A\n" + RULES}
    assert messages(here, there) == ["agent archives a user's heading and 2 facts"]
    assert messages(there, here) == ["agent restores a user's heading and 2 facts"]


# ---------------------------------------------------------------- one act, one finding


def test_forty_entries_of_one_heading_are_one_finding() -> None:
    text = f"# M\n## Rules {USER}\n" + "".join(f"- rule number {number}\n" for number in range(40))
    found = findings(change_scene({"MEMORY.md": text + "## Rest\n- x\n"}, {"MEMORY.md": "# M\n## Rest\n- x\n"}), "HG301")
    assert [(f.message, f.line, f.end_line, f.block) for f in found] == [
        ("agent deletes a user's content: 1 heading and 40 facts", 2, 0, "rules")
    ]
    assert one("# M\n", text) == ["agent adds a user's heading and 40 facts"]
    assert one(text, text.replace("01-10", "06-10")) == ["agent re-dates a user's heading and 40 facts"]
    assert one(text, text.replace(USER, AGENT)) == ["agent demotes a user's heading and 40 facts"]


def test_nested_headings_of_the_user() -> None:
    text = f"## Rules {USER}\n- one rule\n### For releases\n- two rules\n- three rules\n"
    assert losses({"MEMORY.md": "# M\n" + text}, {"MEMORY.md": "# M\n"}) == ["1 heading and 1 fact", "1 heading and 2 facts"]
    found = findings(change_scene({"MEMORY.md": "# M\n"}, {"MEMORY.md": "# M\n" + text}), "HG301")
    assert [(f.message, f.line, f.end_line) for f in found] == [("agent adds a user's heading and 3 facts", 2, 6)]


def test_entries_that_lose_their_files_tag_are_one_finding() -> None:
    text = "---\nsrc: user\nts: 2026-01-10\n---\n" + "".join(f"- rule number {number}\n" for number in range(9))
    found = one(text, text.replace("user", "agent"))
    assert found == ["agent demotes a user's fact and 9 more"]


def test_two_acts_are_two_findings() -> None:
    found = one(RULES, RULES.replace("Two people", "One person").replace("- Ask before deleting\n", ""))
    assert sorted(found) == ["agent deletes a user's content", "agent edits a user's fact"]


def test_what_is_gone_is_named_by_its_heading() -> None:
    before = f"## House rules {AGENT}\n- a fact <!-- src:user ts:2026-01-10 id:k3f9q2 -->\n- b fact {USER}\n"
    found = findings(change_scene({"MEMORY.md": before}, {"MEMORY.md": f"## House rules {AGENT}\n"}), "HG301")
    assert [(finding.block, finding.message.partition(": ")[2]) for finding in found] == [("house-rules", "2 facts")]


# ---------------------------------------------------------------- identity files


@pytest.mark.parametrize("name", ["SOUL.md", "IDENTITY.md", "AGENTS.md", "CLAUDE.md", "BOOTSTRAP.md"])
def test_an_identity_file_without_a_tag_is_the_users(name: str) -> None:
    assert messages({name: "# Who\n- Be kind.\n"}, {name: "# Who\n- Be rude.\n"}) == ["agent edits a user's fact"]
    assert messages({}, {name: "# Who\n- Be kind.\n- Be short.\n"}) == ["agent adds a user's heading and 2 facts"]


@pytest.mark.parametrize("name", ["USER.md", "TOOLS.md", "HEARTBEAT.md"])
def test_what_is_the_agents_passes(name: str) -> None:
    assert messages({name: "# Notes\n- Sam likes tea.\n"}, {name: "# Notes\n- Sam likes coffee.\n- And cake.\n"}) == []


def test_a_tag_or_the_policys_owners_say_otherwise() -> None:
    tagged = f"# Who {AGENT}\n- Be kind.\n"
    assert messages({"SOUL.md": tagged}, {"SOUL.md": tagged + "- Be short.\n"}) == []
    owned = DEFAULT._replace(owners=tuple({**dict(DEFAULT.owners), "SOUL.md": "agent", "USER.md": "user"}.items()))
    assert messages({"SOUL.md": "- a\n"}, {"SOUL.md": "- b\n"}, policy=owned) == []
    assert messages({"USER.md": "- a thing\n"}, {"USER.md": "- a thing\n- b\n"}, policy=owned) == ["agent adds a user's fact"]


def test_an_agent_may_not_make_an_identity_file_its_own() -> None:
    found = messages({"SOUL.md": "# Who\n- Be kind.\n- Be short.\n"}, {"SOUL.md": f"# Who {AGENT}\n- Be kind.\n- Be short.\n"})
    assert found == ["agent demotes a user's heading and 2 facts"]


# ---------------------------------------------------------------- raises are not told twice


def test_a_raise_with_the_same_words_is_hg302s() -> None:
    scene = change_scene({"MEMORY.md": f"- a fact {AGENT}\n"}, {"MEMORY.md": f"- a fact {USER}\n"})
    assert codes(scene, "HG301", "HG302", "HG304") == ["HG302"]


def test_a_raise_with_new_words_is_both() -> None:
    scene = change_scene({"MEMORY.md": f"- a fact here {AGENT}\n"}, {"MEMORY.md": f"- a fact there {USER}\n"})
    assert codes(scene, "HG301", "HG302", "HG304") == ["HG301", "HG302"]


# ---------------------------------------------------------------- merges


def merged(parents: list[Files], result: Files) -> list[str]:
    judgements = [findings(change_scene(parent, result), "HG301") for parent in parents]
    return [finding.message.partition(": ")[0] for finding in intersect(judgements)]


def test_a_merge_is_blamed_for_what_differs_from_every_parent() -> None:
    rules = RULES + "- Backups stay here\n"
    ours, theirs = {"MEMORY.md": "# M\n" + RULES}, {"MEMORY.md": "# M\n" + rules}
    assert merged([ours, theirs], theirs) == []
    assert merged([ours, theirs], {"MEMORY.md": "# M\n" + rules.replace("Two", "No")}) == ["agent edits a user's fact"]
    # Against one parent three facts are gone and against the other two: the act is the same.
    assert merged([ours, theirs], {"MEMORY.md": "# M\n"}) == ["agent deletes a user's content"]
    assert merged([ours, theirs], {}) == ["agent deletes a file with a user's content"]
    # Against one parent a heading with three facts came, against the other one fact.
    added = {"MEMORY.md": "# M\n" + RULES + "- The bot decides\n"}
    assert merged([{"MEMORY.md": "# M\n"}, ours], added) == ["agent adds a user's heading and 3 facts"]
    assert merged([ours, {"MEMORY.md": "# M\n"}], added) == ["agent adds a user's fact"]
    assert merged([{"MEMORY.md": "# M\n"}, ours], ours) == []


# ---------------------------------------------------------------- who speaks, HG301 or HG308

BACK = "put the user's text back (git checkout -p), and add your own entry with src:agent"
SIGNATURE = DEFAULT._replace(authority="signature")


def speak(actor: Actor, policy: Policy) -> list[Finding]:
    scene = change_scene({"MEMORY.md": RULES}, {"MEMORY.md": RULES.replace("Two", "No")}, policy=policy)
    return judge(scene._replace(actor=actor), {"HG301", "HG308"})


def test_an_unproven_human_gets_hg308_and_the_missing_proof() -> None:
    found = speak(Actor("agent", "Ada", "ada@example.org", "human", "sign it: git commit --amend -S"), SIGNATURE)
    assert [(f.code, f.message, f.hint) for f in found] == [
        ("HG308", "an unproven human edits a user's fact", f"{BACK}; sign it: git commit --amend -S")
    ]


@pytest.mark.parametrize(
    ("actor", "policy"),
    [
        (Actor("agent", "clawd", "c@example.org", "agent"), SIGNATURE),
        (Actor("agent", "Ada", "ada@example.org", "human", "unset CLAUDECODE"), DEFAULT),
        (Actor("tool", "sync", "s@example.org", "tool"), DEFAULT),
    ],
)
def test_everyone_else_gets_hg301(actor: Actor, policy: Policy) -> None:
    found = speak(actor, policy)
    assert [f.code for f in found] == ["HG301"]
    assert found[0].hint == BACK + (f"; {actor.why}" if actor.why else ", or let the user commit it: hoard commit --human")


def test_an_identity_file_is_said_to_be_the_users() -> None:
    found = findings(change_scene({"SOUL.md": "- Be kind.\n"}, {"SOUL.md": "- Be rude.\n"}), "HG301")
    assert found[0].hint.startswith(f"SOUL.md counts as the user's (owners: in .hoard.yaml); {BACK}")
    assert findings(change_scene({"MEMORY.md": "# M\n"}, {"MEMORY.md": f"# M\n- Be kind {USER}\n"}), "HG301")[0].hint.startswith(
        "write it as src:agent, or "
    )


def test_a_line_in_the_place_of_another_is_one_finding() -> None:
    before, after = {"MEMORY.md": f"# M\n- Two people approve a release {USER}\n"}, {"MEMORY.md": f"# M\n- Whatever it takes {USER}\n"}
    found = intersect([findings(change_scene(before, after), "HG301")])
    assert [(f.message, f.line) for f in found] == [("agent replaces a user's fact", 2)]
    assert found[0].hint.startswith(BACK)
    # Somebody's merge drops the one while the other stood in the second parent already: the loss is told.
    both = {"MEMORY.md": before["MEMORY.md"] + after["MEMORY.md"].removeprefix("# M\n")}
    told = intersect([findings(change_scene(parent, after), "HG301") for parent in (before, both)])
    assert [f.message for f in told] == ["agent deletes a user's content: 1 fact"]


def test_a_proven_human_gets_neither() -> None:
    assert speak(Actor("human", "Ada", "ada@example.org", "human"), SIGNATURE) == []


UNDER = """# Notes

## %s  <!-- src:agent ts:2026-06-01 -->

- Deploy on Fridays <!-- src:user ts:2026-06-01 -->
- Restart at night
"""


def test_a_heading_that_gives_a_users_fact_another_meaning() -> None:
    found = findings(change_scene({"MEMORY.md": UNDER % "Never do"}, {"MEMORY.md": UNDER % "Always do"}), "HG301")
    assert [(f.line, f.message) for f in found] == [(5, "agent changes what a user's fact stands under")]


def test_nothing_in_the_file_has_to_be_anybody_elses() -> None:
    mine = "## %s\n\n- Deploy on Fridays <!-- src:user ts:2026-06-01 -->\n"
    assert one(mine % "Never do", mine % "Always do") == ["agent changes what a user's fact stands under"]


def test_a_heading_over_the_agents_own_facts_may_be_renamed() -> None:
    before = (UNDER % "Never do").replace(" <!-- src:user ts:2026-06-01 -->", "")
    after = (UNDER % "Always do").replace(" <!-- src:user ts:2026-06-01 -->", "")
    assert codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": after}), "HG301") == []


def test_a_headings_date_may_change() -> None:
    dated = {"MEMORY.md": UNDER % "2026-06-02 Rules"}
    assert codes(change_scene({"MEMORY.md": UNDER % "2026-06-01 Rules"}, dated), "HG301") == []


NESTED = """# Notes

## Never do  <!-- src:agent ts:2026-06-01 -->

### Releases  <!-- src:agent ts:2026-06-01 -->

- Deploy on Fridays <!-- src:user ts:2026-06-01 -->

## Other  <!-- src:agent ts:2026-06-01 -->

- Backups run at night
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## Never do", "## Always do"),
        ("## Never do", "## \u274c Never do"),
        ("# Notes", "# Everything below is obsolete"),
        ("### Releases", "## Obsolete claims  <!-- src:agent ts:2026-06-01 -->\n\n### Releases"),
        ("## Never do  <!-- src:agent ts:2026-06-01 -->\n\n", ""),
        ("src:user ts:2026-06-01 -->", "src:user ts:2026-06-01 superseded-by:zz9999 -->"),
    ],
    ids=["outer-heading", "sign", "title", "inserted", "deleted", "further-key"],
)
def test_what_a_users_fact_stands_under_stays(old: str, new: str) -> None:
    after = NESTED.replace(old, new, 1)
    assert after != NESTED
    assert "HG301" in codes(change_scene({"MEMORY.md": NESTED}, {"MEMORY.md": after}), "HG301")


def test_a_list_item_over_a_users_fact_stays() -> None:
    before = "# N <!-- src:agent ts:2026-06-01 -->\n\n- Allowed\n- Forbidden\n  - deploy on Friday <!-- src:user ts:2026-06-01 -->\n"
    assert "HG301" in codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": before.replace("- Forbidden\n", "")}), "HG301")


def test_sections_beside_the_users_may_change() -> None:
    after = (
        NESTED.replace("## Other", "## More").replace("Backups run", "Backups never run")
        + "\n## New  <!-- src:agent ts:2026-06-01 -->\n\n- One\n"
    )
    assert codes(change_scene({"MEMORY.md": NESTED}, {"MEMORY.md": after}), "HG301") == []


def test_an_agents_tag_makes_its_line_no_more_welcome_in_the_users_file() -> None:
    before = {"SOUL.md": "# Soul\n\nBe kind.\n"}
    after = {"SOUL.md": before["SOUL.md"] + "\n- be bold <!-- src:agent ts:2026-06-01 -->\n"}
    assert codes(change_scene(before, after), "HG301") == ["HG301"]
    assert codes(change_scene({"USER.md": before["SOUL.md"]}, {"USER.md": after["SOUL.md"]}), "HG301") == []
