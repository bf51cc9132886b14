"""How fast commits are proved: `python tests/bench/signatures.py [COMMITS]`, each engine over one range of signed commits."""

from __future__ import annotations

import importlib.util
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hoard_git.app.proof import Proofs
from hoard_git.core.policy import ActorRule, Policy
from hoard_git.gitio import signatures
from hoard_git.gitio.opening import open_reader
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


def measure(repo: Repo, key: SshKey, engine: str) -> float:
    """Commits a second, reading included."""
    signatures._has_library = lambda: engine == "library"
    reader = open_reader(str(repo.path), batch=True)
    oids = reader.rev_list(["HEAD"], [])
    policy = Policy(authority="signature", actors=(ActorRule("Ada", "human", ("ada@example.org",), (key.line,)),))
    start = time.perf_counter()
    proofs = Proofs(reader, oids)
    kinds = {proofs.actor(info, policy).kind for info in reader.commits(oids)}
    assert kinds == {"human"}
    return len(oids) / (time.perf_counter() - start)


def main() -> None:
    commits = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ.update(hermetic_environment(folder))
        for kind, bits in (("ed25519", ""), ("rsa", "3072")):
            key = make_key(folder, kind, kind, bits)
            repo = Repo.create(folder / f"repo-{kind}")
            build(repo, key, commits)
            for engine in (["library"] if importlib.util.find_spec("cryptography") else []) + ["program"]:
                figure = statistics.median(measure(repo, key, engine) for _ in range(3))
                print(f"{kind:8} {engine:8} {figure:8.0f} commits/s over {commits}")


if __name__ == "__main__":
    main()
