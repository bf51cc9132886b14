"""Changing a policy's file and nothing else in it: comments, order, quotes and line ends stay."""

from __future__ import annotations

import io

from hoard_git.app.people import ident_of, init_command, listed_humans
from hoard_git.app.policies import check_data, load_yaml
from hoard_git.app.signkey import MAKE_KEY
from hoard_git.core.policy import ActorRule
from hoard_git.core.sshsig import parse_key_line
from hoard_git.errors import HoardError
from hoard_git.gitio.reader import Ident

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hoard_git.core.policy import Policy

_BOM = b"\xef\xbb\xbf"
_WIDEST = 1 << 16
"""Characters of a line; ruamel would fold longer ones, and a key in a list of one line is long."""


def with_sign_key(raw: bytes, where: str, human: Ident, line: str, *, may_add: bool = False) -> bytes:
    """List a key for the human with this address and ask for signatures; the same bytes where both is so already.

    `may_add` lists the human, too, where the policy does not. Raises HoardError when the policy cannot be read, lists no such human, lists the key
    for somebody else, or would not mean the same otherwise.
    """
    old = check_data(load_yaml(raw, where), where)
    address = human.email.lower()
    place = find_human(old, address)
    if place is None and not may_add:
        raise _no_such_human(old, human, where)
    if place is None:
        place, added = len(old.actors), human
        old = old._replace(actors=(*old.actors, ActorRule(human.name, "human", (address,))))
    else:
        added = None
    word = parse_key_line(line).key.base64
    owner = next((rule for rule in old.actors if any(word in key.split() for key in rule.keys)), None)
    if owner is not None and owner != old.actors[place]:
        raise HoardError(
            f"{where} lists this key for {owner.name or owner.kind!r} already; a key that two share is that of the one who may do less.",
            f"Make another key: {MAKE_KEY}",
        )
    if owner is not None and old.authority == "signature":
        return raw
    new = _edited(raw, place, line if owner is None else "", added)
    keys = (*old.actors[place].keys, *((line,) if owner is None else ()))
    actors = (*old.actors[:place], old.actors[place]._replace(keys=keys), *old.actors[place + 1 :])
    if check_data(load_yaml(new, where), where) != old._replace(authority="signature", actors=actors):
        raise HoardError(
            f"{where} cannot be changed safely by a program.", f"Write by hand: authority: signature, and under the human: keys: [{line}]"
        )
    return new


def find_human(policy: Policy, address: str) -> int | None:
    """The place of the human with this address among the actors."""
    found = (number for number, rule in enumerate(policy.actors) if rule.kind == "human" and address.lower() in rule.emails)
    return next(found, None)


def _no_such_human(policy: Policy, human: Ident, where: str) -> HoardError:
    ways = [f"If it is somebody new: {list_command(human)}"]
    for rule in listed_humans(policy)[:1]:
        ways.insert(0, f"If the key is {rule.name or rule.emails[0]}'s: {list_command(ident_of(rule, rule.emails[0]))}")
    return HoardError(f"{where} lists no human with the address {human.email!r}, so it is not clear whose key this is.", "\n".join(ways))


def list_command(human: Ident, key: str = "KEY.pub") -> str:
    """The command that lists somebody's key."""
    return f"{init_command(human)} --sign-key {key}"


def _edited(raw: bytes, place: int, line: str, added: Ident | None) -> bytes:
    """Write the two settings with ruamel, in the file's own indentation and line ends."""
    from ruamel.yaml import YAML
    from ruamel.yaml.comments import CommentedMap, CommentedSeq
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString
    from ruamel.yaml.util import load_yaml_guess_indent

    text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    _data, indent, offset = load_yaml_guess_indent(text)
    yaml = YAML(typ="rt", pure=True)
    yaml.preserve_quotes = True
    yaml.width = _WIDEST
    yaml.indent(mapping=2, sequence=indent or 2, offset=offset or 0)
    data: Any = yaml.load(text)
    data["authority"] = "signature"
    if added is not None:
        quoted = DoubleQuotedScalarString
        addresses = CommentedSeq([quoted(added.email.lower())])
        addresses.fa.set_flow_style()
        person = CommentedMap({"name": quoted(added.name), "kind": "human", "emails": addresses})
        person.fa.set_flow_style()
        if not data.get("actors"):
            data["actors"] = CommentedSeq()
        data["actors"].append(person)
    if line:
        actor = data["actors"][place]
        if "keys" not in actor:
            actor["keys"] = CommentedSeq()
            actor["keys"].fa.set_flow_style()
        actor["keys"].append(DoubleQuotedScalarString(line))
    out = io.StringIO()
    yaml.dump(data, out)
    new = out.getvalue().encode()
    if b"\r\n" in raw:
        new = new.replace(b"\n", b"\r\n")
    return (_BOM if raw.startswith(_BOM) else b"") + new
