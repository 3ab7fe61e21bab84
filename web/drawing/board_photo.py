"""The table's own empty board under the map: where its photo comes from, and who wants to see it.

The drawn board is what everybody sees first. Each device chooses for itself, and keeps its choice.
"""

from typing import Protocol
from urllib.parse import quote

from flask import Blueprint, Response, request
from flask.typing import ResponseReturnValue

from scoring.board.board import Board
from web.access.roles import Role, open_to
from web.cookies import keep_cookie
from web.errors import NotFoundError
from web.pictures import picture
from web.ports import TablePort

CHOICE = "map"
"""The cookie, and what the address asks for."""

DRAWN, PHOTO = "drawn", "photo"


class BoardPhotos(Protocol):
    """The photos of empty boards that this table keeps; for any thread."""

    def has(self, board: Board) -> bool:
        """Whether there is one of this board."""
        ...

    def picture(self, board: Board) -> bytes | None:
        """It, straightened to the board's drawing, as JPEG; None where there is none."""
        ...


class NoBoardPhotos:
    """For a table that keeps none."""

    def has(self, board: Board) -> bool:
        """None."""
        return False

    def picture(self, board: Board) -> bytes | None:
        """None."""
        return None


def board_photo_address(photos: BoardPhotos, board: Board) -> str | None:
    """Where a board's photo is, None where there is none."""
    return f"/api/board-photo/{quote(board.id)}.jpg" if photos.has(board) else None


def map_choice() -> str:
    """What the present device wants under its map."""
    asked = (request.args.get(CHOICE), request.cookies.get(CHOICE))
    return next((choice for choice in asked if choice in (DRAWN, PHOTO)), DRAWN)


def remember_map_choice(response: Response) -> Response:
    """Keep a choice made in the address for the visits to come."""
    wish = request.args.get(CHOICE)
    if wish in (DRAWN, PHOTO):
        keep_cookie(response, CHOICE, str(wish))
    return response


def board_photo_page(table: TablePort, photos: BoardPhotos) -> Blueprint:
    """`GET /api/board-photo/BOARD.jpg`, in the API `/api/v1/boards/BOARD/photo`."""
    pages = Blueprint("board_photo", __name__)

    @pages.get("/api/v1/boards/<board>/photo")
    @pages.get("/api/board-photo/<board>.jpg")
    @open_to(Role.SPECTATOR)
    def board_photo(board: str) -> ResponseReturnValue:
        known = {one.id: one for one in table.in_play().known_boards}
        image = photos.picture(known[board]) if board in known else None
        if image is None:
            raise NotFoundError("web.error.no-board-photo")
        return picture(image)

    return pages
