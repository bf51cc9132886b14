"""Builds the repositories of scripted attacks and puts them before the gates."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path

from tests.poison.doing import NO_HOOKS, answer, apply, check_range, dates, do, in_process, joined, said_by, stage
from tests.poison.memory import BASE
from tests.poison.shapes import LOCAL, Answer, Gate, Measured, Shape
from tests.poison.steps import Harmless, Push, Step, Steps
from tests.support.environment import HUMAN
from tests.support.repo import Repo, run_hoard

_BEYOND: tuple[Gate, ...] = ("pre-receive", "signed")

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
        self._shared: dict[Path, str] = {}
        self._count = 0

    def measure(self, shape: Shape) -> Measured:
        """Run a shape's attack and twin through every gate."""
        kept = self.results / f"{shape.id}.json"
        if not kept.exists():
            strict = shape.level == "warn"
            attack = {**self._present(shape, shape.attack, LOCAL, strict=strict), **self._beyond(shape, shape.attack, _BEYOND)}
            twin = {**self._present(shape, shape.twin, LOCAL), **self._beyond(shape, shape.twin, _BEYOND)}
            _save(kept, Measured(attack, twin))
        return _load(kept)

    def measure_mutation(self, variant: Shape) -> Measured:
        """Run only the attack, and only through one gate."""
        kept = self.results / f"{variant.id}.json"
        if not kept.exists():
            gate = variant.measured_at
            if gate in _BEYOND:
                attack = self._beyond(variant, variant.attack, (gate,))
            else:
                attack = self._present(variant, variant.attack, (gate,), strict=variant.level == "warn")
            _save(kept, Measured(attack, {}))
        return _load(kept)

    def _beyond(self, shape: Shape, steps: Steps, gates: Sequence[Gate]) -> dict[Gate, Answer]:
        """What the gates say that need more than one repository: a server, or keys."""
        raise NotImplementedError

    def build(self, steps: Steps) -> tuple[Repo, str]:
        """Make a repository with these commits on top of the base, past all hooks; returns it and the commit that they follow."""
        repo = Repo.copy(self._template(()), self._next())
        start = repo.head()
        for step in steps:
            apply(repo, step)
        return repo, start

    def _present(self, shape: Shape, steps: Steps, gates: Sequence[Gate], *, strict: bool = False) -> dict[Gate, Answer]:
        repo, start = self._fresh(shape.base, steps)
        answers: dict[Gate, list[Answer]] = {gate: [] for gate in gates}
        for step in steps:
            if isinstance(step, Harmless | Push):
                apply(repo, step)
                continue
            if isinstance(step, Step):
                stage(repo, step)
            if "grep" in gates and isinstance(step, Step):
                answers["grep"].append(answer(repo, ["sh", "-c", _GREP_HOOK], {}))
            refused = True
            if "pre-commit" in gates:
                answers["pre-commit"].append(do(repo, step))
                refused = answers["pre-commit"][-1].refused
            if refused:
                passed = do(repo, step, NO_HOOKS)
            if "none" in gates:
                answers["none"].append(passed if refused else Answer(refused=False))
        if "parser" in gates:
            answers["parser"].append(said_by(*in_process(repo, "check")))
        if "range" in gates:
            answers["range"].append(check_range(repo, start, strict=strict))
        if repo.path not in self._shared:
            shutil.rmtree(repo.path)
        return {gate: joined(said) for gate, said in answers.items()}

    def _fresh(self, base: Steps, steps: Steps) -> tuple[Repo, str]:
        """A repository with the base, and its newest commit: one that is used again and again, unless the steps touch more than files."""
        template = self._template(base)
        if not all(isinstance(step, Step) and not step.beside for step in steps):
            repo = Repo.copy(template, self._next())
            return repo, repo.head()
        path = template.path.with_name(f"{template.path.name}-shared")
        if path not in self._shared:
            repo = Repo.copy(template, path)
            self._shared[path] = repo.head()
        repo = Repo(path)
        start = self._shared[path]
        # Not `clean` alone: what an attack committed is tracked.
        repo.git("reset", "-q", "--hard", start)
        repo.git("clean", "-q", "-ffdx")
        return repo, start

    def _template(self, base: Steps) -> Repo:
        known = self._templates.get(repr(base))
        if known is not None:
            return known
        if base:
            repo = Repo.copy(self._template(()), self._next())
            for step in base:
                apply(repo, step)
        else:
            repo = Repo.create(self._next())
            repo.commit("Set up the memory\n", BASE, author=HUMAN, env=dates({}))
            installed = run_hoard("hooks", "install", cwd=repo)
            assert installed.returncode == 0, installed.stderr
        self._templates[repr(base)] = repo
        return repo

    def _next(self) -> Path:
        self._count += 1
        return self.folder / f"{self._count:03}"


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
