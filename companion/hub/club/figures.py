"""What the games that count say, with people for keys: ratings, records and standings."""

from collections.abc import Sequence

from companion.club.ratings import Rating, rate
from companion.club.records import Best, by_board, by_player
from companion.club.results import PlayedGame
from companion.club.standings import Season, standings
from companion.hub.club.counted import CountedGames
from companion.hub.club.people import People
from companion.hub.club.player_keys import id_of, player_key
from companion.hub.club.views import counted_games, standing_lines
from companion.hub.database import Database
from web.hub import club_state as club

MOST_GAMES = 20
"""Games that a person's page lists."""


class Figures:
    """The figures of one club; ratings are worked out once for the same games."""

    def __init__(self, database: Database, people: People) -> None:
        self._people = people
        self._games = CountedGames(database)
        self._ratings: tuple[Sequence[PlayedGame], Sequence[Rating]] = ((), ())
        """Games and what they say of the players."""

    def ratings(self) -> Sequence[club.RatingLine]:
        """The table of ratings; whoever was forgotten is left out."""
        names = self._people.by_id()
        rated = [(names[id_of(one.player)], one) for one in self._rated()]
        present = [(person, one) for person, one in rated if person.name is not None]
        return [
            club.RatingLine(person, place, one.mean, one.margin, one.games)
            for place, (person, one) in enumerate(present, 1)
        ]

    def rating_of(self, id: int) -> club.RatingLine | None:
        """A person's place in that table, None for somebody who is not in it."""
        return next((line for line in self.ratings() if line.person.id == id), None)

    def records_of(self, id: int) -> tuple[club.PlayerLine, ...]:
        """What a person did on all boards together, and on each."""
        return tuple(
            club.PlayerLine(
                one.board,
                one.games,
                one.wins,
                one.mean_points,
                one.best_points,
                one.longest_path,
            )
            for one in by_player(self._games.all(), player_key(id))
        )

    def games_of(self, id: int) -> tuple[club.CountedGame, ...]:
        """A person's newest games, the newest first."""
        own = [
            game
            for game in self._games.all()
            if player_key(id) in [seat.player for seat in game.seats]
        ]
        return counted_games(own[: -MOST_GAMES - 1 : -1], self._people.by_id())

    def boards(self) -> Sequence[club.BoardLine]:
        """Averages and bests of each board."""
        names = self._people.by_id()

        def best(one: Best) -> tuple[club.Person, int]:
            return names[id_of(one.player)], one.value

        return [
            club.BoardLine(
                one.board,
                one.games,
                one.mean_points,
                best(one.highest),
                None if one.longest_path is None else best(one.longest_path),
            )
            for one in by_board(self._games.all())
        ]

    def standings(self, season: club.SeasonLine) -> Sequence[club.StandingLine]:
        """The table of a season."""
        span = Season(season.name, season.first, season.last)
        return standing_lines(standings(span.games(self._games.all())), self._people.by_id())

    def _rated(self) -> Sequence[Rating]:
        games = self._games.all()
        known, ratings = self._ratings
        if known is not games:
            ratings = rate(games)
            self._ratings = (games, ratings)
        return ratings
