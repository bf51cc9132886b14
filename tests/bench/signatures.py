"""How fast commits are proved: `python tests/bench/signatures.py [COMMITS]`, each engine over one range of signed commits."""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hoard_git.app.proof import Proofs
from hoard_git.core.policy import ActorRule, Policy
from hoard_git.gitio import signatures
from hoard_git.gitio.opening import open_reader
from tests.bench.timing import measure, table
from tests.support.environment import hermetic_environment
from tests.support.repo import Repo
from tests.support.signing import SshKey, make_key, put_signature, sshsig


def build(repo: Repo, key: SshKey, commits: int) -> None:
    """A line of signed commits, all of one tree; written as raw objects in one go."""
    tree = repo.git("mktree", input=b"").stdout.decode().strip()
    parent = ""
    for number in range(commits):
        above = f"parent {parent}\n" if parent else ""
        when = 1_780_000_000 + number
        people = f"author Ada <ada@example.org> {when} +0000\ncommitter Ada <ada@example.org> {when} +0000\n"
        raw = f"tree {tree}\n{above}{people}\nChange {number}\n".encode()
        signed = put_signature(raw, sshsig(key, raw))
        parent = repo.git("hash-object", "-t", "commit", "-w", "--stdin", input=signed).stdout.decode().strip()
    repo.git("update-ref", "HEAD", parent)


def prove(repo: Repo, key: SshKey, engine: str) -> None:
    """Prove every commit, reading included."""
    signatures._has_library = lambda: engine == "library"
    reader = open_reader(str(repo.path), batch=True)
    oids = reader.rev_list(["HEAD"], [])
    policy = Policy(authority="signature", actors=(ActorRule("Ada", "human", ("ada@example.org",), (key.line,)),))
    proofs = Proofs(reader, oids)
    if {proofs.actor(info, policy).kind for info in reader.commits(oids)} != {"human"}:
        message = f"{engine} did not prove the signatures"
        raise RuntimeError(message)


def main() -> None:
    commits = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    engines = {"program": "`ssh-keygen`"}
    if importlib.util.find_spec("cryptography"):
        engines = {"library": "the package `cryptography`", **engines}
    else:
        print("Not measured here: the package cryptography.\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ.update(hermetic_environment(folder))
        cases: dict[tuple[str, str], Callable[[], None]] = {}
        for kind, bits in (("ed25519", ""), ("rsa", "3072")):
            key = make_key(folder, kind, kind, bits)
            repo = Repo.create(folder / f"repo-{kind}")
            build(repo, key, commits)
            cases |= {(f"{kind} {bits}".strip(), engine): partial(prove, repo, key, engine) for engine in engines}
        found = measure(3, cases, warm=False)
    rows = [
        [kind, engines[engine], f"{commits / one.wall:,.0f}", f"{commits / one.processor:,.0f}"] for (kind, engine), one in found.items()
    ]
    print(f"{commits:,} commits that are signed alone, medians of 3 rounds:\n")
    print(table(["key", "checked by", "commits a second", "of processor time"], rows))


if __name__ == "__main__":
    main()
