"""Numbers of persons whose form and check digit are right."""

from __future__ import annotations

import pytest

from hoard_git.core.personal_checks import _chinese


def with_check(body: str) -> str:
    """ISO 7064 MOD 11-2, as GB 11643-1999 writes it out: weights 7 9 10 5 8 4 2 1 6 3 7 9 10 5 8 4 2."""
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return body + "10X98765432"[sum(int(digit) * weight for digit, weight in zip(body, weights, strict=True)) % 11]


@pytest.mark.parametrize(
    ("birthday", "right"),
    [
        ("19000101", True),
        ("18991231", False),
        ("20991231", True),
        ("21000101", False),
        ("19491301", False),
        ("19491232", False),
        ("19490001", False),
    ],
)
def test_a_chinese_number_has_a_birthday_that_can_be(birthday: str, right: bool) -> None:
    number = with_check(f"110105{birthday}002")
    assert _chinese(number) == right
    assert _chinese(number.lower()) == right
    assert not _chinese(number[:-1] + ("1" if number[-1] != "1" else "2"))
