"""Varies the space network's patches as tables vary: another camera, lamp, sleeve or board file."""

import math
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from vision.spaces.classifier import OWN_SPACE
from vision.spaces.patches import PATCH_PX, PX_PER_MM
from vision.training.spaces_moments import COVERED

HINT_UNTOLD, HINT_WRONG = 0.2, 0.1
"""Part of the samples in which the board file says nothing of the print's colours, or something
wrong: a network that trusts the file's word takes a red wagon on an unknown print for red print."""

SLEEVED_SHARE = 0.02
"""Part of the samples with something plain laid over the space: sleeves come in every colour."""

BACKLIT_FROM_MM, BACKLIT_SHARE = 2.5, 0.12
"""Wagons that lean by more, and which part of them are shown as if lit from behind."""


def vary(
    random: np.random.Generator,
    photo: Tensor,
    reference: Tensor,
    around: Tensor,
    lean: Tensor,
    wagon: Tensor,
) -> tuple[Tensor, Tensor]:
    """Pixels (B, 11, H, W) as the network takes them, and leans (B, 2), of cut patches.

    `photo` and `reference` (B, 3, H, W) and `around` (B, 4, H, W) are 0..1 and have a margin about
    what the network sees; a reference of zeros stays one. `wagon` (B,) says where wagons stand.
    """
    count = len(photo)
    place = _random_affine(random, count, shift_mm=1.2, turn_deg=4, scale=0.06)
    nudge = _random_affine(random, count, shift_mm=0.6, turn_deg=1.2, scale=0.015)
    mirror = torch.from_numpy(random.choice([-1.0, 1.0], size=(count, 2))).float()
    have = (reference.amax(dim=(1, 2, 3)) > 0).float()[:, None, None, None]
    photo = _resample(photo, place, mirror)
    _light_from_behind(random, photo, around, lean, place, mirror, wagon)
    photo = _look(random, photo)
    reference = _look(random, _resample(reference, place @ nudge, mirror))
    lean = _misjudged(random, lean)
    roofs = _resample(around[:, :1], _moved(place, lean), mirror)
    around = _resample(around, place, mirror)
    pixels = torch.cat([photo, reference * have, around, roofs], dim=1)
    return pixels.contiguous(memory_format=torch.channels_last), lean * mirror


def lay_sleeves(
    random: np.random.Generator, photo: Tensor, state: Tensor, colour: Tensor, weight: Tensor
) -> None:
    """Cover some spaces, in place, and what lies beyond a straight edge beside them, with a plain,
    unevenly lit cloth of any colour."""
    index = torch.nonzero(torch.rand(len(photo)) < SLEEVED_SHARE).flatten()
    count, (high, wide) = len(index), photo.shape[2:]

    def drawn(low: float, top: float, channels: int = 1) -> Tensor:
        return torch.from_numpy(random.uniform(low, top, (count, channels, 1, 1))).float()

    y, x = torch.meshgrid(torch.arange(high), torch.arange(wide), indexing="ij")
    angle = drawn(0, 2 * math.pi)
    from_middle_px = (x - wide / 2) * torch.cos(angle) + (y - high / 2) * torch.sin(angle)
    own_mm = 12.5 * torch.cos(angle).abs() + 4.5 * torch.sin(angle).abs()
    edge_px = (own_mm + drawn(0.5, 9.0)) * PX_PER_MM
    over = torch.sigmoid(2 * (from_middle_px + edge_px))
    shadow = 1 - drawn(0, 0.5) * torch.sigmoid((from_middle_px + edge_px + 4) / 2)
    cloth = drawn(0.03, 0.97) + drawn(-0.2, 0.2, 3) * (torch.rand(count, 1, 1, 1) < 0.5)
    folds = drawn(-0.1, 0.1) * torch.sin(from_middle_px / drawn(4, 30) + drawn(0, 6))
    photo[index] = torch.lerp(photo[index] * shadow, (cloth + folds).clamp(0, 1), over)
    state[index], colour[index], weight[index] = COVERED, -1, 1.0


def doubt_the_hint(random: np.random.Generator, around: Tensor) -> None:
    """Take away, in place, what some samples' spaces are said to be printed in, or say it wrong.

    `around` (B, 4, H, W) is the mask of the spaces and their printed colours BGR, 0..1. What stays
    is varied a little: prints differ, and the board file knows but a colour's name.
    """
    count = len(around)
    dice = random.random(count)
    varied = around[:, 1:] + torch.from_numpy(random.normal(0, 0.06, (count, 3, 1, 1))).float()
    wrong = torch.from_numpy(random.random((count, 3, 1, 1))).float()
    told = torch.where(_each(dice < HINT_UNTOLD + HINT_WRONG), wrong, varied.clamp(0, 1))
    told = told * _each(dice >= HINT_UNTOLD)
    around[:, 1:] = torch.where(around[:, :1] > 0, told, 0.0)


def _each(chosen: NDArray[np.bool_]) -> Tensor:
    """A choice of samples (B,) that multiplies images (B, C, H, W)."""
    return torch.from_numpy(chosen)[:, None, None, None]


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
