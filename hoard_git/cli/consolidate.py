"""`hoard-consolidate --workspace DIR [--dry-run]`: the cron command, the same as `hoard -C DIR consolidate --apply`."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_USAGE = "usage: hoard-consolidate --workspace DIR [--dry-run] [options of hoard consolidate]"


def main(argv: Sequence[str] | None = None) -> int:
    """Translate the arguments and run `hoard`; its exit status."""
    from hoard_git.cli.main import main as hoard

    given = list(sys.argv[1:] if argv is None else argv)
    if given in (["--help"], ["-h"]):
        print(_USAGE)
        return 0
    workspace = ""
    rest = []
    while given:
        word = given.pop(0)
        if word == "--workspace" and given:
            workspace = given.pop(0)
        elif word.startswith("--workspace="):
            workspace = word.partition("=")[2]
        else:
            rest.append(word)
    if not workspace:
        print(f"error: --workspace DIR is missing\n  {_USAGE}", file=sys.stderr)
        return 2
    applies = [] if "--dry-run" in rest else ["--apply"]
    return hoard(["-C", workspace, "consolidate", *applies, *rest])
