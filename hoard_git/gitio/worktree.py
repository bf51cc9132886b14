"""Reading and writing files of the work tree: no symlink is followed, no file is half written, no newer content is overwritten."""

# ruff: noqa: PTH123, PTH208 -- every step works on a directory descriptor, which pathlib has not

from __future__ import annotations

import contextlib
import errno
import os
import stat

from hoard_git.core.shellwords import shell_word
from hoard_git.errors import HoardError
from hoard_git.gitio.process import encode_path

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoard_git.core.model import RepoPath

MAX_BYTES = 64 << 20
"""The largest file that is read; memory files are kilobytes, and reading a device or a disk image helps nobody."""

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)


def read_file(root: str, path: RepoPath) -> bytes | None:
    """Read a regular file below `root`, None when there is none.

    Raises HoardError for a symlink anywhere in the path, for anything but a regular file, past MAX_BYTES, and when it may not be read.
    """
    try:
        with _parent(root, path) as (directory, name):
            return _read(directory, name, path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _refusal(error, path, "read") from None


def write_file(root: str, path: RepoPath, data: bytes, expected: bytes | None) -> None:
    """Replace the file in one step, if it still holds `expected` (None: if there is none); missing directories are made.

    The mode stays (a new file gets 0666 less umask); content reaches the disk before the name does. Raises HoardError on a lost update, a symlink,
    a path outside `root` or inside a git dir; then the file is untouched.
    """
    try:
        with _parent(root, path, make=True) as (directory, name):
            _compare(directory, name, path, expected)
            temporary = _write_beside(directory, name, data, _mode(directory, name))
            try:
                _compare(directory, name, path, expected)
                if expected is None:
                    _place_new(directory, temporary, name, path)
                else:
                    os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)
            finally:
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(temporary, dir_fd=directory)
            os.fsync(directory)
    except OSError as error:
        raise _refusal(error, path, "written") from None


def remove_file(root: str, path: RepoPath, expected: bytes) -> None:
    """Delete the file if it still holds `expected`; raises as `write_file` does. Empty directories stay."""
    try:
        with _parent(root, path) as (directory, name):
            _compare(directory, name, path, expected)
            os.unlink(name, dir_fd=directory)
            os.fsync(directory)
    except OSError as error:
        raise _refusal(error, path, "removed") from None


@contextlib.contextmanager
def _parent(root: str, path: RepoPath, *, make: bool = False) -> Iterator[tuple[int, bytes]]:
    """Open the file's directory step by step from `root`, so that a link that is put in the way later changes nothing."""
    if os.open not in os.supports_dir_fd or not _NOFOLLOW:
        raise HoardError("Files cannot be opened without following links on this system.", "Use a POSIX system (on Windows: WSL).")
    parts = _parts(path)
    directory = os.open(root, os.O_RDONLY | _DIRECTORY | os.O_CLOEXEC)
    try:
        for part in parts[:-1]:
            if make:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, dir_fd=directory)
            deeper = os.open(part, os.O_RDONLY | _DIRECTORY | _NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
            os.close(directory)
            directory = deeper
        yield directory, parts[-1]
    finally:
        os.close(directory)


def _parts(path: RepoPath) -> list[bytes]:
    raw = encode_path(path)
    parts = raw.split(b"/")
    if b"\0" in raw or any(p in {b"", b".", b".."} for p in parts):
        raise HoardError(
            f"'{_shown(path)}' is not a path inside the repository.",
            "Give the path from the top level of the repository, as git prints it.",
        )
    if any(p.lower().rstrip(b". ") == b".git" for p in parts):
        raise HoardError(f"'{_shown(path)}' is inside a git directory.", "Use git itself to change what is in there.")
    return parts


def _read(directory: int, name: bytes, path: RepoPath) -> bytes:
    # O_NONBLOCK: opening a FIFO would otherwise wait for a writer for ever.
    handle = os.open(name, os.O_RDONLY | _NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
    with open(handle, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise HoardError(f"{_shown(path)} is not a regular file.", f"ls -l {shell_word(_shown(path))}")
        chunks: list[bytes] = []
        size = 0
        while chunk := file.read(1 << 20):
            chunks.append(chunk)
            size += len(chunk)
            if size > MAX_BYTES:
                raise HoardError(
                    f"{_shown(path)} is larger than {MAX_BYTES >> 20} MiB.",
                    f"Move it out of the memory: mv {shell_word(_shown(path))} NEW-PLACE",
                )
        return b"".join(chunks)


def _compare(directory: int, name: bytes, path: RepoPath, expected: bytes | None) -> None:
    try:
        current: bytes | None = _read(directory, name, path)
    except FileNotFoundError:
        current = None
    if current == expected:
        return
    what = "has appeared" if expected is None else "has gone" if current is None else "was changed by someone else"
    raise HoardError(f"{_shown(path)} {what} since it was read; nothing was written.", "Run the same command again.")


def _mode(directory: int, name: bytes) -> int | None:
    try:
        return stat.S_IMODE(os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode)
    except FileNotFoundError:
        return None


def _temporary(name: bytes, process: int) -> bytes:
    return b".%s.%d.hoard-tmp" % (name[:200], process)


def remove_leftovers(root: str, path: RepoPath) -> None:
    """Delete what a killed process has left beside a file while it wrote it; what a process that still runs is writing stays."""
    try:
        with _parent(root, path) as (directory, name):
            start, end = _temporary(name, 0).removesuffix(b"0.hoard-tmp"), b".hoard-tmp"
            for found in map(os.fsencode, os.listdir(directory)):
                number = found[len(start) : -len(end)]
                if found.startswith(start) and found.endswith(end) and number.isdigit() and not _runs(int(number)):
                    os.unlink(found, dir_fd=directory)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _refusal(error, path, "cleaned up") from None


def _runs(process: int) -> bool:
    """Whether a process of this number is alive, whosever it is."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _write_beside(directory: int, name: bytes, data: bytes, mode: int | None) -> bytes:
    """Write a temporary file in the same directory, since a rename is atomic within one file system only."""
    temporary = _temporary(name, os.getpid())
    with contextlib.suppress(FileNotFoundError):
        os.unlink(temporary, dir_fd=directory)  # ours, from a killed run with the same process id
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | os.O_CLOEXEC, 0o666, dir_fd=directory)
    try:
        with open(handle, "wb") as file:
            if mode is not None:
                os.fchmod(handle, mode)
            file.write(data)
            file.flush()
            os.fsync(handle)
    except BaseException:
        os.unlink(temporary, dir_fd=directory)
        raise
    return temporary


def _place_new(directory: int, temporary: bytes, name: bytes, path: RepoPath) -> None:
    """Give the file its name unless the name is taken: a link fails where a rename would overwrite."""
    try:
        os.link(temporary, name, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
    except FileExistsError:
        raise HoardError(f"{_shown(path)} has appeared since it was read; nothing was written.", "Run the same command again.") from None
    except OSError as error:
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        _compare(directory, name, path, None)  # a file system without links (FAT, some mounts)
        os.replace(temporary, name, src_dir_fd=directory, dst_dir_fd=directory)


def _refusal(error: OSError, path: RepoPath, verb: str) -> HoardError:
    if error.errno in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):  # EMLINK: how FreeBSD reports O_NOFOLLOW
        return HoardError(
            f"{_shown(path)} cannot be {verb}: a part of the path is a symlink or not a directory.", "Replace the link by a real file."
        )
    seen = _shown(path) if error.errno == errno.EACCES and verb == "read" else _shown(path).rpartition("/")[0] or "."
    return HoardError(f"{_shown(path)} cannot be {verb}: {error.strerror}.", f"ls -ld {shell_word(seen)}")


def _shown(path: RepoPath) -> str:
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in path)
