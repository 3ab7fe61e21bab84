"""Rounds are legal, repeat as little as can be, and come out the same again."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.club.draw import draw_round
from companion.club.results import PlayedGame
from companion.club.seating import Past, RoomTable, Seating, table_sizes
from companion.club.tournament import Round, Tournament, arrive, draw_next, leave
from companion.errors import RefusalError

NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gina", "Hugo", "Ida", "Jon", "Kim"]


def room(count: int, boards: str = "usa") -> list[RoomTable]:
    """Tables 1, 2, ... with the boards in turn."""
    names = boards.split()
    return [RoomTable(str(n + 1), names[n % len(names)]) for n in range(count)]


def players(count: int) -> list[str]:
    return [f"P{n:02}" for n in range(count)]


def rounds_of(
    names: Sequence[str], tables: Sequence[RoomTable], count: int, lot: int = 1
) -> list[tuple[Seating, ...]]:
    before: list[Seating] = []
    rounds = []
    for _ in range(count):
        drawn = draw_round(names, tables, before, lot)
        rounds.append(drawn.seatings)
        before += drawn.seatings
    return rounds


@pytest.mark.parametrize(
    ("count", "sizes"),
    [
        (3, (3,)),
        (5, (5,)),
        (6, (3, 3)),
        (7, (4, 3)),
        (8, (4, 4)),
        (9, (5, 4)),
        (10, (4, 3, 3)),
        (11, (4, 4, 3)),
        (13, (5, 4, 4)),
        (17, (5, 4, 4, 4)),
    ],
)
def test_tables_are_of_four_where_it_goes(count: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(count, room(6)) == sizes


def test_few_tables_fill_up_and_a_board_for_four_takes_four() -> None:
    assert table_sizes(10, room(2)) == (5, 5)
    paris = RoomTable("1", "paris", places=4)
    assert table_sizes(9, [paris, RoomTable("2", "usa")]) == (4, 5)


@given(
    count=st.integers(3, 16),
    arrivals=st.lists(st.integers(-1, 1), min_size=2, max_size=2),
    lot=st.integers(0, 2**31),
)
@settings(max_examples=10, deadline=None)
def test_everybody_sits_once_a_round_at_a_legal_table(
    count: int, arrivals: list[int], lot: int
) -> None:
    tables = room(6, "usa france")
    before: list[Seating] = []
    for change in (0, *arrivals):
        count = max(3, count + change)
        drawn = draw_round(players(count), tables, before, lot, limit_s=2)
        seated = [player for seating in drawn.seatings for player in seating.players]
        assert sorted(seated) == players(count)
        assert all(3 <= len(seating.players) <= 5 for seating in drawn.seatings)
        assert drawn.repeats == Past.of(before).repeats(drawn.seatings)
        before += drawn.seatings


def ways(names: tuple[str, ...], sizes: tuple[int, ...]) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every way to split the names into groups of these sizes."""
    if not sizes:
        yield ()
        return
    for group in combinations(names, sizes[0]):
        rest = tuple(name for name in names if name not in group)
        for others in ways(rest, sizes[1:]):
            yield (group, *others)


@cache
def pairs_of_all_ways(count: int) -> list[frozenset[frozenset[str]]]:
    """The pairs that meet, for every round that these players can have."""
    sizes = table_sizes(count, room(4))
    return list(
        {
            frozenset(frozenset(pair) for group in way for pair in combinations(group, 2))
            for way in ways(tuple(players(count)), sizes)
        }
    )


@pytest.mark.parametrize("count", [6, 7, 8, 9])
@given(data=st.data())
@settings(max_examples=8, deadline=None)
def test_no_seating_repeats_less_than_the_draw(count: int, data: st.DataObject) -> None:
    """Against every possible round, after a past that nobody planned."""
    tables, names = room(4), players(count)
    before: list[Seating] = []
    for _ in range(data.draw(st.integers(1, 3))):
        lot = data.draw(st.permutations(names))
        for table, size in zip(tables, table_sizes(count, tables), strict=False):
            before.append(Seating(table.name, table.board, tuple(lot[:size])))
            lot = lot[size:]
    past = Past.of(before)
    drawn = draw_round(names, tables, before, lot=0)
    cost = sum(
        past.met[frozenset(pair)]
        for seating in drawn.seatings
        for pair in combinations(seating.players, 2)
    )
    assert drawn.is_best
    assert cost == min(sum(past.met[pair] for pair in way) for way in pairs_of_all_ways(count))


@pytest.mark.parametrize("count", [6, 7, 8, 9])
def test_three_rounds_drawn_one_by_one_are_as_good_as_planned_together(count: int) -> None:
    """The first round of a plan may be any, so two more rounds are tried against each other."""
    all_ways = pairs_of_all_ways(count)
    first = all_ways[0]
    planned = min(
        sum(comb((pair in first) + (pair in a) + (pair in b), 2) for pair in first | a | b)
        for a in all_ways
        for b in all_ways
    )
    rounds = rounds_of(players(count), room(4), 3)
    met = Past.of(seating for one in rounds for seating in one).met
    assert sum(comb(times, 2) for times in met.values()) == planned


def test_nine_people_at_three_tables_meet_everybody_once_in_four_rounds() -> None:
    """Kirkman's schoolgirls for nine: four rounds in which all 36 pairs meet exactly once."""
    tables = [RoomTable(str(n), "usa", places=3) for n in range(3)]
    rounds = rounds_of(players(9), tables, 4)
    met = Past.of(seating for one in rounds for seating in one).met
    assert len(met) == 36
    assert set(met.values()) == {1}


def test_twenty_at_five_boards_play_another_board_each_round() -> None:
    rounds = rounds_of(players(20), room(5, "usa france germany sweden asia"), 3)
    past = Past.of(seating for one in rounds for seating in one)
    assert set(past.met.values()) == {1}
    assert set(past.played.values()) == {1}


def test_eighty_people_meet_nobody_twice_in_three_rounds() -> None:
    rounds = rounds_of(players(80), room(20, "usa france germany paris"), 3)
    met = Past.of(seating for one in rounds for seating in one).met
    assert set(met.values()) == {1}


def test_the_same_lot_draws_the_same_and_another_lot_another_round() -> None:
    before = list(draw_round(NAMES, room(3), [], lot=1).seatings)
    one, again = (draw_round(NAMES, room(3), before, lot=2) for _ in range(2))
    assert one == again
    assert draw_round(NAMES[::-1], room(3), before, lot=2) == one
    assert draw_round(NAMES, room(3), [], lot=5) != draw_round(NAMES, room(3), [], lot=6)


def test_no_time_at_all_still_seats_everybody() -> None:
    before = list(draw_round(NAMES, room(3), [], lot=1).seatings)
    drawn = draw_round(NAMES, room(3), before, lot=2, limit_s=0.0)
    assert sorted(name for one in drawn.seatings for name in one.players) == NAMES


@pytest.mark.parametrize(
    ("names", "tables", "says"),
    [
        (NAMES[:2], room(3), "at least 3 players here; so far: 2"),
        (NAMES, room(2), "11 players"),
        (["Ada", "Ben", "Cleo", "Ada"], room(2), "Ada"),
        (NAMES, [*room(2), RoomTable(" 2", "usa")], "2"),
        (NAMES, [RoomTable("Salon", "usa"), *room(2), RoomTable("salon ", "usa")], "Salon"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(
    names: list[str], tables: list[RoomTable], says: str
) -> None:
    with pytest.raises(RefusalError, match=says):
        draw_round(names, tables, [], lot=1)


def test_an_evening_of_eleven_with_one_late_and_one_leaving() -> None:
    evening = Tournament(tuple(room(4, "usa france")))
    for name in NAMES[:10]:
        evening = arrive(evening, name)
    evening = draw_next(evening)
    evening = arrive(evening, "Kim")
    evening = draw_next(evening)
    assert len(evening.rounds) == 1, "it had not begun, so it was drawn anew with Kim"
    assert [len(one.players) for one in evening.rounds[0].seatings] == [4, 4, 3]
    evening = leave(evening, "Ben")
    evening = draw_next(evening)
    assert [len(one.players) for one in evening.rounds[0].seatings] == [4, 3, 3]
    with pytest.raises(RefusalError, match="Kim"):
        arrive(evening, "Kim")
    with pytest.raises(RefusalError, match="Ben"):
        leave(evening, "Ben")


def test_boards_that_were_played_count_though_others_were_drawn() -> None:
    """Each table took the other one's board. Of three who sat together two meet again, and they sit
    at the board that they have not played: Ada, Ben and Cleo have played France."""
    first, second = tuple(NAMES[:3]), tuple(NAMES[3:6])
    evening = Tournament(
        tables=tuple(room(2, "usa france")),
        entrants=(*first, *second),
        here=frozenset((*first, *second)),
        rounds=(Round((Seating("1", "usa", first), Seating("2", "france", second))),),
        results={
            (1, "1"): PlayedGame("a", "france", 0.0, ()),
            (1, "2"): PlayedGame("b", "usa", 0.0, ()),
        },
    )
    at_usa, at_france = draw_next(evening).rounds[1].seatings
    assert len({*first} & {*at_usa.players}) == 2
    assert len({*second} & {*at_france.players}) == 2
