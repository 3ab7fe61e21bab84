"""Checks the words of a board's document that the format leaves free: keys and printed colours."""

from collections.abc import Iterator, Mapping, Sequence

from scoring.board.format import KEYS
from scoring.board.inspection.finding import Finding
from scoring.fields import nearest
from scoring.game.colours import COLOURS
from scoring.language import Message
from scoring.language.foreign import shown

LISTED_KEYS: Mapping[str, tuple[str, ...]] = {
    "places": ("id", "name", "kind", "x", "y"),
    "routes": (
        "id",
        "from",
        "to",
        "length",
        "colour",
        "ferry",
        "tunnel",
        "parallel_group",
        "spaces",
    ),
    "tickets": ("id", "from", "to", "points", "deck"),
    "prints": ("name", "spaces"),
}
"""Keys of the entries of the board's lists."""

FRAME_KEYS: tuple[str, ...] = ("reference", "size_mm")

PRINTED: tuple[str, ...] = (*COLOURS, "track-bed")
"""The board format's words for the colours of printed lines; any other counts as grey."""


def check_words(document: object) -> list[Finding]:
    """Unknown keys and colours: an error where a known word was probably meant.

    The changes of an edition are checked with its format.

    >>> [finding.message.text() for finding in check_words({"frame": {"referense": "outer"}})]
    ['board: frame: there is no field "referense"; did you mean reference?']
    """
    if not isinstance(document, dict) or "edition_of" in document:
        return []
    strangers = [key for key in document if key not in KEYS and nearest(key, KEYS) is None]
    findings = [_finding("unknown_key", "board", "document", key) for key in strangers]
    findings += _keys("board", "frame", document.get("frame"), FRAME_KEYS)
    for name, known in LISTED_KEYS.items():
        for who, entry in _entries(name, document.get(name)):
            findings += _keys(who, name.removesuffix("s"), entry, known)
            if name == "routes":
                findings += _colour(who, entry.get("colour"))
    return findings


def _entries(name: str, value: object) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The objects of a list, each called by its id, or by its number where it has none."""
    one = name.removesuffix("s")
    for number, entry in enumerate(value if isinstance(value, list) else [], start=1):
        if isinstance(entry, dict):
            own = entry.get("id")
            yield f"{one} {own if isinstance(own, str) else number}", entry


def _keys(who: str, field: str, value: object, known: Sequence[str]) -> Iterator[Finding]:
    for key in value if isinstance(value, dict) else ():
        if key in known:
            continue
        meant = nearest(key, known)
        if meant is None:
            yield _finding("unknown_key", who, field, key)
        else:
            yield _finding("misspelt", who, field, key, error=True, meant=meant)


def _colour(who: str, colour: object) -> Iterator[Finding]:
    if not isinstance(colour, str) or colour in PRINTED:
        return
    meant = nearest(colour, PRINTED)
    if meant is None:
        yield _finding("unknown_colour", who, "colour", colour)
    else:
        yield _finding("misspelt_colour", who, "colour", colour, error=True, meant=meant)


def _finding(
    name: str, who: str, field: str, word: str, error: bool = False, **values: object
) -> Finding:
    said = Message(f"scoring.problem.{name}", who=who, field=field, value=shown(word), **values)
    return Finding(said, error)
