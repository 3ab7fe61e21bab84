"""What stands on the board at one moment: wagons with their small disorders, and clutter."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from scoring.board.board import Board
from vision.synthetic.border import track_cells
from vision.synthetic.printing import Layout

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Oddities:
    """How likely each disorder is: chances per wagon, per route or per photo as named."""

    missing_per_wagon: float = 0.004
    toppled_per_wagon: float = 0.012
    displaced_per_wagon: float = 0.03
    strays_per_photo: float = 0.5
    track_pieces_per_route: float = 0.08
    markers: bool = True
    meeples_per_city: float = 0.5
    hand_per_photo: float = 0.15
    cards_per_photo: float = 0.4
    dice_per_photo: float = 0.3
    cups_per_photo: float = 0.2
    clutter_beside: bool = True
    heaped_wagons: int = 0
    heap_spread_mm: float = 34.0
    """How many wagons of the players lie on the map in one heap, poured out of their bag, and how
    far about its middle (standard deviation)."""

    @classmethod
    def none(cls) -> "Oddities":
        """A tidy board with nothing on it but neat wagons."""
        return cls(0.0, 0.0, 0.0, 0.0, 0.0, False, 0.0, 0.0, 0.0, 0.0, 0.0, False)


@dataclass(frozen=True, slots=True)
class Piece:
    """One standing thing: `kind` names its shape, `space` the space that a wagon claims (or -1)."""

    kind: str
    colour: str
    x: float
    y: float
    angle_deg: float
    height: float = 0.0
    lying: int = 0
    space: int = -1
    length: float = 0.0


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Everything on the board; `labels` has one entry a space, before anything hides it."""

    pieces: tuple[Piece, ...]
    labels: tuple[str, ...]
    tracks: tuple[str, ...]
    oddities: tuple[str, ...]
    hand_at: tuple[float, float] | None
    cards_at: tuple[tuple[float, float, float], ...]


@dataclass(slots=True)
class _Table:
    """The moment while it is being set."""

    pieces: list[Piece] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    oddities: list[str] = field(default_factory=list)


def arrange(
    rng: np.random.Generator,
    board: Board,
    layout: Layout,
    owners: Mapping[str, str | None],
    oddities: Oddities,
) -> Arrangement:
    """Put wagons on claimed routes, and whatever else lies around."""
    table = _Table(labels=["empty"] * board.space_count)
    tracks = _lay_track_pieces(rng, table, board, layout, owners, oddities)
    _place_wagons(rng, table, board, layout, owners, oddities)
    _place_strays(rng, table, layout, oddities)
    _pour_heap(rng, table, layout, oddities)
    _place_markers(rng, table, board, layout, owners, oddities)
    _place_meeples(rng, table, board, layout, oddities)
    _place_dice_and_cups(rng, table, layout, oddities)
    hand = None
    if rng.uniform() < oddities.hand_per_photo:
        hand = _somewhere(rng, layout, 0.1)
        table.oddities.append("hand")
    cards: tuple[tuple[float, float, float], ...] = ()
    if rng.uniform() < oddities.cards_per_photo:
        x, y = _somewhere(rng, layout, 0.0)
        cards = ((x, y, float(rng.uniform(0.0, 360.0))),)
        table.oddities.append("card")
    return Arrangement(
        tuple(table.pieces), tuple(table.labels), tracks, tuple(table.oddities), hand, cards
    )


def _place_wagons(
    rng: np.random.Generator,
    table: _Table,
    board: Board,
    layout: Layout,
    owners: Mapping[str, str | None],
    oddities: Oddities,
) -> None:
    """Whole routes lie a little off, and each wagon a little more; none stand in each other."""
    first = 0
    taken: list[Floats] = []
    for route in board.routes:
        spaces = range(first, first + len(route.spaces))
        first += len(route.spaces)
        owner = owners.get(route.id)
        if owner is None:
            continue
        habit = rng.normal(0.0, (0.7, 0.9, 1.2))
        for space in spaces:
            if rng.uniform() < oddities.missing_per_wagon:
                table.oddities.append(f"missing {route.id}")
                continue
            _place_wagon(rng, table, layout, oddities, space, owner, habit, taken)
            table.labels[space] = owner


def _place_wagon(
    rng: np.random.Generator,
    table: _Table,
    layout: Layout,
    oddities: Oddities,
    space: int,
    owner: str,
    habit: Floats,
    taken: list[Floats],
) -> None:
    chance = rng.uniform()
    toppled = chance < oddities.toppled_per_wagon
    displaced = not toppled and chance < oddities.toppled_per_wagon + oddities.displaced_per_wagon
    spread = np.array((3.0, 4.5, 16.0) if displaced else (1.2, 1.6, 4.0))
    centre, angle = layout.centres_mm[space], float(layout.angles_deg[space])
    heading = np.radians(angle)
    along = np.array([np.cos(heading), np.sin(heading)])
    across = np.array([-along[1], along[0]])
    best = (np.inf, centre, angle)
    for attempt in range(12):
        move = (habit + rng.normal(0.0, spread)) * 0.85**attempt
        spot = centre + move[0] * along + move[1] * across
        crowding = _crowding(spot, angle + move[2], taken)
        if crowding < best[0]:
            best = (crowding, spot, angle + float(move[2]))
        if crowding == 0:
            break
    _, spot, turned = best
    taken.append(_ends(spot, turned))
    flip = 180.0 * float(rng.integers(2))
    lying = int(rng.choice([-1, 1])) if toppled else 0
    table.pieces.append(
        Piece("wagon", owner, float(spot[0]), float(spot[1]), turned + flip, 0.0, lying, space)
    )
    if toppled or displaced:
        table.oddities.append(f"{'toppled' if toppled else 'displaced'} space {space}")


def _ends(spot: Floats, angle_deg: float) -> Floats:
    """Five points along a wagon's spine; two wagons collide where any two come too near."""
    heading = np.radians(angle_deg)
    steps = np.array([-9.5, -4.75, 0.0, 4.75, 9.5])[:, None]
    return np.asarray(spot + steps * np.array([np.cos(heading), np.sin(heading)]))


def _crowding(spot: Floats, angle_deg: float, taken: list[Floats]) -> float:
    """How deep a wagon would stand in the others, in millimetres; 0 where it is free."""
    x, y = spot.tolist()
    middles = ((spine[2].tolist(), spine) for spine in taken[-40:])
    near = [spine for (u, v), spine in middles if abs(u - x) < 26.0 and abs(v - y) < 26.0]
    if not near:
        return 0.0
    mine = _ends(spot, angle_deg)
    others = np.concatenate(near)
    gaps = np.linalg.norm(mine[:, None] - others[None], axis=-1)
    return float(np.maximum(8.2 - gaps, 0.0).sum())


def _lay_track_pieces(
    rng: np.random.Generator,
    table: _Table,
    board: Board,
    layout: Layout,
    owners: Mapping[str, str | None],
    oddities: Oddities,
) -> tuple[str, ...]:
    """Coloured strips over the spaces of unclaimed routes (France): nobody's, worth nothing."""
    first, laid = 0, []
    for route in board.routes:
        last = first + len(route.spaces)
        straight = last > first and np.ptp(layout.angles_deg[first:last]) < 8.0
        bare = owners.get(route.id) is None and route.colour == "track-bed"
        if bare and straight and rng.uniform() < oddities.track_pieces_per_route:
            ends = layout.centres_mm[[first, last - 1]]
            middle = ends.mean(axis=0) + rng.normal(0.0, 0.8, 2)
            length = float(np.linalg.norm(ends[1] - ends[0])) + board.space_size_mm[0]
            angle = float(layout.angles_deg[first] + rng.normal(0.0, 0.8))
            colour = str(rng.choice(TRACK_COLOURS))
            table.pieces.append(
                Piece("track", colour, float(middle[0]), float(middle[1]), angle, length=length)
            )
            laid.append(route.id)
        first = last
    return tuple(laid)


TRACK_COLOURS: tuple[str, ...] = (
    "red",
    "blue",
    "green",
    "yellow",
    "black",
    "white",
    "orange",
    "pink",
)


def _place_strays(
    rng: np.random.Generator, table: _Table, layout: Layout, oddities: Oddities
) -> None:
    """Wagons lying beside the track, on no space."""
    wagons = [p for p in table.pieces if p.kind == "wagon"]
    if not wagons or rng.uniform() >= oddities.strays_per_photo:
        return
    for _ in range(int(rng.integers(1, 4))):
        like = wagons[int(rng.integers(len(wagons)))]
        spot = np.array([like.x, like.y]) + rng.normal(0.0, 25.0, 2)
        free = np.linalg.norm(layout.centres_mm - spot, axis=1).min() > 13.0
        apart = min(np.hypot(p.x - spot[0], p.y - spot[1]) for p in wagons) > 15.0
        if (
            free
            and apart
            and (spot > 12.0).all()
            and (spot < np.array(layout.outer_mm) - 12.0).all()
        ):
            angle = float(rng.uniform(0.0, 360.0))
            lying = int(rng.choice([0, 0, -1, 1]))
            table.pieces.append(
                Piece("wagon", like.colour, float(spot[0]), float(spot[1]), angle, lying=lying)
            )
            table.oddities.append("stray wagon")


def _pour_heap(rng: np.random.Generator, table: _Table, layout: Layout, oddities: Oddities) -> None:
    """Wagons in a heap, upright or toppled, some on top of others."""
    if oddities.heaped_wagons == 0:
        return
    colours = sorted({piece.colour for piece in table.pieces if piece.kind == "wagon"})
    middle = np.array(_somewhere(rng, layout, 0.25))
    for _ in range(oddities.heaped_wagons):
        x, y = middle + rng.normal(0.0, oddities.heap_spread_mm, 2)
        above = 9.0 * float(rng.uniform() < 0.3)
        colour, angle = str(rng.choice(colours)), float(rng.uniform(0.0, 360.0))
        lying = int(rng.choice([0, -1, 1]))
        table.pieces.append(Piece("wagon", colour, float(x), float(y), angle, above, lying))
    table.oddities.append("heap of wagons")


def _place_markers(
    rng: np.random.Generator,
    table: _Table,
    board: Board,
    layout: Layout,
    owners: Mapping[str, str | None],
    oddities: Oddities,
) -> None:
    """Each player's score marker near the cell of the points of their routes."""
    if not oddities.markers:
        return
    cells = track_cells(layout.outer_mm, layout.border_mm)
    points = dict.fromkeys(board.player_colours, 0)
    for route in board.routes:
        owner = owners.get(route.id)
        if owner is not None:
            points[owner] = points.get(owner, 0) + board.route_points[route.length]
    for colour, scored in points.items():
        spot = cells[scored % len(cells)] + rng.normal(0.0, 3.0, 2)
        table.pieces.append(Piece("marker", colour, float(spot[0]), float(spot[1]), 0.0))


def _place_meeples(
    rng: np.random.Generator, table: _Table, board: Board, layout: Layout, oddities: Oddities
) -> None:
    """Germany's passengers stand on cities."""
    if not board.passengers_in_bag:
        return
    for spot in layout.places_mm.values():
        if rng.uniform() < oddities.meeples_per_city:
            for _ in range(int(rng.integers(1, 4))):
                x, y = np.array(spot) + rng.normal(0.0, 5.5, 2)
                colour = str(rng.choice(["red", "yellow", "blue", "green", "black", "white"]))
                turned = float(rng.uniform(0.0, 360.0))
                table.pieces.append(Piece("meeple", colour, float(x), float(y), turned))


def _place_dice_and_cups(
    rng: np.random.Generator, table: _Table, layout: Layout, oddities: Oddities
) -> None:
    if rng.uniform() < oddities.dice_per_photo:
        x, y = _somewhere(rng, layout, 0.0)
        colour = str(rng.choice(["white", "red", "black"]))
        table.pieces.append(Piece("die", colour, x, y, float(rng.uniform(0.0, 90.0))))
        table.oddities.append("die")
    if rng.uniform() < oddities.cups_per_photo:
        x, y = _somewhere(rng, layout, -0.02)
        x = x if rng.uniform() < 0.5 else float(rng.choice([0.0, layout.outer_mm[0]]))
        colour = str(rng.choice(["white", "blue", "red", "grey", "black"]))
        table.pieces.append(Piece("cup", colour, x, y, 0.0))
        table.oddities.append("cup")


def _somewhere(rng: np.random.Generator, layout: Layout, margin: float) -> tuple[float, float]:
    share = rng.uniform(margin, 1.0 - margin, 2)
    return float(share[0] * layout.outer_mm[0]), float(share[1] * layout.outer_mm[1])
