"""Why the table refuses something, as a sentence of the catalogue in either language."""

from companion.errors import CompanionError
from scoring.language import SpokenError


class RefusalError(SpokenError, CompanionError, ValueError):
    """What was asked makes no sense now; `key` and `values` name the sentence that says why."""
