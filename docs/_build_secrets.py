"""Compile `hoard_git/core/secrets/rules.toml` into the tuples of `_table.py` and `_rules.py`.

Run `python docs/_build_secrets.py` after a change to the rules; a test compares the files. tomllib costs 15 to 20 ms at import and
parse, the keywords less than one, and the pre-commit hook pays it on every commit; the rules themselves are read when a keyword is there.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent / "hoard_git" / "core" / "secrets"
LEFT = "(?<![0-9A-Za-z])"
RIGHT = "(?![0-9A-Za-z])"
LONG = "<long>"
Row = tuple[str, str, str, int, str, bool, float, tuple[str, ...]]
KNOWN = {"id", "description", "regex", "label", "secretGroup", "entropy", "validate", "certain", "left", "right", "keywords", "example"}


def compile_rule(rule: dict[str, object]) -> Row:
    """Return one row: id, phrase, whole regex, group, check, certain, least entropy, keywords."""
    unknown = set(rule) - KNOWN
    if unknown:
        message = f"rule {rule.get('id')}: unknown keys {sorted(unknown)}"
        raise ValueError(message)
    core = str(rule["regex"])
    if core.startswith("(?i)"):
        core = f"(?i:{core[4:]})"
    group = int(str(rule.get("secretGroup", 0)))
    if "label" in rule:
        edge = "(?<![0-9A-Za-z_])"
        whole = rf"{edge}(?i:{rule['label']})[^\n]{{0,60}}?(?<![0-9A-Za-z_./+-])({core})(?![0-9A-Za-z_/+-])"
        group = 1
    else:
        whole = f"{rule.get('left', LEFT)}(?:{core}){rule.get('right', RIGHT)}"
    keywords = rule["keywords"]
    if not isinstance(keywords, list) or not keywords:
        message = f"rule {rule['id']}: every rule needs keywords"
        raise ValueError(message)
    return (
        str(rule["id"]),
        str(rule["description"]),
        whole,
        group,
        str(rule.get("validate", "")),
        bool(rule.get("certain", True)),
        float(str(rule.get("entropy", 0.0))),
        tuple(str(word) for word in keywords),
    )


def render(text: str) -> dict[str, str]:
    """Return the sources of `_table.py` and `_rules.py` for the TOML text of the rules."""
    rows = [compile_rule(rule) for rule in tomllib.loads(text)["rules"]]
    index: dict[str, list[int]] = {}
    for number, row in enumerate(rows):
        for word in row[-1][:1] if row[-1][0] == LONG else row[-1]:
            index.setdefault(word, []).append(number)
    head = ['"""Generated from rules.toml by docs/_build_secrets.py; do not edit."""', ""]
    rules = [
        *head,
        "# id, phrase, regex, group, check, certain, least entropy, keywords",
        "RULES: tuple[tuple[str, str, str, int, str, bool, float, tuple[str, ...]], ...] = (",
        *(f"    {row!r}," for row in rows),
        ")",
        "",
    ]
    return {"_table.py": "\n".join([*head, *_keywords(rows, index)]), "_rules.py": "\n".join(rules)}


def _keywords(rows: list[Row], index: dict[str, list[int]]) -> list[str]:
    """Return the lines that file every keyword under the way it is looked for."""
    heads: dict[str, list[str]] = {}
    lists: dict[str, list[str]] = {"RUNS": [], "ANYWHERE": [], "LABELS": []}
    for word, numbers in index.items():
        entry = f"({word!r}, {tuple(numbers)!r})"
        place = where(word, [rows[number] for number in numbers])
        if place in lists:
            lists[place].append(f"    {entry},")
        elif place != LONG:
            heads.setdefault(place, []).append(entry)
    lines = [
        "# Keywords and their rules, by how they are looked for: by the head of a word, in solid runs, in the whole text, on lines with a solid run."
    ]
    lines += ["HEADS: dict[str, tuple[tuple[str, tuple[int, ...]], ...]] = {"]
    lines += [f"    {head!r}: ({', '.join(entries)}{',' if len(entries) == 1 else ''})," for head, entries in heads.items()] + ["}", ""]
    for name, entries in lists.items():
        lines += [f"{name}: tuple[tuple[str, tuple[int, ...]], ...] = (", *entries, ")", ""]
    lines += ["# Rules of long runs, which have no keyword outside of the run.", f"LONG: tuple[int, ...] = {tuple(index[LONG])!r}", ""]
    return lines


def where(word: str, rows: list[Row]) -> str:
    """Return the list that a keyword belongs to, or the head under which it is filed."""
    first = min((at for at in (word.find("_"), word.find("-")) if at > 0), default=0)
    if word == LONG:
        return LONG
    if all("{0,60}?" in row[2] and row[4] != "apppw" for row in rows):
        return "LABELS"
    if 0 < first < 12 and word[:first].isalnum():
        return word[: first + 1]
    if all(row[3] == 0 for row in rows) and word.replace(".", "").isalnum():
        return "RUNS"
    return "ANYWHERE"


def main() -> None:
    """Write the tables."""
    for name, source in render((HOME / "rules.toml").read_text(encoding="utf-8")).items():
        (HOME / name).write_text(source, encoding="utf-8")


if __name__ == "__main__":
    main()
