"""All rules: their identities without importing them. The table is generated from the rule files; a test holds both together."""

from __future__ import annotations

from hoard_git.core.record import Record
from hoard_git.lint._index import TABLE


class Rule(Record):
    """One row of the table: a rule's Meta and its module's name under `hoard_git.lint.rules`."""

    code: str
    name: str
    severity: str
    scope: str
    since: str
    trigger: tuple[str, ...]
    nonhuman: bool
    state: str
    module: str


RULES: tuple[Rule, ...] = tuple(Rule(*row) for row in TABLE)
"""Every rule, by code."""

BY_CODE = {rule.code: rule for rule in RULES}
