"""The longest continuous path of a network, exact, with a proof that none is longer."""
