"""JSON in and out: games, players, tickets, settings and sheets as documents."""
