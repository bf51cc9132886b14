"""Wrapped text: UTF-16 with and without its mark, gzip in every condition."""

from __future__ import annotations

import gzip

import pytest

from hoard_git.core import unwrap as module
from hoard_git.core.unwrap import unwrap
from hoard_git.errors import HoardError

TEXT = "one\nzwei und zwölf\n- drei\n"
UTF8 = TEXT.encode()


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16(codec: str) -> None:
    assert unwrap(TEXT.encode(codec), "a.txt") == UTF8


def test_utf16_big_endian_with_its_mark() -> None:
    assert unwrap(b"\xfe\xff" + TEXT.encode("utf-16-be"), "a.txt") == UTF8


def test_a_wrong_mark_hides_no_plain_text() -> None:
    found = unwrap(b"\xff\xfe" + UTF8, "a.txt")
    assert found is not None
    assert UTF8 in found


@pytest.mark.parametrize("data", [b"", b"a", UTF8, b"\0", bytes(64), b"\x89PNG\r\n\0\0\0\rIHDR" + b"abcdefgh" * 9])
def test_what_is_not_wrapped(data: bytes) -> None:
    assert unwrap(data, "a.gz") is None


def test_gzip_and_its_members_and_what_follows() -> None:
    assert unwrap(gzip.compress(UTF8), "a.gz") == UTF8
    assert unwrap(gzip.compress(UTF8) + gzip.compress(b"more"), "a.gz") == UTF8 + b"more"
    assert unwrap(gzip.compress(UTF8) + b"plain", "a.gz") == UTF8 + b"\nplain"
    assert unwrap(gzip.compress(UTF8) + bytes(9), "a.gz") == UTF8


def test_gzip_in_gzip_and_utf16_in_gzip() -> None:
    assert unwrap(gzip.compress(gzip.compress(UTF8)), "a.bin") == UTF8
    assert unwrap(gzip.compress(TEXT.encode("utf-16")), "a.gz") == UTF8


@pytest.mark.parametrize("damage", ["cut", "broken"])
def test_damaged_gzip_counts_as_unread(damage: str) -> None:
    whole = gzip.compress(UTF8 * 50)
    data = whole[:-9] if damage == "cut" else whole[:12] + b"\xff" * 9 + whole[21:]
    with pytest.raises(HoardError, match="damaged gzip"):
        unwrap(data, "memory/a.GZ")
    assert unwrap(data, "memory/a.gz", strict=False) is None
    assert unwrap(data, "memory/a.bin") is None


def test_a_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST", 1000)
    assert unwrap(gzip.compress(bytes(1000)), "a.gz") == bytes(1000)
    for data in (gzip.compress(bytes(1001)), gzip.compress(bytes(600)) * 2):
        with pytest.raises(HoardError, match="64 MiB"):
            unwrap(data, "a.bin")


def test_no_more_than_three_layers_are_unpacked() -> None:
    four = gzip.compress(gzip.compress(gzip.compress(gzip.compress(UTF8, mtime=0), mtime=0), mtime=0), mtime=0)
    assert unwrap(four, "a.gz") == gzip.compress(UTF8, mtime=0)
