"""Putting hook shims in place and taking them away; a hook that somebody else put there is kept, run, and given back."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import hoard_git
from hoard_git.core.record import Record
from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError
from hoard_git.gitio.hookmanagers import (
    FRAMEWORK_IDS,
    Manager,
    find_manager,
    framework_command,
    framework_lacks,
    husky_added,
    husky_has,
    husky_removed,
    instruction,
    lefthook_lacks,
    made_by_pre_commit,
    own_hooks_command,
)
from hoard_git.gitio.opening import plumbing_of

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import Reader

    Kind = Literal["install", "chain", "update", "keep", "append", "print", "remove", "restore"]
    State = Literal["installed", "foreign", "chained", "outdated", "missing", "broken-interpreter"]

CHAINED = ".hoard-chained"
"""What a foreign hook's name gets at its end. Our file runs it first, with the same arguments and standard input, and fails when it fails."""

_READS_INPUT = ("pre-push", "pre-receive", "post-receive", "post-rewrite", "reference-transaction")
# Goes in right below the two assignments, since a shim may leave early. Named in full: pre-commit moves a hook to `<name>.legacy` and runs it there.
_RUN_CHAINED = """
# The hook that was here before hoard-git: it runs first, and its failure is final.
if [ -x "${0%%/*}/%(name)s.hoard-chained" ]; then
    "${0%%/*}/%(name)s.hoard-chained" "$@" || exit
fi"""
_RUN_CHAINED_WITH_INPUT = """
# The hook that was here before hoard-git: it runs first, with the same input, and its failure is final.
hoard_input=$(cat; echo x)
hoard_input=${hoard_input%%x}
if [ -x "${0%%/*}/%(name)s.hoard-chained" ]; then
    printf %%s "$hoard_input" | "${0%%/*}/%(name)s.hoard-chained" "$@" || exit
fi
if [ -z "$hoard_input" ]; then
    exec </dev/null
else
    exec <<HOARD_INPUT
${hoard_input%%?}
HOARD_INPUT
fi"""

_PYTHON, _PACKAGE = b"@PYTHON@", b"@PACKAGE@"
_RUN_BITS = 0o111


class HookAction(Record):
    """One step of an installation. `text` is for people: what happens, or for `print` what they have to add by hand.

    `content` is what the file will hold and `expected` what it held when the plan was made (None: no file).
    """

    kind: Kind
    name: str
    path: str
    text: str
    content: bytes = b""
    expected: bytes | None = None


class HookStatus(Record):
    """How a hook stands; `fix` is the next command, "" when nothing is to be done."""

    name: str
    state: State
    path: str
    detail: str = ""
    fix: str = ""


def templates_dir() -> Path:
    """Give the directory of the shim templates: inside the installed package, or `hooks/` of a source checkout."""
    package = Path(hoard_git.__file__).resolve().parent
    for folder in (package / "_hooks", package.parent / "hooks"):
        if folder.is_dir():
            return folder
    raise HoardError("The hook templates are missing from this installation.", "pip install --force-reinstall hoard-git")


def hooks_dir(reader: Reader) -> Path:
    """Give the directory where git looks for this repository's hooks: core.hooksPath (also global) and linked worktrees are respected."""
    return Path(plumbing_of(reader).git_path("hooks"))


def render(template: bytes, interpreter: str, package_dir: str, *, chained: str = "") -> bytes:
    """Fill the two placeholders of a template, each quoted for sh; `chained` is the hook's name where a foreign hook of that name runs first."""
    for marker in (_PYTHON, _PACKAGE):
        if template.count(marker) != 1:
            raise HoardError(f"A hook template must hold {marker.decode()} exactly once.", "pip install --force-reinstall hoard-git")
    first = ""
    if chained:
        first = (_RUN_CHAINED_WITH_INPUT if chained in _READS_INPUT else _RUN_CHAINED) % {"name": chained}
    python, package = _quoted(interpreter), _quoted(package_dir)
    above, below = template.split(_PACKAGE)
    return above.replace(_PYTHON, python) + package + first.encode() + below.replace(_PYTHON, python)


def plan_install(reader: Reader, names: Sequence[str], interpreter: str, package_dir: str, *, edit_husky: bool = False) -> list[HookAction]:
    """Plan the shims of these hooks; changes nothing.

    Where a hook manager owns the hooks, one `print` says what to add to its files, or for husky, with `edit_husky`, one marked line is added
    to each. The pre-commit framework gets the hooks that it has ids for.
    A directory that other repositories share is left alone and explained. Raises HoardError when a foreign hook has no place to go.
    """
    folder = hooks_dir(reader)
    manager = find_manager(reader, folder, names)
    if manager is not None:
        return _plan_managed(manager, names, edit_husky=edit_husky)
    return [_plan_shim(folder, name, interpreter, package_dir) for name in names]


def plan_server(reader: Reader, names: Sequence[str], interpreter: str, package_dir: str) -> list[HookAction]:
    """Plan the hooks of a repository that others push to. No hook manager has a say there. Raises HoardError in one with a work tree."""
    plumbing = plumbing_of(reader)
    if plumbing.git(("rev-parse", "--is-bare-repository")).finish().strip() != b"true":
        raise HoardError(
            "This repository has a work tree, and a server's hook belongs into a bare one.",
            "hoard -C PATH/TO/REPOSITORY.git hooks install --server",
        )
    folder = hooks_dir(reader)
    if _is_shared(plumbing, folder):
        raise HoardError(
            f"core.hooksPath sends this repository's hooks to {folder}, which others may share.",
            f"Give it hooks of its own: {own_hooks_command()}",
        )
    return [_plan_shim(folder, name, interpreter, package_dir) for name in names]


def _is_shared(plumbing: PlumbingReader, folder: Path) -> bool:
    """Whether hooks lie outside the repository."""
    own = Path(plumbing.common_dir()).resolve()
    return own not in folder.resolve().parents


def apply_install(actions: Sequence[HookAction]) -> None:
    """Carry out a plan. Raises HoardError when a file is not any more what it was when the plan was made; earlier steps then stand."""
    for action in actions:
        path = Path(action.path)
        if action.kind in {"keep", "print"}:
            continue
        if _content(path) != action.expected:
            raise HoardError(f"{path} was changed meanwhile; it was left alone.", _install_command(action.name))
        path.parent.mkdir(parents=True, exist_ok=True)
        if action.kind != "chain":
            _place(path, action.content, _mode(path) if action.kind == "append" else None)
            continue
        kept = path.with_name(path.name + CHAINED)
        if os.path.lexists(kept):
            raise HoardError(f"{kept} is in the way; nothing was changed.", f"Look at it, then move it away: ls -l {shell_word(str(kept))}")
        path.rename(kept)
        try:
            _place(path, action.content, None)
        except BaseException:
            kept.rename(path)
            raise


def uninstall(reader: Reader, names: Sequence[str]) -> list[HookAction]:
    """Take our shims away and give foreign hooks back, byte for byte and with their mode; returns what was done. Foreign files stay as they are."""
    folder = hooks_dir(reader)
    done: list[HookAction] = []
    manager = find_manager(reader, folder, names)
    for name in names:
        path, kept = folder / name, folder / (name + CHAINED)
        if _is_ours(path, name):
            if os.path.lexists(kept):
                kept.replace(path)
                done.append(HookAction("restore", name, str(path), "The hook that was there before is back."))
            else:
                path.unlink()
                done.append(HookAction("remove", name, str(path), "The hook was removed."))
        elif not os.path.lexists(path) and os.path.lexists(kept):
            kept.rename(path)
            done.append(HookAction("restore", name, str(path), "The hook that was there before is back."))
        if manager is not None and manager.kind == "husky":
            shared = Path(manager.path, name)
            old = _content(shared)
            new = husky_removed(old, name) if old is not None else None
            if old is not None and new != old:
                if new:
                    _place(shared, new, _mode(shared))
                else:
                    shared.unlink()
                done.append(HookAction("remove", name, str(shared), "The line of hoard-git was removed."))
    return done


def status(reader: Reader, names: Sequence[str]) -> list[HookStatus]:
    """Tell how each hook stands."""
    folder = hooks_dir(reader)
    manager = find_manager(reader, folder, names)
    return [found for name in names if (found := _status(folder / name, name, manager)) is not None]


def _install_command(name: str) -> str:
    return "hoard hooks install" + " --server" * (name == "pre-receive")


def _status(path: Path, name: str, manager: Manager | None) -> HookStatus | None:
    install = _install_command(name)
    if _is_ours(path, name):
        values = _values(path.read_bytes(), name)
        gone = [v for v in values if not os.path.exists(v)]  # noqa: PTH110 -- a value may be any bytes
        if gone or not os.access(values[0], os.X_OK):
            return HookStatus(name, "broken-interpreter", str(path), f"{(gone or values)[0]} is gone or cannot be run.", install)
        kept = path.with_name(name + CHAINED)
        chained = os.path.lexists(kept)
        if path.read_bytes() != render(_template(name), *values, chained=name if chained else ""):
            return HookStatus(name, "outdated", str(path), "It comes from another version.", install)
        if not _mode(path) & _RUN_BITS:
            return HookStatus(name, "outdated", str(path), "git ignores it: it is not executable.", install)
        if chained and not os.access(kept, os.X_OK):
            return HookStatus(name, "chained", str(path), f"It leaves out {kept.name}, which is not executable (chmod +x '{kept}').")
        if chained:
            return HookStatus(name, "chained", str(path), f"It runs {kept.name} first.")
        return HookStatus(name, "installed", str(path))
    if manager is not None:
        return _status_managed(manager, path, name)
    if os.path.lexists(path):
        return HookStatus(name, "foreign", str(path), "Another program's hook is here.", install)
    return HookStatus(name, "missing", str(path), "", install)


def _plan_managed(manager: Manager, names: Sequence[str], *, edit_husky: bool) -> list[HookAction]:
    """What runs already, what is added to husky's files, and one `print` for all the rest."""
    lacking = _lacking(manager, names)
    told = names if manager.kind != "pre-commit" else [name for name in names if name in FRAMEWORK_IDS]
    actions = [HookAction("keep", name, manager.path, f"{manager.kind} is told to run it.") for name in told if name not in lacking]
    if manager.kind == "husky" and edit_husky:
        for name in lacking:
            path = Path(manager.path, name)
            old = _content(path)
            actions.append(HookAction("append", name, str(path), f"One line is added to {path}.", husky_added(old, name), old))
    elif lacking:
        actions.append(HookAction("print", ", ".join(lacking), manager.path, instruction(manager, lacking)))
    return actions


def _lacking(manager: Manager, names: Sequence[str]) -> list[str]:
    """The hooks that this manager is not told to run."""
    if manager.kind == "husky":
        return [name for name in names if not husky_has(_content(Path(manager.path, name)) or b"", name)]
    if manager.kind == "shared":
        return list(names)
    config = _content(Path(manager.path)) or b""
    return framework_lacks(config, names) if manager.kind == "pre-commit" else lefthook_lacks(config, names)


def _status_managed(manager: Manager, path: Path, name: str) -> HookStatus | None:
    """How a hook stands that a manager runs; None for one that it has no use for."""
    if manager.kind == "pre-commit" and name not in FRAMEWORK_IDS:
        return None
    place = str(Path(manager.path, name)) if manager.kind == "husky" else manager.path
    if not _lacking(manager, [name]):
        if manager.kind == "pre-commit" and not made_by_pre_commit(path):
            return HookStatus(name, "missing", str(path), "Its configuration names it; git does not run it yet.", framework_command([name]))
        return HookStatus(name, "installed", place, f"{manager.kind} is told to run it.")
    fixes = {
        "husky": "hoard hooks install --husky",
        "pre-commit": f"add the id {FRAMEWORK_IDS.get(name)} to {manager.path}, then: {framework_command([name])}",
        "lefthook": f"add `run: hoard-hook {name} {{0}}` to {manager.path}, then: lefthook install",
        "shared": own_hooks_command() + " && hoard hooks install",
    }
    return HookStatus(name, "foreign" if os.path.lexists(path) else "missing", str(path), manager.why, fixes[manager.kind])


def _plan_shim(folder: Path, name: str, interpreter: str, package_dir: str) -> HookAction:
    path, kept = folder / name, folder / (name + CHAINED)
    old, ours = _content(path), _is_ours(path, name)
    chain = os.path.lexists(kept) or (os.path.lexists(path) and not ours)
    content = render(_template(name), interpreter, package_dir, chained=name if chain else "")
    if not os.path.lexists(path):
        return HookAction("install", name, str(path), "The hook is put in place.", content)
    if ours:
        if old == content and _mode(path) & _RUN_BITS:
            return HookAction("keep", name, str(path), "It is in place already.", content, old)
        return HookAction("update", name, str(path), "The hook is brought up to date.", content, old)
    if os.path.lexists(kept):
        raise HoardError(
            f"{path} is another program's hook, and {kept.name} is there already.",
            f"Decide which of them to keep, move the other away: ls -l {shell_word(str(path.parent))}",
        )
    runs = "runs first" if os.access(path, os.X_OK) else "is left out as before, for it is not executable"
    return HookAction("chain", name, str(path), f"The hook that is there becomes {kept.name} and {runs}.", content, old)


def _template(name: str) -> bytes:
    path = templates_dir() / name
    if not re.fullmatch(r"[a-z][a-z-]{1,40}", name) or not path.is_file():
        raise HoardError(f"There is no hook named '{repr(name)[1:-1]}'.", "hoard hooks install --help")
    return path.read_bytes()


def _quoted(text: str) -> bytes:
    raw = os.fsencode(text)
    if b"\n" in raw or b"\0" in raw:
        raise HoardError("A path with a line break in it cannot stand in a hook.", "Install hoard-git in another directory.")
    return b"'" + raw.replace(b"'", b"'\\''") + b"'"


def _pattern(name: str) -> tuple[re.Pattern[bytes], re.Pattern[bytes]]:
    """Build what finds the two assignments in a rendered shim of any version, from the variable names in the template."""
    found: list[re.Pattern[bytes]] = []
    for marker in (_PYTHON, _PACKAGE):
        line = re.search(rb"^([A-Za-z_]\w{0,40})=" + marker + rb"[ \t]*$", _template(name), re.MULTILINE)
        if line is None:
            raise HoardError(f"The hook template {name} has no line for {marker.decode()}.", "pip install --force-reinstall hoard-git")
        found.append(re.compile(rb"^" + line[1] + rb"='((?:[^'\n]|'\\'')*+)'[ \t]*$", re.MULTILINE))
    return found[0], found[1]


def _values(content: bytes, name: str) -> tuple[str, str]:
    """Read interpreter and package directory out of a shim; "" and "" when it is none of ours."""
    found = [pattern.search(content) for pattern in _pattern(name)]
    if b"hoard" not in content or found[0] is None or found[1] is None:
        return "", ""
    python, package = (os.fsdecode(m[1].replace(b"'\\''", b"'")) for m in found if m)
    return python, package


def _is_ours(path: Path, name: str) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    return _values(path.read_bytes(), name) != ("", "")


def _content(path: Path) -> bytes | None:
    """Give the file's bytes, or those of a link's text, so that a plan notices when either changes."""
    if path.is_symlink():
        return b"-> " + os.fsencode(path.readlink())
    return path.read_bytes() if path.is_file() else None


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode) if path.exists() else 0o755


def _place(path: Path, content: bytes, mode: int | None) -> None:
    temporary = path.with_name(f".{path.name}.hoard-{os.getpid()}")
    try:
        temporary.write_bytes(content)
        temporary.chmod(0o755 if mode is None else mode)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
