"""Random numbers for training, drawn on the device that computes."""

import torch
from torch import Tensor


class Dice:
    """Draws tensors on one device; deterministic for a seed and a device."""

    def __init__(self, seed: int, device: torch.device | str = "cpu") -> None:
        self.device = torch.device(device)
        self.generator = torch.Generator(self.device).manual_seed(seed)

    def uniform(self, low: float, top: float, *shape: int) -> Tensor:
        """Evenly between two numbers."""
        drawn = torch.rand(shape, generator=self.generator, device=self.device)
        return low + (top - low) * drawn

    def normal(self, sigma: float, *shape: int) -> Tensor:
        """About 0, with this standard deviation."""
        return sigma * torch.randn(shape, generator=self.generator, device=self.device)

    def chosen(self, share: float, *shape: int) -> Tensor:
        """True for this share of the places, bool."""
        return self.uniform(0, 1, *shape) < share

    def index(self, below: Tensor) -> Tensor:
        """For each of some counts a whole number from 0 on that is less; 0 where the count is 0."""
        drawn = (self.uniform(0, 1, *below.shape) * below).long()
        return torch.minimum(drawn, (below - 1).clamp_min(0))
