"""PGP keys in a policy, checked by gpg."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoard_git.app.proof import Proofs
from hoard_git.core.model import Oid
from hoard_git.core.policy import ActorRule, Policy
from hoard_git.errors import HoardError
from hoard_git.gitio import pgpkeys
from hoard_git.gitio.opening import open_reader
from tests.app.proof.support import errors, needs_gpg, why
from tests.support.repo import MEMORY
from tests.support.signed import USER_EDIT, Signed
from tests.support.signing import (
    SshKey,
    make_pgp_key,
    policy,
    raw_commit,
    write_commit,
)


@needs_gpg
class TestPgp:
    def test_a_humans_pgp_key(self, tmp_path: Path, short_home: Path, bot: SshKey) -> None:
        key = make_pgp_key(short_home / "h", "ada")
        repo = Signed.create(tmp_path / "pgp")
        repo.make({".hoard.yaml": policy(key.line, bot.line), "MEMORY.md": MEMORY}, key)
        repo.make({"MEMORY.md": USER_EDIT}, key)
        assert errors(repo, "HEAD") == []
        repo.make({"MEMORY.md": USER_EDIT.replace("Fridays", "Mondays")}, None)
        assert errors(repo) == ["HG308"]

    def test_19_a_web_flow_key_is_nobodys(self, repo: Signed, short_home: Path) -> None:
        """A forge signs what its web page makes; its key is not in the policy, so its commits are nobody's."""
        forge = make_pgp_key(short_home / "h", "web-flow")
        repo.make({"MEMORY.md": USER_EDIT}, forge)
        assert errors(repo) == ["HG308"]
        assert "does not list" in why(repo)

    def test_19_a_web_flow_key_beside_a_listed_pgp_key(self, tmp_path: Path, short_home: Path) -> None:
        key, forge = make_pgp_key(short_home / "h", "ada"), make_pgp_key(short_home / "h", "web-flow")
        repo = Signed.create(tmp_path / "pgp")
        repo.make({".hoard.yaml": policy(key.line), "MEMORY.md": MEMORY}, key)
        repo.make({"MEMORY.md": USER_EDIT}, forge)
        assert errors(repo) == ["HG308"]

    def test_an_altered_commit_and_a_signature_twice(self, tmp_path: Path, short_home: Path) -> None:
        key = make_pgp_key(short_home / "h", "ada")
        rules = Policy(authority="signature", actors=(ActorRule("Ada", "human", (), (key.text,)),))
        repo = Signed.create(tmp_path / "pgp")
        repo.make({"a": "b\n"}, key)
        raw = raw_commit(repo)
        reader = open_reader(str(repo.path))

        def kind(text: bytes) -> str:
            return Proofs(reader).check(reader.commit(Oid(write_commit(repo, text))), rules).kind

        assert kind(raw) == "good"
        assert kind(raw + b"More\n") == "bad"
        start, end = raw.index(b"gpgsig ") + 7, raw.index(b"-----END PGP SIGNATURE-----") + 27
        armour = raw[start:end]
        assert kind(raw.replace(armour, armour + b"\n " + armour)) == "bad"

    def test_an_expired_key_proves_nothing(self, tmp_path: Path, short_home: Path) -> None:
        home = short_home / "late"
        home.mkdir(mode=0o700)
        (home / "gpg.conf").write_text("faked-system-time 20200101T120000\n")
        key = make_pgp_key(home, "late", "1d")
        repo = Signed.create(tmp_path / "pgp")
        repo.make({"a": "b\n"}, key)
        reader = open_reader(str(repo.path))
        found = Proofs(reader).check(reader.commit(Oid(repo.head())), Policy(actors=(ActorRule("Late", "human", (), (key.text,)),)))
        assert (found.kind, found.detail) == ("bad", "its key has expired")

    def test_without_gpg_a_listed_pgp_key_cannot_be_checked(
        self, tmp_path: Path, short_home: Path, ada: SshKey, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        key = make_pgp_key(short_home / "h", "ada")
        repo = Signed.create(tmp_path / "pgp")
        repo.make({"a": "b\n"}, key)
        monkeypatch.setattr(pgpkeys, "find_program", lambda _name: "")
        reader = open_reader(str(repo.path))
        info = reader.commit(Oid(repo.head()))
        with pytest.raises(HoardError, match="gpg is not on PATH"):
            Proofs(reader).check(info, Policy(actors=(ActorRule("Ada", "human", (), (key.text,)),)))
        assert Proofs(reader).check(info, Policy(actors=(ActorRule("Ada", "human", (), (ada.line,)),))).kind == "unknown-key"

    def test_no_gpg_configuration_of_the_user_has_a_say(self, repo: Signed, short_home: Path, hermetic: Path) -> None:
        key = make_pgp_key(short_home / "h", "ada")
        repo.make({"a": "b\n"}, key)
        (hermetic / ".gnupg").mkdir(mode=0o700)
        (hermetic / ".gnupg/gpg.conf").write_text("ignore-valid-from\nthis is no option\n")
        reader = open_reader(str(repo.path))
        found = Proofs(reader).check(reader.commit(Oid(repo.head())), Policy(actors=(ActorRule("Ada", "human", (), (key.text,)),)))
        assert (found.kind, found.actor, found.fingerprint) == ("good", "Ada", key.fingerprint)

    def test_a_key_that_is_no_key_is_nobodys(self, tmp_path: Path, short_home: Path) -> None:
        key = make_pgp_key(short_home / "h", "ada")
        with_junk = (ActorRule("Junk", "human", (), (_armoured(b"\x98\x05junk!"),)), ActorRule("Ada", "human", (), (key.text,)))
        repo = Signed.create(tmp_path / "pgp")
        repo.make({"a": "b\n"}, key)
        reader = open_reader(str(repo.path))
        assert Proofs(reader).check(reader.commit(Oid(repo.head())), Policy(actors=with_junk)).actor == "Ada"


def _armoured(data: bytes) -> str:
    import base64

    return f"-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n{base64.b64encode(data).decode()}\n-----END PGP PUBLIC KEY BLOCK-----"
