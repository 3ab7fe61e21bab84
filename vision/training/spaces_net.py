"""The space network: is there a wagon on this space, of which colour, or is the space covered?"""

import torch
from torch import Tensor, nn

from vision.spaces.neighbours import FEATURES, OUTPUTS
from vision.spaces.patches import PATCH_PX
from vision.spaces.shown_spaces import INPUTS


class SpaceNet(nn.Module):
    """A small convolutional network over photo, empty board and what the board file tells.

    Input: pixels (B, 11, H, W), float 0..1 (photo BGR, reference BGR or zeros, mask of spaces,
    printed BGR, mask of roofs), and lean (B, 2) in millimetres. Output: logits (B, 3 + colours) and
    features (B, 96).
    """

    def __init__(self, width: int = 28) -> None:
        super().__init__()
        a, b, c = width, 2 * width, 3 * width
        self.stem = _conv(INPUTS, a, 4, 2, 1)
        self.low = nn.Sequential(_conv(a, b, 3, 2, 1), _Block(b), _Block(b))
        self.high = nn.Sequential(_conv(b, c, 3, 2, 1), _Block(c), _Block(c), _Block(c))
        with torch.no_grad():
            shape = self.high(
                self.low(self.stem(torch.zeros(1, INPUTS, PATCH_PX[1], PATCH_PX[0])))
            ).shape
        # One learnt weighting of the patch's area a channel: where to look, without a wide layer.
        self.look = nn.Conv2d(c, 4 * c, shape[2:], groups=c)
        self.describe = nn.Sequential(nn.Linear(4 * c + 2, FEATURES), nn.ReLU(inplace=True))
        self.decide = nn.Sequential(nn.Dropout(0.1), nn.Linear(FEATURES, OUTPUTS))

    def forward(self, pixels: Tensor, lean: Tensor) -> tuple[Tensor, Tensor]:
        seen = self._look(self.high(self.low(self.stem(pixels - 0.45))))
        features: Tensor = self.describe(torch.cat([torch.relu(seen), lean * 0.2], dim=1))
        return self.decide(features), features

    def _look(self, area: Tensor) -> Tensor:
        if not self.training:
            seen: Tensor = self.look(area).flatten(1)
            return seen
        # The same as one product a channel, several times faster to differentiate on a processor.
        weight, bias = self.look.weight.flatten(1), self.look.bias
        assert bias is not None
        weight = weight.view(area.shape[1], -1, weight.shape[1])
        return torch.einsum("bcp,cmp->bcm", area.flatten(2), weight).flatten(1) + bias


def _conv(inputs: int, outputs: int, size: int, stride: int, padding: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, size, stride, padding, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class _Block(nn.Module):
    """Two 3 x 3 convolutions beside an identity (He et al. 2016)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(channels, channels, 3, 1, 1),
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.body(x))
