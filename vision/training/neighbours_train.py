"""Train the network of neighbours on images that the space network was not trained on.

    python -m vision.training.neighbours_train --shared DIR --spaces spaces.pt --out neighbours.onnx

The folders of images are named as for `vision.training.spaces_train`.
"""

import copy
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from scoring.board.board import load_board
from scoring.game.colours import COLOURS
from vision.evaluate import labelled
from vision.spaces.neighbours import FEATURES, NEIGHBOURS, OUTPUTS, RELATION, neighbourhood
from vision.training.from_weights import neighbour_net, space_net
from vision.training.neighbours_net import OWNERS, NeighbourNet
from vision.training.precision import fast_numbers
from vision.training.spaces_data import Sampler, Truth
from vision.training.spaces_donors import with_pasted
from vision.training.spaces_moments import SEEN_ABOVE, SpaceSample
from vision.training.spaces_net import SpaceNet
from vision.training.spaces_train import (
    cosine,
    cut,
    follow,
    for_neighbours,
    options_of,
    space_loss,
    split,
)

MOMENTS = 8
"""Images a step."""

RATE = 1e-3

OTHERS_IN_PLAY = 0.3
"""Part of the colours that nobody plays which a route may have all the same: who plays is not
always known."""


@dataclass(eq=False)
class Told:
    """Some images as the network takes them, and the truth."""

    told: Tensor
    index: Tensor
    relation: Tensor
    routes: Tensor
    truth: Truth
    owner: Tensor  # (R,) nobody, or 1 + the colour
    weight: Tensor  # (R,)
    in_play: Tensor  # (R, OWNERS) bool


def main() -> None:
    parser = options_of(__doc__)
    parser.add_argument(
        "--spaces", type=Path, required=True, help=".pt or .onnx of the space network"
    )
    parser.add_argument(
        "--start", type=Path, help=".pt of a training, or .onnx as it ships, to go on from"
    )
    parser.add_argument(
        "--looks",
        type=int,
        default=0,
        help="vary each image only so many times, beforehand; 0: anew in every step, for a GPU",
    )
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(1)
    labelled.use_renderer(options.shared / "renderer")
    train, test = split(options)
    kept = [image for image in train if image.source == "photo" or for_neighbours(image)]
    print(f"train {len(kept)} images, test {len(test)}", flush=True)
    spaces = space_net(options.spaces, options.width)
    spaces = spaces.to(options.device, memory_format=torch.channels_last).eval()
    sampler = Sampler(with_pasted(cut(kept), options.seed), options.seed, options.device)
    checks = Sampler(cut(test), options.seed + 1, options.device)
    torch.manual_seed(options.seed)
    net = neighbour_net(options.start) if options.start else NeighbourNet()
    net = net.to(options.device)
    seen = [
        [_told(sampler, spaces, moment) for _ in range(options.looks)]
        for moment in range(len(sampler.moments))
    ]
    print(f"{options.looks} looks at {len(seen)} images", flush=True)
    average = _fit(net, spaces, sampler, seen, checks, options.minutes)
    torch.save(average.state_dict(), options.out.with_suffix(".pt"))
    export(average.cpu().eval(), options.out)


def _fit(
    net: NeighbourNet,
    spaces: SpaceNet,
    sampler: Sampler,
    seen: Sequence[Sequence[Told]],
    checks: Sampler,
    minutes: float,
) -> NeighbourNet:
    """Train on looks at the sampler's moments: those seen already, of each, or else new ones."""
    average = copy.deepcopy(net).eval()
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.02)
    random = np.random.default_rng(7)

    def one_look(moment: int) -> Told:
        looks = seen[moment]
        return looks[int(random.integers(len(looks)))] if looks else _told(sampler, spaces, moment)

    begin, step = time.monotonic(), 0
    while (done := (time.monotonic() - begin) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(1, (step + 1) / 200) * cosine(done)
        chosen = random.choice(len(sampler.moments), MOMENTS, p=sampler.share)
        told = _joined([one_look(int(moment)) for moment in chosen])
        net.train()
        of_spaces, of_routes = _losses(net, told)
        optimiser.zero_grad()
        (of_spaces + 0.5 * of_routes).backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        step += 1
        follow(average, net, min(0.999, step / (step + 20)))
        if step % 250 == 0:
            print(f"{done:.2f} step {step}", _checked(average, spaces, checks), flush=True)
    print("final", step, _checked(average, spaces, checks), flush=True)
    return average


@torch.no_grad()
def _checked(net: NeighbourNet, spaces: SpaceNet, checks: Sampler) -> str:
    """Losses a space by the space network and by this one, and a route, and routes right; by
    source, over the images that are not trained on."""
    sums: dict[str, list[float]] = {}
    for k, moment in enumerate(checks.moments):
        told = _told(checks, spaces, k)
        before = space_loss(told.told[:, :OUTPUTS], told.truth)
        after, of_routes = _losses(net, told)
        answer = net(told.told, told.index, told.relation, told.routes)[1]
        right = (answer.masked_fill(~told.in_play, -1e4).argmax(1) == told.owner)[told.weight > 0]
        entry = sums.setdefault(moment.image.path.parent.name, [0.0] * 5)
        for i, value in enumerate((before, after, of_routes, right.float().mean(), 1.0)):
            entry[i] += float(value)
    return " ".join(
        f"{name} " + " ".join(f"{value / row[-1]:.4f}" for value in row[:-1])
        for name, row in sums.items()
    )


def _losses(net: NeighbourNet, told: Told) -> tuple[Tensor, Tensor]:
    logits, routes = net(told.told, told.index, told.relation, told.routes)
    routes = routes.masked_fill(~told.in_play, -1e4)
    lost = functional.cross_entropy(routes, told.owner, reduction="none") * told.weight
    return space_loss(logits, told.truth), lost.sum() / told.weight.sum().clamp_min(1)


@torch.no_grad()
def _told(sampler: Sampler, spaces: SpaceNet, moment: int) -> Told:
    batch = sampler.of_moment(moment)
    with fast_numbers(sampler.dice.device):
        logits, features = spaces(batch.pixels, batch.lean)
    sample, put = sampler.moments[moment], sampler.dice.device
    index, relation, routes = (t.to(put) for t in _board(sample.image.board.id))
    owner, weight = _owners(sample)
    return Told(
        told=torch.cat([logits, features], dim=1).float(),
        index=index,
        relation=relation,
        routes=routes,
        truth=batch.truth,
        owner=owner.to(put),
        weight=weight.to(put),
        in_play=_in_play(sample, sampler).to(put).expand(len(owner), OWNERS),
    )


@cache
def _board(board_id: str) -> tuple[Tensor, Tensor, Tensor]:
    told = neighbourhood(load_board(board_id))
    routes = np.where(told.routes < 0, len(told.index), told.routes)
    return torch.from_numpy(told.index), torch.from_numpy(told.relation), torch.from_numpy(routes)


def _owners(sample: SpaceSample) -> tuple[Tensor, Tensor]:
    """Owner and weight of each route: one whose spaces are mostly hidden, or bear wagons of
    several colours (as where others were pasted onto it), says nothing."""
    image = sample.image
    owners, weights = [], []
    for route, spaces in zip(image.board.routes, image.board.spaces_of.values(), strict=True):
        labels = {label for label in image.labels[spaces] if label not in ("empty", "none")}
        owner = image.owners[route.id]
        owner = labelled.COLOUR_NAMES.get(owner, owner) if owner else None
        seen = float((image.visible[spaces] > SEEN_ABOVE).mean())
        owners.append(0 if owner is None else 1 + COLOURS.index(owner))
        weights.append(float(labels <= {owner} and seen >= 0.5))
    return torch.tensor(owners), torch.tensor(weights)


def _in_play(sample: SpaceSample, sampler: Sampler) -> Tensor:
    """Which owners a route may have: the players of this game, and some others."""
    named = {labelled.COLOUR_NAMES.get(name, name) for name in sample.image.players}
    others = sampler.dice.chosen(OTHERS_IN_PLAY, len(COLOURS)).tolist()
    playing = [colour in named or other for colour, other in zip(COLOURS, others, strict=True)]
    return torch.tensor([True, *playing])


def _joined(parts: Sequence[Told]) -> Told:
    """Several images as one board of separate parts."""
    counts = [len(part.told) for part in parts]
    firsts = np.cumsum([0, *counts[:-1]]).tolist()
    longest = max(part.routes.shape[1] for part in parts)
    routes = []
    for part, first, count in zip(parts, firsts, counts, strict=True):
        rows = functional.pad(part.routes, (0, longest - part.routes.shape[1]), value=count)
        routes.append(torch.where(rows == count, sum(counts), rows + first))
    truths = [part.truth for part in parts]
    return Told(
        told=torch.cat([part.told for part in parts]),
        index=torch.cat([p.index + first for p, first in zip(parts, firsts, strict=True)]),
        relation=torch.cat([part.relation for part in parts]),
        routes=torch.cat(routes),
        truth=Truth(
            state=torch.cat([one.state for one in truths]),
            colour=torch.cat([one.colour for one in truths]),
            weight=torch.cat([one.weight for one in truths]),
        ),
        owner=torch.cat([part.owner for part in parts]),
        weight=torch.cat([part.weight for part in parts]),
        in_play=torch.cat([part.in_play for part in parts]),
    )


class _OneOutput(nn.Module):
    """Both answers in one table, routes after spaces, padded to the same width."""

    def __init__(self, net: NeighbourNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, told: Tensor, index: Tensor, relation: Tensor, routes: Tensor) -> Tensor:
        logits, owners = self.net(told, index, relation, routes)
        return torch.cat([logits, functional.pad(owners, (0, OUTPUTS - OWNERS))])


def export(net: NeighbourNet, path: Path) -> None:
    """Write the network as ONNX for any number of spaces and routes."""
    rows = torch.zeros(5, OUTPUTS + FEATURES)
    index = torch.zeros(5, NEIGHBOURS, dtype=torch.long)
    relation = torch.zeros(5, NEIGHBOURS, RELATION)
    torch.onnx.export(
        _OneOutput(net).eval(),
        (rows, index, relation, torch.tensor([[0, 1], [2, 5]])),
        str(path),
        input_names=["told", "index", "relation", "routes"],
        output_names=["answer"],
        dynamic_axes={
            "told": {0: "n"}, "index": {0: "n"}, "relation": {0: "n"},
            "routes": {0: "r", 1: "longest"}, "answer": {0: "rows"},
        },
        opset_version=17,
        dynamo=False,
    )  # fmt: skip


if __name__ == "__main__":
    np.seterr(all="raise", under="ignore")
    main()
