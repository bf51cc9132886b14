"""The strict reader against YAML itself: what it reads, a YAML reader reads as the same texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from hoard_git.core.frontmatter import read_front_matter, write_list, write_text
from hoard_git.core.markdown import parse

_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cf", "Co", "Cn")), min_size=1, max_size=40)


def by_yaml(text: str) -> object:
    yaml = YAML(typ="base", pure=True)  # every scalar stays a text
    return yaml.load(text)


def read(text: str) -> dict[str, object]:
    front = read_front_matter(parse(f"---\n{text}\n---\n".encode()))
    assert front.faults == ()
    return {v.key: v.text if v.kind == "text" else "" if v.kind == "empty" else list(v.texts) for v in front.values}


@given(_TEXT)
def test_what_is_written_is_read_back_by_everybody(text: str) -> None:
    line = f"title: {write_text(text)}"
    assert by_yaml(line) == {"title": text}
    if text.strip():
        assert read(line) == {"title": text}


@given(st.lists(_TEXT.filter(lambda text: bool(text.strip())), max_size=5))
def test_lists_are_read_back_by_everybody(texts: list[str]) -> None:
    line = f"tags: {write_list(texts)}"
    assert by_yaml(line) == {"tags": texts}
    assert read(line) == {"tags": texts}


@given(st.text("ab:#-[]{}'\"&*!|>%@`,?\\ 1/.", min_size=1, max_size=12))
def test_a_value_that_is_read_means_the_same_to_yaml(text: str) -> None:
    front = read_front_matter(parse(f"---\nx: 1\nother: {text}\n---\n".encode()))
    value = front.get("other")
    if front.faults or value is None or value.kind == "other":
        return
    data = by_yaml(f"other: {text}")
    assert isinstance(data, dict)
    assert data["other"] == {"text": value.text, "empty": "", "list": list(value.texts)}[value.kind]


@pytest.mark.parametrize(
    "word", ["true", "No", "null", "~", "1", "1.5", "2026-06-01", "- x", "a: b", "a #b", "", " x", "x ", "'", '"', "\\", "@a"]
)
def test_words_that_yaml_takes_for_something_else(word: str) -> None:
    assert by_yaml(f"title: {write_text(word)}") == {"title": word}
    assert isinstance(YAML(typ="safe").load(f"title: {write_text(word)}")["title"], str) or word == "2026-06-01"


def test_places() -> None:
    front = read_front_matter(parse(b"\n---\n# c\ntitle: x\nlinks:\n\n  - a\n  # c\n  - 'b'\nz: 1\n---\n"))
    assert (front.first, front.last) == (2, 11)
    assert [(v.key, v.line, v.end_line, v.lines) for v in front.values] == [
        ("title", 4, 4, (4,)),
        ("links", 5, 9, (7, 9)),
        ("z", 10, 10, (10,)),
    ]
