"""A club: results, ratings, seasons, tournament evenings. Pure: no file and no page."""
