"""The mean of several trainings of the space network: `python -m vision.training.spaces_mean`.

Trainings that went on from the same weights with other samples end near enough to each other that
the mean of their weights reads better than any of them (Wortsman et al. 2022, "Model soups").
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

from vision.training.spaces_net import SpaceNet
from vision.training.spaces_train import export


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trained", type=Path, nargs="+", help=".pt of each training")
    parser.add_argument("--width", type=int, default=20)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    net = SpaceNet(options.width)
    net.load_state_dict(mean_weights([torch.load(path) for path in options.trained]))
    torch.save(net.state_dict(), options.out.with_suffix(".pt"))
    export(net, options.out)


def mean_weights(states: Sequence[Mapping[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of each tensor; whole numbers (counts of batches) are taken from the first."""
    return {
        name: torch.stack([state[name] for state in states]).mean(dim=0)
        if first.is_floating_point()
        else first
        for name, first in states[0].items()
    }


if __name__ == "__main__":
    main()
