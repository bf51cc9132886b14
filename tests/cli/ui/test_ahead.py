"""Plans are made in another process: other pages answer meanwhile, and whatever becomes of it the page is the same."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from hoard_git.app.consolidate import plan_head
from hoard_git.cli.ui import review
from hoard_git.cli.ui.ahead import work_ahead
from hoard_git.errors import HoardError
from tests.cli.ui.visiting import Visitor
from tests.support.repo import Repo, Workspace

Visit = Callable[..., Visitor]


def test_other_pages_answer_while_a_plan_is_made(grown: Workspace, visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()

    def held(*args: object) -> object:
        os.read(reading, 1)
        return plan_head(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(review, "plan_head", held)
    visitor = visit(grown)
    with ThreadPoolExecutor(1) as pool:
        plan = pool.submit(visitor.see, "/review/plan")
        for place in ("/files", "/", "/review", "/block?name=Infrastructure"):
            visitor.see(place)
        assert not plan.done()
        os.write(writing, b"x")
        assert "Mark stale" in plan.result(60).text
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize("fault", [lambda: os._exit(1), lambda: time.sleep("x"), None])  # type: ignore[arg-type]
def test_the_page_is_the_same_when_the_other_process_is_lost(
    grown: Workspace, visit: Visit, monkeypatch: pytest.MonkeyPatch, fault: Callable[[], object] | None
) -> None:
    here = os.getpid()

    def lost(*args: object) -> object:
        if os.getpid() != here and fault is not None:
            fault()
        return plan_head(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(review, "plan_head", lost)
    if fault is None:
        monkeypatch.delattr(os, "fork")
    text = visit(grown).see("/review/plan").text
    assert "Mark stale" in text
    assert "Archive" in text


def test_why_no_plan_can_be_made_is_told(repo: Repo, visit: Visit) -> None:
    assert "There is no commit yet" in visit(repo).see("/review/plan", 400).text


def test_the_plan_is_made_in_another_process_once(grown: Workspace, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "told"

    def noted(*args: object) -> object:
        with told.open("a") as file:
            file.write(f"{os.getpid()}\n")
        return plan_head(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(review, "plan_head", noted)
    visit(grown).see("/review/plan")
    (made,) = told.read_text().split()
    assert int(made) != os.getpid()


def test_a_page_that_nobody_waits_for_ends_its_process() -> None:
    reading, writing = os.pipe()

    def work() -> None:
        os.write(writing, str(os.getpid()).encode())
        time.sleep(600)

    async def ask() -> bytes:
        async with anyio.create_task_group() as group:
            group.start_soon(work_ahead, work, anyio.CapacityLimiter(1))
            pid = await anyio.to_thread.run_sync(os.read, reading, 20)
            group.cancel_scope.cancel()
        return pid

    pid = int(anyio.run(ask))
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    os.close(reading)
    os.close(writing)


def test_an_error_of_the_work_is_the_error_of_the_page() -> None:
    def work() -> None:
        raise HoardError("There is no tea.", "hoard status")

    async def ask() -> object:
        return await work_ahead(work, anyio.CapacityLimiter(1))

    with pytest.raises(HoardError, match="There is no tea"):
        anyio.run(ask)
