from __future__ import annotations

import pytest

from tests.support.scenes import change_scene, codes, state_scene


def found(text: str, path: str = "MEMORY.md") -> bool:
    return codes(state_scene({path: f"## A\n- {text}\n"}), "HG112") == ["HG112"]


@pytest.mark.parametrize(
    "text",
    [
        "The import is in progress right now",
        "RIGHT NOW nobody answers",
        "Mia is typing",
        "The build is currently running",
        "currently offline",
        "The import just now failed",
        "Decided in this " + "session to use disk B",
        "Mia is busy at the moment",
        "The mail came 5 minutes ago",
        "Mia asked about the invoice at 21:04",
        "Mia said at 9pm that she is done",
        "Node 1 crashed at 9:30 a.m. with no log",
        "Call with Mia tonight at 9 pm",
        "Der Import l\u00e4uft gerade",
        "Mia ist im Moment nicht da",
        "Mia fragte um 21:04 nach der Rechnung",
        "\u6784\u5efa\u6b63\u5728\u8fd0\u884c",
        "\u521a\u521a\u5b8c\u6210\u4e86\u5bfc\u5165",
        "\u5979 21:04 \u95ee\u4e86\u53d1\u7968",
    ],
)
def test_moments(text: str) -> None:
    assert found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Mia currently lives in Berlin",
        "The backup runs at 21:04",
        "Mia asked that the backup starts at 21:04 every day",
        "Stand-up on Mondays at 9:30, Mia said",
        "Ask before 9 am: Mia said never to call early",
        "The outage of 2026-06-01 21:04 was reported by Mia",
        "The ratio is 16:9, Mia said",
        "`right now` is a phrase",
        "Long ago there were two nodes",
        "This session key is kept in the vault",
        "She was born at home",
        "Gerade Zahlen zuerst",
        "I am 5 and Sam said hello",
    ],
)
def test_what_stays_true(text: str) -> None:
    assert not found(text)


@pytest.mark.parametrize("path", ["memory/builds.md", "memory/2026-06-15.md", "HEARTBEAT.md", "SOUL.md"])
def test_only_the_index_is_judged(path: str) -> None:
    assert not found("The import is in progress right now", path)


def test_code_and_managed_regions_are_left_alone() -> None:
    text = "```\nright now\n```\n<!-- x:start -->\n- right now\n<!-- x:end -->\n<!-- right now -->\n"
    assert codes(state_scene({"MEMORY.md": text}), "HG112") == []


def test_only_new_words_are_judged() -> None:
    before = "- The import runs right now\n"
    assert (
        codes(change_scene({"MEMORY.md": before}, {"MEMORY.md": "- The import runs right now <!-- src:agent ts:2026-06-01 -->\n"}), "HG112")
        == []
    )
    assert codes(change_scene({"MEMORY.md": ""}, {"MEMORY.md": before}), "HG112") == ["HG112"]


def test_a_long_line_takes_linear_time() -> None:
    for text in ("today 1:" * 20_000, "currently " * 20_000, "said 21:0" * 20_000, "`now" * 40_000):
        found(text)
