"""Wagons cut out of real photos, to be laid onto other real prints."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from scoring.game.colours import COLOURS
from vision.spaces.patches import PX_PER_MM
from vision.training.spaces_moments import EMPTY, WAGON, SpaceSample

COPIES = 6
"""Copies of each real photo with other wagons laid onto it."""

Array = NDArray[np.float32]


class Donors:
    """Cut-outs of real wagons: patch (3, H, W), soft outline and shadow (H, W), colour."""

    def __init__(self, rows: Sequence[tuple[Array, Array, Array, int]]) -> None:
        self.rows = list(rows)
        self.colour = np.array([row[3] for row in rows])

    def pick(self, random: np.random.Generator, printed: int) -> int:
        """A donor at random, half of the time one of the printed colour if there is any."""
        same = np.flatnonzero(self.colour == printed)
        if len(same) and random.random() < 0.5:
            return int(random.choice(same))
        return int(random.integers(len(self.colour)))

    def onto(
        self, target: Array, donor: int, shift_px: tuple[int, int], under: bool = False
    ) -> None:
        """Lay the donor over a target patch; `under` keeps the target's own wagon on top."""
        patch, alpha, shade, _ = self.rows[donor]
        here, there = _overlap(target.shape[1:], shift_px)
        cover, dark = alpha[there], shade[there]
        if under:
            free = _outside_middle(target.shape[1:])[here]
            cover, dark = cover * free, 1 - (1 - dark) * free
        level = np.clip(target.mean() / 0.5, 0.7, 1.3)
        view = target[(slice(None), *here)]
        view *= dark * (1 - cover)
        view += np.minimum(patch[(slice(None), *there)] * level, 1) * cover


def with_pasted(moments: Sequence[SpaceSample], seed: int) -> list[SpaceSample]:
    """The moments, and of each real photo `COPIES` with further wagons on empty spaces and beside
    spaces."""
    donors, random = donors_of(moments), np.random.default_rng(seed)
    if donors is None:
        return list(moments)
    real = [moment for moment in moments if moment.image.source == "photo"]
    return [*moments, *(_pasted(m, donors, random) for _ in range(COPIES) for m in real)]


def _pasted(moment: SpaceSample, donors: Donors, random: np.random.Generator) -> SpaceSample:
    """A copy with a wagon of a real photo laid onto near half of its empty spaces, and beside a
    quarter of the others."""
    pixels = moment.patches.numpy().astype(np.float32) / 255
    state, colour = moment.state.clone(), moment.colour.clone()

    def shift(along_mm: float, across_mm: float) -> tuple[int, int]:
        along, across = random.normal(0, (along_mm, across_mm)) * PX_PER_MM
        return round(along), round(across)

    for k, printed in enumerate(moment.printed.tolist()):
        dice, donor = random.random(), donors.pick(random, printed)
        if state[k] == EMPTY and dice < 0.45:
            donors.onto(pixels[k], donor, shift(1.5, 1.2))
            state[k], colour[k] = WAGON, int(donors.colour[donor])
        elif dice > 0.75:
            along, across = shift(6.0, 1.0)
            offset = (along, across + int(random.choice([-1, 1])) * round(10.0 * PX_PER_MM))
            donors.onto(pixels[k], donor, offset, under=int(state[k]) == WAGON)
    labels = tuple("empty" if c < 0 else COLOURS[c] for c in colour.tolist())
    patches = torch.from_numpy((pixels * 255 + 0.5).clip(0, 255).astype(np.uint8))
    image = replace(moment.image, labels=labels)
    return replace(moment, image=image, patches=patches, state=state, colour=colour)


def _overlap(
    shape: Sequence[int], shift_px: tuple[int, int]
) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
    """Where a patch moved by (along, across) lies on another, and which part of it."""
    (along, across), (high, wide) = shift_px, shape
    here = (
        slice(max(across, 0), high + min(across, 0)),
        slice(max(along, 0), wide + min(along, 0)),
    )
    there = (
        slice(max(-across, 0), high + min(-across, 0)),
        slice(max(-along, 0), wide + min(-along, 0)),
    )
    return here, there


def _outside_middle(shape: Sequence[int]) -> Array:
    """1 everywhere but where a wagon on the patch's own space stands."""
    high, wide = shape
    half = round(5.0 * PX_PER_MM)
    free = np.ones((high, wide), np.float32)
    free[high // 2 - half : high // 2 + half, 8 : wide - 8] = 0
    return free


def donors_of(moments: Sequence[SpaceSample]) -> Donors | None:
    """Wagons of real photos that stand out clearly from their empty print."""
    empties = [m for m in moments if m.image.is_empty and m.image.source == "photo"]
    rows: list[tuple[Array, Array, Array, int]] = []
    for moment in moments:
        if moment.image.source != "photo" or moment.image.is_empty or not empties:
            continue
        other = empties[len(rows) % len(empties)]
        gain = (moment.gain_bgr / other.gain_bgr).astype(np.float32)[:, None, None]
        for k in torch.nonzero((moment.state == WAGON) & (moment.weight > 0)).flatten().tolist():
            photo = moment.patches[k].numpy().astype(np.float32) / 255
            empty = other.patches[k].numpy().astype(np.float32) / 255 * gain
            cut = _cut_out(photo, empty, moment.around[k, 0].numpy())
            if cut is not None:
                rows.append((photo, *cut, int(moment.colour[k])))
    return Donors(rows) if rows else None


def _cut_out(photo: Array, empty: Array, mask: NDArray[np.uint8]) -> tuple[Array, Array] | None:
    """Outline and shadow factor, (H, W) each, of the wagon in the middle; None if unclear."""
    difference = np.abs(photo - empty).max(0)
    chroma = np.abs(photo - photo.mean(0) - (empty - empty.mean(0))).max(0)
    strong = ((difference > 0.22) | (chroma > 0.10)).astype(np.uint8)
    strong = np.asarray(cv2.morphologyEx(strong, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), bool)
    high, wide = strong.shape
    window = np.zeros((high, wide), bool)
    reach_y, reach_x = round(8.5 * PX_PER_MM), round(15 * PX_PER_MM)
    window[high // 2 - reach_y : high // 2 + reach_y, wide // 2 - reach_x : wide // 2 + reach_x] = (
        True
    )
    strong = strong & window
    box = mask > 200
    if strong[box].mean() < 0.8 or strong.sum() > 3.0 * box.sum():
        return None
    if strong[(mask > 90) & (mask < 200)].sum() > 0.25 * box.sum():
        return None
    alpha = cv2.GaussianBlur(strong.astype(np.float32), (3, 3), 0.7)
    ratio = np.clip(photo.mean(0) / (empty.mean(0) + 0.02), 0.45, 1.0)
    near = cv2.dilate(strong.astype(np.uint8), np.ones((9, 9), np.uint8))
    shade = np.where(near > 0, cv2.GaussianBlur(ratio, (5, 5), 1.5), 1.0).astype(np.float32)
    return np.asarray(alpha, dtype=np.float32), shade
