"""Path globs: what they accept, held against a matcher that is plain and slow."""

from __future__ import annotations

import re
import time
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoard_git.core.globs import compile_globs, find_fault, git_pathspec
from tests.support.repo import Repo


def plain(glob: str, path: str) -> bool:
    """The definition: parts against parts, each one character at a time."""
    return _plain_parts(tuple(glob.split("/")), tuple(path.split("/")))


def _plain_parts(globs: tuple[str, ...], parts: tuple[str, ...]) -> bool:
    if globs == ("**",):
        return bool(parts)
    if not globs or (not parts and globs[0] != "**"):
        return not globs and not parts
    if globs[0] == "**":
        return _plain_parts(globs[1:], parts) or (bool(parts) and _plain_parts(globs, parts[1:]))
    return _plain_part(globs[0], parts[0]) and _plain_parts(globs[1:], parts[1:])


@cache
def _plain_part(glob: str, path: str) -> bool:
    if not glob:
        return not path
    if glob[0] == "*":
        return _plain_part(glob[1:], path) or bool(path and _plain_part(glob, path[1:]))
    if glob.startswith("YYYY-MM-DD"):
        return bool(re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", path[:10])) and _plain_part(glob[10:], path[10:])
    return bool(path) and glob[0] in (path[0], "?") and _plain_part(glob[1:], path[1:])


@pytest.mark.parametrize(
    ("glob", "path", "accepts"),
    [
        ("MEMORY.md", "MEMORY.md", True),
        ("MEMORY.md", "MEMORYxmd", False),
        ("MEMORY.md", "memory.md", False),
        ("memory/*.md", "memory/a.md", True),
        ("memory/*.md", "memory/deep/a.md", False),
        ("memory/*.md", "memory/a\n.md", True),
        ("memory/archive/**", "memory/archive/2026/x.json", True),
        ("memory/archive/**", "memory/archive", False),
        ("wiki/**/*.md", "wiki/a.md", True),
        ("wiki/**/*.md", "wiki/a/b/c.md", True),
        ("**/archive/x.md", "archive/x.md", True),
        ("**/archive/x.md", "a/archive/archive/x.md", True),
        ("**/notes/*.md", "a/notes/b/c.md", False),
        ("memory/YYYY-MM-DD*.md", "memory/2026-06-15-1430.md", True),
        ("memory/YYYY-MM-DD*.md", "memory/2026-6-15.md", False),
        ("memory/?.md", "memory/a.md", True),
        ("memory/?.md", "memory/ab.md", False),
        ("a*b*c", "a-b-bc", True),
        ("a**b.md", "a-b.md", True),
        ("a**b.md", "a/b.md", False),
        ("[a].md", "[a].md", True),
        ("[a].md", "a.md", False),
        ("(a|b)+.md", "a.md", False),
    ],
)
def test_what_a_glob_accepts(glob: str, path: str, accepts: bool) -> None:
    assert bool(compile_globs((glob,)).fullmatch(path)) is accepts
    assert plain(glob, path) is accepts


def test_none_and_several() -> None:
    assert not compile_globs(()).fullmatch("")
    assert not compile_globs(()).fullmatch("a")
    assert compile_globs(("a", "b/*")).fullmatch("b/c")


_PARTS = st.lists(st.sampled_from(["a", "b", "*", "?", "ab", "."]), min_size=1, max_size=5).map("".join)
_GLOBS = st.lists(st.one_of(_PARTS, st.just("**")), min_size=1, max_size=4).map("/".join).filter(lambda glob: not find_fault(glob))
_PATHS = st.lists(st.text(alphabet="ab.", min_size=1, max_size=4), min_size=1, max_size=4).map("/".join)


@given(_GLOBS, _PATHS)
@settings(max_examples=500, deadline=None)
def test_as_the_definition_says(glob: str, path: str) -> None:
    assert bool(compile_globs((glob,)).fullmatch(path)) is plain(glob, path)


def test_a_hostile_glob_takes_no_time() -> None:
    started = time.process_time()
    for glob in ("*a" * 20 + "b", "**/" + "*a" * 20 + "/**/b", "**/a/**/b/c"):
        assert find_fault(glob) == ""
        assert not compile_globs((glob,)).fullmatch("/".join(["a" * 60] * 60))
        assert not compile_globs((glob,)).fullmatch("a" * 4000)
        assert not compile_globs((glob,)).fullmatch("a/" * 2000)
    assert time.process_time() - started < 2


@pytest.mark.parametrize("glob", ["/etc/*", "../x.md", "a/../b", "a//b", "a\\b", "**/a/**/b/**"])
def test_what_is_no_glob(glob: str) -> None:
    assert find_fault(glob)


@pytest.mark.parametrize("glob", ["MEMORY.md", "memory/archive/**", "wiki/**/*.md", "a..b"])
def test_what_is_one(glob: str) -> None:
    assert find_fault(glob) == ""


@pytest.mark.parametrize(
    ("directory", "glob", "path"),
    [
        ("", "memory/YYYY-MM-DD*.md", "memory/2026-06-15.md"),
        ("", "wiki/**/*.md", "wiki/a.md"),
        ("", "**/x.md", "x.md"),
        ("[a]*/", "*.md", "[a]*/x.md"),
        ("a/", "[b].md", "a/[b].md"),
        ("", "memory/archive/**", "memory/archive/deep/x.json"),
        ("", "a**b.md", "a-b.md"),
    ],
)
def test_git_finds_what_the_glob_accepts(repo: Repo, directory: str, glob: str, path: str) -> None:
    repo.stage({path: "x", "other.txt": "x", "a/other.md": "x"})

    assert compile_globs((glob,)).fullmatch(path[len(directory) :])
    assert path in repo.line("-c", "core.quotePath=false", "ls-files", "--", git_pathspec(directory, glob)).splitlines()
