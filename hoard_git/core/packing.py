"""gzip with the same bytes for the same text, whenever and wherever it is packed: no time, no name, no system in the header (RFC 1952)."""

from __future__ import annotations

_HEADER = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"


def pack(data: bytes) -> bytes:
    """Pack bytes as one gzip member; core.unwrap reads it."""
    import zlib  # a C module, and only where a policy asks for packing

    body = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = body.compress(data) + body.flush()
    return _HEADER + packed + zlib.crc32(data).to_bytes(4, "little") + (len(data) & 0xFFFFFFFF).to_bytes(4, "little")
