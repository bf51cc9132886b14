"""Who works here: the human and the agent that the policy lists, and git's own idea of the user."""

from __future__ import annotations

import os
import re

from hoard_git.errors import HoardError
from hoard_git.gitio.reader import Ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.plumbing import PlumbingReader

SIGN_KEY = "hoard.signKey"
"""The variable that holds the public key's file with which human commits are signed here."""

_IDENT = re.compile(r"\s*([^<>\n]{1,200}?)\s*<([^<>\s]{1,254})>\s*")


def parse_person(text: str, option: str) -> Ident:
    """Read `Name <mail>`. Raises HoardError."""
    match = _IDENT.fullmatch(text)
    if match is None or not match[1].isprintable() or "@" not in match[2]:
        raise HoardError(f"{option} takes a name and an address, not {text[:60]!a}.", f'{option} "Ada Example <ada@example.org>"')
    return Ident(match[1], match[2])


def global_identity(reader: PlumbingReader) -> Ident | None:
    """The user's own identity: git's global or system configuration, not this repository's."""
    name = email = ""
    for scope in ("--system", "--global"):
        name = config_of(reader, scope, "user.name") or name
        email = config_of(reader, scope, "user.email") or email
    return Ident(name or email.partition("@")[0], email) if email else None


def local_identity(reader: PlumbingReader) -> Ident | None:
    """The identity in this repository's own configuration, None when it has no address there."""
    email = config_of(reader, "--local", "user.email")
    return Ident(config_of(reader, "--local", "user.name") or email.partition("@")[0], email) if email else None


def config_of(reader: PlumbingReader, scope: str, key: str, *options: str) -> str:
    """A variable in one scope of git's configuration, '' where it is not set there."""
    out = reader.git(("config", scope, *options, "--get", key), fixed=False).finish((0, 1, 128))
    return os.fsdecode(out.strip(b"\n"))


def as_committer(reader: PlumbingReader, author: Ident | None, key: str = "") -> dict[str, str]:
    """The environment that makes a human's commit the human's in every respect: committer, and signed where that is so here.

    `key` is the public key's file to sign with, else the one that `hoard init --sign-key` has set, else the user's global habit decides: the
    repository's own configuration speaks for the agent (`hoard init` turns signing off there). Empty without an author.
    """
    if author is None:
        return {}
    env = {"GIT_COMMITTER_NAME": author.name, "GIT_COMMITTER_EMAIL": author.email}
    key = key or config_of(reader, "--local", SIGN_KEY)
    settings = {"gpg.format": "ssh", "user.signingKey": key} if key else {}
    if key or signs_by_habit(reader):
        settings["commit.gpgSign"] = "true"
    if settings:
        count = int(reader.environment().get("GIT_CONFIG_COUNT") or 0)
        env["GIT_CONFIG_COUNT"] = str(count + len(settings))
        for number, (name, value) in enumerate(settings.items(), count):
            env |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return env


def agent_writer(policy: Policy, reader: PlumbingReader) -> Ident | None:
    """Who a program writes as that acts for the agent: None (whoever git names) unless that is a human, then the first agent listed.

    Raises HoardError when git names a human and the policy lists no agent: a commit would say that the human wrote it.
    """
    kinds = {email: rule.kind for rule in policy.actors for email in rule.emails}
    if kinds.get(reader.author().email.lower()) != "human":
        return None
    for rule in policy.actors:
        if rule.kind == "agent" and rule.emails:
            return Ident(rule.name or rule.emails[0].partition("@")[0], rule.emails[0])
    raise HoardError(
        "git's identity here is a human's and the policy lists no agent to write as.",
        'List one under actors in .hoard.yaml, or: hoard init --agent "Name <mail>"',
    )


def as_agent_committer(reader: PlumbingReader, author: Ident | None) -> dict[str, str]:
    """The environment that makes a commit the agent's in every respect: the committer, too, and never signed with the human's key."""
    if author is None:
        return {}
    count = int(reader.environment().get("GIT_CONFIG_COUNT") or 0)
    unsigned = {"GIT_CONFIG_COUNT": str(count + 1), f"GIT_CONFIG_KEY_{count}": "commit.gpgSign", f"GIT_CONFIG_VALUE_{count}": "false"}
    return {"GIT_COMMITTER_NAME": author.name, "GIT_COMMITTER_EMAIL": author.email, **unsigned}


def signs_by_habit(reader: PlumbingReader) -> bool:
    """Whether the user's own configuration, not this repository's, signs every commit."""
    said = "false"
    for scope in ("--system", "--global"):
        said = config_of(reader, scope, "commit.gpgSign", "--type=bool") or said
    return said == "true"


def listed_human(policy: Policy, reader: PlumbingReader) -> Ident:
    """The human of `--human`: the global identity when the policy lists it, else the only human listed. Raises HoardError."""
    humans = [rule for rule in policy.actors if rule.kind == "human" and rule.emails]
    mine = global_identity(reader)
    if mine is not None:
        for rule in humans:
            if mine.email.lower() in rule.emails:
                return mine
    if len(humans) == 1:
        only = humans[0]
        return Ident(only.name or only.emails[0].partition("@")[0], only.emails[0])
    if not humans:
        raise HoardError("The policy lists no human.", 'List yourself under actors in .hoard.yaml, or: hoard init --human "Name <mail>"')
    raise HoardError(
        "The policy lists several humans and none of them is your global git identity.", "git config --global user.email <your address>"
    )
