"""Other tables made of a rendered one: claims taken back, other plastic, another lamp and camera.

A scene is a game and its empty board in linear light, each on a white and on a black print (see
`vision/training/lay_prints.py`). Where a claim is taken back, its wagons and their surroundings
come from the empty board. Wagons are painted anew by what their pixels are made of: light from
within, times the plastic, and gloss, which has the lamp's colour (Shafer 1985). A lamp of another
temperature multiplies all of it, as the camera's balance is yet to come. So one scene shows games,
sets, evenings and cameras that it never had, and a network that learns it by heart learns nothing.
"""

import copy
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.images.light import to_linear
from vision.synthetic.light import black_body
from vision.training.render_scene import SHADES
from vision.training.scene_pair import Linear, Pair, px_a_unit, solid_of

TAKEN_BACK, TAKEN_BACK_WEIGHTS = (0.0, 0.15, 0.35, 0.6), (0.2, 0.3, 0.3, 0.2)
"""Which part of the claims is taken back, and how often it is that part."""

PAINTED_SHARE, LAMP_SHARE, OLD_PHONE_SHARE = 0.6, 0.7, 0.5
"""Part of the tables with other plastic, with another lamp, and seen by an old phone."""

SURROUNDINGS_MM = 18.0
"""How far from a wagon its shadow is taken away with it, where no other wagon is nearer."""

HALF_LINE_MM = 9.0
"""How far to both sides of its middle a wagon's line reaches, by which its pixels are known."""

SOLID_BELOW = 0.12
"""Where a print makes less difference than this part of the median, plastic lies on it."""

GLOSS_OF_DIFFUSE, GLOSS_TRUST = 0.05, 0.3
"""What of the light falling on plastic is mirrored, in the mean (index 1.49), and how much that
counts beside a pixel's own three values: white and grey plastic tell no gloss by their colour."""

LIKE_PLASTIC = 0.3
"""At a wagon's rim, the part of a pixel that may be neither plastic nor gloss."""

MOSTLY_ALIKE = 0.9
"""Least part of a colour's pixels that are like its plastic: in 27 of 28 scenes all have 0.96 and
more; in one, by a lamp redder than any candle, two had 0.29 and 0.78."""

HALF_SEEN, UNPAINTED = 0.5, "unpainted"
"""Part of a wagon said to be visible where something over it kept it from being painted: training
counts no space of which so much is seen. By the word beside it readings are not held to its colour,
which nobody plays then."""

Plastic = Mapping[str, tuple[str, NDArray[np.float64]]]
"""For each player's colour the one that it becomes, and its plastic as linear RGB."""


@dataclass(frozen=True, slots=True, eq=False)
class OtherTable:
    """What is otherwise than in the scene.

    `taken_back` are claims, by the renderer's numbers of routes; `plastic` is what
    the players' wagons become. `lamp` (3,) multiplies all light,
    `across` (2, 3) says how it changes from the left to the right edge and from the upper to the
    lower (logarithms of half of it). `camera` numbers how the picture is developed.
    """

    taken_back: frozenset[int]
    plastic: Plastic
    lamp: NDArray[np.float64]
    across: NDArray[np.float64]
    old_phone: bool
    camera: int

    def game(self, game: Pair, empty: Pair, told: Mapping[str, Any]) -> tuple[Pair, dict[str, Any]]:
        """The scene's game at this table, and what is told of it then."""
        if self.taken_back:
            game = without(game, empty, told, self.taken_back)
            told = told_without(told, self.taken_back)
        if self.plastic:
            game = painted(game, told, self.plastic)
            told = told_painted(told, self.plastic)
        return game, self._told(told)

    def empty(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """What is told of the empty board at this table."""
        return self._told(told_painted(told, self.plastic))

    def light(self, height: int, width: int) -> Linear:
        """What all light is multiplied by, (height, width, 3)."""
        x = np.linspace(-1, 1, width)[None, :, None] * self.across[0]
        y = np.linspace(-1, 1, height)[:, None, None] * self.across[1]
        return np.asarray(self.lamp * np.exp(x + y), dtype=np.float32)

    def _told(self, told: Mapping[str, Any]) -> dict[str, Any]:
        lit = (np.array(told["illum"]) * self.lamp).tolist()
        return {**told, "illum": lit, "old_phone": self.old_phone}


def other_table(dice: np.random.Generator, told: Mapping[str, Any]) -> OtherTable:
    """A table by chance, made of a scene of which the renderer tells `told`."""
    share = dice.choice(TAKEN_BACK, p=TAKEN_BACK_WEIGHTS)
    claimed = sorted({s["route"] for s in told["spaces"] if s["label"] not in (None, "none")})
    return OtherTable(
        taken_back=frozenset(route for route in claimed if dice.random() < share),
        plastic=_plastic(dice, told["players"]) if dice.random() < PAINTED_SHARE else {},
        lamp=_lamp(dice, told["illum"]) if dice.random() < LAMP_SHARE else np.ones(3),
        across=_across(dice),
        old_phone=bool(dice.random() < OLD_PHONE_SHARE),
        camera=int(dice.integers(1, 10**9)),
    )


def without(game: Pair, empty: Pair, told: Mapping[str, Any], taken_back: Collection[int]) -> Pair:
    """The game without the wagons of some routes: around them the empty board is seen."""
    stand = [s for s in told["spaces"] if "wagon_center_px" in s]
    whose = _nearest(game.board.shape, stand, _px_a_mm(told))
    gone = game.wagon & np.array([s["route"] in taken_back for s in stand])[whose]
    stays = game.wagon & ~gone
    to_gone, to_others = _distance_px(gone), _distance_px(stays)
    around = (to_gone < to_others) & (to_gone < SURROUNDINGS_MM * _px_a_mm(told))
    soft = cv2.GaussianBlur(around.astype(np.float32), (0, 0), 1.2)
    soft = np.where(gone, np.float32(1), np.where(stays, np.float32(0), soft))[..., None]
    white, black = (
        np.asarray(here * (1 - soft) + there * soft, dtype=np.float32)
        for here, there in ((game.white, empty.white), (game.black, empty.black))
    )
    return Pair(white, black, game.at_print, game.board, stays)


def told_without(told: Mapping[str, Any], taken_back: Collection[int]) -> dict[str, Any]:
    """What the renderer tells, without the claims of some routes."""
    then = copy.deepcopy(dict(told))
    for space in then["spaces"]:
        if space["route"] in taken_back:
            space["label"] = "none" if space["label"] == "none" else None
            for key in ("wagon_center_px", "pose"):
                space.pop(key, None)
    for route in then["routes"]:
        if route["id"] in taken_back:
            route["owner"] = None
    then["claim_order"] = [step for step in told["claim_order"] if step[0] not in taken_back]
    then["oddities"] = [odd for odd in told["oddities"] if odd.get("route") not in taken_back]
    return then


def shows_plastic(pair: Pair, told: Mapping[str, Any], plastic: Plastic) -> bool:
    """Whether the players' wagons look like what they are made of by this lamp. By a very warm one
    blue does not, and would come out brown as orange."""
    solid, lamp = solid_of(pair, pair.by_print, SOLID_BELOW), np.array(told["illum"], np.float32)
    for colour, at in _bare_wagons(pair, told, plastic).items():
        if (at & solid).any():
            old = to_linear(np.array(SHADES[colour]))
            _, alike = _in_plastic(pair.black[at & solid] / lamp, old, old)
            if alike.mean() < MOSTLY_ALIKE:
                return False
    return True


def painted(pair: Pair, told: Mapping[str, Any], plastic: Plastic) -> Pair:
    """The view with the wagons that nothing lies over in other plastic."""
    by_print = pair.by_print
    solid = solid_of(pair, by_print, SOLID_BELOW)
    lamp = np.array(told["illum"], np.float32)
    white, black = pair.white.copy(), pair.black.copy()
    for colour, at in _bare_wagons(pair, told, plastic).items():
        new = plastic[colour][1]
        old = to_linear(np.array(SHADES[colour]))
        anew, alike = _in_plastic(pair.black[at] / lamp, old, new)
        firm = solid[at]
        shown = np.where((firm | alike)[:, None], anew * lamp, pair.black[at])
        within = np.maximum((by_print[at] / lamp) @ old / (old @ old), 0)[:, None]
        thrown = np.where(firm[:, None], (new + GLOSS_OF_DIFFUSE) * within * lamp, by_print[at])
        black[at], white[at] = shown, shown + thrown
    return Pair(white, black, pair.at_print, pair.board, pair.wagon)


def _bare_wagons(
    pair: Pair, told: Mapping[str, Any], colours: Collection[str]
) -> dict[str, NDArray[np.bool_]]:
    """Where each of these colours' wagons are seen that nothing lies over, (H, W) each."""
    stand = [s for s in told["spaces"] if "wagon_center_px" in s and s["label"]]
    if not stand or not colours:
        return {}
    whose = _nearest(pair.board.shape, stand, _px_a_mm(told))
    names = np.array(["" if _covered(s) else s["label"] for s in stand])
    return {colour: pair.wagon & (names == colour)[whose] for colour in colours}


def told_painted(told: Mapping[str, Any], plastic: Plastic) -> dict[str, Any]:
    """What the renderer tells, with the colours that the wagons have then. Only the players are
    left of the set's colours: two of the others could now be called alike."""
    then = copy.deepcopy(dict(told))
    if not plastic:
        return then

    def now(colour: Any) -> Any:
        return plastic[colour][0] if colour in plastic else colour

    for space in then["spaces"]:
        if space["label"] in plastic and _covered(space):
            space["visible_frac"] = min(space["visible_frac"], HALF_SEEN)
            space[UNPAINTED] = True
        space["label"] = now(space["label"])
    for route in then["routes"]:
        route["owner"] = now(route["owner"])
    then["claim_order"] = [[route, now(owner)] for route, owner in told["claim_order"]]
    then["oddities"] = [
        {**odd, "color": now(odd["color"])} if "color" in odd else odd for odd in told["oddities"]
    ]
    then["players"] = then["colours"] = [now(colour) for colour in told["players"]]
    return then


def _in_plastic(
    seen: Linear, old: NDArray[np.float64], new: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Pixels (N, 3) of old plastic, the lamp's colour taken out, as they are of new; and which are
    like plastic at all.

    Least squares of seen = old * within + gloss, with gloss near its usual part of `within`.
    """
    trust = GLOSS_TRUST**2
    a = old @ old + trust * GLOSS_OF_DIFFUSE**2
    b = old.sum() - trust * GLOSS_OF_DIFFUSE
    c = 3 + trust
    by_colour, in_all = seen @ old, seen.sum(axis=1)
    within = (c * by_colour - b * in_all) / (a * c - b * b)
    gloss = (a * in_all - b * by_colour) / (a * c - b * b)
    within, gloss = (
        np.where(gloss <= 0, by_colour / (old @ old), within).clip(0)[:, None],
        np.where(within <= 0, in_all / 3, gloss).clip(0)[:, None],
    )
    left = seen - old * within - gloss
    alike = np.linalg.norm(left, axis=1) < LIKE_PLASTIC * np.linalg.norm(seen, axis=1) + 0.004
    return np.maximum(new * within + gloss + LIKE_PLASTIC * left, 0), alike


def _plastic(dice: np.random.Generator, players: Collection[str]) -> Plastic:
    """Other colours of the players, each another's, in shades of a maker's own. Black plastic
    shows gloss alone, so it stays; one of the others may turn black where nobody is."""
    left = [str(name) for name in dice.permutation([c for c in sorted(SHADES) if c != "black"])]
    turns_black = "" if "black" in players else str(dice.choice([*players, "", ""]))
    plastic = {}
    for player in players:
        if player != "black":
            name = "black" if player == turns_black else left.pop()
            shade = np.array(SHADES[name]) * dice.uniform(0.88, 1.12) + dice.normal(0, 5, 3)
            plastic[player] = name, to_linear(np.trunc(shade.clip(4, 245)))
    return plastic


def _lamp(dice: np.random.Generator, illuminant: Any) -> NDArray[np.float64]:
    """What makes this light, in RGB, that of a black body between candle and noon, nearly."""
    kelvin = dice.uniform(2200, 3400) if dice.random() < 0.5 else dice.uniform(2700, 6500)
    wanted = black_body(kelvin)[::-1] * np.exp(dice.normal(0, 0.03, 3))
    factors = wanted / np.array(illuminant)
    return np.asarray(factors / factors[1])


def _across(dice: np.random.Generator) -> NDArray[np.float64]:
    """Light that falls off to one side, every second time in another tint, (2, 3)."""
    angle, fall = dice.uniform(0, 2 * np.pi), dice.normal(0, 0.18)
    tint = dice.normal(0, 0.05, 3) * (1, 0.3, 1) if dice.random() < 0.5 else np.zeros(3)
    return np.outer([np.cos(angle), np.sin(angle)], fall + tint)


def _covered(space: Mapping[str, Any]) -> bool:
    return bool(space["occluded_by_object"] > 0.02)


def _nearest(
    shape: tuple[int, ...], wagons: Sequence[Mapping[str, Any]], px_a_mm: float
) -> NDArray[np.int64]:
    """Which of the wagons is nearest to each pixel, by the middle lines of their roofs, (H, W)."""
    number = np.full(shape, -1, np.int32)
    for index, wagon in enumerate(wagons):
        along = np.array(wagon["quad_px"], np.float64)
        along_px, across_px = along[1] - along[0], along[3] - along[0]
        turn = -np.radians(wagon["d_rot_deg"])
        way = np.cos(turn) * _unit(along_px) + np.sin(turn) * _unit(across_px)
        half_px = HALF_LINE_MM * px_a_mm * way
        ends = np.array(wagon["wagon_center_px"]) + np.array([-half_px, half_px])
        start, end = ([round(x), round(y)] for x, y in ends.tolist())
        cv2.line(number, start, end, index, 1)
    free = (number < 0).astype(np.uint8)
    _, label = cv2.distanceTransformWithLabels(free, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    of_label = np.zeros(int(label.max()) + 1, np.int64)
    of_label[label[free == 0]] = number[free == 0]
    return of_label[label]


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(vector / np.linalg.norm(vector))


def _distance_px(mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """How far each pixel is from a mask; very far where there is none."""
    if not mask.any():
        return np.full(mask.shape, 1e6, np.float32)
    free = (~mask).astype(np.uint8)
    return np.asarray(cv2.distanceTransform(free, cv2.DIST_L2, 3), dtype=np.float32)


def _px_a_mm(told: Mapping[str, Any]) -> float:
    return px_a_unit(told["outer_corners_px"], told["outer_mm"])
