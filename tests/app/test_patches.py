"""`hoard check --patch`: what the patch would make of HEAD, judged; nothing is applied."""

from __future__ import annotations

import pytest

from hoard_git.app.check import Report
from hoard_git.app.patches import check_patch, find_senders
from hoard_git.errors import HoardError
from tests.app.support import june, reader_of
from tests.support.repo import Repo, Workspace


def check(repo: Repo, patch: bytes) -> Report:
    return check_patch(reader_of(repo), patch, june)


def codes(report: Report) -> list[str]:
    return [f"{finding.path}:{finding.line} {finding.code}" for finding in report.findings if finding.severity == "error"]


def diff_of(workspace: Workspace, files: dict[str, str | bytes | None], *options: str) -> bytes:
    """The patch that turns HEAD into HEAD with these files; the repository is as before afterwards."""
    workspace.stage(files)
    patch = workspace.git("diff", "--cached", "--no-color", *options).stdout
    workspace.git("reset", "-q", "--hard")
    return patch


def mail_of(workspace: Workspace, files: dict[str, str | bytes | None], author: str, message: str = "Subject") -> bytes:
    workspace.commit(message, files, author=author)
    mail = workspace.git("format-patch", "-1", "--stdout").stdout
    workspace.git("reset", "-q", "--hard", "HEAD~1")
    return mail


def with_fact(workspace: Workspace, line: str) -> dict[str, str | bytes | None]:
    return {"MEMORY.md": workspace.read("MEMORY.md") + line + "\n"}


def test_a_diff_by_nobody_known_counts_as_an_agents(workspace: Workspace) -> None:
    before = workspace.snapshot()
    good = diff_of(workspace, with_fact(workspace, "- The wiki moved."))
    bad = diff_of(workspace, {"MEMORY.md": workspace.read("MEMORY.md").replace("short", "long")})

    report = check(workspace, good)
    assert (codes(report), report.files, report.what) == ([], 1, "patch")
    assert codes(check(workspace, bad)) == ["MEMORY.md:5 HG301"]
    assert workspace.snapshot().files == before.files
    assert workspace.line("status", "--porcelain") == ""


def test_the_author_of_a_mail(workspace: Workspace) -> None:
    edit: dict[str, str | bytes | None] = {"MEMORY.md": workspace.read("MEMORY.md").replace("short", "long")}

    assert codes(check(workspace, mail_of(workspace, edit, workspace.human))) == []
    assert codes(check(workspace, mail_of(workspace, edit, workspace.agent))) == ["MEMORY.md:5 HG301"]


def test_a_series_is_judged_by_its_least_trusted_author(workspace: Workspace) -> None:
    workspace.commit("one", {"MEMORY.md": workspace.read("MEMORY.md").replace("short", "long")})
    workspace.commit("two", with_fact(workspace, "- The wiki moved."), author=workspace.agent)
    series = workspace.git("format-patch", "-2", "--stdout").stdout
    workspace.git("reset", "-q", "--hard", "HEAD~2")

    assert find_senders(series) == ["ada@example.org", "clawd@agents.example"]
    assert codes(check(workspace, series)) == ["MEMORY.md:5 HG301"]


@pytest.mark.parametrize(
    ("mail", "sender"),
    [
        (b"diff --git a/x b/x\n", ""),
        (b"From: Ada <ada@example.org>\nSubject: x\n\ntext\n---\ndiff --git a/x b/x\n", "ada@example.org"),
        (b"From: =?UTF-8?q?=C3=84da?=\n <ada@example.org>\nSubject: x\n\ndiff --git a/x b/x\n", "ada@example.org"),
        (b"From: Relay <relay@example.org>\nSubject: x\n\nFrom: Ada <ada@example.org>\n\ntext\n", "ada@example.org"),
        (b"Subject: x\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+From: Ada <ada@example.org>\n", ""),
        (b"From: nonsense\n\n", "nonsense"),
    ],
)
def test_who_sent_it(mail: bytes, sender: str) -> None:
    assert find_senders(mail) == [sender]


def test_new_deleted_and_renamed_files(workspace: Workspace) -> None:
    text = "# A <!-- src:agent ts:2026-06-05 -->\n\n- One fact about the wiki.\n- Another fact about the wiki.\n"
    workspace.commit("a", {"memory/a.md": text, "memory/b.md": text.replace("wiki", "mail")})

    assert codes(check(workspace, diff_of(workspace, {"memory/new.md": "- untagged content\n"}))) == ["memory/new.md:1 HG101"]
    assert check(workspace, diff_of(workspace, {"memory/b.md": None})).files == 1
    renamed = diff_of(workspace, {"memory/a.md": None, "memory/c.md": text + "- untouched\n"}, "-M")
    assert b"rename from" in renamed
    assert check(workspace, renamed).files == 2
    exact = diff_of(workspace, {"memory/a.md": None, "memory/d.md": text}, "-M")
    assert b"similarity index 100%" in exact
    assert check(workspace, exact).files == 2


@pytest.mark.parametrize("ending", ["\r\n", "\n", ""])
def test_line_ends_and_no_newline_at_the_end(workspace: Workspace, ending: str) -> None:
    workspace.commit("crlf", {"memory/a.md": f"# A <!-- src:agent ts:2026-06-05 -->\r\n\r\n- One.{ending}"})
    patch = diff_of(workspace, {"memory/a.md": f"# A <!-- src:agent ts:2026-06-05 -->\r\n\r\n- One.\r\n- Two.\x0b\x85{ending}"})

    assert {finding.code for finding in check(workspace, patch).findings} <= {"HG401", "HG108"}
    assert check(workspace, patch).lines in (1, 2)


def test_links_and_names(workspace: Workspace) -> None:
    (workspace.path / "memory").mkdir()
    (workspace.path / "memory/l.md").symlink_to("/etc/hostname")
    workspace.git("add", "-A")
    link = workspace.git("diff", "--cached").stdout
    workspace.git("reset", "-q", "--hard")
    named = diff_of(workspace, {"memory/\u00fc b.md": "- untagged content\n"})

    assert codes(check(workspace, link)) == ["memory/l.md:0 HG409"]
    assert codes(check(workspace, named)) == ["memory/\u00fc b.md:1 HG101"]


def test_forms_that_other_configurations_write(workspace: Workspace) -> None:
    files = {"memory/n.md": "- untagged content\n"}
    for options in (("--no-prefix",), ("-U1",), ("--src-prefix=i/", "--dst-prefix=w/"), ("--full-index",), ("--stat", "-p")):
        patch = diff_of(workspace, dict(files), *options)
        if options == ("--no-prefix",):
            with pytest.raises(HoardError, match="does not apply"):
                check(workspace, diff_of(workspace, {"MEMORY.md": "x\n"}, *options))
            continue
        assert codes(check(workspace, patch)) == ["memory/n.md:1 HG101"]


def test_an_unborn_branch(repo: Repo) -> None:
    patch = (
        b"diff --git a/MEMORY.md b/MEMORY.md\nnew file mode 100644\n--- /dev/null\n+++ b/MEMORY.md\n@@ -0,0 +1 @@\n+- untagged content\n"
    )

    assert codes(check(repo, patch)) == ["MEMORY.md:1 HG101"]


def test_configuration_may_not_mend_white_space(workspace: Workspace) -> None:
    workspace.git("config", "apply.whitespace", "fix")
    patch = diff_of(workspace, with_fact(workspace, "- Trailing." + " " * 90 + "x"))

    assert "HG411" in {finding.code for finding in check(workspace, patch).findings}


BAD = {
    "empty": (b"", "changes no file"),
    "prose": (b"hello\nworld\n", "changes no file"),
    "torn": (b"--- a/MEMORY.md\n+++ b/MEMORY.md\n@@ -1,3 +1,3 @@\n x\n", "unified diff|does not apply"),
    "stale": (b"--- a/MEMORY.md\n+++ b/MEMORY.md\n@@ -1 +1 @@\n-other\n+x\n", "does not apply"),
    "absent": (b"--- a/none.md\n+++ b/none.md\n@@ -1 +1 @@\n-other\n+x\n", "does not apply"),
    "outside": (b"--- /dev/null\n+++ b/../x.md\n@@ -0,0 +1 @@\n+x\n", "does not apply"),
    "git": (b"--- /dev/null\n+++ b/.git/hooks/x\n@@ -0,0 +1 @@\n+x\n", "does not apply"),
    "binary": (b"diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n", "binary"),
}


@pytest.mark.parametrize("name", list(BAD))
def test_what_cannot_be_judged(workspace: Workspace, name: str) -> None:
    patch, message = BAD[name]
    before = workspace.snapshot()

    with pytest.raises(HoardError, match=message) as caught:
        check(workspace, patch)
    assert (caught.value.exit_status, bool(caught.value.hint)) == (2, True)
    assert workspace.snapshot() == before
