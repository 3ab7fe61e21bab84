"""The club in the hub's database: its people, the games that count, tournament evenings."""
