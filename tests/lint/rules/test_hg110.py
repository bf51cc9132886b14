from __future__ import annotations

import pytest

from hoard_git.core.model import Finding
from tests.support.scenes import change_scene, findings, state_scene

TAG = "<!-- src:user ts:2026-06-01 -->"


def state(text: str) -> list[int]:
    return [finding.line for finding in findings(state_scene({"MEMORY.md": text}), "HG110")]


def changed(before: str, after: str) -> list[Finding]:
    return findings(change_scene({"MEMORY.md": before} if before else {}, {"MEMORY.md": after}), "HG110")


@pytest.mark.parametrize(
    "text", ["```\ncode\n", "~~~\ncode\n```\n", "````\n```\n", "- a\n\n```sh\n", "```\n``` x\n", "- a\n  ```\n  code\n", "```"]
)
def test_open_fences(text: str) -> None:
    assert len(state(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "```\ncode\n```\n",
        "~~~\n```\n~~~\n",
        "````\n```\n````\n",
        "```\n`````\n",
        "- ```\n  x\n  ```\n",
        "- a\n  ```\n  code\n- b\n",
        "`` ``` ``\n",
        "    ```\n",
        "```js``` inline\n",
        "> ```\n> x\n\ntext\n",
    ],
)
def test_closed_fences_and_look_alikes(text: str) -> None:
    assert state(text) == []


def test_the_message_says_what_is_lost() -> None:
    found = findings(state_scene({"MEMORY.md": f"# M\n```\ncode\n\n## Rules {TAG}\n- a\n- b {TAG}\n"}), "HG110")
    assert [(f.line, f.message) for f in found] == [
        (2, "the code fence is never closed and takes in 4 lines below it, with 2 tags that count for nothing")
    ]
    assert findings(state_scene({"MEMORY.md": "a\n\n```\n"}), "HG110")[0].message == "the code fence is never closed"


def test_a_fence_that_the_change_opens() -> None:
    assert [f.line for f in changed("- a\n- b\n", "- a\n\n```\n- b\n")] == [3]


def test_a_fence_that_loses_its_end_although_no_line_was_added() -> None:
    assert [f.line for f in changed("```\ncode\n```\n- a\n", "```\ncode\n- a\n")] == [1]


def test_an_end_that_becomes_too_short() -> None:
    assert [f.line for f in changed("```\ncode\n```\n", "````\ncode\n```\n")] == [1]


def test_what_an_old_fence_swallows() -> None:
    before = "- a\n\n```\ncode\n"
    assert [f.line for f in changed(before, f"{before}- b {TAG}\n")] == [3]
    assert changed(before, f"- a2\n\n{before}") == []


def test_files_of_no_class_are_not_judged() -> None:
    assert findings(change_scene({}, {"memory/notes.txt": "```\n"}), "HG110") == []
