"""What hoard does in real workspaces: adopts a copy of each clone, runs the commands a user runs, and writes a table of counts.

    python tests/real/run.py FOLDER [--only NAME ...] [--keep DIR] [--page FILE.md] [--date YYYY-MM-DD]

FOLDER holds git clones of workspaces, one a folder; a name `owner+repository` is shown as `owner/repository`. The clones are only read: everything
happens in copies, under a home and a git configuration of its own, without remotes. `--keep` leaves the copies and the output of every command in a
folder that is new or empty; the page holds counts alone. The status is 1 when a command broke a promise: see `tests/real/promises.py`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.real.pages import page
from tests.real.promises import broken_promises, only_tags_added
from tests.real.records import Result, Step
from tests.support.environment import ROOT, hermetic_environment

_ENTRIES = re.compile(r"^[!+ ]*\s*entries\s+([\d,]+)", re.MULTILINE)
_TAG = b"<!-- src:"


class Workspace:
    """A copy of a clone, and the way to run things in it."""

    def __init__(self, clone: Path, aside: Path, date: str) -> None:
        self.root = aside / "workspace"
        home = aside / "home"
        home.mkdir(parents=True)
        shutil.copytree(clone, self.root, symlinks=True)
        self.env = hermetic_environment(home) | {"PYTHONPATH": str(ROOT), "HOARD_DATE": date, "COLUMNS": "80"}
        for remote in self.git("remote").split():
            self.git("remote", "remove", remote)
        self._leave_out_what_is_missing()
        # Opened snapshots have it, so that no hook of theirs runs; ours are what is looked at here.
        subprocess.run(["git", "config", "--unset-all", "core.hooksPath"], cwd=self.root, env=self.env, check=False)

    def git(self, *words: str) -> str:
        """What git prints, which must succeed."""
        done = subprocess.run(["git", *words], cwd=self.root, env=self.env, check=True, capture_output=True)
        return done.stdout.decode(errors="surrogateescape")

    def _leave_out_what_is_missing(self) -> None:
        """Commit a tree without the blobs that a snapshot lacks: git refuses to commit any other on top of it."""
        rows = [row.split("\t", 1) for row in self.git("ls-files", "-s", "-z").split("\0")[:-1]]
        rows = [row for row in rows if not row[0].startswith("160000 ")]  # a submodule's commit is never here
        oids = [meta.split(" ")[1] for meta, _path in rows]
        asked = subprocess.run(
            ["git", "cat-file", "--batch-check"],
            cwd=self.root,
            env=self.env,
            input="\n".join(oids),
            text=True,
            check=True,
            capture_output=True,
        )
        lost = [path for (_meta, path), told in zip(rows, asked.stdout.splitlines(), strict=True) if told.endswith(" missing")]
        if lost:
            names = "\0".join(lost).encode(errors="surrogateescape")
            subprocess.run(["git", "update-index", "--force-remove", "-z", "--stdin"], cwd=self.root, env=self.env, input=names, check=True)
            self.git("commit", "-q", "-m", "Leave out what this snapshot lacks")

    def blob(self, revision: str, path: str) -> bytes:
        """A file of a commit."""
        return subprocess.run(["git", "show", f"{revision}:{path}"], cwd=self.root, env=self.env, check=True, capture_output=True).stdout

    def hoard(self, name: str, *words: str) -> Step:
        """Run one command and measure it."""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(
                [sys.executable, "-m", "hoard_git", *words], cwd=self.root, env=self.env, stdin=subprocess.DEVNULL, stdout=out, stderr=err
            )
            # Unlike the sum over all children, which only grows, wait4 tells the most memory of this one and of what it started.
            _pid, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            for stream in (out, err):
                stream.seek(0)
            said, told = (stream.read().decode(errors="surrogateescape") for stream in (out, err))
        return Step(name, words, process.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, said, told)


def _aside(space: Workspace) -> Path:
    """Where a check leaves its findings: beside the copy, so that the copy stays as it is."""
    return space.root.parent / "check.json"


def _told(text: str) -> dict[str, Any]:
    """The object that a text of JSON holds; an empty one if it is none."""
    try:
        told: dict[str, Any] = json.loads(text)
    except ValueError:
        return {}
    return told


def _severities(report: dict[str, Any]) -> dict[str, int]:
    counts = {"error": 0, "warn": 0, "info": 0}
    for finding in report.get("findings", []):
        counts[finding["severity"]] += 1
    return counts


def _fact(space: Workspace, index: str) -> str:
    """The first list item of the index file that is long enough to look for, without marks and tag; else its first words."""
    lines = (space.root / index).read_bytes().decode("utf-8", "replace").split("\n") if index else []
    plain = [re.sub(r"<!--.*?-->|[*`_\[\]]", "", line).strip() for line in lines]
    items = [line[2:].strip() for line in plain if line.startswith("- ") and len(line) > 30]
    return (items or [line for line in plain if line] or ["memory"])[0][:60].strip()


def _commands(space: Workspace, index: str) -> list[tuple[str, tuple[str, ...]]]:
    """Name and words of what runs after the workspace was adopted and tagged."""
    fact = _fact(space, index)
    words = " ".join(re.findall(r"\w+", fact)[:4]) or "memory"
    commands = [
        ("check", ("check", "--report", f"json={_aside(space)}")),
        ("check --range", ("check", "--range", "HEAD", "--json")),
        ("log", ("log", "-n", "50")),
        ("why", ("why", "--text", fact)),
        ("diff", ("diff", "HEAD~1..HEAD")),
        ("trailers", ("trailers",)),
        ("verify", ("verify",)),
        ("consolidate --dry-run", ("consolidate", "--dry-run")),
        ("tiers", ("tiers",)),
        ("search", ("search", "--embedder", "off", words)),
        ("search --history", ("search", "--embedder", "off", "--history", words)),
        ("context", ("context",)),
        ("context group", ("context", "--session", "group")),
        ("status", ("status",)),
        ("doctor", ("doctor",)),
        ("report", ("report",)),
        ("wiki links", ("wiki", "links")),
        ("wiki lint", ("wiki", "lint")),
    ]
    if index:
        commands[5:5] = [("blame", ("blame", index)), ("get", ("get", index))]
    return commands


def _count_tags(result: Result, path: str, before: bytes, after: bytes) -> None:
    result.tags += after.count(_TAG) - before.count(_TAG)
    if not only_tags_added(before, after):
        result.broken.append(f"{path}: tag changed more than tags")


def examine(clone: Path, aside: Path, date: str) -> Result:
    """Adopt a copy of a clone and run everything there."""
    space = Workspace(clone, aside, date)
    result = Result(clone.name.replace("+", "/"), commits=int(space.git("rev-list", "--count", "HEAD")))
    # Before the first policy everything is judged; what lies before it in an adopted workspace is not.
    result.steps.append(space.hoard("replay --range", "check", "--range", "HEAD", "--json"))
    result.steps.append(space.hoard("init --yes", "init", "--yes"))
    found = _ENTRIES.search(result.steps[1].out)
    result.entries = int(found[1].replace(",", "")) if found else 0
    if space.git("log", "-1", "--format=%s").strip() == "Tag memory":
        for name in space.git("diff", "--name-only", "-z", "--no-renames", "HEAD~1", "HEAD").split("\0")[:-1]:
            _count_tags(result, name, space.blob("HEAD~1", name), space.blob("HEAD", name))
    # What init leaves for later, because the host would cut it, is tagged all the same; then there is nothing more to tag.
    result.steps.append(space.hoard("tag", "tag"))
    for name in space.git("diff", "--name-only", "-z").split("\0")[:-1]:
        before, after = space.blob("HEAD", name), (space.root / name).read_bytes()
        _count_tags(result, name, before, after)
    standing = space.git("status", "--porcelain", "-z")
    result.steps.append(space.hoard("tag again", "tag"))
    if space.git("status", "--porcelain", "-z") != standing:
        result.broken.append("tag: a second run changed something")
    index = "MEMORY.md" if (space.root / "MEMORY.md").is_file() else ""
    head = space.git("rev-parse", "HEAD")
    result.steps += [space.hoard(name, *words) for name, words in _commands(space, index)]
    if space.git("rev-parse", "HEAD") != head or space.git("status", "--porcelain", "-z") != standing:
        result.broken.append("a command that only reads changed something")
    by_name = {step.name: step for step in result.steps}
    report = _told(_aside(space).read_text("utf-8")) if _aside(space).exists() else {}
    result.files = report.get("scanned", {}).get("files", 0)
    replay = by_name["replay --range"]
    result.standing = _severities(report)
    result.replayed = _severities(_told(replay.out)) if replay.status != 2 else {}
    result.broken += broken_promises(result.steps)
    return result


def _keep(result: Result, folder: Path) -> None:
    for number, step in enumerate(result.steps):
        name = f"{number:02d}-" + step.name.replace(" ", "")
        (folder / f"{name}.out").write_text(step.out, "utf-8", "surrogateescape")
        (folder / f"{name}.err").write_text(step.err, "utf-8", "surrogateescape")


def main() -> int:
    """Run everything; print a line a workspace and every broken promise."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--date", default=datetime.now(UTC).strftime("%Y-%m-%d"))
    given = parser.parse_args()
    clones = [path for path in sorted(given.folder.iterdir()) if (path / ".git").exists() and (not given.only or path.name in given.only)]
    if not clones:
        parser.error(f"{given.folder} holds no git clones of these names")
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        for clone in clones:
            aside = (given.keep or Path(scratch)) / clone.name
            result = examine(clone, aside, given.date)
            results.append(result)
            slowest = max(result.steps, key=lambda step: step.seconds)
            print(
                f"{result.name}: {result.commits} commits, {result.files} files, {result.entries} entries, {result.tags} tags; "
                f"slowest {slowest.name} {slowest.seconds:.1f} s, {max(step.megabytes for step in result.steps):.0f} MB",
                flush=True,
            )
            for line in result.broken:
                print(f"  {line}", flush=True)
            if given.keep:
                _keep(result, aside)
            else:
                shutil.rmtree(aside)
    if given.page:
        given.page.write_text(page(results, given.date), encoding="utf-8")
    return 1 if any(result.broken for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
