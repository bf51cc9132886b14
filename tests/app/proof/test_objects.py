"""Signatures and commit objects that are put together by hand (HG705), and security keys."""

from __future__ import annotations

import pytest

from hoard_git.app.proof import Proofs
from hoard_git.core.model import Oid
from hoard_git.core.policy import ActorRule, Policy
from hoard_git.gitio.opening import open_reader
from tests.app.proof.support import HAS_LIBRARY, errors, forge, report, why
from tests.app.support import AS_AGENT
from tests.support.repo import Workspace
from tests.support.signed import USER_EDIT, Signed
from tests.support.signing import (
    blob_of,
    build_sshsig,
    put_signature,
    raw_commit,
    sshsig,
    string,
    write_commit,
)


def test_a_signature_that_is_put_in_by_hand_is_as_good_as_gits(repo: Signed) -> None:
    raw, armour = forge(repo, repo.ada)
    write_commit(repo, put_signature(raw, armour))
    assert errors(repo) == []


@pytest.mark.parametrize("order", ["human first", "agent first", "same twice"])
def test_two_signatures(repo: Signed, order: str) -> None:
    raw, armour = forge(repo, repo.ada)
    other = sshsig(repo.bot, raw)
    pair = {"human first": (armour, other), "agent first": (other, armour), "same twice": (armour, armour)}[order]
    write_commit(repo, put_signature(put_signature(raw, pair[0]), pair[1]))
    assert errors(repo) == ["HG308", "HG705"]
    assert "2 gpgsig lines" in why(repo)


def test_a_junk_header_beside_a_good_signature(repo: Signed) -> None:
    raw, armour = forge(repo, repo.ada)
    write_commit(repo, put_signature(put_signature(raw, armour), b"junk", b"gpgsig-sha256"))
    assert errors(repo) == ["HG308", "HG705"]


def test_two_armours_in_one_header(repo: Signed) -> None:
    raw, armour = forge(repo, repo.ada)
    write_commit(repo, put_signature(raw, armour + armour))
    assert errors(repo) == ["HG308"]


@pytest.mark.parametrize("armour", [b"", b"junk", b"-----BEGIN SIGNED MESSAGE-----\nx\n-----END SIGNED MESSAGE-----"])
def test_a_header_without_a_signature(repo: Signed, armour: bytes) -> None:
    raw, _armour = forge(repo, repo.ada)
    write_commit(repo, put_signature(raw, armour))
    assert "HG308" in errors(repo)


def test_two_authors_one_of_them_human(repo: Signed) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, None, AS_AGENT)
    head, _, rest = raw_commit(repo).partition(b"author ")
    extra = b"author Ada Example <ada@example.org> 1781100000 +0000\n"
    author, _, more = rest.partition(b"\n")
    for lines in (extra + b"author " + rest, b"author " + author + b"\n" + extra + more):
        write_commit(repo, head + lines)
        assert "HG705" in errors(repo)


def test_a_malformed_commit_is_refused_without_memory_and_under_authority_author(workspace: Workspace) -> None:
    workspace.commit("Text\n", {"a.txt": "b\n"})
    write_commit(workspace, raw_commit(workspace) + b"seen\0unseen\n")
    found = [finding for finding in report(workspace, "HEAD^..HEAD").findings if finding.severity == "error"]
    assert [(finding.code, finding.path, finding.commit) for finding in found] == [("HG705", "", workspace.head())]


def test_the_signed_bytes_are_the_commits_own(repo: Signed) -> None:
    """A good signature of the human's, moved to another commit."""
    raw, armour = forge(repo, repo.ada)
    write_commit(repo, put_signature(raw + b"More.\n", armour))
    assert errors(repo) == ["HG308"]
    assert "does not fit the commit" in why(repo)


def test_a_signature_for_files_is_none_for_commits(repo: Signed) -> None:
    raw, _armour = forge(repo, repo.ada)
    write_commit(repo, put_signature(raw, sshsig(repo.ada, raw, "file")))
    assert errors(repo) == ["HG308"]
    assert "not for git" in why(repo)


def test_the_humans_public_key_with_the_agents_signature(repo: Signed) -> None:
    raw, _armour = forge(repo, repo.ada)
    blob = blob_of(sshsig(repo.bot, raw)).replace(repo.bot.blob, repo.ada.blob)
    inner = blob[blob.index(b"sha512") + 10 :]
    write_commit(repo, put_signature(raw, build_sshsig(repo.ada.blob, inner)))
    assert errors(repo) == ["HG308"]


@pytest.mark.skipif(not HAS_LIBRARY, reason="the extra `sign` (cryptography) is not installed")
@pytest.mark.parametrize(
    ("options", "flags", "kind"),
    [("", 1, "good"), ("", 0, "bad"), ("no-touch-required ", 0, "good"), ("verify-required ", 1, "bad"), ("verify-required ", 5, "good")],
)
def test_a_security_key_that_nobody_touched(repo: Signed, options: str, flags: int, kind: str) -> None:
    import base64
    import hashlib

    from cryptography.hazmat.primitives.asymmetric import ed25519
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    from tests.support.signing import to_be_signed

    raw, _armour = forge(repo, repo.ada)
    private = ed25519.Ed25519PrivateKey.generate()
    name = b"sk-ssh-ed25519@openssh.com"
    blob = string(name) + string(private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)) + string(b"ssh:")
    ending = bytes([flags]) + (9).to_bytes(4, "big")
    value = private.sign(hashlib.sha256(b"ssh:").digest() + ending + hashlib.sha256(to_be_signed(raw)).digest())
    oid = write_commit(repo, put_signature(raw, build_sshsig(blob, string(name) + string(value) + ending)))
    line = f"{options}{name.decode()} {base64.b64encode(blob).decode()} token"
    reader = open_reader(str(repo.path))
    rules = Policy(authority="signature", actors=(ActorRule("Ada", "human", (), (line,)),))
    assert Proofs(reader).check(reader.commit(Oid(oid)), rules).kind == kind
