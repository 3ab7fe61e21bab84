"""Two names of old evenings that are one person: joined, and parted again."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from flask import Blueprint, request

from web.access.roles import Role, open_to
from web.history_port import EveningSummary
from web.names import one_spelling
from web.panel import Panel


@dataclass(frozen=True, slots=True)
class Choice:
    """Two names that somebody has chosen, with their numbers of evenings."""

    alias: str
    person: str
    alias_evenings: int
    person_evenings: int
    have_met: bool
    """Whether both have played in one game: they are two people."""

    @property
    def evenings(self) -> int:
        """Of both."""
        return self.alias_evenings + self.person_evenings


def joined_names_page(panel: Panel) -> Blueprint:
    """`GET /statistics/names`, with the names chosen so far in `?alias=` and `?person=`."""
    pages = Blueprint("joined_names", __name__)

    @pages.get("/statistics/names")
    @open_to(Role.HOST)
    def joined_names() -> str:
        history = panel.table.history
        played = evenings_by_name(one for one in history.evenings() if not one.is_deleted)
        alias, person = request.args.get("alias", ""), request.args.get("person", "")
        return panel.page(
            "joined_names.html",
            panel.context(),
            tab="history",
            names=sorted(played, key=str.casefold),
            alias=alias,
            person=person,
            choice=choice_of(alias, person, played, history.have_met),
            joined=history.joined_names(),
        )

    return pages


def evenings_by_name(evenings: Iterable[EveningSummary]) -> Counter[str]:
    """In how many evenings each name stands, by its newest spelling."""
    spelling: dict[str, str] = {}
    return Counter(
        spelling.setdefault(one_spelling(player.name), player.name)
        for evening in evenings
        for player in evening.players
    )


def choice_of(
    alias: str, person: str, played: Mapping[str, int], have_met: Callable[[str, str], bool]
) -> Choice | None:
    """Two of the names that have `played`; None for others, and for one name twice."""
    if alias == person or not {alias, person} <= played.keys():
        return None
    return Choice(alias, person, played[alias], played[person], have_met(alias, person))
