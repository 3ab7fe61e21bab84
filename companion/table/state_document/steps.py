"""What was done last, for the panel: steps to undo and redo, recent claims, last players."""

from companion.session.events import (
    ColourChanged,
    Event,
    PlaceAnswered,
    PlayerRenamed,
    RouteCorrected,
    TablePointsSet,
    TypedSet,
)
from companion.session.state import Facts, State, owner_of
from web.table_state import PanelPlayer, RecentClaim, UndoStep

RECENT = 4
"""Claims that a page shows: the last round of most tables."""


def action_name(event: Event) -> str:
    """The panel's action behind an event, for a figure or points the one of that very figure."""
    if isinstance(event, TypedSet | TablePointsSet):
        return f"set-{event.name.replace('_', '-')}"
    return event.action


def undo_step_of(state: State) -> UndoStep | None:
    """What an undo would take back; it does not name the ticket, which is secret."""
    if not state.past:
        return None
    last = state.past[-1]
    event = last.left_by
    route = getattr(event, "route", None)
    after = state.facts.answers.get(route) if route is not None else None
    return UndoStep(
        step=last.step,
        action=action_name(event),
        asks=last.crosses_games,
        player=event.to if isinstance(event, ColourChanged) else getattr(event, "colour", None),
        route=route,
        owner=after.owner if after is not None else None,
        routes=list(event.routes) if isinstance(event, PlaceAnswered) else [],
        owners=list(event.owners) if isinstance(event, PlaceAnswered) else [],
        renamed=_renamed(last.facts, state.facts) if isinstance(event, PlayerRenamed) else [],
    )


def _renamed(before: Facts, after: Facts) -> list[str]:
    pairs = zip(before.players, after.players, strict=True)
    return [player.colour for player, other in pairs if player.name != other.name]


def redo_of(state: State) -> str | None:
    """The action that a redo would do again, None where nothing was taken back last."""
    return action_name(state.future[-1].left_by) if state.future else None


def recent_claims(state: State) -> list[RecentClaim]:
    """The routes that people gave to somebody last and that are still theirs, newest first."""
    claims: dict[str, str] = {}
    for checkpoint in reversed(state.past):
        event = checkpoint.left_by
        if checkpoint.facts.number != state.facts.number or len(claims) == RECENT:
            break
        given = {}
        if isinstance(event, RouteCorrected):
            given = {event.route: event.owner}
        elif isinstance(event, PlaceAnswered):
            given = dict(zip(event.routes, event.owners, strict=True))
        for route, owner in given.items():
            if owner is not None and owner_of(state, route) == owner:
                claims.setdefault(route, owner)
    return [RecentClaim(route=route, owner=owner) for route, owner in claims.items()][:RECENT]


def last_players(state: State) -> list[PanelPlayer]:
    """Who played the last game of this table, in seat order; empty while a game is on.

    Of a game whose start was just taken back it is those who were to play it.
    """
    if state.facts.players:
        return []
    played = (one.facts.players for one in (*state.future[-1:], *reversed(state.past)))
    players = next((some for some in played if some), ())
    return [PanelPlayer(name=player.name, colour=player.colour) for player in players]
