"""The first commit of an adopted workspace: the memory that git did not know, as it was found, before any policy judges it."""

from __future__ import annotations

import os

from hoard_git.app.check import check_state
from hoard_git.app.message import expected_for
from hoard_git.app.people import as_committer
from hoard_git.app.policies import Policies
from hoard_git.app.proposal import judge_paths
from hoard_git.app.workspace import find_memory, read_policies_of_worktree
from hoard_git.app.write import explain_refusal
from hoard_git.core.model import MODE_LINK, Oid, RepoPath
from hoard_git.core.policy import DEFAULT, FILE_NAME, Policy
from hoard_git.core.record import Record
from hoard_git.core.trailers import append_trailers
from hoard_git.errors import HoardError
from hoard_git.gitio.hookfiles import status
from hoard_git.gitio.process import GitError, decode_path
from hoard_git.gitio.writer import commit_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hoard_git.app.clock import Days
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import Ident


class Found(Record):
    """What was recorded and what was left alone, one line each."""

    done: tuple[str, ...] = ()
    left: tuple[str, ...] = ()


def record_as_found(reader: PlumbingReader, prefix: str, human: Ident | None, days: Callable[[Policy], Days], *, asked: bool) -> Found:
    """Commit the memory that git does not know as it is, where there is no commit yet or it was `asked` for; `human` None only tells.

    No policy is in force at that moment, so nothing is judged and nothing changed. A file that seems to hold a secret stays out, for
    history keeps everything. Raises HoardError when it was asked for under a policy, or when git refuses.
    """
    head = reader.head()
    if head is not None and reader.tree(head, [RepoPath(prefix + FILE_NAME)]):
        if asked:
            raise HoardError("A policy is in force here already, so new files are judged by it.", "hoard tag && hoard commit")
        return Found()
    paths = _find_unknown(reader, prefix, head)
    if not paths:
        return Found()
    names = ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
    if head is not None and not asked:
        return Found(left=(f"git does not know {names}: hoard tag, then hoard commit (or record as found before: hoard init --baseline)",))
    if human is None:
        return Found(left=(f"git does not know {names}; to record it as found, as the human: hoard init",))
    secret = {finding.path for finding in check_state(reader, paths, days).findings if finding.code == "HG201"}
    left = tuple(f"{path} seems to hold a secret and was not recorded: hoard check {path}" for path in sorted(secret))
    paths = [path for path in paths if path not in secret]
    if not paths:
        return Found(left=left)
    trailers = expected_for(judge_paths(reader, paths, human, days, {}), op="adopt")
    try:
        oid = commit_as(reader, append_trailers(b"Record memory as found\n", trailers, None), paths, human, _without_our_hooks(reader))
    except GitError as error:
        raise explain_refusal(error) from error
    what = f"{len(paths)} file{'s' * (len(paths) != 1)}"
    return Found((f"recorded memory as found ({what}), as {human.name} <{human.email}>: {oid[:12]}",), left)


def _without_our_hooks(reader: PlumbingReader) -> dict[str, str]:
    """The environment in which git runs no hooks, where ours are in place: they judge what is new, and this is what was there before them."""
    if not any(hook.state in ("installed", "chained") for hook in status(reader, ("pre-commit", "prepare-commit-msg"))):
        return {}
    return {"GIT_CONFIG_PARAMETERS": f"{reader.environment().get('GIT_CONFIG_PARAMETERS', '')} 'core.hooksPath={os.devnull}'".strip()}


def commit_as(
    reader: PlumbingReader, message: bytes, paths: Sequence[str], human: Ident, env: Mapping[str, str] = {}, key: str = ""
) -> Oid:
    """Commit these paths as the human, for the adoption of a workspace, signed with `key` if one is given. Raises GitError with the words of git or a hook."""
    extra = {"HOARD_OP": "adopt", **as_committer(reader, human, key), **env}
    return commit_paths(reader, message, [RepoPath(path) for path in paths], author=human, env_extra=extra)


def _find_unknown(reader: PlumbingReader, prefix: str, head: Oid | None) -> list[str]:
    """The regular memory files of this workspace that git neither tracks nor ignores, and HEAD has not: an index may have lost some of those."""
    policies = read_policies_of_worktree(reader)
    if not policies.known:
        policies = Policies(((prefix, DEFAULT._replace(prefix=prefix)),))
    found = [path for path, file in find_memory(reader.root(), policies).items() if file.mode != MODE_LINK and path.startswith(prefix)]
    listed = reader.git(("ls-files", "-z", "--others", "--exclude-standard"), at_root=True).finish()
    unknown = {decode_path(name) for name in listed.split(b"\0") if name}
    paths = [path for path in found if path in unknown]
    known = reader.tree(head, [RepoPath(path) for path in paths]) if head is not None and paths else {}
    return [path for path in paths if RepoPath(path) not in known]
