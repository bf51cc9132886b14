"""What the repository holds, read once for the tests of its rules."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.support.environment import ROOT

_SKIPPED = {".git", ".venv", ".venv-ci", "dist", "__pycache__"}


@cache
def repository_files() -> tuple[Path, ...]:
    """Every file that belongs to the project: tracked or about to be; in a source archive, where there is no git, all of them."""
    if (ROOT / ".git").exists():
        # A checkout mounted into a container belongs to somebody else, which git refuses to read unless told.
        command = ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, timeout=60).stdout.decode().split("\0")
        paths = (ROOT / name for name in listed if name)
    else:
        paths = (path for path in ROOT.rglob("*") if not _SKIPPED & set(path.relative_to(ROOT).parts))
    return tuple(sorted(path for path in paths if path.is_file() and not path.is_symlink()))


def texts() -> Iterator[tuple[str, str]]:
    """Path and text of every file that is text."""
    for path in repository_files():
        data = path.read_bytes()
        if b"\0" not in data[:8000]:
            yield path.relative_to(ROOT).as_posix(), data.decode("utf-8", errors="replace")


def modules() -> list[Path]:
    """The package's own Python files."""
    return [path for path in repository_files() if path.suffix == ".py" and path.is_relative_to(ROOT / "hoard_git")]


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length of every function of a file: its lines, without the decorators and the docstring."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            page = node.body[0] if ast.get_docstring(node) is not None else None
            yield node.name, _lines(node) - (_lines(page) if page else 0)


def _lines(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def calls(path: Path, name: str) -> list[int]:
    """The lines on which a file calls the function `name`."""
    tree = ast.parse(path.read_bytes())
    return [
        node.lineno for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]


def rule_files() -> list[Path]:
    """The lint rules, by code."""
    return sorted((ROOT / "hoard_git/lint/rules").glob("hg[0-9][0-9][0-9]_*.py"))


def prose(markdown: str) -> str:
    """A page without its code (fenced, indented, inline): where links are links."""
    unfenced = re.sub(r"^( *)(`{3,}|~{3,})[^\n]*\n.*?^\1\2[`~]*$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    unfenced = re.sub(r"^(?: {4}|\t).*$", "", unfenced, flags=re.MULTILINE)
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", "", unfenced)
