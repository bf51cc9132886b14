"""Who made a commit, proved by its signature (`authority: signature`), and commit objects that prove nothing (HG705).

The keys come from the policy that the caller gives, which is the parent's; the gate asks under every parent's policy and takes the weakest answer,
so that a key has to be listed in all of them. What a signature says about its own key never changes, so it is remembered by commit while the
program runs; which key counts is decided anew under each policy. Nothing is kept on disk: whoever can write a cache could write "good" into it.
"""

from __future__ import annotations

from hoard_git.core.commitobject import CommitObject, parse_commit_object
from hoard_git.core.keyring import KeyRing, read_keys, weakest_holder
from hoard_git.core.record import Record
from hoard_git.core.sshsig import BEGIN as SSH_BEGIN
from hoard_git.core.sshsig import Signature, SignatureProblem, missing_act, parse_signature
from hoard_git.core.trust import Proof, actor_of
from hoard_git.gitio.pgpkeys import BEGIN as PGP_BEGIN
from hoard_git.gitio.pgpkeys import PgpHome
from hoard_git.gitio.signatures import Asked, batch_size, verify_ssh
from hoard_git.lint.engine import judge
from hoard_git.lint.scene import CommitText, Scene

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.app.gate import Judgement
    from hoard_git.core.keyring import Holder
    from hoard_git.core.model import Actor, Oid
    from hoard_git.core.policy import ActorRule, Policy
    from hoard_git.gitio.pgpkeys import PgpAnswer
    from hoard_git.gitio.reader import CommitInfo, Reader

NONE = Proof("none")


class _Ring(Record):
    """The keys of one set of actors, and the gpg home for its PGP keys once one is needed."""

    keys: KeyRing
    homes: list[PgpHome]


class Proofs:
    """Checks the signatures of many commits."""

    def __init__(self, reader: Reader, oids: Sequence[Oid] = ()) -> None:
        """`oids` are the commits that will be asked about, in order, so that some can be checked ahead, side by side."""
        self._reader = reader
        self._oids = list(oids)
        self._places = {oid: number for number, oid in enumerate(self._oids)}
        self._rings: dict[tuple[ActorRule, ...], _Ring] = {}
        self._good: dict[Oid, bool] = {}
        self._objects: tuple[Oid | None, CommitObject] = (None, CommitObject(b"", b"", ()))
        self._pgp: dict[tuple[Oid, tuple[ActorRule, ...]], PgpAnswer] = {}

    def actor(self, info: CommitInfo, policy: Policy) -> Actor:
        """Who made a commit under a policy."""
        signature = self.check(info, policy) if policy.authority == "signature" else None
        return actor_of(info.author.email, policy, signature=signature)

    def check(self, info: CommitInfo, policy: Policy) -> Proof:
        """What a commit's signature proves with the keys of a policy, whether it asks for signatures or not.

        Raises HoardError when a signature by a listed key cannot be looked at.
        """
        found = self.object_of(info)
        if found.faults:
            return Proof("bad", detail=f"the commit object is malformed: {found.faults[0]}")
        if not found.signature.strip():
            return Proof("bad", detail="its signature is empty") if found.signature else NONE
        ring = self._ring(policy.actors)
        if found.signature.startswith(SSH_BEGIN):
            return self._by_ssh(info, found, ring)
        if found.signature.startswith(PGP_BEGIN):
            return self._by_pgp(info, found, ring, policy.actors)
        return Proof("bad", detail="it is neither an SSH nor a PGP signature")

    def object_of(self, info: CommitInfo) -> CommitObject:
        """A commit taken apart; the last one is remembered."""
        if self._objects[0] != info.oid:
            self._objects = (info.oid, parse_commit_object(info.oid, info.headers, info.message))
        return self._objects[1]

    def finish(self, judgement: Judgement, info: CommitInfo) -> Judgement:
        """Add what is wrong with the commit object to what the gate says about its trees."""
        faults = self.object_of(info).faults
        if not faults:
            return judgement
        text = CommitText(info.message, (), (), faults=faults)
        found = judge(Scene(judgement.policy, judgement.actor, text=text), {"HG705"})
        return judgement._replace(findings=(*judgement.findings, *found))

    def close(self) -> None:
        """Take away what was put on disk; the same questions may be asked again."""
        self._rings.clear()

    def _ring(self, actors: tuple[ActorRule, ...]) -> _Ring:
        if actors not in self._rings:
            self._rings[actors] = _Ring(read_keys(actors), [])
        return self._rings[actors]

    # ---------------------------------------------------------------- SSH

    def _by_ssh(self, info: CommitInfo, found: CommitObject, ring: _Ring) -> Proof:
        try:
            signature = parse_signature(found.signature)
        except SignatureProblem as problem:
            return Proof("bad", detail=str(problem))
        name = signature.key.fingerprint
        holders = ring.keys.ssh.get(signature.key.blob, ())
        if not holders:
            return Proof("unknown-key", fingerprint=name)
        holder = weakest_holder(holders)
        missing = _missing_act(holder.actor, holders, signature)
        if missing:
            return Proof("bad", fingerprint=name, detail=missing)
        if not self._is_good(info, signature, found, ring):
            return Proof("bad", fingerprint=name, detail="it does not fit the commit")
        return Proof("good", holder.actor.name, holder.text, name)

    def _is_good(self, info: CommitInfo, signature: Signature, found: CommitObject, ring: _Ring) -> bool:
        """Whether the signature's own key made it over these bytes; some of the commits that follow are looked at in the same go."""
        if info.oid not in self._good:
            names, asked = [info.oid], [Asked(signature, found.payload)]
            place = self._places.get(info.oid)
            if place is not None and batch_size() > 1:
                ahead = [oid for oid in self._oids[place + 1 : place + batch_size()] if oid not in self._good]
                for other in self._reader.commits(ahead):
                    question = _ask_about(other, ring.keys)
                    if question is not None:
                        names.append(other.oid)
                        asked.append(question)
            self._good.update(zip(names, verify_ssh(asked), strict=True))
        return self._good[info.oid]

    # ---------------------------------------------------------------- PGP

    def _by_pgp(self, info: CommitInfo, found: CommitObject, ring: _Ring, actors: tuple[ActorRule, ...]) -> Proof:
        holders = ring.keys.pgp
        if not holders:
            return Proof("unknown-key")
        if not ring.homes:
            ring.homes.append(PgpHome([holder.data for holder in holders]))
        home = ring.homes[0]
        key = (info.oid, actors)
        if key not in self._pgp:
            self._pgp[key] = home.verify(found.signature, found.payload)
        answer = self._pgp[key]
        if answer.kind != "good":
            return Proof(answer.kind, fingerprint=answer.fingerprint, detail=answer.detail)
        holder = weakest_holder(holders[number] for number in home.owners(answer.fingerprint))
        return Proof("good", holder.actor.name, holder.text, answer.fingerprint)


def _missing_act(actor: ActorRule, holders: Sequence[Holder], signature: Signature) -> str:
    """What a security key's owner has not done, by the strictest of the actor's lines for this key."""
    lines = [holder.line for holder in holders if holder.actor == actor and holder.line is not None]
    return next((missing for line in lines if (missing := missing_act(line, signature.flags))), "")


def _ask_about(info: CommitInfo, keys: KeyRing) -> Asked | None:
    """The question about another commit's signature, None when it needs none."""
    found = parse_commit_object(info.oid, info.headers, info.message)
    if found.faults or not found.signature.startswith(SSH_BEGIN):
        return None
    try:
        signature = parse_signature(found.signature)
    except SignatureProblem:
        return None
    return Asked(signature, found.payload) if signature.key.blob in keys.ssh else None
