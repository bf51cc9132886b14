"""Errors of reading and writing git that few will ever meet: a program that hangs, output that is cut off, a file that cannot be written."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoard_git.core.model import Oid
from hoard_git.core.sshsig import parse_signature
from hoard_git.errors import HoardError
from hoard_git.gitio import pgpkeys, signatures
from hoard_git.gitio.blockindex_log import Names, _change
from hoard_git.gitio.excludes import exclude
from hoard_git.gitio.filehistory import blob_sizes
from hoard_git.gitio.hookfiles import CHAINED, apply_install, plan_install, plan_server
from hoard_git.gitio.mergedriver import driver_command
from hoard_git.gitio.pgpkeys import PgpHome
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.process import start
from hoard_git.gitio.signatures import Asked, verify_ssh
from hoard_git.gitio.staging import parse_batch
from tests.support.repo import Repo, Workspace, run
from tests.support.signing import make_key, sshsig


def reader_of(repo: Repo) -> PlumbingReader:
    return PlumbingReader(str(repo.path))


def place_program(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="ascii")
    (folder / name).chmod(0o755)


def test_git_that_cannot_be_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "git").write_bytes(b"\x7fELF and nothing else")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HoardError, match=r"^git could not be started: ") as caught:
        start(["version"]).finish()
    assert caught.value.hint.startswith("Run `git --version`")


def test_output_that_is_cut_off() -> None:
    with pytest.raises(HoardError, match="git gave an object that cannot be read") as caught:
        parse_batch(b"0123 blob 3\nabc\n0123 blo", 2)
    assert caught.value.hint == "git fsck"
    with pytest.raises(HoardError, match="a list of changes that cannot be read") as caught:
        _change(b":100644 100644 0123", b"MEMORY.md", Names(lambda _path: True))
    assert caught.value.hint == "git --version"


def test_the_size_of_an_object_that_is_gone(workspace: Workspace) -> None:
    oid = Oid(workspace.line("rev-parse", "HEAD:MEMORY.md"))
    assert blob_sizes(reader_of(workspace), [oid]) == {oid: len(workspace.read_bytes("MEMORY.md"))}
    Path(workspace.path, ".git/objects", oid[:2], oid[2:]).unlink()
    with pytest.raises(HoardError, match="is missing") as caught:
        blob_sizes(reader_of(workspace), [oid])
    assert caught.value.hint == "git fsck"


def test_a_list_of_exclusions_that_is_a_folder(repo: Repo) -> None:
    assert exclude(reader_of(repo), "/report.html") is True
    assert exclude(reader_of(repo), "/report.html") is False
    place = repo.path / ".git/info/exclude"
    place.unlink()
    place.mkdir()
    with pytest.raises(HoardError, match="could not be written: Is a directory") as caught:
        exclude(reader_of(repo), "/report.html")
    assert caught.value.hint == "name another place: hoard report --out FILE.html"


def test_a_merge_driver_in_a_folder_that_no_configuration_can_hold() -> None:
    assert "merge-driver" in driver_command("/usr/bin/python3", "/usr/lib/hoard")
    for interpreter, package in (("/usr/bin/py\nthon", "/usr/lib"), ("/usr/bin/python3", "/usr\n/lib")):
        with pytest.raises(HoardError, match="A path with a line break in it") as caught:
            driver_command(interpreter, package)
        assert caught.value.hint == "Install hoard-git in another directory."


def test_a_server_whose_hooks_others_may_share(tmp_path: Path) -> None:
    bare = Repo.create(tmp_path / "server.git", "--bare")
    bare.git("config", "core.hooksPath", str(tmp_path / "shared"))
    with pytest.raises(HoardError, match="which others may share") as caught:
        plan_server(PlumbingReader(str(bare.path)), ["pre-receive"], "/usr/bin/python3", "/usr/lib")
    command = caught.value.hint.partition(": ")[2]
    assert command.startswith("git config --local core.hooksPath ")
    assert run(["sh", "-c", command], cwd=bare).returncode == 0
    (action,) = plan_server(PlumbingReader(str(bare.path)), ["pre-receive"], "/usr/bin/python3", "/usr/lib")
    assert action.path == str(bare.path / "hooks/pre-receive")


def test_a_kept_hook_that_is_in_the_way_of_keeping_another(repo: Repo) -> None:
    hook = repo.write(".git/hooks/pre-commit", "#!/bin/sh\nexit 0\n")
    hook.chmod(0o755)
    actions = plan_install(reader_of(repo), ["pre-commit"], "/usr/bin/python3", "/usr/lib")
    assert [action.kind for action in actions] == ["chain"]
    kept = repo.write(f".git/hooks/pre-commit{CHAINED}", "someone's\n")
    with pytest.raises(HoardError, match="is in the way; nothing was changed") as caught:
        apply_install(actions)
    assert caught.value.hint == f"Look at it, then move it away: ls -l '{kept}'"
    assert hook.read_text(encoding="ascii") == "#!/bin/sh\nexit 0\n"
    assert kept.read_text(encoding="ascii") == "someone's\n"


def signed(folder: Path) -> Asked:
    key = make_key(folder, "ed25519", "ed25519")
    return Asked(parse_signature(sshsig(key, b"hello")), b"hello")


def test_ssh_keygen_that_takes_its_time_or_cannot_be_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [signed(tmp_path)]
    place_program(tmp_path / "bin", "ssh-keygen", "exec sleep 60")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setattr(signatures, "_SECONDS", 0.05)
    with pytest.raises(HoardError, match="ssh-keygen took longer than a minute") as caught:
        verify_ssh(asked, engine="program")
    assert caught.value.hint == "Run the same command again."
    (tmp_path / "bin/ssh-keygen").write_bytes(b"\x7fELF and nothing else")
    with pytest.raises(HoardError, match="ssh-keygen could not be run: ") as caught:
        verify_ssh(asked, engine="program")
    assert caught.value.hint == "ssh-keygen -Y verify"


def test_a_build_of_cryptography_that_lacks_a_kind_of_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    errors = pytest.importorskip("cryptography.exceptions")
    asked = signed(tmp_path)

    def lacking(*_words: object) -> None:
        raise errors.UnsupportedAlgorithm("ed25519 is not supported by this version of OpenSSL")

    monkeypatch.setattr(signatures, "_check", lacking)
    with pytest.raises(HoardError, match="cannot check signatures by keys of kind ssh-ed25519") as caught:
        verify_ssh([asked], engine="library")
    assert caught.value.hint == 'pip install -U "hoard-git[sign]"'


def test_gpg_that_takes_its_time_or_cannot_be_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place_program(tmp_path / "bin", "gpg", "exec sleep 60")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    monkeypatch.setattr(pgpkeys, "_SECONDS", 0.05)
    with pytest.raises(HoardError, match="gpg took longer than a minute") as caught:
        PgpHome([b"a key"])
    assert caught.value.hint == "Run the same command again."
    (tmp_path / "bin/gpg").write_bytes(b"\x7fELF and nothing else")
    with pytest.raises(HoardError, match="gpg could not be run: ") as caught:
        PgpHome([b"a key"])
    assert caught.value.hint == "gpg --version"
