"""Measures supposed boxes: a network sees each in a patch of its own and says what is there."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.studio.boxes import BOX, Boxes
from calibration.studio.straightening import PX_PER_UNIT, Straight
from vision.network import load_network, sigmoid
from vision.registration.geometry import Points

PATCH_PX = (80, 48)
"""Width and height of the patch that the network takes, at `PX_PER_UNIT`."""

MOST_MOVE = 5.0
"""Units that one look may move a box: farther the network never learned to see."""


def measured(straight: Straight, boxes: Boxes, rounds: int = 2) -> Boxes:
    """The boxes where and as large as they are printed.

    Their likeness is what it was times that of the last look, so that both networks are heard.
    """
    supposed = boxes.likeness
    for _ in range(rounds if len(boxes) else 0):
        boxes = _moved(boxes, _answers(straight, boxes))
    return replace(boxes, likeness=boxes.likeness * supposed)


def _answers(straight: Straight, boxes: Boxes) -> Points:
    """The network's six values for each box: see `vision.training.boxes_scenes.Patch`.

    Each box is seen both ways round, and the mean of both is taken.
    """
    upright = _run(straight, boxes.centres, boxes.along)
    turned = _run(straight, boxes.centres, -boxes.along)
    return np.asarray((upright + turned * (1, -1, -1, 1, 1, 1)) / 2)


def _run(straight: Straight, centres: Points, along: Points) -> Points:
    patches = [_patch(straight, centre, way) for centre, way in zip(centres, along, strict=True)]
    images = np.stack(patches)

    def inputs(which: NDArray[np.intp]) -> dict[str, NDArray[np.float32]]:
        scaled = images[which].astype(np.float32) / 127.5 - 1
        return {"image": np.ascontiguousarray(scaled.transpose(0, 3, 1, 2))}

    rows = np.arange(len(images))
    return load_network("boxes").run_in_slices(inputs, rows).astype(np.float64)


def _patch(straight: Straight, centre: Points, along: Points) -> NDArray[np.uint8]:
    """The picture about a point, upright along a direction, (48, 80, 3)."""
    turn = np.array([[along[0], along[1]], [-along[1], along[0]]])
    shift = (np.array(PATCH_PX) - 1) / 2 - turn @ (centre * PX_PER_UNIT - 0.5)
    patch = cv2.warpAffine(
        straight.image_bgr,
        np.c_[turn, shift],
        PATCH_PX,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(patch, np.uint8)


def _moved(boxes: Boxes, answers: Points) -> Boxes:
    off = np.clip(answers[:, 1:3], -MOST_MOVE, MOST_MOVE)
    centres = boxes.centres + off[:, :1] * boxes.along + off[:, 1:] * boxes.across
    angles = (boxes.angles_deg + np.degrees(answers[:, 3])) % 180
    likeness = sigmoid(answers[:, 0])
    return Boxes(centres, angles, np.exp(answers[:, 4:6]) * BOX, likeness)
