"""The present moment of the table in the visitor's language, as pages show it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scoring.board.game_names import game_title
from scoring.board.readable_print import can_be_read
from scoring.game.game import Game
from scoring.language import MessageJson, has_text
from scoring.language.lists import join_names
from scoring.language.pieces import with_buses
from web.asked_places import AskedPlace, offered_owners
from web.days import clock
from web.language import say, say_if_known
from web.page_tally import PageTally
from web.table_state import (
    CAMERA_TROUBLES,
    BoardChoice,
    Doubt,
    RouteState,
    TableState,
    UndoStep,
)


@dataclass(frozen=True)
class PageContext(PageTally):
    """One moment of the table as a page shows it."""

    game: Game | None = None
    photo: str | None = None
    """Where the table's own photo of this board is, empty; None where there is none."""
    on_photo: bool = False
    """Whether this device wants the map on that photo."""
    is_of_game: bool = True
    """Whether the page is about the game in play; set-up and the studio are about any board."""
    began_ms: int | None = None
    """When the game in play began, as `GameInPlay` has it."""

    def of_any_board(self) -> "PageContext":
        """The same moment for a page about boards, whatever game is in play."""
        return replace(self, is_of_game=False)

    def _of_pieces(self, said: str) -> str:
        return super()._of_pieces(said) if self.is_of_game else said

    @property
    def asked(self) -> list[AskedPlace]:
        """The open questions, each with what its card shows."""
        return [self._asked(doubt) for doubt in self.state["doubts"]]

    def _asked(self, doubt: Doubt) -> AskedPlace:
        routes = doubt.get("routes") or [doubt["route"]]
        why = ", ".join(self.sentence(message) for message in doubt.get("why", []))
        choices = offered_owners(doubt, self.state["likely"])
        return AskedPlace(doubt, routes, self.lines_title(routes), why, choices)

    @property
    def box_asks(self) -> str:
        """What the box asks about, and the owners that it offers for it."""
        cursor = self.state["cursor"]
        routes = cursor.get("routes") or [cursor["route"] or ""]
        owners = cursor.get("owners") or [cursor["choice"]]
        return f"{self.lines_title(routes)}: {self.names_of_owners(owners)}"

    def with_owners(self, owners: Mapping[str, str | None]) -> "PageContext":
        """The same moment with other owners on the map, for the sake of argument."""
        said = {
            route: RouteState(owner=owner, status="confirmed", confidence=1.0)
            for route, owner in owners.items()
        }
        routes = {**self.state["routes"], **said}
        return replace(self, state=TableState(**{**self.state, "routes": routes}))

    def shown_of(self, route: str, link: str, is_lit: bool) -> tuple[object, ...]:
        """All that a route on the map shows besides what never changes."""
        known = self.route_state(route)
        owner = known["owner"]
        return (
            route,
            owner,
            known["status"],
            owner and self.owner_name(owner),
            self.has_track_piece(route),
            self.is_closed(route),
            self.state["cursor"]["route"] == route,
            is_lit,
            link,
            self.language,
        )

    @property
    def longest_path_counts(self) -> bool:
        """Whether the longest path earns points on this board, or may break a tie."""
        if self.game is None or self.game.board is None:
            return False
        pays = self.game.rules.bonuses.longest_path > 0
        return pays or "longest-path" in self.game.tie_breaks

    @property
    def board_title(self) -> str:
        """The name of the game in play, "" without one."""
        return "" if self.board is None else self.game_title(self.board.id, self.board.title)

    def game_title(self, id: str, title: str) -> str:
        """What a board's game is called, in the visitor's language."""
        return game_title(id, title, self.language)

    def game_edition(self, choice: BoardChoice) -> str:
        """A board's edition, or what a game without a map is played by."""
        if choice.get("has_map", True):
            return choice["edition"]
        return say_if_known(f"game.by.{choice['id']}", self.language, choice["edition"])

    def choices(self, route: str) -> list[tuple[str | None, float | None]]:
        """Who may own a route, likeliest first where it is doubted, each with its probability."""
        everyone = [player["colour"] for player in self.state["players"]]
        doubt = self.doubt_by_route.get(route)
        likely = [] if doubt is None else doubt["alternatives"]
        odds = {one["owner"]: one["probability"] for one in likely}
        order = dict.fromkeys([*odds, *everyone, None])
        possible = [owner for owner in order if owner is None or owner in everyone]
        first = [owner for owner in possible if odds.get(owner, 0.0) >= self.state["likely"]]
        rest = [owner for owner in possible if owner not in first]
        return [*((owner, odds[owner]) for owner in first), *((owner, None) for owner in rest)]

    def lacking(self, owners: Sequence[str | None], routes: Sequence[str]) -> list[str]:
        """In words, which of these owners have too few wagons left for a line of this place.

        They may hold it all the same: then another route of theirs was misread.
        """
        short = {o: left for o in owners if (left := self._too_few_for(o, routes)) is not None}
        said = {owner: self.count("count.left", left) for owner, left in short.items()}
        if sum(owner is not None for owner in owners) == 1:
            return list(said.values())
        return [f"{self.player_by_colour[o]['name']}: {left}" for o, left in said.items() if o]

    def _too_few_for(self, owner: str | None, routes: Sequence[str]) -> int | None:
        """The wagons that an owner has for a line of this place, None where they are enough.

        Routes that are asked about count for nobody yet.
        """
        if owner is None or self.board is None or not self.board.wagons_per_player:
            return None
        lengths = {route.id: route.length for route in self.board.routes}
        used = sum(
            lengths[name]
            for name, known in self.state["routes"].items()
            if known["owner"] == owner and known["status"] != "doubtful" and name not in routes
        )
        left = self.board.wagons_per_player - used
        return max(0, left) if left < min(lengths[line] for line in routes) else None

    def say_of(self, choice: BoardChoice, key: str, **values: object) -> str:
        """A text about a game that is not in play yet, by what its pieces are called."""
        said = say(key, self.language, **values)
        return with_buses(said, self.language) if choice.get("has_buses", False) else said

    @property
    def setting_defaults(self) -> Mapping[str, Any]:
        """What the board in play leaves open, with the defaults."""
        board = None if self.board is None else self.board.id
        known = (one.get("settings", {}) for one in self.state["boards"] if one["id"] == board)
        return next(known, {})

    @property
    def can_be_photographed(self) -> bool:
        """Whether photos of the board in play can be read at all."""
        return self.board is not None and can_be_read(self.board)

    def shows_other_board(self, message: MessageJson | None) -> bool:
        """Whether what is told of a photo is that another board lies on the table."""
        reason = {} if message is None else message["values"].get("reason")
        return isinstance(reason, Mapping) and reason.get("key") == "vision.board.other"

    @property
    def has_seen_nothing(self) -> bool:
        """Whether a look was the last step, the board shows no wagon, and no later photo failed."""
        routes = self.state["routes"].values()
        is_bare = not self.state["doubts"] and all(one["owner"] is None for one in routes)
        return self.state["undo"] == "scan" and is_bare and not self.state.get("photo")

    @property
    def undo_hint(self) -> str:
        """What the undo button would take back, after its name."""
        what = self.undo_what
        return self.say("undo.nothing") if what is None else self.say("undo.what", what=what)

    @property
    def redo_hint(self) -> str:
        """What the redo button would do again, after its name."""
        action = self.state.get("redo") or ""
        what = say_if_known(f"undo.{action}", self.language, self.say("undo.anything"))
        return self.say("redo.what", what=what)

    @property
    def undo_what(self) -> str | None:
        """The step that would be taken back, None if there is none. It names no ticket."""
        action, step = self.state["undo"], self.state.get("undo_step")
        if action is None:
            return None
        if self.swapped:
            return self.say("undo.of.swap-names", names=self.swapped)
        fallback = say_if_known(f"undo.{action}", self.language, self.say("undo.anything"))
        key = f"undo.of.{action}"
        if step is None or not has_text(f"web.{key}"):
            return fallback
        owners = step.get("owners", [])
        if None in owners and any(owners):
            key += ".alone"
        return self.say(key, **self._undo_names(step))

    @property
    def swapped(self) -> str:
        """The players whose names the last step swapped, "" where it did something else."""
        step = self.state.get("undo_step")
        renamed = [] if step is None else step.get("renamed", [])
        players = [p for p in self.state["players"] if p["colour"] in renamed]
        names = [player["name"] for player in players]
        return join_names(names, self.language) if len(names) > 1 else ""

    def _undo_names(self, step: UndoStep) -> dict[str, str]:
        if lines := step.get("routes"):
            owners = self.names_of_owners([one for one in step.get("owners", []) if one] or [None])
            return {"route": self.lines_title(lines), "owners": owners}
        player = self.player_by_colour.get(step["player"] or "")
        route = step["route"]
        return {
            "name": player["name"] if player else "",
            "route": "" if route is None else self._named(route),
            "owner": self.owner_name(step["owner"]),
        }

    @property
    def round_until(self) -> str:
        """Until when the club's round lasts, by the clock of the box."""
        return clock(self.state["club_round"]["ends_s"])

    @property
    def camera_trouble(self) -> bool:
        """Whether the camera needs somebody's hand."""
        return self.state["camera"]["status"] in CAMERA_TROUBLES
