"""The generator of the reference pages."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import click
import pytest

from tests.support.environment import ROOT

_DOCSTRING = "A thing is wrong.\n\n## Why\n\nBecause of a | b.\n"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs/_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


build = _load()


def _rule(*, docstring: str = _DOCSTRING, **meta: object) -> ModuleType:
    module = ModuleType("rule", docstring)
    module.META = SimpleNamespace(  # type: ignore[attr-defined]
        **{"code": "HG101", "name": "thing-is-wrong", "severity": "error", "scope": "file", "since": "0.1.0", **meta}
    )
    return module


def test_a_rule_page_is_its_docstring_and_its_meta() -> None:
    page = build.rule_page(Path("hg101_thing_is_wrong.py"), _rule(scope=("file", "change")))
    assert page.file == "hg101-thing-is-wrong.md"
    assert build.render_rule(page) == (
        f"{build.NOTE}\n# HG101 thing-is-wrong\n\nA thing is wrong.\n\n"
        "| severity | scope | since |\n|---|---|---|\n| error | change, file | 0.1.0 |\n\n"
        "## Why\n\nBecause of a | b.\n"
    )


def test_the_table_escapes_what_would_break_a_cell() -> None:
    page = build.rule_page(Path("hg101_thing_is_wrong.py"), _rule(docstring="A | in a cell.\n\nWhy.\n"))
    assert "| [HG101](rules/hg101-thing-is-wrong.md) | thing-is-wrong | error | file | A \\| in a cell. |" in build.render_rules([page])


@pytest.mark.parametrize(
    ("file", "rule", "message"),
    [
        ("hg102_thing_is_wrong.py", _rule(), "META says HG101"),
        ("hg101_other.py", _rule(), "META says HG101 thing-is-wrong"),
        ("hg101_thing_is_wrong.py", _rule(docstring="No sentence\n\nBody.\n"), "docstring needs"),
        ("hg101_thing_is_wrong.py", _rule(docstring="Only a sentence.\n"), "docstring needs"),
        ("hg101_thing_is_wrong.py", ModuleType("rule", _DOCSTRING), "META lacks code, name, severity, scope, since"),
    ],
)
def test_a_rule_that_does_not_document_itself_is_named(file: str, rule: ModuleType, message: str) -> None:
    with pytest.raises(build.DocsError, match=message):
        build.rule_page(Path(file), rule)


def test_a_folder_without_rules_is_not_an_empty_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "ROOT", tmp_path)
    with pytest.raises(build.DocsError, match="no rule was found"):
        build.rule_pages(tmp_path)


def test_commands_are_listed_with_their_help_and_hidden_ones_are_not() -> None:
    group = click.Group("hoard", help="Everything.")
    group.add_command(click.Command("check", help="Judge."))
    group.add_command(click.Command("secret", help="Not shown.", hidden=True))
    text = build.render_commands(group)
    assert "## hoard\n" in text
    assert "### hoard check\n\n```text\nUsage: hoard check [OPTIONS]\n\n  Judge.\n" in text
    assert "Not shown" not in text
    group.add_command(click.Command("mute"))
    with pytest.raises(build.DocsError, match="`hoard mute` has no help text"):
        build.render_commands(group)


def test_stale_pages_are_found_and_writing_clears_them(tmp_path: Path) -> None:
    wanted = {tmp_path / "new.md": "new\n", tmp_path / "old.md": "now\n", tmp_path / "same.md": "same\n"}
    (tmp_path / "old.md").write_text("then\n", encoding="utf-8")
    (tmp_path / "same.md").write_text("same\n", encoding="utf-8")
    (tmp_path / "gone.md").write_text("of a rule that is no more\n", encoding="utf-8")
    differences = build.stale(wanted, tmp_path)
    assert [(path.name, what) for path, what in differences] == [
        ("gone.md", "of nothing that there is"),
        ("new.md", "missing"),
        ("old.md", "out of date"),
    ]
    build.write(differences, wanted)
    assert build.stale(wanted, tmp_path) == []
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {
        "new.md": "new\n",
        "old.md": "now\n",
        "same.md": "same\n",
    }
