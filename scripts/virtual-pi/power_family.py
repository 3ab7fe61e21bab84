"""What a family does while the power fails, and what of it the panel had confirmed."""

import json
import random
import re
import time
import urllib.error
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Any

from power_box import Box, ask, send_action, send_file, send_form

from scoring.board.board import load_board

PLAYERS = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
GAME = {"board": "usa", "camera": False, "players": PLAYERS, "settings": {}}
TICKETS = (("red", "denver--el-paso"), ("blue", "denver--pittsburgh"))
ROUTES = [route.id for route in load_board("usa").routes][:20]

HELD = r"""
import glob, json, pathlib, zipfile
held = {}
for path in pathlib.Path("/var/lib/companion").glob("studio/*/draft.json"):
    held["steps"] = len(json.loads(path.read_bytes())["steps"])
for path in glob.glob("/media/copies/*.zip"):
    held["copy " + path[14:]] = zipfile.ZipFile(path).testzip() or "whole"
print("HELD" + json.dumps(held))
"""

ROLL_BACK = r"""
base=/opt/companion; was=$(readlink $base/current); printf '%s\n' "${was#*/}" > $base/previous
mkdir -p $base/versions/bad/bin; ln -sfn "$base/$was/bin/python" $base/versions/bad/bin/python
printf '#!/bin/sh\nexit 1\n' > $base/versions/bad/bin/companion
chmod 755 $base/versions/bad/bin/companion; echo bad > $base/pending
ln -sfn versions/bad $base/current.new; sync; mv -T $base/current.new $base/current; sync
systemctl restart --no-block companion; COMPANION_HEALTH_PATIENCE_S=3 sh $base/bin/health 2>&1
"""


class Family:
    """What was done and confirmed, and what was on its way when the power failed."""

    def __init__(self, box: Box, chance: random.Random) -> None:
        self.box, self.chance = box, chance
        self.cuts = count(1)
        self.begin()

    def begin(self) -> None:
        """With a new card."""
        self.told: dict[str, Any] = {}
        self.flying: tuple[str, Any] | None = None
        self.sent: tuple[str, dict[str, Any], str] | None = None
        self.confirmed: list[str] = []
        self.times: list[list[float | str]] = []
        self.version = "old"
        self._numbers = count(1)
        self._run = f"{random.SystemRandom().randrange(10**9):09d}"

    def forget(self, *kinds: str) -> None:
        """What another game has of its own."""
        self.told = {k: v for k, v in self.told.items() if k.split()[0] not in kinds}

    def do(self, fact: str, value: Any, send: Callable[[], Any]) -> None:
        """Something after which a fact has a value."""
        self.flying = fact, value
        send()
        self.told[fact], self.flying = value, None

    def act(self, fact: str, value: Any, action: str, **payload: Any) -> None:
        """The same by an action, whose name the log keeps."""
        name = f"power-{self._run}-{next(self._numbers):06d}"
        self.sent = action, payload, name
        times: list[float | str] = [time.monotonic(), float("inf"), name]
        self.times.append(times)
        self.do(fact, value, lambda: send_action(action, payload, name))
        times[1] = time.monotonic()
        self.sent = None
        self.confirmed.append(name)

    def begin_game(self) -> None:
        self.forget("route", "ticket", "setting")
        self.act("phase", "look", "start", **GAME)
        self.told |= {"name red": "Ada", "name blue": "Ben"}

    # What goes on when the power fails.

    def first(self) -> None:
        """Nothing: the new card's first boot is cut."""

    def taps(self) -> None:
        while True:
            route, owner = self.chance.choice(ROUTES), self.chance.choice(("red", "blue", None))
            self.act(f"route {route}", owner, "correct-route", route=route, owner=owner)
            time.sleep(self.chance.random() * 0.4)

    def evenings(self) -> None:
        """Whole games to the sheet, one after the other."""
        while True:
            self.begin_game()
            for player, ticket in TICKETS:
                self.act(f"ticket {player}", 1, "add-ticket", player=player, ticket=ticket)
            self.act("phase", "sheet", "finish")

    def names(self) -> None:
        """Of players, and what the table has agreed."""
        for number in count():
            colour = self.chance.choice(("red", "blue"))
            name = f"{colour} {number} {self._run[:3]}"
            self.act(f"name {colour}", name, "rename-player", player=colour, name=name)
            agreed = {"fewest-tickets": number % 4 + 1}
            self.act("setting", number % 4 + 1, "set-settings", settings=agreed)

    def board(self) -> None:
        """A board is taught, a step at a time."""
        (key, *_) = re.findall(r"/studio/([0-9-]+)", ask("/studio").decode())
        for number in count(int(held(self.box)["steps"]) + 1):
            step = {"do": "add-place", "name": f"Town {number}", "x": "0.4", "y": "0.5"}
            self.do("steps", number, lambda: send_form(f"/studio/{key}/step", step))  # noqa: B023

    def tables(self) -> None:
        """Set-ups come from a file and get names."""
        for number in count():
            send_file("/setup", "file", self.box.folder / "table.calibration")
            (key, *_) = re.findall(r"/setup/kept/([\w.-]+)/name", ask("/setup").decode())
            form = {"name": f"Kitchen {number} {self._run[:3]}"}
            self.do("table", form["name"], lambda: send_form(f"/setup/kept/{key}/name", form))  # noqa: B023

    def copies(self) -> None:
        """To a folder, and to the device that asks; hands that are still secret would wait."""
        self.begin_game()
        (place, *_) = re.findall(r'name="place" value="(\w+)"', ask("/copy").decode())
        while True:
            for name in re.findall(r"companion-[\w.-]+\.zip", send_form("/copy", {"place": place})):
                self.told[f"copy {name}"] = "whole"
            send_form("/copy/table.zip", {})

    def photo(self) -> None:
        """Photos come one after the other; what they show becomes a question."""
        self.forget("phase", "route")
        while True:
            with suppress(urllib.error.HTTPError):  # one is being read
                send_file("/api/v1/actions/upload-photo", "images", self.box.folder / "table.jpg")
            time.sleep(1)

    def update(self) -> None:
        self.version = "old" if self.version == "new" else "new"
        print("  ", self.box.run(f"dpkg -i /debs/{self.version}.deb 2>&1 | tail -1"))

    def rollback(self) -> None:
        """A version that does not answer; whoever looks gives up after three seconds."""
        print("  ", self.box.run(ROLL_BACK).strip().splitlines()[-1:])


def held(box: Box) -> Any:
    """What is counted on the card itself."""
    said = box.run(f"python3 - <<'P'\n{HELD}\nP")
    return json.loads(re.findall(r"HELD(\{.*)", said)[-1])
