"""Who works here: the human and the agent that the policy lists, and git's own idea of the user."""

from __future__ import annotations

import os
import re

from hoard_git.errors import HoardError
from hoard_git.gitio.reader import Ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hoard_git.core.policy import ActorRule, Policy
    from hoard_git.gitio.plumbing import PlumbingReader

SIGN_KEY = "hoard.signKey"
"""The variable that holds the public key's file with which human commits are signed here."""

HUMAN = "hoard.human"
"""The variable that holds the address of the human here, where it is not that of git's global identity."""

_IDENT = re.compile(r"\s*([^<>\n]{1,200}?)\s*<([^<>\s]{1,254})>\s*")


def parse_person(text: str, who: str) -> Ident:
    """Read the `Name <mail>` of the option --human or --agent. Raises HoardError."""
    match = _IDENT.fullmatch(text)
    if match is None or not match[1].isprintable() or "@" not in match[2]:
        raise HoardError(f"--{who} takes a name and an address, not {text[:60]!r}.", f'hoard init --{who} "Ada Example <ada@example.org>"')
    return Ident(match[1], match[2])


def parse_people(human: str, agent: str) -> tuple[Ident | None, Ident | None]:
    """Read what `--human` and `--agent` say, None for what was not given. Raises HoardError, also for one address under both."""
    one = parse_person(human, "human") if human else None
    other = parse_person(agent, "agent") if agent else None
    if one is not None and other is not None and one.email.lower() == other.email.lower():
        raise same_address(one)
    return one, other


def same_address(human: Ident) -> HoardError:
    """The error of a human and an agent with one address."""
    return HoardError(
        f"Human and agent have the same address {human.email!r}; the gate could not tell them apart.",
        'hoard init --human "Your Name <you@example.org>" --agent "clawd <clawd@agents.example>"',
    )


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


def undo_identity(reader: PlumbingReader, policies: Sequence[Policy]) -> str:
    """The command that takes back what `hoard init` has set here for the agent's commits; '' where the identity here is no agent's of a policy."""
    local = local_identity(reader)
    agents = {email.lower() for policy in policies for actor in policy.actors if actor.kind == "agent" for email in actor.emails}
    if local is None or local.email.lower() not in agents:
        return ""
    names = ["user.email", "user.name"]
    if config_of(reader, "--local", "commit.gpgsign") == "false":
        names.append("commit.gpgsign")
    return " && ".join(f"git config --local --unset {name}" for name in names if config_of(reader, "--local", name))


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


def listed_humans(policy: Policy) -> list[ActorRule]:
    """The humans of a policy who have an address in it, in its order."""
    return [rule for rule in policy.actors if rule.kind == "human" and rule.emails]


def ident_of(rule: ActorRule, email: str) -> Ident:
    """Whoever a rule lists, at one of its addresses; called by what stands before the @ where it gives no name."""
    return Ident(rule.name or email.partition("@")[0], email)


def listed_human(policy: Policy, reader: PlumbingReader) -> Ident:
    """The human of `--human`: whom `hoard init --human` named here, else the global identity, if the policy lists them.

    Where git knows no global identity, the only human listed is meant. Raises HoardError: nobody writes in the name of somebody else by default.
    """
    humans = listed_humans(policy)
    if not humans:
        raise HoardError(
            "The policy lists no human.", "List yourself in .hoard.yaml, under actors: {name: …, kind: human, emails: [you@example.org]}"
        )
    mine, named = global_identity(reader), config_of(reader, "--local", HUMAN).lower()
    for rule in humans:
        if named in rule.emails:
            return ident_of(rule, named)
    for rule in humans:
        if mine is not None and mine.email.lower() in rule.emails:
            return mine
    first = ident_of(humans[0], humans[0].emails[0])
    if mine is None and len(humans) == 1:
        return first
    who = f"Your git identity {mine.email} is" if mine is not None else "git does not know who you are, and you may be"
    several = f" and {len(humans) - 1} more" if len(humans) > 1 else ""
    raise HoardError(
        f"{who} no human of the policy, which lists {first.name} <{first.email}>{several}.",
        f"If you are one of them, say so once: {init_command(first)}\nIf not, one of them lists you: hoard rule HG307",
    )


def init_command(human: Ident) -> str:
    """The command that says who the human is here, the name in plain characters."""
    who = "".join(c if c.isprintable() and c not in '"\\$`!' else "?" for c in f"{human.name} <{human.email}>")
    return f'hoard init --human "{who}"'


def remember_human(reader: PlumbingReader, human: Ident) -> str:
    """Keep in this repository's configuration who `--human` is, where git's global identity is another; what was done, '' for nothing."""
    mine = global_identity(reader)
    if config_of(reader, "--local", HUMAN).lower() == human.email.lower() or (
        mine is not None and mine.email.lower() == human.email.lower()
    ):
        return ""
    reader.git(("config", "--local", HUMAN, human.email), fixed=False).finish()
    return f"you are {human.name} <{human.email}> here: that is who hoard commit --human commits as"
