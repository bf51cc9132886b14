"""The manual: a page for every command, without a word that a formatter would act upon, and `hoard help`."""

from __future__ import annotations

import shutil
from importlib import import_module

import click
import pytest

from hoard_git.cli.main import COMMANDS
from tests.support.environment import ROOT
from tests.support.repo import run, run_hoard

PAGES = sorted((ROOT / "docs/man").glob("*.1"))


def test_every_command_has_a_page() -> None:
    assert {page.name for page in PAGES} == {"hoard.1", *(f"hoard-{name}.1" for name in COMMANDS)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_text_is_taken_for_a_macro(page: object) -> None:
    text = (ROOT / "docs/man" / str(page)).read_text(encoding="utf-8")
    macros = {line.split(" ", 1)[0] for line in text.splitlines() if line.startswith((".", "'"))}
    assert macros <= {".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".BR", ".nf", ".fi", '.\\"'}
    assert "\t" not in text
    if (groff := shutil.which("groff")) is not None:
        done = run([groff, "-man", "-Tutf8", "-ww", "-z", "-K", "utf8", str(page)], cwd=ROOT)
        assert (done.returncode, done.stderr) == (0, b"")


def test_odd_texts_are_shown_as_they_are() -> None:
    page = import_module("docs._build_man").man_pages

    @click.group("hoard")
    def root() -> None:
        """Start.

        .SH is no heading here

        \b
        'kept' as it \\is
        """

    text = page(root, "1.0", {})["hoard.1"]
    assert "\n\\&.SH is no heading here\n" in text
    assert ".nf\n\\(aqkept\\(aq as it \\eis\n.fi\n" in text


def test_help_is_what_help_says() -> None:
    for words in (["add"], ["hooks", "install"]):
        asked = run_hoard("help", *words, cwd=ROOT)
        assert (asked.returncode, asked.stdout) == (0, run_hoard(*words, "--help", cwd=ROOT).stdout)
    assert b"Set up:" in run_hoard("help", cwd=ROOT).stdout


@pytest.mark.parametrize(
    ("words", "message"), [(["nope"], "There is no command 'nope'."), (["add", "x"], "hoard add has no commands of its own.")]
)
def test_help_for_nothing(words: list[str], message: str) -> None:
    done = run_hoard("help", *words, cwd=ROOT)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()
