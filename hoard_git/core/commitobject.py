"""A commit object as bytes: what its signature covers, and what makes it read one way to one program and another way to the next.

git takes the last of two author lines and libgit2 the first; git ignores a second signature header and verifies the first; a junk
`gpgsig-sha256` beside a good `gpgsig` stays "good" and gives a signed commit a second name. Such objects prove nothing (research by
experiment against git 2.39 and libgit2 1.9).
"""

from __future__ import annotations

import hashlib
import re

from hoard_git.core.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SIGNATURE_HEADERS = {40: "gpgsig", 64: "gpgsig-sha256"}
"""The header of a commit's signature by the length of its name: git reads the one of the repository's object format."""

_FIRST = ("tree", "parent", "author", "committer")
_ONCE = (*_FIRST, "encoding", *SIGNATURE_HEADERS.values())
_IDENT = re.compile(rb"[^<>\x00-\x1f\x7f]{1,4096} <[^<>\x00-\x1f\x7f]{0,4096}> (?:0|[1-9][0-9]{0,11}) [+-][0-9]{4}")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9:_-]{0,99}", re.ASCII)
_ENCODING = re.compile(
    rb"(?:utf-?8|us-ascii|iso-?8859-?[0-9]{1,2}|latin-?[0-9]|(?:windows-|cp)125[0-9]|koi8-[ru]|euc-(?:jp|kr|cn)|gb18030|gbk|big5|shift[_-]jis)",
    re.IGNORECASE,
)
"""Encodings in which ASCII letters stand for themselves. UTF-7, UTF-16 and the ISO-2022 family can say one thing in bytes and another in text."""


class CommitObject(Record):
    """What a signature has to say about a commit.

    `payload` are the bytes that were signed and `signature` its armour, b"" where there is none. `faults` are clauses without the full stop,
    safe to print; an object that has any proves nothing, and its other fields are not to be used.
    """

    payload: bytes
    signature: bytes
    faults: tuple[str, ...]


def parse_commit_object(oid: str, headers: Sequence[tuple[str, bytes]], message: bytes) -> CommitObject:
    """Take a commit apart. `headers` are all its header lines in order, continuation lines joined by newlines; `message` is raw.

    The object is put together again from these and must have the name `oid`: what a reader skipped, joined or made up shows there.
    """
    own = SIGNATURE_HEADERS.get(len(oid), "")
    raw = _write(headers, message)
    digest = hashlib.new("sha256" if len(oid) == 64 else "sha1", b"commit %d\0" % len(raw) + raw, usedforsecurity=False)
    if digest.hexdigest() != oid:
        return CommitObject(b"", b"", ("its header lines are not written the one way, or the object is not the one of that name",))
    faults = tuple(dict.fromkeys([*_order_faults(headers), *_header_faults(headers, oid, own), *_text_faults(headers, message)]))
    signatures = [value for name, value in headers if name == own]
    payload = _write([header for header in headers if header[0] not in SIGNATURE_HEADERS.values()], message) if signatures else raw
    return CommitObject(payload, signatures[0] + b"\n" if signatures else b"", faults)


def _write(headers: Sequence[tuple[str, bytes]], message: bytes) -> bytes:
    lines = (name.encode("utf-8", "surrogateescape") + b" " + value.replace(b"\n", b"\n ") + b"\n" for name, value in headers)
    return b"".join(lines) + b"\n" + message


def _order_faults(headers: Sequence[tuple[str, bytes]]) -> list[str]:
    """The order of header lines, and lines that may stand only once."""
    names = [name for name, _value in headers]
    parents = names.count("parent")
    faults = [f"it has {names.count(name)} {name} lines" for name in _ONCE if name != "parent" and names.count(name) > 1]
    if names[: parents + 3] != ["tree", *["parent"] * parents, "author", "committer"] and not faults:
        faults.append("its tree, parent, author and committer lines are not in their order at the top")
    above = [value for name, value in headers if name == "parent"]
    if len(set(above)) != len(above):
        faults.append("it names one parent twice")
    return faults


def _header_faults(headers: Sequence[tuple[str, bytes]], oid: str, own: str) -> list[str]:
    """Each header line for itself."""
    faults = []
    for name, value in headers:
        shown = _plain(name)
        if not _NAME.fullmatch(name):
            faults.append(f"its header {shown} has a name that git does not give")
        elif name not in _ONCE and name.lower() in _ONCE:
            faults.append(f"its header {shown} imitates {name.lower()}")
        elif name in SIGNATURE_HEADERS.values() and name != own:
            faults.append(f"it has a {name} header, which belongs to another object format")
        elif name in ("tree", "parent") and not re.fullmatch(rb"[0-9a-f]{%d}" % len(oid), value):
            faults.append(f"its {name} line is not an object name")
        elif name in ("author", "committer") and not _IDENT.fullmatch(value):
            faults.append(f"its {name} line is not one name, one address, a time and a zone")
        elif name == "encoding" and not _ENCODING.fullmatch(value):
            faults.append("its encoding can say one thing in bytes and another in text")
    return faults


def _text_faults(headers: Sequence[tuple[str, bytes]], message: bytes) -> list[str]:
    """NUL bytes, at which git cuts a message off, and names in bytes that nothing declares."""
    faults = []
    if b"\0" in message or any(b"\0" in value for _name, value in headers):
        faults.append("it holds a NUL byte, where git stops reading")
    declared = any(name == "encoding" for name, _value in headers)
    for name, value in headers:
        if name in ("author", "committer") and not declared:
            try:
                value.decode("utf-8")
            except UnicodeDecodeError:
                faults.append(f"its {name} line is not UTF-8 and no encoding is declared")
    return faults


def _plain(name: str) -> str:
    return repr(name[:40])[1:-1]
