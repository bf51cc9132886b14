"""Texts that no terminal obeys, and findings as lines for people: `path:line:col: HGnnn message`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.model import Finding

_BLANKS = "\xa0\u3000"
"""Blanks that people type, and that look like what they are: French and Chinese prose is full of them."""

_MOST_MARKS = 4  # combining marks on one base: more are there to run over the lines around


def encodable(text: str) -> str:
    """A text with U+FFFD where it has bytes that are no UTF-8, as JSON needs it."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def safe(text: str) -> str:
    """Escape what could move a cursor, hide text or fake a line: control, format, invisible and unprintable characters.

    Joiners, variation selectors and tags stay where they belong, in emoji and in scripts that need them.
    """
    if text.isascii():
        if text.isprintable():
            return text
        return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    if text.isprintable() and not _has_marks(text):
        from hoard_git.core.unicode import kind_of

        if not any(c > "\x7f" and kind_of(c) for c in set(text)):
            return text
    return _escape(text)


def path_text(path: str) -> str:
    """A path for people: credentials masked, escaped."""
    from hoard_git.core.discreet import quiet_path

    return safe(quiet_path(path))


def path_data(path: str) -> str:
    """A path for JSON: credentials masked, bytes that are no UTF-8 as escapes."""
    from hoard_git.core.discreet import quiet_path

    return quiet_path(path).encode("utf-8", "backslashreplace").decode()


def words_text(text: str) -> str:
    """A sentence or a command that may name a path, for people: credentials in names masked, escaped."""
    from hoard_git.core.discreet import quiet_words

    return safe(quiet_words(text))


def _has_marks(text: str) -> bool:
    from unicodedata import category

    return any(c > "\u02ff" and category(c) in ("Mn", "Me") for c in set(text))


def _escape(text: str) -> str:
    from unicodedata import category

    from hoard_git.core.unicode import PILE, find_odd

    odd = {found.at for found in find_odd(text) if found.kind != PILE}
    shown = []
    marks = 0
    for at, char in enumerate(text):
        kind = category(char)
        marks = marks + 1 if kind in ("Mn", "Me") else 0
        fine = at not in odd and marks <= _MOST_MARKS
        if fine and (char.isprintable() or char in _BLANKS or _is_at_home(char, kind)):
            shown.append(char)
        else:
            shown.append(ascii(char)[1:-1] if char > "\x7e" or not char.isprintable() else char)
    return "".join(shown)


def _is_at_home(char: str, kind: str) -> bool:
    """Whether a character that Python does not print is fine where nothing is odd about it: joiners, tags of flags, letters yet unknown."""
    from hoard_git.core.unicode import kind_of

    if kind == "Cf":
        return char in "\u200c\u200d" or "\U000e0020" <= char <= "\U000e007f"
    return kind == "Cn" and not kind_of(char)


def render_finding(finding: Finding) -> str:
    """One finding: its place, code and message, and the next step on a second line."""
    from hoard_git.core.discreet import quiet_finding

    finding = quiet_finding(finding)
    where = safe(finding.path) or "commit"
    if finding.line:
        where += f":{finding.line}:{finding.column or 1}"
    commit = f"{finding.commit[:12]} " if finding.commit else ""
    level = "" if finding.severity == "error" else f" {'warning' if finding.severity == 'warn' else finding.severity}:"
    text = f"{commit}{where}: {finding.code}{level} {safe(finding.message)}"
    return f"{text}\n    {safe(finding.hint)}" if finding.hint else text
