"""From a picture to the sheet in a browser: a drawn board is photographed, read, asked about."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from companion.demo.demo import DemoScene, draw_demo, set_up_table
from companion.table.table import Table
from scoring.sheet.sheet import score_game
from vision.routes.places import places_of
from web.ports import TablePort

Serve = Callable[[TablePort], str]

LOOK_TIMEOUT_MS = 120_000
"""A look takes seconds; a machine that does much else may need longer."""


@pytest.fixture(scope="module")
def scene() -> DemoScene:
    """A made-up evening and its two drawn photos, the empty board's and the last."""
    return draw_demo()


@pytest.fixture
def table(scene: DemoScene, tmp_path: Path) -> Iterator[Table]:
    """The real table whose camera looks at the drawn photo."""
    table, _ = set_up_table(scene, tmp_path)
    yield table
    table.close()


def test_a_drawn_photo_becomes_the_right_sheet(
    page: Any, serve: Serve, scene: DemoScene, table: Table
) -> None:
    page.set_default_timeout(LOOK_TIMEOUT_MS)
    page.goto(serve(table))
    page.get_by_role("link", name="Ticket to Ride (USA)").click()
    for player in scene.game.players:
        page.get_by_label(f"Name of the {player.colour} player").fill(player.name)
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("button", name="Look at the board").click()
    page.locator(".route.claimed").first.wait_for(timeout=LOOK_TIMEOUT_MS)

    answer_as_it_really_stood(page, scene, table)
    page.goto(page.url.replace("/doubts", "/board").replace("/tickets", "/board"))
    shown = page.locator("[data-route]").evaluate_all(
        """groups => Object.fromEntries(groups.map((g) =>
            [g.dataset.route, (/\\bc-(\\w+)/.exec(g.getAttribute('class')) ?? [null, null])[1]]))"""
    )
    assert by_place(scene, shown) == by_place(scene, scene.game.owners)

    page.get_by_role("button", name="The game is over: tickets").click()
    for colour, tickets in scene.game.tickets.items():
        table.act("set-tickets", {"player": colour, "tickets": list(tickets)})
    page.get_by_role("button", name="Show the final sheet").click()
    page.wait_for_url("**/reveal*")
    page.goto(page.url.partition("/reveal")[0] + "/sheet")

    for player in score_game(game_of(scene)).players:
        points = page.locator(f"#score-{player.colour} .points")
        assert points.inner_text() == str(player.total)


def answer_as_it_really_stood(page: Any, scene: DemoScene, table: Table) -> None:
    """Go to the questions and tap the true owners of every doubtful place."""
    page.get_by_role("link", name="Questions").first.click()
    while doubts := table.state()["doubts"]:
        route, truth = doubts[0]["route"], [scene.game.owners[r] for r in doubts[0]["routes"]]
        offered = [choice["owners"] for choice in doubts[0]["choices"]]
        owners = next(one for one in offered if Counter(one) == Counter(truth))
        words = " ".join(owner or "nobody" for owner in owners)
        page.locator(f'[data-key="{route}/{words}"]').click()
        page.locator(f"#d-{route}").wait_for(state="detached")


def by_place(scene: DemoScene, owners: Mapping[str, str | None]) -> list[Counter[str | None]]:
    """The owners of every place, on whichever of its lines: that is all that scores."""
    return [Counter(owners[line] for line in place) for place in places_of(scene.board)]


def game_of(scene: DemoScene) -> dict[str, Any]:
    """The made-up evening as the referee reads it."""
    return {
        "game": scene.board.id,
        "players": [
            {
                "name": player.name,
                "colour": player.colour,
                "routes": [r for r, owner in scene.game.owners.items() if owner == player.colour],
                "tickets": list(scene.game.tickets[player.colour]),
            }
            for player in scene.game.players
        ],
    }
