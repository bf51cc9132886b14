"""A pytest plugin of the mutation run: notes how long each test takes, or keeps to the tests that it is told, the quickest first.

Loaded with `-p tests.mutation.plugin`; told what to do by two variables of the environment, each the path of a file:
`MUTATION_NOTE` is written (one JSON object, seconds by node id), `MUTATION_TESTS` is read (one node id a line, in the wanted order), and with it
`MUTATION_SECONDS`, such a note. A test that takes many times as long as it then did ends the process with status 124.
"""

from __future__ import annotations

import json
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

import hoard_git

# A fault can make a loop endless; what it piles up must not take the machine along.
_MEMORY = 4 << 30
_SLOWER = 20
_LEAST = 30
_usual: dict[str, float] = {}
_seconds: dict[str, float] = {}


def pytest_configure(config: pytest.Config) -> None:
    if not os.environ.get("MUTATION_TESTS"):
        return
    if not Path(hoard_git.__file__).is_relative_to(config.rootpath):
        pytest.exit(f"hoard_git comes from {hoard_git.__file__}, not from {config.rootpath}", returncode=5)
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    _usual.update(json.loads(Path(os.environ["MUTATION_SECONDS"]).read_text(encoding="utf-8")))
    signal.signal(signal.SIGALRM, lambda _number, _frame: os._exit(124))
    # A failure is enough, the smallest example of it is not asked for; the same examples each time.
    phases = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
    hypothesis.settings.register_profile("mutation", phases=phases, database=None, derandomize=True)
    hypothesis.settings.load_profile("mutation")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    if _usual:
        signal.setitimer(signal.ITIMER_REAL, max(_LEAST, _SLOWER * _usual.get(item.nodeid, 0.0)))
    result = yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    return result


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if wanted := os.environ.get("MUTATION_TESTS"):
        order = {name: number for number, name in enumerate(Path(wanted).read_text(encoding="utf-8").split("\n")) if name}
        kept = sorted((item for item in items if item.nodeid in order), key=lambda item: order[item.nodeid])
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in order])
        items[:] = kept


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    _seconds[report.nodeid] = _seconds.get(report.nodeid, 0.0) + report.duration


def pytest_sessionfinish(session: pytest.Session) -> None:
    if (note := os.environ.get("MUTATION_NOTE")) and not hasattr(session.config, "workerinput"):
        Path(note).write_text(json.dumps(_seconds), encoding="utf-8")
