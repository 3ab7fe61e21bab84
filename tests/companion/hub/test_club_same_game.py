"""A game that counts already and is typed with other points: the organiser says which counts."""

from datetime import date

import pytest

from companion.hub.club.desk import ClubDesk
from companion.hub.database import Database
from tests.companion.hub.club_games import club as club
from tests.companion.hub.club_games import database as database
from tests.companion.hub.club_games import finished, points_of_round, tables_game
from tests.companion.hub.club_games import kept as kept
from web.errors import ActionRefusedError
from web.hub.club_state import CountsAlreadyError

DAY = date(2026, 3, 1)
"""Of table 1's game."""

TYPED = [("Ada", 112), ("Zoe", 88)]
"""What was played; the table had 110 and 90, and was confirmed for Ada and Ben."""


@pytest.fixture
def ben_for_zoe(database: Database, club: ClubDesk) -> str:
    """Table 1's game of Ada (110) and Zoe (90), confirmed with Ben in the place of Zoe."""
    game = finished(database, ("Ada", "red", 110), ("Zoe", "blue", 90))
    club.confirm("t1", game, [club.add_person(name).id for name in ("Ada", "Ben")])
    return game


def games_of(club: ClubDesk) -> dict[str, int]:
    return {line.person.name or "–": line.games for line in club.ratings()}


def asked_about(club: ClubDesk, board: str, day: date, *seats: tuple[str, int]) -> tuple[int, ...]:
    with pytest.raises(CountsAlreadyError) as asked:
        club.add_paper_game(board, day, seats)
    return asked.value.ids


@pytest.mark.usefixtures("ben_for_zoe")
def test_it_does_not_count_twice_before_anybody_is_asked(club: ClubDesk) -> None:
    """Ada had two games of that evening, and Ben one that he did not play."""
    (id,) = asked_about(club, "usa", DAY, *TYPED)
    assert games_of(club) == {"Ada": 1, "Ben": 1}
    assert (club.paper_games(), club.person_named("Zoe")) == ([], None)
    (shown,) = club.alike_games([id])
    assert [(one.name, points) for one, points, _ in shown.lines] == [("Ada", 110), ("Ben", 90)]
    assert shown.told_by == ("t1", "20", "Table 1")


def test_the_same_game_counts_once_as_it_was_typed(club: ClubDesk, ben_for_zoe: str) -> None:
    """The table's is left out, and can be put back: nothing is lost."""
    (id,) = asked_about(club, "usa", DAY, *TYPED)
    for _ in range(2):  # the button was tapped twice
        club.add_paper_game("usa", DAY, TYPED, others=[id], instead=id)
    assert games_of(club) == {"Ada": 1, "Zoe": 1}
    (typed,) = club.paper_games()
    assert [(one.name, points) for one, points, _ in typed.lines] == TYPED
    (left_out,) = club.left_out()
    assert (left_out.evening, club.waiting()) == (ben_for_zoe, 0)
    club.take_in("t1", ben_for_zoe)
    assert club.waiting() == 1


@pytest.mark.usefixtures("ben_for_zoe")
def test_another_game_of_the_day_counts_beside_it(club: ClubDesk) -> None:
    (id,) = asked_about(club, "usa", DAY, *TYPED)
    club.add_paper_game("usa", DAY, TYPED, others=[id])
    assert games_of(club) == {"Ada": 2, "Ben": 1, "Zoe": 1}


@pytest.mark.usefixtures("ben_for_zoe")
@pytest.mark.parametrize(
    ("board", "day", "seats"),
    [
        ("france", DAY, TYPED),
        ("usa", date(2026, 3, 3), TYPED),
        ("usa", DAY, [("Cleo", 112), ("Zoe", 88)]),
    ],
    ids=["another board", "another day", "nobody of it and other points"],
)
def test_what_cannot_be_the_same_game_is_not_asked_about(
    club: ClubDesk, board: str, day: date, seats: list[tuple[str, int]]
) -> None:
    club.add_paper_game(board, day, seats)
    assert len(club.paper_games()) == 1


@pytest.mark.usefixtures("ben_for_zoe")
def test_all_names_were_wrong_and_the_points_tell_it(club: ClubDesk) -> None:
    assert len(asked_about(club, "usa", DAY, ("Cleo", 90), ("Zoe", 110))) == 1


def test_a_game_typed_twice_with_other_points_takes_the_place_of_the_first(club: ClubDesk) -> None:
    """Of a group of four; with two others of it, it is another game of that day."""
    four = [("Ada", 90), ("Ben", 80), ("Cleo", 70), ("Dan", 60)]
    club.add_paper_game("usa", DAY, four)
    (id,) = asked_about(club, "usa", DAY, ("Ada", 91), *four[1:])
    club.add_paper_game("usa", DAY, [("Ada", 91), *four[1:]], others=[id], instead=id)
    (game,) = club.paper_games()
    assert [points for _, points, _ in game.lines] == [91, 80, 70, 60]
    club.add_paper_game("usa", DAY, [("Ada", 95), ("Ben", 80), ("Eva", 70), ("Fay", 60)])
    assert len(club.paper_games()) == 2


@pytest.mark.usefixtures("ben_for_zoe")
def test_a_game_that_began_to_count_meanwhile_is_asked_about_too(
    database: Database, club: ClubDesk
) -> None:
    (first,) = asked_about(club, "usa", DAY, *TYPED)
    later = finished(database, ("Ada", "red", 50), ("Ben", "blue", 40), hour=22)
    ada = club.person_named("Ada")
    assert ada is not None
    club.confirm("t1", later, [club.add_person("Eva").id, ada.id])
    with pytest.raises(CountsAlreadyError) as asked:
        club.add_paper_game("usa", DAY, TYPED, others=[first], instead=first)
    assert len({first, *asked.value.ids}) == len(asked.value.ids) == 2
    assert club.paper_games() == []


def test_what_counts_no_more_is_in_nobodys_place(club: ClubDesk, ben_for_zoe: str) -> None:
    (id,) = asked_about(club, "usa", DAY, *TYPED)
    club.leave_out("t1", ben_for_zoe)
    assert club.alike_games([id]) == []
    with pytest.raises(ActionRefusedError, match="load the page again"):
        club.add_paper_game("usa", DAY, TYPED, others=[id], instead=id)
    assert club.paper_games() == []


def test_a_tournaments_table_asks_before_a_game_of_wrong_names_counts_beside_it(
    database: Database, club: ClubDesk
) -> None:
    """Its three have one game each, not two of them two."""
    evening, game, people = tables_game(database, club)
    stranger = club.add_person("Zoe").id
    club.confirm("t1", game, [stranger, *people[1:]])
    assert points_of_round(club, evening) is None, "it is not the drawn table's"
    typed = dict(zip(people, (95, 85, 70), strict=True))
    with pytest.raises(CountsAlreadyError) as asked:
        club.enter_result(evening, 1, "T1", typed)
    (id,) = asked.value.ids
    for _ in range(2):
        club.enter_result(evening, 1, "T1", typed, None, [id], id)
    assert points_of_round(club, evening) == [95, 85, 70]
    assert sorted(games_of(club).values()) == [1, 1, 1]
    assert [one.evening for one in club.left_out()] == [game]
    club.enter_result(evening, 1, "T1", typed | {people[0]: 96})
    assert points_of_round(club, evening) == [96, 85, 70], "its points are corrected unasked"


def test_a_game_on_paper_may_be_a_tournaments(database: Database, club: ClubDesk) -> None:
    """It is corrected there: nothing takes its place."""
    evening, game, people = tables_game(database, club)
    club.confirm("t1", game, people)
    names = [club.person(one).person.name or "" for one in people]
    seats = list(zip(names, (90, 80, 71), strict=True))
    (id,) = asked_about(club, "usa", DAY, *seats)
    (shown,) = club.alike_games([id])
    assert shown.tournament == (evening, "Spring cup")
    with pytest.raises(ActionRefusedError, match="load the page again"):
        club.add_paper_game("usa", DAY, seats, others=[id], instead=id)
