"""`python -m hoard_git`: the same program as `hoard`."""

from __future__ import annotations

import sys

from hoard_git.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
