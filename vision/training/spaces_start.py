"""Go on training from weights that ship: a network out of its ONNX file.

The file has no batch normalisation left: each is folded into the convolution before it. Training
wants it back, so each gets the statistics of what it meets now, and a scale and an offset that
undo them: the network answers as before, and can learn on.
"""

import itertools
from collections.abc import Sequence
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from vision.training.spaces_data import Batch
from vision.training.spaces_net import SpaceNet


def load_weights(net: SpaceNet, path: Path, batches: Sequence[Batch]) -> None:
    """Fill a network from a `.pt` of a training, or from a `.onnx` that was exported from one.

    `batches` give the statistics that the latter lacks. Raises ValueError where the file is of
    another network.
    """
    if path.suffix != ".onnx":
        net.load_state_dict(torch.load(path))
        return
    graph = onnx.load(str(path)).graph
    told = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
    folded = [
        (told[node.input[1]], told[node.input[2]]) for node in graph.node if node.op_type == "Conv"
    ]
    layers = _normalised_convolutions(net)
    if len(folded) != len(layers) + 1:  # the one more has no normalisation: it goes by its name
        raise ValueError(f"{path} holds {len(folded)} convolutions, not {len(layers) + 1}")
    own = {name: told[name] for name, _ in net.named_parameters() if name in told}
    net.load_state_dict(own, strict=False)
    for (convolution, norm), (weight, bias) in zip(layers, folded, strict=False):
        convolution.weight.data.copy_(weight)
        _normalise(norm, torch.zeros_like(bias), torch.ones_like(bias) - norm.eps, bias)
    for (_, norm), (mean, variance), (_, bias) in zip(
        layers, _statistics(net, [norm for _, norm in layers], batches), folded, strict=False
    ):
        _normalise(norm, mean, variance, bias)


def _normalised_convolutions(net: nn.Module) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Each convolution with the normalisation behind it, in the order of the forward pass."""
    modules = [m for m in net.modules() if isinstance(m, nn.Conv2d | nn.BatchNorm2d)]
    return [
        (first, second)
        for first, second in itertools.pairwise(modules)
        if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d)
    ]


@torch.no_grad()
def _normalise(norm: nn.BatchNorm2d, mean: Tensor, variance: Tensor, bias: Tensor) -> None:
    """Set statistics, and scale and offset so that only `bias` is added."""
    assert norm.running_mean is not None
    assert norm.running_var is not None
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.copy_((variance + norm.eps).sqrt())
    norm.bias.copy_(bias + mean)


@torch.no_grad()
def _statistics(
    net: SpaceNet, norms: Sequence[nn.BatchNorm2d], batches: Sequence[Batch]
) -> list[tuple[Tensor, Tensor]]:
    """Mean and variance a channel of what comes into each normalisation."""
    sums = [[torch.zeros_like(norm.bias), torch.zeros_like(norm.bias)] for norm in norms]
    hooks = [
        norm.register_forward_pre_hook(lambda _, x, total=total: _add(total, x[0]))
        for norm, total in zip(norms, sums, strict=True)
    ]
    net.eval()
    for batch in batches:
        net(batch.pixels, batch.lean)
    for hook in hooks:
        hook.remove()
    means = [(first / len(batches), second / len(batches)) for first, second in sums]
    return [(mean, (square - mean**2).clamp_min(1e-4)) for mean, square in means]


def _add(total: list[Tensor], x: Tensor) -> None:
    total[0] += x.mean(dim=(0, 2, 3))
    total[1] += (x**2).mean(dim=(0, 2, 3))
