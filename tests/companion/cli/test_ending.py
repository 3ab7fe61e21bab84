"""However the program ends, it ends with its exit code."""

import subprocess
import sys
from pathlib import Path

import pytest

NATIVE_THREADS = """
import sys, threading
import cv2, numpy as np
def blur():
    image = np.zeros((300, 300), np.uint8)
    while True:
        cv2.GaussianBlur(image, (5, 5), 1)
for _ in range(4):
    threading.Thread(target=blur, daemon=True).start()
sys.argv = ["companion", *sys.argv[1:]]
from companion.cli.main import entry
entry()
"""


@pytest.mark.parametrize(("words", "code"), [(["boards"], 0), (["score", "no-such-file"], 2)])
def test_threads_in_native_code_do_not_abort_the_program(words: list[str], code: int) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", NATIVE_THREADS, *words],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[3],
        check=False,
    )
    assert ended.returncode == code, ended.stderr
    assert ended.stdout if code == 0 else ended.stderr
