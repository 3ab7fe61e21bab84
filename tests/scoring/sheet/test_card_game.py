"""The Card Game's choice of tickets: exact, with the cards that go to each, and in every tie."""

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.game.rules import BIG_CITIES, LOCOMOTIVE
from scoring.sheet.assignment import Job, Prize, best_selection, lay_out, worth
from scoring.sheet.sheet import score_game

COLOURS = ("red", "blue", "green", "white")
COUNTS = st.integers(0, 4)
PILES = st.fixed_dictionaries(dict.fromkeys((*COLOURS, LOCOMOTIVE), COUNTS))
ASKED = st.sampled_from((*COLOURS, LOCOMOTIVE))
RECIPES = st.dictionaries(ASKED, st.integers(1, 2), min_size=1, max_size=3)
CITIES = st.frozensets(st.sampled_from(BIG_CITIES), max_size=2)
JOBS = st.lists(st.builds(Job, st.integers(0, 20), RECIPES, CITIES), max_size=8)
PRIZES = st.lists(
    st.builds(Prize, st.sampled_from(BIG_CITIES), st.integers(0, 12), st.integers(-1, 4)),
    max_size=6,
    unique_by=lambda prize: prize.city,
)


@settings(max_examples=120, deadline=None)
@given(PILES, JOBS, PRIZES)
def test_no_other_selection_is_worth_more(
    pile: Mapping[str, int], jobs: list[Job], prizes: list[Prize]
) -> None:
    done = best_selection(pile, jobs, prizes)
    possible = [
        chosen
        for chosen in itertools.product((False, True), repeat=len(jobs))
        if can_be_laid(pile, jobs, chosen)
    ]
    assert done in possible
    assert worth(jobs, prizes, done) == max(worth(jobs, prizes, chosen) for chosen in possible)


def can_be_laid(pile: Mapping[str, int], jobs: Sequence[Job], chosen: Sequence[bool]) -> bool:
    """Count what the colours lack, and compare it with the locomotives that nobody asks for."""
    asked = Counter[str]()
    for job, is_chosen in zip(jobs, chosen, strict=True):
        asked.update(job.recipe if is_chosen else {})
    lacking = sum(max(0, asked[colour] - pile[colour]) for colour in COLOURS)
    return lacking + asked[LOCOMOTIVE] <= pile[LOCOMOTIVE]


@settings(max_examples=100, deadline=None)
@given(PILES, JOBS)
def test_every_card_is_laid_once_and_every_recipe_is_filled(
    pile: Mapping[str, int], jobs: list[Job]
) -> None:
    done = best_selection(pile, jobs)
    laid = Counter[str]()
    for job, is_done, allotment in zip(jobs, done, lay_out(pile, jobs, done), strict=True):
        laid.update(allotment.cards)
        if is_done:
            assert fills(allotment.cards, job.recipe)
        else:
            assert not allotment.cards
            assert allotment.lacks
    assert all(count <= pile[colour] for colour, count in laid.items())


def fills(cards: Mapping[str, int], recipe: Mapping[str, int]) -> bool:
    jokers = cards.get(LOCOMOTIVE, 0) - recipe.get(LOCOMOTIVE, 0)
    short = sum(recipe.get(colour, 0) - cards.get(colour, 0) for colour in COLOURS)
    return short == jokers >= 0 and sum(cards.values()) == sum(recipe.values())


@pytest.mark.parametrize(
    ("tickets", "done"),
    [
        # 20 - 3 - 3 = 14, and 3 + 3 - 20 = -14
        ([(20, {"red": 2}), (3, {"red": 1}), (3, {"red": 1})], (True, False, False)),
        # 6 - 3 - 3 = 3 + 3 - 6: two tickets are more than one
        ([(6, {"red": 2}), (3, {"red": 1}), (3, {"red": 1})], (False, True, True)),
        # an asked locomotive is one; two reds do not stand for it
        ([(9, {"red": 1, LOCOMOTIVE: 1}), (1, {"red": 2})], (False, True)),
    ],
)
def test_two_reds_go_where_they_are_worth_most(
    tickets: list[tuple[int, dict[str, int]]], done: tuple[bool, ...]
) -> None:
    assert best_selection({"red": 2}, [Job(*ticket) for ticket in tickets]) == done


def test_a_locomotive_that_a_ticket_asks_for_stands_for_no_other_card() -> None:
    """Red and locomotive ask for both cards; a red and a blue could be had with them too."""
    own, two = Job(5, {"red": 1, LOCOMOTIVE: 1}), Job(4, {"red": 1, "blue": 1})
    assert best_selection({"red": 1, LOCOMOTIVE: 1}, [own, two]) == (True, False)
    assert best_selection({"red": 2, LOCOMOTIVE: 1}, [own, two]) == (True, False)
    assert best_selection({"red": 2, LOCOMOTIVE: 2}, [own, two]) == (True, True)


def test_a_ticket_left_over_costs_its_value_and_a_city_s_card_only_stays_away() -> None:
    """One red: 9 - 1 = 8, against 1 - 9 + 15 = 7 with Chicago's card."""
    dear, chicago = Job(9, {"red": 1}), Job(1, {"red": 1}, frozenset({"chicago"}))
    assert best_selection({"red": 1}, [dear, chicago], [Prize("chicago", 15, 1)]) == (True, False)


def test_with_equal_points_more_tickets_count_before_bonus_cards() -> None:
    """One red: 5 - 1 = 4, and 1 - 5 + 8 = 4 with Chicago's card. Two reds: 2 + 2 - 2 = 2, and
    2 - 2 - 2 + 4 = 2 with the card for one ticket of two reds."""
    plain, chicago = Job(5, {"red": 1}), Job(1, {"red": 1}, frozenset({"chicago"}))
    assert best_selection({"red": 1}, [plain, chicago], [Prize("chicago", 8, 1)]) == (False, True)
    dear = Job(2, {"red": 2}, frozenset({"chicago"}))
    jobs = [dear, Job(2, {"red": 1}), Job(2, {"red": 1})]
    assert best_selection({"red": 2}, jobs, [Prize("chicago", 4, 1)]) == (False, True, True)


def test_the_largest_piles_are_decided_too() -> None:
    """20 tickets of 4 cards, 56 cards of which 16 are locomotives: 14 tickets use them all."""
    recipe = [{colour: 2, other: 2} for colour, other in itertools.permutations(COLOURS, 2)]
    jobs = [Job(7 + index % 5, recipe[index % 12]) for index in range(20)]
    done = best_selection({**dict.fromkeys(COLOURS, 10), LOCOMOTIVE: 16}, jobs)
    assert sum(done) == 14
    assert can_be_laid({**dict.fromkeys(COLOURS, 10), LOCOMOTIVE: 16}, jobs, done)


def sheet_of(*players: dict[str, Any], **settings: Any) -> Any:
    named = [{"name": name, **player} for name, player in zip("ABCD", players, strict=False)]
    names = {key.replace("_", "-"): value for key, value in settings.items()}
    game = {"game": "card-game", "settings": names, "players": named}
    return document_of(game)["players"]


def document_of(game: dict[str, Any]) -> Any:
    return score_game(game).to_json()


def ticket(first: str, second: str, points: int, **cards: int) -> dict[str, Any]:
    typed: dict[str, Any] = {"from": first, "to": second, "points": points}
    return {**typed, "cards": cards} if cards else typed


def test_the_evidence_says_which_card_goes_where_and_what_is_missing() -> None:
    (one,) = sheet_of(
        {
            "cards": {"red": 1, "blue": 1, "locomotive": 1},
            "tickets": [
                ticket("omaha", "helena", 9, red=2),
                ticket("omaha", "duluth", 8, blue=2, green=1),
            ],
        }
    )
    evidence = [line["evidence"] for line in one["lines"]]
    assert evidence == [
        {"cards": {"red": 1, "locomotive": 1}},
        {"missing": {"blue": 1, "green": 1}},
    ]


def test_of_a_ticket_that_is_said_to_be_done_no_card_is_shown() -> None:
    (one,) = sheet_of(
        {"cards": {"red": 1}, "completed": [ticket("omaha", "helena", 9, red=1)], "tickets": []}
    )
    assert [line["evidence"] for line in one["lines"]] == [{"stated": True}]


def test_a_tie_for_a_big_city_pays_all_or_none_as_the_table_agreed() -> None:
    both = [{"completed": [ticket("chicago", "omaha", 3)]}] * 2
    assert [one["total"] for one in sheet_of(*both, big_cities={"chicago": 8})] == [11, 11]
    none = sheet_of(*both, big_cities={"chicago": 8}, big_city_tie="none")
    assert [one["total"] for one in none] == [3, 3]
    alone = sheet_of(*both[:1], {}, big_cities={"chicago": 8}, big_city_tie="none")
    assert [one["total"] for one in alone] == [11, 0]


def test_a_ticket_of_which_only_the_points_were_typed_counts_for_no_city() -> None:
    done = {"points": 3, "completed": True}
    one, two = sheet_of(
        {"completed": [done], "first_pass": [done]},
        {"completed": [ticket("chicago", "omaha", 1)]},
        big_cities={"chicago": 8},
    )
    assert (one["total"], two["total"]) == (6, 9)


def test_who_is_outdone_in_a_city_turns_to_another() -> None:
    """A has one red for Chicago (4 - 4 + 8) or Miami (4 - 4 + 6); B has two tickets to Chicago."""
    one, two = sheet_of(
        {
            "cards": {"red": 1},
            "tickets": [
                ticket("chicago", "duluth", 4, red=1),
                ticket("miami", "helena", 4, red=1),
            ],
        },
        {
            "completed": [],
            "cards": {"blue": 2},
            "tickets": [
                ticket("chicago", "omaha", 2, blue=1),
                ticket("chicago", "helena", 3, blue=1),
            ],
        },
        big_cities={"chicago": 8, "miami": 6},
    )
    assert [line["completed"] for line in one["lines"][:2]] == [False, True]
    assert (one["total"], two["total"]) == (6, 2 + 3 + 8)


def test_nobody_gets_a_city_that_no_completed_ticket_names() -> None:
    one, two = sheet_of({"failed": [ticket("chicago", "omaha", 3)]}, {}, big_cities={"chicago": 8})
    assert (one["total"], two["total"]) == (-3, 0)


def test_a_ticket_that_names_two_big_cities_counts_for_both() -> None:
    (one,) = sheet_of(
        {"completed": [ticket("chicago", "miami", 3)]}, big_cities={"chicago": 8, "miami": 6}
    )
    assert one["total"] == 3 + 8 + 6


def test_places_may_be_typed_as_they_are_printed() -> None:
    (one,) = sheet_of(
        {"completed": [ticket("New York", "Los Angeles", 3)]},
        big_cities={"new-york": 5, "los-angeles": 4},
    )
    assert one["total"] == 3 + 5 + 4


def one_red(*tickets: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A player with one red for one of these tickets of 4 points."""
    return {"cards": {"red": 1}, "tickets": list(tickets), **more}


def test_a_city_is_weighed_against_whoever_of_the_others_has_the_most_of_it() -> None:
    """Two tickets of B's name Chicago, none of C's: one of A's would win nothing there."""
    chosen = one_red(ticket("chicago", "duluth", 4, red=1), ticket("miami", "helena", 4, red=1))
    done = [ticket("chicago", "omaha", 2), ticket("chicago", "helena", 3)]
    one, two, _ = sheet_of(chosen, {"completed": done}, {}, big_cities={"chicago": 8, "miami": 6})
    assert (one["total"], two["total"]) == (4 - 4 + 6, 2 + 3 + 8)


def test_where_a_tie_pays_nobody_one_ticket_more_than_the_others_is_needed() -> None:
    """B has one ticket to Chicago. One of A's would tie there, two win: 2 + 2 - 3 + 8, against
    2 + 3 - 2 + 5 with Miami."""
    ben = {"completed": [ticket("chicago", "omaha", 2)]}
    chicago, miami = ticket("chicago", "duluth", 4, red=1), ticket("miami", "helena", 4, red=1)
    cards = {"chicago": 8, "miami": 5}
    one, _ = sheet_of(one_red(chicago, miami), ben, big_cities=cards, big_city_tie="none")
    assert one["total"] == 4 - 4 + 5
    tickets = [
        ticket("chicago", "duluth", 2, red=1),
        ticket("chicago", "denver", 2, red=1),
        ticket("miami", "helena", 3, red=1),
    ]
    two_reds = {"cards": {"red": 2}, "tickets": tickets}
    one, two = sheet_of(two_reds, ben, big_cities=cards, big_city_tie="none")
    assert (one["total"], two["total"]) == (9, 2)


def test_a_recipe_without_places_is_completed_like_any_other() -> None:
    (one,) = sheet_of(one_red({"points": 5, "cards": {"red": 1}}), big_cities={"chicago": 8})
    assert one["total"] == 5


def test_players_who_both_choose_end_where_neither_would_change() -> None:
    """A can do one of two tickets, 5 or 4; B has a Chicago ticket done. With a card of 8 in
    Chicago the 4 that names it is better: 4 - 5 + 8 = 7 against 5 - 4 = 1."""
    one, two = sheet_of(
        {
            "cards": {"red": 1},
            "tickets": [ticket("omaha", "helena", 5, red=1), ticket("chicago", "helena", 4, red=1)],
        },
        {"cards": {"red": 1}, "tickets": [ticket("chicago", "duluth", 2, red=1)]},
        big_cities={"chicago": 8},
    )
    assert (one["total"], two["total"]) == (7, 10)


def test_bonus_cards_break_a_tie_after_tickets() -> None:
    game = {
        "game": "card-game",
        "settings": {"big-cities": {"chicago": 3, "miami": 1, "dallas": 2}},
        "players": [
            {"name": "A", "completed": [ticket("miami", "dallas", 5)]},
            {"name": "B", "completed": [ticket("chicago", "omaha", 5)]},
        ],
    }
    sheet = document_of(game)
    assert [player["total"] for player in sheet["players"]] == [8, 8]
    assert (sheet["winners"], sheet["tie_break"]) == (["A"], "bonus-cards")


def test_tickets_of_the_first_pass_break_a_tie_too() -> None:
    """All have 5 points; A by two tickets, one of each pass."""
    players = [
        {"name": "A", "first_pass": [ticket("omaha", "helena", 3)]},
        *({"name": name, "completed": [ticket("omaha", "denver", 5)]} for name in "BCD"),
    ]
    players[0]["completed"] = [ticket("omaha", "duluth", 2)]
    sheet = document_of({"game": "card-game", "players": players})
    assert [player["total"] for player in sheet["players"]] == [5, 5, 5, 5]
    assert [player["tickets_completed"] for player in sheet["players"]] == [2, 1, 1, 1]
    assert (sheet["winners"], sheet["tie_break"]) == (["A"], "tickets")


def test_a_first_pass_in_a_game_of_three_is_reported() -> None:
    players = [{"name": name} for name in "ABC"]
    early = {"name": "A", "first_pass": [ticket("omaha", "helena", 5)]}
    sheet = score_game({"game": "card-game", "players": [early, *players[1:]]})
    assert [violation.code for violation in sheet.violations] == ["first-pass"]
