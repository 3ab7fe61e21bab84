"""Trains the network that finds printed spaces on a straightened board (vision/weights/snap.onnx).

Input: a board straightened to 1 px a millimetre, any turn, give or take a few millimetres. Output,
for each cell of 4 x 4 px: board or not, a space's centre near or not, the direction of that space
and the way to its centre. Boxes and wagons both count as spaces: the network learns where wagons
go, whatever the print.

    python -m vision.training.snap --shared ../shared --work WORK --minutes 20
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from vision.training.layers import block
from vision.training.outline import export
from vision.training.snap_scenes import BoardPicture, made_up_picture, picture_of, random_crop
from vision.training.snap_truth import training_images

MADE_UP = 40
BATCH = 12
WIDTH = 32
"""Channels of the network's body."""


class SnapNet(nn.Module):
    """Two halvings, then dilated layers that see about 70 mm to each side."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(block(3, 16, stride=2), block(16, WIDTH, stride=2))
        self.body = nn.ModuleList([block(WIDTH, WIDTH, dilation=d) for d in (1, 2, 4, 8, 2, 1)])
        self.head = nn.Conv2d(WIDTH, 6, 1)

    def forward(self, image: Tensor) -> Tensor:
        """Six channels a cell from images of shape (B, 3, H, W), about 0: see snap_scenes.Crop."""
        x = self.stem(image)
        for index, layer in enumerate(self.body):
            x = x + layer(x) if index % 2 else layer(x)
        return self.head(x)


def load_groups(shared: Path, work: Path | None) -> list[list[BoardPicture]]:
    """Training pictures by kind; renders stand twice, being the most varied."""
    truths = training_images(shared, work)
    kinds: dict[str, list[BoardPicture]] = {"photo": [], "render": [], "drawn": [], "made up": []}
    for truth in truths:
        kinds[_kind(truth.path)].append(picture_of(truth))
    rng = np.random.default_rng(7)
    kinds["made up"] = [made_up_picture(rng) for _ in range(MADE_UP)]
    print({kind: len(pictures) for kind, pictures in kinds.items()}, flush=True)
    return [pictures for pictures in (*kinds.values(), kinds["render"]) if pictures]


def _kind(path: Path) -> str:
    if path.name.startswith("IMG"):
        return "photo"
    return "drawn" if path.parent.name == "drawn" else "render"


def batches(groups: list[list[BoardPicture]], seed: int) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """Endless batches of (images about 0, targets, weights)."""
    rng = np.random.default_rng(seed)
    while True:
        crops = [random_crop(rng, groups) for _ in range(BATCH)]
        images = np.stack([c.image_bgr for c in crops]).transpose(0, 3, 1, 2)
        yield (
            torch.from_numpy(images / np.float32(127.5) - 1),
            torch.from_numpy(np.stack([c.targets for c in crops])),
            torch.from_numpy(np.stack([c.weights for c in crops])),
        )


def train(
    groups: list[list[BoardPicture]], minutes: float, net: SnapNet, rate: float, seed: int
) -> None:
    """Train for so long, learning rate falling to zero along a half cosine."""
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-4)
    start, running = time.monotonic(), np.zeros(4)
    for step, (images, targets, weights) in enumerate(batches(groups, seed)):
        done = (time.monotonic() - start) / (60 * minutes)
        if done >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate * (0.5 + 0.5 * np.cos(np.pi * done)) * min(1, (step + 1) / 50)
        parts = _losses(net(images), targets, weights)
        optimiser.zero_grad()
        parts.sum().backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        running = 0.98 * running + 0.02 * parts.detach().numpy()
        if step % 100 == 99:
            print(f"step {step + 1} losses {running.round(4)}", flush=True)


def _losses(output: Tensor, targets: Tensor, weights: Tensor) -> Tensor:
    """Of board, centre, direction and offset; shape (4,)."""
    cross = nn.functional.binary_cross_entropy_with_logits
    board = cross(output[:, 0], targets[:, 0])
    centre = 4 * cross(output[:, 1], targets[:, 1], weight=weights[:, 0])
    near = weights[:, 1:2]
    total = near.sum() + 1
    direction = ((output[:, 2:4] - targets[:, 2:4]) ** 2 * near).sum() / total
    apart = nn.functional.smooth_l1_loss(
        output[:, 4:6], targets[:, 4:6], reduction="none", beta=0.2
    )
    return torch.stack([board, centre, 0.5 * direction, (apart * near).sum() / total])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, required=True, help="photos and renders with labels")
    parser.add_argument("--work", type=Path, help="folder of further renders and drawn boards")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--out", type=Path, default=Path("vision/weights/snap.onnx"))
    parser.add_argument("--resume", type=Path, help="checkpoint to go on from, at a lower rate")
    parser.add_argument("--checkpoint", type=Path, help="where to keep the network to go on from")
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    cv2.setNumThreads(1)
    net = SnapNet()
    if args.resume:
        net.load_state_dict(torch.load(args.resume))
    rate, seed = (1.5e-3, 2) if args.resume else (3e-3, 1)
    train(load_groups(args.shared, args.work), args.minutes, net, rate, seed)
    if args.checkpoint:
        torch.save(net.state_dict(), args.checkpoint)
    export(net, (1, 3, 608, 864), ["cells"], args.out)


if __name__ == "__main__":
    main()
