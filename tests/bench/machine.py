"""What a figure was measured on: processors, memory, kernel, versions, and how busy it was."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

from hoard_git import __version__
from tests.bench.peers import Scanner
from tests.bench.timing import table


def describe(peers: list[Scanner], load: tuple[float, float]) -> str:
    """A table in markdown; what this machine does not tell is left out. `load` is that of the last minute before and after."""
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip().removeprefix("git version ")
    rows = [
        ["hoard-git", __version__],
        ["processors", f"{_processors()}, {_model() or platform.machine()}"],
        ["memory", _memory()],
        ["kernel", f"{platform.system()} {platform.release()}"],
        ["Python", f"{platform.python_version()} ({platform.python_implementation()}, {platform.python_compiler()})"],
        ["git", git],
        ["load before and after", f"{load[0]:.1f} and {load[1]:.1f} processes"],
        *([peer.name, peer.version] for peer in peers),
    ]
    return table(["", ""], [row for row in rows if row[1]])


def load() -> float:
    """Processes that ran or waited for a processor, the mean of a minute; 0 where the system does not tell."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return 0.0


def _processors() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def _model() -> str:
    found = re.search(r"^model name\s*:\s*(.+)$", _read("/proc/cpuinfo"), re.MULTILINE)
    return " ".join(found[1].split()) if found else ""


def _memory() -> str:
    found = re.search(r"^MemTotal:\s*(\d+) kB$", _read("/proc/meminfo"), re.MULTILINE)
    return f"{int(found[1]) / (1 << 20):.0f} GB" if found else ""


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
