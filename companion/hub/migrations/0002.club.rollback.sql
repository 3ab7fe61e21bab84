DROP TABLE game_seats, games, seatings, rounds, entrants, tournament_tables, tournaments, seasons,
    sittings, aliases, players;
