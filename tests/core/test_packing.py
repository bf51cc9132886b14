"""gzip whose bytes depend on nothing but the text."""

from __future__ import annotations

import gzip

from hypothesis import given
from hypothesis import strategies as st

from hoard_git.core.packing import pack
from hoard_git.core.unwrap import unwrap


@given(st.binary(max_size=5000))
def test_it_is_gzip(data: bytes) -> None:
    packed = pack(data)
    assert gzip.decompress(packed) == data
    assert pack(data) == packed


def test_the_header_names_no_time_file_or_system() -> None:
    assert pack(b"x")[:10] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"
    assert unwrap(pack(b"# A\n\n- one\n"), "memory/archive/logs/2026-01-01.md.gz") == b"# A\n\n- one\n"
