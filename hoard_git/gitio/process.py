"""Running git: one process is one `Running`, started by `start` and collected by `finish`.

Standard library only and no `subprocess` on POSIX: `os.posix_spawnp` saves the 6 ms that importing it costs the hook. Where the function is
missing, `subprocess` does the same.
"""

# ruff: noqa: PTH109, PTH118 -- importing pathlib costs 8 ms where a bare interpreter starts in 6

from __future__ import annotations

import os

from hoard_git.errors import HoardError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_FIXED = ("-c", "core.quotePath=false", "-c", "color.ui=false")
_FIXED_ENV = {
    "GIT_NO_REPLACE_OBJECTS": "1",  # a replace ref shows another history than the one that was pushed
    "GIT_GRAFT_FILE": os.devnull + "/none",  # so does info/grafts, which git still obeys; an existing file would print a hint about grafts
    "GIT_OPTIONAL_LOCKS": "0",  # a reader must never rewrite the user's index
}
_DROPPED_ENV = ("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_EXTERNAL_DIFF")
_PATHS_IN_ENV = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_QUARANTINE_PATH")
_KEPT_FOR_OTHERS = (  # these say how git works on this machine, and nothing about one repository
    *("GIT_EXEC_PATH", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_ASKPASS"),
    *("GIT_TERMINAL_PROMPT", "GIT_ALLOW_PROTOCOL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"),
)
_CHUNK = 1 << 16
_SURE_FIT = 4096  # a pipe takes at least this much without a reader, even for a user who is over the kernel's pipe quota


class GitError(HoardError):
    """git ended with a failure; `status` is its exit status (negative: the signal) and `output` all of its stderr, made safe to print."""

    def __init__(self, message: str, hint: str = "", *, status: int = 128, output: str = "") -> None:
        super().__init__(message, hint)
        self.status = status
        self.output = output


def encode_path(path: str) -> bytes:
    """Give git's own bytes of a `RepoPath`."""
    return path.encode("utf-8", "surrogateescape")


def decode_path(raw: bytes) -> str:
    """Give the `RepoPath` of a path in git's bytes; never fails, and `encode_path` gives the same bytes back."""
    return raw.decode("utf-8", "surrogateescape")


def own_env() -> dict[str, str]:
    """Give the environment for git in our own repository: what a hook received stays, what gives pathspecs or diffs another meaning goes."""
    return {k: v for k, v in os.environ.items() if k not in _DROPPED_ENV}


def clean_env() -> dict[str, str]:
    """Give an environment for git in any OTHER repository: a hook's GIT_DIR, GIT_INDEX_FILE and quarantine are not in it.

    A hook that leaks them overwrites its own index from a test or a temporary repository (pre-commit#1849, prek#1815).
    """
    return {k: v for k, v in os.environ.items() if not k.startswith("GIT_") or k in _KEPT_FOR_OTHERS}


def safe_text(raw: bytes) -> str:
    """Decode a program's output for people: control characters escaped, credentials in URLs masked; lines stay lines."""
    import re

    text = raw.decode("utf-8", "backslashreplace")
    text = re.sub(r"(?<=://)[^/\s@'\"]{1,2048}+@", "***@", text)
    text = re.sub(r"(?i)\b(authorization: *\w{1,20}+ +)\S+", r"\1***", text)
    return "".join(c if c == "\n" or c.isprintable() else ascii(c)[1:-1] for c in text.replace("\r\n", "\n").replace("\t", " "))


class Running:
    """A started git process. Call `finish` once; several may run at the same time."""

    __slots__ = ("_args", "_err", "_in", "_limit", "_out", "_pending", "_pid", "status", "stderr", "stdout")

    def __init__(self, args: Sequence[bytes], pid: int, fds: tuple[int, int, int], pending: bytes) -> None:
        self._args = args
        self._pid = pid
        self._in, self._out, self._err = fds
        self._pending = memoryview(pending)
        self._limit = 0
        self.status = 0
        self.stdout = self.stderr = b""

    def finish(self, ok: Iterable[int] = (0,), *, limit: int = 0) -> bytes:
        """Feed the rest of stdin, read everything, wait, and return stdout.

        Raises GitError when the exit status is not in `ok`, and HoardError when stdout grows past `limit` bytes (0: no limit).
        """
        self._limit = limit
        try:
            self._pump()
        except BaseException:
            self.abandon()
            raise
        self.status = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        self._pid = 0
        if self.status not in ok:
            raise failure(self._args, self.status, self.stderr)
        return self.stdout

    def abandon(self) -> None:
        """End the process and forget it; harmless after `finish`. SIGTERM lets git remove its lock files, which SIGKILL would leave."""
        for fd in (self._in, self._out, self._err):
            if fd >= 0:
                os.close(fd)
        self._in = self._out = self._err = -1
        if self._pid:
            try:
                os.kill(self._pid, 15)
            finally:
                os.waitpid(self._pid, 0)
                self._pid = 0

    def _pump(self) -> None:
        """Move bytes in whatever order the pipes allow: git may block on stdout while we still write its stdin."""
        import select

        poll = select.poll()
        chunks: dict[int, list[bytes]] = {self._out: [], self._err: []}
        total = 0
        for fd in chunks:
            poll.register(fd, select.POLLIN)
        if self._in >= 0:
            poll.register(self._in, select.POLLOUT)
        waiting = 2
        while waiting or self._in >= 0:
            for fd, _event in poll.poll():
                if fd == self._in:
                    if self._feed():
                        poll.unregister(fd)
                        os.close(fd)
                        self._in = -1
                    continue
                data = os.read(fd, _CHUNK)
                if data:
                    chunks[fd].append(data)
                    total += len(data)
                    if self._limit and total > self._limit:
                        raise _too_much(self._limit)
                else:
                    poll.unregister(fd)
                    waiting -= 1
        self.stdout, self.stderr = b"".join(chunks[self._out]), b"".join(chunks[self._err])
        os.close(self._out)
        os.close(self._err)
        self._out = self._err = -1

    def _feed(self) -> bool:
        """Write what fits; true when there is nothing more to write or nobody who reads."""
        try:
            self._pending = self._pending[os.write(self._in, self._pending[:_CHUNK]) :]
        except BlockingIOError:
            return False
        except BrokenPipeError:
            return True
        return not self._pending


class _PopenRunning(Running):
    """The same over `subprocess`, for platforms without posix_spawnp."""

    __slots__ = ("_process",)

    def __init__(self, args: Sequence[bytes], env: Mapping[str, str], stdin: bytes) -> None:
        import subprocess

        super().__init__(args, 0, (-1, -1, -1), stdin)
        words = [os.fsdecode(a) for a in args]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, env=dict(env))

    def finish(self, ok: Iterable[int] = (0,), *, limit: int = 0) -> bytes:
        self.stdout, self.stderr = self._process.communicate(bytes(self._pending))
        self.status = self._process.returncode
        if limit and len(self.stdout) > limit:
            raise _too_much(limit)
        if self.status not in ok:
            raise failure(self._args, self.status, self.stderr)
        return self.stdout

    def abandon(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            self._process.communicate()


def start(
    args: Sequence[str | bytes],
    *,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    locale: str = "C",
    fixed: bool = True,
) -> Running:
    """Start `git ARGS` and return at once.

    `env` is the whole environment (None: ours, with the GIT_* variables that a hook received); the reading rules of this room are added to it.
    `cwd` becomes `git -C`, and relative paths in GIT_* keep their meaning. `fixed=False` leaves out our own `-c` options, for `git config`.
    Text arguments are encoded as UTF-8 with surrogateescape. Raises HoardError when git cannot be started.
    """
    full = own_env() if env is None else dict(env)
    full.update(_FIXED_ENV)
    full["LC_ALL"] = locale
    full["LANGUAGE"] = ""
    words = [b"git"]
    if cwd and cwd != ".":
        _anchor(full)
        words += [b"-C", os.fsencode(cwd)]
    if fixed:
        words += [f.encode() for f in _FIXED]
    words += [a if isinstance(a, bytes) else encode_path(a) for a in args]
    try:
        if hasattr(os, "posix_spawnp"):
            return _spawn(words, full, stdin)
        return _PopenRunning(words, full, stdin)
    except FileNotFoundError:
        raise HoardError("git was not found on PATH.", "Install git, or add its directory to PATH.") from None
    except OSError as error:
        raise HoardError(f"git could not be started: {error.strerror}.", "Run `git --version` and repair what it reports.") from None


def run(args: Sequence[str | bytes], *, stdin: bytes = b"", env: Mapping[str, str] | None = None, cwd: str | None = None) -> bytes:
    """Run `git ARGS` to its end and return stdout; raises as `start` and `finish` do."""
    return start(args, stdin=stdin, env=env, cwd=cwd).finish()


def failure(args: Sequence[bytes], status: int, stderr: bytes) -> GitError:
    """Put a failed git run into one sentence, with its first complaint."""
    output = safe_text(stderr).strip("\n")
    lines = [line.strip() for line in output.split("\n") if line.strip()]
    loud = [line for line in lines if line.startswith(("fatal:", "error:"))]
    said = (loud or lines or ["it said nothing"])[0].removeprefix("fatal:").removeprefix("error:").strip()
    options = {number + 1 for number, word in enumerate(args) if word in {b"-C", b"-c"}}
    command = next((safe_text(w) for n, w in enumerate(args) if n and n not in options and not w.startswith(b"-")), "")
    how = f"was killed by signal {-status}" if status < 0 else "failed"
    hint = "Run the same command again; if it fails again, run `git fsck`."
    if "dubious ownership" in output:
        import re

        asked = re.search(r"git config --global --add safe\.directory ([^\n]+)", output)
        hint = f"If you trust this repository: git config --global --add safe.directory {asked[1] if asked is not None else 'DIR'}"
    elif "not a git repository" in output:
        hint = "Run `git init`, or name the repository with -C DIR."
    return GitError(f"git {command} {how}: {said[:300].rstrip('.')}.", hint, status=status, output=output)


def _too_much(limit: int) -> HoardError:
    return HoardError(
        f"git gave more than {limit >> 20} MiB of data where files of a memory were expected.", "Check fewer or smaller files."
    )


def _anchor(env: dict[str, str]) -> None:
    """Make the paths in GIT_* absolute: `-C` would give relative ones another meaning."""
    here = os.getcwd()
    for name in _PATHS_IN_ENV:
        if env.get(name):
            env[name] = os.path.join(here, env[name])
    name = "GIT_ALTERNATE_OBJECT_DIRECTORIES"
    if env.get(name) and '"' not in env[name]:
        env[name] = os.pathsep.join(os.path.join(here, p) for p in env[name].split(os.pathsep) if p)


def _pipe() -> tuple[int, int]:
    """Open a pipe whose ends are above the standard three, which a hook may have received closed."""
    ends = os.pipe()
    if min(ends) > 2:
        return ends
    import fcntl

    moved = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 3) for fd in ends]
    for fd in ends:
        os.close(fd)
    return moved[0], moved[1]


def _spawn(words: list[bytes], env: dict[str, str], stdin: bytes) -> Running:
    opened: list[int] = []
    try:
        out_read, out_write = _pipe()
        opened += [out_read, out_write]
        err_read, err_write = _pipe()
        opened += [err_read, err_write]
        in_read = in_write = -1
        if stdin:
            in_read, in_write = _pipe()
            opened += [in_read, in_write]
            actions: list[tuple[int, int, int] | tuple[int, int, str, int, int]] = [(os.POSIX_SPAWN_DUP2, in_read, 0)]
        else:
            actions = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)]
        actions += [(os.POSIX_SPAWN_DUP2, out_write, 1), (os.POSIX_SPAWN_DUP2, err_write, 2)]
        pid = os.posix_spawnp("git", words, env, file_actions=actions)
    except BaseException:
        for fd in opened:
            os.close(fd)
        raise
    for fd in (out_write, err_write, in_read):
        if fd >= 0:
            os.close(fd)
    if 0 < len(stdin) <= _SURE_FIT:  # so that several processes work at the same time, before anyone calls finish
        try:
            os.write(in_write, stdin)
        except BrokenPipeError:  # git has ended; its exit status will say why
            stdin = b""
        os.close(in_write)
        in_write, stdin = -1, b""
    elif stdin:
        os.set_blocking(in_write, False)
    return Running(words, pid, (in_write, out_read, err_read), stdin)
