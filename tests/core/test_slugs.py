from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.markdown import parse
from hoard_git.core.slugs import slug, slugs


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Infrastructure", "infrastructure"),
        ("2026-06-05 Infrastructure", "infrastructure"),
        ("2026-06-05", "2026-06-05"),
        ("2026-06-05: Deploy", "deploy"),
        ("2026-06-05 \u2014 Deploy", "deploy"),
        ("2026-06-05 \u2705", "2026-06-05-"),
        ("2026-02-30 Not a day", "2026-02-30-not-a-day"),
        ("2026-06-050", "2026-06-050"),
        ("On 2026-06-05", "on-2026-06-05"),
        ("memory/housing.md", "memoryhousingmd"),
        ("What's new, really?", "whats-new-really"),
        ("a  b - c", "a--b---c"),
        ("snake_case and kebab-case", "snake_case-and-kebab-case"),
        ("_emphasis_ and __strong__ words", "emphasis-and-strong-words"),
        ("**Bold** and *thin*", "bold-and-thin"),
        ("`__init__` of `a_b`", "__init__-of-a_b"),
        ("``a ` b``", "a--b"),
        ("a ` b", "a--b"),
        ("[Link text](https://x.org/a_(b))", "link-text"),
        ("[`code` in a link](u)", "code-in-a-link"),
        ("![image](u) text", "text"),
        ("![image](u 'title') text", "text"),
        ("<b>bold</b> text", "bold-text"),
        ("<https://x.org>", "httpsxorg"),
        ("a &amp; b", "a--b"),
        ("\\_not emphasis\\_", "_not-emphasis_"),
        ("Gro\u00dfe \u00c4nderung", "gro\u00dfe-\u00e4nderung"),
        ("\u8a18\u61b6 \u30e1\u30e2", "\u8a18\u61b6-\u30e1\u30e2"),
        ("\u0939\u093f\u0928\u094d\u0926\u0940", "\u0939\u093f\u0928\u094d\u0926\u0940"),
        ("\U0001f680 Launch", "-launch"),
        ("\u26a0\ufe0f Stale", "\ufe0f-stale"),
        ("a\u00a0b", "ab"),
        ("x\u00b2 \u00bd", "x-"),
        ("\U0001f680", ""),
        ("", ""),
        ("a\x00b", "ab"),
        ("[[Wiki Page]]", "wiki-page"),
        ("C++ & C#", "c--c"),
    ],
)
def test_a_slug_is_githubs(title: str, expected: str) -> None:
    assert slug(title) == expected


def test_repeats_are_counted() -> None:
    document = parse(b"# A\n\n## Notes\n\n## 2026-06-05 Notes\n\n## Notes-1\n\n# notes\n")
    assert slugs(document) == ("a", "notes", "notes-1", "notes-1-1", "notes-2")


def test_a_tag_is_no_part_of_a_slug() -> None:
    document = parse(b"## 2026-06-05 Infrastructure  <!-- src:agent ts:2026-06-05 ttl:90d -->\n")
    assert slugs(document) == ("infrastructure",)


@given(st.text(alphabet="ab_`*[]()<>!&;\\ #-\u00e4\u65e5", max_size=60))
def test_a_slug_is_one_word(title: str) -> None:
    found = slug(title)
    assert not set(found) & set(" `*[]()<>!&;\\#")
    assert found == found.lower()


@pytest.mark.parametrize("piece", ["`", "``a", "[", "![", "](", "<a ", "_", "_a", "&amp", "\\", "<!--", "[a](", "`` ` "])
def test_hostile_titles_take_no_time(piece: str) -> None:
    assert len(slug(piece * 20_000)) <= 2000
