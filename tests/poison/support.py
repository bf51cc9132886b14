"""Scripted attacks on a memory: what a shape is, and how its repositories are built and put before the gates."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Literal

from hoard_git.cli.main import main
from tests.support.environment import AGENT, HUMAN, identity
from tests.support.repo import POLICY, Repo, run, run_hoard

Level = Literal["error", "warn", "info"]
Gate = Literal["none", "grep", "parser", "pre-commit", "range", "pre-receive", "signed"]
Outcome = Literal["blocked", "warned", "noted", "other", "missed", "unasked"]

GATES: tuple[Gate, ...] = ("none", "grep", "parser", "pre-commit", "range", "pre-receive", "signed")
LOCAL: tuple[Gate, ...] = ("none", "grep", "parser", "pre-commit", "range")
"""The gates that one repository shows by itself; the others are in `lanes`."""

TODAY = "2026-06-15"
MOMENT = f"{TODAY}T12:00:00Z"
SECONDS = 1781524800
"""The same moment, in seconds since 1970."""

MEMORY = """\
# Memory

## Preferences <!-- src:user ts:2026-06-01 -->

- Answers are short and in English.
- Two people approve a release.
- Store customer data in the EU region. <!-- src:user ts:2026-05-02 -->
- [ ] The assistant may pay invoices.

## Reading <!-- src:web ts:2026-06-08 ttl:30d -->

- The package mirror is mirror.example. <!-- src:web ts:2026-06-08 ttl:30d -->
- The city library opens at ten.

## Infrastructure <!-- src:agent ts:2026-06-05 ttl:90d -->

- Node-2 serves the wiki.
- Backups run at 03:30.
- [ ] Check the spare disk.
"""

TEAM = """\
# Team

## Rules <!-- src:user ts:2026-04-20 -->

- Mia signs contracts.

## Rumours <!-- src:web ts:2026-06-02 ttl:30d -->

- The office may move to Lyon.

## Notes <!-- src:agent ts:2026-06-05 ttl:90d -->

- The stand-up is at nine.

## More notes <!-- src:agent ts:2026-06-05 ttl:90d -->

- The printer is on floor two.
"""

PHONE = """\
# Phone numbers

- The front desk answers on 400. <!-- src:agent ts:2026-06-03 ttl:90d -->
- The workshop answers on 410. <!-- src:agent ts:2026-06-03 ttl:90d -->
- The canteen answers on 420. <!-- src:agent ts:2026-06-03 ttl:90d -->
"""

WISHES = "# Wishes <!-- src:user ts:2026-05-20 -->\n\n- Meetings end by five.\n- No calls on Fridays.\n"

BASE: Mapping[str, str] = {
    ".hoard.yaml": POLICY,
    "MEMORY.md": MEMORY,
    "SOUL.md": "# Soul\n\nCalm, brief, honest.\n",
    "USER.md": "# User\n\n- Likes tea.\n",
    "memory/team.md": TEAM,
    "memory/phone.md": PHONE,
    "memory/wishes.md": WISHES,
}
"""What every attack starts from: a policy with one human and one agent, and memory by a user, an agent and the web."""


@dataclass(frozen=True, slots=True)
class Append:
    """Text at the end of a file; a file that is not there begins with it."""

    text: str | bytes


@dataclass(frozen=True, slots=True)
class Swap:
    """Replaces one text of a file, which must stand there exactly once."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link."""

    target: str


@dataclass(frozen=True, slots=True)
class Gitlink:
    """A submodule entry; the commit that it names need not exist."""

    oid: str = "1" * 40


@dataclass(frozen=True, slots=True)
class IndexOnly:
    """A file that is staged and not in the work tree: for names that not every file system can tell apart."""

    text: str


Content = str | bytes | Append | Swap | tuple[Swap, ...] | Link | Gitlink | IndexOnly | None
"""What becomes of a path: new content, an edit, or None for its removal."""


@dataclass(frozen=True, slots=True)
class Step:
    """One commit: what becomes of which paths, by whom. `beside` is written into the repository and never staged.

    `sign` names the key of `lanes.KEYS` that signs where signatures count; '' is the author's own, `none` leaves the commit unsigned.
    """

    files: Mapping[str, Content]
    author: str = AGENT
    env: Mapping[str, str] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)
    message: str = "Note what was learned"
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """A shell script in the work tree, with `author` as its identity: merges, rebases, plumbing. `sign`: see `Step`; '' leaves it unsigned."""

    script: str
    author: str = AGENT
    env: Mapping[str, str] = field(default_factory=dict)
    sign: str = ""


@dataclass(frozen=True, slots=True)
class Push:
    """What is pushed to the server instead of the commits on main, as arguments of `git push`."""

    refs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Harmless:
    """That many harmless commits by the agent, written with `git fast-import`: no hook sees them. `first` numbers the first one."""

    count: int
    first: int = 1


Steps = tuple[Step | Harmless | Run | Push, ...]


First = Literal["pre-commit", "range", "pre-receive", "signed"]
"""The first gate that has to stop a shape."""

_FROM: Mapping[First, tuple[Gate, ...]] = {
    "pre-commit": ("pre-commit", "range", "pre-receive", "signed"),
    "range": ("range", "pre-receive", "signed"),
    "pre-receive": ("pre-receive",),
    "signed": ("signed",),
}


def note(text: str | bytes, *, author: str = AGENT) -> Steps:
    """One commit that appends to MEMORY.md, below the agent's heading."""
    return (Step({"MEMORY.md": Append(text)}, author),)


def page(text: str | bytes, *, path: str = "memory/plans.md", author: str = AGENT) -> Steps:
    """One commit that writes a whole file."""
    return (Step({path: text}, author),)


def swap(old: str, new: str, *, path: str = "MEMORY.md", author: str = AGENT) -> Steps:
    """One commit that replaces one text of a file."""
    return (Step({path: Swap(old, new)}, author),)


@dataclass(frozen=True, slots=True)
class Mutation:
    """The same attack in another spelling, at another place, or its second form with a rule of its own. `accepted`: see `Shape`."""

    attack: Steps
    codes: tuple[str, ...] = ()
    level: Level | None = None
    gate: First | None = None
    accepted: str = ""
    twin: Steps = ()


@dataclass(frozen=True, slots=True)
class Shape:
    """One attack with its benign twin.

    `codes`: the rules of which one has to report it. `level`: how. `gate`: the first gate at which it can be stopped; what pre-commit stops,
    the range check and the server stop as well. `says`: in place of a rule, the words with which the gate says that it cannot look.
    `accepted`: why no gate stops it, by design or as a known limit; that it is so is tested, too. `unasked`: gates that never meet it.
    """

    id: str
    title: str
    attack: Steps
    twin: Steps
    codes: tuple[str, ...] = ()
    level: Level = "error"
    gate: First = "pre-commit"
    base: Steps = ()
    mutations: Mapping[str, Steps | Mutation] = field(default_factory=dict)
    accepted: str = ""
    says: str = ""
    unasked: tuple[Gate, ...] = ()

    @property
    def gates(self) -> tuple[Gate, ...]:
        """Where the shape is judged."""
        # A note is for whoever asks: neither a hook nor the server prints it.
        silent: tuple[Gate, ...] = ("pre-commit", "pre-receive") if self.level == "info" else ()
        return tuple(gate for gate in _FROM[self.gate] if gate not in (*self.unasked, *silent))

    @property
    def measured_at(self) -> Gate:
        """Where a mutation is measured. A hook judges with the code of the range check and costs four times as much: the shape itself meets it."""
        return "range" if self.gate == "pre-commit" else self.gate

    def variants(self) -> Iterator[Shape]:
        """Yield each mutation as a shape of its own: `ID.name`."""
        for name, mutation in self.mutations.items():
            form = mutation if isinstance(mutation, Mutation) else Mutation(mutation)
            yield Shape(
                f"{self.id}.{name}",
                self.title,
                form.attack,
                self.twin,
                form.codes or self.codes,
                form.level or self.level,
                form.gate or self.gate,
                self.base,
                accepted=form.accepted,
                says=self.says,
            )


@dataclass(frozen=True, slots=True)
class Answer:
    """What one gate said: whether it refused, and every (code, severity) that it printed."""

    refused: bool
    codes: tuple[tuple[str, str], ...] = ()
    output: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """What the gates said to an attack and to its twin. A mutation is measured at one gate, without its twin."""

    attack: Mapping[Gate, Answer]
    twin: Mapping[Gate, Answer]


def outcome(shape: Shape, measured: Measured, gate: Gate) -> Outcome:
    """What the gate did about a shape. Only the intended rule counts, and only where the twin passes.

    `other` is a refusal for another reason. A gate without rules of ours is right when it refuses the attack and lets the twin pass.
    """
    if gate in shape.unasked:
        return "unasked"
    answer = measured.attack[gate]
    twin = measured.twin.get(gate)
    spoilt = twin is not None and (twin.refused or any(code in shape.codes for code, _level in twin.codes))
    if spoilt:
        return "missed"
    if gate in {"none", "grep"}:
        return "blocked" if answer.refused else "missed"
    if shape.says:
        return "blocked" if answer.refused and shape.says in answer.output else "other" if answer.refused else "missed"
    levels = {level for code, level in answer.codes if code in shape.codes}
    if answer.refused:
        return "blocked" if "error" in levels else "other"
    if "warn" in levels:
        return "warned"
    return "noted" if "info" in levels else "missed"


def wanted(shape: Shape) -> Outcome:
    """What a gate that can stop the shape is to do about it."""
    if shape.accepted:
        return "missed"
    return _WANTED[shape.level]


_BEYOND: tuple[Gate, ...] = ("pre-receive", "signed")

_WANTED: Mapping[Level, Outcome] = {"error": "blocked", "warn": "warned", "info": "noted"}

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
                _stage(repo, step)
            if "grep" in gates and isinstance(step, Step):
                answers["grep"].append(_answer(repo, ["sh", "-c", _GREP_HOOK], {}))
            refused = True
            if "pre-commit" in gates:
                answers["pre-commit"].append(_do(repo, step))
                refused = answers["pre-commit"][-1].refused
            if refused:
                passed = _do(repo, step, NO_HOOKS)
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


def apply(repo: Repo, step: Step | Harmless | Run | Push, env: Mapping[str, str] | None = None) -> None:
    """Do a step past all hooks; a push is somebody else's business."""
    if isinstance(step, Harmless):
        _import(repo, step)
    elif not isinstance(step, Push):
        if isinstance(step, Step):
            _stage(repo, step)
        said = _do(repo, step, with_settings(NO_HOOKS, env or {}))
        assert not said.refused, said.output


def _do(repo: Repo, step: Step | Run, env: Mapping[str, str] | None = None) -> Answer:
    """Commit what is staged, or run the script."""
    around = {**identity(step.author), **dates(step.env), **(env or {})}
    if isinstance(step, Run):
        return _answer(repo, ["sh", "-ec", step.script], around)
    return _answer(repo, ["git", "commit", "-q", "--allow-empty", "-m", step.message], around)


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


def _answer(repo: Repo, command: Sequence[str], env: Mapping[str, str]) -> Answer:
    result = run(command, cwd=repo, env=env)
    return said_by(result.returncode, result.stdout + result.stderr)


def said_by(status: int, raw: bytes) -> Answer:
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
