"""Text that a file holds in another form: UTF-16, or packed with gzip. Secrets are looked for in what a reader of it would see."""

from __future__ import annotations

import re

from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError

LARGEST = 64 << 20
"""Bytes of unpacked text that are still judged."""

_GZIP = b"\x1f\x8b\x08"
_LAYERS = 3
_SAMPLE = 4096
_READABLE = re.compile(rb"[ -~]{8}")


def unwrap(data: bytes, path: str, *, strict: bool = True) -> bytes | None:
    """Return the text of a wrapped file as UTF-8, or None when it is not wrapped.

    What can be read in the bytes as they are, such as text behind the end of a packed stream, follows the text. With `strict`, HoardError is
    raised when more than 64 MiB come out, or a file named .gz begins like gzip and cannot be unpacked: it counts as unread, not as clean.
    Without, such a file is taken for one that is not wrapped. `path` is for the name and for messages.
    """
    try:
        text = _unpacked(data, path)
    except HoardError:
        if strict:
            raise
        return None
    wide = _from_utf16(data if text is None else text)
    return text if wide is None else wide


def _unpacked(data: bytes, path: str) -> bytes | None:
    """Unpack up to three layers of gzip."""
    text = None
    for _layer in range(_LAYERS):
        packed = data if text is None else text
        if not packed.startswith(_GZIP):
            break
        inner = _gunzip(packed, path)
        if inner is None:
            break
        text = inner
    return text


def _gunzip(data: bytes, path: str) -> bytes | None:
    """Unpack all members of a gzip file, and what stands behind them as it is; never more than LARGEST bytes are made."""
    import zlib  # a C module, and only where a file begins like gzip

    parts: list[bytes] = []
    size = 0
    while data.startswith(_GZIP):
        stream = zlib.decompressobj(wbits=31)
        try:
            part = stream.decompress(data, LARGEST + 1 - size)
        except zlib.error:
            part, stream = b"", zlib.decompressobj()
        size += len(part)
        if size > LARGEST:
            raise HoardError(f"{path!r} unpacks to more than 64 MiB and cannot be judged.", f"git rm --cached -- {shell_word(path)}")
        if not stream.eof and path.lower().endswith((".gz", ".tgz")):
            raise HoardError(f"{path!r} is damaged gzip and cannot be judged.", f"gzip -t -- {shell_word(path)}")
        if not stream.eof:
            return None
        parts.append(part)
        data = stream.unused_data
    return b"".join([*parts, b"\n", data]) if data.strip(b"\0") else b"".join(parts)


def _from_utf16(data: bytes) -> bytes | None:
    """Decode UTF-16, by its mark or by where its zero bytes are; None when it is something else."""
    sample = data[:_SAMPLE]
    half = len(sample) // 2
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        codec, start = ("utf-16-le" if data[0] == 0xFF else "utf-16-be"), 2
    else:
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        if half < 2 or max(even, odd) <= 0.3 * half or min(even, odd) > 0.05 * half:
            return None
        codec, start = ("utf-16-le" if odd > even else "utf-16-be"), 0
    text = data[start:].decode(codec, "replace").encode("utf-8", "replace")
    # bytes of Latin text in UTF-16 never stand side by side; where they do, plain text may hide behind a mark
    return text + b"\n" + data if _READABLE.search(data) is not None else text
