"""No history command prints a credential that stands in memory, in whatever layout, or any part of one."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from hoard_git.app.history import with_index
from hoard_git.cli.main import main
from hoard_git.cli.render.masking import Sheet, View, row_keys
from hoard_git.cli.render.versions import Versions
from hoard_git.gitio.blockindex import BlockIndex
from hoard_git.gitio.plumbing import PlumbingReader
from tests.app.history_repos import AGENT, heading, memory
from tests.cli.render.leaks import Layout, layouts, leaked
from tests.support.repo import Workspace

NAMES = [layout.name for layout in layouts("one")]
HARMLESS = "- The corridor has a printer.\n"
Run = Callable[..., str]


def content(layout: Layout, *, title: str = "Access", extra: str = "") -> str:
    return memory(f"{heading(title, name='acc' + layout.name[:3])}\n\n{layout.text}\n\n", heading("Rest") + "\n\n" + HARMLESS + extra)


@pytest.fixture(scope="module")
def leaky(workspace_template: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Every layout in a file of its own: written, changed in its values only, renamed, half and wholly removed, and one changed on disk."""
    workspace = Workspace.copy(workspace_template, tmp_path_factory.mktemp("leaky") / "workspace")
    first, second, third = layouts("one"), layouts("two"), layouts("three")
    workspace.commit("Write\n", {f"memory/{one.name}.md": content(one) for one in first}, author=AGENT)
    workspace.commit("Change\n", {f"memory/{one.name}.md": content(one) for one in second}, author=AGENT)
    workspace.commit("Rename\n", {f"memory/{one.name}.md": content(one, title="Ways in") for one in second}, author=AGENT)
    moved = {f"memory/kept-{one.name}.md": content(one, title="Ways in", extra="- More.\n") for one in second}
    gone: dict[str, str | None] = {f"memory/{one.name}.md": None for one in second}
    workspace.commit("Move\n", {**gone, **moved}, author=AGENT)
    workspace.commit("Remove\n", {f"memory/kept-{one.name}.md": memory(heading("Rest"), "\n\n", HARMLESS) for one in second}, author=AGENT)
    workspace.commit("Again\n", {f"memory/{one.name}.md": content(one) for one in third}, author=AGENT)
    for one in layouts("four"):
        workspace.write(f"memory/{one.name}.md", content(one))
    return workspace


ALL = [value for seed in ("one", "two", "three", "four") for layout in layouts(seed) for value in layout.values]


@pytest.fixture
def said(leaky: Workspace, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a command in the workspace and return what it prints, on both streams."""

    def run(*words: str) -> str:
        status = main(["-C", str(leaky.path), *words])
        out = "".join(capfd.readouterr())
        assert status in (0, 1, 2), out
        return out

    return run


@pytest.mark.parametrize(
    ("words", "masked"),
    [
        (("log",), True),
        (("log", "--json"), True),
        (("log", "--format", "agent-trace"), False),
        (("log", "-n", "3", "--json"), True),
        (("diff",), True),
        (("diff", "--json"), True),
        (("diff", "HEAD~6..HEAD~5"), True),
        (("diff", "HEAD~6..HEAD"), True),
        (("diff", "HEAD~5..HEAD~4", "--json"), True),
        (("diff", "--at", "HEAD~1"), True),
        (("diff", "--at", "HEAD~2"), False),
        (("why", "password", "-n", "50"), True),
        (("why", "key", "-n", "50", "--json"), True),
        (("show", "Access"), False),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_of_everything_at_once(said: Run, words: tuple[str, ...], masked: bool) -> None:
    out = said(*words)
    assert leaked(out, tuple(ALL)) == []
    assert ("\u2026(" in out or "\\u2026(" in out) is masked


def test_what_is_no_secret_is_shown_as_it_is(said: Run) -> None:
    shown = said("log", "memory/kept-table.md")
    for text in ("| wiki | none yet | asked twice |", "| ask Ada |", "- More."):
        assert text in shown
    blamed = said("blame", "memory/long-entry.md", "--at", "HEAD")
    assert "(16 characters) is what the printer in the long corridor wants to hear before it prints anything at all" in blamed


def test_a_trace_has_no_hash_of_a_secret(leaky: Workspace, said: Run) -> None:
    records = [json.loads(line) for line in said("log", "--format", "agent-trace", "memory/inline.md").splitlines()]
    ranges = [found for record in records for file in record["files"] for talk in file["conversations"] for found in talk["ranges"]]
    lines = content(next(layout for layout in layouts("one") if layout.name == "inline")).split("\n")
    secret = 1 + next(number for number, line in enumerate(lines) if "pushes to the mirror" in line)
    assert {found["start_line"]: "content_hash" in found for found in ranges}[secret] is False
    assert any("content_hash" in found for found in ranges)


def test_only_what_is_not_known_to_be_clean_is_read_again(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = PlumbingReader(str(workspace.path))

    def look(index: BlockIndex) -> View:
        return Versions(reader, index).of(workspace.head())

    with_index(reader, look)
    monkeypatch.setattr(PlumbingReader, "git", None)
    view = with_index(PlumbingReader(str(workspace.path)), lambda index: Versions(reader, index).of(index.tip))
    assert view.hide("- Answers are short and in English.") == "- Answers are short and in English."


def test_slugs_of_headings(workspace: Workspace, capfd: pytest.CaptureFixture[str]) -> None:
    token = "gh" + "p_" + "aZq8bX4c" * 4 + "kR7t"
    workspace.commit("Leak\n", {"memory/h.md": memory(heading(f"The token is {token}") + "\n\n- Keep it.\n")}, author=AGENT)
    for words in (("blame", "memory/h.md", "--json"), ("show", f"memory/h.md#the-token-is-{token.lower()}"), ("log", "memory/h.md")):
        assert main(["-C", str(workspace.path), *words]) == 0
        out = "".join(capfd.readouterr())
        assert leaked(out.lower(), (token.lower(),)) == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "words",
    [
        ("blame", "{path}"),
        ("blame", "{path}", "--json"),
        ("blame", "{path}", "--at", "HEAD"),
        ("blame", "{path}", "-L", "6,7"),
        ("blame", "{path}", "-L", "8,20", "--json", "--at", "HEAD~5"),
        ("log", "{path}"),
        ("show", "{path}#access"),
        ("show", "{path}#access", "--json"),
        ("show", "acc{short}", "--at", "HEAD~1"),
        ("show", "acc{short}", "--at", "HEAD~1", "--json"),
        ("why", "acc{short}"),
        ("why", "acc{short}", "--json"),
        ("restore", "acc{short}", "--list"),
        ("restore", "acc{short}", "--list", "--json"),
        ("restore", "acc{short}", "--from", "HEAD~5", "--list"),
        ("log", "--text", "{value}"),
        ("why", "--text", "{value}"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else words,
)
def test_of_one_block(said: Run, name: str, words: tuple[str, ...]) -> None:
    layout = next(layout for layout in layouts("two") if layout.name == name)
    value = layout.values[0][:7]  # who asks for words that hold a value has it already
    out = said(*(word.format(path=f"memory/{name}.md", short=name[:3], value=value) for word in words))
    assert leaked(out, tuple(ALL)) == []


@pytest.mark.parametrize("name", NAMES)
def test_one_line_alone_is_masked_as_in_the_whole_file(name: str) -> None:
    layout = next(layout for layout in layouts("far") if layout.name == name)
    padding = ["- The corridor has a printer that nobody uses any more."] * 40
    lines = [*padding, *layout.lines, *padding]
    whole = Sheet(lines)
    assert whole.scan()
    for number, line in enumerate(lines, 1):
        part = Sheet(lines)
        part.look([row_keys(line)])
        assert part.line(number) == whole.line(number)


def test_the_word_that_a_key_begins_with_is_no_secret(workspace: Workspace, capfd: pytest.CaptureFixture[str]) -> None:
    """Keys begin with the name of who gave them, which headings have as well; a name with a mask in it could not be typed."""
    key = "acmebook_sk_" + "".join("aB3dE5fG7hJ9"[n * 7 % 12] for n in range(32))
    workspace.write("MEMORY.md", f"# Memory\n\n## acmebook {heading('')[3:]}\n\n- **API Key:** {key}\n- acmebook has posts\n")
    workspace.git("commit", "-qnam", "Found")
    for words in (("show", "MEMORY.md#acmebook"), ("search", "--json", "acmebook posts"), ("log",)):
        main(["-C", str(workspace.path), *words])
        shown = capfd.readouterr().out
        assert "acmebook" in shown
        assert "#\u2026" not in shown
        assert "#\\u2026" not in shown
        assert key[12:] not in shown
        assert key[12:24] not in shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("acmebook", "acmebook"),
        ("acmebook 7Hq2kd81", "\u2026 \u2026"),
        ("about 7Hq2kd81", "about \u2026"),
        ("acmebook and what follo\u2026", "\u2026 and what\u2026"),
    ],
)
def test_a_word_of_a_key_is_hidden_beside_another_piece_of_it(text: str, shown: str) -> None:
    sheet = Sheet([f"- API key: acmebook_sk_7Hq2kd81_{'9xKd3mPq' * 3}"])
    assert sheet.scan()
    assert View([sheet]).title(text) == shown
