"""The parts of a merge by themselves: where a merged entry gets its tag, and which managed regions count."""

from __future__ import annotations

import pytest

from hoard_git.core.markdown import parse
from hoard_git.core.merging.nodes import SECTION, Node, _outer_regions
from hoard_git.core.merging.weighing import put_tag
from hoard_git.core.tags import Tag

TAG = Tag("agent", "2026-06-01")
TEXT = "<!-- src:agent ts:2026-06-01 -->"


@pytest.mark.parametrize(
    ("kind", "raw", "put"),
    [
        ("item", ("- a", "  more"), (f"- a {TEXT}", "  more")),
        (SECTION, ("## A",), (f"## A {TEXT}",)),
        ("text", ("one", "two  "), ("one", f"two {TEXT}")),
        ("row", ("| a |",), (f"| a | {TEXT}",)),
        ("quote", ("> a", "> b"), ("> a", f"> b {TEXT}")),
    ],
)
def test_a_tag_goes_behind_the_first_line_of_an_item_and_the_last_of_a_paragraph(
    kind: str, raw: tuple[str, ...], put: tuple[str, ...]
) -> None:
    node = Node(kind, raw, "")
    assert put_tag(node, TAG) == put
    assert put_tag(node, None) == raw


def test_a_region_inside_another_is_part_of_it() -> None:
    text = "<!-- a:start -->\n<!-- b:start -->\n- x\n<!-- b:end -->\n<!-- a:end -->\n- y\n<!-- c:start -->\n<!-- c:end -->\n"
    assert [(span.line, span.end_line, span.name) for span in _outer_regions(parse(text.encode()))] == [(1, 5, "a"), (7, 8, "c")]
