"""Who plays in which colour: what was said wrongly at the start is put right later; pure."""

from collections.abc import Mapping
from dataclasses import replace

from companion.errors import RefusalError
from companion.session.entries import entry_of
from companion.session.events import (
    ColourChanged,
    PlayerAdded,
    PlayerMoved,
    PlayerRemoved,
    PlayerRenamed,
    SeatedPlayer,
)
from companion.session.proposals import NOT_IN_PLAY, Notice
from companion.session.state import CameraProposals, Entry, Facts, RouteAnswer, State, owner_of
from scoring.language import Message


def rename(facts: Facts, event: PlayerRenamed) -> Facts:
    """Whoever had the name so far gets the old one: two names were given to each other's seat."""
    entry_of(facts, event.colour)
    name = _name_in(event)
    old = _name_of(facts, event.colour)

    def renamed(player: SeatedPlayer) -> SeatedPlayer:
        if player.colour == event.colour:
            return replace(player, name=name)
        return replace(player, name=old) if player.name.casefold() == name.casefold() else player

    return replace(facts, players=tuple(map(renamed, facts.players)))


def add(facts: Facts, event: PlayerAdded) -> Facts:
    """A player more, last in the order of play.

    Raises RefusalError for a colour or a name that somebody has.
    """
    _must_be_free(facts, event.colour)
    name = _name_in(event)
    if name.casefold() in {player.name.casefold() for player in facts.players}:
        raise RefusalError("companion.refused.same-name")
    players = (*facts.players, SeatedPlayer(name, event.colour))
    entries = {**facts.entries, event.colour: Entry()}
    answers = {route: _before(event.colour, one) for route, one in facts.answers.items()}
    return replace(facts, players=players, entries=entries, answers=answers)


def remove(state: State, event: PlayerRemoved) -> Facts:
    """A player fewer, of whom nothing was said or seen: nothing that was entered is lost.

    Raises RefusalError where something was.
    """
    facts = state.facts
    entry = entry_of(facts, event.colour)
    told = facts.answers.keys() | state.proposed.routes.keys()
    if not _is_blank(entry) or any(owner_of(state, route) == event.colour for route in told):
        raise RefusalError("companion.refused.holds-something", name=_name_of(facts, event.colour))
    players = tuple(player for player in facts.players if player.colour != event.colour)
    entries = {colour: one for colour, one in facts.entries.items() if colour != event.colour}
    return replace(facts, players=players, entries=entries)


def _is_blank(entry: Entry) -> bool:
    """Whether nothing stands in it, be it that all was taken back: what is typed leaves its 0."""
    figures = (entry.passengers, *entry.typed.values())
    said = [any(one.values()) if isinstance(one, Mapping) else bool(one) for one in figures]
    return not entry.tickets and entry.wagons is None and not any(said)


def move(facts: Facts, event: PlayerMoved) -> Facts:
    """The player changes places with the one before; the first one stays."""
    entry_of(facts, event.colour)
    players, at = list(facts.players), facts.colours.index(event.colour)
    before = max(at - 1, 0)
    players[before], players[at] = players[at], players[before]
    return replace(facts, players=tuple(players))


def change_colour(facts: Facts, event: ColourChanged) -> Facts:
    """Seat, hand and what people said of routes go along to the other colour."""
    entry_of(facts, event.colour)
    _must_be_free(facts, event.to)
    players = [
        replace(p, colour=event.to) if p.colour == event.colour else p for p in facts.players
    ]
    entries = {
        event.to if colour == event.colour else colour: one for colour, one in facts.entries.items()
    }
    answers = {route: _moved(answer, event) for route, answer in facts.answers.items()}
    return replace(facts, players=tuple(players), entries=entries, answers=answers)


def still_seen(proposed: CameraProposals, before: Facts, after: Facts) -> CameraProposals:
    """What the camera said, without what it took for a colour that nobody plays any more.

    Where a colour has got a player since, nobody needs to be told any more to look whether one was
    forgotten: another photo reads its wagons.
    """
    if set(after.colours).difference(before.colours):
        notices = tuple(map(_now_in_play, proposed.notices))
        proposed = replace(proposed, notices=notices)
    gone = set(before.colours).difference(after.colours)
    if not gone:
        return proposed
    routes = {route: one for route, one in proposed.routes.items() if one.owner not in gone}
    return replace(proposed, routes=routes)


def _now_in_play(notice: Notice) -> Notice:
    if notice.code != NOT_IN_PLAY:
        return notice
    return Notice("now-in-play", Message("companion.notice.now-in-play"), notice.routes)


def _moved(answer: RouteAnswer, event: ColourChanged) -> RouteAnswer:
    """The answer is the player's; that the camera once said the old colour is forgotten."""
    owner = event.to if answer.owner == event.colour else answer.owner
    had_proposal = answer.had_proposal and answer.against != event.colour
    return _before(event.to, replace(answer, owner=owner, had_proposal=had_proposal))


def _before(colour: str, answer: RouteAnswer) -> RouteAnswer:
    """The answer was given before somebody played in this colour."""
    return replace(answer, later=(*answer.later, colour))


def _must_be_free(facts: Facts, colour: str) -> None:
    if colour in facts.colours:
        raise RefusalError("companion.refused.colour-taken", colour=colour)


def _name_of(facts: Facts, colour: str) -> str:
    return next(player.name for player in facts.players if player.colour == colour)


def _name_in(event: PlayerRenamed | PlayerAdded) -> str:
    name = event.name.strip()
    if not name:
        raise RefusalError("companion.refused.no-name")
    return name
