"""What the players' pieces are called: wagons, but buses where the game has those (Paris)."""

import re
from functools import cache

from scoring.language import text

GAMES_WITH_BUSES = frozenset({"paris"})


def with_buses(said: str, language: str) -> str:
    """A sentence about wagons as one about buses, with the articles that go with them.

    >>> with_buses("Ada has 3 wagons left", "en")
    'Ada has 3 buses left'
    """
    pattern, words = _words(language)
    return pattern.sub(lambda found: words[found[0]], said)


@cache
def _words(language: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """The catalogue's pairs ("wagons = buses; wagon = bus"), the longer words first."""
    pairs = [pair.split("=") for pair in text("scoring.pieces.buses", language).split(";")]
    words = {wagon.strip(): bus.strip() for wagon, bus in pairs}
    words |= {_capital(wagon): _capital(bus) for wagon, bus in words.items()}
    longest_first = sorted(words, key=len, reverse=True)
    return re.compile(rf"\b({'|'.join(map(re.escape, longest_first))})\b"), words


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]
