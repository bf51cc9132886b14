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


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("title: a\n!!! b", 3, "this line is no key with a value"),
        ("tags:\n  - a\n  - [b]\n", 4, "an item of tags is no text on one line; put it in quotes"),
        ("title: a\x07b\n", 2, "control"),
        ("title: a\u2028b\n", 2, "control"),
        ("tags: [" + ", ".join(f"t{n}" for n in range(400)) + "]\n", 2, "tags holds more than"),
        ("steps:\n\t- a", 3, "a tab indents it"),
        ('tags: ["a" b]', 2, "tags is no list of texts in brackets"),
        ('"a\\b": 1', 2, "this line is no key with a value"),
        ("tags:\n- a\n-\r\r", 4, "this line is no key with a value"),
        ("title: a\n- b", 2, "it cannot be read as keys and values"),
        ("other: &x 1\n", 2, "anchors, aliases and tags of YAML are not read"),
    ],
)
def test_what_cannot_be_read_is_a_fault_with_its_line(text: str, line: int, what: str) -> None:
    faults = read_front_matter(parse(f"---\nx: 1\n{text}\n---\n".replace("x: 1\n", "", 1).encode())).faults
    assert [fault.line for fault in faults][:1] == [line]
    assert what in " ".join(fault.what for fault in faults)


@pytest.mark.parametrize(
    "text",
    ["---\n# only words\n---\n\ntext\n", "---\n---\n", "---\n# a\n", "---\nJust a sentence.\n---\n", "text\n---\n", "---\n# a\n...\n"],
)
def test_text_between_two_rules_is_no_front_matter(text: str) -> None:
    front = read_front_matter(parse(text.encode()))
    assert (front.values, front.faults) == ((), ())


@pytest.mark.parametrize("text", ["[a , b]", "[a b , 'c' ]", "[ ]", "[a, b"])
def test_lists_with_odd_blanks(text: str) -> None:
    front = read_front_matter(parse(f"---\ntags: {text}\ntitle: t\n---\n".encode()))
    value = front.get("tags")
    if value is not None and value.kind == "list":
        assert list(value.texts) == by_yaml(text)
    else:
        assert front.faults


@pytest.mark.parametrize(
    ("text", "texts"), [("[a, b] # c", ("a", "b")), ("[a, 'b']  # ]", ("a", "b")), ("[a, b]# c", ("a", "b")), ("[] # none", ())]
)
def test_a_comment_may_stand_behind_a_list(text: str, texts: tuple[str, ...]) -> None:
    front = read_front_matter(parse(f"---\ntags: {text}\ntitle: t\n---\n".encode()))
    assert (front.faults, front.texts("tags"), list(texts)) == ((), texts, by_yaml(text))


@pytest.mark.parametrize("text", ["[a, b] c", "[a, b]]", "[a, b], c"])
def test_nothing_else_may_stand_behind_a_list(text: str) -> None:
    assert read_front_matter(parse(f"---\ntags: {text}\ntitle: t\n---\n".encode())).faults


def test_other_peoples_keys_may_hold_lists_of_more_than_texts() -> None:
    front = read_front_matter(parse(b"---\ntitle: x\nsteps:\n  - [a, b]\n  - c\n---\n"))
    value = front.get("steps")
    assert value is not None
    assert (front.faults, value.kind, value.texts, value.line, value.end_line) == ((), "other", (), 3, 5)
