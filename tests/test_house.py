"""Rules of the house that no linter knows."""

from __future__ import annotations

import ast
import re
import stat
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from hoard_git import __version__
from tests.support.environment import ROOT
from tests.support.house import calls, functions, modules, prose, repository_files, rule_files, texts

_FILE_LINES = 400
_FUNCTION_LINES = 60

# Spelled so that this file does not find itself.
_OF_ONE_MACHINE = re.compile(r"(?<![\w.-])/(?:work|root|tmp)(?:/)|(?<![\w.-])/home(?:/)\w+/|C:\\(?:Users)")
_HOSTS = re.compile(r"py(?:pi)\.org|python(?:hosted)\.org|registry\.(?:npmjs)|deb\.(?:debian)\.org|crates\.(?:io)")
# The tables of secret rules name the services whose keys they know.
_KNOWS_SERVICES = "hoard_git/core/secrets/"
_PHRASES = [
    r"\bas an (?:AI)\b",
    r"Co-Authored(?:-By): ",
    r"\b(?:written|generated) by (?:an? )?(?:AI|assistant|language model|LLM)\b",
    r"\b(?:in|during) (?:this|the (?:last|previous|next)) (?:session)\b",
    r"\b(?:sub-?agent|helper) (?:session)\b",
    r"\bmy (?:task|brief)\b",
    r"\bthe (?:task|brief) (?:says|said|asks|asked)\b",
]
_ABOUT_THE_WRITING = re.compile("|".join(_PHRASES), re.IGNORECASE)
_SHAPES = [
    r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    r"\bgh[pousr]_[A-Za-z0-9]{36}",
    r"\bgithub_pat_[A-Za-z0-9_]{50}",
    r"\bglpat-[A-Za-z0-9_-]{20}",
    r"\bsk-[A-Za-z0-9_-]{24}",
    r"\bxox[abeoprs]-[A-Za-z0-9-]{20}",
    r"\bAIza[A-Za-z0-9_-]{35}",
    r"\b[sr]k_live_[A-Za-z0-9]{16}",
    r"\beyJ[A-Za-z0-9_-]{16,}\.eyJ[A-Za-z0-9_-]{16}",
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}",
]
_SECRET_SHAPES = re.compile("|".join(_SHAPES))


def _found(pattern: re.Pattern[str]) -> list[str]:
    """Where a pattern occurs, as `path:line`; the text itself is not repeated, as it may be a secret."""
    return [f"{path}:{text.count(chr(10), 0, match.start()) + 1}" for path, text in texts() for match in pattern.finditer(text)]


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_no_file_is_too_long_to_read() -> None:
    # Names that begin with one underscore are data tables.
    rooms = [path for path in modules() if not re.match(r"_[a-z]", path.name)]
    lengths = {_name(path): path.read_bytes().count(b"\n") for path in rooms}
    assert {name: length for name, length in lengths.items() if length > _FILE_LINES} == {}


def test_no_function_is_too_long_to_read() -> None:
    long = [f"{_name(path)}: {name}, {lines} lines" for path in modules() for name, lines in functions(path) if lines > _FUNCTION_LINES]
    assert long == []


def test_only_the_command_line_prints() -> None:
    printing = {_name(path): calls(path, "print") for path in modules() if not path.is_relative_to(ROOT / "hoard_git/cli")}
    assert {name: lines for name, lines in printing.items() if lines} == {}


def test_no_message_spells_names_of_other_scripts_in_ascii() -> None:
    # A hint with a path as backslashes and digits cannot be typed. `!r` escapes what cannot be printed, and nothing else.
    spelled = [place for place in _found(re.compile(r"!a[}]")) if place.startswith("hoard_git/")]
    assert spelled == []


def test_no_file_names_a_place_of_one_machine() -> None:
    assert _found(_OF_ONE_MACHINE) == []


def test_no_file_names_a_package_registry() -> None:
    assert [place for place in _found(_HOSTS) if not place.startswith(_KNOWS_SERVICES)] == []


def test_no_file_tells_how_it_was_written() -> None:
    assert _found(_ABOUT_THE_WRITING) == []


def test_no_file_holds_anything_shaped_like_a_secret() -> None:
    assert _found(_SECRET_SHAPES) == []


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (_OF_ONE_MACHINE, "see /" + "work/main"),
        (_HOSTS, "https://py" + "pi.org/simple"),
        (_ABOUT_THE_WRITING, "as the" + " brief says"),
        (_SECRET_SHAPES, "AKIA" + "A" * 16),
        (_SECRET_SHAPES, "ghp_" + "a1" * 18),
    ],
)
def test_the_searches_above_find_what_they_look_for(pattern: re.Pattern[str], text: str) -> None:
    assert pattern.search(text)


def test_every_text_file_ends_in_one_newline_and_has_no_cr() -> None:
    ours = [(path, text) for path, text in texts() if "/data/" not in path and text]
    assert [path for path, text in ours if not text.endswith("\n") or text.endswith("\n\n") or "\r" in text] == []


def test_every_hook_and_script_can_be_run() -> None:
    scripts = [path for path in repository_files() if path.read_bytes().startswith(b"#!")]
    assert {".ci/run", ".ci/setup"} <= {_name(path) for path in scripts}
    assert [_name(path) for path in scripts if not path.stat().st_mode & stat.S_IXUSR] == []


def test_every_hook_is_a_short_posix_shim() -> None:
    hooks = [path for path in repository_files() if path.parent == ROOT / "hooks"]
    assert hooks
    assert [_name(path) for path in hooks if not path.read_bytes().startswith(b"#!/bin/sh\n")] == []


def test_there_are_rules() -> None:
    assert rule_files()


@pytest.mark.parametrize("path", rule_files(), ids=lambda path: path.stem[:5])
def test_every_rule_documents_itself(path: Path) -> None:
    page = ast.get_docstring(ast.parse(path.read_bytes())) or ""
    summary, _, rest = page.partition("\n")
    assert summary.endswith("."), "the first line of a rule's docstring is one sentence"
    assert rest.strip(), "a rule's docstring says why and shows an example"


def test_no_two_rules_share_a_code() -> None:
    codes = [path.name[:5] for path in rule_files()]
    assert sorted(set(codes)) == codes


def test_the_changelog_names_every_rule_family_and_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    families = {f"HG{path.name[2]}xx" for path in rule_files()}
    assert {family for family in families if family not in changelog} == set()
    assert "## [Unreleased]" in changelog or f"## [{__version__}]" in changelog


def test_every_pre_commit_hook_is_documented_and_starts_a_program_that_exists() -> None:
    hooks = YAML(typ="safe").load(ROOT / ".pre-commit-hooks.yaml")
    pages = "\n".join(text for path, text in texts() if path.endswith(".md"))
    assert [hook["id"] for hook in hooks if f"`{hook['id']}`" not in pages] == []
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert [hook["id"] for hook in hooks if not re.search(rf"^{hook['entry'].split()[0]} = ", project, re.MULTILINE)] == []


def test_every_link_between_pages_leads_somewhere() -> None:
    broken = []
    for path, text in texts():
        if not path.endswith(".md") or path.startswith("tests/"):
            continue
        for target in re.findall(r"\]\(([^)\s]+)\)", prose(text)):
            file = target.partition("#")[0]
            if file and "://" not in file and not file.startswith("mailto:") and not (ROOT / path).parent.joinpath(file).exists():
                broken.append(f"{path}: {target}")
    assert broken == []
