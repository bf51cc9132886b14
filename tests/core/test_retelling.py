"""What counts as telling a private entry again."""

from __future__ import annotations

import html
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.markdown import parse
from hoard_git.core.privacy import add_private, names_of, sift
from hoard_git.core.retelling import Secrets

WORDS = ("amber", "lantern", "violet", "harbour", "copper", "meadow", "thimble", "walnut", "juniper", "saffron", "plover", "quartz")


def known(*texts: str) -> Secrets:
    secrets = Secrets()
    for text in texts:
        secrets.add(text)
    return secrets


@pytest.mark.parametrize(
    "text",
    [
        "- Prefers rye bread",
        "- She said that she prefers rye bread, again",
        "- rye bread",
        "- Pre\u00adfers rye\u200b bread",
        "- \u0420refers rye bread",
        "- Prefers r&#121;e bread",
        "- Prefers [rye](http://x.example) bread",
        "- Prefers [rye][1] bread",
        "- Prefers *ry*e bread",
        "- Prefers rye b`rea`d",
        "- P r e f e r s  r y e  b r e a d",
        "- PrefersRyeBread",
        "- Prefers<br>rye<br>bread",
        "- https://x.example/?q=Prefers%20rye%20bread",
        "- bread of rye is what Ada prefers",
        "- \U0001d40f\U0001d42b\U0001d41e\U0001d41f\U0001d41e\U0001d42b\U0001d42c rye bread",
    ],
)
def test_the_same_in_disguise_or_in_other_words(text: str) -> None:
    assert known("- Prefers rye bread").repeats(text)


@pytest.mark.parametrize(
    ("private", "text"),
    [
        ("- Clara is allergic to nuts", "- **Clara** (allergic to nuts) came by"),
        ("- Salary: 91,000 EUR", "- Note: the salary is 91000 EUR"),
        ("- Ada's landlord is Mr Krause", "- Landlord: Mr Krause"),
        ("- Wife: Eva", "- The user's wife is Eva"),
        (
            "- \u79c1\u306f\u6771\u4eac\u306b\u4f4f\u3093\u3067\u3044\u307e\u3059",
            "- \u79c1\u306f**\u6771\u4eac**\u306b \u4f4f\u3093\u3067\u3044\u307e\u3059",
        ),
    ],
)
def test_told_in_another_form(private: str, text: str) -> None:
    assert known(private).repeats(text)


@pytest.mark.parametrize(
    "text", ["- Deployed node 2", "- The bread machine was mended", "- Rye grows at the fence", "- a", "- ", "- \U0001f98a"]
)
def test_what_tells_something_else_is_shown(text: str) -> None:
    assert not known("- Prefers rye bread", "- Port 8080 is the proxy", "- Eva").repeats(text)


def test_two_words_of_a_heading_name_a_subject() -> None:
    secrets = Secrets()
    secrets.add("Open tasks", heading=True)
    assert not secrets.repeats("- The tasks that are open: mend the boiler")
    assert secrets.repeats("- See open tasks")


def test_who_a_page_is_about() -> None:
    assert names_of("memory/people/clara-meier.md", parse(b"# Dr Clara Meier\n\n## Work\n")) == {"clara", "meier"}
    assert names_of("memory/people/readme.md", parse(b"# What stands in this folder and why\n")) == set()
    secrets = Secrets()
    secrets.add_names({"clara", "\u5f20\u4f1f"})
    assert secrets.repeats("- Clara's train is late")
    assert secrets.repeats("- \u4eca\u5929\u5f20\u4f1f\u6765\u4e86")
    assert not secrets.repeats("- The declaration is late")


DISGUISES = (
    str.upper,
    html.escape,
    lambda text: "".join(f"&#{ord(char)};" for char in text),
    quote,
    "\u200b".join,
    lambda text: "\u2060".join(text.split(" ")) + " ",
    lambda text: text.replace("a", "\u0430").replace("e", "\u0435"),
    lambda text: text.replace(" ", "<br>"),
    lambda text: text.replace(" ", "**"),
    lambda text: " ".join(reversed(text.split(" "))),
    lambda text: f"[{text}](https://x.example/y)",
    lambda text: f"![{text}](x.png)",
    lambda text: f"`{text}`",
    lambda text: text.title().replace(" ", ""),
)


@given(
    fact=st.lists(st.sampled_from(WORDS), min_size=3, max_size=7, unique=True).map(" ".join),
    around=st.tuples(*[st.lists(st.sampled_from(("the", "node", "is", "up", "7")), max_size=3).map(" ".join)] * 2),
    steps=st.lists(st.sampled_from(DISGUISES), max_size=1),
    shape=st.sampled_from(("- {}", "{}", "> {}", "| {} | x |", "- top\n  - {}", "#### {}", "```\n{}\n```", "1. {}")),
)
def test_no_disguise_and_no_place_shows_a_private_fact(
    fact: str, around: tuple[str, str], steps: list[Callable[[str], str]], shape: str
) -> None:
    text = fact
    for step in steps:
        text = step(text)
    lines = f"# Log\n\n{shape.format(f'{around[0]} {text} {around[1]}'.strip())}\n".encode()
    document = parse(lines)
    secrets = known(f"- {fact}")
    shown = sift(document, None, secrets).shown
    visible = "\n".join(line for one in shown for line in lines.decode().split("\n")[one.first - 1 : one.last])
    assert text not in visible


def shown_alone(text: str) -> list[str]:
    """The lines of a file that may be shown when nothing but itself is private."""
    document = parse(text.encode())
    secrets = Secrets()
    add_private(secrets, document, None, whole=False)
    return [document.lines[one.first - 1] for one in sift(document, None, secrets).shown]


def test_what_stands_below_a_heading_about_people_is_private() -> None:
    text = "# Notes <!-- src:agent ts:2026-06-01 -->\n\n## Family & friends\n\n### Plans\n\n- sails in June with Tom\n\n## Hosts\n\n- node-2 serves the wiki\n- Tom sails in June\n"
    assert shown_alone(text) == ["# Notes <!-- src:agent ts:2026-06-01 -->", "## Hosts", "- node-2 serves the wiki"]


def test_a_broken_tag_of_the_users_above_all_headings_speaks_for_the_whole_file() -> None:
    assert shown_alone("<!-- src:user ts:soon -->\n\n- a pond is dug\n\n# Hosts\n\n- node-2 serves the wiki\n") == []


def test_a_second_tag_of_the_users_on_a_line_speaks_for_its_section() -> None:
    text = "- a pond is dug <!-- src:agent ts:2026-06-01 --> <!-- src:user ts:2026-06-01 -->\n- it is deep\n# Hosts\n- node-2 serves it\n"
    assert shown_alone(text) == []
    assert shown_alone(f"# Pond\n{text}") == ["# Hosts", "- node-2 serves it"]


def test_a_part_of_an_entry_without_its_spaces_is_told_again() -> None:
    assert known("- Prefers rye bread with butter").repeats("- #ryebreadwithbutter")
    assert not known("- Prefers rye bread with butter").repeats("- #ryebreadwithhoney")
