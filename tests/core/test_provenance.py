"""From where an entry has its provenance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.markdown import parse
from hoard_git.core.provenance import (
    count_untagged,
    deciding_tag,
    file_provenance,
    front_tag,
    heading_provenances,
    provenances,
    section_provenances,
)
from hoard_git.core.tags import Tag

DAILY = Tag("agent", "2026-06-01")


def seen(text: str, default: Tag | None = None) -> list[tuple[str, str, int]]:
    return [(found.src, found.origin, found.line) for found in provenances(parse(text.encode()), default)]


def t(source: str) -> str:
    return f"<!-- src:{source} ts:2026-06-01 id:abc123 ev:here -->"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- a\n", [("", "", 0)]),
        (f"- a {t('web')}\n", [("web", "own", 1)]),
        (f"## H {t('agent')}\n- a\n- b {t('web')}\n", [("agent", "heading", 1), ("web", "own", 3)]),
        (f"## H {t('agent')}\n### I\n- a\n", [("agent", "heading", 1)]),
        (f"## H {t('agent')}\n### I {t('web')}\n- a\n## J\n- b\n", [("web", "heading", 2), ("", "", 0)]),
        (f"- a {t('web')}\n  - b\n    - c\n- d\n", [("web", "own", 1), ("web", "item", 1), ("web", "item", 1), ("", "", 0)]),
        (f"## H {t('user')}\n- a\n  - b\n", [("user", "heading", 1), ("user", "heading", 1)]),
        (f"# T {t('agent')}\n- a\n## H\n- b\n", [("agent", "heading", 1), ("agent", "heading", 1)]),
        (f"- top\n# T {t('agent')}\n- a\n# U\n- b\n", [("agent", "file", 2), ("agent", "heading", 2), ("agent", "file", 2)]),
        (f"## H {t('agent')}\n- a\n# T {t('web')}\n", [("agent", "heading", 1)]),
        ("---\nsrc: web\nts: 2026-06-01\n---\n- a\n", [("web", "file", 1), ("web", "file", 1)]),
        (f"---\nsrc: web\nts: 2026-06-01\n---\n# T {t('agent')}\n- a\n", [("agent", "file", 5), ("agent", "heading", 5)]),
        (f"{t('web')}\n| a |\n|---|\n| b |\n", [("web", "own", 1), ("web", "own", 1)]),
    ],
)
def test_the_nearest_tag_decides(text: str, expected: list[tuple[str, str, int]]) -> None:
    assert seen(text) == expected


def test_a_class_default_counts_last() -> None:
    assert seen("- a\n", DAILY) == [("agent", "class", 0)]
    assert seen(f"## H {t('web')}\n- a\n## I\n- b\n", DAILY) == [("web", "heading", 1), ("agent", "class", 0)]


def test_id_and_evidence_are_never_inherited() -> None:
    document = parse(f"## H {t('web')}\n- a {t('dig')}\n  - b\n".encode())
    assert [(p.id, p.ev) for p in heading_provenances(document, None)] == [("abc123", "here")]
    assert [(p.id, p.ev) for p in provenances(document, None)] == [("abc123", "here"), ("", "")]
    assert file_provenance(parse(f"# T {t('web')}\n".encode()), None).id == ""


@pytest.mark.parametrize(
    "front",
    ["src: web\n", "ts: 2026-06-01\n", "src: WEB\nts: 2026-06-01\n", "src: web\nts: 2026-6-1\n", "src: web\nts: 2026-06-01\nttl: long\n",
     "src: web\nts: 2026-06-01\nsrc: user\n", "title: x\n"],
)  # fmt: skip
def test_front_matter_that_makes_no_tag(front: str) -> None:
    document = parse(f"---\n{front}---\nwords\n".encode())
    assert front_tag(document) is None
    assert seen(f"---\n{front}---\nwords\n")[-1] == ("", "", 0)


def test_front_matter_makes_a_tag() -> None:
    document = parse(b"---\ntitle: x\nsrc: 'tool'\nts: 2026-06-01\nttl: 30d\nid: abc123\nev: here\n---\nwords\n")
    assert front_tag(document) == Tag("tool", "2026-06-01", "30d", "abc123", "here")


def test_what_can_have_a_tag_and_has_none_is_counted() -> None:
    text = b"---\ntitle: x\n---\n\n- one\n- two <!-- src:web ts:2026-06-01 -->\n\n<!-- x:start -->\n- theirs\n<!-- x:end -->\n\n```\ncode\n```\n"
    assert count_untagged(parse(text), None) == 2  # one, and the code
    assert count_untagged(parse(text), DAILY) == 0


def test_the_deciding_tag_is_found_again() -> None:
    text = f"---\nsrc: dig\nts: 2026-06-01\n---\n- z\n## H {t('web')}\n- a\n- b {t('tool')}\n  - c\n"
    document = parse(text.encode())
    tags = [deciding_tag(document, found) for found in provenances(document, None)]
    assert [tag.src if tag is not None else "" for tag in tags] == ["dig", "dig", "web", "tool", "tool"]
    assert deciding_tag(document, file_provenance(parse(b"x\n"), DAILY)) is None


_LINE = st.sampled_from(
    ["- a", "  - b", f"- c {t('web')}", f"  - d {t('user')}", "## H", f"### I {t('agent')}", f"# T {t('tool')}", "words", ""]
)


@given(st.lists(_LINE, max_size=12))
def test_law_a_section_says_what_the_file_says(lines: list[str]) -> None:
    document = parse("\n".join(lines).encode())
    whole = provenances(document, None)
    for section in {entry.heading for entry in document.entries}:
        numbers = [at for at, entry in enumerate(document.entries) if entry.heading == section]
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        inherited = file_provenance(document, None)
        if section >= 0:
            found = heading_provenances(document, None)[section]
            inherited = found._replace(origin="heading", id="", ev="") if found.origin == "own" else found
        assert section_provenances(document, numbers[0], numbers[-1] + 1, inherited) == list(whole[numbers[0] : numbers[-1] + 1])
