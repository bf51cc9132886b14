"""The environment that every test runs in: nothing of the machine's git configuration, identity or agent reaches it."""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

HUMAN = "Ada Example <ada@example.org>"
AGENT = "clawd <clawd@agents.example>"

# What must not leak in. GIT_* is what git exports to hooks (the suite may itself be started by one); the rest makes a commit an agent's,
# moves "today", or colours output.
_DROPPED = (
    "GIT_*",
    "CLAUDECODE",
    "CODEX_*",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "OPENCLAW_*",
    "AIDER_*",
    "AI_AGENT",
    "HOARD_*",
    "NO_COLOR",
    "FORCE_COLOR",
    "CLICOLOR*",
    "COLUMNS",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "EMAIL",
    "LC_*",
    "LANGUAGE",
    "XDG_*",
    "SSH_*",
)

# gc would start in the background and change files under a running comparison; fsync costs 20 ms a commit and protects nothing here.
_GIT_CONFIG = """\
[user]
\tname = Ada Example
\temail = ada@example.org
\tuseConfigOnly = true
[init]
\tdefaultBranch = main
[gc]
\tauto = 0
[maintenance]
\tauto = false
[core]
\tfsync = none
[protocol "file"]
\tallow = always
"""


def is_dropped(name: str) -> bool:
    """Whether a variable of the surrounding environment is kept away from tests."""
    return any(fnmatchcase(name, pattern) for pattern in _DROPPED)


def hermetic_environment(home: Path) -> dict[str, str]:
    """The full environment for a test whose home directory is `home`; writes the git configuration there.

    Author and committer dates are left to the clock, since the gate looks at them: a test that needs fixed ones sets them.
    """
    config = home / ".gitconfig"
    config.write_text(_GIT_CONFIG, encoding="utf-8")
    (home / ".config").mkdir(exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if not is_dropped(name)}
    environment.update(
        HOME=str(home),
        XDG_CONFIG_HOME=str(home / ".config"),
        GIT_CONFIG_NOSYSTEM="1",
        GIT_CONFIG_GLOBAL=str(config),
        GIT_EDITOR="false",
        GIT_TERMINAL_PROMPT="0",
        LC_ALL="C.UTF-8",
        TZ="UTC",
    )
    return environment


def seal_process(home: Path) -> None:
    """The same for this whole process, which is no test run: for programs that write a page from a run of real repositories."""
    import pygit2
    from pygit2.enums import ConfigLevel

    environment = hermetic_environment(home)
    os.environ.clear()
    os.environ.update(environment)
    for level in (ConfigLevel.SYSTEM, ConfigLevel.XDG, ConfigLevel.GLOBAL, ConfigLevel.PROGRAMDATA):
        pygit2.settings.search_path[level] = ""


def identity(person: str) -> dict[str, str]:
    """The variables that make `Name <address>` both author and committer."""
    name, _, address = person.partition(" <")
    if not address.endswith(">"):
        message = f"not a `Name <address>`: {person!r}"
        raise ValueError(message)
    return {
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": address[:-1],
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": address[:-1],
    }
