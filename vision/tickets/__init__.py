"""From photos of a hand to the ticket cards in it: cards, names, points and what is doubtful."""
