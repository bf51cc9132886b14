"""Every hint that the code gives with an error, read from the source, with `{}` for what is filled in."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache

from tests.support.environment import ROOT
from tests.support.nextsteps import commands_in_hint
from tests.support.raised import kinds

HOLE = "{}"
_DEEPEST = 3

Scope = ast.Module | ast.FunctionDef


class Sources:
    """The trees of all modules and, by name, the functions and constants that a hint may be made of."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._trees = {path: ast.parse(text) for path, text in texts.items()}
        self._errors = kinds(texts)
        self._functions: dict[str, list[ast.FunctionDef]] = {}
        self._constants: dict[str, list[ast.expr]] = {}
        self._names: dict[int, dict[str, list[ast.expr]]] = {}
        for tree in self._trees.values():
            own = _assigned(tree.body)
            for name, values in own.items():
                self._constants.setdefault(name, []).extend(values)
            self._names[id(tree)] = own
            for function in _functions(tree):
                self._functions.setdefault(function.name, []).append(function)
                self._names[id(function)] = own | _assigned(_own(function))

    def hints(self) -> dict[str, set[str]]:
        """Each hint and the files that give it. One that is not written out where the error is made is `path: expression`."""
        found: dict[str, set[str]] = {}
        for path, tree in self._trees.items():
            for call, scope in self._errors_made(tree):
                for given in [*(word.value for word in call.keywords if word.arg == "hint"), *call.args[1:2]]:
                    for text in self._texts(given, scope, 0):
                        found.setdefault(text if text.strip() != HOLE else f"{path}: {ast.unparse(given)}", set()).add(path)
        return found

    def _errors_made(self, tree: ast.Module) -> Iterator[tuple[ast.Call, Scope]]:
        scopes: list[Scope] = [tree, *_functions(tree)]
        for scope in scopes:
            for node in _own(scope):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in self._errors:
                    yield node, scope

    def _texts(self, node: ast.expr, scope: Scope, depth: int) -> list[str]:
        """What an expression can be."""
        found: list[str] = []
        match node:
            case ast.Constant(value=str(text)):
                found = [text]
            case ast.JoinedStr(values=parts):
                found = _joined([self._texts(part, scope, depth) for part in parts])
            case ast.FormattedValue(value=value):
                found = [text if any(commands_in_hint(text)) or _is_constant(value) else HOLE for text in self._texts(value, scope, depth)]
            case ast.BinOp(left=left, right=right):
                found = _joined([self._texts(left, scope, depth), self._texts(right, scope, depth)])
            case ast.IfExp(body=one, orelse=other):
                found = self._texts(one, scope, depth) + self._texts(other, scope, depth)
            case ast.BoolOp(values=values):
                found = [text for value in values for text in self._texts(value, scope, depth)]
            case ast.Subscript(value=value):
                found = self._texts(value, scope, depth)
            case ast.Dict(values=values):
                found = [text for value in values for text in self._texts(value, scope, depth)]
            case ast.Name(id=name) if depth < _DEEPEST:
                values = self._names[id(scope)].get(name) or self._constants.get(name, [])
                found = [text for value in values for text in self._texts(value, scope, depth + 1)]
            case ast.Call(func=ast.Name(id=name)) if depth < _DEEPEST:
                for function in self._functions.get(name, []):
                    given = (inner.value for inner in _own(function) if isinstance(inner, ast.Return) and inner.value is not None)
                    found += [text for value in given for text in self._texts(value, function, depth + 1)]
        return list(dict.fromkeys(found)) or [HOLE]


def _is_constant(node: ast.expr) -> bool:
    """Whether a name is written as constants are."""
    return isinstance(node, ast.Name) and node.id.strip("_").isupper()


def _assigned(nodes: Iterator[ast.AST] | list[ast.stmt]) -> dict[str, list[ast.expr]]:
    found: dict[str, list[ast.expr]] = {}
    for node in nodes:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        for target in targets:
            if isinstance(target, ast.Name) and node.value is not None:  # type: ignore[attr-defined]  # both kinds have one
                found.setdefault(target.id, []).append(node.value)  # type: ignore[attr-defined]
    return found


def _functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a module or function, without those of functions inside."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, ast.FunctionDef):
            yield child
            yield from _own(child)


def _joined(parts: list[list[str]]) -> list[str]:
    found = [""]
    for part in parts:
        found = [before + text for before in found for text in part]
    return found


@cache
def hints_to_type() -> dict[str, set[str]]:
    """The hints of the package in which there is a command, or which are put together where nobody can see what they hold."""
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in sorted((ROOT / "hoard_git").rglob("*.py"))}
    found = Sources(texts).hints()
    return {hint: places for hint, places in found.items() if any(commands_in_hint(hint)) or hint.startswith("hoard_git/")}
