"""Trains the network that measures printed boxes on any straightened board (weights/boxes.onnx).

Input: a patch of an empty board about where a box is supposed, upright along it, at 2 px a
millimetre if boxes are 25 mm long. Output: whether there is one, and what `boxes_scenes.Patch`
says of it. It learns from prints of made-up maps alone: every published board is new to it.

    python -m vision.training.boxes --work WORK --minutes 15
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from vision.training.boxes_scenes import PATCH_PX, PrintPicture, load_print, random_patch
from vision.training.layers import block

BATCH = 64
RATE = 2e-3


class BoxNet(nn.Module):
    """Convolutions that halve three times, then one layer over all that is left."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            block(3, 16, 1), block(16, 24, 2), block(24, 32, 1), block(32, 48, 2),
            block(48, 48, 1), block(48, 64, 2), block(64, 32, 1),
        )  # fmt: skip
        size = 32 * (PATCH_PX[0] // 8) * (PATCH_PX[1] // 8)
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(size, 64), nn.ReLU(), nn.Linear(64, 6))

    def forward(self, image: Tensor) -> Tensor:
        """Six values a patch from images of shape (B, 3, 48, 80), about 0."""
        return self.head(self.features(image))


def load_prints(work: Path) -> list[PrintPicture]:
    """The prints that `boxes_drawn` drew."""
    pictures = [load_print(path) for path in sorted((work / "maps").glob("*.json"))]
    print(f"{len(pictures)} prints", flush=True)
    return pictures


def batches(pictures: list[PrintPicture], seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Endless batches of (images about 0, truth)."""
    rng = np.random.default_rng(seed)
    while True:
        patches = [random_patch(rng, pictures) for _ in range(BATCH)]
        images = np.stack([p.image_bgr for p in patches]).transpose(0, 3, 1, 2)
        truth = torch.from_numpy(np.stack([p.truth for p in patches]))
        yield torch.from_numpy(images / np.float32(127.5) - 1), truth


def train(net: BoxNet, pictures: list[PrintPicture], minutes: float, seed: int) -> None:
    """Train for so long, learning rate falling to zero along a half cosine."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-3)
    start, running = time.monotonic(), np.zeros(4)
    for step, (images, truth) in enumerate(batches(pictures, seed)):
        done = (time.monotonic() - start) / (60 * minutes)
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = RATE * (0.5 + 0.5 * np.cos(np.pi * done)) * min(1, (step + 1) / 50)
        parts = _losses(net(images), truth)
        optimiser.zero_grad()
        parts.sum().backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        running = 0.98 * running + 0.02 * parts.detach().numpy()
        if step % 100 == 99:
            print(f"{done:.2f} step {step + 1} losses {running.round(4)}", flush=True)


def _losses(output: Tensor, truth: Tensor) -> Tensor:
    """Of whether, where, how turned and how large; shape (4,)."""
    clear = (truth[:, 0] != 0.5).float()
    whether = nn.functional.binary_cross_entropy_with_logits(
        output[:, 0], truth[:, 0], weight=clear
    )
    near = truth[:, 6:7]
    total = near.sum() + 1
    smooth = nn.functional.smooth_l1_loss
    where = smooth(output[:, 1:3], truth[:, 1:3], reduction="none", beta=0.3)
    turn = smooth(10 * output[:, 3:4], 10 * truth[:, 3:4], reduction="none", beta=0.2)
    size = smooth(10 * output[:, 4:6], 10 * truth[:, 4:6], reduction="none", beta=0.2)
    parts = [(part * near).sum() / total for part in (where, turn, size)]
    return torch.stack([2 * whether, *parts])


def export(net: BoxNet, path: Path) -> None:
    """Write the network as one ONNX file that takes any number of patches."""
    net.eval()
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        net, (torch.zeros(1, 3, PATCH_PX[1], PATCH_PX[0]),), str(path), input_names=["image"],
        output_names=["boxes"], dynamic_axes={"image": {0: "patches"}, "boxes": {0: "patches"}},
        opset_version=17, dynamo=False,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder of prints, maps/*.json")
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--out", type=Path, default=Path("vision/weights/boxes.onnx"))
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    cv2.setNumThreads(1)
    net = BoxNet()
    train(net, load_prints(args.work), args.minutes, 1)
    export(net, args.out)


if __name__ == "__main__":
    main()
