"""Changing a policy's file and nothing else in it: comments, order, quotes and line ends stay."""

from __future__ import annotations

import io

from hoard_git.app.policies import check_data, load_yaml
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hoard_git.core.policy import Policy

_BOM = b"\xef\xbb\xbf"
_WIDEST = 1 << 16
"""Characters of a line; ruamel would fold longer ones, and a key in a list of one line is long."""


def with_sign_key(raw: bytes, where: str, address: str, line: str) -> bytes:
    """List a key for the human with this address and ask for signatures; the same bytes where both is so already.

    Raises HoardError when the policy cannot be read, lists no such human, lists the key for somebody else, or would not mean the same otherwise.
    """
    old = check_data(load_yaml(raw, where), where)
    place = _human(old, address, where)
    blob = line.split()[1]
    owner = next((rule for rule in old.actors if any(blob in key.split() for key in rule.keys)), None)
    if owner is not None and owner != old.actors[place]:
        raise HoardError(
            f"{where} lists this key for {owner.name or owner.kind!a} already; a key that two share is that of the one who may do less.",
            "Make another key: ssh-keygen -t ed25519 -f ~/.ssh/hoard",
        )
    if owner is not None and old.authority == "signature":
        return raw
    new = _edited(raw, place, line if owner is None else "")
    keys = (*old.actors[place].keys, *((line,) if owner is None else ()))
    actors = (*old.actors[:place], old.actors[place]._replace(keys=keys), *old.actors[place + 1 :])
    if check_data(load_yaml(new, where), where) != old._replace(authority="signature", actors=actors):
        raise HoardError(
            f"{where} cannot be changed safely by a program.", f"Write by hand: authority: signature, and under the human: keys: [{line}]"
        )
    return new


def _human(policy: Policy, address: str, where: str) -> int:
    humans = [number for number, rule in enumerate(policy.actors) if rule.kind == "human"]
    mine = [number for number in humans if address.lower() in policy.actors[number].emails]
    if mine or len(humans) == 1:
        return (mine or humans)[0]
    what = "several humans, and none of them" if humans else "no human, so none"
    raise HoardError(
        f"{where} lists {what} with the address {address!a}.", 'Say whose key it is: hoard init --human "Name <mail>" --sign-key KEY.pub'
    )


def _edited(raw: bytes, place: int, line: str) -> bytes:
    """Write the two settings with ruamel, in the file's own indentation and line ends."""
    from ruamel.yaml import YAML
    from ruamel.yaml.comments import CommentedSeq
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
