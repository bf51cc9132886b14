"""`openclaw.json` beside a workspace: which one counts, for which agent, and what is said when it cannot be read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from hoard_git.app.hostconfig import HostConfig, find_host_config
from hoard_git.core.budget import PROFILES, budget_from
from hoard_git.errors import HoardError

POLICYS = budget_from((("profile", "openclaw-2026.4"), ("SOUL.md", "900 chars")))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "state/workspace").mkdir(parents=True)
    return tmp_path


def read(home: Path, text: object, place: str = "state/openclaw.json", workspace: str = "state/workspace") -> HostConfig:
    (home / place).write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
    found = find_host_config(str(home / workspace), str(home))
    assert found is not None
    return found


def refused(home: Path) -> HoardError:
    with pytest.raises(HoardError) as caught:
        find_host_config(str(home / "state/workspace"), str(home))
    return caught.value


def test_none_is_none(home: Path) -> None:
    assert find_host_config(str(home / "state/workspace"), str(home)) is None


def test_numbers_pruning_and_identity(home: Path) -> None:
    text = """{
      // written by hand
      meta: {lastTouchedVersion: "2026.9.1-beta.2"},
      agents: {defaults: {bootstrapMaxChars: 30000.9, bootstrapTotalMaxChars: 90_000,}}}"""
    found = read(home, text.replace("90_000", "90000").replace("90000,", "90000, contextPruning: {mode: 'off'},"))
    assert (found.version, found.file, found.total, found.pruning, found.notes) == ((2026, 9, 1), 30000, 90000, "off", ())
    budget = found.budget(POLICYS)
    assert (budget.name, budget.order, budget.own) == ("openclaw.json", PROFILES["openclaw-2026.9"].order, POLICYS.own)
    assert [limit.text() for limit in budget.limits("USER.md")] == ["30,000 chars", "4,000 chars"]


@pytest.mark.parametrize(
    ("version", "profile"),
    [
        ("2026.1.25", "openclaw-2026.2"), ("2026.4.25", "openclaw-2026.2"), ("2026.4.26", "openclaw-2026.4"), ("2026.5.30", "openclaw-2026.4"),
        ("2026.6.0", "openclaw-2026.8"), ("2026.8.0", "openclaw-2026.8"), ("2026.8.1-beta.1", "openclaw-2026.9"), ("v2027.1.1", "openclaw-2026.9"),
        ("2026", ""), ("latest", ""), ("2026.8.x", ""), (9, ""),
    ],
)  # fmt: skip
def test_the_version_that_wrote_it_gives_the_rule(home: Path, version: object, profile: str) -> None:
    found = read(home, {"meta": {"lastTouchedVersion": version}})
    assert found.profile == profile
    budget = found.budget(POLICYS)
    assert budget == (POLICYS if not profile else PROFILES[profile]._replace(name=f"openclaw.json ({profile})", own=POLICYS.own))


def test_a_file_that_says_nothing_leaves_the_policys_budget(home: Path) -> None:
    assert read(home, {"gateway": {"port": 1}}).budget(POLICYS) is POLICYS
    claude = PROFILES["claude-code"]
    assert read(home, {"agents": {"defaults": {"bootstrapMaxChars": 9}}}).budget(claude).order == PROFILES["openclaw-2026.8"].order


def test_the_agent_that_works_here_overrides_the_defaults(home: Path) -> None:
    agents = {
        "defaults": {"bootstrapMaxChars": 1000, "bootstrapTotalMaxChars": 2000},
        "list": [
            {"id": "main", "default": True, "bootstrapMaxChars": 1},
            {
                "id": "writer",
                "workspace": "~/state/workspace",
                "bootstrapMaxChars": 3000,
                "identity": {"name": "Quill", "emoji": "🪶", "age": 3},
            },
        ],
    }
    found = read(home, {"agents": agents})
    assert (found.agent, found.file, found.total) == ("writer", 3000, 2000)
    assert found.identity == (("name", "Quill"), ("emoji", "🪶"))


def test_agents_by_entries_and_the_default_one(home: Path) -> None:
    entries = {"a": {"bootstrapMaxChars": 10}, "b": {"default": True, "bootstrapMaxChars": 20}}
    assert read(home, {"agents": {"entries": entries}}).file == 20
    assert read(home, {"agents": {"entries": {"a": {"bootstrapMaxChars": 10}}}}).agent == "a"
    elsewhere = {"defaults": {"workspace": str(home / "other"), "bootstrapMaxChars": 5}, "entries": {"a": {"bootstrapMaxChars": 10}}}
    assert (read(home, {"agents": elsewhere}).agent, read(home, {"agents": elsewhere}).file) == ("", 5)


@pytest.mark.parametrize("value", ["20000", 0, -5, True, None, [], 1e12])
def test_a_number_that_is_none_is_told(home: Path, value: object) -> None:
    found = read(home, {"agents": {"defaults": {"bootstrapMaxChars": value}}})
    assert found.file is None
    assert bool(found.notes) == (value is not None)


@pytest.mark.parametrize("odd", [[], {"agents": []}, {"agents": {"list": {}, "entries": [], "defaults": 3}}, {"meta": 1}])
def test_a_configuration_of_another_shape_is_no_fault(home: Path, odd: object) -> None:
    if isinstance(odd, list):
        (home / "state/openclaw.json").write_text("[]", encoding="utf-8")
        assert "holds no mapping" in refused(home).message
    else:
        assert read(home, odd).file is None


def test_what_it_includes_is_told(home: Path) -> None:
    assert read(home, {"agents": {"$include": "./agents.json5"}}).notes == ("it includes other files, which are not read here",)


def test_the_nearest_one_counts_and_not_one_far_above(home: Path) -> None:
    read(home, {"agents": {"defaults": {"bootstrapMaxChars": 7}}})
    near = read(home, {"agents": {"defaults": {"bootstrapMaxChars": 8}}}, "state/workspace/openclaw.json")
    assert near.file == 8
    deep = home / "a/b/c/d/e"
    deep.mkdir(parents=True)
    (home / "a/openclaw.json").write_text("{}", encoding="utf-8")
    assert find_host_config(str(deep), str(home)) is None
    assert find_host_config(str(deep.parent), str(home)) is not None


def test_a_link_to_the_configuration_is_followed(home: Path) -> None:
    (home / "dotfiles.json").write_text("{agents: {defaults: {bootstrapMaxChars: 6}}}", encoding="utf-8")
    (home / "state/openclaw.json").symlink_to(home / "dotfiles.json")
    found = find_host_config(str(home / "state/workspace"), str(home))
    assert found is not None
    assert found.file == 6


def test_what_cannot_be_read_is_never_taken_for_none(home: Path) -> None:
    path = home / "state/openclaw.json"
    secret = "hunter" + "2hunter"
    path.write_text(f"{{\n token: {secret}\n}}", encoding="utf-8")
    said = refused(home)
    assert "line 2: a value is missing" in said.message
    assert "hoard doctor" in said.hint
    assert secret not in said.message + said.hint
    path.write_bytes(b"\xff\xfe{}")
    assert "not UTF-8" in refused(home).message
    path.write_bytes(b" " * (5 << 20))
    assert "larger than 4 MiB" in refused(home).message
    path.unlink()
    path.symlink_to(home / "gone.json")
    assert "cannot be read: No such file" in refused(home).message
    path.unlink()
    path.mkdir()
    assert "openclaw.json" in refused(home).message
    path.rmdir()
    os.mkfifo(path)
    assert "no regular file" in refused(home).message
