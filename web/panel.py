"""What every page works with: the table, and what all its pages share."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import Any
from urllib.parse import quote

from flask import render_template

from scoring.board.board import Board
from scoring.language import Message, language_name, languages
from web.access.gate import present_visitor
from web.access.visitors import Access
from web.drawing.board_photo import (
    PHOTO,
    BoardPhotos,
    NoBoardPhotos,
    board_photo_address,
    map_choice,
)
from web.drawing.board_svg import BoardDrawing, Drawings, draw_board
from web.drawing.colour_styles import MARK_PATHS
from web.errors import WebError
from web.invitation import address_by_name
from web.language import in_words, language_of_request, say
from web.listeners import ListenerSlots
from web.live import Live
from web.open_hands import OpenHands
from web.page_context import PageContext
from web.pictures import mark_of
from web.pieces import by_its_pieces
from web.ports import TablePort
from web.sent.once import SentOnce
from web.sent.uploads import Uploads
from web.setup_port import SetupPort

PAGE_OF_PHASE: Mapping[str, str] = {
    "start": "/start",
    "look": "/board",
    "doubts": "/doubts",
    "tickets": "/tickets",
    "sheet": "/reveal",
}


@dataclass(frozen=True, slots=True)
class Panel:
    """Serves pages of one table."""

    table: TablePort
    default_language: str
    access: Access
    setup: SetupPort | None = None
    own_addresses: Callable[[], Sequence[str]] = tuple
    photos: BoardPhotos = field(default_factory=NoBoardPhotos)
    drawings: Drawings[BoardDrawing] = field(default_factory=partial(Drawings, draw_board))
    clock: Callable[[], float] = time.monotonic
    """Tells seconds: what photos of a hand have shown is forgotten by it."""
    open_hands: OpenHands = field(init=False)
    uploads: Uploads = field(default_factory=Uploads)
    entering: Lock = field(default_factory=Lock)
    """Held from looking at what stands to changing it: two devices may enter in one hand."""
    sent: SentOnce = field(default_factory=SentOnce)
    slots: ListenerSlots = field(default_factory=ListenerSlots)
    live: Live = field(init=False)

    def __post_init__(self) -> None:
        """What listens shares its documents; a hand is open in its own game only."""
        object.__setattr__(self, "live", Live(self.table))
        object.__setattr__(
            self, "open_hands", OpenHands(self.clock, game=lambda: self.table.in_play())
        )

    @property
    def language(self) -> str:
        """The language of the present request."""
        return language_of_request(self.default_language)

    def context(self) -> PageContext:
        """The present moment as a page shows it."""
        now = self.context_in(self.language)
        return replace(now, photo=self.photo_of(now.board), on_photo=map_choice() == PHOTO)

    def context_in(self, language: str) -> PageContext:
        """The same in a language."""
        moment = self.table.moment()
        drawing = None if moment.board is None else self.drawings.of(moment.board)
        return PageContext(
            moment.state,
            moment.board,
            drawing,
            moment.sheet,
            language,
            moment.game,
            began_ms=moment.began_ms,
        )

    def photo_of(self, board: Board | None) -> str | None:
        """Where the photo of a board is, None where the table keeps none of it."""
        return None if board is None else board_photo_address(self.photos, board)

    def shut_hands(self, colours: Collection[str]) -> None:
        """Whoever looks at one of these hands sees it no longer, in the open page either."""
        self.open_hands.shut(colours)
        self.table.announce()

    def is_to_be_set_up(self, board: str) -> bool:
        """Whether a board can be set up here, and nobody has done it."""
        boards = [] if self.setup is None else self.setup.boards()
        return any(one.id == board and not one.is_set_up for one in boards)

    def crop_address(self, route: str) -> str | None:
        """Where the photo's piece around a route is, None where there is none."""
        image = self.table.crop(route)
        return None if image is None else f"/api/crop/{quote(route)}.png?v={mark_of(image)}"

    def sentence_of(self, error: WebError) -> str:
        """An error in words; where the state can't be had, routes in it keep their ids."""
        return self.told(error.message)

    def told(self, message: Message) -> str:
        """A message in the visitor's language, as `sentence_of` tells errors."""
        said = in_words(message, self.language)
        with suppress(Exception):
            context = self.context()
            return context.with_names(by_its_pieces(said, context.board, context.language))
        return said

    def error_page(self, sentence: str, *, fault: bool) -> str:
        """The page of an error; after a fault of the program one that needs no state.

        The state itself may be what fails, so the same page stands in where none can be had.
        """
        if not fault:
            with suppress(Exception):
                return self.page("error.html", self.context(), tab="", sentence=sentence)
        language = self.language
        say_so = partial(say, language=language)
        return render_template("lost.html", say=say_so, language=language, sentence=sentence)

    def page(
        self,
        template: str,
        context: PageContext,
        tab: str,
        shown: PageContext | None = None,
        **more: Any,
    ) -> str:
        """A page from its template, with what all pages share.

        `shown` is the game that the page is about where that is not the one of the moment.
        """
        shown, visitor = shown or context, present_visitor()
        return render_template(
            template,
            page=context,
            shown=shown,
            state=context.state,
            tab=tab,
            say=shown.say,
            count=shown.count,
            marks=MARK_PATHS,
            languages={code: language_name(code) for code in languages()},
            home=PAGE_OF_PHASE[context.state["phase"]],
            began_ms=context.began_ms,
            crop=self.crop_address,
            club=self.access.is_club,
            visitor=visitor,
            is_host=visitor.is_host,
            by_name=address_by_name(self.own_addresses()),
            **more,
        )
