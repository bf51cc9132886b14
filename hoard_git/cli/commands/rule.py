"""`hoard rule`: the documentation of one rule or the table of all."""

from __future__ import annotations

import json
from importlib import import_module

import click

from hoard_git.cli.context import Context, pass_context
from hoard_git.cli.render.columns import indented, terminal_width
from hoard_git.errors import HoardError
from hoard_git.lint.registry import RULES, Rule


@click.command("rule")
@click.argument("rule", metavar="[CODE|NAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_context
def command(context: Context, rule: str | None, as_json: bool) -> None:
    """Explain a rule, or list them all."""
    del context
    chosen = RULES if rule is None else (find(rule),)
    if as_json:
        rows = [
            {"code": r.code, "name": r.name, "severity": r.severity, "scope": r.scope, "since": r.since, "summary": summary(r)}
            for r in chosen
        ]
        click.echo(json.dumps({"schema": 1, "rules": rows}, indent=2))
        return
    if rule is None:
        columns = terminal_width(0)
        for row in RULES:
            for line in _lines(row, columns):
                click.echo(line)
        return
    row = chosen[0]
    click.echo(f"{row.code} {row.name} ({row.severity}, since {row.since})\n")
    click.echo((import_module(f"hoard_git.lint.rules.{row.module}").__doc__ or "").strip())


def _lines(row: Rule, columns: int) -> list[str]:
    """A row of the table: one line where it fits or nobody reads it (0 columns), else the sentence below the name."""
    line = f"{row.code}  {row.severity:<5}  {row.name:<36}  {summary(row)}"
    if not columns or len(line) <= columns:
        return [line]
    return [f"{row.code}  {row.severity:<5}  {row.name}", *indented(summary(row), columns, 4, 4)]


def find(text: str) -> Rule:
    """Find a rule by code or name, without regard to case. Raises HoardError."""
    wanted = text.lower()
    for row in RULES:
        if wanted in (row.code.lower(), row.name):
            return row
    raise HoardError(f"There is no rule {text[:40]!r}.", "hoard rule")


def summary(row: Rule) -> str:
    """The first sentence of a rule's page."""
    return (import_module(f"hoard_git.lint.rules.{row.module}").__doc__ or "").strip().split("\n", 1)[0]
