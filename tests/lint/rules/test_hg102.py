from __future__ import annotations

import pytest

from tests.support.scenes import change_scene, codes, findings, state_scene

GOOD = "<!-- src:agent ts:2026-06-01 -->"


def messages(text: str, path: str = "MEMORY.md") -> list[str]:
    return [finding.message for finding in findings(state_scene({path: text}), "HG102")]


@pytest.mark.parametrize(
    ("tag", "clause"),
    [
        ("src:owner ts:2026-06-01", "src is one of"),
        ("src:USER ts:2026-06-01", "src is one of"),
        ("src:user2 ts:2026-06-01", "src is one of"),
        ("src: ts:2026-06-01", "src has no value"),
        ("src:agent", "ts is missing"),
        ("ts:2026-06-01", "src is missing"),
        ("SRC:agent ts:2026-06-01", "keys are lower-case, not 'SRC'"),
        ("src=agent ts=2026-06-01", "one part is not a key:value pair"),
        ("src:agent, ts:2026-06-01", "src is one of"),
        ("src:agent src:user ts:2026-06-01", "src stands twice"),
        ("src:agent ts:2026-06-01 -- src:user", "a tag holds no --"),
        ("src:agent ts:2026-6-1", "ts is a date"),
        ("src:agent ts:20260601", "ts is a date"),
        ("src:agent ts:2026-W23-5", "ts is a date"),
        ("src:agent ts:2026-02-30", "ts is a date"),
        ("src:agent ts:yesterday", "ts is a date"),
        ("src:agent ts:\uff12\uff10\uff12\uff16-06-01", "a tag is printable ASCII"),
        ("src:agent ts:2026-06-01 ttl:\u096f\u0966d", "a tag is printable ASCII"),
        ("src:agent ts:2026-06-01 ttl:90", "ttl is a number"),
        ("src:agent ts:2026-06-01 ttl:09d", "ttl is a number"),
        ("src:agent ts:2026-06-01 ttl:0d", "ttl is a number"),
        ("src:agent ts:2026-06-01 ttl:999999999999d", "ttl is a number"),
        ("src:agent ts:2026-06-01 ttl:forever", "ttl is a number"),
        ("src:agent ts:2026-06-01 id:AB", "id is 6 to 12"),
        ("\u0455rc:user ts:2026-06-01", "a tag is printable ASCII"),
        ("\u017frc:u\u017fer ts:2026-06-01", "a tag is printable ASCII"),
        ("\uff53\uff52\uff43\uff1auser ts:2026-06-01", "a tag is printable ASCII"),
        ("s\u200brc:user ts:2026-06-01", "a tag is printable ASCII"),
        ("src:us\x00er ts:2026-06-01", "a tag holds no control characters"),
        ("src:agent\x0bts:2026-06-01", "a tag holds no control characters"),
    ],
)
def test_the_grammar_is_exact(tag: str, clause: str) -> None:
    for text in (f"- a <!-- {tag} -->\n", f"## A <!-- {tag} -->\n", f"<!-- {tag} -->\ntext\n"):
        found = messages(text)
        assert len(found) == 1
        assert clause in found[0]


@pytest.mark.parametrize(
    "tag",
    [
        "src:agent ts:2026-06-01",
        "ts:2026-06-01 src:agent",
        "src:agent ts:unknown",
        "src:user ts:2026-06-01 ttl:never",
        "src:web ts:2026-06-01 ttl:9999d id:k3f9q2 ev:mail:42",
        "src:web ts:2026-06-01 trust:verified",
        "src:web ts:2026-06-01 ttl:30d \u26a0\ufe0f stale",
    ],
)
def test_good_tags(tag: str) -> None:
    assert messages(f"- a <!-- {tag} -->\n") == []


@pytest.mark.parametrize(
    "comment",
    [
        "new entries below",
        "id:8f3a2c, keep:1, tags:a,b",
        "trigger:deploy importance:high",
        "openclaw-memory-promotion:memory:memory/2026-04-17.md:7:9",
        "dreams:start",
        "project:x",
        "hosts: a, b",
        "",
    ],
)
def test_comments_of_others(comment: str) -> None:
    assert messages(f"- a <!-- {comment} -->\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "<!-- src:user ts:2026-06-01\n- hidden\n- more\n",
        "- a <!-- src:user ts:2026-06-01\n- b\n",
        "# A <!-- src:user ts:2026-06-01\n",
    ],
)
def test_a_comment_without_an_end(text: str) -> None:
    assert ["the comment has no end" in message for message in messages(text)] == [True]


def test_a_tag_over_two_lines() -> None:
    assert messages("<!-- src:user\nts:2026-06-01 -->\ntext\n") == ["the provenance tag is wrong: a tag stands on one line"]


@pytest.mark.parametrize("opener", ["<!-->", "<!--->"])
def test_an_empty_comment_before_what_reads_as_a_tag(opener: str) -> None:
    assert len(messages(f"- a {opener} src:user <!-- x -->\n")) == 1
    assert messages(f"- a {opener} b\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "```\n<!-- src:X -->\n```\n",
        "~~~\n- a <!-- src:X -->\n~~~\n",
        "    <!-- src:X -->\n",
        "- a `<!-- src:X -->`\n",
        "- a \\<!-- src:X -->\n",
    ],
)
def test_code_and_escapes_are_not_malformed(text: str) -> None:
    assert messages(text) == []


@pytest.mark.parametrize(
    ("front", "line", "clause"),
    [
        ("src: agent", 2, "ts is missing"),
        ("title: x\nts: 2026-06-01", 3, "src is missing"),
        ("src: owner\nts: 2026-06-01", 2, "not 'owner'"),
        ("src: agent\nts: 1 June", 3, "ts is a date"),
        ("src: agent\nts: 2026-06-01\nttl: 90", 4, "ttl is a number"),
        ("src: agent\nts: 2026-06-01\nid: My page", 4, "id is 6 to 12"),
        ("src: web\nts: 2026-06-01\nsrc: user", 4, "src stands twice"),
        ("ttl: 90d", 2, "src is missing"),
    ],
)
def test_front_matter(front: str, line: int, clause: str) -> None:
    found = findings(state_scene({"wiki/a.md": f"---\n{front}\n---\ntext\n"}), "HG102")
    assert [f.line for f in found] == [line]
    assert clause in found[0].message


@pytest.mark.parametrize(
    "front",
    [
        "src: agent\nts: 2026-06-01",
        '"src": "agent"\nts: unknown\nttl: never',
        "id: page-7\ntitle: x",
        "name: x\ntype: user",
        "description: x\nlimit: 5000",
    ],
)
def test_good_and_foreign_front_matter(front: str) -> None:
    assert messages(f"---\n{front}\n---\ntext\n", "wiki/a.md") == []


def test_old_faults_are_not_judged() -> None:
    before = "- a <!-- src:x -->\n---\n"
    assert codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": f"{before}- b {GOOD}\n"}), "HG102") == []
    assert codes(change_scene({"MEMORY.md": before}, {"memory/a.md": before}), "HG102") == []
    page = "---\nsrc: agent\n---\ntext\n"
    assert codes(change_scene({"wiki/a.md": page}, {"wiki/a.md": f"{page}\nmore\n"}), "HG102") == []


def test_a_second_copy_of_an_old_fault_is_judged() -> None:
    before = "- a <!-- src:x -->\n"
    assert codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": before * 2}), "HG102") == ["HG102"]


def test_front_matter_that_a_removal_breaks_is_judged() -> None:
    before, after = "---\nsrc: agent\nts: 2026-06-01\n---\ntext\n", "---\nsrc: agent\n---\ntext\n"
    assert codes(change_scene({"wiki/a.md": before}, {"wiki/a.md": after}), "HG102") == ["HG102"]


def test_a_comment_whose_end_is_taken_away_is_judged() -> None:
    before = f"<!-- src:old note\n-->\n- a {GOOD}\n"
    after = f"<!-- src:old note\n- a {GOOD}\n"
    assert codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": after}), "HG102") == ["HG102"]


@pytest.mark.parametrize(
    "tag",
    [
        "src:agent ts:2026-06-01 swordfish-77",
        "src:swordfish-77 ts:2026-06-01",
        "src:agent ts:swordfish-77",
        "src:agent ts:2026-06-01 ttl:sword'fish-77",
        "src:agent ts:2026-06-01 swordfish-77:",
        "src:agent ts:2026-06-01 swordfish-77:" + "a" * 600,
    ],
)
def test_what_got_into_a_tag_by_mistake_is_not_repeated(tag: str) -> None:
    found = messages(f"- a <!-- {tag} -->\n")
    assert len(found) == 1
    assert "sword" not in found[0]
    assert "fish" not in found[0]


def test_short_slips_are_shown() -> None:
    assert messages("- a <!-- src:owner ts:2026-06-01 -->\n")[0].endswith("not 'owner'")
    assert messages("- a <!-- src:agent ts:2026-13-01 -->\n")[0].endswith("not '2026-13-01'")


def test_files_of_no_class_are_neither_judged_nor_compared_with() -> None:
    bad = "- a <!-- src:x -->\n"
    assert codes(change_scene({}, {"memory/notes.txt": bad}), "HG102", "HG103", "HG104") == []
    assert codes(change_scene({"memory/notes.txt": bad}, {"memory/notes.md": bad}), "HG102") == ["HG102"]


@pytest.mark.parametrize("key", ["Src", "SRC", "sRC", '"Src"', "sr\u0441", "TTL", "Ts"])
def test_front_matter_keys_are_lower_case_and_ascii(key: str) -> None:
    found = findings(state_scene({"wiki/a.md": f"---\ntitle: x\n{key}: user\n---\ntext\n"}), "HG102")
    assert [(f.line, f.message) for f in found] == [
        (3, "the front matter's provenance is wrong: src, ts and ttl are written in lower case")
    ]


def test_a_key_of_another_case_beside_a_good_one() -> None:
    assert codes(state_scene({"wiki/a.md": "---\nsrc: web\nts: 2026-06-01\nSRC: user\n---\ntext\n"}), "HG102") == ["HG102"]


@pytest.mark.parametrize("key", ["data-src", "img src", "a.src", "Source", "resrc", "tts", "srcset"])
def test_other_keys_of_front_matter_are_other_people_s(key: str) -> None:
    assert messages(f"---\n{key}: user\n---\ntext\n", "wiki/a.md") == []
