"""Write the pages that the code already knows: the rules, the command line and the manual.

    python docs/_build.py            write them
    python docs/_build.py --check    compare them with the files, print what is stale, exit 1 if anything is

A rule's page is the docstring of its module and its META; a command's section is what its --help says.
"""

from __future__ import annotations

import importlib
import inspect
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "docs" / "reference"
RULES = ROOT / "hoard_git" / "lint" / "rules"
MAN = ROOT / "docs" / "man"
NOTE = "<!-- Written by docs/_build.py; change the code, then run it. -->\n"

FAMILIES = {
    "1": "Provenance and structure",
    "2": "Secrets and personal data",
    "3": "Who may change what",
    "4": "Poisoning and hiding",
    "5": "Budgets",
    "6": "Upkeep",
    "7": "Commits and trailers",
    "8": "Wiki and links",
}


class DocsError(Exception):
    """Something that should document itself does not; the message names the file and what is missing."""


@dataclass(frozen=True, slots=True)
class RulePage:
    """One rule as its page needs it."""

    code: str
    name: str
    severity: str
    scope: str
    since: str
    summary: str
    body: str

    @property
    def file(self) -> str:
        return f"{self.code.lower()}-{self.name}.md"


def rule_pages(folder: Path = RULES, package: str = "hoard_git.lint.rules") -> list[RulePage]:
    """Every rule, by code: one file hgNNN_name.py each, found by its name."""
    pages = [rule_page(path, importlib.import_module(f"{package}.{path.stem}")) for path in sorted(folder.glob("hg[0-9][0-9][0-9]_*.py"))]
    if not pages:
        message = f"no rule was found: {folder.relative_to(ROOT).as_posix()}/hgNNN_name.py"
        raise DocsError(message)
    return pages


def rule_page(path: Path, module: ModuleType) -> RulePage:
    """Read a rule module's META and docstring, and hold both against its file name."""
    meta: Any = getattr(module, "META", None)
    missing = [field for field in ("code", "name", "severity", "scope", "since") if not hasattr(meta, field)]
    if missing:
        message = f"{path.name}: META lacks {', '.join(missing)}"
        raise DocsError(message)
    code, _, name = path.stem.partition("_")
    # A file name may be shorter than the rule's: what follows "by" or "with" need not be in it.
    if meta.code != code.upper() or not meta.name.startswith(name.replace("_", "-")):
        message = f"{path.name}: META says {meta.code} {meta.name}"
        raise DocsError(message)
    summary, _, body = inspect.cleandoc(module.__doc__ or "").partition("\n")
    if not summary.endswith(".") or not body.strip():
        message = f"{path.name}: the docstring needs a first sentence and a body, since it is the rule's page"
        raise DocsError(message)
    return RulePage(meta.code, meta.name, word(meta.severity), word(meta.scope), word(meta.since), summary, body.strip())


def word(value: object) -> str:
    """A META field as the page prints it; several scopes are joined."""
    if isinstance(value, tuple | list | set | frozenset):
        return ", ".join(sorted(map(str, value)))
    return str(value)


def render_rule(page: RulePage) -> str:
    facts = "\n".join(
        [
            "| severity | scope | since |",
            "|---|---|---|",
            f"| {page.severity} | {page.scope} | {page.since} |",
        ]
    )
    return f"{NOTE}\n# {page.code} {page.name}\n\n{page.summary}\n\n{facts}\n\n{page.body}\n"


def render_rules(pages: list[RulePage]) -> str:
    parts = [
        NOTE,
        "# Rules\n",
        "`hoard rule CODE` prints the same pages offline.",
        "Severities are the defaults; the policy's `rules` changes them, and a few rules choose by who made the change.\n",
    ]
    for digit in sorted({page.code[2] for page in pages}):
        if digit not in FAMILIES:
            message = f"HG{digit}xx: the family has no title in docs/_build.py"
            raise DocsError(message)
        parts += [f"## HG{digit}xx: {FAMILIES[digit]}\n", "| code | name | severity | scope | |", "|---|---|---|---|---|"]
        parts += [
            f"| [{page.code}](rules/{page.file}) | {page.name} | {page.severity} | {page.scope} | {cell(page.summary)} |"
            for page in pages
            if page.code[2] == digit
        ]
        parts.append("")
    return "\n".join(parts)


def cell(text: str) -> str:
    """Text that cannot break out of a table cell."""
    return " ".join(text.split()).replace("|", "\\|")


def root_command(module: ModuleType) -> click.Command:
    """The top of the command tree: the click command that hoard_git.cli.main holds (its `main` may be a plain function)."""
    held = [value for value in vars(module).values() if isinstance(value, click.Group)]
    entry = getattr(module, "main", None)
    if isinstance(entry, click.Command):
        return entry
    if not held:
        message = "hoard_git.cli.main: no click group was found"
        raise DocsError(message)
    return held[0]


def render_commands(root: click.Command) -> str:
    # The width is fixed: help texts wrap by the terminal otherwise, and the page would depend on where it was built.
    context = click.Context(root, info_name="hoard", terminal_width=100, max_content_width=100)
    parts = [NOTE, "# Commands\n", *command_parts(context, level=2)]
    return "\n".join(parts).rstrip("\n") + "\n"


def command_parts(context: click.Context, *, level: int) -> list[str]:
    """The section of one command and, in the order of the help, of everything below it."""
    command = context.command
    if not command.help:
        message = f"`{context.command_path}` has no help text"
        raise DocsError(message)
    parts = [f"{'#' * level} {context.command_path}\n", "```text", command.get_help(context).rstrip(), "```\n"]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is None:
                message = f"`{context.command_path}` lists {name} but does not have it"
                raise DocsError(message)
            if not child.hidden:
                below = click.Context(child, info_name=name, parent=context, terminal_width=100, max_content_width=100)
                parts += command_parts(below, level=level + 1)
    return parts


def generated() -> dict[Path, str]:
    """Every generated page with its text."""
    pages = rule_pages()
    main = importlib.import_module("hoard_git.cli.main")
    manual = importlib.import_module("docs._build_man").man_pages(root_command(main), main.__version__, main.COMMANDS)
    return {
        **{MAN / name: text for name, text in manual.items()},
        REFERENCE / "rules.md": render_rules(pages),
        REFERENCE / "commands.md": render_commands(root_command(main)),
        **{REFERENCE / "rules" / page.file: render_rule(page) for page in pages},
    }


def stale(wanted: dict[Path, str], *folders: Path) -> list[tuple[Path, str]]:
    """What differs from `wanted`: pages that are missing, old, or left over in folders where all are generated."""
    found = []
    for path, text in wanted.items():
        if not path.exists():
            found.append((path, "missing"))
        elif path.read_bytes() != text.encode():
            found.append((path, "out of date"))
    for folder in folders:
        found += [(path, "of nothing that there is") for path in [*folder.glob("*.md"), *folder.glob("*.1")] if path not in wanted]
    return sorted(found)


def write(differences: list[tuple[Path, str]], wanted: dict[Path, str]) -> None:
    for path, _ in differences:
        if path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(wanted[path].encode())
        else:
            path.unlink()


def main(arguments: list[str]) -> int:
    """Returns the exit status: 1 if `--check` found something stale or a page cannot be made, 2 on misuse."""
    if arguments not in ([], ["--check"]):
        print("usage: python docs/_build.py [--check]", file=sys.stderr)
        return 2
    try:
        wanted = generated()
    except (DocsError, ImportError) as problem:
        print(f"docs: {problem}", file=sys.stderr)
        return 1
    differences = stale(wanted, REFERENCE / "rules", MAN)
    for path, what in differences:
        print(f"{path.relative_to(ROOT).as_posix()}: {what}")
    if arguments == ["--check"]:
        print(f"docs: {len(wanted)} generated pages, {len(differences)} stale" + ("; run: python docs/_build.py" if differences else ""))
        return 1 if differences else 0
    write(differences, wanted)
    print(f"docs: {len(wanted)} generated pages, {len(differences)} written or removed")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
