"""lock_for.py LOCK VERSION MACHINE: the lines of a lock file that another Python on Linux needs."""

import sys
from pathlib import Path

from packaging.requirements import Requirement


def lines_for(lock: str, version: str, machine: str) -> list[str]:
    """The requirements whose markers hold there, without the markers but with their hashes."""
    there = {
        "python_version": version,
        "python_full_version": f"{version}.0",
        "sys_platform": "linux",
        "platform_machine": machine,
        "platform_system": "Linux",
        "os_name": "posix",
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
    }
    whole = [line for line in lock.replace("\\\n", "").splitlines() if not line.startswith(" ")]
    wanted = []
    for line in filter(None, whole):
        words, *hashes = line.split(" --hash=")
        one = Requirement(words.strip())
        if one.marker is None or one.marker.evaluate(there):
            named = [f"--hash={value.strip()}" for value in hashes]
            wanted.append(" ".join([f"{one.name}{one.specifier}", *named]))
    return wanted


if __name__ == "__main__":
    print("\n".join(lines_for(Path(sys.argv[1]).read_text("utf-8"), *sys.argv[2:])))
