from __future__ import annotations

import pytest

from tests.support.content import FIRST, changed, severities

REMOTE = [
    "- ![s](https://img.example/p.png)",
    "- ![s](//img.example/p.png)",
    "- ![s](<https://img.example/p.png>)",
    "- ![a [b] c](HTTPS://img.example/p.png 'title')",
    "- [![badge](https://img.example/b.svg)](https://example.org)",
    "- ![s][ref]\n\n[ref]: https://img.example/p.png",
    "- ![ref]\n\n[ref]: <https://img.example/p.png>",
    "- ![ref][]\n\n[REF]: https://img.example/p.png",
    "- ![s](&#104;ttps://img.example/p.png)",
    "- ![s\n  more](https://img.example/p.png)",
    "<img src=https://img.example/p.png>",
    '<img alt="x" src="//img.example/p.png">',
    '<div style="background:url(https://img.example/p.png)">',
    '<iframe src="https://img.example/">',
    "- [more](https://img.example/p?d={last_message})",
    "- [more](https://img.example/p?d=${SECRET})",
    "- [more](https://img.example/p?d={{ memory }})",
    "- ![s](p.png?d={x})",
]

LOCAL = [
    "- ![plan](images/plan.png)",
    "- ![plan](../plan.png)",
    "- [page](https://example.org/page)",
    "- `![s](https://img.example/p.png)`",
    "```\n![s](https://img.example/p.png)\n```",
    "- https://api.example/v1/{id} in prose",
    "- ![plan][p]\n\n[p]: images/plan.png",
    "- wow! [page](https://example.org)",
    "- \\![s](images/p.png)",
    "- [file](notes/{name}.md)",
    "- a < b",
    "<details>",
    "---\ntitle: ![x](p.png)\n---",
]


@pytest.mark.parametrize("text", REMOTE)
@pytest.mark.parametrize("actor", ["agent", "human"])
def test_what_calls_out(text: str, actor: str) -> None:
    assert set(severities(changed("HG406", text, actor=actor))) == {"warn"}


@pytest.mark.parametrize("text", LOCAL)
def test_what_does_not(text: str) -> None:
    assert changed("HG406", text) == []


def test_the_place_is_that_of_the_image() -> None:
    (found,) = changed("HG406", "- one\n- see ![s](https://img.example/p.png)")
    assert (found.line, found.column) == (FIRST + 1, 7)
