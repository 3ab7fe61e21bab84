"""Training batches for the space network: patches of photo and reference, varied as tables vary.

A sample is a space of one labelled image beside the same space of an empty image of that board
(another day, another light, or the same camera). Of every real photo there are copies with wagons
cut out of real photos pasted onto its empty spaces, half of them onto their own printed colour, and
beside spaces, so that the network cannot learn which routes were claimed in the few real photos
there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from scoring.game.colours import COLOURS
from vision.training.dice import Dice
from vision.training.spaces_moments import WAGON, SpaceSample
from vision.training.spaces_variation import doubt_the_hint, lay_sleeves, vary

SOURCE_SHARES = {"photo": 0.15, "render": 0.45, "print": 0.25, "drawn": 0.15}
"""Part of the samples that each source gives, however many images it has."""

SHARES_WITH_CARELESS = {
    "photo": 0.12, "render": 0.2, "careless": 0.42, "print": 0.16, "drawn": 0.1
}  # fmt: skip
"""The same where careless games are among them."""

RARE_AT_MOST = 2.5
"""A rare colour's wagons are drawn at most so much oftener: white ones are Germany's alone."""

OF_RIG, BESIDE_EMPTY = 0.55, 0.78
"""Part of the samples beside an empty board of their own rig, where there is one, and part beside
any empty board."""


@dataclass(eq=False)
class Truth:
    """What is so on each of B spaces, and how much it counts."""

    state: Tensor
    colour: Tensor
    weight: Tensor


@dataclass(eq=False)
class Batch:
    """Network input and targets; images are float 0..1, channels as in `vision.spaces`."""

    pixels: Tensor  # (B, 11, H, W)
    lean: Tensor  # (B, 2)
    truth: Truth


class Sampler:
    """Draws varied batches from moments; deterministic for a seed and a device."""

    def __init__(
        self, moments: Sequence[SpaceSample], seed: int, device: torch.device | str = "cpu"
    ) -> None:
        self.dice = Dice(seed, device)
        self.share = _shares(moments)
        put = self.dice.device
        self.patches = torch.cat([m.patches for m in moments]).to(put)
        self.lean = torch.cat([m.lean for m in moments]).to(put)
        self.state = torch.cat([m.state for m in moments]).to(put)
        self.colour = torch.cat([m.colour for m in moments]).to(put)
        self.weight = torch.cat([m.weight for m in moments]).to(put)
        self.gain = torch.from_numpy(np.stack([m.gain_bgr for m in moments])).float().to(put)
        counts = [len(m.patches) for m in moments]
        parts = self.patches.split(counts)  # the same memory, so that it is not needed twice
        self.moments = [replace(m, patches=p) for m, p in zip(moments, parts, strict=True)]
        self.first = torch.tensor(np.cumsum([0, *counts[:-1]])).to(put)
        self.moment = torch.repeat_interleave(
            torch.arange(len(counts)), torch.tensor(counts)
        ).to(put)  # fmt: skip
        self.around, self.printed_at = self._prints()
        self.beside = [self._empties(moments, "rig"), self._empties(moments, "print_id")]
        chances = _chances(moments, self.share)
        by_row = np.concatenate([c * s for c, s in zip(chances, self.share, strict=True)])
        self.until = torch.from_numpy(np.cumsum(by_row / by_row.sum())).to(put)

    def draw(self, size: int) -> Batch:
        """One batch of so many samples."""
        at = self.dice.uniform(0, 1, size).double()
        rows = torch.searchsorted(self.until, at).clamp_max(len(self.until) - 1)
        return self.batch(rows, self._references(rows), together=False)

    def of_moment(self, moment: int) -> Batch:
        """All spaces of one moment, varied together, in board order."""
        count = len(self.moments[moment].patches)
        rows = self.first[moment] + torch.arange(count, device=self.dice.device)
        empty = self._references(rows[:1])
        beside = torch.where(empty < 0, -1, empty + torch.arange(count, device=empty.device))
        return self.batch(rows, beside, together=True)

    def batch(self, rows: Tensor, beside: Tensor, *, together: bool) -> Batch:
        """The samples of these rows beside those of an empty board, or of none where it is -1."""
        photo = self.patches[rows].float() / 255
        reference = self.patches[beside.clamp_min(0)].float() / 255
        gain = self.gain[self.moment[rows]] / self.gain[self.moment[beside.clamp_min(0)]]
        reference = (reference * gain[:, :, None, None]).clamp(0.004, 1)
        reference = reference * (beside >= 0)[:, None, None, None]
        around = self.around[self.printed_at[rows]].float() / 255
        state, colour, weight = (t[rows].clone() for t in (self.state, self.colour, self.weight))
        if not together:
            lay_sleeves(self.dice, photo, state, colour, weight)
        doubt_the_hint(self.dice, around)
        pixels, lean = vary(
            self.dice, photo, reference, around, self.lean[rows], state == WAGON, together=together
        )
        return Batch(pixels, lean, Truth(state, colour, weight))

    def _references(self, rows: Tensor) -> Tensor:
        """The same spaces of an empty board: mostly of this rig, sometimes another, or none."""
        moment, dice = self.moment[rows], self.dice.uniform(0, 1, len(rows))
        (of_rig, rigs), (of_print, prints) = self.beside
        by_rig = of_rig[moment, self.dice.index(rigs[moment])]
        by_print = of_print[moment, self.dice.index(prints[moment])]
        other = torch.where((dice < OF_RIG) & (rigs[moment] > 0), by_rig, by_print)
        place = rows - self.first[moment]
        found = self.first[other.clamp_min(0)] + place
        return torch.where((dice > BESIDE_EMPTY) | (other < 0), -1, found)

    def _empties(self, moments: Sequence[SpaceSample], kind: str) -> tuple[Tensor, Tensor]:
        """For each moment the empty ones that share its rig or print (M, K), and how many."""
        of_kind: dict[str, list[int]] = {}
        for index, moment in enumerate(moments):
            if moment.image.is_empty:
                of_kind.setdefault(getattr(moment.image, kind), []).append(index)
        lists = [
            [other for other in of_kind.get(getattr(m.image, kind), []) if other != index]
            for index, m in enumerate(moments)
        ]
        table = torch.full((len(lists), max(1, *map(len, lists))), -1)
        for index, others in enumerate(lists):
            table[index, : len(others)] = torch.tensor(others, dtype=torch.int64)
        counts = torch.tensor([len(others) for others in lists])
        return table.to(self.dice.device), counts.to(self.dice.device)

    def _prints(self) -> tuple[Tensor, Tensor]:
        """What the board files say is printed around every space of every board, and which of
        these is each sample's."""
        begins: dict[str, int] = {}
        tables: list[Tensor] = []
        at: list[Tensor] = []
        for moment in self.moments:
            if moment.image.board.id not in begins:
                begins[moment.image.board.id] = sum(len(table) for table in tables)
                tables.append(moment.around)
            at.append(begins[moment.image.board.id] + torch.arange(len(moment.patches)))
        return torch.cat(tables).to(self.dice.device), torch.cat(at).to(self.dice.device)


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
