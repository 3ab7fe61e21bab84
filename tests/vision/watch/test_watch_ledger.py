"""What is announced of looks whose evidence is given by hand: no picture, no network."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from scoring.board.board import load_board
from scoring.game.colours import COLOURS as COLOUR_NAMES
from tests.vision.watch.watch_stories import COLOURS, evidence_of, told
from vision.reading import EMPTY, OCCLUDED
from vision.registration.board_geometry import board_quads_mm
from vision.routes.account import Account, account_of
from vision.spaces.evidence import SpaceEvidence
from vision.wagons.find import FoundWagons
from vision.watch.events import WatchEvent
from vision.watch.ledger import FrameEvidence, RouteLedger, looks_bare

USA = load_board("usa")
LONG = "el-paso--los-angeles"
SPACES = [(route.id, place) for route in USA.routes for place in range(route.length)]


def labels(owners: Mapping[str, str | Sequence[str]]) -> list[str]:
    """Labels of all spaces: a route's word for each of its spaces, or a list of words."""
    words = []
    for route, place in SPACES:
        word = owners.get(route, EMPTY)
        words.append(word if isinstance(word, str) else word[place])
    return words


def share(routes: Sequence[str]) -> np.ndarray:
    """A change all over these routes and nowhere else."""
    return np.array([1.0 if route in routes else 0.0 for route, _ in SPACES])


def look(
    owners: Mapping[str, str | Sequence[str]],
    changed: Sequence[str] = (),
    sure: bool = True,
    settled: bool = True,
    evidence: SpaceEvidence | None = None,
) -> FrameEvidence:
    words = labels(owners)
    hidden = np.array([word == OCCLUDED for word in words])
    return FrameEvidence(evidence or evidence_of(words), hidden, share(changed), sure, settled)


def empty_ledger() -> RouteLedger:
    ledger = RouteLedger(USA, COLOURS)
    ledger.start_empty()
    return ledger


def test_a_claim_is_told_once() -> None:
    ledger = empty_ledger()
    claim = look({LONG: "red"}, changed=[LONG])
    assert told(ledger.observe(claim, 1.0)) == [("claimed", LONG, "red")]
    assert ledger.observe(claim, 2.0) == []
    assert ledger.owners[LONG] == "red"


def test_a_reader_that_flickers_cannot_claim_what_did_not_change() -> None:
    ledger = empty_ledger()
    assert ledger.observe(look({LONG: "red"}), 1.0) == []
    assert ledger.owners[LONG] is None
    assert {space.label for space in ledger.readings()[LONG].spaces} == {EMPTY}


def test_without_a_picture_of_the_empty_board_a_hunch_is_asked_about_and_not_claimed() -> None:
    """Six spaces, each red by 0.8: enough beside the empty board, which shows what is print."""
    clear = evidence_of(labels({LONG: "red"}))
    rows = clear.probabilities.copy()
    own = [k for k, (route, _) in enumerate(SPACES) if route == LONG]
    rows[own] = 0.0
    rows[own, clear.labels.index("red")], rows[own, clear.labels.index(EMPTY)] = 0.8, 0.2
    hunch = look({LONG: "red"}, [LONG], evidence=SpaceEvidence(clear.labels, rows))
    assert told(empty_ledger().observe(hunch, 1.0)) == [("claimed", LONG, "red")]
    alone = replace(hunch, beside_empty=False)
    assert told(empty_ledger().observe(alone, 1.0)) == [("doubt", LONG, "red")]


def test_in_a_stream_two_looks_must_agree() -> None:
    ledger = empty_ledger()
    assert ledger.observe(look({LONG: "red"}, [LONG], sure=False), 1.0) == []
    assert ledger.is_waiting
    assert ledger.observe(look({LONG: "blue"}, [LONG], sure=False), 1.2) == []
    events = ledger.observe(look({LONG: "blue"}, [LONG], sure=False), 1.4)
    assert told(events) == [("claimed", LONG, "blue")]
    assert not ledger.is_waiting


def test_a_route_partly_under_a_hand_is_not_claimed_until_all_of_it_is_seen() -> None:
    ledger = empty_ledger()
    half = ["red", "red", "red", OCCLUDED, OCCLUDED, OCCLUDED]
    assert ledger.observe(look({LONG: half}, [LONG], settled=False), 1.0) == []
    events = ledger.observe(look({LONG: "red"}, [LONG]), 2.0)
    assert told(events) == [("claimed", LONG, "red")]


def test_a_claimed_route_under_a_hand_keeps_its_owner_and_shows_as_occluded() -> None:
    ledger = empty_ledger()
    ledger.observe(look({LONG: "red"}, [LONG]), 1.0)
    assert ledger.observe(look({LONG: OCCLUDED}, [LONG], settled=False), 2.0) == []
    reading = ledger.readings()[LONG]
    assert reading.owner == "red"
    assert {space.label for space in reading.spaces} == {OCCLUDED}
    assert ledger.observe(look({LONG: "red"}, [LONG]), 3.0) == []


def test_a_hand_that_was_over_a_route_changed_nothing_there() -> None:
    ledger = empty_ledger()
    ledger.observe(look({LONG: "red"}, changed=[LONG]), 1.0)
    ledger.observe(look({LONG: OCCLUDED}, changed=[LONG], settled=False), 2.0)
    assert ledger.observe(look({LONG: "blue"}), 3.0) == [], "a flicker of the reader"
    assert ledger.owners[LONG] == "red"


def test_wagons_gone_are_told_with_whose_they_were() -> None:
    ledger = empty_ledger()
    ledger.observe(look({LONG: "red"}, [LONG]), 1.0)
    assert told(ledger.observe(look({}, [LONG]), 2.0)) == [("removed", LONG, "red")]


def test_one_wagon_fallen_off_takes_no_route_back() -> None:
    ledger = empty_ledger()
    ledger.observe(look({LONG: "red"}, [LONG]), 1.0)
    five = ["red"] * 5 + [EMPTY]
    assert ledger.observe(look({LONG: five}, [LONG]), 2.0) == []
    assert ledger.owners[LONG] == "red"


def doubtful_look(
    settled: bool = True, one: str = "red", other: str = "blue", changed: Sequence[str] = (LONG,)
) -> FrameEvidence:
    """Red or blue, and the reader cannot tell."""
    evidence = mixed(evidence_of(labels({})), [LONG], {one: 0.52, other: 0.4795})
    return look({LONG: one}, changed, settled=settled, evidence=evidence)


def mixed(clear: SpaceEvidence, routes: Sequence[str], shown: Mapping[str, float]) -> SpaceEvidence:
    """The same, every space of these routes showing these labels and hardly anything else."""
    rows = clear.probabilities.copy()
    for row, (route, _) in zip(rows, SPACES, strict=True):
        if route in routes:
            row[:] = [shown.get(label, 0.0001) for label in clear.labels]
    return SpaceEvidence(clear.labels, rows / rows.sum(axis=1, keepdims=True))


def test_a_doubt_is_told_once_with_the_likelier_owners_and_settled_by_a_claim() -> None:
    ledger = empty_ledger()
    (event,) = ledger.observe(doubtful_look(), 1.0)
    assert told([event]) == [("doubt", LONG, "red")]
    assert [owner for owner, _ in event.alternatives[:2]] == ["red", "blue"]
    assert [a["owner"] for a in event.to_json()["alternatives"]][:2] == ["red", "blue"]
    assert ledger.observe(doubtful_look(), 2.0) == []
    assert ledger.doubtful == (LONG,)
    assert ledger.readings()[LONG].review
    assert told(ledger.observe(look({LONG: "blue"}), 3.0)) == [("claimed", LONG, "blue")]
    assert ledger.doubtful == ()


def test_a_doubt_that_went_and_came_again_is_told_again() -> None:
    ledger = empty_ledger()
    assert told(ledger.observe(doubtful_look(), 1.0)) == [("doubt", LONG, "red")]
    assert ledger.observe(look({}, [LONG]), 2.0) == []
    assert ledger.doubtful == ()
    assert told(ledger.observe(doubtful_look(), 3.0)) == [("doubt", LONG, "red")]


def test_a_doubt_between_other_owners_is_told_anew() -> None:
    ledger = empty_ledger()
    ledger.observe(doubtful_look(), 1.0)
    assert told(ledger.observe(doubtful_look(one="green", other="black"), 2.0)) == [
        ("doubt", LONG, "green")
    ]


def test_who_comes_third_makes_no_other_doubt_of_it() -> None:
    ledger = empty_ledger()
    for t_s, third in enumerate(("green", "black", "yellow")):
        shown = {"red": 0.52, "blue": 0.4795, third: 0.0004}
        evidence = mixed(evidence_of(labels({})), [LONG], shown)
        events = ledger.observe(look({LONG: "red"}, [LONG], evidence=evidence), t_s)
        assert told(events) == ([] if t_s else [("doubt", LONG, "red")])


def test_what_waits_for_a_second_look_is_told_at_the_end_and_once() -> None:
    ledger = empty_ledger()
    assert ledger.observe(look({LONG: "red"}, [LONG], sure=False), 1.0) == []
    assert told(ledger.finish(1.2)) == [("claimed", LONG, "red")]
    assert ledger.owners[LONG] == "red"
    assert ledger.finish(1.4) == []


def test_only_what_is_in_sight_without_a_doubt_and_was_told_is_sure() -> None:
    other = "helena--winnipeg"
    ledger = empty_ledger()
    ledger.observe(look({LONG: "red", other: OCCLUDED}, [LONG], settled=False), 1.0)
    assert ledger.sure()[LONG].owner == "red"
    assert set(USA.route_by_id) - set(ledger.sure()) == {other}
    ledger.settle(LONG, "blue")
    assert LONG not in ledger.sure(), "a person said otherwise"
    ledger = empty_ledger()
    ledger.observe(doubtful_look(), 1.0)
    assert LONG not in ledger.sure()


def test_what_is_uncovered_is_in_sight_again_and_nothing_else_is() -> None:
    other = "helena--winnipeg"
    ledger = empty_ledger()
    ledger.observe(look({LONG: OCCLUDED, other: OCCLUDED}, settled=False), 1.0)
    ledger.uncover(share([LONG]) > 0)
    assert LONG in ledger.sure()
    assert other not in ledger.sure()


def red_wagons(routes: Sequence[str] = (LONG,)) -> Account:
    """A red wagon right on every space of the long route, or of several."""
    boxes_mm = board_quads_mm(USA)
    own = np.concatenate([boxes_mm[USA.spaces_of[route]] for route in routes])
    way = own[:, 1] - own[:, 0]
    colours = np.full((len(own), len(COLOUR_NAMES)), 0.002)
    colours[:, COLOUR_NAMES.index("red")] = 0.982
    chances, lying = np.full(len(own), 0.97), np.zeros(len(own))
    angles = np.arctan2(way[:, 1], way[:, 0])
    found = FoundWagons(own.mean(axis=1), angles, chances, colours, lying, boxes_mm)
    return account_of(found)


def test_the_wagons_that_are_found_settle_a_doubt_before_it_is_voiced() -> None:
    ledger = empty_ledger()
    seen = replace(doubtful_look(), find_wagons=red_wagons)
    assert told(ledger.observe(seen, 1.0)) == [("claimed", LONG, "red")]
    assert ledger.doubtful == ()


def test_they_settle_it_beside_a_claim_too() -> None:
    other = "helena--winnipeg"
    clear = evidence_of(labels({other: "red"}))
    doubt = mixed(clear, [LONG], {"red": 0.52, "blue": 0.4795})
    seen = look({LONG: "red", other: "red"}, [LONG, other], evidence=doubt)
    seen = replace(seen, find_wagons=lambda: red_wagons([LONG, other]))
    events = told(empty_ledger().observe(seen, 1.0))
    assert events == [("claimed", LONG, "red"), ("claimed", other, "red")]


def test_wagons_are_not_looked_for_where_nothing_is_news() -> None:
    def never() -> Account:
        raise AssertionError("nobody asked for the wagons")

    ledger = empty_ledger()
    ledger.observe(look({LONG: "red"}, changed=[LONG]), 1.0)
    assert ledger.observe(replace(look({LONG: "red"}), find_wagons=never), 2.0) == []


def test_a_claim_without_a_wagon_of_its_colour_is_asked_about() -> None:
    """Stray wagons of two players on one route can look like a claim; the finder sees none."""
    seen = replace(look({LONG: "red"}, changed=[LONG]), find_wagons=wagons_nowhere)
    assert told(empty_ledger().observe(seen, 1.0)) == [("doubt", LONG, "red")]


def test_blue_that_a_mirrored_window_may_have_made_is_asked_about() -> None:
    """The light lies over all spaces of the route, over one of them, and where nothing is new."""
    own = [k for k, (route, _) in enumerate(SPACES) if route == LONG]
    evidence = evidence_of(labels({LONG: "blue"}))
    under_it = replace(evidence, tinted=frozenset(own))
    seen = look({LONG: "blue"}, [LONG], evidence=under_it)
    assert told(empty_ledger().observe(seen, 1.0)) == [("doubt", LONG, "blue")]
    seen = look({LONG: "blue"}, [LONG], evidence=replace(evidence, tinted=frozenset(own[:1])))
    ledger = empty_ledger()
    assert told(ledger.observe(seen, 1.0)) == [("claimed", LONG, "blue")]
    assert ledger.observe(look({LONG: "blue"}, evidence=under_it), 2.0) == []


def wagons_nowhere() -> Account:
    """The account of a photo on which no wagon was found."""
    found = FoundWagons(
        at_mm=np.zeros((0, 2)),
        angles_rad=np.zeros(0),
        chances=np.zeros(0),
        colours=np.zeros((0, len(COLOUR_NAMES))),
        lying=np.zeros(0),
        spaces_mm=board_quads_mm(USA),
    )
    return account_of(found)


def test_no_doubt_is_voiced_while_a_hand_is_over_the_board() -> None:
    ledger = empty_ledger()
    assert ledger.observe(doubtful_look(settled=False), 1.0) == []
    assert told(ledger.observe(doubtful_look(), 2.0)) == [("doubt", LONG, "red")]


def test_wagons_laid_and_taken_back_under_way_leave_nothing_to_tell() -> None:
    ledger = empty_ledger()
    three = ["red"] * 3 + [EMPTY] * 3
    ledger.observe(look({LONG: three}, [LONG], sure=False, settled=False), 1.0)
    assert ledger.observe(look({}), 2.0) == []
    assert ledger.owners[LONG] is None


def test_what_a_person_said_is_believed_and_not_announced() -> None:
    ledger = empty_ledger()
    ledger.observe(doubtful_look(), 1.0)
    ledger.settle(LONG, "blue")
    assert ledger.doubtful == ()
    assert ledger.observe(look({LONG: "blue"}), 2.0) == []
    assert ledger.owners[LONG] == "blue"


def test_who_corrects_a_claim_at_once_is_not_contradicted_by_the_same_wagons() -> None:
    ledger = empty_ledger()
    wagons = {LONG: "red"}
    assert told(ledger.observe(look(wagons, [LONG]), 1.0)) == [("claimed", LONG, "red")]
    ledger.settle(LONG, "blue")
    assert ledger.observe(look(wagons), 2.0) == []
    assert ledger.owners[LONG] == "blue"


def test_what_a_person_said_meanwhile_waits_for_no_second_look() -> None:
    ledger = empty_ledger()
    assert ledger.observe(look({LONG: "red"}, [LONG], sure=False), 1.0) == []
    ledger.settle(LONG, "blue")
    assert not ledger.is_waiting
    assert ledger.finish(2.0) == []
    assert ledger.owners[LONG] == "blue"


def test_at_a_first_look_without_an_empty_board_everything_seen_is_news() -> None:
    ledger = RouteLedger(USA, COLOURS)
    events = ledger.observe(look({LONG: "red", "helena--winnipeg": "blue"}), 0.0)
    assert told(events) == [("claimed", LONG, "red"), ("claimed", "helena--winnipeg", "blue")]


def test_events_give_the_contracts_document() -> None:
    event = WatchEvent("claimed", 1.5, "dallas--houston-1", "blue", 0.99712)
    assert event.to_json() == {
        "t": 1.5,
        "kind": "claimed",
        "route": "dallas--houston-1",
        "owner": "blue",
        "confidence": 0.9971,
    }
    assert WatchEvent("hand", 2.0).to_json() == {"t": 2.0, "kind": "hand"}
    assert event.text(USA) == "■ blue claims Dallas – Houston (1)."


def test_an_answer_from_before_the_board_was_read_ends_the_doubt_but_not_what_is_sure() -> None:
    """A game goes on after a pause: a person had said red, and now the board is seen first."""
    ledger = RouteLedger(USA, COLOURS)
    ledger.settle(LONG, "red")
    assert ledger.observe(doubtful_look(), 1.0) == []
    assert (ledger.owners[LONG], ledger.doubtful) == ("red", ())
    ledger = RouteLedger(USA, COLOURS)
    ledger.settle(LONG, "red")
    assert told(ledger.observe(look({LONG: "blue"}), 1.0)) == [("claimed", LONG, "blue")]
    ledger = RouteLedger(USA, COLOURS)
    ledger.settle(LONG, "red")
    assert ledger.observe(look({LONG: "red"}), 1.0) == []


def test_what_a_person_has_answered_is_not_asked_again() -> None:
    ledger = empty_ledger()
    ledger.observe(doubtful_look(), 1.0)
    ledger.settle(LONG, "blue")
    assert ledger.observe(doubtful_look(), 2.0) == []
    assert (ledger.owners[LONG], ledger.doubtful) == ("blue", ())
    # Wagons that come after "nobody's" are another matter.
    ledger = empty_ledger()
    ledger.settle(LONG, None)
    assert told(ledger.observe(doubtful_look(), 2.0)) == [("doubt", LONG, "red")]


def test_who_was_proved_wrong_by_a_sure_look_is_asked_about_the_next_doubt() -> None:
    """Blue was typed; red wagons stand there; then a hand moves them and they look like blue's."""
    ledger = empty_ledger()
    ledger.settle(LONG, "blue")
    assert told(ledger.observe(look({LONG: "red"}, [LONG]), 1.0)) == [("claimed", LONG, "red")]
    assert told(ledger.observe(doubtful_look(), 2.0)) == [("doubt", LONG, "red")]


def test_an_answer_from_before_the_first_look_is_spared_that_look_s_doubt_only() -> None:
    """Nobody's, it was said before the pause; wagons that come later are another matter."""
    ledger = RouteLedger(USA, COLOURS)
    ledger.settle(LONG, None)
    assert ledger.observe(doubtful_look(), 1.0) == []
    assert ledger.observe(doubtful_look(changed=()), 2.0) == [], "nothing moved since"
    assert told(ledger.observe(doubtful_look(), 3.0)) == [("doubt", LONG, "red")]


def test_who_said_that_a_route_is_free_is_not_asked_where_it_still_looks_so_the_most() -> None:
    """One red wagon lies on its six spaces."""
    perhaps = look({LONG: [EMPTY, EMPTY, "red", EMPTY, EMPTY, EMPTY]}, [LONG])
    assert told(empty_ledger().observe(perhaps, 1.0)) == [("doubt", LONG)]
    ledger = empty_ledger()
    ledger.settle(LONG, None)
    assert ledger.observe(perhaps, 1.0) == []


SHORT = [route.id for route in USA.routes if route.length == 2]


def test_print_that_is_taken_for_wagons_here_and_there_is_an_empty_board() -> None:
    """One claim beside nine doubts, on 20 of the board's spaces."""
    assert looks_bare(evidence_of(labels({})), USA)
    clear = evidence_of(labels({SHORT[0]: "red"}))
    print_alone = mixed(clear, SHORT[1:10], {"red": 0.52, "blue": 0.4795})
    assert looks_bare(print_alone, USA)
    assert not looks_bare(clear, USA), "a claim and no doubt is a game"


def test_wagons_on_a_third_of_the_spaces_are_no_empty_board_however_doubtful() -> None:
    """All the routes of five and six: 104 of the board's 309 spaces."""
    long = [route.id for route in USA.routes if route.length >= 5]
    clear = evidence_of(labels({}))
    assert not looks_bare(mixed(clear, long, {"red": 0.52, "blue": 0.4795}), USA)
    hidden = evidence_of(labels(dict.fromkeys(long, OCCLUDED)))
    assert looks_bare(hidden, USA), "what is hidden shows no wagon"
