"""Networks as they ship, to be trained on: what `vision/weights` holds, as PyTorch has it.

The file of the space network has whole numbers inside, and its normalisations are worked into its
convolutions. What comes back says the same to within these whole numbers' precision.
"""

from collections.abc import Iterator
from pathlib import Path

import onnx
import torch
from onnx import ModelProto, NodeProto, numpy_helper
from torch import Tensor, nn

from vision.training.neighbours_net import NeighbourNet
from vision.training.spaces_net import SpaceNet


def space_net(path: Path, width: int) -> SpaceNet:
    """The space network of a .pt file, or of an .onnx file as it ships; ValueError for another
    network's."""
    net = SpaceNet(width)
    if path.suffix != ".onnx":
        net.load_state_dict(torch.load(path, map_location="cpu"))
        return net
    model = onnx.load(path)
    given = _given(model)
    pairs = list(_with_normalisation(net))
    nodes = [node for node in model.graph.node if node.op_type == "Conv"]
    if len(nodes) != len(pairs):
        raise ValueError(f"{path.name} has {len(nodes)} convolutions, not {len(pairs)}")
    with torch.no_grad():
        for node, (convolution, norm) in zip(nodes, pairs, strict=True):
            weight, offset = (given[name] for name in node.input[1:3])
            convolution.weight.copy_(weight)
            if norm is None:
                assert convolution.bias is not None
                convolution.bias.copy_(offset)
            else:  # as if what it normalises had mean 0 and variance 1
                norm.weight.fill_((1 + norm.eps) ** 0.5)
                norm.bias.copy_(offset)
        for name in ("describe.0", "decide.1"):
            layer = net.get_submodule(name)
            assert isinstance(layer, nn.Linear)
            layer.weight.copy_(given[f"net.{name}.weight"])
            layer.bias.copy_(given[f"net.{name}.bias"])
    return net


@torch.no_grad()
def find_statistics(net: SpaceNet, pixels: Tensor, lean: Tensor) -> None:
    """Give each normalisation the mean and variance that these samples have, and what follows it
    the scale and offset that leave every answer as it is."""

    def measure(norm: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        assert norm.running_mean is not None
        assert norm.running_var is not None
        scale = norm.weight / (norm.running_var + norm.eps).sqrt()
        offset = norm.bias - norm.running_mean * scale
        mean, variance = inputs[0].mean(dim=(0, 2, 3)), inputs[0].var(dim=(0, 2, 3))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_(scale * (variance + norm.eps).sqrt())
        norm.bias.copy_(offset + mean * scale)

    norms = [one for one in net.modules() if isinstance(one, nn.BatchNorm2d)]
    hooks = [one.register_forward_pre_hook(measure) for one in norms]
    net.eval()(pixels, lean)
    for hook in hooks:
        hook.remove()


def neighbour_net(path: Path) -> NeighbourNet:
    """The network of neighbours of a .pt file, or of an .onnx file as it ships."""
    net = NeighbourNet()
    if path.suffix != ".onnx":
        net.load_state_dict(torch.load(path, map_location="cpu"))
        return net
    model = onnx.load(path)
    given = _given(model)
    state = {name: given.get(f"net.{name}") for name in net.state_dict()}
    # Weights of products with more than two dimensions lie there turned, without a name of theirs.
    turned = (
        given[node.input[1]].T
        for node in model.graph.node
        if node.op_type == "MatMul" and node.input[1] in given
    )
    net.load_state_dict(
        {name: next(turned) if value is None else value for name, value in state.items()}
    )
    return net


def _with_normalisation(net: SpaceNet) -> Iterator[tuple[nn.Conv2d, nn.BatchNorm2d | None]]:
    """Its convolutions in the order of their work, each with the normalisation behind it."""
    layers = [one for one in net.modules() if isinstance(one, (nn.Conv2d, nn.BatchNorm2d))]
    for layer, following in zip(layers, [*layers[1:], None], strict=True):
        if isinstance(layer, nn.Conv2d):
            yield layer, following if isinstance(following, nn.BatchNorm2d) else None


def _given(model: ModelProto) -> dict[str, Tensor]:
    """A model's numbers by name, whole numbers as what they stand for."""
    given = {
        one.name: torch.from_numpy(numpy_helper.to_array(one).copy())
        for one in model.graph.initializer
    }
    for node in model.graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in given:
            given[node.output[0]] = _meant(node, given)
    return given


def _meant(node: NodeProto, given: dict[str, Tensor]) -> Tensor:
    numbers, scale, zero = (given[name] for name in node.input)
    rows = (-1, *[1] * (numbers.dim() - 1))
    return (numbers.float() - zero.float().view(rows)) * scale.view(rows)
