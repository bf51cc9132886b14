"""Words of a provenance tag inside a text that is to get a tag of its own: whoever reads the raw file could take them for one."""

from __future__ import annotations

from hoard_git.core.confusables import fold
from hoard_git.core.lazy import lazy

_WORDS = lazy(
    r"(?<![\w-])(?:src\s{0,4}[:=]\s{0,4}(?:user|agent|tool|web|dig)(?![\w-])"
    r"|ts\s{0,4}[:=]\s{0,4}(?:\d{4}-\d\d-\d\d|unknown)(?![\w-])"
    r"|ttl\s{0,4}[:=]\s{0,4}(?:[1-9]\d{0,3}[dwy]|never)(?![\w-]))"
    r"|&(?:lt|#0{0,5}60|#x0{0,5}3c);!--"
)


def holds_tag_words(text: str) -> bool:
    """Whether a text holds a key of a tag with a value that it may have, in any letter case or spelling, or a comment written in references.

    `DNS ttl: 300` and `the src folder` are words; `src:user` is not.
    """
    plain = text if text.isascii() else fold(text)
    return _WORDS.search(plain.lower()) is not None


def holds_tag_or_comment(text: str) -> bool:
    """Whether a text holds words of a tag, or a sign that opens or closes a comment, in which one stands."""
    return "<!--" in text or "-->" in text or holds_tag_words(text)
