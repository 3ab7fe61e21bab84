"""What every page of the hub works with: the room, the visitor's language, and the frame."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from flask import render_template

from scoring.board.game_names import game_title
from scoring.language import Message, language_name, languages, text
from web.access.club import Club
from web.access.gate import present_visitor
from web.days import day_of
from web.drawing.board_svg import BoardDrawing, Drawings, draw_board
from web.drawing.colour_styles import MARK_PATHS
from web.hub.ports import RoomPort
from web.language import count, in_words, language_of_request, say
from web.listeners import MOST_IN_ROOM, ListenerSlots


@dataclass(frozen=True, slots=True)
class Tab:
    """An entry of the navigation; its text is that of its name."""

    name: str
    address: str
    icon: str


TABS: tuple[Tab, ...] = (
    Tab("tables", "/", "look"),
    Tab("scoreboard", "/scoreboard", "sheet"),
    Tab("club", "/club", "player"),
    Tab("tournaments", "/tournaments", "play"),
)


@dataclass(frozen=True, slots=True)
class Site:
    """Serves the pages of one room."""

    room: RoomPort
    access: Club
    default_language: str
    own_addresses: Callable[[], Sequence[str]] = tuple
    drawings: Drawings[BoardDrawing] = field(default_factory=partial(Drawings, draw_board))
    run: str = field(default_factory=lambda: secrets.token_hex(4))
    """Tells one run of the hub from another."""
    slots: ListenerSlots = field(default_factory=lambda: ListenerSlots(MOST_IN_ROOM))

    @property
    def language(self) -> str:
        """The language of the present request."""
        return language_of_request(self.default_language)

    @property
    def is_organiser(self) -> bool:
        """Whether the present request is the organiser's."""
        return present_visitor().is_host

    def page(self, template: str, tab: str = "", **more: Any) -> str:
        """A page from its template in `hub/`, with what all pages share."""
        return self.part_in(
            self.language,
            template,
            tab=tab,
            tabs=TABS,
            languages={code: language_name(code) for code in languages()},
            is_organiser=self.is_organiser,
            troubles=self.room.troubles(),
            **more,
        )

    def banner_in(self, language: str, is_organiser: bool) -> str:
        """What is wrong with the hub; what it is, only the organiser reads."""
        return self.part_in(
            language, "_banner.html", troubles=self.room.troubles(), is_organiser=is_organiser
        )

    def part_in(self, language: str, template: str, **more: Any) -> str:
        """A part of a page from its template in `hub/`, the same for every visitor."""
        return render_template(
            f"hub/{template}",
            language=language,
            say=partial(say, language=language),
            count=partial(count, language=language),
            colour_name=lambda colour: text(f"scoring.colour.{colour}", language),
            day_and_time=lambda at_s: day_of(at_s, language),
            sentence=lambda message: in_words(Message.from_json(message), language),
            game_title=lambda board, title: game_title(board or "", title, language),
            marks=MARK_PATHS,
            **more,
        )
