"""Outside the virtual machine: does what a family's phone does, cuts the power, looks again.

Used as `power_trial.py FOLDER LOSES SEED NAME=COUNT…`: FOLDER holds the machine, LOSES tells what
its card loses (`power_card.py`), NAME is a method of `Family`: what goes on when the power fails.
Whatever the panel had confirmed has to be there after the next start, once, and the panel has to
come by itself.
"""

import json
import random
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException
from itertools import count
from pathlib import Path
from typing import Any

from companion.log.file import read_log
from companion.log.store import LOG_NAME, EventStore
from companion.setup.kept import KeptCalibrations
from companion.studio.store import StudioStore
from scoring.board.board import load_board

ADDRESS = "http://127.0.0.1:18080"
PATIENCE_S = 1500
"""An emulated processor is slow, and may have to share a real one."""

GONE = (OSError, HTTPException)
HERE = Path(__file__).parent
TAKEN_OUT = Path("/dev/shm/companion-power")

CUT_S = {
    "taps": (3, 30),
    "first": (2, 40),
    "update": (2, 150),
    "rollback": (1, 14),
    "photo": (0.2, 15),
}
"""When something is cut, in seconds from its beginning; else within `USUAL_S`."""
USUAL_S = (1, 12)

PLAYERS = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
GAME = {"board": "usa", "camera": False, "players": PLAYERS, "settings": {}}
TICKETS = (("red", "denver--el-paso"), ("blue", "denver--pittsburgh"))
ROUTES = [route.id for route in load_board("usa").routes][:20]
NAME_LENGTH = len("power-123456789-123456")

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

LOOK = r"""
readlink /opt/companion/current; cat /opt/companion/pending 2>/dev/null
dpkg-query -W -f '${Version} ${Status}\n' companion; systemctl --failed --no-legend
journalctl -q -b --no-pager -o cat -u systemd-fsck-root
companion doctor | grep -vE '^(✓|–)'
"""


class Box:
    """The virtual machine with its card."""

    def __init__(self, folder: Path, loses: str) -> None:
        self.folder, self._loses = folder, loses
        self._cuts = count(1)

    def switch_on(self) -> None:
        """Put the card in and the plug."""
        door = self.folder / "card.sock"
        door.unlink(missing_ok=True)
        program = [sys.executable, HERE / "power_card.py", "card.sock", "disk.img"]
        words = [*program, self._loses, str(next(self._cuts))]
        self._card = subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE, text=True)
        while not door.exists():
            time.sleep(0.2)
        self._machine = subprocess.Popen(["sh", "machine"], cwd=self.folder, stdin=-3)
        self._on_s = time.monotonic()

    def cut(self) -> str:
        """Pull the plug; returns what the card says of it."""
        self._machine.kill()
        self._machine.wait()
        return str(self._card.communicate(timeout=300)[0]).strip()

    def wait(self) -> float:
        """Seconds until the panel answers."""
        while time.monotonic() < self._on_s + PATIENCE_S:
            with suppress(*GONE):
                ask("/api/v1/state")
                return time.monotonic() - self._on_s
            time.sleep(0.5)
        raise SystemExit("NEVER: the panel does not come by itself")

    def run(self, words: str) -> str:
        """What a command prints, run by root in the machine. Raises OSError where it is cut."""
        with socket.socket(socket.AF_UNIX) as wire:
            wire.connect(str(self.folder / "shell.sock"))
            wire.settimeout(PATIENCE_S)
            wire.sendall(f"stty -echo\n{words}\necho E''ND $?\n".encode())
            said = b""
            while not re.search(rb"END \d+\r?\n", said):
                part = wire.recv(4096)
                if not part:
                    raise ConnectionError
                said += part
        return said.decode("utf-8", "replace").replace("\r", "").rpartition("END")[0]


def take_out(image: Path, folder: Path) -> str:
    """Write what the table had on a card into a folder, as the next mount will find it.

    Returns what a check of the file system says. The image stays as it was.
    """
    undo = image.with_name("undo")
    undo.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    play_back = ["e2fsck", "-yE", "journal_only", "-z", undo, image]
    subprocess.run(play_back, capture_output=True, check=False)
    done = subprocess.run(["e2fsck", "-fn", image], capture_output=True, text=True, check=False)
    words = f"rdump /var/lib/companion {folder}"
    subprocess.run(["debugfs", "-R", words, image], capture_output=True, check=True)
    if undo.exists():
        subprocess.run(["e2undo", undo, image], capture_output=True, check=True)
    return "clean" if done.returncode == 0 else done.stdout


def ask(path: str, data: bytes | None = None, kind: str = "", **more: str) -> bytes:
    """Raises HTTPError where the panel refuses, and what `GONE` names where it is not there."""
    head = {"Origin": ADDRESS, "Accept-Language": "en", **more}
    head |= {"Content-Type": kind} if kind else {}
    request = urllib.request.Request(f"{ADDRESS}{path}", data, head)
    with urllib.request.urlopen(request, timeout=300) as answer:
        return bytes(answer.read())


def send_form(path: str, fields: dict[str, str]) -> str:
    body = urllib.parse.urlencode(fields).encode()
    return ask(path, body, "application/x-www-form-urlencoded").decode()


def send_file(path: str, field: str, file: Path) -> bytes:
    head = (
        f'--cut\r\nContent-Disposition: form-data; name="{field}"; filename="{file.name}"\r\n\r\n'
    )
    body = head.encode() + file.read_bytes() + b"\r\n--cut--\r\n"
    return ask(path, body, "multipart/form-data; boundary=cut")


def state() -> Any:
    return json.loads(ask("/api/v1/state"))


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


def send_action(action: str, payload: dict[str, Any], name: str) -> None:
    body = json.dumps(payload).encode()
    ask(f"/api/v1/actions/{action}", body, "application/json", **{"Idempotency-Key": name})


def held(box: Box) -> Any:
    """What is counted on the card itself."""
    said = box.run(f"python3 - <<'P'\n{HELD}\nP")
    return json.loads(re.findall(r"HELD(\{.*)", said)[-1])


def log_and_files(data: Path) -> tuple[list[str], list[str]]:
    """The names of the log's requests in a data folder, and what a start would find wrong there."""
    with EventStore(data / LOG_NAME) as store:
        is_damaged = store.rescue is not None or store.copy_renewed
    wrong = [f"the log was damaged: {store.rescue}"] if is_damaged else []
    wrong += [f"board in work: {one}" for one in StudioStore(data).all() if one.problem]
    wrong += [f"table: {one}" for one in KeptCalibrations(data).all() if one.problem]
    rows = read_log(data / LOG_NAME)[1]
    names = [str(json.loads(row.data).get("request_id", ""))[:NAME_LENGTH] for row in rows]
    return [name for name in names if name], wrong


def seen(box: Box) -> dict[str, Any]:
    """What the panel shows, and the card holds, under the names of the family's facts."""
    now = state()
    routes = {f"route {name}": one["owner"] for name, one in now.get("routes", {}).items()}
    names = {f"name {one['colour']}": one["name"] for one in now.get("players", ())}
    setting = now.get("settings", {}).get("fewest-tickets")
    tables = re.findall(r"Kitchen [\d ]+\d", ask("/setup").decode())
    shown = {"phase": now["phase"], "setting": setting, "table": tables[:1] and tables[0]}
    return {**routes, **names, **held(box), **shown}


def missing(family: Family, now: dict[str, Any]) -> list[str]:
    """What was confirmed and is not there, nor what was on its way in its place."""
    told = {k: v for k, v in family.told.items() if not k.startswith("ticket")}
    return [
        f"{fact}: {value!r} was confirmed, {now.get(fact)!r} is there"
        for fact, value in told.items()
        if now.get(fact) != value and (fact, now.get(fact)) != family.flying
    ]


def cut_amid(box: Box, family: Family, what: str) -> bool:
    """Do something, cut, look; returns whether all is well."""
    ended: list[str] = []
    if what == "first":
        box.cut()
        put_in_new_card(box)
        family.begin()

    def go_on() -> None:
        try:
            getattr(family, what)()
        except Exception as error:
            ended.append(repr(error))

    threading.Thread(target=go_on, daemon=True).start()
    cut_s = family.chance.uniform(*CUT_S.get(what, USUAL_S))
    time.sleep(cut_s)
    early = f"; ended before: {ended[0]}" if ended else ""
    lost = box.cut()
    (box.folder / f"sent-{next(family.cuts)}.json").write_text(json.dumps(family.times))
    print(f"== {what}, cut after {cut_s:.1f} s: {lost}{early}", flush=True)
    wrong = [early] if early else []
    if what != "first":
        fsck = take_out(box.folder / "disk.img", TAKEN_OUT)
        names, damaged = log_and_files(TAKEN_OUT / "companion")
        wrong += damaged + ([] if fsck == "clean" else [fsck])
        on_its_way = [family.sent[2]] if family.sent else []
        if names not in (family.confirmed, family.confirmed + on_its_way):
            wrong.append(f"{len(family.confirmed)} taps confirmed, {len(names)} on the card")
    box.switch_on()
    back_s = box.wait()
    wrong += missing(family, now := seen(box))
    settle(family, now)
    print(f"   back after {back_s:.0f} s, {len(family.confirmed)} taps, {now['phase']}")
    print("   ", " | ".join(line for line in box.run(LOOK).splitlines() if line.strip("# ")))
    for one in wrong:
        print("   WRONG:", one)
    return not wrong


def put_in_new_card(box: Box) -> None:
    new = ["cp", "--sparse=always", box.folder / "base.img", box.folder / "disk.img"]
    subprocess.run(new, check=True)
    box.switch_on()


def settle(family: Family, now: dict[str, Any]) -> None:
    """What was on its way is sent again by the phone, under its name: it is done once."""
    if family.sent is not None and family.flying is not None:
        send_action(*family.sent)
        family.confirmed.append(family.sent[2])
        family.told[family.flying[0]] = family.flying[1]
    elif family.flying is not None:
        family.told[family.flying[0]] = now.get(family.flying[0])
    family.sent = family.flying = None


def main(folder: str, loses: str, seed: str, *rounds: str) -> int:
    box = Box(Path(folder), loses)
    family = Family(box, random.Random(seed))
    plan = [(what, int(times)) for what, _, times in (one.partition("=") for one in rounds)]
    put_in_new_card(box)
    if plan[0][0] != "first":
        print(f"up after {box.wait():.0f} s", flush=True)
    bad = 0
    try:
        for what in (what for what, times in plan for _ in range(times)):
            if what in ("taps", "names", "photo") and state()["phase"] != "look":
                family.begin_game()
            bad += not cut_amid(box, family, what)
            sys.stdout.flush()
    finally:
        print(box.cut())
    print(f"the trial is over: {sum(times for _, times in plan)} cuts, {bad} with something wrong")
    return bad


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
