"""Commit objects as bytes: what was signed, and every form that two programs read differently."""

from __future__ import annotations

import hashlib

import pytest

from hoard_git.core.commitobject import CommitObject, parse_commit_object
from hoard_git.core.model import Oid
from hoard_git.errors import HoardError
from hoard_git.gitio.reader import parse_commit
from tests.support.repo import Repo
from tests.support.signing import put_signature, raw_commit, write_commit

TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
PARENT = "1" * 40
ADA = b"Ada Example <ada@example.org> 1781100000 +0200"
CLAWD = b"clawd <clawd@agents.example> 1781100000 +0000"
SIGNATURE = b"-----BEGIN SSH SIGNATURE-----\nQUJD\n-----END SSH SIGNATURE-----"


def commit(*lines: bytes, message: bytes = b"Subject\n\nBody\n", first: bool = True) -> bytes:
    head = [b"tree " + TREE.encode(), b"parent " + PARENT.encode(), b"author " + ADA, b"committer " + CLAWD] if first else []
    return b"".join(line + b"\n" for line in [*head, *lines]) + b"\n" + message


def parse(raw: bytes, oid: str = "") -> CommitObject:
    name = oid or hashlib.sha1(b"commit %d\0" % len(raw) + raw, usedforsecurity=False).hexdigest()
    info = parse_commit(Oid(name), raw)
    return parse_commit_object(name, info.headers, info.message)


def header(name: bytes, value: bytes = SIGNATURE) -> bytes:
    return name + b" " + value.replace(b"\n", b"\n ")


@pytest.mark.parametrize(
    "raw",
    [
        commit(),
        commit(message=b""),
        commit(message=b"no final line"),
        commit(message=b"\n\nstarts with blank lines"),
        commit(b"encoding ISO-8859-1", message=b"Gr\xfc\xdfe\n"),
        commit(b"encoding utf-8"),
        commit(b"change-id kkmpptxz"),
        commit(b"HG:extra branch:stable"),
        commit(header(b"mergetag", b"object 1\ntype commit\n\nText\n-----BEGIN SSH SIGNATURE-----\nx\n-----END SSH SIGNATURE-----")),
        commit(message=b"message in \xe9 bytes\n"),
        commit(message="Grüße \u202e\n".encode()),
    ],
)
def test_an_honest_commit_has_no_fault_and_all_its_bytes_are_signed(raw: bytes) -> None:
    assert parse(raw) == CommitObject(raw, b"", ())
    signed = put_signature(raw, SIGNATURE)
    assert parse(signed) == CommitObject(raw, SIGNATURE + b"\n", ())


def test_what_is_signed_is_what_git_signed(repo: Repo) -> None:
    """git and this reading must cut the same bytes out: shown by a signing program that keeps what it was given."""
    seen = repo.path / "seen"
    program = repo.write(
        "sign", f'#!/bin/sh\ncat > "{seen}"\nprintf -- "-----BEGIN PGP SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n"\n'
    )
    program.write_text(program.read_text() + 'echo "[GNUPG:] SIG_CREATED D" >&2\n')
    program.chmod(0o755)
    env = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "gpg.program", "GIT_CONFIG_VALUE_0": str(program)}
    repo.commit("Grüße\n\nText\n", {"a": "b"}, env=env, options=["-S"])

    found = parse(raw_commit(repo), repo.head())

    assert found.faults == ()
    assert found.payload == seen.read_bytes()
    assert found.signature == b"-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----\n"


_AUTHOR, _COMMITTER = b"author " + ADA, b"committer " + CLAWD
_TREE, _PARENT = b"tree " + TREE.encode(), b"parent " + PARENT.encode()


@pytest.mark.parametrize(
    ("raw", "fault"),
    [
        pytest.param(commit(header(b"gpgsig"), header(b"gpgsig")), "2 gpgsig lines", id="gpgsig twice"),
        pytest.param(commit(header(b"gpgsig"), header(b"gpgsig-sha256")), "another object format", id="sha256 beside"),
        pytest.param(commit(header(b"gpgsig-sha256")), "another object format", id="sha256 alone"),
        pytest.param(commit(header(b"GpgSig")), "imitates gpgsig", id="case of gpgsig"),
        pytest.param(commit(b"Author " + ADA), "imitates author", id="case of author"),
        pytest.param(commit(_AUTHOR), "2 author lines", id="author twice"),
        pytest.param(commit(_TREE, _AUTHOR, b"author " + CLAWD, _COMMITTER, first=False), "2 author lines", id="two authors"),
        pytest.param(commit(_COMMITTER), "2 committer lines", id="committer twice"),
        pytest.param(commit(_TREE), "2 tree lines", id="tree twice"),
        pytest.param(commit(b"encoding utf-8", b"encoding utf-8"), "2 encoding lines", id="encoding twice"),
        pytest.param(commit(b"parent " + b"2" * 40), "not in their order", id="parent below"),
        pytest.param(commit(_TREE, _AUTHOR, _PARENT, _COMMITTER, first=False), "not in their order", id="parent late"),
        pytest.param(commit(_TREE, _COMMITTER, _AUTHOR, first=False), "not in their order", id="committer first"),
        pytest.param(commit(b"x y", _TREE, _AUTHOR, _COMMITTER, first=False), "not in their order", id="something first"),
        pytest.param(commit(_TREE, _PARENT, _PARENT, _AUTHOR, _COMMITTER, first=False), "one parent twice", id="parent twice"),
        pytest.param(commit(_TREE.upper(), _TREE, _AUTHOR, _COMMITTER, first=False), "imitates tree", id="upper-case header"),
        pytest.param(commit(b"tree " + TREE.upper().encode(), _AUTHOR, _COMMITTER, first=False), "not an object name", id="upper-case oid"),
        pytest.param(commit(b"tree abc", _AUTHOR, _COMMITTER, first=False), "not an object name", id="short tree"),
        pytest.param(commit(message=b"seen\0unseen\n"), "NUL", id="NUL in message"),
        pytest.param(commit(b"note a\0b"), "NUL", id="NUL in header"),
        pytest.param(commit(_TREE, b"author A\0da <a@b> 1 +0000", _COMMITTER, first=False), "NUL", id="NUL in author"),
        pytest.param(commit(b"encoding UTF-7"), "encoding can say", id="UTF-7"),
        pytest.param(commit(b"encoding utf-16"), "encoding can say", id="UTF-16"),
        pytest.param(commit(b"encoding ISO-2022-JP"), "encoding can say", id="ISO-2022"),
        pytest.param(commit(b"encoding utf-8\n x"), "encoding can say", id="folded encoding"),
        pytest.param(commit(b"k\xc3\xa9y value"), "name that git does not give", id="non-ASCII header"),
        pytest.param(commit(b"\xffgpgsig x"), "name that git does not give", id="byte before gpgsig"),
    ],
)
def test_an_object_that_can_be_read_two_ways_is_malformed(raw: bytes, fault: str) -> None:
    found = parse(raw)
    assert any(fault in said for said in found.faults), found.faults
    assert all(said.isprintable() for said in found.faults)


@pytest.mark.parametrize(
    "author",
    [
        b"Ada <ada@example.org> <clawd@agents.example> 1 +0000",
        b"Ada <ada@example.org 1 +0000",
        b"Ada ada@example.org> 1 +0000",
        b"<ada@example.org> 1 +0000",
        b"Ada<ada@example.org> 1 +0000",
        b"Ada <ada@example.org> 01 +0000",
        b"Ada <ada@example.org> -1 +0000",
        b"Ada <ada@example.org> 1",
        b"Ada <ada@example.org> 1 +00:00",
        b"Ada <ada@example.org> 1 +00000",
        b"Ada <ada@example.org> 99999999999999999999 +0000",
        b"Ada <ada@example.org>  1 +0000",
        b"Ada <ada@example.org> 1 +0000\n more",
        b"Ada\r <ada@example.org> 1 +0000",
        b"Ada \x1b[2J<ada@example.org> 1 +0000",
        b"",
    ],
)
@pytest.mark.parametrize("name", [b"author", b"committer"])
def test_a_person_is_one_name_one_address_a_time_and_a_zone(name: bytes, author: bytes) -> None:
    lines = {b"author": ADA, b"committer": CLAWD, name: author}
    found = parse(commit(_TREE, *(key + b" " + header(value, b"")[:-1] for key, value in lines.items()), first=False))
    assert any(name.decode() in said for said in found.faults), found.faults


@pytest.mark.parametrize("declared", [False, True])
def test_bytes_of_a_name_are_utf_8_or_declared(declared: bool) -> None:
    lines = [_TREE, b"author J\xf6rg <j@example.org> 1 +0000", _COMMITTER, *([b"encoding ISO-8859-1"] if declared else [])]
    found = parse(commit(*lines, first=False))
    assert found.faults == (() if declared else ("its author line is not UTF-8 and no encoding is declared",))


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(commit(b"gpgsig"), id="header without a value"),
        pytest.param(commit(b"x  folded").replace(b"\n\n", b"\n", 1), id="no blank line"),
        pytest.param(commit()[: -len(b"\nSubject\n\nBody\n")], id="no message"),
    ],
)
def test_lines_that_a_reader_has_to_guess_are_malformed(raw: bytes) -> None:
    try:
        found = parse(raw)
    except HoardError:
        return  # not even a commit
    assert found.faults
    assert found.payload == b""


def test_another_object_than_the_one_of_that_name_is_malformed() -> None:
    raw = commit()
    assert parse(raw, "0" * 40).faults
    swapped = parse_commit(Oid("0" * 40), raw)
    assert parse_commit_object(hashlib.sha256(b"commit %d\0" % len(raw) + raw).hexdigest(), swapped.headers, swapped.message).faults


def test_a_sha256_repository_has_its_own_header() -> None:
    raw = commit().replace(TREE.encode(), b"2" * 64).replace(PARENT.encode(), b"3" * 64)
    signed = put_signature(raw, SIGNATURE, b"gpgsig-sha256")
    name = hashlib.sha256(b"commit %d\0" % len(signed) + signed).hexdigest()
    assert parse(signed, name) == CommitObject(raw, SIGNATURE + b"\n", ())
    other = put_signature(raw, SIGNATURE)
    assert parse(other, hashlib.sha256(b"commit %d\0" % len(other) + other).hexdigest()).faults


@pytest.mark.parametrize("lines", [[header(b"gpgsig"), header(b"gpgsig")], [_AUTHOR], [b"encoding UTF-7"]])
def test_git_itself_stores_such_objects(repo: Repo, lines: list[bytes]) -> None:
    raw = commit(*lines).replace(_PARENT + b"\n", b"")
    oid = write_commit(repo, raw)
    assert raw_commit(repo, oid) == raw
    assert parse(raw, oid).faults
