"""France's lines that cross: rulebook 002 lets only one of the two be built."""

from typing import Any

import pytest

from scoring.board.board import load_board
from scoring.documents.game import parse_game
from scoring.errors import GameError
from scoring.game.closed_routes import closed_routes
from scoring.sheet.sheet import score_game
from scoring.sheet.violations import find_violations

MINE, OTHER = "angers--rennes", "le-mans--lorient"


def france(ada: list[str], ben: list[str], **notes: Any) -> dict[str, Any]:
    players = [{"name": "Ada", "routes": ada}, {"name": "Ben", "routes": ben}]
    return {"game": "france", "players": players, **notes}


def told(document: dict[str, Any], language: str = "en") -> list[str]:
    return [one.message.text(language) for one in find_violations(parse_game(document))]


def test_two_lines_of_the_board_cross() -> None:
    assert (MINE, OTHER) in load_board("france").crossings


@pytest.mark.parametrize(("built", "closed"), [(MINE, [OTHER]), (OTHER, [MINE, "nantes--rennes"])])
def test_a_line_that_a_track_piece_lies_on_closes_what_it_crosses(
    built: str, closed: list[str]
) -> None:
    game = parse_game(france([], [], track_pieces=[built]))
    assert [(one.route, one.by) for one in closed_routes(game)] == [(one, built) for one in closed]
    assert told(france([], [], track_pieces=[built])) == []


def test_a_line_claimed_over_a_track_piece_is_a_breach_of_whoever_claimed_it() -> None:
    document = france([OTHER], [], track_pieces=[MINE])
    (breach,) = find_violations(parse_game(document))
    assert (breach.code, breach.players, breach.routes) == (
        "crossing-track",
        ("Ada",),
        (MINE, OTHER),
    )
    assert (
        "a track piece lies on Angers – Rennes, the other one is claimed (Ada)" in told(document)[0]
    )
    assert "su Angers – Rennes c'è un binario, l'altra è presa (Ada)" in told(document, "it")[0]
    printed: Any = score_game(document).to_json()
    assert [one["code"] for one in printed["violations"]] == ["crossing-track"]
    assert printed["players"][0]["total"] > 0, "it counts all the same"


def test_two_track_pieces_that_cross_are_nobodys_breach() -> None:
    (breach,) = find_violations(parse_game(france([], [], track_pieces=[MINE, OTHER])))
    assert (breach.code, breach.players) == ("crossing-tracks", ())


def test_two_claimed_lines_that_cross_are_told_once_with_both_players() -> None:
    """Whose line is claimed has no track piece any more, whatever the file still says."""
    (breach,) = find_violations(parse_game(france([MINE], [OTHER], track_pieces=[MINE])))
    assert (breach.code, breach.players) == ("crossing", ("Ada", "Ben"))


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (["amiens--rouen"], "no track piece can lie on"),
        (["angers--renes"], "did you mean angers--rennes?"),
        ("angers--rennes", "must be a list"),
    ],
)
def test_a_track_piece_that_can_lie_nowhere_is_told(sent: object, said: str) -> None:
    with pytest.raises(GameError, match=said):
        parse_game(france([], [], track_pieces=sent))
