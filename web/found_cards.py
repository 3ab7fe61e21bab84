"""The cards in photos of a hand as the hand's page shows them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scoring.board.board import Board, Ticket
from scoring.game.mapless import MaplessGame
from scoring.network import joining_path
from web.picture_data import jpeg_data
from web.ports import CardSeen, HandSeen
from web.table_state import TableState

FIELD = "card-"
"""The beginning of a form's fields that say what a card is: the ticket's id, nothing for none."""


@dataclass(frozen=True, slots=True)
class FoundTicket:
    """A ticket that a card may be."""

    ticket: Ticket
    path: tuple[str, ...] | None
    """The player's own routes that complete it, None where they don't."""
    is_held: bool
    """Whether it has been entered already."""


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card: what it may be, likeliest first."""

    field: str
    card: CardSeen
    tickets: tuple[FoundTicket, ...]

    @property
    def picture(self) -> str:
        """The crop within the page itself: no address leads to it."""
        return jpeg_data(self.card.crop)


@dataclass(frozen=True, slots=True)
class FoundCards:
    """All cards of a hand's photos, in the order in which they are shown."""

    cards: tuple[FoundCard, ...]
    has_map: bool

    @property
    def sure(self) -> list[FoundCard]:
        return [one for one in self.cards if one.card.is_sure]

    @property
    def asked(self) -> list[FoundCard]:
        return [one for one in self.cards if one.tickets and not one.card.is_sure]

    @property
    def unread(self) -> list[FoundCard]:
        return [one for one in self.cards if not one.tickets]

    @property
    def new(self) -> list[FoundCard]:
        """Those of which one can be entered."""
        return [one for one in self.cards if any(not known.is_held for known in one.tickets)]


def found_cards(seen: HandSeen, board: Board, state: TableState, colour: str) -> FoundCards:
    """The cards of photos as they stand beside a player's routes and entered tickets."""
    own = [name for name, route in state["routes"].items() if route["owner"] == colour]
    held = {one["ticket"] for one in state["tickets"].get(colour, [])}
    has_map = not isinstance(board, MaplessGame)

    def found(name: str) -> FoundTicket:
        ticket = board.ticket_by_id[name]
        path = joining_path(board, own, ticket.places) if has_map else None
        return FoundTicket(ticket, path, name in held)

    cards = (
        FoundCard(f"{FIELD}{number}", card, tuple(found(name) for name in card.tickets))
        for number, card in enumerate(seen.cards)
        if all(name in board.ticket_by_id for name in card.tickets)
    )
    return FoundCards(tuple(cards), has_map)


def chosen(seen: HandSeen, sent: Mapping[str, str]) -> list[str]:
    """The tickets that a form confirms: only such as the photos have shown."""
    said = (sent.get(f"{FIELD}{number}", "") for number in range(len(seen.cards)))
    named = [n for n, card in zip(said, seen.cards, strict=True) if n in card.tickets]
    return list(dict.fromkeys(named))


def left_open(seen: HandSeen, sent: Mapping[str, str]) -> HandSeen | None:
    """The cards of which nobody has said what they are; None where there are none."""
    open_cards = [
        card
        for number, card in enumerate(seen.cards)
        if not card.is_sure and sent.get(f"{FIELD}{number}", "") not in card.tickets
    ]
    return replace(seen, cards=tuple(open_cards), remarks=()) if open_cards else None


def not_held(named: Iterable[str], held: Sequence[str]) -> list[str]:
    """Those that have not been entered yet."""
    return [name for name in named if name not in held]
