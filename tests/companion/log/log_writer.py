"""A program that writes events until it is killed, saying each number once it is on disk."""

import sys
from pathlib import Path

from companion.log.store import EventStore
from companion.session.events import (
    Event,
    ReadingProposed,
    RouteConfirmed,
    RouteProposal,
    SeatedPlayer,
    Started,
    TicketAdded,
    Undone,
)


def story(number: int) -> Event:
    """Event `number` (from 1) of an endless evening."""
    if number == 1:
        return Started("usa", (SeatedPlayer("Ada", "red"), SeatedPlayer("Ben", "blue")))
    routes = {f"route-{n}": RouteProposal("red", 0.6, True, (("red", 0.6),)) for n in range(60)}
    turn: tuple[Event, ...] = (
        ReadingProposed(routes),
        TicketAdded("blue", f"ticket-{number}"),
        RouteConfirmed(f"route-{number % 60}"),
        TicketAdded("red", f"ticket-{number}"),
        Undone(),
    )
    return turn[(number - 2) % len(turn)]


def main() -> None:
    with EventStore(Path(sys.argv[1])) as store:
        number = len(store.events())
        print("open", flush=True)
        while True:
            number += 1
            print(store.append(story(number)), flush=True)


if __name__ == "__main__":
    main()
