"""The club's parts of the hub's pages, for `web.hub.app.create_hub_app`."""

from collections.abc import Callable, Sequence

from flask import Blueprint

from web.hub.club_frame import ClubSite
from web.hub.club_pages import club_pages
from web.hub.club_port import ClubPort
from web.hub.personal_pages import personal_pages
from web.hub.site import Site
from web.hub.tournament_pages import tournament_pages


def club_parts(club: ClubPort) -> Sequence[Callable[[Site], Blueprint]]:
    """Every part, one a file."""
    return (
        lambda site: club_pages(ClubSite(site, club)),
        lambda site: personal_pages(ClubSite(site, club)),
        lambda site: tournament_pages(ClubSite(site, club)),
    )
