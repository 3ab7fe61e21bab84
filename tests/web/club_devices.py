"""The devices of a club's table, without a browser."""

import re

from flask import Flask
from flask.testing import FlaskClient

from web.access.devices import Devices

DEVICES = Devices(b"a key for these tests")
HOST, ADA = "host", "ada"


def device(app: Flask, name: str) -> FlaskClient:
    client = app.test_client()
    client.set_cookie("device", DEVICES.signed(name))
    return client


def link_of(app: Flask, name: str) -> str:
    """The link to a player's seat that the host gets."""
    page = device(app, HOST).get("/club", headers={"Accept-Language": "en"}).text
    found = re.search(rf"Link for {name}</small><a href=\"[^\"]*(/join/[\w-]+)\"", page)
    assert found is not None
    return found[1]
