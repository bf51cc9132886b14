"""What a search knows of each entry: its words and those that it stands under."""

from __future__ import annotations

from hoard_git.core.markdown import parse
from hoard_git.core.passages import find_passages


def words(text: str) -> dict[str, str]:
    """The indexed words of each passage, by its text."""
    return {passage.text: passage.words for passage in find_passages(parse(text.encode()), None)}


def test_every_row_of_a_table_stands_under_its_first() -> None:
    found = words("| host | role |\n|---|---|\n| a | web |\n| b | db |\n\n| city | x |\n|---|---|\n| Oslo | y |\n| Bergen | z |\n")
    assert found["| b | db |"] == "host role b db"
    assert found["| Oslo | y |"] == "city x oslo y"
    assert found["| Bergen | z |"] == "city x bergen z"


def test_six_items_around_an_entry_are_counted_and_no_more() -> None:
    names = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    found = words("".join(f"{'  ' * depth}- {name}\n" for depth, name in enumerate(names)))
    assert found["seven"] == "one two three four five six seven"
    assert found["eight"] == "two three four five six seven eight"


def test_a_heading_is_a_passage_when_nothing_stands_under_it() -> None:
    text = "# Top\n\n## Empty\n\n## Full\n\n- a fact\n\n##\n"
    assert {passage.text: passage.kind for passage in find_passages(parse(text.encode()), None)} == {"a fact": "item", "Empty": "heading"}
    assert words(text)["Empty"] == "top empty"


def test_an_entry_of_neither_words_nor_signs_is_no_passage() -> None:
    assert words("- a fact\n- ...\n- \U0001f98a\n").keys() == {"a fact", "\U0001f98a"}
