"""One thing that the doctor looked at: how it is, and the sentence that says so."""

from dataclasses import dataclass
from typing import Any

from scoring.language import text

GOOD, MISSING, BROKEN = "good", "missing", "broken"
"""Works; is not here, which may be intended; is here and does not work."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: `status` is "good", "missing" or "broken", `key` its sentence."""

    name: str
    status: str
    key: str
    values: dict[str, object]

    def sentence(self, language: str) -> str:
        """What was found and, if it isn't good, how to mend it."""
        return text(self.key, language, **self.values)

    def to_json(self, language: str) -> dict[str, Any]:
        """The finding's JSON document."""
        return {"name": self.name, "status": self.status, "text": self.sentence(language)}
