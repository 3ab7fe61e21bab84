"""What photos of a hand say: its tickets, each with its confidence, and what could not be told."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scoring.language import Message, has_text

Pair = tuple[str, str]
"""The two places of a ticket, by their ids, in the order of the deck."""

UNREAD: tuple[str, ...] = ("unclear", "other-deck", "no-names", "cut-off")
"""Why a card could not be told."""


@dataclass(frozen=True, slots=True, eq=False)
class TicketSeen:
    """One card. `corners_px` of shape (4, 2), as printed from top left clockwise, in the photo
    number `photo`; of a card half hidden they are the corners of its names.

    `points` are the board's for this ticket, `printed` what was read on the card, None if nothing
    was. `alternatives` are the next likely tickets of a card under review.
    """

    ticket: Pair
    points: int
    confidence: float
    review: bool
    corners_px: NDArray[np.float64]
    photo: int = 0
    alternatives: tuple[Pair, ...] = ()
    printed: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "ticket": list(self.ticket),
            "points": self.points,
            "confidence": round(self.confidence, 4),
            "review": self.review,
            "corners": _corners_json(self.corners_px),
            "alternatives": [list(pair) for pair in self.alternatives],
            "printed_points": self.printed,
            "photo": self.photo,
        }


@dataclass(frozen=True, slots=True, eq=False)
class UnreadCard:
    """A card whose ticket could not be told; `why` is one of UNREAD."""

    corners_px: NDArray[np.float64]
    why: str
    photo: int = 0

    def to_json(self) -> dict[str, Any]:
        return {"corners": _corners_json(self.corners_px), "why": self.why, "photo": self.photo}


@dataclass(frozen=True, slots=True)
class TicketWarning:
    """Something a person should know about the hand as a whole."""

    code: str
    message: Message


def ticket_warning(code: str, count: int = 0, **values: object) -> TicketWarning:
    """The warning of a code; its sentence may be another one where that card is the only one.

    `values` tell how many `cards` lie there.
    """
    key = f"vision.tickets.warning.{code}"
    only = f"{key}.only"
    is_only = values.get("cards") == 1 and has_text(only)
    return TicketWarning(code, Message(only if is_only else key, count=count, **values))


@dataclass(frozen=True, slots=True, eq=False)
class HandReading:
    """All photos of one hand together. `unread` counts cards, `unread_cards` shows them."""

    board: str
    tickets: tuple[TicketSeen, ...]
    unread: int
    unread_cards: tuple[UnreadCard, ...]
    warnings: tuple[TicketWarning, ...]

    @property
    def cards(self) -> int:
        return len(self.tickets) + self.unread

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """The document of `tickets --json`; its warnings are told in the language."""
        return {
            "board": self.board,
            "cards": self.cards,
            "tickets": [ticket.to_json() for ticket in self.tickets],
            "unread": self.unread,
            "unread_cards": [card.to_json() for card in self.unread_cards],
            "warnings": [{"code": w.code, "text": w.message.text(language)} for w in self.warnings],
        }


def _corners_json(corners_px: NDArray[np.float64]) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in corners_px]
