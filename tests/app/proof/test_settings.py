"""Nothing local has a say in who made a commit: no configuration of git or gpg, no mail map, graft or replace ref."""

from __future__ import annotations

from hoard_git.app.proof import Proofs
from hoard_git.core.model import Oid
from hoard_git.gitio.opening import open_reader
from tests.app.proof.support import errors, policy_at, report
from tests.app.support import AS_AGENT
from tests.support.signed import USER_EDIT, Signed
from tests.support.signing import (
    SshKey,
)


def test_19_a_faked_gpg_ssh_program_changes_nothing(repo: Signed, eve: SshKey) -> None:
    fake = repo.write(".git/fake", '#!/bin/sh\necho "Good \\"git\\" signature for ada@example.org with ED25519 key SHA256:x"\nexit 0\n')
    fake.chmod(0o755)
    repo.make({"MEMORY.md": USER_EDIT}, eve)
    allowed = repo.write(".git/allowed", f"ada@example.org {eve.line}\n")
    for name, value in {
        "gpg.ssh.program": str(fake),
        "gpg.program": str(fake),
        "gpg.openpgp.program": str(fake),
        "gpg.format": "ssh",
        "gpg.ssh.allowedSignersFile": str(allowed),
        "gpg.minTrustLevel": "undefined",
    }.items():
        repo.git("config", name, value)
    assert repo.line("log", "-1", "--format=%G?") == "G"  # git itself is deceived
    assert errors(repo) == ["HG308"]


def test_19_good_signatures_stay_good_when_git_is_told_otherwise(repo: Signed) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    for name in ("gpg.ssh.program", "gpg.program"):
        repo.git("config", name, "/bin/false")
    repo.git("config", "gpg.format", "openpgp")
    repo.git("config", "gpg.ssh.revocationFile", str(repo.write(".git/revoked", repo.ada.line + "\n")))
    assert errors(repo) == []


def test_19_a_mailmap_changes_nobody(repo: Signed) -> None:
    text = "Ada Example <ada@example.org> <clawd@agents.example>\n"
    mailmap = repo.write(".git/mailmap", text)
    repo.git("config", "mailmap.file", str(mailmap))
    repo.write(".mailmap", text)
    repo.make({"MEMORY.md": USER_EDIT}, None, AS_AGENT)
    assert errors(repo) == ["HG301"]


def test_grafts_change_no_parent(repo: Signed) -> None:
    root = repo.head()
    repo.make({"MEMORY.md": USER_EDIT}, None)
    bad = repo.head()
    repo.make({"a": "b\n"}, None, AS_AGENT)
    repo.write(".git/info/grafts", f"{repo.head()} {root}\n")
    found = report(repo, f"{root}..HEAD").findings
    assert {(finding.code, finding.commit) for finding in found if finding.severity == "error"} == {("HG308", bad)}


def test_a_replace_ref_shows_no_other_commit(repo: Signed) -> None:
    good = repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    repo.git("checkout", "-q", "--detach", "HEAD^")
    bad = repo.make({"MEMORY.md": USER_EDIT}, None)
    repo.git("replace", bad, good)
    assert errors(repo, f"{bad}^..{bad}") == ["HG308"]
    repo.git("update-ref", f"refs/replace/{good}", bad)
    repo.git("update-ref", "-d", f"refs/replace/{bad}")
    assert errors(repo, f"{good}^..{good}") == []


def test_04_a_reader_that_lies_about_a_commit_is_noticed(repo: Signed) -> None:
    repo.make({"MEMORY.md": USER_EDIT}, repo.ada)
    reader = open_reader(str(repo.path))
    info = reader.commit(Oid(repo.head()))
    assert Proofs(reader).check(info, policy_at(repo, "HEAD")).kind == "good"
    assert Proofs(reader).check(info._replace(message=b"Another\n"), policy_at(repo, "HEAD")).kind == "bad"
