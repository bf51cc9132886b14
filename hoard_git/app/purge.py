"""`hoard purge --plan`: where a leaked value occurs in everything that git holds. Looks only; the value never leaves this module but for one private file."""

# ruff: noqa: PTH112, PTH114, PTH118 -- repository paths are text, and these functions keep odd bytes as they are

from __future__ import annotations

import os
import re

from hoard_git.app.policies import read_policies
from hoard_git.app.workspace import read_policies_of_worktree
from hoard_git.core.model import MODE_LINK, MODE_TREE, RepoPath
from hoard_git.core.purging import SHORTEST, count_in_object, forms_of
from hoard_git.core.record import Record
from hoard_git.core.unwrap import unwrap
from hoard_git.errors import HoardError
from hoard_git.gitio.plumbing import RAW
from hoard_git.gitio.process import GitError, decode_path
from hoard_git.gitio.rawformat import is_oid
from hoard_git.gitio.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from hoard_git.gitio.plumbing import PlumbingReader

_PORTION = 32 << 20
_LARGEST = 256 << 20
_MOST_VALUES = 50
_FINGERPRINT = re.compile(r"hgs1:[0-9a-f]{20}", re.ASCII)


class Hit(Record):
    """One object that holds the value: its type, how often, and whether text can be replaced in it. `reachable`: from a ref, the index or a reflog."""

    oid: str
    kind: str
    times: int
    plain: bool
    reachable: bool


class Spot(Record):
    """A commit that brought a blob with the value to a path, or took it from there."""

    commit: str
    date: str
    name: str
    email: str
    path: str
    brings: bool


class Found(Record):
    """Everything that is known about a value's places. `values` are secret; nothing else here holds one but `paths` and names, which callers hide.

    `commits` are those that bring it or say it in their message, oldest first. `people` wrote since. `reflog` are commits that no ref reaches.
    """

    values: tuple[str, ...] = ()
    hits: tuple[Hit, ...] = ()
    spots: tuple[Spot, ...] = ()
    messages: tuple[str, ...] = ()
    headers: int = 0
    refs: tuple[str, ...] = ()
    named_refs: tuple[str, ...] = ()
    stashes: tuple[str, ...] = ()
    reflog: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    worktree: tuple[str, ...] = ()
    people: tuple[tuple[str, str], ...] = ()
    objects: int = 0

    @property
    def commits(self) -> tuple[str, ...]:
        """Commits that bring the value, in a file or in their message."""
        return tuple(dict.fromkeys([*(spot.commit for spot in self.spots if spot.brings), *self.messages]))

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths that hold or held it."""
        return tuple(sorted({spot.path for spot in self.spots if spot.brings}))

    @property
    def forms(self) -> tuple[bytes, ...]:
        """What is looked for and replaced."""
        return tuple(sorted({form for value in self.values for form in forms_of(value)}, key=lambda form: (-len(form), form)))


def is_fingerprint(text: str) -> bool:
    """Whether an argument is a fingerprint as findings print it."""
    return _FINGERPRINT.fullmatch(text) is not None


def find_value(reader: PlumbingReader, wanted: str, *, regex: bool = False) -> Found:
    """Look for a value, a fingerprint or (`regex`) a regular expression in every object and in the work tree.

    Raises HoardError for a shallow or partial clone, for a pattern that is too short, and for what cannot be read: none of these is "not found".
    """
    if reader.is_shallow():
        raise HoardError("This clone is shallow: most of its history cannot be looked into.", "git fetch --unshallow")
    check_pattern(wanted, regex=regex)
    store = _list_objects(reader)
    reachable = _reachable(reader, store)
    values = _values(reader, wanted, store, regex=regex)
    found = Found(values, objects=len(store))
    if not values:
        return found
    forms = found.forms
    hits: list[Hit] = []
    for oid, kind, data in _objects(reader, store):
        times, plain = count_in_object(data, forms)
        if times:
            hits.append(Hit(oid, kind, times, plain, oid in reachable))
    return _locate(reader, found._replace(hits=tuple(sorted(hits, key=lambda hit: (hit.kind, hit.oid)))))


def check_pattern(wanted: str, *, regex: bool) -> None:
    """Raise HoardError for what would match too much or cannot be looked for; the message does not repeat it."""
    if is_fingerprint(wanted) and not regex:
        return
    if wanted.startswith("hgs1:") and not regex:
        raise HoardError("A fingerprint is hgs1: and 20 hex digits, as a finding prints it.", "hoard check")
    if "\0" in wanted or len(wanted.strip()) < SHORTEST:
        raise HoardError(
            f"The pattern is too short: it needs {SHORTEST} characters to mean one value.",
            "hoard purge --plan -    (it asks for the value)",
        )
    if regex:
        try:
            pattern = re.compile(wanted)
        except (re.error, RecursionError, OverflowError):
            raise HoardError("The pattern is no regular expression.", "Leave out --regex to look for a text.") from None
        if pattern.search("") is not None:
            raise HoardError("The pattern matches nothing at all, and so everywhere.", "Write one that needs a few characters.")


def _list_objects(reader: PlumbingReader) -> dict[str, tuple[str, int]]:
    """Every object that is here, with its type and size."""
    out = reader.git(("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype) %(objectsize)")).finish()
    store: dict[str, tuple[str, int]] = {}
    for line in out.decode("ascii", "replace").splitlines():
        words = line.split(" ")
        if len(words) != 3 or not words[2].isdigit():
            raise HoardError("An object of this repository cannot be read.", "git fsck")
        store[words[0]] = (words[1], int(words[2]))
    return store


def _reachable(reader: PlumbingReader, store: Mapping[str, tuple[str, int]]) -> set[str]:
    """Object names behind refs, HEADs of all worktrees, the index and reflogs. Raises HoardError when one of them is not here."""
    heads = [oid for oid in _worktree_heads(reader) if oid in store]
    args = ("rev-list", "--objects", "--no-object-names", "--missing=print", "--all", "--reflog", "--indexed-objects", "--stdin")
    try:
        out = reader.git(args, stdin="".join(f"{oid}\n" for oid in heads).encode() or b"\n").finish()
    except GitError as error:
        raise reader.explain_missing(error) from None
    names = out.decode("ascii", "replace").split()
    missing = [name for name in names if not is_oid(name) or name not in store]
    if missing:
        raise reader.explain_missing(GitError(f"{len(missing)} objects of the history are not here.", "git fsck"))
    return set(names)


def _worktree_heads(reader: PlumbingReader) -> list[str]:
    out = reader.git(("worktree", "list", "--porcelain")).finish((0, 128)).decode("utf-8", "replace")
    return [line[5:] for line in out.split("\n") if line.startswith("HEAD ") and is_oid(line[5:]) and line[5:].strip("0")]


def _objects(reader: PlumbingReader, store: Mapping[str, tuple[str, int]], kinds: Sequence[str] = ()) -> Iterator[tuple[str, str, bytes]]:
    """Yield objects with their type and bytes, some megabytes at a time. Raises HoardError for one that is too large to be read."""
    part: list[str] = []
    size = 0
    for oid, (kind, length) in store.items():
        if kinds and kind not in kinds:
            continue
        if length > _LARGEST:
            raise HoardError(
                f"Object {oid} is larger than {_LARGEST >> 20} MiB and was not searched.", f"git cat-file -p {oid} | grep -c …"
            )
        if part and size + length > _PORTION:
            yield from _read(reader, part)
            part, size = [], 0
        part.append(oid)
        size += length
    yield from _read(reader, part)


def _read(reader: PlumbingReader, oids: Sequence[str]) -> Iterator[tuple[str, str, bytes]]:
    if not oids:
        return
    out = reader.git(("cat-file", "--batch", "--buffer"), stdin="\n".join((*oids, "")).encode()).finish()
    at = 0
    for oid in oids:
        end = out.find(b"\n", at)
        header = out[at:end].split(b" ")
        if end < 0 or len(header) != 3 or header[0] != oid.encode():
            raise HoardError(f"Object {oid} cannot be read.", "git fsck")
        size = int(header[2])
        yield oid, header[1].decode("ascii"), out[end + 1 : end + 1 + size]
        at = end + 2 + size


def _values(reader: PlumbingReader, wanted: str, store: Mapping[str, tuple[str, int]], *, regex: bool) -> tuple[str, ...]:
    """The values that are meant: the text itself, what matches, or the credential with this fingerprint."""
    if regex:
        return _matching(reader, re.compile(wanted), store)
    if not is_fingerprint(wanted):
        return (wanted,)
    salts = _salts(reader)
    if not salts:
        raise HoardError("The policy has no salt, so no fingerprint can be recognised.", "hoard purge --plan -    (it asks for the value)")
    from hoard_git.core.secrets import find_secrets, fingerprint

    seen: set[str] = set()
    for _oid, kind, data in _objects(reader, store, ("blob", "commit", "tag")):
        text = _text(data)
        for match in find_secrets(text.split("\n")) if text else ():
            if match.value not in seen:
                seen.add(match.value)
                if any(fingerprint(match.value, salt) == wanted for salt in salts):
                    return (match.value,)
        del kind
    return ()


def _matching(reader: PlumbingReader, pattern: re.Pattern[str], store: Mapping[str, tuple[str, int]]) -> tuple[str, ...]:
    values: set[str] = set()
    for _oid, _kind, data in _objects(reader, store, ("blob", "commit", "tag")):
        for line in _text(data).split("\n"):
            values.update(match.group().strip() for match in pattern.finditer(line))
        if len(values) > _MOST_VALUES:
            raise HoardError(f"The pattern matches more than {_MOST_VALUES} different texts.", "Write it so that it means one value.")
    if any(len(value) < SHORTEST for value in values):
        raise HoardError(
            f"The pattern matches texts of fewer than {SHORTEST} characters, which stand in many words.", "Write a longer one."
        )
    return tuple(sorted(values))


def _text(data: bytes) -> str:
    """An object as text; '' for one that is neither text nor text in a wrapping."""
    plain = unwrap(data, "an object of the history")
    if plain is None:
        plain = b"" if b"\0" in data[:8192] else data
    return plain.decode("utf-8", "surrogateescape")


def _salts(reader: PlumbingReader) -> set[str]:
    """Every salt of the policies of HEAD and of the work tree."""
    head = reader.head()
    found = read_policies(reader, head, reader.tree(head) if head else ()).by_prefix
    if reader.root() != reader.git_dir():
        found += read_policies_of_worktree(reader).by_prefix
    return {policy.salt for _prefix, policy in found if policy.salt}


def _locate(reader: PlumbingReader, found: Found) -> Found:
    """Tell which commits, paths, refs, stashes and people the objects belong to."""
    blobs = {hit.oid for hit in found.hits if hit.kind == "blob"}
    messages = tuple(hit.oid for hit in found.hits if hit.kind == "commit" and hit.reachable)
    spots, since, order = _walk(reader, blobs, set(messages), found.forms)
    commits = list(dict.fromkeys([*(spot.commit for spot in spots if spot.brings), *messages]))
    commits.sort(key=lambda oid: order.get(oid, 0))
    refs = [] if not commits else _refs_with(reader, commits)
    named = [name for name, _oid in _refs(reader) if any(form in name.encode("utf-8", "surrogateescape") for form in found.forms)]
    tagged = [name for name, oid in _refs(reader) if any(hit.kind == "tag" and hit.oid == oid for hit in found.hits)]
    reached = _behind_refs(reader)
    return found._replace(
        spots=tuple(sorted(spots, key=lambda spot: (order.get(spot.commit, 0), spot.path))),
        messages=tuple(sorted(messages, key=lambda oid: order.get(oid, 0))),
        refs=tuple(sorted({*refs, *tagged})),
        named_refs=tuple(named),
        stashes=tuple(_stashes(reader, set(commits))),
        reflog=tuple(oid for oid in commits if oid not in reached),
        head=tuple(_in_head(reader, blobs)),
        worktree=tuple(_in_worktree(reader, found.forms)),
        people=tuple(since),
    )


def _walk(
    reader: PlumbingReader, blobs: set[str], messages: set[str], forms: Sequence[bytes]
) -> tuple[list[Spot], list[tuple[str, str]], dict[str, int]]:
    """Read every commit once, parents first: what brings or takes the value, who wrote since then, and the commits' order."""
    fields = ("%x01%H", "%as", "%an", "%ae", "%cn", "%ce")
    args = ("-c", "log.showRoot=true", "-c", "log.showSignature=false", "log", "--all", "--reflog", "--topo-order", "--reverse", "-c",
            *RAW, "--no-notes", "--no-show-signature", "--no-decorate", "--format=" + "%x00".join(fields))  # fmt: skip
    tokens = iter(reader.git((*args, "--")).finish().split(b"\0"))
    spots: list[Spot] = []
    people: dict[str, tuple[str, str]] = {}
    order: dict[str, int] = {}
    now: tuple[str, ...] = ()
    for token in tokens:
        token = token.lstrip(b"\n")  # noqa: PLW2901 -- git puts a line end in front of each commit's list
        if token[:1] == b"\x01":
            now = (token[1:].decode("ascii"), *(_shown(next(tokens, b"")) for _ in fields[1:]))
            order.setdefault(now[0], len(order))
            if now[0] in messages or people:
                people.setdefault(now[3].lower(), (now[2], now[3]))
                people.setdefault(now[5].lower(), (now[4], now[5]))
        elif token[:1] == b":":
            path = next(tokens, b"")
            named = any(form in path for form in forms)
            for brings, oid in _sides(token):
                if oid in blobs or named:
                    spots.append(Spot(now[0], now[1], now[2], now[3], decode_path(path), brings))
                    people.setdefault(now[3].lower(), (now[2], now[3]))
                    people.setdefault(now[5].lower(), (now[4], now[5]))
    return list(dict.fromkeys(spots)), list(people.values()), order


def _sides(meta: bytes) -> Iterator[tuple[bool, str]]:
    """The blobs of one raw line, those of its parents first: whether the commit brings it, and its name. A merge has a colon a parent."""
    count = len(meta) - len(meta.lstrip(b":"))
    words = meta[count:].decode("ascii", "replace").split(" ")
    if len(words) != 2 * count + 3:
        raise HoardError("git gave a list of changes that cannot be read.", "git --version")
    for at, oid in enumerate(words[count + 1 : 2 * count + 2]):
        if oid.strip("0") and int(words[at], 8) != MODE_TREE:
            yield at == count, oid


def _shown(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _refs(reader: PlumbingReader) -> list[tuple[str, str]]:
    out = reader.git(("for-each-ref", "--format=%(refname)%00%(objectname)")).finish().decode("utf-8", "surrogateescape")
    pairs = [line.split("\0") for line in out.split("\n") if line]
    return [(pair[0], pair[1]) for pair in pairs]


def _refs_with(reader: PlumbingReader, commits: Sequence[str]) -> list[str]:
    """Refs whose history holds any of the commits."""
    found: set[str] = set()
    for first in range(0, len(commits), 200):
        words = [f"--contains={oid}" for oid in commits[first : first + 200]]
        out = reader.git(("for-each-ref", "--format=%(refname)", *words)).finish().decode("utf-8", "surrogateescape")
        found.update(line for line in out.split("\n") if line)
    return sorted(found)


def _behind_refs(reader: PlumbingReader) -> set[str]:
    return set(
        reader.git(("rev-list", "--all", "--stdin"), stdin="".join(f"{oid}\n" for oid in _worktree_heads(reader)).encode() or b"\n")
        .finish()
        .decode()
        .split()
    )


def _stashes(reader: PlumbingReader, commits: set[str]) -> Iterable[str]:
    """Stash entries that hold one of the commits as theirs: the stash itself, its index, or its untracked files."""
    listed = reader.git(("reflog", "show", "--format=%gd %H %P", "refs/stash", "--")).finish((0, 128)).decode("utf-8", "replace")
    for line in listed.split("\n"):
        name, _, oids = line.partition(" ")
        own, *parents = oids.split() or [""]
        if own in commits or commits.intersection(parents[1:]):
            yield name


def _in_head(reader: PlumbingReader, blobs: set[str]) -> Iterable[str]:
    head = reader.head()
    return sorted(path for path, (_mode, oid) in reader.tree(head).items() if oid in blobs) if head else ()


def _in_worktree(reader: PlumbingReader, forms: Sequence[bytes]) -> Iterable[str]:
    """Files that lie in the work tree with the value in them, ignored ones left out."""
    root = reader.root()
    if os.path.realpath(root) == os.path.realpath(reader.git_dir()):
        return
    listed = reader.git(("ls-files", "-z", "-s", "--cached", "--others", "--exclude-standard"), at_root=True).finish()
    for item in sorted(set(listed.split(b"\0"))):
        meta, tab, name = item.rpartition(b"\t")
        if not item or tab and int(meta.split(b" ")[0], 8) == MODE_LINK or os.path.islink(os.path.join(os.fsencode(root), name)):
            continue
        if os.path.isdir(os.path.join(os.fsencode(root), name)):
            continue  # a submodule
        data = read_file(root, RepoPath(decode_path(name)))
        if data is not None and count_in_object(data, forms)[0]:
            yield decode_path(name)
