"""Runs the small networks whose weights ship with the program."""

import os
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.tiny_numbers import tiny_numbers_are_zero

# Asked when the library is loaded, so before that: it would count its uses and keep a number of
# this machine in the user's folder, to be sent to its maker.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
import onnxruntime

Float = TypeVar("Float", np.float32, np.float64)

THREADS = 1
"""Cores a network may use: one is enough; the others are for the panel and the camera."""

SLICE = 64
"""Rows at a time where not all are to be in memory at once."""


class Network:
    """One ONNX network, loaded once."""

    def __init__(self, weights: bytes, threads: int = THREADS) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        # A thread that spins while it waits takes the core from whatever else runs.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # The same for the threads that the library starts; see `tiny_numbers`.
        options.add_session_config_entry("session.set_denormal_as_zero", "1")
        options.inter_op_num_threads = 1
        # The arena keeps its peak for ever; a Pi has better uses for that memory.
        options.enable_cpu_mem_arena = False
        with tiny_numbers_are_zero():  # loading changes this thread's setting too
            self._session = onnxruntime.InferenceSession(
                weights, options, providers=["CPUExecutionProvider"]
            )

    def run(self, inputs: Mapping[str, NDArray[np.float32 | np.int64]]) -> NDArray[np.float32]:
        """The first output, of shape (N, …), for named inputs, each of shape (N, …)."""
        with tiny_numbers_are_zero():
            output = self._session.run(None, dict(inputs))[0]
        return np.asarray(output, dtype=np.float32)

    def run_image(self, pixels: NDArray[np.float32]) -> NDArray[np.float32]:
        """The first output for the network's only input."""
        return self.run({self._session.get_inputs()[0].name: pixels})

    def metadata(self) -> dict[str, str]:
        """What the file says about itself."""
        return dict(self._session.get_modelmeta().custom_metadata_map)

    def run_in_slices(
        self,
        inputs: Callable[[NDArray[np.intp]], Mapping[str, NDArray[np.float32]]],
        rows: NDArray[np.intp],
    ) -> NDArray[np.float32]:
        """Like `run` for those rows, SLICE at a time, which keeps the memory small.

        `inputs` makes the named inputs for some of the rows.
        """
        starts = range(0, len(rows), SLICE)
        return np.concatenate([self.run(inputs(rows[start : start + SLICE])) for start in starts])


_INSTEAD: dict[str, Path] = {}


def use_instead(name: str, weights: Path) -> None:
    """Let `load_network` load that file for this name from now on, to measure other weights."""
    _INSTEAD[name] = weights
    load_network.cache_clear()


@cache
def load_network(name: str) -> Network:
    """The network `vision/weights/<name>.onnx`, or what is used instead."""
    if name in _INSTEAD:
        return Network(_INSTEAD[name].read_bytes())
    return Network((resources.files("vision") / "weights" / f"{name}.onnx").read_bytes())


def image_input(image_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    """A whole image of shape (H, W, 3) as the networks take it: (1, 3, H, W), BGR, -1..1."""
    scaled = image_bgr.astype(np.float32) / 127.5 - 1
    return np.ascontiguousarray(scaled.transpose(2, 0, 1)[None])


def sigmoid(logits: NDArray[Float]) -> NDArray[Float]:
    """Probabilities of the networks' answers, each by itself; of any shape."""
    within = np.clip(logits, -30, 30)  # e^89 is no float32
    return np.asarray(1 / (1 + np.exp(-within)), logits.dtype)


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities (N, K) of the networks' answers (N, K), each row of which sums to 1."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))
