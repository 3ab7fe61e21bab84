"""Trains the network that finds a board in a whole photo (vision/weights/outline.onnx).

Input: a photo fitted into a square of 256 pixels. Output: how likely each 4 x 4 cell is board, with
what lies over the board (hands, cards) counted as board, so that a quadrilateral can be fitted.

    python -m vision.training.outline --shared ../shared --work WORK --minutes 20
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.training.layers import block, doubled
from vision.training.outline_scenes import BoardShot, mask_of, scene
from vision.training.snap_truth import training_images

SIDE_PX = 256
CELL_PX = 4
SHOT_PX = 640


class OutlineNet(nn.Module):
    """An hourglass: five halvings to see the whole photo, three doublings back to 64 x 64."""

    def __init__(self) -> None:
        super().__init__()
        self.down1 = block(3, 16, stride=2)
        self.down2 = nn.Sequential(block(16, 24, stride=2), block(24, 24))
        self.down3 = nn.Sequential(block(24, 32, stride=2), block(32, 32))
        self.down4 = nn.Sequential(block(32, 40, stride=2), block(40, 40))
        self.down5 = nn.Sequential(block(40, 48, stride=2), block(48, 48), block(48, 40))
        self.up4 = block(40, 32)
        self.up3 = block(32, 24)
        self.up2 = block(24, 24)
        self.head = nn.Conv2d(24, 1, 1)

    def forward(self, image: Tensor) -> Tensor:
        """Logits of shape (B, 1, 64, 64) from images of shape (B, 3, 256, 256), about 0."""
        x2 = self.down2(self.down1(image))
        x3 = self.down3(x2)
        x4 = self.down4(x3)
        x = self.up4(doubled(self.down5(x4)) + x4)
        x = self.up3(doubled(x) + x3)
        return self.head(self.up2(doubled(x) + x2))


def load_shots(shared: Path, work: Path | None) -> list[BoardShot]:
    """Training photos, shrunk, with the corners of their boards."""
    shots = []
    for image in training_images(shared, work):
        picture = cv2.imread(str(image.path), cv2.IMREAD_COLOR)
        assert picture is not None
        scale = SHOT_PX / max(picture.shape[:2])
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        shots.append(
            BoardShot(np.asarray(small, np.uint8), image.corners_px * scale, image.size_mm)
        )
    return shots


def batches(shots: list[BoardShot], size: int, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Endless batches of (images about 0, share of board in each cell)."""
    rng = np.random.default_rng(seed)
    while True:
        scenes = [scene(rng, shots, SIDE_PX) for _ in range(size)]
        images = np.stack([s.image_bgr for s in scenes]).transpose(0, 3, 1, 2)
        masks = np.stack([_cells(s.corners_px) for s in scenes])[:, None]
        yield torch.from_numpy(images / np.float32(127.5) - 1), torch.from_numpy(masks)


def _cells(corners_px: NDArray[np.float64] | None) -> NDArray[np.float32]:
    cells = SIDE_PX // CELL_PX
    if corners_px is None:
        return np.zeros((cells, cells), np.float32)
    mask = mask_of(corners_px, SIDE_PX).astype(np.float32) / 255
    return np.asarray(mask.reshape(cells, CELL_PX, cells, CELL_PX).mean((1, 3)))


def train(shots: list[BoardShot], minutes: float, seed: int = 1) -> OutlineNet:
    """Train for so long, learning rate falling to zero along a half cosine."""
    torch.manual_seed(seed)
    net = OutlineNet()
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=1e-4)
    start, running = time.monotonic(), 0.0
    for step, (images, cells) in enumerate(batches(shots, 12, seed)):
        done = (time.monotonic() - start) / (60 * minutes)
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = 3e-3 * (0.5 + 0.5 * np.cos(np.pi * done)) * min(1, (step + 1) / 50)
        loss = _loss(net(images), cells)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        running = 0.98 * running + 0.02 * float(loss)
        if step % 50 == 49:
            print(f"step {step + 1} loss {running / (1 - 0.98 ** (step + 1)):.4f}", flush=True)
    return net


def _loss(logits: Tensor, cells: Tensor) -> Tensor:
    """Cross-entropy a cell, plus Dice a picture, so that small boards count as large ones do."""
    cross = nn.functional.binary_cross_entropy_with_logits(logits, cells)
    share = torch.sigmoid(logits)
    both = (share * cells).sum((1, 2, 3))
    dice = 1 - (2 * both + 1) / (share.sum((1, 2, 3)) + cells.sum((1, 2, 3)) + 1)
    return cross + 0.5 * dice.mean()


def export(net: nn.Module, shape: tuple[int, ...], outputs: list[str], path: Path) -> None:
    """Write the network as one ONNX file that takes images of any size."""
    net.eval()
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        net, (torch.zeros(shape),), str(path), input_names=["image"], output_names=outputs,
        dynamic_axes={"image": {2: "height", 3: "width"}, outputs[0]: {2: "rows", 3: "columns"}},
        opset_version=17, dynamo=False,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True, help="photos and renders with labels")
    parser.add_argument("--work", type=Path, help="folder of further renders")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--out", type=Path, default=Path("vision/weights/outline.onnx"))
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    net = train(load_shots(args.shared, args.work), args.minutes)
    export(net, (1, 3, SIDE_PX, SIDE_PX), ["board"], args.out)


if __name__ == "__main__":
    main()
