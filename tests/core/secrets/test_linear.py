"""Time grows with the length of a line, not with its square: awkward content at 10,000 and at 100,000 characters."""

from __future__ import annotations

import time

import pytest

from hoard_git.core.secrets import find_secrets
from tests.core.secrets.second_set import Maker

NOISE = Maker(11)
AWKWARD = {
    "letter": "a",
    "dash": "-",
    "blank": " ",
    "password": "password ",
    "password colon": "password: ",
    "dots": "a.",
    "quote": '"',
    "backtick": "`",
    "scheme": "://",
    "credentials": "a:b@",
    "query": "?token=",
    "digit": "7",
    "underscore": "ghp_",
    "prefix": "sk-ant-api03-",
    "bearer": "bearer ",
    "base64": NOISE.base64(900),
    "hex": NOISE.hex(900),
    "pipe": "| password ",
    "percent": "%41",
    "entity": "&#65;",
    "words": "abandon ability able ",
    "spaced": "a b c d ",
    "begin": "-----BEGIN PRIVATE KEY-----",
    "jwt": "eyJhbGciOiJI",
    "recovery": "recovery codes ",
    "login": "login admin / ",
    "cjk": "密码是",
    "zero width": "a\u200b",
    "escape": "a\\_b",
    "equals": "=",
    "star": "**a",
    "card": "4539 ",
    "slash": "a/",
    "long": "sha256:" + NOISE.hex(64) + " ",
}


def cost(text: str) -> float:
    best = 1e9
    for _ in range(2):
        start = time.process_time()
        find_secrets([text])
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.parametrize("name", AWKWARD)
def test_ten_times_the_length_costs_about_ten_times(name: str) -> None:
    piece = AWKWARD[name]
    short, long = (piece * (size // len(piece) + 1) for size in (4600, 46000))
    cost(short[:500])
    small, large = cost(short[:4600]), cost(long[:46000])
    # 20 ms of slack: below that the clock and the collector of garbage decide
    assert large < 25 * small + 0.02, (small, large)
    assert large < 3.0
