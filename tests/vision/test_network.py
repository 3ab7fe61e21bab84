"""What running a network must not do."""

import os
import subprocess
import sys
from pathlib import Path

USE = "from vision.network import load_network; load_network('outline'); print('loaded')"


def test_reading_leaves_nothing_in_the_users_folder_and_tells_nobody(tmp_path: Path) -> None:
    """The library that runs the networks counts its uses for its maker, unless told not to."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "ORT_"))}
    done = subprocess.run(
        [sys.executable, "-c", USE],
        env=environment | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("loaded\n", "")
    assert list(tmp_path.rglob("*")) == []
