"""Training batches for the space network: patches of photo and reference, varied as tables vary.

A sample is a space of one labelled image beside the same space of an empty image of that board
(another day, another light, or the same camera). Wagons cut out of real photos are pasted onto
empty spaces, half of them onto their own printed colour, and beside spaces, so that the network
cannot learn which routes were claimed in the few real photos there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from scoring.colours import COLOURS
from vision.patches import PATCH_PX, PX_PER_MM
from vision.spaces import OWN_SPACE
from vision.training.spaces_moments import EMPTY, WAGON, Moment

Array = NDArray[np.float32]

SOURCE_SHARES = {"photo": 0.15, "render": 0.45, "print": 0.25, "drawn": 0.15}
"""Part of the samples that each source gives, however many images it has."""

RARE_AT_MOST = 2.5
"""A rare colour's wagons are drawn at most so much oftener: white ones are Germany's alone."""

BACKLIT_FROM_MM, BACKLIT_SHARE = 2.5, 0.12
"""Wagons that lean by more, and which part of them are shown as if lit from behind."""


@dataclass(eq=False)
class Batch:
    """Network input and targets; images are float 0..1, channels as in `vision.spaces`."""

    pixels: Tensor  # (B, 11, H, W)
    lean: Tensor  # (B, 2)
    state: Tensor
    colour: Tensor
    weight: Tensor


class Sampler:
    """Draws varied batches from moments; deterministic for a seed."""

    def __init__(self, moments: Sequence[Moment], seed: int, *, paste: bool = True) -> None:
        self.moments = list(moments)
        self.random = np.random.default_rng(seed)
        torch.manual_seed(seed)
        self.share = _shares(self.moments)
        self.chances = _chances(self.moments, self.share)
        self.empties = [m for m in self.moments if m.image.is_empty]
        self.donors = _donors(self.moments) if paste else None

    def draw(self, size: int) -> Batch:
        """One batch of about `size` samples."""
        per_moment = 16
        parts = [self._from_one(per_moment) for _ in range(size // per_moment)]
        photo, reference, mask, lean, state, colour, weight, printed, real = (
            torch.cat(column) for column in zip(*parts, strict=True)
        )
        if self.donors is not None:
            self._paste(photo, state, colour, printed, real)
        pixels, lean = self._vary(photo, reference, mask, lean, state)
        return Batch(pixels, lean, state, colour, weight)

    def _from_one(self, count: int) -> tuple[Tensor, ...]:
        chosen = self.random.choice(len(self.moments), p=self.share)
        moment, chance = self.moments[chosen], self.chances[chosen]
        index = torch.from_numpy(self.random.choice(len(chance), size=count, p=chance))
        photo = moment.patches[index].float() / 255
        reference = self._reference(moment, index)
        real = torch.full((count,), moment.image.source == "photo")
        return (
            photo,
            reference,
            moment.around[index].float() / 255,
            moment.lean[index],
            moment.state[index],
            moment.colour[index],
            moment.weight[index],
            moment.printed[index],
            real,
        )

    def _reference(self, moment: Moment, index: Tensor) -> Tensor:
        """The same spaces of an empty board: mostly of this rig, sometimes another, or none."""
        rig = [m for m in self.empties if m.image.rig == moment.image.rig and m is not moment]
        same_source = [
            m
            for m in self.empties
            if m.image.board.id == moment.image.board.id
            and m.image.source == moment.image.source
            and m.image.print_id == moment.image.print_id
            and m is not moment
        ]
        dice = self.random.random()
        choice = rig if rig and dice < 0.55 else same_source
        if dice > 0.78 or not choice:
            return torch.zeros_like(moment.patches[index], dtype=torch.float32)
        other = choice[self.random.integers(len(choice))]
        gain = torch.from_numpy(moment.gain_bgr / other.gain_bgr).float()[None, :, None, None]
        return (other.patches[index].float() / 255 * gain).clamp(0.004, 1)

    def _paste(
        self, photo: Tensor, state: Tensor, colour: Tensor, printed: Tensor, real: Tensor
    ) -> None:
        """Lay wagons of real photos onto real empty spaces, and beside any real space."""
        donors = self.donors
        assert donors is not None
        pixels = photo.numpy()
        for k in torch.nonzero(real).flatten().tolist():
            dice = self.random.random()
            if state[k] == EMPTY and dice < 0.45:
                donor = donors.pick(self.random, int(printed[k]))
                donors.onto(pixels[k], donor, self._shift(1.5, 1.2))
                state[k], colour[k] = WAGON, int(donors.colour[donor])
            elif dice > 0.75:
                side = self.random.choice([-1, 1])
                along, across = self._shift(6.0, 1.0)
                donor = donors.pick(self.random, int(printed[k]))
                offset = (along, across + int(side) * round(10.0 * PX_PER_MM))
                donors.onto(pixels[k], donor, offset, under=int(state[k]) == WAGON)

    def _shift(self, along_mm: float, across_mm: float) -> tuple[int, int]:
        along, across = self.random.normal(0, (along_mm, across_mm)) * PX_PER_MM
        return round(along), round(across)

    def _vary(
        self, photo: Tensor, reference: Tensor, mask: Tensor, lean: Tensor, state: Tensor
    ) -> tuple[Tensor, Tensor]:
        count = len(photo)
        place = _random_affine(self.random, count, shift_mm=1.2, turn_deg=4, scale=0.06)
        nudge = _random_affine(self.random, count, shift_mm=0.6, turn_deg=1.2, scale=0.015)
        mirror = torch.from_numpy(self.random.choice([-1.0, 1.0], size=(count, 2))).float()
        have = (reference.amax(dim=(1, 2, 3)) > 0).float()[:, None, None, None]
        photo = _resample(photo, place, mirror)
        _light_from_behind(self.random, photo, mask, lean, place, mirror, state == WAGON)
        photo = _look(self.random, photo)
        reference = _look(self.random, _resample(reference, place @ nudge, mirror))
        lean = _misjudged(self.random, lean)
        roofs = _resample(mask[:, :1], _moved(place, lean), mirror)
        mask = _resample(mask, place, mirror)
        pixels = torch.cat([photo, reference * have, mask, roofs], dim=1)
        return pixels.contiguous(memory_format=torch.channels_last), lean * mirror


def _moved(place: Tensor, by_mm: Tensor) -> Tensor:
    """The map (B, 3, 3) that shows everything moved by (B, 2) millimetres."""
    moved = place.clone()
    moved[:, :2, 2] -= by_mm * PX_PER_MM
    return moved


def _light_from_behind(
    random: np.random.Generator,
    photo: Tensor,
    mask: Tensor,
    lean: Tensor,
    place: Tensor,
    mirror: Tensor,
    wagon: Tensor,
) -> None:
    """Darken, in place, the sides of some wagons and the print before them, as a lamp beyond does.

    Only the roof keeps its colour then. Sides and shadow are the space's box, drawn from the roof
    down to the box and on by as much again, less the roof; so only wagons that lean.
    """
    chosen = wagon & (lean.norm(dim=1) > BACKLIT_FROM_MM)
    index = torch.nonzero(chosen & (torch.rand(len(photo)) < BACKLIT_SHARE)).flatten()
    if not len(index):
        return
    own = (mask[index, :1] > OWN_SPACE).float()
    place, mirror, lean = place[index], mirror[index], lean[index]
    reach = torch.from_numpy(random.uniform(0.8, 2.0, (len(index), 1))).float()
    steps = [
        _resample(own, _moved(place, lean * (1 - part * reach)), mirror)
        for part in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    dark = torch.stack(steps[1:]).amax(dim=0) * (1 - steps[0])
    dark = functional.avg_pool2d(dark, 3, 1, 1, count_include_pad=False)
    depth = torch.from_numpy(random.uniform(0.4, 0.95, (len(index), 1, 1, 1))).float()
    photo[index] *= 1 - depth * dark


def _misjudged(random: np.random.Generator, lean: Tensor) -> Tensor:
    """The lean (B, 2) as an unknown lens would make us misjudge it."""
    factor = torch.from_numpy(np.exp(random.normal(0, 0.1, (len(lean), 1)))).float()
    return lean * factor + torch.from_numpy(random.normal(0, 0.25, tuple(lean.shape))).float()


def _shares(moments: Sequence[Moment]) -> NDArray[np.float64]:
    """How often each moment is drawn: sources as in SOURCE_SHARES, empty boards less, oblique
    views more."""
    sizes = np.array([_share(moment) for moment in moments])
    sources = np.array([m.image.source for m in moments])
    for source, share in SOURCE_SHARES.items():
        own = sources == source
        sizes[own] *= share / max(sizes[own].sum(), 1e-9)
    return np.asarray(sizes / sizes.sum())


def _chances(moments: Sequence[Moment], shares: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """How often each space of each moment is drawn: wagons of colours that are rare among all
    samples come oftener than in their moment."""
    among = np.zeros(len(COLOURS))
    for moment, share in zip(moments, shares, strict=True):
        wagon = moment.colour.numpy() >= 0
        np.add.at(among, moment.colour.numpy()[wagon], share * moment.chance[wagon])
    rarer = (among.max() / np.maximum(among, 1e-9)) ** 0.5
    factors = np.append(np.minimum(rarer, RARE_AT_MOST), 1.0)  # -1: no wagon
    raised = [moment.chance * factors[moment.colour.numpy()] for moment in moments]
    return [chance / chance.sum() for chance in raised]


def _share(moment: Moment) -> float:
    lean_mm = float(moment.lean.norm(dim=1).median())
    kept = 0.35 if moment.image.is_empty else 1.0
    return float(kept * len(moment.patches) ** 0.5 * (0.7 + 0.1 * lean_mm))


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


def _donors(moments: Sequence[Moment]) -> Donors | None:
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


def _random_affine(
    random: np.random.Generator, count: int, *, shift_mm: float, turn_deg: float, scale: float
) -> Tensor:
    """Affine maps in pixels about the patch centre, (count, 3, 3)."""
    turn = np.radians(random.normal(0, turn_deg / 2, count))
    size = np.exp(random.normal(0, scale / 2, count))
    matrix = np.zeros((count, 3, 3))
    matrix[:, 0, 0] = matrix[:, 1, 1] = size * np.cos(turn)
    matrix[:, 0, 1], matrix[:, 1, 0] = -size * np.sin(turn), size * np.sin(turn)
    matrix[:, :2, 2] = random.normal(0, shift_mm * PX_PER_MM, (count, 2)).clip(-6, 6)
    matrix[:, 2, 2] = 1
    return torch.from_numpy(matrix).float()


def _resample(images: Tensor, affine: Tensor, mirror: Tensor) -> Tensor:
    """Cut PATCH_PX out of images with margin, moved by an affine map in pixels and mirrored."""
    count, channels, high, wide = images.shape
    width, height = PATCH_PX
    size = torch.tensor([wide, high]) / 2
    linear = affine[:, :2, :2] * mirror[:, None, :]
    linear = linear * torch.tensor([width, height])[None, None, :] / 2 / size[None, :, None]
    theta = torch.cat([linear, (affine[:, :2, 2] / size)[..., None]], dim=2)
    grid = functional.affine_grid(theta, [count, channels, height, width], align_corners=False)
    return functional.grid_sample(
        images, grid, mode="bilinear", padding_mode="border", align_corners=False
    )


def _look(random: np.random.Generator, images: Tensor) -> Tensor:
    """Another camera and lamp: exposure, white balance, contrast, shadow, glare, blur, noise."""
    count = len(images)

    def normal(sigma: float, *shape: int) -> Tensor:
        return torch.from_numpy(random.normal(0, sigma, (count, *shape))).float()

    gain = torch.exp(normal(0.16, 1, 1, 1) + normal(0.06, 3, 1, 1))
    gamma = torch.exp(normal(0.14, 1, 1, 1))
    images = (images * gain).clamp(0, 1).clamp_min(1e-4) ** gamma
    grey = images.mean(dim=1, keepdim=True)
    images = grey + (images - grey) * torch.exp(normal(0.15, 1, 1, 1))
    images = images * _slopes(random, count, images.shape[-2:])
    images = images + _veil(random, count, images.shape[-2:])
    if random.random() < 0.5:
        images = _blur(random, images)
    noise = torch.from_numpy(random.uniform(0, 0.03, (count, 1, 1, 1))).float()
    return (images + noise * torch.randn_like(images)).clamp(0, 1)


def _slopes(random: np.random.Generator, count: int, shape: Sequence[int]) -> Tensor:
    """Light falling off across the patch and, sometimes, the hard edge of a shadow."""
    high, wide = shape
    y, x = torch.meshgrid(torch.linspace(-1, 1, high), torch.linspace(-1, 1, wide), indexing="ij")
    angle = torch.from_numpy(random.uniform(0, 2 * np.pi, (count, 1, 1))).float()
    ramp = x * torch.cos(angle) + y * torch.sin(angle)
    slope = 1 + ramp * torch.from_numpy(random.normal(0, 0.06, (count, 1, 1))).float()
    edge = torch.from_numpy(random.uniform(-0.8, 0.8, (count, 1, 1))).float()
    depth = torch.from_numpy(
        random.uniform(0.2, 0.65, (count, 1, 1)) * (random.random((count, 1, 1)) < 0.18)
    ).float()
    shadow = 1 - depth * torch.sigmoid((ramp - edge) * 12)
    return (slope * shadow)[:, None]


def _veil(random: np.random.Generator, count: int, shape: Sequence[int]) -> Tensor:
    """Now and then a lamp's soft reflection over part of the patch, (count, 1, H, W)."""
    high, wide = shape
    y, x = torch.meshgrid(torch.linspace(-1, 1, high), torch.linspace(-1, 1, wide), indexing="ij")
    centre = torch.from_numpy(random.uniform(-1.2, 1.2, (2, count, 1, 1))).float()
    reach = torch.from_numpy(random.uniform(0.4, 2.0, (count, 1, 1))).float()
    far = ((x - centre[0]) ** 2 + (y - centre[1]) ** 2) / reach**2
    strength = torch.from_numpy(
        random.uniform(0.05, 0.5, (count, 1, 1)) * (random.random((count, 1, 1)) < 0.12)
    ).float()
    return (strength * torch.exp(-far))[:, None]


def _blur(random: np.random.Generator, images: Tensor) -> Tensor:
    """Between sharp and a 3 x 3 mean, each image by its own amount."""
    soft = functional.avg_pool2d(images, 3, 1, 1, count_include_pad=False)
    return torch.lerp(images, soft, torch.from_numpy(random.random((len(images), 1, 1, 1))).float())
