"""How many flags and passengers a player can have at most, by the routes that they hold.

Only what follows from the rules for certain: a bound that is passed shows a mistake, one that is
kept shows nothing.
"""

from collections import Counter

from scoring.game.game import Game, Player
from scoring.sheet.violations import pieces_used

FLAG_COLOURS: tuple[str, ...] = ("blue", "white", "red")
"""Cards that complete a French flag, one of each (rulebook 004)."""

PASSENGERS_A_ROUTE = 2
"""A claimed route brings at most one passenger from each of its two ends (rulebook 001)."""


def most_flags(game: Game, player: Player) -> int | None:
    """Flags that the player's lines allow; None where the game has none.

    A flag takes one blue, one white and one red card of claimed lines, and a line is claimed with
    as many cards as it has spaces. On a known map the colours are known too, and a line of another
    colour brings none of the three; where only lengths are typed, three spaces make one flag.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "route_lengths": {"3": 3}}
    >>> game = parse_game({"game": "paris", "players": [ada]})
    >>> most_flags(game, game.players[0])  # 9 buses
    3
    """
    if not game.rules.bonuses.flag:
        return None
    if game.board is None or player.route_lengths is not None:
        return pieces_used(game, player) // len(FLAG_COLOURS)
    spaces: Counter[str] = Counter()
    for name in player.routes:
        route = game.board.route_by_id[name]
        spaces[route.colour] += route.length
    return min(spaces[colour] for colour in FLAG_COLOURS)


def most_passengers(game: Game, player: Player) -> int | None:
    """Passengers that the player's routes allow; None where the game has none.

    >>> from scoring.documents.game import parse_game
    >>> ada = {"name": "Ada", "routes": ["freiburg--karlsruhe"]}
    >>> game = parse_game({"game": "germany", "players": [ada]})
    >>> most_passengers(game, game.players[0])
    2
    """
    if not any(game.rules.bonuses.passengers):
        return None
    return PASSENGERS_A_ROUTE * len(player.routes)
