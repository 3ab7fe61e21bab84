"""The itemised final score of every player, and what it rests on."""
