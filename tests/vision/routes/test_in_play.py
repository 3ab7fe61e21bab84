"""Who plays, where nobody said it: colours that hold a route or nothing beside others' dozen."""

from functools import cache
from itertools import islice

from tests.support.drawn_table import USA
from tests.vision.test_wagons import reading, routes
from vision.reader import read_photos
from vision.reading import Reading, Why
from vision.routes.in_play import colours_in_play
from vision.synthetic import DrawnPhoto, Oddities, draw_photo, random_owners

TIDY = Oddities(
    missing_per_wagon=0.0,
    toppled_per_wagon=0.0,
    displaced_per_wagon=0.0,
    strays_per_photo=0.0,
    hand_per_photo=0.0,
    cards_per_photo=0.0,
    dice_per_photo=0.0,
    cups_per_photo=0.0,
)
ALL = USA.player_colours


def played(**held: int) -> tuple[str, ...]:
    """Who seems to play where the colours hold so many routes each."""
    names = iter(USA.route_by_id)
    read = routes()
    for colour, count in held.items():
        read |= {name: reading(name, colour, "usa") for name in islice(names, count)}
    return colours_in_play(read, ALL)


def test_all_colours_may_be_played_on_an_empty_board_and_early_in_a_game() -> None:
    assert played() == ALL
    assert played(red=4, blue=4) == ALL


def test_a_colour_without_a_route_beside_players_with_five_is_not_played() -> None:
    assert set(played(red=5, blue=6)) == {"red", "blue"}


def test_a_colour_with_one_or_two_routes_is_played_until_the_others_have_eight() -> None:
    assert set(played(red=7, blue=7, green=1)) == {"red", "blue", "green"}
    assert set(played(red=8, blue=8, green=2)) == {"red", "blue"}
    assert set(played(red=8, blue=9, green=3)) == {"red", "blue", "green"}


@cache
def lone_green() -> tuple[DrawnPhoto, str]:
    """Two players' game near its end, and one long route of green, who has no other."""
    owners = random_owners(USA, seed=41, players=2, fullness=0.95)
    route = next(r.id for r in USA.routes if r.length == 5 and owners[r.id] is None)
    players = {owner for owner in owners.values() if owner}
    assert "green" not in players
    photo = draw_photo(
        USA, {**owners, route: "green"}, seed=41, size_px=(1600, 1200), oddities=TIDY
    )
    return photo, route


def read(*players: str) -> Reading:
    return read_photos([lone_green()[0].image_bgr], USA, players=players or None)


def test_the_only_route_of_a_colour_is_asked_about_where_nobody_said_who_plays() -> None:
    route = lone_green()[1]
    one = read().routes[route]
    assert Why.LONE_COLOUR in one.why


def test_and_is_no_question_where_somebody_was_said_to_play_it() -> None:
    photo, route = lone_green()
    one = read(*photo.players).routes[route]
    assert (one.owner, one.review) == ("green", False)


def test_who_is_not_seen_to_play_is_not_asked_about() -> None:
    photo = lone_green()[0]
    said = {owner for owner in photo.players if owner != "green"}
    shown = {one for route in read().routes.values() for one, _ in route.alternatives if one}
    assert shown <= said
