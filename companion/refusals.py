"""Why the table refuses something, as a sentence of the catalogue in either language."""

from companion.errors import CompanionError
from scoring.language import text


class RefusalError(CompanionError, ValueError):
    """What was asked makes no sense now; `key` and `values` name the sentence that says why."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(text(key, "en", **values))
        self.key = key
        self.values = values

    def sentence(self, language: str) -> str:
        """Why, and what to do, in that language."""
        return text(self.key, language, **self.values)
