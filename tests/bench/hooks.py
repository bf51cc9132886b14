"""How much the hooks cost, beside a bare interpreter, git itself and the hooks of other scanners, in one interleaved run.

    python tests/bench/hooks.py [ROUNDS]

Builds a workspace, installs the hooks, and times whole hook processes as git starts them. Prints medians and ratios as markdown; asserts nothing.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.peers import Scanner, find_peers
from tests.bench.timing import ROOT, Timing, measure, milliseconds, program, table, times

BARE, DIFF, TOGETHER = "bare `python -c pass`", "`git diff --cached --quiet`", "the three hooks together"
HOOKS = ("pre-commit", "prepare-commit-msg", "commit-msg")


def environment(home: Path) -> dict[str, str]:
    """A clean environment in which bytecode may be cached, as on a user's machine."""
    dropped = ("GIT_", "PYTHON", "CODEX_", "OPENCLAW_", "AIDER_", "HOARD_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped) and name != "CLAUDECODE"}
    return {**kept, "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "PYTHONPATH": str(ROOT)}


def make_workspace(home: Path, env: Mapping[str, str]) -> Path:
    """A workspace with a MEMORY.md of about 15 KB in 40 sections and 20 topic files."""
    root = home / "workspace"
    program([sys.executable, "-m", "hoard_git", "init", root, "--human", "Ada Example <ada@example.org>"], home, env)()
    sections = [
        f"## Topic {n}  <!-- src:agent ts:2026-06-05 ttl:90d -->\n"
        + "".join(f"- Fact {n}.{k} about a service that runs on node {k}\n" for k in range(7))
        for n in range(40)
    ]
    (root / "MEMORY.md").write_text("# MEMORY.md\n\n" + "\n".join(sections), encoding="utf-8")
    (root / "memory").mkdir(exist_ok=True)
    for n in range(20):
        text = f"# Topic {n}  <!-- src:agent ts:2026-06-05 -->\n\n- One fact about topic {n}\n"
        (root / "memory" / f"topic-{n}.md").write_text(text, encoding="utf-8")
    program(["git", "add", "-A"], root, env)()
    program(["git", "-c", "user.name=A", "-c", "user.email=a@b.invalid", "commit", "-q", "--no-verify", "-m", "Start"], root, env)()
    return root


def cases_of(root: Path, env: Mapping[str, str], peers: list[Scanner], staged: str) -> dict[str, Callable[[], object]]:
    """What is timed once a round: the units, our hooks as git calls them, and what the others' hooks run."""
    message = root / ".git" / "M"
    inside = {**env, "GIT_AUTHOR_NAME": "clawd", "GIT_AUTHOR_EMAIL": "agent@workspace.invalid"}
    arguments: dict[str, list[str | Path]] = {"pre-commit": [], "prepare-commit-msg": [message, "message"], "commit-msg": [message]}

    def hook(name: str) -> Callable[[], bytes]:
        run = program([root / ".git" / "hooks" / name, *arguments[name]], root, inside)

        def once() -> bytes:
            message.write_text("A subject\n", encoding="utf-8")
            return run()

        return once

    return {
        BARE: program([sys.executable, "-c", "pass"], root, env),
        DIFF: program(["git", "diff", "--cached", "--quiet"], root, env, ends=(0, 1)),
        **{name: hook(name) for name in HOOKS},
        **{f"{peer.name} {peer.version}": program(peer.staged(staged), root, env) for peer in peers},
    }


def report(title: str, found: Mapping[str, Timing]) -> None:
    """Print medians by the clock and of the processor, and what they are of a bare interpreter's and of git's."""
    rows: dict[str, Timing] = {}
    for name, timing in found.items():
        rows[name] = timing
        if name == HOOKS[-1]:
            hooks = [found[hook] for hook in HOOKS]
            rows[TOGETHER] = Timing(sum(one.wall for one in hooks), sum(one.processor for one in hooks))
    head = ["", "by the clock", "× bare Python", "× `git diff`", "processor time", "processor × bare Python"]
    bare, diff = found[BARE], found[DIFF]
    shown = [
        [
            name,
            milliseconds(one.wall),
            times(one.wall, bare.wall),
            times(one.wall, diff.wall),
            milliseconds(one.processor),
            times(one.processor, bare.processor),
        ]
        for name, one in rows.items()
    ]
    print(f"{title}\n\n{table(head, shown)}")


def main() -> None:
    """Time commits that touch no memory, then commits of one memory file."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    peers, missing = find_peers()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        env = environment(home)
        root = make_workspace(home, env)
        (root / "code.py").write_text("x = 1\n", encoding="utf-8")
        program(["git", "add", "code.py"], root, env)()
        without = measure(rounds, cases_of(root, env, peers, "code.py"))
        program(["git", "rm", "-q", "--cached", "code.py"], root, env)()
        with (root / "MEMORY.md").open("a", encoding="utf-8") as file:
            file.write("- Backups of node 3 run at night\n")
        program(["git", "add", "MEMORY.md"], root, env)()
        touching = measure(rounds, cases_of(root, env, peers, "MEMORY.md"))
    report(f"A commit that touches no memory, {rounds} rounds:", without)
    report(f"A commit of one line of a memory file, {rounds} rounds:", touching)
    print("\n".join(missing))


if __name__ == "__main__":
    main()
