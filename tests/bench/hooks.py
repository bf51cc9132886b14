"""How much the hooks cost, beside a bare interpreter and git itself, in one interleaved run.

    python tests/bench/hooks.py [ROUNDS]

Builds a workspace, installs the hooks, and times whole hook processes as git starts them. Prints medians and ratios; asserts nothing.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def quiet(*words: str | Path, cwd: Path, env: dict[str, str]) -> None:
    """Run a program, its output thrown away."""
    subprocess.run([os.fspath(word) for word in words], cwd=cwd, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def environment(home: Path) -> dict[str, str]:
    """A clean environment in which bytecode may be cached, as on a user's machine."""
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PYTHON", "CODEX_", "OPENCLAW_", "AIDER_")) and k != "CLAUDECODE"
    }
    return {**kept, "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "PYTHONPATH": str(ROOT)}


def make_workspace(home: Path, env: dict[str, str]) -> Path:
    """A workspace with a MEMORY.md of about 15 KB in 40 sections and 20 topic files."""
    root = home / "workspace"
    quiet(sys.executable, "-m", "hoard_git", "init", root, "--human", "Ada Example <ada@example.org>", cwd=home, env=env)
    sections = [
        f"## Topic {n}  <!-- src:agent ts:2026-06-05 ttl:90d -->\n"
        + "".join(f"- Fact {n}.{k} about a service that runs on node {k}\n" for k in range(7))
        for n in range(40)
    ]
    (root / "MEMORY.md").write_text("# MEMORY.md\n\n" + "\n".join(sections))
    (root / "memory").mkdir()
    for n in range(20):
        (root / "memory" / f"topic-{n}.md").write_text(f"# Topic {n}  <!-- src:agent ts:2026-06-05 -->\n\n- One fact about topic {n}\n")
    quiet("git", "add", "-A", cwd=root, env=env)
    quiet("git", "commit", "-q", "--no-verify", "-m", "Start", cwd=root, env=env)
    return root


def measure(rounds: int, cases: dict[str, Callable[[], None]]) -> dict[str, float]:
    """Medians in milliseconds, each round running every case once."""
    times: dict[str, list[float]] = {name: [] for name in cases}
    for case in cases.values():
        case()
    for _round in range(rounds):
        for name, case in cases.items():
            start = time.perf_counter()
            case()
            times[name].append((time.perf_counter() - start) * 1000)
    return {name: statistics.median(values) for name, values in times.items()}


def main() -> None:
    """Time commits that touch no memory, then commits of one memory file."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        env = environment(home)
        root = make_workspace(home, env)
        hooks = root / ".git" / "hooks"
        message = root / ".git" / "M"
        author = {"GIT_AUTHOR_NAME": "clawd", "GIT_AUTHOR_EMAIL": "agent@workspace.invalid"}
        inside = {**env, **author}

        def hook(name: str, *arguments: str | Path) -> Callable[[], None]:
            def run() -> None:
                message.write_text("A subject\n")
                quiet(hooks / name, *arguments, cwd=root, env=inside)

            return run

        bare = {
            "python -c pass": lambda: quiet(sys.executable, "-c", "pass", cwd=root, env=env),
            "git diff --cached --quiet": lambda: quiet("git", "diff", "--cached", "--quiet", cwd=root, env=env),
        }
        (root / "code.py").write_text("x = 1\n")
        quiet("git", "add", "code.py", cwd=root, env=env)
        names = {"pre-commit": (), "prepare-commit-msg": (message, "message"), "commit-msg": (message,)}
        without = measure(rounds, {**bare, **{name: hook(name, *arguments) for name, arguments in names.items()}})
        quiet("git", "rm", "-q", "--cached", "code.py", cwd=root, env=env)
        with (root / "MEMORY.md").open("a") as file:
            file.write("- Backups of node 3 run at night\n")
        quiet("git", "add", "MEMORY.md", cwd=root, env=env)
        touching = measure(rounds, {**bare, **{name: hook(name, *arguments) for name, arguments in names.items()}})
    report("no memory path staged", without, "git diff --cached --quiet", names)
    report("one memory file staged", touching, "python -c pass", names)


def report(title: str, times: dict[str, float], unit: str, hooks: Mapping[str, tuple[object, ...]]) -> None:
    """Print medians and their ratio to one of them."""
    sys.stdout.write(f"{title}\n")
    for name, value in times.items():
        sys.stdout.write(f"  {name:28s} {value:7.1f} ms   {value / times[unit]:5.2f} x {unit}\n")
    total = sum(times[name] for name in hooks)
    sys.stdout.write(f"  {'all three hooks':28s} {total:7.1f} ms   {total / times[unit]:5.2f} x {unit}\n")


if __name__ == "__main__":
    main()
