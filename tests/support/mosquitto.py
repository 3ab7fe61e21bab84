"""A real MQTT broker (Debian's mosquitto) for tests, with logins and certificates where wanted."""

import shutil
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

PROGRAM = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")

needs_mosquitto = pytest.mark.skipif(
    PROGRAM is None, reason="needs a broker: sudo apt-get install mosquitto"
)


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


@dataclass
class Mosquitto:
    """A broker on this machine alone; `settings` are further lines of its configuration."""

    folder: Path
    settings: tuple[str, ...] = ("allow_anonymous true",)
    port: int = field(default_factory=free_port)
    _process: "subprocess.Popen[bytes] | None" = None

    def start(self) -> None:
        """Start it, and return once it listens."""
        assert PROGRAM is not None
        config = self.folder / "mosquitto.conf"
        lines = [f"listener {self.port} 127.0.0.1", *self.settings, "persistence false"]
        config.write_text("\n".join(lines), "utf-8")
        log = (self.folder / "mosquitto.log").open("ab")
        with log:
            self._process = subprocess.Popen([PROGRAM, "-c", str(config)], stderr=log, stdout=log)
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError((self.folder / "mosquitto.log").read_text("utf-8"))

    @property
    def pid(self) -> int:
        """The broker's process; 0 where it does not run."""
        return 0 if self._process is None else self._process.pid

    def stop(self) -> None:
        """End it, as a power cut would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


def with_login(folder: Path, user: str, password: str) -> tuple[str, ...]:
    """Settings of a broker that lets in one user."""
    path = folder / "users"
    path.touch(0o600)
    command = shutil.which("mosquitto_passwd")
    assert command is not None
    subprocess.run([command, "-b", str(path), user, password], check=True, capture_output=True)
    # Started by root, the broker becomes another user, who could not read the file.
    return ("allow_anonymous false", f"password_file {path}", "user root")


def with_certificate(folder: Path) -> tuple[str, ...]:
    """Settings of a broker with a certificate of its own for localhost: `folder`/own.pem."""
    certificate, key = folder / "own.pem", folder / "own.key"
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    name = "-subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
    files = ["-keyout", str(key), "-out", str(certificate)]
    command = ["openssl", *words.split(), *name.split(), *files]
    subprocess.run(command, check=True, capture_output=True)
    return ("allow_anonymous true", f"certfile {certificate}", f"keyfile {key}", "user root")
