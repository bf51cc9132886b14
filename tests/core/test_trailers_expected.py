"""From changed trees to the trailers that describe them."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Mapping, Sequence

import pytest

from hoard_git.core.align import Change
from hoard_git.core.changelist import MOST_LINES, digest, escape, expected_trailers
from hoard_git.core.document import Document
from hoard_git.core.trailers import Trailer, append_trailers, parse_trailers
from hoard_git.lint.scene import FileView
from tests.support.scenes import change_scene

PARENT = "0123456789" * 4
AGENT = "<!-- src:agent ts:2026-06-01 -->"
BASE = """\
# Memory

## Preferences <!-- src:user ts:2026-06-01 -->

- Answers are short

## 2026-06-05 Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->

- Node-2 serves the wiki
- Backups run at night <!-- src:web ts:2026-06-07 id:k3f9q2 -->
"""


def changed(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Sequence[Change], dict[str, Document], dict[str, Document]]:
    scene = change_scene(before, after)
    return scene.changes, documents(scene.before.values()), documents(scene.files)


def documents(views: object) -> dict[str, Document]:
    found = {}
    for view in views:  # type: ignore[attr-defined]
        assert isinstance(view, FileView)
        found[view.path] = view.document
    return found


def trailers(before: Mapping[str, str], after: Mapping[str, str], **options: object) -> list[tuple[str, str]]:
    """All but the digest, as pairs."""
    found = expected_trailers(*changed(before, after), **options)  # type: ignore[arg-type]
    return [(trailer.key, trailer.value) for trailer in found if trailer.key != "Memory-Digest"]


def values(key: str, before: Mapping[str, str], after: Mapping[str, str], **options: object) -> list[str]:
    return [value for name, value in trailers(before, after, **options) if name == key]


def edited(*pairs: tuple[str, str]) -> dict[str, str]:
    text = BASE
    for old, new in pairs:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return {"MEMORY.md": text}


def test_an_added_entry() -> None:
    after = edited(("- Node-2 serves the wiki\n", "- Node-2 serves the wiki\n- Node-3 is cold\n"))
    assert trailers({"MEMORY.md": BASE}, after) == [
        ("Memory-Op", "write"),
        ("Memory-Source", "agent"),
        ("Memory-Block", "add - agent 2026-06-05 90d MEMORY.md#infrastructure"),
    ]


def test_the_digest_stands_below_and_free_texts_last() -> None:
    after = edited(("- Node-2 serves the wiki\n", "- Node-2 serves it\n"))
    found = expected_trailers(*changed({"MEMORY.md": BASE}, after), op="consolidate", session="s\n1", reason=" tidy ", assisted="Agent:m")
    assert [trailer.key for trailer in found] == [
        "Memory-Op",
        "Memory-Source",
        "Memory-Block",
        "Memory-Digest",
        "Memory-Session",
        "Memory-Reason",
        "Assisted-by",
    ]
    assert found[0].value == "consolidate"
    assert re.fullmatch("sha256:[0-9a-f]{64}", found[3].value)
    assert found[4:] == (Trailer("Memory-Session", "s 1"), Trailer("Memory-Reason", "tidy"), Trailer("Assisted-by", "Agent:m"))


def test_each_verb() -> None:
    before = {
        "MEMORY.md": BASE,
        "memory/archive/2026-01-01.md": "# Archive <!-- src:agent ts:2026-01-01 -->\n\n- Old host is retired for good\n",
    }
    after = {
        "MEMORY.md": BASE.replace("short\n", "short\n\n## New <!-- src:tool ts:2026-06-09 ttl:never -->\n\n- Port 8080 is open\n")
        .replace("- Answers are short\n", "- Answers are very short\n")
        .replace("- Backups run at night <!-- src:web ts:2026-06-07 id:k3f9q2 -->\n", "- Old host is retired for good\n"),
        "memory/archive/2026-01-01.md": "# Archive <!-- src:agent ts:2026-01-01 -->\n\n- Node-2 serves the wiki\n",
    }
    after["MEMORY.md"] = after["MEMORY.md"].replace("- Node-2 serves the wiki\n", "")
    assert values("Memory-Block", before, after) == [
        "edit - user 2026-06-01 - MEMORY.md#preferences",
        "add - tool 2026-06-09 never MEMORY.md#new",
        "restore - agent 2026-06-05 90d MEMORY.md#infrastructure",
        "remove k3f9q2 web 2026-06-07 - MEMORY.md#infrastructure",
        "archive - agent 2026-01-01 - memory/archive/2026-01-01.md#archive",
    ]


def test_retagged_and_redated_entries_show_what_they_are_now() -> None:
    after = edited(
        ("src:web ts:2026-06-07 id:k3f9q2", "src:agent ts:2026-06-08 ttl:30d id:k3f9q2"), ("user ts:2026-06-01", "user ts:2026-06-02")
    )
    assert values("Memory-Block", {"MEMORY.md": BASE}, after) == [
        "retime - user 2026-06-02 - MEMORY.md#preferences",
        "retag k3f9q2 agent 2026-06-08 30d MEMORY.md#infrastructure",
    ]


def test_sources_are_named_once_and_the_highest_first() -> None:
    after = edited(
        ("- Answers are short\n", "- Answers are long and slow\n"),
        (
            "- Node-2 serves the wiki\n",
            "- Node-2 is off\n- Dug up <!-- src:dig ts:2026-06-09 -->\n- And this <!-- src:dig ts:2026-06-09 -->\n",
        ),
        ("src:web ts:2026-06-07", "src:tool ts:2026-06-07"),
    )
    assert values("Memory-Source", {"MEMORY.md": BASE}, after) == ["user", "agent", "tool", "dig"]


def test_a_removed_entry_counts_with_the_source_that_it_had() -> None:
    after = edited(("- Answers are short\n", ""))
    assert values("Memory-Source", {"MEMORY.md": BASE}, after) == ["user"]


def test_untagged_content_is_named() -> None:
    after = {"MEMORY.md": BASE, "memory/topic.md": "# Topic\n\n- A fact\n"}
    assert trailers({"MEMORY.md": BASE}, after)[1:] == [
        ("Memory-Source", "untagged"),
        ("Memory-Block", "add - untagged unknown - memory/topic.md#topic"),
    ]


def test_a_heading_without_provenance_touches_no_source() -> None:
    assert values("Memory-Source", {}, {"MEMORY.md": BASE}) == ["user", "agent", "web"]
    assert trailers({"MEMORY.md": "# Memory\n"}, {"MEMORY.md": "# Memory of clawd\n"})[1:] == [
        ("Memory-Source", "untagged"),
        ("Memory-Block", "edit - untagged unknown - MEMORY.md#memory-of-clawd"),
    ]


def test_equal_lines_are_written_once_in_the_order_of_the_file() -> None:
    after = edited(
        ("- Node-2 serves the wiki\n", "- one\n- two\n- Node-2 serves the wiki\n"),
        ("- Answers are short\n", "- Answers are short\n- zzz\n"),
    )
    assert values("Memory-Block", {"MEMORY.md": BASE}, after) == [
        "add - user 2026-06-01 - MEMORY.md#preferences",
        "add - agent 2026-06-05 90d MEMORY.md#infrastructure",
    ]


def test_repeated_headings_and_none() -> None:
    tag = "<!-- src:agent ts:2026-06-05 -->"
    before = {"MEMORY.md": f"## Notes {tag}\n\n- a fact\n\n## Notes {tag}\n\n- b fact\n", "memory/a.md": ""}
    after = {"MEMORY.md": before["MEMORY.md"] + "- c fact\n", "memory/a.md": f"- bare {tag}\n"}
    assert values("Memory-Block", before, after) == [
        "add - agent 2026-06-05 - MEMORY.md#notes-1",
        "add - agent 2026-06-05 - memory/a.md#-",
    ]


def test_a_new_section_is_one_line() -> None:
    section = "\n## Deploy <!-- src:agent ts:2026-06-09 -->\n\n- one\n- two\n"
    assert values("Memory-Block", {"MEMORY.md": BASE}, {"MEMORY.md": BASE + section}) == ["add - agent 2026-06-09 - MEMORY.md#deploy"]


@pytest.mark.parametrize(("count", "lines"), [(MOST_LINES, MOST_LINES), (MOST_LINES + 1, 0)])
def test_beyond_fifty_lines_only_the_digest_stands(count: int, lines: int) -> None:
    entries = "".join(f"- number {i} <!-- src:agent ts:2026-06-09 id:aaaa{i:02d} -->\n" for i in range(count))
    added = expected_trailers(*changed({"MEMORY.md": ""}, {"MEMORY.md": entries}))
    assert [trailer.key for trailer in added].count("Memory-Block") == lines
    assert added[-1].key == "Memory-Digest"
    # What is removed side by side needs no line for each id: one for all of it says where to find them.
    gone = expected_trailers(*changed({"MEMORY.md": entries}, {"MEMORY.md": ""}), parent=PARENT)
    assert [trailer.key for trailer in gone].count("Memory-Removed") == (lines or 1)


def test_a_removed_entry_is_to_be_had_from_the_parent() -> None:
    after = edited(("- Backups run at night <!-- src:web ts:2026-06-07 id:k3f9q2 -->\n", ""), ("- Answers are short\n", ""))
    assert values("Memory-Removed", {"MEMORY.md": BASE}, after, parent=PARENT) == [
        f"- history {PARENT}:MEMORY.md#L5-L5",
        f"k3f9q2 history {PARENT}:MEMORY.md#L10-L10",
    ]
    assert values("Memory-Removed", {"MEMORY.md": BASE}, after) == []


def test_a_removed_heading_takes_no_fact_with_it() -> None:
    after = edited(("## Preferences <!-- src:user ts:2026-06-01 -->\n\n", ""))
    assert values("Memory-Removed", {"MEMORY.md": BASE}, after, parent=PARENT) == []


def test_a_known_destination_wins_over_history() -> None:
    after = edited(("- Answers are short\n", ""))
    told = {("MEMORY.md", 5): "duplicate k3f9q2"}
    assert values("Memory-Removed", {"MEMORY.md": BASE}, after, parent=PARENT, removed=told) == ["- duplicate k3f9q2"]


def test_archived_and_moved_entries_say_where_they_are() -> None:
    line = "- Backups run at night <!-- src:web ts:2026-06-07 id:k3f9q2 -->\n"
    before = {"MEMORY.md": BASE}
    archived = {"MEMORY.md": BASE.replace(line, ""), "memory/archive/2026-12-01.md": line}
    assert values("Memory-Removed", before, archived, parent=PARENT) == ["k3f9q2 archive memory/archive/2026-12-01.md"]
    moved = {"MEMORY.md": BASE.replace(line, ""), "memory/two words.md": line}
    assert values("Memory-Removed", before, moved, parent=PARENT) == ["k3f9q2 offload memory/two%20words.md"]
    assert values("Memory-Removed", archived, before, parent=PARENT) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("memory/a.md", "memory/a.md"),
        ("a b\tc\n.md", "a%20b%09c%0A.md"),
        ("50%#1.md", "50%25%231.md"),
        ("日本.md", "日本.md"),
        ("a\u200bb\u00a0c.md", "a%E2%80%8Bb%C2%A0c.md"),
        ("\udcff.md", "%FF.md"),
    ],
)
def test_a_path_stays_one_visible_word(text: str, expected: str) -> None:
    assert escape(text) == expected


def test_no_value_holds_a_blank_more_than_its_words() -> None:
    tag = "<!-- src:agent ts:2026-06-05 -->"
    for value in values("Memory-Block", {}, {"memory/odd name#1.md": f"# A heading with words {tag}\n\n- fact\n"}):
        assert len(value.split(" ")) == 6


def digest_of(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    return digest(changed(before, after)[0])


def hashed(*lines: str) -> str:
    return "sha256:" + hashlib.sha256(("hoard-changes 1\n" + "".join(f"{line}\n" for line in lines)).encode()).hexdigest()


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_digest_is_what_its_description_says() -> None:
    # Built by hand from the words of the docstring: the trailers of a commit have to be right in every later version.
    after = edited(
        ("- Node-2 serves the wiki\n", "- Node-2 serves the wiki\n- Node-3 is cold\n"),
        (
            "- Backups run at night <!-- src:web ts:2026-06-07 id:k3f9q2 -->",
            "- Backups run at noon <!-- src:tool ts:2026-06-08 ev:mail id:k3f9q2 -->",
        ),
    )
    added = f"add\0-\0MEMORY.md\0item\0\0agent\x002026-06-05\x0090d\0\0\0{sha('- Node-3 is cold')}"
    before = f"MEMORY.md\0item\0k3f9q2\0web\x002026-06-07\0\0\0\0{sha('- Backups run at night')}"
    now = f"MEMORY.md\0item\0k3f9q2\0tool\x002026-06-08\0\0mail\0\0{sha('- Backups run at noon')}"
    assert digest_of({"MEMORY.md": BASE}, after) == hashed(added, f"retag+edit+retime\0{before}\0{now}")
    assert digest([]) == hashed()


def test_the_digest_survives_a_rebase() -> None:
    addition = ("- Node-2 serves the wiki\n", "- Node-2 serves the wiki\n- Node-3 is cold\n")
    upstream = ("# Memory\n", "# Memory\n\nLines above move everything.\n\nAnd more.\n")
    assert digest_of({"MEMORY.md": BASE}, edited(addition)) == digest_of(edited(upstream), edited(upstream, addition))


@pytest.mark.parametrize(
    "other",
    [
        ("- Node-2 serves the wiki\n", "- Node-2 serves the wiki\n- Node-3 is warm\n"),
        ("- Node-2 serves the wiki\n", "- Node-2 serves the wiki\n- Node-3 is cold <!-- src:user ts:2026-06-05 ttl:90d -->\n"),
        ("- Node-2 serves the wiki\n", "- Node-2 serves the wiki\n- Node-3 is cold <!-- src:agent ts:2026-06-06 ttl:90d -->\n"),
        ("- Node-2 serves the wiki\n", "- Node-2 serves the wiki\n- Node-3 is cold <!-- src:agent ts:2026-06-05 ttl:91d -->\n"),
        ("- Node-2 serves the wiki\n", "- Node-2 serves the wiki\n- Node-3 is cold <!-- src:agent ts:2026-06-05 ttl:90d ev:mail -->\n"),
        ("- Node-2 serves the wiki\n", "- Node-2 serves the wiki\n- Node-3 is cold <!-- src:agent ts:2026-06-05 ttl:90d id:aaaaaa -->\n"),
        ("- Node-2 serves the wiki\n", "- Node-2 serves the wiki\n- Node-3 is cold\n- Node-3 is cold\n"),
        ("- Node-2 serves the wiki\n", "- Node-3 is cold\n"),
    ],
)
def test_any_other_change_has_another_digest(other: tuple[str, str]) -> None:
    mine = edited(("- Node-2 serves the wiki\n", "- Node-2 serves the wiki\n- Node-3 is cold\n"))
    assert digest_of({"MEMORY.md": BASE}, mine) != digest_of({"MEMORY.md": BASE}, edited(other))


def test_the_order_of_the_changes_does_not_matter() -> None:
    changes = changed({"MEMORY.md": BASE}, {"memory/a.md": BASE.replace("short", "long")})[0]
    assert len(changes) > 3
    assert digest(changes) == digest(changes[::-1])


def test_line_ends_do_not_matter() -> None:
    after = edited(("- Node-2 serves the wiki\n", "- Node-2 serves the wiki\n- Node-3 is cold\n"))
    windows = {path: text.replace("\n", "\r\n") for path, text in after.items()}
    assert digest_of({"MEMORY.md": BASE}, after) == digest_of({"MEMORY.md": BASE.replace("\n", "\r\n")}, windows)


def test_text_that_is_not_utf8_is_digested() -> None:
    assert digest_of({}, {"MEMORY.md": "- \udcff\n"}) != digest_of({}, {"MEMORY.md": "- \udcfe\n"})


def test_no_change_still_has_an_operation_and_a_digest() -> None:
    assert [trailer.key for trailer in expected_trailers((), {}, {})] == ["Memory-Op", "Memory-Digest"]


def test_they_survive_the_message() -> None:
    found = expected_trailers(*changed({}, {"memory/odd name#1.md": BASE, "memory/\udcff.md": BASE}), reason="why: \u00e9")
    assert parse_trailers(append_trailers(b"Subject\n", found)) == found


def test_upkeep_leaves_the_headings_of_logs_out_of_the_message() -> None:
    before = {"memory/2026-06-01.md": f"# 2026-06-01 {AGENT}\n\n## Visit of a guest\n\n- Came at noon\n"}
    after = {"memory/2026-06-01.md": before["memory/2026-06-01.md"] + "- Left at one\n"}
    assert values("Memory-Block", before, after, op="consolidate") == ["add - agent 2026-06-01 - memory/2026-06-01.md#-"]
    assert values("Memory-Block", before, after) == ["add - agent 2026-06-01 - memory/2026-06-01.md#visit-of-a-guest"]


def test_the_digest_is_the_same_without_the_interpreters_own_sha256(monkeypatch: pytest.MonkeyPatch) -> None:
    changes = changed({"MEMORY.md": BASE}, edited(("- Node-2 serves the wiki\n", "- Node-2 serves it\n")))[0]
    known = digest(changes)
    for name in ("_sha2", "_sha256"):
        monkeypatch.setitem(sys.modules, name, None)
    assert digest(changes) == known
