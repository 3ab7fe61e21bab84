"""Runs a `companion` command in a process of its own, and measures the memory of processes."""

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_SCRIPT = """
import sys
from pathlib import Path
from companion.cli.main import main
code = main(sys.argv[1:])
status = Path("/proc/self/status").read_text()
print(status.split("VmHWM:")[1].split()[0], file=sys.stderr)
sys.exit(code)
"""
"""The kernel's own mark of the process: what `resource` tells of a child counts its parent in."""


@dataclass(frozen=True, slots=True)
class Child:
    """How a command ended, what it said, and its peak resident memory in megabytes."""

    code: int
    out: str
    err: str
    peak_mb: float


def memory_mb(pid: int | str = "self", mark: str = "VmRSS") -> float:
    """What a running process holds in memory, with `VmHWM` at its peak (Linux only)."""
    found = re.search(rf"{mark}:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text("utf-8"))
    assert found is not None, "the process has ended"
    return int(found[1]) / 1024


def run_measured(arguments: Sequence[str]) -> Child:
    """Run `companion` with these arguments (Linux only)."""
    command = [sys.executable, "-c", _SCRIPT, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    *said, peak_kb = done.stderr.splitlines()
    return Child(done.returncode, done.stdout, "\n".join(said), int(peak_kb) / 1024)
