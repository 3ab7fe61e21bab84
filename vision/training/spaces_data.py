"""Training batches for the space network: patches of photo and reference, varied as tables vary.

A sample is a space of one labelled image beside the same space of an empty image of that board
(another day, another light, or the same camera). Wagons cut out of real photos are pasted onto
empty spaces, half of them onto their own printed colour, and beside spaces, so that the network
cannot learn which routes were claimed in the few real photos there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from scoring.game.colours import COLOURS
from vision.spaces.patches import PX_PER_MM
from vision.training.spaces_donors import donors_of
from vision.training.spaces_moments import EMPTY, WAGON, SpaceSample
from vision.training.spaces_variation import doubt_the_hint, lay_sleeves, vary

SOURCE_SHARES = {"photo": 0.15, "render": 0.45, "print": 0.25, "drawn": 0.15}
"""Part of the samples that each source gives, however many images it has."""

SHARES_WITH_CARELESS = {
    "photo": 0.15, "render": 0.25, "careless": 0.25, "print": 0.2, "drawn": 0.15
}  # fmt: skip
"""The same where careless games are among them."""

RARE_AT_MOST = 2.5
"""A rare colour's wagons are drawn at most so much oftener: white ones are Germany's alone."""


@dataclass(eq=False)
class Batch:
    """Network input and targets; images are float 0..1, channels as in `vision.spaces`."""

    pixels: Tensor  # (B, 11, H, W)
    lean: Tensor  # (B, 2)
    state: Tensor
    colour: Tensor
    weight: Tensor


class Sampler:
    """Draws varied batches from moments; deterministic for a seed."""

    def __init__(self, moments: Sequence[SpaceSample], seed: int, *, paste: bool = True) -> None:
        self.moments = list(moments)
        self.random = np.random.default_rng(seed)
        torch.manual_seed(seed)
        self.share = _shares(self.moments)
        self.chances = _chances(self.moments, self.share)
        self.empties = [m for m in self.moments if m.image.is_empty]
        self.donors = donors_of(self.moments) if paste else None

    def draw(self, size: int) -> Batch:
        """One batch of about `size` samples."""
        per_moment = 16
        parts = [self._from_one(per_moment) for _ in range(size // per_moment)]
        photo, reference, around, lean, state, colour, weight, printed, real = (
            torch.cat(column) for column in zip(*parts, strict=True)
        )
        if self.donors is not None:
            self._paste(photo, state, colour, printed, real)
        lay_sleeves(self.random, photo, state, colour, weight)
        doubt_the_hint(self.random, around)
        pixels, lean = vary(self.random, photo, reference, around, lean, state == WAGON)
        return Batch(pixels, lean, state, colour, weight)

    def _from_one(self, count: int) -> tuple[Tensor, ...]:
        chosen = self.random.choice(len(self.moments), p=self.share)
        moment, chance = self.moments[chosen], self.chances[chosen]
        index = torch.from_numpy(self.random.choice(len(chance), size=count, p=chance))
        photo = moment.patches[index].float() / 255
        reference = self._reference(moment, index)
        real = torch.full((count,), moment.image.source == "photo")
        return (
            photo,
            reference,
            moment.around[index].float() / 255,
            moment.lean[index],
            moment.state[index],
            moment.colour[index],
            moment.weight[index],
            moment.printed[index],
            real,
        )

    def _reference(self, moment: SpaceSample, index: Tensor) -> Tensor:
        """The same spaces of an empty board: mostly of this rig, sometimes another, or none."""
        rig = [m for m in self.empties if m.image.rig == moment.image.rig and m is not moment]
        same_print = [
            m for m in self.empties if m.image.print_id == moment.image.print_id and m is not moment
        ]
        dice = self.random.random()
        choice = rig if rig and dice < 0.55 else same_print
        if dice > 0.78 or not choice:
            return torch.zeros_like(moment.patches[index], dtype=torch.float32)
        other = choice[self.random.integers(len(choice))]
        gain = torch.from_numpy(moment.gain_bgr / other.gain_bgr).float()[None, :, None, None]
        return (other.patches[index].float() / 255 * gain).clamp(0.004, 1)

    def _paste(
        self, photo: Tensor, state: Tensor, colour: Tensor, printed: Tensor, real: Tensor
    ) -> None:
        """Lay wagons of real photos onto real empty spaces, and beside any real space."""
        donors = self.donors
        assert donors is not None
        pixels = photo.numpy()
        for k in torch.nonzero(real).flatten().tolist():
            dice = self.random.random()
            if state[k] == EMPTY and dice < 0.45:
                donor = donors.pick(self.random, int(printed[k]))
                donors.onto(pixels[k], donor, self._shift(1.5, 1.2))
                state[k], colour[k] = WAGON, int(donors.colour[donor])
            elif dice > 0.75:
                side = self.random.choice([-1, 1])
                along, across = self._shift(6.0, 1.0)
                donor = donors.pick(self.random, int(printed[k]))
                offset = (along, across + int(side) * round(10.0 * PX_PER_MM))
                donors.onto(pixels[k], donor, offset, under=int(state[k]) == WAGON)

    def _shift(self, along_mm: float, across_mm: float) -> tuple[int, int]:
        along, across = self.random.normal(0, (along_mm, across_mm)) * PX_PER_MM
        return round(along), round(across)


def _shares(moments: Sequence[SpaceSample]) -> NDArray[np.float64]:
    """How often each moment is drawn: each source its share, empty boards less, oblique
    views more."""
    sizes = np.array([_share(moment) for moment in moments])
    sources = np.array([m.image.source for m in moments])
    shares = SHARES_WITH_CARELESS if "careless" in sources else SOURCE_SHARES
    for source, share in shares.items():
        own = sources == source
        sizes[own] *= share / max(sizes[own].sum(), 1e-9)
    return np.asarray(sizes / sizes.sum())


def _chances(
    moments: Sequence[SpaceSample], shares: NDArray[np.float64]
) -> list[NDArray[np.float64]]:
    """How often each space of each moment is drawn: wagons of colours that are rare among all
    samples come oftener than in their moment."""
    among = np.zeros(len(COLOURS))
    for moment, share in zip(moments, shares, strict=True):
        wagon = moment.colour.numpy() >= 0
        np.add.at(among, moment.colour.numpy()[wagon], share * moment.chance[wagon])
    rarer = (among.max() / np.maximum(among, 1e-9)) ** 0.5
    factors = np.append(np.minimum(rarer, RARE_AT_MOST), 1.0)  # -1: no wagon
    raised = [moment.chance * factors[moment.colour.numpy()] for moment in moments]
    return [chance / chance.sum() for chance in raised]


def _share(moment: SpaceSample) -> float:
    lean_mm = float(moment.lean.norm(dim=1).median())
    kept = 0.35 if moment.image.is_empty else 1.0
    return float(kept * len(moment.patches) ** 0.5 * (0.7 + 0.1 * lean_mm))
