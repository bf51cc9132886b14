"""What a memory file refers to: links, wikilinks, links in front matter, and the paths of memory files that stand in its text.

Addresses of the network, imports and what leaves the workspace are not looked at here (HG410 does).
"""

from __future__ import annotations

import re

from hoard_git.core import document as kind
from hoard_git.core.frontmatter import read_front_matter
from hoard_git.core.lazy import lazy
from hoard_git.core.record import Record
from hoard_git.lint.leaving import _NAMESPACE
from hoard_git.lint.prose import Places, blank_comments, decode, find_links, runs, spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView

LINK, WIKILINK, FRONT, POINTER = "link", "wikilink", "front", "pointer"

_WIKI = lazy(r"(?<!\\)!?\[\[([^\[\]\n|#]{0,400})(?:#([^\[\]\n|]{1,200}))?(?:\|[^\[\]\n]{0,400})?\]\]")
_REFERENCE = lazy(r"[ \t>*+-]{0,40}\[(?!\^)[^\[\]\n]{1,300}\]:[ \t]{0,40}(?:<([^<>\n]{1,2000})>|([^\s<>]{1,2000}))")
_SCHEME = lazy(r"[A-Za-z][A-Za-z0-9+.-]{1,30}:(?![0-9]{1,7}(?:-[0-9]{1,7})?$)", re.ASCII)
_DRIVE = lazy(r"[A-Za-z]:[\\/]", re.ASCII)
_HOST = lazy(r"(?:[\w-]{1,63}\.){1,5}(?:com|org|net|io|dev|ai|app|co|me|edu|gov|info|so|xyz|de|uk|eu|cn|jp|fr)(?:[/:?#]|$)", re.IGNORECASE)
_PLACEHOLDER = lazy(
    r"[<>{}*$|\"'`\u2026]|\.\.\.|YYYY|(?<![A-Za-z])(?:xxx|XXX|N{2,}|foo|bar|baz)(?![A-Za-z])|(?<![a-z])(?:your|some)-", re.ASCII
)
"""What stands in templates and examples where a name would be."""
_NO_NAME = lazy(r"[\d\s,.:;_-]*$|.*[\"'=(){}<>$*\\;,]|.*\.\.\.|[\s&|!~^@-]|(?:https?|mailto):|.*\s$", re.ASCII)
"""What stands in double brackets and is the code of a shell, of Python or of a template."""
_DIRECTIVE = lazy(r"(?:reply_to(?:_current)?|audio_as_voice|tts|media|embed|silent|no_reply)(?::.*)?$", re.IGNORECASE)
"""Orders to a host in double brackets, such as OpenClaw's `[[reply_to_current]]`."""
_POINTER = lazy(
    r"(?<![\w./~@%\\$-])(?<!\]\()(?<!\[\[)(?<!:/)((?:\./)?(?:[\w][\w.+@-]{0,100}/){0,8}[\w][\w.+@-]{0,150}\.md)"
    r"(?:#L(\d{1,7})(?:-L?(\d{1,7}))?|:(\d{1,7})(?:[-:](\d{1,7}))?(?![\w:])|#([\w%.-]{1,200}))?(?![\w/*{<])(?!\]\()"
)
_LINES = lazy(r"L(\d{1,7})(?:-L?(\d{1,7}))?$", re.ASCII)
_COLON = lazy(r"(.*\.\w{1,10}):(\d{1,7})(?:-(\d{1,7}))?$", re.ASCII)


class Reference(Record):
    """One reference: its kind, 1-based line and column, the path or name as a reader means it, a heading ('' for none), and lines (0 for none)."""

    kind: str
    line: int
    column: int
    target: str
    anchor: str = ""
    first: int = 0
    last: int = 0
    coded: bool = False


def find_links_of(file: FileView) -> Iterator[Reference]:
    """Yield inline links, images and reference definitions that lead to a path or a heading, on the lines under judgement."""
    for run in runs(file):
        if run.kind == kind.FRONT or ("](" not in run.text and "]:" not in run.text):
            continue
        places = run.places()
        found = [(link.start, link.target) for link in find_links(run.text) if link.target]
        if run.kind == kind.REFERENCE and (match := _REFERENCE.match(run.text)) is not None:
            found.append((match.start(1 if match[1] else 2), match[1] or match[2]))
        for start, written in sorted(found):
            reference = _link(written)
            if reference is not None:
                line, column = places.place(start)
                yield reference._replace(line=line, column=column)


def _link(written: str) -> Reference | None:
    """A link's target; None for what is no path: an address, something absolute, a placeholder."""
    plain = decode(written).strip()
    if not plain or plain[0] in "/~$?\\" or _DRIVE.match(plain) or _SCHEME.match(plain) or _HOST.match(plain) or _PLACEHOLDER.search(plain):
        return None
    path, _, anchor = plain.partition("#")
    path = path.partition("?")[0].replace("\\", "/")
    first = last = 0
    lines = _LINES.match(anchor)
    if lines is not None:
        first, last, anchor = int(lines[1]), int(lines[2] or lines[1]), ""
    colon = _COLON.match(path)
    if colon is not None:
        path, first, last = colon[1], int(colon[2]), int(colon[3] or colon[2])
    if path and "/" not in path and "." not in path:
        return None  # `[x](y)` of prose and code: nothing says that a file is meant
    return Reference(LINK, 0, 0, path, anchor, first, last)


def find_wikilinks(file: FileView) -> Iterator[Reference]:
    """Yield `[[…]]` in text, and the names under `links:` in front matter, on the lines under judgement."""
    for run in runs(file):
        if run.kind == kind.FRONT or "[[" not in run.text:
            continue
        places = run.places()
        for match in _WIKI.finditer(run.text):
            name = match[1].removesuffix("\\")  # in a table the bar is escaped
            if is_page_name(name) or (not name and match[2]):
                line, column = places.place(match.start())
                yield Reference(WIKILINK, line, column, name.strip(), _block_or_heading(match[2]))
    yield from _front_links(file)


def is_page_name(name: str) -> bool:
    """Whether the text in double brackets is the name of a page: no code, no order to a host, no namespace of other tools."""
    return bool(name) and not (_NO_NAME.match(name) or _DIRECTIVE.match(name) or _NAMESPACE.match(name) or _PLACEHOLDER.search(name))


def _block_or_heading(text: str | None) -> str:
    """The heading of a wikilink, the last of a path of headings; '' for a block mark, which no heading is."""
    last = (text or "").rstrip("\\").rpartition("#")[2].strip()
    return "" if last.startswith("^") else last


def _front_links(file: FileView) -> Iterator[Reference]:
    if not any(key == "links" for key, _value, _line in file.document.front):
        return
    value = read_front_matter(file.document).get("links")
    if value is None:
        return
    for line, text in zip(value.lines, value.texts, strict=True):
        if file.judges(line):
            name, anchor = split_name(text)
            yield Reference(FRONT, line, max(1, file.document.lines[line - 1].find(text) + 1), name, anchor)


def split_name(text: str) -> tuple[str, str]:
    """The name and the heading of a link in front matter, with or without brackets."""
    bare = text.strip()
    if bare.startswith("[[") and bare.endswith("]]"):
        bare = bare[2:-2]
    name, _, anchor = bare.partition("|")[0].partition("#")
    return name.strip(), _block_or_heading(anchor)


def find_pointers(file: FileView) -> Iterator[Reference]:
    """Yield paths of markdown files in text, code spans and comments, on the lines under judgement; code blocks and links are left out."""
    lines = file.document.lines
    for start, end, letter in spans(file):
        if letter in (kind.CODE, kind.FRONT, kind.HTML):
            continue
        text = "\n".join(lines[start - 1 : end])
        if ".md" not in text:
            continue
        plain = text if letter == kind.COMMENT else _without_tags(text)
        places = Places(start, text)
        for match in _POINTER.finditer(plain):
            if _PLACEHOLDER.search(match[1]) or not _stands_alone(plain, match):
                continue
            line, column = places.place(match.start(1))
            if file.judges(line):
                first = int(match[2] or match[4] or 0)
                last = int(match[3] or match[5] or first)
                path = match[1].removeprefix("./")
                yield Reference(POINTER, line, column, path, match[6] or "", first, last, coded=plain[: match.start()].endswith("`"))


def _without_tags(text: str) -> str:
    """Provenance tags name evidence, which is where something was learned and not where it is now."""
    return blank_comments(text) if "<!--" in text and "promotion" not in text else text


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """Whether a path is no part of a longer one, of an address or of the target of a link."""
    before = text[max(0, match.start() - 300) : match.start()]
    word = before.rsplit(None, 1)[-1] if before.strip() and not before[-1].isspace() else ""
    return "://" not in word and not word.endswith(("](<", "](./", "]("))
