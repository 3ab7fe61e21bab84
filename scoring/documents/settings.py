"""Reads the `settings` of a game's document and says which of them a sheet depends on."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from scoring.documents.fields import Spot, nearest
from scoring.game.game import ANY_MAP_ID, TYPED_TABLES
from scoring.game.rules import BIG_CITIES, TIE_BREAKS
from scoring.game.settings import BIG_CITY_TIES, Settings
from scoring.message import shown

if TYPE_CHECKING:
    from scoring.game.game import Game


MOST_STATIONS = 20
"""Stations of one player that a table may set."""


def read_settings(value: object, spot: Spot) -> Settings:
    """Settings from their JSON object; a name that no game knows is a problem."""
    values: dict[str, Any] = {}
    for name, given in spot.entries(value).items():
        reader = READERS.get(name)
        if reader is None:
            meant = nearest(name, READERS)
            known = ", ".join(READERS) if meant is None else meant
            spot.complain("setting", value=shown(name), known=known)
        else:
            values[name.replace("-", "_")] = reader(spot.at(name), given)
    return Settings(**values)


def settings_in_force(game: "Game") -> dict[str, object]:
    """The settings that this game's sheet depends on, by their JSON names."""
    settings, bonuses = game.settings, game.rules.bonuses
    used: dict[str, object] = {}
    if bonuses.longest_path:
        used["longest-path-needs-a-route"] = settings.longest_path_needs_a_route
    if bonuses.globetrotter:
        used["globetrotter-needs-a-ticket"] = settings.globetrotter_needs_a_ticket
    if bonuses.passengers[0]:
        used["passengers-second-needs-one"] = settings.passengers_second_needs_one
    if game.id == "card-game":
        used["big-cities"] = dict(settings.big_cities)
        used["big-city-tie"] = settings.big_city_tie
    if game.id == ANY_MAP_ID:
        used["wagons-per-player"] = game.rules.pieces
        used["stations-per-player"] = game.rules.stations
        used["station-points"] = bonuses.station
    if settings.fewest_tickets:
        used["fewest-tickets"] = settings.fewest_tickets
    if game.id in TYPED_TABLES:
        used["route-points"] = {str(k): v for k, v in sorted(game.route_points.items())}
    if any(player.marker is not None for player in game.players):
        used["score-track"] = game.score_track
    used["tie-breaks"] = list(game.tie_breaks)
    return used


def _big_city_tie(spot: Spot, value: object) -> str:
    return spot.one_of(value, BIG_CITY_TIES) or BIG_CITY_TIES[0]


def _big_cities(spot: Spot, value: object) -> Mapping[str, int]:
    return spot.counts(value, BIG_CITIES)


def _tie_breaks(spot: Spot, value: object) -> tuple[str, ...]:
    words = [spot.one_of(item, TIE_BREAKS) for item in spot.items(value)]
    return tuple(dict.fromkeys(word for word in words if word is not None))


def _score_track(spot: Spot, value: object) -> int:
    return spot.number(value, low=10)


def _wagons(spot: Spot, value: object) -> int:
    return spot.number(value, low=1, high=200)


def _stations(spot: Spot, value: object) -> int:
    return spot.number(value, high=MOST_STATIONS)


READERS: Mapping[str, Callable[[Spot, object], object]] = MappingProxyType(
    {
        "longest-path-needs-a-route": Spot.yes_or_no,
        "globetrotter-needs-a-ticket": Spot.yes_or_no,
        "passengers-second-needs-one": Spot.yes_or_no,
        "big-city-tie": _big_city_tie,
        "big-cities": _big_cities,
        "route-points": Spot.by_length,
        "tie-breaks": _tie_breaks,
        "score-track": _score_track,
        "wagons-per-player": _wagons,
        "stations-per-player": _stations,
        "station-points": Spot.number,
        "fewest-tickets": Spot.number,
    }
)
"""Every setting that any game knows; one table may keep a single object for all its games."""
