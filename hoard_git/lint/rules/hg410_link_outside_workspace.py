r"""A link, image, wikilink or import names something outside the workspace.

## Why

A loader, a wiki or a search may follow it: `[[../../.ssh/config]]` or `@../outside/prefs.md` brings a file into the prompt that nobody
reviewed, and `file:` addresses show what stands on the reader's disk. So do shares (`//server/share`, `smb:`), directories of variables
(`$HOME/x`) and the addresses of programs (`vscode:`, `obsidian:`, `javascript:`), which act on the reader's machine. The web, mail, calls and chats
(http, https, ftp, ws, mailto, tel, sms, sip, xmpp, irc, matrix, news, geo) and plain names (doi, urn) are fine. Paths in plain prose and in code are only text, and so are mail
addresses, `@names` and packages such as `@scope/name`.

## Bad

    file: memory/notes.md
    | - See [the host list](../../hosts.md) <!-- src:agent ts:2026-06-01 -->

Absolute paths and file addresses:

    file: MEMORY.md
    | - See [the list](/etc/passwd) and <file:///etc/hosts> <!-- src:agent ts:2026-06-01 -->

An import:

    file: MEMORY.md
    | @../outside/prefs.md

A program's address:

    file: MEMORY.md
    | - See [the notes](obsidian://open?vault=home&file=prefs) <!-- src:agent ts:2026-06-01 -->

## Good

    file: memory/notes.md
    | - See [the index](../MEMORY.md), [[projects/alpha]], the file `../../x`, /etc/hosts, sam@mail.example and @scope/name <!-- src:agent ts:2026-06-01 -->

## Limits

`obsidian:` opens notes of any vault and can run commands there, so it is no exception: within the vault write `[[note]]`. `@/name/part` without
the suffix of a text file is the alias of a source tree and stays silent.

## Instead

Copy what is needed into the workspace and link to the copy, or write the path as code.
"""

from __future__ import annotations

from hoard_git.lint.scene import Hit, Meta

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.lint.scene import FileView, Scene

META = Meta(
    "HG410",
    "link-outside-workspace",
    "error",
    "file",
    trigger=(
        "](",
        "[[",
        "]:",
        "file:",
        "@.",
        "@/",
        "@~",
        "@$",
        "@%",
        "://",
        "/../",
        "href",
        "src=",
        "<..",
        "<~",
        "@\\",
        ":\\",
        "\\..",
        "script:",
        *(f"@{letter}:" for letter in "abcdefghijklmnopqrstuvwxyz"),
    ),
    state="warn",
)


def check(file: FileView, scene: Scene) -> Iterator[Hit]:
    """Judge what is linked on the lines under judgement; one finding a place."""
    from hoard_git.lint.leaving import find_leaving, home_of

    home = home_of(file.path, scene.policy)
    for line, column, what, why in find_leaving(file, home):
        yield Hit(f"{what} {why}", line, column, "copy it into the workspace, or write the path as code")
