"""The room as the hub knows it: every table's last word, and a version that grows with each."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from companion.hub.table_names import numbered
from scoring.board.board import Board
from scoring.board.game_names import game_name
from scoring.language import Message, MessageJson
from web.hub.ports import Evidence, RoomTable
from web.names import BLANK

CLOCK_S = 120.0
"""A table's clock may be so far off before anybody is told."""

OTHER_BOX_S = 90.0
"""Two runs of the program that both tell within this time are two boxes, not a restart."""

ASIDE_S = 900.0
"""So long a page tells that a message was set aside; the database keeps it with its reason."""

SILENT_S = 150.0
"""A table tells its state each minute. One that has told nothing for so long is away, whatever the
broker kept of it: where broker and table lose their power together, nobody says that it went."""

MOST_TABLES = 1_000
"""More than a page can show: names beyond these are somebody's who floods an open broker."""

HOUR_S = 3600


@dataclass(slots=True)
class _Known:
    """What is known of a table beside its card."""

    card: RoomTable
    told_s: float
    """When it told last, by the clock that nobody sets."""
    is_silent: bool = False
    """Whether it is away because it told nothing, not because the broker said so."""
    instances: dict[str, float] = field(default_factory=dict)
    """When each run of the program told last, by the hub's clock."""
    runs_back: bool = False
    """Whether a run told again after another one had begun."""
    clock_off_s: float = 0.0
    aside: Message | None = None
    aside_s: float = 0.0
    """When it was set aside."""
    evidence: Evidence | None = None
    nameless: Mapping[str, str] = field(default_factory=dict)
    place: int = 0
    """The table's message up to which these were worked out."""


class Room:
    """Implements `web.hub.ports.RoomPort`. For any thread.

    `keep_shut` keeps in the database whether a table is shut out. `tick` tells seconds by a clock
    that nobody sets.
    """

    def __init__(
        self,
        boards: Mapping[str, Board],
        keep_shut: Callable[[str, bool], None] = lambda table, shut: None,
        now: Callable[[], float] = time.time,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self._boards = dict(boards)
        self._keep_shut = keep_shut
        self._now = now
        self._tick = tick
        self._changed = threading.Condition()
        self._version = 0
        self._told: tuple[int, Mapping[str, RoomTable]] = (0, {})
        """The tables as they were at a version, by their ids."""
        self._known: dict[str, _Known] = {}
        self._called: dict[str, str] = {}
        """What tables were called before the hub's start."""
        self._troubles: dict[str, Message] = {}

    def tables(self) -> Sequence[RoomTable]:
        """Every table, by name; those of one name are numbered."""
        return list(self._by_id().values())

    def table(self, table_id: str) -> RoomTable | None:
        """One table, None where nobody knows it."""
        return self._by_id().get(table_id)

    def _by_id(self) -> Mapping[str, RoomTable]:
        with self._changed:
            version, told = self._told
            if version != self._version:
                cards = numbered([self._card(one) for one in self._known.values()])
                told = {card.id: card for card in cards}
                self._told = (self._version, told)
            return told

    def board(self, board_id: str) -> Board | None:
        """A board, None where its file is not here."""
        return self._boards.get(board_id)

    @property
    def boards(self) -> Mapping[str, Board]:
        """Every board that is here, by id."""
        return self._boards

    def evidence(self, table_id: str) -> Evidence | None:
        """The finished game that lies on a table."""
        with self._changed:
            known = self._known.get(table_id)
            return None if known is None else known.evidence

    def troubles(self) -> Sequence[MessageJson]:
        """What is wrong with the hub itself."""
        with self._changed:
            return [message.to_json() for message in self._troubles.values()]

    def wait(self, version: int, timeout_s: float) -> int:
        """Sleep until the room's version is another one; returns the version."""
        with self._changed:
            self._changed.wait_for(lambda: self._version != version, timeout_s)
            return self._version

    def shut_out(self, table_id: str, shut: bool) -> None:
        """Take no more from a table, or take from it again. Raises DatabaseGoneError."""
        self._keep_shut(table_id, shut)
        self.note_shut_out(table_id, shut)

    def note_shut_out(self, table_id: str, shut: bool) -> None:
        """A table is shut out, or no longer."""
        with self._changed:
            known = self._of(table_id)
            self._change(known, replace(known.card, is_shut_out=shut))

    def is_shut_out(self, table_id: str) -> bool:
        """Whether nothing is taken from a table."""
        with self._changed:
            known = self._known.get(table_id)
            return known is not None and known.card.is_shut_out

    def has_place(self, table_id: str) -> bool:
        """Whether a table is known, or may still join."""
        with self._changed:
            return table_id in self._known or len(self._known) < MOST_TABLES

    def name_of(self, table_id: str) -> str:
        """The name that a table gave itself; its id before it has ever told one."""
        with self._changed:
            known = self._known.get(table_id)
            return table_id if known is None else known.card.name

    def names(self) -> dict[str, str]:
        """The names that the tables gave themselves, by id."""
        with self._changed:
            return {id: known.card.name for id, known in self._known.items()}

    def remember_names(self, names: Mapping[str, str]) -> None:
        """What tables called themselves before the hub's start, by id: one that is away, and of
        which the broker kept nothing, tells no name."""
        with self._changed:
            self._called = dict(names)

    def hear_state(self, table_id: str, state: Mapping[str, Any]) -> None:
        """A table told its state. It may be an old one that the broker kept: whether the table
        is there is said by `hear_status`, and by `note_silence` until it tells again."""
        now_s = self._now()
        with self._changed:
            known = self._of(table_id)
            self._follow_instance(known, str(state["instance"]), now_s - state["sent_at"], now_s)
            name = state["name"].translate(BLANK).strip() or table_id
            is_online = known.card.is_online or known.is_silent
            known.told_s, known.is_silent = self._tick(), False
            self._change(known, replace(known.card, name=name, state=state, is_online=is_online))

    def hear_status(self, table_id: str, is_online: bool) -> None:
        """A table came or went."""
        with self._changed:
            known = self._of(table_id)
            known.told_s, known.is_silent = self._tick(), False
            if known.card.is_online != is_online:
                left_s = None if is_online else self._now()
                self._change(known, replace(known.card, is_online=is_online, left_s=left_s))

    def note_silence(self) -> None:
        """Tables that have told nothing for long are away; the page says when they told last."""
        with self._changed:
            for known in self._known.values():
                if known.card.is_online and self._tick() - known.told_s > SILENT_S:
                    known.is_silent = True
                    self._change(known, replace(known.card, is_online=False, left_s=None))

    def hear_aside(self, table_id: str, reason: Message) -> None:
        """A message in a table's name was set aside."""
        with self._changed:
            known, now_s = self._of(table_id), self._now()
            is_news = (
                known.aside is None
                or known.aside.key != reason.key
                or now_s - known.aside_s > ASIDE_S
            )
            known.aside, known.aside_s = reason, now_s
            if is_news:
                self._change(known, known.card)

    def hear_evidence(
        self, table_id: str, evidence: Evidence | None, nameless: Mapping[str, str], place: int
    ) -> None:
        """The game on a table is another one: what it came to where it is finished, and who of
        its players were deleted, by colour; worked out up to the message at a place."""
        with self._changed:
            known = self._of(table_id)
            known.evidence, known.nameless, known.place = evidence, nameless, place
            self._change(known, known.card)

    def trouble(self, part: str, message: Message | None) -> None:
        """What is wrong with a part of the hub, None: nothing."""
        with self._changed:
            before = self._troubles.get(part)
            if message is None:
                self._troubles.pop(part, None)
            else:
                self._troubles[part] = message
            if before != message:
                self._version += 1
                self._changed.notify_all()

    def _of(self, table_id: str) -> _Known:
        if table_id not in self._known:
            self._version += 1
            name = self._called.get(table_id, table_id)
            card = RoomTable(table_id, name, {}, False, self._version)
            self._known[table_id] = _Known(card, self._tick())
            self._changed.notify_all()
        return self._known[table_id]

    def _change(self, known: _Known, card: RoomTable) -> None:
        self._version += 1
        known.card = replace(card, version=self._version)
        self._changed.notify_all()

    def _follow_instance(self, known: _Known, instance: str, behind_s: float, now_s: float) -> None:
        """One run after another is a restart; a run that comes back after another is two boxes.

        The first word of a run may be an old one that the broker kept: it tells no clock.
        """
        told_s = known.instances.get(instance)
        if told_s is not None:
            known.clock_off_s = behind_s
            is_newest = next(reversed(known.instances)) == instance
            known.runs_back = not is_newest or (known.runs_back and self._other_tells(known, now_s))
            del known.instances[instance]
        known.instances[instance] = now_s
        while len(known.instances) > 2:
            del known.instances[next(iter(known.instances))]

    def _other_tells(self, known: _Known, now_s: float) -> bool:
        return min(known.instances.values()) > now_s - OTHER_BOX_S

    def _card(self, known: _Known) -> RoomTable:
        is_recent = self._now() - known.aside_s < ASIDE_S
        troubles = [known.aside] if known.aside is not None and is_recent else []
        if known.runs_back:
            troubles.append(Message("companion.hub.two-boxes"))
        if abs(known.clock_off_s) > CLOCK_S:
            hours = round(abs(known.clock_off_s) / HOUR_S, 1)
            key = (
                "companion.hub.clock-behind"
                if known.clock_off_s > 0
                else "companion.hub.clock-ahead"
            )
            troubles.append(Message(key, hours=hours))
        board = known.card.state.get("board")
        if board is not None and board not in self._boards:
            troubles.append(
                Message("companion.hub.no-board", title=game_name(board, known.card.state["title"]))
            )
        state = _as_kept(known.card.state, known.nameless)
        if known.evidence is not None and _is_other(state, known.evidence, known.place):
            troubles.append(Message("companion.hub.other-result"))
        told = [message.to_json() for message in troubles]
        return replace(known.card, state=state, troubles=told)


def _is_other(state: Mapping[str, Any], evidence: Evidence, place: int) -> bool:
    """Whether a table shows another result than its events lead to here: of two programs one may
    be older. What one of them has not heard of yet tells nothing."""
    if state.get("phase") != "sheet" or state["place"] != place or not evidence.is_whole:
        return False
    shown = sorted((row["name"], row["points"]) for row in state["standing"])
    return shown != sorted((one.name, one.total) for one in evidence.sheet.players)


def _as_kept(state: Mapping[str, Any], nameless: Mapping[str, str]) -> Mapping[str, Any]:
    """A game without names that went out of the database; its table says them still, and one that
    was switched off in the course of a game for ever."""
    players = state.get("players", ())
    gone = {p["name"]: nameless[p["colour"]] for p in players if p["colour"] in nameless}
    if not gone:
        return state

    def named(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        return [{**row, "name": gone.get(row["name"], row["name"])} for row in rows]

    winners = [gone.get(name, name) for name in state["winners"]]
    shown = {part: named(state[part]) for part in ("players", "standing")}
    return {**state, **shown, "winners": winners}
