"""What a table calls itself in a club's room."""

import pytest

from companion.mqtt.hub_settings import HubSettings, hub_for_now, hub_settings

SEVEN = "mqtt://table-7:secret@club.local"


def named(language: str, hub: HubSettings) -> str:
    return hub.told_in(language).name


@pytest.mark.parametrize(("language", "name"), [("en", "Table 7"), ("it", "Tavolo 7")])
def test_a_table_without_a_name_is_called_as_the_set_up_calls_it(language: str, name: str) -> None:
    """It stood as "Table 7" among "Tavolo 1" to "Tavolo 6"."""
    assert named(language, hub_for_now(SEVEN, None)) == name
    assert named(language, hub_settings({"address": SEVEN})) == name


def test_another_id_is_its_name_in_every_language() -> None:
    hub = hub_for_now("mqtt://the-salon:secret@club.local", None)
    assert {named("en", hub), named("it", hub)} == {"The salon"}


def test_a_table_keeps_its_own_name_for_an_evening_with_another_address() -> None:
    usual = hub_settings({"address": SEVEN, "name": "Salon"})
    tonight = hub_for_now("mqtt://table-7:other@192.168.1.9", usual)
    assert named("it", tonight) == "Salon"
    assert tonight.address.host == "192.168.1.9"


def test_a_box_that_was_copied_is_not_called_like_the_first_one_with_credentials_of_its_own() -> (
    None
):
    """Its configuration still names table 7; two tables of one name would be in the room."""
    usual = hub_settings({"address": SEVEN, "name": "Salon"})
    assert named("en", hub_for_now("mqtt://table-21:own@club.local", usual)) == "Table 21"
