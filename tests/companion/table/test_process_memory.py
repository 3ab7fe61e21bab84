"""Memory that was used once is the system's again."""

import subprocess
import sys

import pytest

PROGRAM = """
import re, threading
from pathlib import Path
from companion.table.process_memory import release_free_memory, use_little_memory

def resident_mb():
    return int(re.search(r"VmRSS:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1000

use_little_memory()
before = resident_mb()

def work():
    pieces = [bytearray(100_000) for _ in range(1000)]
    held = [pieces[n] for n in range(0, 1000, 100)]
    del pieces
    return held

threads = [threading.Thread(target=work) for _ in range(4)]
[one.start() for one in threads]
[one.join() for one in threads]
release_free_memory()
print(resident_mb() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the GNU C library's")
def test_what_threads_took_is_given_back() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert float(done.stdout) < 30, "four threads held 100 MB each"
