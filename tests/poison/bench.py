"""Builds the repositories of a shape and puts its commits before the gates."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import astuple
from pathlib import Path

_FINDING = re.compile(r"^[^\n]*?: (HG\d{3})(?: (warning|info):)? ", re.MULTILINE | re.ASCII)
_LEVELS: Mapping[str, Level] = {"": "error", "warning": "warn", "info": "info"}

# The check that a workspace without hoard-git might have: each added heading of a markdown file carries a tag, each new file has one.
_GREP_HOOK = r"""
tag='<!--.*src:(user|agent|tool|web|dig)'
if git diff --cached -U0 -- '*.md' | grep -E '^\+#{1,6} ' | grep -vE "$tag" >&2; then exit 1; fi
git diff --cached -z --name-only --diff-filter=A -- '*.md' | tr '\0' '\n' | while IFS= read -r path; do
    git show ":$path" | grep -qE "$tag" || exit 1
done
"""


class Bench:
    """Builds repositories below `folder` and measures shapes in them; measurements are shared by way of `results`."""

    def __init__(self, folder: Path, results: Path) -> None:
        self.folder = folder
        self.results = results
        self._templates: dict[str, Repo] = {}
        self._count = 0

    def measure(self, shape: Shape) -> Measured:
        """Run a shape's attack and twin through every gate."""
        kept = self.results / f"{shape.id}.json"
        if not kept.exists():
            attack = self._present(shape, shape.attack, GATES, strict=shape.level == "warn")
            _save(kept, Measured(attack, self._present(shape, shape.twin, GATES)))
        return _load(kept)

    def measure_mutation(self, variant: Shape) -> Measured:
        """Run only the attack, and only through the gate that has to stop it."""
        kept = self.results / f"{variant.id}.json"
        if not kept.exists():
            attack = self._present(variant, variant.attack, (variant.gate,), strict=variant.level == "warn")
            _save(kept, Measured(attack, {}))
        return _load(kept)

    def build(self, steps: Steps) -> tuple[Repo, str]:
        """Make a repository with these commits on top of the base, past all hooks; returns it and the commit that they follow."""
        repo = Repo.copy(self._template(()), self._next())
        start = repo.head()
        for step in steps:
            if isinstance(step, Harmless):
                _import(repo, step)
            else:
                _stage(repo, step)
                _commit(repo, step, "--no-verify")
        return repo, start

    def _present(self, shape: Shape, steps: Steps, gates: Sequence[Gate], *, strict: bool = False) -> dict[Gate, Answer]:
        repo = Repo.copy(self._template(shape.base), self._next())
        start = repo.head()
        answers: dict[Gate, list[Answer]] = {gate: [] for gate in gates}
        for step in steps:
            if isinstance(step, Harmless):
                _import(repo, step)
                continue
            _stage(repo, step)
            if "grep" in gates:
                answers["grep"].append(_answer(repo, ["sh", "-c", _GREP_HOOK], {}))
            refused = True
            if "pre-commit" in gates:
                answers["pre-commit"].append(_commit(repo, step))
                refused = answers["pre-commit"][-1].refused
            if refused:
                passed = _commit(repo, step, "--no-verify")
            if "none" in gates:
                answers["none"].append(passed if refused else Answer(refused=False))
        if "range" in gates:
            answers["range"].append(check_range(repo, start, strict=strict))
        shutil.rmtree(repo.path)
        return {gate: _joined(said) for gate, said in answers.items()}

    def _template(self, base: Steps) -> Repo:
        known = self._templates.get(repr(base))
        if known is not None:
            return known
        if base:
            repo = Repo.copy(self._template(()), self._next())
            for step in base:
                assert isinstance(step, Step)
                _stage(repo, step)
                said = _commit(repo, step, "--no-verify")
                assert not said.refused, said.output
        else:
            repo = Repo.create(self._next())
            repo.commit("Set up the memory\n", BASE, author=HUMAN, env=_dates({}))
            installed = run_hoard("hooks", "install", cwd=repo)
            assert installed.returncode == 0, installed.stderr
        self._templates[repr(base)] = repo
        return repo

    def _next(self) -> Path:
        self._count += 1
        return self.folder / f"{self._count:03}"


def check_range(repo: Repo, start: str, *, strict: bool = False) -> Answer:
    """What `hoard check --range` says to all that came after `start`; with `strict`, that it fails for warnings is looked at, too."""
    options = ["--strict"] if strict else []
    status, raw = _hoard(repo, "check", *options, "--range", f"{start}..HEAD")
    said = _said(status, raw)
    levels = {level for _code, level in said.codes}
    if status in {0, 1}:
        assert said.refused == bool(levels & ({"error", "warn"} if strict else {"error"})), said.output
        return Answer("error" in levels, said.codes, said.output)
    return said


def _hoard(repo: Repo, *args: str) -> tuple[int, bytes]:
    """The command line in this process, which spares a third of the suite's time; returns exit status and all output."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="utf-8", errors="surrogateescape", write_through=True)
    with redirect_stdout(stream), redirect_stderr(stream):
        status = main(["-C", str(repo.path), "--date", TODAY, *args])
    return status, raw.getvalue()


def _stage(repo: Repo, step: Step) -> None:
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


def _commit(repo: Repo, step: Step, *options: str) -> Answer:
    env = {**identity(step.author), **_dates(step.env)}
    return _answer(repo, ["git", "commit", "-q", "-m", "Note what was learned", *options], env)


def _dates(env: Mapping[str, str]) -> dict[str, str]:
    """Every commit is made at noon of the same day, unless it lies about that."""
    return {"HOARD_DATE": TODAY, "GIT_AUTHOR_DATE": _MOMENT, "GIT_COMMITTER_DATE": _MOMENT, **env}


def _answer(repo: Repo, command: Sequence[str], env: Mapping[str, str]) -> Answer:
    result = run(command, cwd=repo, env=env)
    return _said(result.returncode, result.stdout + result.stderr)


def _said(status: int, raw: bytes) -> Answer:
    output = raw.decode("utf-8", "surrogateescape")
    codes = sorted({(match[1], _LEVELS[match[2] or ""]) for match in _FINDING.finditer(output)})
    return Answer(status != 0, tuple(codes), output)


def _joined(answers: Sequence[Answer]) -> Answer:
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
            f"commit refs/heads/main\ncommitter {name} <{address} {_SECONDS} +0000\ndata {len(text)}\n{text}{start}"
            f"M 100644 inline memory/{TODAY}.md\ndata {len(log)}\n{log}\n"
        )
    repo.git("fast-import", "--quiet", input="".join(parts))
    repo.git("reset", "-q", "--hard")


def _save(path: Path, measured: Measured) -> None:
    data = {name: {gate: astuple(answer) for gate, answer in getattr(measured, name).items()} for name in ("attack", "twin")}
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_text(json.dumps(data), encoding="ascii")
    fresh.replace(path)


def _load(path: Path) -> Measured:
    data = json.loads(path.read_bytes())
    both = [
        {
            gate: Answer(refused, tuple((code, level) for code, level in codes), output)
            for gate, (refused, codes, output) in data[name].items()
        }
        for name in ("attack", "twin")
    ]
    return Measured(both[0], both[1])
