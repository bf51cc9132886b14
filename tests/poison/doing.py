"""Doing the steps of an attack in a repository, and reading what a gate says to them."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout

from hoard_git.cli.main import main
from tests.poison.memory import MOMENT, SECONDS, TODAY
from tests.poison.shapes import Answer, Level
from tests.poison.steps import Append, Gitlink, Harmless, IndexOnly, Link, Push, Run, Step, Swap
from tests.support.environment import AGENT, identity
from tests.support.repo import Repo, run

_FINDING = re.compile(r"^[^\n]*?: (HG\d{3})(?: (warning|info):)? ", re.MULTILINE | re.ASCII)

_LEVELS: Mapping[str, Level] = {"": "error", "warning": "warn", "info": "info"}


def check_range(repo: Repo, start: str, *, strict: bool = False) -> Answer:
    """What `hoard check --range` says to all that came after `start`; with `strict`, that it fails for warnings is looked at, too."""
    options = ["--strict"] if strict else []
    status, raw = in_process(repo, "check", *options, "--range", f"{start}..HEAD")
    said = said_by(status, raw)
    levels = {level for _code, level in said.codes}
    if status in {0, 1}:
        assert said.refused == bool(levels & ({"error", "warn"} if strict else {"error"})), said.output
        return Answer("error" in levels, said.codes, said.output)
    return said


def in_process(repo: Repo, *args: str) -> tuple[int, bytes]:
    """The command line in this process, which spares a third of the suite's time; returns exit status and all output."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="utf-8", errors="surrogateescape", write_through=True)
    with redirect_stdout(stream), redirect_stderr(stream):
        status = main(["-C", str(repo.path), "--date", TODAY, *args])
    return status, raw.getvalue()


def stage(repo: Repo, step: Step) -> None:
    """Write what becomes of each path, and stage it; what lies `beside` is only written."""
    for path, text in step.beside.items():
        repo.write(path, text)
    plain: dict[str, str | bytes | None] = {}
    for path, content in step.files.items():
        if isinstance(content, Link):
            target = repo.path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            target.symlink_to(content.target)
            repo.git("add", "-f", "--", path)
        elif isinstance(content, Gitlink):
            repo.git("update-index", "--add", "--cacheinfo", f"160000,{content.oid},{path}")
        elif isinstance(content, IndexOnly):
            oid = repo.git("hash-object", "-w", "--stdin", input=content.text).stdout.decode().strip()
            repo.git("update-index", "--add", "--cacheinfo", f"100644,{oid},{path}")
        elif content is None or isinstance(content, str | bytes):
            plain[path] = content
        else:
            plain[path] = _edited(repo, path, content)
    repo.stage(plain)


def _edited(repo: Repo, path: str, edit: Append | Swap | tuple[Swap, ...]) -> bytes:
    old = repo.read_bytes(path) if (repo.path / path).exists() else b""
    if isinstance(edit, Append):
        return old + (edit.text.encode() if isinstance(edit.text, str) else edit.text)
    for swapped in edit if isinstance(edit, tuple) else (edit,):
        assert old.count(swapped.old.encode()) == 1, f"{path}: {swapped.old!r} stands there {old.count(swapped.old.encode())} times"
        old = old.replace(swapped.old.encode(), swapped.new.encode())
    return old


def apply(repo: Repo, step: Step | Harmless | Run | Push, env: Mapping[str, str] | None = None) -> None:
    """Do a step past all hooks; a push is somebody else's business."""
    if isinstance(step, Harmless):
        _import(repo, step)
    elif not isinstance(step, Push):
        if isinstance(step, Step):
            stage(repo, step)
        said = do(repo, step, with_settings(NO_HOOKS, env or {}))
        assert not said.refused, said.output


def do(repo: Repo, step: Step | Run, env: Mapping[str, str] | None = None) -> Answer:
    """Commit what is staged, or run the script."""
    around = {**identity(step.author), **dates(step.env), **(env or {})}
    if isinstance(step, Run):
        return answer(repo, ["sh", "-ec", step.script], around)
    return answer(repo, ["git", "commit", "-q", "--allow-empty", "-m", step.message], around)


NO_HOOKS = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.hooksPath", "GIT_CONFIG_VALUE_0": os.devnull}
"""The environment in which git runs no hook at all."""


def with_settings(first: Mapping[str, str], second: Mapping[str, str]) -> dict[str, str]:
    """Two environments as one; git's settings in both are numbered through."""
    count = int(first.get("GIT_CONFIG_COUNT", "0"))
    added = int(second.get("GIT_CONFIG_COUNT", "0"))
    merged = {**second, **first}
    for number in range(added):
        for name in ("KEY", "VALUE"):
            merged[f"GIT_CONFIG_{name}_{count + number}"] = second[f"GIT_CONFIG_{name}_{number}"]
    merged["GIT_CONFIG_COUNT"] = str(count + added)
    return merged


def dates(env: Mapping[str, str]) -> dict[str, str]:
    """Every commit is made at noon of the same day, unless it lies about that."""
    return {"HOARD_DATE": TODAY, "GIT_AUTHOR_DATE": MOMENT, "GIT_COMMITTER_DATE": MOMENT, **env}


def answer(repo: Repo, command: Sequence[str], env: Mapping[str, str]) -> Answer:
    """Run a command in the repository, and take what it says for a gate's answer."""
    result = run(command, cwd=repo, env=env)
    return said_by(result.returncode, result.stdout + result.stderr)


def said_by(status: int, raw: bytes) -> Answer:
    """What a gate said, read from an exit status and all that was printed."""
    output = raw.decode("utf-8", "surrogateescape")
    codes = sorted({(match[1], _LEVELS[match[2] or ""]) for match in _FINDING.finditer(output)})
    return Answer(status != 0, tuple(codes), output)


def joined(answers: Sequence[Answer]) -> Answer:
    """What was said to several commits, as one answer: refused when one of them was."""
    codes = {pair for answer in answers for pair in answer.codes}
    return Answer(any(a.refused for a in answers), tuple(sorted(codes)), "".join(a.output for a in answers))


def _import(repo: Repo, harmless: Harmless) -> None:
    """Add harmless commits by the agent, each of which rewrites its line of the day's log."""
    name, _, address = AGENT.partition(" <")
    parts = []
    for number in range(harmless.first, harmless.first + harmless.count):
        log = f"# Log\n\n- The pump ran {number} times.\n"
        text = f"Note the pump, {number}\n"
        start = "from refs/heads/main^0\n" if number == harmless.first else ""
        parts.append(
            f"commit refs/heads/main\ncommitter {name} <{address} {SECONDS} +0000\ndata {len(text)}\n{text}{start}"
            f"M 100644 inline memory/{TODAY}.md\ndata {len(log)}\n{log}\n"
        )
    repo.git("fast-import", "--quiet", input="".join(parts))
    repo.git("reset", "-q", "--hard")
