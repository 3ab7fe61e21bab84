"""Trains the network that finds every wagon on a straightened board (weights/wagons.onnx).

Input: the board as `vision.wagons.straighten` gives it, 1 px a millimetre. Output, one cell for
2 x 2 px: how much it is the middle of a wagon, cosine and sine of twice the wagon's direction, one
value for each colour, and whether it has toppled. It sees no board file: nothing tells it where
spaces are printed.

    python -m vision.training.wagons --shared ../shared --work WORK --minutes 40
"""

import argparse
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from scoring.game.colours import COLOURS
from vision.images.board_light import in_daylight
from vision.training.layers import block, doubled
from vision.training.outline import export
from vision.training.precision import fast_numbers
from vision.training.wagons_scenes import (
    ANGLE,
    COLOUR,
    KEPT_PX_PER_MM,
    LYING,
    WEIGHT,
    Scene,
    load_scenes,
)
from vision.wagons.find import CELL_PX
from vision.wagons.straighten import PX_PER_MM

CROP_PX = 192
BATCH = 8
RATE = 2e-3

SPREAD_MM = 2.2
"""Standard deviation of the hill that stands for a wagon's middle."""

OWN_MM = 3.0
"""Cells as near to a middle tell the wagon's direction, colour and pose."""

WHITE_SHARE = 0.25
"""Part of the crops that lie about a white or grey wagon: on pale print these are hardest."""

MIRRORED_SHARE = 0.15
"""Part of the crops in which a lamp or a window is mirrored."""

SHARES = {"photos": 0.12, "renders": 0.53, "prints": 0.2, "drawn": 0.15}
"""Parts of the crops by what they show: real photos, renders of the boards, rendered prints of our
own, boards of our own drawing. Fewer of the last two, and print is found as wagons."""

OUTPUTS = 3 + len(COLOURS) + 1


class WagonNet(nn.Module):
    """Three scales down and back up to half the picture's resolution."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(block(3, 16, 2), block(16, 16))
        self.middle = nn.Sequential(block(16, 32, 2), block(32, 32), block(32, 32), _Beside(32))
        self.coarse = nn.Sequential(
            block(32, 48, 2),
            block(48, 48),
            block(48, 48, dilation=2),
            block(48, 48),
            _Beside(48),
        )
        self.from_coarse = nn.Conv2d(48, 32, 1)
        self.joined = nn.Sequential(block(32, 32), _Beside(32))
        self.from_middle = nn.Conv2d(32, 16, 1)
        self.head = nn.Sequential(block(16, 24), nn.Conv2d(24, OUTPUTS, 1))
        nn.init.constant_(self.head[1].bias[:1], -4.0)  # type: ignore[index, arg-type]

    def forward(self, image: Tensor) -> Tensor:
        """(B, OUTPUTS, H / 2, W / 2) from images (B, 3, H, W), BGR about 0."""
        fine = self.fine(image)
        middle = self.middle(fine)
        coarse = self.coarse(middle)
        middle = self.joined(middle + doubled(self.from_coarse(coarse)))
        joined: Tensor = self.head(fine + doubled(self.from_middle(middle)))
        return joined


class _Beside(nn.Module):
    """Two further layers beside an identity (He et al. 2016), without effect at first."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        last = nn.Conv2d(channels, channels, 3, padding=1)
        for parameter in last.parameters():
            nn.init.zeros_(parameter)
        self.inner = nn.Sequential(block(channels, channels, dilation=2), last)

    def forward(self, features: Tensor) -> Tensor:
        return features + self.inner(features)  # type: ignore[no-any-return]


Batch = tuple[Tensor, Tensor, Tensor]
"""Images, targets (B, 6, H, W) and weights (B, 2, H, W) of the cells.

Targets are the hills, direction (2), colour's index, pose; the weights are those of the hills and
of the rest."""


class Batches(IterableDataset[Batch]):
    """Endless batches; each worker that draws them has dice of its own."""

    def __init__(self, scenes: Mapping[str, Sequence[Scene]], seed: int, size: int) -> None:
        self.scenes, self.seed, self.size = scenes, seed, size

    def __iter__(self) -> Iterator[Batch]:
        worker = get_worker_info()
        rng = np.random.default_rng([self.seed, worker.id if worker else 0])
        cv2.setNumThreads(1)
        kinds = [kind for kind in SHARES if self.scenes[kind]]
        shares = np.array([SHARES[kind] for kind in kinds])
        white = {k: [one for one in self.scenes[k] if _white(one).any()] for k in kinds}
        while True:
            samples = []
            for _ in range(self.size):
                kind = str(rng.choice(kinds, p=shares / shares.sum()))
                hard = rng.uniform() < WHITE_SHARE and len(white[kind]) > 0
                among = white[kind] if hard else self.scenes[kind]
                samples.append(_sample(rng, among[int(rng.integers(len(among)))], hard))
            images, targets, weights = (np.stack(column) for column in zip(*samples, strict=True))
            yield torch.from_numpy(images), torch.from_numpy(targets), torch.from_numpy(weights)


Sample = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]


def _white(scene: Scene) -> NDArray[np.bool_]:
    """Which of a scene's wagons are white or grey."""
    pale = np.isin(scene.wagons[:, COLOUR], [COLOURS.index(c) for c in ("white", "grey")])
    return np.asarray(pale & (scene.wagons[:, WEIGHT] > 0))


def _sample(rng: np.random.Generator, scene: Scene, about_white: bool) -> Sample:
    """A crop about some wagon or anywhere, turned, mirrored and seen by another camera."""
    height, width = scene.image_bgr.shape[:2]
    at = rng.uniform(0, 1, 2) * (width, height)
    wagons = scene.wagons[_white(scene)] if about_white else scene.wagons
    if len(wagons) and (about_white or rng.uniform() < 0.6):
        at = wagons[int(rng.integers(len(wagons))), :2] + rng.normal(0, 40, 2)
    turn, scale = (
        rng.uniform(0, 2 * np.pi),
        PX_PER_MM / KEPT_PX_PER_MM * np.exp(rng.normal(0, 0.05)),
    )
    matrix = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    if rng.uniform() < 0.5:
        matrix = matrix @ np.diag([1.0, -1.0])
    shift = np.full(2, (CROP_PX - 1) / 2) - matrix @ at
    image = cv2.warpAffine(
        scene.image_bgr, np.c_[matrix, shift], (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    moved = np.array(scene.wagons, dtype=np.float64)
    moved[:, :2] = moved[:, :2] @ matrix.T + shift
    way = np.stack([np.cos(moved[:, ANGLE]), np.sin(moved[:, ANGLE])], 1) @ matrix.T
    moved[:, ANGLE] = np.arctan2(way[:, 1], way[:, 0])
    pixels = _seen(rng, np.asarray(image, np.uint8)).astype(np.float32) / 127.5 - 1
    return np.ascontiguousarray(pixels.transpose(2, 0, 1)), *_targets(moved)


def _targets(wagons: NDArray[np.float64]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    side = CROP_PX // CELL_PX
    targets = np.zeros((6, side, side), np.float32)
    weights = np.stack([np.ones((side, side)), np.zeros((side, side))]).astype(np.float32)
    rows, columns = np.mgrid[:side, :side] * CELL_PX + (CELL_PX - 1) / 2
    for wagon in wagons:
        away = np.hypot(columns - wagon[0], rows - wagon[1])
        if wagon[WEIGHT] <= 0:
            if wagon[WEIGHT] == 0:
                weights[0][away < 12] = 0
            continue
        hill = np.exp(-(away**2) / (2 * SPREAD_MM**2))
        own = (away < OWN_MM) & (hill > targets[0])
        targets[0] = np.maximum(targets[0], np.where(away < 1.5, 1.0, hill))
        targets[1][own], targets[2][own] = np.cos(2 * wagon[ANGLE]), np.sin(2 * wagon[ANGLE])
        targets[3][own], targets[4][own] = wagon[COLOUR], wagon[LYING]
        weights[1][own] = 1
    return targets, weights


def _seen(rng: np.random.Generator, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The crop through another lens, under other lamps, with another sensor's noise."""
    if rng.uniform() < 0.4:
        share = float(rng.uniform(0.55, 1.0))
        small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(small, image.shape[1::-1]), np.uint8)
    if rng.uniform() < 0.5:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.3, 1.6))), np.uint8)
    levels = (image.astype(np.float32) / 255) ** np.float32(rng.uniform(0.7, 1.4))
    levels *= (rng.uniform(0.55, 1.25) * rng.uniform(0.86, 1.16, 3)).astype(np.float32)
    if rng.uniform() < 0.25:  # half in shadow
        angle = rng.uniform(0, 2 * np.pi)
        y, x = np.mgrid[-1 : 1 : CROP_PX * 1j, -1 : 1 : CROP_PX * 1j]
        side = np.cos(angle) * x + np.sin(angle) * y - rng.uniform(-0.7, 0.7)
        soft = 1 / (1 + np.exp(-side * rng.uniform(5, 60)))
        levels *= (1 - soft * rng.uniform(0.2, 0.65)).astype(np.float32)[..., None]
    if rng.uniform() < MIRRORED_SHARE:
        levels[:] = _mirrored(rng, levels)
    if rng.uniform() < 0.3:
        grey = levels.mean(axis=2, keepdims=True)
        levels = grey + (levels - grey) * np.float32(rng.uniform(0.4, 1.3))
    sigma = rng.uniform(0, 0.03) * np.array([rng.uniform(1, 4), 1.0, 1.0])
    noise = cv2.GaussianBlur(rng.standard_normal(levels.shape, np.float32), (0, 0), 0.7) * 2
    levels = levels + noise * sigma.astype(np.float32)
    return (np.clip(levels, 0, 1) * 255).astype(np.uint8)


def _mirrored(
    rng: np.random.Generator, levels: NDArray[np.floating[Any]]
) -> NDArray[np.floating[Any]]:
    """The crop, 0..1, with the light (linear) of a lamp or a window that a pane mirrors."""
    y, x = np.mgrid[-1 : 1 : CROP_PX * 1j, -1 : 1 : CROP_PX * 1j]
    angle = rng.uniform(0, 2 * np.pi)
    along = x * np.cos(angle) + y * np.sin(angle) - rng.uniform(-1, 1)
    across = y * np.cos(angle) - x * np.sin(angle) - rng.uniform(-1, 1)
    if rng.uniform() < 0.5:
        shape = np.exp(-(along**2 + across**2) / rng.uniform(0.1, 1) ** 2)
    else:
        shape, sharp = np.ones_like(along), rng.uniform(10, 100)
        for from_middle in (along, across):
            inside = sharp * (rng.uniform(0.15, 1.2) - np.abs(from_middle))
            shape = shape / (1 + np.exp(-np.clip(inside, -40, 40)))
            if rng.uniform() < 0.3:  # a bar
                shape = shape * (
                    1 - np.exp(-(((from_middle - rng.uniform(-0.3, 0.3)) / 0.05) ** 2))
                )
    tint = np.clip(rng.normal(1, 0.12, 3), 0.5, 2)
    light = 0.5 * rng.uniform(0.14, 1) ** 2 * shape[..., None] * tint
    lit = np.clip(levels, 0, 1).astype(np.float64) ** 2.2 + light
    return np.asarray(np.clip(lit, 0, 1) ** (1 / 2.2))


def losses(output: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
    """Of where (as in CornerNet, Law and Deng 2018), direction, colour and pose; shape (4,)."""
    chance = output[:, 0].sigmoid().clamp(1e-5, 1 - 1e-5)
    hill, counts, own = targets[:, 0], weights[:, 0], weights[:, 1]
    peaks = (hill == 1).float() * counts
    found = peaks * (1 - chance) ** 2 * chance.log()
    others = (1 - peaks) * counts * (1 - hill) ** 4 * chance**2 * (1 - chance).log()
    where = -(found + others).sum() / (peaks.sum() + 1)
    total = own.sum() + 1
    way = ((output[:, 1:3] - targets[:, 1:3]) ** 2).sum(1)
    named = nn.functional.cross_entropy(output[:, 3:-1], targets[:, 3].long(), reduction="none")
    lying = nn.functional.binary_cross_entropy_with_logits(
        output[:, -1], targets[:, 4], reduction="none"
    )
    rest = [(part * own).sum() / total for part in (way, named, lying)]
    return torch.stack([where, *rest])


def train(net: WagonNet, batches: Iterable[Batch], minutes: float, device: str) -> None:
    """Train for so long, learning rate falling to zero along a half cosine."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-3)
    start, running = time.monotonic(), np.zeros(4)
    shares = torch.tensor([1.0, 1.0, 0.5, 0.3], device=device)
    for step, batch in enumerate(batches):
        done = (time.monotonic() - start) / (60 * minutes)
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = RATE * (0.5 + 0.5 * np.cos(np.pi * done)) * min(1, (step + 1) / 50)
        images, targets, weights = (column.to(device) for column in batch)
        with fast_numbers(device):
            output = net(images)
        parts = losses(output.float(), targets, weights)
        optimiser.zero_grad()
        (parts * shares).sum().backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        if step % 50 == 49:
            running = 0.7 * running + 0.3 * parts.detach().cpu().numpy()
            print(f"{done:.2f} step {step + 1} losses {running.round(3)}", flush=True)


def _in_daylight(scene: Scene) -> Scene:
    """As the reader does before it looks: a lamp's colour cast is taken away."""
    return Scene(in_daylight(scene.image_bgr), scene.wagons)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--start", type=Path, help="weights (.pt) to go on from")
    parser.add_argument("--out", type=Path, default=Path("vision/weights/wagons.onnx"))
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--workers", type=int, default=0, help="processes that draw samples beside")
    parser.add_argument("--device", default="cpu", help="cuda, where there is one")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    cv2.setNumThreads(1)
    scenes = {
        kind: [_in_daylight(scene) for scene in known]
        for kind, known in load_scenes(args.shared, args.work).items()
    }
    for kind, known in scenes.items():
        print(
            f"{kind}: {len(known)} boards, {sum(len(s.wagons) for s in known)} wagons", flush=True
        )
    net = WagonNet().to(args.device)
    if args.start:
        net.load_state_dict(torch.load(args.start, map_location=args.device))
    drawn = Batches(scenes, 2 if args.start else 1, args.batch)
    loader = DataLoader(drawn, batch_size=None, num_workers=args.workers)
    train(net, loader, args.minutes, args.device)
    net.cpu()
    torch.save(net.state_dict(), args.out.with_suffix(".pt"))
    export(net, (1, 3, CROP_PX, CROP_PX), ["wagons"], args.out)


if __name__ == "__main__":
    main()
