"""The usual way to read a board cell by cell, for comparison: ResNet-18 over every space.

Made in memory with random weights, which cost the same time as trained ones.
"""

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

SIDE_PX = 224
"""Side of the picture that the network is made for."""

STAGES = ((64, 1), (128, 2), (256, 2), (512, 2))
"""Channels and first stride of the four stages, two blocks of two convolutions each (He 2015)."""


class _Graph:
    """Nodes and weights of a network being put together."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self._random = np.random.default_rng(18)

    def add(self, kind: str, inputs: list[str], **attributes: object) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def weight(self, *shape: int) -> str:
        name = f"w{len(self.weights)}"
        spread = np.sqrt(2 / np.prod(shape[1:])) if len(shape) > 1 else 0.0
        values: NDArray[np.float32] = self._random.normal(0, spread, shape).astype(np.float32)
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def convolve(self, x: str, inputs: int, outputs: int, side: int, stride: int) -> str:
        """A convolution with its batch normalisation folded in, as one would deploy it."""
        weights = [x, self.weight(outputs, inputs, side, side), self.weight(outputs)]
        return self.add("Conv", weights, strides=[stride] * 2, pads=[side // 2] * 4)

    def block(self, x: str, inputs: int, outputs: int, stride: int) -> str:
        """Two convolutions and the way past them."""
        y = self.add("Relu", [self.convolve(x, inputs, outputs, 3, stride)])
        y = self.convolve(y, outputs, outputs, 3, 1)
        past = x if inputs == outputs else self.convolve(x, inputs, outputs, 1, stride)
        return self.add("Relu", [self.add("Add", [y, past])])


def resnet18() -> bytes:
    """ResNet-18 with a free batch size, input "pixels" of shape (N, 3, 224, 224), as ONNX."""
    graph = _Graph()
    x = graph.add("Relu", [graph.convolve("pixels", 3, 64, 7, 2)])
    x = graph.add("MaxPool", [x], kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    channels = 64
    for outputs, stride in STAGES:
        x = graph.block(x, channels, outputs, stride)
        x = graph.block(x, outputs, outputs, 1)
        channels = outputs
    x = graph.add("Flatten", [graph.add("GlobalAveragePool", [x])])
    x = graph.add("Gemm", [x, graph.weight(1000, channels), graph.weight(1000)], transB=1)
    pixels = helper.make_tensor_value_info("pixels", TensorProto.FLOAT, ["n", 3, SIDE_PX, SIDE_PX])
    out = helper.make_tensor_value_info(x, TensorProto.FLOAT, ["n", 1000])
    whole = helper.make_graph(graph.nodes, "resnet18", [pixels], [out], graph.weights)
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    return bytes(model.SerializeToString())
