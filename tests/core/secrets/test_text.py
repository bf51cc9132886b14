from __future__ import annotations

from array import array

from hoard_git.core.secrets.text import View, normalise, unescape


def test_offsets_lead_back_and_take_four_bytes_each() -> None:
    text = "caf\u00e9 pass\u00adword \uff41b"
    view = normalise(text)
    assert view.text == "caf\u00e9 password ab"
    assert isinstance(view.back, array) and view.back.itemsize == 4
    at = view.text.index("password")
    assert view.span(at, at + 8) == (5, 14)
    plain = unescape("a **bo**ld word\nnothing here\n")
    assert plain is not None
    assert plain[0] == "a **bold word"
    assert isinstance(plain[1], array)
    assert View(*plain).span(4, 8) == (4, 10)
