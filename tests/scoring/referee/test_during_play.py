"""What the referee says while they play."""

from scoring.documents.game import parse_game
from scoring.game.closed_routes import closed_routes
from scoring.game.game import Game
from scoring.language import LANGUAGES
from scoring.referee.during_play import remark_on_last_round, remarks_on_closed_lines
from scoring.referee.last_round import last_round, wagons_left
from tests.support.usa_routes import SIXES


def paris(*buses: int) -> Game:
    """A Paris by counts: so many buses of each player lie on lines of one."""
    players = [
        {"name": name, "route_lengths": {"1": count}}
        for name, count in zip(("Ada", "Ben", "Chi"), buses, strict=False)
    ]
    return parse_game({"game": "paris", "players": players})


def usa(*hands: list[str]) -> Game:
    names = ("Ada", "Ben", "Chi", "Dan")
    players = [{"name": n, "routes": h} for n, h in zip(names, hands, strict=False)]
    return parse_game({"game": "usa", "players": players})


def test_the_last_round_begins_with_two_buses_left_and_not_with_three() -> None:
    """15 buses each: 12 on the board leave 3, 13 leave 2."""
    assert last_round(paris(12, 12)) is None
    found = last_round(paris(12, 13))
    assert found is not None
    assert (found.low, found.last) == (("Ben",), "Ben")


def test_france_gives_forty_wagons_so_its_last_round_begins_at_38_on_the_board() -> None:
    """Not one route: 40 left each."""
    game = parse_game({"game": "france", "players": [{"name": "Ada"}, {"name": "Bo"}]})
    assert wagons_left(game) == {"Ada": 40, "Bo": 40}
    assert last_round(game) is None


def test_everybody_has_one_more_turn_and_whoever_began_has_the_last() -> None:
    found = last_round(paris(5, 14, 5))
    assert found is not None
    assert (found.turns, found.last) == (("Chi", "Ada", "Ben"), "Ben")


def test_with_two_players_low_only_the_table_knows_who_was_first() -> None:
    game = paris(13, 14, 3)
    unknown = last_round(game)
    assert unknown is not None
    assert (unknown.turns, unknown.last) == ((), None)
    told = last_round(game, begun_by="Ada")
    assert told is not None
    assert told.turns == ("Ben", "Chi", "Ada")
    remarks = [remark_on_last_round(game, begun_by=first) for first in (None, "Ada")]
    assert [one and one.code for one in remarks] == ["last-round-open", "last-round"]


def test_the_last_round_is_told_with_names_and_numbers() -> None:
    remark = remark_on_last_round(paris(5, 14, 5))
    assert remark is not None
    assert "Ben (1)" in remark.message.text("en")
    assert "the last one is Ben's" in remark.message.text("en")
    assert "l'ultimo è di Ben" in remark.message.text("it")


def test_a_last_round_that_hangs_on_questions_leads_to_those_of_whoever_is_low() -> None:
    """Ada's seven sixes and a single are 43 of 45 wagons, 36 without those that are asked about."""
    game = usa(
        [*SIXES[:7], "dallas--houston-1"], ["sault-st-marie--winnipeg", "nashville--raleigh"]
    )
    asked = {SIXES[0], "dallas--houston-1", "sault-st-marie--winnipeg"}
    remark = remark_on_last_round(game, asked=asked)
    assert remark is not None
    assert (remark.code, remark.players) == ("last-round-asked", ("Ada",))
    assert set(remark.routes) == {SIXES[0], "dallas--houston-1"}
    assert "Ada (2)" in remark.message.text("en")


def test_the_other_line_of_a_double_is_closed_with_three_players_and_open_with_four() -> None:
    (closed,) = closed_routes(usa(["dallas--houston-1"], [], []))
    assert (closed.route, closed.why, closed.by) == (
        "dallas--houston-2",
        "double",
        "dallas--houston-1",
    )
    assert closed_routes(usa(["dallas--houston-1"], [], [], [])) == ()


def test_what_is_closed_is_told_by_the_cities_names() -> None:
    game = usa(["dallas--houston-1"], ["kansas-city--omaha-2"])
    remarks = list(remarks_on_closed_lines(game))
    assert [one.code for one in remarks] == ["double-closed", "double-closed"]
    assert "Dallas – Houston (2)" in remarks[0].message.text("en")
    assert "Kansas City – Omaha (1)" in remarks[1].message.text("en")


def test_a_crossing_closes_the_line_that_it_cuts_whatever_the_number_of_players() -> None:
    game = parse_game({"game": "france", "players": [{"name": n} for n in ("A", "B", "C", "D")]})
    assert game.board is not None
    mine, other = game.board.crossings[0]
    claimed = game.with_routes(((mine,), (), (), ()))
    assert other in {c.route for c in closed_routes(claimed) if c.why == "crossing"}


def test_a_track_piece_closes_the_line_that_it_cuts_and_names_nobody() -> None:
    """Rulebook 002: it lies on Angers – Rennes and belongs to nobody."""
    players = [{"name": "Ada"}, {"name": "Bo"}]
    game = parse_game({"game": "france", "players": players, "track_pieces": ["angers--rennes"]})
    (remark,) = remarks_on_closed_lines(game)
    assert (remark.code, remark.players) == ("crossing-built", ())
    assert remark.routes == ("le-mans--lorient", "angers--rennes")


def test_with_more_buses_than_the_set_has_none_are_left_and_the_last_round_is_told() -> None:
    """16 buses of 15."""
    assert wagons_left(paris(16, 3)) == {"Ada": 0, "Ben": 12}
    remark = remark_on_last_round(paris(16, 3))
    assert remark is not None
    assert "Ada (0)" in remark.message.text("en")


def test_the_card_game_has_no_last_round_and_no_routes() -> None:
    game = parse_game({"game": "card-game", "players": [{"name": "Ada"}, {"name": "Bo"}]})
    assert remark_on_last_round(game) is None
    assert list(remarks_on_closed_lines(game)) == []


def test_no_remark_shows_an_id() -> None:
    game = usa(["dallas--houston-1", "seattle--vancouver-2"], ["kansas-city--omaha-2"])
    for language in LANGUAGES:
        for remark in remarks_on_closed_lines(game):
            assert "--" not in remark.message.text(language) + remark.mend.text(language)
