"""Listing the human's key in a policy that is there already: one change, one commit, signed by whoever may change the policy now."""

# ruff: noqa: PTH119 -- as in the rest of this floor, paths are text

from __future__ import annotations

import os

from hoard_git.app.baseline import commit_as
from hoard_git.app.message import expected_for
from hoard_git.app.people import SIGN_KEY, config_of, listed_human
from hoard_git.app.policies import check_data, load_yaml
from hoard_git.app.policyedit import find_human, list_command, with_sign_key
from hoard_git.app.proposal import judge_paths
from hoard_git.app.signkey import read_sign_key, why_unreachable
from hoard_git.app.write import explain_refusal
from hoard_git.core.model import Oid, RepoPath
from hoard_git.core.record import Record
from hoard_git.core.trailers import append_trailers
from hoard_git.core.trust import find_marker
from hoard_git.errors import HoardError
from hoard_git.gitio.process import GitError
from hoard_git.gitio.reader import Ident
from hoard_git.gitio.worktree import read_file, write_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hoard_git.app.clock import Days
    from hoard_git.app.signkey import SignKey
    from hoard_git.core.policy import ActorRule, Policy
    from hoard_git.gitio.plumbing import PlumbingReader


class Listed(Record):
    """What was done and left, one line each; `ready` says that human commits may be signed with the key from now on."""

    done: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    oid: Oid | None = None
    ready: bool = True


class Workplace(Record):
    """Where a policy is changed, and for whom: its repository and path, the human (None: the one that it lists), and what surrounds the run.

    `is_named` says that the human was named in so many words: one whom the policy does not list is listed then.
    """

    reader: PlumbingReader
    path: str
    human: Ident | None
    days: Callable[[Policy], Days]
    environ: Mapping[str, str]
    is_named: bool = False


def list_key(place: Workplace, key: SignKey, *, commit: bool, clean: bool) -> Listed:
    """List a key for the human and ask for signatures; commits that alone, unless the file was not `clean` before or nobody may sign it here.

    Under a policy that asks for signatures already the commit is signed with the key that was in use: the new one counts from the next commit on.
    Raises HoardError when the policy cannot be changed or git refuses; then it is as it was.
    """
    reader, root = place.reader, place.reader.root()
    raw = read_file(root, RepoPath(place.path)) or b""
    old = check_data(load_yaml(raw, place.path), place.path)
    human = place.human or listed_human(old, reader)
    is_new = place.is_named and find_human(old, human.email) is None
    before = _key_in_use(reader, old) if old.authority == "signature" else None
    if is_new and before is None:
        return _left_to_others(old, human, key, place.path)
    new = with_sign_key(raw, place.path, human, key.line, may_add=is_new)
    if new == raw:
        return Listed(left=(f"{place.path} lists the key {key.fingerprint} already",))
    write_file(root, RepoPath(place.path), new, raw)
    told = f"{place.path}: listed the key {key.fingerprint} for {human.name} <{human.email}>; authority: signature"
    if before is None and old.authority == "signature":
        why = f"not committed, for it takes a key that is listed already: git config {SIGN_KEY} OLD.pub; hoard commit --human {place.path}"
        return Listed((told,), (why, "then once more: hoard init --sign-key KEY.pub"), ready=False)
    before = before or key
    signer = _holder(old, before) if is_new else human
    marker = find_marker(place.environ, old.agent_markers)
    why = why_unreachable(before, reader, place.environ)
    if marker:
        why = f"{marker} says that an agent runs this"
    elif not clean:
        why = "it had changes of its own"
    if why or not commit:
        ready = old.authority != "signature"
        later = "" if ready or is_new else "; then once more: hoard init --sign-key KEY.pub"
        because = f", for {why}" if why else ""
        return Listed((told,), (f"not committed{because}; then, as the human: hoard commit --human {place.path}{later}",), ready=ready)
    try:
        oid = _commit(place, signer, before)
    except BaseException:
        write_file(root, RepoPath(place.path), raw, new)
        raise
    left = (f"human commits here are still signed with {before.fingerprint}, {signer.name}'s",) if is_new else ()
    return Listed((told, f"committed {place.path} as {signer.name} <{signer.email}>, signed: {oid[:12]}"), left, oid, ready=not is_new)


def _left_to_others(policy: Policy, human: Ident, key: SignKey, path: str) -> Listed:
    """What somebody new is told who cannot change the policy here: nothing is written, so that the next pull finds the file as it was."""
    if policy.authority != "signature":
        raise HoardError(
            f"{path} does not ask for signatures yet, and once it does, whoever has no key there counts as an agent.",
            f"A human whom it lists goes first: hoard init --sign-key THEIR.pub\nthen: {list_command(human)}",
        )
    why = f"{path} stays as it is: it does not list {human.name} <{human.email}>, and only a human whose key it lists may change that"
    how = f"give one of them {os.path.basename(key.path)}, for: {list_command(human, os.path.basename(key.path))}"
    return Listed(left=(why, how, "once that is pulled, here again: hoard init --sign-key KEY.pub"), ready=False)


def _holder(policy: Policy, key: SignKey) -> Ident:
    """The human whom the policy lists with a key that it lists."""
    rule = next(_holders(policy, key))
    address = rule.emails[0] if rule.emails else ""
    return Ident(rule.name or address.partition("@")[0], address)


def _key_in_use(reader: PlumbingReader, policy: Policy) -> SignKey | None:
    """The key that human commits are signed with here, if the policy lists it."""
    path = config_of(reader, "--local", SIGN_KEY)
    try:
        key = read_sign_key(path) if path else None
    except HoardError:
        return None
    return key if key is not None and any(_holders(policy, key)) else None


def _holders(policy: Policy, key: SignKey) -> Iterator[ActorRule]:
    """The humans whom a policy lists with a key."""
    return (rule for rule in policy.actors if rule.kind == "human" and any(key.word in text.split() for text in rule.keys))


def _commit(place: Workplace, human: Ident, key: SignKey) -> Oid:
    judgement = judge_paths(place.reader, [place.path], human, place.days, {})
    message = append_trailers(b"List a signing key\n", expected_for(judgement, op="policy"), None)
    try:
        return commit_as(place.reader, message, [place.path], human, {"HOARD_OP": "policy"}, key.path)
    except GitError as error:
        raise explain_refusal(error) from error
