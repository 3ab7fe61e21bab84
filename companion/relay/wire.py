"""Topics and messages between a table and the hub; pure.

A table's messages are a chain: each names the one before. A message commits itself to a row of the
log by a checksum with a secret number (nonce), so that a row whose content is kept back can't be
guessed from it: there are few tickets, and a plain checksum could be tried out. The content comes
at once, or in a later message that opens the row.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from companion.errors import CompanionError
from companion.log.rows import Row, is_date
from scoring.language import SpokenError

ROOT = "companion/room"

MARK = re.compile(r"[0-9a-f]{32}")

FIRST = "0" * 32
"""Stands for the message before the first."""

LARGEST_BYTES = 500_000
"""A reading of the largest board takes some ten thousand."""


class WireError(SpokenError, CompanionError, ValueError):
    """A message that no table of ours can have sent."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of one table. It may write the first three, and read the first and the
    last two."""

    table: str

    @property
    def status(self) -> str:
        """ "online" or "offline", retained."""
        return f"{ROOT}/{self.table}/status"

    @property
    def state(self) -> str:
        """The public state, retained."""
        return f"{ROOT}/{self.table}/state"

    @property
    def event(self) -> str:
        """The messages of the chain."""
        return f"{ROOT}/{self.table}/event"

    @property
    def have(self) -> str:
        """How far the hub has the chain, retained; the hub writes it."""
        return f"{ROOT}/{self.table}/have"

    @property
    def round(self) -> str:
        """The round of a tournament that is played at it, retained; the hub writes it."""
        return f"{ROOT}/{self.table}/round"


@dataclass(frozen=True, slots=True)
class Content:
    """What a row of the log says; with the nonce its commitment can be checked."""

    kind: str
    data: str
    nonce: str


@dataclass(frozen=True, slots=True)
class Link:
    """One message of a table's chain: row `number` of its log, or the opening of an earlier row.

    `place` counts the messages from 1; `at_s` is the table's clock. `content` is None for a row
    that is kept back until the reveal.
    """

    chain: str
    place: int
    number: int
    at_s: float
    before: str
    commitment: str
    id: str
    content: Content | None


@dataclass(frozen=True, slots=True)
class Have:
    """How far the hub has a table's chain, and the id of the message there.

    `hub` tells one run of the hub from another. Where the id is empty it was not told.
    """

    chain: str
    place: int
    hub: str = ""
    id: str = ""


def link_row(chain: str, before: Link | None, row: Row, nonce: str, *, is_open: bool) -> Link:
    """The message that follows `before` (None: the first) and tells a row."""
    place, last = (before.place + 1, before.id) if before else (1, FIRST)
    at_s = row.moment_s  # what is no date would never be taken
    commitment = commit(row.number, at_s, row.kind, row.data, nonce)
    id = _id(chain, place, row.number, last, commitment)
    content = Content(row.kind, row.data, nonce) if is_open else None
    return Link(chain, place, row.number, at_s, last, commitment, id, content)


def commit(number: int, at_s: float, kind: str, data: str, nonce: str) -> str:
    """The commitment to a row of the log."""
    return _checksum([nonce, number, float(at_s), kind, data])


def _id(chain: str, place: int, number: int, before: str, commitment: str) -> str:
    return _checksum([chain, place, number, before, commitment])


def _checksum(parts: list[Any]) -> str:
    words = json.dumps(parts, separators=(",", ":"))
    return hashlib.sha256(words.encode()).hexdigest()[:32]


def link_to_json(link: Link) -> str:
    """A message as it is sent."""
    content = link.content
    document = {
        "chain": link.chain,
        "place": link.place,
        "number": link.number,
        "at": link.at_s,
        "before": link.before,
        "commitment": link.commitment,
        "id": link.id,
        "content": content and {"kind": content.kind, "data": content.data, "nonce": content.nonce},
    }
    return json.dumps(document, separators=(",", ":"), ensure_ascii=False)


def link_from_json(payload: bytes) -> Link:
    """A message that was received, with both checksums checked. Raises WireError."""
    if len(payload) > LARGEST_BYTES:
        raise WireError("companion.relay.no-message")
    try:
        link = _link(json.loads(payload))
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        raise WireError("companion.relay.no-message") from None
    known = _id(link.chain, link.place, link.number, link.before, link.commitment)
    said = link.content
    told = said and commit(link.number, link.at_s, said.kind, said.data, said.nonce)
    if link.id != known or (told is not None and told != link.commitment):
        raise WireError("companion.relay.forged", number=link.number)
    return link


def _link(document: Any) -> Link:
    """Raises ValueError, KeyError or TypeError."""
    said = document["content"]
    content = None if said is None else Content(*(said[key] for key in ("kind", "data", "nonce")))
    link = Link(
        document["chain"],
        document["place"],
        document["number"],
        float(document["at"]),
        document["before"],
        document["commitment"],
        document["id"],
        content,
    )
    marks = (link.chain, link.before, link.commitment, link.id)
    if not all(isinstance(mark, str) and MARK.fullmatch(mark) for mark in marks):
        raise ValueError("no mark")
    for count in (link.place, link.number):
        if type(count) is not int or not 0 < count < 2**31:
            raise ValueError("no place")
    if not is_date(link.at_s):
        raise ValueError("no moment")
    if content is not None:
        for text in (content.kind, content.data, content.nonce):
            if not isinstance(text, str) or "\0" in text:
                raise ValueError("no text")
            text.encode("utf-8")  # half a character can stand in JSON, but in no database
    return link


def have_to_json(have: Have) -> str:
    """The hub's word as it is sent."""
    return json.dumps({"chain": have.chain, "place": have.place, "hub": have.hub, "id": have.id})


def have_from_json(payload: bytes) -> Have | None:
    """The hub's word, None where it is none."""
    try:
        document = json.loads(payload)
        chain, place, hub = document["chain"], document["place"], document["hub"]
        id = document.get("id", "")  # a hub of an older program tells none
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    if not all(isinstance(text, str) for text in (chain, hub, id)) or type(place) is not int:
        return None
    return Have(chain, place, hub, id)
