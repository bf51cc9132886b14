"""Which lines of a log are key lines: decisions, rules and facts before status, chat and output."""

from __future__ import annotations

from math import log

import pytest

from hoard_git.core.keylines import MOST, count_days, find_keys, is_chatter, is_marked, is_statement, kinds_of, weigh
from hoard_git.core.markdown import parse
from hoard_git.core.provenance import provenances
from hoard_git.core.tags import Tag
from hoard_git.core.units import core_of

DAY = Tag("agent", "2026-06-01")


def entry_of(text: str) -> bool:
    (entry,) = parse(text.encode()).entries
    return is_statement(entry)


def keys_of(text: str, seen: dict[str, int] | None = None) -> list[str]:
    document = parse(text.encode())
    keys = find_keys(document, provenances(document, DAY), seen=seen)
    return [core_of(document.entries[key.entry].text) for key in keys]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("We decided to rent a second disk", "decision"),
        ("Beschlossen: der Bericht geht freitags raus", "decision"),
        ("\u51b3\u5b9a\u6539\u7528\u65b0\u7684\u6570\u636e\u5e93", "decision"),
        ("Sam prefers short answers", "preference"),
        ("Sam bevorzugt kurze Antworten", "preference"),
        ("Never restart the router before noon", "rule"),
        ("Das Passwortfeld muss leer bleiben", "rule"),
        ("\u5fc5\u987b\u5148\u5907\u4efd\u518d\u5347\u7ea7", "rule"),
        ("The deadline of the grant is in March", "deadline"),
        ("Die Frist endet im M\u00e4rz", "deadline"),
        ("Fixed the import of old mails", "fix"),
        ("Die Ursache war ein volles Dateisystem", "fix"),
        ("\u4fee\u590d\u4e86\u767b\u5f55\u95ee\u9898", "fix"),
        ("#remember the spare key is with Lee", "mark"),
    ],
)
def test_key_words_in_three_languages(text: str, kind: str) -> None:
    assert kind in kinds_of(text)
    assert entry_of(f"- {text}\n")


def test_a_number_and_a_name_add_a_little() -> None:
    assert weigh("it runs somewhere") == (0.0, "")
    assert weigh("it runs on port 8443") == (0.5, "number")
    assert weigh("it runs on `node-two`") == (0.5, "name")
    assert weigh("we decided on port 8443")[0] == 2.5


@pytest.mark.parametrize(
    "text",
    [
        "- Where are the keys?\n",
        "- \u94a5\u5319\u5728\u54ea\u91cc\uff1f\n",
        "- Decisions:\n",
        "- ok\n",
        "- Nothing to report at 14:00\n",
        "- **Mail:** no new messages\n",
        "- HEARTBEAT_OK\n",
        "- Nichts Neues heute\n",
        "- \u4e00\u5207\u6b63\u5e38\n",
        "- `git log --oneline -3`\n",
        "- $ systemctl restart nginx\n",
        "- curl -s https://example.org/health | head\n",
        "- [2026-06-01 10:00:00] INFO: worker started as planned\n",
        "- Traceback (most recent call last) in the worker\n",
        '- {"status": "ok", "items": 3}\n',
        "- **Session ID**: a4f1 of the main agent\n",
        "- Source: telegram chat of the family\n",
        "- QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbm9w is what it printed\n",
        "```\nwe decided to fix everything\n```\n",
        "> We decided to fix everything\n",
    ],
)
def test_what_is_no_statement(text: str) -> None:
    assert not entry_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "- git push --force to main is never allowed\n",
        "- heartbeat: fixed the parser of the European mails\n",
        "- Prefers tabs\n",
        "- Use `git log --oneline` for the weekly report\n",
        "The wiki moved to node-2.\n",
        "- \u670d\u52a1\u5668\u5728\u67cf\u6797\u673a\u623f\n",
    ],
)
def test_what_is_one(text: str) -> None:
    assert entry_of(text)


def test_a_chat_is_none() -> None:
    document = parse(b"# D\n\nuser: we always decide on Monday\nassistant: noted, never on Friday\n")
    assert [is_statement(entry) for entry in document.entries] == [False] * len(document.entries)


def test_a_mark_counts_outside_of_code_alone() -> None:
    assert is_marked("the gate code is with Lee #Remember")
    assert is_marked("[remember] the gate code")
    assert not is_marked("write `#remember` behind a line")
    assert not is_marked("remember the milk")
    assert not is_marked("see page#remember")


def test_small_talk_with_a_reason_in_it_is_none() -> None:
    assert is_chatter("all good")
    assert not is_chatter("all good since the fix of the parser")
    assert not is_chatter("okra grows in the second bed")


LOG = """\
# 2026-06-01

- Morning round, nothing special
- We decided to move the wiki to node-2
- Looked at the news
- Walked through the old notes
- Never restart the router before noon
- Had a look at the printer
- Where is the printer manual?
- Listened to the radio for a while
- Sam prefers short answers
- Sorted some pictures
- The upload took long again
- Drank tea in the kitchen
"""


def test_at_most_a_quarter_and_the_heaviest_in_the_order_of_the_file() -> None:
    assert keys_of(LOG) == ["We decided to move the wiki to node-2", "Never restart the router before noon", "Sam prefers short answers"]


def test_what_is_said_on_several_days_weighs_more() -> None:
    said = "Sorted some pictures"
    assert said not in keys_of(LOG)
    more = LOG + "".join(f"- Some other matter {word}\n" for word in ("here", "there", "inside", "outside"))
    assert said in keys_of(more, {core_of(f"- {said}"): 2})


def test_repetition_in_what_a_page_said_counts_for_nothing() -> None:
    said = "Sorted some pictures"
    tagged = LOG.replace(f"- {said}", f"- {said} <!-- src:web ts:2026-06-01 -->")
    more = tagged + "".join(f"- Some other matter {word}\n" for word in ("here", "there", "inside", "outside"))
    assert said not in keys_of(more, {core_of(f"- {said}"): 9})


def scores_of(text: str) -> list[float]:
    document = parse(text.encode())
    return [key.score for key in find_keys(document, provenances(document, DAY))]


def test_what_other_lines_talk_about_weighs_its_share_of_the_words_that_tell_apart() -> None:
    assert scores_of("- We decided on apples today\n- Sam prefers pears there\n") == [2.0, 2.0], "nothing is shared"
    one, both = log(3), log(3 / 2)  # a word of one of the two entries, and of both
    shared = both / (both + 2 * one)
    assert scores_of("- red bikes arrived\n- red lamps broke\n") == pytest.approx([shared, shared])


def test_a_short_log_keeps_up_to_three() -> None:
    text = "- Walked through the old notes\n- Looked at the news again\n- Sorted some old pictures\n- Drank tea in a kitchen\n"
    found = keys_of(text)
    assert len(found) == 3
    assert [line for line in text.split("\n") if line[2:] in found] == [f"- {line}" for line in found]


def test_a_long_log_keeps_a_bounded_number() -> None:
    nouns = [a + b for a in "abcdefghijklmnopqrst" for b in "abcdefghijklmnopqrst"]
    text = "".join(f"- We decided {noun}x for {noun}y and {noun}z\n" for noun in nouns)
    assert len(keys_of(text)) == MOST


def test_nearly_the_same_line_is_kept_once() -> None:
    text = "".join(f"- Check {number}: the probe of the gateway failed, cause unknown\n" for number in range(20))
    assert len(keys_of(text)) == 1


def test_items_around_a_key_line_count_against_the_share() -> None:
    text = "- Topics\n  - Wiki\n    - We decided to move it to node-2\n" + "- Sorted some pictures\n" * 5
    document = parse(text.encode())
    keys = find_keys(document, provenances(document, DAY))
    assert keys[0].entry == 2


def test_days_are_counted_once_and_only_for_trusted_sources() -> None:
    text = b"- The gate code changed\n- The gate code changed\n- From a page <!-- src:web ts:2026-06-01 -->\n"
    document = parse(text)
    logs = [(day, document, provenances(document, DAY)) for day in (1, 1, 2)]
    assert count_days(logs, core_of) == {"The gate code changed": 2}


def test_a_very_long_line_is_read_in_linear_time() -> None:
    for text in ("a" * 100_000, "0" * 100_000, "[" * 100_000, "decided " * 12_000, "`" * 100_000):
        entry_of(f"- x {text}\n")
        weigh(text)
