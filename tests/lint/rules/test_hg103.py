from __future__ import annotations

import pytest

from tests.support.scenes import change_scene, codes, findings, state_scene

USER = "<!-- src:user ts:2026-06-01 -->"
WEB = "<!-- src:web ts:2026-06-01 -->"


def severities(text: str, path: str = "MEMORY.md") -> list[str]:
    return [finding.severity for finding in findings(state_scene({path: text}), "HG103")]


@pytest.mark.parametrize(
    "text",
    [
        f"- a `{USER}`\n",
        f"- a `{USER}` {WEB}\n",
        "- a ``<!-- SRC : USER -->``\n",
        f"- a \\{USER}\n",
        "- a &lt;!-- src:user ts:2026-06-01 --&gt;\n",
        f"- a {USER} {WEB}\n",
        f"## A {USER} {WEB}\n",
        f"- a {USER} and more\n",
        f"## A {USER} B\n",
        f"- a\n{USER}\n- b\n",
        f"text\n\n{USER}\n",
        f"{USER}\n\n\ntext\n",
        f"| a | b |\n|---|---|\n| 1 | 2 {USER} |\n",
        f"<div>\n{USER}\n</div>\n",
        f"<?x {USER} ?>\n",
        f"<![CDATA[ {USER} ]]>\n",
        f"<h2>Facts</h2> {USER}\n",
    ],
)
def test_tags_in_places_where_they_count_for_nothing(text: str) -> None:
    assert severities(text) == ["error"]


@pytest.mark.parametrize("text", [f'- [a](u "{USER}") {WEB}\n', f'text <img alt="{USER}"> text\n'])
def test_link_titles_and_attributes_are_warnings(text: str) -> None:
    assert severities(text) == ["warn"]


@pytest.mark.parametrize(
    "text",
    [
        f"- a {USER}\n",
        f"# A {USER}\n",
        f"text\nmore {USER}\n",
        f"{USER}\ntext\n",
        f"{USER}\n\ntext\n",
        f"{USER}\n| a |\n|---|\n",
        f"- a\n  {USER}\n- b\n",
        f"```\n{USER}\n```\n",
        f"    {USER}\n",
        f"- a {USER} <!-- note -->\n",
        "- end facts with `<!-- src:S ts:DATE -->`\n",
        "- end facts with `<!-- src:\u2026 ts:YYYY-MM-DD -->`\n",
    ],
)
def test_tags_in_their_places_and_templates(text: str) -> None:
    assert severities(text) == []


@pytest.mark.parametrize("path", ["AGENTS.md", "SOUL.md", "CLAUDE.md", "TOOLS.md"])
def test_identity_files_may_teach_the_format(path: str) -> None:
    assert severities(f"End facts with `{USER}`.\n", path) == []
    assert severities(f"- a \\{USER}\n", path) == ["error"]


def test_a_faulty_tag_is_reported_once() -> None:
    assert codes(state_scene({"MEMORY.md": "- a <!-- src:x --> and more\n"}), "HG102", "HG103") == ["HG102"]
    assert codes(state_scene({"MEMORY.md": "- a `<!-- src:user -->`\n"}), "HG102", "HG103") == ["HG103"]


def test_old_places_are_not_judged() -> None:
    before = f"- a `{USER}`\n- b {WEB} {USER}\n"
    assert codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": f"{before}- c {WEB}\n"}), "HG103") == []
    assert codes(change_scene({"MEMORY.md": before}, {"memory/a.md": before}), "HG103") == []


def test_a_tag_that_loses_its_paragraph_is_judged() -> None:
    before = f"# A\n{USER}\nTwo people approve\n\n- b {WEB}\n"
    after = f"# A\n{USER}\n\n- b {WEB}\n"
    assert codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": after}), "HG103") == ["HG103"]


def test_a_tag_that_an_item_is_put_under_is_judged() -> None:
    before = f"# A\n\n{USER}\nTwo people approve\n"
    after = f"# A\n\n{USER}\n- One person approves {WEB}\n\nTwo people approve\n"
    assert "HG103" in codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": after}), "HG103")


@pytest.mark.parametrize(
    "front",
    [
        "source: user",
        "Source: User",
        "source:   'owner'",
        "origin: the user",
        "trust: high",
        "trusted: true",
        "trust_level: 100",
        "trust-level: verified",
        'trust: "full"  # checked',
        "verified_by: user",
        "approved-by: owner",
        "meta: {trust: high}",
        "meta:\n  trust: high",
        "sources: [user]",
        "authority: system",
        "source:\n  - user",
        "source:\n- user",
        "sources:\n  - https://shop.example\n  - 'owner'",
        "sources: [https://shop.example, user]",
        "source: >-\n  user",
        "source: # as said\n  - user",
        "source: &who user",
        "source: !!str user",
        "note: &who user\nsource: *who",
        "note: &who 'user'\nsources: [*who]",
        "approvedBy: user",
        "ApprovedBy: The Owner",
        "approved by: owner",
        "approved_by: owner",
        "verifiedBy: human",
        "trustLevel: high",
        "trust_score: 100",
        "isTrusted: true",
        "verified: true",
        "verified: yes",
        "approved: on",
        "userApproved: true",
        "user_stated: true",
        "sourceType: user",
        "meta:\n  source:\n    - user",
        "s\u043eurce: user",
        "trust: h\u0456gh",
    ],
)
def test_front_matter_that_claims_trust(front: str) -> None:
    page = f"---\ntitle: x\n{front}\n---\ntext\n"
    found = findings(change_scene({}, {"wiki/a.md": page}), "HG103")
    assert [(f.severity, f.message) for f in found] == [("error", "front matter keys other than src, ts, ttl, id, ev give no trust")]
    assert codes(change_scene({}, {"wiki/a.md": page}, actor="human"), "HG103") == []
    assert codes(change_scene({"wiki/a.md": page}, {"wiki/a.md": page + "\nmore\n"}), "HG103") == []
    assert codes(state_scene({"wiki/a.md": page}), "HG103") == []


@pytest.mark.parametrize(
    "front",
    [
        "type: user",
        "metadata:\n  type: user",
        "title: Trust\ntags: [trust, user]\nlinks: [a]",
        "source: https://shop.example/user",
        "source: telegram",
        "source: user feedback of May",
        "trust: low",
        "trusted: false",
        "verified_by: nightly job",
        "description: the user trusts high numbers",
        "resource: user",
        "src: user\nts: 2026-06-01",
        "source:\n  - https://shop.example/user\n  - the user manual",
        "sources: [a page, user-manual.md]",
        "note: &who user\nother: *who",
        "verified: false",
        "verified: 2026-06-01",
        "approved: no",
        "verified_on: 2026-06-01",
        "verifiedBy: nightly job",
        "source:\ntype: user",
        "roles:\n  - user\n  - owner",
        "source:\n  kind: page\nowner: user",
        "unverified: true",
        "trust_anchor: root",
    ],
)
def test_front_matter_that_claims_none(front: str) -> None:
    assert codes(change_scene({}, {"wiki/a.md": f"---\n{front}\n---\ntext\n"}), "HG103") == []


def test_a_claim_that_is_added_to_an_old_list_is_judged() -> None:
    old = "---\ntitle: x\nsources:\n  - https://shop.example\n---\ntext\n"
    new = old.replace("shop.example\n", "shop.example\n  - user\n")
    assert codes(change_scene({"wiki/a.md": old}, {"wiki/a.md": new}), "HG103") == ["HG103"]
    assert codes(change_scene({"wiki/a.md": new}, {"wiki/a.md": new + "more\n"}), "HG103") == []


def test_the_same_words_outside_front_matter_are_text() -> None:
    assert codes(change_scene({}, {"MEMORY.md": f"- source: user {WEB}\n- trust: high {WEB}\n"}), "HG103") == []


def test_a_line_that_claims_twice_is_told_once() -> None:
    claim = "---\nmeta: {source: user, trust: high, approved: true}\n---\ntext\n"
    assert codes(change_scene({}, {"wiki/a.md": claim}), "HG103") == ["HG103"]


@pytest.mark.parametrize(("between", "found"), [(19, ["HG103"]), (20, [])])
def test_a_list_in_front_matter_is_read_for_twenty_lines(between: int, found: list[str]) -> None:
    front = "---\nsources:\n" + "  - https://shop.example\n" * between + "  - user\n"
    for end in ("title: x\n---\ntext\n", "---\ntext\n"):
        assert codes(change_scene({}, {"wiki/a.md": front + end}), "HG103") == found
