"""The live part of a page, what of it has changed since when, and a name for what it shows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from zlib import crc32

BANNER = "banner"

BUCKETS = 16
"""Names of the parts' content; a page of another run gets anew the parts whose name is another."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The live part of a page: `frame` makes it of its parts, which are elements by their id.

    A part that has changed takes the place of its element, a part of a drawing within an `svg` of
    its own. Other parts, another order or another `kind` are the whole piece anew.
    """

    parts: Mapping[str, str]
    frame: Callable[[], str]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class _Part:
    """The version at which a part came to be so, and a number that another part does not have."""

    version: int
    html: str
    mark: int


@dataclass(slots=True)
class Told:
    """What the pages of one kind are told, and at which version each part came to be so."""

    version: int = -1
    content: str = ""
    """Names what the parts say: the same in every run of the hub."""
    _since: int = -1
    """The parts and their order are the same since then."""
    _parts: dict[str, _Part] = field(default_factory=dict)
    _piece: Piece | None = None
    _kind: str = ""
    _whole: str | None = None

    def update(self, version: int, banner: str, piece: Piece) -> None:
        """Take in what is so at a version."""
        if piece is self._piece and banner == self._parts[BANNER].html:
            self.version = version
            return
        now, before = {BANNER: banner, **piece.parts}, self._parts
        if list(now) != list(before) or piece.kind != self._kind:
            self._since = version
        self._parts = {
            id: before[id]
            if id in before and before[id].html == html
            else _Part(version, html, _mark(f"{id} {html}"))
            for id, html in now.items()
        }
        self.version, self._piece, self._kind, self._whole = version, piece, piece.kind, None
        self.content = self._name()

    def news(self, told: int) -> str | None:
        """What somebody lacks who was told of a version."""
        if told < self._since:
            return self._parts[BANNER].html + self.as_whole()
        return "".join(one.html for one in self._parts.values() if one.version > told) or None

    def beside(self, content: str) -> str | None:
        """What somebody lacks who shows what has this name, perhaps of another run of the hub."""
        own, theirs = self.content.split("."), content.split(".")
        if len(own) != len(theirs) or own[0] != theirs[0]:
            return self.news(-1)
        other = {place for place in range(1, len(own)) if own[place] != theirs[place]}
        parts = self._parts.items()
        return "".join(one.html for id, one in parts if 1 + _bucket(id) in other) or None

    def as_whole(self) -> str:
        """The piece."""
        if self._whole is None:
            assert self._piece is not None
            self._whole = self._piece.frame()
        return self._whole

    def _name(self) -> str:
        """Which parts there are in which order, and what those of each bucket say."""
        buckets = [0] * BUCKETS
        for id, part in self._parts.items():
            buckets[_bucket(id)] ^= part.mark
        order = _mark(" ".join([self._kind, *self._parts]))
        return ".".join(f"{one:x}" for one in (order, *buckets))


def _bucket(id: str) -> int:
    return crc32(id.encode()) % BUCKETS


def _mark(text: str) -> int:
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=5).digest()
    return int.from_bytes(digest, "big")
