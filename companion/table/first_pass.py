"""Card Game with four players: what is set aside when the deck runs out the first time; pure."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.errors import RefusalError
from companion.session.events import FirstPassScored
from companion.session.state import Entry, State, first_pass_is_on
from companion.table.live_score import game_of
from scoring.board.board import Board
from scoring.game.game import Game
from scoring.sheet.card_choice import CardChoice, choose_cards


def first_pass_of(state: State, board: Board) -> FirstPassScored:
    """Every player's completed tickets as they score most, and the cards that are left.

    Nothing is subtracted in this pass, and the big cities come at the end of the second (rulebook
    003). Raises RefusalError where no first pass is on, GameError where an entry contradicts
    itself.
    """
    if not first_pass_is_on(state.facts):
        raise RefusalError("companion.refused.no-first-pass")
    choices = choose_cards(without_big_cities(game_of(state, board)))
    entries = [state.facts.entries[colour] for colour in state.facts.colours]
    played = zip(state.facts.colours, entries, choices, strict=True)
    known = [(colour, entry, choice) for colour, entry, choice in played if choice is not None]
    return FirstPassScored(
        aside={colour: _aside(entry, choice) for colour, entry, choice in known},
        piles={colour: _pile(entry, choice) for colour, entry, choice in known},
    )


def without_big_cities(game: Game) -> Game:
    """The game as if no big city had a card."""
    return replace(game, settings=replace(game.settings, big_cities={}))


def _aside(entry: Entry, choice: CardChoice) -> tuple[Any, ...]:
    return tuple(ticket for ticket, done in zip(entry.tickets, choice.done, strict=False) if done)


def _pile(entry: Entry, choice: CardChoice) -> Mapping[str, int]:
    """What the completed tickets leave of the pile."""
    laid = zip(choice.allotments, choice.done, strict=True)
    spent = sum((Counter(dict(one.cards)) for one, done in laid if done), Counter[str]())
    held = entry.typed.get("cards", {})
    return {colour: count - spent[colour] for colour, count in held.items()}
