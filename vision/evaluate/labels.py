"""What is true of labelled images: reads a labels.json and says everything that is wrong with it.

It holds one entry an image, or `board` and `photos` with the entries where all show one board.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scoring.board.board import Board, Route, load_board
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.fields import FieldReader, nearest
from scoring.game.colours import COLOURS
from scoring.language import Message
from scoring.language.foreign import shown
from scoring.printable import REPLACEMENT
from vision.errors import VisionError
from vision.reading import EMPTY, OCCLUDED

LABELS = "labels.json"

ROUTE_KEYS = ("owner", "spaces", "hidden_spaces", "ambiguous_spaces")
"""What is read of a route's entry."""

FARTHEST_PX = 100_000
"""No corner lies farther from an image's own: that is twice the longest side of any photo."""

MOST_TOLD = 3
"""Problems of one file that are told at once; the line would become too long to read."""


class EvaluationError(VisionError, ValueError):
    """What is to be evaluated was read but can't be used."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """One image with what is true of it."""

    path: Path
    board: Board
    state: str
    rig: str
    condition: str
    players: tuple[str, ...]
    corners_px: tuple[tuple[float, float], ...]
    routes: Mapping[str, Any]

    @property
    def is_empty(self) -> bool:
        return not any(entry.get("owner") for entry in self.routes.values())

    def owner(self, route_id: str) -> str | None:
        owner = self.routes.get(route_id, {}).get("owner")
        return None if owner is None else str(owner)

    def space_label(self, route_id: str, index: int) -> str | None:
        """What is on a space; None where the labels themselves are in doubt."""
        entry = self.routes.get(route_id, {})
        if index in entry.get("ambiguous_spaces", ()):
            return None
        if index in entry.get("hidden_spaces", ()):
            return OCCLUDED
        spaces = entry.get("spaces")
        return str(spaces[index]) if spaces else entry.get("owner") or EMPTY

    def labels_of(self, route_id: str) -> set[str | None]:
        """What is on any of a route's spaces, as `space_label` says it."""
        length = self.board.route_by_id[route_id].length
        return {self.space_label(route_id, k) for k in range(length)}


def load_labels(folder: Path) -> list[Labelled]:
    """All images of a folder's labels.json; whether the images are there is not asked.

    Raises FileNotFoundError without one, OSError where it can't be read, EvaluationError with what
    is wrong where it can't be used.
    """
    path = folder / LABELS
    problems: list[Message] = []
    images = _images(_parsed(path, problems), folder, FieldReader(LABELS, "document", problems))
    if problems:
        raise EvaluationError("vision.evaluate.labels", path=path, problems=_first(problems))
    return images


def _first(problems: Sequence[Message]) -> tuple[Message | str, ...]:
    """The first problems of a file; an ellipsis where there are more."""
    return (*problems[:MOST_TOLD], *(["…"] if len(problems) > MOST_TOLD else []))


def _parsed(path: Path, problems: list[Message]) -> object:
    try:
        return json.loads(path.read_bytes().decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        problems.append(Message("scoring.problem.no_json", file=LABELS, error=error))
        return {}


def _images(document: object, folder: Path, reader: FieldReader) -> list[Labelled]:
    entries, board = reader.entries(document), None
    if isinstance(entries.get("board"), str) or "photos" in entries:
        board = entries.get("board")
        entries = _needed_entries(entries, "photos", reader)
    images = []
    for name, entry in entries.items():
        if reader.at("name of an image").word(name) is None:
            continue
        image = _labelled(folder / name, entry, board, FieldReader(name, "entry", reader.problems))
        if image is not None:
            images.append(image)
    return images


def _labelled(path: Path, value: object, board_id: object, reader: FieldReader) -> Labelled | None:
    """One image's entry, as far as it could be read: None where not even its board is known."""
    if not isinstance(value, dict):
        reader.entries(value)
        return None
    entry = value if board_id is None else {**value, "board": board_id}
    board = _board(entry, reader)
    if board is None:
        return None
    return Labelled(
        path=path,
        board=board,
        state=_tag(entry, "state") or path.stem,
        rig=_tag(entry, "rig") or path.stem,
        condition=_tag(entry, "conditions") or _tag(entry, "table"),
        players=_players(entry, reader.at("players"), board),
        corners_px=_corners_px(entry, reader.at("corners")),
        routes=_routes(entry, reader, board),
    )


def _board(entry: Mapping[str, object], reader: FieldReader) -> Board | None:
    if "board" not in entry:
        reader.at("board").report("missing")
        return None
    board_id = reader.at("board").one_of(entry["board"], BOARDS_WITH_DATA)
    if board_id is None:
        return None
    board = load_board(board_id)
    if "player_colours" not in entry:
        return board
    listed = reader.at("player_colours")
    known = (listed.one_of(c, COLOURS) for c in listed.items(entry["player_colours"]))
    return replace(board, player_colours=tuple(c for c in known if c is not None))


def _tag(entry: Mapping[str, object], key: str) -> str:
    """A word that images are told apart by, fit to be printed; "" where there is none."""
    value = entry.get(key)
    words = "" if value is None else str(value)
    return "".join(sign if sign.isprintable() else REPLACEMENT for sign in words)


def _players(entry: Mapping[str, object], reader: FieldReader, board: Board) -> tuple[str, ...]:
    if "players" not in entry:
        return board.player_colours
    colours = reader.items(entry["players"])
    reader.unique(colours)
    known = (reader.one_of(colour, board.player_colours) for colour in colours)
    return tuple(colour for colour in known if colour is not None)


def _corners_px(
    entry: Mapping[str, object], reader: FieldReader
) -> tuple[tuple[float, float], ...]:
    if "corners" not in entry:
        reader.report("missing")
        return ()
    corners = entry["corners"]
    pairs = corners if isinstance(corners, list) else []
    if len(pairs) != 4 or not all(isinstance(xy, list) and len(xy) == 2 for xy in pairs):
        reader.problems.append(
            Message("vision.evaluate.corners", who=reader.who, value=shown(corners))
        )
        return ()
    before = len(reader.problems)
    for value in (value for xy in pairs for value in xy):
        reader.real(value, -FARTHEST_PX, FARTHEST_PX)
    if len(reader.problems) > before:
        return ()
    return tuple((float(x), float(y)) for x, y in pairs)


def _routes(entry: Mapping[str, object], reader: FieldReader, board: Board) -> Mapping[str, Any]:
    """The entries of the routes as they stand, all of them checked."""
    routes = _needed_entries(entry, "routes", reader)
    for route_id, value in routes.items():
        route = board.route_by_id.get(route_id)
        if route is None:
            _report_route(route_id, reader.at("routes"), board)
        else:
            _check_route(value, reader.at("routes").inside(route_id), board, route)
    return routes


def _report_route(route_id: str, reader: FieldReader, board: Board) -> None:
    """Say what an unknown route may have been meant to be."""
    meant = nearest(route_id, board.route_by_id)
    kind = "route_unknown" if meant is None else "route_misspelt"
    reader.report(kind, route=shown(route_id), game=board.id, meant=meant)


def _check_route(value: object, reader: FieldReader, board: Board, route: Route) -> None:
    entry = reader.entries(value)
    reader.known_keys(entry, ROUTE_KEYS)
    if entry.get("owner") is not None:
        reader.inside("owner").one_of(entry["owner"], board.player_colours)
    if entry.get("spaces") is not None:
        _check_spaces(entry["spaces"], reader.inside("spaces"), board, route)
    for key in ("hidden_spaces", "ambiguous_spaces"):
        for index in reader.inside(key).items(entry.get(key, [])):
            reader.inside(key).number(index, high=route.length - 1)


def _check_spaces(value: object, reader: FieldReader, board: Board, route: Route) -> None:
    labels = reader.items(value)
    if isinstance(value, list) and len(value) != route.length:
        reader.report("space_count", count=len(value), length=route.length)
    for label in labels:
        reader.one_of(label, (EMPTY, OCCLUDED, *board.player_colours))


def _needed_entries(
    entries: Mapping[str, object], key: str, reader: FieldReader
) -> dict[str, object]:
    """The object under a key that must be there."""
    if key in entries:
        return reader.at(key).entries(entries[key])
    reader.at(key).report("missing")
    return {}
