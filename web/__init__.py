"""The panel: board, standing, doubtful routes, tickets and the final sheet in a browser."""
