"""The edits at rest of agent-memory-integrity: each is reported, where a tip is remembered outside the repository."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from agmi.check import run  # type: ignore[import-untyped]  # it ships no types

from tests.compat import agmi_adapter, conformance
from tests.support.environment import AGENT


def test_every_edit_is_reported_and_the_page_says_so(tmp_path: Path) -> None:
    verdicts = conformance.run_agmi(tmp_path)
    names = [edit.split()[0] for edit in verdicts["files"]]
    assert names == ["T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9"]
    for attacker in ("files", "amended", "appended"):
        assert set(verdicts[attacker].values()) == {"REPORTED"}, attacker
    alone = {edit.split()[0]: verdict for edit, verdict in verdicts["appended, no witness"].items()}
    assert alone["T8"] == "REPORTED", "a raised source is the gate's own business"
    assert alone["T9"] == "ACCEPTED", "nothing inside a copy tells that it is old"
    page = conformance.PAGE.read_text(encoding="utf-8")
    assert conformance.render_agmi(verdicts) in page, "write it: python -m tests.compat.conformance"


def test_an_audit_that_sees_nothing_passes_nothing(tmp_path: Path) -> None:
    def nothing(self: agmi_adapter.Store, *, witnessed: bool) -> Iterator[str]:
        return iter(())

    with patch.object(agmi_adapter.Store, "find_problems", nothing):
        rows = run(agmi_adapter.HoardAdapter(agmi_adapter.Store(tmp_path / "store")))
    assert {row["verdict"] for row in rows} == {"ACCEPTED"}


def test_an_audit_that_always_complains_passes_nothing(tmp_path: Path) -> None:
    def always(self: agmi_adapter.Store, *, witnessed: bool) -> Iterator[str]:
        return iter(("it rains",))

    with patch.object(agmi_adapter.Store, "find_problems", always):
        rows = run(agmi_adapter.HoardAdapter(agmi_adapter.Store(tmp_path / "store")))
    assert {row["verdict"] for row in rows} == {"NOT EVALUABLE"}


def test_the_witness_sees_damage_a_stranger_s_commit_and_a_rewind(tmp_path: Path) -> None:
    store = agmi_adapter.Store(tmp_path / "store")
    store.add("The limit is 40.", agmi_adapter.OURS)
    assert list(store.find_problems(witnessed=True)) == []
    store.repo.git("reset", "-q", "--hard", "HEAD~1")
    assert "rolled back" in next(store.find_problems(witnessed=True))
    store.rewind("clean")
    store.repo.commit("Note\n", {"memory/ours.md": "# Ours\n"}, author=AGENT)
    assert "is not signed by a listed key" in next(store.find_problems(witnessed=True))
    store.rewind("clean")
    blob = store.repo.line("rev-parse", "HEAD:memory/ours.md")
    (store.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert next(store.find_problems(witnessed=True)) == "git fsck finds damage"
