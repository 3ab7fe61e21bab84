"""Days and times in words, the month by its name: 11/12 is two days."""

from datetime import datetime

from scoring.language import Message
from web.language import in_words, say

CLOCK_SET_S = 1_735_689_600.0
"""The year 2025. No release of this program is older: a clock before that was never set."""

EVENING_S = 12 * 3600.0
"""What happens so much later belongs to another evening."""


def clock(at_s: float) -> str:
    """Hours and minutes by the clock of this machine."""
    return f"{datetime.fromtimestamp(at_s):%H:%M}"


def day_of(at_s: float, language: str) -> str:
    """A day and its time, by the clock of the box; without them where that was never set."""
    if at_s < CLOCK_SET_S:
        return say("history.no-day", language)
    return in_words(moment(datetime.fromtimestamp(at_s)), language)


def moment(at: datetime) -> Message:
    """A day and its time, for a sentence whose reader's language is not known yet."""
    month, time = Message(f"web.month.{at.month}"), f"{at:%H:%M}"
    return Message("web.history.day", day=at.day, month=month, year=at.year, time=time)


def day_of_file(created: str, language: str) -> str:
    """The same of a moment as a file notes it; as written where it is no time."""
    try:
        return day_of(datetime.fromisoformat(created).timestamp(), language)
    except (ValueError, OverflowError, OSError):
        return created[:20]
