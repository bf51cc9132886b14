"""Opening the block index for a workspace: what is memory, which commit is asked about, where the user's cache lies.

    with_index(reader, lambda index: …, rev="HEAD")

gives the question an open `gitio.blockindex.BlockIndex` that answers for `rev`; see there for what it can be asked.
"""

from __future__ import annotations

import os
from contextlib import suppress

from hoard_git.app.policies import read_policies
from hoard_git.core.files import classify, file_default, is_policy, roots_of
from hoard_git.core.hashes import own_hash
from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Oid, RepoPath
from hoard_git.core.policy import FILE_NAME
from hoard_git.core.trust import actor_of
from hoard_git.errors import HoardError
from hoard_git.gitio.blockindex import IndexTrouble
from hoard_git.gitio.blockindex_open import open_index
from hoard_git.gitio.cachefiles import ask
from hoard_git.gitio.opening import read_head
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from typing import TypeVar

    from hoard_git.app.policies import Policies
    from hoard_git.app.proof import Proofs
    from hoard_git.core.model import Actor
    from hoard_git.core.policy import Policy
    from hoard_git.core.tags import Tag
    from hoard_git.gitio.blockindex import BlockIndex
    from hoard_git.gitio.plumbing import PlumbingReader
    from hoard_git.gitio.reader import Reader

    Answer = TypeVar("Answer")


_MUCH = 4
"""Memory is much of a commit when one file in so many is of it."""


class MemoryRules:
    """What is memory under the policies of one commit (`gitio.blockindex_build.Rules`)."""

    def __init__(self, policies: Policies, listing: str, paths: Collection[str] = ()) -> None:
        """`listing` names the policy files, as lines of path, tab and blob; `paths` are those of the commit, where they are known.

        Where much of a commit is memory, there are no pathspecs: git needs twice the time to compare with many of them.
        """
        self.all = policies
        self.policies = listing
        governed = [policy for _prefix, policy in policies.by_prefix] or [policies.default]
        self.fingerprint = repr([(p.prefix, p.globs, p.roots, p.owners) for p in governed])
        self.pathspecs = [f":(glob)**/{FILE_NAME}", *dict.fromkeys(spec for policy in governed for spec in _pathspecs(policy))]
        self._classes: dict[str, str] = {}
        if sum(bool(self.classify(path)) for path in paths) * _MUCH > len(paths):
            self.pathspecs = []

    def classify(self, path: str) -> str:
        """The class of a memory file; '' for everything else, files under memory/ of no class among it."""
        found = self._classes.get(path)
        if found is None:
            found = classify(path, self.all.govern(path))
            found = self._classes[path] = "" if found == "other" else found
        return found

    def default(self, path: str, file_class: str) -> Tag | None:
        """What an untagged file counts as."""
        return file_default(path, file_class, self.all.govern(path))

    def is_policy(self, path: str) -> bool:
        """Whether a path is a policy file."""
        return is_policy(path)


def _pathspecs(policy: Policy) -> list[str]:
    """Pathspecs of git for the policy's globs: a superset, which `classify` narrows."""
    specs = []
    for top in roots_of(policy):
        for _name, globs in policy.globs:
            specs += [f":(glob){top}{glob.replace('YYYY-MM-DD', '????-??-??')}" for glob in globs]
    return specs


def memory_rules(reader: PlumbingReader, tip: str, listing: str | None) -> MemoryRules:
    """Read what is memory at a commit, or under the policies of a listing that an index has kept. Raises HoardError for a bad policy."""
    paths: Collection[str] = ()
    if listing is None:
        tree = reader.tree(Oid(tip))
        paths = tree.keys()
        named = {path: entry for path, entry in tree.items() if is_policy(path)}
        entries = {path: entry for path, entry in named.items() if entry[0] in (MODE_FILE, MODE_EXECUTABLE)}
    else:
        pairs = [line.split("\t") for line in listing.split("\n") if "\t" in line]
        entries = {RepoPath(path): (MODE_FILE, Oid(oid)) for path, oid in pairs}
    listing = "\n".join(f"{path}\t{oid}" for path, (_mode, oid) in sorted(entries.items()))
    return MemoryRules(read_policies(reader, Oid(tip), [str(path) for path in entries], cached=True, entries=entries), listing, paths)


def with_index(
    reader: PlumbingReader,
    question: Callable[[BlockIndex], Answer],
    *,
    rev: str = "HEAD",
    progress: Callable[[int, int], None] = lambda _done, _all: None,
) -> Answer:
    """Ask the block index, built or brought up to date first, about history up to `rev`. Raises HoardError.

    `progress` hears (done, all) commits every now and then while the index is built.
    """
    guess = read_head(reader) if rev == "HEAD" else ""
    tip = guess or find_tip(reader, rev)
    confirm = (lambda: find_tip(reader, rev)) if guess else None

    def make() -> BlockIndex:
        def rules(at: str, listing: str | None) -> MemoryRules:
            return memory_rules(reader, at, listing)

        return open_index(reader, rules, tip, cache_home=cache_home(), progress=progress, confirm=confirm)

    return ask(make, question, IndexTrouble)


def cache_home() -> str:
    """The user's cache folder."""
    return os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")  # noqa: PTH111, PTH118 - text paths


def find_tip(reader: PlumbingReader, rev: str) -> str:
    """The commit that is asked about. Raises HoardError on an unborn branch and for an unknown revision."""
    if rev != "HEAD":
        return reader.resolve(rev)
    head = reader.head()
    if head is None:
        raise HoardError("There is no commit yet, so there is no history.", "hoard init")
    return head


def read_version(reader: PlumbingReader, path: str, oid: str) -> bytes:
    """Read a blob that a memory file has, or had: from disk where the file is just that, for git takes longer to start than all the rest."""
    blob = Oid(oid)
    if not reader.remembers(blob) and reader.root() != reader.git_dir():
        with suppress(HoardError):  # a symlink, or no file that may be read
            now = read_file(reader.root(), RepoPath(path))
            if now is not None and is_blob(now, oid):
                reader.remember(blob, now)
                return now
    return reader.blobs([blob])[blob]


def is_blob(data: bytes, oid: str) -> bool:
    """Whether git stores these bytes under this name."""
    digest = own_hash("sha1" if len(oid) == 40 else "sha256")(b"blob %d\0%b" % (len(data), data), usedforsecurity=False)
    return digest.hexdigest() == oid


class Authors:
    """Who counts as what, under the policy that was in force for each commit; policies are read once."""

    def __init__(self, reader: PlumbingReader) -> None:
        """Nothing is read before the first question."""
        self._reader = reader
        self._policies: dict[str, Policies | None] = {}
        self._actors: dict[tuple[str, str, str, str], Actor] = {}
        self._proofs: tuple[Reader, Proofs] | None = None

    def policies(self, listing: str) -> Policies | None:
        """The policies of a listing (`NodeRow.policy`), None when there are none or they cannot be read."""
        if listing not in self._policies:
            try:
                found = memory_rules(self._reader, "", listing).all if listing else None
            except HoardError:
                found = None
            self._policies[listing] = found
        return self._policies[listing]

    def actor(self, email: str, listing: str, path: str, oid: str = "") -> Actor:
        """Who an author counts as for a path. `why` says what is missing: an address that nobody lists, a proof.

        `oid` is the commit, whose signature is looked at when the policy asks for one. Raises HoardError when it cannot be looked at.
        """
        policies = self.policies(listing)
        asks = policies is not None and any(policy.authority == "signature" for _prefix, policy in policies.by_prefix)
        key = (email, listing, path.rpartition("/")[0], oid if asks else "")
        found = self._actors.get(key)
        if found is None:
            from hoard_git.core.policy import DEFAULT

            policy = policies.govern(path) if policies is not None else DEFAULT
            signed = policy.authority == "signature" and bool(oid)
            found = self._actors[key] = self._proved(Oid(oid), policy) if signed else actor_of(email, policy)
        return found

    def _proved(self, oid: Oid, policy: Policy) -> Actor:
        """Who made a commit by its signature; libgit2 reads the commits, since there may be thousands."""
        from hoard_git.app.proof import Proofs
        from hoard_git.gitio.opening import open_reader

        if self._proofs is None:
            batch = open_reader(self._reader.root(), batch=True)
            self._proofs = batch, Proofs(batch)
        batch, proofs = self._proofs
        return proofs.actor(batch.commit(oid), policy)
