"""Layers that several of the networks are made of."""

from torch import Tensor, nn


def block(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """A convolution of 3 x 3 cells, brought to one scale, without what is negative."""
    convolution = nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation, bias=False)
    return nn.Sequential(convolution, nn.BatchNorm2d(outputs), nn.ReLU())


def doubled(features: Tensor) -> Tensor:
    """Features of shape (B, C, H, W) at twice the height and width, each cell four times."""
    return nn.functional.interpolate(features, scale_factor=2.0, mode="nearest")
