from __future__ import annotations

import pytest

from hoard_git.lint.rules.hg111_several_facts_in_one_entry import sentences
from tests.support.scenes import change_scene, codes, findings, state_scene

ONE = "Node one runs the queue."
THREE = "Node one runs the queue. Node two runs the cache. Backups go to disk B."


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (ONE, 1),
        (THREE, 3),
        (f"**{ONE}** {ONE}", 2),
        ('He said "the node is down now." Then it came back up.', 2),
        ("Yes. No. Node one runs the queue.", 1),
        ("Use short names, e.g. Node one for the first machine.", 1),
        ("Ask Dr. Weber about the old contract first.", 1),
        ("Mia B. Weber signs the contracts of the firm.", 1),
        ("The version is 2.1. it runs on node one only", 1),
        ("see notes.md and a.b.c for all of the details", 1),
        ("Does node one run the queue? Yes, it has always run there! And the cache, too, since May.", 3),
        (
            "\u8282\u70b9\u4e00\u8fd0\u884c\u961f\u5217\u670d\u52a1\u3002\u5907\u4efd\u6bcf\u665a\u5199\u5165\u7b2c\u4e8c\u5757\u78c1\u76d8\u3002\u597d\u3002",
            2,
        ),
        ("\u00dcber node one runs the queue. \u00c4lter node two runs the cache.", 2),
        ("", 0),
    ],
)
def test_counting_sentences(text: str, count: int) -> None:
    assert sentences(text) == count


@pytest.mark.parametrize(
    "text",
    [
        f"- {THREE}\n",
        f"{THREE}\n",
        "- Node one runs the queue. Node two\n  runs the cache. Backups go to disk B.\n",
        f"| a | b |\n|---|---|\n| {THREE} | x |\n",
    ],
)
def test_three_facts(text: str) -> None:
    for path in ("MEMORY.md", "memory/servers.md"):
        found = findings(state_scene({path: text}), "HG111")
        assert [f.message for f in found] == ["the entry holds 3 sentences"]


@pytest.mark.parametrize("path", ["memory/2026-06-15.md", "memory/archive/2026-06-15.md", "SOUL.md", "wiki/a.md", "HEARTBEAT.md"])
def test_logs_pages_and_identity_tell_stories(path: str) -> None:
    assert codes(state_scene({path: f"- {THREE}\n"}), "HG111") == []


@pytest.mark.parametrize(
    "text",
    [
        f"- {ONE} It has memory enough for both jobs.\n",
        "- node one runs the queue; node two runs the cache\n",
        "| a | b | c |\n|---|---|---|\n| Node one runs the queue. | Node two runs the cache. | Backups go to disk B. |\n",
        f"```\n{THREE}\n```\n",
        f"> {THREE}\n",
        f"- `{THREE}`\n",
        f"- a\n- b <!-- {THREE} -->\n",
        f"<!-- x:start -->\n- {THREE}\n<!-- x:end -->\n",
        "- see https://a.example/One.Two.Three for the list of all nodes\n",
    ],
)
def test_entries_that_are_fine(text: str) -> None:
    assert codes(state_scene({"MEMORY.md": text}), "HG111") == []


def test_two_long_sentences() -> None:
    long = "word " * 60
    assert codes(state_scene({"MEMORY.md": f"- The {long.strip()}. And {long}\n"}), "HG111") == ["HG111"]
    assert codes(state_scene({"MEMORY.md": f"- The {long}{long}\n"}), "HG111") == []


def test_only_new_words_are_judged() -> None:
    before = f"- {THREE}\n"
    assert codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": f"- {THREE} <!-- src:agent ts:2026-06-01 -->\n"}), "HG111") == []
    assert codes(change_scene({"MEMORY.md": "- a\n"}, {"MEMORY.md": f"- a\n{before}"}), "HG111") == ["HG111"]


def test_a_long_line_takes_linear_time() -> None:
    for text in ("a. " * 60_000, "A." * 60_000, "(" * 100_000, "Node one runs it. " * 8000, "." * 100_000, "`" * 100_000):
        codes(state_scene({"MEMORY.md": f"- {text}\n"}), "HG111")
