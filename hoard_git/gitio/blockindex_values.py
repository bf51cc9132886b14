"""How the block index writes values down: numbers packed, texts that may hold broken characters, texts as numbers."""

from __future__ import annotations

from array import array

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def pack(numbers: Iterable[int]) -> bytes:
    """Numbers as 32-bit little-endian."""
    found = array("I", numbers)
    return found.tobytes()


def unpack(raw: bytes) -> tuple[int, ...]:
    """The inverse of `pack`."""
    found = array("I")
    found.frombytes(raw)
    return tuple(found)


def encode(text: str) -> str | bytes:
    """What SQLite can store of a text: one with lone surrogates goes in as bytes of the same meaning."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")
    return text


def text(value: str | bytes | None) -> str:
    """A text as the store gives it back."""
    if value is None:
        return ""
    return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value
