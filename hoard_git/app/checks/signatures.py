"""signatures: whether this workspace can prove who is a human, and whether the humans' commits do."""

from __future__ import annotations

from hoard_git.app.checks.base import FAIL, OK, WARN, Check, count
from hoard_git.core.model import Oid
from hoard_git.core.record import Record
from hoard_git.core.trust import actor_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.app.checks.base import Look

LATEST = 200
"""Commits of the main line that are looked at."""

_HEADERS = ("gpgsig", "gpgsig-sha256")


class Unsigned(Record):
    """Of the latest commits since the workspace has a policy those by a human's address, and how many of them carry no signature."""

    humans: int
    unsigned: int


def check(look: Look) -> Check:
    """By `authority: author` an address decides, which anybody can type: that is stated, and is the default until a key is listed."""
    policy = look.policy
    with_keys = [actor for actor in policy.actors if actor.keys]
    humans = [actor for actor in with_keys if actor.kind == "human"]
    if policy.authority != "signature":
        told = "authority: author, so whoever types a human's address is that human"
        if humans:
            listed = f"{count(len(humans), 'human')} with a key {'is' if len(humans) == 1 else 'are'} listed"
            return Check("signatures", WARN, f"{told}, though {listed}", "set authority: signature in .hoard.yaml")
        return Check("signatures", OK, f"{told} (a signature is stronger: hoard init --sign-key KEY.pub)")
    if not humans:
        return Check("signatures", FAIL, "authority: signature, and no key of a human is listed", "hoard init --sign-key KEY.pub")
    found = find_unsigned(look)
    keys = sum(len(actor.keys) for actor in with_keys)
    told = f"authority: signature, {count(keys, 'key')} of {count(len(with_keys), 'actor')} listed"
    if found.unsigned:
        what = f"{told}; {found.unsigned} of the latest {count(found.humans, 'commit')} by a human's address carry no signature"
        return Check("signatures", WARN, f"{what}, so they count as an agent's", "sign from now on: hoard commit --human, or git commit -S")
    if not _signs(look):
        return Check("signatures", WARN, f"{told}; git is not told which key to sign with", "git config --global user.signingkey KEY.pub")
    return Check("signatures", OK, told)


def _signs(look: Look) -> bool:
    """Whether git has a key to sign with: one that is named, or for OpenPGP the one that fits the address."""
    config = look.reader.config
    return bool(config("user.signingkey") or config("gpg.ssh.defaultkeycommand")) or (config("gpg.format") or "openpgp") == "openpgp"


def find_unsigned(look: Look) -> Unsigned:
    """Look at the newest commits of the main line, back to the first policy; a signature is only looked for here, not checked."""
    from hoard_git.app.adoption import policy_commits

    if look.head is None:
        return Unsigned(0, 0)
    first = policy_commits(look.reader, look.head)[-1:]
    scope = [f"^{first[0]}^@", first[0]] if first else []
    args = ("rev-list", "--first-parent", f"--max-count={LATEST}", look.head, *scope)
    listed = look.reader.git(args).finish().decode("ascii").split()
    author_only = look.policy._replace(authority="author")
    humans = unsigned = 0
    for info in look.reader.commits(Oid(oid) for oid in listed):
        if actor_of(info.author.email, author_only).is_human:
            humans += 1
            unsigned += not any(name in _HEADERS for name, _value in info.headers)
    return Unsigned(humans, unsigned)
