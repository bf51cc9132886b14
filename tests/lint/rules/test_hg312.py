"""HG312: an edit that turns the meaning of an entry."""

from __future__ import annotations

import time

import pytest

from hoard_git.lint.polarity import find_turn
from tests.support.scenes import change_scene, findings

TURNS = [
    # English
    ("The bot may deploy on Fridays", "The bot may not deploy on Fridays"),
    ("Backups are encrypted with the team key", "Backups are never encrypted with the team key"),
    ("Backups work with the old key", "Backups work without the old key"),
    ("The bot can restart node two", "The bot can't restart node two"),
    ("The bot can restart node two", "The bot can\u2019t restart node two"),
    ("The bot can restart node two", "The bot cannot restart node two"),
    ("The service uses port 80", "The service does not use port 80"),
    ("Use tabs", "Don't use tabs"),
    ("Two-factor login is enabled for all", "Two-factor login is disabled for all"),
    ("Direct pushes are forbidden here", "Direct pushes are allowed here"),
    ("The night job is on", "The night job is off"),
    ("Signed commits needed: yes", "Signed commits needed: no"),
    ("Deploys need review: True", "Deploys need review: FALSE"),
    ("Push with `--verify` set", "Push with `--no-verify` set"),
    ("Set `verify: true` in the file", "Set `verify: false` in the file"),
    ("The plan is approved by Kim", "The plan is unapproved by Kim"),
    # the other languages of the secrets rules
    ("Die Sicherung ist verschl\u00fcsselt", "Die Sicherung ist nicht verschl\u00fcsselt"),
    ("Freitags werden keine Releases gebaut", "Freitags werden Releases gebaut"),
    ("El bot puede desplegar los viernes", "El bot no puede desplegar los viernes"),
    ("La copia funciona con clave", "La copia funciona sin clave"),
    ("Le robot peut d\u00e9ployer le vendredi", "Le robot ne peut pas d\u00e9ployer le vendredi"),
    ("Le robot n'est pas autoris\u00e9 ici", "Le robot est autoris\u00e9 ici"),
    ("O rob\u00f4 pode publicar na sexta", "O rob\u00f4 n\u00e3o pode publicar na sexta"),
    ("Il bot pu\u00f2 pubblicare di venerd\u00ec", "Il bot non pu\u00f2 pubblicare di venerd\u00ec"),
    ("De bot mag op vrijdag publiceren", "De bot mag niet op vrijdag publiceren"),
    ("Bot mo\u017ce publikowa\u0107 w pi\u0105tek", "Bot nie mo\u017ce publikowa\u0107 w pi\u0105tek"),
    ("\u0411\u043e\u0442 \u043c\u043e\u0436\u0435\u0442 \u043f\u0443\u0431\u043b\u0438\u043a\u043e\u0432\u0430\u0442\u044c",
     "\u0411\u043e\u0442 \u043d\u0435 \u043c\u043e\u0436\u0435\u0442 \u043f\u0443\u0431\u043b\u0438\u043a\u043e\u0432\u0430\u0442\u044c"),
    ("\u5468\u4e94\u53ef\u4ee5\u90e8\u7f72", "\u5468\u4e94\u4e0d\u53ef\u4ee5\u90e8\u7f72"),
    ("\u5468\u4e94\u90e8\u7f72", "\u5468\u4e94\u7981\u6b62\u90e8\u7f72"),
    ("\u91d1\u66dc\u65e5\u306b\u30c7\u30d7\u30ed\u30a4\u3057\u307e\u3059", "\u91d1\u66dc\u65e5\u306b\u30c7\u30d7\u30ed\u30a4\u3057\u307e\u305b\u3093"),
    # the negation changed sides
    ("Deploy on Fridays, not on Mondays", "Deploy on Mondays, not on Fridays"),
    # one sentence of several
    ("Kim owns the shop. The bot may deploy. Lunch is at noon.", "Kim owns the shop. The bot may not deploy. Lunch is at noon."),
]  # fmt: skip

STAYS = [
    ("The bot may deploy on Fridays", "The bot may deploy on Mondays"),
    ("The build takes nine minutes", "The build takes nine minutes. It does not need the network."),
    ("The build does not need the network", "The build never needs the network"),
    ("The restore test failed", "The restore test passed"),
    ("Lunch is not at noon", "The printer on floor two jams"),
    ("Deploy on the fifth of May", "Deploy on the fifth of June"),
    ("Das Treffen ist am 5. Mai", "Das Treffen ist am 5. Juni"),
    ("Das Treffen ist im Mai 2026", "Das Treffen ist im Juni 2026"),
    ("\u4e24\u4e2a\u670d\u52a1\u5668\u76f8\u540c", "\u4e24\u4e2a\u670d\u52a1\u5668\u4e0d\u540c"),
    ("\u8fd9\u4e2a\u65b9\u6848\u5f88\u597d", "\u8fd9\u4e2a\u65b9\u6848\u975e\u5e38\u597d"),
    # A clause that comes or goes with its negation says less or more, not the opposite.
    ("Cite several sources (papers, not blogs)", "Cite sources (papers)"),
    ("The post often succeeded, check first, don't send twice", "The post often succeeded, check first"),
    ("A one-off reminder fired", "A reminder fired"),
    ("It takes zero prior knowledge", "It takes no prior knowledge"),
    (
        "\u4e0d\u8fbe\u76ee\u6807\u4e0d\u7f62\u4f11",
        "\u4e0d\u8fbe\u76ee\u6807\u4e0d\u7f62\u4f11\uff0c\u4e0d\u8fbe\u76ee\u6807\u4e0d\u7f62\u4f11",
    ),
    ("It is inside the box", "It is near the box"),
    ("", "not"),
    ("same words", "same words"),
]


@pytest.mark.parametrize(("before", "after"), TURNS)
def test_a_turn_is_seen_in_both_directions(before: str, after: str) -> None:
    assert find_turn(before, after) != ""
    assert find_turn(after, before) != ""


@pytest.mark.parametrize(("before", "after"), TURNS)
def test_letter_case_and_the_place_in_the_entry_do_not_matter(before: str, after: str) -> None:
    assert find_turn(before.upper(), after) != ""
    assert find_turn(f"- First of all.\n  {before}", f"- First of all.\n  {after}") != ""


@pytest.mark.parametrize(("before", "after"), STAYS)
def test_other_edits_are_none(before: str, after: str) -> None:
    assert find_turn(before, after) == ""
    assert find_turn(after, before) == ""


def test_the_word_is_named() -> None:
    assert find_turn("Use tabs here", "Do not use tabs here") == "'not' came"
    assert find_turn("Access is denied to all", "Access is granted to all") == "'denied' went"


def said(before: str, after: str, actor: str = "agent") -> list[str]:
    return [f.message for f in findings(change_scene({"MEMORY.md": before}, {"MEMORY.md": after}, actor=actor), "HG312")]


@pytest.mark.parametrize("source", ["agent", "tool", "web", "dig"])
def test_entries_of_any_low_source(source: str) -> None:
    entry = f"- The bot may deploy on Fridays <!-- src:{source} ts:2026-06-01 -->\n"
    assert said(entry, entry.replace("may", "may not")) == ["the edit turns the meaning: 'not' came"]


def test_a_users_entry_is_hg301s() -> None:
    entry = "- The bot may deploy on Fridays <!-- src:user ts:2026-06-01 -->\n"
    assert said(entry, entry.replace("may", "may not")) == []


def test_a_new_entry_turns_nothing() -> None:
    assert said("# M\n", "# M\n- The bot may not deploy <!-- src:agent ts:2026-06-01 -->\n") == []


def test_a_human_may_turn() -> None:
    entry = "- The bot may deploy on Fridays <!-- src:agent ts:2026-06-01 -->\n"
    assert said(entry, entry.replace("may", "may not"), "human") == []


@pytest.mark.parametrize("text", ["not " * 50_000, "\u4e0d" * 100_000, "a. " * 60_000, "'" * 100_000, "x" * 200_000])
def test_long_texts_take_no_time(text: str) -> None:
    start = time.process_time()
    find_turn(text, text + " not")
    assert time.process_time() - start < 2
