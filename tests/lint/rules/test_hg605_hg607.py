"""What identity files must not keep: days gone by, names of the archive, contradictions, and instructions in SOUL.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from hoard_git.core.policy import DEFAULT
from hoard_git.lint.scene import NoLookup
from tests.support.scenes import Files, change_scene, findings, state_scene


class Standing(NoLookup):
    """Files that a change leaves alone."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files

    def texts(self, paths: Sequence[str]) -> Mapping[str, bytes]:
        return {path: self.files[path].encode() for path in paths if path in self.files}


def said(files: Files, code: str) -> list[tuple[str, int]]:
    return [(f.path, f.line) for f in findings(state_scene(files), code)]


def brought(before: Files, after: Files, code: str, others: Mapping[str, str] = {}) -> list[tuple[str, int]]:
    return [(f.path, f.line) for f in findings(change_scene(before, after, lookup=Standing(others)), code)]


# -------------------------------------------------------------------- HG605, today is 2026-06-15


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("- Freeze deploys until 2026-03-17.", False),
        ("- Freeze deploys until 2026-03-16.", True),
        ("- Freeze deploys until 2026-09-01.", False),
        ("- Freeze deploys until 2025-12-31.", True),
        ("- The report is **due** by the 2025-11-01", True),
        ("- Deadline: 2025-11-01", True),
        ("- Urlaub bis 2025-11-01", True),
        ("- \u622a\u6b62 2025-11-01", True),
        ("- Decided on 2025-11-01: two people approve.", False),
        ("- *Updated: 2025-11-01*", False),
        ("- until further notice (2025-11-01)", True),
        ("- until there is word from all of them in 2025-11-01", False),
        ("- see `memory/2025-11-01.md`", False),
        ("- until 2025-13-01", False),
        ("- until 2025-11-011", False),
        ("- unremitting until 2031-01-01", False),
        ("```\n- until 2025-11-01\n```", False),
    ],
)
def test_a_day_to_come_that_is_gone(line: str, found: bool) -> None:
    assert bool(said({"AGENTS.md": f"# Rules\n\n{line}\n"}, "HG605")) is found


def test_the_message_and_the_grace() -> None:
    (finding,) = findings(state_scene({"SOUL.md": "x until 2026-03-16\n"}), "HG605")
    assert finding.message == "speaks of 2026-03-16 as a day to come, and that was 91 days ago"
    assert (finding.severity, finding.line, finding.column) == ("info", 1, 9)


def test_only_identity_files_and_only_as_they_stand() -> None:
    line = "- freeze until 2025-11-01\n"
    assert said({"MEMORY.md": line, "memory/a.md": line, "HEARTBEAT.md": line}, "HG605") == []
    assert brought({}, {"SOUL.md": line}, "HG605") == []


PEOPLE = "# User\n\n## People\n\n- **Mia Stone**: signs contracts\n- Boss: approves\n- weekly mail\n"
GONE = "- Mia Stone left <!-- src:agent ts:2025-01-01 -->\n- the weekly mail\n- Boss\n"


def test_a_name_that_only_the_archive_knows() -> None:
    archive = {"memory/archive/2026-01-01.md": GONE}
    assert said({"USER.md": PEOPLE, **archive}, "HG605") == [("USER.md", 5), ("USER.md", 6)]
    assert said({"USER.md": PEOPLE}, "HG605") == []
    active = {"memory/team.md": "- Mia Stone and the boss are in Lyon\n"}
    assert said({"USER.md": PEOPLE, **archive, **active}, "HG605") == []
    assert said({"USER.md": PEOPLE.replace("People", "Tone"), **archive}, "HG605") == []


# -------------------------------------------------------------------- HG606


@pytest.mark.parametrize(
    ("soul", "identity", "found"),
    [
        ("Name: Quill", "- **Name:** Feather", True),
        ("**Name:** Quill", "- **Name:** quill", False),
        ("Name: Quill", "- **Name:** Quill (Lab)", False),
        ("Name: Quill", "- **Name:**", False),
        ("Name: Quill", "- **Name:** *(pick one)*", False),
        ("Name: Quill", "- **Name:** TBD", False),
        ("Pronouns: it/its", "- **Pronouns:** she/her", True),
        ("Emoji: \U0001f98a", "- **Emoji:** \U0001f981", True),
        ("Emoji: \U0001f98a", "- **Emoji:** \U0001f98a", False),
        ("Vibe: calm", "- **Vibe:** direct", False),
        ("The name: Quill", "- **Name:** Feather", False),
    ],
)
def test_facts_that_have_one_value(soul: str, identity: str, found: bool) -> None:
    files = {"SOUL.md": f"# Soul\n\n{soul}\n", "IDENTITY.md": f"# Identity\n\n{identity}\n"}
    assert said(files, "HG606") == ([("SOUL.md", 3)] if found else [])


def test_the_user_is_not_the_agent() -> None:
    assert said({"IDENTITY.md": "- Name: Quill\n", "USER.md": "- Name: Mia\n- Timezone: Europe/Paris\n"}, "HG606") == []
    assert said({"USER.md": "- **Timezone:** Europe/Paris\n", "TOOLS.md": "- Time zone: Asia/Tokyo\n"}, "HG606") == [("USER.md", 1)]
    assert said({"USER.md": "- **Timezone:** Asia/Taipei (GMT+8)\n", "TOOLS.md": "- Timezone: Asia/Taipei\n"}, "HG606") == []


RULE = "## Mail\n\n- Summary mails {}go to the whole team every Friday\n"


def test_rules_that_cannot_both_be_kept() -> None:
    files = {"AGENTS.md": RULE.format(""), "SOUL.md": RULE.format("do not ")}
    (finding,) = findings(state_scene(files), "HG606")
    assert finding.severity == "warn"
    assert finding.message.startswith("contradicts ")
    assert said({"AGENTS.md": RULE.format("") + RULE.format("do not ").split("\n", 2)[2]}, "HG606") == [], (
        "one file is HG604's kind of thing"
    )
    assert said({"AGENTS.md": RULE.format(""), "MEMORY.md": RULE.format("do not ")}, "HG606") == []


def test_a_change_is_compared_with_the_files_that_it_leaves_alone() -> None:
    others = {"IDENTITY.md": "- **Name:** Quill\n", "AGENTS.md": RULE.format("")}
    assert brought({}, {"SOUL.md": "Name: Feather\n"}, "HG606", others) == [("SOUL.md", 1)]
    assert brought({"SOUL.md": "Name: Feather\n"}, {"SOUL.md": "Name: Feather\nCalm.\n"}, "HG606", others) == []
    assert brought({}, {"SOUL.md": RULE.format("do not ")}, "HG606", others) == [("SOUL.md", 3)]
    assert brought({}, {"memory/a.md": "Name: Feather\n"}, "HG606", others) == []


# -------------------------------------------------------------------- HG607


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("- run `git pull --rebase` first", "a command"),
        ("- `$ npm run build`", "a command"),
        ("```sh\ncurl -s https://example.org\n```", "a command"),
        ("- at `15 3 * * 1-5`: 15 3 * * 1-5 means", "a schedule"),
        ("- look every 30 minutes", "a schedule"),
        ("- the NAS is 10.0.0.7", "a machine's address"),
        ("- ask localhost:8080", "a machine's address"),
        ("- keys lie in ~/keys/mail", "a path outside the workspace"),
        ("- see /etc/hosts", "a path outside the workspace"),
        ("- Check the file. Run the command. Then answer.", ""),
        ("- Make tools work (curl and spite)", ""),
        ("- notes in `memory/books.md`, not `git`", ""),
        ("- version 1.2.3.4.5 and 24/7, 5:1 rule, 9/10", ""),
        ("- every day is new, every 5 people smile", ""),
        ("- never `rm -rf` anything", ""),
        ("- he/him, and/or, https://example.org/etc/x", ""),
        ("```\n> That worked.\n```", ""),
    ],
)
def test_what_is_an_operating_instruction(line: str, what: str) -> None:
    files = {"SOUL.md": f"# Soul\n\n{line}\n"}
    assert [f.message for f in findings(state_scene(files), "HG607")] == ([f"holds operating instructions: {what}"] if what else [])
    assert said({"AGENTS.md": f"# Rules\n\n{line}\n", "MEMORY.md": line + "\n"}, "HG607") == []


def test_one_finding_a_heading() -> None:
    text = "# Soul\n\nBe kind.\n\n## A\n\n- `git push origin`\n- every 5 minutes\n- `git log -1`\n\n## B\n\n- ~/x\n"
    found = findings(state_scene({"SOUL.md": text}), "HG607")
    assert [(f.line, f.message.partition(": ")[2]) for f in found] == [
        (7, "a command, a schedule on 3 lines under this heading"),
        (13, "a path outside the workspace"),
    ]
    assert brought({"SOUL.md": text}, {"SOUL.md": text + "- Be brief.\n"}, "HG607") == []
    assert brought({"SOUL.md": text}, {"SOUL.md": text + "- `npm install left`\n"}, "HG607") == [("SOUL.md", 14)]


def test_a_contradiction_within_one_file_or_without_rules_is_none() -> None:
    both = RULE.format("") + RULE.format("do not ").split("\n", 2)[2]
    others = {"AGENTS.md": "# Agents\n\nBe kind.\n"}
    assert brought({}, {"SOUL.md": both}, "HG606", others) == []
    assert brought({"SOUL.md": "# Soul\n\nCalm.\n"}, {"SOUL.md": "# Soul\n"}, "HG606", {"AGENTS.md": RULE.format("")}) == []


def test_identity_files_in_a_folder_are_loaded_by_nobody() -> None:
    policy = DEFAULT._replace(
        globs=tuple((name, ("*.md", "people/*.md") if name == "identity" else globs) for name, globs in DEFAULT.globs)
    )
    files = {"people/SOUL.md": "Name: Feather\n", "people/IDENTITY.md": "- **Name:** Quill\n"}
    assert findings(state_scene(files, policy=policy), "HG606") == []
