"""The virtual machine with its card, and what its panel is asked, as by a phone."""

import json
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from contextlib import suppress
from http.client import HTTPException
from itertools import count
from pathlib import Path
from typing import Any

ADDRESS = "http://127.0.0.1:18080"
PATIENCE_S = 1500
"""An emulated processor is slow, and may have to share a real one."""

GONE = (OSError, HTTPException)
HERE = Path(__file__).parent
TAKEN_OUT = Path("/dev/shm/companion-power")


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


def put_in_new_card(box: Box) -> None:
    new = ["cp", "--sparse=always", box.folder / "base.img", box.folder / "disk.img"]
    subprocess.run(new, check=True)
    box.switch_on()


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


def send_action(action: str, payload: dict[str, Any], name: str) -> None:
    body = json.dumps(payload).encode()
    ask(f"/api/v1/actions/{action}", body, "application/json", **{"Idempotency-Key": name})
