"""Writing commits and refs through git itself, so that hooks, filters, signing and quarantine rules apply; nobody's staged work is touched."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
from pathlib import Path

from hoard_git.core.model import MODE_EXECUTABLE, MODE_FILE, Oid, RepoPath
from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError
from hoard_git.gitio.locks import Version, branch_moved, replace_locked, turn, version_of, with_patience
from hoard_git.gitio.plumbing import PlumbingReader, no_identity
from hoard_git.gitio.process import GitError, encode_path, start
from hoard_git.gitio.reader import INDEX, Ident

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hoard_git.gitio.reader import Reader

_TURN = "HOARD_COMMITTING"
_NOT_KNOWN = "did not match any file(s) known to git"
_LOST = re.compile(r"^error: invalid object [0-7]+ ([0-9a-f]{40,64}) for ", re.MULTILINE)
_SUMMARY = re.compile(rb"^\[[^\n]{1,4096}? ([0-9a-f]{40,64})\]", re.MULTILINE)


def commit_paths(
    reader: Reader,
    message: bytes,
    paths: Sequence[RepoPath],
    *,
    author: Ident | None = None,
    env_extra: Mapping[str, str] | None = None,
) -> Oid:
    """Commit the work-tree state of exactly these paths on the current branch and return the new commit.

    `message` is taken byte for byte. Hooks run and may refuse. New files are included, deleted ones recorded as deleted; whatever else is staged stays
    staged. Waits up to 5 s for another git process. When it fails, index and work tree are as before. `author` sets name, address and (when not 0)
    time; `env_extra` is added to git's environment. Raises GitError with the hooks' words in `output`, HoardError when there is nothing to commit.
    """
    if not paths:
        raise HoardError("There is nothing to commit: no path was given.", "git status")
    plumbing = _plumbing(reader)
    extra = {**_author_env(author), **(env_extra or {})}
    # Without --quiet git prints the new commit's name, and with this abbreviation the whole of it: asking for HEAD afterwards could give another
    # writer's commit.
    args = ["-c", "core.abbrev=no", "-c", "i18n.commitEncoding=UTF-8", "commit", "--only", "-F", "-", "--cleanup=verbatim", "--no-status"]

    def attempt() -> bytes:
        announced = _Announced(plumbing, paths)
        announced.add()
        try:
            return _commit(plumbing, [*args, "--", *map(_literal, paths)], message, extra)
        except BaseException as error:
            announced.undo()
            # Another git process can write an index without our entries: it has read it before (see `turn`).
            if isinstance(error, GitError) and _NOT_KNOWN in error.output and announced.any:
                raise _EntriesLostError(error.message, error.hint, output=error.output) from None
            raise

    # A commit made by a hook of a commit of ours must not wait for that.
    with contextlib.nullcontext() if _TURN in plumbing.environment() else turn(plumbing.git_dir()):
        out = with_patience(attempt, again=lambda error: branch_moved(error) or isinstance(error, _EntriesLostError))
    found = _SUMMARY.search(out)
    return Oid(found[1].decode()) if found else plumbing.resolve("HEAD")


def write_tree_commit(
    reader: Reader,
    base: Oid | None,
    edits: Mapping[RepoPath, bytes | None],
    parents: Sequence[Oid],
    message: bytes,
    *,
    author: Ident | None = None,
    env_extra: Mapping[str, str] | None = None,
) -> Oid:
    """Store a commit whose tree is that of `base` (a commit or tree; None: empty) with `edits`, and return it; no ref, index or file is touched.

    An edit is the new content of a regular file, which keeps its run bit, or None to delete it. Raises HoardError when an edit names a symlink or
    submodule, or deletes what is not there. No hook runs. Give the commit a ref with `update_ref`.
    """
    plumbing = _plumbing(reader)
    before = plumbing.tree(base, list(edits)) if base and edits else {}
    with tempfile.TemporaryDirectory(prefix="hoard-") as folder:
        oids = _store_blobs(plumbing, [data for data in edits.values() if data is not None], Path(folder))
        lines: list[bytes] = []
        zero = "0" * (64 if plumbing.object_format() == "sha256" else 40)
        for path, data in edits.items():
            mode = before.get(path, (MODE_FILE, ""))[0]
            if mode not in (MODE_FILE, MODE_EXECUTABLE):
                raise HoardError(f"'{repr(path)[1:-1]}' is not a regular file.", "git ls-files -s")
            if data is None and path not in before:
                raise HoardError(f"'{repr(path)[1:-1]}' cannot be deleted: it is not there.", "git ls-files")
            head = f"0 {zero}" if data is None else f"{mode:o} {next(oids)}"
            lines.append(f"{head}\t".encode() + encode_path(path) + b"\0")
        extra = {"GIT_INDEX_FILE": str(Path(folder, "index"))}
        plumbing.git(("read-tree", base) if base else ("read-tree", "--empty"), extra=extra).finish()
        plumbing.git(("update-index", "-z", "--index-info"), stdin=b"".join(lines), extra=extra).finish()
        tree = plumbing.git(("write-tree",), extra=extra).finish().strip().decode()
    args = ["-c", "i18n.commitEncoding=UTF-8", "commit-tree", *(["-S"] if signs_commits(plumbing) else []), tree]
    for parent in parents:
        args += ["-p", parent]
    try:
        made = plumbing.git([*args, "-F", "-"], stdin=message, extra={**_author_env(author), **(env_extra or {})}).finish()
    except GitError as error:
        raise _explain(plumbing, error) from None
    return Oid(made.strip().decode())


class RefMovedError(HoardError):
    """Somebody else moved the ref meanwhile; nothing was changed."""


def signs_commits(plumbing: PlumbingReader) -> bool:
    """Whether commits are to be signed here: `commit-tree` does not look at commit.gpgSign by itself."""
    return (plumbing.config("commit.gpgsign") or "false").lower() in ("true", "yes", "on", "1")


def update_ref(reader: Reader, ref: str, new: Oid | None, old: Oid | None, *, reason: str = "hoard") -> None:
    """Move `ref` from `old` to `new` in one step: `old` None means it must not exist yet, `new` None deletes it.

    `ref` is a full name, or HEAD when that is detached.

    Raises RefMovedError when somebody else moved it meanwhile. A branch that is checked out somewhere keeps its files and index: the caller
    must not move it without them.
    """
    if not (ref.startswith("refs/") or ref == "HEAD") or any(c.isspace() for c in ref):
        raise HoardError(f"'{repr(ref)[1:-1]}' is not a full ref name.", "git for-each-ref")
    plumbing = _plumbing(reader)
    zero = "0" * (64 if plumbing.object_format() == "sha256" else 40)
    args = ("update-ref", "--no-deref", "-m", reason, ref, new or zero, old or zero)
    try:
        with_patience(lambda: plumbing.git(args).finish())
    except GitError as error:
        if "but expected" in error.output or "already exists" in error.output or "unable to resolve reference" in error.output:
            raise RefMovedError(f"{ref} was moved by someone else; nothing was changed.", "Run the same command again.") from None
        raise


class _EntriesLostError(GitError):
    """The announced files were gone from the index when git looked."""


class _Announced:
    """New files of a commit: `git commit --only` takes known paths only, so they are announced as by `git add -N`, and taken back on failure.

    The announcement is made in a copy of the index and put in place only if nobody changed the index meanwhile: so "before" and "after" differ by
    our entries alone, and putting "before" back loses nothing.
    """

    def __init__(self, plumbing: PlumbingReader, paths: Sequence[RepoPath]) -> None:
        self._plumbing = plumbing
        self._paths = paths
        self._new: list[RepoPath] = []
        self._before: Version | None = None
        self._after: Version | None = None
        self._index = Path(plumbing.git_path("index"))

    @property
    def any(self) -> bool:
        return bool(self._new)

    def add(self) -> None:
        if not any(self._try_add() for _ in range(50)):
            raise HoardError(
                "The index changes all the time; nothing was committed.", "Stop the other git processes and run the command again."
            )

    def _try_add(self) -> bool:
        listed = self._plumbing.git(["ls-files", "-z", "--full-name", "--", *map(_literal, self._paths)], at_root=True).finish()
        known = set(listed.split(b"\0"))
        root = self._plumbing.root()
        self._new = [p for p in self._paths if encode_path(p) not in known and os.path.lexists(Path(root, os.fsdecode(encode_path(p))))]
        if not self._new:
            return True
        self._before = version_of(self._index)
        copy = self._index.with_name(f"hoard-index-{os.getpid()}")
        try:
            if self._before is not None:
                copy.write_bytes(self._before.data)
                os.utime(copy, ns=(self._before.mtime_ns, self._before.mtime_ns))
            add: list[str | bytes] = ["add", "--intent-to-add", "--sparse", "--", *map(_literal, self._new)]
            self._plumbing.git(add, extra={"GIT_INDEX_FILE": str(copy)}, at_root=True).finish()
            self._after = version_of(copy)
        except GitError as error:
            shown = repr(self._new[0])[1:-1]
            if "are ignored by" in error.output:
                raise HoardError(
                    f"{shown} is ignored by .gitignore and would not be kept.", f"git check-ignore -v {shell_word(shown)}"
                ) from None
            raise
        finally:
            copy.unlink(missing_ok=True)
            copy.with_name(copy.name + ".lock").unlink(missing_ok=True)
        done = with_patience(lambda: replace_locked(self._index, self._after, self._before))
        if not done:
            self._new = []
        return done

    def undo(self) -> None:
        """Put the index back byte for byte, or, when somebody else has changed it since, take only our entries out."""
        if not self._new or with_patience(lambda: replace_locked(self._index, self._before, self._after)):
            return
        staged = self._plumbing.tree(INDEX, self._new)
        ours = [encode_path(path) + b"\0" for path in self._new if path not in staged]
        args = ("update-index", "--force-remove", "-z", "--stdin")
        with_patience(lambda: self._plumbing.git(args, stdin=b"".join(ours), at_root=True).finish())


def _literal(path: RepoPath) -> bytes:
    """Give the pathspec of one path. Not GIT_LITERAL_PATHSPECS: hooks would inherit it, and their own pathspecs would stop matching."""
    return b":(top,literal)" + encode_path(path)


def _commit(plumbing: PlumbingReader, args: Sequence[str | bytes], message: bytes, extra: Mapping[str, str]) -> bytes:
    # C.UTF-8 and not C: the user's hooks run in this locale, and Ruby and Perl ones break on UTF-8 files in C.
    running = start(args, stdin=message, env={**plumbing.environment(), _TURN: "1", **extra}, cwd=plumbing.root(), locale="C.UTF-8")
    try:
        return running.finish()
    except GitError as error:
        if error.status == 1 and b"to commit" in running.stdout:  # "nothing to commit", "no changes added to commit"
            raise HoardError("There is nothing to commit: these files are as they were committed.", "git status") from None
        raise _explain(plumbing, error) from None


def _explain(plumbing: PlumbingReader, error: GitError) -> HoardError:
    said = error.output
    if "tell me who you are" in said or "empty ident name" in said or "no email was given" in said or "no name was given" in said:
        return no_identity()
    if "during a merge" in said or "during a cherry-pick" in said or "during a rebase" in said:
        return HoardError(
            "A merge or similar is in progress, so single files cannot be committed.",
            "how to finish or leave it: git status",
        )
    lost = _LOST.search(said)
    if lost is not None:
        found = plumbing.explain_missing(
            GitError(f"The object {lost[1][:12]}, which HEAD names, is missing here; nothing was committed.", "")
        )
        return HoardError(found.message, found.hint or "git fsck --connectivity-only")
    return error


def _author_env(author: Ident | None) -> dict[str, str]:
    if author is None:
        return {}
    env = {"GIT_AUTHOR_NAME": author.name, "GIT_AUTHOR_EMAIL": author.email}
    if author.time:
        env["GIT_AUTHOR_DATE"] = f"@{author.time} {author.zone or '+0000'}"
    return env


def _plumbing(reader: Reader) -> PlumbingReader:
    """Writing always goes through git: libgit2 runs no hooks and ignores the quarantine."""
    return reader if isinstance(reader, PlumbingReader) else PlumbingReader(reader.root())


def _store_blobs(plumbing: PlumbingReader, contents: Sequence[bytes], folder: Path) -> Iterator[str]:
    """Store contents as they are (no filters, no line-end conversion) with one process; yields their oids in order."""
    names = []
    for number, data in enumerate(contents):
        Path(folder, f"blob{number}").write_bytes(data)
        names.append(f"{folder}/blob{number}\n")
    if not names:
        return iter(())
    out = plumbing.git(("hash-object", "-w", "--no-filters", "--stdin-paths"), stdin="".join(names).encode()).finish()
    return iter(out.decode().split())
