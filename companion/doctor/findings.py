"""One thing that the doctor looked at: how it is, and the sentence that says so."""

import getpass
import os
from dataclasses import dataclass
from typing import Any

from scoring.language import Message

GOOD, MISSING, BROKEN = "good", "missing", "broken"
"""Works; is not here, which may be intended; is here and does not work."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One thing looked at: `status` is "good", "missing" or "broken".

    `message` says what was found and, if it isn't good, how to mend it.
    """

    name: str
    status: str
    message: Message

    def to_json(self, language: str) -> dict[str, Any]:
        """The finding's JSON document."""
        return {"name": self.name, "status": self.status, "text": self.message.text(language)}


def finding(part: str, status: str, key: str, **values: object) -> CheckResult:
    """What was found; `key` is that of the sentence among the doctor's own."""
    return CheckResult(part, status, Message(f"companion.doctor.{key}", **values))


def user_name() -> str:
    """Who looks: the user that lacks a right is the one that is to get it."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without an entry, as in some containers
        return str(os.getuid())
