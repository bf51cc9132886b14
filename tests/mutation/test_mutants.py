"""The mutants themselves: which faults are planted where, and that each is one fault in code that still compiles."""

from __future__ import annotations

import pytest

from tests.mutation.mutants import KINDS, Mutant, find_mutants
from tests.support.environment import ROOT


def faults(code: str) -> list[tuple[str, str]]:
    return [(mutant.kind, mutant.after) for mutant in find_mutants("some.py", code)]


def in_function(body: str) -> list[tuple[str, str]]:
    return faults("def f(a, b):\n    " + body.replace("\n", "\n    ") + "\n")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("g(a < b <= 3)", [("statement", "pass"), ("comparison", "(a <= b <= 3)"), ("comparison", "(a < b < 3)"), ("constant", "4")]),
        ("x = a is None", [("comparison", "(a is not None)")]),
        ("x = a and b", [("boolean", "(a or b)")]),
        ("x = not a", [("condition", "(a)")]),
        ("x = True", [("constant", "False")]),
        ("x = -1", [("constant", "2")]),
        ("if a:\n    b = ''", [("condition", "(not a)")]),
        ("if a == b:\n    b = ''", [("comparison", "(a != b)")]),
        ("if not a:\n    b = ''", [("condition", "(a)")]),
        ("while True:\n    break", [("constant", "False"), ("statement", "pass")]),
        ("x = [y for y in a if y]", [("condition", "(not y)")]),
        ("x = a if b else ''", [("condition", "(not b)")]),
        ("return a", [("return", "return None")]),
        ("a.x = ''", [("statement", "pass")]),
        ("a += b", [("statement", "pass")]),
        ("yield a", [("statement", "pass")]),
        ("raise a", [("statement", "pass")]),
    ],
)
def test_each_kind_of_fault(body: str, expected: list[tuple[str, str]]) -> None:
    assert in_function(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        '"""A docstring with 1 < 2."""',
        "return None",
        "return ()",
        "return ''",
        "import os",
        "assert a < b",
        "x = f'{a < b} {1}'",
        "assert_never(a)",
        "x: a[1] = ''",
        "pass",
    ],
)
def test_what_no_test_could_or_should_tell_apart_is_left_out(body: str) -> None:
    assert in_function(body) == []


def test_tables_and_what_type_checkers_read_are_left_out() -> None:
    table = ", ".join(str(number) for number in range(9))
    assert faults(f"ROWS = ({table})\nMAP = {{{table.replace(',', ': 0,')}: 0}}\n") == []
    assert faults("SHORT = (1, 2)\n") == [("constant", "2"), ("constant", "3")]
    assert len(faults(f"def f():\n    x = ({table})\n")) == 9
    assert faults("TYPE_CHECKING = False\nif TYPE_CHECKING:\n    x = 1\n") == []
    assert faults("TYPE_CHECKING = False\nif TYPE_CHECKING:\n    x = 1\nelse:\n    x = 2\n") == [("constant", "3")]
    assert faults("META = Meta(since=1)\n") == []
    assert faults("@cache(maxsize=4)\ndef f(a: int = 1) -> T[2]:\n    pass\n") == [("constant", "2")]


def test_the_place_is_replaced_and_lines_keep_their_numbers() -> None:
    code = 'def f(é, b):\n    x = (  # "é"\n        é\n        and b\n    ); return 5\n'
    both, number = (mutant for mutant in find_mutants("some.py", code) if mutant.kind in {"boolean", "constant"})
    assert both.apply(code) == 'def f(é, b):\n    x = (  # "é"\n        (é or b)\n\n    ); return 5\n'
    assert number.apply(code) == code.replace("5", "6")
    assert (both.start[0], both.statement, number.statement) == (3, 2, 5)


def test_a_name_stays_when_lines_move_and_tells_twins_apart() -> None:
    code = "class C:\n    def f(self):\n        g(1)\n        h(1)\n"
    moved = "import os\n\n" + code
    keys = [mutant.key for mutant in find_mutants("some.py", code)]
    assert keys == [mutant.key for mutant in find_mutants("some.py", moved)]
    assert keys[1] == "some.py C.f: 1 -> 2"
    assert "some.py C.f: 1 -> 2 #2" in keys
    assert len(set(keys)) == len(keys) == 4


def test_the_order_of_a_seed_is_its_own() -> None:
    mutants = list(find_mutants("some.py", "".join(f"x{n} = {n}\n" for n in range(8))))

    def order(seed: int) -> list[str]:
        return [mutant.after for mutant in sorted(mutants, key=lambda mutant: mutant.rank(seed))]

    assert order(1) == order(1)
    assert order(1) != order(2)


@pytest.mark.parametrize("path", ["hoard_git/core/trailers.py", "hoard_git/core/record.py", "hoard_git/lint/engine.py"])
def test_each_mutant_of_a_real_module_compiles_and_is_another_program(path: str) -> None:
    code = (ROOT / path).read_text(encoding="utf-8")
    mutants: list[Mutant] = list(find_mutants(path, code))
    texts = {mutant.apply(code) for mutant in mutants}
    for text in texts:
        compile(text, path, "exec")
        assert text.count("\n") == code.count("\n")
    assert code not in texts
    assert len(mutants) > 30
    assert {mutant.kind for mutant in mutants} <= set(KINDS)
