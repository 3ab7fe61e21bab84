"""What a game is called: by one name in each language, whoever tells it."""

import pytest

from scoring.board.board import load_board
from scoring.board.game_names import game_title
from scoring.board.shipped import BOARDS_WITH_DATA
from scoring.game.mapless import mapless_games


@pytest.mark.parametrize(
    ("board", "name"),
    [
        ("usa", "Ticket to Ride (USA)"),
        ("germany", "Ticket to Ride Germania"),
        ("france", "Ticket to Ride Francia"),
    ],
)
def test_a_board_of_the_program_has_its_name_in_italian(board: str, name: str) -> None:
    known = load_board(board)
    assert game_title(known.id, known.title, "it") == name
    assert game_title(known.id, known.title, "en") == known.title


def test_a_game_without_a_map_has_its_name_in_italian() -> None:
    names = [game_title(one.id, one.title, "it") for one in mapless_games()]
    assert names == [
        "Ticket to Ride Parigi, per conteggi",
        "Ticket to Ride: il gioco di carte",
        "Qualsiasi mappa, per conteggi",
    ]


def test_a_file_with_a_title_of_its_own_is_called_by_that() -> None:
    assert set(BOARDS_WITH_DATA) == {"usa", "germany", "france"}
    assert game_title("germany", "Our own print", "it") == "Our own print"
    assert game_title("valtellina", "", "it") == "valtellina"
