"""Where other devices open the panel: its address in words and as a QR code."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

import segno
from flask import request
from markupsafe import Markup

from web.security import host_name

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
    named = [one for one in addresses if (urlsplit(one).hostname or "").endswith(".local")]
    numbered = [one for one in addresses if one not in named]
    return Invitation((numbered or named)[0], tuple([*named, *numbered][:2]))


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
