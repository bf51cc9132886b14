"""`hoard tour`: a throw-away workspace in which the main job really runs, command by command."""

from __future__ import annotations

import secrets
import sys
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

import hoard_git
from hoard_git.core.dates import format_day, parse_day
from hoard_git.core.policy import DEFAULT_MARKERS
from hoard_git.core.record import Record
from hoard_git.gitio.process import clean_env
from hoard_git.gitio.programs import run_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_HUMAN = "Ada Example <ada@example.org>"


class Step(Record):
    """One command of the tour: what it shows, its words, what must come of it, and a preparation before it.

    `said` has to stand in its output: a refusal for another reason than the one that is announced is a failure, too.
    """

    about: str
    words: tuple[str, ...]
    status: int = 0
    said: str = ""
    before: Callable[[Path], None] | None = None


class Shown(Record):
    """One command as it ran; `good` when it did what the tour says."""

    about: str
    command: str
    output: str
    good: bool


def take_tour(show: Callable[[Shown], None], today: str) -> bool:
    """Run the tour in a temporary directory that is removed afterwards; it ends at the first step that goes wrong, and then returns false."""
    with tempfile.TemporaryDirectory(prefix="hoard-tour-") as folder:
        root = Path(folder, "workspace")
        root.mkdir()
        for step in _steps(today):
            if step.before is not None:
                step.before(root)
            shown = _run(root, step, today)
            show(shown)
            if not shown.good:
                return False
    return True


def _steps(today: str) -> Iterator[Step]:
    key = "ghp_" + secrets.token_hex(18)  # made on the spot: it only looks like a key
    yield Step(
        "A workspace: policy, starter files, hooks, and an identity for the agent.", ("hoard", "init", "--human", _HUMAN), 0, "committed"
    )
    yield Step(
        "You state a fact. It is committed as yours.", ("hoard", "add", "Releases need two approvals", "--src", "user"), 0, "MEMORY.md:"
    )
    yield Step(
        "The agent writes one, through plain git.",
        ("git", "commit", "-qam", "Note the backup window"),
        before=_append(f"\n## Infrastructure  <!-- src:agent ts:{today} ttl:90d -->\n- Backups run at 03:30\n"),
    )
    yield Step(
        "Its commit carries the provenance as trailers, which git itself reads.",
        ("git", "log", "-1", "--format=%s%n%(trailers)"),
        0,
        "Memory-Block",
    )
    yield Step(
        "A key in a sentence is refused.", ("git", "commit", "-qam", "Keep the key"), 1, "HG201", _append(f"- The deploy key is {key}\n")
    )
    yield Step(
        "So is an edit of your fact by the agent.",
        ("git", "commit", "-qam", "Faster releases"),
        1,
        "HG301",
        lambda root: _rewrite(root, lambda text: text.replace("two approvals", "one approval")),
    )
    yield Step(
        "And a line that does not say where it is from.",
        ("git", "commit", "-qam", "A rumour"),
        1,
        "HG101",
        lambda root: _rewrite(root, lambda text: text + "\n## Rumours\n- The mirror moved\n"),
    )
    yield Step(
        "None of it was committed:",
        ("git", "log", "--format=%h %<(16,trunc)%an %s"),
        0,
        "Note the backup window",
        lambda root: _rewrite(root, str),
    )
    later = format_day((parse_day(today) or 0) + 181)
    yield Step("Where each line is from, and whether that fits.", ("hoard", "blame", "MEMORY.md"), 0, "Backups run at 03:30")
    yield Step(
        "Half a year later the agent's fact is past twice its ttl: it goes to the archive, in a commit that says so.",
        ("hoard", "--date", later, "consolidate", "--apply"),
        0,
        "archived",
    )
    yield Step("It was still needed, and comes back as it was.", ("hoard", "restore", "Backups run at 03:30"), 0, "Backups run at 03:30")
    yield Step("What stands, judged again, commit by commit, as CI does it.", ("hoard", "check", "--range", "HEAD"), 0, "0 errors")


def _append(text: str) -> Callable[[Path], None]:
    def act(root: Path) -> None:
        with (root / "MEMORY.md").open("a", encoding="utf-8") as file:
            file.write(text)

    return act


def _rewrite(root: Path, edit: Callable[[str], str]) -> None:
    """Put back what was committed, then edit it."""
    run_program(["git", "checkout", "-q", "HEAD", "--", "MEMORY.md"], str(root), _environment(root))
    path = root / "MEMORY.md"
    path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")


def _run(root: Path, step: Step, today: str) -> Shown:
    words = [sys.executable, "-m", "hoard_git", *step.words[1:]] if step.words[0] == "hoard" else list(step.words)
    status, raw = run_program(words, str(root), {**_environment(root), "HOARD_DATE": today})
    output = raw.decode("utf-8", "replace").replace(str(root), "workspace").strip("\n")
    command = " ".join(f'"{word}"' if set(word) & set(' %<>"') else word for word in step.words)
    good = status == step.status and step.said in output
    return Shown(
        step.about, command, output if good else f"{output}\n(exit status {status}, expected {step.status} and {step.said!r})", good
    )


def _environment(root: Path) -> dict[str, str]:
    """A clean room: no repository of the caller's, no configuration of theirs, no agent marker."""
    dropped = (*DEFAULT_MARKERS, "HOARD_*", "GIT_CONFIG*")
    env = {k: v for k, v in clean_env().items() if not any(fnmatchcase(k, pattern) for pattern in dropped)}
    home, package = str(root.parent), str(Path(hoard_git.__file__).resolve().parents[1])
    clean = {"HOME": home, "XDG_CONFIG_HOME": home, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": f"{home}/.gitconfig"}
    return {**env, **clean, "PYTHONPATH": package, "NO_COLOR": "1", "LC_ALL": "C.UTF-8", "GIT_PAGER": "cat"}
