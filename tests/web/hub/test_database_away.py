"""With the database away the club's pages say so in one sentence; none ends in a traceback."""

from collections.abc import Iterator

import pytest

from tests.support.postgres import Cluster
from tests.web.hub.club_site import ClubSite, club_site
from web.hub.ports import RoomTable


@pytest.fixture(scope="module")
def site(postgres: Cluster) -> Iterator[ClubSite]:
    with club_site(postgres) as made:
        made.database.close()
        yield made


@pytest.mark.parametrize("address", ["/club", "/club/results", "/tournaments", "/me/abcdef"])
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "The database does not answer"), ("it", "Il database non risponde")],
)
def test_a_page_of_the_club_says_that_the_database_is_away(
    site: ClubSite, address: str, language: str, words: str
) -> None:
    answer = site.app.test_client().get(address, query_string={"lang": language})
    assert answer.status_code == 503
    assert words in answer.text
    assert "PostgreSQL" not in answer.text
    assert "Traceback" not in answer.text


def test_shutting_a_table_out_says_so_too(site: ClubSite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site.room, "shut_out", site.database.keep_shut_out)
    site.room.known["table-1"] = RoomTable("table-1", "Table 1", {}, True, 1)
    answer = site.organiser().post("/tables/table-1/shut-out", data={"shut": "yes"})
    assert answer.status_code == 503
    assert "The database does not answer, or does not let the hub in." in answer.text
