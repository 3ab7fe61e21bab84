"""Two phones show the same: what one has done is not overruled by the other one unseen."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from werkzeug.datastructures import MultiDict

from companion.table.table import Table
from tests.companion.table.test_places import DALLAS, KANSAS, PLACES, SEEN, THREE
from tests.companion.tables import ToldEye, new_table, scanned, sure, unsure
from tests.web.studio_rig import Rig as StudioRig
from web.app import create_app

OMAHA = "denver--omaha"
ENGLISH = {"Accept-Language": "en"}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A game whose camera doubts a route, and both lines of two doubles."""
    table = new_table(tmp_path, ToldEye(SEEN | {OMAHA: unsure("black", "blue")}, places=PLACES))
    table.act("start", THREE)
    table.act("scan", {})
    scanned(table)
    return table


def fields_of(client: Any, page: str, action: str) -> MultiDict[str, str]:
    """The hidden fields of the form of a page that does this."""
    words = client.get(page, headers=ENGLISH).get_data(as_text=True)
    form = next(one for one in words.split("<form")[1:] if f"/api/act/{action}" in one)
    return MultiDict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form))


def question(client: Any, page: str, named: str) -> MultiDict[str, str]:
    """The hidden fields of the first form of a page that asks about this route."""
    words = client.get(page, headers=ENGLISH).get_data(as_text=True)
    form = next(one for one in words.split("<form")[1:] if f'value="{named}"' in one)
    return MultiDict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form))


def tap(client: Any, action: str, fields: MultiDict[str, str], **owners: str) -> Any:
    return client.post(f"/api/act/{action}", data=fields | MultiDict(owners), headers=ENGLISH)


def third_of_three(client: Any, first: str, alike: str, other: str) -> str:
    """What the third phone is told where three answer the question about a double, the second as
    the first and the third otherwise."""
    asked = question(client, "/doubts", " ".join(KANSAS))
    assert tap(client, "answer-place", asked, owners=first).status_code == 200
    assert tap(client, "answer-place", asked, owners=alike).status_code == 200
    refused = tap(client, "answer-place", asked, owners=other)
    assert refused.status_code == 409
    return str(refused.get_json()["error"])


def owner(table: Table, route: str) -> str | None:
    return table.state()["routes"][route]["owner"]


@pytest.mark.parametrize("page", ["/doubts", f"/route/{OMAHA}"])
def test_the_second_answer_to_a_question_is_told_what_the_first_one_was(
    page: str, table: Table
) -> None:
    client = create_app(table).test_client()
    ours, theirs = question(client, page, OMAHA), question(client, page, OMAHA)
    assert tap(client, "correct-route", ours, owner="black").status_code == 200
    refused = tap(client, "correct-route", theirs, owner="blue")
    assert refused.status_code == 409
    assert "just been answered: Ada" in refused.get_json()["error"]
    assert owner(table, OMAHA) == "black"
    assert tap(client, "correct-route", theirs, owner="black").status_code == 200


def test_of_two_phones_that_answer_alike_one_makes_a_step(table: Table) -> None:
    """One undo opens the question again; the second answer was a step that undid nothing."""
    client = create_app(table).test_client()
    asked = question(client, "/doubts", OMAHA)
    first = tap(client, "correct-route", asked, owner="black")
    second = tap(client, "correct-route", asked, owner="black")
    assert second.get_json() == first.get_json()
    double = question(client, "/doubts", " ".join(KANSAS))
    tap(client, "answer-place", double, owners="black nobody")
    tap(client, "answer-place", double, owners="nobody black")
    table.act("undo", {})
    table.act("undo", {})
    assert [table.state()["routes"][route]["status"] for route in (OMAHA, *KANSAS)] == [
        "doubtful"
    ] * 3


def test_who_sees_the_answer_may_change_it(table: Table) -> None:
    client = create_app(table).test_client()
    tap(client, "correct-route", question(client, "/doubts", OMAHA), owner="black")
    seen = question(client, f"/route/{OMAHA}", OMAHA)
    assert tap(client, "correct-route", seen, owner="blue").status_code == 200
    assert owner(table, OMAHA) == "blue"


def test_a_double_is_answered_by_the_first_as_well(table: Table) -> None:
    client = create_app(table).test_client()
    told = third_of_three(client, "black nobody", "nobody black", "nobody nobody")
    assert "just been answered: Only Ada" in told


def test_a_double_of_which_one_line_was_in_doubt_is_answered_by_the_first(tmp_path: Path) -> None:
    """The other line stays the camera's, so the second phone was not told and took its wagon."""
    seen = {KANSAS[0]: unsure("black", None), KANSAS[1]: sure("blue")}
    table = new_table(tmp_path, ToldEye(seen, places=PLACES[:1]))
    table.act("start", THREE)
    table.act("scan", {})
    scanned(table)
    client = create_app(table).test_client()
    told = third_of_three(client, "black blue", "blue black", "nobody blue")
    assert "just been answered: Ada and Ben" in told
    assert [owner(table, line) for line in KANSAS] == ["black", "blue"]


def test_after_undo_the_question_is_open_to_both(table: Table) -> None:
    client = create_app(table).test_client()
    asked = question(client, "/doubts", OMAHA)
    tap(client, "correct-route", asked, owner="black")
    table.act("undo", {})
    assert tap(client, "correct-route", asked, owner="blue").status_code == 200
    assert owner(table, OMAHA) == "blue"


ADA_AND_BEN = {"name-black": "Ada", "name-blue": "Ben"}


def test_of_two_phones_that_begin_a_game_one_does(table: Table) -> None:
    """The second one comes minutes later, from a pocket: a game is on, with what was entered."""
    client = create_app(table).test_client()
    table.act("new-game", {})
    form = fields_of(client, "/start?board=usa", "start")
    named = {"Idempotency-Key": "a-phone-1"} | ENGLISH
    begun = client.post("/api/act/start", data=form | MultiDict(ADA_AND_BEN), headers=named)
    assert begun.status_code == 200
    table.act("correct-route", {"route": OMAHA, "owner": "black"})
    refused = tap(client, "start", form, **ADA_AND_BEN)
    assert refused.status_code == 409
    assert "A game has begun meanwhile: Ben and Ada" in refused.get_json()["error"]
    assert owner(table, OMAHA) == "black"
    again = client.post("/api/act/start", data=form | MultiDict(ADA_AND_BEN), headers=named)
    assert again.status_code == 200  # the network delivers the first one once more
    assert owner(table, OMAHA) == "black"


def test_a_rematch_that_is_tapped_on_an_old_sheet_ends_no_game(table: Table) -> None:
    client = create_app(table).test_client()
    for question_of in (OMAHA, *KANSAS, *DALLAS):
        table.act("correct-route", {"route": question_of, "owner": None})
    table.act("finish", {})
    old = fields_of(client, "/sheet", "new-game")
    table.act("new-game", {})
    table.act("start", THREE)
    assert tap(client, "new-game", old).status_code == 409
    assert table.state()["phase"] == "look"
    assert tap(client, "new-game", fields_of(client, "/start", "new-game")).status_code == 200


def form_of(client: Any, page: str, action: str) -> str:
    """The address that the form of a page sends to, as a browser has it."""
    words = client.get(page, headers=ENGLISH).get_data(as_text=True)
    (address,) = set(re.findall(rf'action="(/api/act/{action}[?"][^"]*|/api/act/{action})"', words))
    return str(address)


@pytest.mark.parametrize(
    ("page", "action", "fields"),
    [
        ("/doubts", "correct-route", {"route": OMAHA, "owner": "black"}),
        ("/tickets", "finish", {}),
        ("/settings", "set-settings", {"settings": "{}"}),
    ],
)
def test_a_page_of_the_game_before_changes_nothing_of_the_next_one(
    page: str, action: str, fields: dict[str, str], table: Table
) -> None:
    """A tablet that was laid aside shows the old game for a moment; the same people play on."""
    client = create_app(table).test_client()
    if action != "correct-route":
        table.act("show", {"phase": "tickets"})
    old = form_of(client, page, action)
    table.act("new-game", {})
    table.act("start", THREE)
    before = table.state()
    refused = client.post(old, data=fields, headers=ENGLISH)
    assert refused.status_code == 409
    assert "Another game has begun meanwhile" in refused.get_json()["error"]
    assert table.state() == before


def test_what_the_game_before_was_told_is_told_again_by_the_network(table: Table) -> None:
    """It was done; only its answer was lost, and a new game has begun since."""
    client = create_app(table).test_client()
    old = form_of(client, "/doubts", "correct-route")
    named = {"Idempotency-Key": "a-phone-1"} | ENGLISH
    answer = {"route": OMAHA, "owner": "black"}
    assert client.post(old, data=answer, headers=named).status_code == 200
    table.act("new-game", {})
    table.act("start", THREE)
    assert client.post(old, data=answer, headers=named).status_code == 200
    assert OMAHA not in table.state()["routes"]


def test_an_old_evening_is_moved_from_a_page_of_any_game(table: Table) -> None:
    client = create_app(table).test_client()
    for question_of in (OMAHA, *KANSAS, *DALLAS):
        table.act("correct-route", {"route": question_of, "owner": None})
    table.act("finish", {})
    table.act("new-game", {})
    table.act("start", THREE)
    (evening,) = table.history.evenings()
    old = form_of(client, f"/history/{evening.id}", "delete-evening")
    table.act("new-game", {})
    assert client.post(old, data={"evening": evening.id}, headers=ENGLISH).status_code == 200


def test_a_page_that_is_made_while_the_next_game_begins_belongs_to_one_of_them(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It showed the questions of the game before, and its answers counted in the next one."""
    moment, is_late = table.moment, [True]

    def slowly() -> Any:
        now = moment()
        if is_late:
            is_late.clear()
            table.act("new-game", {})
            table.act("start", THREE)
        return now

    monkeypatch.setattr(table, "moment", slowly)
    client = create_app(table).test_client()
    words = client.get(f"/route/{OMAHA}", headers=ENGLISH).get_data(as_text=True)
    address = re.findall(r'action="(/api/act/[^"]*-[^"]*)"', words)[0]
    assert "?game=" in address
    late = client.post(address, data={"route": OMAHA, "owner": "black"}, headers=ENGLISH)
    assert late.status_code == 409
    assert OMAHA not in table.state()["routes"], "the camera has seen nothing of this game yet"


def test_a_page_that_follows_into_the_next_game_can_be_used_in_it(
    page: Any, serve: Any, table: Table
) -> None:
    """Every form of it, also those that are the same in both games."""
    page.goto(f"{serve(table)}/settings")
    old = page.locator("body").get_attribute("data-game")
    table.act("new-game", {})
    table.act("start", THREE)
    now = str(table.in_play().began_ms)
    page.locator(f'body[data-game="{now}"]').wait_for(state="attached")
    forms = page.locator("form.act:not(#redo)")
    assert forms.count()
    for number in range(forms.count()):
        assert f"?game={now}" in (forms.nth(number).get_attribute("action") or "")
    assert old != now


def test_a_photo_that_waited_into_the_next_game_leaves_a_page_that_can_be_used_in_it(
    page: Any, serve: Any, table: Table
) -> None:
    page.goto(f"{serve(table)}/board")
    page.wait_for_load_state("load")
    page.route("**/api/act/upload-photo*", lambda route: route.abort())
    photo = {"name": "a.png", "mimeType": "image/png", "buffer": b"a photo"}
    page.locator("form[enctype] input[type=file]").first.set_input_files(photo)
    page.locator("#not-sent").wait_for()
    with page.expect_response("**/board"):
        table.act("new-game", {})
        table.act("start", THREE)
    page.wait_for_timeout(1000)
    # Somebody taps until it goes; it may also go by itself, and the page with it.
    page.evaluate(
        "setInterval(() => document.querySelector('#not-sent [data-again]').click(), 500)"
    )
    page.unroute("**/api/act/upload-photo*")
    now = table.in_play().began_ms
    page.locator(f'#main form[action="/api/act/upload-photo?game={now}"]').first.wait_for()
    page.get_by_text("Another game has begun meanwhile").wait_for()


def test_a_question_of_the_game_before_is_asked_no_more(
    page: Any, serve: Any, table: Table
) -> None:
    """It lies over the page, whatever that shows by then."""
    page.goto(f"{serve(table)}/board")
    page.wait_for_load_state("load")
    page.evaluate("document.querySelector('#dialog').showModal()")
    page.context.set_offline(True)
    table.act("new-game", {})
    table.act("start", THREE)
    page.wait_for_timeout(300)
    assert page.locator("#dialog").is_visible()
    page.context.set_offline(False)
    now = table.in_play().began_ms
    page.locator(f'body[data-game="{now}"]').wait_for(state="attached")
    page.locator("#dialog").wait_for(state="hidden")


def test_what_is_no_page_of_a_game_is_left_alone_by_the_next_one(page: Any, tmp_path: Path) -> None:
    """Somebody teaches a board, or drags its corners, while others begin to play."""
    rig = StudioRig(tmp_path)
    with rig.served() as address:
        page.goto(f"{address}/studio")
        page.wait_for_load_state("load")
        page.locator("select[name=board]").select_option("usa")
        rig.table.act("start", THREE)
        page.locator('body[data-phase="look"]').wait_for(state="attached")
        page.context.set_offline(True)
        rig.table.act("new-game", {})
        rig.table.act("start", THREE)
        page.context.set_offline(False)
        now = rig.table.in_play().began_ms
        page.locator(f'body[data-game="{now}"]').wait_for(state="attached")
        page.wait_for_timeout(300)
        expect(page.locator("select[name=board]")).to_have_value("usa")
    rig.table.close()
