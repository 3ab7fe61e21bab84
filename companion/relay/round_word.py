"""The hub's word to a table about the round of a tournament that is played at it."""

import json

from companion.log.rows import is_date
from scoring.printable import is_printable
from web.table_state import ClubRound

MOST_LETTERS = 60


def round_to_json(club_round: ClubRound | None) -> str:
    """The word as it is sent; an empty one takes the word before it back."""
    return "" if club_round is None else json.dumps(club_round)


def round_from_json(payload: bytes) -> ClubRound | None:
    """The word that was received, None where no round is under way or it is no word of ours."""
    try:
        document = json.loads(payload)
        number, ends_s = document["number"], float(document["ends_s"])
        names = [document["tournament"], document["table"]]
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        return None
    is_text = all(isinstance(one, str) and is_printable(one) for one in names)
    if not is_text or type(number) is not int or not 0 < number < 1000:
        return None
    if not is_date(ends_s):
        return None
    tournament, table = (one[:MOST_LETTERS] for one in names)
    return ClubRound(tournament=tournament, number=number, table=table, ends_s=ends_s)
