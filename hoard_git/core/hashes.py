"""The interpreter's own hash functions: hashlib loads OpenSSL, 2 ms that a hook and a warm command would pay at every start."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from hashlib import _Hash as Hash


def own_hash(name: str) -> Callable[..., Hash]:
    """The function `sha1` or `sha256`, as hashlib gives it; hashlib's own where the interpreter was built without."""
    import sys

    module = "_sha1" if name == "sha1" else "_sha2" if sys.version_info >= (3, 12) else "_sha256"
    try:
        found: Callable[..., Hash] = getattr(__import__(module), name)
    except ImportError:
        import hashlib

        found = getattr(hashlib, name)
    return found
