"""Checks a board's JSON document (format 1) and reports every problem that it has at once.

The format is described in `docs/boards.md`. The check works on the document, before anything is
built from it, so that one run names all that must be mended.
"""

from collections.abc import Mapping

from scoring.board.edition import Bases, edition_problems, whole_document
from scoring.board.map_format import check_map
from scoring.board.shipped import shipped_document
from scoring.documents.fields import Spot
from scoring.game.colours import COLOURS
from scoring.game.rules import TIE_BREAKS
from scoring.message import Message, shown

FORMAT = 1
"""Version of the board file format that this program reads and writes."""

KEYS: tuple[str, ...] = (
    "format",
    "id",
    "title",
    "edition",
    "version",
    "frame",
    "players",
    "player_colours",
    "wagons_per_player",
    "doubles_open_from",
    "route_points",
    "bonuses",
    "tie_breaks",
    "score_track",
    "space_size_mm",
    "places",
    "routes",
    "prints",
    "tickets",
    "crossings",
    "passengers_in_bag",
    "unverified",
    "stations",
    "hand_bonuses",
    "edition_of",
)
REQUIRED: tuple[str, ...] = (
    "id",
    "title",
    "version",
    "players",
    "player_colours",
    "wagons_per_player",
    "route_points",
    "places",
    "routes",
    "tickets",
)
REFERENCES: tuple[str, ...] = ("outer", "art")
BONUSES: tuple[str, ...] = ("longest-path", "globetrotter", "passengers", "flag", "station")

MOST_STATIONS = 3
"""Of one player on a map: the best routes to borrow are found by trying all of them."""

LARGEST_MM = 2_000
"""No board on a table is longer; the space that one is straightened in grows with its square."""

Entries = Mapping[str, object]


def document_problems(data: object, bases: Bases = shipped_document) -> list[Message]:
    """Every breach of the format and of what all boards keep; none for a good board.

    An edition is checked by itself and then as the whole board that it makes.
    """
    problems: list[Message] = []
    spot = Spot("board", "document", problems)
    if isinstance(data, dict) and "edition_of" in data and data.get("format") == FORMAT:
        problems += edition_problems(data, bases)
        data = whole_document(data, bases)
        if data is None:
            return problems
    entries = spot.entries(data)
    if not isinstance(data, dict):
        return problems
    if entries.get("format") != FORMAT:
        spot.at("format").complain("format", value=shown(entries.get("format")), known=FORMAT)
        return problems
    spot.known_keys(entries, KEYS)
    missing = [key for key in REQUIRED if key not in entries]
    for key in missing:
        spot.at(key).complain("missing")
    if not missing:
        _header(entries, spot)
        _figures(entries, spot)
        check_map(entries, spot)
    return problems


def _header(entries: Entries, spot: Spot) -> None:
    spot.at("id").slug(entries["id"])
    for key in ("title", "edition"):
        if entries.get(key, "") != "" or key == "title":
            spot.at(key).word(entries[key])
    spot.at("version").number(entries["version"], low=1)
    if "frame" in entries:
        frame = spot.at("frame").entries(entries["frame"])
        spot.at("frame.reference").one_of(frame.get("reference"), REFERENCES)
        _size(frame.get("size_mm"), spot.at("frame.size_mm"))
    if "space_size_mm" in entries:
        _size(entries["space_size_mm"], spot.at("space_size_mm"))
    for number, note in enumerate(spot.at("unverified").items(entries.get("unverified", [])), 1):
        spot.at("unverified").inside(number).word(note)


def _size(value: object, spot: Spot) -> None:
    sizes = spot.items(value)
    if isinstance(value, list) and len(sizes) != 2:
        spot.complain("pair", value=shown(value))
    for number in sizes:
        spot.real(number, low=0.1, high=LARGEST_MM)


def _figures(entries: Entries, spot: Spot) -> None:
    """Figures of the rules: players, pieces, points, bonuses."""
    _players(entries, spot)
    spot.at("wagons_per_player").number(entries["wagons_per_player"], low=1)
    spot.at("doubles_open_from").number(entries.get("doubles_open_from", 4), low=1, high=10)
    spot.at("score_track").number(entries.get("score_track", 100), low=10)
    spot.at("route_points").by_length(entries["route_points"])
    for word in spot.at("tie_breaks").items(entries.get("tie_breaks", [])):
        spot.at("tie_breaks").one_of(word, TIE_BREAKS)
    spot.at("passengers_in_bag").counts(entries.get("passengers_in_bag", {}), COLOURS)
    spot.at("stations").number(entries.get("stations", 0), high=MOST_STATIONS)
    names = spot.at("hand_bonuses").items(entries.get("hand_bonuses", []))
    for number, name in enumerate(names, start=1):
        spot.at("hand_bonuses").inside(number).word(name)
    spot.at("hand_bonuses").unique(names)
    _bonuses(entries.get("bonuses", {}), spot.at("bonuses"))


def _players(entries: Entries, spot: Spot) -> None:
    colours = spot.at("player_colours").items(entries["player_colours"])
    for colour in colours:
        spot.at("player_colours").one_of(colour, COLOURS)
    spot.at("player_colours").unique(colours)
    counts = spot.at("players").items(entries["players"])
    if len(counts) != 2:
        spot.at("players").complain("pair", value=shown(entries["players"]))
        return
    low = spot.at("players").number(counts[0], low=1, high=10)
    high = spot.at("players").number(counts[1], low=low, high=10)
    if high > len(colours):
        spot.at("player_colours").complain("few_colours", count=len(colours), players=high)


def _bonuses(value: object, spot: Spot) -> None:
    for name, points in spot.entries(value).items():
        inner = spot.inside(name)
        if name == "passengers":
            pair = inner.items(points)
            if len(pair) != 2:
                inner.complain("pair", value=shown(points))
            for number in pair:
                inner.number(number)
        elif spot.one_of(name, BONUSES):
            inner.number(points)
