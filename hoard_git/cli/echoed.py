"""Words of the command line in what is said about them: a value that somebody looks for does not come back, not even in part."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_HEAD = 12
"""So many characters of a credential tell that a text quotes it; messages cut off what is long."""


def hide_values(text: str, words: Sequence[str]) -> str:
    """A message without the credentials that the words hold, also where the message has only their beginning."""
    for word in words:
        if len(word) < _HEAD or not any(piece in text for piece in (word[:_HEAD], word[-_HEAD:])):
            continue
        from hoard_git.cli.render.masking import Sheet

        sheet = Sheet(word.split("\n"))
        sheet.scan()
        for value, instead in sheet.all_parts():
            text = _replace(text, value, instead)
    return text


def _replace(text: str, value: str, instead: str) -> str:
    at = text.find(value[:_HEAD])
    while at >= 0:
        end = next((n for n in range(len(value)) if text[at + n : at + n + 1] != value[n]), len(value))
        text = text[:at] + instead + text[at + end :]
        at = text.find(value[:_HEAD], at + len(instead))
    return text
