from __future__ import annotations

from collections.abc import Sequence

from hoard_git.core.model import Finding
from hoard_git.lint.scene import FileView, NoLookup
from tests.support.scenes import Files, change_scene, findings, state_scene, view


def tag(name: str = "k3f9q2") -> str:
    return f"<!-- src:agent ts:2026-06-01 id:{name} -->"


def places(found: list[Finding]) -> list[tuple[str, int, str]]:
    return [(f.path, f.line, f.message) for f in found]


def state(files: Files) -> list[tuple[str, int, str]]:
    return places(findings(state_scene(files), "HG107"))


class Rest(NoLookup):
    """A tree with one more file than the change touches."""

    def __init__(self, path: str, text: str) -> None:
        self.file = view(path, text)

    def views_with(self, needles: Sequence[str]) -> list[FileView]:
        text = "\n".join(self.file.document.lines)
        return [self.file] if any(needle in text for needle in needles) else []


def test_twice_in_a_file() -> None:
    assert state({"MEMORY.md": f"- a {tag()}\n- b {tag()}\n- c {tag()}\n"}) == [
        ("MEMORY.md", 2, "id:k3f9q2 already stands at line 1"),
        ("MEMORY.md", 3, "id:k3f9q2 already stands at line 1"),
    ]


def test_a_heading_and_an_entry() -> None:
    assert len(state({"MEMORY.md": f"## A {tag()}\n- b {tag()}\n"})) == 1


def test_in_two_files() -> None:
    assert state({"MEMORY.md": f"- a {tag()}\n", "memory/b.md": f"\n- b {tag()}\n"}) == [
        ("memory/b.md", 2, "id:k3f9q2 already stands at MEMORY.md:1")
    ]


def test_in_a_file_that_the_change_does_not_touch() -> None:
    rest = Rest("memory/archive/2026-06-01.md", f"# X\n- b {tag()}\n")
    scene = change_scene({"MEMORY.md": ""}, {"MEMORY.md": f"- a {tag()}\n"}, lookup=rest)
    assert places(findings(scene, "HG107")) == [("MEMORY.md", 1, "id:k3f9q2 already stands at memory/archive/2026-06-01.md:2")]
    other = change_scene({"MEMORY.md": ""}, {"MEMORY.md": f"- a {tag('p7w2m4')}\n"}, lookup=rest)
    assert findings(other, "HG107") == []


def test_in_front_matter_of_a_file_that_the_change_does_not_touch() -> None:
    rest = Rest("wiki/b.md", "---\nsrc: agent\nts: 2026-06-01\nid: k3f9q2\n---\ntext\n")
    scene = change_scene({"MEMORY.md": ""}, {"MEMORY.md": f"- a {tag()}\n"}, lookup=rest)
    assert places(findings(scene, "HG107")) == [("MEMORY.md", 1, "id:k3f9q2 already stands at wiki/b.md:4")]


def test_the_id_as_mere_text_elsewhere_is_no_second_place() -> None:
    rest = Rest("memory/b.md", "- see k3f9q2\n- `id:k3f9q2`\n")
    scene = change_scene({"MEMORY.md": ""}, {"MEMORY.md": f"- a {tag()}\n"}, lookup=rest)
    assert findings(scene, "HG107") == []


def test_a_move_is_no_copy() -> None:
    entry = f"- a {tag()}\n"
    assert findings(change_scene({"MEMORY.md": entry}, {"memory/archive/2026-06-02.md": entry}), "HG107") == []
    assert findings(change_scene({"MEMORY.md": entry, "memory/b.md": ""}, {"MEMORY.md": "", "memory/b.md": entry}), "HG107") == []


def test_the_copy_is_reported_not_the_original() -> None:
    scene = change_scene({"MEMORY.md": f"- b {tag()}\n"}, {"MEMORY.md": f"- a {tag()}\n- b {tag()}\n"})
    assert places(findings(scene, "HG107")) == [("MEMORY.md", 1, "id:k3f9q2 already stands at line 2")]


def test_old_twins_are_not_judged() -> None:
    before = f"- a {tag()}\n- b {tag()}\n"
    assert findings(change_scene({"MEMORY.md": before}, {"MEMORY.md": before + f"- c {tag('p7w2m4')}\n"}), "HG107") == []


def test_front_matter_and_the_first_heading_both_name_the_file() -> None:
    page = f"---\nsrc: agent\nts: 2026-06-01\nid: k3f9q2\n---\n# A {tag()}\ntext\n"
    assert state({"wiki/a.md": page}) == []
    assert len(state({"wiki/a.md": page + f"\n- b {tag()}\n"})) == 1


def test_the_rows_of_a_table_share_its_tag() -> None:
    assert state({"MEMORY.md": f"{tag()}\n| a |\n|---|\n| 1 |\n| 2 |\n"}) == []


def test_ids_in_code_and_in_comments_of_others() -> None:
    assert state({"MEMORY.md": f"- a {tag()}\n- `{tag()}`\n- b <!-- id:k3f9q2 -->\n\n```\n{tag()}\n```\n"}) == []


def test_different_ids() -> None:
    assert state({"MEMORY.md": f"- a {tag()}\n- b {tag('k3f9q3')}\n- c <!-- src:agent ts:2026-06-01 -->\n"}) == []


def test_thousands_of_ids_take_linear_time() -> None:
    files = {f"memory/f{n}.md": "".join(f"- a {tag(f'a{n:03}b{m:03}')}\n" for m in range(100)) for n in range(60)}
    assert state(files) == []


def test_files_of_no_class_have_no_ids() -> None:
    assert state({"MEMORY.md": f"- a {tag()}\n", "memory/notes.txt": f"- a {tag()}\n"}) == []
