"""Parts of a page that a program writes, between two comments; all else on it is written by hand and stays."""

from __future__ import annotations


def put_between(page: str, name: str, text: str) -> str:
    """The page with `text` between `<!-- NAME:start -->` and `<!-- NAME:end -->`. Raises ValueError unless both are there once, in that order."""
    start, end = f"<!-- {name}:start -->\n", f"<!-- {name}:end -->\n"
    head, found, rest = page.partition(start)
    _, closed, tail = rest.partition(end)
    if not found or not closed or start in rest or end in tail:
        message = f"the page does not have one pair of {start.strip()} and {end.strip()}"
        raise ValueError(message)
    body = text.strip("\n")
    return f"{head}{start}\n{body}\n\n{end}{tail}"


def marks(page: str) -> list[str]:
    """The names of all parts of a page that programs write, in order."""
    import re

    return re.findall(r"^<!-- ([\w-]+):start -->$", page, re.MULTILINE)
