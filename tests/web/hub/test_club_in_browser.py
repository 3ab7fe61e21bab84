"""The pages of a club in Chromium: on a phone, with large letters, and where a form is refused."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.torture.proxy import CuttingProxy
from tests.web.hub.club_games import address as address
from tests.web.hub.club_games import club as club
from tests.web.hub.club_games import drawn, known, organiser_who_counts, press, secret_of
from tests.web.hub.club_games import tab as tab
from tests.web.hub.club_games import table_one as table_one
from tests.web.hub.club_site import ClubSite
from tests.web.test_accessibility import TAGS, found_by_axe
from tests.web.test_every_room import SMALL_FIELDS
from tests.web.test_phone import ROOM_AND_WORDS_PX
from tests.web.test_safari import CORRECTED


def test_a_long_name_in_the_standings_of_a_season_is_not_broken_within_a_word(
    browser: Any, club: ClubSite, address: str, table_one: tuple[str, str]
) -> None:
    organiser = organiser_who_counts(club, table_one, "Massimiliano Bonaventura", "Zoe")
    season = {"name": "Autumn", "first": "2000-01-01", "last": "2100-01-01"}
    at = organiser.post("/club/seasons", data=season | {"last": "2001-01-01"}).location
    organiser.post(f"{at}/remove")
    assert organiser.get(at).status_code == 404, "its days were wrong"
    at = organiser.post("/club/seasons", data=season).location
    phone = browser.new_page(viewport={"width": 360, "height": 740})
    phone.goto(address + at)
    name = phone.locator(".standings a", has_text="Massimiliano")
    height = name.evaluate("a => a.getClientRects()[0].height")
    line = phone.locator(".standings a", has_text="Zoe").evaluate(
        "a => parseFloat(getComputedStyle(a).lineHeight)"
    )
    assert height <= max(44, 2 * line + 1), "no more lines than words"
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.close()


def test_the_table_of_a_season_fits_a_phone_in_italian(
    browser: Any, club: ClubSite, address: str, table_one: tuple[str, str]
) -> None:
    """Its last column was cut: of 110 points one saw the first figure."""
    organiser = organiser_who_counts(club, table_one, "Ginevra", "Zoe")  # no other game is hers
    season = {"name": "Autunno", "first": "2000-01-01", "last": "2100-01-01"}
    at = organiser.post("/club/seasons", data=season).location
    phone = browser.new_page(viewport={"width": 360, "height": 740}, locale="it")
    phone.goto(address + at)
    card = phone.locator(".wide-table").bounding_box()
    row = phone.get_by_role("row").filter(has_text="Ginevra")
    points = row.get_by_role("cell", name="110", exact=True).bounding_box()
    assert points["x"] + points["width"] <= card["x"] + card["width"]
    assert phone.get_by_role("columnheader", name="Posto").count() == 1
    phone.emulate_media(media="print")
    assert row.bounding_box()["height"] < 30, "a club of sixty fits two sheets of paper, not five"
    assert phone.get_by_role("link", name="Il circolo").count() == 0
    phone.emulate_media(media="screen")
    phone.goto(f"{address}/club")
    heads = phone.get_by_role("heading", level=2).all_inner_texts()
    assert heads.index("Stagioni") < heads.index("Valutazioni"), "not below sixty players"
    phone.close()


@pytest.mark.parametrize("language", ["en", "it"])
def test_letters_twice_as_large_fit_the_pages_of_a_club(
    large_letters: Any, club: ClubSite, address: str, language: str
) -> None:
    """With a round under way, at 360 pixels."""
    organiser = club.organiser()
    at = drawn(organiser, "Summer", "Nia, Bartholomew, Zelda", "1", minutes="90", board="germany")
    organiser.post(f"{at}/begin", data={"drawn": "1"})
    phone = large_letters.new_page(viewport={"width": 360, "height": 740})
    phone.goto(f"{address}/join?lang={language}")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), "join"
    phone.locator("input[name=pin]").fill(club.access.pin.pin)
    press(phone, phone.locator("form.pin button"))
    me = f"/me/{secret_of(club, 'Nia')}"
    for path in ("/", "/scoreboard", "/club", "/club/results", "/join", at, f"{at}/cards", me):
        phone.goto(f"{address}{path}?lang={language}")
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        last = phone.locator(".tabs a").last.bounding_box()
        assert last["x"] + last["width"] <= 361, f"{path}: the last tab"
    phone.close()


@pytest.mark.parametrize("language", ["en", "it"])
def test_letters_twice_as_large_leave_no_figure_of_a_table_out_of_sight(
    large_letters: Any,
    club: ClubSite,
    address: str,
    table_one: tuple[str, str],
    language: str,
) -> None:
    """Of a season's standings one saw names and half a head: each table had to be pushed aside."""
    organiser = organiser_who_counts(club, table_one, "Massimiliano Bonaventura", "Zoe")
    season = {"name": "Winter", "first": "2000-01-01", "last": "2100-01-01"}
    standings = organiser.post("/club/seasons", data=season).location
    phone = large_letters.new_page(viewport={"width": 390, "height": 844})
    for path in (standings, "/club", f"/me/{secret_of(club, 'Zoe')}"):
        phone.goto(f"{address}{path}?lang={language}")
        assert phone.locator(".wide-table").count() > 0, path
        for card in phone.locator(".wide-table").all():
            assert card.evaluate("card => card.scrollWidth <= card.clientWidth"), path
    phone.goto(f"{address}{standings}?lang={language}")
    row = phone.get_by_role("row").filter(has_text="Massimiliano")
    assert [words.split()[-1] for words in row.get_by_role("cell").all_inner_texts()][-1] == "110"
    phone.close()


def test_paper_has_no_buttons_of_a_club_and_no_head_over_nothing(
    tab: Any, club: ClubSite, table_one: tuple[str, str], address: str
) -> None:
    """Below "Personal data" stood nothing, and a form for games on paper took half a sheet."""
    organiser_who_counts(club, table_one, "Ada", "Zoe")
    tab.emulate_media(media="print")
    for path in ("club", "club/results", f"me/{secret_of(club, 'Zoe')}"):
        tab.goto(f"{address}/{path}?lang=en")
        assert (
            not tab.locator(".club :is(button, .button, form.on-paper)")
            .filter(visible=True)
            .count()
        )
    assert not tab.get_by_role("heading", name="Personal data").is_visible()
    assert tab.locator(".figures").first.is_visible()
    tab.emulate_media(media="screen")


def test_paper_of_a_tournament_has_no_forms_and_cards_keep_a_long_name_in_one_line(
    tab: Any, club: ClubSite, address: str
) -> None:
    """Empty boxes for points filled half a sheet, and a name was broken without a hyphen."""
    names = "Wolfeschlegelsteinhausen, Bo, Zoe"
    at = drawn(club.organiser(), "Paper", names, "1")
    tab.emulate_media(media="print")
    tab.set_viewport_size({"width": 718, "height": 1000})  # 190 mm: A4 without its margins
    tab.goto(f"{address}{at}")
    fields = ".club :is(input, select, summary, .small, .button)"
    assert not tab.locator(fields).filter(visible=True).count()
    assert tab.locator(".room-table").get_by_role("link", name="Bo").is_visible()
    tab.goto(f"{address}{at}/cards")
    name = tab.get_by_text("Wolfeschlegelsteinhausen")
    line = name.evaluate("one => parseFloat(getComputedStyle(one).lineHeight)")
    assert name.bounding_box()["height"] < 1.5 * line
    right = tab.locator(".seat-cards").bounding_box()
    assert right["x"] + right["width"] < 718
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.emulate_media(media="screen")


def test_paper_of_a_tournament_has_its_past_rounds(tab: Any, club: ClubSite, address: str) -> None:
    """They are folded on the page; behind the round that is played they begin a sheet of paper."""
    organiser = club.organiser()
    at = drawn(organiser, "Three rounds", "Ann, Bo, Zoe", "1")
    typed = (("Ann", "7"), ("Bo", "5"), ("Zoe", "3"))
    points = {f"points-{known(club, name)}": told for name, told in typed}
    for number in (1, 2):
        organiser.post(f"{at}/result", data={"round": number, "table": "1", **points})
        organiser.post(f"{at}/draw", data={"drawn": number})
    tab.emulate_media(media="print")
    tab.goto(f"{address}{at}")
    past = tab.locator(".past-round")
    assert past.count() == 2
    for number, round_ in zip("21", past.all(), strict=True):
        shown = round_.inner_text().split()
        assert shown[:2] == ["Round", number]
        assert shown[-6:] == ["Ann", "7", "Bo", "5", "Zoe", "3"]
        assert round_.locator(".placed").is_visible()
        name, told = (round_.locator(".placed li").first.locator(one) for one in ("span", "b"))
        assert told.bounding_box()["y"] == pytest.approx(name.bounding_box()["y"], abs=3)
        assert not round_.locator(":is(input, button)").filter(visible=True).count()
    assert past.nth(0).evaluate("one => getComputedStyle(one).breakBefore") == "page"
    assert past.nth(1).evaluate("one => getComputedStyle(one).breakBefore") == "auto"
    tab.emulate_media(media="screen")


@pytest.mark.parametrize("path", ["club", "club/results", "tournaments", "me"])
def test_axe_finds_nothing_on_a_page_of_the_club(
    tab: Any, club: ClubSite, table_one: tuple[str, str], address: str, path: str
) -> None:
    secret = secret_of(club, "Ada")
    tab.goto(f"{address}/{path}/{secret if path == 'me' else ''}".rstrip("/"))
    assert found_by_axe(tab, {"runOnly": TAGS}) == []


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_page_is_wider_than_a_phone(
    tab: Any, club: ClubSite, table_one: tuple[str, str], address: str, language: str
) -> None:
    tab.set_viewport_size({"width": 390, "height": 844})
    ada = known(club, "Ada")
    if not club.desk.tournaments():  # where no test before this one has played any
        club.desk.add_tournament("Spring cup", 60)
    newest = club.desk.tournaments()[0].id
    pages = ["club", f"club/players/{ada}", "club/results", f"tournaments/{newest}"]
    for path in [*pages, f"me/{secret_of(club, 'Ada')}"]:
        tab.goto(f"{address}/{path}?lang={language}")
        wide = tab.evaluate("document.documentElement.scrollWidth")
        assert wide <= 390, path
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.goto(f"{address}/club?lang=en")


def test_on_a_phone_no_field_grows_the_page_or_corrects_a_name_and_a_game_has_its_whole_name(
    tab: Any, club: ClubSite, address: str
) -> None:
    evening = {"name": "On phones", "minutes": "90"}
    tournament = club.organiser().post("/tournaments", data=evening).location
    phone = tab.context.new_page()
    phone.set_viewport_size({"width": 390, "height": 844})
    for page in ("/club", "/club/results", tournament):
        phone.goto(address + page)
        assert phone.evaluate(SMALL_FIELDS) == [], page
        assert phone.evaluate(CORRECTED) == [], page
    phone.locator("form[action$='/tables'] select").select_option(label="Ticket to Ride Germany")
    room, words = phone.locator("form[action$='/tables'] select").evaluate(ROOM_AND_WORDS_PX)
    assert words <= room
    phone.close()


def test_a_form_on_a_line_that_went_without_a_word_is_told_as_unanswered(
    browser: Any, club: ClubSite, address: str
) -> None:
    """Its page said nothing, and took no second tap, until the browser gave up minutes later."""
    network = CuttingProxy(int(address.rsplit(":", 1)[1]))
    with network.listening() as port:
        phone = browser.new_page(locale="it")
        phone.goto(f"http://127.0.0.1:{port}/join")
        pin = phone.get_by_label("PIN dell'organizzatore")
        pin.fill(club.access.pin.pin)
        network.is_deaf = True
        enter = phone.get_by_role("button", name="Sono l'organizzatore")
        enter.click()
        told = phone.get_by_role("alert")
        expect(told).to_contain_text("L'hub non ha risposto.", timeout=60_000)
        expect(pin).to_have_value(club.access.pin.pin)
        network.is_deaf = False
        enter.click()
        phone.wait_for_url(f"http://127.0.0.1:{port}/", timeout=60_000)
        phone.close()


def test_what_is_refused_stays_on_its_page_with_what_was_typed(
    browser: Any, club: ClubSite, address: str
) -> None:
    """A wrong PIN, a name that is taken, days the wrong way round; what is right goes on."""
    phone = browser.new_page(viewport={"width": 390, "height": 844}, locale="it")
    phone.goto(f"{address}/join")
    pin = phone.get_by_label("PIN dell'organizzatore")
    wrong = f"{(int(club.access.pin.pin) + 1) % 10**6:06d}"
    pin.fill(wrong)
    phone.get_by_role("button", name="Sono l'organizzatore").click()
    expect(phone.get_by_role("alert")).to_contain_text("Il PIN non è questo.")
    assert phone.url == f"{address}/join"
    expect(pin).to_have_value(wrong)
    expect(pin).to_be_focused()
    pin.fill(club.access.pin.pin)
    phone.get_by_role("button", name="Sono l'organizzatore").click()
    phone.wait_for_url(f"{address}/")

    club.organiser().post("/club/players", data={"name": "Presa"})
    phone.goto(f"{address}/club")
    name = phone.get_by_label("Nuovo giocatore")
    name.fill("PRESA")
    name.press("Enter")
    expect(phone.get_by_role("alert")).to_contain_text("PRESA è già nel circolo")
    assert phone.url == f"{address}/club"
    expect(name).to_have_value("PRESA")

    season = phone.get_by_label("Nome della stagione")
    if not season.is_visible():  # there is a season already
        phone.get_by_text("Nuova stagione").click()
    season.fill("Inverno")
    phone.get_by_label("Primo giorno").fill("2026-03-01")
    phone.get_by_label("Ultimo giorno").fill("2026-01-01")
    season.press("Enter")
    expect(phone.get_by_role("alert")).to_have_count(2)
    expect(season).to_have_value("Inverno")
    expect(phone.get_by_label("Primo giorno")).to_have_value("2026-03-01")
    phone.get_by_label("Ultimo giorno").fill("2026-04-01")
    season.press("Enter")
    phone.wait_for_url(f"{address}/club/seasons/*")
    phone.close()


def test_which_of_two_games_counts_is_answered_by_one_tap_and_what_was_typed_stays(
    browser: Any, club: ClubSite, address: str, table_one: tuple[str, str]
) -> None:
    """The way back from the question has the names and points still."""
    organiser_who_counts(club, table_one, "Ada", "Otto")
    phone = browser.new_page(locale="en", viewport={"width": 390, "height": 844})
    phone.goto(f"{address}/join")
    phone.get_by_label("PIN of the organiser").fill(club.access.pin.pin)
    press(phone, phone.get_by_role("button", name="I am the organiser"))
    phone.goto(f"{address}/club/results")
    for number, (name, points) in enumerate((("Ada", "112"), ("Zoe", "88")), 1):
        phone.get_by_label(f"Player {number}", exact=True).fill(name)
        phone.get_by_label(f"Points of Player {number}").fill(points)
    press(phone, phone.get_by_role("button", name="Add"))
    expect(phone.get_by_role("heading", name="Is it the same game?")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert found_by_axe(phone, {"runOnly": TAGS}) == []
    press(phone, phone.get_by_role("link", name="Back, and change nothing"))
    expect(phone.get_by_label("Points of Player 2")).to_have_value("88")
    press(phone, phone.get_by_role("button", name="Add"))
    press(phone, phone.get_by_role("button", name="The same game: what I typed counts"))
    (game,) = club.desk.paper_games()
    assert [(one.name, points) for one, points, _ in game.lines] == [("Ada", 112), ("Zoe", 88)]
    assert not club.desk.result(*table_one).is_confirmed
    club.desk.remove_paper_game(game.id)
    phone.close()
