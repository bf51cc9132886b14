from __future__ import annotations

from collections.abc import Collection

import pytest

from hoard_git.core.markdown import parse
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_LINK, Finding, Oid, PathChange, RepoPath
from hoard_git.core.policy import DEFAULT, Policy
from hoard_git.lint.engine import judge
from hoard_git.lint.scene import FileView, NoLookup, Scene


class Tree(NoLookup):
    """A lookup that knows the paths of the whole tree."""

    def __init__(self, *paths: str) -> None:
        self.known = paths

    def paths(self) -> Collection[str]:
        return self.known


def judged(
    *paths: str, mode: int = MODE_FILE, old: int = 0, tree: Collection[str] = (), policy: Policy = DEFAULT, change: bool = True
) -> list[Finding]:
    changes = tuple(PathChange(RepoPath(path), old, Oid("1" * 40 if old else ""), mode, Oid("2" * 40 if mode else "")) for path in paths)
    return judge(Scene(policy=policy, change=change, paths=changes, lookup=Tree(*tree, *paths)), {"HG409"})


def attributes(text: str, path: str = ".gitattributes", policy: Policy = DEFAULT) -> list[Finding]:
    file = FileView(path, "attributes", parse(text.encode()))
    return judge(Scene(policy=policy, files=(file,)), {"HG409"})


class TestModes:
    @pytest.mark.parametrize("mode", [MODE_LINK, MODE_GITLINK])
    @pytest.mark.parametrize(
        "path",
        ["MEMORY.md", "memory/x.md", "memory", "Memory", "memory/archive", "memory/sub", "wiki", "wiki/a/b", "CLAUDE.md", "HEARTBEAT.md"],
    )
    def test_a_link_where_memory_is(self, mode: int, path: str) -> None:
        (found,) = judged(path, mode=mode)
        assert found.severity == "error"
        assert found.path == path

    @pytest.mark.parametrize("mode", [MODE_LINK, MODE_GITLINK])
    @pytest.mark.parametrize("path", ["docs/latest", "vendor/lib", "README.md", "memoryfoam", "src/memory"])
    def test_a_link_elsewhere(self, mode: int, path: str) -> None:
        assert judged(path, mode=mode) == []

    def test_a_file_that_becomes_a_link(self) -> None:
        assert [finding.severity for finding in judged("MEMORY.md", mode=MODE_LINK, old=MODE_FILE)] == ["error"]

    @pytest.mark.parametrize("mode", [MODE_LINK, MODE_GITLINK])
    def test_a_link_that_was_there_and_now_leads_elsewhere(self, mode: int) -> None:
        assert [finding.severity for finding in judged("MEMORY.md", mode=mode, old=mode)] == ["error"]
        assert judged("MEMORY.md", mode=MODE_FILE, old=MODE_FILE) == []

    def test_roots_of_a_policy_are_places_of_memory(self) -> None:
        policy = Policy(roots=("agents/a", "agents/b"))
        assert judged("agents", mode=MODE_LINK, policy=policy)
        assert judged("agents/a", mode=MODE_LINK, policy=policy)
        assert judged("agents/a/memory", mode=MODE_LINK, policy=policy)
        assert judged("agents/c", mode=MODE_LINK, policy=policy) == []
        assert judged("memory", mode=MODE_LINK, policy=policy) == []

    def test_a_path_outside_of_the_policy_s_directory(self) -> None:
        assert judged("memory", mode=MODE_LINK, policy=Policy(prefix="sub/")) == []

    def test_a_run_bit_is_a_warning_once(self) -> None:
        (found,) = judged("memory/x.md", mode=MODE_EXECUTABLE)
        assert found.severity == "warn"
        assert judged("memory/x.md", mode=MODE_EXECUTABLE, old=MODE_EXECUTABLE) == []
        assert judged("scripts/x.sh", mode=MODE_EXECUTABLE) == []

    def test_a_deletion_is_none_of_it(self) -> None:
        changes = (
            PathChange(RepoPath("memory/-x.md"), MODE_FILE, Oid("1" * 40), 0, Oid("")),
            PathChange(RepoPath("docs/x.md"), 0, Oid(""), MODE_FILE, Oid("2" * 40)),
        )
        assert judge(Scene(paths=changes), {"HG409"}) == []
        assert judged("memory/-x\u200b.md", mode=0, old=MODE_LINK) == []


class TestNames:
    @pytest.mark.parametrize(
        "path",
        ["memory/a\tb.md", "docs/a\nb.txt", "src/a\u200bb.py", "memory/a\u202eb.md", "memory/a\u200eb.md", "memory/a\x1bb.md", "memory/-rf.md", "-notes.md",
         "memory/--output=x.md", "memory/x.md.", "memory /x.md", "memory/ x.md", "memory/../x.md", ".g\u200cit/config", "sub/.GIT/config", "a/git~1/x", ".git./x",
         "a\\b/.git /x", "MEM\u200cORY.md", "MEM\u041eRY.md", "\uff2dEMORY.md", "m\u0435mory/x.md", "SO\u200bUL.md", ".h\u043eard.yaml", "memory\\x.md",
         "MEMORY.md ", "MEMORY.md.", "MEMORY.md..", "MEMORY.md\u00a0", "\u3000MEMORY.md", "MEMORY\u2003.md", " SOUL.md", "docs/MEMORY.md ", ".hoard.yaml ", ".gitattributes.",
         "MEM0RY.md", "mem0ry/x.md", "S0UL.md", "U5ER.md", "T00LS.md", "w1ki/x.md", "MEM\u039f0RY.md", "rnemory/x.md", "-rf", "--help", "-x/y.py", "-notes.txt",
         "memory/t\u0435am.md", "memory/te\u0430m notes.md", "docs/t\u0435am.md", "memory/p\u03bfpe.md", "memory/\u0570ome.md", "memory/\u13dfash.md"],
    )  # fmt: skip
    def test_odd_names(self, path: str) -> None:
        found = judged(path)
        assert {finding.severity for finding in found} == {"error"}
        assert all(finding.message.isascii() and finding.message.isprintable() for finding in found)

    @pytest.mark.parametrize(
        "path",
        ["memory/r\u00e9sum\u00e9.md", "memory/\u65e5\u8bb0 2026.md", "memory/2026-06-01.md", "docs/-x.txt", "README.md", "\u0447\u0438\u0442\u0430\u0439.md",
         "memory/\U0001f4a1\ufe0f idea.md", ".github/x.yml", ".gitignore", "a.git/x", "memory/v1.2 notes.md", "..hidden",
         "memory/\u043a\u043e\u043c\u0430\u043d\u0434\u0430.md", "memory/\u043e\u0442\u0447\u0451\u0442_v2.md", "memory/\u0418\u0422-team.md", "memory/\u03bcs budget.md", "hoard.yaml", "mem0.md", "memory/agent5.md", "AGENT5.md",
         "memories/x.md", "docs/-rf/x", "memory/2026-06-01 notes.md", "memory/caf\u00e9 \u65e5\u8bb0.md", "src/v1.2.", "memory/\u0391\u03b8\u03ae\u03bd\u03b1.md"],
    )  # fmt: skip
    def test_names_that_are_fine(self, path: str) -> None:
        assert judged(path) == []

    def test_an_old_odd_name_is_not_new(self) -> None:
        assert judged("memory/-x.md", old=MODE_FILE) == []


class TestTwins:
    @pytest.mark.parametrize(
        ("new", "old"),
        [
            ("memory.MD", "MEMORY.md"),
            ("Memory/x.md", "memory/x.md"),
            ("Memory/y.md", "memory/x.md"),
            ("memory/Caf\u00e9.md", "memory/cafe\u0301.md"),
            ("memory/x.md", "memory/X.md"),
            ("Soul.md", "SOUL.md"),
        ],
    )
    def test_one_name_on_other_systems(self, new: str, old: str) -> None:
        assert [finding.severity for finding in judged(new, tree=[old])] == ["error"]

    def test_twins_elsewhere_are_the_user_s_business(self) -> None:
        assert judged("docs/A.txt", tree=["docs/a.txt"]) == []

    def test_a_lone_spelling_is_no_twin(self) -> None:
        assert judged("memory/New.md", tree=["memory/old.md", "MEMORY.md"]) == []

    def test_files_as_they_stand(self) -> None:
        assert len(judged("MEMORY.md", "memory.md", change=False)) == 2
        assert judged("MEMORY.md", "memory/x.md", change=False) == []


class TestAttributes:
    @pytest.mark.parametrize(
        "line",
        ["MEMORY.md -diff", "*.md binary", "* -diff", "memory/** filter=x", "/memory/*.md working-tree-encoding=UTF-16", "memory/x.md ident", "MEMORY.md linguist-generated",
         "*.md linguist-generated=true", "memory/*.md merge=ours", "memory/2026-*.md merge=union", "*.md -merge", '"MEMORY.md" -diff', "[Mm]EMORY.md\t-diff", "M*.md diff=hide",
         "[attr]hidden -diff", "memory/**/deep.md binary", "MEMORY.m[!x] -diff", "[z-a].md -diff", "?EMORY.md gitlab-generated"],
    )  # fmt: skip
    def test_tricks_on_memory_paths(self, line: str) -> None:
        (found,) = attributes(line + "\n")
        assert (found.severity, found.path, found.line) == ("error", ".gitattributes", 1)

    @pytest.mark.parametrize(
        "line",
        ["# *.md -diff", "", "*.png binary", "* text=auto", "*.md text eol=lf", "MEMORY.md merge=hoard", "*.md diff=markdown", "src/** linguist-generated",
         "*.md linguist-generated=false", "docs/*.md -diff", "[attr]notes text", "*.md working-tree-encoding=UTF-8", "MEMORY.md"],
    )  # fmt: skip
    def test_ordinary_attributes(self, line: str) -> None:
        assert attributes(line + "\n") == []

    def test_a_file_in_a_folder_speaks_of_that_folder(self) -> None:
        assert attributes("*.md -diff\n", "memory/.gitattributes")
        assert attributes("*.md -diff\n", "docs/.gitattributes") == []
        assert attributes("x.md -diff\n", "memory/.gitattributes")

    def test_only_new_lines(self) -> None:
        file = FileView(".gitattributes", "attributes", parse(b"*.md -diff\n*.png binary\n"), None, frozenset({2}))
        assert judge(Scene(files=(file,)), {"HG409"}) == []
