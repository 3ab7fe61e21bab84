"""Reads the `settings` of a game's document and says which of them a sheet depends on."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from scoring.documents.ticket import read_big_cities
from scoring.fields import FieldReader, nearest
from scoring.game.game import TYPED_TABLES
from scoring.game.rules import ANY_MAP_ID, BIG_CITY_TIES, CARD_GAME_ID, TIE_BREAKS, Settings
from scoring.language.foreign import shown

if TYPE_CHECKING:
    from scoring.game.game import Game


MOST_STATIONS = 20
"""Stations of one player that a table may set."""


def read_settings(value: object, reader: FieldReader) -> Settings:
    """Settings from their JSON object; an unknown name is reported.

    >>> read_settings({"score-track": 50}, FieldReader("game", "settings", [])).score_track
    50
    """
    values: dict[str, Any] = {}
    for name, given in reader.entries(value).items():
        read_one = READERS.get(name)
        if read_one is None:
            meant = nearest(name, READERS)
            known = ", ".join(READERS) if meant is None else meant
            reader.report("setting", value=shown(name), known=known)
        else:
            values[name.replace("-", "_")] = read_one(reader.at(name), given)
    return Settings(**values)


def settings_in_force(game: "Game") -> dict[str, object]:
    """The settings that this game's sheet depends on, by their JSON names.

    >>> from scoring.documents.game import parse_game
    >>> settings_in_force(parse_game({"game": "usa", "players": [{"name": "Ada"}]}))
    {'longest-path-needs-a-route': True, 'tie-breaks': ['tickets', 'longest-path']}
    """
    settings, bonuses = game.settings, game.rules.bonuses
    used: dict[str, object] = {}
    if bonuses.longest_path:
        used["longest-path-needs-a-route"] = settings.longest_path_needs_a_route
    if bonuses.globetrotter:
        used["globetrotter-needs-a-ticket"] = settings.globetrotter_needs_a_ticket
    if bonuses.passengers[0]:
        used["passengers-second-needs-one"] = settings.passengers_second_needs_one
    if game.id == CARD_GAME_ID:
        used["big-cities"] = dict(settings.big_cities)
        used["big-city-tie"] = settings.big_city_tie
    if game.id == ANY_MAP_ID:
        used["wagons-per-player"] = game.rules.pieces
        used["stations-per-player"] = game.rules.stations
        used["station-points"] = bonuses.station
    if settings.fewest_tickets is not None:
        used["fewest-tickets"] = settings.fewest_tickets
    if game.id in TYPED_TABLES:
        used["route-points"] = {str(k): v for k, v in sorted(game.route_points.items())}
    if game.rules.score_track and any(player.marker is not None for player in game.players):
        used["score-track"] = game.score_track
    used["tie-breaks"] = list(game.tie_breaks)
    return used


def _big_city_tie(reader: FieldReader, value: object) -> str:
    return reader.one_of(value, BIG_CITY_TIES) or BIG_CITY_TIES[0]


def _tie_breaks(reader: FieldReader, value: object) -> tuple[str, ...]:
    words = [reader.one_of(item, TIE_BREAKS) for item in reader.items(value)]
    return tuple(dict.fromkeys(word for word in words if word is not None))


def _score_track(reader: FieldReader, value: object) -> int:
    return reader.number(value, low=10)


def _wagons(reader: FieldReader, value: object) -> int:
    return reader.number(value, low=1, high=200)


def _stations(reader: FieldReader, value: object) -> int:
    return reader.number(value, high=MOST_STATIONS)


READERS: Mapping[str, Callable[[FieldReader, object], object]] = MappingProxyType(
    {
        "longest-path-needs-a-route": FieldReader.yes_or_no,
        "globetrotter-needs-a-ticket": FieldReader.yes_or_no,
        "passengers-second-needs-one": FieldReader.yes_or_no,
        "big-city-tie": _big_city_tie,
        "big-cities": read_big_cities,
        "route-points": FieldReader.by_length,
        "tie-breaks": _tie_breaks,
        "score-track": _score_track,
        "wagons-per-player": _wagons,
        "stations-per-player": _stations,
        "station-points": FieldReader.number,
        "fewest-tickets": FieldReader.number,
    }
)
"""Every setting that any game knows; one table may keep a single object for all its games."""
