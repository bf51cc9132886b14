"""MurmurHash3, 32 bits, as agent-trace names the content of a range. No cryptographic hash: it tells versions apart, nothing more."""

from __future__ import annotations

_MASK = 0xFFFFFFFF


def murmur3(data: bytes, seed: int = 0) -> int:
    """The 32-bit hash of bytes (MurmurHash3_x86_32)."""
    value = seed
    whole = len(data) & ~3
    for at in range(0, whole, 4):
        value = _turn(value ^ _mix(int.from_bytes(data[at : at + 4], "little")), 13) * 5 + 0xE6546B64 & _MASK
    if whole < len(data):
        value ^= _mix(int.from_bytes(data[whole:], "little"))
    value ^= len(data)
    value = (value ^ value >> 16) * 0x85EBCA6B & _MASK
    value = (value ^ value >> 13) * 0xC2B2AE35 & _MASK
    return value ^ value >> 16


def _mix(word: int) -> int:
    return _turn(word * 0xCC9E2D51 & _MASK, 15) * 0x1B873593 & _MASK


def _turn(word: int, bits: int) -> int:
    return (word << bits | word >> 32 - bits) & _MASK
