"""The steps of teaching a board: what each changes, what it refuses, and undo."""

import re
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from companion.errors import RefusalError
from companion.studio.cards import confirmed
from companion.studio.crossings import crossed_lines
from companion.studio.document import check, write
from companion.studio.draft import (
    Box,
    Draft,
    DraftPlace,
    DraftRules,
    Line,
    draft_from_json,
    draft_to_json,
)
from companion.studio.names import slug
from companion.studio.steps import apply, replay
from companion.studio.ticket_csv import text_of, tickets_of
from scoring.board.board import board_from_json

SIZE = (800.0, 500.0)
BOX = (25.0, 9.0)


def line_of(length: int, y: float = 0.2, start: float = 0.1) -> tuple[Box, ...]:
    """Boxes of 25 mm, 2 mm apart, from left to right."""
    return tuple(Box(start + (20 + 27 * k) / 800, y, 0.0) for k in range(length))


@pytest.fixture
def draft() -> Draft:
    """Ash (1) and Birch (2) joined by three spaces, Birch and a nameless place (3) by two."""
    places = {
        1: DraftPlace(0.1, 0.2, "Ash"),
        2: DraftPlace(0.1 + 94 / 800, 0.2, "Birch"),
        3: DraftPlace(0.1 + 161 / 800, 0.2),
    }
    lines = {
        4: Line(line_of(3), "red", (1, 2)),
        5: Line(line_of(2, start=0.1 + 94 / 800), "grey", (2, 3)),
    }
    return Draft(SIZE, BOX, places, lines, next_number=6)


def refused(draft: Draft, **step: Any) -> str:
    with pytest.raises(RefusalError) as error:
        apply(draft, step)
    assert error.value.sentence("it"), "in Italian too"
    return error.value.sentence("en")


@pytest.mark.parametrize(
    ("typed", "kept"), [(44.96, 45.0), (179.94, 179.9), (179.98, 0.0), (-0.02, 0.0), (360, 0.0)]
)
def test_a_direction_is_kept_below_half_a_turn(draft: Draft, typed: float, kept: float) -> None:
    """To a tenth of a degree; half a turn leaves a box as it lies."""
    step = {"do": "move-space", "line": 4, "space": 1, "x": 0.1, "y": 0.2, "angle": typed}
    assert apply(draft, step).lines[4].boxes[0].angle == kept


def test_a_place_is_named_once(draft: Draft) -> None:
    named = apply(draft, {"do": "name-place", "place": "3", "name": "  Cedar  "})
    assert named.places[3].name == "Cedar"
    turned = apply(draft, {"do": "name-place", "place": "3", "name": "\u202eCe\u200bdar\u202c"})
    assert turned.places[3].name == "Cedar", "no sign turns the line in which it stands"
    assert "already" in refused(draft, do="name-place", place="3", name="ash")
    again = apply(draft, {"do": "name-place", "place": "1", "name": "ASH", "country": "on"})
    assert again.places[1].is_country


def test_two_proposed_places_become_one(draft: Draft) -> None:
    joined = apply(draft, {"do": "join-places", "place": "3", "into": "1"})
    assert set(joined.places) == {1, 2}
    assert joined.lines[5].ends == (2, 1)
    assert "two different places" in refused(draft, do="join-places", place="1", into="1")


@pytest.mark.parametrize("length", ["00000009999", "0" * 9 + "3" * 5000, "1e1", "²", "-1", ""])
def test_a_length_is_a_whole_number_within_its_bounds(draft: Draft, length: str) -> None:
    step = {"do": "add-line", "from": "1", "to": "3", "length": length}
    assert "1 to 12" in refused(draft, **step)


@pytest.mark.parametrize("points", ["0000999", "0" * 9 + "3" * 5000, "100", "²"])
def test_a_value_in_a_list_of_tickets_is_at_most_99(draft: Draft, points: str) -> None:
    with pytest.raises(RefusalError) as error:
        tickets_of(f"Ash;Birch;{points}\n1;2;3", draft)
    assert "row 1 needs" in error.value.sentence("en")


def test_a_place_with_lines_is_not_deleted(draft: Draft) -> None:
    assert "Lines end at Ash" in refused(draft, do="delete-place", place="1")
    free = apply(draft, {"do": "add-place", "name": "Fir", "x": 0.5, "y": 0.5})
    assert 6 not in apply(free, {"do": "delete-place", "place": "6"}).places


def test_a_line_is_drawn_from_place_to_place(draft: Draft) -> None:
    drawn = apply(
        draft, {"do": "add-line", "from": "1", "to": "3", "length": "4", "colour": "blue"}
    )
    line = drawn.lines[6]
    assert (len(line.boxes), line.ends, line.colour) == (4, (1, 3), "blue")
    assert [box.angle for box in line.boxes] == [0.0] * 4
    xs = [box.x for box in line.boxes]
    assert xs == sorted(xs)
    assert draft.places[1].x < xs[0]
    assert xs[-1] < draft.places[3].x
    assert "from 1 to 12" in refused(
        draft, do="add-line", **{"from": "1", "to": "3", "length": "0"}
    )


def test_a_line_is_split_and_joined_again(draft: Draft) -> None:
    split = apply(draft, {"do": "split-line", "line": "4", "after": "1"})
    assert [len(split.lines[n].boxes) for n in (4, 7)] == [1, 2]
    assert split.lines[4].ends == (1, 6)
    assert split.lines[7].ends == (6, 2)
    joined = apply(split, {"do": "join-lines", "line": "4", "other": "7"})
    assert joined.lines[4].boxes == draft.lines[4].boxes
    assert joined.lines[4].ends == (1, 2)
    assert set(joined.places) == {1, 2, 3}, "the nameless place between them is gone"


def test_spaces_keep_their_order_along_the_line(draft: Draft) -> None:
    shorter = apply(draft, {"do": "delete-space", "line": "4", "space": "2"})
    assert len(shorter.lines[4].boxes) == 2
    gone = draft.lines[4].boxes[1]
    back = apply(shorter, {"do": "add-space", "line": "4", "x": gone.x, "y": gone.y})
    assert back.lines[4].boxes == draft.lines[4].boxes


def test_the_last_space_takes_its_line_along(draft: Draft) -> None:
    one = apply(draft, {"do": "delete-space", "line": "5", "space": "1"})
    none = apply(one, {"do": "delete-space", "line": "5", "space": "1"})
    assert set(none.lines) == {4}
    assert set(none.places) == {1, 2}, "a nameless place without lines goes too"


def test_other_ends_turn_the_line_round(draft: Draft) -> None:
    turned = apply(draft, {"do": "line-ends", "line": "4", "from": "2", "to": "1"})
    assert turned.lines[4].boxes == draft.lines[4].boxes[::-1]


def test_every_step_can_be_undone_and_kept_as_text(draft: Draft) -> None:
    steps = [
        {"do": "name-place", "place": "3", "name": "Cedar"},
        {"do": "mark-line", "line": "4", "colour": "blue", "ferry": "1", "tunnel": "on"},
        {"do": "add-ticket", "from": "1", "to": "3", "points": "7"},
    ]
    done = replay(draft, steps)
    assert draft_from_json(draft_to_json(done)) == done
    assert replay(draft, steps[:2]).tickets == ()


@pytest.mark.parametrize(
    "step",
    [
        {"do": "eat"},
        {},
        {"do": "name-place"},
        {"do": "name-place", "place": "99", "name": "x"},
        {"do": "move-place", "place": "1", "x": "nan", "y": "0"},
        {"do": "move-place", "place": "1", "x": "7", "y": "0"},
        {"do": "mark-line", "line": "4", "ferry": "9"},
        {"do": "mark-line", "line": "4", "ferry": "0", "colour": "mauve"},
        {"do": "split-line", "line": "4", "after": "3"},
        {"do": "join-lines", "line": "4", "other": "4"},
        {"do": "move-space", "line": "4", "space": "0", "x": ".1", "y": ".1", "angle": "0"},
        {"do": "add-ticket", "from": "1", "to": "1", "points": "5"},
        {"do": "remove-ticket", "ticket": "1"},
        {"do": "rules", "players-low": "0"},
    ],
)
def test_a_step_that_makes_no_sense_is_refused_in_a_sentence(
    draft: Draft, step: dict[str, Any]
) -> None:
    assert refused(draft, **step)


def test_the_board_file_is_one_like_those_of_the_program(draft: Draft) -> None:
    named = apply(draft, {"do": "name-place", "place": "3", "name": "Čedar-am-See"})
    named = apply(named, {"do": "add-ticket", "from": "3", "to": "1", "points": "7"})
    twin = replace(named.lines[4], boxes=line_of(3, y=0.2 + 10 / 500), colour="blue")
    named = named.with_line(6, twin)
    titled = replace(named, rules=replace(named.rules, title="Wood"))
    written = write(titled, "wood", 1)
    assert [one.message.text() for one in check(titled, written) if one.is_error] == []
    board = board_from_json(written.document)
    assert [route.id for route in board.routes] == [
        "ash--birch-1",
        "ash--birch-2",
        "birch--cedar-am-see",
    ]
    assert board.parallel_groups["ash--birch"][1].colour == "blue"
    assert board.place_by_id["cedar-am-see"].name == "Čedar-am-See"
    assert board.ticket_by_id["ash--cedar-am-see"].points == 7
    assert board.route_by_id["ash--birch-1"].spaces[0].x < 0.15, "from Ash, whose id comes first"


def test_checks_name_places_and_never_ids(draft: Draft) -> None:
    far = apply(
        draft, {"do": "move-space", "line": "4", "space": "3", "x": 0.9, "y": 0.9, "angle": 45}
    )
    titled = replace(far, rules=replace(far.rules, title="Wood"))
    errors = [one for one in check(titled, write(titled, "wood", 1)) if one.is_error]
    assert errors
    assert any(one.lines == (4,) for one in errors)
    assert any("Ash – Birch" in one.message.text() for one in errors)
    assert not any("--" in one.message.text() for one in errors)
    told = [one.message.text("it") for one in errors if one.lines == (4,)]
    assert any(": casella 3: " in one for one in told), "its space by its number"
    assert not any("route" in one or "spaces" in one for one in told), "no words of the file"


def test_a_loop_a_lonely_place_and_an_unequal_double_are_told(draft: Draft) -> None:
    lonely = apply(draft, {"do": "add-place", "name": "Fir", "x": 0.5, "y": 0.5})
    loop = lonely.with_line(9, Line(line_of(1, y=0.6), "grey", (2, 2)))
    double = loop.with_line(10, Line(line_of(2, y=0.25), "grey", (1, 2)))
    said = " ".join(one.message.text() for one in check(double, write(double, "wood", 1)))
    assert "Birch – Birch begins and ends at the same place" in said
    assert "No line leads to Fir" in said
    assert "Ash – Birch are not equally long" in said
    assert "The board has no name yet." in said


def test_names_become_ids() -> None:
    names = ["Saint-Étienne", "Köln", "Weißenburg", "St. John's", "東京"]
    assert [slug(n) for n in names] == ["saint-etienne", "koln", "weissenburg", "st-john-s", ""]


def test_a_letter_that_is_more_than_one_with_an_accent_stays_in_the_id() -> None:
    """They fell out of it: a taught board's Łódź was called "odz" in every file."""
    names = ["Łódź", "Đakovo", "Þorlákshöfn", "Ærøskøbing", "Diyarbakır", "Œuilly"]
    ids = ["lodz", "dakovo", "thorlakshofn", "aeroskobing", "diyarbakir", "oeuilly"]
    assert [slug(n) for n in names] == ids


@given(st.lists(st.text(min_size=1, max_size=12), min_size=2, max_size=6))
@example(["東京", "京都"])
@example(["か", "が"])
@example(["और", "ओर", "Орел", "Орёл"])
@example(["São Tomé", "Sao Tome", "SAO-TOME", "sao tome 2"])
@example(["!", "?", "..."])
@example(["Place 1", "place-2", "プ", "Birch", "Birch 2"])
@example(["Ash", "Birch", "Birch 2"])
@settings(max_examples=60, deadline=None, derandomize=True)
def test_places_of_any_names_stay_apart(names: list[str]) -> None:
    """All are joined, the first two doubly: ids are valid and as many as there are."""
    draft = Draft(SIZE, BOX, {}, {}, rules=DraftRules(title="東京"))
    for k, name in enumerate(names):
        with suppress(RefusalError):  # the same name in other capitals
            place = {"do": "add-place", "x": 0.1 + 0.15 * k, "y": 0.2, "name": name}
            draft = apply(draft, place)
    pairs = list(combinations(draft.places, 2))
    pairs += pairs[:1]
    for one, other in pairs:
        line = {"do": "add-line", "from": str(one), "to": str(other), "length": "2"}
        draft = apply(draft, line)
    board = write(draft, "board", 1).document
    places = [place["id"] for place in board["places"]]
    routes = [route["id"] for route in board["routes"]]
    assert all(re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", place) for place in places)
    assert len(set(places)) == len(places) == len(draft.places)
    assert len(set(routes)) == len(routes) == len(pairs)
    assert {place["name"] for place in board["places"]} >= {
        p.name for p in draft.places.values()
    } - {""}


def test_tickets_find_their_place_among_names_that_differ_little(draft: Draft) -> None:
    for number, name in ((1, "東京"), (2, "京都"), (3, "São Tomé")):
        step = {"do": "name-place", "place": str(number), "name": name}
        draft = apply(draft, step)
    draft = draft.with_place(9, DraftPlace(0.5, 0.5, "Sao Tome"))
    rows = "東京;京都;5\nSão Tomé;京都;6\nSAO TOME;東京;7"
    places = [ticket["places"] for ticket in tickets_of(rows, draft)]
    assert places == [[1, 2], [3, 2], [9, 1]]
    with pytest.raises(RefusalError, match="São"):
        tickets_of("São-Tome;東京;7", draft)  # either may be meant
    cards = [{"names": ["京都", "東京"], "points": 5}, {"names": ["大阪", "東京"], "points": 6}]
    taken = apply(draft, {"do": "take-tickets", "tickets": cards})
    assert [taken.place_name(n) for ticket in taken.tickets for n in ticket.places] == [
        "京都", "東京", "大阪", "東京"
    ]  # fmt: skip


def test_tickets_come_from_a_windows_spreadsheet(draft: Draft) -> None:
    named = apply(draft, {"do": "name-place", "place": "3", "name": "Öland"})
    words = text_of("from;to;points\r\nAsh;Öland;9\r\nÖLAND;birch;4\r\n".encode("cp1252"))
    tickets = tickets_of(words, named)
    assert tickets == [{"places": [1, 3], "points": 9}, {"places": [3, 2], "points": 4}]
    assert tickets_of("Ash\toland\t9", named) == [{"places": [1, 3], "points": 9}]
    assert apply(named, {"do": "set-tickets", "tickets": tickets}).tickets[0].points == 9


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("", "No ticket is in there"),
        ("Ash;Brich;9", "row 1: no place is called “Brich”; did you mean Birch?"),
        ("Ash;Zzz;9\nAsh;Birch;x", "row 1: no place is called “Zzz”; row 2 needs two places"),
        ("Ash;Birch;100", "row 1 needs two places and points from 0 to 99"),
        ("Ash;Birch;5\n" * 301, "More than 300 rows"),
    ],
)
def test_a_table_of_tickets_is_refused_as_a_whole(draft: Draft, words: str, sentence: str) -> None:
    with pytest.raises(RefusalError) as error:
        tickets_of(words, draft)
    assert sentence in error.value.sentence("en")


def test_a_ticket_stands_once(draft: Draft) -> None:
    twice = [{"places": [1, 2], "points": 5}, {"places": [2, 1], "points": 6}]
    assert "Birch – Ash is among the tickets twice" in refused(
        draft, do="set-tickets", tickets=twice
    )


def test_tickets_from_cards_make_places_that_wait_for_the_map(draft: Draft) -> None:
    rows = [{"names": ["ASH", "Cedar"], "points": 7}, {"names": ["Birch", "Cedar"], "points": 9}]
    taken = apply(draft, {"do": "take-tickets", "tickets": rows})
    assert [(one.places, one.points) for one in taken.tickets] == [((1, 6), 7), ((2, 6), 9)]
    assert taken.places[6].name == "Cedar"
    assert apply(taken, {"do": "take-tickets", "tickets": rows[:1]}).tickets == taken.tickets
    # The nameless place at the end of a line gets that name: it is Cedar, where the map shows it.
    named = apply(taken, {"do": "name-place", "place": "3", "name": "Cedar"})
    assert 6 not in named.places
    assert (named.places[3].name, named.places[3].x) == ("Cedar", draft.places[3].x)
    assert [one.places for one in named.tickets] == [(1, 3), (2, 3)]


def test_rows_of_cards_that_say_too_little_are_refused_together() -> None:
    form = {"take-0": "on", "from-0": "Ash", "to-0": "", "points-0": "7"}
    form |= {"take-1": "on", "from-1": "Ash", "to-1": "ash", "points-1": "7"}
    form |= {"from-2": "Ash", "to-2": "Birch", "points-2": "x"}  # not to be taken
    with pytest.raises(RefusalError) as error:
        confirmed(form)
    assert "card 1 needs two places" in error.value.sentence("en")
    assert "carta 2" in error.value.sentence("it")
    assert "3" not in error.value.sentence("en")
    with pytest.raises(RefusalError, match="ticket"):
        confirmed({})


def crossed(draft: Draft) -> Draft:
    """The draft with a line from Dogwood (6), above, to Elm (7), below, across Ash – Birch."""
    draft = draft.with_place(6, DraftPlace(0.1 + 47 / 800, 0.05, "Dogwood"))
    draft = draft.with_place(7, DraftPlace(0.1 + 47 / 800, 0.35, "Elm"))
    boxes = tuple(Box(0.1 + 47 / 800, y, 90.0) for y in (0.1, 0.2, 0.3))
    return draft.with_line(8, Line(boxes, "blue", (6, 7)))


def test_lines_that_cross_are_seen_and_marked_in_the_board_file(draft: Draft) -> None:
    plain = crossed(draft)
    assert crossed_lines(plain) == {4: [8], 5: [], 8: [4]}
    marked = apply(plain, {"do": "cross-lines", "line": "8", "other": "4"})
    again = apply(marked, {"do": "cross-lines", "line": "4", "other": "8"})
    assert again.crossings == marked.crossings == ((4, 8),)
    document = write(marked, "woods", 1).document
    assert document["crossings"] == [["ash--birch", "dogwood--elm"]]
    assert draft_from_json(draft_to_json(marked)) == marked
    free = apply(marked, {"do": "uncross-lines", "line": "8", "other": "4"})
    assert "crossings" not in write(free, "woods", 1).document
    assert "itself" in refused(plain, do="cross-lines", line="4", other="4")


def test_a_crossing_goes_with_the_part_of_a_line_that_crosses(draft: Draft) -> None:
    marked = apply(crossed(draft), {"do": "cross-lines", "line": "4", "other": "8"})
    # Dogwood – Elm runs over the second of Ash – Birch's three spaces: at 47 of 20, 47, 74 mm.
    cut = apply(marked, {"do": "split-line", "line": "4", "after": "1"})
    (second,) = cut.lines.keys() - marked.lines.keys()
    assert cut.crossings == ((8, second),)
    whole = apply(cut, {"do": "join-lines", "line": "4", "other": str(second)})
    assert whole.crossings == ((4, 8),)
    assert apply(whole, {"do": "delete-line", "line": "8"}).crossings == ()


def test_a_board_within_other_corners_lies_where_it_lay(draft: Draft) -> None:
    """The left half of the frame, 400 mm wide, becomes the whole: all x double, no angle turns."""
    slanted = draft.with_line(6, Line((Box(0.25, 0.5, 30.0),), "blue", (1, 3)))
    half = [[0, 0], [0.5, 0], [0.5, 1], [0, 1]]
    step = {"do": "corners", "corners": half, "size_mm": [400, 500]}
    moved = apply(slanted, step)
    assert (moved.places[1].x, moved.places[1].y) == (0.2, 0.2)
    assert moved.lines[6].boxes == (Box(0.5, 0.5, 30.0),)
    assert moved.distance_mm(moved.places[1], moved.places[2]) == pytest.approx(94, abs=0.01)
    assert draft_from_json(draft_to_json(moved)) == moved
    # Half of that once more is a quarter of the frame that it began with.
    again = apply(moved, step | {"size_mm": [200, 500]})
    assert again.frame == ((0, 0), (0.25, 0), (0.25, 1), (0, 1))
    twisted = [half[0], half[2], half[1], half[3]]
    assert "round no board" in refused(draft, **(step | {"corners": twisted}))


def test_a_second_tap_takes_no_other_ticket_and_no_other_space_away(draft: Draft) -> None:
    for first, second in (("1", "2"), ("2", "3"), ("1", "3")):
        draft = apply(draft, {"do": "add-ticket", "from": first, "to": second, "points": "5"})
    away = {"do": "remove-ticket", "from": "2", "to": "1"}
    draft = apply(draft, away)
    assert [one.places for one in draft.tickets] == [(2, 3), (1, 3)]
    assert "That ticket" in refused(draft, **away)
    space = {"do": "delete-space", "line": "4", "space": "1", "of": "3"}
    draft = apply(draft, space)
    assert len(draft.lines[4].boxes) == 2
    assert "That space" in refused(draft, **space)


def told(draft: Draft, language: str) -> list[str]:
    return [one.message.text(language) for one in check(draft, write(draft, "b", 1))]


@pytest.mark.parametrize(
    ("language", "loop", "twice", "colours"),
    [
        (
            "en",
            "The ticket Ash – Ash begins and ends at the same place: remove it from the tickets.",
            "Birch – Ash is among the tickets twice",
            "this board: players' colours: 5 colours for 6 players",
        ),
        (
            "it",
            "Il biglietto Ash – Ash comincia e finisce nello stesso luogo: toglilo dai biglietti.",
            "Birch – Ash c'è due volte tra i biglietti",
            "questo tabellone: colori dei giocatori: 5 colori per 6 giocatori",
        ),
    ],
)
def test_what_is_wrong_with_tickets_and_colours_is_told_in_words(
    draft: Draft, language: str, loop: str, twice: str, colours: str
) -> None:
    titled = apply(draft, {"do": "title", "title": "Board"})
    for first, second in (("1", "3"), ("2", "1"), ("2", "3")):
        titled = apply(titled, {"do": "add-ticket", "from": first, "to": second, "points": "5"})
    joined = apply(titled, {"do": "join-places", "place": "3", "into": "1"})
    said = told(joined, language)
    assert said[0] == loop
    assert said[1].startswith(twice)
    six = replace(titled, rules=replace(titled.rules, players=(2, 6)))
    assert told(six, language)[0] == colours
