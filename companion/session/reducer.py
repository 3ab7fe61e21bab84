"""The evening as a fold of its log: `advance(state, event) -> state`, pure.

The camera proposes, people decide: a proposal never replaces what a person said. Undo takes back,
one step at a time, what people did or had the camera do; what the camera saw by itself stays.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from companion.errors import RefusalError
from companion.session import seating
from companion.session.entries import (
    entry_of,
    score_first_pass,
    tickets_after,
    typed_after,
    with_entry,
)
from companion.session.events import (
    ANSWERS,
    OF_NO_GAME,
    ClockSet,
    ColourChanged,
    Copied,
    EveningDeleted,
    EveningRestored,
    Event,
    Finished,
    FirstPassScored,
    MarkersSet,
    NamesJoined,
    NamesParted,
    PassengersSet,
    PlaceAnswered,
    PlayerAdded,
    PlayerMoved,
    PlayerRemoved,
    PlayerRenamed,
    PutAway,
    ReadingProposed,
    Redone,
    Reopened,
    RouteConfirmed,
    RouteCorrected,
    RouteProposal,
    SettingsSet,
    Shown,
    Started,
    TablePointsSet,
    TicketAdded,
    TicketRemoved,
    TicketsSet,
    TicketStated,
    TrackLaid,
    TypedSet,
    Undone,
    WagonsCounted,
)
from companion.session.forgetting import without_unfinished
from companion.session.state import (
    CameraProposals,
    Checkpoint,
    Entry,
    Facts,
    RouteAnswer,
    State,
    doubtful_routes,
    owner_of,
    track_pieces,
)

UNDO_STEPS = 200
"""How many steps back are kept: more than anybody does in an evening's tally."""


NOTHING_YET = State()


def fold(events: Iterable[Event], state: State = NOTHING_YET) -> State:
    """The state after all of these events; raises RefusalError as `advance` does."""
    for event in events:
        state = advance(state, event)
    return state


def advance(state: State, event: Event) -> State:
    """The state after the event; raises RefusalError where the event makes no sense here."""
    match event:
        case Undone():
            after = _step_back(state)
        case Redone():
            after = _step_forward(state)
        case Shown():
            after = replace(state, facts=_show(state.facts, event))
        case ReadingProposed(whole=False):
            after = replace(state, proposed=_listen(state, event))
        case ReadingProposed():
            after = _look(state, event)
        case EveningDeleted():
            gone = state.deleted_evenings | {event.evening}
            after = replace(state, deleted_evenings=gone)
        case EveningRestored():
            gone = state.deleted_evenings - {event.evening}
            after = replace(state, deleted_evenings=gone)
        case NamesJoined() | NamesParted():
            after = replace(state, joined_names=_joined_after(state, event))
        case ClockSet():
            after = state
        case Copied():
            after = without_unfinished(state)
        case _:
            after = _decide(state, event)
    games = max(state.games, after.facts.number)
    return replace(after, version=state.version + 1, games=games)


def _joined_after(state: State, event: NamesJoined | NamesParted) -> tuple[tuple[str, str], ...]:
    others = tuple(pair for pair in state.joined_names if pair[0] != event.alias)
    return others if isinstance(event, NamesParted) else (*others, (event.alias, event.person))


def is_step(event: Event) -> bool:
    """Whether an undo takes the event back where `advance` accepts it."""
    if isinstance(event, ReadingProposed):
        return event.whole
    return not isinstance(event, Shown | Undone | Redone | OF_NO_GAME)


def _decide(state: State, event: Event) -> State:
    """A person's event: new facts, one more step to take back, nothing to redo."""
    facts = _facts_after(state, event)
    if facts.number != state.facts.number:
        proposed = CameraProposals()
    else:
        proposed = seating.still_seen(state.proposed, state.facts, facts)
    after = _step(state, event, facts, proposed)
    return _settle(after) if isinstance(event, ANSWERS) else after


def _look(state: State, event: ReadingProposed) -> State:
    """A scan: the doubtful routes come up by themselves."""
    _must_be_open(state.facts)
    after = _step(state, event, state.facts, _listen(state, event))
    if doubtful_routes(after):
        return replace(after, facts=replace(after.facts, phase="doubts"))
    return _settle(after)


def _step(state: State, event: Event, facts: Facts, proposed: CameraProposals) -> State:
    checkpoint = Checkpoint(state.facts, state.proposed, event, state.version + 1)
    past = (*state.past, checkpoint)[-UNDO_STEPS:]
    return replace(state, facts=facts, proposed=proposed, past=past, future=())


def _settle(state: State) -> State:
    """With the last doubt answered the tickets are next."""
    if state.facts.phase == "doubts" and not doubtful_routes(state):
        return replace(state, facts=replace(state.facts, phase="tickets"))
    return state


def _step_back(state: State) -> State:
    if not state.past:
        raise RefusalError("companion.refused.nothing-to-undo")
    *past, checkpoint = state.past
    proposed = _proposed_at(checkpoint, state)
    if isinstance(checkpoint.left_by, ReadingProposed):
        proposed = _with_seen_since(checkpoint.left_by.routes, state.proposed, proposed)
    here = replace(checkpoint, facts=state.facts, proposed=state.proposed, undone_to=proposed)
    before = replace(state, facts=checkpoint.facts, proposed=proposed)
    return replace(before, past=tuple(past), future=(*state.future, here))


def _step_forward(state: State) -> State:
    if not state.future:
        raise RefusalError("companion.refused.nothing-to-redo")
    *future, checkpoint = state.future
    here = replace(checkpoint, facts=state.facts, proposed=state.proposed, undone_to=None)
    proposed = _proposed_at(checkpoint, state)
    if isinstance(checkpoint.left_by, ReadingProposed) and checkpoint.undone_to is not None:
        proposed = _with_seen_since(checkpoint.undone_to.routes, state.proposed, proposed)
    after = replace(state, facts=checkpoint.facts, proposed=proposed)
    return replace(after, past=(*state.past, here), future=tuple(future))


def _proposed_at(checkpoint: Checkpoint, state: State) -> CameraProposals:
    """The checkpoint's where a scan, another game or other colours lie between, else the newest."""
    elsewhere = not checkpoint.facts.is_same_game(state.facts)
    scanned = isinstance(checkpoint.left_by, ReadingProposed)
    return checkpoint.proposed if elsewhere or scanned else state.proposed


def _with_seen_since(
    then: Mapping[str, RouteProposal], now: CameraProposals, kept: CameraProposals
) -> CameraProposals:
    """Proposals that come back, with what the camera has seen by itself since it said `then`."""
    routes = {name: one for name, one in now.routes.items() if then.get(name) != one}
    places = {name: now.places[name] for name in routes if name in now.places}
    return replace(kept, routes={**kept.routes, **routes}, places={**kept.places, **places})


def _listen(state: State, event: ReadingProposed) -> CameraProposals:
    _must_play(state.facts)
    if not state.facts.has_map:
        raise RefusalError("companion.refused.no-map")
    places = {route: place for place in event.places for route in place.routes}
    before = state.proposed
    if event.whole:
        return CameraProposals(dict(event.routes), event.notices, places)
    routes = {**before.routes, **event.routes}
    return CameraProposals(routes, before.notices, {**before.places, **places})


def _show(facts: Facts, event: Shown) -> Facts:
    _must_be_open(facts)
    if not facts.has_map and event.phase != "tickets":
        raise RefusalError("companion.refused.no-map")
    return replace(facts, phase=event.phase)


def _facts_after(state: State, event: Event) -> Facts:
    facts = state.facts
    match event:
        case Started():
            return _start(state, event)
        case PutAway():
            _must_play(facts)
            return Facts(number=state.games + 1)
        case PlayerRenamed():
            _must_play(facts)
            return seating.rename(facts, event)
        case Reopened():
            return _reopen(facts)
        case _:
            _must_be_open(facts)
            return _changed(state, event)


def _changed(state: State, event: Event) -> Facts:
    facts = state.facts
    match event:
        case RouteConfirmed():
            return _confirm(state, event.route)
        case RouteCorrected():
            return _answer(state, event.route, event.owner)
        case TrackLaid():
            return _answer(state, event.route, None, track=True)
        case MarkersSet():
            return _with_markers(facts, event)
        case PlayerAdded():
            return seating.add(facts, event)
        case PlayerRemoved():
            return seating.remove(state, event)
        case PlayerMoved():
            return seating.move(facts, event)
        case ColourChanged():
            return seating.change_colour(facts, event)
        case WagonsCounted():
            entry = replace(entry_of(facts, event.colour), wagons=event.wagons)
            return with_entry(facts, event.colour, entry)
        case PlaceAnswered():
            return _answer_place(state, event)
        case SettingsSet():
            return replace(facts, settings=dict(event.settings))
        case TablePointsSet():
            return replace(facts, settings={**facts.settings, event.name: dict(event.points)})
        case FirstPassScored():
            return score_first_pass(facts, event)
        case TicketsSet() | TicketAdded() | TicketRemoved() | TicketStated():
            return with_entry(facts, event.colour, tickets_after(facts, event))
        case PassengersSet():
            entry = replace(entry_of(facts, event.colour), passengers=dict(event.passengers))
            return with_entry(facts, event.colour, entry)
        case TypedSet():
            return with_entry(facts, event.colour, typed_after(facts, event))
        case Finished():
            return replace(facts, phase="sheet")
        case _:
            raise TypeError(f"no rule for {type(event).__name__}")


def _must_play(facts: Facts) -> None:
    if facts.board is None:
        raise RefusalError("companion.refused.no-game")


def _must_be_open(facts: Facts) -> None:
    _must_play(facts)
    if facts.phase == "sheet":
        raise RefusalError("companion.refused.finished")


def _start(state: State, event: Started) -> Facts:
    names = [player.name.casefold() for player in event.players]
    colours = [player.colour for player in event.players]
    if not colours:
        raise RefusalError("companion.refused.no-players")
    if len(set(colours)) != len(colours):
        raise RefusalError("companion.refused.same-colour")
    if len(set(names)) != len(names):
        raise RefusalError("companion.refused.same-name")
    return Facts(
        number=state.games + 1,
        phase="look" if event.has_map else "tickets",
        board=event.board,
        camera=event.camera and event.has_map,
        has_map=event.has_map,
        players=event.players,
        settings=dict(event.settings),
        entries={colour: Entry() for colour in colours},
    )


def _reopen(facts: Facts) -> Facts:
    _must_play(facts)
    if facts.phase != "sheet":
        raise RefusalError("companion.refused.not-finished")
    return replace(facts, phase="tickets")


def _confirm(state: State, route: str) -> Facts:
    proposal = state.proposed.routes.get(route)
    if proposal is None:
        raise RefusalError("companion.refused.nothing-to-confirm", route=route)
    return _answer(state, route, proposal.owner)


def _answer(state: State, route: str, owner: str | None, track: bool = False) -> Facts:
    if owner is not None and owner not in state.facts.colours:
        raise RefusalError("companion.refused.nobody-plays", colour=owner)
    proposal = state.proposed.routes.get(route)
    said = RouteAnswer(owner, proposal.owner, True) if proposal else RouteAnswer(owner)
    answer = replace(said, track=track)
    return replace(state.facts, answers={**state.facts.answers, route: answer})


def _answer_place(state: State, event: PlaceAnswered) -> Facts:
    """Answers for the lines in doubt, and for those that the answer gives to somebody else.

    A line that nobody doubted stays the camera's, so that it can still be claimed without a
    question. Where there is no such line, the person confirms them all. A track piece stays on a
    line that nobody doubted and that stays nobody's.
    """
    doubtful = doubtful_routes(state)
    tracks = {route for route in track_pieces(state) if route not in doubtful}
    owners = dict(zip(event.routes, event.owners, strict=True))
    meant = [r for r, owner in owners.items() if r in doubtful or owner != owner_of(state, r)]
    for route in meant or owners:
        owner = owners[route]
        facts = _answer(state, route, owner, track=owner is None and route in tracks)
        state = replace(state, facts=facts)
    return state.facts


def _with_markers(facts: Facts, event: MarkersSet) -> Facts:
    for colour in event.markers:
        entry_of(facts, colour)
    entries = {}
    for colour, entry in facts.entries.items():
        others = {name: value for name, value in entry.typed.items() if name != "marker"}
        own = {"marker": event.markers[colour]} if colour in event.markers else {}
        entries[colour] = replace(entry, typed={**others, **own})
    return replace(facts, entries=entries)
