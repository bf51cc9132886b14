"""What markdown does not show: reference definitions that nothing uses, raw HTML."""

from __future__ import annotations

import re

from hoard_git.core import document as kind
from hoard_git.core.lazy import lazy
from hoard_git.lint._names import AMBIGUOUS, ELEMENTS, HARMLESS, HIDING
from hoard_git.lint.prose import decode, runs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.document import Document
    from hoard_git.lint.scene import FileView

_DEFINITION = lazy(
    r"(?:[ \t]{0,40}(?:>|[-+*](?=[ \t])|[0-9]{1,9}[.)](?=[ \t]))){0,20}[ \t]{0,40}\[((?:[^\[\]\\]|\\.){1,999})\]:(.*)", re.DOTALL
)
_USE = lazy(r"\[((?:[^\[\]\\\n]|\\.){1,999})\](?!:)")
_TITLE = lazy(r"[ \t]{0,40}(?:\"[^\"]{1,2000}\"|'[^']{1,2000}'|\([^()]{1,2000}\))[ \t\r]*")

_TAG = lazy(
    r"""<(/?)([A-Za-z][A-Za-z0-9-]{0,40}+)((?:[ \t\r\n/][^<>"'`]{0,400}+)?(?:(?:"[^"<>]{0,2000}+"|'[^'<>]{0,2000}+')[^<>"'`]{0,400}+){0,40}+)>""",
    re.ASCII,
)
_OTHER = lazy(r"<(\?[A-Za-z]|!\[CDATA\[|![A-Z]{4})", re.ASCII)
_HIDING = lazy(
    r"""(?<![\w-])(?:display:none|(?:content-)?visibility:(?:hidden|collapse)|font-size:(?:[01](?:\.\d{1,9})?(?:px|pt|%)|0*(?:\.0\d{0,9})?(?![\d.])|0?\.\d{1,9}(?:px|pt))
      |opacity:(?:0*(?:\.0\d{0,9})?%?(?![\d.])|[0-9]%)|(?:left|right|top|bottom|text-indent|margin(?:-(?:left|right|top|bottom))?|inset):[^;"']{0,60}?-\d{3}
      |(?:left|right|top|bottom|text-indent|margin(?:-(?:left|right|top|bottom))?|inset):[^;"']{0,60}?-\d{2,}(?:\.\d{1,9})?(?:r?em|ch|v[wh]|%)
      |(?:max-)?(?:height|width):0(?![\d.])|clip(?:-path)?:(?!auto|none)|transform:[^;"']{0,60}?(?:scale[xy3d]{0,2}\(0(?![\d.])|-\d{3,})|filter:opacity\(0
      |(?:-webkit-text-fill-)?color[:=]["']?(?:transparent|white|\#f{3}(?:f{3})?\b|\#[0-9a-f]{3}0\b|\#[0-9a-f]{6}00\b|(?:rgb|hsl)a?\((?:[^(),]{1,20},){3}(?:0(?:\.0{1,9})?|\.0{1,9})%?\)|(?:rgb|hsl)a?\([^()/]{1,40}/\s?(?:0(?:\.0{1,9})?|\.0{1,9})%?\s?\)
      |rgb\(255,255,255\)))
      |(?:^|\s)hidden(?=[\s=/]|$)|(?:^|\s)type=["']?hidden|(?:^|\s)(?:size|width|height)=["']?0(?![\d.])""",
    re.IGNORECASE | re.ASCII | re.VERBOSE,
)
_DESTINATION = lazy(r"(?:<[^<>]*+>|[^\s<]\S*+)(?:[ \t]++(.*))?", re.DOTALL)
_CSS_COMMENT = lazy(r"/\*.{0,2000}?\*/", re.DOTALL)
_CSS_ESCAPE = lazy(r"\\(?:0{0,4}([0-9a-f]{2})(?![0-9a-f])\s?|([g-z]))", re.IGNORECASE | re.ASCII)
_BESIDE = lazy(r"\s{0,9}([:=,;()])\s{0,9}")


def find_unused_definitions(document: Document) -> Iterator[tuple[int, str, bool]]:
    """Yield line, message and whether it is a footnote, for each reference definition that no link of the file uses."""
    defined: list[tuple[int, str, str]] = []
    uses: set[str] = set()
    lines, kinds = document.lines, document.kinds
    for number, line in enumerate(lines, 1):
        if "[" not in line or kinds[number - 1] in {kind.CODE, kind.FRONT, kind.COMMENT}:
            continue
        match = _DEFINITION.match(line) if "]:" in line else None
        if match is not None and _starts_paragraph(document, number):
            rest = match[2].strip(" \t\r")
            said = rest or (lines[number].strip(" \t\r") if number < len(lines) else "")
            if said and (match[1].startswith("^") or _is_target(said)):
                defined.append((number, _label(match[1]), rest))
                continue
        uses.update(_label(found) for found in _USE.findall(line))
        if match is not None:
            uses.add(_label(match[1]))
    seen: set[str] = set()
    for number, label, rest in defined:
        footnote = label.startswith("^")
        if label not in uses:
            yield (
                number,
                "a footnote that nothing refers to is not shown" if footnote else "a reference definition that nothing uses is not shown",
                footnote,
            )
        elif label in seen and not footnote:
            yield number, "a second definition of the same reference is not shown", False
        elif not footnote and rest and number < len(lines) and kinds[number] == kind.TEXT and _TITLE.fullmatch(lines[number]):
            yield number + 1, "the title of a reference definition is not shown", False
        seen.add(label)


def _is_target(text: str) -> bool:
    """Whether a target, and at most a title behind it, is all that stands here: a sentence behind `[Task]:` is a paragraph that everybody sees."""
    match = _DESTINATION.fullmatch(text)
    title = match[1] if match is not None else "x"
    if not title:
        return True
    closing = {'"': '"', "'": "'", "(": ")"}.get(title[0])
    if closing is None:
        return False
    end = title.replace("\\" + closing, "\\\\").find(closing, 1)
    return end in (-1, len(title) - 1)  # a title may go on below


def _label(text: str) -> str:
    return " ".join(text.casefold().split())


def _starts_paragraph(document: Document, number: int) -> bool:
    """Whether a definition may stand here: at the start of a paragraph, or behind another definition."""
    letter = document.kinds[number - 1]
    if letter != kind.TEXT:
        return letter in {kind.REFERENCE, kind.ITEM, kind.QUOTE}
    return (
        number == 1
        or document.kinds[number - 2] not in {kind.TEXT, kind.ITEM, kind.QUOTE}
        or _DEFINITION.match(document.lines[number - 2]) is not None
    )


def find_html(file: FileView) -> Iterator[tuple[int, int, str, str]]:
    """Yield line, column, element and why it hides ('' if it does not); at most one a line, a hiding one before a plain one."""
    known: dict[str, bool] = {}
    for run in runs(file):
        if "<" not in run.text or run.kind == kind.FRONT:
            continue
        best: dict[int, tuple[int, str, str]] = {}
        places = run.places()
        for other in _OTHER.finditer(run.text):
            line, column = places.place(other.start())
            best[line] = (column, other[1], "a processing instruction, declaration or CDATA section is not shown")
        for tag in _TAG.finditer(run.text):
            name = tag[2].lower()
            if name not in ELEMENTS and name not in HARMLESS:
                continue
            if name in AMBIGUOUS and name not in known:
                everything = "\n".join(file.document.lines).lower()
                known[name] = f"</{name}>" in everything and f"<{name}" in everything
            if not _is_html(tag, name, run.text, paired=known.get(name, True)):
                continue
            why = _why_hidden(tag, name)
            line, column = places.place(tag.start())
            if (name in HARMLESS and not why) or (line in best and (best[line][2] or not why)):
                continue
            best[line] = (column, name, why)
        for line, (column, name, why) in sorted(best.items()):
            yield line, column, name, why


def _is_html(tag: re.Match[str], name: str, text: str, *, paired: bool) -> bool:
    attributes = tag[3].strip(" \t\r\n/")
    if "=" in attributes or name not in AMBIGUOUS:
        return True
    if attributes and not _hides(tag[3]):
        return False  # `<source file>` is a placeholder of two words
    before = text[tag.start() - 1 : tag.start()]
    if before.isalnum():
        return False  # `List<b>`
    return bool(attributes) or paired


def _why_hidden(tag: re.Match[str], name: str) -> str:
    if tag[1]:
        return ""
    if name in HIDING:
        return f"<{name}>"
    return f"a style or attribute of <{name}>" if _hides(tag[3]) else ""


def _hides(attributes: str) -> bool:
    """Whether a tag's attributes keep its content from the page. CSS may hold comments and escapes, and HTML writes it in entities."""
    text = decode(attributes)
    if "\\" in text:
        text = _CSS_ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else match[2], text)
    return _HIDING.search(_BESIDE.sub(r"\1", _CSS_COMMENT.sub("", text))) is not None
