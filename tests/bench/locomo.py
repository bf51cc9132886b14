"""How often the turn that answers a question is among the first hits: LoCoMo, with and without vectors.

    python tests/bench/locomo.py PATH/locomo10.json [--vectors]

The data (snap-research/LoCoMo, CC BY-NC 4.0) is not part of this repository. Each of its ten conversations becomes a workspace of one file a
session, one list item a turn, `speaker: text [photo: caption]`, and is searched by `hoard_git.app.recall`. A hit is any turn that the data names as
evidence. Turns carry no source and no date of their own, so trust and age decide nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "2")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hoard_git.app.clock import read_days
from hoard_git.app.recall import Wish, search
from hoard_git.app.vectors import VectorFinder, open_finder
from hoard_git.gitio.plumbing import PlumbingReader


class FindersOf:
    """The same finder under every policy."""

    def __init__(self, finder: VectorFinder) -> None:
        self.finder = finder

    def __call__(self, _policy: object) -> VectorFinder:
        return self.finder


def write_conversation(root: Path, conversation: dict[str, Any]) -> dict[tuple[str, int], str]:
    """Write one file a session; returns the turn of every line."""
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / "memory").mkdir()
    turns: dict[tuple[str, int], str] = {}
    for name in sorted(name for name in conversation if re.fullmatch(r"session_\d+", name)):
        lines = []
        for turn in conversation[name]:
            photo = f" [photo: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
            text = " ".join(f"{turn['speaker']}: {turn['text']}{photo}".split())
            lines.append(f"- {text}")
            turns[f"memory/{name}.md", len(lines)] = turn["dia_id"]
        (root / f"memory/{name}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return turns


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    options.add_argument("data", type=Path)
    options.add_argument("--vectors", action="store_true")
    asked = options.parse_args()
    asked_all = found_all = asked_four = found_four = ten = 0
    spent: list[float] = []
    for conversation in json.loads(asked.data.read_text(encoding="utf-8")):
        with tempfile.TemporaryDirectory() as folder:
            turns = write_conversation(Path(folder), conversation["conversation"])
            known = set(turns.values())
            finder = open_finder(PlumbingReader(folder), "use", "", os.environ) if asked.vectors else VectorFinder(None)
            for question in conversation["qa"]:
                evidence = {turn for text in question["evidence"] for turn in re.findall(r"D\d+:\d+", text)} & known
                if not evidence:
                    continue
                start = time.perf_counter()
                answer = search(
                    PlumbingReader(folder),
                    Wish(question["question"]),
                    lambda p: read_days(p, "2026-06-15", {}),
                    10,
                    finder_for=FindersOf(finder),
                )
                spent.append(time.perf_counter() - start)
                hits = [turns.get((hit.path, hit.line), "") for hit in answer.hits]
                asked_all += 1
                found_all += bool(evidence.intersection(hits[:5]))
                ten += bool(evidence.intersection(hits))
                if question["category"] != 5:
                    asked_four += 1
                    found_four += bool(evidence.intersection(hits[:5]))
    spent.sort()
    print(
        f"vectors {'on' if asked.vectors else 'off'}: {asked_all} questions, hit@5 {found_all / asked_all:.3f}, hit@10 {ten / asked_all:.3f}"
    )
    print(f"categories 1 to 4: {asked_four} questions, hit@5 {found_four / asked_four:.3f}")
    print(
        f"a question, sync included: median {spent[len(spent) // 2] * 1000:.0f} ms, 95 % below {spent[len(spent) * 95 // 100] * 1000:.0f} ms"
    )


if __name__ == "__main__":
    main()
