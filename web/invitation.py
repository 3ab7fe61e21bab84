"""Where other devices open the panel: its address in words and as a QR code."""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

import segno
from flask import request
from markupsafe import Markup

from web.security import host_name

NUMBER = re.compile(r"[0-9.]+|[0-9a-f:.]*:[0-9a-f:.]*")
"""An address in figures."""

LOOPBACK = ("localhost", "127.0.0.1", "::1")

MOST_CODES = 32
"""A page shows a few codes, the same at every view."""

QUIET_MODULES = 3
"""White border of a code: less than the standard's four is read by every phone, and fits better."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """`address` is what the code holds; `shown` are the addresses that somebody may type."""

    address: str
    shown: tuple[str, ...]


def invitation(own_addresses: Sequence[str]) -> Invitation | None:
    """How to join from another device; None where this machine is on no network.

    The address by which the asking device came reaches the panel for certain, unless it is this
    very machine's.
    """
    name = host_name(request.host)
    here = f"http://{request.host}/"
    known = [here] if name is not None and name not in LOOPBACK else []
    addresses = list(dict.fromkeys([*known, *own_addresses]))
    if not addresses:
        return None
    named = [one for one in addresses if _is_named(one)]
    numbered = [one for one in addresses if one not in named]
    return Invitation((numbered or named)[0], tuple([*named, *numbered][:2]))


def address_by_name(own_addresses: Sequence[str]) -> str | None:
    """The panel's address by name, for a page that was opened by number.

    A router may give the box another number in mid-game, and the name leads there all the same.
    """
    if not NUMBER.fullmatch(host_name(request.host) or ""):
        return None
    return next((one for one in own_addresses if _is_named(one)), None)


def _is_named(address: str) -> bool:
    return (urlsplit(address).hostname or "").endswith(".local")


@lru_cache(MOST_CODES)
def qr_code(address: str) -> Markup:
    """An address as a QR code: an SVG picture, black on white whatever the page's colours."""
    picture = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        picture,
        kind="svg",
        xmldecl=False,
        svgns=True,
        omitsize=True,
        border=QUIET_MODULES,
        dark="#000",
        light="#fff",
        svgclass="qr",
        lineclass=None,
    )
    return Markup(picture.getvalue().decode())  # of our own making: modules and no text
