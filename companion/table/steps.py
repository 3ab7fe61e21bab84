"""What a command does to the evening: the step that is recorded, if there is anything to record."""

from companion.errors import RefusalError
from companion.session.events import (
    EveningDeleted,
    EveningRestored,
    Event,
    NamesJoined,
    NamesParted,
    PlayerRenamed,
    SeatedPlayer,
    Started,
    Undone,
)
from companion.table.actions import TakeBack
from companion.table.box import ScoreFirstPass
from companion.table.evening import Evening
from companion.table.first_pass import first_pass_of
from companion.table.history.people import People, same_name
from scoring.errors import GameError
from web.errors import ActionRefusedError


def take_step(evening: Evening, command: Event | TakeBack | ScoreFirstPass) -> None:
    """Record what a command asks for; raises ActionRefusedError. The evening's lock is held."""
    match command:
        case TakeBack():
            _take_back(evening, command)
        case Started():
            evening.start(command)
        case PlayerRenamed() if _is_name_of(evening, command):
            pass  # a step that changes nothing would be one to undo
        case ScoreFirstPass():
            _score_first_pass(evening)
        case EveningDeleted() | EveningRestored():
            _move_evening(evening, command)
        case NamesJoined():
            _join_names(evening, command)
        case NamesParted():
            _part_names(evening, command)
        case _:
            evening.record(command)


def _take_back(evening: Evening, command: TakeBack) -> None:
    """Undo, if the last step is the one that is meant; the start of a game only if asked."""
    past = evening.state.past
    last = past[-1] if past else None
    if command.step is not None and (last is None or last.step != command.step):
        raise ActionRefusedError("companion.refused.undo-other")
    if last is not None and isinstance(last.left_by, Started) and not command.really:
        raise ActionRefusedError("companion.refused.undo-start")
    evening.record(Undone())


def _is_name_of(evening: Evening, command: PlayerRenamed) -> bool:
    """Whether the player is called so already."""
    return SeatedPlayer(command.name.strip(), command.colour) in evening.facts.players


def _score_first_pass(evening: Evening) -> None:
    if evening.board is None:
        raise ActionRefusedError("companion.refused.no-game")
    try:
        event = first_pass_of(evening.state, evening.board)
    except (GameError, RefusalError) as error:
        raise ActionRefusedError.saying(error) from error
    evening.record(event)


def _move_evening(evening: Evening, command: EveningDeleted | EveningRestored) -> None:
    """Into the bin or out of it; only what is there can be moved."""
    now = evening.evenings_now()
    is_there = command.evening in {one.id for one in now.kept}
    is_deleted = command.evening in now.deleted
    if not is_there or is_deleted == isinstance(command, EveningDeleted):
        raise ActionRefusedError("companion.refused.no-evening")
    evening.record(command)


def _join_names(evening: Evening, command: NamesJoined) -> None:
    """Let two names of old evenings be one person, unless both have played in one game."""
    now = evening.evenings_now()
    games = [one.names for one in now.kept]
    people = People(now.joined_names)
    alias, person = people.of(command.alias), people.of(command.person)
    for name in (alias, person):
        if not any(people.plays(name, names) for names in games):
            raise ActionRefusedError("companion.refused.no-such-name", name=name)
    if same_name(alias, person):
        raise ActionRefusedError("companion.refused.one-person", name=person)
    if now.have_met(alias, person):
        raise ActionRefusedError("companion.refused.two-people", name=alias, other=person)
    evening.record(NamesJoined(alias, person))


def _part_names(evening: Evening, command: NamesParted) -> None:
    """Let a joined name stand for itself again."""
    joined = [alias for alias, _ in evening.state.joined_names]
    alias = next((one for one in joined if same_name(one, command.alias)), None)
    if alias is None:
        raise ActionRefusedError("companion.refused.not-joined", name=command.alias)
    evening.record(NamesParted(alias))
