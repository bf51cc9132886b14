from __future__ import annotations

from hoard_git.core.duplicates import Statement, find_statements
from hoard_git.core.files import classify, file_default
from hoard_git.core.guards import NUMBER, SAME
from hoard_git.core.markdown import parse
from hoard_git.core.nearness import CONFLICT, MOST_TOGETHER, NEAR, find_near, origin_of
from hoard_git.core.policy import DEFAULT
from hoard_git.core.provenance import provenances


def statements(files: dict[str, str]) -> list[Statement]:
    found = []
    for path, text in files.items():
        document, file_class = parse(text.encode()), classify(path, DEFAULT)
        claims = provenances(document, file_default(path, file_class, DEFAULT))
        found += find_statements(path, file_class, document, claims)
    return found


def entry(text: str, src: str = "agent", ts: str = "2026-06-05", rest: str = "") -> str:
    return f"- {text} <!-- src:{src} ts:{ts}{rest} -->\n"


def test_a_conflict_is_ordered_by_trust_and_then_by_date() -> None:
    text = (
        entry("The budget is 40 EUR", "web", "2026-06-09")
        + entry("The budget is 50 EUR", "user", "2026-01-01")
        + entry("The budget is 60 EUR", "web", "2026-06-10")
    )
    (item,) = find_near(statements({"MEMORY.md": text}))
    assert (item.kind, item.reason) == (CONFLICT, "a number differs; 2 entries from one origin count once")
    assert [one.line for one in item.statements] == [2, 3, 1]


def test_three_notes_of_one_site_are_one_origin() -> None:
    text = "".join(
        entry(said, "web", rest=f" ev:https://www.shop.example/{number}")
        for number, said in enumerate(
            ["The mirror of the shop is safe", "The mirror of the big shop is safe", "The mirror of the shop is very safe"]
        )
    )
    (item,) = find_near(statements({"MEMORY.md": text}))
    assert item.reason == f"{SAME}; 3 entries from one origin count once"
    assert {origin_of(one) for one in item.statements} == {"web shop.example"}


def test_two_sites_are_two_origins() -> None:
    text = entry("The mirror of the shop is safe", "web", rest=" ev:https://a.example/1") + entry(
        "The mirror of the big shop is safe", "web", rest=" ev:https://b.example/1"
    )
    (item,) = find_near(statements({"MEMORY.md": text}))
    assert item.reason == SAME


def test_a_series_is_one_item() -> None:
    text = "".join(f"- Build {number} passed all of the tests\n" for number in range(30))
    (item,) = find_near(statements({"MEMORY.md": text}))
    assert item.kind == NEAR
    assert len(item.statements) == MOST_TOGETHER
    assert item.reason.startswith(NUMBER)
    assert item.reason.endswith("20 more like these are not shown")


def test_other_headings_are_other_subjects_for_short_entries() -> None:
    assert find_near(statements({"MEMORY.md": "## Router\n- The port is 80\n## Proxy\n- The port is 81\n"})) == []
    text = "## A\n- The port of the proxy in Ghent is 80\n## B\n- The port of the proxy in Ghent is 81\n"
    assert [item.kind for item in find_near(statements({"MEMORY.md": text}))] == [CONFLICT]


def test_memory_and_a_sidecar_under_the_same_heading() -> None:
    files = {"MEMORY.md": "## Proxy\n- The port is 80\n", "memory/proxy.md": "# Proxy\n- The port is 81\n"}
    assert [item.reason for item in find_near(statements(files))] == ["a number differs; 2 entries from one origin count once"]


def test_daily_logs_are_left_out() -> None:
    assert find_near(statements({"memory/2026-06-01.md": "## A\n- The port is 80\n- The port is 81\n"})) == []


def test_equal_forms_are_no_near_pair() -> None:
    assert find_near(statements({"MEMORY.md": "- The NAS is called kite\n- the NAS is called kite.\n"})) == []


def test_the_list_is_cut_the_surest_first() -> None:
    text = "".join(
        f"## H{n}\n- The port of x{n} is 80\n- The port of x{n} is 81\n- Ann{n} likes the red tea\n- Bob{n} likes the red tea\n"
        for n in range(9)
    )
    found = find_near(statements({"MEMORY.md": text}))
    assert [item.kind for item in found[:9]] == [CONFLICT] * 9
    assert find_near(statements({"MEMORY.md": text}), 4) == found[:4]


def test_the_score_of_a_promotion_is_no_part_of_the_fact() -> None:
    def promoted(text: str, score: str, line: int) -> str:
        return f"- Report of the cluster (22:46): {text} [score={score} recalls=0 avg=0.620 source=memory/2026-06-01.md:{line}-{line}]\n"

    guests, memory = promoted("**Guests:**", "0.827", 12), promoted("**Memory pressure:**", "0.827", 17)
    assert [item for item in find_near(statements({"MEMORY.md": guests + memory})) if item.kind == CONFLICT] == []
    again = guests + promoted("**Guests:**", "0.804", 31)
    assert [item.kind for item in find_near(statements({"MEMORY.md": again}))] == [NEAR]
    changed = promoted("the limit is 4 guests", "0.827", 12) + promoted("the limit is 5 guests", "0.827", 12)
    assert [item.reason[:16] for item in find_near(statements({"MEMORY.md": changed}))] == ["a number differs"]


def test_long_paragraphs_are_not_compared() -> None:
    text = "word " * 300
    assert find_near(statements({"MEMORY.md": f"{text}1\n\n{text}2\n"})) == []


def test_no_value_is_repeated_in_a_reason() -> None:
    word = "osprey"
    text = entry(f"The door code is {word}", "user") + entry(f"The door code is {word}3")
    assert [word in item.reason for item in find_near(statements({"MEMORY.md": text}))] == [False]


def test_all_that_the_user_says_is_one_origin() -> None:
    one, two = statements({"MEMORY.md": entry("A b c", "user", rest=" ev:https://a.example/1") + entry("D e f", "user")})
    assert origin_of(one) == origin_of(two) == "user"


def test_where_nothing_is_asked_about_nothing_is_near() -> None:
    found = statements({"MEMORY.md": entry("The budget is 40 EUR") + entry("The budget is 50 EUR")})
    assert find_near(found, about=()) == []
    assert len(find_near(found, about={("MEMORY.md", 1)})) == 1
