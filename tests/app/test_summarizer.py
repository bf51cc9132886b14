"""The summariser program: which one is run, what it sees, and what comes of its answer."""

from __future__ import annotations

import hashlib
import json
import math
import os
import sys
from pathlib import Path

import pytest

from hoard_git.app.summarizer import MARK, find_words, open_summarizer, refuse_inside
from hoard_git.core.summary import (
    COMPRESS_INDEX,
    Operation,
    Operations,
    Rejection,
    Request,
    Source,
    make_request,
    read_answer,
    request_json,
)
from hoard_git.errors import HoardError
from tests.support.environment import ROOT

SOURCES = [Source("Node-2 is online", "agent", "2026-06-01", "MEMORY.md"), Source("Node-3 is online", "agent", "2026-06-01", "MEMORY.md")]
GOOD = {"operations": [{"op": "merge", "ids": ["b1", "b2"], "text": "Node-2 and Node-3 are online"}]}
SECRET = "gh" + "p_" + hashlib.sha256(b"one").hexdigest()[:36]


def question() -> Request:
    return make_request(COMPRESS_INDEX, SOURCES, 500, 0.25)


def program(folder: Path, body: str, name: str = "summarize") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!{sys.executable}\nimport json, os, sys, time\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A workspace, empty, beside the place where programs lie."""
    path = tmp_path / "room"
    path.mkdir()
    return path


def ask(body: str, room: Path, environ: dict[str, str] | None = None, *, seconds: float = 20.0) -> Operations | Rejection:
    path = program(room.parent / "bin", body)
    return open_summarizer(str(path), str(room), environ or {"PATH": os.defpath}, seconds=seconds)(question())


# -------------------------------------------------------------------- answers


def test_a_good_answer_is_taken(room: Path) -> None:
    body = f"asked = json.load(sys.stdin)\nassert [b['id'] for b in asked['blocks']] == ['b1', 'b2']\nprint({json.dumps(GOOD)!r})"
    assert ask(body, room) == Operations((Operation("merge", ("b1", "b2"), "Node-2 and Node-3 are online"),))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("print('Sure! Here is the JSON')", "the answer is not one JSON object in UTF-8"),
        ("print('{\"operations\": []}')", "block b1 is not accounted for"),
        ("sys.exit(3)", "the program ended with exit status 3"),
        ("print('{}'); sys.exit('no model. Sorry.')", "the program ended with exit status 1: no model. Sorry"),
        ("os.kill(os.getpid(), 15)", "the program was killed by signal 15"),
        ("sys.stdout.write('x' * (5 << 20))", "the program wrote more than 4 MiB"),
        ("sys.stderr.write('\\x1b[31mred\\x07\\n'); sys.exit(1)", "the program ended with exit status 1: \\x1b[31mred\\x07"),
    ],
)
def test_a_bad_answer_is_a_rejection_with_its_reason(body: str, reason: str, room: Path) -> None:
    assert ask(body, room) == Rejection(reason)


def test_neither_secrets_nor_keys_of_the_environment_are_shown(room: Path) -> None:
    environ = {"PATH": os.defpath, "MODEL_API_KEY": "opaque-words", "SHELL": "/bin/sh"}
    found = ask(f"sys.exit('bad key ' + os.environ['MODEL_API_KEY'] + ' or {SECRET}')", room, environ)
    assert isinstance(found, Rejection)
    assert "opaque-words" not in found.reason
    assert SECRET[4:] not in found.reason
    assert "bad key *** or" in found.reason


def test_after_a_time_out_the_program_is_not_asked_again(room: Path) -> None:
    path = program(room.parent / "bin", "time.sleep(60)")
    asker = open_summarizer(str(path), str(room), {"PATH": os.defpath}, seconds=0.5)
    assert asker(question()) == Rejection("the program took longer than 0.5 seconds")
    assert asker(question()) == Rejection("the program took longer than 0.5 seconds")
    other = make_request(COMPRESS_INDEX, SOURCES[:1], 500, 0.25)
    assert asker(other) == Rejection("the program was not asked again after it took too long")


def test_the_same_question_is_asked_once(room: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    path = program(tmp_path / "bin", f"open({str(log)!r}, 'a').write('x'); print({json.dumps(GOOD)!r})")
    asker = open_summarizer(str(path), str(room), {"PATH": os.defpath})
    assert asker(question()) == asker(question())
    assert log.read_text(encoding="utf-8") == "x"


def test_a_program_that_cannot_be_started_is_an_error(room: Path, tmp_path: Path) -> None:
    path = program(tmp_path / "bin", "")
    path.write_text("#!/no/such/interpreter\n", encoding="utf-8")
    with pytest.raises(HoardError, match="could not be started"):
        open_summarizer(str(path), str(room), {"PATH": os.defpath})(question())


# -------------------------------------------------------------------- surroundings


def test_what_the_program_sees_of_the_environment(room: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    kept = {"PATH": os.defpath, "HOME": str(tmp_path), "MODEL_API_KEY": "abc"}
    dropped = ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "HOARD_DATE", "CLAUDECODE", "CODEX_HOME", "SSH_AUTH_SOCK", "PRE_COMMIT")
    ask(f"json.dump(dict(os.environ), open({str(out)!r}, 'w'))", room, {**kept, **dict.fromkeys(dropped, "x")})
    seen = json.loads(out.read_text(encoding="utf-8"))
    assert not set(dropped) & set(seen)
    assert {name: seen[name] for name in kept} == kept
    assert seen[MARK] == "1"
    assert [seen[f"GIT_CONFIG_{name}"] for name in ("COUNT", "KEY_0", "VALUE_0")] == ["1", "core.hooksPath", os.devnull]


def test_git_below_the_program_runs_no_hooks(room: Path, tmp_path: Path) -> None:
    environ = {**os.environ, "GIT_DIR": "elsewhere"}
    body = (
        "import subprocess\ndef git(*a): return subprocess.run(['git', *a], capture_output=True)\n"
        "assert git('rev-parse', '--git-dir').returncode == 128\ngit('init', '-q')\n"
        "open('.git/hooks/pre-commit', 'w').write('#!/bin/sh\\nexit 1\\n'); os.chmod('.git/hooks/pre-commit', 0o755)\n"
        "done = git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'x')\n"
        f"sys.exit(done.returncode) if done.returncode else print({json.dumps(GOOD)!r})"
    )
    assert isinstance(ask(body, room, environ), Operations)


def test_below_a_summarizer_nothing_is_summarized(room: Path) -> None:
    refuse_inside({})
    with pytest.raises(HoardError, match="inside a summarizer") as caught:
        refuse_inside({MARK: "1"})
    assert caught.value.hint
    with pytest.raises(HoardError, match="inside a summarizer"):
        open_summarizer("cat", str(room), {MARK: "1", "PATH": os.defpath})


# -------------------------------------------------------------------- which program


def test_the_program_is_found_on_path_or_by_its_path(room: Path, tmp_path: Path) -> None:
    path = program(tmp_path / "bin", "")
    environ = {"PATH": str(tmp_path / "bin")}
    assert find_words("summarize --model 'a b'", str(room), environ) == [str(path), "--model", "a b"]
    assert find_words(str(path), str(room), environ) == [str(path)]
    assert find_words("../bin/summarize x", str(room), {}, str(room)) == [str(room / "../bin/summarize"), "x"]


@pytest.mark.parametrize("command", ["", "   ", "''", "none-such", "/no/such/program", "./none", "'open", "a\0b"])
def test_a_command_that_names_no_program_is_an_error(command: str, room: Path) -> None:
    with pytest.raises(HoardError) as caught:
        find_words(command, str(room), {"PATH": os.defpath}, str(room))
    assert caught.value.hint
    assert "\0" not in caught.value.message


def test_nothing_in_the_workspace_is_run(room: Path, tmp_path: Path) -> None:
    inside = program(room, "")
    outside = program(tmp_path / "bin", "")
    (tmp_path / "link").symlink_to(inside)
    (room / "link").symlink_to(outside)
    environ = {"PATH": f"{room}:{tmp_path / 'bin'}:."}
    for command in (
        str(inside),
        "./summarize",
        "summarize",
        f"{tmp_path}/link",
        str(room / "link"),
        f"{outside} {room}/x.py",
        f"{outside} --prompt={inside}",
    ):
        with pytest.raises(HoardError, match="lies in the workspace"):
            find_words(command, str(room), environ, str(room))
    assert find_words(f"{outside} x.py {room}er", str(room), environ, str(room))[1:] == ["x.py", f"{room}er"]


def test_a_relative_place_on_path_is_not_searched(room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "")
    monkeypatch.chdir(tmp_path / "bin")
    with pytest.raises(HoardError, match="was not found"):
        find_words("summarize", str(room), {"PATH": ".:"})


@pytest.mark.parametrize("seconds", [0, -1, math.inf, math.nan])
def test_the_time_is_a_number_above_zero(seconds: float, room: Path) -> None:
    with pytest.raises(HoardError, match="number of seconds"):
        open_summarizer("cat", str(room), {"PATH": os.defpath}, seconds=seconds)


def test_the_program_of_the_guide_works(room: Path) -> None:
    page = (ROOT / "docs/how-to/plug-in-a-summarizer.md").read_text(encoding="utf-8")
    script = page.partition("```python\n")[2].partition("```")[0]
    path = program(room.parent / "bin", "")
    path.write_text(script.replace("/usr/bin/env python3", sys.executable), encoding="utf-8")
    twice = make_request(COMPRESS_INDEX, [SOURCES[0], SOURCES[1], *SOURCES[:1], *SOURCES[1:]], 500, 0.5)
    found = open_summarizer(str(path), str(room), {"PATH": os.defpath})(twice)
    assert isinstance(found, Operations)
    assert [item.op for item in found.items] == ["keep", "keep", "drop", "drop"]


def test_the_answer_of_the_guide_is_taken(room: Path) -> None:
    page = (ROOT / "docs/how-to/plug-in-a-summarizer.md").read_text(encoding="utf-8")
    asked, told = (json.loads(part.partition("```")[0]) for part in page.split("```json\n")[1:3])
    sources = [Source(b["text"], b["src"], b["ts"], b["path"], b["block"]) for b in asked["blocks"]]
    request = make_request(asked["task"], sources, asked["max_bytes"], asked["max_loss"])
    assert json.loads(request_json(request)) == asked
    assert isinstance(read_answer(request, json.dumps(told).encode()), Operations)
