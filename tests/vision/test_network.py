"""What running a network must not do."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from vision.network import sigmoid

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


def test_a_very_sure_answer_is_a_probability_too() -> None:
    """exp(100) is more than a float32 holds, and an overflow is an error here."""
    answers = np.array([-100, 0, 100], np.float32)
    assert sigmoid(answers).tolist() == pytest.approx([0.0, 0.5, 1.0])
    assert sigmoid(answers).dtype == np.float32
