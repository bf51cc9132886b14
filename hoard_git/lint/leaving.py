"""Finds links that leave the workspace: relative to the file's directory, absolute, home, drive and `file:` addresses, imports."""

from __future__ import annotations

import re

from hoard_git.core import document as kind
from hoard_git.core.files import local_path
from hoard_git.core.lazy import lazy
from hoard_git.lint.prose import decode, find_links, runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.policy import Policy
    from hoard_git.lint.prose import Run
    from hoard_git.lint.scene import FileView

_WIKI = lazy(r"!?\[\[(?![\s-])([^\[\]\n]{1,400})\]\]")
_IMPORT = lazy(
    r"(?<![\w@./`\\-])@((?:\.{1,2}|~\w{0,32})[/\\][^\s`\"'<>)\],;]{1,400}|/[^\s`\"'<>)\],;]{1,400}|[A-Za-z]:[\\/][^\s`\"'<>)\],;]{1,400}"
    r"|\\\\[^\s`\"'<>)\],;]{1,400}|(?:\$\w{1,40}|\$\{\w{1,40}\}|%\w{1,40}%)[/\\][^\s`\"'<>)\],;]{1,400}|[a-z][a-z0-9+.-]{1,30}://[^\s`\"'<>)\],;]{1,400}"
    r"|[\w-]{1,64}/[\w./-]{0,300}?\.\./[^\s`\"'<>)\],;]{1,300})"
)
_LOADED = lazy(r"//|.*\.(?:md|mdc|mdx|markdown|txt)[.:!?]*$", re.IGNORECASE | re.ASCII)
_FILE_URL = lazy(r"(?<![\w.+-])file:/{1,3}[^\s/)\]>\"'`]", re.IGNORECASE | re.ASCII)
_REFERENCE = lazy(r"[ \t>*+-]{0,40}\[[^\[\]\n]{1,300}\]:[ \t]{0,40}<?([^\s>]{1,2000})")
_ATTRIBUTE = lazy(
    r"<[A-Za-z][^<>]{0,2000}?\b(?:href|src|data|poster|action)\s{0,4}=\s{0,4}(?:\"([^\"<>]{1,2000})\"|'([^'<>]{1,2000})'|([^\s\"'<>]{1,2000}))",
    re.ASCII | re.IGNORECASE,
)
_AUTOLINK = lazy(r"<((?:\.\.|~|/)[^\s<>]{1,400})>")
_OPENED = lazy(r"<((?!https?:)[A-Za-z][A-Za-z0-9+.-]{1,30}:(?://|(?<=script:))[^\s<>]{1,400})>", re.ASCII | re.IGNORECASE)
_SCHEME = lazy(r"([A-Za-z][A-Za-z0-9+.-]{1,30}):(//)?", re.ASCII)
_NAMESPACE = lazy(r"(?!file:|\w{1,10}script:)[A-Za-z][\w .-]{1,40}:(?!//)", re.ASCII | re.IGNORECASE)
"""What wikilinks have in front of a page's name: `[[project: alpha]]`."""
_VARIABLE = lazy(r"(?:\$\w{1,40}|\$\{\w{1,40}\}|%\w{1,40}%)[/\\]")
_DRIVE = lazy(r"[A-Za-z]:[\\/]", re.ASCII)
_SYSTEM = lazy(
    r"/(?:etc|home|root|usr|var|tmp|proc|sys|dev|opt|mnt|media|srv|run|boot|bin|sbin|lib|private|users|volumes|library|system|applications|windows)(?:/|$)",
    re.IGNORECASE | re.ASCII,
)

_NETWORK = frozenset({
    "http", "https", "ftp", "ftps", "ws", "wss", "git", "mailto", "tel", "sms", "sip", "sips", "xmpp", "irc", "ircs", "matrix", "news", "geo", "doi",
    "urn", "data",
})  # fmt: skip
"""Schemes of pages, mail, calls and chats, and of names; `data:` is HG407's. All others open a program or a share of the reader's machine."""


def home_of(path: str, policy: Policy) -> list[str]:
    """Return the directories between the workspace root and a file: what `..` may climb."""
    inside = local_path(path, policy)
    return (inside if inside is not None else path).split("/")[:-1]


def find_leaving(file: FileView, home: list[str]) -> Iterator[tuple[int, int, str, str]]:
    """Yield line, column, what it is and why it leaves, left to right within each sort."""
    for run in runs(file):
        if run.kind == kind.FRONT or not any(sign in run.text for sign in ("](", "[[", "]:", "@", "file:", "FILE:", "File:", "<")):
            continue
        places = run.places()
        done = 0
        for at, what, target in sorted(_targets(run)):
            why = leaves(target, home)
            line, column = places.place(at)
            if why and line != done:
                done = line
                yield line, column, what, why


def _targets(run: Run) -> Iterator[tuple[int, str, str]]:
    text = run.text
    if "](" in text:
        yield from ((link.start, "an image" if link.image else "a link", link.target) for link in find_links(text) if link.target)
    if "[[" in text:
        yield from (
            (match.start(), "a wikilink", re.split(r"[|#]", match[1], maxsplit=1)[0])
            for match in _WIKI.finditer(text)
            if not _NAMESPACE.match(match[1])
        )
    if "]:" in text and run.kind in {kind.REFERENCE, kind.ITEM, kind.QUOTE, kind.TEXT}:
        match = _REFERENCE.match(text)
        if match is not None:
            yield match.start(1), "a reference", match[1]
    if "@" in text:
        yield from (
            (match.start(), "an import", match[1])
            for match in _IMPORT.finditer(text)
            if not match[1].startswith("/") or _SYSTEM.match(match[1]) or _LOADED.match(match[1])
        )
    if "file:" in text.lower():
        yield from ((match.start(), "an address", "file:") for match in _FILE_URL.finditer(text))
    if "<" in text:
        yield from ((match.start(), "an HTML attribute", match[1] or match[2] or match[3]) for match in _ATTRIBUTE.finditer(text))
        yield from (
            (match.start(), "a link", match[1])
            for match in _AUTOLINK.finditer(text)
            if not match[1].startswith("/") or _SYSTEM.match(match[1])
        )
        yield from ((match.start(), "a link", match[1]) for match in _OPENED.finditer(text))


def leaves(target: str, home: list[str]) -> str:
    """Say how a link target leaves the workspace, '' when it stays or is an address on the network."""
    if _VARIABLE.match(target):
        return "leads to the directory of a variable"
    plain = decode(target).strip(" \t<>").replace("\\", "/")
    if _DRIVE.match(plain) or (plain.startswith("//") and ("\\" in target or "." not in plain[2:].partition("/")[0])):
        return "names a path of another system"
    if plain.lower().startswith("file:"):
        return "is a file: address"
    if plain.startswith("//"):
        return ""
    scheme = _SCHEME.match(plain)
    if scheme is not None:
        return _opens(scheme, plain[scheme.end() :])
    if plain.startswith("~"):
        return "leads to a home directory" if "/" in plain or plain == "~" else ""
    if plain.startswith("/"):
        return "is an absolute path"
    depth = len(home)
    for part in plain.partition("#")[0].partition("?")[0].split("/"):
        if part == "..":
            depth -= 1
            if depth < 0:
                return "leaves the workspace"
        elif part not in {"", "."}:
            depth += 1
    return ""


def _opens(scheme: re.Match[str], rest: str) -> str:
    """Say what an address with a scheme opens; a host with a port and a file with a line number have no scheme."""
    if scheme[1].lower() in _NETWORK or not rest or (scheme[2] is None and (rest[0].isdigit() or "." in scheme[1])):
        return ""
    return f"opens a program: {scheme[1].lower()[:20]} is no address of the network"
