r"""A word, name or address is not made of the letters that it seems to be made of.

## Why

`vault.example` with one Cyrillic, Greek, Armenian or Cherokee letter is another host, with an ideographic full stop or a full-width at-sign it may
be one, and `10.0.0.1` with an Arabic digit is no address at all. A near copy of a true fact with one foreign letter passes every reader, and a
search, a duplicate check and a blame see two facts. So do decomposed letters (NFD), which look the same and compare unequal, and three or
four combining marks on one letter, which hide what stands beside it.

Three of 1,782 real commits mixed Latin and Cyrillic letters inside a token. Open mixing stays silent: a hyphen or slash between scripts,
an inflected foreign name, a Greek sign in a formula or a unit.

## Bad

    file: MEMORY.md
    | - The vault is at v\u{430}ult.example <!-- src:agent ts:2026-06-01 -->

A full stop of another script, and a digit:

    file: MEMORY.md
    | - The vault is at vault\u{3002}example, port 80\u{665} <!-- src:agent ts:2026-06-01 -->

A word of the file in other letters:

    file: MEMORY.md
    | - Ask \u{440}\u{430}\u{443}\u{440}a first
    | - Ask paypa first

Decomposed letters:

    file: MEMORY.md
    | - The cafe\u{301} key is in the drawer <!-- src:agent ts:2026-06-01 -->

## Good

    file: MEMORY.md
    | - The caf\u{e9} key; \u{394}t is 5 \u{3bc}s; the \u{418}\u{422}-team uses git\u{43e}\u{43c} <!-- src:agent ts:2026-06-01 -->

## Instead

Type the name again. For decomposed text store the composed form (NFC): `hoard check --fix`.
"""

from __future__ import annotations

from hoard_git.lint.scene import NON_ASCII, Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta("HG404", "confusable", "warn", "file", trigger=(NON_ASCII,))


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge the lines under judgement; at most one finding of each sort a line."""
    del scene
    from hoard_git.core import confusables, unicode

    known: frozenset[str] | None = None
    for number, line in file.judged_lines():
        if line.isascii():
            continue
        if confusables.may_imitate(line):
            if known is None:
                known = _words(file)
            for likeness in confusables.find_likenesses(line, known):
                shown = unicode.show(likeness.text)
                yield Hit(f"{shown} {likeness.reason}", number, likeness.start + 1, "type it again, in one script")
                break
        for likeness in confusables.find_odd_signs(line):
            shown = unicode.show(likeness.text)
            yield Hit(f"{shown} {likeness.reason}", number, likeness.start + 1, "type it again, in one script")
            break
        at = unicode.find_decomposed(line)
        if at >= 0:
            yield Hit(
                "letters are stored decomposed and compare unequal to the same letters",
                number,
                at + 1,
                "store the composed form (NFC): hoard check --fix",
            )
        at = unicode.find_pile(line)
        if at >= 0:
            yield Hit("three or more combining marks on one letter", number, at + 1, "keep the letter without its decoration")


def _words(file: FileView) -> frozenset[str]:
    """The ASCII words of the whole file, in lower case."""
    import re

    found: set[str] = set()
    for line in file.document.lines:
        found.update(re.findall(r"[A-Za-z0-9]{4,64}", line))
    return frozenset(word.lower() for word in found)
