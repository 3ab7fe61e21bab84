"""The network of neighbours: what each space and each route shows, seen beside those around it."""

import torch
from torch import Tensor, nn
from torch.nn import functional

from scoring.game.colours import COLOURS
from vision.spaces.neighbours import FEATURES, OUTPUTS, RELATION, STATES

WIDTH = 64
ROUNDS = 3

OWNERS = 1 + len(COLOURS)
"""Answers of a route: nobody, then the colours."""


class NeighbourNet(nn.Module):
    """Rounds in which every space hears of its neighbours, by attention (Vaswani et al. 2017).

    Input: what the space network says of N spaces (N, OUTPUTS + FEATURES), `index` and `relation`
    as in `vision.spaces.neighbours.Neighbourhood`, `routes` (R, L) with N in place of -1. Output:
    logits of the spaces (N, OUTPUTS), and of the routes' owners (R, OWNERS).
    """

    def __init__(self) -> None:
        super().__init__()
        self.enter = nn.Linear(OUTPUTS + FEATURES, WIDTH)
        self.rounds = nn.ModuleList(_Round() for _ in range(ROUNDS))
        self.space = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, OUTPUTS))
        self.route = nn.Sequential(
            nn.Linear(2 * WIDTH + OWNERS, WIDTH),
            nn.ReLU(),
            nn.Dropout(0.1),
            nn.Linear(WIDTH, OWNERS),
        )
        nn.init.zeros_(self.space[1].weight)
        nn.init.zeros_(self.space[1].bias)

    def forward(
        self, told: Tensor, index: Tensor, relation: Tensor, routes: Tensor
    ) -> tuple[Tensor, Tensor]:
        state = self.enter(told)
        for one in self.rounds:
            state = one(state, index, relation)
        logits = told[:, :OUTPUTS] + self.space(state)
        return logits, self._routes(logits, state, routes)

    def _routes(self, logits: Tensor, state: Tensor, routes: Tensor) -> Tensor:
        shown = torch.log_softmax(logits[:, :STATES], dim=1)
        named = shown[:, 1:2] + torch.log_softmax(logits[:, STATES:], dim=1)
        owners = torch.cat([shown[:, :1], named], dim=1).clamp_min(-9)
        # A row of zeros stands after the last space, for where a route has no more.
        state, owners = functional.pad(state, (0, 0, 0, 1)), functional.pad(owners, (0, 0, 0, 1))
        there = (routes < logits.shape[0]).float()[:, :, None]
        count = there.sum(dim=1)
        of_route = state[routes] * there
        most = (state[routes] - 1e4 * (1 - there)).amax(dim=1)
        mean = (owners[routes] * there).sum(dim=1) / count
        answer: Tensor = mean + self.route(torch.cat([of_route.sum(dim=1) / count, most, mean], 1))
        return answer


class _Round(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(WIDTH)
        self.own = nn.Linear(WIDTH, WIDTH)
        self.other = nn.Linear(WIDTH, WIDTH)
        self.how = nn.Sequential(nn.Linear(RELATION, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH))
        self.heed = nn.Linear(WIDTH, 4)
        self.say = nn.Linear(WIDTH, WIDTH)
        self.mix = nn.Sequential(
            nn.Linear(2 * WIDTH, 2 * WIDTH), nn.ReLU(), nn.Dropout(0.1), nn.Linear(2 * WIDTH, WIDTH)
        )

    def forward(self, state: Tensor, index: Tensor, relation: Tensor) -> Tensor:
        seen = self.norm(state)
        heard = torch.relu(self.own(seen)[:, None] + self.other(seen)[index] + self.how(relation))
        part = torch.softmax(self.heed(heard), dim=1)  # (N, K, 4): four that listen
        said = self.say(heard).unflatten(2, (4, WIDTH // 4))
        summed = (part[..., None] * said).sum(dim=1).flatten(1)
        mixed: Tensor = state + self.mix(torch.cat([seen, summed], dim=1))
        return mixed
