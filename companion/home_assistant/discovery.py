"""The messages by which Home Assistant finds the table; pure.

The form is that of https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery, one retained
message an entity; an empty one takes an entity away.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from companion.mqtt.connection import OFFLINE, ONLINE
from scoring.game.colours import COLOURS
from scoring.language import text
from web.table_state import PanelPlayer

SEATS = len(COLOURS)
"""Seats that a game has at most: a board of one's own may have more than five."""

PRESS = "PRESS"
"""What Home Assistant sends for a pressed button."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one table."""

    name: str
    discovery: str

    @property
    def status(self) -> str:
        """ "online" or "offline"."""
        return f"companion/{self.name}/status"

    @property
    def state(self) -> str:
        """The document of `companion.home_assistant.document`."""
        return f"companion/{self.name}/state"

    @property
    def scan(self) -> str:
        """Whatever is sent there starts a scan."""
        return f"companion/{self.name}/scan"

    def entity(self, component: str, entity: str) -> str:
        """Where an entity is announced."""
        return f"{self.discovery}/{component}/companion_{self.name}/{entity}/config"


def discovery_messages(
    topics: Topics, players: Sequence[PanelPlayer], language: str, version: str
) -> dict[str, str]:
    """Every announcement by its topic; empty for the seats that this game does not have."""
    make = _Maker(topics, language, version)
    messages = {
        **make.sensor("phase", "mdi:train", "{{ value_json.phase_text }}", _attributes(topics)),
        **make.sensor("turn", "mdi:account-arrow-right", "{{ value_json.turn or '–' }}"),
        **make.sensor("questions", "mdi:help-circle", "{{ value_json.questions }}"),
        **make.sensor("camera", "mdi:cctv", "{{ value_json.camera_text }}"),
        **make.trouble(),
        **make.scan(),
    }
    for seat in range(SEATS):
        name = players[seat]["name"] if seat < len(players) else None
        messages |= make.points(seat, name)
    return messages


def _attributes(topics: Topics) -> dict[str, Any]:
    """The whole document beside the phase, for templates of one's own."""
    return {"json_attributes_topic": topics.state}


@dataclass(frozen=True, slots=True)
class _Maker:
    """Makes one table's announcements."""

    topics: Topics
    language: str
    version: str

    def sensor(
        self, entity: str, icon: str, template: str, more: dict[str, Any] | None = None
    ) -> dict[str, str]:
        """A sensor of the table."""
        name = text(f"companion.home.entity.{entity}", self.language)
        document = self._reading(entity, name, template)
        return self._message("sensor", entity, {**document, "icon": icon, **(more or {})})

    def trouble(self) -> dict[str, str]:
        """Whether camera or box are in trouble."""
        template = "{{ 'ON' if value_json.trouble else 'OFF' }}"
        name = text("companion.home.entity.trouble", self.language)
        document = self._reading("trouble", name, template)
        return self._message("binary_sensor", "trouble", {**document, "device_class": "problem"})

    def scan(self) -> dict[str, str]:
        """The button."""
        document = {
            **self._common("scan", text("companion.home.entity.scan", self.language)),
            "command_topic": self.topics.scan,
            "payload_press": PRESS,
            "icon": "mdi:camera",
        }
        return self._message("button", "scan", document)

    def points(self, seat: int, name: str | None) -> dict[str, str]:
        """The points of a seat; nothing where nobody sits."""
        entity = f"seat_{seat + 1}"
        if name is None:
            return {self.topics.entity("sensor", entity): ""}
        title = text("companion.home.entity.points", self.language, name=name)
        document = self._reading(entity, title, f"{{{{ value_json.seats[{seat}].points }}}}")
        more = {
            "unit_of_measurement": text("companion.home.unit", self.language),
            "state_class": "measurement",
            "icon": "mdi:scoreboard",
            "json_attributes_topic": self.topics.state,
            "json_attributes_template": f"{{{{ value_json.seats[{seat}] | tojson }}}}",
        }
        return self._message("sensor", entity, {**document, **more})

    def _reading(self, entity: str, name: str, template: str) -> dict[str, Any]:
        common = self._common(entity, name)
        return {**common, "state_topic": self.topics.state, "value_template": template}

    def _common(self, entity: str, name: str) -> dict[str, Any]:
        """What all entities say: whose they are, and when they can be had."""
        return {
            "name": name,
            "unique_id": f"companion_{self.topics.name}_{entity}",
            "availability_topic": self.topics.status,
            "payload_available": ONLINE,
            "payload_not_available": OFFLINE,
            "device": {
                "identifiers": [f"companion_{self.topics.name}"],
                "name": f"Companion {self.topics.name}",
                "manufacturer": "Companion",
                "sw_version": self.version,
            },
        }

    def _message(self, component: str, entity: str, document: dict[str, Any]) -> dict[str, str]:
        payload = json.dumps(document, ensure_ascii=False, sort_keys=True)
        return {self.topics.entity(component, entity): payload}
