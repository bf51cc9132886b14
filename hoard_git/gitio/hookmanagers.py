"""Programs that manage a repository's hooks themselves, and how to make them run ours."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from hoard_git import __version__
from hoard_git.core.record import Record

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from hoard_git.gitio.reader import Reader

_LEFTHOOK = tuple(f"{dot}lefthook.{end}" for dot in ("", ".") for end in ("yml", "yaml", "toml", "json"))
_MARK = "# added by hoard-git"
FRAMEWORK_IDS = {
    "pre-commit": "hoard-check",
    "pre-merge-commit": "hoard-check",
    "prepare-commit-msg": "hoard-trailers",
    "commit-msg": "hoard-commit-msg",
}
"""The ids of .pre-commit-hooks.yaml by git's hook; the framework has no others that hoard-git needs."""


class Manager(Record):
    """Who owns the hooks; `path` is its file, or for husky and a shared directory that directory. `why` is one sentence for people."""

    kind: Literal["husky", "lefthook", "pre-commit", "shared"]
    path: str
    why: str


def find_manager(reader: Reader, folder: Path, names: Sequence[str]) -> Manager | None:
    """Tell who manages the hooks in `folder`, None when nobody does.

    A directory from core.hooksPath outside this repository counts as a manager too: other repositories run the same files.
    """
    root = Path(reader.root())
    if reader.config("core.hooksPath") is not None:
        place = folder.resolve()
        for husky in (root / ".husky", root / ".husky" / "_"):
            if place == husky.resolve():
                return Manager("husky", str(root / ".husky"), "husky manages the hooks here.")
        if not any(place.is_relative_to(Path(home).resolve()) for home in (root, reader.git_dir(), reader.common_dir())):
            return Manager("shared", str(folder), "core.hooksPath names a directory that other repositories share.")
    if root == Path(reader.git_dir()):
        return None
    for name in _LEFTHOOK:
        if (root / name).is_file():
            return Manager("lefthook", str(root / name), "lefthook manages the hooks here.")
    config = root / ".pre-commit-config.yaml"
    if config.is_file() or any(made_by_pre_commit(folder / name) for name in names):
        return Manager("pre-commit", str(config), "The pre-commit framework manages the hooks here.")
    return None


def instruction(manager: Manager, names: Sequence[str]) -> str:
    """Say what to add, and where, so that this manager runs the hooks: one text for all of them, the block to paste last."""
    if manager.kind == "husky":
        lines = [_appending(_husky_line(name), manager, name) for name in names]
        return "\n".join([f"{manager.why} Let hoard-git add its lines: hoard hooks install --husky", "Or add them yourself:", *lines])
    if manager.kind == "lefthook":
        blocks = [_lefthook_block(name) for name in names]
        return "\n".join([f"{manager.why} Add to {manager.path}, then run `lefthook install`:", *blocks])
    if manager.kind == "pre-commit":
        ids = dict.fromkeys(FRAMEWORK_IDS[name] for name in names if name in FRAMEWORK_IDS)
        return "\n".join(
            [
                f"{manager.why} Add to {manager.path}, then run `{framework_command(names)}`:",
                "repos:",
                "  - repo: https://github.com/hoard-git/hoard-git",
                f"    rev: v{__version__}",
                "    hooks:",
                *(f"      - id: {name}" for name in ids),
            ]
        )
    lines = [_appending(f'hoard-hook {name} "$@" || exit', manager, name) for name in names]
    return "\n".join(
        [
            f"{manager.why} It was left alone: {manager.path}",
            "To give this repository hooks of its own (the shared ones then stop running here):",
            own_hooks_command(),
            "Or, to run ours in every one of them, add:",
            *lines,
        ]
    )


def own_hooks_command() -> str:
    """The command that points core.hooksPath back at the repository's own hooks."""
    return 'git config --local core.hooksPath "$(git rev-parse --path-format=absolute --git-common-dir)/hooks"'


def framework_command(names: Sequence[str]) -> str:
    """The command that makes the pre-commit framework run at these hooks."""
    return "pre-commit install " + " ".join(f"-t {name}" for name in names if name in FRAMEWORK_IDS)


def framework_lacks(config: bytes, names: Sequence[str]) -> list[str]:
    """Those of these hooks for which the framework's configuration has neither our id nor our program."""
    lines = [line.strip() for line in config.split(b"\n") if not line.lstrip().startswith(b"#")]
    return [name for name in names if name in FRAMEWORK_IDS and not any(_names_ours(line, name) for line in lines)]


def lefthook_lacks(config: bytes, names: Sequence[str]) -> list[str]:
    """Those of these hooks that lefthook's configuration does not run ours for."""
    return [name for name in names if not _has_command(config, name)]


def _names_ours(line: bytes, name: str) -> bool:
    words = line.replace(b",", b" ").replace(b"}", b" ").replace(b'"', b" ").replace(b"'", b" ").split()
    return FRAMEWORK_IDS[name].encode() in words or (b"hoard-hook" in words and name.encode() in words)


def _has_command(content: bytes, name: str) -> bool:
    pattern = rb"hoard-hook " + name.encode() + rb"(?![\w-])"
    return any(re.search(pattern, line) and not line.lstrip().startswith(b"#") for line in content.split(b"\n"))


def _appending(line: str, manager: Manager, name: str) -> str:
    """A shell command that adds a line to a hook's file."""
    return f"echo '{line}' >> {shlex.quote(f'{manager.path}/{name}')}"


def _lefthook_block(name: str) -> str:
    stdin = "\n      use_stdin: true" if name in ("pre-push", "post-rewrite") else ""
    return f"{name}:\n  commands:\n    hoard:\n      run: hoard-hook {name} {{0}}{stdin}"


def husky_has(content: bytes, name: str) -> bool:
    """Tell whether husky's file runs our hook, by our line or by the user's own."""
    return _has_command(content, name)


def husky_added(content: bytes | None, name: str) -> bytes:
    """Give husky's file with our line at the end; `husky_removed` gives back the very bytes that were there."""
    line = _husky_line(name).encode()
    if content is None:
        return b"#!/bin/sh\n" + line + b"\n"
    return content + line + b"\n" if content.endswith(b"\n") or not content else content + b"\n" + line


def husky_removed(content: bytes, name: str) -> bytes:
    """Give husky's file without our line, empty when nothing but what we made is in it."""
    line = _husky_line(name).encode()
    if content == husky_added(None, name):
        return b""
    if content.endswith(b"\n" + line):
        return content[: -len(line) - 1]
    return b"".join(part for part in content.splitlines(keepends=True) if part != line + b"\n")


def _husky_line(name: str) -> str:
    # `|| exit` stops with our status whatever options the file runs under.
    return f'hoard-hook {name} "$@" || exit  {_MARK}'


def made_by_pre_commit(path: Path) -> bool:
    """Tell whether the pre-commit framework has put a hook here."""
    return path.is_file() and b"File generated by pre-commit" in path.read_bytes()[:4096]
