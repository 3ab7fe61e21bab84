"""Reads a player's stations and the bonuses that the table gives by name."""

from collections.abc import Mapping
from types import MappingProxyType

from scoring.board.board import Board
from scoring.board.spellings import place_meant, places_by_spelling
from scoring.fields import FieldReader, nearest
from scoring.language.foreign import shown

Entries = Mapping[str, object]

MOST_HAND_POINTS = 500
"""Of one bonus that is typed by its name; it may also be taken away."""


def station_cities(
    entries: Entries, reader: FieldReader, board: Board | None, most: int
) -> tuple[str, ...]:
    """Cities where a player's stations stand, in any spelling; none where counts are typed.

    `stations` is a list of cities on a map, or the number of stations left where none was built
    or no map is known.

    >>> from scoring.board.board import load_board
    >>> reader = FieldReader("Ada", "stations", [])
    >>> station_cities({"stations": ["NY", "miami"]}, reader, load_board("usa"), 3)
    ('new-york', 'miami')
    """
    value = entries.get("stations")
    if board is None or not most or not isinstance(value, list):
        return ()
    if len(value) > most:
        reader.report("many_stations", count=len(value), most=most)
    names = places_by_spelling(board)
    read = [_city(item, reader, board, names) for item in value[:most]]
    reader.unique(read)
    return tuple(dict.fromkeys(city for city in read if city is not None))


def _city(value: object, reader: FieldReader, board: Board, names: Mapping[str, str]) -> str | None:
    word = reader.word(value)
    if word is None:
        return None
    city = word if word in board.place_by_id else place_meant(names, word)
    if city is None:
        meant = nearest(word, [place.name for place in board.places])
        kind = "place_unknown" if meant is None else "place_misspelt"
        reader.report(kind, place=shown(word), game=board.name, meant=meant)
    elif board.place_by_id[city].is_country:
        reader.report("station_country", place=board.place_by_id[city].name)
        return None
    return city


def stations_left(
    entries: Entries, reader: FieldReader, board: Board | None, most: int
) -> int | None:
    """Stations that were never built; None where the game has none or a count was not typed.

    >>> stations_left({"stations": 2}, FieldReader("Ada", "stations", []), None, 3)
    2
    """
    if not most:
        return None
    value = entries.get("stations")
    if "stations" not in entries:
        return None if board is None else most
    if isinstance(value, list) and board is not None:
        return max(0, most - len(value))
    return reader.number(value, high=most)


def read_bonuses(entries: Entries, reader: FieldReader, board: Board | None) -> Mapping[str, int]:
    """Points by the bonus's name; a taught board says which names there are.

    >>> entries = {"bonuses": {"mandala": -3}}
    >>> dict(read_bonuses(entries, FieldReader("Ada", "bonuses", []), None))
    {'mandala': -3}
    """
    read: dict[str, int] = {}
    if board is not None and not board.hand_bonuses:
        return MappingProxyType(read)  # complained of as a field that this game does not score
    for name, points in reader.entries(entries.get("bonuses", {})).items():
        word = reader.word(name)
        if word is None:
            continue
        if board is not None and word not in board.hand_bonuses:
            reader.none_of(name, board.hand_bonuses)
        else:
            inner = reader.inside(word)
            read[word] = inner.number(points, low=-MOST_HAND_POINTS, high=MOST_HAND_POINTS)
    return MappingProxyType(read)
