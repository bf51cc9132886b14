"""The jobs of docs/ci run for real: their shell steps, with the variables that a forge sets, against a bare repository on this machine."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from hoard_git import __version__
from tests.support.environment import AGENT, ROOT
from tests.support.repo import MEMORY, POLICY, Repo, Workspace, run

JOBS = ROOT / "docs/ci"
PAGES = ROOT / "docs/how-to"
ZERO = "0" * 40
ODD = "rel;touch${IFS}pwned;$(touch${IFS}pwned)"
"""A branch name that git allows, and that does something where a script pastes it into its own text."""

FACT = "- The newsletter goes out on Tuesdays.\n"


@dataclass(frozen=True, slots=True)
class Event:
    """What happened on the forge: a pull request from `head` into `base`, or a push of `branch` from `before` to `head`."""

    head: str
    base: str = ""
    branch: str = ""
    before: str = ""
    merged: str = ""  # the merge of both that a forge makes to try it out
    default: str = "main"


@dataclass(frozen=True, slots=True)
class Ended:
    status: int
    codes: set[str]
    commits: set[str]
    log: str


@dataclass(slots=True)
class Forge:
    """A bare repository with branches of every kind; `at` names their commits."""

    origin: Repo
    at: dict[str, str] = field(default_factory=dict)

    def clone(self, folder: Path, *options: str) -> Repo:
        done = run(["git", "clone", "-q", *options, f"file://{self.origin.path}", folder], cwd=folder.parent)
        assert done.returncode == 0, done.stderr
        return Repo(folder)

    def events(self) -> dict[str, tuple[Event, int, set[str]]]:
        """Every event with the exit status and the codes of errors that it is to end with."""
        at = self.at
        pull = Event(at["good"], base="main")
        edits = {"HG301"}
        return {
            "pull-good": (pull, 0, set()),
            "pull-bad": (replace(pull, head=at["bad"]), 1, edits),
            "pull-weakens-policy": (replace(pull, head=at["weak"]), 1, {"HG301", "HG307"}),
            "pull-with-base-merged": (replace(pull, head=at["merged"]), 0, set()),
            "pull-tried-out": (replace(pull, head=at["bad"], merged=at["tried"]), 1, edits),
            "pull-from-old-policy": (replace(pull, head=at["sneaky"], base="strict"), 1, edits),
            "pull-mixed-policies": (replace(pull, head=at["mixed"], base="strict"), 1, edits),
            "pull-good-from-old-policy": (replace(pull, head=at["honest"], base="strict"), 0, set()),
            "pull-rebased": (replace(pull, head=at["rebased"], base="strict"), 1, edits),
            "pull-into-odd-name": (Event(at["good"], base=ODD), 0, set()),
            "push-good": (Event(at["main"], branch="main", before=at["first"]), 0, set()),
            "push-bad": (Event(at["bad"], branch="main", before=at["first"]), 1, edits),
            "push-after-bad": (Event(at["after"], branch="main", before=at["bad"]), 0, set()),
            "push-new-branch": (Event(at["bad"], branch="bad", before=ZERO), 1, edits),
            "push-odd-branch": (Event(at["good"], branch=ODD, before=ZERO), 0, set()),
            "push-first": (Event(at["main"], branch="main", before=ZERO), 0, set()),
            "push-first-bad": (Event(at["bad"], branch="main", before=ZERO), 1, edits),
            "push-without-before": (Event(at["bad"], branch="main"), 1, edits),
            "push-forced": (Event(at["bad"], branch="main", before=at["dropped"]), 1, edits),
            "push-forced-past-gone": (Event(at["bad"], branch="main", before="12" * 20), 1, edits),
            "push-of-no-default": (Event(at["bad"], branch="bad", before=ZERO, default="trunk"), 1, edits),
        }


CASES = [
    *("pull-good", "pull-bad", "pull-weakens-policy", "pull-with-base-merged", "pull-tried-out"),
    *("pull-from-old-policy", "pull-mixed-policies", "pull-good-from-old-policy", "pull-rebased", "pull-into-odd-name"),
    *("push-good", "push-bad", "push-after-bad", "push-new-branch", "push-odd-branch", "push-first", "push-first-bad"),
    *("push-without-before", "push-forced", "push-forced-past-gone", "push-of-no-default"),
]


@pytest.fixture(scope="module")
def forge(workspace_template: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Forge:
    folder = tmp_path_factory.mktemp("forge")
    work = Workspace.copy(workspace_template, folder / "work")
    forge = Forge(Repo.create(folder / "origin.git", "--bare"))
    at = forge.at
    at["first"] = work.head()

    def branch(name: str, start: str, message: str, files: dict[str, str]) -> None:
        work.git("checkout", "-q", "-B", name, at[start])
        at[name] = work.commit(f"{message}\n", files, author=AGENT)

    more = "# Notes\n\n## Deploys <!-- src:agent ts:2026-06-10 -->\n\n- They run at noon.\n"
    branch("good", "first", "Add deploys", {"memory/deploys.md": more})
    branch("bad", "first", "Rewrite what the user said", {"MEMORY.md": MEMORY.replace("Tuesdays", "Fridays")})
    branch("after", "bad", "Add deploys", {"memory/deploys.md": more})
    branch("dropped", "first", "Add hosts", {"memory/hosts.md": more.replace("noon", "dawn")})
    branch("weak", "first", "Relax", {".hoard.yaml": POLICY + "rules: {HG301: off, HG303: off}\n"})
    branch("weak", "weak", "Use it", {"MEMORY.md": MEMORY.replace(FACT, "")})
    branch("main", "first", "Add printers", {"memory/printers.md": more.replace("noon", "dusk")})
    # The first policy was loose for a while, then the user made it strict again: what branched off before is judged by the loose one,
    # and what it comes to by the strict one.
    work.git("checkout", "-q", "-B", "loose", at["first"])
    at["loose"] = work.policy(POLICY + "rules: {HG301: off}\n")
    work.git("checkout", "-q", "-B", "strict", at["loose"])
    at["strict"] = work.policy(POLICY)
    branch("sneaky", "loose", "Rewrite what the user said", {"MEMORY.md": MEMORY.replace("Tuesdays", "Fridays")})
    branch("honest", "loose", "Add deploys", {"memory/deploys.md": more})
    branch("rebased", "strict", "Rewrite what the user said", {"MEMORY.md": MEMORY.replace("Tuesdays", "Fridays")})
    for name, start, other in (("merged", "good", "main"), ("tried", "main", "bad"), ("mixed", "sneaky", "strict")):
        work.git("checkout", "-q", "-B", name, at[start])
        work.git("merge", "-q", "--no-edit", at[other])
        at[name] = work.head()
    work.git("branch", ODD, at["first"])
    # What was force-pushed away stays as an object, as on a forge that has not pruned; it is of no branch.
    work.git("push", "-q", forge.origin.path, f"{at['dropped']}:refs/keep/dropped")
    forge.origin.git("update-ref", "-d", "refs/keep/dropped")
    work.git("push", "-q", forge.origin.path, *(f"refs/heads/{name}" for name in ("main", "good", "bad", "after", "strict", ODD)))
    for number, name in enumerate(("sneaky", "good", "bad", "weak", "merged", "tried", "mixed", "rebased", "honest"), 1):
        work.git("push", "-q", forge.origin.path, f"{at[name]}:refs/pull/{number}/head")
    return forge


@pytest.fixture
def path(programs: Path, tmp_path: Path) -> str:
    """A PATH with this checkout's programs and a `python` that notes what it was asked to install, and installs nothing."""
    shims = tmp_path / "shims"
    shims.mkdir()
    _write_program(shims / "python", f'echo "$*" >>"{tmp_path}/installed"')
    return os.pathsep.join([str(shims), str(programs), os.environ["PATH"]])


def _write_program(program: Path, text: str) -> None:
    program.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    program.chmod(0o755)


def yaml(name: str) -> Any:
    return YAML(typ="safe").load(JOBS / name)


def ended(status: int, report: Path, log: str) -> Ended:
    """What a job left behind: the errors of its report."""
    if not report.exists():
        return Ended(status, set(), set(), log)
    data = json.loads(report.read_text(encoding="utf-8"))
    if isinstance(data, list):
        issues = [row for row in data if row["severity"] == "critical"]
        named = (re.search(r"\(commit (\w+)\)", row["description"]) for row in issues)
        return Ended(status, {row["check_name"].split()[0] for row in issues}, {match[1] for match in named if match}, log)
    errors = [row for row in data["runs"][0]["results"] if row["level"] == "error"]
    return Ended(status, {row["ruleId"] for row in errors}, {row["properties"]["commit"][:12] for row in errors}, log)


def _pull_number(forge: Forge, event: Event) -> str:
    rows = forge.origin.line("for-each-ref", "--format=%(objectname) %(refname)", "refs/pull").splitlines()
    numbers = {row.split()[0]: row.split("/")[2] for row in rows}
    return numbers[event.head] if event.base else ""


def _actions(name: str, forge: Forge, event: Event, folder: Path, path: str) -> Ended:
    """GitHub's way: a clone of all branches, the base checked out, expressions put into variables, `bash -e` a step."""
    clone = forge.clone(folder, "--no-checkout")
    clone.git("fetch", "-q", "origin", event.head)
    clone.git("checkout", "-q", "--detach", f"origin/{event.base}" if event.base else event.head)
    values = {
        "github.event.pull_request.number": _pull_number(forge, event),
        "github.event.pull_request.base.ref": event.base,
        "github.event.pull_request.head.sha || github.sha": event.head,
        "github.event.before": event.before,
        "github.ref_name": event.base or event.branch,
        "github.event.repository.default_branch": event.default,
    }
    (job,) = yaml(name)["jobs"].values()
    status, log = 0, ""
    for step in [step for step in job["steps"] if "run" in step]:
        assert "${{" not in step["run"], "an expression inside a script is pasted into it"
        env = {key: values[text.removeprefix("${{ ").removesuffix(" }}")] for key, text in step.get("env", {}).items()}
        done = run(["bash", "-e", "-c", step["run"]], cwd=clone, env={**env, "PATH": path})
        log += (done.stdout + done.stderr).decode()
        status = status or done.returncode
    (upload,) = [step for step in job["steps"] if "upload-artifact" in step.get("uses", "")]
    assert upload["if"] == "${{ !cancelled() }}"
    return ended(status, clone.path / upload["with"]["path"], log)


def _gitlab(forge: Forge, event: Event, folder: Path, path: str) -> Ended:
    """GitLab's way: all branches, the commit of the pipeline checked out, every line of the script in one shell."""
    clone = forge.clone(folder, "--no-checkout")
    tip = event.merged or event.head
    clone.git("fetch", "-q", "origin", tip, "+refs/pull/*:refs/pull/*")
    clone.git("checkout", "-q", "--detach", tip)
    env = {"CI_COMMIT_SHA": tip, "CI_DEFAULT_BRANCH": event.default, "CI_COMMIT_BEFORE_SHA": event.before}
    if event.base:
        env |= {"CI_MERGE_REQUEST_IID": "7", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": event.base, "CI_COMMIT_BEFORE_SHA": ZERO}
        env |= {"CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": event.head if event.merged else ""}
    else:
        env |= {"CI_COMMIT_BRANCH": event.branch}
    job = yaml("gitlab-ci.yml")["memory"]
    assert job["variables"] == {"GIT_DEPTH": "0"}
    assert job["artifacts"]["when"] == "always"
    done = run(["sh", "-e", "-c", "\n".join([*job["before_script"], *job["script"]])], cwd=clone, env={**env, "PATH": path})
    reports = job["artifacts"]["reports"]
    assert (clone.path / reports["junit"]).is_file() == (done.returncode < 2)
    return ended(done.returncode, clone.path / reports["codequality"], (done.stdout + done.stderr).decode())


def _woodpecker(forge: Forge, event: Event, folder: Path, path: str) -> Ended:
    """Woodpecker's way: one ref is fetched in whole and checked out."""
    clone = Repo.create(folder)
    clone.git("remote", "add", "origin", f"file://{forge.origin.path}")
    clone.git("fetch", "-q", "--no-tags", "origin", event.head)
    clone.git("checkout", "-q", "--detach", event.head)
    env = {
        "CI_PIPELINE_EVENT": "pull_request" if event.base else "push",
        "CI_COMMIT_SHA": event.head,
        "CI_COMMIT_BRANCH": event.base or event.branch,
        "CI_COMMIT_TARGET_BRANCH": event.base,
        "CI_PREV_COMMIT_SHA": event.before,
        "CI_REPO_DEFAULT_BRANCH": event.default,
    }
    pipeline = yaml("woodpecker.yaml")
    assert pipeline["clone"][0]["settings"] == {"depth": 0, "partial": False}
    (step,) = pipeline["steps"]
    text = "\n".join(step["commands"])
    assert "${" not in text, "Woodpecker would replace it before the shell sees it"
    done = run(["sh", "-e", "-c", text], cwd=clone, env={**env, "PATH": path})
    return ended(done.returncode, clone.path / "hoard.sarif", (done.stdout + done.stderr).decode())


def _script(forge: Forge, event: Event, folder: Path, path: str) -> Ended:
    """A server's own way: a clone that is shallow at first, the script from elsewhere; a branch is judged against the default one."""
    clone = forge.clone(folder, "--depth=1")
    clone.git("fetch", "-q", "--no-tags", "--depth=1", "origin", event.head)
    of_branch = "main" if event.default == "main" and event.branch != "main" else ""
    env = {"HEAD": event.head, "BASE": event.base or of_branch, "BEFORE": event.before}
    done = run(["sh", JOBS / "hoard-ci.sh"], cwd=clone, env={**env, "PATH": path})
    return ended(done.returncode, clone.path / "hoard.sarif", (done.stdout + done.stderr).decode())


RUNNERS: dict[str, Callable[[Forge, Event, Path, str], Ended]] = {
    "github-actions.yml": lambda *given: _actions("github-actions.yml", *given),
    "forgejo-actions.yml": lambda *given: _actions("forgejo-actions.yml", *given),
    "gitlab-ci.yml": _gitlab,
    "woodpecker.yaml": _woodpecker,
    "hoard-ci.sh": _script,
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("job", [job for job in RUNNERS if job != "forgejo-actions.yml"])
def test_a_job(job: str, case: str, forge: Forge, path: str, tmp_path: Path) -> None:
    event, status, codes = forge.events()[case]
    folder = tmp_path / "clone"
    result = RUNNERS[job](forge, event, folder, path)

    assert (result.status, result.codes) == (status, codes), result.log
    assert (folder / ("hoard-quality.json" if job == "gitlab-ci.yml" else "hoard.sarif")).is_file()
    assert not list(tmp_path.rglob("pwned"))
    if codes == {"HG301"}:
        # What commits come to together is told of the last one.
        named = (
            "bad" if event.base in ("", "main") else {"pull-from-old-policy": "sneaky", "pull-mixed-policies": "mixed"}.get(case, "rebased")
        )
        assert result.commits == {forge.at[named][:12]}
    if job != "hoard-ci.sh":
        assert (tmp_path / "installed").read_text(encoding="utf-8") == f"-m pip install --quiet hoard-git=={__version__}\n"


def test_every_case_is_run(forge: Forge) -> None:
    assert list(forge.events()) == CASES


@pytest.mark.parametrize(("case", "status"), [("pull-good", 0), ("pull-bad", 1), ("push-forced", 1)])
def test_the_job_of_forgejo(case: str, status: int, forge: Forge, path: str, tmp_path: Path) -> None:
    result = RUNNERS["forgejo-actions.yml"](forge, forge.events()[case][0], tmp_path / "clone", path)
    assert result.status == status, result.log


def test_the_pull_request_brings_no_job_of_its_own() -> None:
    """GitHub takes the workflow of the base, its token may only read, and no step checks out or runs what is in the pull request."""
    data = yaml("github-actions.yml")
    assert set(data["on"]) == {"push", "pull_request_target"}
    assert data["permissions"] == {"contents": "read"}
    (job,) = data["jobs"].values()
    (checkout,) = [step for step in job["steps"] if "actions/checkout" in step.get("uses", "")]
    assert checkout["with"] == {"fetch-depth": 0}
    text = "\n".join(step.get("run", "") for step in job["steps"])
    assert not re.search(r"git (?:checkout|switch|merge|worktree|reset|read-tree)", text)


def test_findings_are_shown_beside_the_lines(forge: Forge, path: str, tmp_path: Path) -> None:
    result = RUNNERS["github-actions.yml"](forge, forge.events()["pull-bad"][0], tmp_path / "clone", path)
    assert re.search(r"^::error file=MEMORY\.md,line=6,col=1,title=HG301 [a-z-]+::", result.log, re.MULTILINE), result.log


def test_a_shallow_clone_cannot_be_judged_and_leaves_no_report(forge: Forge, path: str, tmp_path: Path) -> None:
    clone = forge.clone(tmp_path / "clone", "--depth=1", "--branch=bad")
    done = run(["hoard", "check", "--range", "HEAD", "--report", "sarif=hoard.sarif"], cwd=clone, env={"PATH": path})
    assert done.returncode == 2
    assert b"shallow" in done.stderr
    assert not (clone.path / "hoard.sarif").exists()


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({}, "HEAD is not set"),
        ({"HEAD": "nothing"}, "HEAD names no commit"),
        ({"HEAD": "good", "BASE": "nothing"}, "no branch that BASE names"),
        ({"HEAD": "--help", "BASE": "main"}, "HEAD names no commit"),
    ],
)
def test_the_script_says_what_it_lacks_and_takes_an_old_report_away(
    env: dict[str, str], said: str, forge: Forge, path: str, tmp_path: Path
) -> None:
    clone = forge.clone(tmp_path / "clone")
    clone.write("hoard.sarif", "the report of an earlier run\n")
    done = run(["sh", JOBS / "hoard-ci.sh"], cwd=clone, env={**env, "PATH": path})
    assert (done.returncode, said in done.stderr.decode()) == (2, True), done.stderr
    assert not (clone.path / "hoard.sarif").exists()


def test_the_script_takes_the_branches_of_origin(forge: Forge, path: str, tmp_path: Path) -> None:
    """A local branch of the same name may be old, or made up."""
    clone = forge.clone(tmp_path / "clone")
    clone.git("branch", "-f", "bad", forge.at["good"])
    clone.git("update-ref", "refs/remotes/origin/main", forge.at["bad"])
    done = run(["sh", JOBS / "hoard-ci.sh"], cwd=clone, env={"BASE": "main", "HEAD": "bad", "REPORT": "out.sarif", "PATH": path})
    assert ended(done.returncode, clone.path / "out.sarif", "").codes == {"HG301"}, done.stderr


def test_the_script_installs_the_version_that_it_names(forge: Forge, path: str, programs: Path, tmp_path: Path) -> None:
    """With another version on PATH it makes an environment of its own, and takes it away again."""
    shims, kept = tmp_path / "shims", tmp_path / "environments"
    kept.mkdir()
    _write_program(shims / "hoard", "echo hoard 0.0.1")
    _write_program(shims / "pip", f'echo "$*" >"{tmp_path}/asked"')
    _write_program(shims / "python3", f'mkdir -p "$3/bin" && ln -s "{programs}/hoard" "$3/bin/hoard" && cp "{shims}/pip" "$3/bin/pip"')
    clone = forge.clone(tmp_path / "clone")
    env = {"BASE": "main", "HEAD": "bad", "PATH": path, "TMPDIR": str(kept)}
    done = run(["sh", JOBS / "hoard-ci.sh"], cwd=clone, env=env)
    assert ended(done.returncode, clone.path / "hoard.sarif", "").codes == {"HG301"}, done.stderr
    assert (tmp_path / "asked").read_text(encoding="utf-8") == f"install --quiet hoard-git=={__version__}\n"
    assert list(kept.iterdir()) == []


@pytest.mark.parametrize("name", sorted(RUNNERS))
def test_a_page_shows_the_file_as_it_is(name: str) -> None:
    text = (JOBS / name).read_text(encoding="utf-8")
    assert len([page for page in PAGES.glob("ci-*.md") if f"\n{text}```\n" in page.read_text(encoding="utf-8")]) == 1


@pytest.mark.parametrize("name", sorted(RUNNERS))
def test_the_version_is_pinned(name: str) -> None:
    text = (JOBS / name).read_text(encoding="utf-8")
    assert re.findall(r"(?:hoard-git==|^version=)([\w.]+)", text, re.MULTILINE) == [__version__]


def test_the_script_is_plain_sh() -> None:
    assert (JOBS / "hoard-ci.sh").read_text(encoding="utf-8").startswith("#!/bin/sh\n")
    shellcheck = Path(sys.executable).parent / "shellcheck"
    if shellcheck.exists():
        done = run([shellcheck, "-s", "sh", JOBS / "hoard-ci.sh"], cwd=ROOT)
        assert done.returncode == 0, done.stdout
