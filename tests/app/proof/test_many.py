"""Proofs of many commits: what is checked ahead, what is not checked at all, and what history tells."""

from __future__ import annotations

import pytest

from hoard_git.app.gate import Gate
from hoard_git.core.model import Oid
from hoard_git.gitio import signatures
from hoard_git.gitio.opening import open_reader
from tests.app.proof.support import HAS_LIBRARY, errors, report
from tests.app.support import AS_AGENT, june
from tests.support.repo import MEMORY, Workspace
from tests.support.signed import USER_EDIT, Signed
from tests.support.signing import (
    SshKey,
    sign_with,
)


@pytest.mark.parametrize(
    "engine",
    [
        pytest.param("library", marks=pytest.mark.skipif(not HAS_LIBRARY, reason="the extra `sign` (cryptography) is not installed")),
        "program",
    ],
)
def test_a_range_is_checked_ahead_and_every_commit_once(repo: Signed, eve: SshKey, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        repo.make({"MEMORY.md": MEMORY.replace("Tuesdays", f"day {number}")}, eve if number == 3 else repo.ada)
    asked: list[int] = []
    real = signatures.verify_ssh

    def counted(batch: list[signatures.Asked]) -> list[bool]:
        asked.append(len(batch))
        return real(batch, engine=engine)

    monkeypatch.setattr(signatures, "_has_library", lambda: engine == "library")
    monkeypatch.setattr("hoard_git.app.proof.verify_ssh", counted)
    found = report(repo, "HEAD~6..HEAD").findings
    assert [(f.code, f.commit) for f in found if f.severity == "error"] == [("HG308", repo.head("HEAD~2"))]
    assert asked == ([5] if engine == "program" else [1] * 5)


def test_nothing_is_verified_where_no_policy_asks(workspace: Workspace, ada: SshKey, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(_batch: object) -> list[bool]:
        raise AssertionError

    monkeypatch.setattr("hoard_git.app.proof.verify_ssh", never)
    workspace.commit("Change\n", {"MEMORY.md": USER_EDIT}, env=sign_with(ada))
    assert errors(workspace) == []


def test_a_single_commit_is_judged_without_a_range(repo: Signed) -> None:
    from hoard_git.app.check import judge_commit

    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    reader = open_reader(str(repo.path))
    judgement = judge_commit(Gate(reader, days=june), reader.commit(Oid(repo.head())))
    assert judgement.actor.is_human
    assert [finding.code for finding in judgement.findings if finding.severity == "error"] == []


# ---------------------------------------------------------------- history says what is proved


def test_history_tells_who_is_proved(repo: Signed, eve: SshKey) -> None:
    import json

    from tests.support.repo import run_hoard

    repo.make({"MEMORY.md": USER_EDIT}, repo.ada, AS_AGENT)
    repo.make({"MEMORY.md": USER_EDIT.replace("Fridays", "Mondays")}, eve)
    repo.make({"MEMORY.md": USER_EDIT.replace("Fridays", "Mondays").replace("03:30", "04:30")}, None, AS_AGENT)

    said = run_hoard("log", "--json", cwd=repo)
    rows = [json.loads(line) for line in said.stdout.decode().splitlines()]
    by = {row["commit"]: (row["author"]["kind"], row["author"]["verified"]) for row in rows}
    assert [by[repo.head(rev)] for rev in ("HEAD~3", "HEAD~2", "HEAD~1", "HEAD")] == [
        ("human", True),
        ("human", True),
        ("agent", False),
        ("agent", False),
    ]
    lines = [json.loads(line) for line in run_hoard("blame", "--json", "MEMORY.md", cwd=repo).stdout.decode().splitlines()]
    claims = {line["text"]: (line["author"]["verified"], line["verdict"]) for line in lines if line["text"].startswith("- ")}
    assert claims["- Answers are short and in English."] == (True, "agree")
    assert claims["- The newsletter goes out on Mondays."] == (False, "unverified")
