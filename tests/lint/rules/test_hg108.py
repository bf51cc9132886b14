from __future__ import annotations

import pytest

from hoard_git.core.model import Finding
from tests.support.scenes import change_scene, findings, state_scene


def state(data: str | bytes, path: str = "memory/2026-06-15.md") -> list[Finding]:
    return findings(state_scene({path: data}), "HG108")


@pytest.mark.parametrize(
    ("data", "column", "what"),
    [
        (b"- caf\xe9\n", 6, "the byte 0xE9, which is not UTF-8"),
        (b"\x80\n", 1, "the byte 0x80, which is not UTF-8"),
        (b"- \xed\xa0\x80\n", 3, "the byte 0xED, which is not UTF-8"),
        (b"- \xc0\xaf\n", 3, "the byte 0xC0, which is not UTF-8"),
        (b"- a\x00b and so on\n", 4, "a NUL byte"),
        ("- \ufffe\n", 3, "U+FFFE, which is no character"),
        ("- \uffff\n", 3, "U+FFFF, which is no character"),
        ("- ok \u4e1c\n".encode("utf-16"), 1, "UTF-16 text"),
        ("- ok".encode("utf-16-be"), 1, "NUL bytes, as UTF-16 has them"),
    ],
)
def test_what_is_not_text(data: str | bytes, column: int, what: str) -> None:
    found = state(data)
    assert [(f.severity, f.line, f.column) for f in found] == [("error", 1, column)]
    assert found[0].message.startswith(f"the line holds {what}")


def test_utf_16_behind_utf_8() -> None:
    found = state(b"- ok\n" + "- then\n- and\n".encode("utf-16-le"))
    assert len(found) == 1
    assert (found[0].line, found[0].message) == (2, "the line holds NUL bytes, as UTF-16 has them, and 2 more such lines follow")


def test_one_finding_for_each_file() -> None:
    assert [f.message for f in state(b"\xe9\n\nok\n\xe9\xe9\n\x00\n")] == [
        "the line holds the byte 0xE9, which is not UTF-8, and 2 more such lines follow"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "- caf\u00e9\n",
        "\ufeff- a\n",
        "- \U0001f680\ufe0f \u4e1c\u4eac \u05e9\u05dc\u05d5\u05dd\n",
        "- \ufffd\n",
        "- \ue000\n",
        "a\r\nb\r\n",
        "- tab\there\n",
        "",
    ],
)
def test_what_is_text(text: str) -> None:
    assert state(text) == []


def test_fences_hide_nothing() -> None:
    assert len(state(b"```\n\xff\n```\n")) == 1


def test_old_bytes_are_not_judged() -> None:
    before = b"- caf\xe9\n- a\n"
    assert findings(change_scene({"MEMORY.md": before}, {"MEMORY.md": before + b"- b\n"}), "HG108") == []
    assert [f.line for f in findings(change_scene({"MEMORY.md": before}, {"MEMORY.md": before + b"- \xe9\n"}), "HG108")] == [3]


def test_an_exception_for_one_line_excuses_no_other() -> None:
    allow = b'<!-- hoard:allow HG108 reason="a sample" -->'
    found = findings(state_scene({"MEMORY.md": b"- \xff " + allow + b"\n- \xff\n"}), "HG108")
    assert [(f.line, f.severity) for f in found] == [(1, "warn"), (2, "error")]
