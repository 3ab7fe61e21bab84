"""Make a trained space network small and fast: `python -m vision.training.quantise IN OUT DIR…`.

Its inner convolutions calculate with 8-bit whole numbers instead of 32-bit ones, weights by channel
(Jacob et al. 2018); the first one, which sees the pixels, and the last keep their precision. How
large the numbers in between become is taken from labelled images in each DIR. Weights use 7 bits:
processors without 8-bit dot products would overflow otherwise, and read other than those with them.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process

from vision.empty_board import make_reference
from vision.errors import VisionError
from vision.evaluate.labels import Labelled, load_labels
from vision.images.photo import load_photo
from vision.registration.reference import Reference
from vision.registration.register import register
from vision.spaces.located_image import LocatedImage, seen_board
from vision.spaces.shown_spaces import ShownSpaces, shown_spaces

PHOTOS, SPACES = 4, 48
"""So many photos of each folder, drawn by chance, and spaces of each."""

PERCENTILE = 99.999
"""Part of the numbers that the range of eight bits holds; what lies beyond is cut."""

Inputs = dict[str, NDArray[np.float32]]


class _Reader(CalibrationDataReader):  # type: ignore[misc]
    """Hands over inputs one by one, as the library asks for them."""

    def __init__(self, inputs: Sequence[Inputs]) -> None:
        self._left = iter(inputs)

    def get_next(self) -> Inputs | None:
        return next(self._left, None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trained", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    inputs = [one for folder in options.folders for one in inputs_of(folder)]
    quantise(options.trained, inputs, options.out)


def inputs_of(folder: Path) -> Iterator[Inputs]:
    """What the network is shown of some photos, alone and beside their empty board."""
    random = np.random.default_rng(0)
    images = load_labels(folder)
    empties = {image.rig: image for image in images if image.is_empty}
    played = [image for image in images if not image.is_empty]
    for k in random.choice(len(played), min(PHOTOS, len(played)), replace=False):
        empty = empties.get(played[k].rig)
        beside = None if empty is None else make_reference(load_photo(empty.path), empty.board)
        for reference in [None] if beside is None else [None, beside]:
            try:
                shown = _shown(played[k], reference)
            except VisionError as error:
                print(f"{played[k].path.name}: {error}", flush=True)
                continue
            count = len(shown.lean)
            yield shown.inputs(random.choice(count, min(SPACES, count), replace=False))


def _shown(image: Labelled, reference: Reference | None) -> ShownSpaces:
    photo = load_photo(image.path)
    located = LocatedImage(photo, register(photo, image.board, reference=reference).spaces_px)
    empty = None if reference is None else LocatedImage(reference.image_bgr, reference.spaces_px)
    return shown_spaces(seen_board(located, image.board), image.board, empty)


def quantise(trained: Path, inputs: Sequence[Inputs], out: Path) -> None:
    """Write the network of `trained` with whole numbers inside, their ranges from `inputs`."""
    with tempfile.TemporaryDirectory() as scratch:
        prepared = Path(scratch) / "prepared.onnx"
        quant_pre_process(trained, prepared, skip_symbolic_shape=True)
        convolutions = [n.name for n in onnx.load(prepared).graph.node if n.op_type == "Conv"]
        quantize_static(
            prepared,
            out,
            _Reader(inputs),
            quant_format=QuantFormat.QDQ,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            op_types_to_quantize=["Conv"],
            nodes_to_exclude=[convolutions[0], convolutions[-1]],
            calibrate_method=CalibrationMethod.Percentile,
            extra_options={"CalibPercentile": PERCENTILE},
        )


if __name__ == "__main__":
    main()
