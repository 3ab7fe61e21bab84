"""What watching a board tells: events, as `companion watch --json` prints them, and in words."""

from dataclasses import dataclass
from typing import Any

from scoring.board.board import Board
from scoring.game.colours import SYMBOL
from scoring.language import Message, text
from vision.reading import route_name

EMPTY_BOARD = "empty"
SETTLED = "settled"
HAND = "hand"
CLAIMED = "claimed"
REMOVED = "removed"
DOUBT = "doubt"
MOVED = "moved"
BLOCKED = "blocked"
LIGHT = "light"


@dataclass(frozen=True, slots=True)
class WatchEvent:
    """Something that happened on the table `t_s` seconds after the first frame.

    `route` and `owner` stand for claimed (the new owner), removed (the owner whose wagons are
    gone) and doubt (the likeliest owner, None = nobody). `alternatives` are the likelier owners of
    a doubtful route with their probabilities, the likeliest first. `reason` says why no board is
    seen, where there is more to say than that.
    """

    kind: str
    t_s: float
    route: str | None = None
    owner: str | None = None
    confidence: float | None = None
    alternatives: tuple[tuple[str | None, float], ...] = ()
    reason: Message | None = None

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """The document of `watch --json`, without the frame's name."""
        document: dict[str, Any] = {"t": round(self.t_s, 3), "kind": self.kind}
        if self.route is not None:
            document |= {"route": self.route, "owner": self.owner}
        if self.confidence is not None:
            document["confidence"] = round(self.confidence, 4)
        if self.alternatives:
            document["alternatives"] = [
                {"owner": owner, "probability": round(p, 4)} for owner, p in self.alternatives
            ]
        if self.reason is not None:
            document["reason"] = self.reason.text(language)
        return document

    def text(self, board: Board, language: str = "en") -> str:
        """One sentence for a person."""
        if self.reason is not None:
            return text(f"vision.watch.{self.kind}-why", language, reason=self.reason)
        values: dict[str, str] = {}
        if self.route is not None:
            values["route"] = route_name(board, board.route_by_id[self.route])
            values["owner"] = _owner_name(self.owner, language)
            values["owners"] = ", ".join(_owner_name(o, language) for o, _ in self.alternatives)
        return text(f"vision.watch.{self.kind}", language, **values)


def _owner_name(owner: str | None, language: str) -> str:
    if owner is None:
        return text("vision.watch.nobody", language)
    return f"{SYMBOL[owner]} {text(f'scoring.colour.{owner}', language)}"
