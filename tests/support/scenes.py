"""Scenes built from texts, and the examples that rule docstrings hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from hoard_git.core.align import Side, find_changes, touched_lines
from hoard_git.core.dates import parse_day
from hoard_git.core.files import classify, file_default
from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_FILE, Actor, Finding, Oid, PathChange, RepoPath
from hoard_git.core.policy import DEFAULT, Policy
from hoard_git.lint.engine import judge
from hoard_git.lint.scene import FileView, NoLookup, Scene

if TYPE_CHECKING:
    from hoard_git.lint.scene import Lookup

TODAY = "2026-06-15"

Files = Mapping[str, str | bytes]


def view(path: str, content: str | bytes, policy: Policy = DEFAULT, touched: frozenset[int] | None = None) -> FileView:
    """Parse one file as the gate would see it."""
    data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
    file_class = classify(path, policy)
    return FileView(path, file_class, parse(data), file_default(path, file_class, policy), touched)


def change_scene(
    before: Files,
    after: Files,
    *,
    actor: str = "agent",
    policy: Policy = DEFAULT,
    today: str = TODAY,
    lookup: Lookup | None = None,
    paths: tuple[PathChange, ...] | None = None,
    introduces: bool = False,
) -> Scene:
    """The scene of one change; a path in only one of both mappings was added or deleted. Files that are no memory count as paths only."""
    old = {path: view(path, content, policy) for path, content in before.items() if classify(path, policy)}
    new = {path: view(path, content, policy) for path, content in after.items() if classify(path, policy)}
    touched = touched_lines({p: v.document for p, v in old.items()}, {p: v.document for p, v in new.items()})
    files = tuple(new[path]._replace(touched=touched[path]) for path in sorted(new))
    changes = find_changes(
        [Side(v.path, v.file_class, v.document, v.default) for v in old.values() if v.file_class != "other"],
        [Side(v.path, v.file_class, v.document, v.default) for v in new.values() if v.file_class != "other"],
    )
    if paths is None:
        paths = tuple(
            PathChange(
                RepoPath(path),
                MODE_FILE if path in before else 0,
                Oid("1" * 40 if path in before else ""),
                MODE_FILE if path in after else 0,
                Oid("2" * 40 if path in after else ""),
            )
            for path in sorted({*before, *after})
            if before.get(path) != after.get(path)
        )
    day = parse_day(today)
    assert day is not None
    return Scene(policy, Actor(actor), day, day, True, files, old, tuple(changes), paths, lookup or NoLookup(), introduces=introduces)


def state_scene(files: Files, *, policy: Policy = DEFAULT, today: str = TODAY, lookup: Lookup | None = None) -> Scene:
    """The scene of files as they stand."""
    day = parse_day(today)
    assert day is not None
    views = tuple(view(path, content, policy) for path, content in sorted(files.items()) if classify(path, policy))
    paths = tuple(PathChange(RepoPath(path), 0, Oid(""), MODE_FILE, Oid("2" * 40)) for path in sorted(files))
    return Scene(policy, Actor("agent"), day, day, False, views, {}, (), paths, lookup or NoLookup())


def codes(scene: Scene, *only: str) -> list[str]:
    """The codes of a scene's findings, each as often as it was found, sorted."""
    return sorted(finding.code for finding in judge(scene, set(only) or None))


def findings(scene: Scene, *only: str) -> list[Finding]:
    """A scene's findings."""
    return judge(scene, set(only) or None)


class Example(NamedTuple):
    """One example of a rule's docstring."""

    good: bool
    actor: str
    before: dict[str, str] | None
    after: dict[str, str]


def parse_examples(docstring: str) -> list[Example]:
    """Read the `## Bad` and `## Good` sections: `actor: …`, `before: PATH`, `after: PATH` or `file: PATH`, then `| ` lines.

    `\\u{200b}` in a line stands for that character. `file:` examples are judged as they stand. A blank `|` is an empty line.
    """
    found = []
    for section in docstring.split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        if title.split()[0] not in ("Bad", "Good"):
            continue
        found += [_example(title.startswith("Good"), chunk) for chunk in _chunks(body)]
    return found


def _chunks(body: str) -> list[list[str]]:
    """Examples of one section are separated by lines of text that are not indented."""
    chunks: list[list[str]] = [[]]
    for line in body.split("\n"):
        if line.startswith("    "):
            chunks[-1].append(line.strip())
        elif line.strip() and chunks[-1]:
            chunks.append([])
    return [chunk for chunk in chunks if chunk]


def _example(good: bool, chunk: list[str]) -> Example:
    actor = "agent"
    before: dict[str, str] | None = None
    after: dict[str, str] = {}
    current: tuple[dict[str, str], str] | None = None
    lines: dict[int, list[str]] = {}
    for line in chunk:
        key, _, value = line.partition(": ")
        if line == "|" or line.startswith("| "):
            assert current is not None, line
            lines[id(current[0])].append(line[2:])
            current[0][current[1]] = _unescape("\n".join(lines[id(current[0])]) + "\n")
        elif key == "actor":
            actor = value
        elif key == "before":
            before = before if before is not None else {}
            current = (before, value)
            lines[id(before)] = []
            before[value] = ""
        elif key in ("after", "file"):
            current = (after, value)
            lines[id(after)] = []
            after[value] = ""
            if key == "after" and before is None:
                before = {}
        else:
            raise AssertionError(f"not an example line: {line!r}")
    return Example(good, actor, before, after)


def _unescape(text: str) -> str:
    parts = text.split("\\u{")
    return parts[0] + "".join(chr(int(part.partition("}")[0], 16)) + part.partition("}")[2] for part in parts[1:])


def scene_of(example: Example) -> Scene:
    """Build the scene of an example."""
    if example.before is None:
        return state_scene(example.after)
    return change_scene(example.before, example.after, actor=example.actor)
