"""A merged text may shorten and join; it may not say anything else."""

from __future__ import annotations

import pytest

from hoard_git.core.extracts import LONGEST, LONGEST_TOGETHER, check_extract, hedges_of, subject_of

NODES = ("Node-2 is online", "Node-3 is online.")
DISKS = ("Node-2 has 5 disks", "Node-3 has 7 disks")
LONG = "Backup runs nightly with restic to the shelf in the cellar and mails Ada"


@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        ("Node-2 and Node-3 are online", NODES),
        ("Node-2, Node-3 are online.", NODES),
        ("Node-2 is online; Node-3 is online", NODES),
        ("Node-2 and Node-3 have 5 and 7 disks", DISKS),
        ("A and B are not online", ("A is not online", "B is not online")),
        ("A is up; B is not up", ("A is up", "B is not up")),
        ("Backup runs nightly; disk is full", ("Backup runs nightly again", "The disk is full")),
        ("The backup runs nightly", ("Backup runs nightly again",)),
        ("Says Ada: port is open", ("says Ada: port is open, day and night",)),
        ("Ada likes tea", ("**Ada** likes *tea*",)),
        ("Run `make all` at 10:41", ("Run `make all` at 10:41, Ada",)),
        ("see https://example.org/a_b for x", ("see [https://example.org/a_b](x.md) for x",)),
        ("snake_case and 5 MB", ("_snake_case_ and 5 MB of it",)),
        ("Ada came", ("Ada (a guest) came",)),
        ("Der Server läuft", ("Der Server läuft, und die Sonne scheint",)),
    ],
)
def test_a_selection_is_accepted(text: str, inputs: tuple[str, ...]) -> None:
    assert check_extract(text, inputs).problem == ""


@pytest.mark.parametrize(
    ("text", "inputs", "clause"),
    [
        ("Node-2 has 7 disks; Node-3 has 5 disks", DISKS, "says something"),
        ("Node-2 and Node-3 have 7 and 5 disks", DISKS, "says something"),
        ("Node-2 and Node-3 have 12 disks", DISKS, "stands in none"),
        ("Node-2; has 7 disks", DISKS, "says something"),
        ("Node-4 is online", NODES, "stands in none"),
        ("postgres runs; mysql runs", ("mysql runs", "mysql runs well"), "'postgres' stands in none"),
        ("A and B are online", ("A is not online", "B is online"), "says something"),
        ("A is online", ("A is not online",), "says something"),
        ("A is not online", ("A is online",), "'not' stands in none"),
        ("A is not online; B is online", ("A is online", "B is not online"), "says something"),
        ("B depends on A", ("A depends on B",), "says something"),
        ("Ada likes coffee", ("Ada likes tea, Bob likes coffee",), "says something"),
        ("Ada likes coffee", ("Ada likes tea and Bob likes coffee",), "says something"),
        ("Heater off", ("Heater works, fan off",), "says something"),
        ("deputy of Bob left", ("Ada, deputy of Bob, left",), "says something"),
        ("Backup worked", ("Backup failed to start. Restart worked",), "says something"),
        ("Disk has 5 free", ("Disk has 5 MB free",), "none of its blocks"),
        ("Disk has 5 MB free", ("Disk has 5 GB free", "Disk two has 6 MB free"), "none of its blocks"),
        ("It is 5 C", ("It is -5 C",), "none of its blocks"),
        ("23", ("2*3",), "'23' stands in none"),
        ("X is fast", ("A blog says X is fast",), "says something"),
        ("X is fast; Y is fast", ("Maybe X is fast", "Y is fast"), "reported or guessed"),
        ("Port is open", ("Port is open. Not for guests",), "leaves out a negation"),
        ("Port is open", ("Port is open, unless it rains",), "says something"),
        ("Port 80 is open", ("Is port 80 open?",), "none of its blocks"),
        ("Ada must send mail", ("Ada sends mail",), "'must' stands in none"),
        ("always send logs", ("the page says: always send logs",), "says something"),
        ("A is up", ("A is up", "B is up"), "holds nothing of one"),
        ("ignore this", NODES, "stands in none"),
        ("x" * (LONGEST + 1), ("x",), "too long"),
        ("x", ("x " * (LONGEST // 2),) * (LONGEST_TOGETHER // LONGEST + 1), "too long"),
        ("a, b", ("a, " * 100,), "too long"),
        ("b " * 200, ("b " * 210,), "too long"),
        (", ".join(f"N-{n}" for n in range(50)) + " are up", tuple(f"N-{n} is up" for n in range(50)), "says something"),
        ("雨", ("雨 不",), "script"),
        ("شبكة", ("شبكة",), "script"),
    ],
)
def test_anything_else_is_refused_with_a_clause(text: str, inputs: tuple[str, ...], clause: str) -> None:
    assert clause in check_extract(text, inputs).problem


@pytest.mark.parametrize(
    ("text", "inputs", "lost"),
    [
        (LONG, (LONG,), ()),
        ("Backup runs nightly with restic", (LONG,), (0,)),  # Ada is gone
        ("Backup runs", ("Backup runs every so slowly",), None),  # every is a limit
        ("Backup runs", ("Backup runs slowly from the shelf",), (0,)),  # two of five words
        ("Backup runs slowly", ("Backup runs slowly from shelves",), ()),
        ("Node-2 is online; Backup runs", ("Node-2 is online", "Backup runs slowly from the shelf"), (1,)),
        ("Node-2 is online", ("Node-2 is online, 12:30",), (0,)),
        ("the backup runs; the disk is fine", ("Backup runs", "Disk is fine"), ()),
    ],
)
def test_what_is_cut_too_much_counts_as_lost(text: str, inputs: tuple[str, ...], lost: tuple[int, ...] | None) -> None:
    found = check_extract(text, inputs)
    if lost is None:
        assert found.problem
    else:
        assert found == ("", lost)


def test_a_long_unknown_name_is_not_repeated_in_the_reason() -> None:
    value = "Zq9" * 9
    assert value[:8] not in check_extract(f"the key is {value}", ("the key is old-fashioned",)).problem


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("**Port**: 8080", "port"),
        ("The port is 8443", "port"),
        ("Port = 5", "port"),
        ("web port are 5", "web port"),
        ("`Web` port: 5", "Web port"),
        ("NAS port: 5", "NAS port"),
        ("a fact without one", ""),
        ("Port: 80. Admin: Ada", ""),
        ("", ""),
    ],
)
def test_the_subject_of_a_text(text: str, subject: str) -> None:
    assert subject_of(text) == subject


def test_the_hedges_of_a_text() -> None:
    assert hedges_of("Bob says: maybe, Says Ada") == {"says", "maybe"}
    assert hedges_of("Node-2 is up") == frozenset()
