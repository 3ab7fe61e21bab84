"""Search, walks, marks, names and the sheet's words, each by itself."""

import time
from itertools import pairwise

import pytest

from scoring.board.board import Board, load_board
from scoring.game.colours import COLOURS, HEX, SYMBOL
from scoring.longest_path.types import Trail
from scoring.sheet.lines import Line
from scoring.sheet.sheet import PlayerSheet, Sheet
from tests.web.fake_table import FakeTable
from web.app import create_app
from web.drawing.colour_styles import MARK_PATHS, contrast, ink_on, luminance, style_sheet
from web.errors import BadRequestError
from web.names import one_spelling
from web.ports import Moment
from web.search import find_routes, find_tickets
from web.sent.mapless_entries import bonuses_from, clean_place
from web.sent.players import clean_name
from web.sheet.sheet import view_sheet
from web.sheet.travel_order import walk, walk_trail

USA, GERMANY, FRANCE = (load_board(name) for name in ("usa", "germany", "france"))


def ids(found: object) -> list[str]:
    return [one.id for one in found.shown]  # type: ignore[attr-defined]


def test_letters_of_both_cities_find_one_ticket() -> None:
    assert ids(find_tickets(USA, "los mia")) == ["los-angeles--miami"]
    assert ids(find_tickets(USA, "MIAMI  los")) == ["los-angeles--miami"]


def test_the_first_letters_of_both_places_are_one_word() -> None:
    """ "hl" is Helena - Los Angeles; nothing else begins with H and L, and no place with "hl"."""
    assert ids(find_tickets(USA, "hl")) == ["helena--los-angeles"]
    assert ids(find_tickets(USA, "lohe")) == ["helena--los-angeles"]


def test_an_article_may_be_left_out_of_the_first_letters() -> None:
    """No place of France begins with H; with its article the name is found as ever."""
    assert ids(find_tickets(FRANCE, "hb")) == ["le-havre--bourges"]
    assert ids(find_tickets(FRANCE, "lhb")) == ["le-havre--bourges"]
    assert ids(find_routes(FRANCE, "hr")) == ["le-havre--rouen"]


@pytest.mark.parametrize("typed", ["seny", "nyse", "sny", "seneyo", "sn", "se ny", "seattlenewy"])
def test_the_beginnings_of_all_words_may_run_together(typed: str) -> None:
    """Seattle - New York, either way round; S and N alone also begin Sault St Marie - Nashville."""
    assert "seattle--new-york" in ids(find_tickets(USA, typed))[:2]
    assert ids(find_tickets(USA, "sene")) == ["seattle--new-york"]


def test_the_beginnings_of_one_places_words_find_it() -> None:
    """ "salac" is Salt Lake City; letters from the middle of a word begin nothing."""
    assert all("salt-lake-city" in one for one in ids(find_tickets(USA, "salac")))
    assert ids(find_tickets(USA, "seeny")) == []


def test_a_text_without_spaces_is_no_name_and_that_is_known_at_once() -> None:
    """Compared with every name, one as long as an address can be took a minute."""
    began_s = time.process_time()
    assert ids(find_routes(USA, "a" * 12_000)) == ids(find_tickets(USA, "é" * 12_000)) == []
    assert time.process_time() - began_s < 1.0


def test_a_ticket_that_the_players_own_routes_complete_comes_first() -> None:
    found = ids(find_tickets(USA, "mia"))
    assert ids(find_tickets(USA, "mia", likely={found[-1]})) == [found[-1], *found[:-1]]


def test_accents_need_not_be_typed() -> None:
    assert "muenchen" in ids(find_tickets(GERMANY, "munch"))[0]
    assert ids(find_routes(USA, "montreal")) == ids(find_routes(USA, "Montréal"))
    assert ids(find_routes(USA, "montreal"))


@pytest.mark.parametrize(
    ("board", "typed", "place"),
    [
        (USA, "NY", "new-york"),
        (USA, "NYC", "new-york"),
        (USA, "newyork", "new-york"),
        (USA, "la", "los-angeles"),
        (USA, "St Louis", "saint-louis"),
        (USA, "st. louis", "saint-louis"),
        (USA, "Sault Ste Marie", "sault-st-marie"),
        (USA, "Pitsburg", "pittsburgh"),
        (USA, "Pitsbu", "pittsburgh"),
        (USA, "chcago", "chicago"),
        (USA, "nuova york", "new-york"),
        (GERMANY, "muenchen", "muenchen"),
        (GERMANY, "koeln", "koeln"),
        (GERMANY, "monaco", "muenchen"),
        (GERMANY, "colonia", "koeln"),
        (GERMANY, "Cologne", "koeln"),
        (GERMANY, "svizzera", "schweiz"),
        (GERMANY, "wurzburg", "wuerzburg"),
        (FRANCE, "marsiglia", "marseille"),
        (FRANCE, "besancon", "besancon"),
        (FRANCE, "St-Malo", "saint-malo"),
        (FRANCE, "Strassburg", "strasbourg"),
    ],
)
def test_a_place_is_found_however_people_write_it(board: Board, typed: str, place: str) -> None:
    assert place in find_routes(board, typed).shown[0].ends
    if any(place in ticket.places for ticket in board.tickets):
        assert place in find_tickets(board, typed).shown[0].places


def test_what_is_near_to_no_place_finds_nothing() -> None:
    for typed in ("oslo", "xyzzy", "zz"):
        assert (ids(find_tickets(USA, typed)), ids(find_routes(USA, typed))) == ([], [])


def test_a_line_of_a_double_is_found_by_the_name_that_the_panel_shows() -> None:
    assert ids(find_routes(USA, "Dallas – Houston (2)")) == ["dallas--houston-2"]


def test_a_short_form_of_two_places_finds_both() -> None:
    found = find_routes(USA, "sf")
    towns = {end for route in found.shown for end in route.ends}
    assert {"san-francisco", "santa-fe"} <= towns


def test_a_value_may_be_typed_with_a_city() -> None:
    found = find_tickets(USA, "miami 10")
    assert {USA.ticket_by_id[name].points for name in ids(found)} == {10}


def test_at_most_six_are_shown_and_the_rest_is_counted() -> None:
    found = find_tickets(GERMANY, "b")
    assert len(found.shown) == 6
    beginning = [
        ticket
        for ticket in GERMANY.tickets
        if any(GERMANY.place_by_id[place].name.startswith("B") for place in ticket.places)
    ]
    assert len(found.shown) + found.more == len(beginning)


def test_tickets_in_hand_are_not_offered_again() -> None:
    assert ids(find_tickets(USA, "los mia", {"los-angeles--miami"})) == []


def test_nothing_typed_finds_nothing() -> None:
    assert find_tickets(USA, "  ").shown == ()


def test_a_walk_goes_from_city_to_city() -> None:
    steps = walk(USA, ["denver--omaha", "duluth--omaha-1", "duluth--helena", "denver--helena"])
    assert [step.start for step in steps] == ["denver", "omaha", "duluth", "helena"]
    assert all(one.end == other.start for one, other in pairwise(steps))
    assert [step.backwards for step in steps] == [False, True, False, True]
    assert [step.total for step in steps] == [4, 6, 12, 16]


def test_both_lines_of_a_double_are_walked_there_and_back() -> None:
    steps = walk(USA, ["duluth--omaha-1", "duluth--omaha-2", "duluth--helena"])
    assert [step.start for step in steps] == ["duluth", "omaha", "duluth"]


def test_a_walk_out_of_a_country_starts_there() -> None:
    first, second = walk(GERMANY, ["frankreich--freiburg", "freiburg--karlsruhe"])
    assert (first.start, second.end) == ("frankreich", "karlsruhe")


def test_a_path_that_breaks_off_is_walked_as_far_as_it_goes() -> None:
    assert len(walk(USA, ["denver--omaha", "miami--new-orleans"])) == 1
    assert walk(USA, []) == ()


def test_every_colour_has_a_shape_of_its_own() -> None:
    assert set(MARK_PATHS) == set(SYMBOL) == set(COLOURS)
    assert len(set(MARK_PATHS.values())) == len(COLOURS)


@pytest.mark.parametrize("colour", COLOURS)
def test_a_shape_stands_out_on_its_colour(colour: str) -> None:
    ground = luminance(HEX[colour])
    assert contrast(ground, luminance(ink_on(HEX[colour]))) >= 4.5
    assert f".c-{colour}{{--c:{HEX[colour]};" in style_sheet()


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast(luminance("#000000"), luminance("#ffffff")) == pytest.approx(21)


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Zoë\u202e\u200b\n", "Zoë"),
        ("\u2800\u3164", ""),
        ("A\u034fda\u3164", "Ada"),
        ("Ada \u2764\ufe0f", "Ada \u2764\ufe0f"),
        ("\ufe0f", ""),
        ("\U0001d159", ""),
        ("\u2068Ada\u2069\tNeri", "Ada Neri"),
        ("Ada \U0001f468\u200d\U0001f467", "Ada \U0001f468\U0001f467"),
        ("Mia \U0001fa77", "Mia \U0001fa77"),  # a pink heart, of 2022
        ("Zoe\u0308", "Zo\u00eb"),
        ("Zoe\u200d\u0308", "Zo\u00eb"),
        ("A" * 24, "A" * 24),
        (7, ""),
        (None, ""),
    ],
)
def test_a_name_is_one_clean_line(sent: object, name: str) -> None:
    assert clean_name(sent) == name


@pytest.mark.parametrize("name", ["A\U000e0100da", "\u180bAda", "Ada\ufe0f", "A\U0001d159da"])
def test_a_name_that_looks_like_another_is_that_one(name: str) -> None:
    assert one_spelling(name) == one_spelling("Ada")


def test_a_long_name_is_refused_in_words_and_never_cut() -> None:
    with pytest.raises(BadRequestError) as refused:
        clean_name("Maximiliana von Habsburg-L")
    assert refused.value.sentence("en") == (
        "“Maximiliana von Habsburg…” is too long: at most 24 letters."
    )


def player_sheet(name: str, colour: str, *lines: Line) -> PlayerSheet:
    total = sum(line.points for line in lines)
    return PlayerSheet(name, colour, total, lines, 0, None, wagons_used=0, wagons_left=45, rank=1)


def sheet_of(players: tuple[PlayerSheet, ...], tie_break: str | None = None) -> Sheet:
    """A sheet on which everybody wins."""
    winners = tuple(player.name for player in players)
    return Sheet("usa", players, winners, tie_break, (), {}, (), (), {}, {})


def test_a_shared_win_and_its_rule_are_said() -> None:
    players = (player_sheet("Ada", "red"), player_sheet("Ben", "blue"))
    view = view_sheet(sheet_of(players, tie_break="shared"), USA, "en")
    assert view.headline == "Ada and Ben share the win!"
    assert view.tie_break == "Level in everything: the win is shared."


def test_typed_tickets_without_places_are_still_a_line() -> None:
    lines = [
        Line("ticket", 5, {"stated": True}, {"ticket": None, "completed": True}),
        Line("ticket", -4, {}, {"ticket": ["rome", "paris"], "completed": False}),
        Line("flags", 8, {"flags": 2}),
    ]
    sheet = sheet_of((player_sheet("Ada", "red", *lines),))
    titles = [line.title for line in view_sheet(sheet, None, "it").cards[0].lines]
    assert titles == ["Biglietto", "Rome – Paris", "Bandiere francesi"]


def test_what_a_ticket_lacked_is_told_without_a_line_of_a_double() -> None:
    """Either of the two lines between Koblenz and Köln would have done."""
    evidence = {"missing": ["koblenz--koeln-1"], "missing_wagons": 1}
    lacked_line = Line("ticket", -3, evidence, {"ticket": ["koblenz", "koeln"], "completed": False})
    sheet = sheet_of((player_sheet("Ada", "red", lacked_line),))
    (told,) = view_sheet(sheet, GERMANY, "it").cards[0].lines
    assert told.detail == "non completato: mancava Koblenz – Köln"


def test_a_name_that_is_read_from_the_right_keeps_its_number_behind_it() -> None:
    """A browser drew "Ada 7, 3 שרה": the 3 stood beside Ada. Isolates (UAX 9) end that."""
    lengths = {"Ben": 9, "Ada": 7, "שרה": 3}
    line = Line("longest-path", 10, {"length": 9, "lengths": lengths, "path": []})
    (told,) = view_sheet(sheet_of((player_sheet("Ben", "red", line),)), USA, "en").cards[0].lines
    assert told.detail == "9 wagons (Ada 7, \u2068שרה\u2069 3)"


class AskedTable(FakeTable):
    """Counts how often it is asked for a moment."""

    asked = 0

    def moment(self) -> Moment:
        self.asked += 1
        return super().moment()


def test_a_page_shows_one_moment() -> None:
    """State, board and sheet come in one call, so that no change can lie between them."""
    table = AskedTable()
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    table.act("start", {"board": "usa", "players": players, "camera": False})
    client = create_app(table).test_client()
    for page in ("/board", "/doubts", "/tickets", "/sheet"):
        table.asked = 0
        assert client.get(page).status_code == 200
        assert table.asked == 1


def test_the_longest_path_is_walked_by_the_stops_it_was_found_with() -> None:
    """France to Freiburg and on to Karlsruhe; each line of a country has a stop of its own."""
    path = ("frankreich--freiburg", "freiburg--karlsruhe")
    lengths = [GERMANY.route_by_id[name].length for name in path]
    trail = Trail(sum(lengths), path, (f"frankreich:{path[0]}", "freiburg", "karlsruhe"))
    first, second = walk_trail(GERMANY, trail)
    assert (first.start, first.end, second.end) == ("frankreich", "freiburg", "karlsruhe")
    assert (first.total, second.total) == (lengths[0], sum(lengths))
    back = walk_trail(GERMANY, Trail(trail.length, path[::-1], trail.stops[::-1]))
    assert [step.backwards for step in back] == [not step.backwards for step in (second, first)]


def test_an_accent_is_one_sign_in_a_typed_bonus_and_a_typed_place() -> None:
    two_signs, one_sign = (
        "Caffe\N{COMBINING GRAVE ACCENT}",
        "Caff\N{LATIN SMALL LETTER E WITH GRAVE}",
    )
    assert clean_place(two_signs, "from") == one_sign
    assert bonuses_from({"bonus": two_signs, "points": "5"}, {one_sign: 3}) == {one_sign: 5}
    assert bonuses_from({"bonuses": {f" {two_signs} ": 5}}, {}) == {one_sign: 5}


@pytest.mark.parametrize("bonuses", [{"": 5}, {" ": 5}, {"Caff\u00e8": 5, "Caffe\u0300": 3}])
def test_a_bonus_without_a_name_and_one_that_stands_twice_are_refused(
    bonuses: dict[str, int],
) -> None:
    with pytest.raises(BadRequestError):
        bonuses_from({"bonuses": bonuses}, {})
