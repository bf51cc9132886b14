from __future__ import annotations

import pytest

from tests.support.content import changed, severities


@pytest.mark.parametrize(
    "text",
    [
        "- the box is n\u043ede.example",
        "- `v\u0430ult` is the name",
        "- key: secr\u0435t_name",
        "- caf\u00e9 and cafe\u0301",
        "- n\u0335\u0336\u0337o",
        "- at vault\u3002example",
        "- write to sam\uff20mail.example",
        "- at 10.0.\u0660.1",
        "- at v\u13a5ctor.example",
    ],
)
def test_look_alikes_and_forms(text: str) -> None:
    assert severities(changed("HG404", text)) == ["warn"]


def test_a_near_copy_of_a_word_of_the_file() -> None:
    assert changed("HG404", "- ask \u0440\u043e\u0440\u0435 about it") == []
    (found,) = changed("HG404", "- the pope came\n- ask \u0440\u043e\u0440\u0435 about it")
    assert "looks like a word of this file" in found.message
    assert found.message.isascii()


def test_each_line_is_judged() -> None:
    assert [finding.line for finding in changed("HG404", "- n\u043ede1\n- n\u043ede2")] == [2, 3]


@pytest.mark.parametrize(
    "text",
    ["- \u03bcs, k\u03a9", "- \u0418\u0422-\u043e\u0442\u0434\u0435\u043b", "- git\u043e\u043c", "- \uff21\u793e\u306eAPI", "- caf\u00e9"],
)
def test_open_mixing_is_silent(text: str) -> None:
    assert changed("HG404", text) == []
