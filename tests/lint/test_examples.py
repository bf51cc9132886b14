"""The examples in the rules' documentation are tests: a bad one is found by its rule, a good one is not.

Fenced examples show what a scene of files cannot: commit messages, refs, history. The rules' own tests cover those.
"""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

import pytest

from hoard_git.lint.engine import judge, load
from hoard_git.lint.registry import RULES, Rule
from tests.support.scenes import Example, parse_examples, scene_of

_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


class Case(NamedTuple):
    code: str
    number: int
    example: Example

    def __str__(self) -> str:
        return f"{self.code}-{'good' if self.example.good else 'bad'}-{self.number}"


def page(rule: Rule) -> str:
    return inspect.getdoc(load(rule)) or ""


CASES = [
    Case(rule.code, number, example) for rule in RULES for number, example in enumerate(parse_examples(_FENCED.sub("", page(rule))), 1)
]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_example_is_what_its_section_says(case: Case) -> None:
    found = {finding.code for finding in judge(scene_of(case.example), {case.code})}
    assert found == (set() if case.example.good else {case.code})


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_page_has_its_sections(rule: Rule) -> None:
    text = page(rule)
    titles = [line.removeprefix("## ") for line in text.split("\n") if line.startswith("## ")]
    assert [title for title in titles if title != "Limits"] == ["Why", "Bad", "Good", "Instead"]
    assert titles[-1] in {"Instead", "Limits"}
    first = text.split("\n", 1)[0]
    assert first.endswith("."), "the first line says the defect in one sentence"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_page_shows_both_sides(rule: Rule) -> None:
    text = page(rule)
    bad, good = (text.partition(f"\n## {title}\n")[2].partition("\n## ")[0] for title in ("Bad", "Good"))
    tested = {case.example.good for case in CASES if case.code == rule.code}
    assert False in tested or _FENCED.search(bad) is not None
    assert True in tested or _FENCED.search(good) is not None
