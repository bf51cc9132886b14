"""What pre-commit, pre-merge-commit and post-rewrite do: judge what is being committed, and tell what a rewrite lost."""

# ruff: noqa: PTH111, PTH118, PTH123 -- importing pathlib costs 8 ms where a bare interpreter starts in 6

from __future__ import annotations

import os

from hoard_git.app.amend import asked_to_sign, is_amend, reuses_author
from hoard_git.app.clock import read_days
from hoard_git.app.gate import Gate, Judgement
from hoard_git.app.policies import Policies, directories, policy_from_blob
from hoard_git.app.verdict import Verdict
from hoard_git.core.files import classify
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Oid
from hoard_git.core.policy import FILE_NAME
from hoard_git.core.record import Record
from hoard_git.core.trust import actor_of, will_sign
from hoard_git.errors import HoardError
from hoard_git.gitio.plumbing import PlumbingReader
from hoard_git.gitio.reader import INDEX, Ident
from hoard_git.gitio.staging import StagedLook, fetch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hoard_git.core.model import Actor
    from hoard_git.core.policy import Policy
    from hoard_git.gitio.staging import Looked

_MOST_DIRECTORIES = 50
_LONGEST_KEY = 16 << 10


class Staged(Record):
    """The commit being made, judged."""

    judgement: Judgement
    parents: tuple[Oid | None, ...]


def judge_staged(reader: PlumbingReader, environ: Mapping[str, str], look: StagedLook | None = None, *, merging: bool = False) -> Staged:
    """Judge HEAD, or what an amend or merge has as parents, against the index that git is about to commit."""
    asked = reader.git(("var", "GIT_AUTHOR_IDENT")) if not environ.get("GIT_AUTHOR_EMAIL") else None
    try:
        looked = (look or StagedLook(reader, FILE_NAME)).finish()
    except BaseException:
        if asked is not None:
            asked.abandon()
        raise
    author = reader.author_from(asked) if asked is not None else Ident(environ.get("GIT_AUTHOR_NAME", ""), environ["GIT_AUTHOR_EMAIL"])
    gate = Gate(reader, days=lambda policy: read_days(policy, "", environ), cached_policies=True)
    base = looked.head.oid if looked.head is not None else None
    parents: tuple[Oid | None, ...] = (base,)
    listed = looked.changes
    if looked.head is not None:
        heads = _merge_heads(reader, environ if merging else {})
        if heads:
            parents = (base, *(head for head in heads if head != base))
        elif is_amend(looked.head, environ):
            parents = looked.head.parents or (None,)
            listed = reader.changes(parents[0], INDEX)
    if parents[0] == base:
        _prepare(gate, reader, looked)

    acts = _taker_over(reader, author)
    asked_key = asked_to_sign()
    key = _read_key(reader, asked_key) if asked_key is not None else ""

    def who(policy: Policy) -> Actor:
        actor = actor_of(author.email, policy, environ=environ, local=True)
        signer = will_sign(key, author.email, policy, environ) if key else None
        if signer is not None:
            return signer
        if acts is None or not actor.is_human or (asked_key is not None and policy.authority == "signature"):
            return actor  # what is about to be signed is judged by its signature, at the push
        taker = actor_of(acts.email, policy, environ=environ, local=True)
        if taker.is_human:
            return actor
        why = "an amend keeps the author of the commit that it replaces: make a commit of your own instead"
        return taker._replace(claimed="human", why=why)

    return Staged(gate.judge(parents, INDEX, who, listed=listed), parents)


def _taker_over(reader: PlumbingReader, author: Ident) -> Ident | None:
    """Who commits, where git was asked to keep somebody else's authorship (`--amend`, `-C`): an agent's amend is not its author's act."""
    if not reuses_author():
        return None
    committer = reader.author_from(reader.git(("var", "GIT_COMMITTER_IDENT")))
    return committer if committer.email != author.email else None


def _read_key(reader: PlumbingReader, key: str) -> str:
    """The line of the public SSH key with which git is to sign, '' where it cannot be told; `key` as git takes it, '' for the configured one."""
    key = key or reader.git(("config", "--get", "user.signingKey"), fixed=False).finish((0, 1)).decode("utf-8", "replace").strip("\n")
    if key.startswith(("key::", "ssh-")):
        return key.removeprefix("key::")
    try:
        with open(os.path.expanduser(key if key.endswith(".pub") else f"{key}.pub"), "rb") as file:
            return file.read(_LONGEST_KEY).decode("utf-8", "replace")
    except (OSError, ValueError):
        return ""


def _prepare(gate: Gate, reader: PlumbingReader, looked: Looked) -> None:
    """Read the policy that came with the first answers and all blobs in one process; odd cases are left to the gate's own reading."""
    names = [change.path for change in looked.changes]
    policies = Policies()
    if looked.policy is not None:
        if looked.policy.kind != "blob":
            return
        try:
            policies = Policies((("", policy_from_blob(reader, looked.policy.oid, looked.policy.data)),))
        except HoardError:
            return  # the gate falls back to the last policy that can be read, so that this one can be mended
    if looked.rules is not None:
        if looked.rules.kind != "blob":
            return
        reader.remember(looked.rules.oid, looked.rules.data)
        policies = policies._replace(rule_files=(("", MODE_FILE, looked.rules.oid),))
    policy = policies.govern(FILE_NAME)
    blobs = [
        oid
        for change in looked.changes
        if classify(change.path, policy) or change.path.rsplit("/", 1)[-1] in (FILE_NAME, ".gitattributes")
        for mode, oid in ((change.old_mode, change.old_oid), (change.new_mode, change.new_oid))
        if mode in (MODE_FILE, MODE_EXECUTABLE)
    ]
    below = [prefix for prefix in directories(names) if prefix and "\n" not in prefix]
    if looked.head is not None and len(below) > _MOST_DIRECTORIES:
        return
    asked = [f"{looked.head.oid}:{prefix}{FILE_NAME}" for prefix in below] if looked.head is not None else []
    if not any(fetch(reader, blobs, asked)):
        gate.know(looked.head.oid if looked.head is not None else None, names, policies)


def _merge_heads(reader: PlumbingReader, environ: Mapping[str, str]) -> list[Oid]:
    """The other parents of a merge: from MERGE_HEAD, or before git has written it from the GITHEAD_ variables of `git merge`."""
    try:
        with open(os.path.join(reader.git_dir(), "MERGE_HEAD"), "rb") as file:
            heads = [Oid(line.decode("ascii", "replace").strip()) for line in file.read(65536).split(b"\n") if line.strip()]
    except OSError:
        heads = []
    return heads or [Oid(name[8:]) for name in sorted(environ) if name.startswith("GITHEAD_") and len(name) in (48, 72)]


def pre_commit(reader: PlumbingReader, look: StagedLook, environ: Mapping[str, str], *, merging: bool = False) -> Verdict:
    """Judge the staged change; what it finds out about the message is left for the hooks that follow."""
    from hoard_git.app.handover import leave

    staged = judge_staged(reader, environ, look, merging=merging)
    leave(reader.git_dir(), environ, trailers_of(staged, environ))
    return verdict(staged.judgement)


def verdict(judgement: Judgement) -> Verdict:
    """Turn findings into an exit: errors block, unless the policy only warns."""
    errors = sum(finding.severity == "error" for finding in judgement.findings)
    if not errors:
        actor = judgement.actor
        note = actor.why if actor.is_human and judgement.touches_memory else ""  # the signature is made after this hook
        return Verdict(judgement.findings, blocks=False, note=note)
    if judgement.policy.mode == "warn":
        return Verdict(judgement.findings, blocks=False, note="the policy says mode: warn, so the commit goes on")
    return Verdict(judgement.findings, blocks=True)


def trailers_of(staged: Staged, environ: Mapping[str, str]) -> bytes:
    """The trailer lines of the commit being made, empty when it touches no memory."""
    judgement = staged.judgement
    if not judgement.touches_memory:
        return b""
    from hoard_git.app.message import expected_for

    op = environ.get("HOARD_OP", "") or ("merge" if len(staged.parents) > 1 else "")
    trailers = expected_for(judgement, op=op, session=environ.get("HOARD_SESSION", ""), reason=environ.get("HOARD_REASON", ""))
    return b"".join(f"{trailer.key}: {trailer.value}\n".encode("utf-8", "surrogateescape") for trailer in trailers)


def post_rewrite(pairs: bytes) -> Verdict:
    """After an amend or rebase: say which rewritten commits lost their trailers. Never blocks."""
    from hoard_git.core.trailers import parse_trailers

    oids = [line.split(b" ")[:2] for line in pairs.split(b"\n") if line]
    if not oids:
        return Verdict((), blocks=False)
    reader = PlumbingReader(".")
    names = sorted({Oid(name.decode("ascii", "replace")) for pair in oids for name in pair})
    has = {info.oid: any(t.key.startswith("Memory-") for t in parse_trailers(info.message)) for info in reader.commits(names)}
    lost = [new for old, new in ((Oid(a.decode()), Oid(b.decode())) for a, b in oids) if has[old] and not has[new]]
    if not lost:
        return Verdict((), blocks=False)
    first = lost[0][:12]
    since = f"{first}~..HEAD" if reader.commit(lost[0]).parents else "HEAD"
    note = f"{len(lost)} rewritten commit(s) lost their Memory trailers, first {first}: hoard trailers --repair {since}"
    return Verdict((), blocks=False, note=note)
