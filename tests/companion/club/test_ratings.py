"""Ratings, standings, seasons and records, with values worked out by hand."""

import time
from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest

from companion.club.ratings import DEVIATION, MEAN, Rating, rate
from companion.club.records import Best, by_board, by_player
from companion.club.results import PlayedGame, Seat, check_game
from companion.club.standings import Season, place_points, standings
from companion.errors import RefusalError


def game(id: str, *seats: tuple[str, int, int], board: str = "usa", day: int = 1) -> PlayedGame:
    """Seats as (player, points, rank)."""
    at = datetime(2026, 3, day, 21, tzinfo=UTC).timestamp()
    return PlayedGame(id, board, at, tuple(Seat(*seat) for seat in seats))


def test_who_wins_rises_who_loses_falls_and_both_become_surer() -> None:
    ada, ben = rate([game("1", ("Ada", 90, 1), ("Ben", 70, 2))])
    assert (ada.player, ben.player) == ("Ada", "Ben")
    assert ada.mean > MEAN > ben.mean
    assert ada.mean - MEAN == pytest.approx(MEAN - ben.mean)
    assert ada.deviation == pytest.approx(ben.deviation)
    assert ada.deviation < DEVIATION
    assert ada.margin == 2 * ada.deviation


def test_one_lucky_win_does_not_lead_the_table() -> None:
    """The table is ordered by the number less three deviations: 28 - 24 = 4, 25 - 6 = 19."""
    lucky, steady = Rating("Ada", 28.0, 8.0, games=1), Rating("Ben", 25.0, 2.0, games=20)
    assert (lucky.surely, steady.surely) == (4.0, 19.0)


def test_two_who_tie_stay_equal() -> None:
    level = rate([game("1", ("Ada", 90, 1), ("Ben", 90, 1), ("Cleo", 20, 3))])
    by_name = {one.player: one for one in level}
    assert by_name["Ada"].mean == pytest.approx(by_name["Ben"].mean)
    assert by_name["Ada"].mean > by_name["Cleo"].mean


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_order_of_a_game_is_the_order_of_its_ratings(players: int) -> None:
    seats = [(f"P{place}", 100 - place, place) for place in range(1, players + 1)]
    assert [one.player for one in rate([game("1", *seats)])] == [name for name, *_ in seats]


def test_one_game_leaves_a_winner_behind_somebody_who_won_ten() -> None:
    games = [game(f"{n:02}", ("Ada", 90, 1), ("Ben", 70, 2), day=n) for n in range(1, 11)]
    last = game("11", ("Dan", 90, 1), ("Eve", 70, 2), day=11)
    order = [one.player for one in rate([*games, last])]
    assert order.index("Ada") < order.index("Dan")


def test_games_are_rated_by_their_time_however_they_are_handed_over() -> None:
    games = [
        game("a", ("Ada", 90, 1), ("Ben", 70, 2), day=3),
        game("b", ("Ben", 90, 1), ("Cleo", 70, 2), day=1),
        game("c", ("Cleo", 90, 1), ("Ada", 70, 2), day=2),
    ]
    assert rate(games) == rate(games[::-1])


@pytest.mark.parametrize("players", [1, 6])
def test_a_game_of_one_or_six_is_refused_in_a_sentence(players: int) -> None:
    lonely = game("1", *[(f"P{n}", 10, 1) for n in range(players)])
    with pytest.raises(RefusalError, match="2 to 5 players"):
        check_game(lonely)


def test_nobody_sits_twice_at_one_game() -> None:
    with pytest.raises(RefusalError, match="Ada"):
        check_game(game("1", ("Ada", 10, 1), ("Ada", 9, 2)))


@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ([1, 2], [12, 0]),
        ([1, 2, 3], [12, 6, 0]),
        ([1, 2, 3, 4], [12, 8, 4, 0]),
        ([1, 2, 3, 4, 5], [12, 9, 6, 3, 0]),
        ([1, 1, 3], [9, 9, 0]),
        ([1, 2, 2, 2], [12, 4, 4, 4]),
    ],
)
def test_a_place_is_worth_whom_it_leaves_behind(ranks: list[int], points: list[float]) -> None:
    seats = [Seat(f"P{n}", 0, rank) for n, rank in enumerate(ranks)]
    assert [place_points(seats, seat) for seat in seats] == points


def test_standings_count_places_then_wins_then_the_sheets_points() -> None:
    table = standings(
        [
            game("1", ("Ada", 90, 1), ("Ben", 80, 2), ("Cleo", 10, 3)),
            game("2", ("Ben", 91, 1), ("Ada", 80, 2), ("Cleo", 10, 3)),
        ],
        players=["Dan"],
    )
    assert [(one.place, one.player, one.place_points, one.points) for one in table] == [
        (1, "Ben", 18.0, 171),
        (2, "Ada", 18.0, 170),
        (3, "Cleo", 0.0, 20),
        (4, "Dan", 0.0, 0),
    ]


def test_equal_in_everything_shares_a_place() -> None:
    level = standings([game("1", ("Ada", 50, 1), ("Ben", 50, 1), ("Cleo", 40, 3))])
    assert [(one.place, one.player) for one in level] == [(1, "Ada"), (1, "Ben"), (3, "Cleo")]


def test_tickets_break_a_tie_of_points() -> None:
    one = PlayedGame("1", "usa", 0.0, (Seat("Ada", 50, 1, 3), Seat("Ben", 40, 2, 9)))
    two = PlayedGame("2", "usa", 1.0, (Seat("Ben", 50, 1, 3), Seat("Ada", 40, 2, 1)))
    assert [line.player for line in standings([one, two])] == ["Ben", "Ada"]


def test_the_longer_path_breaks_a_tie_of_all_else() -> None:
    one = PlayedGame("1", "usa", 0.0, (Seat("Ada", 50, 1, 3, 20), Seat("Ben", 40, 2, 1, 31)))
    two = PlayedGame("2", "usa", 1.0, (Seat("Ben", 50, 1, 3, 19), Seat("Ada", 40, 2, 1, 30)))
    assert [(line.place, line.player) for line in standings([one, two])] == [(1, "Ben"), (2, "Ada")]


def test_a_players_boards_stand_by_how_often_they_were_played() -> None:
    boards = ("france", "usa", "usa", "germany")
    seats = (Seat("Ada", 20, 1), Seat("Ben", 10, 2))
    games = [PlayedGame(str(n), board, float(n), seats) for n, board in enumerate(boards)]
    told = [(one.board, one.games) for one in by_player(games, "Ada")]
    assert told == [(None, 4), ("usa", 2), ("france", 1), ("germany", 1)]


def test_a_season_has_the_games_of_its_days_both_ends_included() -> None:
    games = [game(str(day), ("Ada", 1, 1), ("Ben", 0, 2), day=day) for day in (1, 2, 9, 10)]
    spring = Season("Spring", date(2026, 3, 2), date(2026, 3, 9))
    assert [one.id for one in spring.games(games, UTC)] == ["2", "9"]


@pytest.fixture
def _in_rome(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The machine's clock is Rome's: one hour before UTC, two in summer."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "Europe/Rome")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("_in_rome")
def test_a_season_keeps_its_games_whatever_time_of_the_year_it_is_looked_at() -> None:
    """Half past eleven on New Year's Eve, and half past midnight of the first of July."""
    late = datetime(2025, 12, 31, 22, 30, tzinfo=UTC), datetime(2026, 6, 30, 22, 30, tzinfo=UTC)
    seats = (Seat("Ada", 1, 1), Seat("Ben", 0, 2))
    games = [PlayedGame(str(at.year), "usa", at.timestamp(), seats) for at in late]
    old = Season("2025", date(2025, 1, 1), date(2025, 12, 31))
    half = Season("First half of 2026", date(2026, 1, 1), date(2026, 6, 30))
    assert [one.id for one in old.games(games)] == ["2025"]
    assert half.games(games) == []


def test_bests_and_averages_by_board() -> None:
    games = [
        PlayedGame("1", "usa", 0.0, (Seat("Ada", 100, 1, 3, 30), Seat("Ben", 60, 2, 1, 41))),
        PlayedGame("2", "usa", 1.0, (Seat("Ben", 100, 1, 3, 20), Seat("Ada", 40, 2, 1, 10))),
        PlayedGame("3", "paris", 2.0, (Seat("Ada", 20, 1), Seat("Cleo", 10, 2))),
    ]
    usa, paris = by_board(games)
    assert (usa.board, usa.games, usa.mean_points) == ("usa", 2, 75.0)
    assert usa.highest == Best("Ada", 100, "1")
    assert usa.longest_path == Best("Ben", 41, "1")
    assert (paris.mean_points, paris.longest_path) == (15.0, None)
    everywhere, on_usa, on_paris = by_player(games, "Ada")
    assert (everywhere.board, everywhere.games, everywhere.wins) == (None, 3, 2)
    assert everywhere.best_points == 100
    assert everywhere.mean_points == pytest.approx(160 / 3)
    assert (on_usa.board, on_usa.mean_points, on_usa.longest_path) == ("usa", 70.0, 30)
    assert (on_paris.board, on_paris.wins, on_paris.longest_path) == ("paris", 1, None)
    assert by_player(games, "Nobody") == ()
