"""Words for a command that somebody is told to type."""

from __future__ import annotations


def shell_word(text: str) -> str:
    """A text in single quotes, as every POSIX shell takes it back; what cannot be printed is escaped and would not be found under that name.

    Python's own quotes are no shell's: in `"it's $5"` a shell fills in, and a backslash stands doubled.
    """
    shown = text if text.isprintable() else "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
    return "'" + shown.replace("'", "'\\''") + "'"
