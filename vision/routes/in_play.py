"""Who plays, where nobody said it: the colours that hold routes on the board.

Nobody has a route or two where the others have a dozen. So a colour of which nothing is read is not
played, and one that is read so seldom is most likely another one, misread.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

from vision.reading import RouteReading

WELL_ON = 5
"""Routes of a player, in the median, from which on everybody who plays has one; see
docs/decisions/0086."""

LONE = 2
"""So few routes of a colour are rather another player's,"""
BESIDE = 8
"""where the others have at least so many, in the median."""


def colours_in_play(routes: Mapping[str, RouteReading], colours: Sequence[str]) -> tuple[str, ...]:
    """Those of `colours` that seem to be played; all of them early in a game."""
    held = Counter(route.owner for route in routes.values() if route.owner is not None)
    usual = median([held[colour] for colour in colours if held[colour] > LONE] or [0])
    most_lone = LONE if usual >= BESIDE else 0 if usual >= WELL_ON else -1
    return tuple(colour for colour in colours if held[colour] > most_lone)
