"""The pages hang together: all are in the index, every link leads somewhere, and the architecture's picture is what the contracts say."""

from __future__ import annotations

import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from hoard_git.core.slugs import slug
from tests.support.environment import ROOT

DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", *DOCS.rglob("*.md")])
RULES = DOCS / "reference/rules"  # their examples hold links that are meant to be broken
PICTURE = DOCS / "explanation/architecture.md"


def links(page: Path) -> list[str]:
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return [target for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]


def test_the_index_names_every_page() -> None:
    named = {(DOCS / target.partition("#")[0]).resolve() for target in links(DOCS / "index.md")}
    wanted = {page for page in DOCS.rglob("*.md") if page.parent != RULES} - {DOCS / "index.md"}
    assert wanted - named == set()


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent != RULES], ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in links(page):
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), target
        if anchor:
            titles = re.findall(r"^#{1,6} (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {slug(title) for title in titles}, target


def test_the_picture_is_what_the_contract_says() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    layers = [layer.split(" | ") for layer in contracts[0]["layers"]]
    allowed = {(upper, lower) for above, below in pairwise(layers) for upper in above for lower in below}
    (chart,) = re.findall(r"^```mermaid\n(.*?)^```$", PICTURE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"^ *(\w+) --> (\w+)$", chart, re.MULTILINE)) == allowed
    assert set(re.findall(r"^ *(\w+)\[", chart, re.MULTILINE)) == {name for layer in layers for name in layer}


def test_the_page_names_every_room_and_no_other() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    rooms = {path.parent.relative_to(ROOT / "hoard_git").as_posix() for path in (ROOT / "hoard_git").glob("*/*/__init__.py")}
    assert set(re.findall(r"^\| `([a-z]+/[a-z]+)/` \|", text, re.MULTILINE)) == rooms


def test_every_module_that_the_page_names_exists() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    named = {
        (layer, module)
        for layer, module in re.findall(r"\b(core|gitio|lint|app|cli)\.([a-z]+)\b", text)
        if (layer, module) != ("core", "md")
    }
    lost = {name for name in named if not (ROOT / "hoard_git" / name[0] / f"{name[1]}.py").exists()}
    assert {name for name in lost if not (ROOT / "hoard_git" / name[0] / name[1] / "__init__.py").exists()} == set()
    assert len(named) > 10


def test_figures_that_are_said_again_are_those_that_were_measured() -> None:
    pages = {
        name: (DOCS / f"explanation/{name}.md").read_text(encoding="utf-8")
        for name in ("limits", "comparison", "measurements", "poisoning-matrix")
    }
    ((signed, without),) = re.findall(r"blocks (\d+) of \d+ [^*]*without signatures it blocks (\d+)\.", pages["poisoning-matrix"])
    assert (int(signed) - int(without), " five that forge" in pages["limits"]) == (5, True)
    for name in ("gitleaks", "betterleaks"):
        recall = re.findall(rf"^\| {name} \| [^|]* \| 0\.(\d\d\d) \|", pages["measurements"], re.MULTILINE)
        one, other = (f"{(int(value) + 5) // 10} %" for value in recall)
        assert f"{name} {'found ' * (name == 'gitleaks')}{one} and {other}" in pages["comparison"]
