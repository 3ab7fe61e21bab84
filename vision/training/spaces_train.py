"""Train the space network: `python -m vision.training.spaces_train --shared DIR --out FILE`."""

import argparse
import copy
import math
import time
import zlib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from scoring.game.colours import COLOURS
from vision.evaluate import labelled
from vision.spaces.neighbours import STATES
from vision.spaces.patches import PATCH_PX, roofs_around
from vision.spaces.shown_spaces import INPUTS
from vision.training.drawn_data import drawn_images
from vision.training.from_weights import find_statistics, space_net
from vision.training.precision import fast_numbers
from vision.training.spaces_data import Batch, Sampler, Truth
from vision.training.spaces_donors import with_pasted
from vision.training.spaces_moments import COVERED, MARGIN_PX, WAGON, SpaceSample, cut_moment
from vision.training.spaces_net import SpaceNet


def main() -> None:
    parser = options_of(__doc__)
    parser.add_argument("--report", type=float, default=3, help="minutes between two reports")
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument(
        "--start", type=Path, help=".pt of a training, or .onnx as it ships, to go on from"
    )
    parser.add_argument(
        "--kept", type=float, default=0.0, help="part of the loss that holds to the start's answers"
    )
    parser.add_argument(
        "--taken", type=float, default=1.0, help="part of what was learnt that the start takes on"
    )
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    labelled.use_renderer(options.shared / "renderer")
    train, test = split(options)
    train = [image for image in train if not for_neighbours(image)]
    print(f"train {len(train)} images, test {len(test)}", flush=True)
    sampler = Sampler(with_pasted(cut(train), options.seed), options.seed, options.device)
    checks = cut(test)
    torch.manual_seed(options.seed)
    net = space_net(options.start, options.width) if options.start else SpaceNet(options.width)
    net = net.to(options.device, memory_format=torch.channels_last)
    if options.start and options.start.suffix == ".onnx":
        batch = sampler.draw(SAMPLES_FOR_STATISTICS)
        find_statistics(net, batch.pixels, batch.lean)
    start = copy.deepcopy(net).eval()
    average = fit(net, start, sampler, checks, options)
    if options.taken < 1:
        average = mixed(start, average, options.taken, sampler)
    average = average.cpu()
    torch.save(average.state_dict(), options.out.with_suffix(".pt"))
    export(average, options.out)


SAMPLES_FOR_STATISTICS, BATCHES_FOR_STATISTICS = 1024, 24

OF_NEIGHBOURS = 3
"""Of ten rigs so many are kept for the network that looks at neighbours: on what the space network
was trained on, its answers are better than they will be."""


def for_neighbours(image: labelled.LabelledImage) -> bool:
    """Whether only the network of neighbours is trained on an image; real photos are too few.

    A scene under many prints goes to one side as a whole.
    """
    table = image.rig.removeprefix(f"{image.print_id}-")
    return image.source != "photo" and zlib.crc32(table.encode()) % 10 < OF_NEIGHBOURS


def cut(images: Sequence[labelled.LabelledImage]) -> list[SpaceSample]:
    """The spaces of all images, several images at a time."""
    with ThreadPoolExecutor() as pool:
        return list(pool.map(cut_moment, images))


def split(
    options: argparse.Namespace,
) -> tuple[list[labelled.LabelledImage], list[labelled.LabelledImage]]:
    """Training and test images; never one state or rig in both.

    With `leave_out` training sees no photo and no render of that board, with `leave_out_drawn` no
    print of our own with its routes either, and the test is of that board alone. Only France's
    routes bear track pieces, so without them the network meets these for the first time.
    """
    shared, geometry = options.shared, options.geometry
    photos = list(labelled.photos(shared))
    held_out = set(options.hold_out.split(","))
    train = [image for image in photos if image.state not in held_out]
    train += labelled.renders(shared / "renders" / "more", geometry)
    for folder in sorted(options.new.glob("*/labels.json")) if options.new else []:
        train += labelled.renders(folder.parent, folder.parent.parent)
    for labels in sorted(options.careless.glob("*/labels.json")) if options.careless else []:
        games = labelled.renders(labels.parent, labels.parent.parent)
        train += [replace(game, source="careless") for game in games]
    if options.prints:
        train += labelled.rendered_prints(options.prints)
    if options.drawn:
        train += drawn_images(options.drawn)
    empties = [image for image in photos if image.is_empty]
    test = [image for image in photos if image.state in held_out] + empties[:2]
    test += labelled.renders(shared / "renders", geometry)
    if options.leave_out:
        kept = () if options.leave_out_drawn else ("drawn", "print")
        test = [*photos, *(image for image in test if image.source != "photo")]
        test = [image for image in test if image.board.id == options.leave_out]
        train = [
            image for image in train if image.board.id != options.leave_out or image.source in kept
        ]
    return train, test


def fit(
    net: SpaceNet,
    start: SpaceNet,
    sampler: Sampler,
    checks: Sequence[SpaceSample],
    options: argparse.Namespace,
) -> SpaceNet:
    """Train `net`, which is as `start`, for the given minutes; returns the averaged network.

    Of what it has learnt it keeps `options.kept` while it learns from other games: that part of the
    loss is how far its answers are from the start's (Li & Hoiem 2016).
    """
    average = copy.deepcopy(net).eval()
    optimiser = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=0.02)
    begin, step, report = time.monotonic(), 0, time.monotonic()
    net.train()
    while (done := (time.monotonic() - begin) / (60 * options.minutes)) < 1:
        rate = options.rate * min(1, (step + 1) / 200) * cosine(done)
        for group in optimiser.param_groups:
            group["lr"] = rate
        batch = sampler.draw(options.batch)
        with fast_numbers(sampler.dice.device):
            loss = _loss(net, batch, start, options.kept)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        step += 1
        follow(average, net, min(0.999, step / (step + 20)))
        if step == 20 or time.monotonic() - report > 60 * options.report:
            report = time.monotonic()
            print(
                f"{done:.2f} step {step} loss {loss.item():.4f}",
                evaluate(average, checks),
                flush=True,
            )
            torch.save(average.state_dict(), options.out.with_suffix(".part.pt"))
    print("final", step, evaluate(average, checks), flush=True)
    return average


@torch.no_grad()
def mixed(start: SpaceNet, learnt: SpaceNet, taken: float, sampler: Sampler) -> SpaceNet:
    """A network with this part of what was learnt since the start, its statistics found anew.

    On tables that neither knows it is often better than both (Wortsman et al. 2022).
    """
    between = copy.deepcopy(learnt)
    for own, before in zip(between.parameters(), start.parameters(), strict=True):
        own.lerp_(before, 1 - taken)
    for one in between.modules():
        if isinstance(one, nn.BatchNorm2d):
            one.reset_running_stats()
            one.momentum = None  # the mean over all batches
    between.train()
    for _ in range(BATCHES_FOR_STATISTICS):
        batch = sampler.draw(SAMPLES_FOR_STATISTICS)
        between(batch.pixels, batch.lean)
    return between.eval()


def cosine(done: float) -> float:
    """Learning rate's course: from 1 down to 0.02."""
    return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done))


def _loss(net: SpaceNet, batch: Batch, start: SpaceNet, kept: float) -> Tensor:
    logits = net(batch.pixels, batch.lean)[0].float()
    loss = space_loss(logits, batch.truth)
    if not kept:
        return loss
    with torch.no_grad():
        begun_with = start(batch.pixels, batch.lean)[0].float()
    return (1 - kept) * loss + kept * _drift(logits, begun_with, batch.truth)


def _drift(logits: Tensor, begun_with: Tensor, truth: Truth) -> Tensor:
    """How far answers have moved from the first ones (Kullback-Leibler), as `space_loss` counts."""
    state, colour = (
        functional.kl_div(
            logits[:, part].log_softmax(1), begun_with[:, part].softmax(1), reduction="none"
        ).sum(1)
        for part in (slice(STATES), slice(STATES, None))
    )
    return _mean(state, colour, truth)


def space_loss(logits: Tensor, truth: Truth) -> Tensor:
    """Of state and colour, for logits (B, 3 + colours)."""
    state = functional.cross_entropy(logits[:, :STATES], truth.state, reduction="none")
    colour = functional.cross_entropy(
        logits[:, STATES:], truth.colour.clamp_min(0), reduction="none"
    )
    return _mean(state, colour, truth)


def _mean(state: Tensor, colour: Tensor, truth: Truth) -> Tensor:
    """Of losses of spaces (B,) by their weight; a colour counts where there is a wagon."""
    wagon = (truth.state == WAGON) & (truth.colour >= 0)
    total = (state + wagon.float() * colour) * truth.weight
    return total.sum() / truth.weight.sum().clamp_min(1)


@torch.no_grad()
def follow(average: nn.Module, net: nn.Module, keep: float) -> None:
    for slow, fast in zip(average.state_dict().values(), net.state_dict().values(), strict=True):
        if slow.dtype.is_floating_point:
            slow.mul_(keep).add_(fast, alpha=1 - keep)
        else:
            slow.copy_(fast)


@torch.no_grad()
def evaluate(net: SpaceNet, checks: Sequence[SpaceSample]) -> str:
    """Part of spaces right, by source and reference: same rig, another rig, none."""
    empties = [m for m in checks if m.image.is_empty]
    counts: dict[str, list[int]] = {}
    for moment in checks:
        for kind, reference in _references(moment, empties).items():
            key = f"{moment.image.source}-{moment.image.board.id}-{kind}"
            right, total = _score(net, moment, reference)
            entry = counts.setdefault(key, [0, 0])
            entry[0] += right
            entry[1] += total
    return " ".join(f"{key} {1 - r / max(t, 1):.4f}" for key, (r, t) in sorted(counts.items()))


def _references(
    moment: SpaceSample, empties: Sequence[SpaceSample]
) -> dict[str, SpaceSample | None]:
    found: dict[str, SpaceSample | None] = {"none": None}
    for other in empties:
        if other is moment or other.image.print_id != moment.image.print_id:
            continue
        found["rig" if other.image.rig == moment.image.rig else "other"] = other
    return found


def _score(net: SpaceNet, moment: SpaceSample, reference: SpaceSample | None) -> tuple[int, int]:
    m = MARGIN_PX
    photo = moment.patches[:, :, m:-m, m:-m].float() / 255
    empty = torch.zeros_like(photo)
    if reference is not None:
        gain = torch.from_numpy(moment.gain_bgr / reference.gain_bgr).float()[None, :, None, None]
        empty = (reference.patches[:, :, m:-m, m:-m].float() / 255 * gain).clamp(0.004, 1)
    around = moment.around[:, :, m:-m, m:-m]
    roofs = torch.from_numpy(roofs_around(around[:, 0].numpy(), moment.lean.numpy()))[:, None]
    pixels = torch.cat([photo, empty, around.float() / 255, roofs.float() / 255], dim=1)
    device = next(net.parameters()).device
    logits = net(pixels.to(device), moment.lean.to(device))[0].cpu()
    state = logits[:, :STATES].argmax(1)
    players = torch.full((logits.shape[1] - STATES,), -1e9)
    players[[COLOURS.index(c) for c in moment.image.players]] = 0
    colour = (logits[:, STATES:] + players).argmax(1)
    right = (state == moment.state) & ((state != WAGON) | (colour == moment.colour))
    use = (moment.weight > 0) & (moment.state != COVERED)
    return int((right & use).sum()), int(use.sum())


class _OneOutput(nn.Module):
    """Logits and features of a space side by side."""

    def __init__(self, net: SpaceNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, pixels: Tensor, lean: Tensor) -> Tensor:
        return torch.cat(self.net(pixels, lean), dim=1)


def export(net: SpaceNet, path: Path) -> None:
    """Write the network as ONNX with a free batch size."""
    net.eval()
    pixels = torch.zeros(2, INPUTS, PATCH_PX[1], PATCH_PX[0])
    torch.onnx.export(
        _OneOutput(net).eval(),
        (pixels, torch.zeros(2, 2)),
        str(path),
        input_names=["pixels", "lean"],
        output_names=["told"],
        dynamic_axes={name: {0: "n"} for name in ("pixels", "lean", "told")},
        opset_version=17,
        dynamo=False,
    )


def options_of(description: str | None) -> argparse.ArgumentParser:
    """What a training of this kind is told on the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--shared", type=Path, required=True, help="folder with photos and renders")
    parser.add_argument("--geometry", type=Path, help="<board>/<image>.json of the renders")
    parser.add_argument("--new", type=Path, help="folder of further renders, <board>/labels.json")
    parser.add_argument(
        "--careless", type=Path, help="folder of careless games and games by a lamp, as --new"
    )
    parser.add_argument("--prints", type=Path, help="folder of rendered prints of our own")
    parser.add_argument("--drawn", type=Path, help="folder of boards of our own drawing")
    parser.add_argument(
        "--hold-out", default=",".join(labelled.TEST_STATES), help="photo states for testing"
    )
    parser.add_argument(
        "--leave-out", metavar="BOARD", help="train without this board and test on it alone"
    )
    parser.add_argument(
        "--leave-out-drawn", action="store_true", help="train without any print of its routes"
    )
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--width", type=int, default=28)
    parser.add_argument("--device", default="cpu", help="cuda, where there is one")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    return parser


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    main()
