"""What the tests of proofs share: what a range of commits is told, and a commit that is signed by hand."""

from __future__ import annotations

import importlib.util
import shutil

import pytest

from hoard_git.app.check import Report, check_commits, find_range
from hoard_git.core.model import Oid
from hoard_git.core.policy import Policy
from hoard_git.gitio.opening import open_reader
from tests.app.support import june
from tests.support.repo import Repo
from tests.support.signed import USER_EDIT, Signed
from tests.support.signing import (
    SshKey,
    raw_commit,
    sshsig,
)

needs_gpg = pytest.mark.skipif(shutil.which("gpg") is None, reason="gpg is not installed")
HAS_LIBRARY = importlib.util.find_spec("cryptography") is not None


def report(repo: Repo, revisions: str) -> Report:
    reader = open_reader(str(repo.path), batch=True)
    return check_commits(reader, find_range(reader, revisions), june, revisions)


def errors(repo: Repo, revisions: str = "HEAD^..HEAD") -> list[str]:
    return sorted({finding.code for finding in report(repo, revisions).findings if finding.severity == "error"})


def why(repo: Repo, revisions: str = "HEAD^..HEAD") -> str:
    return " ".join(f"{f.message}; {f.hint}" for f in report(repo, revisions).findings if f.severity == "error")


def policy_at(repo: Repo, revision: str) -> Policy:
    from hoard_git.app.policies import read_policies

    reader = open_reader(str(repo.path))
    return read_policies(reader, Oid(repo.head(revision)), ["MEMORY.md"]).govern("MEMORY.md")


def forge(repo: Signed, key: SshKey) -> tuple[bytes, bytes]:
    """An unsigned commit that changes a user's fact, in bytes, and a good signature for it."""
    repo.make({"MEMORY.md": USER_EDIT}, None)
    raw = raw_commit(repo)
    return raw, sshsig(key, raw)
