"""Mutants of a module: its text with one small fault, made at a place that the syntax tree names.

Only the text of the changed node is replaced, so lines keep their numbers and a survivor can be read beside its source.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

KINDS = ("comparison", "boolean", "condition", "constant", "statement", "return")
_SWAPS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
# A display of more values than this at the top of a module is a data table: a fault in a row is a typing mistake, not one of logic.
_TABLE = 8


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault: the node from `start` to `end` (line from 1, column in UTF-8 bytes from 0) becomes `after`.

    `statement` is the line on which the statement around it begins, `number` counts the mutants of one function that read alike.
    """

    path: str
    function: str
    kind: str
    before: str
    after: str
    number: int
    start: tuple[int, int]
    end: tuple[int, int]
    statement: int

    def rank(self, seed: int) -> str:
        """A place in a random order that depends on nothing but this fault: a change elsewhere does not draw another sample."""
        return hashlib.sha256(f"{seed}\0{self.key}".encode()).hexdigest()

    @property
    def key(self) -> str:
        """A name that stays while lines move: path, function, fault and, from the second one on, its number."""
        number = f" #{self.number + 1}" if self.number else ""
        return f"{self.path} {self.function}: {self.before} -> {self.after}{number}"

    def apply(self, text: str) -> str:
        """The module with this fault; the lines that the node took are kept, so that those below stay where they are."""
        lines = text.encode().split(b"\n")
        (first, begin), (last, end) = self.start, self.end
        changed = lines[first - 1][:begin] + self.after.encode() + lines[last - 1][end:]
        return b"\n".join([*lines[: first - 1], changed, *[b""] * (last - first), *lines[last:]]).decode()


@dataclass(frozen=True, slots=True)
class _Fault:
    node: ast.expr | ast.stmt
    kind: str
    after: str


@dataclass(frozen=True, slots=True)
class _Change:
    node: ast.expr | ast.stmt
    statement: int
    function: str
    kind: str
    before: str
    after: str


def find_mutants(path: str, text: str) -> Iterator[Mutant]:
    """All mutants of a module's text, in the order of their places; `path` only names them."""
    seen: dict[tuple[str, str, str], int] = {}
    for change in sorted(_changes(ast.parse(text)), key=lambda change: (change.node.lineno, change.node.col_offset)):
        name = (change.function, " ".join(change.before.split()), change.after)
        seen[name] = seen.get(name, -1) + 1
        node = change.node
        end = (node.end_lineno or node.lineno, node.end_col_offset or 0)
        yield Mutant(path, name[0], change.kind, name[1], name[2], seen[name], (node.lineno, node.col_offset), end, change.statement)


def _changes(tree: ast.Module) -> Iterator[_Change]:
    for statement in tree.body:
        yield from _visit(statement, "module", statement.lineno)


def _visit(node: ast.AST, function: str, statement: int) -> Iterator[_Change]:
    if _skipped(node, function):
        return
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        for child in node.orelse:  # what runs, where one thing is written twice
            yield from _visit(child, function, child.lineno)
        return
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        function = node.name if function == "module" else f"{function}.{node.name}"
    if isinstance(node, ast.stmt):
        statement = node.lineno
    if isinstance(node, ast.expr | ast.stmt):
        for fault in _of_expression(node) if isinstance(node, ast.expr) else _of_statement(node):
            yield _Change(fault.node, statement, function, fault.kind, ast.unparse(fault.node), fault.after)
    for field, value in ast.iter_fields(node):
        if field in {"annotation", "returns", "decorator_list", "op", "ops", "ctx", "type_comment"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _visit(child, function, statement)


def _skipped(node: ast.AST, function: str) -> bool:
    """What no test can tell apart or nobody should: for type checkers only, docstrings, data tables, text with its places unknown."""
    match node:
        case ast.JoinedStr() | ast.Import() | ast.ImportFrom() | ast.Global() | ast.Nonlocal() | ast.Assert():
            return True  # the places of nodes in an f-string are wrong before Python 3.12
        case ast.Assign(targets=[ast.Name(id="TYPE_CHECKING" | "__all__" | "META")]):
            return True  # META is what a rule's page says; tests/lint/test_index.py holds it against the index
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id="assert_never"))):
            return True
        case ast.Tuple() | ast.List() | ast.Set() if function == "module":
            return len(node.elts) > _TABLE
        case ast.Dict() if function == "module":
            return len(node.keys) > _TABLE
    return False


def _of_expression(node: ast.expr) -> Iterator[_Fault]:
    match node:
        case ast.Compare():
            for place, operator in enumerate(node.ops):
                ops = [*node.ops[:place], _SWAPS[type(operator)](), *node.ops[place + 1 :]]
                yield _Fault(node, "comparison", _wrapped(ast.Compare(node.left, ops, node.comparators)))
        case ast.BoolOp():
            other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield _Fault(node, "boolean", _wrapped(ast.BoolOp(other, node.values)))
        case ast.UnaryOp(op=ast.Not()):
            yield _Fault(node, "condition", _wrapped(node.operand))
        case ast.Constant(value=bool() as value):
            yield _Fault(node, "constant", str(not value))
        case ast.Constant(value=int() as value):
            yield _Fault(node, "constant", str(value + 1))
        case ast.IfExp():
            yield from _negated(node.test)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            for generator in node.generators:
                for test in generator.ifs:
                    yield from _negated(test)


def _of_statement(node: ast.stmt) -> Iterator[_Fault]:
    match node:
        case ast.If() | ast.While():
            yield from _negated(node.test)
        case ast.Return(value=ast.expr() as value) if not _is_empty(value):
            yield _Fault(node, "return", "return None")
        case ast.Expr() | ast.AugAssign() | ast.Continue() | ast.Break() | ast.Raise() | ast.Delete():
            yield _Fault(node, "statement", "pass")
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield _Fault(node, "statement", "pass")


def _negated(test: ast.expr) -> Iterator[_Fault]:
    """A condition turned round, unless another fault of the same node already does that."""
    match test:
        case ast.Compare(ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn() | ast.Is() | ast.IsNot()]):
            return
        case ast.Constant() | ast.UnaryOp(op=ast.Not()):
            return
    yield _Fault(test, "condition", _wrapped(ast.UnaryOp(ast.Not(), test)))


def _wrapped(node: ast.expr) -> str:
    return f"({ast.unparse(node)})"


def _is_empty(value: ast.expr) -> bool:
    """Whether a value is false as None is, so that few callers could tell."""
    match value:
        case ast.Constant():
            return not value.value
        case ast.Tuple() | ast.List() | ast.Set():
            return not value.elts
        case ast.Dict():
            return not value.keys
    return False
