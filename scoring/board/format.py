"""Checks a board's JSON document (format 1) and reports every problem that it has at once.

The format is described in `docs/boards.md`. The check works on the document, before anything is
built from it, so that one run names everything that has to be corrected.
"""

from collections.abc import Mapping
from typing import Any

from scoring.board.edition import Bases, edition_problems, whole_document
from scoring.board.map_format import check_map
from scoring.board.shipped import shipped_document
from scoring.fields import FieldReader
from scoring.game.colours import COLOURS
from scoring.game.rules import GAMES_WITHOUT_A_MAP, TIE_BREAKS
from scoring.language import Message
from scoring.language.foreign import shown

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
    "fewest_tickets",
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
MAP: tuple[str, ...] = ("places", "routes", "edition_of")
"""A file without any of these is one of another kind."""

REFERENCES: tuple[str, ...] = ("outer", "art")
BONUSES: tuple[str, ...] = ("longest-path", "globetrotter", "passengers", "flag", "station")

MOST_STATIONS = 3
MOST_FEWEST_TICKETS = 10
"""Of one player on a map: the best routes to borrow are found by trying all of them."""

LARGEST_MM = 2_000
"""No board on a table is longer; the space that one is straightened in grows with its square."""

LONGEST_NOTE = 1_000
"""Characters of a sentence about what nobody has checked."""

Entries = Mapping[str, object]


def is_newer(document: Mapping[str, Any]) -> bool:
    """Whether a board's document says that a later version of the program wrote it.

    >>> is_newer({"format": 2}), is_newer({"format": 1}), is_newer({"format": "2"})
    (True, False, False)
    """
    said = document.get("format")
    return isinstance(said, int) and said > FORMAT


def document_problems(data: object, bases: Bases = shipped_document) -> list[Message]:
    """Every breach of the format and of what holds for every board; none for a good board.

    An edition is checked by itself and then as the whole board that it makes.

    >>> [problem.text() for problem in document_problems([])]
    ['board: document: must be an object, not […]']
    """
    problems: list[Message] = []
    reader = FieldReader("board", "document", problems)
    if isinstance(data, dict) and "edition_of" in data and data.get("format") == FORMAT:
        problems += edition_problems(data, bases)
        data = whole_document(data, bases)
        if data is None:
            return problems
    entries = reader.entries(data)
    if not isinstance(data, dict):
        return problems
    if not is_newer(data) and entries.keys().isdisjoint(MAP):
        reader.report("no_board")
        return problems
    if entries.get("format") != FORMAT:
        reader.at("format").report("format", value=shown(entries.get("format")), known=FORMAT)
        return problems
    reader.known_keys(entries, KEYS)
    missing = [key for key in REQUIRED if key not in entries]
    for key in missing:
        reader.at(key).report("missing")
    if not missing:
        _header(entries, reader)
        _figures(entries, reader)
        check_map(entries, reader)
    return problems


def _header(entries: Entries, reader: FieldReader) -> None:
    name = reader.at("id").slug(entries["id"])
    if name in GAMES_WITHOUT_A_MAP:
        reader.at("id").report("id_taken", value=shown(name))
    for key in ("title", "edition"):
        if entries.get(key, "") != "" or key == "title":
            reader.at(key).word(entries[key])
    reader.at("version").number(entries["version"], low=1)
    if "frame" in entries:
        frame = reader.at("frame").entries(entries["frame"])
        reader.at("frame.reference").one_of(frame.get("reference"), REFERENCES)
        _size(frame.get("size_mm"), reader.at("frame.size_mm"))
    if "space_size_mm" in entries:
        _size(entries["space_size_mm"], reader.at("space_size_mm"))
    for number, note in enumerate(reader.at("unverified").items(entries.get("unverified", [])), 1):
        reader.at("unverified").inside(number).word(note, LONGEST_NOTE)


def _size(value: object, reader: FieldReader) -> None:
    sizes = reader.items(value)
    if isinstance(value, list) and len(sizes) != 2:
        reader.report("pair", value=shown(value))
    for number in sizes:
        reader.real(number, low=0.1, high=LARGEST_MM)


def _figures(entries: Entries, reader: FieldReader) -> None:
    """Figures of the rules: players, pieces, points, bonuses."""
    _players(entries, reader)
    reader.at("wagons_per_player").number(entries["wagons_per_player"], low=1)
    reader.at("doubles_open_from").number(entries.get("doubles_open_from", 4), low=1, high=10)
    reader.at("score_track").number(entries.get("score_track", 100), low=10)
    reader.at("route_points").by_length(entries["route_points"])
    for word in reader.at("tie_breaks").items(entries.get("tie_breaks", [])):
        reader.at("tie_breaks").one_of(word, TIE_BREAKS)
    reader.at("passengers_in_bag").counts(entries.get("passengers_in_bag", {}), COLOURS)
    reader.at("fewest_tickets").number(entries.get("fewest_tickets", 0), high=MOST_FEWEST_TICKETS)
    reader.at("stations").number(entries.get("stations", 0), high=MOST_STATIONS)
    names = reader.at("hand_bonuses").items(entries.get("hand_bonuses", []))
    for number, name in enumerate(names, start=1):
        reader.at("hand_bonuses").inside(number).word(name)
    reader.at("hand_bonuses").unique(names)
    _bonuses(entries.get("bonuses", {}), reader.at("bonuses"))


def _players(entries: Entries, reader: FieldReader) -> None:
    colours = reader.at("player_colours").items(entries["player_colours"])
    for colour in colours:
        reader.at("player_colours").one_of(colour, COLOURS)
    reader.at("player_colours").unique(colours)
    counts = reader.at("players").items(entries["players"])
    if len(counts) != 2:
        reader.at("players").report("pair", value=shown(entries["players"]))
        return
    low = reader.at("players").number(counts[0], low=1, high=10)
    high = reader.at("players").number(counts[1], low=low, high=10)
    if high > len(colours):
        reader.at("player_colours").report("few_colours", count=len(colours), players=high)


def _bonuses(value: object, reader: FieldReader) -> None:
    for name, points in reader.entries(value).items():
        inner = reader.inside(name)
        if name == "passengers":
            pair = inner.items(points)
            if len(pair) != 2:
                inner.report("pair", value=shown(points))
            for number in pair:
                inner.number(number)
        elif reader.one_of(name, BONUSES):
            inner.number(points)
