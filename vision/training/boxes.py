"""Trains the network that finds printed boxes on any straightened board (vision/weights/boxes.onnx).

Input: an empty board at 2 px a millimetre if its boxes are 25 mm long. Output, for each cell of
4 x 4 px, what `boxes_scenes.BoxCrop` says. It learns from prints of made-up maps alone, so that
every published board is a board that it has never seen.

    python -m vision.training.boxes --work WORK --minutes 20
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from vision.training.boxes_scenes import PrintPicture, load_print, random_crop
from vision.training.outline import export

BATCH = 8
RATE = 3e-3


class BoxNet(nn.Module):
    """Two halvings, then dilated layers that see about 45 mm to each side."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.stem = nn.Sequential(_block(3, 16, stride=2), _block(16, width, stride=2))
        dilations = (1, 2, 4, 8, 4, 2, 1)
        self.body = nn.ModuleList([_block(width, width, dilation=d) for d in dilations])
        self.head = nn.Conv2d(width, 7, 1)

    def forward(self, image: Tensor) -> Tensor:
        """Seven channels a cell from images of shape (B, 3, H, W), about 0."""
        x = self.stem(image)
        for layer in self.body:
            x = x + layer(x)
        return self.head(x)


def _block(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    convolution = nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU())


def batches(
    pictures: list[PrintPicture], seed: int
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Endless batches of (images about 0, targets, near)."""
    rng = np.random.default_rng(seed)
    while True:
        crops = [random_crop(rng, pictures) for _ in range(BATCH)]
        images = np.stack([c.image_bgr for c in crops]).transpose(0, 3, 1, 2)
        yield (
            torch.from_numpy(images / np.float32(127.5) - 1),
            torch.from_numpy(np.stack([c.targets for c in crops])),
            torch.from_numpy(np.stack([c.near for c in crops])),
        )


def load_prints(work: Path) -> list[PrintPicture]:
    """The prints that `boxes_drawn` drew."""
    pictures = [load_print(path) for path in sorted((work / "maps").glob("*.json"))]
    print(f"{len(pictures)} prints", flush=True)
    return pictures


def train(net: BoxNet, pictures: list[PrintPicture], minutes: float, seed: int) -> None:
    """Train for so long, learning rate falling to zero along a half cosine."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=1e-4)
    start, running = time.monotonic(), np.zeros(4)
    for step, (images, targets, near) in enumerate(batches(pictures, seed)):
        done = (time.monotonic() - start) / (60 * minutes)
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = RATE * (0.5 + 0.5 * np.cos(np.pi * done)) * min(1, (step + 1) / 50)
        parts = _losses(net(images), targets, near)
        optimiser.zero_grad()
        parts.sum().backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        running = 0.98 * running + 0.02 * parts.detach().numpy()
        if step % 50 == 49:
            print(f"{done:.2f} step {step + 1} losses {running.round(4)}", flush=True)


def _losses(output: Tensor, targets: Tensor, near: Tensor) -> Tensor:
    """Of centre, direction, way to the centre and size; shape (4,)."""
    cross = nn.functional.binary_cross_entropy_with_logits(
        output[:, 0], targets[:, 0], weight=1 + 4 * targets[:, 0]
    )
    inside = near[:, None]
    total = near.sum() + 1
    direction = ((output[:, 1:3] - targets[:, 1:3]) ** 2 * inside).sum() / total
    smooth = nn.functional.smooth_l1_loss
    way = smooth(output[:, 3:5], targets[:, 3:5], reduction="none", beta=0.1)
    size = smooth(output[:, 5:7], targets[:, 5:7], reduction="none", beta=0.05)
    ways, sizes = (way * inside).sum() / total, (size * inside).sum() / total
    return torch.stack([8 * cross, 0.5 * direction, ways, sizes])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder of prints, maps/*.json")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--out", type=Path, default=Path("vision/weights/boxes.onnx"))
    parser.add_argument("--resume", type=Path, help="checkpoint to go on from")
    parser.add_argument("--checkpoint", type=Path, help="where to keep the network to go on from")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    cv2.setNumThreads(1)
    net = BoxNet()
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    train(net, load_prints(args.work), args.minutes, 2 if args.resume else 1)
    if args.checkpoint:
        torch.save(net.state_dict(), args.checkpoint)
    export(net, (1, 3, 608, 864), ["cells"], args.out)


if __name__ == "__main__":
    main()
