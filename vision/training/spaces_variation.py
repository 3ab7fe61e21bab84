"""Varies the space network's patches as tables vary: another camera, lamp, sleeve or board file."""

import math
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from vision.spaces.classifier import OWN_SPACE
from vision.spaces.patches import PATCH_PX, PX_PER_MM
from vision.synthetic.light import black_body
from vision.training.dice import Dice
from vision.training.spaces_moments import COVERED

HINT_UNTOLD, HINT_WRONG = 0.2, 0.1
"""Part of the samples in which the board file says nothing of the print's colours, or something
wrong: a network that trusts the file's word takes a red wagon on an unknown print for red print."""

SLEEVED_SHARE = 0.02
"""Part of the samples with something plain laid over the space: sleeves come in every colour."""

BACKLIT_FROM_MM, BACKLIT_SHARE = 2.5, 0.12
"""Wagons that lean by more, and which part of them are shown as if lit from behind."""

SWAPPED_SHARE = 0.4
"""Part of the samples of which a strip at an edge shows what lies around another space, so that
the network cannot learn a picture by heart and know its spaces by what lies beside them."""

MIRRORED_SHARE = 0.3
"""Part of the samples, photos and references apart, in which a lamp or a window is mirrored."""

OTHER_LIGHT_SHARE = 0.5
"""Part of the mirrored lights that are of another temperature than the light on the table."""

FILTERED_SHARE = 0.12
"""Part of the samples, photos and references apart, that are oversharpened and oversaturated, as
some phones and all filters do."""

LIGHTS_BGR = torch.from_numpy(np.stack([black_body(kelvin) for kelvin in range(2200, 7600, 100)]))
"""Lamps' and windows' light, (K, 3), linear, of 2,200 to 7,500 K."""

OWN_REACH_MM = (15.0, 12.0)
"""Along and across a route, how far a space, a careless wagon on it and its shadow reach."""


def vary(
    dice: Dice,
    photo: Tensor,
    reference: Tensor,
    around: Tensor,
    lean: Tensor,
    wagon: Tensor,
    *,
    together: bool = False,
) -> tuple[Tensor, Tensor]:
    """Pixels (B, 11, H, W) as the network takes them, and leans (B, 2), of cut patches.

    `photo` and `reference` (B, 3, H, W) and `around` (B, 4, H, W) are 0..1 and have a margin about
    what the network sees; a reference of zeros stays one. `wagon` (B,) says where wagons stand.
    `together` varies all alike, as patches of one photo: one camera, one lamp, one mirror.
    """
    count, looks = len(photo), 1 if together else len(photo)
    place = _random_affine(dice, looks, shift_mm=1.2, turn_deg=4, scale=0.06)
    nudge = _random_affine(dice, looks, shift_mm=0.6, turn_deg=1.2, scale=0.015)
    if together:
        place = place @ _random_affine(dice, count, shift_mm=0.4, turn_deg=1, scale=0.01)
        nudge = nudge @ _random_affine(dice, count, shift_mm=0.2, turn_deg=0.5, scale=0.01)
    mirror = (dice.chosen(0.5, looks, 2).float() * 2 - 1).expand(count, 2)
    have = (reference.amax(dim=(1, 2, 3)) > 0).float()[:, None, None, None]
    photo = _resample(photo, place, mirror)
    _light_from_behind(dice, photo, around, lean, place, mirror, wagon)
    photo = _look(dice, photo, looks)
    reference = _look(dice, _resample(reference, place @ nudge, mirror), looks)
    lean = _misjudged(dice, lean, looks)
    roofs = _resample(around[:, :1], _moved(place, lean), mirror)
    around = _resample(around, place, mirror)
    pixels = torch.cat([photo, reference * have, around, roofs], dim=1)
    if not together:
        pixels = _other_surroundings(dice, pixels)
    return pixels.contiguous(memory_format=torch.channels_last), lean * mirror


def lay_sleeves(dice: Dice, photo: Tensor, state: Tensor, colour: Tensor, weight: Tensor) -> None:
    """Cover some spaces, in place, and what lies beyond a straight edge beside them, with a plain,
    unevenly lit cloth of any colour."""
    index = torch.nonzero(dice.chosen(SLEEVED_SHARE, len(photo))).flatten()
    count, (high, wide) = len(index), photo.shape[2:]

    def drawn(low: float, top: float, channels: int = 1) -> Tensor:
        return dice.uniform(low, top, count, channels, 1, 1)

    y, x = _grid(dice, torch.arange(high), torch.arange(wide))
    angle = drawn(0, 2 * math.pi)
    from_middle_px = (x - wide / 2) * torch.cos(angle) + (y - high / 2) * torch.sin(angle)
    own_mm = 12.5 * torch.cos(angle).abs() + 4.5 * torch.sin(angle).abs()
    edge_px = (own_mm + drawn(0.5, 9.0)) * PX_PER_MM
    over = torch.sigmoid(2 * (from_middle_px + edge_px))
    shadow = 1 - drawn(0, 0.5) * torch.sigmoid((from_middle_px + edge_px + 4) / 2)
    cloth = drawn(0.03, 0.97) + drawn(-0.2, 0.2, 3) * dice.chosen(0.5, count, 1, 1, 1)
    folds = drawn(-0.1, 0.1) * torch.sin(from_middle_px / drawn(4, 30) + drawn(0, 6))
    photo[index] = torch.lerp(photo[index] * shadow, (cloth + folds).clamp(0, 1), over)
    state[index], colour[index], weight[index] = COVERED, -1, 1.0


def doubt_the_hint(dice: Dice, around: Tensor) -> None:
    """Take away, in place, what some samples' spaces are said to be printed in, or say it wrong.

    `around` (B, 4, H, W) is the mask of the spaces and their printed colours BGR, 0..1. What stays
    is varied a little: prints differ, and the board file knows but a colour's name.
    """
    count = len(around)
    which = dice.uniform(0, 1, count, 1, 1, 1)
    varied = around[:, 1:] + dice.normal(0.06, count, 3, 1, 1)
    wrong = dice.uniform(0, 1, count, 3, 1, 1)
    told = torch.where(which < HINT_UNTOLD + HINT_WRONG, wrong, varied.clamp(0, 1))
    told = told * (which >= HINT_UNTOLD)
    around[:, 1:] = torch.where(around[:, :1] > 0, told, 0.0)


def _other_surroundings(dice: Dice, pixels: Tensor) -> Tensor:
    """Pixels (B, C, H, W), some with a strip at one edge, or at two, from the next sample."""
    count, (high, wide) = len(pixels), pixels.shape[2:]
    y, x = _grid(dice, torch.arange(high), torch.arange(wide))
    along_mm, across_mm = (x - wide / 2) / PX_PER_MM, (y - high / 2) / PX_PER_MM
    beyond = torch.zeros((count, 1, high, wide), dtype=torch.bool, device=dice.device)
    for from_middle_mm, reach_mm in zip((along_mm, across_mm), OWN_REACH_MM, strict=True):
        side = dice.chosen(0.5, count, 1, 1, 1).float() * 2 - 1
        outside = from_middle_mm * side > reach_mm + dice.uniform(0, 8, count, 1, 1, 1)
        beyond |= outside & dice.chosen(SWAPPED_SHARE, count, 1, 1, 1)
    return torch.where(beyond, pixels.roll(1, dims=0), pixels)


def _grid(dice: Dice, rows: Tensor, columns: Tensor) -> tuple[Tensor, Tensor]:
    y, x = torch.meshgrid(rows, columns, indexing="ij")
    return y.to(dice.device), x.to(dice.device)


def _moved(place: Tensor, by_mm: Tensor) -> Tensor:
    """The map (B, 3, 3) that shows everything moved by (B, 2) millimetres."""
    moved = place.expand(len(by_mm), 3, 3).clone()
    moved[:, :2, 2] -= by_mm * PX_PER_MM
    return moved


def _light_from_behind(
    dice: Dice,
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
    index = torch.nonzero(chosen & dice.chosen(BACKLIT_SHARE, len(photo))).flatten()
    if not len(index):
        return
    own = (mask[index, :1] > OWN_SPACE).float()
    place = place.expand(len(photo), 3, 3)[index]
    mirror, lean = mirror[index], lean[index]
    reach = dice.uniform(0.8, 2.0, len(index), 1)
    steps = [
        _resample(own, _moved(place, lean * (1 - part * reach)), mirror)
        for part in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    dark = torch.stack(steps[1:]).amax(dim=0) * (1 - steps[0])
    dark = functional.avg_pool2d(dark, 3, 1, 1, count_include_pad=False)
    photo[index] *= 1 - dice.uniform(0.4, 0.95, len(index), 1, 1, 1) * dark


def _misjudged(dice: Dice, lean: Tensor, looks: int) -> Tensor:
    """The lean (B, 2) as an unknown lens would make us misjudge it."""
    return lean * torch.exp(dice.normal(0.1, looks, 1)) + dice.normal(0.25, looks, 2)


def _random_affine(
    dice: Dice, count: int, *, shift_mm: float, turn_deg: float, scale: float
) -> Tensor:
    """Affine maps in pixels about the patch centre, (count, 3, 3)."""
    turn = torch.deg2rad(dice.normal(turn_deg / 2, count))
    size = torch.exp(dice.normal(scale / 2, count))
    matrix = torch.zeros((count, 3, 3), device=dice.device)
    matrix[:, 0, 0] = matrix[:, 1, 1] = size * torch.cos(turn)
    matrix[:, 0, 1], matrix[:, 1, 0] = -size * torch.sin(turn), size * torch.sin(turn)
    matrix[:, :2, 2] = dice.normal(shift_mm * PX_PER_MM, count, 2).clamp(-6, 6)
    matrix[:, 2, 2] = 1
    return matrix


def _resample(images: Tensor, affine: Tensor, mirror: Tensor) -> Tensor:
    """Cut PATCH_PX out of images with margin, moved by an affine map in pixels and mirrored."""
    count, channels, high, wide = images.shape
    width, height = PATCH_PX
    size = torch.tensor([wide, high], device=images.device) / 2
    shown = torch.tensor([width, height], device=images.device) / 2
    affine = affine.expand(count, 3, 3)
    linear = affine[:, :2, :2] * mirror[:, None, :] * shown[None, None, :] / size[None, :, None]
    theta = torch.cat([linear, (affine[:, :2, 2] / size)[..., None]], dim=2)
    grid = functional.affine_grid(theta, [count, channels, height, width], align_corners=False)
    return functional.grid_sample(
        images, grid, mode="bilinear", padding_mode="border", align_corners=False
    )


def _look(dice: Dice, images: Tensor, count: int) -> Tensor:
    """Another camera and lamp: exposure, white balance, contrast, shadow, glare, blur, noise, and
    sometimes a filter.

    `count` is how many different ones: as many as images, or one for all.
    """
    gain = torch.exp(dice.normal(0.16, count, 1, 1, 1) + dice.normal(0.06, count, 3, 1, 1))
    gamma = torch.exp(dice.normal(0.14, count, 1, 1, 1))
    images = (images * gain).clamp(0, 1).clamp_min(1e-4) ** gamma
    grey = images.mean(dim=1, keepdim=True)
    images = grey + (images - grey) * torch.exp(dice.normal(0.15, count, 1, 1, 1))
    images = images * _slopes(dice, len(images), images.shape[-2:])
    images = _mirrored(dice, images)
    images = _blur(dice, images, count)
    noise = dice.uniform(0, 0.03, count, 1, 1, 1)
    images = (images + noise * dice.normal(1, *images.shape)).clamp(0, 1)
    return _filtered(dice, images, count)


def _filtered(dice: Dice, images: Tensor, count: int) -> Tensor:
    """Some of the images (B, 3, H, W), 0..1, sharpened, more colourful and of more contrast."""

    def drawn(low: float, top: float) -> Tensor:
        return dice.uniform(low, top, count, 1, 1, 1)

    soft = functional.avg_pool2d(images, 5, 1, 2, count_include_pad=False)
    sharp = soft + drawn(1.0, 2.5) * (images - soft)
    grey = sharp.mean(dim=1, keepdim=True)
    vivid = grey + drawn(1.1, 1.7) * (sharp - grey)
    much = (0.5 + drawn(1.0, 1.3) * (vivid - 0.5)).clamp(0, 1)
    return torch.where(dice.chosen(FILTERED_SHARE, count, 1, 1, 1), much, images)


def _slopes(dice: Dice, count: int, shape: Sequence[int]) -> Tensor:
    """Light falling off across the patch and, sometimes, the hard edge of a shadow."""
    high, wide = shape
    y, x = _grid(dice, torch.linspace(-1, 1, high), torch.linspace(-1, 1, wide))
    angle = dice.uniform(0, 2 * math.pi, count, 1, 1)
    ramp = x * torch.cos(angle) + y * torch.sin(angle)
    slope = 1 + ramp * dice.normal(0.06, count, 1, 1)
    edge = dice.uniform(-0.8, 0.8, count, 1, 1)
    depth = dice.uniform(0.2, 0.65, count, 1, 1) * dice.chosen(0.18, count, 1, 1)
    shadow = 1 - depth * torch.sigmoid((ramp - edge) * 12)
    return (slope * shadow)[:, None]


def _mirrored(dice: Dice, images: Tensor) -> Tensor:
    """Some of the images (B, 3, H, W), 0..1, with what a pane or a glossy board mirrors: light is
    added (linear, not the file's levels) by a lamp with a soft halo or by a window and its bars."""
    index = torch.nonzero(dice.chosen(MIRRORED_SHARE, len(images))).flatten()
    count, (high, wide) = len(index), images.shape[-2:]
    y, x = _grid(dice, torch.linspace(-1, 1, high), torch.linspace(-wide / high, wide / high, wide))

    def drawn(low: float, top: float, channels: int = 1) -> Tensor:
        return dice.uniform(low, top, count, channels, 1, 1)

    angle = drawn(0, 2 * math.pi)
    along = x * torch.cos(angle) + y * torch.sin(angle) - drawn(-2, 2)
    across = y * torch.cos(angle) - x * torch.sin(angle) - drawn(-2, 2)
    halo = torch.exp(-(along.square() + across.square()) / drawn(0.4, 2.5).square())
    sharp = drawn(3, 40)
    window = torch.ones_like(halo)
    for from_middle, half in ((along, drawn(0.3, 3)), (across, drawn(0.3, 3))):
        window = window * torch.sigmoid(sharp * (half - from_middle.abs()))
        bar = torch.exp(-((from_middle - drawn(-0.5, 0.5)) / 0.15).square())
        window = window * (1 - bar * dice.chosen(0.3, count, 1, 1, 1))
    shape = torch.where(dice.chosen(0.5, count, 1, 1, 1), halo, window)
    tint = (1 + dice.normal(0.12, count, 3, 1, 1)).clamp_min(0.5) * _other_light(dice, count)
    light = drawn(0.02, 1.0).square() * 0.5 * tint * shape
    images = images.clone()
    images[index] = (images[index].clamp(1e-4, 1) ** 2.2 + light).clamp(0, 1) ** (1 / 2.2)
    return images


def _other_light(dice: Dice, count: int) -> Tensor:
    """What a mirrored light looks like beside the table's, (count, 3, 1, 1), linear BGR, its
    brightest 1: alike, or of another temperature, a window beside a lamp or a lamp by day. A photo
    is hardly ever balanced for all of a lamp's colour."""
    lights_bgr = LIGHTS_BGR.float().to(dice.device)
    among = torch.full((count,), len(lights_bgr), device=dice.device)
    mirrored, table = (lights_bgr[dice.index(among)] for _ in range(2))
    unbalanced = dice.uniform(0.4, 1.0, count, 1) * dice.chosen(OTHER_LIGHT_SHARE, count, 1)
    beside = (mirrored / table) ** unbalanced
    return (beside / beside.amax(dim=1, keepdim=True))[..., None, None]


def _blur(dice: Dice, images: Tensor, count: int) -> Tensor:
    """Half of the images between sharp and a 3 x 3 mean, each by its own amount."""
    soft = functional.avg_pool2d(images, 3, 1, 1, count_include_pad=False)
    part = dice.uniform(0, 1, count, 1, 1, 1) * dice.chosen(0.5, count, 1, 1, 1)
    return torch.lerp(images, soft, part)
