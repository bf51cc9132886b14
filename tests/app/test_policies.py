"""Policy files as bytes: what YAML can do to a reader, and the line that every complaint names."""

from __future__ import annotations

import time

import pytest

from hoard_git.app.policies import check_data, load_yaml, read_policies
from hoard_git.core.policy import Policy
from hoard_git.errors import HoardError
from tests.app.support import reader_of
from tests.support.repo import POLICY, Workspace


def read(raw: bytes | str) -> Policy:
    data = raw.encode() if isinstance(raw, str) else raw
    return check_data(load_yaml(data, ".hoard.yaml"), ".hoard.yaml")


BAD: dict[str, tuple[bytes | str, str]] = {
    "unknown key": ("version: 1\nactorz: []\n", ".hoard.yaml:2: unknown key 'actorz'; known here: actors"),
    "unknown key below": (
        "actors:\n  - name: Ada\n    kind: human\n    mail: x\n",
        ".hoard.yaml:4: unknown key 'mail'; known here: emails, keys, kind, name",
    ),
    "unknown rule": ("version: 1\nrules:\n  HG999: off\n", ".hoard.yaml:3: there is no rule HG999"),
    "signature without a key": (
        "actors:\n  - {name: Ada, kind: human}\n  - {name: c, kind: agent, keys: [k]}\nauthority: signature\n",
        ".hoard.yaml:4: authority: signature, and no key of a human is listed",
    ),
    "bad value": ("# first\n\nmode: maybe\n", ".hoard.yaml:3: mode: one of enforce, warn"),
    "bad value in a list": ("secrets:\n  allow:\n    - {fingerprint: x, reason: y}\n", ".hoard.yaml:3: "),
    "open bracket": ("version: 1\nactors: [\n", ".hoard.yaml:3"),
    "tab": ("version: 1\n\tmode: warn\n", ".hoard.yaml:2"),
    "duplicate key": ("version: 1\nmode: warn\nmode: enforce\n", ".hoard.yaml:3"),
    "not UTF-8": (b"version: 1 # \xff\n", "not UTF-8"),
    "UTF-16": ("version: 1\n".encode("utf-16"), "not UTF-8"),
    "control character": ("version: 1\nmode: \x07\n", ".hoard.yaml:2"),
    "two documents": ("version: 1\n---\nversion: 1\n", ".hoard.yaml:2"),
    "a list": ("- version: 1\n", "must be a mapping"),
    "a text": ("hello\n", "must be a mapping"),
    "number as key": ("1: x\n", "keys are texts"),
    "unknown anchor": ("mode: *nowhere\n", ".hoard.yaml:1"),
    "python tag": ("mode: !!python/object/apply:os.system ['true']\n", ".hoard.yaml:1"),
    "too large": ("#" * (64 * 1024 + 1), "larger than 64 KB"),
    "unknown zone": ("timezone: Mars/Olympus\n", "Mars/Olympus"),
    "odd zone": ("timezone: ../../etc/passwd\n", "timezone"),
    "deep": ("[" * 5000, ".hoard.yaml"),
}


@pytest.mark.parametrize("name", list(BAD))
def test_a_bad_file_names_file_and_line(name: str) -> None:
    raw, said = BAD[name]
    with pytest.raises(HoardError) as caught:
        read(raw)
    assert said in caught.value.message
    assert caught.value.message.isprintable()
    assert caught.value.hint
    assert caught.value.exit_status == 2


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "# only a comment\n",
        "---\nversion: 1\n",
        "\ufeffversion: 1\n",
        "version: 1\r\nmode: enforce\r\n",
        '{"version": 1}',
        "version: 1\n...\n",
        "rules: {}\n",
    ],
)
def test_other_spellings_of_nothing(raw: str) -> None:
    assert read(raw) == Policy()


def test_anchors_are_read() -> None:
    policy = read("actors:\n  - &ada {name: Ada, kind: human, emails: &mails [a@b.example]}\n  - {<<: *ada, name: Eve, emails: *mails}\n")
    assert [(rule.name, rule.kind, rule.emails) for rule in policy.actors] == [
        ("Ada", "human", ("a@b.example",)),
        ("Eve", "human", ("a@b.example",)),
    ]


def test_yaml_words_of_both_versions() -> None:
    for off in ("off", '"off"', "%YAML 1.1\n---\nrules: {HG405: off}"):
        text = off if off.startswith("%") else f"rules: {{HG405: {off}}}"
        assert read(text).severity_of("HG405", "error") == "off"
    assert [read(f"inline_allow: {word}").inline_allow for word in ("false", "true", "warn")] == ["false", "true", "warn"]


@pytest.mark.parametrize(
    "bomb",
    [
        "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"{b}: &{b} [{','.join(['*' + a] * 10)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)),
        "agent_markers: &a [*a]\n",
        "- " * 5000 + "x\n",
        "? " * 5000 + "x\n",
        "agent_markers: [" + ",".join(["x"] * 30_000) + "]\n",
    ],
)
def test_a_bomb_does_not_go_off(bomb: str) -> None:
    started = time.process_time()
    with pytest.raises(HoardError):
        read(bomb)
    assert time.process_time() - started < 5


def test_the_nearest_policy_of_a_commit_governs(workspace: Workspace) -> None:
    workspace.commit("below", {"a/b/.hoard.yaml": POLICY.replace("enforce", "warn"), "a/b/MEMORY.md": "# A\n"})
    reader = reader_of(workspace)

    policies = read_policies(reader, reader.head(), ["a/b/c/x.md", "a/x.md"])

    assert [policies.govern(path).mode for path in ("a/b/c/x.md", "a/b/MEMORY.md", "a/x.md", "a/bx.md", "MEMORY.md")] == [
        "warn",
        "warn",
        "enforce",
        "enforce",
        "enforce",
    ]
    assert policies.known
    assert not read_policies(reader, None, ["x"]).known


@pytest.mark.parametrize("cached", [False, True])
def test_a_policy_that_is_no_file_is_refused(workspace: Workspace, cached: bool) -> None:
    (workspace.path / ".hoard.yaml").unlink()
    (workspace.path / ".hoard.yaml").symlink_to("MEMORY.md")
    workspace.git("commit", "-qam", "link")
    reader = reader_of(workspace)

    with pytest.raises(HoardError, match="not a regular file"):
        read_policies(reader, reader.head(), ["MEMORY.md"], cached=cached)


def test_the_copy_for_hooks_says_the_same(workspace: Workspace) -> None:
    reader = reader_of(workspace)
    first = read_policies(reader, reader.head(), ["MEMORY.md"], cached=True)
    again = read_policies(reader_of(workspace), reader.head(), ["MEMORY.md"], cached=True)

    assert first == again == read_policies(reader, reader.head(), ["MEMORY.md"])
    for copy in (workspace.path / ".git/hoard").glob("policy-*"):
        copy.write_bytes(b"rubbish")
    assert read_policies(reader_of(workspace), reader.head(), ["MEMORY.md"], cached=True) == first


def test_rules_of_a_later_release_may_be_named() -> None:
    assert read("rules: {HG501: off, HG607: info, HG706: warn, HG805: off, HG405: off}\n").severity_of("HG607", "warn") == "info"


def test_signature_with_a_key_of_a_human() -> None:
    assert read("authority: signature\nactors:\n  - {name: Ada, kind: human, keys: [k]}\n").authority == "signature"
