"""`hoard check --fix`: mends in the work tree what has only one right answer, and nothing else."""

from __future__ import annotations

from hoard_git.app.adopt import find_obstacle
from hoard_git.app.people import global_identity
from hoard_git.app.workspace import find_memory, is_markdown, read_policies_of_worktree
from hoard_git.core.align import Side, units
from hoard_git.core.files import file_default
from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_LINK, RepoPath
from hoard_git.core.record import Record
from hoard_git.core.trust import actor_of
from hoard_git.core.unicode import describe, find_odd
from hoard_git.gitio.worktree import read_file, write_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hoard_git.core.document import Document
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader

INVISIBLE = dict.fromkeys(
    map(ord, "\u200b\u2060\u00ad\u180e\u115f\u1160\u3164\uffa0\u2800\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"), None
)
"""Characters that nobody can see, that no script needs, or that turn text around; removing one changes no letter. A byte order mark at the
start of a file stays."""

_MOST_TOLD = 5
"""Lines told of one file; the rest is a number."""


class _Look(Record):
    """One file: the path, its text as read, and the numbers of the lines that are the user's and stay."""

    path: str
    document: Document
    kept: set[int]


def fix_files(reader: PlumbingReader, only: Sequence[str], environ: Mapping[str, str] | None = None) -> list[str]:
    """Take invisible characters and bidi controls out of memory files; returns one line for each file mended and each place left, with why.

    Facts of the user are left alone, unless `environ` is given and shows that a human of the policy runs this: the global identity (or
    GIT_AUTHOR_EMAIL) is one, and no agent's marker is set. A file that cannot be read as text stays as it is.
    """
    root = reader.root()
    policies = read_policies_of_worktree(reader)
    email = _who(reader, environ)
    told = []
    for path, found in find_memory(root, policies, only).items():
        if found.mode == MODE_LINK or not is_markdown(path):
            continue
        data = read_file(root, RepoPath(path))
        if not data or (data.isascii() and b"\0" not in data):
            continue
        document = parse(data)
        obstacle = find_obstacle(document)
        if obstacle:
            told.append(f"{path}: left alone: {obstacle}")
            continue
        policy = policies.govern(path)
        mine = environ is not None and bool(email) and actor_of(email, policy, environ=environ, local=True).is_human
        look = _Look(path, document, set() if mine else _user_lines(document, path, found.file_class, policy))
        fresh = _without_invisible(look)
        changed = [number for number, (a, b) in enumerate(zip(document.lines, fresh, strict=True), 1) if a != b]
        same = _same_claims(document, parse("\n".join(fresh).encode("utf-8", "surrogateescape"))) if changed else True
        if changed and same:
            write_file(root, RepoPath(path), "\n".join(fresh).encode("utf-8", "surrogateescape"), data)
            told.append(f"{path}: removed invisible characters on {len(changed)} line{'s' * (len(changed) != 1)}")
        elif changed:
            told.append(f"{path}:{changed[0]}: left alone: without the invisible characters it would read as another tag or heading")
        told += _left(look, fresh if same else document.lines)
    return told


def _who(reader: PlumbingReader, environ: Mapping[str, str] | None) -> str:
    """The address of whoever runs this: the repository's own identity is the agent's and says nothing about it."""
    if environ is None:
        return ""
    mine = global_identity(reader)
    return environ.get("GIT_AUTHOR_EMAIL", "") or (mine.email if mine is not None else "")


def _without_invisible(look: _Look) -> list[str]:
    return [line if number in look.kept else _clean(line, number) for number, line in enumerate(look.document.lines, 1)]


def _clean(line: str, number: int) -> str:
    head = "\ufeff" if number == 1 and line.startswith("\ufeff") else ""
    return head + line[len(head) :].translate(INVISIBLE)


def _left(look: _Look, lines: Sequence[str]) -> list[str]:
    """What stays and why: what only the user may mend, and characters that have no single right answer."""
    told = []
    for number, line in enumerate(lines, 1):
        odd = next((odd for odd in find_odd(line, number, last=number == len(lines)) if odd.hard), None)
        if odd is None:
            continue
        why = f"{describe(line[odd.at])} has no one right answer" if ord(line[odd.at]) not in INVISIBLE else ""
        if number in look.kept:
            why = "it is the user's, who mends it with the same command and no agent's marker in the environment"
        if why:
            told.append(f"{look.path}:{number}: left alone: {why}")
    rest = len(told) - _MOST_TOLD
    return told[:_MOST_TOLD] + ([f"{look.path}: {rest} more line{'s' * (rest != 1)} left alone"] if rest > 0 else [])


def _user_lines(document: Document, path: str, file_class: str, policy: Policy) -> set[int]:
    """The numbers of the lines that the user's headings and entries stand on."""
    headings, entries = units(Side(path, file_class, document, file_default(path, file_class, policy)))
    return {number for unit in [*headings, *entries] if unit.provenance.src == "user" for number in range(unit.line, unit.end_line + 1)}


def _same_claims(before: Document, after: Document) -> bool:
    """Whether the same tags count on the same lines: a character less may turn text into a tag or a heading, which is for a person to judge."""
    return [(e.kind, e.line, e.tag) for e in before.entries] == [(e.kind, e.line, e.tag) for e in after.entries] and [
        (h.level, h.line, h.tag) for h in before.headings
    ] == [(h.level, h.line, h.tag) for h in after.headings]
