"""Path globs of the policy: `*` and `?` stay inside one part, a part `**` stands for any number of parts, `YYYY-MM-DD` is a date."""

from __future__ import annotations

import re

MOST_CROSSINGS = 2
"""`**` in one glob: each one more multiplies the time of a match by the depth of the path."""

_DATE = "YYYY-MM-DD"


def find_fault(glob: str) -> str:
    """Say what is wrong with a glob in one clause, or ''."""
    parts = glob.split("/")
    if glob.startswith("/") or ".." in parts or "" in parts[:-1] or "\\" in glob:
        return "a glob is a path below the workspace, with / between its parts"
    if glob.count("**") > MOST_CROSSINGS:
        return f"a glob holds ** at most {MOST_CROSSINGS} times"
    return ""


def translate(glob: str) -> str:
    """Return a regular expression (for fullmatch, re.DOTALL) that accepts what the glob accepts, in time that does not grow with the `*`."""
    out: list[str] = []
    rest = glob
    while rest:
        part, slash, rest = rest.partition("/")
        if part == "**" and slash:
            # What follows may be a directory's name, so directories are given back; a file's name cannot be one.
            out.append("(?:[^/]+/)*" if "/" in rest else "(?:[^/]+/)*+")
        elif part == "**":
            out.append(".*")
        else:
            out.append(_part(part) + slash)
    return "".join(out)


def _part(part: str) -> str:
    """One part of a glob. The first place where the text between two `*` fits is as good as any later one, so it is not given back."""
    first, *chunks = map(_literal, re.split(r"\*+", part))
    return first + "".join(f"(?>[^/]*?{chunk})" for chunk in chunks[:-1]) + "".join(f"[^/]*{chunk}" for chunk in chunks[-1:])


def _literal(text: str) -> str:
    date = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
    return date.join("".join("[^/]" if c == "?" else re.escape(c) for c in piece) for piece in text.split(_DATE))


def compile_globs(globs: tuple[str, ...]) -> re.Pattern[str]:
    """Compile several globs to one pattern; an empty tuple accepts nothing."""
    return re.compile("|".join(f"(?:{translate(glob)})" for glob in globs) or r"(?!)", re.DOTALL)


def git_pathspec(directory: str, glob: str) -> str:
    """The git pathspec for a glob below a directory ('' or ending in '/'): what it matches is the same or more."""
    # git knows `[a-z]` and `\\` in patterns; here they are plain characters.
    base = re.sub(r"([\\*?\[])", r"\\\1", directory)
    return f":(top,glob){base}{glob.replace('YYYY-MM-DD', '????-??-??').replace('[', chr(92) + '[')}"
