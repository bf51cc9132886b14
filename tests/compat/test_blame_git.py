"""Line attribution is git's own: on random histories, and by construction where git loses the origin."""

from __future__ import annotations

import random

import pytest

from hoard_git.core.linediff import diff_lines
from tests.app.history_repos import Importer, Life, block, git_blame, linear, memory, origins, sentence
from tests.support.repo import Repo

PATHS = ("MEMORY.md", "memory/side.md")


def _differing(repo: Repo, path: str) -> list[int]:
    ours = origins(repo, path)
    within, between = git_blame(repo, path, "-M"), git_blame(repo, path, "-C", "-C", "-C")
    assert len(ours) == len(within)
    return [n for n, line in enumerate(ours) if line not in (within[n], between[n])]


@pytest.mark.parametrize("seed", range(4))
def test_every_line_is_attributed_as_git_does(repo: Repo, seed: int) -> None:
    linear(repo, 80, seed, ids=seed % 2 == 0)
    rows = {path: repo.show("HEAD", path).decode().split("\n") for path in PATHS}
    lost = [rows[path][n] for path in PATHS for n in _differing(repo, path)]
    # What is left are lines too short for git to follow: 40 letters and digits between files.
    assert all(sum(c.isalnum() for c in line) <= 40 for line in lost), lost
    assert len(lost) <= 3


@pytest.mark.parametrize("seed", [3, 5, 7])
def test_merges_too(repo: Repo, seed: int) -> None:
    chance, importer = random.Random(seed), Importer(repo)
    life = Life(seed)
    top = importer.commit(life.texts())
    for round_ in range(12):
        life.step()
        one = importer.commit({"MEMORY.md": life.texts()["MEMORY.md"]}, "main", [top])
        side = [f"- {sentence(chance)}" for _ in range(3)]
        two = importer.commit({f"memory/n{round_}.md": memory("\n".join(side) + "\n")}, "side", [top])
        top = importer.commit({f"memory/n{round_}.md": memory("\n".join(side) + "\n")}, "main", [one, two])
    importer.finish()
    assert _differing(repo, "MEMORY.md") == []
    assert all(_differing(repo, f"memory/n{n}.md") == [] for n in range(12))


def test_a_reworded_block_keeps_its_other_lines_when_it_moves_to_a_file(repo: Repo) -> None:
    text = block("Deploys", "Deploys run at noon.", "Tokens rotate monthly.", "Ada signs them.")
    root = repo.commit("root", {"MEMORY.md": memory(block("Garden", "Tomatoes."), text)})
    moved = repo.commit(
        "offload", {"MEMORY.md": memory(block("Garden", "Tomatoes.")), "memory/d.md": memory(text.replace("monthly", "weekly"))}
    )
    rows = repo.read("memory/d.md").split("\n")
    found = dict(zip(rows, origins(repo, "memory/d.md"), strict=False))
    assert found["- Deploys run at noon."] == found["- Ada signs them."] == root
    assert found["- Tokens rotate weekly."] == moved
    git = dict(zip(rows, git_blame(repo, "memory/d.md", "-C", "-C", "-C"), strict=False))
    assert git["- Ada signs them."] == moved  # git follows no run of 40 letters and digits or fewer


def test_a_short_block_that_moves_within_its_file_keeps_its_origin(repo: Repo) -> None:
    note = "## Short <!-- src:agent ts:2026-06-05 -->\n\n- Tea.\n\n"
    long = "".join(block(f"Block {n}", f"The quite long line number {n} of this file.") for n in range(4))
    root = repo.commit("root", {"MEMORY.md": memory(note, long)})
    repo.commit("move", {"MEMORY.md": memory(long, note)})
    found = dict(zip(repo.read("MEMORY.md").split("\n"), origins(repo, "MEMORY.md"), strict=False))
    assert found["- Tea."] == root


def test_crlf_unicode_and_a_missing_newline(repo: Repo) -> None:
    one = "# M\r\n\r\n- eins zwei drei vier\r\n- \u4e2d\u6587\u4e00\u4e8c\u4e09\r\n"
    repo.commit("one", {"MEMORY.md": one})
    repo.commit("two", {"MEMORY.md": one + "- last line without end"})
    repo.commit("three", {"MEMORY.md": one + "- last line without end\n- and another one\n"})
    assert _differing(repo, "MEMORY.md") == []


def test_the_diff_is_gits_own(repo: Repo) -> None:
    chance = random.Random(11)
    lines = ["", "## h", "- a", "- b", "  sub", "---", "- c", "text"]
    for number in range(60):
        before = [chance.choice(lines) for _ in range(chance.randrange(1, 40))]
        after = list(before)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(after) + 1)
            after[at : at + chance.randrange(3)] = [chance.choice(lines) for _ in range(chance.randrange(4))]
        repo.write("a", "".join(f"{line}\n" for line in before))
        repo.write("b", "".join(f"{line}\n" for line in after))
        out = repo.git("diff", "--no-index", "-U0", "--no-color", "a", "b", check=False).stdout.decode()
        hunks = []
        for line in out.split("\n"):
            if line.startswith("@@"):
                pairs = [[int(v) for v in part[1:].split(",")] for part in line.split(" ")[1:3]]
                spans = [(p[0] - 1, p[0]) if len(p) == 1 else (p[0], p[0]) if p[1] == 0 else (p[0] - 1, p[0] - 1 + p[1]) for p in pairs]
                hunks.append((*spans[0], *spans[1]))
        assert diff_lines(before, after) == hunks, number


def test_a_new_block_is_no_copy_of_its_twins(repo: Repo) -> None:
    done = "- owner: the people of the lab\n- completed: 2026-02-27\n"
    old = "".join(f"### Done {n}\n{done}- result number {n}\n\n" for n in range(3))
    fresh = f"### Ready now\n{done}- quite another result\n"
    repo.commit("root", {"MEMORY.md": "# Board\n\n### Ready now\n- owner: the people of the lab\n- priority: P0\n\n" + old})
    repo.commit("done", {"MEMORY.md": "# Board\n\n" + old + fresh})
    assert _differing(repo, "MEMORY.md") == []


def test_a_short_line_stays_whose_it_was_when_only_its_neighbour_changes(repo: Repo) -> None:
    """git looks back from today's lines: an edit beside a line takes the line itself from its author and gives it to who moved it."""

    def board(*order: str, touched: str = "2026-02-27") -> str:
        tasks = {
            "lab": f"- created: 2026-02-27\n- touched: {touched}\n\n",
            "desk": "A paragraph that stays where it is, with words enough for any diff.\n\n",
            "yard": "Another one, which stays as well, and which says something else.\n\n",
        }
        return "# Board\n\n" + "".join(tasks[name] for name in order)

    written = repo.commit("write", {"MEMORY.md": board("lab", "desk", "yard")})
    repo.commit("move", {"MEMORY.md": board("desk", "yard", "lab")})
    number = repo.read("MEMORY.md").split("\n").index("- created: 2026-02-27")
    assert git_blame(repo, "MEMORY.md", "-M")[number] == origins(repo, "MEMORY.md")[number] == written
    repo.commit("edit the line below", {"MEMORY.md": board("desk", "yard", "lab", touched="2026-03-13")})
    assert git_blame(repo, "MEMORY.md", "-M")[number] == repo.line("rev-parse", "HEAD~1")  # who only moved it
    assert origins(repo, "MEMORY.md")[number] == written
