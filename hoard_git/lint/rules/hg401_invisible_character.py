r"""A line holds characters that nobody sees: zero-width, blank-looking, control or tag characters.

## Why

A reviewer reads the rendered page, a model reads the code points. Characters without a shape split a word so that no word list finds it
(`pass`, U+200B, `word`), carry a whole hidden text (tag characters, variation selectors), repaint a terminal (escape sequences) or start
a line that git does not know (U+2028). Noncharacters and blocks that Unicode has not assigned have no shape either, and none is in the blocks of
emoji, old or new. Across 1,782 commits of real memory none of the hard ones was ever needed. What is needed stays
silent: U+FE0F behind an emoji, joiners inside emoji and between Arabic, Indic or Khmer letters, CRLF, a byte order mark at the start.

Softer, and only a warning: a non-joiner between blanks (mails pasted into a log), private-use characters, half an emoji sequence.

## Bad

    file: MEMORY.md
    | - The pass\u{200b}word policy changed <!-- src:agent ts:2026-06-01 -->

A letter that looks like nothing:

    file: MEMORY.md
    | - Nothing \u{3164} to see <!-- src:agent ts:2026-06-01 -->

A blank that is no space unmakes a heading:

    file: MEMORY.md
    | #\u{a0}Facts from the user

## Good

    file: MEMORY.md
    | - \u{26a0}\u{fe0f} Disk B is read-only, 1\u{fe0f}\u{20e3} first \u{1f469}\u{200d}\u{1f4bb} <!-- src:agent ts:2026-06-01 -->

Joiners where a script needs them:

    file: MEMORY.md
    | - \u{645}\u{6cc}\u{200c}\u{62e}\u{648}\u{627}\u{647}\u{645} <!-- src:agent ts:2026-06-01 -->

## Instead

Delete the character; `hoard check --fix` does it. Where a document has to name one, write `U+200B`.
"""

from __future__ import annotations

from hoard_git.core.document import CODE
from hoard_git.core.files import MARKDOWN
from hoard_git.lint.scene import NON_ASCII, Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

_CONTROLS = tuple(chr(code) for code in (*range(9), *range(0x0B, 0x20), 0x7F))

META = Meta("HG401", "invisible-character", "error", "file", trigger=(NON_ASCII, *_CONTROLS))


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge the lines under judgement; one finding a line and severity, for a file as it stands one a kind of character and severity."""
    hits = list(_lines(file, scene))
    if scene.change or len(hits) < 2:
        yield from (hit for hit, _kind, _count in hits)
        return
    from hoard_git.lint.allows import excepted_lines

    excepted = excepted_lines(file.document, META.code)
    groups: dict[tuple[object, ...], list[tuple[Hit, int]]] = {}
    for hit, kind, count in hits:
        # an exception for one line excuses that line alone
        groups.setdefault((kind, hit.severity, hit.line if hit.line in excepted else 0), []).append((hit, count))
    for group in groups.values():
        first = group[0][0]
        rest = sum(count for _hit, count in group[1:])
        yield first._replace(message=f"{first.message}, and {rest} more in this file") if rest else first


def _lines(file: FileView, scene: Scene) -> Iterator[tuple[Hit, str, int]]:
    """Yield each hit with the kind of its first character and how many there are."""
    from hoard_git.core import unicode

    lines = file.document.lines
    # HG108 names a NUL already, where it looks
    zero = file.file_class == "other" or scene.policy.severity_of("HG108", "error") == "off"
    for number, line in file.judged_lines():
        if unicode.is_plain(line) or not zero and line.count("\x00") * 3 > len(line):
            continue  # UTF-16 text: each other byte would be a finding, and HG108 says it once
        odd = [o for o in unicode.find_odd(line, number, last=number == len(lines)) if o.kind not in {unicode.BIDI, unicode.MARK}]
        odd = odd if zero else [o for o in odd if line[o.at] != "\x00"]
        for hard in (True, False):
            found = [o for o in odd if o.hard is hard]
            if found:
                first = found[0]
                name = "a pile of combining marks" if first.kind == unicode.PILE else unicode.describe(line[first.at])
                message = name if len(found) == 1 else f"{len(found)} characters that nobody sees, the first is {name}"
                hit = Hit(message, number, first.at + 1, "delete it: hoard check --fix", severity="error" if hard else "warn")
                yield hit, first.kind, len(found)
        marked = file.path.lower().endswith(MARKDOWN) and file.document.kinds[number - 1] != CODE
        at = unicode.find_structure_space(line) if marked else -1
        if at >= 0:
            marker = "warn" if line[:at].strip(" \t")[:1].isdigit() else "error"
            message = f"{unicode.describe(line[at])} next to a marker, which then is none"
            yield Hit(message, number, at + 1, "type a plain space", severity=marker), "structure", 1
